"""Two elastic gears in contact on one side of their teeth: the kernels of this package, in their order.

    strips of cells  →  compliance of the cells  →  which of them touch, and their loads

for given angles of both gears, any pose of the second one, and a given normal force.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..errors import ModelError, SolveError
from ..fem.elastic_gear import ElasticGear
from ..gears.placement import Placement
from ..gears.teeth.flank_pair import FlankPair
from .active_set import CONVERGED, INDEFINITE, solve_contact
from .body_compliance import BodyCompliance, body_compliance
from .compliance import hat_compliance_among, local_laws, number_hats, share_among_hats
from .face_slices import face_slices
from .flank_shape import FlankShape, flank_shape
from .half_space import contact_modulus
from .shape_layout import TWIST
from .strips import find_strips

__all__ = ["Contact", "ElasticPair"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_STIFFNESS = 10e9
"""A mesh is stiffer than this [N/m²] per face width, or the reach of the first strips is widened."""
_WIDER = 1.6
_TRIES = 10


@dataclass(frozen=True, eq=False)
class Contact:
    """Two gears pressed together in one position.

    Attributes
    ----------
    approach : float
        x [m]: how far the flank of B has come along its normal beyond its place for ideal rigid gears.
    stiffness : float
        dF/dx [N/m] along the normal.
    rounds : int
        Of the active set.
    strips : (n, 4)
        Height of the cells [m], Hertz's half width [m] of a mean load, least gap [m], L_A there [m].
    index : (n, 6) int
        Slot of the pair of teeth, slice, teeth of A and B, first cell, edges of the strip (1 low, 2 high, 3 both).
    cells : (m, 5)
        L_A, gap before load, L_B, ζ_B, ζ_A [m].
    loads : (m,)
        Normal forces [N].
    count : int
        Cells of a strip.
    """

    approach: float
    stiffness: float
    rounds: int
    strips: FloatArray
    index: IntArray
    cells: FloatArray
    loads: FloatArray
    count: int

    @property
    def strip_loads(self) -> FloatArray:
        """Normal force of each strip [N]; (n,)."""
        return self.loads.reshape(-1, self.count).sum(axis=1)


class ElasticPair:
    """Two gears, one pair of sides.

    Parameters
    ----------
    a, b
        The gears; held at their bores.
    side
        The flank of gear A that touches, "left" or "right".
    pose
        Of gear B in axes in which gear A turns about z; `angle_b` of `press` is counted from there.
    resolution, cells
        Cells in Hertz's half width, and in a strip.

    Attributes
    ----------
    zeta, widths : (slices,)
        Where the slices of the face of A stand [m], and their widths along the generator [m].
    """

    def __init__(
        self, a: ElasticGear, b: ElasticGear, *, side: str, pose: Placement, resolution: float = 4.0, cells: int = 15
    ) -> None:
        pair = FlankPair(a.teeth, b.teeth, side, pose)
        side_b = "left" if pair.b is b.teeth.left else "right"
        self.side, self.side_b, self.ratio = side, side_b, pair.ratio
        self.a, self.b = a, b
        self.shape_a: FlankShape = flank_shape(pair.a)
        self.shape_b: FlankShape = flank_shape(pair.b)
        self.body_a: BodyCompliance = body_compliance(a, side)
        self.body_b: BodyCompliance = body_compliance(b, side_b)
        self.pose = np.concatenate([pose.rotation.ravel(), pose.position])
        self.modulus = contact_modulus(a.material, b.material)
        self.face_width = min(gear.teeth.gear.required_face_width("loaded contact") for gear in (a, b))
        self.resolution, self.count = float(resolution), int(cells)
        twist, middle = float(self.shape_a.numbers[TWIST]), float(pose.position[2])
        half = 0.5 * b.teeth.gear.required_face_width("loaded contact")
        self.zeta, widths = face_slices(
            self.body_a.zeta, abs(a.teeth.gear.angular_pitch / twist) if twist else math.inf, (middle - half, middle + half)
        )
        self.widths: FloatArray = widths / self.shape_a.base_helix_cosine
        self._windows = tuple(body.window if twist else np.zeros_like(body.zeta) for body in (self.body_a, self.body_b))
        self._edges = 0.5 * (self.zeta[1:] + self.zeta[:-1])
        self._memory: tuple[float, IntArray, IntArray] | None = None
        self._reach = 0.0
        self._find_room(0)

    @property
    def lever(self) -> float:
        """r_b cos β_b of gear B [m]: torque per normal force, rotation per approach."""
        return self.shape_b.base_radius * self.shape_b.base_helix_cosine

    def _find_room(self, slots: int) -> None:
        """Arrays that strips and cells of so many pairs of teeth are written to."""
        strips = slots * len(self.zeta)
        self._slots = slots
        self._strips, self._index = np.zeros((strips, 4)), np.zeros((strips, 6), dtype=np.int64)
        self._cells, self._cell_slots = np.zeros((strips * self.count, 5)), np.zeros(strips * self.count, dtype=np.int64)

    def forget(self) -> None:
        """Start the next position from nothing."""
        self._memory = None
        self._reach = 0.0

    # ----------------------------------------------------------------------------------------------------- geometry

    def _find(
        self, angle_a: float, angle_b: float, teeth: IntArray, line_load: float, reach: float, stretch: FloatArray
    ) -> tuple[int, int, float]:
        """Strips and cells within reach, in the rooms; how many, and the least gap."""
        if len(teeth) > self._slots:
            self._find_room(len(teeth))
        a, b = self.shape_a, self.shape_b
        n, n_strips, least, _ = find_strips(
            a.numbers, a.limits, a.deviations, a.table, b.numbers, b.limits, b.deviations, b.table, self.pose,
            angle_a, angle_b, teeth, self.zeta, line_load, self.modulus, reach, self.resolution, self.count,
            stretch, self._strips, self._index, self._cells, self._cell_slots,
        )  # fmt: skip
        return int(n), int(n_strips), least

    def least_gap(self, angle_a: float, angle_b: float, teeth: IntArray) -> float:
        """How far the slices are apart [m] along the normal of B; infinite where none of the teeth face each other."""
        stretch = np.ones((len(teeth), len(self.zeta)))
        rough = self._find(angle_a, angle_b, teeth, 1.0, -1.0, stretch)[2]
        return self._find(angle_a, angle_b, teeth, 1.0, rough, stretch)[2] if math.isfinite(rough) else rough

    def first_touch(self, angle_a: float, angle_b: float, teeth: IntArray) -> float:
        """What the approach is without load [m]: the least gap in slices, on face lines and at the ends of the common face."""
        half = 0.5 * self.widths * self.shape_a.base_helix_cosine
        lines = self.body_a.zeta
        low, high = max(self.zeta[0] - half[0], lines[0]), min(self.zeta[-1] + half[-1], lines[-1])
        faces = np.unique(np.concatenate([self.zeta, lines[(lines > low) & (lines < high)], [low, high]]))
        a, b = self.shape_a, self.shape_b
        strips, cells = len(teeth) * len(faces), len(teeth) * len(faces)
        rooms = np.zeros((strips, 4)), np.zeros((strips, 6), dtype=np.int64), np.zeros((cells, 5)), np.zeros(cells, np.int64)
        least = -1.0
        for _ in range(2):  # roughly, then those that are as near
            least = find_strips(
                a.numbers, a.limits, a.deviations, a.table, b.numbers, b.limits, b.deviations, b.table, self.pose,
                angle_a, angle_b, teeth, faces, 1.0, self.modulus, least, self.resolution, 1,
                np.ones((len(teeth), len(faces))), *rooms,
            )[2]  # fmt: skip
            if math.isinf(least):
                raise ModelError(_apart(angle_a))
        return float(least)

    # --------------------------------------------------------------------------------------------------- compliance

    def _hats(self, number: int, n: int, teeth: IntArray) -> tuple[FloatArray, IntArray, FloatArray]:
        """C, and hats and weights of the cells, of gear A (0) or B (1)."""
        body, shape = ((self.body_a, self.shape_a), (self.body_b, self.shape_b))[number]
        entries, weights = np.empty((n, 6), dtype=np.int64), np.empty((n, 6))
        length, face = ((0, 4), (2, 3))[number]
        share_among_hats(
            body.zeta, self._windows[number], body.arc, body.hats, shape.base_radius, self._cells, length, face, n, entries,
            weights,
        )  # fmt: skip
        places = np.empty((self._slots, body.compliance.shape[1]), dtype=np.int64)
        used = np.empty((2, min(places.size, 6 * n)), dtype=np.int64)
        m = int(number_hats(self._cell_slots, entries, weights, n, places, used))
        C = np.empty((m, m))
        hat_compliance_among(body.compliance, body.local, teeth, len(shape.table), used, C)
        return C, entries, weights

    def _solve(self, n: int, n_strips: int, force: float, active: IntArray) -> tuple[float, float, int, float, FloatArray]:
        """Approach, stiffness, rounds, status and loads of the cells that were found; `active` is changed."""
        a, b = self.body_a, self.body_b
        index, strips = self._index[:n_strips], self._strips[:n_strips]
        teeth = np.zeros((2, self._slots), dtype=np.int64)
        teeth[:, index[:, 0]] = index[:, 2:4].T
        of_a, of_b = (self._hats(number, n, teeth[number]) for number in range(2))
        laws = np.empty((n_strips, self.count))
        local_laws(
            strips, index, self._cells, self.widths, a.zeta, a.widths, a.scale, b.zeta, b.widths, b.scale,
            np.empty(self.count), laws,
        )  # fmt: skip
        loads, work = np.empty(n), np.empty((8, 2, n))
        x, stiffness, rounds, status = solve_contact(
            laws, *of_a, *of_b, np.ascontiguousarray(self._cells[:n, 1]), force, active, loads, np.empty(n, dtype=np.int64),
            np.empty(n_strips + 1, dtype=np.int64), np.empty((self.count, self.count)),
            np.empty((n_strips, self.count, self.count)), *work, np.empty((4, max(len(of_a[0]), len(of_b[0])))),
        )  # fmt: skip
        return x, stiffness, int(rounds), status, loads

    # ------------------------------------------------------------------------------------------------------ contact

    def press(
        self, angle_a: float, angle_b: float, force: float, teeth: IntArray, *, length: float | None = None
    ) -> Contact:
        """The contact under a normal force [N], the gears at their angles [rad], of the given teeth of A.

        length: of all contact lines [m], over which the force is shared when cells are laid out; the face width
        without it. The set of touching cells starts from that of the last call.
        """
        line_load = force / (length or self.face_width)
        stretch = np.ones((len(teeth), len(self.zeta)))
        reach = self._reach
        if not reach:
            reach = self.least_gap(angle_a, angle_b, teeth) + 2.0 * force / (_STIFFNESS * self.face_width)
        rounds = 0
        for _ in range(_TRIES):
            n, n_strips, least = self._find(angle_a, angle_b, teeth, line_load, reach, stretch)
            if math.isinf(least):
                raise ModelError(_apart(angle_a))
            if n == 0:
                reach = least + 2.0 * force / (_STIFFNESS * self.face_width)
                continue
            active = self._first_guess(angle_a, n, n_strips, reach)
            x, stiffness, took, status, loads = self._solve(n, n_strips, force, active)
            rounds += took
            if status != CONVERGED:
                raise SolveError(_failure(status, angle_a, n))
            index = self._index[:n_strips]
            pattern = active.reshape(n_strips, self.count)
            self._remember(angle_a, teeth, index, pattern)
            full_low = (pattern[:, 0] != 0) & (index[:, 5] & 1 == 0)
            full_high = (pattern[:, -1] != 0) & (index[:, 5] & 2 == 0)
            full = full_low | full_high
            near = reach < 1.1 * x + 0.1 * (x - least)
            self._reach = max(1.5 * x, x + 1.0 * (x - least)) if near or not self._reach else 0.5 * (reach + 1.5 * x)
            if near:
                reach = self._reach
            elif not full.any():
                return Contact(
                    approach=x, stiffness=stiffness, rounds=rounds,
                    strips=self._strips[:n_strips].copy(), index=index.copy(), cells=self._cells[:n].copy(),
                    loads=loads, count=self.count,
                )  # fmt: skip
            stretch[index[full, 0], index[full, 1]] *= _WIDER
        raise SolveError(
            f"loaded contact: at the angle {math.degrees(angle_a):.4g} deg of gear A the contact outgrew its cells "
            f"{_TRIES} times; raise cells, or lower the torque"
        )

    def _first_guess(self, angle_a: float, n: int, n_strips: int, reach: float) -> IntArray:
        """Cells that touched in the last call, by their places in the strips; at first those of Hertz's contact.

        A contact line of helical teeth has moved along the face since then, by −Δφ/κ: a slice takes over from the one that
        had its place on the line.
        """
        index, strips = self._index[:n_strips], self._strips[:n_strips]
        if self._memory is not None:
            before, teeth, pattern = self._memory
            slot = index[:, 2] - teeth[0]
            known = (slot >= 0) & (slot < len(teeth))
            twist = float(self.shape_a.numbers[TWIST])
            moved = (angle_a - before) / twist if twist else 0.0
            there = np.searchsorted(self._edges, self.zeta + moved)
            there = np.where((there >= 0) & (there < len(self.zeta)), there, np.arange(len(self.zeta)))
            active = pattern[np.where(known, slot, 0), there[index[:, 1]]]
            active[~known] = 0
            return active.ravel()
        away = np.abs(self._cells[:n, 0].reshape(n_strips, self.count) ** 2 - strips[:, 3:4] ** 2)
        near = away <= 1.8 * strips[:, 1:2] * self.shape_a.base_radius
        return (near & (strips[:, 2:3] < 0.5 * reach)).astype(np.int64).ravel()

    def _remember(self, angle_a: float, teeth: IntArray, index: IntArray, pattern: IntArray) -> None:
        kept = np.zeros((len(teeth), len(self.zeta), self.count), dtype=np.int64)
        kept[index[:, 0], index[:, 1]] = pattern
        self._memory = angle_a, teeth, kept


def _apart(angle: float) -> str:
    return (
        f"loaded contact: at the angle {math.degrees(angle):.4g} deg of gear A no teeth face each other; "
        "check contact ratio, tip diameters, centre distance and face offset"
    )


def _failure(status: float, angle: float, n: int) -> str:
    where = f"loaded contact: at the angle {math.degrees(angle):.4g} deg of gear A, {n} cells"
    if status == INDEFINITE:
        return (
            f"{where}: the compliance of the cells is not positive definite; the grid of a gear is too coarse along its "
            "flanks for this contact: make flank_edge smaller, or resolution lower"
        )
    return f"{where}: the set of touching cells did not settle; change resolution or cells, or the position a little"
