"""Models of the gallery: a file of the package, or a program if it cannot be written as a file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .parameters import read_parameters
from .program_text import program_text

if TYPE_CHECKING:
    from ..files import ModelFile
    from ..model import Model
    from .figures import Figure, Run

__all__ = ["GalleryFile", "GalleryModel", "GalleryProgram"]


class GalleryModel(ABC):
    """One model of the gallery.

    name, line:  as in `MODELS`
    """

    name: str
    line: str

    @property
    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """Parameters by name."""

    @abstractmethod
    def build(self) -> Model:
        """The model."""

    def run(self) -> Run:
        """Run its analyses; results by name. The last one is the main result. A run that is stopped from the keyboard
        has no figures."""
        from ..results import Status
        from .figures import status_of

        run = self._run()
        if any(status_of(found) is Status.INTERRUPTED for found in run.values()):
            raise KeyboardInterrupt
        return run

    @abstractmethod
    def _run(self) -> Run: ...

    @abstractmethod
    def figures(self, run: Run) -> list[Figure]:
        """Figures of the run."""

    @property
    @abstractmethod
    def plot_signals(self) -> tuple[str, ...]:
        """Signals of the last analysis for the picture; empty if the picture shows something else."""

    @abstractmethod
    def plot(self, run: Run, path: Path) -> None:
        """Save the picture."""

    @abstractmethod
    def copy(self) -> tuple[str, str]:
        """(text, extension) of a file that a user can change and run."""


@dataclass(frozen=True)
class GalleryFile(GalleryModel):
    """Model file.

    path:      the file
    settings:  other values of its parameters
    """

    name: str
    line: str
    path: Path = field(repr=False)
    settings: Mapping[str, object] = field(default_factory=dict)

    @cached_property
    def file(self) -> ModelFile:
        """The parsed file."""
        return self._read()

    def _read(self) -> ModelFile:
        from ..files import read

        return read(self.path, overrides=self.settings, source=self.path.name)

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameter values: numbers, or texts in base units."""
        return dict(self.file.parameters)

    def build(self) -> Model:
        """A new copy of the model, which can be changed."""
        return self._read().model

    def _run(self) -> Run:
        return self.file.run()

    def figures(self, run: Run) -> list[Figure]:
        return self.file.findings(run)

    @property
    def plot_signals(self) -> tuple[str, ...]:
        return self.file.plot

    def plot(self, run: Run, path: Path) -> None:
        self.file.draw(run, path)

    def copy(self) -> tuple[str, str]:
        """The file itself, with its comments."""
        return self.path.read_text(encoding="utf-8"), ".toml"


@dataclass(frozen=True)
class GalleryProgram(GalleryModel):
    """Program.

    module:      with `build`, `run`, `figures`, `PARAMETERS` and `PLOT`
    settings:    other values of its parameters, in SI units
    """

    name: str
    line: str
    module: Any = field(repr=False)
    settings: dict[str, float] = field(default_factory=dict)

    @property
    def parameters(self) -> dict[str, Any]:
        """As `Parameter`s."""
        return dict(self.module.PARAMETERS)

    def with_settings(self, settings: Mapping[str, object]) -> GalleryProgram:
        """The same program with other parameter values."""
        read = read_parameters(self.name, self.parameters, settings)
        return GalleryProgram(self.name, self.line, self.module, read)

    def build(self) -> Model:
        model: Model = self.module.build(**self.settings)
        return model

    def _run(self) -> Run:
        run: Run = self.module.run(**self.settings)
        return run

    def figures(self, run: Run) -> list[Figure]:
        figures: list[Figure] = self.module.figures(run, **self.settings)
        return figures

    @property
    def plot_signals(self) -> tuple[str, ...]:
        signals: tuple[str, ...] = self.module.PLOT
        return signals

    def plot(self, run: Run, path: Path) -> None:
        list(run.values())[-1].plot(*self.plot_signals, path=path)

    def copy(self) -> tuple[str, str]:
        """The program as one text, which prints its figures when it is run."""
        return program_text(self.module), ".py"
