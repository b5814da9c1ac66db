"""Campbell diagrams against closed forms: whirl of a tilting disc, crossings, orders of trains."""

import math
from typing import Any

import numpy as np
import pytest

import pitchline as pl

I_T, I_P, K = 0.1, 0.15, 40.0
"""Of case and disc together about an axis across, of the disc about its own [kg m²]; of the tilt [N m/rad]."""


def whirl(speed: np.ndarray) -> np.ndarray:
    """(speeds, 2) [rad/s]: omega = -+ g/2 + sqrt(g²/4 + k/I_t), g = I_p Ω/I_t."""
    g = I_P * speed / I_T
    root = np.sqrt(g**2 / 4 + K / I_T)
    return np.stack([root - g / 2, root + g / 2], axis=1)


def rotor(*, driven: bool = False, other: float | None = None) -> pl.Model:
    """A disc on a hinge in a case that tilts on springs about its centre.

    other: frequency [rad/s] of a mass that knows nothing of it."""
    m = pl.Model("rotor")
    case = m.body("case", mass=1.0, inertia=(0.02, 0.02, 0.03))
    disc = m.body("disc", mass=1.0, inertia=(0.08, 0.08, I_P))
    m.spherical("centre", m.ground, case, at=(0, 0, 0))
    m.bushing("springs", m.ground, case, at=(0, 0, 0), stiffness=[0, 0, 0, K, K, 1e5])
    shaft = m.revolute("shaft", case, disc, at=(0, 0, 0), axis="z")
    if driven:
        m.drive("motor", shaft, speed=0.0)
    if other is not None:
        block = m.body("block", mass=1.0, inertia=(1, 1, 1))
        m.prismatic("guide", m.ground, block, axis="x")
        m.spring("spring", m.ground, block, at_a=(-1, 0, 0), at_b=(0, 0, 0), stiffness=other**2, damping=0.02 * other)
    return m


@pytest.mark.parametrize("driven", [False, True])
def test_whirl_frequencies_over_speed(driven: bool) -> None:
    """With a free shaft and with a driven one; the mode of the case about the axis (1e5 N m/rad) stays where it is."""
    speeds = np.linspace(0.0, 60.0, 13)
    found = pl.campbell(rotor(driven=driven), "shaft", speeds, orders={"unbalance": 1.0}, highest="100 Hz")
    np.testing.assert_allclose(
        np.sort(2 * np.pi * found.frequencies, axis=1), np.sort(whirl(speeds), axis=1), rtol=1e-9
    )
    assert found.orders == {"unbalance": 1.0}
    # each column is one whirl all the way
    assert np.all(np.diff(np.sort(found.frequencies[1:], axis=1), axis=0) * [-1, 1] > 0)
    slopes = np.sign(np.diff(found.frequencies, axis=0))
    assert np.all(slopes == slopes[0]) and slopes[0, 0] * slopes[0, 1] < 0


def test_crossing_of_the_unbalance() -> None:
    """Ω = ω on the backward whirl: Ω² (1 + I_p/I_t) = k/I_t; I_p > I_t: none on the forward one. Interpolation between speeds
    errs by curvature times the square of their distance."""
    speeds = np.linspace(0.0, 60.0, 121)
    found = pl.campbell(rotor(), "shaft", speeds, orders={"unbalance": 1.0}, highest="100 Hz")
    (crossing,) = found.crossings
    expected = math.sqrt(K / I_T / (1 + I_P / I_T))
    assert crossing.order == "unbalance"
    assert crossing.speed == pytest.approx(expected, rel=1e-3)
    assert crossing.frequency == pytest.approx(expected / (2 * math.pi), rel=1e-3)
    assert "unbalance" in found.table() and "rpm" in found.table() and "backward" in found.table()
    np.testing.assert_allclose(found.critical_backward, [expected], rtol=1e-7)
    assert found.critical_forward.size == 0
    whirl = found.whirl[1:]
    assert np.all(np.abs(np.abs(whirl) - 1.0) < 1e-6) and np.all(np.isnan(found.whirl[0]))
    backward = np.flatnonzero(whirl[0] < 0)
    assert np.all(whirl[:, backward] < 0) and np.all(np.diff(found.frequencies[:, backward], axis=0) < 0)


def test_whirl_turns_with_the_speed() -> None:
    """Backwards the same modes whirl the same way round in the world: what was forward is forward again."""
    there, back = (
        pl.campbell(rotor(), "shaft", s, orders={}, highest="100 Hz") for s in ([20.0, 30.0], [-30.0, -20.0])
    )
    np.testing.assert_allclose(np.sort(there.whirl[0]), np.sort(back.whirl[0]), atol=1e-6)
    fast = there.frequencies[-1, there.whirl[-1] > 0]
    np.testing.assert_allclose(fast, back.frequencies[0, back.whirl[0] > 0], rtol=1e-9)


def test_modes_are_followed_through_crossings_of_their_own() -> None:
    """The forward whirl passes the frequency of a mass that knows nothing of it, and both go on."""
    speeds = np.linspace(0.0, 60.0, 31)
    found = pl.campbell(rotor(other=60.0), "shaft", speeds, orders={}, highest="100 Hz")
    ends = 2 * np.pi * np.sort(found.frequencies[[0, -1]], axis=1)
    assert ends[0, -1] == pytest.approx(60.0, rel=1e-9) and ends[1, -1] > 61.0
    constant = np.flatnonzero(np.ptp(found.frequencies, axis=0) < 1e-9 * found.frequencies[0])
    assert constant.size == 1
    np.testing.assert_allclose(found.damping_ratios[:, constant[0]], 0.01, rtol=1e-8)
    assert found.crossings == ()


def train(mesh: Any, *, driven: bool = False) -> pl.Model:
    """Two stages, 20:30 and 25:50; the last wheel sits in a case that tilts."""
    m = pl.Model("train")
    common: dict[str, Any] = {"normal_module": 0.004, "face_width": 0.02}
    a = m.gear_body("a", pl.Gear(teeth=20, **common), position=(0, 0, 0), axis="z")
    b = m.gear_body("b", pl.Gear(teeth=30, **common), mesh_with=a)
    m.wheel("c", b, pl.Gear(teeth=25, **common), at=b.position + [0, 0, 0.05], axis="z")
    d = m.gear_body("d", pl.Gear(teeth=50, **common), mesh_with="c", towards=(0, 1, 0))
    shaft = m.revolute("shaft", m.ground, a)
    m.revolute("middle", m.ground, b)
    case = m.body("case", mass=1.0, inertia=(0.02, 0.02, 0.03), position=d.position)
    m.spherical("centre", m.ground, case, at=d.position)
    m.bushing("springs", m.ground, case, at=d.position, stiffness=[0, 0, 0, K, K, 1e6])
    m.revolute("last", case, d, axis="z")
    if driven:
        m.drive("motor", shaft, speed=0.0)
    m.gear_pair("first", a, b, mesh=mesh)
    m.gear_pair("second", "c", d, mesh=mesh)
    return m


@pytest.mark.parametrize("driven", [False, True])
@pytest.mark.parametrize(
    "mesh", [pl.Rigid(separating=False), pl.Elastic(1e8, backlash=0, separating=False)], ids=["rigid", "elastic"]
)
def test_orders_and_speeds_of_a_train(mesh: Any, driven: bool) -> None:
    """Tooth meshing 20 and 25·20/30 per revolution, multiples of both; the last wheel, which is the gyroscope, turns at a third."""
    speeds = np.array([0.0, 90.0, 300.0])
    m = train(mesh, driven=driven)
    found = pl.campbell(m, "shaft", speeds, highest="50 Hz")
    second = 25 * 20 / 30
    expected = {
        "first": 20.0,
        "2 x first": 40.0,
        "3 x first": 60.0,
        "second": second,
        "2 x second": 2 * second,
        "3 x second": 3 * second,
    }
    assert found.orders == pytest.approx(expected, rel=1e-6)
    disc = m.bodies["d"].inertia
    g = disc[2, 2] * (speeds / 3) / (0.02 + disc[0, 0])
    root = np.sqrt(g**2 / 4 + K / (0.02 + disc[0, 0]))
    # teeth hold the tilt about the line of centres a little: their points are at the pitch circle
    low = 2 * np.pi * np.sort(found.frequencies, axis=1)
    assert low.shape == (3, 2)
    np.testing.assert_allclose(low.prod(axis=1), K / (0.02 + disc[0, 0]), rtol=2e-2)
    np.testing.assert_allclose((low[:, 1] - low[:, 0]) - (low[0, 1] - low[0, 0]), g, atol=0.05 * g.max())
    assert np.all(np.abs(low - np.stack([root - g / 2, root + g / 2], axis=1)) < 0.1 * low)


def test_modes_that_stop_oscillating_end() -> None:
    """Followed from the first speed on: fewer modes later leave nan, never a wrong one."""
    m = rotor()
    m.bushing("oil", m.ground, "case", at=(0, 0, 0), stiffness=[0] * 6, damping=[0, 0, 0, 5.0, 5.0, 0])
    speeds = [0.0, 30.0, 400.0]
    found = pl.campbell(m, "shaft", speeds)
    for row, count in zip(found.frequencies, (len(found.kinds), None, None), strict=True):
        assert count is None or np.sum(~np.isnan(row)) == count
    there = ~np.isnan(found.frequencies)
    assert np.all(there[:-1] | ~there[1:])  # what has ended does not come back


def test_a_turning_carrier() -> None:
    """A mass on springs on a carrier that turns: seen from the carrier it swings at ω0 ± Ω split about ω0, as Foucault's pendulum:
    (ω² - ω0² - Ω²... )  with springs that turn along:  s⁴ + 2 (ω0² + Ω²) s² + (ω0² - Ω²)² = 0,  ω = ω0 ± Ω."""
    m = pl.Model("carrier", plane="xy")
    m.body("carrier", mass=50.0, inertia=10.0)
    m.body("mass", mass=2.0, inertia=0.01)
    m.revolute("shaft", m.ground, "carrier", axis="z")
    m.bushing("springs", "carrier", "mass", at=(0, 0, 0), stiffness=(2e4, 2e4, 0, 0, 0, 50.0))
    w0, speeds = 100.0, [0.0, 10.0, 40.0]
    found = pl.campbell(m, "shaft", speeds, turning_with="carrier", orders={"once": 1.0})
    for speed, row in zip(speeds, 2 * np.pi * np.sort(found.frequencies, axis=1), strict=True):
        for w in (w0 - speed, w0 + speed):
            assert np.min(np.abs(row - w)) < 1e-6 * w0
    with pytest.raises(pl.ModelError, match='turning_with: no body "arm"'):
        pl.campbell(m, "shaft", speeds, turning_with="arm")


def test_only_modes_in_which_rotating_parts_move_whirl() -> None:
    """A block that nothing connects to the rotor: a general damping lets its points move on ellipses."""
    m = rotor()
    K = np.diag([2e4, 3e4, 5e4, 300.0, 400.0, 500.0])
    K[0, 1] = K[1, 0] = 5e3
    D = 1e-3 * K
    D[0, 1] = D[1, 0] = 20.0
    m.bushing("c", m.ground, m.body("block", mass=1, inertia=(0.1, 0.12, 0.13)), stiffness=K, damping=D)
    found = pl.campbell(m, "shaft", [10.0, 50.0, 100.0])
    moving = np.ptp(found.frequencies, axis=0) > 1e-6 * found.frequencies[0]
    assert moving.sum() == 2
    assert np.all(np.abs(found.whirl[:, moving]) > 0.99)
    assert np.all(found.whirl[:, ~moving] == 0.0)
