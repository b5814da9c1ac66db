"""From gear pairs to elements: elastic flanks with their tables, and laws of users."""

import collections
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numba
import numpy as np

from pitchline.base.types import FloatArray
from pitchline.contact.compliance import contact_modulus
from pitchline.contact.flank_data import FlankData, FlankSide, flank_data, half_space_scale, mesh_pose
from pitchline.contact.strip_gaps import strip_coupling
from pitchline.contact.surface_flank_data import surface_flank_data
from pitchline.contact.surface_press import involutes_of
from pitchline.contact.surface_strips import nominal_play
from pitchline.engine.compile.assembly import evaluate, system_at
from pitchline.engine.compile.reporting import SampleArrays, SampleTable, set_sample
from pitchline.engine.compile.system import System, Workspace
from pitchline.engine.elements.contract import TANGENT, Element
from pitchline.errors import ModelError, Subject
from pitchline.fem.elastic_gear import ElasticGear, elastic_gear
from pitchline.numerics.fields import matrix_over, packed, record_at
from pitchline.numerics.gradient_laws import address_of_gradient_law
from pitchline.numerics.laws import numba_line
from pitchline.numerics.machine_code.compiled import A3, I1, I8, entry

from ..gears.geometry.axes import Alignment, in_phase
from ..gears.geometry.directions import BASE_CIRCLE, length_factor
from ..gears.geometry.gear import Gear
from ..gears.geometry.pair import GearPair
from ..gears.geometry.placement import Placement
from ..gears.geometry.rack import Rack
from ..gears.surfaces.from_gears import surface_teeth
from ..gears.teeth.rigid_contact import place_teeth
from ..gears.teeth.teeth import Teeth
from .kernel_flank import flank_mesh
from .kernel_flank_law import FlankAlone
from .kernel_flank_records import (
    COUPLINGS,
    FAR,
    ContactLine,
    ContactMemory,
    Flanks,
    StripScratch,
    empty_memory,
    empty_scratch,
)
from .kernel_law import BY_SHIFTS
from .laws.flank import Flank
from .laws.own import OwnMesh
from .part import GearMesh, in_closed_form, responds_to_position

__all__ = ["Shifts", "position_shifts", "tilt_shifts", "own_address"]


# ---- flank shifts

# Coordinates of the relative position of the axes to which elastic flanks respond, and the levels of their strips.


@dataclass(frozen=True, eq=False)
class Shifts:
    """As in `kernel_flank`.

    Attributes
    ----------
    base : (K,)
        Values in the position for which the tables were made.
    along : (K, 3)
        Components of the displacement of C_B along mu.
    turning : (K, 9)
        Of the direction cosines mu_i . xi_j, row by row.
    levels, slides : two of (phases, strips, K)
        Approach along the hoop and sliding per shift, of the drive and the coast flank.
    """

    base: FloatArray
    along: FloatArray
    turning: FloatArray
    levels: tuple[FloatArray, FloatArray]
    slides: tuple[FloatArray, FloatArray]

    @property
    def farthest(self) -> FloatArray:
        """Greatest levels (K,)."""
        found: FloatArray = np.max([np.abs(level).max(axis=(0, 1)) for level in self.levels], axis=0)
        return found


def tilt_shifts(part: GearMesh, data: FlankData, normal: tuple[float, float]) -> Shifts | None:
    """Tilt in the plane of action of both flanks of cylindrical gears. normal: that of the drive flank along ξ3 and ξ2.

    A rotation by f about the pitch point, in the plane of action, closes a gap by f ζ along the normals in a section. It moves
    points at q along the path of contact by −f q along the axis, which closes the gap of helical teeth by tan β_b of it.
    """
    stands = part.standing
    if stands is None:
        return None
    pitch = part.alignment.pitch
    alpha = math.atan(math.tan(pitch.pressure_angle) / math.cos(pitch.beta_a))
    hoop = math.cos(pitch.beta_a) / math.cos(alpha)
    levels, turning = [], np.zeros((2, 9))
    for k, (side, name, sign) in enumerate(((data.drive, "left", 1.0), (data.coast, "right", -1.0))):
        flank = involutes_of(data.a.teeth).flank(name).involute
        beyond = side.gaps.roll_a - flank.base_radius * math.tan(alpha)
        level = np.zeros((*beyond.shape, 2))
        level[..., k] = hoop * (side.gaps.zeta_a - stands.pitch_point + sign * flank.twist * flank.base_radius * beyond)
        levels.append(level)
        turning[k, 1:3] = normal[1], sign * normal[0]  # μ1·ξ2, μ1·ξ3
    across, towards = -math.cos(alpha) * stands.deviation, -math.sin(alpha) * stands.inclination
    built = np.array([towards + across, towards - across])
    slides = np.zeros_like(levels[0]), np.zeros_like(levels[1])
    return Shifts(built, np.zeros((2, 3)), turning, (levels[0], levels[1]), slides)


def position_shifts(aligned: Alignment, pose: Placement, data: FlankData, lever_b: float) -> Shifts:
    """Displacements of C_B and rotations of the frame of B, about the axes μ, from the pose of the tables.

    pose: of gear B in the axes of A, in phase. lever_b: c_B.
    """
    mu, xi = aligned.triad_a, pose.rotation @ aligned.triad_b
    point = pose.position + pose.rotation @ aligned.point_b
    if not aligned.pitch.is_rack:
        point = point + aligned.pitch.radius_b * xi[:, 1]
    along, turning = np.zeros((6, 3)), np.zeros((6, 3, 3))
    along[:3] = np.eye(3)
    R = mu.T @ xi
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        # the axial vector of E = (μ·ξ) Rᵀ: (E_ji − E_ij)/2
        turning[3 + k, j], turning[3 + k, i] = 0.5 * R[i], -0.5 * R[j]
    base = np.concatenate([mu.T @ (point - aligned.point_a), np.zeros(3)])
    (drive, slides), (coast, coast_slides) = (_levels(side, mu, point, lever_b) for side in (data.drive, data.coast))
    return Shifts(base, along, turning.reshape(6, 9), (drive, coast), (slides, coast_slides))


def _levels(side: FlankSide, mu: FloatArray, point: FloatArray, lever_b: float) -> tuple[FloatArray, FloatArray]:
    """(phases, strips, 6): approach along the hoop that closes a gap as much as a unit displacement or rotation of B, and sliding
    of A relative to B by it."""
    assert side.points is not None and side.normals is not None and side.slides is not None
    r = (side.points - point) @ mu
    opening, along = (np.concatenate([d, np.cross(r, d)], axis=-1) for d in (side.normals @ mu, side.slides @ mu))
    known = np.isfinite(side.gaps.play)[..., None]
    levels = np.where(known, -opening * (lever_b / side.gaps.lever)[..., None], 0.0)
    return levels, np.where(known, -along, 0.0)


# ---- flank tables

# From two elastic gears in mesh to the records of their element.


@dataclass(frozen=True)
class FlankTables:
    """Values of the records `Flanks`, `Memory` and `Scratch` of a pair, and the number of modal coordinates of its gears."""

    parameters: dict[str, Any]
    memory: dict[str, Any]
    scratch: dict[str, Any]
    coordinates: tuple[int, int]

    def alone(self) -> FlankAlone:
        """Contact law of the pair without a model."""
        arrays = packed(Flanks, self.parameters), packed(ContactMemory, self.memory), packed(StripScratch, self.scratch)
        return FlankAlone(*arrays, self.coordinates)


def encode_flanks(
    data: FlankData, *, lever_b: float, damping_ratio: float = 0.0, penalty: float = 0.0, near: float = 0.0, friction: float = 0.0,
    friction_speed: float = 1e-3, start: float = 0.0, shifts: Shifts | None = None,
) -> FlankTables:  # fmt: skip
    """Records of a pair.

    lever_b: c_B, approach along the hoop per rotation of B [m]. penalty [N/m]: in place of residual and local compliance. near
    [m]: gaps up to which strips are evaluated; default: a fiftieth of the module. start: phase of gear A [pitches] at ψ_A = 0.
    shifts: coordinates of the relative position of the axes to which the strips respond.
    """
    a, b = data.a, data.b
    strips = len(data.widths)
    modes = len(data.modes_a), len(data.modes_b)
    order_a, paired_a = pairs_first(a, data.modes_a)
    order_b, paired_b = pairs_first(b, data.modes_b)
    reach = min(int(a.offsets[-1]), int(b.offsets[-1]))
    spans = [len(side.gaps.phase) * _step(side) for side in (data.drive, data.coast)]
    room = strips * sum(math.ceil(span) + 1 for span in spans)
    kappa = half_space_scale(a.material) + half_space_scale(b.material)
    met = np.any([np.isfinite(one.gaps.play).any(axis=0) for one in (data.drive, data.coast)], axis=0)
    distances = np.linspace(0.0, 2.0 * float(data.widths.max()), COUPLINGS)

    def side(one: FlankSide) -> dict[str, Any]:
        return {
            "first": one.gaps.phase[0] - start,
            "step": _step(one),
            "phases": len(one.gaps.phase),
            "tooth_b": one.gaps.tooth_b,
            "lines": _lines(one, lever_b),
            "levels": np.zeros((0, 0)) if shifts is None else _rows(shifts.levels[0 if one is data.drive else 1]),
            "slides": np.zeros((0, 0)) if shifts is None else _rows(shifts.slides[0 if one is data.drive else 1]),
            "a": _of_gear(a, one.compliance_a, one.traces_a[order_a], one.gaps.single_a, reach),
            "b": _of_gear(b, one.compliance_b, one.traces_b[order_b], one.gaps.single_b, reach),
        }

    parameters = {
        "offsets": reach,
        "room": room,
        "sense": data.sense,
        "kappa": kappa,
        "modulus": contact_modulus(a.material, b.material),
        "near": near or 0.02 * a.teeth.gear.normal_module,
        "damping_ratio": damping_ratio,
        "penalty": penalty,
        "friction": friction,
        "friction_speed": friction_speed,
        "face": float(data.widths[met].sum()),
        "coupling_step": distances[1],
        "widths": data.widths,
        "coupling": (kappa * strip_coupling(data.widths, distances)).reshape(-1, strips),
        "a": _gear(a, data.modes_a[order_a], paired_a),
        "b": _gear(b, data.modes_b[order_b], paired_b),
        "drive": side(data.drive),
        "coast": side(data.coast),
    }
    coordinates = modes[0] + paired_a, modes[1] + paired_b
    many = 0
    if shifts is not None:
        many = len(shifts.base)
        parameters |= {
            "shift_base": shifts.base,
            "shift_along": shifts.along,
            "shift_turning": shifts.turning,
            "farthest": shifts.farthest,
        }
    scratch = empty_scratch(room, modes, coordinates, many)
    return FlankTables(parameters, empty_memory(strips, coordinates), scratch, coordinates)


def pairs_first(gear: ElasticGear, modes: np.ndarray) -> tuple[np.ndarray, int]:
    """Order of the modes of a gear: pairs of nodal diameters n and -n first; and the number of these modes."""
    single = gear.multiplicities[modes] == 1
    return np.argsort(single, kind="stable"), int(np.count_nonzero(~single))


def _gear(gear: ElasticGear, modes: np.ndarray, paired: int) -> dict[str, Any]:
    rows, faces = gear.grids["left"].shape
    return {
        "teeth": gear.teeth.gear.teeth,
        "own": 0 if gear.symmetric else 1,
        "rows": rows,
        "faces": faces,
        "paired": paired,
        "omega": 2.0 * math.pi * gear.frequencies[modes],
        "diameters": gear.nodal_diameters[modes],
    }


def _of_gear(
    gear: ElasticGear, compliance: np.ndarray, traces: np.ndarray, single: dict[int, np.ndarray], reach: int
) -> dict[str, Any]:
    middle, hats = int(gear.offsets[-1]), compliance.shape[-1]
    values: dict[str, Any] = {
        "compliance": compliance[..., middle - reach : middle + reach + 1, :, :].reshape(-1, hats),
        "traces": np.concatenate([traces.real.T, traces.imag.T])
        if gear.symmetric
        else np.ascontiguousarray(traces.real.reshape(len(traces), math.prod(traces.shape[1:])).T),
    }
    if single:
        places = np.full(gear.teeth.gear.teeth, -1)
        end = 0
        for tooth, deviation in single.items():
            places[tooth] = end
            end += np.size(deviation)
        values |= {
            "single": places,
            "deviations": np.concatenate([np.ravel(deviation) for deviation in single.values()]),
        }
    return values


def _step(side: FlankSide) -> float:
    return float(side.gaps.phase[1] - side.gaps.phase[0])


def _rows(levels: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(levels.reshape(-1, levels.shape[-1]))


def _lines(side: FlankSide, lever_b: float) -> np.ndarray:
    """Rows of the table. The slope of the play is computed by differences, one-sided next to strips without an opposite strip."""
    gaps = side.gaps
    play = gaps.play * lever_b
    known = np.isfinite(play)
    rise = np.diff(np.where(known, play, np.nan), axis=0) / _step(side)
    before, after = np.full_like(play, np.nan), np.full_like(play, np.nan)
    before[1:], after[:-1] = rise, rise
    slope = 0.5 * (np.where(np.isnan(before), after, before) + np.where(np.isnan(after), before, after))
    lines = np.zeros(play.shape, ContactLine.dtype)
    lines["play"] = np.where(known, play, FAR)
    lines["slope"] = np.nan_to_num(slope)
    lines["lever"] = gaps.lever / lever_b
    lines["at_a"], lines["at_b"], lines["face_b"] = side.at_a, side.at_b, side.face_b
    lines["radius"] = gaps.radius
    lines["roll_a"], lines["roll_b"] = gaps.roll_a, gaps.roll_b
    lines["face_a"] = np.arange(play.shape[1]) if side.face_a is None else side.face_a
    return lines.reshape(-1).view("f8").reshape(-1, ContactLine.size)


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


# ---- load sharing

# Least-norm multipliers if redundant constraints leave the load sharing undetermined.
#
# Of all multipliers with the same resultant, A lam' = A lam, those of least norm are used. Moments are divided by the
# length of the model, so that forces and moments have comparable weights:
#
# [1 A^T; A -e] (lam', y) = (0, A lam)
#
# The columns of A are the forces of each multiplier per unit: B^T, scaled, and forces that depend on the magnitude of
# a multiplier (the separating force of rigid teeth), with the sign of the multiplier. The signs of redundant rows are
# not known at first: the columns are computed again with the result, until they do not change.
#
# The very small compliance e makes the system regular for any rank of A. One refinement step removes its effect.

COMPLIANCE = 1e-11
CHUNK = 64
TIMES = 4
"""Maximum number of sign changes."""


_samples_at = record_at(SampleTable)


@entry
def columns_of_samples(system: I8, samples: I8, which: I1, out: A3):
    """out[sample, most * i + row]: force of the multiplier of a row of the i-th selected element, six numbers per node."""
    sys = system_at(system)
    z = _samples_at(samples)
    most = out.shape[1] // which.size
    for k in range(z.count):
        set_sample(sys, z, k, False)
        for i in range(which.size):
            e = sys.elements[which[i]]
            evaluate(sys, e, TANGENT)
            J = matrix_over(sys.local_J, e.size, e.size)
            first = e.size - e.n_rows
            for row in range(e.n_rows):
                for j in range(6 * e.n_nodes):
                    out[k, most * i + row, j] = J[j, first + row]


def least_norm(system: System, groups: list[np.ndarray], samples: Any) -> None:
    """Replace, in samples.lam, the multipliers of each group by those of least norm with the same resultant."""
    for group in groups:
        sharing = _Sharing(system, group)
        for first in range(0, len(samples.t), CHUNK):
            sharing.apply(samples, slice(first, first + CHUNK))


class _Sharing:
    """Constant pattern of one group: its rows, and the positions of their gradients."""

    def __init__(self, system: System, group: np.ndarray) -> None:
        self.system, self.group = system, group
        owner = np.searchsorted(system.lam0, group, side="right") - 1
        self.elements, position = np.unique(owner, return_inverse=True)
        mine = [system.elements[e] for e in self.elements]
        self.most_rows, self.most_nodes = max(len(e.rows) for e in mine), max(len(e.nodes) for e in mine)
        self.source = self.most_rows * position + (group - system.lam0[owner])
        nodes = sorted({g for e in self.elements for g in system.elements[e].nodes if g > 0})
        place = {g: 6 * i for i, g in enumerate(nodes)}
        self.size = 6 * len(nodes)
        rows = "".join(e.rows for e in system.elements)
        self.weight = np.array([1.0 if rows[l] == "t" else 1.0 / system.length for l in group])
        entries = []
        for i, e in enumerate(owner):
            for k, g in enumerate(system.elements[e].nodes):
                if g > 0:
                    for j in range(6):
                        scale = 1.0 if j < 3 else 1.0 / system.length
                        entries.append((i, place[g] + j, self.source[i], 6 * k + j, scale / self.weight[i]))
        table = np.array(entries)
        self.row, self.column, self.from_row, self.from_column = table[:, :4].astype(int).T
        self.scale = table[:, 4]

    def apply(self, samples: Any, part: slice) -> None:
        """Compute the load sharing of some samples."""
        lam = samples.lam[part]
        values = self._columns(samples, part)
        resultant = np.array(
            [self._matrix(v) @ (l[self.group] * self.weight) for v, l in zip(values, lam, strict=True)]
        )
        for _ in range(TIMES):
            for k in range(len(lam)):
                lam[k, self.group] = self._shared(values[k], resultant[k]) / self.weight
            before, values = values, self._columns(samples, part)
            if np.array_equal(before, values):
                return

    def _columns(self, samples: Any, part: slice) -> np.ndarray:
        """Entries of A, for every sample."""
        arrays, work = SampleArrays(samples, part), Workspace(self.system)
        out = np.zeros((len(samples.t[part]), self.most_rows * len(self.elements), 6 * self.most_nodes))
        columns_of_samples(work.address, arrays.address, self.elements.astype(np.int64), out)
        return out[:, self.from_row, self.from_column] * self.scale

    def _matrix(self, values: np.ndarray) -> Any:
        import scipy.sparse as sp

        return sp.csc_matrix((values, (self.column, self.row)), (self.size, len(self.group)))

    def _shared(self, values: np.ndarray, resultant: np.ndarray) -> np.ndarray:
        """Least-norm multipliers (weighted) of one sample."""
        import scipy.sparse as sp
        import scipy.sparse.linalg as sla

        n, A = len(self.group), self._matrix(values)
        if not (np.all(np.isfinite(values)) and np.all(np.isfinite(resultant))):
            return np.full(n, np.nan)  # of a motion that diverged
        if n <= 60:
            return np.linalg.lstsq(A.toarray(), resultant, rcond=1e-9)[0]
        K = sp.block_array([[sp.eye_array(n), A.T], [A, -COMPLIANCE * sp.eye_array(self.size)]]).tocsc()
        factors = sla.splu(K)
        x = factors.solve(np.concatenate([np.zeros(n), resultant]))
        shared = x[:n]
        return shared + factors.solve(np.concatenate([np.zeros(n), resultant - A @ shared]))[:n]


# ---- own laws

# Compile mesh laws that users declare.

_compiled: dict[Any, int] = {}


def own_address(mesh: OwnMesh) -> int:
    """Address of the law as a function of approach, rate and phase, with derivatives. Its fields become constants."""
    cls = type(mesh)
    key = (cls, cls.function(), tuple(mesh.values.values()))
    if key not in _compiled:
        make: Any = collections.namedtuple
        record = make(cls.__name__, (*mesh.values, "nothing"))  # a tuple without fields has no type
        s = record(*mesh.values.values(), 0.0)
        force: Any = numba.njit(error_model="numpy")(cls.function())
        try:  # first by itself, so that an error names a line of the user
            force.compile((numba.typeof(s), *[numba.float64] * 3))
        except Exception as error:
            raise ModelError(
                f"{cls.__name__}.force cannot be compiled: {numba_line(error)}; use numbers, the module math, and functions that "
                "numba compiled"
            ) from error

        def law(approach: float, rate: float, phase: float) -> Any:
            return force(s, approach, rate, phase)

        law.__name__ = "force"
        _compiled[key] = address_of_gradient_law(law, 3, Subject(cls.__name__)).address
    return _compiled[key]
