"""FMU that runs in Python: the model file, the settings, and the binaries of pythonfmu (FMI 2) or pythonfmu3 (FMI 3)."""

from __future__ import annotations

import importlib.metadata
import json
import platform
import sys
import uuid
import zipfile
from pathlib import Path
from typing import BinaryIO

from ...version import __version__
from ..limits import ExchangeError
from .documentation import documentation_page
from .fmu_request import FmuRequest
from .fmu_settings import SETTINGS
from .model_description import ModelDescription, model_description_xml
from .variable_names import identifier

__all__ = ["python_needs", "write_python_fmu"]

MODULE = "pitchline_fmi{version}_instance"
"""Name of the Python module in the FMU. FMUs of both versions can be in one process."""
_PACKAGES = {2: "pythonfmu", 3: "pythonfmu3"}
_INSTANCE = '''"""Instance of an FMU with a model of pitchline."""

try:
    from pitchline.exchange.fmi.python_slave import Fmi{version}Slave, keep_names
except ImportError as error:
    raise ImportError(
        "this FMU needs Python with pitchline {pitchline} on the machine that runs it: pip install pitchline. "
        f"The Python of this process cannot import it: {{error}}"
    ) from error


keep_names(globals())


class PitchlineInstance(Fmi{version}Slave):
    """The binaries look for this class."""
'''


def binaries(version: int) -> dict[str, Path]:
    """Binaries by platform of FMI."""
    folder = _folder(version)
    found = (
        {}
        if folder is None
        else {p.parent.name: p for p in folder.glob("*/*") if p.suffix in (".so", ".dll", ".dylib")}
    )
    if not found:
        raise ExchangeError(
            f"exporting an FMU that runs in Python (FMI {version}) needs the package {_PACKAGES[version]}: "
            'pip install "pitchline[fmu]"'
        )
    return found


def _folder(version: int) -> Path | None:
    """Folder of the binaries; None if the package is not installed."""
    try:
        if version == 2:
            import pythonfmu as package
        else:
            import pythonfmu3 as package
    except ImportError:
        return None
    return None if package.__file__ is None else Path(package.__file__).parent / "resources" / "binaries"


def python_needs(platforms: list[str]) -> list[str]:
    """What the machine that runs the FMU needs, in sentences."""
    allowed = " or ".join(sorted(platforms))
    return [
        f"Python {sys.version_info.major}.{sys.version_info.minor} (64 bit) with pitchline {__version__} "
        "(pip install pitchline), in the same process as the FMU",
        f"A platform with binaries in the FMU: {allowed}",
        "On Linux the importing program must be a Python program, or load the shared library of Python before the FMU, for "
        "example with LD_PRELOAD. On Windows the folder of python3.dll must be in PATH",
        "Compiled machine code of pitchline is stored at the first run. Without it the first instance takes about a minute: "
        "run pitchline warm once",
    ]


def write_python_fmu(request: FmuRequest, stream: BinaryIO, version: int) -> ModelDescription:
    """Write the FMU to a stream."""
    found = binaries(version)
    about = describe(request, needs_tool=True)
    needs = python_needs(list(found))
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("modelDescription.xml", model_description_xml(about, version))
        archive.writestr("documentation/index.html", documentation_page(about, needs, request.notes))
        for name, text in licences(_PACKAGES[version]).items():
            archive.writestr(f"documentation/licenses/{name}", text)
        for place, binary in found.items():
            archive.write(binary, f"binaries/{place}/{about.identifier}{binary.suffix}")
        for name, content in request.files.items():
            archive.writestr(f"resources/{name}", content)
        archive.writestr(f"resources/{SETTINGS}", json.dumps(request.settings.as_data(), indent=1))
        module = MODULE.format(version=version)
        archive.writestr("resources/slavemodule.txt", module)
        archive.writestr(f"resources/{module}.py", _INSTANCE.format(version=version, pitchline=__version__))
    return about


def describe(request: FmuRequest, *, needs_tool: bool, once: bool = False) -> ModelDescription:
    """Model description of a request."""
    file = request.file
    return ModelDescription(
        name=file.name, identifier=identifier(file.name), token=f"{{{uuid.uuid4()}}}", description=file.description,
        variables=request.variables, start_time=request.settings.start_time, stop_time=request.stop_time,
        step_size=request.communication_step, internal_step=request.settings.step, needs_tool=needs_tool,
        once_per_process=once,
    )  # fmt: skip


def licences(package: str) -> dict[str, str]:
    """Licence texts of the binaries of a package."""
    try:
        files = importlib.metadata.files(package) or []
    except importlib.metadata.PackageNotFoundError:
        return {}
    texts = {f"{package}.txt": Path(str(f.locate())) for f in files if "licen" in f.name.lower()}
    return {name: path.read_text(encoding="utf-8") for name, path in texts.items() if path.is_file()}


def has_binary_here(platforms: list[str]) -> bool:
    """Whether one of the platforms is that of this machine."""
    here = {"Linux": ("linux64", "x86_64-linux"), "Windows": ("win64", "x86_64-windows")}.get(platform.system(), ())
    return any(one in platforms for one in here)
