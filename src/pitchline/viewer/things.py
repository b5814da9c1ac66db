"""The arguments of a view as a list of named items, each of which becomes one record."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import PitchlineError, shown
from .records import NotViewable, ViewRecord, record_of

if TYPE_CHECKING:
    from ..files.declared_parameters import DeclaredParameter
    from ..model import Model

__all__ = ["Thing", "last_first", "listed_things", "records_of"]


@dataclass(frozen=True, eq=False)
class Thing:
    """One item that becomes a record.

    item:       a model, a result or the result of another analysis
    name:       what the page calls it; without it, its analysis or its model
    of_run:     whether it is one of a whole run, of which results without a view are left out
    parameters: declared ones of its model file
    model:      makes the model that a result was computed from, if it is available
    """

    item: Any
    name: str | None = None
    of_run: bool = False
    parameters: Sequence[DeclaredParameter] = ()
    model: Callable[[], Model] | None = None

    def model_needed(self) -> Model | None:
        """The model, if the item is a result with flexible bodies: the model contains their deformation shapes."""
        described = getattr(self.item, "model", None)
        flexible = isinstance(described, dict) and described.get("flexible_bodies")
        return self.model() if flexible and self.model is not None else None


def records_of(things: Sequence[Thing], **options: Any) -> tuple[list[ViewRecord], list[str]]:
    """Records of items, and the names of results of a run that have no view, such as spectra. Names that are taken get a number.

    options: as for `record_of`.
    """
    records: list[ViewRecord] = []
    left_out: list[str] = []
    taken: set[str] = set()
    for one in things:
        try:
            whole = {"model": one.model_needed(), **options, "parameters": one.parameters}
            record = record_of(one.item, one.name, **whole)
            if record.name in taken:
                record = record_of(one.item, _free(record.name, taken), **whole)
        except NotViewable:
            if not one.of_run:
                raise
            left_out.append(one.name or type(one.item).__name__)
            continue
        taken.add(record.name)
        records.append(record)
    return records, left_out


def listed_things(given: Sequence[object], names: str | Iterable[str] | None = None) -> list[Thing]:
    """What Python was given, one by one. names: what the page calls them, one each.

    Arguments are models, model files, results of all analyses; lists of them; mappings of them by name, as `ModelFile.run` returns
    them; names of result files and model files.
    """
    things = [one for each in given for one in _listed(each)]
    if not isinstance(names, str | Iterable | None):
        raise PitchlineError(f"view: names must be texts, one for each item, got {shown(names)}")
    said = [names] if isinstance(names, str) else None if names is None else [str(name) for name in names]
    if said is None:
        return things
    if len(said) != len(things):
        raise PitchlineError(f"view: {len(said)} names for {len(things)} items. Specify one name for each item")
    if len(set(said)) != len(said):
        raise PitchlineError(f"view: names must differ, got {shown(said)}")
    return [replace(thing, name=name) for thing, name in zip(things, said, strict=True)]


def last_first(things: Sequence[Thing]) -> list[Thing]:
    """The analyses of a run in the order of a page: the last one is what the model is about."""
    return [*things[-1:], *things[:-1]]


def _listed(given: object) -> list[Thing]:
    from ..files import ModelFile

    if isinstance(given, list | tuple):
        return [one for each in given for one in _listed(each)]
    if isinstance(given, Mapping):
        return last_first([Thing(one, str(name), of_run=True) for name, one in given.items()])
    if isinstance(given, ModelFile):
        return [Thing(given.model, parameters=given.declared)]
    if isinstance(given, str | os.PathLike):
        return [_of_file(Path(given))]
    return [Thing(given)]


def _of_file(path: Path) -> Thing:
    from ..files import read
    from ..results import load_found

    ending = path.suffix.lower()
    if ending == ".toml":
        file = read(path)
        return Thing(file.model, parameters=file.declared)
    if ending == ".nc":
        return Thing(load_found(path, lazy=True), path.stem)
    raise PitchlineError(f'view: "{path}" cannot be shown. Specify a result file (.nc) or a model file (.toml)')


def _free(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name} ({number})" in taken:
        number += 1
    return f"{name} ({number})"
