"""LaneValues: the train of a study with the numbers of all lanes, read from few models.

Models are built at a base point, at three values of each parameter, and at points of the study that test the forms found. Each
number is a constant, a closed form of one parameter, a table over the values of one parameter, a sum or a product of such
functions, or a table over the combinations of several parameters.
"""

from __future__ import annotations

import itertools
import math
import time as clock
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np

from pitchline.base.budget import limit
from pitchline.base.progress.display import stage
from pitchline.errors import ModelError, PitchlineError

from ..points.parameter_values import Points
from ..sources import Source
from .lane_train import LaneMesh, LaneSpring, LaneTable, LaneTrain, LoadedTables
from .model_reading import TrainRead, read_train
from .value_forms import SAME, CornerForm, GridForm, LineForm, ProductForm, SumForm, TableForm, ValueForm, closed_form

__all__ = ["described", "difference", "merged", "MOST_MODELS", "LaneLimits", "LaneValues"]


# ---- topology

# Comparison of trains read at different points: their topology must agree, their numbers may differ.

_EQUAL = 1e-11
"""Relative difference of tables that is rounding."""


def difference(one: LaneTrain, other: LaneTrain) -> str:
    """What differs between the topologies of two trains, as a text; empty if they agree."""
    if [r.name for r in one.rotors] != [r.name for r in other.rotors]:
        return f"the number of bodies that rotate ({len(one.rotors)} and {len(other.rotors)})"
    for a, b in zip(one.rotors, other.rotors, strict=True):
        if a.held != b.held:
            return f'whether "{a.name}" is driven'
        if not np.isclose(a.speed, b.speed, rtol=1e-9, atol=1e-12):
            words = "the direction of rotation" if np.isclose(a.speed, -b.speed, rtol=1e-9) else "the ratio of speeds"
            return f'{words} of "{a.name}"'
    if [m.name for m in one.meshes] != [m.name for m in other.meshes]:
        return "the list of gear pairs"
    for a_mesh, b_mesh in zip(one.meshes, other.meshes, strict=True):
        found = _of_meshes(a_mesh, b_mesh)
        if found:
            return f'{found} of gear pair "{a_mesh.name}"'
    for a_spring, b_spring in zip(one.springs, other.springs, strict=False):
        if a_spring != b_spring:
            return f'the attachment of spring "{a_spring.name}"'
    if len(one.springs) != len(other.springs):
        return "the list of springs (those without stiffness and damping are left out)"
    return ""


def _of_meshes(a: LaneMesh, b: LaneMesh) -> str:
    for name, words in (
        ("damping_mode", "the action of the damper"),
        ("damping_rate", "the rate on which the damper acts"),
        ("consistent", "energy_consistent"),
        ("levers", "the attachment"),
    ):
        if getattr(a, name) != getattr(b, name):
            return words
    if bool(a.smoothing) != bool(b.smoothing):
        return "the smoothing (zero at some points)"
    if bool(a.compliance) != bool(b.compliance):
        return "the number of springs in series"
    if len(a.phases) != len(b.phases):
        return "what varies over the rotation"
    for p, q in zip(a.phases, b.phases, strict=True):
        if p.teeth != q.teeth or not np.isclose(p.order, q.order, rtol=1e-9, atol=1e-12):
            return "the number of teeth or the ratio of speeds"
    if not np.allclose((a.cos_alpha, a.length), (b.cos_alpha, b.length), rtol=1e-12, atol=0.0):
        return "the working pressure angle"
    for name, words in (("stiffness", "the stiffness"), ("errors", "the errors")):
        mine, others = getattr(a, name), getattr(b, name)
        if len(mine) != len(others) or not all(_same_term(s, t) for s, t in zip(mine, others, strict=True)):
            return f"the number of harmonics, or the shape of a table, of {words}"
    if (a.loaded is None) != (b.loaded is None) or (a.loaded and b.loaded and not _same_arrays(a.loaded, b.loaded)):
        return "the table of the loaded teeth"
    return ""


def _same_term(a: object, b: object) -> bool:
    if isinstance(a, LaneTable) and isinstance(b, LaneTable):
        return _is_zero(a) or _is_zero(b) or _same_arrays(a, b)
    return a == b


def _is_zero(table: LaneTable) -> bool:
    return not np.any(table.coefficients)


def _same_arrays(a: LaneTable | LoadedTables, b: LaneTable | LoadedTables) -> bool:
    for field in fields(a):
        x, y = getattr(a, field.name), getattr(b, field.name)
        if isinstance(x, np.ndarray):
            if x.shape != y.shape or np.any(np.abs(x - y) > _EQUAL * np.abs(x).max()):
                return False
        elif x != y:
            return False
    return True


def merged(one: LaneTrain, other: LaneTrain) -> LaneTrain:
    """The first train with optional numbers and tables that only the other one has."""
    rotors = tuple(
        replace(a, torque_rate=a.torque_rate or b.torque_rate) for a, b in zip(one.rotors, other.rotors, strict=True)
    )
    meshes = tuple(_with_tables(a, b) for a, b in zip(one.meshes, other.meshes, strict=True))
    return replace(one, rotors=rotors, meshes=meshes, acceleration=one.acceleration or other.acceleration)


def _with_tables(a: LaneMesh, b: LaneMesh) -> LaneMesh:
    """Tables of a, or those of b where the ones of a are zero."""
    parts = {
        name: tuple(
            t if isinstance(s, LaneTable) and _is_zero(s) else s
            for s, t in zip(getattr(a, name), getattr(b, name), strict=True)
        )
        for name in ("stiffness", "errors")
    }
    return replace(a, **parts)  # type: ignore[arg-type]


def described(train: LaneTrain, name: str) -> str:
    """Description of a number of a train."""
    for rotor in train.rotors:
        for field, words in (("inertia", "inertia"), ("torque", "load"), ("torque_rate", "rate of the load")):
            if getattr(rotor, field) == name:
                return f'the {words} of "{rotor.name}"'
    parts: list[LaneMesh | LaneSpring] = [*train.meshes, *train.springs]
    for part in parts:
        if name in _names(part):
            return f'a number of "{part.name}"'
    return "the speed" if name == train.omega else "a number of the model"


def _names(part: object) -> set[str]:
    """All texts in a part."""
    if isinstance(part, str):
        return {part}
    if isinstance(part, dict):
        return set().union(*(_names(v) for v in part.values())) if part else set()
    if isinstance(part, tuple):
        return set().union(*(_names(v) for v in part)) if part else set()
    if is_dataclass(part):
        return set().union(*(_names(getattr(part, f.name)) for f in fields(part)))
    return set()


MOST_MODELS = 20_000
"""Most models that are built for one study."""
TESTED = 16
"""Number of points at which the forms are tested."""
MOST_CORNERS = 4
"""Most parameters in which a number is linear at the same time."""
UNTIL = "until"
"""Name of the time of the lane at which a ramp ends, among the numbers."""


@dataclass(frozen=True, eq=False)
class LaneLimits:
    """What limits the length of a run. until : time at which a ramp ends [s], one number or (lanes,). travel : mesh with a rack ->
    (start, speed divided by omega, lowest, highest), each a number or (lanes,)."""

    until: float | np.ndarray
    travel: Mapping[str, tuple[float | np.ndarray, ...]]


class LaneValues:
    """Models of a source as lanes.

    source : builds the models. time, cycle : as in `read_train`.
    """

    def __init__(self, source: Source, *, time: Any = None, cycle: str | None = None) -> None:
        self.source, self._time, self._cycle = source, time, cycle
        self._known: dict[tuple[tuple[str, Any], ...], TrainRead] = {}
        self._seconds = 0.02
        self.models = 0

    def read(self, values: Mapping[str, Any]) -> TrainRead:
        """The model of one point."""
        key = tuple(sorted(values.items()))
        if key not in self._known:
            began = clock.perf_counter()
            self._known[key] = read_train(self.source.build(values), time=self._time, cycle=self._cycle)
            self.models += 1
            self._seconds += (clock.perf_counter() - began - self._seconds) / min(self.models, 10)
        return self._known[key]

    def train(self, points: Points) -> tuple[TrainRead, LaneTrain, LaneLimits]:
        """(base point, train with the numbers of all points, limits)."""
        return _Study(self, points).train()

    def check_count(self, count: int, why: str) -> None:
        """Refuse to build too many models."""
        if count > MOST_MODELS:
            minutes = count * self._seconds / 60.0
            raise ModelError(
                f"{why} needs {count} models, about {minutes:.0f} minutes, to find the numbers of the batch. The most is "
                f"{MOST_MODELS}. Use fewer values of this parameter, or pl.sweep"
            )


class _Study:
    def __init__(self, owner: LaneValues, points: Points) -> None:
        self.owner, self.points = owner, points
        self.columns = {name: np.asarray(column) for name, column in points.columns.items()}
        self.distinct = {name: np.unique(axis.values) for name, axis in points.axes.items()}
        self.varied = [name for name, values in self.distinct.items() if len(values) > 1]
        self.numbers0 = points.numbers(self._base_point())
        self.base = self._read(self.numbers0)
        self.topology = self.base.train

    def _base_point(self) -> int:
        """A point in the middle, if possible without zeros: a zero hides what other parameters do."""
        n = len(self.points)
        for i in dict.fromkeys([n // 2, n // 3, (2 * n) // 3, n - 1]):
            if all(self.columns[name].dtype.kind not in "iuf" or self.columns[name][i] != 0 for name in self.varied):
                return i
        return n // 2

    # ---- reading

    def _given(self, numbers: Mapping[str, Any]) -> dict[str, Any]:
        axes = self.points.axes
        return {name: f"{v!r} {axes[name].unit}" if axes[name].unit else v for name, v in numbers.items()}

    def _read(self, numbers: Mapping[str, Any]) -> TrainRead:
        try:
            return self.owner.read(self._given(numbers))
        except PitchlineError as error:
            if not self.varied:
                raise
            told = ", ".join(f"{name} = {value}" for name, value in self._given(numbers).items())
            raise ModelError(f"at the point {told}: {error}") from error

    def _values(self, read: TrainRead) -> dict[str, float]:
        found = {name: float(v) for name, v in read.train.values.items()}
        found[UNTIL] = read.until
        for mesh, numbers in read.travel.items():
            found |= {f"travel {k} {mesh}": v for k, v in enumerate(numbers)}
        return found

    def _at(self, numbers: Mapping[str, Any], changed: str) -> dict[str, float]:
        """Numbers at parameter values. The topology must be that of the base point."""
        read = self._read(numbers)
        why = difference(self.base.train, read.train)
        if why:
            what = f'changes with "{changed}"' if changed else "is not the same at all points"
            raise ModelError(
                f"{self.owner.source.called}: {why} {what}. One batch has the same bodies, teeth and ratios at all points. Use one "
                "batch for each of them, or pl.sweep"
            )
        self.topology = merged(self.topology, read.train)
        return self._values(read)

    # ---- forms

    def train(self) -> tuple[TrainRead, LaneTrain, LaneLimits]:
        base = self._values(self.base)
        along = {name: self._along(name) for name in self.varied}
        tests = [(i, self._at(self.points.numbers(i), "")) for i in self._tested()]
        names = sorted(
            {
                *base,
                *(name for _, found in tests for name in found),
                *(n for a in along.values() for _, f in a for n in f),
            }
        )
        self.rounding = self.base.rounding
        lanes: dict[str, float | np.ndarray] = {}
        for name in names:
            lanes[name] = self._lane(name, base, along, tests)
        self._test(lanes, tests)
        limits = LaneLimits(
            lanes.pop(UNTIL),
            {mesh: tuple(lanes.pop(f"travel {k} {mesh}") for k in range(4)) for mesh in self.base.travel},
        )
        return self.base, replace(self.topology, values=lanes), limits

    def _along(self, name: str) -> list[tuple[Any, dict[str, float]]]:
        """Numbers at the base and at three other values of a parameter; at all of them for texts."""
        values = self.distinct[name]
        if values.dtype.kind not in "iuf":
            chosen = values.tolist()
            self.owner.check_count(len(chosen), f'"{name}" with {len(chosen)} texts')
        else:
            inner = values[[len(values) // 3, (2 * len(values)) // 3]] if len(values) > 2 else values[:0]
            chosen = list(dict.fromkeys([values[0].item(), *inner.tolist(), values[-1].item(), self.numbers0[name]]))
        return [(value, self._at(self.numbers0 | {name: value}, name)) for value in chosen]

    def _tested(self) -> list[int]:
        """Points at which the forms are tested: some at random, and the outermost ones, where limits as max(0, p) act."""
        n = len(self.points)
        if n <= TESTED:
            return list(range(n))
        chosen = np.random.default_rng(0).choice(n, TESTED - 1, replace=False).tolist()
        return sorted({n - 1, *chosen, *self._outermost()})

    def _outermost(self) -> set[int]:
        """Points closest to the corners of the range of the parameters; of many parameters, those at the limits of each."""
        numeric = [name for name in self.varied if self.columns[name].dtype.kind in "iuf"]
        away = []
        for name in numeric:
            low, high = (float(x) for x in self.distinct[name][[0, -1]])
            away.append((self.columns[name].astype(float) - low) / (high - low) - 0.5)
        found = {int(at) for column in away for at in (np.argmin(column), np.argmax(column))}
        if 1 < len(away) <= MOST_CORNERS:
            for signs in itertools.product((-1.0, 1.0), repeat=len(away)):
                found.add(int(np.argmax(sum(sign * column for sign, column in zip(signs, away, strict=True)))))
        return found

    def _lane(
        self, name: str, base: Mapping[str, float], along: Mapping[str, Any], tests: list[tuple[int, dict[str, float]]]
    ) -> float | np.ndarray:
        first = base.get(name, 0.0)
        rounding = self.rounding.get(name, 0.0)

        depends = [
            p for p, found in along.items() if any(not _same(f.get(name, 0.0), first, rounding) for _, f in found)
        ]
        if not depends:
            wrong = [i for i, f in tests if not _same(f.get(name, 0.0), first, rounding)]
            if not wrong:
                return first
            depends = self.varied

        def fits(form: ValueForm) -> np.ndarray | None:
            with np.errstate(all="ignore"):
                found = np.asarray(form(self.columns), float)
            return found if all(_same(f.get(name, 0.0), float(found[i]), rounding) for i, f in tests) else None

        for form in self._forms(name, first, depends, along, rounding):
            found = fits(form)
            if found is not None:
                return found
        # a parameter without effect at the base point may have one elsewhere
        for some in [depends] if depends == self.varied else [depends, self.varied]:
            found = fits(self._grid(name, some))
            if found is not None:
                return found
        raise ModelError(
            f"{self.owner.source.called}: {described(self.topology, name)} does not follow from the parameters. A function that "
            "builds a model must give the same model for the same values"
        )

    def _forms(
        self, name: str, first: float, depends: list[str], along: Mapping[str, Any], rounding: float
    ) -> Iterator[ValueForm]:
        """Forms that may fit, those that need few models first."""
        closed = {p: self._closed(name, p, along[p], rounding) for p in depends}
        lines = all(isinstance(form, LineForm) and form.is_line for form in closed.values())
        if 1 < len(depends) <= MOST_CORNERS and lines:
            yield self._corners(name, depends)
        tabled = sum(len(self.distinct[p]) for p, form in closed.items() if form is None)
        if len(closed) > 1 and tabled >= len(self.points):  # a table over the points needs fewer models
            return
        forms = [form or self._table(name, p) for p, form in closed.items()]
        if len(forms) == 1:
            yield forms[0]
        else:
            if first != 0.0:
                yield ProductForm(first, forms)
            yield SumForm(first, forms)

    def _corners(self, name: str, depends: list[str]) -> ValueForm:
        limits = {p: (self.distinct[p][0].item(), self.distinct[p][-1].item()) for p in depends}
        numbers = [
            self._at(self.numbers0 | dict(zip(depends, at, strict=True)), "").get(name, 0.0)
            for at in itertools.product(*limits.values())
        ]
        return CornerForm(limits, np.array(numbers).reshape((2,) * len(depends)))

    def _closed(
        self, name: str, parameter: str, found: list[tuple[Any, dict[str, float]]], rounding: float
    ) -> ValueForm | None:
        """The number as a closed form of one parameter, the others being those of the base point."""
        p = np.array([value for value, _ in found])
        v = np.array([numbers.get(name, 0.0) for _, numbers in found])
        if p.dtype.kind not in "iuf":
            return None
        if len(p) == 2:  # its only values
            return LineForm(parameter, "value", float(p[0]), float(v[0]), float((v[1] - v[0]) / (p[1] - p[0])))
        return closed_form(parameter, p, v, rounding)

    def _table(self, name: str, parameter: str) -> ValueForm:
        """The number at all values of one parameter."""
        values = self.distinct[parameter]
        self.owner.check_count(len(values), f'{described(self.topology, name)} depends on "{parameter}" in a way that')
        with stage(f'numbers of the batch at {len(values)} values of "{parameter}"', float(len(values))) as now:
            limit(now)
            numbers = []
            for x in values.tolist():
                numbers.append(self._at(self.numbers0 | {parameter: x}, parameter).get(name, 0.0))
                now.done(len(numbers))
        return TableForm(parameter, dict(zip(values.tolist(), numbers, strict=True)))

    def _grid(self, name: str, depends: list[str]) -> ValueForm:
        """Numbers at all combinations of parameters that occur."""
        places = [np.unique(self.columns[p], return_inverse=True) for p in depends]
        index = np.zeros(len(self.points), np.int64)
        for values, inverse in places:
            index = index * len(values) + inverse.ravel()
        combinations, first, place = np.unique(index, return_index=True, return_inverse=True)
        told = " and ".join(f'"{p}"' for p in depends)
        self.owner.check_count(len(combinations), f"{described(self.topology, name)} depends on {told} in a way that")
        numbers = []
        with stage(f"numbers of the batch at {len(first)} combinations of {told}", float(len(first))) as now:
            limit(now)
            for i in first.tolist():
                at = self.points.numbers(i)
                numbers.append(self._at(self.numbers0 | {p: at[p] for p in depends}, "").get(name, 0.0))
                now.done(len(numbers))
        return GridForm(place.ravel(), np.array(numbers))

    def _test(self, lanes: Mapping[str, float | np.ndarray], tests: list[tuple[int, dict[str, float]]]) -> None:
        """All numbers at the points of the test, once more, and whether all of them are finite."""
        for name, numbers in lanes.items():
            for i, found in tests:
                mine = float(np.broadcast_to(numbers, (len(self.points),))[i])
                if not _same(found.get(name, 0.0), mine, self.rounding.get(name, 0.0)):
                    raise ModelError(
                        f"{self.owner.source.called}: {described(self.topology, name)} at point {i} is {found.get(name, 0.0):g}, "
                        f"but {mine:g} follows from other points. It depends on the parameters in a way that a batch cannot find. "
                        "Use pl.sweep, or fewer parameters"
                    )
            bad = (
                ~np.isfinite(np.broadcast_to(numbers, (len(self.points),)))
                if not name.startswith((UNTIL, "travel"))
                else np.zeros(1)
            )
            if np.any(bad):
                i = int(np.argmax(bad))
                raise ModelError(
                    f"{self.owner.source.called}: {described(self.topology, name)} is not a finite number at point {i}"
                )


def _same(a: float, b: float, rounding: float) -> bool:
    if math.isinf(a) or math.isinf(b):
        return a == b
    return abs(a - b) <= SAME * 4.0 * max(abs(a), abs(b)) + rounding
