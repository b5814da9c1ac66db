"""Strips of cells between two flanks of any shape: their shape, search and tables."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pitchline.base.types import FloatArray, IntArray, RecordArray
from pitchline.errors import ModelError
from pitchline.numerics.fields import packed
from pitchline.parts.gears.geometry.kinds import PitchGeometry
from pitchline.parts.gears.geometry.placement import Placement
from pitchline.parts.gears.geometry.rack import Rack
from pitchline.parts.gears.surfaces.from_gears import SurfaceTeeth
from pitchline.parts.gears.surfaces.patch import FlankPatch
from pitchline.parts.gears.teeth.flank import ToothFlank

from .strips import Cell, FlankSurface, Position, Strip, StripSearchRecord, find_strips, position_of
from .surface_contact import normal_gaps, relative_curvatures
from .surface_gap import SIZE, SurfaceFlank, SurfaceMeeting, meetings
from .surface_least import least_of_lines, least_of_teeth

__all__ = ["FlankShape", "flank_shape", "RecordArray", "StripSearch", "LeastGaps", "SurfacePair", "SurfaceStripSearch"]


# ---- flank shape

# One flank of a gear as compiled contact kernels read it.

_BEYOND = 0.01
"""Points a little beyond the end of the face, by tilted axes or deviations of helical flanks, are taken to be on it."""
_LENGTHS, _FACES = 801, 65
"""Points of a table of deviations along profile and face; linear between them: the start of a relief is met within
1/800 of the flank, a crowning within a few thousandths of its amount."""


@dataclass(frozen=True, eq=False)
class FlankShape:
    """An involute flank with its microgeometry.

    Attributes
    ----------
    record
        Of `FlankSurface`, for compiled code.
    limits : (n, 2)
        Least and greatest L [m] over ζ.
    side : float
        1 left, −1 right.
    base_radius, base_helix_cosine, twist : float
        r_b [m], cos β_b, κ [rad/m].
    teeth : int
    """

    record: FloatArray
    limits: FloatArray
    side: float
    base_radius: float
    base_helix_cosine: float
    twist: float
    teeth: int


def flank_shape(flank: ToothFlank) -> FlankShape:
    """The record of a flank."""
    involute, gear = flank.involute, flank.gear
    half = 0.5 * gear.required_face_width("loaded contact")
    lines = np.linspace(-half, half, _FACES if flank.conical else 2)
    ends = np.stack([flank.form_roll_length(lines), flank.tip_roll_length(lines)], axis=-1)
    ends.sort(axis=-1)
    low, high = float(ends.min()), float(ends.max())
    if flank.modified:
        L = np.linspace(low, high, _LENGTHS)
        z = np.linspace(-half, half, _FACES)
        special = sorted(flank.of_tooth)
        usual = next((k for k in range(gear.teeth) if k not in flank.of_tooth), 0)
        teeth = np.array([usual, *special])
        tables = np.stack([flank.deviation(L[:, None], z, int(k)) for k in teeth])
        table = np.zeros(gear.teeth, dtype=np.int64)
        table[special] = 1 + np.arange(len(special))
    else:
        L, z = np.array([low, high]), np.array([-half, half])
        tables, table = np.zeros((1, 2, 2)), np.zeros(gear.teeth, dtype=np.int64)
    beta = involute.base_helix_angle
    shape = {"side": involute.side, "base_radius": involute.base_radius, "twist": involute.twist}
    record = packed(
        FlankSurface,
        {
            **shape,
            "sense": involute.sense,
            "base_angle": involute.base_angle,
            "cos_beta": math.cos(beta),
            "sin_beta": math.sin(beta),
            "pitch": gear.angular_pitch,
            "half_face": (1.0 + _BEYOND) * half,
            "first_limit": lines[0],
            "limits_per_metre": 1.0 / (lines[1] - lines[0]),
            "limits": ends,
            "modified": flank.modified,
            "table_of": table,
            "lengths": len(L),
            "first_length": L[0],
            "lengths_per_metre": 1.0 / (L[1] - L[0]),
            "first_face": z[0],
            "faces_per_metre": 1.0 / (z[1] - z[0]),
            "deviations": tables.reshape(-1, len(z)),
        },
    )
    return FlankShape(
        record, ends, **{k: float(v) for k, v in shape.items()}, base_helix_cosine=math.cos(beta), teeth=gear.teeth
    )


# ---- strip search

# Strips of cells between two flanks, and where they are kept: `strips` for callers in Python.


class StripSearch:
    """Looks for strips in given slices of the face of gear A.

    Parameters
    ----------
    a, b, pose
        The flanks; pose of gear B in the axes in which A turns about z.
    zeta
        Of the slices [m].
    count, resolution, modulus
        Cells in a strip, and in Hertz's half width, which follows with E* [Pa].

    Attributes
    ----------
    strips, cells
        What was found last, with the fields of `Strip` and `Cell`; overwritten by the next call.
    slots : int
        Number of teeth for which there is memory.
    """

    def __init__(
        self, a: FlankShape, b: FlankShape, pose: Placement, zeta: FloatArray, *, count: int, resolution: float, modulus: float
    ) -> None:  # fmt: skip
        self._a, self._b = a.record, b.record
        self._zeta = np.ascontiguousarray(zeta, dtype=np.float64)
        self._count = count
        self._given = {"resolution": resolution, "modulus": modulus}
        self._position = position_of(pose, 0.0, 0.0)
        self._at = self._position.view(Position.dtype)[0]
        self._make_room(1)

    def _make_room(self, slots: int) -> None:
        size = slots * len(self._zeta)
        self.slots = slots
        self._strips, self._cells = np.zeros(size, Strip.dtype), np.zeros(size * self._count, Cell.dtype)
        self._teeth, self._stretch = np.zeros(slots, dtype=np.int64), np.zeros((slots, len(self._zeta)))
        self._nearest = np.zeros((slots, 4 * len(self._zeta)))
        arrays = {
            "zeta": self._zeta,
            "teeth": self._teeth,
            "stretch": self._stretch,
            "strips": self._strips,
            "cells": self._cells,
        }
        arrays["nearest"] = self._nearest
        self._record = packed(StripSearchRecord, {"count": self._count, **self._given, **arrays})
        self._where: tuple[float, float, tuple[int, ...]] | None = None
        self._search = self._record.view(StripSearchRecord.dtype)[0]
        self.strips, self.cells = self._strips[:0], self._cells[:0]

    def __call__(
        self, angle_a: float, angle_b: float, teeth: IntArray, *, reach: float, line_load: float = 1.0,
        stretch: FloatArray | None = None,
    ) -> float:  # fmt: skip
        """Strips of the teeth of A whose least gap [m] is within reach, the gears at their angles [rad]; returns the least gap of
        all, infinite where none of the teeth face each other.

        line_load [N/m]: that the height of cells is chosen for; stretch: (teeth, slices) by which cells are higher.
        """
        n, search = len(teeth), self._search
        if n > self.slots:
            self._make_room(n)
            search = self._search
        self._teeth[:n] = teeth
        self._stretch[:n] = 1.0 if stretch is None else stretch
        self._at["angle_a"], self._at["angle_b"] = angle_a, angle_b
        search["slots"], search["reach"], search["line_load"] = n, reach, line_load
        where = float(angle_a), float(angle_b), tuple(int(k) for k in teeth)
        if where != self._where:
            self._where = where
            search["known"] = -np.inf
        find_strips(self._a, self._b, self._position, self._record)
        self.strips, self.cells = self._strips[: search["found_strips"]], self._cells[: search["found_cells"]]
        return float(search["least"])


_SEEDS = 33
_SAMPLES = 25
_PARTS = 8
_WINDING = math.radians(15.0)
"""Parts of a flank turn no more than this about the axis."""
_LINES = 3
"""Lines in each part along the face."""
_ASKEW = 5e-3
"""[rad] Axes that are less than that from parallel are meant to be so."""
_ENDLESS = 64
"""Teeth of a rack without ends, on either side."""
_SLACK_U = 1e-9
_SLACK_V = 1e-3
"""How far beyond the ends of the face, in parts of it, a flank still counts as met: flanks with deviations end there."""


@dataclass(frozen=True, eq=False)
class LeastGaps:
    """Least gaps of lines or teeth of A; arrays of one shape.

    Attributes
    ----------
    gap
        γ: how far B has to turn until they touch [rad], of a rack to travel [m]; infinite where B has no flank.
    u, v
        Place on A.
    begin, end
        Ends u of that part of a line v = const that B faces.
    at
        The meeting there, with the fields of `SurfaceMeeting`.
    """

    gap: FloatArray
    u: FloatArray
    v: FloatArray
    begin: FloatArray
    end: FloatArray
    at: RecordArray


class SurfacePair:
    """The flanks of two gears that touch while A drives in one direction.

    Parameters
    ----------
    a, b
        Teeth; one of them may be those of a rack.
    pose
        Of gear B in the axes in which A turns about z (a rack travels along y), at the angle 0 of both.
    side
        Flank of A, "left" or "right".
    ratio
        Angle of B over angle of A, with their signs about the own z axes; a travel [m] for a rack. The flank of B follows from
        it.
    endless
        Whether a rack goes on beyond its ends, with the flanks that its teeth share.

    Angles of a rack are travels along its y axis [m].
    """

    def __init__(
        self, a: SurfaceTeeth, b: SurfaceTeeth, pose: Placement, side: str, *, ratio: float, endless: bool = False
    ) -> None:
        if side not in ("left", "right"):
            raise ModelError(f'contact: side must be "left" or "right", got {side!r}')
        if not ratio:
            raise ModelError("contact: the ratio of the angles of both gears must not be zero")
        self.a, self.b, self.pose, self.ratio = a, b, pose, float(ratio)
        self.side = side
        self.side_b = side if ratio < 0.0 else {"left": "right", "right": "left"}[side]
        slack = _SLACK_V
        if not isinstance(b.gear, Rack):
            askew = math.hypot(float(pose.rotation[0, 2]), float(pose.rotation[1, 2]))
            length = b.flank(self.side_b).lengths[1]
            if askew <= _ASKEW:
                slack += askew * float(np.hypot(*b.points(self.side_b)[..., :2].reshape(-1, 2).T).max()) / length
        self._flank_a = _PackedFlank(a, side, 0.0, 0.0)
        self._flank_b = _PackedFlank(b, self.side_b, _SLACK_U, slack, endless=endless)
        self._position = position_of(pose, 0.0, 0.0)

    @property
    def records(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """`SurfaceFlank` of A and of B and `Position`, for compiled code; they live as long as the pair."""
        return self._flank_a.record, self._flank_b.record, self._position

    @property
    def turns_b(self) -> bool:
        """Whether B turns; a rack travels."""
        return self._flank_b.turns

    @property
    def patch_a(self) -> FlankPatch:
        """Flank of A that its teeth share."""
        return self.a.flank(self.side)

    @property
    def patch_b(self) -> FlankPatch:
        """Flank of B that its teeth share."""
        return self.b.flank(self.side_b)

    @property
    def teeth_a(self) -> IntArray:
        """Numbers of all teeth of A."""
        return self._flank_a.numbers

    # ---------------------------------------------------------------------------------------------------------- gaps

    def meet(
        self, angle: npt.ArrayLike, tooth: npt.ArrayLike, u: npt.ArrayLike, v: npt.ArrayLike, *, angle_b: object = None
    ) -> RecordArray:
        """Where points (u, v) of teeth of A meet flanks of B: records `SurfaceMeeting`.

        angle: of A [rad]; angle_b: of B, default: ratio times that of A. `inside` is negative where B has no flank there.
        """
        places, shape = self._places(angle, angle_b, tooth, u, v)
        out = np.zeros((len(places), SIZE))
        meetings(*self.records, places, out)
        return _meetings(out).reshape(shape)

    def least_on_lines(
        self, angle: npt.ArrayLike, tooth: npt.ArrayLike, v: npt.ArrayLike, *, angle_b: object = None,
        between: tuple[npt.ArrayLike, npt.ArrayLike] = (0.0, 1.0),
    ) -> LeastGaps:  # fmt: skip
        """Least gaps along lines v = const of A, between two u."""
        places, shape = self._places(angle, angle_b, tooth, v, *between)
        results, out = np.zeros((len(places), 4)), np.zeros((len(places), SIZE))
        least_of_lines(*self.records, places, results, out)
        gap, u, begin, end = (column.reshape(shape) for column in results.T)
        return LeastGaps(gap, u, places[:, 3].reshape(shape), begin, end, _meetings(out).reshape(shape))

    def least_of_teeth(self, angle: npt.ArrayLike, tooth: npt.ArrayLike, *, angle_b: object = None) -> LeastGaps:
        """Least gaps of whole teeth of A."""
        places, shape = self._places(angle, angle_b, tooth)
        spheres, lines = self._parts
        results, out = np.zeros((len(places), 4)), np.zeros((len(places), SIZE))
        n = len(lines)
        least_of_teeth(
            *self.records, places, spheres, self._flank_b.box, lines, np.zeros(n), np.zeros((n, 3)), results, out
        )
        gap, u, v, _ = (column.reshape(shape) for column in results.T)
        zero = np.zeros(shape)
        return LeastGaps(gap, u, v, zero, zero + 1.0, _meetings(out).reshape(shape))

    def normal_gaps(
        self, angle: npt.ArrayLike, tooth: npt.ArrayLike, u: npt.ArrayLike, v: npt.ArrayLike, *, angle_b: object = None
    ) -> tuple[FloatArray, FloatArray, FloatArray, npt.NDArray[np.bool_]]:
        """Distances of points of A from flanks of B along their normals [m], the places (u, v) of their feet, and whether B has
        a flank there."""
        places, shape = self._places(angle, angle_b, tooth, u, v)
        results = np.zeros((len(places), 4))
        normal_gaps(*self.records, places, results, np.zeros((len(places), SIZE)))
        gap, u_b, v_b, inside = (column.reshape(shape) for column in results.T)
        return gap, u_b, v_b, inside >= 0.0

    def curvatures(
        self, angle: npt.ArrayLike, tooth: npt.ArrayLike, u: npt.ArrayLike, v: npt.ArrayLike, *, angle_b: object = None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Relative principal curvatures k_1 >= k_2 [1/m] of both flanks at points of A, and the direction (…, 3) of k_1 in the
        axes in which A turns. Negative: the flanks would touch next to the point."""
        places, shape = self._places(angle, angle_b, tooth, u, v)
        results = np.zeros((len(places), 5))
        relative_curvatures(*self.records, places, results, np.zeros((len(places), SIZE)))
        return results[:, 0].reshape(shape), results[:, 1].reshape(shape), results[:, 2:].reshape(*shape, 3)

    def _places(
        self, angle: npt.ArrayLike, angle_b: object, *others: npt.ArrayLike
    ) -> tuple[FloatArray, tuple[int, ...]]:
        first = np.asarray(angle, dtype=np.float64)
        second = self.ratio * first if angle_b is None else np.asarray(angle_b, dtype=np.float64)
        columns = np.broadcast_arrays(first, second, *(np.asarray(other, dtype=np.float64) for other in others))
        return np.stack([column.ravel() for column in columns], axis=-1), columns[0].shape

    @cached_property
    def _parts(self) -> tuple[FloatArray, FloatArray]:
        """Spheres around parts of flank A, with their first and last line; and v of all lines."""
        patch = self.patch_a
        across, along = patch.lengths
        edge = patch.point(0.5, np.linspace(0.0, 1.0, 257))
        turn = np.ptp(np.unwrap(np.angle(edge[:, 0] + 1j * edge[:, 1]))) if self._flank_a.turns else 0.0
        many = max(_PARTS, math.ceil(along / across), math.ceil(turn / _WINDING))
        lines = np.linspace(0.0, 1.0, many * _LINES + 1)
        spheres = []
        for j in range(many):
            v = np.linspace(j, j + 1, 5) / many
            for i in range(2):
                p = np.concatenate(
                    [
                        one.point(np.linspace(0.5 * i, 0.5 * (i + 1), 5)[:, None], v).reshape(-1, 3)
                        for one in self._flank_a.patches
                    ]
                )
                middle = 0.5 * (p.min(axis=0) + p.max(axis=0))
                radius = 1.1 * float(np.linalg.norm(p - middle, axis=1).max())
                spheres.append([*middle, radius, _LINES * j, _LINES * (j + 1)])
        return np.array(spheres), lines


def _meetings(out: FloatArray) -> RecordArray:
    return out.view(SurfaceMeeting.dtype)[:, 0]


class _PackedFlank:
    """Record of the flanks of a gear, with all that it refers to."""

    def __init__(
        self, teeth: SurfaceTeeth, side: str, beyond_u: float, beyond_v: float, *, endless: bool = False
    ) -> None:
        gear = teeth.gear
        self.turns = not isinstance(gear, Rack)
        first = 0 if self.turns else -((gear.teeth - 1) // 2)
        many = gear.teeth
        if endless and not self.turns:
            first, many = -_ENDLESS, 2 * _ENDLESS + 1
        self.numbers = np.arange(first, first + many)
        patches = [teeth.flank(side, int(k)) for k in self.numbers]
        self.patches = list({id(patch): patch for patch in patches}.values())
        self._addresses = np.array([patch.record.ctypes.data for patch in patches], dtype=np.int64)
        u = np.linspace(0.0, 1.0, _SAMPLES)
        p = np.stack([patch.point(u[:, None], u) for patch in self.patches])
        r = np.hypot(p[..., 0], p[..., 1]) if self.turns else p[..., 0]
        z = p[..., 2]
        more = [0.05 * float(np.ptp(x)) + 1e-9 for x in (r, z)]
        self.box = np.array([r.min() - more[0], r.max() + more[0], z.min() - more[1], z.max() + more[1]])
        self._seeds = _seeds(r[0], z[0], u, self.box)
        self._check(teeth, side)
        steps = [(_SEEDS - 1) / (high - low) for low, high in (self.box[:2], self.box[2:])]
        self.record = packed(
            SurfaceFlank,
            {
                "side": 1.0 if side == "left" else -1.0,
                "travels": 0 if self.turns else 1,
                "pitch": gear.transverse_pitch if isinstance(gear, Rack) else gear.angular_pitch,
                "first_tooth": first,
                "beyond_u": beyond_u,
                "beyond_v": beyond_v,
                "patch_of": self._addresses,
                "first_r": self.box[0],
                "rows_per_metre": steps[0],
                "seed_lines": _SEEDS,
                "first_z": self.box[2],
                "lines_per_metre": steps[1],
                "seeds": self._seeds,
            },
        )

    def _check(self, teeth: SurfaceTeeth, side: str) -> None:
        """A flank has to face the direction in which its gear moves, everywhere."""
        u = np.linspace(0.02, 0.98, 9)
        for patch in self.patches:
            p, n = patch.point(u[:, None], u), patch.normal(u[:, None], u)
            along = p[..., 0] * n[..., 1] - p[..., 1] * n[..., 0] if self.turns else n[..., 1]
            if side == "right":
                along = -along
            if not (along > 0.0).all():
                i, j = np.unravel_index(int(np.argmin(along)), along.shape)
                raise ModelError(
                    f"contact: the {side} flank of the gear with {teeth.gear.teeth} teeth does not face "
                    f"{'+' if side == 'left' else '-'}y everywhere: at u = {u[i]:.2g}, v = {u[j]:.2g} its normal points the other "
                    "way. Check which flank is left (on the +y side of tooth 0), the direction of its normals, and that it ends "
                    "before the fillet and the tip rounding"
                )


def _seeds(r: FloatArray, z: FloatArray, u: FloatArray, box: FloatArray) -> FloatArray:
    """Parameters of the nearest sample of a flank, over r and z; (rows, 2 · lines)."""
    from scipy.spatial import cKDTree

    size = np.array([box[1] - box[0], box[3] - box[2]])
    tree = cKDTree(np.stack([r.ravel(), z.ravel()], axis=-1) / size)
    rows, lines = np.linspace(box[0], box[1], _SEEDS), np.linspace(box[2], box[3], _SEEDS)
    wanted = np.stack(np.meshgrid(rows, lines, indexing="ij"), axis=-1) / size
    i, j = np.unravel_index(tree.query(wanted)[1], r.shape)
    return np.ascontiguousarray(np.stack([u[i], u[j]], axis=-1).reshape(_SEEDS, -1))


def nominal_play(pitch: PitchGeometry, backlash: float) -> float:
    """How far B can turn [rad] (a rack travel [m]) from the middle of its backlash j_wn [m] until ideal flanks touch."""
    along = 0.5 * backlash / math.cos(pitch.beta_b)
    return along if pitch.is_rack else along / pitch.radius_b


# ---- surface strips

# Strips of cells between two flanks of any shape on parallel axes: what `base.types` does for involutes.
#
# The strips run along the profile, at v = const of flank A, in slices of the face. Gaps are motions of gear B: how
# far it turns until it meets a point, times the lever of involutes. With the lever w of the normal, a cell with the
# force λ has the torque w λ. In units of the involute's lever w_0 the force is λ w/w_0 and compliances are those of
# cells times w_0/w of both: all are then pressed by one approach, as involutes are.

_ARCS = 513
"""Points of the table of arcs along a profile."""


class SurfaceStripSearch:
    """Looks for strips in given slices of the face of gear A.

    Parameters
    ----------
    pair
        The flanks.
    shapes
        Of the involutes of both gears, whose roll lengths name places on the profile.
    lever
        w_0 [m]
    zeta
        Of the slices [m].
    count, resolution, modulus
        Cells in a strip, and in Hertz's half width, which follows with E* [Pa].

    Attributes
    ----------
    strips, cells
        What was found last, with the fields of `Strip` and `Cell`.
    ratio : (cells,)
        w_0/w.
    places : ((cells, 2), (cells, 2))
        u and v of the cells on A and B.
    slots : int
        Number of teeth of the last search.
    """

    def __init__(
        self, pair: SurfacePair, shapes: tuple[FlankShape, FlankShape], lever: float, zeta: FloatArray, *,
        count: int, resolution: float, modulus: float,
    ) -> None:  # fmt: skip
        self._pair, self._shapes, self._lever = pair, shapes, lever
        self._zeta = np.asarray(zeta, dtype=np.float64)
        self._count, self._resolution, self._modulus = count, resolution, modulus
        patch = pair.patch_a
        self._v = _v_at(patch, self._zeta)
        u = np.linspace(0.0, 1.0, _ARCS)
        p = patch.point(u[:, None], self._v)
        steps = np.linalg.norm(np.diff(p, axis=0), axis=-1)
        self._u = u
        self._arcs = np.concatenate([np.zeros((1, len(self._v))), np.cumsum(steps, axis=0)]).T
        self._where: tuple[float, float, tuple[int, ...]] | None = None
        self._least: LeastGaps | None = None
        self.slots = 1
        self.strips: RecordArray = np.zeros(0, Strip.dtype)
        self.cells: RecordArray = np.zeros(0, Cell.dtype)
        self.ratio: FloatArray = np.zeros(0)
        self.places: tuple[FloatArray, FloatArray] = np.zeros((0, 2)), np.zeros((0, 2))

    def __call__(
        self, angle_a: float, angle_b: float, teeth: IntArray, *, reach: float, line_load: float = 1.0,
        stretch: FloatArray | None = None,
    ) -> float:  # fmt: skip
        """As `StripSearch`."""
        where = float(angle_a), float(angle_b), tuple(int(k) for k in teeth)
        if where != self._where:
            self._least = self._pair.least_on_lines(
                angle_a, np.asarray(teeth)[:, None], self._v[None, :], angle_b=angle_b
            )
            self._where = where
        found = self._least
        assert found is not None
        gaps = self._lever * found.gap
        self.slots = len(teeth)
        self._lay_out(angle_a, angle_b, teeth, found, gaps, gaps <= reach, line_load, stretch)
        return float(gaps.min(initial=math.inf))

    def _lay_out(
        self, angle_a: float, angle_b: float, teeth: IntArray, found: LeastGaps, gaps: FloatArray,
        chosen: npt.NDArray[np.bool_], line_load: float, stretch: FloatArray | None,
    ) -> None:  # fmt: skip
        slot, slice_ = np.nonzero(chosen)
        n, count = len(slot), self._count
        strips, cells = np.zeros(n, Strip.dtype), np.zeros(n * count, Cell.dtype)
        self.strips, self.cells = strips, cells
        if n == 0:
            self.ratio, self.places = np.zeros(0), (np.zeros((0, 2)), np.zeros((0, 2)))
            return
        tooth, v = np.asarray(teeth)[slot], self._v[slice_]
        u, begin, end = (one[slot, slice_] for one in (found.u, found.begin, found.end))
        curvature = self._pair.curvatures(angle_a, tooth, u, v, angle_b=angle_b)[0]
        half = np.sqrt(4.0 * line_load / (math.pi * self._modulus * np.maximum(curvature, 1e-3)))
        height = half / self._resolution
        if stretch is not None:
            height = height * stretch[slot, slice_]
        low, middle, high = (self._arc(slice_, one) for one in (begin, u, end))
        height = np.minimum(height, np.maximum(high - low, 1e-9) / count)
        start = middle - 0.5 * count * height
        at_high = start + count * height >= high
        start = np.where(at_high, high - count * height, start)
        at_low = start <= low
        start = np.where(at_low, low, start)
        s = start[:, None] + (np.arange(count) + 0.5) * height[:, None]
        u_a = np.stack([np.interp(row, self._arcs[j], self._u) for row, j in zip(s, slice_, strict=True)])
        v_a = np.broadcast_to(v[:, None], s.shape)
        met = self._pair.meet(angle_a, tooth[:, None], u_a, v_a, angle_b=angle_b)
        self.places = (
            np.stack([u_a.ravel(), v_a.ravel()], axis=1),
            np.stack([met["u"].ravel(), met["v"].ravel()], axis=1),
        )
        self.ratio = self._lever / met["lever_b"].ravel()
        strips["slot"], strips["slice"], strips["tooth_a"] = slot, slice_, tooth
        strips["tooth_b"] = found.at["tooth"][slot, slice_]
        strips["first_cell"] = np.arange(n) * count
        strips["at_low"], strips["at_high"], strips["height"] = at_low, at_high, height
        strips["half_width"], strips["gap"] = half, gaps[slot, slice_]
        shape_a, shape_b = self._shapes
        strips["length"] = _roll_lengths(shape_a, self._pair.patch_a.point(u, v))
        cells["slot"] = np.repeat(slot, count)
        p_a = self._pair.patch_a.point(*self.places[0].T)
        p_b = self._pair.patch_b.point(*self.places[1].T)
        cells["length_a"], cells["face_a"] = _roll_lengths(shape_a, p_a), np.repeat(self._zeta[slice_], count)
        cells["length_b"], cells["face_b"] = _roll_lengths(shape_b, p_b), p_b[:, 2]
        cells["gap"] = self._lever * met["gap"].ravel()

    def _arc(self, slices: IntArray, u: FloatArray) -> FloatArray:
        """Length along the profile from u = 0 [m]."""
        place = np.clip(u, 0.0, 1.0) * (_ARCS - 1)
        i = np.minimum(place.astype(np.int64), _ARCS - 2)
        t = place - i
        return np.asarray((1.0 - t) * self._arcs[slices, i] + t * self._arcs[slices, i + 1])


def _roll_lengths(shape: FlankShape, points: FloatArray) -> FloatArray:
    """L [m] at the radius of points; 0 inside the base circle."""
    return np.sqrt(np.maximum(points[..., 0] ** 2 + points[..., 1] ** 2 - shape.base_radius**2, 0.0))


def _v_at(patch: FlankPatch, zeta: FloatArray) -> FloatArray:
    """v of the middle of the profile at face coordinates [m]."""
    v = np.linspace(0.0, 1.0, 257)
    z = patch.point(0.5, v)[:, 2]
    found = np.interp(zeta, z, v)
    for _ in range(3):
        p, by_v = patch.point(np.full(found.shape, 0.5), found), patch.tangents(np.full(found.shape, 0.5), found)[1]
        found = np.clip(found + (zeta - p[:, 2]) / by_v[:, 2], 0.0, 1.0)
    return np.asarray(found)
