"""Amplitude by order: the spectrum of a signal over the angle of a shaft."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pitchline.results.plotter import plotter
from pitchline.results.shaft_rotation import TURN, ShaftRotation, angle_or_speed, check_turns
from pitchline.results.signal import Signal
from pitchline.results.signal_blocks import block_samples, line_count, smooth
from pitchline.results.windows import Window, amplitudes, check_window

from ..arguments import names_wrong_arguments

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class OrderSpectrum:
    """One-sided amplitude spectrum of the signal `name` over the revolutions of a shaft.

    order:       (m,), periods per revolution, from 0 in steps of 1/revolutions
    amplitude:   (m,) or (m, k), in `unit`: A cos(n θ + φ) gives a peak of height A at order n
    revolutions: whole revolutions used, from the start of the record
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
        """Plot amplitude over order; options as in `pitchline.views.plot_lines`."""
        return plotter("OrderSpectrum")(self, path=path, **options)


@names_wrong_arguments
def order_spectrum(
    signal: Signal,
    angle: Signal | None = None,
    *,
    speed: Signal | None = None,
    window: Window = "none",
    max_order: float | None = None,
) -> OrderSpectrum:
    """Compute the amplitude spectrum over the angle of a shaft, at constant or changing speed.

        y(θ) = Σ_n A_n cos(n θ + φ_n)   →   A_n at n = 0, 1/R, 2/R, …   with R whole revolutions in the record

    The signal is interpolated at equal steps of the angle, so time steps may have any length. All whole revolutions of the
    record are transformed. Without a window, orders that are whole multiples of 1/R are exact, and others leak; windows as
    in `spectrum`. max_order: highest order; by default the signal has two samples per period on average.
    angle: angle of the shaft [rad], such as `run["hinge.angle"]`. Its samples may differ from those of the signal. It must
    increase or decrease throughout. Times at which the shaft is at rest have no effect.
    speed: instead of the angle, its speed [rad/s], which is integrated.
    """
    what = f'order_spectrum of "{signal.name}"'
    check_window(window, what)
    dense = smooth(signal, what)
    angle = angle_or_speed(angle, speed, what)
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
