"""read_store: the result of a sweep as far as its store has it."""

from __future__ import annotations

import os
from pathlib import Path

from ..points import Points
from ..study_result import StudyResult
from .assembly import result_of
from .store import SweepStore

__all__ = ["read_store"]


def read_store(folder: str | os.PathLike[str]) -> StudyResult:
    """The result of a sweep as far as its store has it. Other points have the status "not computed"."""
    store = SweepStore.read(Path(folder))
    return result_of(store.plan.data["source"]["name"], Points.from_data(store.plan.data["points"]), store.blocks())
