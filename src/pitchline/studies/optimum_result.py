"""Optimum: the result of a search, and the search without derivatives in a box.

Search for the smallest value of a function in the box 0 .. 1 of each coordinate, without derivatives.

The function may be not smooth (the largest of several values) and may fail at some places: then its value is infinite.
Every place is evaluated once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import BudgetError
from pitchline.facades import plotter

from .study_result import StudyResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["GLOBAL", "INTERRUPTED", "LOCAL", "METHODS", "SearchRecord", "search", "Optimum"]


Function = Callable[[FloatArray], float]

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

    places: list[FloatArray] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    stopped: str = ""
    converged: bool = False
    too_long: BudgetError | None = None

    @property
    def best(self) -> int:
        """Index of the smallest value."""
        return int(np.argmin(self.values))


def search(
    function: Function, start: FloatArray, *, method: str, most: int, tolerance: float, seed: int
) -> SearchRecord:
    """Search from a start.

    function : value at a place; infinite if it has none.
    method : "local" (Nelder-Mead) or "global" (differential evolution, then Nelder-Mead from its best place).
    most : largest number of evaluations.
    tolerance : size of the simplex at which the search ends, as a fraction of the ranges.
    """
    found = SearchRecord()
    known: dict[bytes, float] = {}

    def once(place: FloatArray) -> float:
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


def _nelder_mead(function: Function, start: FloatArray, size: float, tolerance: float) -> None:
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


def _evolution(function: Function, start: FloatArray, most: int, tolerance: float, seed: int) -> None:
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


# ---- optimum result

# Optimum: the best parameter values that a search found, with all its evaluations.


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Optimum:
    """Best parameter values. Made by `optimum`.

    Attributes
    ----------
    name : str
        Name of the model.
    figure : str
        The figure that was minimised or maximised.
    best : dict
        Best value of each parameter, in SI units.
    value : float
        The figure there, of all cases together, in SI units.
    start : dict
        Parameter values at which the search started.
    start_value : float
        The figure there; nan if it has no value.
    units : dict
        SI unit of each parameter and figure.
    figures : dict
        Figures at the best values, one number for each case.
    start_figures : dict
        The same at the start.
    evaluations : StudyResult
        All evaluated points, in order.
    converged : bool
    stopped : str
        Why the search ended.
    warnings : tuple of str
    """

    kind: ClassVar[str] = "optimum"
    name: str
    figure: str
    best: Mapping[str, float]
    value: float
    start: Mapping[str, float]
    start_value: float
    units: Mapping[str, str]
    figures: Mapping[str, FloatArray]
    start_figures: Mapping[str, FloatArray]
    evaluations: StudyResult
    converged: bool
    stopped: str
    warnings: tuple[str, ...] = field(default=())

    @property
    def interrupted(self) -> bool:
        """Whether the search was stopped from the keyboard."""
        return self.stopped == INTERRUPTED

    @property
    def count(self) -> int:
        """Number of evaluated points."""
        return len(self.evaluations)

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write all evaluations to a file, which `pitchline.load` opens as a `StudyResult`."""
        return self.evaluations.save(path, overwrite=overwrite)

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot the figure and the parameters over the evaluations; options as in `pitchline.views.plot_optimum`."""
        return plotter("Optimum")(self, path=path, **options)

    def __repr__(self) -> str:
        best = ", ".join(f"{name}={value:.6g} {self.units.get(name, '')}".rstrip() for name, value in self.best.items())
        unit = self.units.get(self.figure, "")
        return (
            f"Optimum({self.figure} = {self.value:.6g}{' ' + unit if unit else ''} at {best}; {self.count} evaluations)"
        )
