"""Read result files for commands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import PitchlineError

if TYPE_CHECKING:
    from ..gallery import Figure
    from ..results import Result
    from ..results.linear_files import LinearFinding
    from ..studies.study_result import StudyResult

__all__ = ["findings_of", "load_result", "load_study", "open_found"]


def load_result(path: Path) -> Result:
    """Load the result in a file. If the name is a model, the error explains how to compute its result."""
    from ..exchange.measurements.reader import is_measurement, read_measurement
    from ..results import Result

    if is_measurement(path):
        return read_measurement(path)
    _refuse_model(path)
    return Result.load(path)


def load_study(path: Path) -> StudyResult | None:
    """Load the result of a study: a file, or the store of a sweep. None if it is something else."""
    from ..studies.study_files import is_study, read_study
    from ..studies.sweep.store import is_store
    from ..studies.sweep.stored_results import read_store

    if is_store(path):
        return read_store(path)
    return read_study(path) if is_study(path) else None


def open_found(path: Path) -> Result | LinearFinding:
    """Load the object of an analysis from a file. Signals of a result are read on demand."""
    from ..exchange.measurements.reader import is_measurement, read_measurement
    from ..results import load_found

    if is_measurement(path):
        return read_measurement(path)
    _refuse_model(path)
    return load_found(path, lazy=True)


def _refuse_model(path: Path) -> None:
    if path.suffix.lower() == ".nc":
        return
    from ..gallery import MODELS

    model = str(path).replace("_", "-") in MODELS or path.suffix.lower() == ".toml"
    if model and not (path.exists() and path.suffix.lower() != ".toml"):
        raise PitchlineError(
            f'"{path}" is a model, not a result. pitchline run {path} -o DIR writes its results (.nc) to a folder'
        )


def findings_of(result: Result, called: str, allow: Sequence[str]) -> tuple[Sequence[Figure], tuple[str, ...]]:
    """Figures that need only the result, and the signals that its model plots; empty if its model is not available."""
    from .jobs import FileJob, job_behind, read_allowed

    figures: Sequence[Figure] = ()
    signals: tuple[str, ...] = ()
    try:
        job = job_behind(result, called, {}, read_allowed(allow))
        if isinstance(job, FileJob):
            figures = job.figures_of(str(result.source.get("analysis", "")) or result.kind, result)
        if job is not None:
            signals = job.signals
    except PitchlineError:
        pass  # its model is of another version, or the run ended early: the signals are still valid
    return figures, signals
