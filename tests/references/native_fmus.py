"""FMUs without Python for tests: models, and a driver that uses the standard library only."""

from __future__ import annotations

import pitchline as pl

STEP, INTERVAL = 1e-5, 1e-4

DRIVER = '''
"""Runs a library of FMI 2 with ctypes: python -I -S driver.py LIBRARY TOKEN STEPS. Prints the outputs as hexadecimal numbers."""
import ctypes, sys
for name in ("numpy", "numba", "llvmlite", "pitchline"):
    try:
        __import__(name)
    except ImportError:
        continue
    raise SystemExit(name + " can be imported here")
library, token, steps, first, count = ctypes.CDLL(sys.argv[1]), sys.argv[2].encode(), *map(int, sys.argv[3:6])
length = float(sys.argv[6])
double = ctypes.c_double
library.fmi2Instantiate.restype = ctypes.c_void_p
one = ctypes.c_void_p(library.fmi2Instantiate(b"one", 1, token, b"", None, 0, 0))
assert one.value, "not instantiated"
assert library.fmi2SetupExperiment(one, 0, double(0), double(0), 0, double(0)) == 0
assert library.fmi2EnterInitializationMode(one) == 0
assert library.fmi2ExitInitializationMode(one) == 0
references = (ctypes.c_uint * count)(*range(first, first + count))
values = (double * count)()
for k in range(steps):
    assert library.fmi2DoStep(one, double(k * length), double(length), 1) == 0
    assert library.fmi2GetReal(one, references, ctypes.c_size_t(count), values) == 0
    print(*(float(x).hex() for x in values))
library.fmi2FreeInstance(one)
'''


def pair() -> pl.Model:
    """Two wheels with backlash, two torques: the teeth separate and strike."""
    gear = pl.Gear(teeth=25, normal_module="4 mm", face_width="15 mm")
    m = pl.Model("pair")
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", gear, mesh_with=a, towards="x")
    m.torque("motor", m.revolute("first", m.ground, a), "50 N*m")
    m.torque("load", m.revolute("second", m.ground, b), "-40 N*m")
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(backlash="50 um"))
    return m


def two_stages() -> pl.Model:
    """Two stages with elastic teeth on an elastic shaft; a drive with a speed, and a load."""
    small, large = (pl.Gear(teeth=z, normal_module="2 mm", face_width="20 mm") for z in (20, 50))
    m = pl.Model("two stages")
    first = m.gear_body("first", small, position=(0, 0, 0), axis="z")
    second = m.gear_body("second", large, mesh_with=first, towards="x")
    third = m.gear_body("third", small, position=("70 mm", 0, "100 mm"), axis="z")
    fourth = m.gear_body("fourth", large, mesh_with=third, towards="x")
    axes = {b.name: m.revolute(f"{b.name}_axis", m.ground, b) for b in (first, second, third, fourth)}
    m.bushing(
        "shaft",
        second,
        third,
        at=("70 mm", 0, "50 mm"),
        stiffness=(0, 0, 0, 0, 0, "20 kN*m/rad"),
        damping=(0, 0, 0, 0, 0, 5),
    )
    m.gear_pair("stage_1", first, second, mesh=pl.Elastic(backlash="20 um"))
    m.gear_pair("stage_2", third, fourth, mesh=pl.Elastic(backlash=0))
    m.drive("motor", axes["first"], speed="0 rad/s")
    m.torque("load", axes["fourth"], "-100 N*m")
    return m


def axis() -> pl.Model:
    """Axis with position control, friction that sticks, and a gear with backlash: own coordinates, events, expressions."""
    m = pl.Model("axis")
    motor = m.body("motor", mass=0.5, inertia=(2e-4, 2e-4, 2e-4))
    load = m.body("load", mass=20, inertia=(0.5, 0.5, 0.5), position=(0, 0, 0.2))
    on_motor = m.revolute("motor_axis", m.ground, motor, axis="z")
    on_load = m.revolute("load_axis", m.ground, load, axis="z")
    m.add(
        pl.PID(
            "position", setpoint=0.0, measured=pl.expression("50*load_axis.angle"), proportional=0.39, integral=1.5,
            derivative=0.0175, measured_rate=pl.expression("motor_axis.angular_speed"),
        )
    )  # fmt: skip
    m.torque("effort", on_motor, pl.expression("position.output"))
    m.friction("friction", on_motor, coulomb="2 N*mm", static="3 N*mm", stribeck_speed="5 rad/s")
    m.ratio("gear", on_motor, on_load, ratio=50, stiffness="2 N*m/mrad", backlash="2 mrad")
    return m
