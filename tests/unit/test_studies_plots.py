"""Pictures of studies: the kind that fits the dimensions, units, marks of failed points, messages."""

from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline.studies.study_result import StudyResult

SPEED = pl.linspace("1000 rpm", "3000 rpm", 9)


def study(points: pl.Points, failed: tuple[int, ...] = (), **variables: tuple) -> StudyResult:
    n = len(points)
    value = np.arange(1.0, n + 1)
    status = np.zeros(n)
    status[list(failed)] = 1
    value[list(failed)] = np.nan
    return StudyResult("rig", points, variables or {"mesh.force.max": (value, "N")}, status)


def test_one_parameter_is_a_curve_in_the_unit_of_the_user(tmp_path: Path) -> None:
    figure = study(pl.grid(speed=SPEED), failed=(2,)).plot(path=tmp_path / "a.png")
    (ax,) = figure.axes
    curve, crosses = ax.lines
    np.testing.assert_array_equal(curve.get_xdata(), np.linspace(1000, 3000, 9))
    assert np.isnan(curve.get_ydata()[2]) and crosses.get_xdata().tolist() == [1500]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("speed (rpm)", "mesh force max (N)")
    assert figure.get_suptitle() == "rig: sweep, 1 points failed" and (tmp_path / "a.png").stat().st_size > 5000


def test_few_values_of_a_second_parameter_are_curves_and_many_a_map() -> None:
    few = study(pl.grid(load=["50 N*m", "100 N*m"], speed=SPEED)).plot()
    assert [text.get_text() for text in few.axes[0].get_legend().get_texts()] == ["50", "100"]
    assert few.axes[0].lines[1].get_ydata()[0] == 10.0
    many = study(pl.grid(speed=SPEED, load=pl.logspace("1 N*m", "1 kN*m", 8)), failed=(3,)).plot()
    ax, bar = many.axes
    (cells,) = ax.collections
    assert cells.get_array().shape == (8, 9) and cells.get_array().mask.sum() == 1
    assert ax.get_yscale() == "log" and bar.get_ylabel() == "mesh force max (N)"
    other = study(pl.grid(speed=SPEED, load=pl.linspace(1, 8, 8))).plot(over="load", kind="map", log=True)
    assert other.axes[0].get_xlabel() == "load" and other.axes[0].collections[0].get_array().shape == (9, 8)


def test_branches_have_arrows() -> None:
    figure = study(pl.grid(branch=["up", "down"], speed=SPEED)).plot()
    markers = [line.get_marker() for line in figure.axes[0].lines]
    assert markers.count(">") >= 4 and markers.count("<") >= 4
    path = study(pl.point_list(speed=[1.0, 2.0, 3.0, 2.0, 1.0])).plot(over="speed")
    assert {line.get_marker() for line in path.axes[0].lines} >= {">", "<"}


def test_samples_are_scattered_over_each_parameter() -> None:
    points = pl.sample(20, a=pl.Uniform("1 um", "2 um"), b=pl.Choice(["u", "v"]), c=3.0)
    found = study(points, failed=(4,))
    figure = found.plot()
    assert [ax.get_xlabel() for ax in figure.axes] == ["a (µm)", "b"]
    assert len(figure.axes[0].lines[0].get_xdata()) == 19
    assert "rank correlation" in figure.axes[0].get_title(loc="right")
    histogram = found.plot(kind="histogram").axes[0]
    assert sum(bar.get_height() for bar in histogram.patches) == 19
    bars = found.plot(kind="sensitivity").axes[0]
    assert sorted(text.get_text() for text in bars.get_yticklabels()) == ["a", "c"]


def test_sobol_indices_have_error_bars() -> None:
    points = pl.sample(16, method="saltelli", a=pl.Uniform(0, 1), b=pl.Uniform(0, 1))
    found = study(points, f=(points.column("a") + 0.1 * points.column("b"), ""))
    ax = found.plot(kind="sensitivity").axes[0]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["b", "a"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["total", "first order"]


def test_values_with_a_dimension_of_their_own() -> None:
    dots = study(pl.grid(speed=SPEED), x=(np.zeros((9, 5)), "m", ("item_5",))).plot().axes[0]
    assert len(dots.lines[0].get_xdata()) == 45
    t = np.linspace(0, 0.1, 30)

    def signals(count: int) -> StudyResult:
        points = pl.grid(speed=pl.linspace("1000 rpm", "3000 rpm", count))
        values = np.outer(np.arange(count), t)
        return StudyResult(
            "rig", points, {"x": (values, "m", ("time",))}, np.zeros(count), coordinates={"time": (t, "s")}
        )

    assert len(signals(3).plot().axes[0].lines) == 3
    assert signals(9).plot().axes[0].collections[0].get_array().shape == (30, 9)


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(names=["mesh.forc"]), 'no variable "mesh.forc"; did you mean'),
        (dict(over="sped"), 'no parameter "sped"; did you mean "speed"'),
        (dict(kind="curve"), 'unknown kind "curve"; did you mean "curves"'),
        (
            dict(kind="map"),
            r"the study has 3 dimensions .* this picture shows 2. Choose values of the others first, e.g. result.where",
        ),
        (dict(kind="curves"), "this picture shows 2"),
        (dict(colour="red"), 'no argument "colour"'),
    ],
)
def test_messages(options: dict, message: str) -> None:
    found = study(pl.grid(speed=SPEED, load=[1.0, 2.0], k=[1.0, 2.0]))
    with pytest.raises(pl.PitchlineError, match=message):
        found.plot(*options.pop("names", ()), **options)


def test_dimensions_are_chosen_with_where() -> None:
    found = study(pl.grid(speed=SPEED, load=["1 N*m", "2 N*m"], k=[1.0, 2.0]))
    figure = found.where(load="2 N*m").plot()
    assert "load = 2 N*m" in figure.get_suptitle()
