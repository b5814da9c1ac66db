"""One order of a signal over a run: its amplitude and phase."""

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
from pitchline.results.signal_blocks import block_samples, block_starts, check_overlap, samples_between, scalar, smooth
from pitchline.results.windows import Window, check_window, half_width, weights

from ..arguments import names_wrong_arguments

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PER_PERIOD = 16
"""Samples in a period of the order, at least."""


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class OrderTrack:
    """Component A cos(n θ + φ) of the signal `name`, along a run.

    order:       n, periods per revolution
    time, speed: (b,), s and rad/s, in the middle (by angle) of each window; the speed is negative if the angle decreases
    amplitude:   (b,), A in `unit`
    phase:       (b,), φ in rad, without jumps, relative to the angle θ for either direction of rotation
    revolutions: revolutions in a window
    angle:       name of the angle θ
    """

    kind: ClassVar[str] = "order track"
    warnings: ClassVar[tuple[str, ...]] = ()
    name: str
    order: float
    time: NDArray[np.float64]
    speed: NDArray[np.float64]
    amplitude: NDArray[np.float64]
    phase: NDArray[np.float64]
    revolutions: float
    angle: str
    unit: str = ""

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot amplitude and phase over speed; options as in `pitchline.views.plot_track`."""
        return plotter("OrderTrack")(self, path=path, **options)


@names_wrong_arguments
def order_track(
    signal: Signal,
    angle: Signal | None,
    order: float,
    *,
    speed: Signal | None = None,
    revolutions: float | None = None,
    periods: int | None = None,
    window: Window = "hann",
    overlap: float = 0.9,
) -> OrderTrack:
    """Compute amplitude and phase of one order along a run with a window that slides over the angle.

        A exp(iφ) = (2 / Σ w) Σ_j w_j y(θ_j) exp(−i n θ_j)

    over equal steps of the angle in each window. The window has whole periods of the order: specify `revolutions` or
    `periods`; the default is the fewest periods that take two revolutions or more. The mean is then removed exactly, and so
    are orders m for which abs(m − n) is a whole multiple of 1/R, with R revolutions in the window, from the first multiple
    ("none"), the second ("hann") or the fifth ("flattop"). Two revolutions with "hann" separate all whole orders. A mean or
    an amplitude that grows linearly in the window leaks by its growth in the window times 1/(2π ν) ("none") or
    1/(2π ν (ν² − 1)) ("hann"), with ν = 2 n R for an amplitude; for a mean twice that, with ν = n R. A short window follows
    fast changes, a long window separates orders that are close together. angle, speed: angle of the shaft [rad]; or None, and
    its speed [rad/s], which is integrated.
    """
    what = f'order_track of "{signal.name}"'
    scalar(signal, what)
    check_window(window, what)
    check_overlap(overlap, what)
    if not (np.isfinite(order) and order > 0.0):
        raise SignalError(f"{what}: the order must be greater than zero, got {order:g}; the mean is signal.mean()")
    count, turns = _window(order, revolutions, periods, window, what)
    dense = smooth(signal, what)
    angle = angle_or_speed(angle, speed, what)
    turning = ShaftRotation.of(signal, angle, what)
    check_turns(turns, turning, what, angle, "give a longer record, or a shorter window (revolutions, periods)")
    width = min(TURN * turns, turning.length)
    starts = block_starts(turning.length, width, overlap)
    held = samples_between(signal.time, turning.time_at(starts), turning.time_at(starts + width))
    found = np.empty(len(starts), dtype=np.complex128)
    for b, start in enumerate(starts):
        n = block_samples(int(held[b]), _PER_PERIOD * count)
        way = start + width * np.arange(n) / n
        t = np.clip(turning.time_at(way), signal.time[0], signal.time[-1])
        w = weights(window, n)
        wave = np.exp(-1j * order * turning.angle_at(way))
        found[b] = 2.0 * np.sum(w * np.asarray(dense.at(t)) * wave) / w.sum()
    middle = turning.time_at(starts + 0.5 * width)
    return OrderTrack(
        signal.name, float(order), middle, turning.speed_at(middle), np.abs(found), np.unwrap(np.angle(found)), turns,
        angle.name, signal.unit,
    )  # fmt: skip


def _window(
    order: float, revolutions: float | None, periods: int | None, window: Window, what: str
) -> tuple[int, float]:
    """Whole periods of the order in a window, and the revolutions they take."""
    fewest = half_width(window)
    if revolutions is not None and periods is not None:
        raise SignalError(f"{what}: revolutions and periods both set the window; give one of them")
    if periods is not None:
        count = float(periods)
    elif revolutions is not None:
        count = order * revolutions
    else:
        count = float(max(fewest, np.ceil(2.0 * order - 1e-9)))
    if not np.isfinite(count) or count <= 0.0:
        raise SignalError(f"{what}: the window must be positive and finite, got {count:g} periods of order {order:g}")
    whole = round(count)
    if abs(count - whole) > 1e-6 * max(1.0, count):
        raise SignalError(
            f"{what}: a window must hold whole periods of the order, but has {count:.6g} of order {order:g}; "
            f"give periods={max(fewest, whole)}, or revolutions={max(fewest, whole) / order:.6g}"
        )
    if whole < fewest:
        raise SignalError(
            f'{what}: the window "{window}" needs {fewest} periods of the order or more, got {whole}; '
            f"give periods={fewest}, or another window"
        )
    return whole, whole / order
