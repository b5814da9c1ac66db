"""Files of an FMU without Python."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass

from ....analyses.stepper import Stepper
from ....progress import staged
from ...limits import ExchangeError
from ..documentation import documentation_page
from ..model_description import ModelDescription, model_description_xml
from .library import SharedVariable, native_library

__all__ = ["NativeFiles", "native_files"]

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
