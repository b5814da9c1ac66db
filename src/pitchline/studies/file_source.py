"""FileSource: a model file as the source of a study."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..disk.model_finder import model_finder
from ..errors import ModelError, PitchlineError
from ..model import Model
from .dependencies import module_parts
from .model_folder import model_folder
from .points import Points
from .points.parameter_values import read_quantity
from .source import Source, SourceParameter

__all__ = ["FileSource"]

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
        return model_finder().read(path, overrides={**self.overrides, **values}, source=self.called, allow=self.allow)

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
