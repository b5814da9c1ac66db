"""Whether the teeth of a pair feel how their wheels tilt in the plane of action, and over which width."""

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
    """Whether the axes are parallel, so that the teeth of each flank meet in a plane."""
    return pair.kind.parallel or (isinstance(pair.b, Rack) and pair.shaft_angle <= 1e-6)


def felt_width(
    mesh: Elastic | Flank, pair: GearPair, face_width: float | None, *, on_structure: bool, what: Subject
) -> float:
    """Width of the face [m] over which the teeth feel the tilt; 0 where they do not.

    face_width: on which the faces meet, where it is less than the smaller one. on_structure: a wheel sits on a structure.
    """
    if mesh.tilt is False or (mesh.tilt is None and not on_structure):
        return 0.0
    widths = [gear.face_width for gear in (pair.a, pair.b)]
    if mesh.tilt is None:
        another = isinstance(mesh, Elastic) and (mesh.contact == "line" or mesh.smoothing is not None)
        if another or not has_plane_of_action(pair) or None in widths:
            return 0.0
    about = what.at("tilt")
    if not has_plane_of_action(pair):
        other = ', or say contact="line"' if isinstance(mesh, Elastic) and not pair.kind.crossed else ""
        raise ModelError(
            f"{what}: tilt is that of wheels on parallel axes, which have a plane of action; leave it out for a {pair.kind} pair"
            f"{other}",
            about=about,
        )
    if None in widths:
        raise ModelError(
            f"{what}: teeth that feel the tilt need the face width; give both gears a face_width", about=about
        )
    return pair.face_width if face_width is None else min(face_width, pair.face_width)
