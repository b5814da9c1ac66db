"""Pressures on the flanks of the gear pairs of a result: their contact is analysed under the forces that the result has.

A result keeps forces of teeth, not pressures. Pressures of a mesh follow from the phase and the force, so that some positions of
the mesh cycle under some loads give all of them; a page then looks up phase and force of each moment. Vibration of the gear bodies
is not in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import PitchlineError
from ...gears import Gear, GearPair
from ...model.described_gears import pair_of
from ...progress import stage
from ...results.flank_contact import FlankContact
from ...results.loaded_contact import LoadedContact
from ..block import Block
from .contact_lines import face_offset
from .contact_tables import pressure_table
from .pairs import pair_frames
from .source import SceneSource

if TYPE_CHECKING:
    from ...model import Model
    from ...results import Result

__all__ = ["computed_contact"]

POSITIONS = 16
"""Of a mesh cycle."""
_LOADS = (1.0, 2.0 / 3.0, 1.0 / 3.0)
"""Parts of the greatest force under which contact is analysed, as far as forces are so small."""
_NO_FORCE = 1e-6
"""Of the greatest force: flanks with less are taken not to touch."""


def computed_contact(
    source: SceneSource, block: Block, result: Result, model: Model | None
) -> tuple[list[dict[str, Any]], list[str]]:
    """Tables of all pairs of gears whose contact can be analysed, and notes on those whose cannot.

    model: the one that was run; its gears are then positioned as at the end of the result. Without it they are positioned as they
    are built.
    """
    tables, notes = [], []
    for name, pair in source.model.get("gear_pairs", {}).items():
        force = source.signal(f"{name}.signed_force")
        if force is None or not np.isfinite(force).any() or not np.nanmax(np.abs(force)):
            notes.append(f"{name}: no pressures: its teeth carry no force in this result")
            continue
        gears = pair_of(pair, source.model)
        if gears is None or not isinstance(gears.b, Gear):
            notes.append(f"{name}: no pressures: the contact of this kind of pair cannot be analysed")
            continue
        for sign in (1.0, -1.0):
            largest = float(np.nanmax(sign * force))
            if largest <= _NO_FORCE * float(np.nanmax(np.abs(force))):
                continue
            least = float(np.nanmin(np.where(sign * force > 0.0, sign * force, np.inf)))
            forces = [part * largest for part in _LOADS if part == 1.0 or least < (part + 0.16) * largest]
            lever = 0.5 * gears.b.base_diameter * np.cos(gears.b.base_helix_angle)
            torques = sorted((sign * one * lever for one in forces), key=abs)
            try:
                with stage(f"contact of {name}"):
                    found = _analysed(source, name, pair, gears, torques, result, model)
            except PitchlineError as error:
                notes.append(f"{name}: no pressures: {error}")
                break
            table = pressure_table(found, name, block)
            if len(torques) > 1:
                table["text"] += (
                    " Under other forces the nearest load is shown, its pressures by the root of the force."
                )
            table["text"] += " Vibration of the gear bodies is not in it."
            tables.append(table)
            notes += [f"{name}: {text}" for text in found.warnings]
    return tables, notes


def _analysed(
    source: SceneSource,
    name: str,
    pair: dict[str, Any],
    gears: GearPair,
    torques: list[float],
    result: Result,
    model: Model | None,
) -> LoadedContact | FlankContact:
    from ...analyses.flank_contact import flank_contact
    from ...analyses.loaded_contact import loaded_contact

    assert isinstance(gears.b, Gear)
    if gears.a.profile_shift_angle or gears.b.profile_shift_angle:
        phases = list(np.arange(POSITIONS) / POSITIONS)
        return flank_contact(gears, torque=torques, phase=phases, **_elements(pair))
    if model is not None and name in model.gear_pairs:
        found = loaded_contact(model, name, torque=torques, about=result, positions=POSITIONS)
    else:
        offset = face_offset(source.model, *pair_frames(source.model, pair))
        found = loaded_contact(gears, torque=torques, positions=POSITIONS, face_offset=offset)
    assert isinstance(found, LoadedContact)
    return found


def _elements(pair: dict[str, Any]) -> dict[str, Any]:
    """Options of the finite elements, if the mesh specifies them: they are then in the cache already."""
    said = pair.get("mesh", {})
    return {key: said[key] for key in ("elements_a", "elements_b") if said.get(key)}
