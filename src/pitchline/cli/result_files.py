"""Result files as commands read them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import PitchlineError

if TYPE_CHECKING:
    from ..gallery import Figure
    from ..results import Result

__all__ = ["findings_of", "load_result"]


def load_result(path: Path, *, lazy: bool = False) -> Result:
    """The result in a file; where a model was named instead, the error says how to get its result. lazy: signals when they are
    asked for."""
    from ..gallery import MODELS
    from ..results import Result

    model = str(path).replace("_", "-") in MODELS or path.suffix.lower() == ".toml"
    if model and not (path.exists() and path.suffix.lower() != ".toml"):
        raise PitchlineError(f'"{path}" is a model, not a result; pitchline run {path} -o DIR writes its results (.nc) to a folder')
    return Result.load(path, lazy=lazy)


def findings_of(result: Result, called: str, allow: Sequence[str]) -> tuple[Sequence[Figure], tuple[str, ...]]:
    """The figures that a result alone can give, and the signals that its model draws; empty where its model cannot be had."""
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
        pass  # its model is of another version, or it ended before it had them: the signals stand
    return figures, signals
