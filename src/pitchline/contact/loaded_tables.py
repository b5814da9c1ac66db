"""Tables of loaded tooth contact over load, tilt and mesh phase: their computation for all kinds of gears."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from pitchline.base.progress.display import stage
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, PitchlineError
from pitchline.fem.dissection import threads
from pitchline.fem.elastic_gear import ElasticGear, elastic_gear
from pitchline.parts.gears.geometry.placement import Placement
from pitchline.parts.gears.geometry.rack import Rack
from pitchline.parts.gears.surfaces.from_gears import SurfaceTeeth, surface_teeth
from pitchline.parts.gears.teeth.teeth import Teeth
from pitchline.parts.meshes.computed_table import ComputedTable, TableRequest
from pitchline.parts.meshes.table_request import has_even_faces, is_symmetric, teeth_of

from .contact_line import LeastGapLine, contact_line
from .elastic_pair import ElasticPair
from .flank_data import MeshPose, mesh_pose
from .surface_press import PressedTeeth, SurfacePress, elastic_pair, flank_hats, involutes_of
from .surface_strips import SurfacePair

__all__ = ["GeneralPair", "NearTeeth", "general_table", "load_cycle", "compute_table", "loaded_table"]


_TEETH = 3
"""Teeth of A on both sides of the line of centres that are examined, and those that its twist brings there."""
_LINES = 17
_PER_LENGTH = 6.0
"""Lines along the face in the first search: at least so many, and in the length of a profile on long threads."""
_REFINED = 3
_COARSE = 9
_TRIES = 8


@dataclass(frozen=True, eq=False)
class NearTeeth:
    """Pairs of teeth that face each other in one position, with their least gaps; arrays over pairs.

    Attributes
    ----------
    tooth_a, tooth_b
    touch
        Motion of B at which they touch [rad], of a rack [m].
    u, v
        Where, on A.
    first, last
        v of the part of the flank of A opposite to this tooth of B.
    """

    tooth_a: IntArray
    tooth_b: IntArray
    touch: FloatArray
    u: FloatArray
    v: FloatArray
    first: FloatArray
    last: FloatArray


class GeneralPair:
    """Two gears, one pair of sides.

    Parameters
    ----------
    a, b
        Elastic gears (or rigid ones, whose flanks yield as half-spaces); b may be a rack.
    pose
        Of gear B in the axes in which A turns about z, both at the angle 0.
    side
        Flank of A, "left" or "right".
    ratio
        Angle of B over angle of A; of a rack its travel [m].
    strips, cells
        Number of strips along a contact patch and of cells across it.
    """

    def __init__(
        self, a: ElasticGear, b: ElasticGear, pose: Placement, *, side: str, ratio: float, strips: int = 24, cells: int = 15
    ) -> None:  # fmt: skip
        self.a, self.b = a, b
        self._given = {"pose": pose, "side": side, "ratio": ratio}
        self.surfaces: tuple[SurfaceTeeth, SurfaceTeeth] = (surface_teeth(a.teeth), surface_teeth(b.teeth))
        self.pair = SurfacePair(*self.surfaces, pose, side, ratio=ratio)
        patch_a, patch_b = self.pair.patch_a, self.pair.patch_b
        rack = isinstance(self.surfaces[1].gear, Rack)
        self._press = SurfacePress(
            flank_hats(a, side, patch_a),
            flank_hats(b, self.pair.side_b, patch_b, rack=rack),
            face=min(patch_a.lengths[1], patch_b.lengths[1]),
            strips=strips,
            cells=cells,
        )
        across, along = patch_a.lengths
        self._v = np.linspace(0.0, 1.0, max(_LINES, math.ceil(_PER_LENGTH * along / across) + 1))
        edge = patch_a.point(0.5, self._v)
        turns = float(np.ptp(np.unwrap(np.angle(edge[:, 0] + 1j * edge[:, 1]))))
        gear = self.surfaces[0].gear
        assert not isinstance(gear, Rack)
        self.pitch = gear.angular_pitch
        wide = _TEETH + math.ceil(0.5 * turns / self.pitch)
        self._numbers = np.arange(
            -min(wide, (gear.teeth - 1) // 2), min(wide, gear.teeth // 2) + 1
        ) + self._first_tooth(gear.teeth)
        self._depth = 0.0

    def twin(self) -> GeneralPair:
        """The same gears, for another thread."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        given = self._given
        other.pair = SurfacePair(*self.surfaces, given["pose"], given["side"], ratio=given["ratio"])  # type: ignore[arg-type]
        other._depth = 0.0
        return other

    # -------------------------------------------------------------------------------------------------------- geometry

    def _first_tooth(self, count: int) -> int:
        """The tooth of A that is nearest to B at the angle 0, from −z/2 to z/2; 0 if the x axis of A points to B."""
        numbers = np.arange(count) - (count - 1) // 2
        gaps = self.pair.least_of_teeth(0.0, numbers).gap
        near = numbers[gaps < np.min(gaps) + 0.25 * self._motion_pitch]
        if not len(near):
            return 0
        turn = np.angle(np.exp(1j * self.pitch * near).mean()) / self.pitch
        return int(np.rint(turn))

    def near_teeth(self, angle: float) -> NearTeeth:
        """The pairs of teeth that face each other at an angle of A [rad]; an error where there are none."""
        pair, v = self.pair, self._v
        teeth = self._facing(angle)
        found = pair.least_on_lines(angle, teeth[:, None], v[None, :])
        met = np.where(np.isfinite(found.gap), found.at["tooth"], np.iinfo(np.int64).min)
        rows: list[tuple[float, ...]] = []
        step = float(v[1] - v[0])
        for i, tooth in enumerate(teeth):
            cuts = np.flatnonzero(np.diff(met[i])) + 1
            for part in np.split(np.arange(len(v)), cuts):
                if not np.isfinite(found.gap[i, part[0]]):
                    continue
                k = int(part[np.argmin(found.gap[i, part])])
                ends = max(float(v[part[0]]) - step, 0.0), min(float(v[part[-1]]) + step, 1.0)
                rows.append((tooth, met[i, k], found.gap[i, k], found.u[i, k], v[k], *ends))
        if not rows:
            raise ModelError(
                f"loaded contact: at the angle {math.degrees(angle):.4g} deg of gear A no teeth are opposite to each other. Check "
                "contact ratio, tip diameters, and the position of the gears"
            )
        table = np.array(rows, dtype=np.float64)
        table = table[table[:, 2] < table[:, 2].min() + 0.25 * self._motion_pitch]
        self._refine(angle, table, step)
        tooth_a, tooth_b = table[:, 0].astype(np.int64), table[:, 1].astype(np.int64)
        return NearTeeth(tooth_a, tooth_b, *table[:, 2:].T)

    def _facing(self, angle: float) -> IntArray:
        """Teeth of A of which some of a grid of points are about opposite to a flank of B, or close to its edges."""
        teeth = self._numbers + round(-angle / self.pitch)
        t = np.linspace(0.0, 1.0, _COARSE)
        v = self._v if len(self._v) > _LINES else t
        met = self.pair.meet(angle, teeth[:, None, None], t[None, :, None], v[None, None, :])
        near = (met["inside"] > -0.25) & (met["gap"] < 0.5 * self._motion_pitch)
        return np.asarray(teeth[near.any(axis=(1, 2))])

    @property
    def _motion_pitch(self) -> float:
        gear = self.surfaces[1].gear
        return gear.transverse_pitch if isinstance(gear, Rack) else gear.angular_pitch

    def _refine(self, angle: float, table: FloatArray, step: float) -> None:
        """Least gaps between the lines, in place."""
        for _ in range(_REFINED):
            around = np.clip(table[:, 4, None] + step * np.linspace(-1.0, 1.0, 9), 0.0, 1.0)
            found = self.pair.least_on_lines(angle, table[:, 0, None], around)
            gap = np.where(found.at["tooth"] == table[:, 1, None], found.gap, np.inf)
            k = np.argmin(gap, axis=1)
            rows = np.arange(len(table))
            better = gap[rows, k] < table[:, 2]
            for column, values in ((2, gap[rows, k]), (3, found.u[rows, k]), (4, around[rows, k])):
                table[:, column] = np.where(better, values, table[:, column])
            step /= 4.0

    def first_touch(self, angle: float) -> float:
        """Motion of B from the middle of its backlash at which rigid teeth touch [rad], of a rack [m]."""
        least = self.pair.least_of_teeth(angle, self._numbers + round(-angle / self.pitch)).gap
        return min(float(np.min(least)), float(self.near_teeth(angle).touch.min()))

    def _lines(self, angle: float, near: NearTeeth, reach: float) -> list[tuple[int, LeastGapLine]]:
        """Of the pairs that touch if B moves as far as `reach`."""
        lines = []
        for i in np.flatnonzero(near.touch <= reach):
            line = contact_line(
                self.pair, angle, self.pair.ratio * angle, int(near.tooth_a[i]), int(near.tooth_b[i]), float(near.u[i]),
                float(near.v[i]), (float(near.first[i]), float(near.last[i])),
            )  # fmt: skip
            if line is not None:
                lines.append((int(near.tooth_a[i]), line))
        return lines

    # --------------------------------------------------------------------------------------------------------- pressing

    def press(self, angle: float, torque: float, near: NearTeeth | None = None) -> PressedTeeth:
        """The contact at an angle of A [rad] under a torque on B [N m] (of a rack: force [N]), both positive.

        The search starts from the depth of the last call: call similar positions one after the other.
        """
        near = self.near_teeth(angle) if near is None else near
        first = float(near.touch.min())
        lines = self._lines(angle, near, first)
        if not lines:
            raise ModelError(
                f"loaded contact: at the angle {math.degrees(angle):.4g} deg of gear A the flanks meet only beyond their edges. "
                "Check the position of the gears"
            )
        depth = self._depth or self._press.estimate(torque, lines)
        for _ in range(_TRIES):
            reach = first + 1.3 * depth
            if int((near.touch <= reach).sum()) > len(lines):
                lines = self._lines(angle, near, reach)
            pressed = self._press.press(torque, lines, guess=depth)
            found = pressed.motion - first
            if first + found <= reach or not ((near.touch > reach) & (near.touch < pressed.motion)).any():
                self._depth = found
                return pressed
            depth = found
        raise ModelError("loaded contact: more and more teeth come into contact. Reduce the torque")

    def forget(self) -> None:
        """Start the next position from nothing."""
        self._depth = 0.0


# ---- general tables

# Tables of loaded contact of gears with flanks of any shape: approach over load and phase.
#
# The table of a mesh is that of a force f at a lever about the axis of B and of the approach u = lever (θ − play), θ
# the motion of B from the middle of its backlash. The lever is the base circle of B, or of axes without common base
# circles that of the normal (`parts.gears.geometry.directions`). Wheel A pushes forwards with its left flanks; with its right ones
# where its axis is opposite to that of the mesh (bevel gears whose z axis points to the apex).


def general_table(
    request: TableRequest, a: ElasticGear, b: ElasticGear, done: Callable[[float], None]
) -> ComputedTable:
    """The table of two elastic gears in the placement of the request."""
    place = request.placement
    assert place is not None
    pose = Placement(np.array(place.position), np.array(place.rotation).reshape(3, 3))
    sides: tuple[str, ...] = ("left", "right") if place.forwards > 0.0 else ("right", "left")
    if request.coast is False:
        sides = sides[:1]
    torques = np.array(request.torques)
    found = []
    for k, side in enumerate(sides):
        contact = GeneralPair(a, b, pose, side=side, ratio=place.ratio, cells=request.cells)
        angles = place.forwards * np.arange(request.phases) / request.phases * contact.pitch
        motion = _cycle(contact, angles, torques, lambda part, first=k: done((first + part) / len(sides)))  # type: ignore[misc]
        found.append(place.lever * (motion - place.play))
    return ComputedTable(np.concatenate([[0.0], torques / place.lever]), found[0], found[1] if len(found) > 1 else None)


def _cycle(pair: GeneralPair, angles: FloatArray, torques: FloatArray, done: Callable[[float], None]) -> FloatArray:
    """θ: a row of first touch, and one for each torque, over the phases of a cycle."""
    motion = np.empty((1 + len(torques), len(angles)))

    def column(pressed: GeneralPair, i: int) -> None:
        phi = float(angles[i])
        near = pressed.near_teeth(phi)
        motion[0, i] = pressed.first_touch(phi)
        pressed.forget()
        for t in range(len(torques) - 1, -1, -1):
            motion[1 + t, i] = pressed.press(phi, float(torques[t]), near).motion
        # the least gap of samples may be a trifle greater than the true one
        motion[:, i] = np.maximum.accumulate(motion[:, i])

    def row(part: IntArray) -> None:
        twin = pair.twin()
        for i in part:
            column(twin, int(i))

    column(pair, 0)  # in this thread alone: it compiles what is to be compiled
    parts = np.array_split(np.arange(1, len(angles)), max(1, min(threads(), len(angles) - 1)))
    with ThreadPoolExecutor(len(parts)) as pool:
        others = [pool.submit(row, part) for part in parts[1:]]
        for k, i in enumerate(parts[0]):
            column(pair, int(i))
            done((k + 1) / len(parts[0]))
        for other in others:
            other.result()
    return motion


# ---- load cycle

# How far two elastic gears give way over a mesh cycle at several loads: the rows of a table of loaded contact.
#
# Contact lines of helical teeth come in and leave little by little, and the approach is smooth over the cycle. Every
# second phase is then enough, the others follow from its orders (trigonometric interpolation); whether it is smooth
# is looked up in the upper half of the orders. Spur teeth take over with kinks: all phases are computed.

_FEW = 64
"""Phases below which all are computed."""
_NOTHING, _SMALL = 1.5e-9, 3e-3
"""Amplitudes of an order [m], and by the peak to peak of all, that are next to nothing."""


def load_cycle(
    pair: ElasticPair,
    pose: MeshPose,
    torques: FloatArray,
    phases: int,
    done: Callable[[float], None],
    *,
    start: float = 0.0,
) -> tuple[FloatArray, FloatArray]:
    """u [m] on the base circle of B; a row of first touch, and one for each torque on B [N m], over the phases of a cycle. And
    the face load factors, a row for each torque.

    The pair contains the sides in contact and the position of its axes. done: called with the completed fraction, from 0 to 1.
    start: the angle of gear A [rad] at the first phase.
    """
    angles = start + np.arange(phases) / phases * pair.a.teeth.gear.angular_pitch
    back = pair.shape_b.side * pose.play
    u, factors = np.empty((1 + len(torques), phases)), np.empty((len(torques), phases))

    def phase(pressed: ElasticPair, i: int) -> None:
        phi = float(angles[i])
        near = pose.near_teeth(phi, pair.zeta)
        length = pose.contact_length(phi, pair.zeta, pair.widths, near)
        for t in range(len(torques) - 1, -1, -1):
            force = float(torques[t]) / pair.lever
            found = pressed.press(phi, pair.ratio * phi + back, force, near, length=length, case=t)
            u[1 + t, i] = found.approach
            factors[t, i] = found.face_load_factor(pair.widths)
        u[0, i] = pressed.first_touch(phi, pair.ratio * phi + back, near)

    def all_of(wanted: IntArray, begin: float, end: float) -> None:
        """Each thread has phases in a row, so that each starts from the one before."""
        parts = np.array_split(wanted, min(threads(), len(wanted)))

        def row(part: IntArray) -> None:
            twin = pair.twin()
            for i in part:
                phase(twin, int(i))

        with ThreadPoolExecutor(len(parts)) as pool:
            others = [pool.submit(row, part) for part in parts[1:]]
            for k, i in enumerate(parts[0]):
                phase(pair, int(i))
                done(begin + (end - begin) * (k + 1) / len(parts[0]))
            for other in others:
                other.result()

    pair.forget()
    phase(pair, 0)  # in this thread alone: it compiles what is to be compiled
    numbers = np.arange(phases)
    if pair.shape_a.twist and phases % 2 == 0 and phases >= _FEW:
        all_of(numbers[2::2], 0.0, 0.5)
        if _is_smooth(u[:, ::2]):
            u[:], factors[:] = _between(u[:, ::2]), _straight_between(factors[:, ::2])
            done(1.0)
        else:
            all_of(numbers[1::2], 0.5, 1.0)
    else:
        all_of(numbers[1:], 0.0, 1.0)
    return u / pair.shape_b.base_helix_cosine, factors


def _is_smooth(u: FloatArray) -> bool:
    """Whether the upper half of the orders that half of the phases show are next to nothing: the others then lie between."""
    n = u.shape[1]
    upper = 2.0 / n * np.abs(np.fft.rfft(u, axis=1))[:, n // 4 :]
    return bool((upper.max(axis=1) <= np.maximum(_NOTHING, _SMALL * np.ptp(u, axis=1))).all())


def _between(u: FloatArray) -> FloatArray:
    """Twice as many phases of a periodic function, by its orders."""
    n = u.shape[1]
    orders = np.fft.rfft(u, axis=1)
    if n % 2 == 0:
        orders[:, -1] *= 0.5
    result: FloatArray = 2.0 * np.fft.irfft(orders, 2 * n, axis=1)
    result[:, ::2] = u
    return result


def _straight_between(u: FloatArray) -> FloatArray:
    """Twice as many phases of a periodic function with kinks."""
    result = np.repeat(u, 2, axis=1)
    result[:, 1::2] = 0.5 * (u + np.roll(u, -1, axis=1))
    return result


# ---- loaded tables

# From two gears to the table of their loaded teeth.
#
# At every phase and load two elastic gears are pressed together (`elastic_pair`), and how far gear B gives way on its
# base circle is the approach of the table,
#
# u(F, φ) = x/cos β_b , F = T/r_b ,
#
# with x along the normals of the flanks, which is the lagging transmission error of `loaded_contact`. Without load x
# is the least gap of the rigid flanks: first touch.
#
# **Which tilts.** Tables over the tilt f repeat that with gear B tilted in the plane of action. It turns about the
# middle of its face, and the approach of the table is that at the pitch point: what the tilt closes there is added,
# and so it is where the axis is misaligned in the initial pose.
#
# **Which phase.** `Loaded` counts φ = z_A ψ_A / 2π from where the middle of a tooth of A points at the pitch point, A
# turning forwards; so does the pose of the contact analysis, whose tooth 0 of A is then in a space of B. Wheel A
# pushes forwards with its left flanks: these are the drive side, the right flanks the coast side at the same phases.
#
# **Which loads.** Hertz's contact stiffens with the logarithm of the load, crowned flanks with its square root or so:
# most of the bend is at light loads. Loads spaced with the square of their number meet it.
#
# **Which phases.** Where a pair of spur teeth comes in or leaves, the approach has a kink, and the jump of its rate
# is what rings the wheels. A spline rounds it off over the distance of two phases, which is to be short against the
# period of the mesh's own vibration at the speed of the run: too few phases make gears too quiet.

BothTeeth = tuple[Teeth | SurfaceTeeth, Teeth | SurfaceTeeth]

_NEIGHBOURS = 3
"""Elastic gears know at least so many neighbour teeth: they are kept, and most pairs can then use them."""


def loaded_table(request: TableRequest, *, what: str) -> ComputedTable:
    """The table of two gears. what: of whom, for progress and errors."""
    given = []
    for name, gear in (("a", request.gear_a), ("b", request.gear_b)):
        try:
            given.append(teeth_of(gear))
        except ModelError as error:
            raise ModelError(f"{what}, gear {name}: {error}") from None
    teeth = given[0], given[1]
    reach = _NEIGHBOURS
    if request.placement is None:
        reach = max(reach, math.ceil(_pose(request, teeth, "left").pair.total_contact_ratio))
    a, b = (
        _elastic(one, request.bore, reach, elements, f"{what}, gear {name}")
        for name, one, elements in zip("ab", teeth, (request.elements_a, request.elements_b), strict=True)
    )
    with stage(f"table of loaded contact of {what}", implied=True) as now:
        tell = now.telling(None)
        compute = compute_table if request.placement is None else general_table
        try:
            return compute(request, a, b, lambda part: tell(part, "contact"))
        except PitchlineError as error:
            raise type(error)(f"{what}: {error}") from error


def _elastic(teeth: Any, bore: str, reach: int, elements: Mapping[str, object], what: str) -> ElasticGear:
    name = f"{what}, {teeth.gear.teeth} teeth"
    try:
        found = elastic_gear(teeth, bore=bore, offsets=reach, grid=elements or None, name=name)
    except ModelError as error:
        raise ModelError(f"{what}: {error}") from None
    if not found.symmetric:
        raise ModelError(
            f"{what}: the mesh is a whole gear, whose teeth may differ, but a table contains only one mesh cycle. "
            f"Use Flank(), or a mesh "
            "of one tooth"
        )
    return found


def compute_table(
    request: TableRequest, a: ElasticGear, b: ElasticGear, done: Callable[[float], None] | None = None
) -> ComputedTable:
    """The table of two elastic gears. done: called with the part that is done, from 0 to 1."""
    teeth = a.teeth, b.teeth
    own_coast = request.coast
    if own_coast is None:
        moved = request.face_offset or request.deviation or request.inclination
        own_coast = bool(moved) or not all(is_symmetric(one) for one in teeth)
    sides = ("left", "right") if own_coast else ("left",)
    tilts = np.array(request.tilts) if request.tilts else np.zeros(1)
    mirrored = _is_mirrored(request, teeth, tilts)
    computed = tilts[tilts >= 0.0] if mirrored else tilts
    torques = np.array(request.torques)
    u: list[FloatArray] = []
    factors: list[FloatArray] = []
    for i, (side, tilt) in enumerate(itertools.product(sides, computed.tolist())):

        def told(part: float, before: int = i) -> None:
            if done is not None:
                done((before + part) / (len(sides) * len(computed)))

        pose = _pose(request, teeth, side, tilt)
        pair = elastic_pair(a, b, side=side, pose=pose.placement, resolution=request.resolution, cells=request.cells)
        found, most = load_cycle(pair, pose, torques, request.phases, told, start=request.start)
        u.append(found + pose.closing_at_pitch_point(request.pitch_point))
        factors.append(most)
    parts = [_of_sides(rows, len(sides), request, mirrored) for rows in (u, factors)]
    (drive, coast), (drive_factors, coast_factors) = parts
    force = np.concatenate([[0.0], torques / pair.shape_b.base_radius])
    return ComputedTable(force, drive, coast, drive_factors, coast_factors)


def _of_sides(
    rows: list[FloatArray], sides: int, request: TableRequest, mirrored: bool
) -> tuple[FloatArray, FloatArray | None]:
    """Tables of the drive and the coast flank, over all tilts; without tilt if it is not a variable."""
    values = np.array(rows).reshape(sides, -1, *rows[0].shape)
    if not request.tilts:
        values = values[:, 0]
    elif mirrored:
        values = np.concatenate([values[:, :0:-1], values], axis=1)
    return values[0], values[1] if sides > 1 else None


def _is_mirrored(request: TableRequest, teeth: BothTeeth, tilts: FloatArray) -> bool:
    """Whether tilts to both sides do the same, exchanging the ends of the face: spur teeth that are the same from both."""
    if len(tilts) == 1 or any(one.gear.helix_angle for one in teeth) or request.face_offset or request.pitch_point:
        return False
    both = np.allclose(tilts, -tilts[::-1], rtol=1e-9, atol=0.0) and bool((tilts == 0.0).any())
    return both and all(has_even_faces(one) for one in teeth)


def _pose(request: TableRequest, teeth: BothTeeth, side: str, tilt: float = 0.0) -> MeshPose:
    a, b = (involutes_of(one) for one in teeth)
    return mesh_pose(
        a, b, side, centre_distance=request.centre_distance, misalignment=tilt, deviation=request.deviation,
        inclination=request.inclination, face_offset=request.face_offset,
    )  # fmt: skip
