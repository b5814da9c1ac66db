"""A running FMU, through fmpy: start, communication steps, state, messages of the FMU."""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import io
import math
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from platform import machine
from typing import Any
from zipfile import BadZipFile, ZipFile

from pitchline.parts.control.kernel import ProgramInstance

from ..safe_xml import ExchangeError, archive_members, file_bytes, member_bytes
from .description import INTEGERS, FmuDescription, read_description

__all__ = [
    "FmuArchive",
    "description_from_bytes",
    "open_archive",
    "FmuPort",
    "FmuProgram",
    "archive_of",
    "read_archive",
    "FmuInstance",
    "open_instance",
]


# ---- fmu archive

# FMU files: a zip archive that is checked before anything of it is written to disk.

MOST_BYTES = 2 * 1024**3
"""Largest size of an FMU and of its contents: simulation tools put tables and libraries into it."""
_DESCRIPTION = "modelDescription.xml"
_folders: dict[str, Path] = {}
"""Folders with the contents of FMUs, by the hash of the file. They are removed at the end of the process."""


class FmuArchive:
    """An FMU on disk.

    path:        file
    digest:      SHA-256 of the file
    description: what modelDescription.xml states
    """

    def __init__(self, path: Path, data: bytes) -> None:
        self.path = path
        self.digest = hashlib.sha256(data).hexdigest()
        self.description = description_from_bytes(data, path.name)
        self._data: bytes | None = data

    def library(self) -> str:
        """Path of the program for this platform in the archive. ExchangeError, with the platforms that it has, if there is none."""
        names = _names(self._bytes(), self.path.name)
        library = self.description.library
        folders = platform_folders(self.description.major)
        for folder, ending in folders:
            name = f"binaries/{folder}/{library}{ending}"
            if name in names:
                return name
        others = sorted({name.split("/")[1] for name in names if name.startswith("binaries/") and name.count("/") >= 2})
        has = f"it has programs for {', '.join(others)}" if others else "it has no programs in binaries/"
        source = " and source code, which is not compiled here" if any(n.startswith("sources/") for n in names) else ""
        raise ExchangeError(
            f"{self.path.name}: no program for this platform (binaries/{folders[0][0]}/{library}{folders[0][1]}); {has}"
            f"{source}. Export the FMU for this platform"
        )

    def folder(self) -> Path:
        """Folder with the contents of the FMU, written once in a process."""
        if self.digest not in _folders:
            self.library()
            _folders[self.digest] = _extracted(self._bytes(), self.path.name)
        self._data = None
        return _folders[self.digest]

    def _bytes(self) -> bytes:
        if self._data is None:
            self._data = file_bytes(self.path, most=MOST_BYTES)
            if hashlib.sha256(self._data).hexdigest() != self.digest:
                raise ExchangeError(f"{self.path}: the file has changed since the model was made")
        return self._data


def open_archive(path: str | os.PathLike[str]) -> FmuArchive:
    """FMU from its file."""
    file = Path(path).expanduser()
    if file.is_dir():
        raise ExchangeError(f"{file}: a folder, not a file. Specify the .fmu file")
    return FmuArchive(file.absolute(), file_bytes(file, most=MOST_BYTES))


def description_from_bytes(data: bytes, name: str) -> FmuDescription:
    """Description of an FMU that is in memory. The archive is checked; no program is run."""
    with _zip(data, name) as archive:
        members = {member.filename: member for member in archive_members(archive, name, most=MOST_BYTES)}
        if _DESCRIPTION not in members:
            raise ExchangeError(f"{name}: not an FMU: {_DESCRIPTION} is missing in the archive")
        return read_description(member_bytes(archive, members[_DESCRIPTION], name), name)


def platform_folders(major: int) -> list[tuple[str, str]]:
    """Folders in binaries/ for this platform, with the ending of a shared library; that of the version of FMI first."""
    system, ending = {"win32": ("win", ".dll"), "darwin": ("darwin", ".dylib")}.get(sys.platform, ("linux", ".so"))
    arm = machine().lower() in ("arm64", "aarch64")
    bits = "64" if sys.maxsize > 2**32 else "32"
    old = [f"{system}{bits}"] if not arm or system == "darwin" else []
    processor = "aarch64" if arm else "x86_64" if bits == "64" else "x86"
    new = [f"{processor}-{'windows' if system == 'win' else system}"]
    folders = new + old if major == 3 else old + new
    return [(folder, ending) for folder in folders]


def _zip(data: bytes, name: str) -> ZipFile:
    try:
        return ZipFile(io.BytesIO(data))
    except (BadZipFile, ValueError, OSError, EOFError, NotImplementedError) as error:
        raise ExchangeError(f"{name}: not an FMU: the file is not a zip archive ({error})") from error
    except Exception as error:  # the directory of a damaged archive: struct.error, UnicodeDecodeError and others
        raise ExchangeError(f"{name}: the directory of the archive is damaged: {error}") from error


def _names(data: bytes, name: str) -> set[str]:
    with _zip(data, name) as archive:
        return {member.filename for member in archive_members(archive, name, most=MOST_BYTES)}


def _extracted(data: bytes, name: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pitchline-fmu-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with _zip(data, name) as archive:
        for member in archive_members(archive, name, most=MOST_BYTES):
            target = folder / member.filename.replace("\\", "/")
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(member_bytes(archive, member, name, most=MOST_BYTES))
            except OSError as error:
                raise ExchangeError(f'{name}: "{member.filename}" cannot be written to {folder}: {error}') from error
    (folder / "resources").mkdir(exist_ok=True)
    return folder


# ---- fmu program

# FMU as a part of a model: its file, and the variables that are its inputs, outputs and parameters.


@dataclass(frozen=True)
class FmuPort:
    """Variable that is exchanged: SI value = factor * value + offset.

    signal: name of the signal in the model
    kind:   type of the variable
    """

    signal: str
    variable: str
    reference: int
    kind: str
    factor: float
    offset: float


@dataclass(frozen=True)
class FmuProgram:
    """FMU for co-simulation in a model.

    file:       path of the FMU
    element:    name of the element
    digest:     SHA-256 of the file
    parameters: (variable, value in the unit of the FMU, as specified)
    """

    file: str
    element: str
    digest: str
    inputs: tuple[FmuPort, ...]
    outputs: tuple[FmuPort, ...]
    parameters: tuple[tuple[FmuPort, Any, Any], ...]
    units: tuple[tuple[str, str], ...] = ()
    unconnected: tuple[str, ...] = ()
    """Inputs that keep their start values."""

    @property
    def words(self) -> str:
        """One line."""
        return f"FMU {Path(self.file).name}"

    @property
    def unsaved(self) -> str:
        """Why the state cannot be stored; empty if it can."""
        if archive_of(self.file, self.digest).description.serializes:
            return ""
        return f"{Path(self.file).name} cannot write its state (it does not declare canSerializeFMUstate)"

    def open(self, name: str) -> ProgramInstance:
        """Start the FMU."""
        pass

        return open_instance(self)


_archives: dict[tuple[str, str], FmuArchive] = {}


def read_archive(file: str | os.PathLike[str]) -> FmuArchive:
    """FMU as it is on disk now."""
    archive = open_archive(file)
    return _archives.setdefault((str(archive.path), archive.digest), archive)


def archive_of(file: str, digest: str) -> FmuArchive:
    """FMU with the contents that it had when the model was made."""
    if (file, digest) not in _archives and read_archive(file).digest != digest:
        raise ExchangeError(f"{file}: the file has changed since the model was made. Make the model again")
    return _archives[file, digest]


STATUS = ("OK", "Warning", "Discard", "Error", "Fatal", "Pending")
MOST_MESSAGES = 200
_MISSING = 'running FMUs needs fmpy: pip install "pitchline[fmi]"'
_only: dict[str, FmuInstance] = {}
"""Instances of FMUs that allow one instance in a process, by the hash of their file."""


def fmpy_module() -> Any:
    """fmpy; ExchangeError if it is not installed."""
    try:
        import fmpy
        import fmpy.fmi2
        import fmpy.fmi3
    except ImportError as error:
        raise ExchangeError(_MISSING) from error
    return fmpy


def open_instance(program: FmuProgram) -> FmuInstance:
    """Load and instantiate an FMU."""
    archive = archive_of(program.file, program.digest)
    if not archive.description.once:
        return FmuInstance(program)
    kept = _only.get(archive.digest)
    if kept is None:
        _only[archive.digest] = kept = FmuInstance(program)
        return kept
    if kept.busy:
        raise ExchangeError(
            f"{kept.file}: it can be instantiated only once in a process (canBeInstantiatedOnlyOncePerProcess), but the "
            "model, or another run, uses it twice"
        )
    kept.reuse(program)
    return kept


class FmuInstance:
    """One instance of an FMU. Its numbers are in SI here, and in the units of the FMU inside."""

    def __init__(self, program: FmuProgram) -> None:
        fmpy = fmpy_module()
        archive = archive_of(program.file, program.digest)
        self.program, self.description, self.file = program, archive.description, Path(program.file).name
        self.busy = True
        self._messages: list[str] = []
        self._running = False
        folder = archive.folder()
        library = str(folder / archive.library())
        major = self.description.major
        module = fmpy.fmi2 if major == 2 else fmpy.fmi3
        slave = fmpy.fmi2.FMU2Slave if major == 2 else fmpy.fmi3.FMU3Slave
        options: dict[str, Any] = {"libraryPath": library} if major == 2 else {}
        place = _folder()
        try:
            self._fmu = slave(
                guid=self.description.token, modelIdentifier=self.description.library, unzipDirectory=str(folder),
                instanceName=program.element, **options,
            )  # fmt: skip
        except Exception as error:  # fmpy raises Exception
            if place:
                os.chdir(place)  # fmpy loads in the folder of the library, and does not leave it after an error
            raise ExchangeError(f"{self.file}: the program cannot be loaded: {error}") from error
        try:
            if major == 2:
                self._fmu.instantiate(callbacks=self._callbacks(module))
            else:
                self._fmu.instantiate(logMessage=self._log3)
        except Exception as error:
            raise ExchangeError(
                f"{self.file}: the FMU refuses to start an instance{self._told()}. The identifier in modelDescription.xml "
                f"({'guid' if major == 2 else 'instantiationToken'} {self.description.token[:60]}) may differ from that of "
                "its program; an FMU with needsExecutionTool needs the program that wrote it"
            ) from error
        self._inputs = [_PortGroup(self._fmu, major, ports, setting=True) for ports in _by_kind(program.inputs)]
        self._outputs = [_PortGroup(self._fmu, major, ports, setting=False) for ports in _by_kind(program.outputs)]
        places = {port.signal: i for i, port in enumerate(program.inputs)}
        results = {port.signal: i for i, port in enumerate(program.outputs)}
        for group in self._inputs:
            group.places = [places[port.signal] for port in group.ports]
        for group in self._outputs:
            group.places = [results[port.signal] for port in group.ports]
        self._slopes = [group for group in self._inputs if major == 2 and group.real and self.description.interpolates]

    def begin(self, t: float, inputs: list[float]) -> list[float]:
        """Initialise at a time with inputs. Return the outputs."""
        for port, value, _ in self.program.parameters:
            self._call(
                f'parameter "{port.variable}" = {value!r}', _set_one, self._fmu, self.description.major, port, value
            )
        if self.description.major == 2:
            self._call("setupExperiment", self._fmu.setupExperiment, startTime=t)
            self._call("enterInitializationMode", self._fmu.enterInitializationMode)
        else:
            self._call("enterInitializationMode", self._fmu.enterInitializationMode, startTime=t)
        self._put(inputs, t)
        self._call("exitInitializationMode", self._fmu.exitInitializationMode)
        self._running = True
        return self._taken(t)

    def advance(self, t: float, h: float, inputs: list[float], slopes: list[float] | None) -> list[float]:
        """Communication step from t to t + h.

        slopes: the inputs are on straight lines. An FMU that does not take derivatives of inputs makes two half steps, with the
        inputs of the start and those of the end: the mean value of the inputs is exact, and outputs that depend directly on
        inputs belong to the end of the step.
        """
        if slopes is not None and not self.description.interpolates:
            self._put(inputs, t)
            self._step(t, 0.5 * h)
            self._put([u + h * du for u, du in zip(inputs, slopes, strict=True)], t)
            self._step(t + 0.5 * h, 0.5 * h)
            return self._taken(t + h)
        self._put(inputs, t)
        for group in self._slopes if slopes is not None else ():
            self._call(f"setRealInputDerivatives at t = {t:.9g} s", group.put_slopes, slopes)
        self._step(t, h)
        return self._taken(t + h)

    def _step(self, t: float, h: float) -> None:
        if self.description.major == 2:
            self._call(f"doStep at t = {t:.9g} s", self._fmu.doStep, t, h)
            return
        _, ends, early, last = self._call(f"doStep at t = {t:.9g} s", self._fmu.doStep, t, h)
        if ends:
            raise ExchangeError(f"{self.file}: the FMU ends the simulation at t = {t:.9g} s{self._told()}")
        if early and last < t + h * (1.0 - 1e-9):
            raise ExchangeError(f"{self.file}: doStep at t = {t:.9g} s ended early, at t = {last:.9g} s{self._told()}")

    def state(self) -> bytes:
        """State as bytes."""
        if not self.description.serializes:
            raise ExchangeError(self.program.unsaved)
        held = self._call("getFMUstate", self._fmu.getFMUState)
        try:
            return bytes(self._call("serializeFMUstate", self._fmu.serializeFMUState, held))
        finally:
            self._fmu.freeFMUState(held)

    def set_state(self, t: float, state: bytes) -> None:
        """Continue from a state."""
        self.begin(t, [0.0 for _ in self.program.inputs])
        held = self._call("deserializeFMUstate", self._fmu.deserializeFMUState, state)
        try:
            self._call("setFMUstate", self._fmu.setFMUState, held)
        finally:
            self._fmu.freeFMUState(held)

    def reuse(self, program: FmuProgram) -> None:
        """Start again from the beginning, for another run."""
        self._call("reset", self._fmu.reset)
        if (program.inputs, program.outputs) != (self.program.inputs, self.program.outputs):
            raise ExchangeError(
                f"{self.file}: it can be instantiated only once in a process (canBeInstantiatedOnlyOncePerProcess), with one "
                "choice of inputs and outputs. Use another process for the other model"
            )
        self.program, self.busy, self._running = program, True, False

    def close(self) -> None:
        """End the instance."""
        if not self.busy:
            return
        self.busy = False
        try:
            if self._running:
                self._running = False
                self._fmu.terminate()
        except Exception:  # an FMU that failed may refuse to terminate; its memory is released below
            self._messages.clear()
        if not self.description.once:
            # its program stays loaded: some, such as those with Python inside, cannot be removed from a process
            free = self._fmu.fmi2FreeInstance if self.description.major == 2 else self._fmu.fmi3FreeInstance
            free(self._fmu.component)

    def _put(self, inputs: list[float], t: float) -> None:
        for group in self._inputs:
            self._call(f"setting inputs at t = {t:.9g} s", group.put, inputs)

    def _taken(self, t: float) -> list[float]:
        found = [0.0] * len(self.program.outputs)
        for group in self._outputs:
            self._call(f"reading outputs at t = {t:.9g} s", group.take, found)
        return found

    def _call(self, what: str, function: Any, *arguments: Any, **named: Any) -> Any:
        from fmpy.fmi1 import FMICallException

        try:
            return function(*arguments, **named)
        except FMICallException as error:
            major, status = self.description.major, error.status
            name = STATUS[status] if 0 <= status < len(STATUS) else str(status)
            raise ExchangeError(f"{self.file}: {what} returned fmi{major}{name}{self._told()}") from error
        except (ctypes.ArgumentError, OverflowError, AttributeError, KeyError) as error:
            raise ExchangeError(f"{self.file}: {what}: {error}{self._told()}") from error

    def _told(self) -> str:
        """Last messages of the FMU."""
        text = "; ".join(self._messages[-3:])
        self._messages.clear()
        return f": {text}" if text else ""

    def _keep(self, message: bytes | None) -> None:
        if len(self._messages) < MOST_MESSAGES and message:
            self._messages.append(message.decode("utf-8", "replace").strip()[:500])

    def _log3(self, environment: Any, status: int, category: bytes, message: bytes) -> None:
        self._keep(message)

    def _callbacks(self, module: Any) -> Any:
        from fmpy import calloc, free
        from fmpy.logging import addLoggerProxy

        def logger(component: Any, name: bytes, status: int, category: bytes, message: bytes) -> None:
            self._keep(message)

        made = module.fmi2CallbackFunctions()
        made.logger = module.fmi2CallbackLoggerTYPE(logger)
        made.allocateMemory = module.fmi2CallbackAllocateMemoryTYPE(calloc)
        made.freeMemory = module.fmi2CallbackFreeMemoryTYPE(free)
        self._logger = made.logger  # the structure holds only its address once the proxy is in between
        try:
            addLoggerProxy(ctypes.byref(made))
        except Exception:  # no proxy for this platform: texts keep their format codes
            self._messages.clear()
        return made


def _folder() -> str:
    """The current folder; empty if it was removed."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def _by_kind(ports: tuple[FmuPort, ...]) -> list[list[FmuPort]]:
    """Ports of one type together: an FMU takes the values of one type in one call."""
    groups: dict[str, list[FmuPort]] = {}
    for port in ports:
        groups.setdefault(port.kind, []).append(port)
    return list(groups.values())


class _PortGroup:
    """Variables of one type, with arrays for the calls of the FMU that are made once."""

    def __init__(self, fmu: Any, major: int, ports: list[FmuPort], *, setting: bool) -> None:
        self.ports, self.places = ports, list(range(len(ports)))
        self.real = ports[0].kind in ("Real", "Float64", "Float32")
        n = len(ports)
        self._fmu, self._n = fmu, n
        self._references = (ctypes.c_uint32 * n)(*(port.reference for port in ports))
        self._values = (_c_type(major, ports[0].kind) * n)()
        self._orders = (ctypes.c_int * n)(*[1] * n)
        verb = "Set" if setting else "Get"
        kind = "Integer" if major == 2 and ports[0].kind in INTEGERS else ports[0].kind
        kind = "Int64" if major == 3 and kind == "Enumeration" else kind
        self._function = getattr(fmu, f"fmi{major}{verb}{kind}")
        self._sizes = (n,) if major == 2 else (n, n)

    def put(self, values: list[float]) -> None:
        for i, (place, port) in enumerate(zip(self.places, self.ports, strict=True)):
            self._values[i] = _as_kind((values[place] - port.offset) / port.factor, port)
        self._call()

    def put_slopes(self, slopes: list[float]) -> None:
        rates = (ctypes.c_double * self._n)(
            *(slopes[place] / port.factor for place, port in zip(self.places, self.ports, strict=True))
        )
        self._fmu.fmi2SetRealInputDerivatives(self._fmu.component, self._references, self._n, self._orders, rates)

    def take(self, values: list[float]) -> None:
        self._call()
        for i, (place, port) in enumerate(zip(self.places, self.ports, strict=True)):
            values[place] = port.factor * float(self._values[i]) + port.offset

    def _call(self) -> None:
        if len(self._sizes) == 1:
            self._function(self._fmu.component, self._references, self._n, self._values)
        else:
            self._function(self._fmu.component, self._references, self._n, self._values, self._n)


def _c_type(major: int, kind: str) -> Any:
    if major == 2:
        return ctypes.c_double if kind == "Real" else ctypes.c_int
    sizes = {
        "Float64": ctypes.c_double,
        "Float32": ctypes.c_float,
        "Boolean": ctypes.c_bool,
        "Enumeration": ctypes.c_int64,
    }
    return sizes.get(kind) or getattr(ctypes, f"c_{kind.lower()}")


def _as_kind(value: float, port: FmuPort) -> Any:
    if port.kind in ("Real", "Float64", "Float32"):
        return value
    if not math.isfinite(value):
        raise ExchangeError(f'input "{port.variable}": {value} is not a number')
    return int(value > 0.5) if port.kind == "Boolean" else round(value)


def _set_one(fmu: Any, major: int, port: FmuPort, value: Any) -> None:
    if port.kind == "String":
        fmu.setString([port.reference], [value])
        return
    group = _PortGroup(fmu, major, [port], setting=True)
    group._values[0] = value
    group._call()
