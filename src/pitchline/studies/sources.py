"""Sources of a study: a model file, a Python function, or a program of the gallery."""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from pitchline.base.progress.display import note
from pitchline.base.storage.free_names import StorageError, cannot_write
from pitchline.errors import ModelError, PitchlineError, UnitError, near_names, shown
from pitchline.facades import gallery_model, read_model
from pitchline.model.model import Model
from pitchline.units.parser import NONE
from pitchline.units.quantity import canonical_unit, dimension_name, dimension_of

from .dependencies import function_parts, module_parts
from .points.parameter_values import ParameterValues, Points, read_quantity, scale_of

__all__ = ["model_folder", "Source", "SourceParameter", "FileSource", "FunctionSource", "ProgramSource", "source_of"]


# ---- model folder

# Folders with copies of model files, one for each set of files and process.

_folders: dict[tuple[int, str], tempfile.TemporaryDirectory[str]] = {}
"""(process, checksum of the files) -> folder. They are removed when the process ends."""
_MOST_FOLDERS = 8


def model_folder(digest: str, files: Mapping[str, bytes]) -> Path:
    """Folder with these files. It is made at the first call.

    digest : checksum of the files
    files : names relative to the folder, and contents
    """
    key = (os.getpid(), digest)
    if key not in _folders:
        while len(_folders) >= _MOST_FOLDERS:
            _folders.pop(next(iter(_folders))).cleanup()
        folder = tempfile.TemporaryDirectory(prefix="pitchline-study-", ignore_cleanup_errors=True)
        for name, content in files.items():
            path = Path(folder.name) / name
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            except OSError as error:
                raise StorageError(cannot_write(path, error, len(content))) from error
        _folders[key] = folder
    return Path(_folders[key].name)


# ---- source

# Source: a model with parameters, which a study builds for many parameter values.


@dataclass(frozen=True)
class SourceParameter:
    """Parameter of a source.

    default : number in `unit`, or a text; None if a function has no default
    unit : SI unit (Hz for a frequency in Hz); "" for a plain number or a text
    shown_unit : unit in the file
    choices : allowed texts; empty for a number
    """

    default: Any
    unit: str = ""
    shown_unit: str = ""
    choices: tuple[str, ...] = ()


class Source(ABC):
    """Model with parameters, which can be built for any parameter values, in any process."""

    name: str
    """Name of the model."""
    called: str
    """Name in messages, e.g. the name of the file."""

    @property
    @abstractmethod
    def parameters(self) -> Mapping[str, SourceParameter]:
        """Parameters by name."""

    @abstractmethod
    def build(self, values: Mapping[str, Any]) -> Model:
        """The model with other parameter values: numbers in SI units, texts with units, or texts."""

    @abstractmethod
    def to_data(self) -> dict[str, Any]:
        """Plain data that identify the source, for the plan of a study."""

    def check(self, names: Iterable[str]) -> None:
        """ModelError if the source does not have one of these parameters."""
        for name in names:
            if name not in self.parameters:
                raise ModelError(f'{self.called} has no parameter "{name}"; {near_names(name, self.parameters)}')

    def fitted(self, points: Points) -> Points:
        """The points with numbers in the units of the parameters; ModelError if they do not fit the parameters."""
        self.check(points.names)
        axes = {name: self._fitted(name, axis) for name, axis in points.axes.items()}
        return Points(points.dims, axes, points.along, points.design)

    def _fitted(self, name: str, axis: ParameterValues) -> ParameterValues:
        parameter = self.parameters[name]
        what = f"{self.called}: {name}"
        if parameter.choices:
            for value in axis.values.tolist():
                if value not in parameter.choices:
                    text = near_names(str(value), parameter.choices)
                    raise ModelError(f"{what}: {shown(value)} is not one of the choices; {text}")
            return axis
        if axis.are_texts:
            if isinstance(parameter.default, (int, float)):
                example = f' with a unit, e.g. "{parameter.default:g} {parameter.unit}"' if parameter.unit else ""
                raise ModelError(f"{what}: {shown(axis.values[0])} is not a number. Specify numbers{example}")
            return axis
        whole = (
            isinstance(parameter.default, int)
            and not isinstance(parameter.default, bool)
            and axis.values.dtype.kind == "f"
        )
        if whole and not axis.unit and (axis.values == np.round(axis.values)).all():  # numbers of teeth from linspace
            return ParameterValues(axis.values.astype(np.int64))
        if not parameter.unit or not axis.unit:
            shown_unit = axis.shown_unit if axis.unit else parameter.shown_unit
            return ParameterValues(axis.values, axis.unit or parameter.unit, shown_unit)
        scale = scale_of(axis.unit, parameter.unit)
        if scale is None:
            got, expected = (dimension_name(dimension_of(f"1 {unit}") or NONE) for unit in (axis.unit, parameter.unit))
            raise UnitError(
                f"{what}: got {got} ({axis.shown_unit}), expected {expected}, e.g. in {parameter.shown_unit}"
            )
        return ParameterValues(axis.values * scale if scale != 1.0 else axis.values, parameter.unit, axis.shown_unit)


# ---- file source

# FileSource: a model file as the source of a study.

_ELEMENT = re.compile(r"""["']([A-Za-z_][\w.]*):[A-Za-z_]\w*["']""")
"""Class of a module in a model file, "module:Class"."""


@dataclass(frozen=True, eq=False)
class FileSource(Source):
    """Model file with all files that it reads. It does not depend on the files on the disk after it was made.

    name, called : as in `Source`
    files : name relative to the folder of the model file -> content; the first is the model file
    overrides : parameter values that the user has set for all points
    allow : modules with user-defined elements
    """

    name: str
    called: str
    files: Mapping[str, bytes]
    overrides: Mapping[str, Any]
    allow: tuple[str, ...] = ()

    @staticmethod
    def of(file: Any) -> FileSource:
        """Source of a `ModelFile`."""
        origin = file.origin
        if not origin.text:
            raise ModelError(f'the model file "{file.name}" was not read from a file. Specify the name of a file')
        if origin.path is None:
            files = {"model.toml": origin.text.encode()}
        else:
            root = origin.path.parent
            files = {origin.path.name: origin.text.encode()}
            for other in origin.others:
                files[other.relative_to(root).as_posix()] = _content(other)
        return FileSource(file.name, origin.called, files, dict(origin.overrides), tuple(origin.allow))

    @cached_property
    def digest(self) -> str:
        """Checksum of all files."""
        found = hashlib.sha256()
        for name, content in self.files.items():
            found.update(f"{name}\0{len(content)}\0".encode() + content)
        return found.hexdigest()

    def read(self, values: Mapping[str, Any]) -> Any:
        """The `ModelFile` with other parameter values. FileError if the file has problems with these values."""
        path = model_folder(self.digest, self.files) / next(iter(self.files))
        return read_model(path, overrides={**self.overrides, **values}, source=self.called, allow=self.allow)

    @cached_property
    def file(self) -> Any:
        """The `ModelFile` with the values of the file."""
        return self.read({})

    @cached_property
    def parameters(self) -> Mapping[str, SourceParameter]:
        """Declared parameters of the file."""
        return {declared.name: _of_declared(declared, self.file.parameters) for declared in self.file.declared}

    def build(self, values: Mapping[str, Any]) -> Model:
        """The model of the file with other parameter values."""
        model: Model = self.read(values).model
        return model

    def fitted(self, points: Points) -> Points:
        """The points with numbers in the units of the parameters; bounds and choices of the file are checked."""
        fits = super().fitted(points)
        for declared in self.file.declared:
            if declared.name in fits.axes and (declared.low is not None or declared.high is not None):
                column = fits.column(declared.name)
                for i in {int(np.argmin(column)), int(np.argmax(column))}:
                    self._check_bounds(declared.name, fits.at(i))
        return fits

    def _check_bounds(self, name: str, values: Mapping[str, Any]) -> None:
        try:
            self.read(values)
        except PitchlineError as error:
            for problem in getattr(error, "found", ()):
                if problem.key == f"parameters.{name}":
                    raise ModelError(f"{self.called}: {name}: {problem.message}") from error

    def to_data(self) -> dict[str, Any]:
        """Texts of the files, the values set by the user, and checksums of the modules of user-defined elements."""
        files = {name: _text(content) for name, content in self.files.items()}
        named = (
            {match.group(1) for text in files.values() for match in _ELEMENT.finditer(text)} if self.allow else set()
        )
        return {
            "parts": module_parts(sorted(named)),
            "kind": "file",
            "name": self.name,
            "files": files,
            "overrides": {k: str(v) for k, v in self.overrides.items()},
        }

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key not in ("file", "parameters")}


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelError(f'"{path}" cannot be read: {error.strerror or error}') from error


def _text(content: bytes) -> str:
    """A file as text in a plan; the checksum of data that are not a short text."""
    try:
        if len(content) <= 1 << 20:
            return content.decode()
    except UnicodeDecodeError:
        pass
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _of_declared(declared: Any, values: Mapping[str, Any]) -> SourceParameter:
    if declared.choices:
        return SourceParameter(declared.value, choices=tuple(declared.choices))
    text = f"{declared.value} {declared.unit}" if declared.unit else values[declared.name]
    number, unit, written = read_quantity(text, declared.name)
    return SourceParameter(number if isinstance(text, str) else text, unit, written)


_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""In texts of objects; it is another one in each process."""


@dataclass(frozen=True, eq=False)
class FunctionSource(Source):
    """Python function that builds the model. It gets SI numbers (or texts, for values that are not quantities) by name.

    function : its arguments are the parameters
    """

    function: Callable[..., Any]

    def __post_init__(self) -> None:
        for name, argument in self._arguments.items():
            if argument.kind is argument.POSITIONAL_ONLY:
                raise ModelError(
                    f"{self.called}: the argument {name} cannot be given by name. Remove the / from its definition, or use "
                    f"lambda {name}: {self.name}({name})"
                )

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name of the function."""
        function = self.function.func if isinstance(self.function, partial) else self.function
        return str(getattr(function, "__name__", type(function).__name__))

    @property
    def called(self) -> str:  # type: ignore[override]
        """Name in messages."""
        return f"function {self.name}"

    @cached_property
    def _arguments(self) -> Mapping[str, inspect.Parameter]:
        try:
            return inspect.signature(self.function).parameters
        except (TypeError, ValueError):
            return {}

    @cached_property
    def parameters(self) -> Mapping[str, SourceParameter]:
        """Arguments of the function."""
        named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        return {
            name: _of_default(None if argument.default is argument.empty else argument.default, name)
            for name, argument in self._arguments.items()
            if argument.kind in named
        }

    def check(self, names: Iterable[str]) -> None:
        """ModelError if the function does not have one of these arguments, or others without default."""
        wanted = list(names)
        if not any(argument.kind is argument.VAR_KEYWORD for argument in self._arguments.values()) and self._arguments:
            super().check(wanted)
        for name, argument in self._arguments.items():
            variable = argument.kind in (argument.VAR_KEYWORD, argument.VAR_POSITIONAL)
            if argument.default is argument.empty and not variable and name not in wanted:
                raise ModelError(
                    f"{self.called}: the argument {name} has no value. Add it to the points, or give it a default"
                )

    def _fitted(self, name: str, axis: ParameterValues) -> ParameterValues:
        if name not in self.parameters:
            return axis
        if axis.unit == "Hz" and not self.parameters[name].unit:
            note(
                f"{self.called}: {name} is the number of Hz: {float(axis.values[0]):g} for "
                f'"{float(axis.values[0]):g} Hz". For a speed in rad/s, specify rpm or rad/s, or give it a default with a unit, '
                f'e.g. {name}="3000 rpm"'
            )
        return super()._fitted(name, axis)

    def call(self, values: Mapping[str, Any]) -> Any:
        """What the function returns for parameter values."""
        return self.function(**{name: self.number(name, value) for name, value in values.items()})

    def number(self, name: str, value: Any) -> Any:
        """A text with a unit as a number in the unit of the default; other values as they are."""
        if not isinstance(value, str):
            return value
        try:
            number, unit, _ = read_quantity(value, name)
        except UnitError:
            return value
        own = self.parameters[name].unit if name in self.parameters else ""
        scale = scale_of(unit, own) if own else 1.0
        if scale is None:
            raise UnitError(f"{self.called}: {name}: {shown(value)} does not have the dimension of {own}")
        return number * scale if scale != 1.0 else number

    def build(self, values: Mapping[str, Any]) -> Model:
        """The model that the function returns."""
        model = self.call(values)
        model = getattr(model, "model", model)  # a ModelFile
        if not isinstance(model, Model):
            raise ModelError(f"{self.called} must return a Model, got {shown(model)}")
        return model

    def __getstate__(self) -> dict[str, Any]:
        return {"function": self.function}

    def to_data(self) -> dict[str, Any]:
        """Name and fixed values of the function, and checksums of everything that it depends on."""
        function, fixed = self.function, dict[str, Any]()
        while isinstance(function, partial):
            fixed = {**{f"argument {k}": value for k, value in enumerate(function.args)}, **function.keywords, **fixed}
            function = function.func
        function = inspect.unwrap(function)
        names = getattr(getattr(function, "__code__", None), "co_freevars", ())
        for name, cell in zip(names, getattr(function, "__closure__", None) or (), strict=False):
            fixed[f"variable {name}"] = cell.cell_contents
        if not names and not inspect.isroutine(function):  # an object that can be called
            fixed |= {f"attribute {name}": value for name, value in getattr(function, "__dict__", {}).items()}
        values = {name: _ADDRESS.sub("", repr(value)) for name, value in fixed.items()}
        return {"kind": "function", "name": self.name, "values": values, "parts": function_parts(self.function)}


def _of_default(default: Any, name: str) -> SourceParameter:
    if isinstance(default, str):
        try:
            number, unit, written = read_quantity(default, name)
        except UnitError:
            return SourceParameter(default)
        return SourceParameter(number, unit, written)
    return SourceParameter(default)


@dataclass(frozen=True, eq=False)
class ProgramSource(Source):
    """Model of the gallery that is a program.

    name : in the gallery
    """

    name: str

    @property
    def called(self) -> str:  # type: ignore[override]
        """Name in messages."""
        return self.name

    @property
    def program(self) -> Any:
        """The `GalleryModel`."""
        return gallery_model(self.name)

    @property
    def parameters(self) -> Mapping[str, SourceParameter]:
        """Parameters of the program."""
        return {
            name: SourceParameter(about.default, _unit(about.dimension), _unit(about.dimension))
            for name, about in self.program.parameters.items()
        }

    def with_values(self, values: Mapping[str, Any]) -> Any:
        """The `GalleryModel` with other parameter values."""
        return self.program.with_settings(values)

    def build(self, values: Mapping[str, Any]) -> Model:
        """The model with other parameter values."""
        model: Model = self.with_values(values).build()
        return model

    def to_data(self) -> dict[str, Any]:
        """Name of the program."""
        return {"kind": "program", "name": self.name}


def _unit(dimension: str | None) -> str:
    return read_quantity(f"1 {canonical_unit(dimension)}", "unit")[1] if dimension else ""


# ---- sources

# source_of: the source of a study from a model file, a model of the gallery, or a Python function that builds the
# model.


def source_of(subject: Any, *, allow: str | Iterable[str] = (), overrides: Mapping[str, Any] | None = None) -> Source:
    """Source of a model for a study.

    subject : path of a model file (.toml), a `ModelFile`, a name of the gallery, a Python function that returns a `Model`, or a
        `Source`.
    allow : modules with user-defined elements that a model file may use.
    overrides : parameter values of a model file for all points.
    """
    if isinstance(subject, Source):
        return subject
    if hasattr(subject, "origin") and hasattr(subject, "declared"):
        return _with(FileSource.of(subject), overrides)
    if isinstance(subject, (str, os.PathLike)):
        name = os.fspath(subject)
        if name.lower().endswith(".toml") or "\n" in name:
            return FileSource.of(read_model(subject, overrides=dict(overrides or {}), allow=allow))
        if isinstance(subject, os.PathLike) or os.sep in name or Path(name).exists():
            raise ModelError(f'"{name}" is not a model file: its name must end in .toml')
        found = gallery_model(name)
        return _with(FileSource.of(found.file) if hasattr(found, "file") else ProgramSource(found.name), overrides)
    if isinstance(subject, Model):
        raise ModelError(
            f'a study varies parameters, which the model "{subject.name}" does not have. Write a function that builds the model '
            "with the parameters as arguments, or a model file with declared parameters"
        )
    if callable(subject):
        return _with(FunctionSource(subject), overrides)
    raise ModelError(
        f"a study needs a model file, a name of the gallery or a function that builds a model, got {shown(subject)}"
    )


def _with(source: Source, overrides: Mapping[str, Any] | None) -> Source:
    """The source with values that hold for all points."""
    if not overrides:
        return source
    if isinstance(source, FunctionSource):
        source.check([*overrides, *(name for name, given in source.parameters.items() if given.default is None)])
        return FunctionSource(
            partial(source.function, **{name: source.number(name, v) for name, v in overrides.items()})
        )
    if not isinstance(source, FileSource):
        raise ModelError(f"{source.called} is not a model file: add its values to the points")
    source.check(overrides)
    return FileSource(source.name, source.called, source.files, {**source.overrides, **overrides}, source.allow)
