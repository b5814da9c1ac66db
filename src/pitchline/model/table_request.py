"""Input of the table of loaded tooth contact of a gear pair. Cases that cannot be computed are errors before the computation."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ..errors import ModelError, Subject
from ..gears import Gear, GearPair, Rack
from ..gears.placement import Placement
from ..gears.teeth import Teeth
from ..solids.rotations import Array
from .computed_table import TableRequest
from .mesh_standing import MeshStanding
from .meshes import Elastic, Loaded, Mesh
from .meshes.elastic import LOADED

__all__ = ["default_torque", "has_even_faces", "is_general", "is_symmetric", "table_request"]

_STRAIN = 1.5e9 / 115.4e9
"""Default largest Hertzian pressure of tables, divided by the contact modulus: 1500 MPa between steel teeth."""
_ELASTIC_PHASES = 128
_SAME = 1e-9
"""[m] Flanks that differ by less count as equal."""
_SAMPLES = 41


def table_request(
    mesh: Mesh,
    pair: GearPair,
    stands: MeshStanding | None,
    *,
    face_width: float | None,
    what: Subject,
    pose: Placement | None = None,
) -> TableRequest | None:
    """Input of the table of the pair in its position. None if the mesh needs no table.

    face_width: common face width [m]; pose: of B in the axes of A, in phase, for pairs that are not on parallel axes."""
    needed = (isinstance(mesh, Loaded) and mesh.computed) or (isinstance(mesh, Elastic) and mesh.stiffness == LOADED)
    if not needed or not isinstance(mesh, (Elastic, Loaded)):
        return None
    if isinstance(mesh, Loaded) and pose is not None and is_general(pair):
        return _general_request(mesh, pair, pose, what)
    _check_gears(mesh, pair, what)
    assert isinstance(pair.b, Gear) and stands is not None
    if stands.reversed and not is_symmetric(Teeth(pair.b)):
        raise ModelError(
            f"{what}: the axes of both wheels must point in the same direction if the flanks of a tooth of B have "
            "different modifications; "
            "reverse one wheel, as mesh_with= places it",
            about=what,
        )
    if isinstance(mesh, Loaded):
        torques = _torques(mesh, pair, face_width)
        options = {
            "phases": mesh.phases, "coast": mesh.coast, "bore": mesh.bore, "elements_a": mesh.elements_a,
            "elements_b": mesh.elements_b, "resolution": mesh.resolution, "cells": mesh.cells,
            "tilts": () if mesh.tilts is None else tuple(mesh.tilts.tolist()),
        }  # fmt: skip
    else:
        assert mesh.torque is not None
        torques = (abs(mesh.torque),)
        options = {
            "phases": _ELASTIC_PHASES, "coast": None, "bore": "fixed", "elements_a": {}, "elements_b": {}, "resolution": 4.0,
            "cells": 15, "tilts": (),
        }  # fmt: skip
    posed = not options["tilts"]  # otherwise the pose is one of the tilts of the table
    return TableRequest(
        gear_a=pair.a,
        gear_b=pair.b,
        centre_distance=stands.centre_distance,
        face_offset=stands.face_offset,
        deviation=stands.deviation if posed else 0.0,
        inclination=stands.inclination if posed else 0.0,
        pitch_point=stands.pitch_point,
        start=stands.start,
        torques=torques,
        **options,  # type: ignore[arg-type]
    )


def is_general(pair: GearPair) -> bool:
    """Whether computed tables are those of general flanks: crossed helical, worm and bevel gears, racks."""
    return not pair.kind.parallel and pair.kind != "beveloid"


def _general_request(mesh: Loaded, pair: GearPair, pose: Placement, what: Subject) -> TableRequest:
    if pair.kind in ("spiral bevel", "hypoid"):
        raise ModelError(
            f"{what}: Loaded() computes the contact of gears whose flanks are known, but the flanks of {pair.kind} gears depend on "
            "how they are cut; compute the table with loaded_contact from imported flanks (Teeth.from_points) and specify it, or "
            "use Elastic(...)",
            about=what,
        )
    if mesh.tilts is not None:
        raise ModelError(
            f"{what}: tilts need wheels on parallel axes, which have a plane of action; omit them for a {pair.kind} pair",
            about=what.at("tilts"),
        )
    if mesh.torque is None:
        unit = "force on the rack [N]" if isinstance(pair.b, Rack) else "torque on wheel B [N m]"
        raise ModelError(
            f"{what}: Loaded() of a {pair.kind} pair needs the largest {unit} of its table; specify torque=...",
            about=what.at("torque"),
        )
    for name, gear in (("A", pair.a), ("B", pair.b)):
        if gear.face_width is None:
            raise ModelError(f"{what}: Loaded() needs the face width of gear {name}; specify face_width", about=what)
        if isinstance(gear, Gear):
            _check_body(mesh, gear, name, "Loaded()", what)
    numbers = (*pose.position.tolist(), *pose.rotation.ravel().tolist())
    return TableRequest(
        gear_a=pair.a,
        gear_b=pair.b,
        centre_distance=pair.centre_distance,
        face_offset=0.0,
        deviation=0.0,
        inclination=0.0,
        start=0.0,
        torques=_torques(mesh, pair, None),
        phases=mesh.phases,
        tilts=(),
        pitch_point=0.0,
        coast=mesh.coast if isinstance(mesh.coast, bool) else None,
        bore=mesh.bore,
        elements_a=mesh.elements_a,
        elements_b=mesh.elements_b,
        resolution=mesh.resolution,
        cells=mesh.cells,
        placement=tuple(round(x, 13) for x in numbers),
    )


def _check_gears(mesh: Loaded | Elastic, pair: GearPair, what: Subject) -> None:
    kind = "Loaded()" if isinstance(mesh, Loaded) else 'Elastic("loaded")'
    other = "Elastic(...), or specify a table for Loaded"
    if not isinstance(pair.b, Gear):
        raise ModelError(f"{what}: {kind} computes the contact of two gears, but B is a rack; use {other}", about=what)
    if pair.kind == "beveloid":
        raise ModelError(
            f"{what}: {kind} computes the contact of cylindrical gears, but conical involute gears have point contact; use Flank()",
            about=what,
        )
    if not pair.kind.parallel:
        raise ModelError(
            f"{what}: {kind} computes the contact of cylindrical gears on parallel axes, not of a {pair.kind} pair; use {other}",
            about=what,
        )
    if pair.a.internal:
        raise ModelError(
            f"{what}: {kind} needs the pinion as a and the internal gear as b; exchange a and b", about=what
        )
    for name, gear in (("A", pair.a), ("B", pair.b)):
        if gear.face_width is None:
            raise ModelError(f"{what}: {kind} needs the face width of gear {name}; specify face_width", about=what)
        _check_body(mesh, gear, name, kind, what)
        teeth = Teeth(gear)
        if teeth.left.of_tooth or teeth.right.of_tooth:
            raise ModelError(
                f"{what}: gear {name} has different teeth (per_tooth), but a table contains only one mesh cycle; use "
                f'Flank(), or omit them and specify error=pl.Varying(..., over="revolution of {name.lower()}")',
                about=what,
            )


def _check_body(mesh: Loaded | Elastic, gear: Gear, name: str, kind: str, what: Subject) -> None:
    """Finite elements need a bore, those of a ring a rim."""
    needed = "rim_diameter" if gear.internal else "bore"
    said: Mapping[str, object] = {}
    if isinstance(mesh, Loaded):
        said = mesh.elements_a if name == "A" else mesh.elements_b
    if "mesh" in said or "body" in said:
        return
    if not getattr(gear, needed) and needed not in said and "body" not in said:
        raise ModelError(
            f"{what}: {kind} makes finite elements of gear {name}, which has no {needed}; specify it for the gear"
            + ("" if gear.internal else ", such as the diameter of its shaft"),
            about=what,
        )


def _torques(mesh: Loaded, pair: GearPair, face_width: float | None) -> tuple[float, ...]:
    """Torques on gear B [N m], positive."""
    if isinstance(mesh.torque, tuple):
        return mesh.torque
    largest = default_torque(pair, face_width) if mesh.torque is None else mesh.torque
    assert isinstance(mesh.loads, int)
    part = np.arange(1, mesh.loads) / (mesh.loads - 1)
    return tuple((largest * part**2).tolist())


def default_torque(pair: GearPair, face_width: float | None) -> float:
    """Torque on gear B [N m], rounded to three digits, for the default largest pressure of a table.

    Hertzian contact of two cylinders at the pitch point: p² = F' E*/(π ρ), with the load F' on a line of the length b/cos β_b, and
    T = F r_b cos β_b. With p = ε E* the load F' is π ρ ε² E*. ε is the same for all materials.
    """
    a, b = pair.a, pair.b
    assert isinstance(b, Gear)
    alpha = pair.transverse_working_pressure_angle
    r_a, r_b = 0.5 * a.base_diameter, 0.5 * b.base_diameter
    curvature = 1.0 / (r_a * math.tan(alpha)) + b.sense / (r_b * math.tan(alpha))
    rho = 1.0 / (curvature * math.cos(a.base_helix_angle))
    softness = sum((1.0 - gear.material.poissons_ratio**2) / gear.material.youngs_modulus for gear in (a, b))
    line_load = math.pi * rho * _STRAIN**2 / softness
    width = pair.face_width if face_width is None else face_width
    torque = line_load * width * r_b
    return float(f"{torque:.3g}")


def is_symmetric(teeth: Teeth) -> bool:
    """Whether the right flank is the left flank rotated by 180° about the middle of the tooth: δ_R(L, ζ) = δ_L(L, −ζ)."""
    left, right = teeth.left, teeth.right
    if not (left.modified or right.modified):
        return True
    L, z = _samples(teeth)
    return bool(np.abs(left.deviation(L, z) - right.deviation(L, -z)).max() < _SAME)


def has_even_faces(teeth: Teeth) -> bool:
    """Whether both halves of the face have the same flanks: δ(L, ζ) = δ(L, −ζ)."""
    L, z = _samples(teeth)
    modified = [flank for flank in (teeth.left, teeth.right) if flank.modified]
    return all(bool(np.abs(flank.deviation(L, z) - flank.deviation(L, -z)).max() < _SAME) for flank in modified)


def _samples(teeth: Teeth) -> tuple[Array, Array]:
    """Sample points L and ζ on the whole flank."""
    half = 0.5 * teeth.gear.required_face_width("loaded teeth")
    L = np.linspace(teeth.left.range.form, teeth.left.range.tip, 10 * _SAMPLES)[:, None]
    return L, np.linspace(-half, half, _SAMPLES)
