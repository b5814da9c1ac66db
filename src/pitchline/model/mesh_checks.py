"""Checks of a mesh against its gear pair, and widths of the face over which its teeth act."""

from __future__ import annotations

from ..errors import ModelError, Subject
from ..gears import GearPair, Rack
from ..gears.directions import BASE_CIRCLE, length_factor
from .felt_tilt import felt_width, has_plane_of_action
from .mesh_springs import to_hoop
from .meshes import Elastic, Flank, Loaded, OwnMesh, Rigid, Varying
from .meshes.common import SLIDING, Variable

__all__ = ["check_cycles", "check_terms", "check_tilts", "line_width_of", "sliding_path", "tilt_width_of"]

MOST_ERRORS = 8


def sliding_path(mesh: Elastic | Loaded | OwnMesh | Rigid, pair: GearPair, what: Subject) -> float:
    """Mean distance from the pitch point at which friction acts [m]; 0: at the pitch point."""
    if mesh.sliding == SLIDING[0]:
        return 0.0
    if not has_plane_of_action(pair):
        raise ModelError(
            f"{what}: sliding on the path of contact is for wheels on parallel axes; omit sliding for a {pair.kind} pair"
            + (", whose teeth slide at the pitch point" if pair.kind.crossed else ", and specify efficiency"),
            about=what.at("sliding"),
        )
    return pair.path_of_contact.mean_distance


def check_terms(errors: tuple[Variable, ...], what: Subject) -> None:
    count = sum(isinstance(term, Varying) for term in errors)
    if count > MOST_ERRORS:
        raise ModelError(
            f"{what}: has {count} errors that vary; at most {MOST_ERRORS} are possible. Add those over the same cycle",
            about=what.at("error"),
        )


def check_cycles(mesh: Elastic | Loaded | OwnMesh | Rigid, pair: GearPair, what: Subject) -> None:
    """Check that no value varies over the revolution of a rack, which does not rotate."""
    if not isinstance(pair.b, Rack):
        return
    parts: dict[str, tuple[Variable, ...]] = {"error": mesh.error}
    for name in ("backlash", "damping"):
        given = getattr(mesh, name, None)
        if isinstance(given, tuple):
            parts[name] = given
    if isinstance(mesh, Elastic) and not isinstance(mesh.stiffness, str):
        parts["stiffness"] = mesh.stiffness
    for name, items in parts.items():
        if any(isinstance(item, Varying) and item.over == "revolution of b" for item in items):
            raise ModelError(
                f'{what}: {name} varies over the "revolution of b", but B is a rack (a is always the pinion); use '
                '"revolution of a" or "mesh cycle"',
                about=what.at(name),
            )


def check_tilts(mesh: Loaded, pair: GearPair, what: Subject) -> None:
    if mesh.tilts is not None and not has_plane_of_action(pair):
        raise ModelError(
            f"{what}: tilts need wheels on parallel axes, which have a plane of action; omit them for a {pair.kind} "
            "pair",
            about=what.at("tilts"),
        )


def tilt_width_of(
    mesh: Elastic | Flank, pair: GearPair, face_width: float | None, *, on_structure: bool, what: Subject
) -> float:
    """Tilt width on the base circle: the tilt is measured across the axes, along the base circles."""
    width = felt_width(mesh, pair, face_width, on_structure=on_structure, what=what)
    return width * length_factor(pair.kind, pair.pitch) / to_hoop(BASE_CIRCLE, pair, what) if width else 0.0


def line_width_of(pair: GearPair, face_width: float | None, what: Subject) -> float:
    if pair.kind.crossed or (isinstance(pair.b, Rack) and pair.shaft_angle > 1e-6):
        raise ModelError(
            f'{what}: the teeth of a {pair.kind} pair on crossed axes have point contact; omit contact="line"',
            about=what.at("contact"),
        )
    if pair.a.face_width is None or pair.b.face_width is None:
        raise ModelError(
            f"{what}: line contact needs the face width; specify face_width for both gears", about=what.at("contact")
        )
    return pair.face_width if face_width is None else min(face_width, pair.face_width)
