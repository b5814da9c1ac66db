"""Picture of an optimum: the figure over the evaluations, the parameters, and the figure at the start and at the optimum."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.arguments import names_wrong_arguments
from pitchline.studies.optimum.optimum_result import Optimum
from pitchline.studies.points import Points
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.labels import axis_label, scaled_unit
from pitchline.views.study_axes import shown_axis, words_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_optimum"]

FAINT = "#A8A8A8"


@names_wrong_arguments
def plot_optimum(
    found: Optimum,
    *,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = style.PANEL_HEIGHT,
) -> Figure:
    """Draw an optimum; returns the matplotlib figure.

    The first panel has the figure at all evaluations and the best one until then. The others have the parameters, within their
    ranges. With several cases, the last panel has the figure at each case, at the start and at the optimum. path: file to save it
    in (.png, .svg, .pdf). title: heading, "" for none. width, panel_height: inches.
    """
    heading = f"{found.name}: {found.count} evaluations" if title is None else title
    names = list(found.best)
    cases = len(found.figures[found.figure]) > 1
    panels = 2 + cases
    with canvas(panels=panels, shared=False, path=path, title=heading, width=width, panel_height=panel_height) as c:
        _draw_values(c.axes[0], found)
        _draw_parameters(c.axes[1], found, names)
        if cases:
            _draw_cases(c.axes[2], found)
    return c.figure


def _scale(found: Optimum, largest: float) -> tuple[float, str]:
    factor, unit = scaled_unit(found.units.get(found.figure, ""), largest)
    return factor, axis_label(words_of(found.figure), unit)


def _draw_values(ax: Axes, found: Optimum) -> None:
    study = found.evaluations
    values = study.variables["objective"].values
    inside = np.asarray(study.variables["within_limits"].values, bool)
    factor, label = _scale(found, float(np.nanmax(np.abs(values))))
    number = np.arange(1, len(values) + 1)
    ax.plot(number[inside], factor * values[inside], "o", markersize=2.6, color=style.COLOURS[0], label="evaluations")
    outside = ~inside & np.isfinite(values)
    if outside.any():
        ax.plot(number[outside], factor * values[outside], "x", markersize=3.2, color=FAINT, label="outside the limits")
    best = _best_until(values, inside, maximised=_maximised(found))
    ax.plot(number, factor * best, drawstyle="steps-post", color=style.COLOURS[1], label="best until then")
    failed = number[~np.isfinite(values)]
    if len(failed):
        ax.plot(
            failed, np.full(len(failed), 0.02), "x", transform=ax.get_xaxis_transform(), color="#000000", markersize=3.5,
            label="no value",
        )  # fmt: skip
    ax.set_ylabel(label)
    ax.set_xlabel("evaluation")
    ax.margins(x=0.02)
    ax.legend(loc="upper right", ncols=2)


def _maximised(found: Optimum) -> bool:
    """Whether the figure was maximised: then the best value is the largest one within the limits."""
    values = found.evaluations.variables["objective"].values
    inside = np.asarray(found.evaluations.variables["within_limits"].values, bool) & np.isfinite(values)
    return bool(
        inside.any()
        and np.isclose(found.value, values[inside].max())
        and not np.isclose(found.value, values[inside].min())
    )


def _best_until(values: Any, inside: Any, *, maximised: bool) -> Any:
    sign = -1.0 if maximised else 1.0
    usable = np.where(inside & np.isfinite(values), sign * values, np.inf)
    best = np.minimum.accumulate(usable)
    return np.where(np.isfinite(best), sign * best, np.nan)


def _draw_parameters(ax: Axes, found: Optimum, names: list[str]) -> None:
    """Parameters between their smallest and largest evaluated values."""
    study = found.evaluations
    number = np.arange(1, len(study) + 1)
    for k, name in enumerate(names):
        axis = shown_axis(study, name)
        low, high = float(axis.values.min()), float(axis.values.max())
        part = (axis.values - low) / ((high - low) or 1.0)
        words, _, unit = axis.label.partition(" (")
        unit = unit.rstrip(")")
        best = axis.values[int(np.argmin(np.abs(study.points.column(name) - found.best[name])))]
        text = f"{words}: best {best:.4g} {unit}; evaluated from {low:.4g} to {high:.4g} {unit}".replace(
            " ;", ";"
        ).rstrip()
        ax.plot(number, part, label=text, **style.line_style(k))
    ax.set_ylabel("parameters, part of\nthe evaluated range")
    ax.set_xlabel("evaluation")
    ax.set_ylim(-0.05, 1.05)
    ax.margins(x=0.02)
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.02), ncols=1)


def _draw_cases(ax: Axes, found: Optimum) -> None:
    """The figure at each case, before and after."""
    before, after = found.start_figures[found.figure], found.figures[found.figure]
    factor, label = _scale(found, float(np.nanmax(np.abs([*before, *after]))))
    place = np.arange(len(after))
    for values, offset, colour, text in ((before, -0.18, FAINT, "start"), (after, 0.18, style.COLOURS[0], "optimum")):
        bars = ax.bar(place + offset, factor * values, 0.34, color=colour, label=text)
        ax.bar_label(bars, fmt="%.3g", fontsize=7.5, padding=1)
    ax.set_xticks(place, _case_texts(found, len(after)))
    ax.grid(False, axis="x")
    ax.set_ylabel(label)
    ax.margins(x=0.05, y=0.15)
    ax.legend(loc="upper left")


def _case_texts(found: Optimum, count: int) -> list[str]:
    given = found.evaluations.facts.get("cases")
    if given is None:
        return [str(k) for k in range(count)]
    points = Points.from_data(given)
    texts = []
    for k in range(count):
        parts = []
        for name, axis in points.axes.items():
            index = np.unravel_index(k, points.shape)[[dim for dim, _ in points.dims].index(points.along[name])]
            value = axis.values[index]
            unit = axis.shown_unit or axis.unit
            parts.append(f"{name.replace('_', ' ')} {_shown_value(value, axis)} {unit.replace('*', '·')}".rstrip())
        texts.append(", ".join(parts))
    return texts


def _shown_value(value: Any, axis: Any) -> str:
    from pitchline.studies.points.parameter_values import scale_of

    if axis.are_texts:
        return str(value)
    factor = scale_of(axis.unit, axis.shown_unit) if axis.shown_unit else 1.0
    return f"{float(value) * (factor or 1.0):.5g}"
