"""Input of the table of loaded tooth contact of a gear pair. Cases that cannot be computed are errors before the computation."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ..errors import ModelError, Subject
from ..gears import Gear, GearPair, Rack
from ..gears.directions import length_factor
from ..gears.inputs import in_deg
from ..gears.pitch import PitchGeometry
from ..gears.placement import Placement
from ..gears.surfaces import SurfaceTeeth, surface_teeth
from ..gears.teeth import Teeth
from ..solids.rotations import Array
from .computed_table import TablePlacement, TableRequest
from .felt_tilt import has_plane_of_action
from .mesh_standing import MeshStanding
from .meshes import Elastic, Loaded, Mesh
from .meshes.elastic import LOADED

__all__ = ["default_torque", "has_even_faces", "is_symmetric", "table_request", "teeth_of"]

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


def _samples(teeth: Teeth) -> tuple[Array, Array]:
    """Sample points L and ζ on the whole flank."""
    half = 0.5 * teeth.gear.required_face_width("loaded teeth")
    L = np.linspace(teeth.left.range.form, teeth.left.range.tip, 10 * _SAMPLES)[:, None]
    return L, np.linspace(-half, half, _SAMPLES)
