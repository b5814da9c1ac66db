"""A gear pair at steady speed: spectrum of its force, and force over the mesh cycle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError
from pitchline.results import Folded, Modes, Result, Signal, Spectrum, fold, spectrum
from pitchline.views import style
from pitchline.views.labels import scaled_unit
from pitchline.views.line_names import names_height
from pitchline.views.marks import Marked, MarkedLine, mesh_marks, mode_marks
from pitchline.views.mesh_cycle import draw_cycle
from pitchline.views.plain_texts import plain_texts
from pitchline.views.spectra import draw_lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FloatArray = NDArray[np.float64]

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
