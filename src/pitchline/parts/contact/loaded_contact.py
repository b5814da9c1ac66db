"""Loaded tooth contact of two elastic gears under a torque, position by position.

Gear A has the angle φ_A. The torque presses gear B against it. The approach along the flank normals is x: it includes bending of
the teeth, twist of the gear bodies and flattening of the flanks. The normals of involutes are tangent to the base cylinder, so the
lever of every force on B is r_b cos β_b:

    Σ λ = T/(r_b cos β_b) ,    gap = g − x + A λ >= 0 ,   λ >= 0 ,   λ gap = 0 ,    e = x/cos β_b .

g comes from the flanks with their modifications (`contact.strips`), A from finite elements and the half-space
(`contact.elastic_pair`). An active-set method finds the loaded cells (`contact.active_set`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import budgeted
from pitchline.base.progress.display import current, staged
from pitchline.base.types import BoolArray, FloatArray, IntArray
from pitchline.contact.elastic_pair import Contact, ElasticPair, edge_cells
from pitchline.contact.flank_data import EDGES, MeshPose, mesh_pose
from pitchline.contact.loaded_tables import GeneralPair
from pitchline.contact.surface_press import PatchCells, PressedTeeth, elastic_pair, involutes_of
from pitchline.errors import ModelError, shown
from pitchline.fem.elastic_gear import ElasticGear
from pitchline.model.model import Model
from pitchline.results.result import Result
from pitchline.units.quantity import quantity

from ..gears.analysis_contact import (
    AnyTeeth,
    KeptGears,
    SurfaceGears,
    contact_gears,
    elastic_gears,
    gears_at_result,
    kept_elastic,
    on_parallel_axes,
    surface_gears,
)
from ..gears.geometry.gear import Gear
from ..gears.geometry.inputs import in_mm, number, whole
from ..gears.geometry.pair import GearPair
from ..gears.geometry.placement import AssemblyErrors
from ..gears.geometry.rack import Rack
from ..gears.surfaces.from_gears import SurfaceTeeth
from ..gears.surfaces.patch import FlankPatch
from ..gears.teeth.teeth import Teeth
from ..meshes.analysis import torque_at
from .results import SurfaceContact, SurfacePatch
from .results_flank import LoadedContact

__all__ = ["deflection_warning", "jam_warning", "loaded_surfaces", "loaded_contact"]


# ---- contact warnings

# Warnings of contact analyses: gears that jam, and loads for which the deflection of the teeth is not small.

_POSITIONS = 8
"""In a pitch of gear A."""
_OVERLAP = 0.5e-6
"""[m] Points of flanks are less exact than this, so that gears without backlash may overlap by it."""
_SMALL = 0.05
"""Deflection of teeth by the normal module up to which it has no effect on their geometry."""


def jam_warning(gears: SurfaceGears) -> tuple[str, ...]:
    """A text if left and right flanks overlap together; contact of one side takes no account of the other."""
    pairs = [gears.contact(side) for side in ("left", "right")]
    phase = np.arange(_POSITIONS) / _POSITIONS
    angle = phase * pairs[0].a.step.angle
    gaps = (pair.least_of_teeth(angle[:, None], pair.teeth_a).gap.min(axis=1) for pair in pairs)
    backlash = gears.lever * sum(gaps)
    worst = int(np.argmin(backlash))
    if not backlash[worst] < -_OVERLAP:
        return ()
    return (
        f"the teeth overlap by {_rounded(-backlash[worst])} along the path of contact at the phase {phase[worst]:.4g}: the "
        "gears jam. The results are those of one flank, without the other. Increase the distance of the axes or the backlash",
    )


def deflection_warning(torques: FloatArray, lag: FloatArray, module: float, unit: str = "N m") -> tuple[str, ...]:
    """A text if the teeth deflect too much. lag: (torques, positions) under load, less that without load [m]."""
    deflection = np.abs(lag).max(axis=1)
    worst = int(np.argmax(deflection))
    if deflection[worst] <= _SMALL * module:
        return ()
    return (
        f"the teeth deflect by {_rounded(deflection[worst])} at {torques[worst]:.5g} {unit}, {deflection[worst] / module:.2g} "
        "modules: the method is for small deflections. Reduce the load, or check the units of torque and module",
    )


def _rounded(length: np.float64) -> str:
    """Length [m] in mm, with three digits."""
    return in_mm(float(f"{length:.3g}"))


# ---- loaded surfaces

# Loaded contact of gears with flanks of any shape and axes in any position, position by position.
#
# Gear A has the angle φ_A. The torque T moves gear B by θ beyond its ideal position (`contact.surface_press`):
#
# gap = w (φ − θ) + A λ >= 0 , λ >= 0 , λ gap = 0 , Σ w λ = T , e = r_b (θ − play) .

_NEAR_EDGE = 2
"""Cells from the end of a flank that count as being at its edge."""
_NEAR_RIDGE = 0.25
"""Distance from an edge inside a flank within which cells are at the edge, in half widths of the contact."""
_EDGE_BEYOND_loaded_surfaces = 1.1


def loaded_surfaces(
    gears: SurfaceGears, a: ElasticGear, b: ElasticGear, *, side: str, torques: FloatArray, phase: FloatArray, each: int,
    strips: int, cells: int, tell: Callable[[float, str], None],
) -> SurfaceContact:  # fmt: skip
    """Contact of two elastic gears in the position of `gears`; torques on B with one sign, phase: of A in pitches."""
    pair = GeneralPair(a, b, gears.placement, side=side, ratio=gears.ratio, strips=strips, cells=cells)
    angle = phase * pair.pitch
    near = [pair.near_teeth(float(phi)) for phi in angle]
    found: list[list[PressedTeeth]] = []
    for t, T in enumerate(torques):
        pair.forget()
        row = []
        for i, phi in enumerate(angle):
            row.append(pair.press(float(phi), abs(float(T)), near[i]))
            tell((t * len(angle) + i + 1) / (len(angle) * len(torques)), "contact")
        found.append(row)
    touch = np.array([pair.first_touch(float(phi)) for phi in angle])
    flanks = pair.pair.patch_a, pair.pair.patch_b
    patches = tuple(tuple(tuple(_patch(one, flanks) for one in now.patches) for now in row) for row in found)
    seen = np.unique([patch.tooth_a for row in patches for now in row for patch in now])
    pair_load = np.zeros((len(torques), len(angle), len(seen)))
    for t, patch_row in enumerate(patches):
        for i, now in enumerate(patch_row):
            for patch in now:
                pair_load[t, i, np.searchsorted(seen, patch.tooth_a)] += patch.total_force
    surfaces = pair.surfaces
    rack = isinstance(surfaces[1].gear, Rack)
    lever = gears.lever

    def of_all(pick: Callable[[PressedTeeth], float]) -> FloatArray:
        return np.array([[pick(one) for one in row] for row in found])

    def peak(*, at_edge: bool) -> FloatArray:
        return np.array(
            [
                [max(float(p.pressure[p.at_edge == at_edge].max(initial=0.0)) for p in now) for now in row]
                for row in patches
            ]
        )

    flank, edge = peak(at_edge=False), peak(at_edge=True)
    gear_b = surfaces[1].gear
    error = lever * (of_all(lambda one: one.motion) - gears.play)
    no_load = lever * (touch - gears.play)
    unit = "N" if rack else "N m"
    warnings = (
        *jam_warning(gears),
        *deflection_warning(torques, error - no_load, gears.pair.pitch.normal_module, unit),
        *_warnings(gears.pair, a, b, patches, torques, flank, edge),
    )
    result = SurfaceContact(
        torque=torques,
        phase=phase,
        angle=angle,
        transmission_error=error,
        no_load_error=no_load,
        tangent_stiffness=of_all(lambda one: one.stiffness) / lever**2,
        pairs=seen.astype(np.int64),
        pair_load=pair_load,
        max_pressure=flank,
        edge_pressure=edge,
        rounds=of_all(lambda one: one.rounds).astype(np.int64),
        contact_ratio=np.nan,
        base_radius=lever,
        face_width=float(pair.pair.patch_a.lengths[1]),
        positions_per_pitch=each,
        side=side,
        name=f"{surfaces[0].gear.teeth}/{'rack' if rack else gear_b.teeth} teeth, {gears.pair.kind}",
        travels=rack,
        patches=patches,
        a=surfaces[0],
        b=surfaces[1],
        placement_b=gears.placement,
        angle_b=pair.pair.ratio * angle,
        warnings=warnings,
    )
    return replace(result, contact_ratio=_contact_ratio(gears.pair, result))


def _contact_ratio(pair: GearPair, result: SurfaceContact) -> float:
    try:
        return pair.total_contact_ratio
    except ModelError:
        return float(result.loaded_contact_ratio[int(np.argmin(np.abs(result.torque)))])


def _near_ridges(s: PatchCells, flanks: tuple[FlankPatch, FlankPatch], loaded: BoolArray) -> BoolArray:
    """(s, c) cells within a quarter of the half width from a convex edge inside a flank, such as the start of a relief."""
    half = 0.5 * loaded.sum(axis=1)[:, None] * s.height
    near = np.zeros_like(loaded)
    for patch, u, v in ((flanks[0], s.u_a, s.v_a), (flanks[1], s.u_b, s.v_b)):
        for places, lines, length, cell in zip((u, v), patch.ridges, patch.lengths, (s.height, s.width), strict=True):
            reach = np.maximum(_NEAR_RIDGE * half, 0.75 * cell)
            for line in lines:
                near |= np.abs(places - line) * length <= reach
    return near


def _patch(s: PatchCells, flanks: tuple[FlankPatch, FlankPatch]) -> SurfacePatch:
    loaded = s.load > 0.0
    count = loaded.shape[1]
    column = np.arange(count)
    edge = np.zeros_like(loaded)
    edge |= (s.at_low & loaded[:, 0])[:, None] & (column < _NEAR_EDGE)
    edge |= (s.at_high & loaded[:, -1])[:, None] & (column >= count - _NEAR_EDGE)
    # cells next to one that is beyond the end of a flank
    absent = np.pad(~s.present, 1)
    edge |= absent[1:-1, :-2] | absent[1:-1, 2:] | absent[:-2, 1:-1] | absent[2:, 1:-1]
    low, high = s.line.ends
    for row, end in ((0, low), (-1, high)):
        if abs(float(s.y[row]) - end) < 0.51 * s.width:
            edge[row] = True
    edge |= _near_ridges(s, flanks, loaded)
    return SurfacePatch(
        tooth_a=s.tooth_a,
        tooth_b=s.tooth_b,
        x=s.x,
        y=s.y,
        height=s.height,
        width=s.width,
        place_a=np.stack([s.u_a, s.v_a], axis=-1),
        place_b=np.stack([s.u_b, s.v_b], axis=-1),
        force=s.load,
        lever=s.lever,
        at_edge=edge & loaded,
    )


def _warnings(
    pair: GearPair, a: ElasticGear, b: ElasticGear, patches: tuple[tuple[tuple[SurfacePatch, ...], ...], ...],
    torques: FloatArray, flank: FloatArray, edge: FloatArray,
) -> list[str]:  # fmt: skip
    found = list(pair.warnings)
    t, i = np.unravel_index(int(np.argmax(edge)), edge.shape)
    if edge[t, i] > _EDGE_BEYOND_loaded_surfaces * flank[t].max():
        unit = "N" if isinstance(pair.b, Rack) else "N m"
        found.append(
            f"edge contact: {1e-6 * edge[t, i]:.0f} MPa at the end of a flank or the start of a linear relief, compared with "
            f"{1e-6 * flank[t].max():.0f} MPa on the flanks at {torques[t]:.5g} {unit}. At a sharp edge the pressure has no limit "
            "and depends on the cell size. To avoid it, relieve or crown the teeth with parabolic shapes"
        )
    apart = max((int(np.ptp([p.tooth_a for p in now])) for row in patches for now in row), default=0)
    for name, gear in (("a", a), ("b", b)):
        reach = (len(gear.offsets) - 1) // 2
        if not gear.rigid and isinstance(gear.teeth.gear, Gear) and apart > reach and gear.teeth.gear.teeth > 2 * reach:
            found.append(
                f"pairs of teeth {apart} pitches apart carry load at the same time, but the elastic gear {name} contains "
                f"neighbours up to {reach}. Build it with offsets={apart}"
            )
    return found


_WHAT = "loaded contact"
_kept = KeptGears()
_EDGE_BEYOND = 1.1
"""Edge pressure divided by flank pressure above which a warning is given."""


@names_wrong_arguments
@staged("loaded contact of two gears")
@budgeted
def loaded_contact(
    a: AnyTeeth | ElasticGear | GearPair | Model,
    b: AnyTeeth | ElasticGear | str | None = None,
    *,
    torque: object = None,
    about: Result | None = None,
    positions: object = 32,
    pitches: object = 1,
    start: object = 0.0,
    centre_distance: object = None,
    shaft_angle: object = None,
    errors: AssemblyErrors | None = None,
    misalignment: object = 0.0,
    deviation: object = 0.0,
    inclination: object = 0.0,
    face_offset: object = 0.0,
    resolution: object = 4.0,
    cells: object = 15,
    strips: object = 24,
    progress: Callable[[float, str], None] | None = None,
    budget: object = None,
) -> LoadedContact | SurfaceContact:
    """Compute the contact of two elastic gears under load: transmission error, mesh stiffness, load sharing and pressure.

    Parameters
    ----------
    a, b
        The gears: a `Gear` with its modifications, `Teeth`, `BevelTeeth` or `SurfaceTeeth` (the elasticity is then computed with
        the default grid and kept), or an `ElasticGear` with fixed bore (see `ElasticGear.with_teeth` to change its modifications)
        or from `rigid_gear` (only its flanks yield, as half-spaces). b may be internal or a `Rack`. Or one `GearPair`. Or a model
        and the name of a gear pair: the position of the gears is then that of its initial pose, and the transmission error of
        cylindrical gears on parallel axes is that of the mesh of the model, measured at its pitch point.

        Cylindrical gears on parallel axes, also with flanks from points or surfaces, have a `LoadedContact` as result. All others
        (crossed helical, worm, bevel, hypoid and conical involute gears, racks) have a `SurfaceContact`.
    torque
        Torque on gear B [N m], one or more values with the same sign. Positive: the left flanks of A touch (a driving gear A
        rotates in the positive direction); negative: the right ones. Of a rack: force along its travel [N]. None: the torque of
        the teeth in the result `about`.
    about
        Result of statics, kinematics or dynamics of the model. The relative position of the wheels is that of its end, instead
        of the initial pose. This includes the deflection of shafts and bearings: misalignment and centre distance, and
        therefore K_Hβ and pressures. The tilt in the result depends on the mesh of the model: see its `tilt` and `tilts`.
    positions, pitches, start
        Number of positions per pitch, number of pitches of gear A, and first position [pitches]. If teeth have pitch errors, z_B
        pitches include every tooth of gear B once.
    centre_distance
        [m]; default: the distance without backlash. Axes that are not parallel: as in `GearPair`.
    shaft_angle
        Angle between the axes [rad], as in `GearPair`; required for crossed axes.
    errors
        Errors of the position of gear B, `AssemblyErrors(offset=..., axial_a=..., axial_b=..., shaft_angle=...)`: E, P, G and Σ.
        For all gears but cylindrical ones on parallel axes, which have the following arguments.
    misalignment
        Angle [rad] between the axes of B and A in the plane of action. A positive angle closes the gap towards +z. For a model,
        misalignment, deviation and inclination are added to those of its wheels.
    deviation, inclination
        Angles [rad] of the axis of B out of the plane of both axes (towards +y, with gear B on the +x side of gear A), and in
        this plane (away from gear A), for increasing z.
    face_offset
        Distance of the middle of the face of B from that of A in the direction +z [m].
    resolution, cells
        Number of cells in Hertz's half width (cylindrical gears on parallel axes), and across a strip of contact: resolution of
        the pressure.
    strips
        Number of strips along a contact patch. For all gears but cylindrical ones on parallel axes.
    progress
        Function that is called with the completed fraction, from 0 to 1, and the present task.
    budget
        Longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the estimate is longer,
        BudgetError states it.
    """
    tell = current().telling(progress)
    across = whole(cells, f"{_WHAT}: cells", at_least=5, at_most=200)
    each = whole(positions, f"{_WHAT}: positions", at_most=100_000)
    count = each * whole(pitches, f"{_WHAT}: pitches")
    phase = number(start, f"{_WHAT}: start") + np.arange(count) / each
    if errors is not None or shaft_angle is not None or not on_parallel_axes(a, b):
        for name, value in (
            ("misalignment", misalignment), ("deviation", deviation), ("inclination", inclination), ("face_offset", face_offset),
        ):  # fmt: skip
            if not (isinstance(value, (int, float)) and value == 0.0):
                raise ModelError(
                    f"{_WHAT}: {name} is for cylindrical gears on parallel axes. Specify errors=AssemblyErrors(offset=..., "
                    "axial_a=..., axial_b=..., shaft_angle=...) in its place"
                )
        general = surface_gears(a, b, _WHAT, centre_distance=centre_distance, shaft_angle=shaft_angle, errors=errors)
        if about is not None:
            general, load = gears_at_result(a, b, general, about, _WHAT)
            torque = load if torque is None else torque
        _check_given(torque)
        # a rack has a force along its travel in place of a torque
        torques, side = _torques(torque, "force" if isinstance(general.pair.b, Rack) else "torque")
        return loaded_surfaces(
            general, *elastic_gears(general, _kept, tell, _WHAT), side=side, torques=torques, phase=phase, each=each,
            strips=whole(strips, f"{_WHAT}: strips", at_least=6, at_most=200), cells=across, tell=tell,
        )  # fmt: skip
    gears = contact_gears(a, b, _WHAT, centre_distance=centre_distance, about=about)
    if torque is None and about is not None:
        assert isinstance(a, Model) and isinstance(b, str)
        torque = torque_at(a, b, about, _WHAT)
    _check_given(torque)
    torques, side = _torques(torque)
    fine = number(resolution, f"{_WHAT}: resolution")
    if not 1.0 <= fine <= 50.0:
        raise ModelError(f"{_WHAT}: resolution must be from 1 to 50 cells per half width, got {shown(resolution)}")
    for gear, name in ((gears.a, "a"), (gears.b, "b")):
        _check_held(gear, name)
    involutes = involutes_of(gears.teeth[0]), involutes_of(gears.teeth[1])
    pose = mesh_pose(
        *involutes,
        side,
        centre_distance=gears.centre_distance,
        misalignment=misalignment,
        deviation=gears.deviation + quantity(deviation, "angle", what=f"{_WHAT}: deviation"),
        inclination=gears.inclination + quantity(inclination, "angle", what=f"{_WHAT}: inclination"),
        face_offset=gears.face_offset + quantity(face_offset, "length", what=f"{_WHAT}: face_offset"),
    )
    elastic_a, elastic_b = _elastic(gears.a, "a", tell), _elastic(gears.b, "b", tell)
    pair = elastic_pair(elastic_a, elastic_b, side=side, pose=pose.placement, resolution=fine, cells=across)
    angle = gears.start + phase * gears.teeth[0].gear.angular_pitch

    near = [pose.near_teeth(phi, pair.zeta) for phi in angle]
    lengths = [pose.contact_length(phi, pair.zeta, pair.widths, teeth) for phi, teeth in zip(angle, near, strict=True)]
    contacts: list[tuple[Contact, ...]] = []
    for t, T in enumerate(torques):
        pair.forget()
        force = abs(float(T)) / pair.lever
        row = []
        for i, phi in enumerate(angle):
            row.append(pair.press(phi, _angle_b(pair, pose, phi), force, near[i], length=lengths[i]))
            tell((t * count + i + 1) / (count * len(torques)), "contact")
        contacts.append(tuple(row))
    touch = np.array([pair.first_touch(phi, _angle_b(pair, pose, phi), near[i]) for i, phi in enumerate(angle)])
    found = _result(pair, pose, torques, phase, angle, touch, tuple(contacts), each)
    if gears.pitch_point is None:
        return found
    closed = pose.closing_at_pitch_point(gears.pitch_point)
    return replace(
        found, transmission_error=found.transmission_error + closed, no_load_error=found.no_load_error + closed
    )


def _angle_b(pair: ElasticPair, pose: MeshPose, phi: float) -> float:
    """Of gear B [rad], with its ideal flanks on those of A."""
    return pair.ratio * float(phi) + pair.shape_b.side * pose.play


def _check_given(torque: object) -> None:
    if torque is None:
        raise ModelError(
            f"{_WHAT}: specify torque=... (on gear B), or about=... (a result of the model; its load is used)"
        )


def _torques(value: object, dimension: str = "torque") -> tuple[FloatArray, str]:
    """Torques [N m], of racks forces [N], and the side of gear A that they press on."""
    many = value if isinstance(value, (list, tuple, np.ndarray)) else [value]
    what = f"{_WHAT}: torque" if dimension == "torque" else f"{_WHAT}: torque (of a rack: force along its travel)"
    T = np.array([quantity(one, dimension, what=what) for one in many])
    if len(T) == 0 or (T == 0.0).any() or (np.sign(T) != np.sign(T[0])).any():
        raise ModelError(
            f"{_WHAT}: torque must be one or more values with the same sign, not zero (see no_load_error for rigid gears), "
            f"got {shown(value)}"
        )
    return T, "left" if T[0] > 0.0 else "right"


def _check_held(gear: ElasticGear | Teeth | SurfaceTeeth, name: str) -> None:
    if isinstance(gear, ElasticGear) and gear.bore not in ("fixed", "rigid"):
        raise ModelError(
            f'{_WHAT}: gear {name} is free (bore "{gear.bore}"), but torque requires a fixed bore. Specify an '
            'ElasticGear with bore="fixed"'
        )


def _elastic(gear: ElasticGear | Teeth | SurfaceTeeth, name: str, tell: Callable[[float, str], None]) -> ElasticGear:
    return kept_elastic(gear, _kept, lambda part, what: tell(0.0, f"gear {name}: {what}"))


def _result(
    pair: ElasticPair, pose: MeshPose, torques: FloatArray, phase: FloatArray, angle: FloatArray,
    touch: FloatArray, contacts: tuple[tuple[Contact, ...], ...], each: int,
) -> LoadedContact:  # fmt: skip
    cosine = pair.shape_b.base_helix_cosine

    def of_all(pick: Callable[[Contact], float]) -> FloatArray:
        return np.array([[pick(one) for one in row] for row in contacts])

    seen = np.unique(np.concatenate([one.strips["tooth_a"] for row in contacts for one in row]))
    pair_load = np.zeros((len(torques), len(phase), len(seen)))
    for t, row in enumerate(contacts):
        for i, one in enumerate(row):
            np.add.at(pair_load[t, i], np.searchsorted(seen, one.strips["tooth_a"]), one.strip_loads)
    carried = (pair_load > 0.0).any(axis=(0, 1))
    widths = pair.widths

    edges = tuple(tuple(edge_cells(one, pair) for one in row) for row in contacts)
    pressures = [
        [
            one.loads.reshape(-1, one.count) / (one.strips["height"] * widths[one.strips["slice"]])[:, None]
            for one in row
        ]
        for row in contacts
    ]

    def peak(*, at_edges: bool) -> FloatArray:
        found = [
            [float(p[(mark > 0) == at_edges].max(initial=0.0)) for p, mark in zip(row, marks, strict=True)]
            for row, marks in zip(pressures, edges, strict=True)
        ]
        return np.array(found)

    max_pressure, edge_pressure = peak(at_edges=False), peak(at_edges=True)
    error, no_load = of_all(lambda one: one.approach) / cosine, touch / cosine
    warnings = [
        *pose.pair.warnings,
        *deflection_warning(torques, error - no_load, pair.a.teeth.gear.normal_module),
        *_edge_warnings(torques, pressures, edges, max_pressure),
    ]
    reach = min(pair.body_a.reach, pair.body_b.reach)
    together = max(int(np.ptp(one.strips["tooth_a"][one.strip_loads > 0.0])) for row in contacts for one in row)
    if together > reach:
        warnings.append(
            f"pairs of teeth {together} pitches apart carry load at the same time, but the elastic gears contain neighbours up to "
            f"{reach}. Build them with offsets={together}"
        )
    ends = pair.shape_a.limits
    gears = [gear.teeth.gear for gear in (pair.a, pair.b)]
    return LoadedContact(
        torque=torques,
        phase=phase,
        angle=angle,
        transmission_error=error,
        no_load_error=no_load,
        tangent_stiffness=of_all(lambda one: one.stiffness) * cosine**2,
        pairs=seen[carried],
        pair_load=pair_load[:, :, carried],
        max_pressure=max_pressure,
        edge_pressure=edge_pressure,
        rounds=of_all(lambda one: one.rounds).astype(np.int64),
        contact_ratio=pose.pair.total_contact_ratio,
        base_radius=pair.shape_b.base_radius,
        base_helix_angle=math.acos(min(cosine, 1.0)),
        face_width=pair.face_width,
        positions_per_pitch=each,
        side=pair.side,
        name=f"{gears[0].teeth}/{gears[1].teeth} teeth",
        faces=pair.zeta,
        widths=widths,
        flank_limits=(float(ends.min()), float(ends.max())),
        contacts=contacts,
        edges=edges,
        a=involutes_of(pair.a.teeth),
        b=involutes_of(pair.b.teeth),
        placement_b=pair.pose,
        angle_b=np.array([_angle_b(pair, pose, phi) for phi in angle]),
        warnings=tuple(warnings),
    )


def _edge_warnings(
    torques: FloatArray,
    pressures: list[list[FloatArray]],
    edges: tuple[tuple[IntArray, ...], ...],
    max_pressure: FloatArray,
) -> list[str]:
    """One for each kind of edge whose pressure is well beyond that of the flanks."""
    advice = {
        "tip": "relieve the tips",
        "root": "relieve the tips",
        "end": "crown the teeth or relieve their ends",
        "start": 'specify shape="parabolic" for the relief',
    }
    found = []
    for kind, name in enumerate(EDGES):
        if not name:
            continue
        peaks = [
            max(float(p[mark == kind].max(initial=0.0)) for p, mark in zip(row, marks, strict=True))
            for row, marks in zip(pressures, edges, strict=True)
        ]
        t = int(np.argmax(peaks))
        if peaks[t] > _EDGE_BEYOND * float(max_pressure[t].max()):
            where = "an end of the face" if name == "end of face" else f"the {name[:-1]}gear {name[-1].upper()}"
            found.append(
                f"edge contact at {where}: {1e-6 * peaks[t]:.0f} MPa, compared with "
                f"{1e-6 * float(max_pressure[t].max()):.0f} MPa on the "
                f"flanks at {torques[t]:.5g} N m. At a sharp edge the pressure has no limit and depends on the cell "
                "size. To avoid it, "
                f"{advice[name.split()[0]]}"
            )
    return found
