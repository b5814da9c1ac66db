"""Functions in expressions of figures: values of a signal or of a list, and arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..results import Signal
from ..results.errors import SignalError
from ..units.table import NONE, RATE, Exponents
from .amounts import AmountError
from .amplitudes import amplitude
from .figure_lists import below, interpolated, nearest, percentile, repeats, rows, select, std
from .figure_numbers import Array, Numbers, aligned, combined, powered, series_like
from .figure_passages import durations_above, nonzero, part_above, peaks_above, period, starts_above

__all__ = ["FUNCTIONS", "FigureFunction"]

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


def _last_axis(a: Numbers) -> Array:
    return np.atleast_1d(a.values)


def _reduced(
    name: str, of_list: Callable[[Array], Array], of_signal: Callable[[Signal], Any]
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


def _time_of(name: str, place: Callable[[Array], Any]) -> Callable[[Numbers], Numbers]:
    def apply(a: Numbers) -> Numbers:
        signal = _needs_signal(a, name)
        if a.values.ndim != 1:
            raise AmountError(f"{name}(...) takes one component. Specify it, or use norm(...)")
        return Numbers(np.asarray(signal.time[int(place(a.values))] if a.known else 1.0), _TIME, "s", known=a.known)

    return apply


def _at_extreme(name: str, place: Callable[[Array], Any]) -> Callable[[Numbers, Numbers], Numbers]:
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


def _components(a: Numbers, name: str) -> Array:
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


def _rms(values: Array) -> Array:
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
