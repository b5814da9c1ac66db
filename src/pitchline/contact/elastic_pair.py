"""Two elastic gears in contact on one side of their teeth: the kernels of this room, in their order.

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
from .compliance import add_body, add_cells, share_among_hats
from .flank_shape import FlankShape, flank_shape
from .half_space import contact_modulus
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
    least_gap : float
        What x is without load [m].
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
    least_gap: float
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
        self._memory: tuple[IntArray, IntArray] | None = None
        self._reach = 0.0
        self._room(0, 0)

    @property
    def lever(self) -> float:
        """r_b cos β_b of gear B [m]: torque per normal force, rotation per approach."""
        return self.shape_b.base_radius * self.shape_b.base_helix_cosine

    def _room(self, slots: int, cells: int) -> None:
        """Arrays that the kernels write to, large enough."""
        lines = len(self.body_a.zeta)
        self._slots, self._cells_room = slots, cells
        self._strips, self._index = np.zeros((slots * lines, 4)), np.zeros((slots * lines, 6), dtype=np.int64)
        self._cells = np.zeros((slots * lines * self.count, 5))
        self._cell_slots = np.zeros(slots * lines * self.count, dtype=np.int64)
        self._table = np.zeros(self.count)
        self._A, self._U, self._work = np.zeros((cells, cells)), np.zeros((cells, cells)), np.zeros((2, cells))
        self._touching = np.zeros(cells, dtype=np.int64)
        self._entries, self._weights = np.zeros((cells, 4), dtype=np.int64), np.zeros((cells, 4))
        most = max(self.body_a.compliance.shape[1], self.body_b.compliance.shape[1])
        used = min(slots * most, 4 * cells)
        self._places_a = np.zeros((slots, self.body_a.compliance.shape[1]), dtype=np.int64)
        self._places_b = np.zeros((slots, self.body_b.compliance.shape[1]), dtype=np.int64)
        self._used, self._S, self._y = np.zeros((2, used), dtype=np.int64), np.zeros((used, used)), np.zeros(used)

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
            self._room(len(teeth), self._cells_room)
        a, b = self.shape_a, self.shape_b
        n, n_strips, least, _ = find_strips(
            a.numbers, a.limits, a.deviations, a.table, b.numbers, b.limits, b.deviations, b.table, self.pose,
            angle_a, angle_b, teeth, self.body_a.zeta, line_load, self.modulus, reach, self.resolution, self.count,
            stretch, self._strips, self._index, self._cells, self._cell_slots,
        )  # fmt: skip
        return int(n), int(n_strips), least

    def least_gap(self, angle_a: float, angle_b: float, teeth: IntArray) -> float:
        """How far the flanks are apart [m] along the normal of B; infinite where none of the teeth face each other."""
        stretch = np.ones((len(teeth), len(self.body_a.zeta)))
        rough = self._find(angle_a, angle_b, teeth, 1.0, -1.0, stretch)[2]
        return self._find(angle_a, angle_b, teeth, 1.0, rough, stretch)[2] if math.isfinite(rough) else rough

    # --------------------------------------------------------------------------------------------------- compliance

    def _compliance(self, n: int, n_strips: int) -> None:
        """The upper half of A of the cells in the rooms."""
        if n > self._cells_room:
            self._room(self._slots, n + n // 4)
            raise _Again
        A = self._A
        A[:n, :n] = 0.0
        index = self._index[:n_strips]
        teeth = np.zeros((2, self._slots), dtype=np.int64)
        teeth[:, index[:, 0]] = index[:, 2:4].T
        for body, shape, number, length, face, places in (
            (self.body_a, self.shape_a, 0, 0, 4, self._places_a),
            (self.body_b, self.shape_b, 1, 2, 3, self._places_b),
        ):
            share_among_hats(
                body.zeta, body.arc, body.hats, shape.base_radius, self._cells, length, face, n, self._entries,
                self._weights,
            )  # fmt: skip
            add_body(
                body.compliance, body.local, teeth[number], len(shape.table), self._cell_slots, self._entries,
                self._weights, n, places, self._used, self._S, self._y, A,
            )  # fmt: skip
        scale = self.body_a.scale + self.body_b.scale
        add_cells(self._strips, self._index, n_strips, self.count, self.body_a.widths, scale, self._table, A)

    # ------------------------------------------------------------------------------------------------------ contact

    def press(
        self, angle_a: float, angle_b: float, force: float, teeth: IntArray, *, length: float | None = None
    ) -> Contact:
        """The contact under a normal force [N], the gears at their angles [rad], of the given teeth of A.

        length: of all contact lines [m], over which the force is shared when cells are laid out; the face width
        without it. The set of touching cells starts from that of the last call.
        """
        line_load = force / (length or self.face_width)
        stretch = np.ones((len(teeth), len(self.body_a.zeta)))
        reach = self._reach
        if not reach:
            reach = self.least_gap(angle_a, angle_b, teeth) + 2.0 * force / (_STIFFNESS * self.face_width)
        rounds = 0
        for _ in range(_TRIES):
            n, n_strips, least = self._find(angle_a, angle_b, teeth, line_load, reach, stretch)
            if math.isinf(least):
                raise ModelError(
                    f"loaded contact: at the angle {math.degrees(angle_a):.4g} deg of gear A no teeth face each other; "
                    "check contact ratio, tip diameters, centre distance and face offset"
                )
            if n == 0:
                reach = least + 2.0 * force / (_STIFFNESS * self.face_width)
                continue
            try:
                self._compliance(n, n_strips)
            except _Again:
                self._find(angle_a, angle_b, teeth, line_load, reach, stretch)
                self._compliance(n, n_strips)
            active = self._first_guess(n, n_strips, reach)
            loads, gaps = np.zeros(n), np.ascontiguousarray(self._cells[:n, 1])
            x, stiffness, took, status = solve_contact(
                self._A, gaps, n, force, active, loads, self._touching, self._U, self._work
            )
            rounds += int(took)
            if status != CONVERGED:
                raise SolveError(_failure(status, angle_a, n))
            index = self._index[:n_strips]
            pattern = active.reshape(n_strips, self.count)
            self._remember(teeth, index, pattern)
            full_low = (pattern[:, 0] != 0) & (index[:, 5] & 1 == 0)
            full_high = (pattern[:, -1] != 0) & (index[:, 5] & 2 == 0)
            full = full_low | full_high
            near = reach < 1.1 * x + 0.1 * (x - least)
            self._reach = max(1.5 * x, x + 1.0 * (x - least)) if near or not self._reach else 0.5 * (reach + 1.5 * x)
            if near:
                reach = self._reach
            elif not full.any():
                return Contact(
                    approach=x, least_gap=least, stiffness=stiffness, rounds=rounds,
                    strips=self._strips[:n_strips].copy(), index=index.copy(), cells=self._cells[:n].copy(),
                    loads=loads, count=self.count,
                )  # fmt: skip
            stretch[index[full, 0], index[full, 1]] *= _WIDER
        raise SolveError(
            f"loaded contact: at the angle {math.degrees(angle_a):.4g} deg of gear A the contact outgrew its cells "
            f"{_TRIES} times; raise cells, or lower the torque"
        )

    def _first_guess(self, n: int, n_strips: int, reach: float) -> IntArray:
        """Cells that touched in the last call, by their places in the strips; at first those of Hertz's contact."""
        index, strips = self._index[:n_strips], self._strips[:n_strips]
        if self._memory is not None:
            teeth, pattern = self._memory
            slot = index[:, 2] - teeth[0]
            known = (slot >= 0) & (slot < len(teeth))
            active = pattern[np.where(known, slot, 0), index[:, 1]]
            active[~known] = 0
            return active.ravel()
        away = np.abs(self._cells[:n, 0].reshape(n_strips, self.count) ** 2 - strips[:, 3:4] ** 2)
        near = away <= 1.8 * strips[:, 1:2] * self.shape_a.base_radius
        return (near & (strips[:, 2:3] < 0.5 * reach)).astype(np.int64).ravel()

    def _remember(self, teeth: IntArray, index: IntArray, pattern: IntArray) -> None:
        kept = np.zeros((len(teeth), len(self.body_a.zeta), self.count), dtype=np.int64)
        kept[index[:, 0], index[:, 1]] = pattern
        self._memory = teeth, kept


class _Again(Exception):
    """The rooms were too small; they are larger now, and empty."""


def _failure(status: float, angle: float, n: int) -> str:
    where = f"loaded contact: at the angle {math.degrees(angle):.4g} deg of gear A, {n} cells"
    if status == INDEFINITE:
        return (
            f"{where}: the compliance of the cells is not positive definite; the mesh of a gear is too coarse along its "
            "flanks for this contact: make flank_edge smaller, or resolution lower"
        )
    return f"{where}: the set of touching cells did not settle; change resolution or cells, or the position a little"
