"""Checkpoints of all dynamic analyses of a run, without changes in the code that calls them.

    with checkpointed(CheckpointPlan(folder)):
        run = model.run()          # any analyses, however deep inside

The analyses are identified by their order: 1.ckpt belongs to the first call of `dynamics`, and so on. A complete analysis keeps
the checkpoint of its last state until the whole run is complete. A resumed run reads it from there. Other analyses are computed
again and give bit-identical results.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ModelError
from ..system.snapshot import Snapshot

__all__ = ["CheckpointPlan", "checkpointed", "differences", "present_plan"]


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
