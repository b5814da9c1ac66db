"""Pictures of gear pairs: load sharing, mesh cycle, spectrum of the force at steady speed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError
from pitchline.results.folding import Folded, fold
from pitchline.results.modes import Modes
from pitchline.results.order_track import Spectrum, spectrum
from pitchline.results.result import Result
from pitchline.results.signal import Signal
from pitchline.views import style
from pitchline.views.order_maps import Marked, MarkedLine, draw_lines, mesh_marks, mode_marks
from pitchline.views.plots import draw_curve
from pitchline.views.style import axis_label, canvas, formula, names_height, plain_texts, quantity_text, scaled_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..planetary.layout import LoadSharing


# ---- load sharing

# Load of each planet over time.


@names_wrong_arguments
def plot_load_sharing(
    sharing: LoadSharing,
    *,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = style.PANEL_HEIGHT,
) -> Figure:
    """Draw the load of each planet over the mean of all, at sun and ring; returns the matplotlib figure.

    1 is an equal share; the largest value is K_γ, the mesh load factor. path: file to save it in (.png, .svg, .pdf).
    title: heading, "" for none. width, panel_height: inches.
    """
    heading = f"load sharing of the planets, {formula('K_γ')} = {sharing.k_gamma:.4g}" if title is None else title
    shares = {"sun": sharing.sun, "ring": sharing.ring}
    with canvas(panels=2, path=path, title=heading, width=width, panel_height=panel_height) as c:
        for ax, (name, share) in zip(c.axes, shares.items(), strict=True):
            draw_shares(ax, sharing.time, {f"planet {i + 1}": column for i, column in enumerate(share.T)})
            ax.set_ylabel(f"share at the {name}")
        c.axes[-1].set_xlabel(axis_label("time", scaled_unit("s", float(np.max(np.abs(sharing.time))))[1]))
    return c.figure


def draw_shares(ax: Axes, time: FloatArray, shares: Mapping[str, FloatArray]) -> None:
    """Draw one line for each planet on your own axes; 1 is an equal share."""
    factor, _ = scaled_unit("s", float(np.max(np.abs(time))))
    ax.axhline(1.0, color="#8a8f96", linewidth=0.7)
    for i, (name, share) in enumerate(shares.items()):
        look = style.line_style(i)
        if len(time) == 1:
            look.update(linestyle="", marker="o")
        ax.plot(factor * time, share, label=name, **look)
    finite = np.concatenate([share[np.isfinite(share)] for share in shares.values()])
    away = float(np.max(np.abs(finite - 1.0), initial=0.0))
    if away < 0.05:  # equal shares look equal
        ax.set_ylim(0.9, 1.1)
    ax.legend(loc="upper left", bbox_to_anchor=(1.015, 1.0))


# ---- mesh cycle

# A signal over the mesh cycle: the mean of all cycles, and the range of values.


@names_wrong_arguments
def plot_cycle(
    folded: Folded,
    *,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = style.PANEL_HEIGHT,
) -> Figure:
    """Draw mean and range over the mesh cycle; returns the matplotlib figure.

    path: file to save it in (.png, .svg, .pdf). title: heading, "" for none. width, panel_height: inches.
    """
    heading = f"{folded.name} over the mesh cycle" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        draw_cycle(c.axes[0], folded)
    return c.figure


def draw_cycle(ax: Axes, folded: Folded) -> None:
    """Draw the cycle on your own axes."""
    largest = float(np.max(np.abs([folded.low, folded.high])))
    scale, unit = scaled_unit(folded.unit, largest)
    many = f"{folded.cycles} cycles" if folded.cycles > 1 else "one cycle"
    if folded.cycles > 1:
        ax.fill_between(
            folded.phase, scale * folded.low, scale * folded.high, color=style.COLOURS[0], alpha=0.2, linewidth=0.0,
            label="lowest to highest",
        )  # fmt: skip
    ax.plot(
        folded.phase, scale * folded.mean, label=f"mean of {many}" if folded.cycles > 1 else many, **style.line_style(0)
    )
    ax.set(xlabel="fraction of the mesh cycle", ylabel=axis_label(quantity_text([folded.name], ""), unit))
    spread = float(np.max(folded.high) - np.min(folded.low))
    if spread <= 1e-9 * largest:  # a constant is a level line, not its rounding
        middle = scale * float(folded.mean[0])
        ax.set_ylim(middle - 0.1 * abs(middle or 1.0), middle + 0.1 * abs(middle or 1.0))
    ax.set_xlim(0.0, 1.0)
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.01), ncols=2)


#: A mesh runs steadily while its frequency changes by less than this fraction of the last one.
_STEADY = 0.05

#: A spectrum needs at least so many mesh cycles, and samples in each.
_FEWEST_CYCLES, _FEWEST_SAMPLES = 3.0, 8.0

#: A force that changes by less than this fraction of itself is constant.
_CONSTANT = 1e-6

#: A spectrum ends at this multiple of the mesh frequency, or at half the sampling frequency.
MOST_MULTIPLES = 20.5


@dataclass(frozen=True)
class SteadyMesh:
    """The part of a record in which a mesh runs steadily. If there is none, `reason` explains it.

    frequency: of the mesh [Hz]
    cycles, samples: mesh cycles, and samples in each
    """

    start: float = 0.0
    end: float = 0.0
    frequency: float = 0.0
    cycles: float = 0.0
    samples: float = 0.0
    reason: str = ""


@dataclass(frozen=True)
class MeshChart:
    """Spectrum and cycle of one signal of a mesh."""

    pair: str
    frequency: float
    spectrum: Spectrum
    cycle: Folded


def steady_mesh(result: Result, pair: str) -> SteadyMesh:
    """The second half of the last part of a record in which the mesh frequency is nearly constant."""
    if f"{pair}.phase" not in result.signals or result.samples < 3:
        return SteadyMesh(reason="no record of the phase of the mesh")
    phase = result.signals[f"{pair}.phase"]
    time, way = phase.time, np.unwrap(phase.values, period=1.0)
    steps = np.diff(time)
    rate = np.abs(np.diff(way)) / np.where(steps > 0.0, steps, np.inf)
    rate = np.append(np.where(steps > 0.0, rate, np.nan), rate[-1])
    rate = np.where(np.isnan(rate), np.nanmedian(rate), rate)  # at jumps, recorded as two samples at one time
    last = float(np.median(rate[-max(3, len(rate) // 50) :]))
    if not np.isfinite(last) or last * (time[-1] - time[0]) < 0.5:
        return SteadyMesh(reason="the teeth do not pass each other at the end of the record")
    unsteady = np.flatnonzero(np.abs(rate - last) > _STEADY * last)
    first = 0 if not unsteady.size else min(int(unsteady[-1]) + 1, len(time) - 2)
    if (
        abs(float(way[-1] - way[first])) >= 2.0 * _FEWEST_CYCLES
    ):  # its second half: vibration from the run-up has decayed
        first = int(np.searchsorted(time, 0.5 * (time[first] + time[-1])))
    cycles = abs(float(way[-1] - way[first]))
    samples = (len(time) - 1 - first) / max(cycles, 1e-300)
    frequency = cycles / max(float(time[-1] - time[first]), 1e-300)
    found = SteadyMesh(float(time[first]), float(time[-1]), frequency, cycles, samples)
    if cycles < 0.5:
        return SteadyMesh(reason="the teeth do not pass each other at the end of the record")
    if samples < _FEWEST_SAMPLES:
        return SteadyMesh(reason=f"the record has {samples:.2g} samples a mesh cycle, too few for a spectrum")
    if cycles < _FEWEST_CYCLES:
        return SteadyMesh(reason=f"only {cycles:.2g} mesh cycles at steady speed")
    return found


def mesh_chart(result: Result, pair: str, signal: str = "normal_force") -> MeshChart | str:
    """Spectrum and cycle of a gear pair, or the reason why there are none."""
    steady = steady_mesh(result, pair)
    if steady.reason:
        return steady.reason
    force = result[f"{pair}.{signal}"].between(steady.start, steady.end)
    size = float(np.max(np.abs(force.values)))
    if float(force.peak_to_peak()) <= _CONSTANT * size:
        return f"the {signal.replace('_', ' ')} is constant"
    phase = result[f"{pair}.phase"].between(steady.start, steady.end)
    return MeshChart(pair, steady.frequency, spectrum(_even(force), window="hann"), fold(force, phase))


@names_wrong_arguments
def plot_mesh(
    result: Result,
    *pairs: str,
    signal: str = "normal_force",
    modes: Modes | Marked | None = None,
    harmonics: int | None = None,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = style.PANEL_HEIGHT,
) -> Figure:
    """Draw spectrum and mesh cycle of gear pairs at steady speed, one row for each; returns the matplotlib figure.

    pairs: names of gear pairs; none: all that have the signal. signal: of the mesh. modes: natural frequencies to mark
    in the spectrum, and harmonics: multiples of the mesh frequency to mark, as in `plot_lines`. path: file to save it in
    (.png, .svg, .pdf). title: heading, "" for none. width, panel_height: inches.

    The record is the second half of the last part in which the mesh frequency stays within 5 %. The spectrum is without
    its mean and ends at 20 times the mesh frequency or at half the sampling frequency.
    """
    wanted = pairs or tuple(name.removesuffix(f".{signal}") for name in result.names(f"*.{signal}"))
    charts = []
    for pair in wanted:
        found = mesh_chart(result, pair, signal)
        if isinstance(found, str):
            raise PitchlineError(f'plot of the mesh "{pair}": {found}')
        charts.append(found)
    if not charts:
        raise PitchlineError(f'the result of "{result.model_name}" has no signal "{signal}" of a gear pair')
    heading = f"{result.model_name}: {signal.replace('_', ' ')} at steady speed" if title is None else title
    marks = {chart.pair: _marks(chart, modes, harmonics) for chart in charts}
    names = names_height([mark.name for found in marks.values() for mark in found])

    import matplotlib.style

    from pitchline.views.picture import Picture, check_path, save

    target = None if path is None else check_path(path)
    with matplotlib.style.context(["default", style.RC]):
        height = len(charts) * (panel_height + names + 0.3) + (0.3 if heading else 0.0)
        figure = Picture(figsize=(width, height), layout="constrained")
        if heading:
            figure.suptitle(heading, x=0.01, ha="left", fontsize=9.5, fontweight="bold")
        rows = figure.subplots(len(charts), 2, squeeze=False)
        for axes, chart in zip(rows, charts, strict=True):
            mesh, unit = scaled_unit("Hz", chart.frequency)
            words = f"{chart.pair}: mesh frequency {mesh * chart.frequency:.4g} {unit}"
            axes[0].set_title(words, loc="left", pad=72.0 * names + 6.0)
            draw_cycle(axes[1], chart.cycle)
        for axes, chart in zip(rows, charts, strict=True):  # last, because names are arranged by the final layout
            draw_lines(axes[0], chart.spectrum, spectrum_end(chart), True, marks[chart.pair])
        plain_texts(figure)
        if target is not None:
            save(figure, target, heading or "pitchline")
    return figure


def spectrum_end(chart: MeshChart) -> float:
    """Highest frequency shown [Hz]."""
    return min(float(chart.spectrum.frequency[-1]), MOST_MULTIPLES * chart.frequency)


def _marks(chart: MeshChart, modes: Modes | Marked | None, harmonics: int | None) -> list[MarkedLine]:
    end, what = spectrum_end(chart), f'plot of the mesh "{chart.pair}"'
    return mesh_marks({"mesh": chart.frequency}, harmonics, end, what) + mode_marks(modes, end, what)


def _even(signal: Signal) -> Signal:
    """Equally spaced samples, as a spectrum needs."""
    steps: Sequence[float] | FloatArray = np.diff(signal.time)
    mean = (signal.time[-1] - signal.time[0]) / (len(signal) - 1)
    even = bool(np.max(np.abs(np.asarray(steps) - mean)) <= 1e-6 * mean)
    return signal if even else signal.resampled(len(signal))


# ---- pair chart

# One gear pair on one page: force and transmission error over time, spectrum of the force, force over the mesh cycle.

#: Signals over time, in the upper row.
_HISTORIES = ("normal_force", "transmission_error")


def draw_pair(
    result: Result,
    pair: str,
    chart: MeshChart | None,
    *,
    others: Mapping[str, float] | None = None,
    modes: Modes | Marked | None = None,
    width: float = style.WIDTH,
    height: float = 2.0,
) -> Figure:
    """Draw one gear pair; returns the matplotlib figure.

    chart:  spectrum and cycle at steady speed; None: only the time histories are drawn
    others: mesh frequencies of other pairs, marked in the spectrum [Hz]
    modes:  natural frequencies, marked in the spectrum, as in `plot_lines`
    height: of a row, inches
    """
    import matplotlib.style

    from pitchline.views.picture import Picture

    upper = [name for name in _HISTORIES if _varies(result, f"{pair}.{name}")] or ["normal_force"]
    marks, end = _marks_pair_chart(chart, others or {}, modes) if chart is not None else ([], 0.0)
    lower = height + names_height([mark.name for mark in marks])
    heights = [height, lower] if chart is not None else [height]
    mosaic: Any = [upper * (3 - len(upper))] + ([["spectrum", "cycle"]] if chart is not None else [])
    with matplotlib.style.context(["default", style.RC]):
        figure = Picture(figsize=(width, sum(heights) + 0.4), layout="constrained")
        axes: Any = figure.subplot_mosaic(mosaic, height_ratios=heights, width_ratios=[1.55, 1.0])
        for name in upper:
            _history(axes[name], result, f"{pair}.{name}")
        if chart is not None:
            draw_cycle(axes["cycle"], chart.cycle)
            draw_lines(axes["spectrum"], chart.spectrum, end, True, marks)
        plain_texts(figure)
    return figure


def _marks_pair_chart(
    chart: MeshChart, others: Mapping[str, float], modes: Modes | Marked | None
) -> tuple[list[MarkedLine], float]:
    """Harmonics of the mesh, meshes of other pairs that are not among them, and modes."""
    end = spectrum_end(chart)
    what = f'chart of "{chart.pair}"'
    own = mesh_marks({"mesh": chart.frequency}, None, end, what)
    ratios = {name: f / chart.frequency for name, f in others.items() if f > 0.0}
    apart = {name: others[name] for name, ratio in ratios.items() if abs(ratio - round(ratio)) > 2e-3 or ratio < 0.5}
    beside = [MarkedLine(m.name, m.value, "#8A3FA0") for m in mesh_marks(apart, 1, end, what)]
    return own + beside + mode_marks(modes, end, what), end


def _varies(result: Result, name: str) -> bool:
    if name not in result.signals:
        return False
    values = result.signals[name].values
    return bool(np.any(np.isfinite(values) & (values != 0.0)))


def _history(ax: Axes, result: Result, name: str) -> None:
    signal = result.signals[name]
    values = signal.values[np.isfinite(signal.values)]
    factor, unit = scaled_unit(signal.unit, float(np.max(np.abs(values), initial=0.0)))
    time, time_unit = scaled_unit("s", float(np.max(np.abs(signal.time))))
    draw_curve(ax, signal, time, factor, 0)
    ax.set(xlabel=axis_label("time", time_unit), ylabel=axis_label(quantity_text([name], signal.unit), unit))
