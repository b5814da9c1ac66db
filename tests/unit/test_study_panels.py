"""Pictures of studies with several panels: maps for each value, boundaries, bars, common histograms."""

from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline.errors import PitchlineError

AXES = {
    "speed": pl.linspace("1000 rpm", "3000 rpm", 5),
    "load": pl.logspace("1 N*m", "100 N*m", 6),
    "torque": ["100 N*m", "200 N*m"],
}


def study(points: pl.Points, **variables: tuple[object, ...]) -> pl.StudyResult:
    return pl.StudyResult("pair", points, variables, np.zeros(len(points)))  # type: ignore[arg-type]


@pytest.fixture
def cube() -> pl.StudyResult:
    points = pl.grid(AXES)
    n = np.arange(len(points), dtype=float)
    return study(points, error=(1e-6 * (1 + n), "m"), loss=(np.maximum(n - 20, 0), ""))


def test_a_map_for_each_value(cube: pl.StudyResult, tmp_path: Path) -> None:
    """Panels have their value as title, the same axes and the same colours, and one bar."""
    figure = cube.plot("error", each="torque", over="speed", by="load", path=tmp_path / "maps.png")
    panels = [ax for ax in figure.axes if ax.get_title()]
    assert [ax.get_title() for ax in panels] == ["torque 100 N·m", "torque 200 N·m"]
    assert panels[0].get_xlabel() == "speed (rpm)" and panels[0].get_yscale() == "log"
    for ax in panels:
        assert ax.collections[0].get_clim() == pytest.approx((1.0, 60.0))
    assert len(figure.axes) == 3 and figure.axes[-1].get_ylabel() == "error (µm)"
    assert (tmp_path / "maps.png").stat().st_size > 10_000


def test_all_maps_have_the_unit_of_the_whole_study() -> None:
    """Also if one of them has values a thousand times smaller."""
    values = np.outer([1e-9, 1e-3], np.ones(12)).ravel()
    found = study(pl.grid(torque=[1, 2], a=[1, 2, 3], b=[1, 2, 3, 4]), error=(values, "m"))
    figure = found.plot("error", each="torque")
    shown = [float(ax.collections[0].get_array().max()) for ax in figure.axes[:2]]
    assert shown == pytest.approx([1e-6, 1.0])


def test_a_boundary_surrounds_what_is_above_zero(cube: pl.StudyResult) -> None:
    part = cube.where(torque="100 N*m")
    figure = part.plot("error", over="speed", by="load", boundary="loss", kind="map")
    (legend,) = [ax.get_legend() for ax in figure.axes if ax.get_legend()]
    assert [text.get_text() for text in legend.get_texts()] == ["loss > 0"]
    none = study(part.points, error=(np.ones(30), ""), loss=(np.zeros(30), ""))
    assert not [ax for ax in none.plot("error", kind="map", boundary="loss").axes if ax.get_legend()]


def test_bars_of_lists(tmp_path: Path) -> None:
    points = pl.point_list(teeth=[20, 21])
    found = study(points, lines=(np.array([[1.0, 1e-9, 0.1], [1e-9, 2.0, 1e-9]]), "%", ("item",)))
    figure = found.plot(
        "lines", kind="bars", items=["a", "b", "c"], labels=["even", "odd"], log=True, path=tmp_path / "bars.png"
    )
    assert [ax.texts[0].get_text() for ax in figure.axes] == ["even", "odd"]
    assert [tick.get_text() for tick in figure.axes[-1].get_xticklabels()] == ["a", "b", "c"]
    assert figure.axes[0].get_ylim()[0] == pytest.approx(2e-5)
    plain = found.plot("lines", kind="bars")
    assert plain.axes[1].texts[0].get_text() == "teeth = 21"


def test_histograms_in_one_panel() -> None:
    points = pl.sample(200, x=pl.Normal(0, 1.0))
    x = points.column("x")
    first, second = study(points, value=(x, "")), study(points, value=(2 * x, ""))
    figure = first.plot("value", kind="histogram", compare={"one": first, "two": second})
    texts = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    same = study(points, value=(np.ones(200), ""))
    assert same.plot("value", kind="histogram", compare={"same": same}).axes[0].get_xlim() == pytest.approx(
        (0.48, 1.52), abs=0.1
    )
    assert texts[0].startswith("one: mean ") and f"95 % below {np.percentile(2 * x, 95):.4g}" in texts[1]


@pytest.mark.parametrize(
    "options, message",
    [
        ({"each": "x"}, 'has no parameter "x"'),
        ({"each": "torque", "over": "torque"}, 'each map has the axes "speed" and "load"'),
        ({"each": "torque", "boundary": "x"}, 'has no variable "x"'),
        ({"kind": "bars"}, 'bars show a list of numbers at each point, but "error" is not a list'),
        ({"compare": {"other": "cube without error"}}, 'has no single numbers "error" to compare'),
    ],
)
def test_what_cannot_be_drawn(cube: pl.StudyResult, options: dict[str, object], message: str) -> None:
    if "compare" in options:
        options = {"compare": {"other": study(cube.points, x=(np.ones(60), ""))}, "kind": "histogram"}
    with pytest.raises(PitchlineError, match=message):
        cube.plot("error", **options)  # type: ignore[arg-type]


def test_too_many_or_too_few() -> None:
    many = study(pl.grid(a=range(9), b=[1, 2], c=[1, 2]), error=(np.ones(36), ""))
    with pytest.raises(PitchlineError, match="at most 8 panels"):
        many.plot("error", each="a")
    flat = study(pl.grid(a=[1, 2], b=[1, 2]), error=(np.ones(4), ""), other=(np.ones(4), ""))
    with pytest.raises(PitchlineError, match="needs a grid of three parameters"):
        flat.plot("error", each="a")
    with pytest.raises(PitchlineError, match="this picture shows one variable"):
        flat.plot(each="a")
    lists = study(pl.point_list(a=list(range(9))), lines=(np.ones((9, 2)), "", ("item",)))
    with pytest.raises(PitchlineError, match="at most 8 panels"):
        lists.plot("lines", kind="bars")
    two = study(pl.point_list(a=[1, 2]), lines=(np.ones((2, 2)), "", ("item",)))
    with pytest.raises(PitchlineError, match="3 labels for 2 items"):
        two.plot("lines", kind="bars", items=["a", "b", "c"])
