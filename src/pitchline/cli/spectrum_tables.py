"""Spectra, orders, folded signals and multipliers as tables: column heads and rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from .contact_tables import Table

__all__ = ["spectrum_table"]


def spectrum_table(found: Any) -> Table | None:
    """Table of a signal analysis or of Floquet multipliers; None for other objects."""
    from ..results import Floquet, Folded, OrderMap, OrderSpectrum, OrderTrack, PeakHold, Spectrogram, Spectrum

    if isinstance(found, Spectrum | OrderSpectrum):
        first, head = (found.frequency, "frequency [Hz]") if isinstance(found, Spectrum) else (found.order, "order")
        columns = np.atleast_2d(found.amplitude.T)
        names = [f"{found.name}.{label}" for label in found.components] or [found.name]
        heads = [head, *(f"amplitude of {name} [{found.unit or '1'}]" for name in names)]
        return heads, zip(first, *columns, strict=True)
    if isinstance(found, Spectrogram):
        heads = ["time [s]", *(f"{f:.6g} Hz" for f in found.frequency)]
        return heads, ([t, *row] for t, row in zip(found.time, found.amplitude, strict=True))
    if isinstance(found, OrderMap):
        heads = ["time [s]", "speed [rad/s]", *(f"order {n:.6g}" for n in found.order)]
        return heads, ([t, v, *row] for t, v, row in zip(found.time, found.speed, found.amplitude, strict=True))
    if isinstance(found, OrderTrack):
        heads = ["time [s]", "speed [rad/s]", f"amplitude [{found.unit or '1'}]", "phase [rad]"]
        return heads, zip(found.time, found.speed, found.amplitude, found.phase, strict=True)
    if isinstance(found, PeakHold):
        unit, speed = found.unit or "1", found.speed_unit or "1"
        heads = [f"from [{speed}]", f"to [{speed}]", f"lowest [{unit}]", f"highest [{unit}]", f"largest at [{speed}]"]
        return heads, zip(found.edges[:-1], found.edges[1:], found.lowest, found.highest, found.peak_speed, strict=True)
    if isinstance(found, Folded):
        heads = ["phase", *(f"{what} [{found.unit or '1'}]" for what in ("mean", "lowest", "highest"))]
        return heads, zip(found.phase, found.mean, found.low, found.high, strict=True)
    if isinstance(found, Floquet):
        heads = ["speed [rad/s]", "ripple", "largest multiplier", "growth [1/s]"]
        places = [(i, j) for i in range(len(found.speeds)) for j in range(len(found.ripples))]
        return heads, ([found.speeds[i], found.ripples[j], found.largest[i, j], found.growth[i, j]] for i, j in places)
    return None
