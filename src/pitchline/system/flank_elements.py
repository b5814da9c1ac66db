"""From gear pairs with elastic flanks to elements."""

import math
from collections.abc import Mapping
from weakref import WeakKeyDictionary

import numpy as np

from ..contact.flank_data import FlankData, flank_data
from ..contact.mesh_pose import mesh_pose
from ..contact.surface_flank_data import surface_flank_data
from ..contact.surface_pair import nominal_play
from ..elements.contract import Element
from ..elements.flank_mesh import flank_mesh
from ..elements.mesh_law import BY_SHIFTS
from ..errors import ModelError
from ..fem.elastic_gear import ElasticGear, elastic_gear
from ..gears import Gear, GearPair, Rack
from ..gears.aligned_pose import in_phase
from ..gears.alignment import Alignment
from ..gears.directions import BASE_CIRCLE, length_factor
from ..gears.placement import Placement
from ..gears.surfaces import surface_teeth
from ..gears.teeth import Teeth, place_teeth
from ..model.flank_position import in_closed_form, responds_to_position
from ..model.gear_mesh import GearMesh
from ..model.meshes import Flank
from .flank_shifts import Shifts, position_shifts, tilt_shifts
from .flank_tables import encode_flanks

_known: WeakKeyDictionary[Flank, dict[tuple[object, ...], FlankData]] = WeakKeyDictionary()
"""Computed data of a mesh, as long as it exists: analyses compile their model repeatedly."""


def flank_element(
    part: GearMesh, nodes: tuple[int, int], geometry: np.void, law: np.void, limits: np.void | None = None
) -> Element:
    """Element of a pair whose mesh is `Flank`. Geometry, law and limits are encoded as for every pair."""
    mesh = part.mesh
    assert isinstance(mesh, Flank)
    general = not in_closed_form(part)
    start = 0.0 if part.standing is None or general else part.standing.start
    data = flanks_of(part)
    lever_b = abs(float(geometry["lever_b"]))
    shifts = _shifts(part, data, lever_b, law)
    if shifts is not None:
        law["tilted"] = BY_SHIFTS
        if responds_to_position(part):  # the shifts contain what the centres do
            geometry["radial"] = geometry["separation"] = 0.0
    tables = encode_flanks(
        data, lever_b=lever_b, damping_ratio=mesh.damping_ratio, penalty=mesh.penalty, friction=mesh.friction,
        friction_speed=mesh.friction_speed, start=start * part.pair.pitch.teeth_a / (2.0 * math.pi), shifts=shifts,
    )  # fmt: skip
    pair = {"geometry": geometry, "law": law}
    if limits is not None:
        pair["limits"] = limits
    return flank_mesh(part.name, nodes, pair, tables.parameters, tables.memory, tables.scratch, tables.coordinates)


def _shifts(part: GearMesh, data: FlankData, lever_b: float, law: np.void) -> Shifts | None:
    if responds_to_position(part):
        return position_shifts(_aligned(part), _general_pose(part), data, lever_b)
    if not part.law.tilt_width:
        return None
    return tilt_shifts(part, data, (float(law["tilt_across"]), float(law["tilt_towards"])))


def flanks_of(part: GearMesh) -> FlankData:
    """Elastic gears and gaps of a gear pair; computed once for a mesh."""
    mesh, pair = part.mesh, part.pair
    assert isinstance(mesh, Flank) and isinstance(pair, GearPair)
    closed = in_closed_form(part)
    place = None if closed or part.poses is None else _rounded(_general_pose(part))
    key = (pair.a, pair.b, part.law.backlash, part.standing, pair.centre_distance, place)
    found = _known.setdefault(mesh, {}).get(key)
    if found is None:
        if closed:
            assert isinstance(pair.b, Gear)
            found = _work_out(part, mesh, pair.a, pair.b)
        else:
            found = _work_out_general(part, mesh, pair)
        _known[mesh][key] = found
    return found


def _rounded(pose: Placement) -> tuple[float, ...]:
    return tuple(np.round([*pose.position, *pose.rotation.ravel()], 12).tolist())


def _general_pose(part: GearMesh) -> Placement:
    """Gear B in the initial pose, in the axes of A, both in phase."""
    assert part.poses is not None and isinstance(part.pair, GearPair)
    return in_phase(_aligned(part), *part.poses)


def _aligned(part: GearMesh) -> Alignment:
    """The gears as they are, not the alignment of the mesh, which may have fitted its phase."""
    assert part.poses is not None and isinstance(part.pair, GearPair)
    return part.pair.align(*part.poses[0], *part.poses[1])


def _work_out_general(part: GearMesh, mesh: Flank, pair: GearPair) -> FlankData:
    what = f'gear pair "{part.name}"'
    pitch = part.alignment.pitch
    if pitch.axis_sign_a < 0.0:
        raise ModelError(
            f"{what}: with Flank the z axis of wheel A must point away from the apex of a bevel gear, and in the direction in "
            "which mesh_with= places it on a rack; an internal gear must be wheel B. Reverse wheel A, or exchange the wheels"
        )
    a, b = (
        _elastic(gear, elements, mesh.bore, mesh.modes, f"{what}, gear {name}")
        for name, gear, elements in (("a", pair.a, mesh.elements_a), ("b", pair.b, mesh.elements_b))
    )
    more = 0.0
    if mesh.backlash is not None:
        along = 0.5 * mesh.backlash / length_factor(pair.kind, pitch)  # the hoop
        lever = math.cos(pitch.beta_b) if pitch.is_rack else 0.5 * pitch.normal_module * pitch.teeth_b
        more = along / lever - nominal_play(pitch, pair.backlash)
    return surface_flank_data(
        a,
        b,
        _general_pose(part),
        ratio=pitch.speed_ratio,
        up_to=mesh.modes,
        more_play=more,
        surfaces=(surface_teeth(pair.a), surface_teeth(pair.b)),
        what=what,
    )


def _work_out(part: GearMesh, mesh: Flank, gear_a: Gear, gear_b: Gear) -> FlankData:
    what = f'gear pair "{part.name}"'
    teeth_a, teeth_b = Teeth(gear_a), Teeth(gear_b)
    pose, play = _placed(part, teeth_a, teeth_b)
    more = 0.0
    if mesh.backlash is not None:
        more = 0.5 * mesh.backlash / _lever(part, teeth_b) - play
    a, b = (
        _elastic(teeth, elements, mesh.bore, mesh.modes, f"{what}, gear {name}")
        for name, teeth, elements in (("a", teeth_a, mesh.elements_a), ("b", teeth_b, mesh.elements_b))
    )
    return flank_data(a, b, pose, up_to=mesh.modes, more_play=more)


def _placed(part: GearMesh, a: Teeth, b: Teeth) -> tuple[Placement, float]:
    """Gear B in the initial pose, with offset face and misaligned axis; and its play [rad]."""
    stands = part.standing
    if stands is None:  # conical gears, which are placed by their common rack
        return place_teeth(a, b)
    if not (stands.face_offset or stands.deviation or stands.inclination):
        return place_teeth(a, b, part.pair.centre_distance)
    found = mesh_pose(
        a, b, "left", centre_distance=part.pair.centre_distance, deviation=stands.deviation, inclination=stands.inclination,
        face_offset=stands.face_offset, pivot=stands.pitch_point,
    )  # fmt: skip
    return found.placement, found.play


def _elastic(
    teeth: Teeth | Gear | Rack, elements: Mapping[str, object], bore: str, modes: float, what: str
) -> ElasticGear:
    count = teeth.gear.teeth if isinstance(teeth, Teeth) else teeth.teeth
    imported = not isinstance(teeth, Teeth) and teeth.flanks is not None
    try:
        return elastic_gear(
            surface_teeth(teeth) if imported else teeth,
            bore=bore,
            up_to=modes or None,
            grid=elements or None,
            name=f"{what}, {count} teeth",
        )
    except ModelError as error:
        raise ModelError(f"{what}: {error}") from None


def more_play(part: GearMesh, teeth_a: Teeth, teeth_b: Teeth) -> float:
    """How much more gear B can turn to either side than in the shape of the teeth [rad]: by the backlash of the mesh."""
    mesh = part.mesh
    assert isinstance(mesh, Flank)
    if mesh.backlash is None:
        return 0.0
    _, play = _placed(part, teeth_a, teeth_b)
    return 0.5 * mesh.backlash / _lever(part, teeth_b) - play


def _lever(part: GearMesh, teeth_b: Teeth) -> float:
    """Length in the direction of signals per rotation of B [m]."""
    flank = teeth_b.left.involute
    return flank.base_radius * (1.0 if part.along == BASE_CIRCLE else math.cos(flank.base_helix_angle))
