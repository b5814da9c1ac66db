"""Pictures of studies with several panels: a map for each value of a parameter, bars of lists, histograms next to each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.errors import PitchlineError, near_names
from pitchline.studies.study_result import StudyResult
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.study_axes import shown_axis, value_with_unit, variable_scale, words_of
from pitchline.views.study_maps import draw_map_of_study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_boundary", "plot_bars", "plot_compared", "plot_each"]

FloatArray = NDArray[np.float64]
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
