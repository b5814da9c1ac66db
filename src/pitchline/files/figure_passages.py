"""Functions of figures for intervals of a signal above a level: start times, durations, peaks, number.

An interval starts at the first sample above the level and ends at the next sample that is not. Only complete intervals
count,
not those at the start or the end of the record.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..results import Signal
from ..units.table import NONE, Exponents
from .amounts import AmountError
from .figure_numbers import Array, Numbers, series_like

__all__ = ["durations_above", "nonzero", "part_above", "peaks_above", "period", "starts_above"]

_TIME: Exponents = (0, 0, 1, 0, 0, 0)


def _taken(a: Numbers, level: Numbers, name: str) -> Signal:
    """The signal, after a check that it has one component and the dimension of the level."""
    if a.signal is None:
        raise AmountError(f'{name}(...) takes a signal and a level, e.g. {name}("mesh.normal_force", 0)')
    if a.values.ndim != 1:
        raise AmountError(f"{name}(...) takes one component. Specify it, or use norm(...) or sum(...)")
    if level.signal is not None or level.values.ndim or (a.powers[:-1] != level.powers[:-1] and level.values != 0.0):
        raise AmountError(
            f"{name}(...) takes a level of the same dimension as the signal, got {a.dimension} and {level.dimension}"
        )
    return a.signal


def _passages(values: Array, level: float) -> list[tuple[int, int]]:
    """First sample above the level, and next sample that is not, of each interval."""
    above = values > level
    begins = np.flatnonzero(above[1:] & ~above[:-1]) + 1
    ends = np.flatnonzero(above[:-1] & ~above[1:]) + 1
    ends = ends[ends > begins[0]] if len(begins) else ends[:0]
    return [(int(begin), int(end)) for begin, end in zip(begins, ends, strict=False)]


def _list_of(
    name: str, item: Callable[[Signal, Array, int, int], float], *, time: bool
) -> Callable[[Numbers, Numbers], Numbers]:
    def apply(a: Numbers, level: Numbers) -> Numbers:
        signal = _taken(a, level, name)
        powers, unit = (_TIME, "s") if time else (a.powers, a.unit)
        if not (a.known and level.known):
            return Numbers(np.ones(()), powers, unit, known=False, shaped=False)
        found = [item(signal, a.values, *ends) for ends in _passages(a.values, float(level.values))]
        return Numbers(np.array(found, dtype=np.float64), powers, unit)

    return apply


starts_above = _list_of("starts_above", lambda signal, _, begin, __: float(signal.time[begin]), time=True)
durations_above = _list_of(
    "durations_above", lambda signal, _, begin, end: float(signal.time[end] - signal.time[begin]), time=True
)
peaks_above = _list_of("peaks_above", lambda _, values, begin, end: float(values[begin:end].max()), time=False)


def period(a: Numbers, level: Numbers | None = None) -> Numbers:
    """Mean time between two upward passages of a signal through a level, by default the middle of its range. Times are
    interpolated between samples."""
    signal = _taken(a, Numbers(np.zeros(())) if level is None else level, "period")
    if not a.known or (level is not None and not level.known):
        return Numbers(np.ones(()), _TIME, "s", known=False)
    middle = 0.5 * (a.values.max() + a.values.min()) if level is None else float(level.values)
    below, above = a.values[:-1], a.values[1:]
    at = np.flatnonzero((below < middle) & (above >= middle))
    if len(at) < 2:
        raise AmountError("period(...): the signal passes the level upwards less than twice; use a longer record")
    times = signal.time[at] + (middle - below[at]) / (above[at] - below[at]) * (signal.time[at + 1] - signal.time[at])
    return Numbers(np.asarray((times[-1] - times[0]) / (len(times) - 1)), _TIME, "s")


def part_above(a: Numbers, level: Numbers) -> Numbers:
    """Fraction of the time that a signal is above a level. Samples are weighted by the time between them."""
    signal = _taken(a, level, "part_above")
    if not (a.known and level.known):
        return Numbers(np.ones(()), NONE, known=False)
    above = (a.values > float(level.values)).astype(np.float64)
    if len(above) < 2:
        return Numbers(np.asarray(above.mean()))
    return Numbers(np.asarray(np.trapezoid(above, signal.time) / (signal.time[-1] - signal.time[0])))


def nonzero(a: Numbers) -> Numbers:
    """Number of nonzero components, for a signal at every time; for a list, number of nonzero items."""
    values = np.ones(a.values.shape[:1]) if a.signal is not None else np.ones(())
    if a.known:
        by_time = a.values.reshape(len(a.values), -1) if a.signal is not None else np.atleast_1d(a.values)
        values = np.count_nonzero(by_time, axis=-1)
    array = np.asarray(values)
    return Numbers(
        array, signal=None if a.signal is None else series_like(array, a.signal), known=a.known, shaped=a.shaped
    )
