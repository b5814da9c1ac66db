"""Files of an FMU without Python."""

from __future__ import annotations

import hashlib
import io
import platform
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass

from pitchline.analyses.stepper import Stepper
from pitchline.base.progress.display import staged
from pitchline.engine.compile.station_signals import component_names

from ..safe_xml import ExchangeError
from .model_description import (
    INDEPENDENT,
    TIME,
    ModelDescription,
    ModelVariable,
    component_name,
    documentation_page,
    fmi_names,
    identifier,
    model_description_xml,
)
from .native_library import SharedVariable, native_library

__all__ = ["NativeFiles", "native_files", "native_variables", "NativeFmu", "native_fmu"]


NOTE = "Parameters of the model, and the start of its motion, are those of the export."
_FOLDERS = {2: "linux64", 3: "x86_64-linux"}
"""Folders of the library for Linux on x86-64, by the version of FMI."""


@dataclass(frozen=True)
class NativeFiles:
    """Files of an FMU by their paths in it, and what the machine that runs it needs."""

    files: dict[str, bytes]
    needs: str


@staged("FMU without Python")
def native_files(
    stepper: Stepper, about: ModelDescription, variables: Sequence[SharedVariable], *, version: int
) -> NativeFiles:
    """Files of an FMU of a stepper that has not moved. The stepper must not be used afterwards.

    about:     description, with the same value references as `variables`
    variables: sources of all variables of the description
    version:   2 or 3
    """
    check_machine()
    described = {(v.reference, v.name) for v in about.variables}
    if described != {(v.reference, v.name) for v in variables}:
        raise ValueError("the variables of the description and those of the library differ")
    library = native_library(stepper, about.token, f"{about.identifier}.so", variables)
    c_library = f", with the GNU C library {library.c_library} or later" if library.c_library else ""
    needs = f"Linux on an x86-64 processor{c_library}; no Python and no other program"
    files = {
        "modelDescription.xml": model_description_xml(about, version),
        f"binaries/{_FOLDERS[version]}/{about.identifier}.so": library.content,
        "documentation/index.html": documentation_page(about, [needs], [NOTE]).encode(),
    }
    return NativeFiles(files, needs)


def check_machine() -> None:
    """An FMU without Python is made on the kind of machine that runs it."""
    system, processor = platform.system(), platform.machine()
    if system != "Linux" or processor != "x86_64":
        raise ExchangeError(
            f"FMUs without Python are made on Linux with x86-64 processors, this is {system} on {processor}. Export the FMU with "
            "Python inside"
        )


# ---- variables

# Variables of an FMU without Python: the time, inputs, and the numbers of all outputs, in this order.


def native_variables(stepper: Stepper) -> tuple[tuple[ModelVariable, ...], tuple[SharedVariable, ...]]:
    """Descriptions of the variables of a stepper, and their sources."""
    called = fmi_names([("input", stepper.inputs), ("output", stepper.outputs)])
    described = [ModelVariable(TIME, INDEPENDENT, "independent", "s", description="time")]
    sources = [SharedVariable(INDEPENDENT, TIME, "independent")]
    for source, one in stepper.inputs.items():
        name, reference = called["input", source], len(described)
        described.append(ModelVariable(name, reference, "input", _unit(one.unit), one.start, one.description))
        sources.append(SharedVariable(reference, name, "input", source))
    for source, spec in stepper.outputs.items():
        components = component_names(spec.size) or ("",)
        for k, component in enumerate(components):
            name, reference = called["output", source], len(described)
            if component:
                name = component_name(name, component)
            described.append(ModelVariable(name, reference, "output", _unit(spec.unit), None, spec.description))
            sources.append(SharedVariable(reference, name, "output", source, k))
    return tuple(described), tuple(sources)


def _unit(unit: str) -> str:
    """Unit in the description; dimensionless numbers have none."""
    return "" if unit == "1" else unit


# ---- export

# An FMU without Python from a stepper: description, library and archive.

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
