"""FMU that runs in Python: the model file, the settings, and a library that starts Python in a process of its own."""

from __future__ import annotations

import dataclasses
import json
import sys
import uuid
import zipfile
from pathlib import Path
from typing import BinaryIO

from pitchline.version import __version__

from .export import FmuRequest
from .model_description import SETTINGS, ModelDescription, documentation_page, identifier, model_description_xml

__all__ = ["python_needs", "write_python_fmu"]

LIBRARIES = {"linux": "front.so", "windows": "front.dll"}
"""Files of the libraries, for x86-64. Each has the functions of FMI 2 and FMI 3. `scripts/build_fmu_front.py` makes them."""
FOLDERS = {2: {"linux": "linux64", "windows": "win64"}, 3: {"linux": "x86_64-linux", "windows": "x86_64-windows"}}
"""Folders in an FMU, by the version of FMI."""
SCRIPT = "pitchline_fmu.py"
PROGRAM = "python.txt"
"""Files in the resources that the library reads: what Python runs, and the path of the Python of the export."""
_SCRIPT = '''"""Process with the model of this FMU. The library in binaries/ starts it."""

import os
import sys

try:
    from pitchline.exchange.fmi.model_server import serve
except ImportError as error:
    sys.exit(print(f"cannot import pitchline {version}: {{error}}"))

serve(os.path.dirname(os.path.abspath(__file__)))
'''


def library_files() -> dict[str, Path]:
    """The libraries, by platform."""
    folder = Path(__file__).with_name("process")
    return {platform: folder / name for platform, name in LIBRARIES.items()}


def python_needs() -> list[str]:
    """What the machine that runs the FMU needs, in sentences."""
    return [
        f"Python 3.11 or later (64 bit) with pitchline {__version__} (pip install pitchline). The FMU starts it in a process of "
        "its own. It uses the Python of the importing program if that is a Python program, that of the export, or python3 in "
        "PATH; the environment variable PITCHLINE_PYTHON names another one",
        "Linux or Windows on an x86-64 processor",
        "Compiled machine code of pitchline is stored at the first run. Without it the first instance takes about a minute: "
        "run pitchline warm once",
    ]


def write_python_fmu(request: FmuRequest, stream: BinaryIO, version: int) -> ModelDescription:
    """Write the FMU to a stream."""
    about = describe(request)
    settings = dataclasses.replace(request.settings, token=about.token)
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("modelDescription.xml", model_description_xml(about, version))
        archive.writestr("documentation/index.html", documentation_page(about, python_needs(), request.notes))
        for platform, library in library_files().items():
            archive.write(library, f"binaries/{FOLDERS[version][platform]}/{about.identifier}{library.suffix}")
        for name, content in request.files.items():
            archive.writestr(f"resources/{name}", content)
        archive.writestr(f"resources/{SETTINGS}", json.dumps(settings.as_data(), indent=1))
        archive.writestr(f"resources/{SCRIPT}", _SCRIPT.format(version=__version__))
        archive.writestr(f"resources/{PROGRAM}", f"{sys.executable}\n")
    return about


def describe(request: FmuRequest) -> ModelDescription:
    """Model description of a request."""
    file = request.file
    return ModelDescription(
        name=file.name, identifier=identifier(file.name), token=f"{{{uuid.uuid4()}}}", description=file.description,
        variables=request.variables, start_time=request.settings.start_time, stop_time=request.stop_time,
        step_size=request.communication_step, internal_step=request.settings.step, needs_tool=True,
    )  # fmt: skip
