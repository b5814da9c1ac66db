"""source_of: the source of a study from a model file, a model of the gallery, or a Python function that builds the model."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ..disk.model_finder import model_finder
from ..errors import ModelError, shown
from ..model import Model
from .file_source import FileSource
from .function_source import FunctionSource, ProgramSource
from .source import Source, SourceParameter

__all__ = ["FileSource", "FunctionSource", "ProgramSource", "Source", "SourceParameter", "source_of"]


def source_of(subject: Any, *, allow: str | Iterable[str] = (), overrides: Mapping[str, Any] | None = None) -> Source:
    """Source of a model for a study.

    subject : path of a model file (.toml), a `ModelFile`, a name of the gallery, a Python function that returns a `Model`, or a
        `Source`.
    allow : modules with user-defined elements that a model file may use.
    overrides : parameter values of a model file for all points.
    """
    if isinstance(subject, Source):
        return subject
    finder = model_finder()
    if hasattr(subject, "origin") and hasattr(subject, "declared"):
        return _with(FileSource.of(subject), overrides)
    if isinstance(subject, (str, os.PathLike)):
        name = os.fspath(subject)
        if name.lower().endswith(".toml") or "\n" in name:
            return FileSource.of(finder.read(subject, overrides=dict(overrides or {}), allow=allow))
        if isinstance(subject, os.PathLike) or os.sep in name or Path(name).exists():
            raise ModelError(f'"{name}" is not a model file: its name must end in .toml')
        found = finder.gallery(name)
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
