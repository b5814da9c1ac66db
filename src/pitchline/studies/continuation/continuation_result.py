"""Result of a continuation: branches, special points, limits, and the checked arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import Elapsed
from pitchline.base.progress.display import stage
from pitchline.base.types import FloatArray
from pitchline.errors import BudgetError, ModelError, PitchlineError, SolveError, near_names, shown
from pitchline.facades import plotter

from ..points.parameter_values import ParameterValues, Points, read_values
from ..sources import Source
from ..study_result import StudyResult, StudyVariable
from .branch import ROUNDING, Branch, Corrector, NotConverged, StepLimits, follow, growing
from .flow import DOUBLING, FOLD, INTERSECTION, TORUS, BranchPoint, Flow, FlowFailed, PeriodicMotion, SpecialPoint

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure

__all__ = [
    "Continuation",
    "without_false_folds",
    "parameter_reader",
    "positive_fraction",
    "read_limits",
    "read_range",
    "whole_number",
    "switched_point",
    "ContinuationStudy",
]


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
    parameter: FloatArray
    states: FloatArray
    state_names: tuple[str, ...]
    state_units: tuple[str, ...]
    figures: Mapping[str, FloatArray]
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

    def __getitem__(self, name: str) -> FloatArray:
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
    def largest(self) -> FloatArray:
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


# ---- fold pairs

# Error of folds by the time steps, and pairs of folds that are nearer than this error.
#
# A motion over time steps that teeth touch or leave within has small corners, at which the branch can turn back and
# forth. With the end z(y, p) of the motion, a fold has a left null vector w of dz/dy - 1. An error e of the end moves
# the fold by
#
# dp = - w · e / (w · dz/dp) .
#
# Two folds that are nearer than a few times this error are not folds of the model.

NEAR = 4.0
"""Distance of two folds, divided by the error, below which they are not distinguished."""


def without_false_folds(branch: Branch, flow: Flow, cycles: int) -> Branch:
    """The branch with the errors of its folds, without pairs that are nearer than the error."""
    special = [
        replace(one, error=max(one.error, _error(flow, branch.points[one.index], cycles))) if one.kind == FOLD else one
        for one in sorted(branch.special, key=lambda one: one.index)
    ]
    folds = [one for one in special if one.kind == FOLD]
    kept: list[SpecialPoint] = []
    group: list[SpecialPoint] = []
    for fold in folds:
        if group and not _is_near(branch, group[-1], fold):
            kept += _of_group(group)
            group = []
        group.append(fold)
    kept += _of_group(group)
    dropped = len(folds) - len(kept)
    if dropped:
        branch.notes.append(
            f"{dropped} of {len(folds)} folds are nearer to others than the error of the time steps, and are left out. Use more "
            "steps"
        )
    branch.special = [one for one in special if one.kind != FOLD or one in kept]
    return branch


def _is_near(branch: Branch, first: SpecialPoint, second: SpecialPoint) -> bool:
    """Whether the branch turns back and forth within the error."""
    if first.sweep == second.sweep:
        return False
    values = [point.parameter for point in branch.points[first.index : second.index + 1]]
    return max(values) - min(values) <= NEAR * max(first.error, second.error)


def _of_group(group: list[SpecialPoint]) -> list[SpecialPoint]:
    """What remains of folds that are not distinguished: none, or the outermost one."""
    if len(group) % 2 == 0:
        return []
    sweep = group[0].sweep
    outermost = max if sweep == "up" else min
    return [outermost((one for one in group if one.sweep == sweep), key=lambda one: one.parameter)]


def _error(flow: Flow, point: BranchPoint, cycles: int) -> float:
    """Error of the parameter of a fold by the time steps; 0 if the flow gives no estimate."""
    refined = getattr(flow, "refined_change", None)
    if refined is None:
        return 0.0
    try:
        change = refined(point.state, point.parameter, cycles)
    except FlowFailed:
        return 0.0
    left, _, _ = np.linalg.svd(point.by_state - np.eye(len(point.state)))
    w = left[:, -1]
    slope = float(w @ point.by_parameter)
    return float(abs(w @ change / slope)) if slope else 0.0


# ---- study options

# Options of a continuation: reading and checks.


def whole_number(value: Any, what: str, least: int) -> int:
    """A whole number that is not smaller than `least`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ModelError(f"continuation: {what} must be a whole number of {least} or more, got {shown(value)}")
    return int(value)


def positive_fraction(value: Any, what: str) -> float:
    """A fraction of the range: greater than zero, and at most 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not 0.0 < float(value) <= 1.0:
        raise ModelError(
            f"continuation: {what} is a fraction of the range, greater than 0 and at most 1, got {shown(value)}"
        )
    return float(value)


def read_limits(limits: Any, read: Callable[[Any], float], start: float) -> tuple[float, float]:
    """Lowest and highest value of the parameter. The start is between them."""
    if not isinstance(limits, (tuple, list)) or len(limits) != 2:
        raise ModelError(f"continuation: limits must be two values of the parameter, got {shown(limits)}")
    low, high = sorted(read(value) for value in limits)
    if not low <= start <= high or low == high:
        raise ModelError(
            f"continuation: the branch starts at {start:g}, which is not between its limits {low:g} and {high:g}"
        )
    return low, high


def parameter_values(source: Source, over: str, given: list[Any]) -> ParameterValues:
    """Values of a parameter of a source in SI units."""
    what = f"continuation: {over}"
    values = read_values(given, what)
    fitted = source.fitted(Points(((over, len(given)),), {over: values}, {over: over})).axes[over]
    if fitted.are_texts or fitted.values.dtype == bool:
        raise ModelError(f"{what} must be a parameter with numbers, got {shown(given[0])}")
    if not np.all(np.isfinite(fitted.values.astype(float))):
        raise ModelError(f"{what}: start and end must be finite numbers, got {shown(given[0])}")
    return fitted


def read_range(source: Source, over: Any, start: Any, end: Any) -> tuple[float, float, str, str]:
    """(start, end, SI unit, unit as specified) of the parameter."""
    if not isinstance(over, str):
        raise ModelError(f'continuation: over must be the name of a parameter, e.g. over="speed", got {shown(over)}')
    source.check([over])
    found = parameter_values(source, over, [start, end])
    first, last = (float(value) for value in found.values)
    if first == last:
        raise ModelError(f"continuation: start and end of {over} are both {shown(start)}. Specify a range")
    return first, last, found.unit, found.shown_unit


def parameter_reader(source: Source, over: str) -> Callable[[Any], float]:
    """Function that reads a value of the parameter."""
    return lambda value: float(parameter_values(source, over, [value]).values[0])


# ---- switching

# Branch switching: the first point of a branch that branches off at a period doubling or at an intersection.
#
# At a period doubling the motion of twice the period leaves along the eigenvector of the multiplier -1, at a constant
# parameter. At an intersection the equations have two null vectors: the tangent of the known branch, and the
# direction of the other one.

FIRST_STEPS = (1e-2, 3e-3, 3e-2, 1e-3, 1e-1)
"""Scaled distances of the first point from the special point."""
DISTINCT = 0.1
"""Change of the state over the shorter period, relative to the distance, of a motion that has the longer period."""


def switched_point(
    flow: Flow, cycles: int, range_: float, point: SpecialPoint, wanted: int | None, side: int
) -> tuple[Corrector, BranchPoint, BranchPoint]:
    """(corrector, special point, first point) of the new branch. cycles : of the known branch."""
    if point.kind not in (DOUBLING, INTERSECTION):
        raise ModelError(
            f"switch: no branch of periodic motions branches off at a {point.kind}. Choose one of the doublings or intersections"
        )
    expected = 2 * cycles if point.kind == DOUBLING else cycles
    if wanted is not None and (isinstance(wanted, bool) or wanted != expected):
        raise ModelError(
            f"switch: at this {point.kind} a motion of {expected} cycles branches off, got cycles={shown(wanted)}"
        )
    corrector = Corrector(flow, expected, range_, flow.scales(point.state, point.parameter, expected))
    u = np.append(point.state, point.parameter) / corrector.unit
    shot = corrector.shoot(u)
    direction = side * _direction(corrector, point, cycles)
    origin = corrector.point(u, shot, direction)
    for step in FIRST_STEPS:
        try:
            first = corrector.on_plane(u + step * direction, direction, direction)
        except (NotConverged, FlowFailed):
            continue
        if point.kind == INTERSECTION or _is_longer(corrector, first, cycles, step):
            return corrector, origin, first
    raise SolveError(
        f"switch: no other branch was found near the {point.kind} at {point.parameter:.6g}. Start a continuation from a motion "
        "that has settled on it: continuation(..., cycles=, state=)"
    )


def _direction(corrector: Corrector, point: SpecialPoint, cycles: int) -> FloatArray:
    if point.kind == DOUBLING:
        found = np.append(point.direction, 0.0) / corrector.unit
        return np.asarray(found / np.linalg.norm(found))
    shot = corrector.flow.shoot(point.state, point.parameter, cycles)
    _, _, right = np.linalg.svd(corrector.rows(shot.by_state, shot.by_parameter))
    plane = right[-2:]  # two null vectors; the wanted one is across the known branch
    along = plane @ (point.tangent / corrector.unit)
    across = np.array([-along[1], along[0]]) @ plane
    return np.asarray(across / np.linalg.norm(across))


def _is_longer(corrector: Corrector, first: BranchPoint, cycles: int, step: float) -> bool:
    """Whether a motion does not already repeat after the period of the known branch."""
    end = corrector.flow.settle(first.state, first.parameter, cycles)
    change = np.linalg.norm((end - first.state) / (corrector.scales * np.sqrt(corrector.n)))
    return bool(change > DISTINCT * step)


# ---- study

# ContinuationStudy: everything a branch is computed from, for this branch and for those that branch off.

SETTLE_AGAIN = (0, 3, 12)
"""Further settling, in multiples of the first one, if Newton's method finds no periodic motion."""
SHORTEST = 1e-4
"""Smallest step, relative to the largest one."""
JOINED = 1e-2
"""The same for a branch that joins another one. Near this point the distance of both grows with a square root."""
SAME_MOTION = 1e-5
"""Scaled difference of a state after a part of the period that counts as zero."""


@dataclass(frozen=True, eq=False)
class ContinuationStudy:
    """Flow, limits and options of a branch. read : value of the parameter, as the user specifies it, in SI units."""

    flow: Flow
    over: str
    unit: str
    shown_unit: str
    start: float
    end: float
    low: float
    high: float
    max_step: float
    max_points: int
    read: Callable[[Any], float]
    reason: str = ""
    """Why a batch does not compute it."""

    @property
    def range(self) -> float:
        return abs(self.end - self.start)

    @property
    def limits(self) -> StepLimits:
        return StepLimits(self.low, self.high, self.max_step, SHORTEST * self.max_step, self.max_points)

    def read_parameter(self, value: Any) -> float:
        """A value of the parameter in SI units."""
        return self.read(value)

    # ---- branches

    def first_branch(self, cycles: int, settle: int, state: FloatArray | None) -> Continuation:
        """The branch through the motion that settles at the start of the range, or through the motion near a state."""
        flow = self.flow
        with stage(f'continuation of "{flow.name}" over {self.over}', 1.0) as now:
            now.done(0.0, f"settling at {self._shown(self.start)}")
            corrector, first = self._first(cycles, settle, state)
            towards = np.sign(self.end - self.start)
            if first.tangent[-1] * towards < 0.0:
                first = replace(first, tangent=-first.tangent)
            branch = self._followed(corrector, first, self.limits, now)
        notes = self._shorter_period(first.state, cycles, corrector.scales)
        return self._result(branch, cycles, notes)

    def switched(
        self, parent: Continuation, point: SpecialPoint, cycles: int | None, *, side: int = 1, limits: Any = None,
        max_step: float | None = None, max_points: int | None = None,
    ) -> Continuation:  # fmt: skip
        """The branch that branches off at a special point of another one."""
        if not isinstance(point, SpecialPoint):
            raise ModelError(
                f"switch: expected one of the doublings or intersections of the branch, got {shown(point)}"
            )
        if isinstance(side, bool) or side not in (1, -1):
            raise ModelError(f"switch: side must be 1 or -1, got {shown(side)}")
        low, high = (self.low, self.high) if limits is None else read_limits(limits, self.read, point.parameter)
        again = replace(
            self,
            low=low,
            high=high,
            max_step=self.max_step if max_step is None else positive_fraction(max_step, "max_step"),
            max_points=self.max_points if max_points is None else whole_number(max_points, "max_points", 2),
        )
        with stage(f'continuation of "{self.flow.name}" over {self.over}', 1.0) as now:
            now.done(0.0, f"{point.kind} at {self._shown(point.parameter)}")
            corrector, origin, first = switched_point(self.flow, parent.cycles, self.range, point, cycles, side)
            end = partial(self._halved, cycles=parent.cycles) if corrector.cycles > parent.cycles else None
            branch = again._followed(corrector, first, again.limits, now, end)
        branch.points.insert(0, origin)
        branch.special = [replace(one, index=one.index + 1) for one in branch.special]
        return again._result(branch, corrector.cycles, [])

    def _first(self, cycles: int, settle: int, state: FloatArray | None) -> tuple[Corrector, Any]:
        flow, p = self.flow, self.start
        reason = ""
        try:
            y = flow.first(p) if state is None else state
            for more in SETTLE_AGAIN:
                y = flow.settle(y, p, more * settle if more else (settle if state is None else 0))
                flow.prepare(y, p, cycles)
                corrector = Corrector(flow, cycles, self.range, flow.scales(y, p, cycles))
                try:
                    return corrector, corrector.at_parameter(y, p)
                except NotConverged as why:
                    reason = str(why)
                    if settle == 0:
                        break
        except FlowFailed as why:
            reason = str(why)
        raise SolveError(
            f'continuation of "{flow.name}": no periodic motion of {cycles} cycle{"s" if cycles > 1 else ""} was found at '
            f"{self._shown(p)}: {reason}. Settle longer (settle=), start at a value at which the motion is calm, or specify the "
            "number of cycles after which the motion repeats (cycles=)"
        )

    def _followed(
        self,
        corrector: Corrector,
        first: Any,
        limits: StepLimits,
        now: Any,
        end: Callable[[SpecialPoint], str] | None = None,
    ) -> Branch:
        """The branch as far as it could be computed."""
        found, elapsed = Branch(), Elapsed()

        def watch(branch: Branch) -> None:
            nonlocal found
            found = branch
            p = branch.points[-1].parameter
            done = abs(p - self.start) / self.range if branch.points else 0.0
            now.done(min(done, 1.0), f"{len(branch.points)} points, {self.over} {self._shown(p)}")
            elapsed.check(f'continuation of "{self.flow.name}": {len(branch.points)} points')

        try:
            branch = follow(corrector, first, limits, watch, end)
        except BudgetError:
            branch = found
            branch.ended = (
                f'{len(branch.points)} points were computed within the budget. Specify a longer one: budget="8 h"'
            )
        except KeyboardInterrupt:
            branch = found
            if not branch.points:
                raise
            branch.ended = f"interrupted at {self._shown(branch.points[-1].parameter)}"
        return without_false_folds(branch, self.flow, corrector.cycles)

    def _halved(self, point: SpecialPoint, cycles: int) -> str:
        """Text for a point at which a motion repeats after the cycles of the branch from which this one branched off."""
        if point.kind != INTERSECTION:
            return ""
        change = np.abs(self.flow.settle(point.state, point.parameter, cycles) - point.state)
        if np.max(change / self.flow.scales(point.state, point.parameter, cycles)) > JOINED:
            return ""
        return f"the branch joins that of {cycles} cycle{'s' if cycles > 1 else ''} at another period doubling"

    def _shorter_period(self, state: FloatArray, cycles: int, scales: FloatArray) -> list[str]:
        """A note if a motion of several cycles repeats earlier."""
        for part in range(1, cycles):
            if cycles % part == 0:
                change = np.abs(self.flow.settle(state, self.start, part) - state) / scales
                if change.max() < SAME_MOTION:
                    return [
                        f"the motion at the start repeats after {part} cycle{'s' if part > 1 else ''}, not only after {cycles}. "
                        f"Its multipliers are those of {cycles} cycles. Use cycles={part}, and switch() at a period doubling"
                    ]
        return []

    def _result(self, branch: Branch, cycles: int, notes: list[str]) -> Continuation:
        flow, points = self.flow, branch.points
        return Continuation(
            name=flow.name,
            over=self.over,
            unit=self.unit,
            shown_unit=self.shown_unit,
            cycles=cycles,
            parameter=np.array([one.parameter for one in points]),
            states=np.array([one.state for one in points]),
            state_names=tuple(flow.names),
            state_units=tuple(flow.units),
            figures={name: np.array([one.figures[name] for one in points]) for name in points[0].figures},
            figure_units=dict(flow.figure_units),
            multipliers=np.array([one.multipliers for one in points]),
            special=tuple(sorted(branch.special, key=lambda one: one.index)),
            ended=branch.ended,
            complete=branch.complete,
            free=np.asarray(flow.free).reshape(len(flow.names), -1).shape[1],
            method=self.flow.described + (f". Not as a batch: {self.reason}" if self.reason else ""),
            warnings=(*notes, *branch.notes, *self.flow.warnings),
            study=self,
        )

    def _shown(self, value: float) -> str:
        return f"{value:.6g} {self.unit}".strip()
