"""Data of a model that can be run again, given to the server at its start."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...files.declared_parameters import DeclaredParameter

__all__ = ["Runnable"]


class Runnable(ABC):
    """The one model that pages of a server may run, with other values of its declared parameters.

    name:      of the model
    source:    its file, as shown to the user
    folder:    into which changed models and results are saved
    has_file:  whether there is a model file, whose text can be saved with other values
    command:   of the process that runs it: it reads the job as one line of JSON, and writes its events as such lines
    """

    name: str
    source: str
    folder: Path
    has_file: bool
    command: Sequence[str]

    @abstractmethod
    def declared(self) -> Sequence[DeclaredParameter]:
        """Its parameters, with the values that it has now."""

    @abstractmethod
    def analyses(self) -> Sequence[str]:
        """Names of its analyses, as far as they are known beforehand."""

    @abstractmethod
    def check(self, values: Mapping[str, str]) -> None:
        """Raise the PitchlineError of values that the model does not take."""

    @abstractmethod
    def label(self, values: Mapping[str, str]) -> str:
        """What a run is called: what was changed."""

    @abstractmethod
    def job(self, values: Mapping[str, str]) -> dict[str, Any]:
        """The job of the process, as plain data; the folder for its output is added."""

    @abstractmethod
    def text(self, values: Mapping[str, str]) -> str:
        """The text of the model file with these values; PitchlineError where there is none."""
