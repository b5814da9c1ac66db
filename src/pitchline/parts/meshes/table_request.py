"""Requests for tables of loaded tooth contact. Cases that cannot be computed are errors before the computation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.declare.structure import Station
from pitchline.errors import ModelError, Subject

from ..bodies.part import Body, Placed
from ..gears.geometry.axes import Alignment
from ..gears.geometry.directions import length_factor
from ..gears.geometry.gear import Gear
from ..gears.geometry.inputs import in_deg
from ..gears.geometry.kinds import PitchGeometry
from ..gears.geometry.pair import GearPair
from ..gears.geometry.placement import Placement
from ..gears.geometry.rack import Rack
from ..gears.surfaces.from_gears import SurfaceTeeth, surface_teeth
from ..gears.teeth.teeth import Teeth
from .computed_table import TablePlacement, TableRequest
from .laws import Mesh
from .laws.elastic import LOADED, Elastic
from .laws.flank import Flank
from .laws.loaded import Loaded

__all__ = [
    "bends",
    "felt_width",
    "has_plane_of_action",
    "MeshStanding",
    "mesh_standing",
    "standing_of_poses",
    "default_torque",
    "has_even_faces",
    "is_symmetric",
    "table_request",
    "teeth_of",
]


# ---- felt tilt

# Whether the mesh of a pair depends on the tilt of its wheels in the plane of action, and the face width for it.


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
            return 0.0  # its flanks respond to all displacements (`part`)
        other = ', or specify contact="line"' if isinstance(mesh, Elastic) and not pair.kind.crossed else ""
        raise ModelError(
            f"{what}: tilt needs wheels on parallel axes, which have a plane of action; omit it for a {pair.kind} pair"
            f"{other}",
            about=about,
        )
    if None in widths:
        raise ModelError(f"{what}: the tilt needs the face width; specify face_width for both gears", about=about)
    return pair.face_width if face_width is None else min(face_width, pair.face_width)


# ---- mesh standing

# Relative position of the two cylindrical gears of a pair in the initial pose, for contact analyses.

_ALIKE = 1e-9
"""[m], [rad]: positions and axes that differ by less count as equal."""


@dataclass(frozen=True)
class MeshStanding:
    """Position and angles of gear B relative to gear A, as arguments of `contact.flank_data`.

    Attributes
    ----------
    centre_distance, face_offset : float
        [m] face_offset: offset of the middle of the face of B from that of A, along +z of A.
    deviation, inclination : float
        Angles between the axes of B and A [rad], out of the plane of the axes and in it.
    pitch_point : float
        Position of the pitch point, in the middle of the common face, along z of A from the middle of the face of A [m].
    start : float
        Angle of gear A [rad], from the pitch point to its x axis, at ψ_A = 0. There a tooth points at the pitch point in the middle
        of the common face. This need not be the middle of A, where its x axis passes through a tooth.
    reversed : bool
        Whether the axes point in opposite directions.
    """

    centre_distance: float
    face_offset: float
    deviation: float
    inclination: float
    pitch_point: float
    start: float
    reversed: bool


def mesh_standing(pair: GearPair, alignment: Alignment, pose_a: Placed, pose_b: Placed) -> MeshStanding:
    """Relative position of a pair on parallel axes, from the poses of its wheels. Rounding errors are removed."""
    (x_a, R_a), (x_b, R_b) = pose_a, pose_b
    way = math.copysign(1.0, float(R_a[:, 2] @ R_b[:, 2]))
    z_b = way * R_b[:, 2]
    turned = alignment.pitch.triad_a @ alignment.triad_a.T
    return MeshStanding(
        centre_distance=round(pair.centre_distance, 12),
        face_offset=_rounded(float((x_b - x_a) @ R_a[:, 2])),
        deviation=_rounded(float(z_b @ alignment.mesh[:, 2])),
        inclination=_rounded(float(z_b @ alignment.mesh[:, 1])),
        pitch_point=_rounded(float(alignment.point_a[2])),
        start=_rounded(math.atan2(float(turned[1, 0]), float(turned[0, 0]))),
        reversed=way < 0.0,
    )


def standing_of_poses(pair: GearPair, pose_a: Placed, pose_b: Placed) -> MeshStanding:
    """The same from any poses, not only those in which the pair was put in mesh. Pitch point and start are 0."""
    (x_a, R_a), (x_b, R_b) = pose_a, pose_b
    axis = R_a[:, 2]
    way = math.copysign(1.0, float(axis @ R_b[:, 2]))
    apart = x_b - x_a
    offset = float(apart @ axis)
    across = apart - offset * axis
    distance = math.sqrt(float(across @ across))
    inside = any(isinstance(gear, Gear) and gear.internal for gear in (pair.a, pair.b))
    towards = (
        -across if inside else across
    ) / distance  # from the axis of A to the pitch point; for a ring, A is the pinion
    tangent = np.cross(axis, towards)
    z_b = way * R_b[:, 2]
    return MeshStanding(
        centre_distance=round(distance, 12),
        face_offset=_rounded(offset),
        deviation=_rounded(float(z_b @ tangent)),
        inclination=_rounded(float(z_b @ towards)),
        pitch_point=0.0,
        start=0.0,
        reversed=way < 0.0,
    )


def _rounded(value: float) -> float:
    return round(value, 12) if abs(value) > _ALIKE else 0.0


_STRAIN = 1.5e9 / 115.4e9
"""Default largest Hertzian pressure of tables, divided by the contact modulus: 1500 MPa between steel teeth."""
_ELASTIC_PHASES = 128
_SAME = 1e-9
"""[m] Flanks that differ by less count as equal."""
_SAMPLES = 41
_STEEPEST = math.radians(75.0)
"""Helix angle above which the default grid of finite elements has inverted elements."""


def table_request(
    mesh: Mesh,
    pair: GearPair,
    stands: MeshStanding | None,
    *,
    face_width: float | None,
    what: Subject,
    pitch: PitchGeometry,
    pose: Placement,
) -> TableRequest | None:
    """Input of the table of the pair in its position. None if the mesh needs no table.

    face_width: common face width [m]. pitch: with the directions of the axes as they are. pose: of B in the axes of A, in phase.
    """
    needed = (isinstance(mesh, Loaded) and mesh.computed) or (isinstance(mesh, Elastic) and mesh.stiffness == LOADED)
    if not needed or not isinstance(mesh, (Elastic, Loaded)):
        return None
    kind = "Loaded()" if isinstance(mesh, Loaded) else 'Elastic("loaded")'
    _check_kind(kind, pair, what)
    _check_gears(mesh, kind, pair, what)
    if isinstance(mesh, Loaded):
        options: dict[str, object] = {
            "phases": mesh.phases, "coast": mesh.coast, "bore": mesh.bore, "elements_a": mesh.elements_a,
            "elements_b": mesh.elements_b, "resolution": mesh.resolution, "cells": mesh.cells,
        }  # fmt: skip
    else:
        options = {
            "phases": _ELASTIC_PHASES, "coast": None, "bore": "fixed", "elements_a": {}, "elements_b": {}, "resolution": 4.0,
            "cells": 15,
        }  # fmt: skip
    torques = _torques(mesh, pair, face_width, what)
    if stands is None or (stands.reversed and ("mesh" in _elements(mesh, "B") or not is_symmetric(teeth_of(pair.b)))):
        if isinstance(mesh, Elastic):
            options["coast"] = mesh.torque is not None and mesh.torque < 0.0
        return _in_any_position(mesh, pair, pitch, pose, torques, options, what)
    tilts = () if not isinstance(mesh, Loaded) or mesh.tilts is None else tuple(mesh.tilts.tolist())
    return TableRequest(
        gear_a=pair.a,
        gear_b=pair.b,
        centre_distance=stands.centre_distance,
        face_offset=stands.face_offset,
        deviation=0.0 if tilts else stands.deviation,  # with tilts the pose is one of those of the table
        inclination=0.0 if tilts else stands.inclination,
        pitch_point=stands.pitch_point,
        start=stands.start,
        torques=torques,
        tilts=tilts,
        **options,  # type: ignore[arg-type]
    )


def _in_any_position(
    mesh: Loaded | Elastic,
    pair: GearPair,
    pitch: PitchGeometry,
    pose: Placement,
    torques: tuple[float, ...],
    options: Mapping[str, object],
    what: Subject,
) -> TableRequest:
    """Input of the table of gears with flanks of any shape: crossed axes, bevel gears, racks, axes in opposite directions."""
    if isinstance(mesh, Loaded) and mesh.tilts is not None:
        raise ModelError(
            f"{what}: tilts need wheels on parallel axes that point in the same direction; omit them for "
            + ("wheels in opposite directions, or reverse one wheel" if pair.kind.parallel else f"a {pair.kind} pair"),
            about=what.at("tilts"),
        )
    along_hoop = math.cos(pitch.beta_b) if pitch.is_rack else 0.5 * pitch.normal_module * pitch.teeth_b
    return TableRequest(
        gear_a=pair.a,
        gear_b=pair.b,
        centre_distance=0.0,
        face_offset=0.0,
        deviation=0.0,
        inclination=0.0,
        start=0.0,
        torques=torques,
        tilts=(),
        pitch_point=0.0,
        placement=TablePlacement(
            position=tuple(round(x, 11) + 0.0 for x in pose.position.tolist()),
            rotation=tuple(round(x, 11) + 0.0 for x in pose.rotation.ravel().tolist()),
            ratio=pitch.speed_ratio,
            lever=length_factor(pair.kind, pitch) * along_hoop,
            play=0.5 * pair.backlash / along_hoop,
            forwards=pitch.axis_sign_a,
        ),
        **options,  # type: ignore[arg-type]
    )


def _check_kind(kind: str, pair: GearPair, what: Subject) -> None:
    """Refuse pairs whose flanks have no table."""
    for name, gear in (("A", pair.a), ("B", pair.b)):
        if isinstance(gear, Gear) and gear.cone_angle and gear.helix_angle and gear.flanks is None:
            raise ModelError(
                f"{what}: {kind} computes the contact of gears whose flanks are known, but those of gear {name} of the {pair.kind} "
                "pair depend on how they are cut; import them with Teeth.from_points or Teeth.from_surface, or use "
                "Elastic(...) with a number",
                about=what,
            )
    if pair.kind.parallel and pair.a.internal:
        raise ModelError(
            f"{what}: {kind} needs the pinion as a and the internal gear as b; exchange a and b", about=what
        )


def _check_gears(mesh: Loaded | Elastic, kind: str, pair: GearPair, what: Subject) -> None:
    for name, gear in (("A", pair.a), ("B", pair.b)):
        if gear.face_width is None:
            raise ModelError(f"{what}: {kind} needs the face width of gear {name}; specify face_width", about=what)
        if isinstance(gear, Gear):
            _check_body(mesh, gear, name, kind, what)
        if pair.kind.parallel and isinstance(gear, Gear):
            try:
                Teeth(gear.with_(flanks=None))
            except ModelError as error:
                raise ModelError(f"{what}, gear {name}: {error}", about=what) from None
        single = gear.modifications.per_tooth if isinstance(gear, Gear) and gear.flanks is None else ()
        if single or (gear.flanks is not None and gear.flanks.per_tooth):
            raise ModelError(
                f"{what}: gear {name} has different teeth (per_tooth), but a table contains only one mesh cycle; use "
                f'Flank(), or omit them and specify error=pl.Varying(..., over="revolution of {name.lower()}")',
                about=what,
            )


def _check_body(mesh: Loaded | Elastic, gear: Gear, name: str, kind: str, what: Subject) -> None:
    """Finite elements need a bore, those of a ring a rim, and teeth that are not too steep."""
    needed = "rim_diameter" if gear.internal else "bore"
    said = _elements(mesh, name)
    if "mesh" in said or "body" in said:
        return
    if not getattr(gear, needed) and needed not in said and "body" not in said:
        raise ModelError(
            f"{what}: {kind} makes finite elements of gear {name}, which has no {needed}; specify it for the gear"
            + ("" if gear.internal else ", such as the diameter of its shaft"),
            about=what,
        )
    if abs(gear.helix_angle) > _STEEPEST and not gear.cone_angle and not said:
        where = f"elements_{name.lower()}"
        way = f"{where}=" if isinstance(mesh, Loaded) else f"Loaded({where}=...) with "
        raise ModelError(
            f"{what}: {kind} makes finite elements of gear {name}, but its helix angle of {in_deg(gear.helix_angle)} is "
            f"too steep for their default grid, as that of a worm; specify {way}"
            + '{"body": "rigid"}, or a mesh of your own',
            about=what.at(where) if isinstance(mesh, Loaded) else what,
        )


def _elements(mesh: Loaded | Elastic, name: str) -> Mapping[str, object]:
    """Options of the finite elements of gear "A" or "B"."""
    if isinstance(mesh, Elastic):
        return {}
    return mesh.elements_a if name == "A" else mesh.elements_b


def _torques(mesh: Loaded | Elastic, pair: GearPair, face_width: float | None, what: Subject) -> tuple[float, ...]:
    """Torques on gear B [N m], of a rack forces [N]; positive."""
    if isinstance(mesh, Elastic):
        assert mesh.torque is not None
        return (abs(mesh.torque),)
    if mesh.torque is None and not _has_line_contact(pair):
        unit = "force on the rack [N]" if isinstance(pair.b, Rack) else "torque on wheel B [N m]"
        raise ModelError(
            f"{what}: Loaded() of a {pair.kind} pair, whose teeth have point contact or flanks of any shape, needs the largest "
            f"{unit} of its table; specify torque=...",
            about=what.at("torque"),
        )
    if isinstance(mesh.torque, tuple):
        return mesh.torque
    largest = default_torque(pair, face_width) if mesh.torque is None else mesh.torque
    assert isinstance(mesh.loads, int)
    part = np.arange(1, mesh.loads) / (mesh.loads - 1)
    return tuple((largest * part**2).tolist())


def default_torque(pair: GearPair, face_width: float | None) -> float:
    """Torque on gear B [N m] (of a rack: force [N]), rounded to three digits, for the default largest pressure of a table.

    Hertzian contact of two cylinders at the pitch point: p² = F' E*/(π ρ), with the load F' on a line of the length b/cos β_b, and
    T = F r_b cos β_b. With p = ε E* the load F' is π ρ ε² E*. ε is the same for all materials. Straight bevel gears: of their
    equivalent cylinders, with the radii r/cos δ. A rack is plane; its lever is cos α_t.
    """
    a, b, pitch = pair.a, pair.b, pair.pitch
    if isinstance(b, Gear) and b.cone_angle:
        alpha = pitch.pressure_angle
        turns = [
            math.cos(gamma) / radius
            for gamma, radius in ((pitch.gamma_a, pitch.radius_a), (pitch.gamma_b, pitch.radius_b))
        ]
        curvature, lever, slant = sum(turns) / math.sin(alpha), pitch.radius_b * math.cos(alpha), 0.0
    else:
        alpha = pair.transverse_working_pressure_angle
        curvature, slant = 1.0 / (0.5 * a.base_diameter * math.tan(alpha)), a.base_helix_angle
        if isinstance(b, Rack):
            lever = math.cos(alpha)
        else:
            lever = 0.5 * b.base_diameter
            curvature += b.sense / (lever * math.tan(alpha))
    rho = 1.0 / (curvature * math.cos(slant))
    softness = sum((1.0 - gear.material.poissons_ratio**2) / gear.material.youngs_modulus for gear in (a, b))
    line_load = math.pi * rho * _STRAIN**2 / softness
    width = pair.face_width if face_width is None else face_width
    return float(f"{line_load * width * lever:.3g}")


def _has_line_contact(pair: GearPair) -> bool:
    """Whether nominal flanks touch in lines, on whose pressure the default torque depends."""
    return has_plane_of_action(pair) or (pair.kind.bevel and not pair.a.helix_angle)


def teeth_of(gear: Gear | Rack) -> Teeth | SurfaceTeeth:
    """Involutes on cylinders as they are; imported flanks, bevel gears and racks as surfaces."""
    if isinstance(gear, Rack) or gear.cone_angle or gear.flanks is not None:
        return surface_teeth(gear)
    return Teeth(gear)


def is_symmetric(teeth: Teeth | SurfaceTeeth) -> bool:
    """Whether the right flank is the left flank rotated by 180° about the middle of the tooth: δ_R(L, ζ) = δ_L(L, −ζ)."""
    if isinstance(teeth, SurfaceTeeth):
        at = np.linspace(0.0, 1.0, _SAMPLES)
        turned = teeth.right.point(at[:, None], at) * np.array([1.0, -1.0, -1.0])
        return bool(teeth.left.project(turned).away.max() < _SAME)
    left, right = teeth.left, teeth.right
    if not (left.modified or right.modified):
        return True
    L, z = _samples(teeth)
    return bool(np.abs(left.deviation(L, z) - right.deviation(L, -z)).max() < _SAME)


def has_even_faces(teeth: Teeth | SurfaceTeeth) -> bool:
    """Whether both halves of the face have the same flanks: δ(L, ζ) = δ(L, −ζ). False for surfaces, which are not examined."""
    if isinstance(teeth, SurfaceTeeth):
        return False
    L, z = _samples(teeth)
    modified = [flank for flank in (teeth.left, teeth.right) if flank.modified]
    return all(bool(np.abs(flank.deviation(L, z) - flank.deviation(L, -z)).max() < _SAME) for flank in modified)


def _samples(teeth: Teeth) -> tuple[FloatArray, FloatArray]:
    """Sample points L and ζ on the whole flank."""
    half = 0.5 * teeth.gear.required_face_width("loaded teeth")
    L = np.linspace(teeth.left.range.form, teeth.left.range.tip, 10 * _SAMPLES)[:, None]
    return L, np.linspace(-half, half, _SAMPLES)
