"""Amplitude over order and speed: spectra of short blocks of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pitchline.results.errors import SignalError
from pitchline.results.plotter import plotter
from pitchline.results.shaft_rotation import TURN, ShaftRotation, angle_or_speed, check_turns
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


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class OrderMap:
    """Amplitude of the signal `name` by order, in blocks of a run.

    order:       (m,), periods per revolution, from 0 in steps of 1/revolutions
    time, speed: (b,), s and rad/s, in the middle (by angle) of each block; the speed is negative if the angle decreases
    amplitude:   (b, m), in `unit`: A cos(n θ + φ) gives A at order n
    revolutions: revolutions in a block
    angle:       name of the angle θ
    """

    kind: ClassVar[str] = "order map"
    warnings: ClassVar[tuple[str, ...]] = ()
    name: str
    order: NDArray[np.float64]
    time: NDArray[np.float64]
    speed: NDArray[np.float64]
    amplitude: NDArray[np.float64]
    revolutions: float
    angle: str
    unit: str = ""

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot a map over speed and order, or over speed and frequency; options as in `pitchline.views.plot_map`."""
        return plotter("OrderMap")(self, path=path, **options)


@names_wrong_arguments
def order_map(
    signal: Signal,
    angle: Signal | None = None,
    *,
    speed: Signal | None = None,
    revolutions: float = 4.0,
    overlap: float = 0.75,
    window: Window = "hann",
    max_order: float | None = None,
) -> OrderMap:
    """Compute amplitude over order and speed of a run-up: excitation by the shaft appears at constant order.

    Blocks of `revolutions` (it may be a fraction) are transformed as in `order_spectrum`. Each block overlaps the next one
    by at least the fraction `overlap`. Lines are 1/revolutions apart. Two orders are separated if they differ by more than
    two lines ("hann"), and changes within a block are averaged. A larger value of `revolutions` separates orders better,
    a smaller value follows fast changes better. A resonance of fixed frequency f is a hyperbola, order = 2π f / speed.
    max_order: highest order; by default the block with the fewest samples has two samples per period.
    angle, speed: angle of the shaft [rad], or its speed [rad/s], which is integrated. Specify one of them.
    """
    what = f'order_map of "{signal.name}"'
    scalar(signal, what)
    check_window(window, what)
    check_overlap(overlap, what)
    if not revolutions > 0.0:
        raise SignalError(f"{what}: revolutions must be greater than zero, got {revolutions:g}")
    dense = smooth(signal, what)
    angle = angle_or_speed(angle, speed, what)
    turning = ShaftRotation.of(signal, angle, what)
    check_turns(revolutions, turning, what, angle, "give a longer record, or fewer revolutions")
    width = min(TURN * revolutions, turning.length)
    starts = block_starts(turning.length, width, overlap)
    held = samples_between(signal.time, turning.time_at(starts), turning.time_at(starts + width))
    lines = line_count(max_order, revolutions, int(held.min()), what, "max_order")
    found = np.empty((len(starts), lines))
    for b, start in enumerate(starts):
        count = block_samples(int(held[b]), lines)
        t = turning.time_at(start + width * np.arange(count) / count)
        values = np.asarray(dense.at(np.clip(t, signal.time[0], signal.time[-1])))
        found[b] = amplitudes(values, window)[:lines]
    middle = turning.time_at(starts + 0.5 * width)
    orders = np.arange(lines) / revolutions
    return OrderMap(
        signal.name, orders, middle, turning.speed_at(middle), found, float(revolutions), angle.name, signal.unit
    )
