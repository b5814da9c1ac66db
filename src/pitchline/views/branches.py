"""Pictures of frequency responses and of branches of periodic motions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError, near_names, shown
from pitchline.results.linear_files import FrequencyResponse
from pitchline.studies.continuation.continuation_result import Continuation
from pitchline.studies.continuation.flow import DOUBLING, FOLD, INTERSECTION, TORUS
from pitchline.studies.points.parameter_values import scale_of
from pitchline.studies.study_result import StudyResult

from . import style
from .style import axis_label, canvas, scaled_unit, unit_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Names = str | tuple[str, ...] | list[str] | None

#: More curves than this in one picture cannot be distinguished.
MOST_CURVES = 14

#: Fraction of a response that is rounding.
_ROUNDING = 1e-11

_PALE = "#9A9A9A"
_SMALL = 7.0  # size of letters, points


@names_wrong_arguments
def plot_bode(
    found: FrequencyResponse,
    *,
    path: str | Path | None = None,
    outputs: Names = None,
    inputs: Names = None,
    decibels: bool = False,
    poles: bool = True,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = style.PANEL_HEIGHT,
) -> Figure:
    """Draw magnitude, one panel for each unit, and phase over frequency; returns the matplotlib figure.

    outputs, inputs: names; default: all. decibels: 20 lg of the magnitude instead of a logarithmic scale. poles: whether
    to mark poles that appear in a curve. path: file to save it in (.png, .svg, .pdf). title: heading, "" for none.
    width, panel_height: inches.
    """
    chosen_out, chosen_in = _chosen(outputs, found.outputs, "output"), _chosen(inputs, found.inputs, "input")
    curves = [(o, i) for i in chosen_in for o in chosen_out]
    if len(curves) > MOST_CURVES:
        raise PitchlineError(
            f"{len(curves)} curves cannot be distinguished, {MOST_CURVES} at most; choose some with outputs= and inputs=, "
            f'such as outputs="{chosen_out[0]}"'
        )
    if np.sum(found.frequency > 0.0) < 2:
        raise PitchlineError(f'nothing to plot: the response of "{found.model_name}" is known at one frequency only')
    sizes = _sizes(found, curves)
    if not any(np.any(size > 0.0) for size in sizes.values()):
        pairs = ", ".join(f"{o} from {i}" for o, i in curves)
        raise PitchlineError(f'nothing to plot: the response of "{found.model_name}" is zero throughout ({pairs})')
    units = list(dict.fromkeys(found.unit(o, i) for o, i in curves))
    names = _labels(chosen_out, chosen_in)
    heading = _heading(found, chosen_out, chosen_in) if title is None else title
    f = found.frequency
    with canvas(panels=len(units) + 1, path=path, title=heading, width=width, panel_height=panel_height) as c:
        *above, below = c.axes
        for k, (o, i) in enumerate(curves):
            panel, unit, size = units.index(found.unit(o, i)), unit_text(found.unit(o, i)), sizes[o, i]
            label = names[k] if np.any(size > 0.0) else f"{names[k]} (none)"
            above[panel].plot(f, 20.0 * np.log10(size) if decibels else size, label=label, **style.line_style(k))
            above[panel].set_ylabel(_size_label(unit, decibels))
            below.plot(f, np.where(np.isnan(size), np.nan, _phase(found, o, i)), label=label, **style.line_style(k))
        for ax in above:
            if not decibels:
                _logarithmic(ax)
        below.set_ylabel("phase (deg)")
        below.set_xlabel("frequency (Hz)")
        below.set_xscale("log")
        below.set_xlim(np.min(f[f > 0.0]), np.max(f))
        below.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
        _whole_angles(below)
        if poles:
            _mark_poles(c.axes, found, [curve for curve in curves if np.any(sizes[curve] > 0.0)], width)
        if len(curves) > 1:
            _legend(above[0], width)
    return c.figure


def _chosen(given: Names, known: tuple[str, ...], what: str) -> tuple[str, ...]:
    names = known if given is None else (given,) if isinstance(given, str) else tuple(given)
    for name in names:
        if name not in known:
            raise PitchlineError(f'plot: no {what} "{name}"; this response has {", ".join(known)}')
    return names


def _labels(outputs: tuple[str, ...], inputs: tuple[str, ...]) -> list[str]:
    """Labels with the part of the names that differs between the curves."""
    if len(inputs) == 1:
        return list(outputs)
    if len(outputs) == 1:
        return [f"from {i}" for i in inputs]
    return [f"{o} from {i}" for i in inputs for o in outputs]


def _heading(found: FrequencyResponse, outputs: tuple[str, ...], inputs: tuple[str, ...]) -> str:
    source = f" from {inputs[0]}" if len(inputs) == 1 else ""
    target = f" to {outputs[0]}" if len(outputs) == 1 else ""
    return f"{found.model_name}: response{source}{target}"


def _sizes(found: FrequencyResponse, curves: list[tuple[str, str]]) -> dict[tuple[str, str], FloatArray]:
    """Magnitudes; nan if one is rounding compared with the others of its unit."""
    sizes = {(o, i): found.magnitude(o, i) for o, i in curves}
    for o, i in curves:
        beside = np.max([sizes[curve] for curve in curves if found.unit(*curve) == found.unit(o, i)], axis=0)
        sizes[o, i] = np.where(sizes[o, i] > _ROUNDING * beside, sizes[o, i], np.nan)
    return sizes


def _size_label(unit: str, decibels: bool) -> str:
    if decibels:
        return f"magnitude (dB of {unit})" if unit else "magnitude (dB)"
    return axis_label("magnitude", unit)


def _phase(found: FrequencyResponse, output: str, input: str) -> FloatArray:
    """Continuous phase that begins between -225° and 135°: an output opposite to its input lags by 180°."""
    phase = found.phase(output, input)
    return phase - 360.0 * np.floor((phase[0] + 225.0) / 360.0)


def _logarithmic(ax: Axes) -> None:
    """Scale with one decade at least, so that a constant is a level line."""
    from matplotlib.ticker import LogLocator, NullFormatter

    ax.set_yscale("log")
    low, high = ax.get_ylim()
    if high < 10.0 * low:
        ax.set_ylim(low / 10.0**0.5, high * 10.0**0.5)
    low, high = ax.get_ylim()
    every = max(1, round(log10(high / low) / 6))
    ax.yaxis.set_major_locator(LogLocator(10.0**every))
    ax.yaxis.set_minor_formatter(NullFormatter())


def _whole_angles(ax: Axes) -> None:
    """Ticks at right angles, or fractions and multiples of them, and a margin above and below the curves."""
    from matplotlib.ticker import MultipleLocator

    low, high = ax.dataLim.intervaly
    every = next((s for s in (15.0, 30.0, 45.0, 90.0, 180.0, 360.0) if high - low <= 5.0 * s), 720.0)
    ax.yaxis.set_major_locator(MultipleLocator(every))
    room = max(0.06 * (high - low), 0.25 * every)
    ax.set_ylim(low - room, high + room)


def _mark_poles(axes: list[Axes], found: FrequencyResponse, curves: list[tuple[str, str]], width: float) -> None:
    """Draw a pale line at every pole that appears in a curve, with its frequency above the phase if it fits."""
    seen = np.sort(np.concatenate([np.zeros(0), *(found.linear.peaks(o, i) for o, i in curves)])) / (2.0 * np.pi)
    low, high = axes[-1].get_xlim()
    seen = seen[(seen >= low) & (seen <= high)]
    seen = seen[np.diff(seen, prepend=0.0) > 1e-6 * seen]  # of several curves: once
    per_inch = log10(high / low) / max(width - 1.0, 0.5)
    free = -np.inf
    for x in seen:
        for ax in axes:
            ax.axvline(x, color=_PALE, linewidth=0.6, linestyle=(0, (2, 2)), zorder=0.5)
        text = f"{x:.4g}" if x < 1e4 else f"{x:.0f}"
        half = 0.5 * (0.66 * _SMALL * len(text) / 72.0) * per_inch
        if log10(x) - half > free:
            axes[-1].annotate(
                text, (x, 1.0), xycoords=("data", "axes fraction"), xytext=(0, 3), textcoords="offset points",
                ha="center", fontsize=_SMALL, color="#555555", annotation_clip=False,
            )  # fmt: skip
            free = log10(x) + half + 0.04 * per_inch


def _legend(ax: Axes, width: float) -> None:
    """Legend of all curves above the panels: a curve has the same line in every panel."""
    figure = ax.figure
    handles, labels = figure.axes[-1].get_legend_handles_labels()
    longest = max(map(len, labels))
    columns = max(1, min(len(labels), int((width - 0.8) / (0.45 + 0.068 * longest))))
    ax.legend(handles, labels, loc="lower left", bbox_to_anchor=(0.0, 1.02), ncols=columns)


# ---- branches

# Branches of periodic motions over a parameter: stable and unstable parts, folds and other special points, sweeps.

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
        _legend_branches(c.axes[0], every, sweep)
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


def _legend_branches(ax: Axes, branches: list[Continuation], sweep: Any) -> None:
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
