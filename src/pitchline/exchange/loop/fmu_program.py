"""FMU as a part of a model: its file, and the variables that are its inputs, outputs and parameters."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...elements.outside_program import ProgramInstance
from ..limits import ExchangeError
from .fmu_archive import FmuArchive, open_archive

__all__ = ["FmuPort", "FmuProgram", "archive_of", "read_archive"]


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
        from .fmu_instance import open_instance

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
