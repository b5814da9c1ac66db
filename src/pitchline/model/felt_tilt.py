"""Whether the mesh of a pair depends on the tilt of its wheels in the plane of action, and the face width for it."""

from __future__ import annotations

from ..errors import ModelError, Subject
from ..gears import GearPair, Rack
from .body import Body
from .meshes import Elastic, Flank
from .station import Station

__all__ = ["bends", "felt_width", "has_plane_of_action"]


def bends(body: Body) -> bool:
    """Whether a body is a station of a structure."""
    return isinstance(body, Station)


def has_plane_of_action(pair: GearPair) -> bool:
    """Whether the axes are parallel, so that the teeth of each flank make contact in a plane."""
    return pair.kind.parallel or (isinstance(pair.b, Rack) and pair.shaft_angle <= 1e-6)


def felt_width(
    mesh: Elastic | Flank, pair: GearPair, face_width: float | None, *, on_structure: bool, what: Subject
) -> float:
    """Face width [m] over which the tilt acts; 0 if the tilt has no effect.

    face_width: common face width, if it is smaller than both face widths. on_structure: a wheel is on a structure.
    """
    if mesh.tilt is False or (mesh.tilt is None and not on_structure):
        return 0.0
    widths = [gear.face_width for gear in (pair.a, pair.b)]
    if mesh.tilt is None:
        another = isinstance(mesh, Elastic) and (mesh.contact == "line" or mesh.smoothing is not None)
        another = another or (isinstance(mesh, Elastic) and mesh.line_of_action != "automatic")
        if another or not has_plane_of_action(pair) or None in widths:
            return 0.0
    about = what.at("tilt")
    if not has_plane_of_action(pair):
        if isinstance(mesh, Flank) and pair.kind != "beveloid":
            return 0.0  # its flanks respond to all displacements (`flank_position`)
        other = ', or specify contact="line"' if isinstance(mesh, Elastic) and not pair.kind.crossed else ""
        raise ModelError(
            f"{what}: tilt needs wheels on parallel axes, which have a plane of action; omit it for a {pair.kind} pair"
            f"{other}",
            about=about,
        )
    if None in widths:
        raise ModelError(f"{what}: the tilt needs the face width; specify face_width for both gears", about=about)
    return pair.face_width if face_width is None else min(face_width, pair.face_width)
