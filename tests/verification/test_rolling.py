"""Rolling gear joints: pitch surfaces that roll, one constraint u = r_a psi_a + r_b psi_b = 0; kinematics in closed form, over many
turns and on moving bodies.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from references.observed_order import largest
from references.rolling_pairs import EXACT, PAIRS, UNIT, gear, pair, reduced

import pitchline as pl

TURN = 2 * math.pi


@reduced
@pytest.mark.parametrize("kind", PAIRS)
def test_a_thousand_turns_cost_no_digit(kind: str, reduce: bool) -> None:
    """q_b = ratio q_a to the last places of the angles, at the end of 1000 turns of wavy speed, 1.5 rad a step."""
    m, out, ratio = pair(kind)
    m.drive("motor", "on a", angle=pl.Sum((pl.Polynomial((0.0, TURN)), pl.Harmonic(0.5, 0.02))))
    run = pl.dynamics(m, duration=1000.0, step=0.25, output_step=10.0, reduce=reduce, **EXACT)
    angle = run["on a.angle"].values
    assert angle[-1] > 0.999 * 1000 * TURN
    # the travel of a rack is a sum of 4000 increments, each rounded to its last place: as a walk, sqrt(4000) of them
    last_place = (
        np.spacing(angle[-1])
        if out == "on b.angle"
        else math.sqrt(4000) / 4 * np.spacing(np.max(np.abs(run[out].values)))
    )
    assert largest(run[out].values, ratio * angle) <= 4 * last_place
    assert np.max(np.abs(run["mesh.approach"].values)) <= 4 * max(last_place, 1e-14) * (
        0.03 if out == "on b.angle" else 1.0
    )


# --------------------------------------------------------------------------------------------- wheels on moving bodies

SUN, PLANET, RING = 24, 36, 96


@pytest.mark.parametrize("by", ["gears", "ratio"])
@reduced
def test_a_wheel_in_a_ring_on_the_ground(by: str, reduce: bool) -> None:
    """On a crank that turns by phi a wheel of z_p teeth turns by (1 - z_r/z_p) phi in space."""
    m = pl.Model("hypocycloid")
    crank = m.body("crank", **UNIT)
    axle = m.revolute("axle", m.ground, crank, axis="z")
    if by == "gears":
        ring = m.wheel("ring", m.ground, gear(RING, internal=True, rim_diameter="450 mm", tip_alteration=-0.2))
        wheel = m.gear_body("wheel", gear(PLANET), mesh_with=ring, towards="x", **UNIT)
        mesh = pl.Rolling()
    else:
        ring, wheel = m.ground, m.body("wheel", position=(0.12, 0, 0), **UNIT)
        mesh = pl.Rolling(ratio=Fraction(RING, PLANET), internal=True)
    m.revolute("pin", crank, wheel, axis="z")
    m.gear_pair("mesh", wheel, ring, mesh=mesh)
    m.drive("motor", axle, speed=3.0)
    run = pl.dynamics(m, duration=30.0, step=0.02, output_step=0.5, reduce=reduce, **EXACT)
    expected = -RING / PLANET * run["axle.angle"].values
    assert largest(run["pin.angle"].values, expected) < 1e-10
    assert largest(run["wheel.angular_velocity.z"].values, 3.0 * (1 - RING / PLANET)) < 1e-8


def platform(m: pl.Model, swaying: bool) -> pl.Body:
    """What a train stands on: a body that a drive turns about a skew axis elsewhere."""
    body = m.body("platform", mass=5.0, inertia=(0.1, 0.1, 0.1))
    m.drive(
        "sway", m.revolute("pivot", m.ground, body, at=(0.5, 0.2, -0.3), axis=(1, 2, -1)), speed=2.0 if swaying else 0.0
    )
    return body


@pytest.mark.parametrize("swaying", [False, True], ids=["at rest", "swaying"])
def test_planetary_train(swaying: bool) -> None:
    """Willis: (w_r - w_c)/(w_s - w_c) = -z_s/z_r and (w_p - w_c)/(w_s - w_c) = -z_s/z_p, on a platform that moves or not.

    Sun and carrier are driven at different speeds, the ring follows: no motion is determined twice with one planet.
    """
    m = pl.Model("planetary")
    base = platform(m, swaying)
    r_s, r_p = 0.024, 0.036
    for name in ("sun", "carrier", "ring"):
        m.body(name, **UNIT)
        m.revolute(f"on {name}", base, name, axis="z")
    m.body("planet", position=(0, r_s + r_p, 0), **UNIT)
    m.revolute("pin", "carrier", "planet", axis="z")
    m.gear_pair("inner", "sun", "planet", mesh=pl.Rolling(ratio=Fraction(PLANET, SUN)))
    m.gear_pair("outer", "planet", "ring", mesh=pl.Rolling(ratio=Fraction(RING, PLANET), internal=True))
    m.drive("fast", "on sun", speed=7.0)
    m.drive("slow", "on carrier", speed=-2.0)
    run = pl.dynamics(m, duration=10.0, step=0.01, output_step=0.25, **EXACT)
    sun, carrier, ring, pin = (run[f"{x}.angle"].values for x in ("on sun", "on carrier", "on ring", "pin"))
    assert largest(ring - carrier, -SUN / RING * (sun - carrier)) < 1e-10
    assert largest(pin, -SUN / PLANET * (sun - carrier)) < 1e-10
    assert abs(carrier[-1]) == pytest.approx(20.0, rel=1e-9)


@pytest.mark.parametrize("swaying", [False, True], ids=["at rest", "swaying"])
def test_differential(swaying: bool) -> None:
    """Bevels in a cage: w_left + w_right = 2 w_cage, and the spider wheel turns by (w_left - w_right)/2 z_side/z_spider."""
    m = pl.Model("differential")
    base = platform(m, swaying)
    m.body("cage", **UNIT)
    m.revolute("on cage", base, "cage", axis="x")
    # side wheels of radius 30 mm at x = -20 and 20 mm, a spider wheel of radius 20 mm at y = 30 mm: z from the apex
    for name, x in (("left", -0.02), ("right", 0.02)):
        m.body(name, position=(x, 0, 0), orientation=pl.Rotation("y", math.copysign(math.pi / 2, x)), **UNIT)
        m.revolute(f"on {name}", base, name, axis="x")
    m.body("spider", position=(0, 0.03, 0), orientation=pl.Rotation("x", -math.pi / 2), **UNIT)
    m.revolute("pin", "cage", "spider", axis="y")
    for name in ("left", "right"):
        m.gear_pair(f"mesh {name}", name, "spider", mesh=pl.Rolling(ratio=Fraction(2, 3)))
    m.drive("a", "on cage", speed=3.0)
    m.drive("b", "on left", speed=4.5)
    run = pl.dynamics(m, duration=10.0, step=0.01, output_step=0.25, **EXACT)
    cage, left, right, pin = (run[f"{x}.angle"].values for x in ("on cage", "on left", "on right", "pin"))
    assert largest(left + right, 2 * cage) < 1e-10
    assert largest(np.abs(pin), 0.5 * 3 / 2 * np.abs(left - right)) < 1e-10
