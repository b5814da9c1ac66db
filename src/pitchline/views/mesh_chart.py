"""What a gear pair does when it runs steadily: the spectrum of its force, and the force over the mesh cycle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitchline.errors import PitchlineError
from pitchline.results import Folded, Result, Signal, Spectrum, fold, spectrum
from pitchline.views import style
from pitchline.views.labels import axis_label, scaled_unit
from pitchline.views.mesh_cycle import draw_cycle

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FloatArray = NDArray[np.float64]

#: A mesh runs steadily while its frequency stays within this part of the last one.
_STEADY = 0.05

#: Of a record that is worth a spectrum: mesh cycles, and samples in each.
_FEWEST_CYCLES, _FEWEST_SAMPLES = 3.0, 8.0

#: A force that changes less than this part of itself is constant.
_CONSTANT = 1e-6

#: Multiples of the mesh frequency shown.
_HARMONICS = 6


@dataclass(frozen=True)
class SteadyMesh:
    """The part of a record in which a mesh runs steadily; why there is none, in `reason`.

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
    """The second half of the last part of a record in which the mesh frequency hardly changes, if long and fine
    enough.
    """
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
    ):  # its second half, when what the run-up left has died out
        first = int(np.searchsorted(time, 0.5 * (time[first] + time[-1])))
    cycles = abs(float(way[-1] - way[first]))
    samples = (len(time) - 1 - first) / max(cycles, 1e-300)
    frequency = cycles / max(float(time[-1] - time[first]), 1e-300)
    found = SteadyMesh(float(time[first]), float(time[-1]), frequency, cycles, samples)
    if cycles < 0.5:
        return SteadyMesh(reason="the teeth do not pass each other at the end of the record")
    if samples < _FEWEST_SAMPLES:
        return SteadyMesh(reason=f"the record has {samples:.2g} samples a mesh cycle, too few to tell")
    if cycles < _FEWEST_CYCLES:
        return SteadyMesh(reason=f"only {cycles:.2g} mesh cycles at steady speed")
    return found


def mesh_chart(result: Result, pair: str, signal: str = "normal_force") -> MeshChart | str:
    """What there is to draw, or in words why there is nothing."""
    steady = steady_mesh(result, pair)
    if steady.reason:
        return steady.reason
    force = result[f"{pair}.{signal}"].between(steady.start, steady.end)
    size = float(np.max(np.abs(force.values)))
    if float(force.peak_to_peak()) <= _CONSTANT * size:
        return f"the {signal.replace('_', ' ')} is constant"
    phase = result[f"{pair}.phase"].between(steady.start, steady.end)
    return MeshChart(pair, steady.frequency, spectrum(_even(force), window="hann"), fold(force, phase))


def plot_mesh(
    result: Result,
    *pairs: str,
    signal: str = "normal_force",
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = style.PANEL_HEIGHT,
) -> Figure:
    """Spectrum and mesh cycle of a signal of gear pairs at steady speed, a row each; returns the matplotlib figure.

    pairs: names of gear pairs; none: all that have the signal. signal: of the mesh. path: where to save it (.png, .svg,
    .pdf). title: heading, "" for none. width, panel_height: inches. Of the last part of the record in which the mesh
    frequency stays within 5 % the second half is taken; the spectrum is drawn without its mean, to six times the mesh
    frequency.
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
    return draw_charts({chart.pair: chart for chart in charts}, path, heading, width, panel_height)


def draw_charts(
    charts: Mapping[str, MeshChart], path: str | Path | None, title: str, width: float, panel_height: float
) -> Figure:
    """A row of two panels for each chart, under its label."""
    import matplotlib.style

    from pitchline.views.picture import Picture, check_path, save

    target = None if path is None else check_path(path)
    with matplotlib.style.context(["default", style.RC]):
        figure = Picture(
            figsize=(width, len(charts) * (panel_height + 0.3) + (0.3 if title else 0.0)), layout="constrained"
        )
        rows = figure.subplots(len(charts), 2, squeeze=False)
        for axes, (label, chart) in zip(rows, charts.items(), strict=True):
            _draw_spectrum(axes[0], chart, label)
            draw_cycle(axes[1], chart.cycle)
        if title:
            figure.suptitle(title, x=0.01, ha="left", fontsize=9.5, fontweight="bold")
        if target is not None:
            save(figure, target, title or "pitchline")
    return figure


def _draw_spectrum(ax: Axes, chart: MeshChart, label: str) -> None:
    """Amplitude over frequency, with the multiples of the mesh frequency marked."""
    f, A = chart.spectrum.frequency, chart.spectrum.amplitude
    end = min(float(f[-1]), (_HARMONICS + 0.5) * chart.frequency)
    lines = (f <= end) & (f >= 3.0 * f[1])  # the mean and its share in the next lines left out
    factor, unit = scaled_unit("Hz", end)
    scale, force_unit = scaled_unit(chart.spectrum.unit, float(np.max(A[lines], initial=0.0)))
    count = int(end / chart.frequency * (1.0 + 1e-9))
    for k in range(1, count + 1):
        ax.axvline(factor * k * chart.frequency, color="#8a8f96", linewidth=0.6, linestyle=(0, (4, 3)))
    ax.plot(factor * f[lines], scale * A[lines], **style.line_style(0))
    ax.set_xlim(0.0, factor * end)
    ax.set_ylim(0.0, None)
    ax.set(xlabel=axis_label("frequency", unit), ylabel=axis_label("amplitude", force_unit))
    mesh, mesh_unit = scaled_unit("Hz", chart.frequency)
    ax.set_title(f"{label}: mesh frequency {mesh * chart.frequency:.4g} {mesh_unit}", loc="left")


def _even(signal: Signal) -> Signal:
    """Equally spaced samples, as a spectrum needs."""
    steps: Sequence[float] | FloatArray = np.diff(signal.time)
    mean = (signal.time[-1] - signal.time[0]) / (len(signal) - 1)
    even = bool(np.max(np.abs(np.asarray(steps) - mean)) <= 1e-6 * mean)
    return signal if even else signal.resampled(len(signal))
