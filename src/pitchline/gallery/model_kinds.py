"""Models of the gallery: a file of the package, or a program if it cannot be written as a file."""

from __future__ import annotations

import ast
import inspect
import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pitchline.base.storage import free_names as names
from pitchline.errors import ModelError, near_names, shown
from pitchline.units.quantity import quantity

if TYPE_CHECKING:
    from pitchline.files.model_file import ModelFile
    from pitchline.model.model import Model

    from .figures import Figure, Run

__all__ = [
    "free_names",
    "Parameter",
    "read_parameters",
    "program_text",
    "GalleryFile",
    "GalleryModel",
    "GalleryProgram",
]


# ---- output

# Output of the gallery: a folder that is created if necessary, and file names that are not yet in use.


def free_names(folder: Path, stem: str, *suffixes: str) -> list[Path]:
    """One path for each suffix, `stem.png` or else `stem-2.png`, `stem-3.png`, ...: the first number that is free for
    all.

    The folder is created if it does not exist.
    """
    with names.free_names(folder, stem, suffixes) as paths:
        return paths


# ---- parameters

# Parameters of gallery models: values that can be changed.
#
# A program has its parameters in `PARAMETERS`, with the argument names of its `build`, `run` and `figures`:
# ``gallery.model("robot-arm", move="2 s")``, or in a shell ``--set move="2 s"``. Model files have them in
# [parameters].


@dataclass(frozen=True)
class Parameter:
    """Number that a model is built with.

    default:    in SI units
    dimension:  e.g. "time"; None for a plain number
    line:       description
    lowest, highest: limits of reasonable values
    """

    default: float
    dimension: str | None
    line: str
    lowest: float = 0.0
    highest: float = math.inf

    def read(self, value: object, what: str) -> float:
        """Value in SI units."""
        found = _number(value, what) if self.dimension is None else quantity(_plain(value), self.dimension, what=what)
        if not self.lowest <= found <= self.highest:
            raise ModelError(f"{what} must be from {self.lowest:g} to {self.highest:g}, got {shown(value)}")
        return found


def _plain(value: object) -> object:
    """A text with a plain number is in SI units."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _number(value: object, what: str) -> float:
    found = _plain(value)
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not math.isfinite(found):
        raise ModelError(f"{what} must be a number, got {shown(value)}")
    return float(found)


def read_parameters(model: str, known: Mapping[str, Parameter], given: Mapping[str, object]) -> dict[str, float]:
    """The given values in SI units."""
    for name in given:
        if name not in known:
            raise ModelError(f'the gallery model "{model}" has no parameter "{name}"; {near_names(name, known)}')
    return {name: known[name].read(value, f"{model}: {name}") for name, value in given.items()}


# ---- program text

# Text of a gallery program that runs by itself: its module after the modules that it needs.

_SHARED = ("figures", "parameters")
"""Modules of the gallery that a program imports like the rest of the package; its own modules are copied into the text.
"""
_MAIN = """

if __name__ == "__main__":
    from pitchline.gallery.figures import figures_table

    print(figures_table(figures(run())))
"""


def program_text(module: ModuleType) -> str:
    """One script: docstring, imports, modules in the order of their dependencies, and the main part."""
    parts: dict[str, ast.Module] = {}
    _collect(module, parts)
    doc = ast.get_docstring(parts[module.__name__], clean=False)
    imports: dict[str, None] = {}
    bodies = []
    for name, tree in parts.items():
        source = inspect.getsource(sys.modules[name]).splitlines()
        kept = [node for node in tree.body if not _is_docstring(node) and not _is_all(node)]
        for node in kept:
            if isinstance(node, (ast.Import, ast.ImportFrom)) and not _is_part(node):
                imports[ast.unparse(_absolute(node))] = None
        body = [node for node in kept if not isinstance(node, (ast.Import, ast.ImportFrom))]
        bodies.append("\n".join(source[_first_line(body[0], source) :]).rstrip())
    head = sorted(imports, key=lambda line: ("__future__" not in line, "pitchline" in line, line))
    return f'"""{doc}"""\n\n' + "\n".join(head) + "\n\n" + "\n\n\n".join(bodies) + "\n" + _MAIN


def _collect(module: ModuleType, parts: dict[str, ast.Module]) -> None:
    """The module after all modules that it needs."""
    tree = ast.parse(inspect.getsource(module))
    package = module.__name__.rpartition(".")[0]
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and _is_part(node) and f"{package}.{node.module}" not in parts:
            _collect(sys.modules[f"{package}.{node.module}"], parts)
    parts[module.__name__] = tree


def _is_part(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.ImportFrom) and node.level == 1 and node.module is not None and node.module not in _SHARED
    )


def _is_docstring(node: ast.stmt) -> bool:
    """Docstring of the module. Texts after other statements explain these and are kept."""
    return isinstance(node, ast.Expr) and node.lineno == 1


def _is_all(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"


def _absolute(node: ast.Import | ast.ImportFrom) -> ast.Import | ast.ImportFrom:
    if isinstance(node, ast.ImportFrom) and node.level:
        package = {1: "pitchline.gallery", 2: "pitchline"}[node.level]
        return ast.ImportFrom(f"{package}.{node.module}", node.names, 0)
    return node


def _first_line(node: ast.stmt, source: list[str]) -> int:
    """First line of a statement, including its decorators and the comment above it."""
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))]) - 1
    while first and source[first - 1].startswith("#"):
        first -= 1
    return first


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
        from pitchline.results.status import Status

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
        from pitchline.files.reader import read

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
