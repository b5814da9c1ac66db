"""What was given to be looked at, as a list of named things that each become one record."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import PitchlineError, shown
from .records import NotViewable, Record, record_of

if TYPE_CHECKING:
    from ..model import Model

__all__ = ["records_of"]


def records_of(
    things: Sequence[object],
    names: str | Iterable[str] | None = None,
    *,
    contact: bool = False,
    model: Model | None = None,
) -> tuple[list[Record], list[str]]:
    """Records of things, and the names of analyses that have no view, such as spectra, among those that were given as a whole run.

    A thing is a model, a model file, a result or another finding; a mapping of them by name, as `ModelFile.run` returns it; or the
    name of a result file or a model file. names: what the page calls them, one each. contact, model: as for `record_of`.
    """
    from ..model import Model

    if model is not None and not isinstance(model, Model):
        raise PitchlineError(f"view: model must be the model that the results were computed from, got {shown(model)}")
    listed = [one for thing in things for one in _listed(thing)]
    given = [names] if isinstance(names, str) else None if names is None else [str(name) for name in names]
    if given is not None and len(given) != len(listed):
        raise PitchlineError(f"view: {len(given)} names for {len(listed)} things; give one name for each")
    if given is not None and len(set(given)) != len(given):
        raise PitchlineError(f"view: names must differ, got {shown(given)}")
    records: list[Record] = []
    left_out: list[str] = []
    taken: set[str] = set()
    for k, (thing, called, of_run) in enumerate(listed):
        name = given[k] if given is not None else called
        try:
            record = record_of(thing, name, contact=contact, model=model)
        except NotViewable:
            if not of_run:
                raise
            left_out.append(name or type(thing).__name__)
            continue
        if record.name in taken:
            record = record_of(thing, _free(record.name, taken), contact=contact, model=model)
        taken.add(record.name)
        records.append(record)
    if not records:
        none = f"none of {', '.join(left_out)} has a view" if left_out else "nothing to show"
        raise PitchlineError(
            f"view: {none}; give a result, a model, modes, a Campbell diagram, a frequency response or an analysis of contact"
        )
    return records, left_out


def _listed(thing: object) -> list[tuple[Any, str | None, bool]]:
    """(thing, its name where it has one, whether it is one of a run)."""
    from ..files import ModelFile

    if isinstance(thing, Mapping):
        run = [(one, str(name), True) for name, one in thing.items()]
        return [*run[-1:], *run[:-1]]  # the last analysis is what a model is about
    if isinstance(thing, ModelFile):
        return [(thing.model, None, False)]
    if isinstance(thing, str | os.PathLike):
        return [_of_file(Path(thing))]
    return [(thing, None, False)]


def _of_file(path: Path) -> tuple[Any, str | None, bool]:
    from ..files import read
    from ..results import load_found

    ending = path.suffix.lower()
    if ending == ".toml":
        return read(path).model, None, False
    if ending == ".nc":
        return load_found(path), path.stem, False
    raise PitchlineError(
        f'view: "{path}" is no file that can be shown; a result file ends in .nc, a model file in .toml'
    )


def _free(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name} ({number})" in taken:
        number += 1
    return f"{name} ({number})"
