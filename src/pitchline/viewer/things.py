"""What was given to be looked at, as a list of named things that each become one record."""

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
    """One thing that becomes a record.

    thing:      a model, a result or another finding
    name:       what the page calls it; without it, its analysis or its model
    of_run:     whether it is one of a whole run, of which findings without a view are left out
    parameters: declared ones of its model file
    model:      makes the model that a result was computed from, where it is at hand
    """

    thing: Any
    name: str | None = None
    of_run: bool = False
    parameters: Sequence[DeclaredParameter] = ()
    model: Callable[[], Model] | None = None

    def model_needed(self) -> Model | None:
        """The model, where the thing is a result with flexible bodies, which deform as their model says."""
        described = getattr(self.thing, "model", None)
        flexible = isinstance(described, dict) and described.get("flexible_bodies")
        return self.model() if flexible and self.model is not None else None


def records_of(things: Sequence[Thing], **options: Any) -> tuple[list[ViewRecord], list[str]]:
    """Records of things, and the names of findings of a run that have no view, such as spectra. Names that are taken get a number.

    options: as for `record_of`.
    """
    records: list[ViewRecord] = []
    left_out: list[str] = []
    taken: set[str] = set()
    for one in things:
        try:
            whole = {"model": one.model_needed(), **options, "parameters": one.parameters}
            record = record_of(one.thing, one.name, **whole)
            if record.name in taken:
                record = record_of(one.thing, _free(record.name, taken), **whole)
        except NotViewable:
            if not one.of_run:
                raise
            left_out.append(one.name or type(one.thing).__name__)
            continue
        taken.add(record.name)
        records.append(record)
    return records, left_out


def listed_things(given: Sequence[object], names: str | Iterable[str] | None = None) -> list[Thing]:
    """What Python was given, one by one. names: what the page calls them, one each.

    Given are models, model files, results and other findings; lists of them; mappings of them by name, as `ModelFile.run` returns
    them; names of result files and model files.
    """
    things = [one for each in given for one in _listed(each)]
    if not isinstance(names, str | Iterable | None):
        raise PitchlineError(f"view: names must be texts, one for each thing, got {shown(names)}")
    said = [names] if isinstance(names, str) else None if names is None else [str(name) for name in names]
    if said is None:
        return things
    if len(said) != len(things):
        raise PitchlineError(f"view: {len(said)} names for {len(things)} things; give one name for each")
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
    raise PitchlineError(
        f'view: "{path}" is no file that can be shown; a result file ends in .nc, a model file in .toml'
    )


def _free(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name} ({number})" in taken:
        number += 1
    return f"{name} ({number})"
