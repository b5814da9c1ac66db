"""Two gears with flanks of any shape, their axes in any position: gaps, places and directions of contact."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..errors import ModelError
from ..gears.pitch import PitchGeometry
from ..gears.placement import Placement
from ..gears.rack import Rack
from ..gears.surfaces import FlankPatch, SurfaceTeeth
from ..math.fields import packed
from .flank_gap import position_of
from .surface_contact import normal_gaps, relative_curvatures
from .surface_gap import SIZE, SurfaceFlank, SurfaceMeeting, meetings
from .surface_least import least_of_teeth
from .surface_lines import least_of_lines

__all__ = ["LeastGaps", "SurfacePair"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
MeetingArray = npt.NDArray[np.void]

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
    at: MeetingArray


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
    ) -> MeetingArray:
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


def _meetings(out: FloatArray) -> MeetingArray:
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
