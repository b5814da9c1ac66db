"""Small machines with one part each between moving bodies, for sums over all parts: forces, moments, powers."""

from collections.abc import Callable
from typing import Any

import numpy as np

import pitchline as pl
from pitchline.declare.search import declared_elements

Place = Callable[[pl.Model, dict[str, Any]], object]


def rig() -> tuple[pl.Model, dict[str, Any]]:
    """Two wheels on parallel axes, a slide along the first axis, on a frame with springs to the ground. All move."""
    m = pl.Model("rig", gravity=(0.5, -9.81, 1.0))
    frame = m.body("frame", mass=5, inertia=(0.1, 0.2, 0.2), position=(0.1, 0, 0), velocity=(0, 0, 0.02))
    a = m.body("a", mass=1, inertia=(0.01, 0.01, 0.02), centre_of_mass=(1e-3, 0, 2e-3), angular_velocity=(0, 0, 30))
    b = m.body("b", mass=2, inertia=(0.02, 0.02, 0.03), position=(0.3, 0, 0), angular_velocity=(0, 0, -20))
    s = m.body("s", mass=1, inertia=(0.01, 0.01, 0.01), position=(0, 0, 0.3), velocity=(0, 0, 0.05))
    m.bushing(
        "mounts", m.ground, frame, stiffness=["1 N/um"] * 3 + ["10 kN*m/rad"] * 3, damping=["1 kN*s/m"] * 3 + [1.0] * 3
    )
    joints = {
        "ja": m.revolute("ja", frame, a, axis="z"),
        "jb": m.revolute("jb", frame, b, at=(0.3, 0, 0), axis="z"),
        "js": m.prismatic("js", frame, s, at=(0, 0, 0.3), axis="z"),
    }
    m.torque("load", "ja", 3.0)
    return m, {"frame": frame, "a": a, "b": b, "s": s, **joints}


def of_package(key: str, **given: Any) -> Place:
    """A declared element without a method of the model."""
    return lambda m, on: m.add(declared_elements()[key]("part", **given))


def placed(method: str, *ends: Any, **given: Any) -> Place:
    """A part that a method of the model makes between joints or bodies of the rig."""
    return lambda m, on: getattr(m, method)("part", *(on.get(x, x) if isinstance(x, str) else x for x in ends), **given)


def _rolling(m: pl.Model, on: dict[str, Any]) -> None:
    shaft = m.body("shaft", mass=1, inertia=(1e-3, 1e-3, 1e-3), position=(0, 0.2, 0), angular_velocity=(0, 0, 50))
    friction = {"lubrication": "oil bath", "viscosity": 3e-5, "load_factor": 1e-3}
    for name, z in (("part", -0.02), ("other", 0.02)):
        m.bearing(name, on["frame"], shaft, RIGID_BALLS, at=(0, 0.2, z), **friction)


def _planetary(m: pl.Model, on: dict[str, Any]) -> None:
    third = m.body("c", mass=1, inertia=(0.01, 0.01, 0.01), position=(0, 0.2, 0))
    m.revolute("jc", on["frame"], third, at=(0, 0.2, 0), axis="z")
    m.planetary_ratio("part", sun="ja", ring="jb", carrier="jc", ratio=3)


def _sum(m: pl.Model, on: dict[str, Any]) -> None:
    m.add(
        declared_elements()["joint_sum"](
            "part", a="ja", b="jb", c="js", factor_a=1.0, factor_b=1.5, factor_c=0.5, value=0.0
        )
    )


def _cam(**given: Any) -> Place:
    lift = [("cycloidal", np.pi, 0.01), ("cycloidal", np.pi, 0.0)]
    profile = pl.CamProfile.from_lift(lift, base_radius=0.03)

    def place(m: pl.Model, on: dict[str, Any]) -> None:
        follower = m.body("follower", mass=0.5, inertia=(1e-4,) * 3, position=(0, 0.04, 0))
        m.prismatic("guide", on["frame"], follower, at=(0, 0.04, 0), axis="y")
        m.cam("part", on["a"], follower, profile, roller_radius=0.01, axis="z", **given)

    return place


def _membrane(m: pl.Model, on: dict[str, Any]) -> None:
    mesh = pl.MembraneMesh.patch([(0, 0, -0.1), (0.1, 0, -0.1), (0.1, 0.1, -0.1), (0, 0.1, -0.1)], (2, 2))
    m.membrane("part", mesh, thickness="1 mm", attached={"ground": "side 4", "frame": "side 2"}, damping=1e-5)


def _teeth(mesh: object, *, helix: float = 0.3, shift: float = 0.004, crossing: float = 0.0, **given: Any) -> Place:
    """Teeth of the two wheels, at places that are not ideal: one wheel is displaced along its axis."""
    both = {"normal_module": 5e-3 * np.cos(helix), "face_width": 0.03}

    def place(m: pl.Model, on: dict[str, Any]) -> None:
        m.wheel("wheel a", on["a"], pl.Gear(teeth=40, helix_angle=helix, **both), axis="z")
        m.wheel("wheel b", on["b"], pl.Gear(teeth=80, helix_angle=-helix, **both), at=(0.3, 0, shift), axis="z")
        m.gear_pair("part", "wheel a", "wheel b", mesh=mesh, **given)

    return place


BELT = {"axis": "z", "at_a": (0, 0, 0), "at_b": (0.3, 0, 0), "damping": 5.0, "tensile_stiffness": 1e5}
MOTOR = {"voltage": 10.0, "resistance": 1.0, "constant": 0.1}
RIGID_BALLS = pl.DeepGrooveBall(balls=8, ball="8 mm", pitch="40 mm")
PLACES: dict[str, Place] = {
    "armature": of_package("armature", on="ja", inertia=2e-3),
    "belt drive": placed("belt_drive", "a", "b", radius_a=0.05, radius_b=0.08, pretension=200.0, **BELT),
    "slipping belt": placed("belt_drive", "a", "b", radius_a=0.05, radius_b=0.08, pretension=20.0, friction=0.2, **BELT),
    "crossed belt": placed("belt_drive", "a", "b", radius_a=0.05, radius_b=0.08, pretension=200.0, crossed=True, **BELT),
    "rolling bearing": _rolling,
    "cam": _cam(stiffness=1e6, damping=100.0),
    "grooved cam": _cam(bilateral=True),
    "chain drive": placed("chain_drive", "a", "b", pitch="12.7 mm", teeth_a=17, teeth_b=23, pretension=100.0, **BELT),
    "clutch": placed("clutch", "ja", "jb", capacity=2.0, viscous=0.01),
    "one-way clutch": placed("one_way_clutch", "ja", "jb"),
    "coupling": placed("coupling", "a", "b", pl.ElasticCoupling("100 N*m/rad"), at=(0, 0, 0.1), axis="z"),
    "cubic spring": of_package("cubic_spring", a="frame", b="s", stiffness=1e3, damping=5.0, free_length=0.2),
    "axial support": of_package(
        "axial_support", a="frame", b="s", stiffness=1e3, damping=5.0, clearance=1e-3, direction="positive"
    ),
    "dc motor": placed("dc_motor", "ja", **MOTOR, inductance=1e-3),
    "dc motor with inertia": placed("dc_motor", "ja", **MOTOR, inertia=1e-3, ratio=5.0),
    "elastic ratio": placed("ratio", "ja", "jb", ratio=-1.5, stiffness=100.0, damping=0.1),
    "fan": placed("fan_load", "ja", rated_torque=2.0, rated_speed=30.0),
    "friction": placed("friction", "ja", coulomb=1.0, viscous=0.01),
    "sliding friction": placed("friction", "js", coefficient=0.2, normal_force=5.0),
    "ratio": placed("ratio", "ja", "jb", ratio=-1.5),
    "lossy ratio": placed("ratio", "ja", "jb", ratio=-1.5, efficiency=0.9),
    "relation of joints": of_package("joint_relation", a="ja", b="js", coefficients=(0, 600.0, 0, 0, 0), reference_b=0.0),
    "sum of joints": _sum,
    "motor by Kloss": placed(
        "kloss_motor", "ja", angular_frequency=100.0, pole_pairs=1, breakdown_torque=5.0, breakdown_slip=0.2
    ),
    "induction motor": placed(
        "induction_motor", "ja", voltage=50.0, angular_frequency=60.0, pole_pairs=1, stator_resistance=0.5, rotor_resistance=0.5,
        stator_leakage=2e-3, rotor_leakage=2e-3, magnetizing_inductance=0.1,
    ),
    "friction in motion": of_package("motion_friction", on="ja", capacity=1.0),
    "map of a motor": placed("motor_map", "ja", speeds=[0.0, 100.0], torques=[3.0, 1.0], throttle=0.5),
    "engine": placed(
        "combustion_engine", "ja", speeds=[0.0, 100.0], torques=[3.0, 1.0], gas_torque=[1.0, 3.0, 1.0, -1.0], firing_angles=[0.0]
    ),
    "planetary ratio": _planetary,
    "road load": placed("road_load", "ja", radius=0.3, vehicle_mass=10.0, rolling_coefficient=0.01, drag_area=0.5, slope=0.05),
    "sliding armature": of_package("sliding_armature", on="js", mass=2.0),
    "speed control": of_package("speed_control", on="ja", target=40.0, proportional=0.2, integral=1.0),
    "speed load": placed("speed_load", "ja", speeds=[-100.0, 100.0], torques=[-2.0, 2.0]),
    "spin inertia": of_package("spin_inertia", on="ja", inertia=1e-3),
    "torque converter": placed(
        "torque_converter", "frame", "a", "b", speed_ratios=[0, 0.5, 1], capacities=[1e-3, 9e-4, 0], torque_ratios=[2, 1.4, 1],
        axis="z",
    ),
    "membrane": _membrane,
    "elastic teeth": _teeth(pl.Elastic(stiffness=1e8, damping=100.0)),
    "elastic spur teeth": _teeth(pl.Elastic(stiffness=1e8, damping=100.0), helix=0.0),
    "teeth with friction": _teeth(pl.Elastic(stiffness=1e8, damping=100.0, friction=0.1)),
    "rolling": _teeth(pl.Rolling()),
    "lossy teeth": _teeth(pl.Rigid(efficiency=0.95)),
    "rigid teeth": _teeth(pl.Rigid()),
}  # fmt: skip
ON_ONE_BODY = {"AttachedMass", "Propeller", "RoadResistance", "Sensor"}
"""Declared elements that act on one body from outside, or belong to it, or only observe."""
