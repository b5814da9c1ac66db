"""Search for the smallest value of a function in the box 0 .. 1 of each coordinate, without derivatives.

The function may be not smooth (the largest of several values) and may fail at some places: then its value is infinite.
Every place is evaluated once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...errors import BudgetError

__all__ = ["GLOBAL", "INTERRUPTED", "LOCAL", "METHODS", "SearchRecord", "search"]

Array = NDArray[np.float64]
Function = Callable[[Array], float]

INTERRUPTED = "interrupted from the keyboard"
"""Reason of the end of a search that was stopped."""
LOCAL, GLOBAL = "local", "global"
METHODS = (LOCAL, GLOBAL)
_FIRST_SIMPLEX = 0.25
"""Size of the first simplex, as a fraction of the ranges."""
_SECOND_SIMPLEX = 0.03
"""Size of the simplex after a restart, which shows whether the first search ended at a minimum."""

_NO_VALUE = 1e100
"""Value for the search at places where the function has none; differences and squares of it are numbers."""


class _Enough(Exception):
    """The largest number of evaluations is reached."""


@dataclass
class SearchRecord:
    """Places and values of a search, in the order of the evaluations.

    stopped : why it ended
    converged : whether the places of the last steps are closer than the tolerance
    too_long : error of the budget that ended it
    """

    places: list[Array] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    stopped: str = ""
    converged: bool = False
    too_long: BudgetError | None = None

    @property
    def best(self) -> int:
        """Index of the smallest value."""
        return int(np.argmin(self.values))


def search(function: Function, start: Array, *, method: str, most: int, tolerance: float, seed: int) -> SearchRecord:
    """Search from a start.

    function : value at a place; infinite if it has none.
    method : "local" (Nelder-Mead) or "global" (differential evolution, then Nelder-Mead from its best place).
    most : largest number of evaluations.
    tolerance : size of the simplex at which the search ends, as a fraction of the ranges.
    """
    found = SearchRecord()
    known: dict[bytes, float] = {}

    def once(place: Array) -> float:
        x = np.clip(np.asarray(place, dtype=np.float64), 0.0, 1.0)
        key = x.tobytes()
        if key not in known:
            if len(found.values) >= most:
                raise _Enough
            value = float(function(x))
            found.places.append(x)
            found.values.append(value)
            known[key] = value if np.isfinite(value) else _NO_VALUE
        return known[key]

    try:
        once(start)
        if method == GLOBAL:
            _evolution(once, start, most, tolerance, seed)
        for size in (_FIRST_SIMPLEX if method == LOCAL else _SECOND_SIMPLEX, _SECOND_SIMPLEX):
            before = found.best
            _nelder_mead(once, found.places[before], size, tolerance)
            if found.best == before:
                break
        found.stopped, found.converged = f"converged: the last steps are below {tolerance:g} of the ranges", True
    except _Enough:
        found.stopped = f"the limit of {most} evaluations was reached. Specify more with evaluations"
    except KeyboardInterrupt:
        if not found.values:
            raise
        found.stopped = INTERRUPTED
    except BudgetError as error:
        if not found.values:
            raise
        found.stopped, found.too_long = str(error), error
    return found


def _nelder_mead(function: Function, start: Array, size: float, tolerance: float) -> None:
    """Simplex search. The ends of the box are reached exactly."""
    from scipy.optimize import minimize

    simplex = np.tile(start, (len(start) + 1, 1))
    for k in range(len(start)):  # into the box
        simplex[k + 1, k] += size if start[k] + size <= 1.0 else -size
    options = {
        "initial_simplex": simplex,
        "xatol": tolerance,
        "fatol": np.inf,
        "maxfev": 10**6,
        "maxiter": 10**6,
        "adaptive": len(start) > 4,
    }
    minimize(function, start, method="Nelder-Mead", bounds=[(0.0, 1.0)] * len(start), options=options)


def _evolution(function: Function, start: Array, most: int, tolerance: float, seed: int) -> None:
    """Differential evolution. Half of the evaluations, at most, so that the best place can be refined."""
    from scipy.optimize import differential_evolution

    n, random = len(start), np.random.default_rng(seed)
    count = max(8, min(10 * n, most // 6))
    first = random.random((count, n))
    first[0] = start
    generations = max(1, most // (2 * count) - 1)
    differential_evolution(
        function,
        [(0.0, 1.0)] * n,
        init=first,
        maxiter=generations,
        tol=tolerance,
        polish=False,
        seed=random,
        updating="immediate",
    )
