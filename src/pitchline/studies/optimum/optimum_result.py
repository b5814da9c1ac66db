"""Optimum: the best parameter values that a search found, with all its evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...arguments import names_wrong_arguments
from ...results.plotter import plotter
from ..study_result import StudyResult
from .search import INTERRUPTED

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Optimum"]

Array = NDArray[np.float64]


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
    figures: Mapping[str, Array]
    start_figures: Mapping[str, Array]
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
