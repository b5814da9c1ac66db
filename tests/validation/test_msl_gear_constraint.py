"""Modelica example GearConstraint (see `references.gear_constraint`) with a ratio, and with plain joints.

With plain joints once as one wheel of the equivalent inertia, once as two wheels whose threads share a nut: with leads l
and 10 l the wheels turn in the ratio 10. The mass m of the nut, which moves by p = l/(2 pi) a radian of wheel a, is taken from J1,
so that Je = (J1 - m p^2) + J2/100 + m p^2 is that of the example.

Runs with steps h and h/2 are extrapolated to step zero, in error by O((W h)^4), W h = 2 pi/1000 at h = 1 ms: below
1e-8.
"""

import numpy as np
import pytest
from references import gear_constraint as gear
from references.observed_order import largest, observed_order, richardson

import pitchline as pl

TORQUE = pl.Harmonic(amplitude=gear.TORQUE, frequency=gear.FREQUENCY)
LEAD, NUT = 0.01, 0.5


def one_wheel() -> pl.Model:
    m = pl.Model("equivalent wheel")
    J = gear.J1 + gear.J2 / gear.RATIO**2
    m.body("b", mass=1.0, inertia=(J, J, J))
    m.revolute("axle", m.ground, "b", axis="z")
    m.torque("motor", "axle", TORQUE)
    return m


def two_wheels() -> pl.Model:
    m = pl.Model("two wheels and a nut")
    p = LEAD / (2 * np.pi)
    for name, J in (("a", gear.J1 - NUT * p**2), ("b", gear.J2)):
        m.body(name, mass=1.0, inertia=(J, J, J))
        m.revolute(f"axle {name}", m.ground, name, axis="z")
    m.body("nut", mass=NUT, inertia=(1e-3, 1e-3, 1e-3))
    m.prismatic("guide", m.ground, "nut", axis="z")
    m.screw("thread a", "a", "nut", lead=-LEAD, axis="z")
    m.screw("thread b", "b", "nut", lead=-gear.RATIO * LEAD, axis="z")
    m.torque("motor", "axle a", TORQUE)
    return m


def sampled(model: pl.Model, joint: str, scale: float, step: float, **options: object) -> np.ndarray:
    """(21, 2): angle and speed of wheel b every 0.25 s."""
    result = pl.dynamics(model, duration=5.0, step=step, output_step=0.25, newton_tolerance=1e-10, **options)
    return scale * np.stack([result[f"{joint}.angle"].values, result[f"{joint}.angular_speed"].values], axis=1)


def ratio(housing: bool, rotors: bool = False) -> pl.Model:
    """Two coaxial wheels with a ratio; on the ground, or on a heavy housing that is fixed with six coordinates of its own."""
    m = pl.Model("ratio")
    on: pl.Body = m.ground
    if housing:
        on = m.body("housing", mass=1.0, inertia=(1.0, 1.0, 1.0))
        m.fixed("foot", m.ground, on)
    for name, J in (("a", gear.J1), ("b", gear.J2)):
        if rotors:
            m.rotor(f"axle {name}", on, inertia=J, axis="z")
        else:
            m.body(name, mass=1.0, inertia=(J, J, J))
            m.revolute(f"axle {name}", on, name, axis="z")
    if rotors:
        m.ratio("gearbox", "axle a", "axle b", ratio=gear.RATIO)
    else:
        m.gear_pair("gearbox", "a", "b", mesh=pl.Rolling(ratio=gear.RATIO))
    m.torque("motor", "axle a", TORQUE)
    return m


CASES = {
    "ratio": (lambda: ratio(False), "axle b", 1.0, {}),
    "ratio on a housing": (lambda: ratio(True), "axle b", 1.0, {}),
    "ratio on a housing, not reduced": (lambda: ratio(True), "axle b", 1.0, {"reduce": False}),
    "rotors on a housing": (lambda: ratio(True, rotors=True), "axle b", 1.0, {}),
    "one wheel": (one_wheel, "axle", 1 / gear.RATIO, {}),
    "two wheels": (two_wheels, "axle b", 1.0, {}),
    "two wheels, not reduced": (two_wheels, "axle b", 1.0, {"reduce": False}),
}


@pytest.mark.parametrize("case", CASES)
def test_published_values(case) -> None:
    build, joint, scale, options = CASES[case]
    limit = richardson(lambda step: sampled(build(), joint, scale, step, **options), 1e-3)
    for t, angle in gear.ANGLE_B.items():
        assert limit[round(4 * t), 0] == pytest.approx(angle, rel=1e-8)
    for t, speed in gear.SPEED_B.items():
        assert limit[round(4 * t), 1] == pytest.approx(speed, abs=1e-8)


@pytest.mark.parametrize("case", CASES)
def test_order(case) -> None:
    build, joint, scale, options = CASES[case]
    exact = np.stack(gear.motion_b(np.arange(0, 5.01, 0.25)), axis=1)
    errors = [largest(sampled(build(), joint, scale, step, **options), exact) for step in (0.01, 0.005)]
    assert observed_order(errors) == pytest.approx(2.0, abs=0.1)
