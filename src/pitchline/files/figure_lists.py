"""Functions of figures for lists, e.g. of the values at all points of a study: percentiles, spread, selection, interpolation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..units.table import NONE
from .amounts import AmountError
from .figure_numbers import Array, Numbers, listed

__all__ = ["below", "interpolated", "nearest", "percentile", "repeats", "rows", "select", "std"]


def _list(a: Numbers, name: str) -> Array:
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
