"""Branches of periodic motions over a parameter: stable and unstable parts, folds and other special points, sweeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError, near_names, shown
from pitchline.studies.continuation.branch_points import DOUBLING, FOLD, INTERSECTION, TORUS
from pitchline.studies.continuation.continuation_result import Continuation
from pitchline.studies.points.parameter_values import scale_of
from pitchline.studies.study_result import StudyResult
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.labels import axis_label, scaled_unit, unit_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FloatArray = NDArray[np.float64]

UNSTABLE = (0, (3.5, 1.8))
MARKS = {FOLD: "o", DOUBLING: "D", TORUS: "s", INTERSECTION: "^"}
SWEEP_COLOURS = {"up": "#6E6E6E", "down": "#A8A8A8"}
SWEEP_MARKS = {"up": "^", "down": "v"}


@names_wrong_arguments
def plot_continuation(
    branch: Continuation,
    *names: str,
    branches: Iterable[Continuation] = (),
    sweep: StudyResult | None = None,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 1.5 * style.PANEL_HEIGHT,
) -> Figure:
    """Draw reductions over the parameter of a branch; returns the matplotlib figure.

    Stable motions are solid lines, unstable ones dashed. Marks show folds (circles), period doublings (diamonds), tori (squares)
    and intersections (triangles). names: reductions, one panel each; default: the first one. branches: others to draw in the same
    panels, e.g. those of `Continuation.switch`. sweep: result of `Batch.sweep`, or another study over the same parameter. path:
    file to save it in (.png, .svg, .pdf). title: heading, "" for none. width, panel_height: inches.
    """
    every = [branch, *branches]
    for other in every:
        if not isinstance(other, Continuation) or other.over != branch.over:
            raise PitchlineError(f"branches: expected branches over {branch.over}, got {shown(other)}")
    chosen = names or tuple(branch.figures)[:1]
    if not chosen:
        raise PitchlineError("nothing to plot: the branch has no reductions. Specify them with reduce=")
    for name in chosen:
        if name not in branch:
            raise PitchlineError(f'the branch has no value "{name}"; {near_names(name, [*branch.figures])}')
    factor, label = _along(branch)
    heading = f"{branch.name}: periodic motions" if title is None else title
    with canvas(panels=len(chosen), path=path, title=heading, width=width, panel_height=panel_height) as c:
        for ax, name in zip(c.axes, chosen, strict=True):
            scale = _panel(ax, every, name)
            if sweep is not None:
                _draw_sweep(ax, sweep, branch.over, name, factor, scale)
            for k, one in enumerate(every):
                _draw_branch(ax, one, name, factor, scale, style.COLOURS[k % len(style.COLOURS)])
            ax.margins(x=0.02)
        c.axes[-1].set_xlabel(label)
        _legend(c.axes[0], every, sweep)
    return c.figure


def _along(branch: Continuation) -> tuple[float, str]:
    """(factor, label) of the parameter in the unit of the user."""
    words = branch.over.replace("_", " ")
    if branch.shown_unit and branch.shown_unit != branch.unit:
        return scale_of(branch.unit, branch.shown_unit) or 1.0, axis_label(words, unit_text(branch.shown_unit))
    factor, unit = scaled_unit(branch.unit, float(np.abs(branch.parameter).max()))
    return factor, axis_label(words, unit)


def _panel(ax: Axes, branches: list[Continuation], name: str) -> float:
    """Label of the vertical axis; the factor of its values."""
    found = [np.abs(one[name]).max() for one in branches if name in one]
    unit = branches[0].figure_units.get(name, "")
    if name in branches[0].state_names:
        unit = branches[0].state_units[branches[0].state_names.index(name)]
    scale, text = scaled_unit(unit, float(max(found)))
    ax.set_ylabel(axis_label(name.replace("_", " ").replace(".", " "), text))
    return scale


def _draw_branch(ax: Axes, branch: Continuation, name: str, factor: float, scale: float, colour: str) -> None:
    if name not in branch:
        return
    x, y = factor * branch.parameter, scale * branch[name]
    for part, stable in _runs(branch.stable):
        ax.plot(x[part], y[part], color=colour, linestyle="-" if stable else UNSTABLE, linewidth=1.3 if stable else 1.0)
    for one in branch.special:
        ax.plot(
            [x[one.index]], [y[one.index]], MARKS[one.kind], color=colour, markerfacecolor="white", markersize=4.5, zorder=5,
        )  # fmt: skip


def _runs(stable: NDArray[np.bool_]) -> Iterator[tuple[slice, bool]]:
    """Runs of lines with the same stability. The line between two points is stable if both are; special points count as stable."""
    lines = stable[1:] & stable[:-1]
    start = 0
    for k in range(1, len(lines) + 1):
        if k == len(lines) or lines[k] != lines[start]:
            yield slice(start, k + 1), bool(lines[start])
            start = k


def _draw_sweep(ax: Axes, sweep: StudyResult, over: str, name: str, factor: float, scale: float) -> None:
    if not isinstance(sweep, StudyResult):
        raise PitchlineError(f"sweep: expected the result of a sweep, got {shown(sweep)}")
    if over not in sweep.dims or name not in sweep:
        raise PitchlineError(f'sweep: it has no values of "{name}" over "{over}"')
    values = np.moveaxis(np.asarray(sweep[name], float), sweep.dims.index(over), 0)
    dims = [dim for dim in sweep.dims if dim != over]
    if any(size > 1 for dim, size in zip(dims, values.shape[1:], strict=True) if dim != "direction"):
        raise PitchlineError(f'sweep: it has other dimensions than "{over}" and the direction. Choose one lane')
    ways = list(sweep["direction"]) if "direction" in dims else ["up"]
    columns = values.reshape(len(values), -1)
    for way, column in zip(ways, columns.T, strict=True):
        ax.plot(
            factor * sweep[over], scale * column, SWEEP_MARKS[str(way)], color=SWEEP_COLOURS[str(way)], markersize=2.6,
            markeredgewidth=0.0, zorder=1,
        )  # fmt: skip


def _legend(ax: Axes, branches: list[Continuation], sweep: Any) -> None:
    from matplotlib.lines import Line2D

    entries: list[Line2D] = []
    several = len({one.cycles for one in branches}) > 1
    for k, one in enumerate(branches):
        colour = style.COLOURS[k % len(style.COLOURS)]
        text = f"{one.cycles} cycle{'s' if one.cycles > 1 else ''}" if several else "stable"
        entries.append(Line2D([], [], color=colour, linewidth=1.3, label=text))
        if not several:
            break
    if not all(np.all(one.stable) for one in branches):
        entries.append(Line2D([], [], color=style.COLOURS[0], linestyle=UNSTABLE, linewidth=1.0, label="unstable"))
    for kind, mark in MARKS.items():
        if any(point.kind == kind for one in branches for point in one.special):
            entries.append(
                Line2D(
                    [],
                    [],
                    color=style.COLOURS[0],
                    marker=mark,
                    markerfacecolor="white",
                    linestyle="",
                    markersize=4.5,
                    label=kind,
                )
            )
    if sweep is not None:
        for way in ("up", "down"):
            entries.append(
                Line2D(
                    [],
                    [],
                    color=SWEEP_COLOURS[way],
                    marker=SWEEP_MARKS[way],
                    linestyle="",
                    markersize=3.0,
                    label=f"sweep {way}",
                )
            )
    ax.legend(
        handles=entries,
        loc="lower left",
        bbox_to_anchor=(0.0, 1.02),
        ncols=len(entries) if len(entries) <= 6 else -(-len(entries) // 2),
    )
