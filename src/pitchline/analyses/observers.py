"""Observers of a run, which may stop it, and the description of the options of an analysis."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from pitchline.base.progress.display import current, engineering
from pitchline.engine.compile.nodes import Snapshot
from pitchline.errors import ModelError, shown
from pitchline.model.model import Model
from pitchline.model.replaced import with_shared_parts
from pitchline.parts.meshes.laws.flank import Flank
from pitchline.parts.meshes.laws.loaded import Loaded
from pitchline.parts.meshes.part import GearMesh
from pitchline.results.result import LaterData, Result
from pitchline.solids.rotations import rotation_of_quaternion

__all__ = ["description", "is_small", "Moment", "Observer", "finished", "reached", "observed_by"]


# ---- description

# Description of the model of a result.


def is_small(model: Model) -> bool:
    """Whether the parts of a model need little memory, so that a result can keep them: none has matrices or tables."""
    tables = any(isinstance(pair.mesh, (Flank, Loaded)) for pair in model.gear_pairs.values())
    return not (tables or model.structures or model.elements)


def description(model: Model) -> Any:
    """Description of a model as it is now. For a small model it is made when it is first read, from the parts of the model,
    which cannot change."""
    return LaterData(with_shared_parts(model).describe) if is_small(model) else model.describe()


# ---- observers

# Observers of analyses: they receive the progress and the result of a run, without changes in the code that runs it.
#
#     with observed_by(observer):
#         run = model.run()          # any analyses, however deep inside
#
# The command line uses this to show the progress of a run and to keep each result as soon as it exists.


@dataclass(frozen=True)
class Moment:
    """Progress of an analysis.

    time, start, end:  reached, first and last time [s]
    steps:             steps or positions so far
    step:              present step [s]
    """

    kind: str
    model_name: str
    time: float
    start: float
    end: float
    steps: int
    step: float


class Observer(Protocol):
    """Interface of an observer. An exception that it raises ends the analysis. `finished` also receives interrupted results."""

    def reached(self, moment: Moment) -> None: ...

    def finished(self, result: Result) -> None: ...


_observer: ContextVar[Observer | None] = ContextVar("observer", default=None)


@contextmanager
def observed_by(observer: Observer) -> Iterator[None]:
    """Analyses inside this context report to `observer`."""
    token = _observer.set(observer)
    try:
        yield
    finally:
        _observer.reset(token)


_SETTLED = 0.5
"""Time after which a rate is meaningful [s]."""


def in_words(moment: Moment, rate: float) -> str:
    """Progress as text: simulated time, step, number of steps and, if known, the rate of simulated to real time."""
    words = [
        f"t = {engineering(moment.time)} of {engineering(moment.end)}",
        f"step {engineering(moment.step)}",
        f"{moment.steps} {'positions' if moment.kind == 'kinematics' else 'steps'}",
    ]
    return "  ".join([*words, f"{rate:.3g} x real time"] if rate > 0.0 else words)


def _show(moment: Moment) -> None:
    """The stage of the analysis shows how far it is. Its rate counts from the first moment: before it, code was compiled."""
    stage, now = current(), clock.perf_counter()
    if stage.first is None:
        stage.first = (moment.time, now)
    worked = now - stage.first[1]
    rate = (moment.time - stage.first[0]) / worked if worked > _SETTLED else 0.0
    whole = moment.end - moment.start
    stage.fraction = (moment.time - moment.start) / whole if whole > 0.0 else 1.0
    stage.left = (moment.end - moment.time) / rate if rate > 0.0 else None
    stage.detail = in_words(moment, rate)
    stage.moved()


def reached(moment: Moment) -> None:
    """Report the progress of an analysis."""
    _show(moment)
    observer = _observer.get()
    if observer is not None:
        observer.reached(moment)


def finished(result: Result) -> Result:
    """Report the result of an analysis and return it."""
    observer = _observer.get()
    if observer is not None:
        observer.finished(result)
    return result


def starting_point(model: Any, start: Any, *, time: float | None = None) -> Snapshot:
    """Return the snapshot of `start`: None (initial conditions of the model), the last sample of a Result, or
    positions by name of joint."""
    if not isinstance(model, Model):
        raise ModelError(f"expected a Model, got {shown(model)}")
    if start is None:
        return Snapshot.of_model(model, 0.0 if time is None else time)
    if isinstance(start, Mapping):
        from .start_positions import start_at_positions

        start = start_at_positions(model, start)
    if not isinstance(start, Result):
        raise ModelError(
            f"start must be the result of an analysis, or positions by name of joint, such as {{'hinge': '30 deg'}}, got "
            f"{type(start).__name__}. Leave it out to start from the model"
        )
    if not start.time.size:
        raise ModelError(f'start: the {start.kind} result of model "{start.model_name}" has no sample to start from')
    missing = [name for name in model.bodies if f"{name}.position" not in start]
    if missing:
        raise ModelError(
            f'start: the result of model "{start.model_name}" has no body "{missing[0]}". '
            "Start from a result of the same model"
        )

    def last(signal: str) -> dict[str, np.ndarray]:
        found = {name: np.array(start[f"{name}.{signal}"].values[-1]) for name in model.bodies}
        shape = (4,) if signal == "orientation" else (3,)
        for name, value in found.items():
            if value.shape != shape or not all(map(math.isfinite, value.tolist())):
                raise ModelError(
                    f'start: the result of model "{start.model_name}" ends with {name}.{signal} = {shown(value.tolist())}. '
                    "Start from a result with a valid last sample"
                )
        return found

    return Snapshot(
        float(start.time[-1]) if time is None else time,
        last("position"),
        {name: np.array(rotation_of_quaternion(q, f"start: {name}")) for name, q in last("orientation").items()},
        last("velocity"),
        last("angular_velocity"),
        {name: float(start[f"{name}.angle"].values[-1]) for name in model.joints if f"{name}.angle" in start},
        {name: _teeth(start, part) for name, part in model.gear_pairs.items() if f"{name}.approach" in start},
        _own(model, start),
        dict(start.states),
    )


def _own(model: Model, start: Result) -> dict[str, np.ndarray]:
    """Signals of other parts at the end of a result, among them own coordinates of elements."""
    others = {*model.bodies, *model.joints, *model.gear_pairs, *model.drives}
    return {
        name: np.atleast_1d(start[name].values[-1]) for name in start.signals if name.rpartition(".")[0] not in others
    }


def _teeth(start: Result, part: GearMesh) -> tuple[float, float, float]:
    """psi_A, psi_B and approach along the hoop of a gear pair at the end of a result."""
    psi_a, psi_b, approach = (float(start[f"{part.name}.{s}"].values[-1]) for s in ("psi_a", "psi_b", "approach"))
    return psi_a, psi_b, approach / part.length_factor
