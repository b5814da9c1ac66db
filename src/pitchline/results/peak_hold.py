"""Largest and smallest values of a signal in classes of speed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pitchline.results.errors import SignalError
from pitchline.results.plotter import plotter
from pitchline.results.signal import Signal
from pitchline.results.signal_blocks import scalar

from ..arguments import names_wrong_arguments

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FloatArray = NDArray[np.float64]


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class PeakHold:
    """Largest and smallest values of the signal `name` in classes of speed.

    edges:           (b + 1,), in `speed_unit`, increasing: bounds of the classes
    highest, lowest: (b,), in `unit`; nan for a class without samples
    peak:            (b,), in `unit`, largest magnitude
    peak_speed:      (b,), in `speed_unit`, speed at which `peak` occurs
    """

    kind: ClassVar[str] = "peak hold"
    warnings: ClassVar[tuple[str, ...]] = ()
    name: str
    edges: FloatArray
    highest: FloatArray
    lowest: FloatArray
    peak_speed: FloatArray
    speed_name: str
    unit: str = ""
    speed_unit: str = ""

    @property
    def speed(self) -> FloatArray:
        """(b,), the middle of each class."""
        return 0.5 * (self.edges[1:] + self.edges[:-1])

    @property
    def peak(self) -> FloatArray:
        """(b,), the largest magnitude."""
        return np.fmax(self.highest, -self.lowest)

    @property
    def peak_to_peak(self) -> FloatArray:
        """(b,), highest minus lowest."""
        return self.highest - self.lowest

    @property
    def maximum(self) -> float:
        """Largest magnitude in all classes."""
        return float(np.nanmax(self.peak))

    @property
    def speed_at_maximum(self) -> float:
        """Speed at which the largest magnitude occurs; the speed of the sample, not of its class."""
        return float(self.peak_speed[np.nanargmax(self.peak)])

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot highest and lowest values over the speed; options as in `pitchline.views.plot_peak_hold`."""
        return plotter("PeakHold")(self, path=path, **options)


@names_wrong_arguments
def peak_hold(signal: Signal, speed: Signal, *, bins: int | ArrayLike = 50) -> PeakHold:
    """Find the highest and the lowest value of a signal at each speed, as an instrument with peak hold does.

    Each sample of the signal belongs to a class of speed; the speed may increase and decrease. speed: any scalar signal
    that covers the times of the first signal, such as `run["hinge.angular_speed"]`. bins: number of classes of equal width
    from the lowest to the highest speed, or their bounds in the unit of the speed, increasing. Samples outside the bounds
    are ignored. Peaks are samples: 16 samples per period find the peak of a sine to 2 %, 64 samples to 0.12 %.
    """
    what = f'peak_hold of "{signal.name}"'
    scalar(signal, what)
    scalar(speed, what)
    if not len(signal) or not len(speed):
        empty = signal.name if not len(signal) else speed.name
        raise SignalError(f'{what}: "{empty}" holds no sample; the analysis ended before its first one')
    slack = 1e-9 * (signal.time[-1] - signal.time[0])
    if signal.time[0] < speed.time[0] - slack or signal.time[-1] > speed.time[-1] + slack:
        raise SignalError(
            f'{what}: it runs from {signal.time[0]:.6g} s to {signal.time[-1]:.6g} s, but "{speed.name}" from '
            f"{speed.time[0]:.6g} s to {speed.time[-1]:.6g} s; take both from one result, or cut the signal with "
            "signal.between(start, end)"
        )
    at = np.asarray(speed.at(np.clip(signal.time, speed.time[0], speed.time[-1])))
    edges = _edges(bins, at, speed, what)
    which = np.searchsorted(edges, at, side="right") - 1
    which[at == edges[-1]] = len(edges) - 2  # the last class has both its ends
    count = len(edges) - 1
    inside = (which >= 0) & (which < count) & np.isfinite(signal.values)
    which, at, values = which[inside], at[inside], signal.values[inside]
    highest, lowest, met = np.full(count, -np.inf), np.full(count, np.inf), np.full(count, np.nan)
    np.maximum.at(highest, which, values)
    np.minimum.at(lowest, which, values)
    # In increasing order of magnitude: the largest one is written last.
    rising = np.argsort(np.abs(values), kind="stable")
    met[which[rising]] = at[rising]
    if not len(values):
        raise SignalError(
            f'{what}: no sample lies in the classes from {edges[0]:g} to {edges[-1]:g}; "{speed.name}" runs from '
            f"{speed.min():g} to {speed.max():g} {speed.unit}"
        )
    empty_class = np.isinf(highest)
    highest[empty_class] = lowest[empty_class] = np.nan
    return PeakHold(signal.name, edges, highest, lowest, met, speed.name, signal.unit, speed.unit)


MOST_BINS = 1_000_000


def _edges(bins: int | ArrayLike, at: FloatArray, speed: Signal, what: str) -> FloatArray:
    if np.ndim(bins) == 0:
        plain = float(bins) if isinstance(bins, (int, float, np.integer, np.floating)) and bins <= MOST_BINS else 0.0
        count = int(plain) if plain >= 1.0 else 0
        if count < 1 or count != bins:
            raise SignalError(
                f"{what}: bins is a whole number of classes, from 1 to {MOST_BINS}, or their bounds; got {bins!r}"
            )
        low, high = float(at.min()), float(at.max())
        if low == high:
            raise SignalError(
                f'{what}: "{speed.name}" stays at {low:g} {speed.unit}; use signal.max() and signal.min()'
            )
        return np.linspace(low, high, count + 1)
    edges = np.asarray(bins, dtype=np.float64)
    if edges.ndim != 1 or len(edges) < 2 or not np.all(np.diff(edges) > 0.0):
        raise SignalError(f"{what}: bins must be two or more rising bounds of speed, or a number of classes")
    return edges
