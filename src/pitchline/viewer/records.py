"""Records: the things that a page shows, each as one block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import PitchlineError, shown
from .block import Block

if TYPE_CHECKING:
    from ..model import Model
    from ..results import Result
    from ..results.linear_files import LinearFinding

__all__ = ["NotViewable", "Record", "record_of"]


class NotViewable(PitchlineError):
    """Something of a kind that no page shows."""


@dataclass(frozen=True, eq=False)
class Record:
    """One thing to look at: its name in the page, its block, and the result that further signals are read from."""

    name: str
    block: bytes
    result: Result | None = None


def record_of(thing: Result | Model | LinearFinding, name: str | None = None, *, signals: bool = True) -> Record:
    """The record of a result, of a model as it is built, of modes, a Campbell diagram or a frequency response. signals: whether the
    block holds their values."""
    from ..model import Model
    from ..results import Result
    from ..results.linear_files import LinearFinding
    from .linear import linear_record
    from .scene.checked import checked_scene
    from .scene.source import SceneSource
    from .signals import signals_of

    block = Block()
    if isinstance(thing, Result):
        source = SceneSource.of_result(thing)
        called = name or str(thing.source.get("analysis", "")) or thing.kind
        head = {
            "format": 1, "name": called, "title": thing.model_name, "kind": thing.kind, "status": str(thing.status),
            "message": thing.message, "version": thing.version, "samples": thing.samples, "warnings": thing.warnings,
            "parameters": [],
        }  # fmt: skip
        drawn, listed = checked_scene(source, block, called), signals_of(thing, block, values=signals)
        head |= drawn | listed | {"notes": [*drawn["notes"], *listed.get("notes", [])]}
        return Record(called, block.bytes(head), thing)
    if isinstance(thing, Model):
        source = SceneSource.of_model(thing)
        called = name or thing.name
        head = {
            "format": 1, "name": called, "title": thing.name, "kind": "built", "status": "", "message": "", "version": "",
            "samples": 0, "warnings": [], "parameters": [], "signals": [],
        }  # fmt: skip
        head |= checked_scene(source, block, called)
        return Record(called, block.bytes(head | {"signal_time": head["time"]}))
    if isinstance(thing, LinearFinding):
        return linear_record(thing, name)
    raise NotViewable(f"view: expected a result, a model, modes, a Campbell diagram or a frequency response, got {shown(thing)}")
