"""Declared parameters of a model file or of a gallery program."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .jobs import FileJob, GalleryJob, Job

if TYPE_CHECKING:
    from ..files.declared_parameters import DeclaredParameter
    from ..gallery.parameters import Parameter

__all__ = ["parameters_of"]


def parameters_of(job: Job) -> tuple[DeclaredParameter, ...]:
    """Parameters with the values that they have in this job."""
    if isinstance(job, FileJob):
        return job.file.declared
    if isinstance(job, GalleryJob):
        settings = getattr(job.one, "settings", {})
        return tuple(
            _declared(name, known, settings.get(name, known.default)) for name, known in job.one.parameters.items()
        )
    return ()


def _declared(name: str, known: Parameter, value: float) -> DeclaredParameter:
    from ..files.declared_parameters import DeclaredParameter
    from ..units import canonical_unit

    unit = "" if known.dimension is None else canonical_unit(known.dimension)
    low, high = (bound if math.isfinite(bound) else None for bound in (known.lowest, known.highest))
    return DeclaredParameter(name, f"{value:.12g}", unit, known.line, low, high)
