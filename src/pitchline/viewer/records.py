"""Records: the items that a page shows, each as one block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import PitchlineError, shown
from ..gears.inputs import positive
from .block import Block

if TYPE_CHECKING:
    from ..files.declared_parameters import DeclaredParameter
    from ..model import Model
    from ..results import Result
    from ..results.flank_contact import FlankContact
    from ..results.linear_files import LinearFinding
    from ..results.loaded_contact import LoadedContact

__all__ = ["NotViewable", "ViewRecord", "record_of"]


class NotViewable(PitchlineError):
    """Something of a kind that no page shows."""


@dataclass(frozen=True, eq=False)
class ViewRecord:
    """One item of a page: its name, its block, and the result from which further signals are read."""

    name: str
    block: bytes
    result: Result | None = None


def record_of(
    thing: Result | Model | LinearFinding | LoadedContact | FlankContact,
    name: str | None = None,
    *,
    signals: bool = True,
    parameters: Sequence[DeclaredParameter] = (),
    contact: bool = False,
    model: Model | None = None,
    magnify_corrections: object = 1.0,
) -> ViewRecord:
    """The record of a result, of a model as it is built, of modes, a Campbell diagram, a frequency response, or of an analysis of
    the contact of two gears.

    signals: whether the block holds their values. parameters: declared ones of its model file, with the values that it has.
    contact: of a result, whether pressures on the flanks are computed, which takes finite elements of the gears. model: of a
    result, the model that was run, if it is available: it contains the shapes in which its flexible bodies deform.
    magnify_corrections: factor by which modifications of flanks, which are micrometres, are drawn larger.
    """
    from ..model import Model
    from ..results import Result
    from ..results.flank_contact import FlankContact
    from ..results.linear_files import LinearFinding
    from ..results.loaded_contact import LoadedContact
    from .contact_record import contact_head
    from .linear import linear_record
    from .scene.checked import checked_scene
    from .scene.flexible_fields import add_flexible_fields
    from .scene.source import SceneSource
    from .signals import signals_of

    factor = positive(magnify_corrections, "number", "view: magnify_corrections")
    block, said = Block(), [parameter.as_data() for parameter in parameters]
    if isinstance(thing, Result):
        if model is not None:
            _check_model(thing, model)
        source = SceneSource.of_result(thing, model)
        called = name or str(thing.source.get("analysis", "")) or thing.kind
        head = {
            "format": 1, "name": called, "title": thing.model_name, "kind": thing.kind, "status": str(thing.status),
            "message": thing.message, "version": thing.version, "samples": thing.samples, "warnings": thing.warnings,
            "parameters": said,
        }  # fmt: skip
        drawn, listed = (
            checked_scene(source, block, called, magnify_corrections=factor),
            signals_of(thing, block, values=signals),
        )
        if model is not None:
            add_flexible_fields(drawn, source, block, model)
        if contact:
            from .scene.computed_contact import computed_contact

            drawn["contact"]["tables"], more = computed_contact(source, block, thing, model)
            drawn["notes"] += more
        head |= drawn | listed | {"notes": [*drawn["notes"], *listed.get("notes", [])]}
        return ViewRecord(called, block.bytes(head), thing)
    if isinstance(thing, Model):
        source = SceneSource.of_model(thing)
        called = name or thing.name
        head = {
            "format": 1, "name": called, "title": thing.name, "kind": "built", "status": "", "message": "", "version": "",
            "samples": 0, "warnings": [], "parameters": said, "signals": [],
        }  # fmt: skip
        head |= checked_scene(source, block, called, magnify_corrections=factor)
        return ViewRecord(called, block.bytes(head | {"signal_time": head["time"]}))
    if isinstance(thing, (LoadedContact, FlankContact)):
        called = name or thing.kind
        return ViewRecord(called, block.bytes(contact_head(thing, called, block)))
    if isinstance(thing, LinearFinding):
        return linear_record(thing, name, parameters=said)
    raise NotViewable(
        "view: expected a result, a model, modes, a Campbell diagram, a frequency response or an analysis of contact, got "
        f"{shown(thing)}"
    )


def _check_model(result: Result, model: Model) -> None:
    """Refuse a model that the result was not computed from: its bodies would deform in shapes of others."""
    said, mine = result.model, model.describe()
    for section in ("bodies", "shafts", "beams", "flexible_bodies", "membranes", "wheels"):
        theirs, ours = said.get(section, {}), mine.get(section, {})
        unlike = sorted(set(theirs) ^ set(ours)) or [
            name for name in ours if theirs[name].get("superelement") != ours[name].get("superelement")
        ]
        if unlike:
            raise PitchlineError(
                f'view: the result of model "{result.model_name}" was not computed from the model that is given, "{model.name}": '
                f"they differ in {section.replace('_', ' ')}, {shown(unlike[0])}; give the model that was run, or leave out model"
            )
