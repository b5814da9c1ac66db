"""An FMU without Python from a stepper: description, library and archive."""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import dataclass

from ....analyses.stepper import Stepper
from ..model_description import ModelDescription
from ..variable_names import identifier
from .archive import native_files
from .variables import native_variables

__all__ = ["NativeFmu", "native_fmu"]

_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""Date of the files in the archive, so that equal models give equal archives up to the time in their descriptions."""


@dataclass(frozen=True)
class NativeFmu:
    """Content of an FMU, its description, and what the machine that runs it needs."""

    content: bytes
    description: ModelDescription
    needs: str


def native_fmu(
    stepper: Stepper,
    *,
    version: int = 2,
    name: str = "",
    step_size: float | None = None,
    stop_time: float | None = None,
) -> NativeFmu:
    """FMU of a stepper that has not moved, which must not be used afterwards.

    version:   of FMI, 2 or 3
    name:      of the model in the FMU; default: that of the model
    step_size: suggested communication step [s]
    stop_time: suggested end [s]
    """
    model = stepper.model
    called = name or model.name
    variables, sources = native_variables(stepper)
    internal = stepper.step
    described = repr((called, [(v.name, v.unit) for v in variables], internal, model.describe()))
    about = ModelDescription(
        called,
        identifier(called),
        "{" + hashlib.sha256(described.encode()).hexdigest()[:32] + "}",
        str(getattr(model, "description", "") or ""),
        variables,
        start_time=stepper.time,
        stop_time=stop_time,
        step_size=step_size,
        internal_step=internal,
    )
    made = native_files(stepper, about, sources, version=version)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in made.files.items():
            archive.writestr(zipfile.ZipInfo(path, _EARLIEST), content, zipfile.ZIP_DEFLATED)
    return NativeFmu(stream.getvalue(), about, made.needs)
