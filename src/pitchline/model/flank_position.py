"""Which elastic flanks respond to all displacements of the axes, and which are involutes in closed form."""

from __future__ import annotations

from ..errors import ModelError
from ..gears import Gear, GearPair
from .gear_mesh import GearMesh
from .meshes import Flank

__all__ = ["in_closed_form", "responds_to_position"]


def in_closed_form(part: GearMesh) -> bool:
    """Whether flanks are involutes on parallel axes that point in one direction, or conical involute gears, with elements."""
    pair, pitch, mesh = part.pair, part.alignment.pitch, part.mesh
    if not isinstance(pair, GearPair) or not isinstance(pair.b, Gear) or not isinstance(mesh, Flank):
        return False
    if "body" in mesh.elements_a or "body" in mesh.elements_b:  # rigid gears have their hats on surfaces
        return False
    if pair.a.flanks is not None or pair.b.flanks is not None or not (pair.kind.parallel or pair.kind == "beveloid"):
        return False
    return pitch.axis_sign_a * pitch.axis_sign_b == pair.a.sense * pair.b.sense


def responds_to_position(part: GearMesh) -> bool:
    """Whether the flanks act with their own normals and respond to all displacements of the axes: all but those in closed form,
    unless the mesh excludes it."""
    mesh, law = part.mesh, part.law
    if not isinstance(mesh, Flank) or in_closed_form(part) or mesh.tilt is False:
        return False
    if law.separating and law.follow_centres:
        return True
    if mesh.tilt or law.tilt_width:
        raise ModelError(
            f'gear pair "{part.name}": the tilt of this pair is part of all displacements of its axes. Leave out separating=False '
            "and follow_centres=False of Flank, or use tilt=False"
        )
    return False
