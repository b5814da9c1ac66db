"""Amplitude by order: the spectrum of a signal over the angle of a shaft."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pitchline.results.plotter import plotter
from pitchline.results.shaft_rotation import TURN, ShaftRotation, check_turns
from pitchline.results.signal import Signal
from pitchline.results.signal_blocks import block_samples, line_count, smooth
from pitchline.results.windows import Window, amplitudes, check_window

from ..arguments import names_wrong_arguments

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class OrderSpectrum:
    """One-sided amplitude spectrum of the signal `name` over the turns of a shaft.

    order:       (m,), periods a turn, from 0 in steps of 1/revolutions
    amplitude:   (m,) or (m, k), in `unit`: A cos(n θ + φ) shows as a peak of height A at order n
    revolutions: whole turns that went in, from the start of the record
    angle:       name of the angle θ
    """

    kind: ClassVar[str] = "order spectrum"
    warnings: ClassVar[tuple[str, ...]] = ()
    name: str
    order: NDArray[np.float64]
    amplitude: NDArray[np.float64]
    revolutions: int
    angle: str
    unit: str = ""
    components: tuple[str, ...] = ()

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Amplitude over order; options as in `pitchline.views.plot_lines`."""
        return plotter("OrderSpectrum")(self, path=path, **options)


@names_wrong_arguments
def order_spectrum(
    signal: Signal, angle: Signal, *, window: Window = "none", max_order: float | None = None
) -> OrderSpectrum:
    """What the signal does so many times a turn of a shaft, at whatever speed it turns.

        y(θ) = Σ_n A_n cos(n θ + φ_n)   →   A_n at n = 0, 1/R, 2/R, …   with R whole turns in the record

    The signal is taken at equal steps of the angle (dense output of both, so that steps of any length are right) and
    transformed over the whole turns of the record. Without a window, orders that are whole multiples of 1/R come
    out exactly, the others leak; windows as in `spectrum`. max_order: where to stop; by default where the signal has
    two samples a period on average.
    angle: the angle of the shaft [rad], such as `run["hinge.angle"]`, sampled as the signal or not; it must rise or
    fall throughout. Where the shaft rests no angle passes, and nothing counts.
    """
    what = f'order_spectrum of "{signal.name}"'
    check_window(window, what)
    dense = smooth(signal, what)
    turning = ShaftRotation.of(signal, angle, what)
    check_turns(1.0, turning, what, angle, "give a longer record")
    turns = int(np.floor(turning.turns * (1.0 + 1e-9)))
    lines = line_count(max_order, turns, len(signal), what, "max_order")
    count = block_samples(len(signal), lines)
    way = np.minimum(TURN * turns * np.arange(count) / count, turning.length)
    values = np.asarray(dense.at(_inside(turning.time_at(way), signal)))
    found = amplitudes(values, window)[:lines]
    orders = np.arange(len(found)) / turns
    return OrderSpectrum(signal.name, orders, found, turns, angle.name, signal.unit, signal.components)


def _inside(t: NDArray[np.float64], signal: Signal) -> NDArray[np.float64]:
    return np.clip(t, signal.time[0], signal.time[-1])
