"""Rigid and elastic teeth as the user says them, and the law that follows from them in the hoop direction."""

import dataclasses
import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitchline.errors import ModelError
from pitchline.gears import Gear, GearPair, Rack, iso_stiffness
from pitchline.model import (
    Constant,
    Elastic,
    Fourier,
    Harmonic,
    MeshLaw,
    PiecewisePolynomial,
    Polynomial,
    Ramp,
    Rigid,
    Stribeck,
    Sum,
    Table,
    Varying,
)
from pitchline.model.describe import plain_data
from pitchline.model.mesh_law import effective_mass

TURN = 2 * math.pi
SPUR = Gear(teeth=20, normal_module="4 mm", normal_pressure_angle="20 deg", face_width="20 mm")
PAIR = GearPair(SPUR, SPUR.with_(teeth=40, backlash_allowance="30 um"))
COSINE = math.cos(math.radians(20))
WAVE = Fourier("360 deg", "2e8 N/m", sin=("5e7 N/m",), over="angle")


def law_of(mesh: Elastic | Rigid, pair: GearPair = PAIR, **others: Any) -> MeshLaw:
    return MeshLaw.of(mesh, pair, 0.01, 0.04, **others)


# --------------------------------------------------------------------------------------------------------- Varying


def test_functions_of_an_angle_are_kept() -> None:
    varying = Varying(WAVE)
    assert varying.function is WAVE and varying.said is WAVE and varying.over == "mesh cycle"
    assert varying.mean == pytest.approx(2e8, rel=1e-15)
    assert varying.bounds == pytest.approx((1.5e8, 2.5e8), rel=1e-6)
    assert varying(math.pi / 2) == pytest.approx(2.5e8)
    with pytest.raises(dataclasses.FrozenInstanceError):
        varying.over = "revolution of a"  # type: ignore[misc]


@pytest.mark.parametrize(
    "function",
    [
        Fourier(math.pi, 1.0, cos=(0.5,), over="angle"),
        Fourier("24 deg", 1.0, cos=(0.5,), over="angle"),
        Table([0, "90 deg", "180 deg"], [1, 2, 1], periodic=True, over="angle"),
        Table(["-30 deg", "90 deg", "330 deg"], [1, 2, 1], "cubic", periodic=True, over="angle"),
        PiecewisePolynomial([0, TURN], [[1.0, 0.0]], periodic=True, over="angle"),
        Fourier(TURN, 1.0, cos=(0.5,), over="angle").scaled(2.0).derivative(),
        Sum([Fourier(TURN, 1.0, over="angle"), Fourier(TURN / 3, 0.0, sin=(1.0,), over="angle"), 2.0]),
        Constant(3.0),
        2.5,
    ],
)
def test_whole_fractions_of_a_turn_repeat_with_a_turn(function: Any) -> None:
    varying = Varying(function, over="revolution of b")
    angles = np.linspace(0.0, TURN, 37)
    np.testing.assert_allclose(varying(angles + TURN), varying(angles), atol=1e-12)
    mean = np.mean(varying(np.linspace(0.0, TURN, 5040, endpoint=False)))
    assert varying.mean == pytest.approx(mean, abs=1e-6)
    np.testing.assert_allclose(varying.scaled(-3.0)(angles), -3.0 * np.array(varying(angles)), atol=1e-12)
    assert varying.scaled(-3.0).over == "revolution of b"
    json.dumps(varying.describe(), allow_nan=False)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=8), st.floats(-3, 3))
def test_smooth_callables_become_even_periodic_splines(sines: list[float], mean: float) -> None:
    """f = mean + Σ a_k sin kφ is met to 1e-9 of its range, everywhere and beyond one turn."""

    def f(angle: float) -> float:
        return mean + sum(a * math.sin(k * angle) for k, a in enumerate(sines, 1))

    varying = Varying(f)
    assert isinstance(varying.function, PiecewisePolynomial) and varying.function.periodic
    assert varying.function.uniform_step > 0.0
    angles = np.linspace(-7.0, 9.0, 301)
    exact = np.array([f(angle) for angle in angles])
    allowed = 2e-9 * max(np.ptp(exact), 1e-5 * (abs(mean) + 1e-9))
    np.testing.assert_allclose(varying(angles), exact, rtol=0, atol=allowed + 1e-14)
    assert varying.mean == pytest.approx(mean, abs=1e-8)


def test_callables_with_jumps_are_fenced() -> None:
    """A rectangular stiffness: 1.5 over a duty of 0.6 of the cycle, 1 elsewhere; mean 1.3."""
    varying = Varying(lambda angle: 1.5 if angle % TURN < 0.6 * TURN else 1.0)
    assert varying.mean == pytest.approx(1.3, rel=1e-9)
    assert varying(0.59 * TURN) == pytest.approx(1.5) and varying(0.61 * TURN) == pytest.approx(1.0)
    assert varying(-0.01) == pytest.approx(1.0) and varying(TURN + 0.01) == pytest.approx(1.5)
    assert varying.bounds == pytest.approx((1.0, 1.5))


def test_a_callable_is_described_by_itself() -> None:
    def stiffness(angle: float) -> float:
        return 1.0 + 0.1 * math.cos(angle)

    varying = Varying(stiffness, over="revolution of a")
    assert varying.describe() == {
        "type": "Varying",
        "over": "revolution of a",
        "function": {"function": "callable", "callable": repr(stiffness)},
    }
    assert "callable" in repr(varying)
    assert varying.scaled(2.0).describe()["function"]["factor"] == 2.0


@pytest.mark.parametrize(
    "function, over, message",
    [
        (WAVE, "turn", 'over must be "mesh cycle", "revolution of a" or "revolution of b", got \'turn\''),
        (WAVE, None, "over must be"),
        (Varying(WAVE), "mesh cycle", "Varying already"),
        (Fourier(TURN, 1.0), "mesh cycle", 'Fourier is a function of time; say over="angle"'),
        (Table([0, TURN], [1, 1]), "mesh cycle", 'function of time; say over="angle"'),
        (Table([0, TURN], [1, 2], over="angle"), "mesh cycle", "does not repeat; say periodic=True"),
        (Fourier("100 deg", 1.0, over="angle"), "mesh cycle", "period of the Fourier is 100 deg"),
        (Fourier("720 deg", 1.0, over="angle"), "mesh cycle", "is 720 deg"),
        (Table([0, 6.2832], [1, 1], periodic=True, over="angle"), "mesh cycle", "360 deg"),
        (Harmonic(1.0, "50 Hz"), "mesh cycle", "a Harmonic is not periodic in an angle"),
        (Polynomial([1, 2]), "mesh cycle", "a Polynomial is not periodic"),
        (Ramp(0, 1), "mesh cycle", "a Ramp is not periodic"),
        (Sum([Fourier(TURN, 1.0, over="angle"), Ramp(0, 1)]), "mesh cycle", "a Ramp is not periodic"),
        (Fourier("100 deg", 1.0, sin=(1.0,), over="angle").scaled(2).derivative(), "mesh cycle", "not periodic"),
        (lambda angle: angle, "mesh cycle", "not periodic with 2 pi: 0 at 0 and 6.283185307 at 2 pi"),
        (lambda angle: math.nan, "mesh cycle", "must return a finite number"),
        (lambda: 1.0, "mesh cycle", "must take one argument"),
        (float, "mesh cycle", "is a class"),
        ([1.0, 2.0], "mesh cycle", "is not a quantity"),
    ],
)
def test_what_does_not_vary_over_a_cycle(function: Any, over: Any, message: str) -> None:
    with pytest.raises(ModelError) as error:
        Varying(function, over)
    assert message in str(error.value)


# -------------------------------------------------------------------------------------------------------- friction


def test_stribeck() -> None:
    """μ(0) = static, μ(∞) = kinetic without viscous part, one e-th of the drop left at v = speed."""
    law = Stribeck(0.12, "6 %", "100 mm/s")
    assert law.kinetic == pytest.approx(0.06) and law.speed == 0.1 and law.viscous == 0.0
    assert law(0.0) == pytest.approx(0.12)
    assert law(0.1) == pytest.approx(0.06 + 0.06 / math.e)
    assert law(1e3) == pytest.approx(0.06)
    np.testing.assert_allclose(Stribeck(0.1, 0.1, 1.0, "0.01 s/m")(np.array([0.0, 2.0, -2.0])), [0.1, 0.12, 0.12])


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((0.05, 0.1, 0.1), "static (0.05) must not be less than kinetic (0.1)"),
        ((0.1, -0.1, 0.1), "kinetic must not be negative"),
        ((0.1, 0.1, 0), "speed must be greater than zero"),
        ((0.1, 0.1, "1 m"), "expected velocity"),
        ((0.1, 0.1, 0.1, -1), "viscous must not be negative"),
    ],
)
def test_stribeck_laws_that_cannot_be(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ModelError) as error:
        Stribeck(*arguments)
    assert message in str(error.value)


def test_friction_over_the_sliding_speed() -> None:
    table = Table([0, 1, 5], [0.1, 0.06, 0.05])
    assert Elastic(1e8, friction=table).friction is table
    made = Rigid(friction=(("0 m/s", "500 mm/s"), (0.1, "5 %"))).friction
    assert isinstance(made, Table)
    assert made(0.25) == pytest.approx(0.075)
    assert Elastic(1e8, friction="8 %").friction == pytest.approx(0.08)
    assert Elastic(1e8, friction=Constant(0.08)).friction == 0.08
    assert Elastic(1e8).friction is None


@pytest.mark.parametrize(
    "friction, message",
    [
        (-0.1, "friction: must not be negative, got -0.1"),
        ("0.1 m", "expected number"),
        (Table([0, 1], ["1 N", "2 N"]), "a coefficient has no unit"),
        (Table([0, 1], [0.1, -0.1]), "must not be negative, but the function is -0.1 at"),
        (Table([0, 1], [0.1, 0.1], over="angle"), "over the sliding speed"),
        (Table([0, 1], [0.1, 0.1], outside="error"), 'say outside="hold"'),
        (lambda v: 0.1, "give a Table over the sliding speed, or Stribeck"),
        (Sum([0.1, lambda v: 0.1]), "give a Table or Stribeck"),
        ((0.1, 0.2, 0.3), "two lists, (speeds, coefficients), got 3"),
        (((0, 1), (0.1,)), "at least 2"),
    ],
)
@pytest.mark.parametrize("mesh", [lambda **k: Elastic(1e8, **k), Rigid])
def test_friction_that_cannot_be(mesh: Any, friction: Any, message: str) -> None:
    with pytest.raises(ModelError) as error:
        mesh(friction=friction)
    assert message in str(error.value)
    assert type(mesh()).__name__ in str(error.value)


# ------------------------------------------------------------------------------------------------ Elastic and Rigid


def test_elastic_teeth_keep_what_was_said() -> None:
    mesh = Elastic(
        "2.6e8 N/m", damping="100 N*s/m", backlash="50 um", smoothing="1 um", error="3 um", efficiency=(0.99, 0.98)
    )
    assert mesh.stiffness == (2.6e8,) and mesh.damping == 100.0 and mesh.damping_ratio is None
    assert mesh.backlash == 5e-5 and mesh.smoothing == 1e-6 and mesh.error == (3e-6,)
    assert mesh.efficiency == (0.99, 0.98) and Elastic(1e8, efficiency="97 %").efficiency == pytest.approx((0.97, 0.97))
    assert mesh.friction_speed == 1e-3 and mesh.efficiency_speed == 1e-3 and mesh.energy_consistent
    assert Elastic(1e8, error=0).error == ()
    with pytest.raises(dataclasses.FrozenInstanceError):
        mesh.damping = 1.0  # type: ignore[misc]
    assert dataclasses.replace(mesh, damping=None).damping is None  # copies read their own values again
    json.dumps(plain_data(mesh), allow_nan=False)


def test_springs_in_series_and_sums_of_errors() -> None:
    runout = Varying(Fourier(TURN, cos=("10 um",), over="angle"), "revolution of a")
    mesh = Elastic((WAVE, "4e8 N/m"), error=[runout, lambda a: 1e-6 * math.sin(a), "2 um"])
    first, second = mesh.stiffness
    assert isinstance(first, Varying) and first.over == "mesh cycle" and second == 4e8
    assert mesh.error[0] is runout and isinstance(mesh.error[1], Varying) and mesh.error[2] == 2e-6
    assert Elastic(Varying(Constant("2e8 N/m"))).stiffness == (2e8,)
    assert Elastic(Constant(2e8)).stiffness == (2e8,)


GOOD: dict[str, Any] = {"stiffness": 1e8}


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"stiffness": 0}, "Elastic: stiffness: must be greater than zero, got 0 N/m; for teeth that do not give"),
        ({"stiffness": "2e8 N"}, "Elastic: stiffness: expected stiffness"),
        ({"stiffness": ()}, "an empty list"),
        ({"stiffness": (1e8, -1)}, "Elastic: stiffness[1]: must be greater than zero"),
        ({"stiffness": None}, "is not a quantity"),
        ({"stiffness": "ISO 6336", "along": "hoop"}, "ISO 6336 gives it along the line of action"),
        (
            {"stiffness": Fourier(TURN, 1e8, sin=(1.1e8,), over="angle")},
            "greater than zero over the whole cycle, got -1",
        ),
        (
            {"stiffness": Fourier(TURN, "1 mm", over="angle")},
            "expected values of stiffness (N/m), got a function of length",
        ),
        ({"stiffness": Varying(Fourier(TURN, "1 mm", over="angle"))}, "got a function of length"),
        ({"stiffness": Fourier(TURN, 1e8)}, "Elastic: stiffness: the Fourier is a function of time"),
        ({"along": "tangent"}, 'Elastic: along must be "line of action" or "hoop", got \'tangent\''),
        ({"damping": 1, "damping_ratio": 0.1}, "give damping or damping_ratio, not both"),
        ({"damping": -1}, "Elastic: damping must not be negative, got -1"),
        ({"damping": "1 N/m"}, "Elastic: damping: expected damping"),
        ({"damping_ratio": -0.1}, "damping_ratio must not be negative"),
        ({"effective_mass": 0}, "effective_mass must be greater than zero"),
        ({"damping_acts": "never"}, 'damping_acts must be "in contact" or "always" or "never pulling"'),
        ({"backlash": -1e-6}, "backlash must not be negative"),
        ({"backlash_side": "left"}, 'backlash_side must be "centred" or "drive" or "coast"'),
        ({"smoothing": "-1 um"}, "smoothing must not be negative"),
        ({"error": "1 N"}, "Elastic: error: expected length"),
        ({"error": [1e-6, Fourier(TURN, "1 N", over="angle")]}, "Elastic: error[1]: expected values of length"),
        ({"energy_consistent": 1}, "energy_consistent must be True or False"),
        ({"friction_speed": 0}, "friction_speed must be greater than zero"),
        ({"efficiency": 0}, "efficiency must be greater than 0 and at most 1, got 0"),
        ({"efficiency": 1.01}, "at most 1, got 1.01"),
        ({"efficiency": (0.9, 0.9, 0.9)}, "(a drives, b drives); got 3"),
        ({"efficiency_speed": "1 m/s"}, "expected angular velocity"),
        ({"contact": "area"}, 'contact must be "point" or "line"'),
    ],
)
def test_elastic_teeth_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError) as error:
        Elastic(**{**GOOD, **changes})
    assert message in str(error.value)
    Elastic(**GOOD)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"along": 1}, "Rigid: along must be"),
        ({"backlash": "1 s"}, "Rigid: backlash: expected length"),
        ({"backlash_side": None}, "Rigid: backlash_side must be"),
        ({"error": "1 s"}, "Rigid: error"),
        ({"efficiency": 2}, "Rigid: efficiency"),
        ({"efficiency": 0.98, "friction": 0.1}, "the efficiency 0.98 includes the friction of the teeth"),
        ({"method": "spring"}, 'Rigid: method must be "multiplier" or "penalty"'),
        ({"penalty": 1e9}, 'penalty is the stiffness of method="penalty"'),
        ({"penalty": 0, "method": "penalty"}, "Rigid: penalty must be greater than zero"),
    ],
)
def test_rigid_teeth_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError) as error:
        Rigid(**changes)
    assert message in str(error.value)


# ------------------------------------------------------------------------------------------------------- MeshLaw


def test_what_is_measured_along_the_line_of_action_is_turned_into_the_hoop_direction() -> None:
    """k_hoop = k cos² α, c_hoop = c cos² α, m_hoop = m cos² α, lengths / cos α: the same force and the same energy."""
    said = dict(
        damping=100.0, backlash=5e-5, smoothing=1e-6, effective_mass=0.5,
        error=[1e-6, Varying(Fourier(TURN, sin=(2e-6,), over="angle"), "revolution of b")],
    )  # fmt: skip
    along, hoop = law_of(Elastic((2e8, WAVE), **said)), law_of(Elastic((2e8, WAVE), along="hoop", **said))
    assert hoop.stiffness[0] == 2e8 and hoop.damping == 100 and hoop.backlash == 5e-5 and hoop.effective_mass == 0.5
    assert hoop.stiffness[1](1.0) == WAVE(1.0)
    assert along.stiffness[0] == pytest.approx(2e8 * COSINE**2, rel=1e-14)
    assert along.stiffness[1](1.0) == pytest.approx(WAVE(1.0) * COSINE**2, rel=1e-14)
    assert along.mean_stiffness == pytest.approx(hoop.mean_stiffness * COSINE**2, rel=1e-14)
    assert along.damping == pytest.approx(100 * COSINE**2, rel=1e-14)
    assert along.effective_mass == pytest.approx(0.5 * COSINE**2, rel=1e-14)
    assert along.backlash == pytest.approx(5e-5 / COSINE, rel=1e-14)
    assert along.smoothing == pytest.approx(1e-6 / COSINE, rel=1e-14)
    assert along.errors[0] == pytest.approx(1e-6 / COSINE, rel=1e-14)
    assert along.errors[1](1.0) == pytest.approx(2e-6 * math.sin(1.0) / COSINE, rel=1e-14)
    assert along.errors[1].over == "revolution of b"


def test_the_working_pressure_angle_counts() -> None:
    wider = GearPair(SPUR, SPUR, centre_distance="80.5 mm")
    law = law_of(Elastic(1e8), wider)
    assert law.stiffness[0] == pytest.approx(1e8 * (80 / 80.5 * COSINE) ** 2, rel=1e-12)
    assert law.backlash == pytest.approx(wider.backlash) and wider.backlash > 0.0


@pytest.mark.parametrize("side, part", [("centred", 0.5), ("drive", 0.0), ("coast", 1.0)])
def test_backlash_and_its_place(side: str, part: float) -> None:
    given_, own = (
        law_of(Elastic(1e8, along="hoop", backlash=1e-4, backlash_side=side)),
        law_of(Rigid(backlash_side=side)),
    )
    assert given_.backlash == 1e-4 and given_.offset == pytest.approx(part * 1e-4)
    assert own.backlash == pytest.approx(30e-6) and own.offset == pytest.approx(part * 30e-6)
    assert law_of(Elastic(1e8, backlash=0, backlash_side=side)).backlash == 0.0


def test_teeth_that_overlap_have_no_backlash() -> None:
    tight = GearPair(SPUR, SPUR, centre_distance="79.99 mm")
    assert tight.backlash < 0.0
    assert law_of(Rigid(), tight).backlash == 0.0


def test_effective_mass() -> None:
    """1/m_e = c_A²/I_A + c_B²/I_B with c = r cos β; of a rack c_B = cos β_B and the mass."""
    assert effective_mass(PAIR, 0.01, 0.04) == pytest.approx(1 / (0.04**2 / 0.01 + 0.08**2 / 0.04))
    assert effective_mass(PAIR, 0.01, math.inf) == pytest.approx(0.01 / 0.04**2)
    assert effective_mass(PAIR, math.inf, 0.04) == pytest.approx(0.04 / 0.08**2)
    assert effective_mass(PAIR, math.inf, math.inf) == math.inf
    assert effective_mass(PAIR, 0.0, 0.04) == effective_mass(PAIR, 0.01, 0.0) == 0.0
    helix = math.radians(20)
    pinion = SPUR.with_(helix_angle=helix)
    wheel = SPUR.with_(teeth=40, helix_angle=-helix)
    radius = 0.04 / math.cos(helix)
    expected = 1 / ((radius * math.cos(helix)) ** 2 / 0.01 + (2 * radius * math.cos(helix)) ** 2 / 0.04)
    assert effective_mass(GearPair(pinion, wheel), 0.01, 0.04) == pytest.approx(expected)
    rack = Rack(teeth=30, normal_module="4 mm", helix_angle=-helix)
    expected = 1 / ((radius * math.cos(helix)) ** 2 / 0.01 + math.cos(helix) ** 2 / 3.0)
    assert effective_mass(GearPair(pinion, rack), 0.01, 3.0) == pytest.approx(expected)


@pytest.mark.parametrize("along", ["hoop", "line of action"])
def test_damping_ratio(along: str) -> None:
    """c = 2 ζ sqrt(k m_e) in either direction: with k_hoop = k cos² α and m_hoop = m cos² α both give the same c."""
    law = law_of(Elastic(2e8, damping_ratio=0.05, along=along))
    k = 2e8 if along == "hoop" else 2e8 * COSINE**2
    assert law.damping == pytest.approx(2 * 0.05 * math.sqrt(k * law.effective_mass), rel=1e-14)
    own = law_of(Elastic(2e8, damping_ratio=0.05, along=along, effective_mass=0.7))
    assert own.damping == pytest.approx(
        2 * 0.05 * math.sqrt(2e8 * 0.7) * (1 if along == "hoop" else COSINE**2), rel=1e-14
    )
    assert law_of(Elastic(2e8)).damping == law_of(Elastic(2e8, damping_ratio=0)).damping == 0.0
    for mode, acts in enumerate(("in contact", "always", "never pulling")):
        assert law_of(Elastic(2e8, damping_acts=acts)).damping_mode == mode


def test_damping_ratio_without_mass() -> None:
    for inertia, why in ((0.0, "a wheel has no inertia"), (math.inf, "neither wheel can move")):
        with pytest.raises(ModelError, match=why):
            MeshLaw.of(Elastic(1e8, damping_ratio=0.1), PAIR, inertia, inertia)
        MeshLaw.of(Elastic(1e8, damping_ratio=0.1, effective_mass=1.0), PAIR, inertia, inertia)
        MeshLaw.of(Elastic(1e8, damping_ratio=0.0), PAIR, inertia, inertia)


def test_kubo_rig() -> None:
    """Two equal wheels of I = 0.0102 lbf in s² and r = 1.9685 in, units as printed: m_e = I/(2 r²), c = 2 ζ √(k m_e).

    A. Cardona, Flexible three dimensional gear modelling, 1997, section 7.3; reference computation of m_e and c_m.
    """
    gear = Gear(teeth=25, normal_module=2 * 1.9685 / 25)
    law = MeshLaw.of(Elastic(14.77e6, damping_ratio=0.1, along="hoop"), GearPair(gear, gear), 0.0102, 0.0102)
    assert law.effective_mass == pytest.approx(0.0013161316645213938, rel=1e-9)
    assert law.damping == pytest.approx(27.88495270570204, rel=1e-9)
    assert law.backlash == 0.0 and not law.rigid


def test_mean_stiffness_of_springs_in_series() -> None:
    """Constant: 1/k = Σ 1/k_i. Springs over one cycle: mean of the series; over different ones: series of means."""
    assert law_of(Elastic((2e8, 3e8, 6e8), along="hoop")).mean_stiffness == pytest.approx(1e8)
    # k (1 + a sin φ) twice in series is k/2 (1 + a sin φ), with the mean k/2
    assert law_of(Elastic((WAVE, WAVE), along="hoop")).mean_stiffness == pytest.approx(1e8, rel=1e-12)
    # k (1 ± a sin φ) in series are k/2 (1 − a² sin² φ), with the mean k/2 (1 − a²/2)
    opposite = Fourier(TURN, 2e8, sin=(-5e7,), over="angle")
    both = law_of(Elastic((WAVE, opposite), along="hoop"))
    assert both.mean_stiffness == pytest.approx(1e8 * (1 - 0.25**2 / 2), rel=1e-12)
    turns = [Varying(WAVE, f"revolution of {wheel}") for wheel in "ab"]
    assert law_of(Elastic(turns, along="hoop")).mean_stiffness == pytest.approx(1e8, rel=1e-12)
    assert law_of(Elastic((*turns, 1e8), along="hoop")).mean_stiffness == pytest.approx(5e7, rel=1e-12)


def test_stiffness_of_iso_6336() -> None:
    """b c_γα, along the line of action."""
    law = law_of(Elastic("ISO 6336"))
    assert law.stiffness[0] == pytest.approx(0.02 * iso_stiffness(PAIR).mesh_alpha * COSINE**2, rel=1e-14)


def test_rigid_teeth() -> None:
    law = law_of(Rigid(error=WAVE.scaled(1e-14), efficiency=0.98))
    assert law.rigid and law.stiffness == () and law.mean_stiffness == math.inf and law.damping == 0.0
    assert len(law.errors) == 1 and law.efficiency == (0.98, 0.98) and law_of(Rigid(friction=0.1)).friction == 0.1
    assert law.effective_mass == pytest.approx(effective_mass(PAIR, 0.01, 0.04))


def test_rigid_teeth_by_penalty() -> None:
    """Ten times the stiffness of ISO 6336, or as said, with a damping ratio of 0.1 where there is a mass."""
    k = 10 * 0.02 * iso_stiffness(PAIR).mesh_alpha * COSINE**2
    law = law_of(Rigid(method="penalty"))
    assert not law.rigid and law.stiffness[0] == pytest.approx(k)
    assert law.damping == pytest.approx(0.2 * math.sqrt(k * law.effective_mass))
    assert law_of(Rigid(method="penalty", penalty="1e10 N/m", along="hoop")).stiffness == (1e10,)
    assert MeshLaw.of(Rigid(method="penalty"), PAIR, 0.0, 1.0).damping == 0.0


CROSSED = GearPair(
    SPUR.with_(helix_angle="45 deg"), SPUR.with_(helix_angle="45 deg"), shaft_angle="90 deg", what='gear pair "x"'
)
NARROW = GearPair(SPUR.with_(face_width=None), SPUR, what='gear pair "x"')
RACK = GearPair(SPUR, Rack(teeth=30, normal_module="4 mm", face_width="20 mm"), what='gear pair "x"')


@pytest.mark.parametrize(
    "mesh, pair, message",
    [
        (
            Elastic("ISO 6336"),
            CROSSED,
            "stiffness: ISO 6336 gives that of cylindrical wheels on parallel axes, not of a crossed",
        ),
        (Elastic("ISO 6336"), RACK, "not of a rack and pinion pair"),
        (Elastic("ISO 6336"), NARROW, "give both gears a face_width"),
        (Rigid(method="penalty"), NARROW, "give penalty"),
        (Elastic(1e8, contact="line"), CROSSED, 'touch in a point; leave out contact="line"'),
        (Elastic(1e8, contact="line"), NARROW, "line contact needs the face width"),
        (Elastic(1e8, error=Varying(WAVE.scaled(1e-14), "revolution of b")), RACK, "B is a rack"),
        (Elastic(Varying(WAVE, "revolution of b")), RACK, "stiffness varies"),
    ],
)
def test_laws_that_a_pair_cannot_have(mesh: Any, pair: GearPair, message: str) -> None:
    with pytest.raises(ModelError) as error:
        law_of(mesh, pair, what=pair.what)
    assert message in str(error.value)
    assert str(error.value).startswith('gear pair "x": ')


def test_line_contact() -> None:
    mesh = Elastic(1e8, contact="line")
    assert law_of(mesh).line_width == 0.02
    assert law_of(mesh, face_width=0.012).line_width == 0.012
    assert law_of(mesh, RACK).line_width == 0.02
    assert law_of(Elastic(1e8)).line_width == 0.0
