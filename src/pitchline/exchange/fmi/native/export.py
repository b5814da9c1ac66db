"""An FMU without Python: library, description and page, as an archive."""

from __future__ import annotations

import platform
import zipfile
from typing import BinaryIO

from ....progress import staged
from ...limits import ExchangeError
from ..documentation import documentation_page
from ..fmu_request import FmuRequest
from ..model_description import ModelDescription, model_description_xml
from .library import SharedVariable, native_library

__all__ = ["check_machine", "write_native_fmu"]

_FOLDERS = {2: "linux64", 3: "x86_64-linux"}
"""Folders of the library for Linux on x86-64, by the version of FMI."""


def check_machine() -> None:
    """An FMU without Python is made on the kind of machine that runs it."""
    system, processor = platform.system(), platform.machine()
    if system != "Linux" or processor != "x86_64":
        raise ExchangeError(
            f"FMUs without Python are made on Linux with x86-64 processors, this is {system} on {processor}. Export the FMU with "
            "Python inside"
        )


@staged("FMU without Python")
def write_native_fmu(request: FmuRequest, about: ModelDescription, stream: BinaryIO, version: int) -> list[str]:
    """Write the FMU to a stream, and return what the machine that runs it needs, in sentences.

    The stepper of the request must not have moved, and must not be used afterwards.
    """
    check_machine()
    library = native_library(request.stepper, about.token, f"{about.identifier}.so", _variables(request, about))
    needs = [
        "Linux on an x86-64 processor"
        + (f", with the GNU C library {library.c_library} or later" if library.c_library else ""),
        "No Python and no other program",
    ]
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("modelDescription.xml", model_description_xml(about, version))
        archive.writestr("documentation/index.html", documentation_page(about, needs, request.notes))
        archive.writestr(f"binaries/{_FOLDERS[version]}/{about.identifier}.so", library.content)
    return needs


def _variables(request: FmuRequest, about: ModelDescription) -> list[SharedVariable]:
    """Sources of the variables of a description."""
    source = {one.reference: one for one in request.settings.variables}
    found = []
    for v in about.variables:
        one = source.get(v.reference)
        if one is None:
            found.append(SharedVariable(v.reference, v.name, "independent"))
        else:
            found.append(SharedVariable(v.reference, v.name, one.kind, one.name, one.component or 0))
    return found
