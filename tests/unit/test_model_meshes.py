"""Rigid and elastic teeth as the user says them: varying values, friction, options."""

import dataclasses
import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references.mesh_values import TURN, WAVE

from pitchline.errors import ModelError
from pitchline.model import (
    Constant,
    Elastic,
    Fourier,
    Harmonic,
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


@pytest.mark.slow
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
        (WAVE, "turn", 'over must be "mesh cycle", "revolution of a", "revolution of b" or "time", got \'turn\''),
        (WAVE, None, "over must be"),
        (Varying(WAVE), "mesh cycle", "already a Varying"),
        (Fourier(TURN, 1.0), "mesh cycle", 'Fourier is a function of time; specify over="angle"'),
        (Table([0, TURN], [1, 1]), "mesh cycle", 'function of time; specify over="angle"'),
        (Table([0, TURN], [1, 2], over="angle"), "mesh cycle", "is not periodic; specify periodic=True"),
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
        (Table([0, 1], [0.1, 0.1], outside="error"), 'specify outside="hold"'),
        (lambda v: 0.1, "use a Table over the sliding speed, Stribeck(...), or FrictionTable"),
        (Sum([0.1, lambda v: 0.1]), "use a Table or Stribeck"),
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
        ({"stiffness": 0}, "Elastic: stiffness: must be greater than zero, got 0 N/m; for rigid teeth"),
        ({"stiffness": "2e8 N"}, "Elastic: stiffness: expected stiffness"),
        ({"stiffness": ()}, "the list is empty"),
        ({"stiffness": (1e8, -1)}, "Elastic: stiffness[1]: must be greater than zero"),
        ({"stiffness": None}, "is not a quantity"),
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
        ({"along": "tangent"}, 'Elastic: along must be "base circle" or "normal" or "hoop", got \'tangent\''),
        ({"damping": 1, "damping_ratio": 0.1}, "specify damping or damping_ratio, not both"),
        ({"damping": -1}, "Elastic: damping must not be negative, got -1"),
        ({"damping": "1 N/m"}, "Elastic: damping: expected damping"),
        ({"damping_ratio": -0.1}, "damping_ratio must not be negative"),
        ({"effective_mass": 0}, "effective_mass must be greater than zero"),
        ({"damping_acts": "never"}, 'damping_acts must be "never pulling" or "in contact" or "always" or "limited"'),
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
        ({"efficiency": 0.98, "friction": 0.1}, "the efficiency 0.98 already includes tooth friction"),
        ({"method": "spring"}, 'Rigid: method must be "multiplier" or "penalty"'),
        ({"penalty": 1e9}, 'penalty is the stiffness for method="penalty"'),
        ({"penalty": 0, "method": "penalty"}, "Rigid: penalty must be greater than zero"),
    ],
)
def test_rigid_teeth_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError) as error:
        Rigid(**changes)
    assert message in str(error.value)
