"""Functions in expressions of figures: values of a signal or of a list, and arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pitchline.base.types import AnyArray
from pitchline.results.signal import Signal
from pitchline.results.status import SignalError
from pitchline.units.parser import NONE, RATE, Exponents

from .amounts import AmountError
from .figure_numbers import Numbers, aligned, combined, listed, powered, series_like

__all__ = [
    "amplitude",
    "below",
    "interpolated",
    "nearest",
    "percentile",
    "repeats",
    "rows",
    "select",
    "std",
    "durations_above",
    "nonzero",
    "part_above",
    "peaks_above",
    "period",
    "starts_above",
    "FUNCTIONS",
    "FigureFunction",
]


# ---- amplitudes

# Amplitude of one frequency or order in a record.


def amplitude(values: npt.NDArray[np.float64], x: npt.NDArray[np.float64], period: float, what: str) -> Any:
    """A = (2/X) |∫ y exp(-2πi x/p) dx| over the last whole periods p of the record; x is the time, or an angle with p =
    2π/order.

    values: (n,) or (n, k); what: the frequency or order, for messages. AmountError if the record does not contain it.
    """
    if np.any(np.diff(x) < 0.0):
        raise AmountError(
            f"{what}: the angle changes direction. Orders need an angle that always increases or always decreases"
        )
    count = int(np.floor((x[-1] - x[0]) / period * (1.0 + 1e-9) + 1e-9)) if len(x) else 0
    if count < 1:
        raise AmountError(f"the record is shorter than one period of {what}. Increase the duration")
    start = max(x[-1] - count * period, x[0])
    inner = x > start
    first = [np.interp(start, x, column) for column in np.atleast_2d(values.T)]
    y = np.column_stack(
        [np.concatenate([[f], column[inner]]) for f, column in zip(first, np.atleast_2d(values.T), strict=True)]
    )
    x = np.concatenate([[start], x[inner]])
    if len(x) < 2 * count + 1:
        raise AmountError(f"fewer than two samples per period of {what}. Specify a smaller output_step")
    wave = np.exp(-2j * np.pi * x / period)[:, None]
    found = 2.0 * np.abs(np.trapezoid(y * wave, x, axis=0)) / (x[-1] - x[0])
    return found[0] if values.ndim == 1 else found


# ---- figure lists

# Functions of figures for lists, e.g. of the values at all points of a study: percentiles, spread, selection,
# interpolation.


def _list(a: Numbers, name: str) -> AnyArray:
    """Values of a list with one index."""
    if a.signal is not None:
        raise AmountError(f"{name}(...) takes a list, not a signal over time")
    if a.shaped and a.values.ndim > 1:
        raise AmountError(f"{name}(...) takes a list of numbers. Select one with an index, e.g. [0]")
    values = np.atleast_1d(a.values)
    return values.astype(float) if values.dtype == bool else values


def _number(a: Numbers, name: str, what: str) -> float:
    if a.signal is not None or (a.shaped and a.values.ndim):
        raise AmountError(f"{name}(...): {what} must be one number")
    return float(a.values)


def _planned(a: Numbers, *, as_list: bool = False) -> Numbers:
    """Placeholder before the run."""
    return replace(a, values=np.ones(()), signal=None, known=False, shaped=not as_list)


def percentile(a: Numbers, percent: Numbers) -> Numbers:
    """Value of a list that this percentage of the items does not exceed; linear between items."""
    values, p = _list(a, "percentile"), _number(percent, "percentile", "the percentage")
    if percent.powers != NONE or (percent.known and not 0.0 <= p <= 100.0):
        raise AmountError(f"percentile(...): the percentage must be a number from 0 to 100, got {p:g}")
    if not (a.known and percent.known):
        return _planned(a)
    if not len(values):
        raise AmountError("percentile(...): the list contains no values")
    return a.with_(np.percentile(values, p))


def std(a: Numbers) -> Numbers:
    """Standard deviation of the items of a list, estimated from them as from a sample."""
    values = _list(a, "std")
    if not a.known:
        return _planned(a)
    if len(values) < 2:
        raise AmountError(f"std(...) takes a list of at least two values, got {len(values)}")
    return a.with_(np.std(values, ddof=1))


def select(a: Numbers, condition: Numbers) -> Numbers:
    """Items of a list at which a condition is true: select(x, y > 0)."""
    if a.signal is not None or condition.signal is not None:
        raise AmountError("select(...) takes lists, not signals over time")
    if condition.powers != NONE:
        raise AmountError(f"select(...): the condition must be a comparison of lists, got {condition.dimension}")
    if not (a.known and condition.known):
        return _planned(a, as_list=True)
    if not a.values.ndim or condition.values.shape != a.values.shape[:1]:
        raise AmountError("select(...) takes a list and a condition for each of its items")
    return a.with_(a.values[condition.values != 0])


def repeats(a: Numbers, tolerance: Numbers) -> Numbers:
    """For each row of samples, the number of samples after which it repeats; 0 if it does not repeat within half of its length."""
    limit = _number(tolerance, "repeats", "the tolerance")
    if a.signal is not None or (a.shaped and a.values.ndim != 2):
        raise AmountError('repeats(...) takes rows of samples, e.g. analyses.NAME["mesh.poincare"]')
    if a.powers[:-1] != tolerance.powers[:-1]:
        raise AmountError(f"repeats(...): the samples are {a.dimension}, but the tolerance is {tolerance.dimension}")
    if not (a.known and tolerance.known):
        return Numbers(np.ones(()), known=False, shaped=False)
    found = np.zeros(len(a.values), dtype=int)
    for k in range(a.values.shape[1] // 2, 0, -1):
        found[np.max(np.abs(a.values[:, k:] - a.values[:, :-k]), axis=1) <= limit] = k
    return Numbers(found)


def nearest(x: Numbers, xs: Numbers, ys: Numbers) -> Numbers:
    """Item of ys at the place where xs is nearest to x."""
    if x.powers[:-1] != xs.powers[:-1]:
        raise AmountError(f"nearest(...): x is {x.dimension}, but xs is {xs.dimension}")
    at, known = _number(x, "nearest", "x"), x.known and xs.known and ys.known
    values = _list(xs, "nearest")
    if not known:
        return _planned(ys)
    if not len(values) or not ys.values.ndim or len(ys.values) != len(values):
        raise AmountError("nearest(x, xs, ys) takes two lists of the same length")
    return ys.with_(ys.values[int(np.argmin(np.abs(values - at)))], signal=None)


def interpolated(x: Numbers, xs: Numbers, ys: Numbers) -> Numbers:
    """y at x by linear interpolation between the points (xs, ys); xs must increase."""
    if x.powers[:-1] != xs.powers[:-1]:
        raise AmountError(f"interpolate(...): x is {x.dimension}, but xs is {xs.dimension}")
    known = x.known and xs.known and ys.known
    if not known:
        return ys.with_(np.ones(x.values.shape), signal=None, known=False, shaped=x.shaped)
    if xs.values.ndim != 1 or xs.values.shape != ys.values.shape or np.any(np.diff(xs.values) <= 0.0):
        raise AmountError(
            "interpolate(x, xs, ys) takes two lists of the same length. The values of the first must increase"
        )
    if np.any(x.values < xs.values[0]) or np.any(x.values > xs.values[-1]):
        raise AmountError(
            f"interpolate(...): x is outside the list, which ranges from {xs.values[0]:g} to {xs.values[-1]:g}"
        )
    return ys.with_(np.interp(x.values, xs.values, ys.values), signal=None)


def below(a: Numbers, limit: Numbers) -> Numbers:
    """Items of a list that are smaller than a limit."""
    if a.signal is not None or limit.signal is not None or limit.values.ndim or (a.shaped and a.values.ndim != 1):
        raise AmountError("below(...) takes a list and a limit, e.g. below(analyses.NAME.frequencies, '80 kHz')")
    if a.powers[:-1] != limit.powers[:-1]:
        raise AmountError(
            f"below(...) takes a limit of the same dimension as the list, got {a.dimension} and {limit.dimension}"
        )
    if not (a.known and limit.known):
        return replace(a, known=False, shaped=False, values=np.ones(()))
    return a.with_(a.values[a.values < limit.values])


def rows(*lists: Numbers) -> Numbers:
    """Rows from the items of several lists: all first items, all second items, ..."""
    if not all(x.known for x in lists):
        return replace(listed([x.with_(np.ones(()), shaped=False) for x in lists]), shaped=False)
    if any(x.values.ndim != 1 for x in lists):
        raise AmountError("rows(...) takes lists of the same length")
    stacked = listed(list(lists))
    return stacked.with_(stacked.values.T)


# ---- figure passages

# Functions of figures for intervals of a signal above a level: start times, durations, peaks, number.
#
# An interval starts at the first sample above the level and ends at the next sample that is not. Only complete
# intervals count, not those at the start or the end of the record.

_TIME_figure_passages: Exponents = (0, 0, 1, 0, 0, 0)


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


def _passages(values: AnyArray, level: float) -> list[tuple[int, int]]:
    """First sample above the level, and next sample that is not, of each interval."""
    above = values > level
    begins = np.flatnonzero(above[1:] & ~above[:-1]) + 1
    ends = np.flatnonzero(above[:-1] & ~above[1:]) + 1
    ends = ends[ends > begins[0]] if len(begins) else ends[:0]
    return [(int(begin), int(end)) for begin, end in zip(begins, ends, strict=False)]


def _list_of(
    name: str, item: Callable[[Signal, AnyArray, int, int], float], *, time: bool
) -> Callable[[Numbers, Numbers], Numbers]:
    def apply(a: Numbers, level: Numbers) -> Numbers:
        signal = _taken(a, level, name)
        powers, unit = (_TIME_figure_passages, "s") if time else (a.powers, a.unit)
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
        return Numbers(np.ones(()), _TIME_figure_passages, "s", known=False)
    middle = 0.5 * (a.values.max() + a.values.min()) if level is None else float(level.values)
    below, above = a.values[:-1], a.values[1:]
    at = np.flatnonzero((below < middle) & (above >= middle))
    if len(at) < 2:
        raise AmountError("period(...): the signal passes the level upwards less than twice; use a longer record")
    times = signal.time[at] + (middle - below[at]) / (above[at] - below[at]) * (signal.time[at + 1] - signal.time[at])
    return Numbers(np.asarray((times[-1] - times[0]) / (len(times) - 1)), _TIME_figure_passages, "s")


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


_ANGLE: Exponents = (0, 0, 0, 0, 0, 1)
_TIME: Exponents = (0, 0, 1, 0, 0, 0)


@dataclass(frozen=True)
class FigureFunction:
    """One function.

    call:         takes and returns Numbers
    fewest, most: number of arguments
    `says`:       short description of the returned value
    """

    call: Callable[..., Numbers]
    fewest: int
    most: int
    says: str


# ---- functions of signals and lists


def _last_axis(a: Numbers) -> AnyArray:
    return np.atleast_1d(a.values)


def _reduced(
    name: str, of_list: Callable[[AnyArray], AnyArray], of_signal: Callable[[Signal], Any]
) -> Callable[[Numbers], Numbers]:
    """Value of a signal over time, for each component; for a list over its last index."""

    def apply(a: Numbers) -> Numbers:
        if not a.shaped:
            return a.with_(a.values if a.signal is None else np.ones(()), signal=None)
        if a.signal is not None:
            return a.with_(_sampled(lambda: of_signal(a.signal)), signal=None)  # type: ignore[arg-type]
        if not _last_axis(a).shape[-1]:
            raise AmountError(f"{name}(...): the argument contains no values")
        values = _last_axis(a)
        return a.with_(of_list(values.astype(float) if values.dtype == bool else values))

    return apply


def _sampled(take: Callable[[], Any]) -> Any:
    try:
        return take()
    except SignalError as error:
        raise AmountError(str(error)) from None


def _needs_signal(a: Numbers, name: str) -> Signal:
    if a.signal is None:
        raise AmountError(f'{name}(...) takes a signal, e.g. {name}("mesh.normal_force")')
    return a.signal


def _value(a: Numbers, t: Numbers) -> Numbers:
    """Signal at a time."""
    signal, at = _needs_signal(a, "value"), _seconds(t, "value")
    if not (a.known and t.known):
        return a.with_(np.ones(a.values.shape[1:]), signal=None, known=False)
    return a.with_(_sampled(lambda: signal.at(at)), signal=None)


def _between(a: Numbers, first: Numbers, last: Numbers) -> Numbers:
    """Signal between two times."""
    signal, t0, t1 = _needs_signal(a, "between"), _seconds(first, "between"), _seconds(last, "between")
    if not (a.known and first.known and last.known):
        return replace(a, known=False)
    slack = 1e-9 * (t1 - t0)
    part = _sampled(lambda: signal.between(t0 - slack, t1 + slack))
    return replace(a, values=part.values, signal=part)


def _seconds(t: Numbers, name: str) -> float:
    if t.signal is not None or t.values.ndim or t.powers not in (_TIME, NONE):
        raise AmountError(f"{name}(...) takes a time, e.g. '5 ms', got {t.dimension}")
    return float(t.values)


def _amplitude(a: Numbers, of: Numbers, angle: Numbers | None = None) -> Numbers:
    """amplitude(signal, frequency), or amplitude(signal, order, angle)."""
    signal = _needs_signal(a, "amplitude")
    if of.signal is not None or of.values.ndim:
        raise AmountError("amplitude(...) takes one frequency, or one order and an angle")
    if angle is None:
        if of.powers not in (NONE, RATE):
            raise AmountError(f"amplitude(...) takes a frequency, e.g. '5 kHz', got {of.dimension}")
        frequency = float(of.values) / (2.0 * np.pi if of.powers == RATE else 1.0)
        x, period, what = signal.time, 1.0 / frequency if frequency else np.inf, f"{frequency:g} Hz"
    else:
        turned = _needs_signal(angle, "amplitude")
        if of.powers != NONE or angle.powers != _ANGLE or angle.values.ndim != 1:
            raise AmountError(
                'amplitude(...) of an order takes its number and an angle: amplitude("a.x", 20, "hinge.angle")'
            )
        if a.known and angle.known and not np.array_equal(signal.time, turned.time):
            raise AmountError("amplitude(...): the signal and the angle are not sampled at the same times")
        order = float(of.values)
        x, period, what = (
            np.abs(turned.values - turned.values[0]),
            2.0 * np.pi / order if order else np.inf,
            f"order {order:g}",
        )
    if not (a.known and of.known):
        return a.with_(np.ones(a.values.shape[1:]), signal=None, known=False)
    if not 0.0 < period < np.inf:
        raise AmountError(f"amplitude(...): the frequency or order must be greater than zero, got {what}")
    return a.with_(amplitude(signal.values, x, period, what), signal=None)


def _time_of(name: str, place: Callable[[AnyArray], Any]) -> Callable[[Numbers], Numbers]:
    def apply(a: Numbers) -> Numbers:
        signal = _needs_signal(a, name)
        if a.values.ndim != 1:
            raise AmountError(f"{name}(...) takes one component. Specify it, or use norm(...)")
        return Numbers(np.asarray(signal.time[int(place(a.values))] if a.known else 1.0), _TIME, "s", known=a.known)

    return apply


def _at_extreme(name: str, place: Callable[[AnyArray], Any]) -> Callable[[Numbers, Numbers], Numbers]:
    def apply(a: Numbers, b: Numbers) -> Numbers:
        """Value of b at the maximum or minimum of a."""
        if not (a.known and b.known):
            return b.with_(np.ones(b.values.shape[1:]), signal=None, known=False)
        if a.values.ndim != 1 or not b.values.ndim or len(a.values) != len(b.values) or not len(a.values):
            raise AmountError(
                f"{name}(...) takes two signals or lists of the same length. The first must have one component"
            )
        return b.with_(b.values[int(place(a.values))], signal=None)

    return apply


def _integral(a: Numbers) -> Numbers:
    """Integral over time."""
    signal = _needs_signal(a, "integral")
    p = a.powers
    values = np.trapezoid(signal.values, signal.time, axis=0)
    return a.with_(values, powers=(p[0], p[1], p[2] + 1, *p[3:]), unit="", signal=None)


def _span(a: Numbers) -> Numbers:
    """Duration of a signal."""
    signal = _needs_signal(a, "duration")
    return Numbers(np.asarray(signal.time[-1] - signal.time[0]), _TIME, "s", known=a.known)


def _count(a: Numbers) -> Numbers:
    """Number of items."""
    size = np.atleast_1d(a.values).shape[0] if a.signal is None else a.values.shape[0]
    return Numbers(np.asarray(size), known=a.known and a.shaped)


def _rises(a: Numbers, level: Numbers) -> Numbers:
    """Number of times that a signal rises above a level."""
    _needs_signal(a, "rises")
    if a.values.ndim != 1 or level.values.ndim or (a.powers[:-1] != level.powers[:-1] and level.values != 0.0):
        kinds = f"{a.dimension} and {level.dimension}"
        raise AmountError(
            f"rises(...) takes a signal with one component and a level of the same dimension, got {kinds}"
        )
    above = a.values > level.values
    return Numbers(np.asarray(int(np.sum(above[1:] & ~above[:-1]))), known=a.known and level.known)


def _unwrapped(a: Numbers) -> Numbers:
    """Angle without jumps of a full revolution."""
    if a.powers != _ANGLE or (a.shaped and not a.values.ndim):
        raise AmountError(f"unwrap(...) takes an angle over time, got {a.dimension}")
    if not a.shaped:
        return a
    return _mapped(a, np.unwrap(a.values, axis=0), _ANGLE, a.unit)


# ---- arithmetic


def _mapped(a: Numbers, values: Any, powers: Exponents, unit: str = "") -> Numbers:
    array = a.with_(values).values
    signal = None if a.signal is None else series_like(array, a.signal)
    return replace(a, values=array, powers=powers, unit=unit, signal=signal)


def _of_number(
    name: str, function: Callable[[Any], Any], powers: Exponents = NONE, *, angle: bool = False
) -> Callable[[Numbers], Numbers]:
    def apply(a: Numbers) -> Numbers:
        if a.powers != NONE and not (angle and a.powers == _ANGLE):
            raise AmountError(f"{name}(...) takes {'an angle or a number' if angle else 'a number'}, got {a.dimension}")
        with np.errstate(all="ignore"):
            values = np.asarray(function(a.values))
        if a.known and not np.all(np.isfinite(values)) and np.all(np.isfinite(a.values)):
            raise AmountError(f"{name}(...) of {np.array2string(np.asarray(a.values), threshold=5)} is not a number")
        return _mapped(a, values, powers)

    return apply


def _atan2(y: Numbers, x: Numbers) -> Numbers:
    both = combined(y, x, "+")  # checks the arguments, and has the common shape
    above, right, _ = aligned(y, x)
    return _mapped(both, np.arctan2(above, right), _ANGLE)


def _extreme(name: str, of_two: Any, reduced: Callable[[Numbers], Numbers]) -> Callable[..., Numbers]:
    """Of one signal or list, or of several numbers."""

    def apply(*given: Numbers) -> Numbers:
        if len(given) == 1:
            return reduced(given[0])
        found = given[0]
        for other in given[1:]:
            joined = combined(found, other, "+")
            if joined.signal is not None:
                raise AmountError(
                    f"{name}(...) with several arguments takes numbers. Apply {name}(...) to each signal first"
                )
            found = joined.with_(of_two(found.values, other.values))
        return found

    return apply


def _abs(a: Numbers) -> Numbers:
    return _mapped(a, np.abs(a.values), a.powers, a.unit)


def _components(a: Numbers, name: str) -> AnyArray:
    rank = a.values.ndim - (a.signal is not None)
    if a.shaped and rank != 1:
        raise AmountError(f"{name}(...) takes a vector")
    return a.values


def _norm(a: Numbers) -> Numbers:
    """Length of a vector, for a signal at every time; absolute value of a number."""
    rank = a.values.ndim - (a.signal is not None)
    if not a.shaped or rank == 0:
        return _abs(a)
    return _mapped(a, np.linalg.norm(_components(a, "norm"), axis=-1), a.powers, a.unit)


def _dot(a: Numbers, b: Numbers) -> Numbers:
    _components(a, "dot"), _components(b, "dot")
    product = combined(a, b, "*")
    return _mapped(product, product.values.sum(axis=-1) if product.shaped else product.values, product.powers)


def _cross(a: Numbers, b: Numbers) -> Numbers:
    x, y = _components(a, "cross"), _components(b, "cross")
    product = combined(a, b, "*")
    if not product.shaped:
        return product
    if x.shape[-1] != 3:
        raise AmountError("cross(...) takes vectors with three components")
    return _mapped(product, np.cross(x, y), product.powers)


def _sum(a: Numbers) -> Numbers:
    """Sum of components or items."""
    if not a.shaped or a.values.ndim == (a.signal is not None):
        return a
    return _mapped(a, a.values.sum(axis=-1), a.powers, a.unit)


def _round(a: Numbers) -> Numbers:
    if a.powers != NONE:
        raise AmountError(f"round(...) takes a number, got {a.dimension}")
    return _mapped(a, np.rint(a.values), NONE)


def _rms(values: AnyArray) -> AnyArray:
    return np.asarray(np.sqrt(np.mean(np.square(values), axis=-1)))


_MIN = _reduced("min", lambda v: v.min(axis=-1), Signal.min)
_MAX = _reduced("max", lambda v: v.max(axis=-1), Signal.max)
_MEDIAN = _reduced("median", lambda v: np.asarray(np.median(v, axis=-1)), lambda s: np.median(s.values, axis=0))

FUNCTIONS: dict[str, FigureFunction] = {
    "initial": FigureFunction(_reduced("initial", lambda v: v[..., 0], lambda s: s.initial), 1, 1, "first value"),
    "final": FigureFunction(_reduced("final", lambda v: v[..., -1], lambda s: s.final), 1, 1, "last value"),
    "mean": FigureFunction(
        _reduced("mean", lambda v: v.mean(axis=-1), Signal.mean), 1, 1, "mean value; for a signal over time"
    ),
    "rms": FigureFunction(_reduced("rms", _rms, Signal.rms), 1, 1, "root mean square"),
    "min": FigureFunction(
        _extreme("min", np.minimum, _MIN), 1, 64, "smallest value; or the smallest of several numbers"
    ),
    "max": FigureFunction(_extreme("max", np.maximum, _MAX), 1, 64, "largest value; or the largest of several numbers"),
    "median": FigureFunction(_MEDIAN, 1, 1, "middle value"),
    "percentile": FigureFunction(percentile, 2, 2, "value of a list that a percentage of its items does not exceed"),
    "std": FigureFunction(std, 1, 1, "standard deviation of a list"),
    "peak_to_peak": FigureFunction(
        _reduced("peak_to_peak", lambda v: np.ptp(v, axis=-1), Signal.peak_to_peak),
        1,
        1,
        "largest minus smallest value",
    ),
    "value": FigureFunction(_value, 2, 2, "signal at a time: value(\"a.x\", '5 ms')"),
    "between": FigureFunction(_between, 3, 3, "signal between two times"),
    "amplitude": FigureFunction(_amplitude, 2, 3, "amplitude at a frequency, or at an order of an angle"),
    "period": FigureFunction(period, 1, 2, "mean time between upward passages through a level"),
    "integral": FigureFunction(_integral, 1, 1, "integral of a signal over time"),
    "duration": FigureFunction(_span, 1, 1, "duration of a signal"),
    "time_of_max": FigureFunction(_time_of("time_of_max", np.argmax), 1, 1, "time of the maximum of a signal"),
    "time_of_min": FigureFunction(_time_of("time_of_min", np.argmin), 1, 1, "time of the minimum of a signal"),
    "at_max": FigureFunction(_at_extreme("at_max", np.argmax), 2, 2, "value of the second at the maximum of the first"),
    "at_min": FigureFunction(_at_extreme("at_min", np.argmin), 2, 2, "value of the second at the minimum of the first"),
    "rises": FigureFunction(_rises, 2, 2, "number of times that a signal rises above a level"),
    "starts_above": FigureFunction(starts_above, 2, 2, "times at which a signal rises above a level"),
    "durations_above": FigureFunction(durations_above, 2, 2, "durations above a level"),
    "peaks_above": FigureFunction(peaks_above, 2, 2, "largest values above a level, one for each time above it"),
    "part_above": FigureFunction(part_above, 2, 2, "fraction of the time that a signal is above a level"),
    "nonzero": FigureFunction(nonzero, 1, 1, "number of components or items that are not zero"),
    "below": FigureFunction(below, 2, 2, "items of a list below a limit"),
    "select": FigureFunction(select, 2, 2, "items of a list at which a condition is true"),
    "repeats": FigureFunction(repeats, 2, 2, "number of samples after which each row repeats within a tolerance"),
    "nearest": FigureFunction(nearest, 3, 3, "item of ys where xs is nearest to x"),
    "rows": FigureFunction(rows, 1, 16, "rows of the items of several lists"),
    "count": FigureFunction(_count, 1, 1, "number of items or samples"),
    "sum": FigureFunction(_sum, 1, 1, "sum of components or items"),
    "interpolate": FigureFunction(interpolated, 3, 3, "y at x, interpolated between the points of two lists"),
    "norm": FigureFunction(_norm, 1, 1, "length of a vector"),
    "dot": FigureFunction(_dot, 2, 2, "scalar product of two vectors"),
    "cross": FigureFunction(_cross, 2, 2, "vector product of two vectors"),
    "abs": FigureFunction(_abs, 1, 1, "absolute value"),
    "sqrt": FigureFunction(lambda a: powered(a, Numbers(np.asarray(0.5))), 1, 1, "square root"),
    "sin": FigureFunction(_of_number("sin", np.sin, angle=True), 1, 1, "sine"),
    "cos": FigureFunction(_of_number("cos", np.cos, angle=True), 1, 1, "cosine"),
    "tan": FigureFunction(_of_number("tan", np.tan, angle=True), 1, 1, "tangent"),
    "asin": FigureFunction(_of_number("asin", np.arcsin, _ANGLE), 1, 1, "inverse sine"),
    "acos": FigureFunction(_of_number("acos", np.arccos, _ANGLE), 1, 1, "inverse cosine"),
    "atan": FigureFunction(_of_number("atan", np.arctan, _ANGLE), 1, 1, "inverse tangent"),
    "atan2": FigureFunction(_atan2, 2, 2, "angle of a point (y, x)"),
    "exp": FigureFunction(_of_number("exp", np.exp), 1, 1, "exponential function"),
    "log": FigureFunction(_of_number("log", np.log), 1, 1, "natural logarithm"),
    "round": FigureFunction(_round, 1, 1, "nearest integer"),
    "unwrap": FigureFunction(_unwrapped, 1, 1, "angle over time without jumps of a full revolution"),
}
"""Functions by name."""
