"""Optimum: bounded search without derivatives, cases, limits, failures, records and messages."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.studies.optimum_result import search

FILE = """
name = "disk"
[parameters]
stiffness = "100 N*m/rad"
torque = "4 N*m"
teeth = 20
sort = { choices = ["a", "b"] }
[bodies.disk]
mass = "1 kg"
inertia = [1, 1, 2]
[joints]
hinge = { kind = "revolute", a = "ground", b = "disk" }
[loads]
coil = { kind = "torsion_spring", joint = "hinge", stiffness = "= stiffness" }
push = { kind = "torque", on = "hinge", value = "= torque" }
[[analyses]]
name = "rest"
kind = "statics"
[figures]
twist = { value = "= final('rest: hinge.angle')", unit = "deg" }
energy = { value = "= 0.5 * stiffness * final('rest: hinge.angle')**2", unit = "J" }
both = { value = "= [twist, twist]" }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "disk.toml").write_text(FILE, encoding="utf-8")
    return tmp_path / "disk.toml"


def bowl(x: float, y: float = 0.5) -> float:
    return (x - 1.25) ** 2 + 4.0 * (y - 0.75) ** 2


# --- search ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["local", "global"])
@pytest.mark.parametrize(
    "function, closed",
    [
        (lambda x: abs(x[0] - 0.3) + 2 * abs(x[1] - 0.7), (0.3, 0.7)),
        (lambda x: x[0] + x[1], (0.0, 0.0)),
        (lambda x: -x[0] * x[1], (1.0, 1.0)),
        (lambda x: np.inf if x[0] < 0.25 else (x[0] - 0.2) ** 2 + (x[1] - 0.5) ** 2, (0.25, 0.5)),
        (lambda x: max(x[0] - 0.1, 0.5 - x[0], abs(x[1] - 0.4)), (0.3, 0.4)),
    ],
)
def test_minima_inside_and_at_bounds(function: Any, closed: tuple[float, float], method: str) -> None:
    """Smooth or not, with places without a value; to the tolerance, as a fraction of the ranges."""
    found = search(function, np.array([0.9, 0.2]), method=method, most=600, tolerance=1e-4, seed=1)
    assert found.converged
    value = function(np.array(closed)) if np.isfinite(function(np.array(closed))) else 0.0025
    assert found.values[found.best] == pytest.approx(value, abs=3e-3)
    assert min(map(min, found.places)) >= 0.0 and max(map(max, found.places)) <= 1.0


def test_a_global_search_leaves_a_local_minimum() -> None:
    """Two wells, at 0.2 and the deeper one at 0.8."""

    def wells(x: np.ndarray) -> float:
        return float(min(8 * (x[0] - 0.2) ** 2, 8 * (x[0] - 0.8) ** 2 - 0.5) + (x[1] - 0.4) ** 2)

    near, far = (
        search(wells, np.array([0.1, 0.1]), method=m, most=300, tolerance=1e-3, seed=1) for m in ("local", "global")
    )
    assert near.places[near.best][0] == pytest.approx(0.2, abs=5e-3)
    assert far.places[far.best][0] == pytest.approx(0.8, abs=5e-3)


def test_every_place_is_evaluated_once() -> None:
    places: list[bytes] = []

    def counted(x: np.ndarray) -> float:
        places.append(x.tobytes())
        return float(x.sum())

    found = search(counted, np.array([0.5, 0.5]), method="local", most=500, tolerance=1e-3, seed=0)
    assert len(set(places)) == len(places) == len(found.values)


# --- functions ---------------------------------------------------------------------------------------


def test_the_minimum_of_a_function() -> None:
    found = pl.optimum(bowl, {"x": (0, 3), "y": (0, 2)}, minimise="value", tolerance=1e-5)
    assert isinstance(found, pl.Optimum) and found.converged and not found.warnings
    assert found.best == pytest.approx({"x": 1.25, "y": 0.75}, abs=1e-3)
    assert found.start == {"x": 1.5, "y": 0.5} and found.start_value == bowl(1.5)
    assert found.value == bowl(**found.best) and found.count == len(found.evaluations) < 150
    assert "Optimum(value = " in repr(found) and "evaluations)" in repr(found)


def test_the_maximum_and_a_start() -> None:
    found = pl.optimum(lambda x: -bowl(x), {"x": (0, 3)}, maximise="value", start={"x": 2.0})
    assert found.best["x"] == pytest.approx(1.25, abs=5e-3) and found.start == {"x": 2.0}
    assert found.value == max(found.evaluations["objective"])


@pytest.mark.parametrize("of_cases, closed", [("max", 2.0), ("mean", 2.25), ("sum", 2.25)])
def test_cases_together(of_cases: str, closed: float) -> None:
    """(x - c)^2 for c = 1, 2.75, 3: the largest is smallest in the middle of the ends, the mean at the mean."""

    def far(x: float, c: float) -> float:
        return (x - c) ** 2

    found = pl.optimum(
        far, {"x": (0, 4)}, minimise="value", cases=pl.grid(c=[1.0, 2.75, 3.0]), of_cases=of_cases, tolerance=1e-6
    )
    assert found.best["x"] == pytest.approx(closed, abs=1e-3)
    assert found.figures["value"].shape == (3,) and found.evaluations["value"].shape == (found.count, 3)
    assert found.evaluations.facts["cases"]["axes"]["c"]["values"] == [1.0, 2.75, 3.0]


def test_limits() -> None:
    """x + y with x y >= 1: at (1, 1). A limit that cannot be met is reported."""

    def both(x: float, y: float) -> dict[str, float]:
        return {"sum": x + y, "product": x * y}

    given = {"over": {"x": (0.1, 3), "y": (0.1, 3)}, "minimise": "sum", "tolerance": 1e-5, "evaluations": 600}
    found = pl.optimum(both, **given, limits={"product": {"min": 1.0}})
    assert found.value == pytest.approx(2.0, rel=5e-3) and found.figures["product"][0] >= 1.0
    assert not found.evaluations["within_limits"][0] or found.start["x"] * found.start["y"] >= 1.0
    never = pl.optimum(both, **{**given, "evaluations": 60}, limits={"product": {"max": -1.0}})
    assert "no evaluated point satisfies the limits" in never.warnings[0]


def test_evaluations_that_fail() -> None:
    """They are recorded with their reasons; the search goes on. If all fail, the error has them."""

    def half(x: float, y: float = 0.5) -> float:
        if x < 1.0:
            raise ZeroDivisionError("x is too small")
        return bowl(x, y)

    found = pl.optimum(half, {"x": (0, 3), "y": (0, 2)}, minimise="value", start={"x": 1.1})
    assert found.best["x"] == pytest.approx(1.25, abs=1e-2)
    assert set(found.evaluations.failed.values()) == {"ZeroDivisionError: x is too small"}
    assert any("evaluations have no value. The reasons are in evaluations.failed" in text for text in found.warnings)

    def never(x: float) -> float:
        raise pl.ModelError("impossible")

    with pytest.raises(
        pl.SolveError, match=r"none of the \d+ evaluations has a value. The first one: impossible"
    ) as error:
        pl.optimum(never, {"x": (0, 1)}, minimise="value", evaluations=9)
    assert len(error.value.result.failed) <= 9


def test_the_largest_number_of_evaluations_and_bounds_are_reported() -> None:
    found = pl.optimum(lambda x: x, {"x": (2, 3)}, minimise="value", evaluations=3)
    assert found.count == 3 and not found.converged
    assert found.stopped == "the limit of 3 evaluations was reached. Specify more with evaluations" in found.warnings
    whole = pl.optimum(lambda x: x, {"x": (2, 3)}, minimise="value")
    assert whole.best == {"x": 2.0} and whole.warnings[0].startswith("x is at its lower bound, 2.")


def test_an_interrupted_search_is_kept() -> None:
    count: list[int] = []

    def stopped(x: float) -> float:
        count.append(1)
        if len(count) > 4:
            raise KeyboardInterrupt
        return x

    found = pl.optimum(stopped, {"x": (0, 1)}, minimise="value")
    assert found.interrupted and found.count == 4 and found.stopped == "interrupted from the keyboard"


# --- files -------------------------------------------------------------------------------------------


def test_the_optimum_of_a_file(file: Path, tmp_path: Path) -> None:
    """The twist T/k is smallest for the stiffest spring; energy T^2/(2 k) with it. In SI units, saved and loaded."""
    found = pl.optimum(file, {"stiffness": ("50 N*m/rad", "400 N*m/rad")}, minimise="twist", figures=["energy"])
    assert found.best == {"stiffness": 400.0} and found.start == {"stiffness": 100.0}
    assert found.value == pytest.approx(0.01) and found.units == {
        "stiffness": "N*m/rad",
        "twist": "rad",
        "energy": found.units["energy"],
    }
    assert found.figures["energy"][0] == pytest.approx(0.02)
    loaded = pl.load(found.save(tmp_path / "found.nc"))
    assert np.array_equal(loaded["twist"], found.evaluations["twist"]) and loaded.study == "optimum"
    limited = pl.optimum(
        file,
        {"stiffness": ("50 N*m/rad", "400 N*m/rad")},
        maximise="twist",
        limits={"energy": {"max": "0.1 J"}},
        tolerance=1e-6,
    )
    assert limited.best["stiffness"] == pytest.approx(80.0, rel=1e-4)


def test_its_picture(file: Path, tmp_path: Path) -> None:
    cases = pl.grid(torque=["2 N*m", "4 N*m"])
    found = pl.optimum(
        file, {"stiffness": ("50 N*m/rad", "400 N*m/rad")}, minimise="twist", cases=cases, evaluations=12
    )
    figure = found.plot(path=tmp_path / "found.png")
    assert (tmp_path / "found.png").stat().st_size > 10_000
    assert next(ax.get_ylabel() for ax in figure.axes) == "twist (deg)"
    assert [tick.get_text() for tick in figure.axes[2].get_xticklabels()] == ["torque 2 N·m", "torque 4 N·m"]
    assert len(pl.optimum(bowl, {"x": (0, 3)}, minimise="value", evaluations=5).plot().axes) == 2


@pytest.mark.parametrize(
    "change, message",
    [
        ({"minimise": None}, "specify the figure, either minimise"),
        ({"maximise": "energy"}, "specify the figure, either minimise"),
        ({"minimise": 3}, "the figure must be a name, got 3"),
        ({"minimise": "twst"}, 'has no figure "twst"; did you mean "twist"'),
        ({"over": {}}, "specify bounds of at least one parameter"),
        ({"over": [1, 2]}, "specify bounds of at least one parameter"),
        ({"over": {"stifness": (1, 2)}}, 'has no parameter "stifness"; did you mean "stiffness"'),
        ({"over": {"stiffness": 3}}, "stiffness must have a lower and an upper bound"),
        ({"over": {"stiffness": "12"}}, "stiffness must have a lower and an upper bound"),
        ({"over": {"stiffness": (2, 1)}}, "the lower bound of stiffness must be below the upper bound"),
        ({"over": {"stiffness": ("1 m", "2 m")}}, "got length"),
        ({"over": {"sort": ("a", "b")}}, "the bounds of sort must be numbers"),
        ({"over": {"teeth": (10, 30)}}, r"the parameter teeth is an integer \(20\), but the search varies real numbers"),
        ({"of_cases": "worst"}, "there is no of_cases 'worst'"),
        ({"method": "best"}, "there is no method 'best'"),
        ({"evaluations": 0}, "evaluations must be a whole number from 1"),
        ({"evaluations": 2.5}, "evaluations must be a whole number"),
        ({"tolerance": 0}, "tolerance must be a number above 0"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"start": 3}, "start must be a dict of parameters"),
        ({"start": {"torque": 1}}, 'start has "torque", which is not varied'),
        ({"start": {"stiffness": 9e9}}, "the start of stiffness, .* is outside its bounds"),
        ({"cases": pl.grid(stiffness=[1.0, 2.0])}, '"stiffness" is varied and also specified by the cases'),
        ({"cases": 3}, "optimum: cases: points must be made by grid"),
        ({"limits": 3}, "limits must be a dict of figures"),
        ({"limits": {"energy": {"most": 3}}}, "the limit of energy must be a dict with min or max"),
        ({"limits": {"energy": {"min": 3, "max": 2}}}, "the limits of energy: min is above max"),
        ({"limits": {"energy": {"min": "1 J", "max": "2 m"}}}, "have different dimensions"),
        ({"limits": {"enrgy": {"min": 3}}}, 'has no figure "enrgy"'),
        ({"figures": ["x"]}, 'has no figure "x"'),
        ({"minimize": "twist"}, "minimize"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_before_computing(file: Path, change: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"over": {"stiffness": (50.0, 400.0)}, "minimise": "twist", **change}
    with pytest.raises(pl.ModelError, match=message):
        pl.optimum(file, **given)


def test_what_cannot_be_minimised(file: Path) -> None:
    with pytest.raises(pl.SolveError, match='the figure "both" must be one number'):
        pl.optimum(file, {"stiffness": (50.0, 400.0)}, minimise="both", evaluations=3)
    with pytest.raises(pl.SolveError, match="must return a number, or a dict of numbers by name"):
        pl.optimum(lambda x: "large", {"x": (0, 1)}, minimise="value", evaluations=3)
    with pytest.raises(pl.SolveError, match='returned no value "c"'):
        pl.optimum(lambda x: {"a": x}, {"x": (0, 1)}, minimise="c", evaluations=3)
    with pytest.raises(pl.ModelError, match=r"is a program\. Use a model file"):
        pl.optimum("robot-arm", {"speed": (1, 2)}, minimise="x")
    with pytest.raises(pl.ModelError, match="the argument c has no value"):
        pl.optimum(lambda x, c: x, {"x": (0, 1)}, minimise="value")
