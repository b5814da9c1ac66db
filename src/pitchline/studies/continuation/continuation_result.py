"""Continuation: a branch of periodic motions, its stability and its special points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...arguments import names_wrong_arguments
from ...errors import ModelError, PitchlineError, near_names, shown
from ...results.plotter import plotter
from ..points import ParameterValues, Points
from ..study_result import StudyResult, StudyVariable
from .branch_points import DOUBLING, FOLD, INTERSECTION, TORUS, SpecialPoint
from .flow import PeriodicMotion
from .multipliers import ROUNDING, growing

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure

    from .study import ContinuationStudy

__all__ = ["Continuation"]

Array = NDArray[np.float64]


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Continuation:
    """Branch of periodic motions over a parameter, stable and unstable ones, in the order of the branch.

    ``branch["mesh.transmission_error.peak_to_peak"]`` is an array over the points of the branch. The parameter can turn back, so
    that it is not sorted.

    Attributes
    ----------
    name : name of the model
    over, unit : parameter, and its SI unit; shown_unit: unit in which it was specified
    cycles : periods of the excitation in one period of the motion
    parameter : (m,) values of the parameter
    states : (m, n) starts of the motions: deviations from steady rotation, then their rates
    state_names, state_units : of the n states
    figures : reductions over the motion by name, (m,)
    figure_units : their units
    multipliers : (m, n) complex Floquet multipliers of a period of the motion, by falling magnitude
    special : folds, period doublings, tori and intersections with other branches, in the order of the branch
    ended : why the branch ends
    complete : whether it ends at a limit of the parameter, or closes
    free : number of free motions. Their multipliers are 1 and do not affect the stability
    method : text that describes the computation
    warnings : tuple of str
    """

    kind: ClassVar[str] = "continuation"
    name: str
    over: str
    unit: str
    shown_unit: str
    cycles: int
    parameter: Array
    states: Array
    state_names: tuple[str, ...]
    state_units: tuple[str, ...]
    figures: Mapping[str, Array]
    figure_units: Mapping[str, str]
    multipliers: NDArray[np.complex128]
    special: tuple[SpecialPoint, ...]
    ended: str
    complete: bool
    free: int = 0
    method: str = ""
    warnings: tuple[str, ...] = ()
    study: ContinuationStudy | None = field(default=None, repr=False)

    # ---- values

    def __len__(self) -> int:
        return len(self.parameter)

    def __getitem__(self, name: str) -> Array:
        """A reduction, a state or the parameter at all points of the branch, (m,)."""
        if name in self.figures:
            return self.figures[name]
        if name == self.over:
            return self.parameter
        if name in self.state_names:
            return self.states[:, self.state_names.index(name)]
        known = [*self.figures, *self.state_names, self.over]
        raise PitchlineError(f'the branch has no value "{name}"; {near_names(name, known)}')

    def __contains__(self, name: object) -> bool:
        return name in self.figures or name in self.state_names or name == self.over

    @property
    def largest(self) -> Array:
        """(m,) largest magnitude of the multipliers."""
        return np.array([np.abs(growing(mu, self.free)).max(initial=0.0) for mu in self.multipliers])

    @property
    def stable(self) -> NDArray[np.bool_]:
        """(m,) whether no small deviation grows."""
        return np.asarray(self.largest <= 1.0 + ROUNDING)

    @property
    def interrupted(self) -> bool:
        """Whether the computation was stopped from the keyboard."""
        return self.ended.startswith("interrupted")

    @property
    def folds(self) -> tuple[SpecialPoint, ...]:
        """Points at which the branch turns back; a sweep jumps there."""
        return self._of(FOLD)

    @property
    def doublings(self) -> tuple[SpecialPoint, ...]:
        """Points at which a motion of twice the period branches off."""
        return self._of(DOUBLING)

    @property
    def tori(self) -> tuple[SpecialPoint, ...]:
        """Points at which a motion with a second frequency branches off (Neimark-Sacker)."""
        return self._of(TORUS)

    @property
    def intersections(self) -> tuple[SpecialPoint, ...]:
        """Points through which another branch of the same period passes."""
        return self._of(INTERSECTION)

    def _of(self, kind: str) -> tuple[SpecialPoint, ...]:
        return tuple(one for one in self.special if one.kind == kind)

    def at(self, parameter: Any) -> NDArray[np.int64]:
        """Indices of the points next to the places at which the branch passes a value of the parameter."""
        value = self._needed("at()").read_parameter(parameter)
        d = self.parameter - value
        hits = np.flatnonzero(d[:-1] * d[1:] <= 0.0)
        found = np.where(np.abs(d[hits]) <= np.abs(d[hits + 1]), hits, hits + 1)
        return np.unique(found)

    # ---- further computations

    def _needed(self, what: str) -> ContinuationStudy:
        if self.study is None:
            raise PitchlineError(
                f"{what} needs the model, which a branch from a file does not have. Compute the branch again"
            )
        return self.study

    def motion(self, point: int | SpecialPoint) -> PeriodicMotion:
        """The periodic motion at a point: signals over one period of the motion.

        point : index of a point of the branch, or one of its special points.
        """
        k = point.index if isinstance(point, SpecialPoint) else point
        if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or not -len(self) <= k < len(self):
            raise ModelError(f"motion: expected the index of one of the {len(self)} points, got {shown(point)}")
        flow = self._needed("motion()").flow
        return flow.motion(self.states[k], float(self.parameter[k]), self.cycles)

    def switch(self, point: SpecialPoint, *, cycles: int | None = None, **options: Any) -> Continuation:
        """Follow the branch that branches off at a period doubling or at an intersection.

        Parameters
        ----------
        point
            One of `doublings` or `intersections`.
        cycles
            Periods of the excitation in a period of the new motion. Default: twice those of this branch at a period doubling.
        options
            limits, max_step, max_points, as in `continuation`. Default: those of this branch. side=-1: the other half of the
            branch at an intersection.
        """
        return self._needed("switch()").switched(self, point, cycles, **options)

    # ---- other forms

    def to_study(self) -> StudyResult:
        """The arrays of the branch as a result of a study, with the dimension "point"."""
        m = len(self)
        variables = {
            name: StudyVariable(values, self.figure_units.get(name, "")) for name, values in self.figures.items()
        }
        variables |= {
            "states": StudyVariable(self.states, "", ("state",), "deviations from steady rotation, then their rates"),
            "multipliers_real": StudyVariable(self.multipliers.real.copy(), "", ("multiplier",), "Floquet multipliers"),
            "multipliers_imag": StudyVariable(self.multipliers.imag.copy(), "", ("multiplier",), "Floquet multipliers"),
            "stable": StudyVariable(self.stable, "", (), "whether no small deviation grows"),
        }
        special = [
            {"kind": one.kind, "parameter": one.parameter, "index": one.index, "sweep": one.sweep}
            for one in self.special
        ]
        facts = {
            "over": self.over, "cycles": self.cycles, "ended": self.ended, "complete": self.complete, "special": special,
            "state_names": list(self.state_names), "state_units": list(self.state_units), "method": self.method,
        }  # fmt: skip
        points = Points(
            (("point", m),),
            {self.over: ParameterValues(self.parameter, self.unit, self.shown_unit)},
            {self.over: "point"},
        )
        return StudyResult(
            self.name,
            points,
            variables,
            np.zeros(m, np.int8),
            study="continuation",
            warnings=self.warnings,
            facts=facts,
        )

    def to_xarray(self) -> xarray.Dataset:
        """An xarray Dataset with the dimension "point", as the saved file."""
        return self.to_study().to_xarray()

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas DataFrame with one row for each point."""
        return self.to_study().to_pandas()

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the arrays to one file, which `pitchline.load` (as a StudyResult) and netCDF-4 readers open."""
        return self.to_study().save(path, overwrite=overwrite)

    def plot(self, *names: str, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot reductions over the parameter; options as in `pitchline.views.plot_continuation`."""
        return plotter("Continuation")(self, *names, path=path, **options)

    def __repr__(self) -> str:
        counts = [(len(self._of(kind)), kind) for kind in (FOLD, DOUBLING, TORUS, INTERSECTION)]
        found = ", ".join(f"{n} {kind}{'s' if n > 1 else ''}" for n, kind in counts if n) or "no special points"
        low, high = (f"{value:.6g}" for value in (self.parameter.min(), self.parameter.max()))
        return f"Continuation({self.name!r}: {len(self)} points, {self.over} {low} .. {high} {self.unit}, {found})"
