"""Smooth interpolation of signals, and overlapping blocks."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pitchline.results.errors import SignalError
from pitchline.results.signal import Signal

FloatArray = NDArray[np.float64]

_FEWEST_SAMPLES = 64


def smooth(signal: Signal, what: str) -> Signal:
    """The signal with a `rate`, so that `at()` is a cubic between samples.

    A signal without rate gets the slope of the parabola through each sample and its two neighbours. A jump, recorded as two
    samples at one time, is kept. The amplitude of a sine with N samples per period is then too small by a fraction of about
    20/N⁴: 5e-3 for N = 8, 3e-4 for N = 16.
    """
    if len(signal) < 3:
        raise SignalError(f'{what}: "{signal.name}" has {len(signal)} samples; three or more are needed')
    if not np.all(np.isfinite(signal.values)):
        bad = int(np.argmin(np.isfinite(signal.values).reshape(len(signal), -1).all(axis=1)))
        raise SignalError(
            f'{what}: "{signal.name}" is {signal.values[bad]} at t = {signal.time[bad]:g} s; '
            "cut that part off with signal.between(start, end)"
        )
    if signal.rate is not None:
        return signal
    rate = np.zeros_like(signal.values)
    pieces = np.flatnonzero(np.diff(signal.time) == 0.0) + 1
    for part in np.split(np.arange(len(signal)), pieces):
        if len(part) > 1:
            piece = slice(part[0], part[-1] + 1)
            edge: Literal[1, 2] = 2 if len(part) > 2 else 1
            rate[piece] = np.gradient(signal.values[piece], signal.time[piece], axis=0, edge_order=edge)
    return replace(signal, rate=rate)


def scalar(signal: Signal, what: str) -> None:
    """Raise an error for a signal with components."""
    if signal.components:
        first = signal.components[0]
        raise SignalError(
            f'{what}: "{signal.name}" has the components {", ".join(signal.components)}; '
            f'take one, such as signal["{first}"], or signal.norm()'
        )


def check_overlap(overlap: float, what: str) -> None:
    """Raise an error if blocks do not advance."""
    if not 0.0 <= overlap < 1.0:
        raise SignalError(f"{what}: overlap is the shared part of two blocks, from 0 to below 1, got {overlap:g}")


def block_starts(length: float, width: float, overlap: float) -> FloatArray:
    """Starts of blocks of a width in 0 … length: equally spaced, the last block ends at the end, with this least overlap."""
    room = max(0.0, length - width)
    count = 1 + int(np.ceil(room / (width * (1.0 - overlap)) - 1e-9))
    return np.linspace(0.0, room, count)


def block_samples(held: int, lines: int) -> int:
    """Number of samples of a block: a power of two, large enough that there is no aliasing.

    held: samples of the signal in the block. lines: requested lines of the transform.
    """
    return 1 << int(np.ceil(np.log2(max(2 * held, 2 * lines, _FEWEST_SAMPLES))))


def samples_between(time: FloatArray, first: FloatArray, last: FloatArray) -> NDArray[np.int64]:
    """Number of samples of `time` in each block first … last."""
    return np.searchsorted(time, last, side="right") - np.searchsorted(time, first, side="left")


def line_count(highest: float | None, width: float, held: int, what: str, name: str) -> int:
    """Lines of a transform over `width` (revolutions or seconds) from 0 to `highest`, or to the limit of `held` samples."""
    if highest is None:
        return max(2, held // 2 + 1)
    if not highest > 0.0:
        raise SignalError(f"{what}: {name} must be greater than zero, got {highest:g}")
    return int(np.floor(highest * width + 1e-9)) + 1
