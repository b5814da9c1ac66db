"""Amplitude over frequency and time: spectra of short blocks of a record."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pitchline.results.errors import SignalError
from pitchline.results.plotter import plotter
from pitchline.results.signal import Signal
from pitchline.results.signal_blocks import (
    block_samples,
    block_starts,
    check_overlap,
    line_count,
    samples_between,
    scalar,
    smooth,
)
from pitchline.results.windows import Window, amplitudes, check_window

from ..arguments import names_wrong_arguments

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STRETCHES = 16


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Spectrogram:
    """Amplitude of the signal `name` by frequency, in blocks of a record.

    frequency: (m,), Hz, from 0 in steps of 1/duration
    time:      (b,), s, middle of each block
    amplitude: (b, m), in `unit`: a sine of amplitude A gives A
    duration:  of a block, s
    """

    kind: ClassVar[str] = "spectrogram"
    warnings: ClassVar[tuple[str, ...]] = ()
    name: str
    frequency: NDArray[np.float64]
    time: NDArray[np.float64]
    amplitude: NDArray[np.float64]
    duration: float
    unit: str = ""

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot a map over time and frequency; options as in `pitchline.views.plot_map`."""
        return plotter("Spectrogram")(self, path=path, **options)


@names_wrong_arguments
def spectrogram(
    signal: Signal,
    *,
    duration: float | str | None = None,
    overlap: float = 0.75,
    window: Window = "hann",
    max_frequency: float | str | None = None,
) -> Spectrogram:
    """Compute short-time spectra of a signal; its samples need not be equally spaced.

    Blocks of `duration` (s, or text such as "50 ms"; default: a sixteenth of the record) are interpolated at equal time
    steps and transformed as in `spectrum`, with the same gain: a sine of amplitude A gives A. Each block overlaps the next
    one by at least the fraction `overlap`. Lines are 1/duration apart, and two frequencies are separated if they differ by
    more than two lines ("hann"). A frequency that moves through several lines within a block is spread over them, and its
    amplitude appears too small: for run-ups see `order_map`.
    max_frequency: highest frequency [Hz]; by default the block with the fewest samples has two samples per period.
    """
    what = f'spectrogram of "{signal.name}"'
    scalar(signal, what)
    check_window(window, what)
    check_overlap(overlap, what)
    dense = smooth(signal, what)
    first, last = float(signal.time[0]), float(signal.time[-1])
    width = (last - first) / _STRETCHES if duration is None else _read(duration, "time", f"{what}: duration")
    highest = None if max_frequency is None else _read(max_frequency, "frequency", f"{what}: max_frequency")
    if not 0.0 < width <= (last - first) * (1.0 + 1e-9):
        raise SignalError(
            f"{what}: stretches of {width:g} s do not fit a record of {last - first:g} s; give a duration between 0 and that"
        )
    starts = first + block_starts(last - first, width, overlap)
    held = samples_between(signal.time, starts, starts + width)
    lines = line_count(highest, width, int(held.min()), what, "max_frequency")
    found = np.empty((len(starts), lines))
    for b, start in enumerate(starts):
        count = block_samples(int(held[b]), lines)
        t = start + width * np.arange(count) / count
        found[b] = amplitudes(np.asarray(dense.at(np.clip(t, first, last))), window)[:lines]
    return Spectrogram(signal.name, np.arange(lines) / width, starts + 0.5 * width, found, width, signal.unit)


def _read(value: float | str, dimension: str, what: str) -> float:
    from pitchline.units import quantity

    return quantity(value, dimension, what=what)
