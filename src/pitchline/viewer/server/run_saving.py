"""What a run found, kept: its result, or the model file with its values, under a new name in the folder of the model."""

from __future__ import annotations

import shutil
from pathlib import Path

from ...disk.atomic import atomic_file, write_text
from ...disk.names import safe_stem
from .answers import Refusal
from .runnable import Runnable
from .runs import PageRun

__all__ = ["save"]

_ENDINGS = {"model": ".toml", "result": ".nc"}
_HOW = "Enter another name"


def save(model: Runnable, run: PageRun, what: str, name: str, record: int | None) -> Path:
    """Write the file; no file is ever replaced. name: of the file, with or without its ending; never a path."""
    target = model.folder / _checked(name, _ENDINGS[what])
    if what == "model":
        text = model.text(run.values)
        if target.exists():
            raise Refusal(409, f'"{target.name}" already exists. {_HOW}')
        return write_text(target, text)
    source = run.files.get(record if record is not None else next(iter(run.files), -1))
    if source is None:
        raise Refusal(404, f"run {run.number} has no such result")
    with atomic_file(target, size=source.stat().st_size, how_to_overwrite=_HOW) as (draft, _):
        shutil.copyfile(source, draft)
    return target


def _checked(name: str, ending: str) -> str:
    """A file name that is valid in one folder on every system."""
    stem = name.strip()
    if stem.lower().endswith(ending):
        stem = stem[: -len(ending)]
    if not stem or safe_stem(stem) != stem:
        allowed = 'letters, digits, blanks, "-", "_" and "."'
        raise Refusal(400, f'"{name:.100}" cannot be the name of a file here; use {allowed}, and no folder')
    return f"{stem}{ending}"
