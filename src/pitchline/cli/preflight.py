"""Checks before a run: the output folder, the file names, and the disk space for the samples."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from ..disk.errors import StorageError, free_space, size_text
from ..disk.names import safe_stem
from .jobs import FileJob, Job
from .output import ready_folder

__all__ = ["check_output", "predicted_size"]

_BODY, _JOINT, _PAIR = 19, 6, 10
"""Numbers per sample of a body, and at least per joint and per gear pair."""


def check_output(job: Job, folder: Path, *, force: bool, with_report: bool) -> None:
    """Raise an error if the files of a run cannot be written to the folder."""
    ready_folder(folder)
    if force:  # otherwise existing names get a number
        for suffix in (".nc", ".png", *([".html"] if with_report else [])):
            path = folder / f"{safe_stem(job.name)}{suffix}"
            if path.is_dir():
                raise StorageError(f'cannot write "{path}": it is a folder. Rename it, or choose another folder')
    size, free = predicted_size(job), free_space(folder)
    if free is not None and size > free:
        raise StorageError(
            f'the requested samples need at least {size_text(size)}, but only {size_text(free)} are free in "{folder}". Specify a '
            "larger output_step, free space there, or choose another folder"
        )


def predicted_size(job: Job) -> int:
    """Lower limit of the size of the results of a model file in bytes; 0 if the number of samples is not known before
    the run."""
    if not isinstance(job, FileJob):
        return 0
    model = job.model()
    a_sample = _BODY * len(model.bodies) + _JOINT * len(model.joints) + _PAIR * len(model.gear_pairs)
    return 8 * a_sample * sum(_samples(step.kind, step.options) for step in job.file.steps)


def _samples(kind: str, options: dict[str, Any]) -> int:
    """Number of samples of an analysis that specifies their distance."""
    from ..units import quantity

    between = {"dynamics": "output_step", "kinematics": "step"}.get(kind)
    if between is None or options.get(between) is None or options.get("duration") is None:
        return 0
    duration, step = (quantity(options[key], "time", what=key) for key in ("duration", between))
    ratio = duration / step if step > 0.0 else 0.0
    return int(ratio) if math.isfinite(ratio) else 0
