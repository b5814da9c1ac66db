"""Default options: the error that Newton leaves is small against the error of the step, however small that is.

Newton's part is the difference to a run with the same step and Newton iterated as far as rounding allows. Errors of a step
are those of such tight runs against the limit of step zero (Richardson). The masses of light parts make their multipliers, as
accelerations, a million times as large as what moves: a tolerance that is relative to the largest of these is not enough.
"""

import functools
import itertools
import math

import numpy as np
import pytest
from references.observed_order import observed_order, richardson

import pitchline as pl

DURATION = 0.05
TIGHT = 1e-13
ROUNDING = 1e-9
"""Of the scale: below this the order need not be seen."""


def planetary() -> pl.Model:
    """Sun, planets and carrier of 1e-3 kg m^2 with 100 N m on the sun, against a brake that is nearly as strong."""
    m = pl.Model("light planetary")
    common = {"normal_module": "2 mm", "normal_pressure_angle": "20 deg", "face_width": "20 mm"}
    weight = {"mass": 0.3, "inertia": (1e-3, 1e-3, 1e-3)}
    sun = m.gear_body("sun", pl.Gear(teeth=24, **common), position=(0, 0, 0), axis="z", **weight)
    ring_gear = pl.Gear(teeth=96, internal=True, tip_alteration=-0.2, rim_diameter="230 mm", **common)
    ring = m.gear_body("ring", ring_gear, position=(0, 0, 0), axis="z", **weight)
    carrier = m.body("carrier", position=(0, 0, 0), **weight)
    m.fixed("foundation", ring, m.ground, at=(0, 0, 0), axis="z")
    m.revolute("sun bearing", m.ground, sun)
    m.revolute("main", m.ground, carrier, at=(0, 0, 0), axis="z")
    for i in range(3):
        towards = (math.cos(2 * math.pi * i / 3), math.sin(2 * math.pi * i / 3), 0)
        planet = m.gear_body(f"planet{i}", pl.Gear(teeth=36, **common), mesh_with=sun, towards=towards, **weight)
        m.revolute(f"pin{i}", carrier, planet, axis="z")
        m.gear_pair(f"sun mesh{i}", sun, planet, mesh=pl.Rolling())
        m.gear_pair(f"ring mesh{i}", planet, ring, mesh=pl.Rolling())
    m.torque("input", "sun bearing", 100.0)
    m.torque("load", "main", -490.0)
    m.torsion_spring("brake", "main", damping=0.2, stiffness=20.0)
    return m


def slider_crank() -> pl.Model:
    """A rod of 1 g between a crank of 1 kg m^2 and a slider of 2 t, held by a spring that is wound up to 0.6 MN."""
    m = pl.Model("light rod")
    pin, wrist = np.array([0.0, 0.2, 0.0]), np.array([0.5, 0.0, 0.0])
    span = wrist - pin
    tilt = math.atan2(span[1], span[0])
    length = float(np.linalg.norm(span))
    m.body("crank", mass=20.0, inertia=(1.0, 1.0, 1.0), position=(0, 0, 0), angular_velocity=(0, 0, 2.0))
    m.body("rod", mass=1e-3, inertia=(1e-6, 2e-5, 2e-5), position=(pin + wrist) / 2, orientation=pl.Rotation("z", tilt))
    m.body("slider", mass=2000.0, inertia=(10, 10, 10), position=wrist)
    m.revolute("main", m.ground, "crank", at=(0, 0, 0), axis="z")
    m.revolute("pin", "crank", "rod", at=pin, axis="z")
    m.prismatic("guide", m.ground, "slider", axis="x")
    m.point_on_line("wrist", "slider", "rod", at=wrist, axis="z")
    # the rod passes the force of the spring on to the crank, whose torque balances it
    force = 6e5
    m.spring("press", m.ground, "slider", at_a=(2.5, 0, 0), at_b=wrist, stiffness=1e5, free_length=2.0 + force / 1e5)
    m.torque("motor", "crank", (0, 0, -force * 0.2))
    assert length > 0.5
    return m


MODELS = {"planetary": (planetary, "main.angular_speed"), "slider-crank": (slider_crank, "main.angular_speed")}
STEPS = {"planetary": (1e-4, 5e-5, 2.5e-5, 1.25e-5), "slider-crank": (5e-4, 2.5e-4, 1.25e-4, 6.25e-5)}


@functools.cache
def speed(name: str, step: float, newton_tolerance: float | None) -> np.ndarray:
    build, signal = MODELS[name]
    result = pl.dynamics(
        build(), duration=DURATION, step=step, output_step=DURATION / 10, newton_tolerance=newton_tolerance
    )
    return result[signal].values


@pytest.mark.parametrize("name", MODELS)
def test_follows(name: str) -> None:
    steps = STEPS[name]
    exact = richardson(lambda h: speed(name, h, TIGHT), steps[-1])
    scale = float(np.max(np.abs(exact)))
    errors = []
    for h in steps:
        of_step = float(np.max(np.abs(speed(name, h, TIGHT) - exact)))
        of_newton = float(np.max(np.abs(speed(name, h, None) - speed(name, h, TIGHT))))
        assert of_newton < max(0.05 * of_step, ROUNDING * scale), h
        errors.append(float(np.max(np.abs(speed(name, h, None) - exact))))
    for coarse, fine in itertools.pairwise(errors[:-1]):
        if fine > 10 * ROUNDING * scale:
            assert 1.85 < observed_order([coarse, fine]) < 2.6
