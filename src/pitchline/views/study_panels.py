"""Pictures of studies with several panels, and their axes: maps, bars of lists, histograms, optimum."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError, near_names
from pitchline.studies.optimum_result import Optimum
from pitchline.studies.points.parameter_values import ParameterValues, Points, scale_of
from pitchline.studies.study_result import StudyResult

from . import style
from .style import axis_label, canvas, scaled_unit, unit_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "ShownAxis",
    "mark_failed",
    "shown_axis",
    "shown_coordinate",
    "value_with_unit",
    "variable_scale",
    "words_of",
    "plot_optimum",
    "draw_map_of_study",
    "draw_boundary",
    "plot_bars",
    "plot_compared",
    "plot_each",
]


# ---- study axes

# Axes of pictures of studies: parameters in the unit of the user, variables in a readable unit, marks of failed
# points.

FAILED_COLOUR = "#8A8A8A"
_MOST_TICKS = 12


@dataclass(frozen=True)
class ShownAxis:
    """Parameter along an axis.

    name : of the parameter
    values : numbers in the unit of the axis; 0, 1, 2, ... for texts
    label : with the unit
    texts : of the values, if they are texts
    geometric : whether the values have a constant ratio, so that the axis is logarithmic
    """

    name: str
    values: FloatArray
    label: str
    texts: tuple[str, ...] = ()
    geometric: bool = False

    def value_text(self, k: int) -> str:
        """A value without its unit, which the label has."""
        return self.texts[k] if self.texts else f"{self.values[k]:.5g}"

    def apply(self, ax: Axes, axis: str = "x") -> None:
        """Label, scale and ticks of the axis of a panel."""
        which: Any = ax.xaxis if axis == "x" else ax.yaxis
        (ax.set_xlabel if axis == "x" else ax.set_ylabel)(self.label)
        if self.texts:
            step = max(1, -(-len(self.texts) // _MOST_TICKS))
            which.set_ticks(range(0, len(self.texts), step), self.texts[::step])
        elif self.geometric:
            (ax.set_xscale if axis == "x" else ax.set_yscale)("log")


def value_with_unit(axis: ShownAxis, k: int) -> str:
    """A value with the name of its parameter and its unit: "torque 100 N·m"."""
    words, _, unit = axis.label.partition(" (")
    return f"{words} {axis.value_text(k)} {unit.rstrip(')')}".rstrip()


def shown_axis(result: StudyResult, name: str) -> ShownAxis:
    """Axis of a parameter: its values along its dimension."""
    return _shown(name, result.points.axes[name])


def shown_coordinate(result: StudyResult, dim: str) -> ShownAxis:
    """Axis of a dimension of variables, e.g. time."""
    values, unit = result.coordinates[dim]
    return _shown(dim, ParameterValues(values, unit))


def _shown(name: str, axis: ParameterValues) -> ShownAxis:
    words = name.replace("_", " ")
    if axis.are_texts or axis.values.dtype == bool:
        texts = tuple(str(value) for value in axis.values)
        return ShownAxis(name, np.arange(len(texts), dtype=float), words, texts)
    values = axis.values.astype(float)
    if axis.shown_unit and axis.shown_unit != axis.unit:
        factor, unit = scale_of(axis.unit, axis.shown_unit) or 1.0, unit_text(axis.shown_unit)
    else:
        factor, unit = scaled_unit(axis.unit, float(np.abs(values).max()))
    # rounded to the digits that differ: 3000 rpm, not 2999.9999999999995 rpm
    shown = np.array([float(f"{factor * value:.12g}") for value in values])
    return ShownAxis(name, shown, axis_label(words, unit), (), _is_geometric(shown))


def _is_geometric(values: FloatArray) -> bool:
    """Whether values are spread as by logspace, over more than a factor of 5."""
    if len(values) < 4 or values.min() <= 0.0 or values.max() < 5.0 * values.min():
        return False
    ratios = np.diff(np.log(values))
    return bool(np.allclose(ratios, ratios[0], rtol=1e-6))


def variable_scale(result: StudyResult, name: str) -> tuple[float, str]:
    """(factor, label) of a variable."""
    found = result.variables[name]
    finite = np.abs(found.values[np.isfinite(found.values)])
    factor, unit = scaled_unit(found.unit, float(finite.max()) if finite.size else 0.0)
    return factor, axis_label(words_of(name), unit)


def words_of(name: str) -> str:
    """Name of a variable as text; a long one on two lines."""
    words = name.replace(".", " ").replace("_", " ").replace("poincare", "Poincaré sample")
    return "\n".join(textwrap.wrap(words, 30)) if len(words) > 34 else words


def mark_failed(ax: Axes, x: FloatArray) -> None:
    """Crosses at the lower end of a panel for points without a value."""
    if len(x):
        ax.plot(
            x, np.full(len(x), 0.02), "x", transform=ax.get_xaxis_transform(), color=FAILED_COLOUR, markersize=4.0,
            markeredgewidth=0.9, label="failed", clip_on=False, zorder=3,
        )  # fmt: skip


# ---- optimum chart

# Picture of an optimum: the figure over the evaluations, the parameters, and the figure at the start and at the
# optimum.

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


# ---- study maps

# Maps of a study: the colour is a variable over two parameters, or over a parameter and the time of a signal.

_COLOURS = "viridis"
_BOTH_SIGNS = "RdBu_r"


def draw_map_of_study(
    ax: Axes, found: StudyResult, name: str, over: str, up: str, *, log: bool,
    whole: StudyResult | None = None, with_bar: bool = True,
) -> None:  # fmt: skip
    """Draw a variable as colour.

    over, up : parameters (or the coordinate of a signal) of the lower and the vertical axis. whole : study of which this is a part;
    the unit and the colours are those of all its values. with_bar : whether a bar shows the colours.
    """
    factor, label = variable_scale(whole or found, name)
    limits = None if whole is None else _limits(whole, name, factor)
    values = factor * found[name]
    dims = [*found.dims, *found.variables[name].dims]
    x, y = (_axis(found, one) for one in (over, up))
    order = [dims.index(found.points.along.get(one, one)) for one in (up, over)]
    values = np.moveaxis(values, order, (0, 1))
    x_sorted, y_sorted = np.argsort(x.values, kind="stable"), np.argsort(y.values, kind="stable")
    shown = np.ma.masked_invalid(values[np.ix_(y_sorted, x_sorted)])
    ax.set_facecolor("white")
    ax.patch.set(hatch="////", edgecolor=FAILED_COLOUR)  # where a point has no value, the background is seen
    colours = ax.pcolormesh(
        _edges(x.values[x_sorted], x),
        _edges(y.values[y_sorted], y),
        shown,
        rasterized=True,
        **_colouring(shown, log, limits),
    )
    x.apply(ax)
    y.apply(ax, "y")
    ax.grid(False)
    ax.set_axisbelow(False)
    if with_bar:
        bar = ax.figure.colorbar(colours, ax=ax, pad=0.015, aspect=30, label=label)
        bar.outline.set_linewidth(0.7)
    if shown.mask.any():
        ax.figure.text(0.99, 0.005, "hatched: no value", ha="right", va="bottom", fontsize=7.0, color="#555555")


def _limits(whole: StudyResult, name: str, factor: float) -> tuple[float, float]:
    """Smallest and largest value of a study."""
    values = factor * whole.variables[name].values[whole.fine]
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)


def _axis(found: StudyResult, name: str) -> ShownAxis:
    return shown_axis(found, name) if name in found.points.axes else shown_coordinate(found, name)


def _colouring(values: Any, log: bool, limits: tuple[float, float] | None = None) -> dict[str, Any]:
    from matplotlib.colors import LogNorm

    if not values.count():
        return {"cmap": _COLOURS, "vmin": 0.0, "vmax": 1.0}
    low, high = limits or (float(values.min()), float(values.max()))
    if log and high > 0.0:
        positive = low if limits and low > 0.0 else float(values[values > 0.0].min())
        return {"cmap": _COLOURS, "norm": LogNorm(max(positive, 1e-6 * high), high, clip=True)}
    if low < -0.05 * abs(high) and high > 0.05 * abs(low):
        return {"cmap": _BOTH_SIGNS, "vmin": -max(-low, high), "vmax": max(-low, high)}
    if low == high:
        return {"cmap": _COLOURS, "vmin": low - 0.5 * (abs(low) or 1.0), "vmax": high + 0.5 * (abs(high) or 1.0)}
    return {"cmap": _COLOURS, "vmin": low, "vmax": high}


def _edges(values: FloatArray, axis: ShownAxis) -> FloatArray:
    """Bounds of cells around increasing values."""
    if len(values) == 1:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    if axis.geometric:
        return np.asarray(np.exp(_edges_of(np.log(values))))
    return _edges_of(values)


def _edges_of(values: FloatArray) -> FloatArray:
    middle = 0.5 * (values[1:] + values[:-1])
    return np.concatenate([[2 * values[0] - middle[0]], middle, [2 * values[-1] - middle[-1]]])


MOST_PANELS = 8
_DECADES = 5
"""Range of a logarithmic axis of bars."""


def plot_each(
    found: StudyResult, name: str, each: str, over: str | None, by: str | None, *, log: bool, boundary: str | None,
    path: str | Path | None, title: str, width: float, panel_height: float,
) -> Figure:  # fmt: skip
    """A map for each value of a parameter, with the same colours."""
    if each not in found.points.axes:
        raise PitchlineError(f'plot: the study has no parameter "{each}"; {near_names(each, found.points.axes)}')
    axis = shown_axis(found, each)
    count = len(axis.values)
    if count > MOST_PANELS:
        raise PitchlineError(f'plot: "{each}" has {count} values; at most {MOST_PANELS} panels fit in a picture')
    values = found.points.axes[each].values
    parts = [found.where(**{each: value.item() if isinstance(value, np.generic) else value}) for value in values]
    rest = [dim for dim in parts[0].dims if dim in parts[0].points.axes]
    if len(parts[0].dims) != 2 or len(rest) != 2:
        raise PitchlineError(
            f'plot: a map for each "{each}" needs a grid of three parameters, got {", ".join(found.dims)}'
        )
    x = over if over is not None else next(dim for dim in rest if dim != by)
    y = by if by is not None else next(dim for dim in rest if dim != x)
    if {x, y} != {*rest}:
        raise PitchlineError(f'plot: each map has the axes "{rest[0]}" and "{rest[1]}", got "{x}" and "{y}"')
    columns = min(count, 3)
    rows = -(-count // columns)
    with canvas(panels=rows, columns=columns, path=path, title=title, width=width, panel_height=panel_height) as c:
        for k, (ax, part) in enumerate(zip(c.axes, parts, strict=False)):
            draw_map_of_study(
                ax, part, name, x, y, log=log, whole=found, with_bar=k % columns == columns - 1 or k == count - 1
            )
            if boundary is not None:
                draw_boundary(ax, part, boundary, x, y)
            ax.set_title(value_with_unit(axis, k))
            if k % columns:
                ax.set_ylabel("")
            if k < count - columns:
                ax.set_xlabel("")
        for ax in c.axes[count:]:
            ax.set_visible(False)
    return c.figure


def draw_boundary(ax: Axes, found: StudyResult, name: str, over: str, up: str) -> None:
    """Line around the part of a map in which a variable is above zero."""
    if name not in found.variables:
        raise PitchlineError(f'plot: the study has no variable "{name}"; {near_names(name, found.variables)}')
    x, y = shown_axis(found, over), shown_axis(found, up)
    order = [found.dims.index(found.points.along[one]) for one in (up, over)]
    values = np.nan_to_num(np.moveaxis(found[name], order, (0, 1)))
    if not (values > 0.0).any() or not (values <= 0.0).any() or min(values.shape) < 2:
        return
    level = min(1e-6, 0.5 * float(values.max()))
    ax.contour(x.values, y.values, values, levels=[level], colors="white", linewidths=1.1)
    ax.plot([], [], color="white", linewidth=1.1, label=f"{words_of(name)} > 0")
    ax.legend(
        loc="upper right", frameon=True, facecolor="#00000055", edgecolor="none", labelcolor="white", framealpha=None,
        borderaxespad=0.6,
    )  # fmt: skip


# --- lists -------------------------------------------------------------------------------------------


def plot_bars(
    found: StudyResult, name: str, *, items: Sequence[str] | None, labels: Sequence[str] | None, log: bool,
    path: str | Path | None, title: str, width: float, panel_height: float,
) -> Figure:  # fmt: skip
    """Bars of the items of a list, one panel for each point."""
    if len(found.variables[name].dims) != 1:
        raise PitchlineError(f'plot: bars show a list of numbers at each point, but "{name}" is not a list')
    if len(found) > MOST_PANELS:
        raise PitchlineError(f"plot: the study has {len(found)} points; at most {MOST_PANELS} panels fit in a picture")
    factor, label = variable_scale(found, name)
    values = factor * found.variables[name].values
    count = values.shape[1]
    for given, size, what in ((items, count, "items"), (labels, len(found), "points")):
        if given is not None and len(given) != size:
            raise PitchlineError(f"plot: {len(given)} labels for {size} {what}. Specify one for each")
    largest = float(np.nanmax(np.abs(values), initial=0.0)) or 1.0
    with canvas(panels=len(found), path=path, title=title, width=width, panel_height=panel_height) as c:
        for k, ax in enumerate(c.axes):
            ax.bar(np.arange(count), values[k], width=0.5, color=style.COLOURS[0])
            if log:
                ax.set_yscale("log")
                ax.set_ylim(10.0**-_DECADES * largest, 2.0 * largest)
            ax.grid(False, axis="x")
            text = (
                labels[k] if labels is not None else ", ".join(f"{key} = {v}" for key, v in found.points.at(k).items())
            )
            ax.text(0.012, 0.94, text, transform=ax.transAxes, ha="left", va="top")
            ax.set_xlim(-0.6, count - 0.4)
        c.figure.supylabel(label.replace("\n", " "), fontsize=8.5)
        c.axes[-1].set_xticks(range(count), items if items is not None else [str(n) for n in range(count)])
    return c.figure


# --- histograms --------------------------------------------------------------------------------------


def plot_compared(
    several: Mapping[str, StudyResult],
    name: str,
    *,
    path: str | Path | None,
    title: str,
    width: float,
    panel_height: float,
) -> Figure:
    """Histograms of a variable of several studies in one panel, with the mean and the 95 % value of each."""
    first = next(iter(several.values()))
    samples: dict[str, FloatArray] = {}
    factor, label = variable_scale(first, name)
    for text, one in several.items():
        if (
            name not in one.variables
            or one.variables[name].dims
            or one.variables[name].unit != first.variables[name].unit
        ):
            raise PitchlineError(f'plot: the study "{text}" has no single numbers "{name}" to compare')
        values = factor * one.variables[name].values[one.fine]
        samples[text] = values[np.isfinite(values)]
        if not samples[text].size:
            raise PitchlineError(f'plot: the study "{text}" has no values "{name}"')
    together = np.concatenate(list(samples.values()))
    most = max(len(values) for values in samples.values())
    low, high = float(together.min()), float(together.max())
    if low == high:
        low, high = low - 0.5 * (abs(low) or 1.0), high + 0.5 * (abs(high) or 1.0)
    edges = np.linspace(low, high, int(np.clip(round(3.0 * most ** (1 / 3)), 8, 60)) + 1)
    with canvas(path=path, title=title, width=width, panel_height=panel_height) as c:
        ax: Any = c.axes[0]
        for k, (text, values) in enumerate(samples.items()):
            colour = style.COLOURS[k % len(style.COLOURS)]
            mean, high = float(values.mean()), float(np.percentile(values, 95))
            words = f"{text}: mean {mean:.4g}, 95 % below {high:.4g}"
            ax.hist(values, bins=edges, color=colour, alpha=0.45, edgecolor="white", linewidth=0.4, label=words)
            ax.axvline(mean, color=colour, linewidth=1.2)
            ax.axvline(high, color=colour, linewidth=1.0, linestyle="--")
        ax.set_xlabel(label.replace("\n", " "))
        ax.set_ylabel("points")
        ax.margins(x=0.02)
        ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.01), ncols=min(2, len(samples)))
    return c.figure
