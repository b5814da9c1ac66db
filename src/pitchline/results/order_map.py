"""Amplitude over order and speed: transforms of short stretches of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pitchline.results.errors import SignalError
from pitchline.results.plotter import plotter
from pitchline.results.shaft_rotation import TURN, ShaftRotation, check_turns
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


@dataclass(frozen=True, eq=False)
class OrderMap:
    """Amplitude of the signal `name` by order, for stretches of a run one after the other.

    order:       (m,), periods a turn, from 0 in steps of 1/revolutions
    time, speed: (b,), s and rad/s, at the middle (by angle) of each stretch; the speed is negative where the angle falls
    amplitude:   (b, m), in `unit`: A cos(n θ + φ) shows as A at order n
    revolutions: turns in a stretch
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
        """A map of colours over speed and order; options as in `pitchline.views.plot_map`."""
        return plotter("OrderMap")(self, path=path, **options)


@names_wrong_arguments
def order_map(
    signal: Signal,
    angle: Signal,
    *,
    revolutions: float = 4.0,
    overlap: float = 0.75,
    window: Window = "hann",
    max_order: float | None = None,
) -> OrderMap:
    """Amplitude over order and speed, as a run-up is looked at: what follows the shaft stands at one order.

    Stretches of `revolutions` turns (a part of a turn is allowed), each sharing at least the part `overlap` with the
    next, are transformed as by `order_spectrum`. Lines are 1/revolutions apart; two orders are told apart where they
    differ by more than two lines ("hann"), and what changes within a stretch is averaged over it: the choice of
    `revolutions` is between both. A resonance of fixed frequency f is a hyperbola, order = 2π f / speed.
    max_order: where to stop; by default where the stretch with the fewest samples has two of them a period.
    """
    what = f'order_map of "{signal.name}"'
    scalar(signal, what)
    check_window(window, what)
    check_overlap(overlap, what)
    if not revolutions > 0.0:
        raise SignalError(f"{what}: revolutions must be greater than zero, got {revolutions:g}")
    dense = smooth(signal, what)
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
    speed = turning.speed_at(middle)
    return OrderMap(signal.name, orders, middle, speed, found, float(revolutions), angle.name, signal.unit)
