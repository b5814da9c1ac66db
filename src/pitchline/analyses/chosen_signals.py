"""Chosen signals at the present state of a run, without building all signals of the model; also from stored states."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from pitchline.engine.compile.nodes import Snapshot
from pitchline.engine.compile.rank import Rank
from pitchline.engine.compile.reporting import Reporter
from pitchline.engine.compile.station_signals import ENERGIES, ORIENTATION, TEETH_ENERGY, component_names, signals_of
from pitchline.engine.compile.system import System
from pitchline.engine.elements.contract import Element, SignalSpec
from pitchline.engine.solvers.linear import Samples
from pitchline.errors import ModelError, near_names, shown
from pitchline.model.model import Model
from pitchline.parts.bodies.kernel import BODY
from pitchline.parts.meshes.kernel_engagement import ERROR, FLANK, FORCE, TURNED, is_gear_pair, play_of

from .signals import build_signals, parts_of, published_by

__all__ = ["CheckpointPlan", "checkpointed", "differences", "present_plan", "ChosenSignals", "read_outputs"]


# ---- checkpoint plan

# Checkpoints of all dynamic analyses of a run, without changes in the code that calls them.
#
#     with checkpointed(CheckpointPlan(folder)):
#         run = model.run()          # any analyses, however deep inside
#
# The analyses are identified by their order: 1.ckpt belongs to the first call of `dynamics`, and so on. A complete
# analysis keeps the checkpoint of its last state until the whole run is complete. A resumed run reads it from there.
# Other analyses are computed again and give bit-identical results.


@dataclass
class CheckpointPlan:
    """Folder and interval of the checkpoints of a run.

    folder:   existing folder
    seconds:  interval between two checkpoints [s]
    resume:   continue from existing checkpoints
    taken:    times from which resumed analyses continue [s]
    """

    folder: Path
    seconds: float = 30.0
    resume: bool = False
    taken: list[float] = field(default_factory=list)
    _count: int = 0

    def next_file(self) -> Path:
        """The checkpoint of the next dynamic analysis."""
        self._count += 1
        return self.folder / f"{self._count}.ckpt"


_plan: ContextVar[CheckpointPlan | None] = ContextVar("checkpoint plan", default=None)


@contextmanager
def checkpointed(plan: CheckpointPlan | None) -> Iterator[None]:
    """Dynamic analyses inside this context write checkpoints and continue from them according to the plan. None: they do not."""
    token = _plan.set(plan)
    try:
        yield
    finally:
        _plan.reset(token)


def present_plan() -> CheckpointPlan | None:
    """Return the active plan."""
    return _plan.get()


def differences(
    file: str | os.PathLike[str], before: dict[str, Any], now: dict[str, Any], start: Snapshot, snapshot: Snapshot
) -> None:
    """Raise an error if the options or the start of an analysis differ from those of its checkpoint."""
    for key in now:
        if before.get(key) != now[key]:
            raise ModelError(
                f'checkpoint "{file}" was written with {key} = {before.get(key)}, but now {key} = {now[key]} is requested. '
                "Continue with the original options, or run the analysis again"
            )
    pairs = [(start.t, snapshot.t)]
    for name in ("position", "orientation", "velocity", "angular_velocity"):
        old, new = getattr(start, name), getattr(snapshot, name)
        pairs += [(old[body], new[body]) for body in new]
    for old, new in pairs:
        if not np.allclose(old, new, rtol=1e-6, atol=1e-9):
            raise ModelError(
                f'checkpoint "{file}" belongs to a run that started from other positions or velocities. Continue with the original '
                "model and analyses, or run the analysis again"
            )


Reader = Callable[[], Any]


def read_outputs(model: Model, given: Any) -> dict[str, SignalSpec]:
    """Outputs that the user names, in the same order: signals, or components such as "wheel.position.x"."""
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, Iterable):
        raise ModelError(f"outputs must be a list of signals, got {shown(given)}")
    known = signals_of(model)
    chosen: dict[str, SignalSpec] = {}
    for name in given:
        if not isinstance(name, str):
            raise ModelError(f"outputs: expected names of signals, got {shown(name)}")
        if name in chosen:
            raise ModelError(f'outputs: "{name}" is given twice. Name each output once')
        spec = known.get(name)
        if spec is None:
            whole, _, component = name.rpartition(".")
            of = known.get(whole)
            if of is None or component not in component_names(of.size):
                raise ModelError(f'outputs: there is no signal "{name}"; {near_names(name, list(known))}')
            spec = SignalSpec(component, of.unit, f"{of.description}, component {component}", 1)
        chosen[name] = spec
    return chosen


class ChosenSignals:
    """Values of chosen signals from one sample, which the time loop writes again after every interval.

    Signs of a gear pair refer to its loaded flank, as in results. Without backlash this is the flank that is loaded first, because
    the mean load, which decides in results, is not known during a run.
    """

    def __init__(self, system: System, names: Iterable[str], samples: Samples, rank: Rank) -> None:
        self._system, self._samples, self._names = system, samples, list(names)
        parts = parts_of(system, self._names)
        reporter = Reporter(system, parts)
        self._report = reporter.live(samples)
        self._first = reporter.first.tolist()
        self._held = set(reporter.held.tolist())
        self._owners: dict[str, int] = {}
        self._reactions = bool(self._held)
        self._rank = rank
        self._shared: set[str] = set()
        self._others: dict[str, Any] = {}
        self._slow: set[str] = set()
        self.followed: list[np.ndarray] = []
        """Last values of quaternions, whose signs the next values follow; loaded flanks of gear pairs without backlash."""
        self._report.update(reactions=self._reactions)
        made = self._readers(parts)
        self._reading = [self._reader(name, made) for name in self._names]
        chosen = (self._owners.get(name, self._owners.get(name.rpartition(".")[0])) for name in self._names)
        self._reactions = any(owner in self._held for owner in chosen)

    def values(self, rank: Rank) -> list[Any]:
        """The values at the present sample: numbers, and arrays for vectors."""
        self._report.update(reactions=self._reactions)
        self._rank = rank
        if self._slow or rank.groups:
            self._build_others()
        return [read() for read in self._reading]

    # ---- readers

    def _readers(self, parts: set[str] | None) -> dict[str, Reader]:
        """Functions for all signals of the chosen elements."""
        made: dict[str, Reader] = {}
        row = self._report.signals[0]
        for e, element in enumerate(self._system.elements):
            if parts is not None and element.name not in parts:
                continue
            at = self._first[e]
            if self._first[e + 1] == at:
                continue
            turning = self._turned(element, at) if is_gear_pair(element) else {}
            for what, spec, first, last in published_by(element):
                read = turning.get(what) or _columns(row, at + first, at + last)
                if spec.size == ORIENTATION.size and what == ORIENTATION.name:
                    read = self._continuous(read)
                made[f"{element.name}.{spec.name}"] = read
                self._owners[f"{element.name}.{spec.name}"] = e
            if element.kind is BODY and element.signals is None:
                pose = self._samples.pose[0, element.nodes[0], 3:]
                made[f"{element.name}.{ORIENTATION.name}"] = self._continuous(lambda pose=pose: pose)  # type: ignore[misc]
        self._own(made)
        self._energies(made)
        return made

    def _reader(self, name: str, made: dict[str, Reader]) -> Reader:
        whole, _, component = name.rpartition(".")
        if name in made:
            return self._unless_shared(name, made[name])
        if whole in made:
            names = component_names(np.size(made[whole]()))
            k = names.index(component)
            read = self._unless_shared(whole, made[whole])
            return lambda: float(read()[k])
        self._slow.add(name)
        return lambda: self._others[name]

    def _unless_shared(self, name: str, read: Reader) -> Reader:
        """Redundant constraints share their loads by the least norm, which compiled reports do not compute."""
        element = next((e for e in self._system.elements if e.name == name.rpartition(".")[0] and e.rows), None)
        if element is None:
            return read
        return lambda: self._others[name] if element.name in self._shared else read()

    def _turned(self, element: Element, at: int) -> dict[str, Reader]:
        """Signals of a gear pair that refer to its loaded flank."""
        row = self._report.signals[0]
        places = {spec.name: (at + first, at + last) for spec, first, last in element.kind.columns}
        flank, force, error = (places[name][0] for name in (FLANK, FORCE, ERROR))
        play, has_backlash, unfelt = play_of(element)
        chosen = np.zeros(1)
        self.followed.append(chosen)

        def side() -> float:
            if has_backlash:
                if row[flank] != 0.0:
                    return 1.0 if row[flank] > 0.0 else -1.0
                return 1.0 if row[error] + 0.5 * play >= 0.0 else -1.0
            if chosen[0] == 0.0 and abs(row[force]) > unfelt:
                chosen[0] = 1.0 if row[force] > 0.0 else -1.0
            return float(chosen[0]) or 1.0

        def turn(first: int, last: int) -> Reader:
            if last - first == 1:
                return lambda: float(row[first]) * side() + 0.0
            return lambda: row[first:last] * side() + 0.0

        found: dict[str, Reader] = {name: turn(*places[name]) for name in TURNED if name in places}
        found[ERROR] = lambda: (float(row[error]) if side() > 0.0 else -(float(row[error]) + play)) + 0.0
        return found

    def _own(self, made: dict[str, Reader]) -> None:
        """Own coordinates of elements, unless the element has a signal of that name."""
        first, z = self._system.own.first, self._samples
        for g in self._system.own.open:
            name = f"{self._system.elements[g.element].name}.{g.what.name}"
            parts = [(name, z.own[0], 0)] + ([(f"{name}_rate", z.v[0], first)] if g.what.order == 2 else [])
            for called, values, at in parts:
                if g.count:
                    made.setdefault(called, _columns(values, at + g.first, at + g.first + g.count))

    def _energies(self, made: dict[str, Reader]) -> None:
        energies, work = self._report.energies[0], self._samples.work[0]
        start = float(energies[0] + energies[1]), float(work[0]), float(work[1])

        def lost() -> float:
            total = energies[0] + energies[1]
            return float(total - start[0] - (work[0] - start[1]) + (work[1] - start[2]))

        readers = (_columns(energies, 0, 1), _columns(energies, 1, 2), _columns(work, 0, 1), _columns(work, 1, 2), lost)
        for spec, read in zip(ENERGIES, readers, strict=True):
            made[f"energy.{spec.name}"] = read
        made[f"energy.{TEETH_ENERGY.name}"] = _columns(work, 2, 3)

    def _continuous(self, read: Reader) -> Reader:
        """Quaternion whose sign follows that of its last value."""
        last = np.zeros(4)
        self.followed.append(last)

        def followed() -> np.ndarray:
            q = np.array(read())
            if float(q @ last) < 0.0:
                q = -q
            last[:] = q
            return q

        return followed

    # ---- signals that need more than the report of one element

    def _build_others(self) -> None:
        """Stations of shafts, and loads that redundant constraints share, by the functions for whole results."""
        system, rank = self._system, self._rank
        self._shared = {system.row_owner(int(l)).name for group in rank.groups for l in group}
        wholes = {name.rpartition(".")[0] for name in self._names}
        parts = wholes | {name.rpartition(".")[0] for name in wholes}  # of a component: "part.signal.x"
        if not self._slow and not (self._shared & parts):
            return
        copied = Samples(*(array[:1].copy() for array in self._samples))
        signals = build_signals(system, copied, rank, inertial=True, parts=parts_of(system, self._names))
        for name, signal in signals.items():
            values = signal.values[0]
            self._others[name] = float(values) if np.ndim(values) == 0 else values
            for k, component in enumerate(signal.components):
                self._others[f"{name}.{component}"] = float(values[k])


def _columns(row: np.ndarray, first: int, last: int) -> Reader:
    if last - first == 1:
        return lambda: float(row[first])
    return lambda: row[first:last].copy()
