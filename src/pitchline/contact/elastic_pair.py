"""Two elastic gears in contact on one side of their teeth: the kernels of this package, in their order.

    strips of cells  →  compliance of the cells  →  which of them touch, and their loads

for given angles of both gears, any pose of the second one, and a given normal force.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..errors import ModelError, SolveError
from ..fem.elastic_gear import ElasticGear
from ..gears.placement import Placement
from ..gears.teeth import Teeth
from ..gears.teeth.flank_pair import FlankPair
from .active_set import CONVERGED, INDEFINITE, CellLoads, CellSolver, HatShares
from .body_compliance import BodyCompliance, body_compliance
from .compliance import SHARES, hat_compliance_among, local_laws, number_hats, share_among_hats
from .face_slices import face_slices
from .flank_shape import FlankShape, flank_shape
from .half_space import contact_modulus
from .strip_search import RecordArray, StripSearch

if TYPE_CHECKING:
    from .surface_strips import SurfaceStripSearch

__all__ = ["Contact", "ElasticPair", "Ridges"]

FloatArray = npt.NDArray[np.float64]
Ridges = tuple[FloatArray, FloatArray]
"""Roll lengths and face coordinates [m] of lines."""
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
    strips : (n,)
        With the fields of `strips.Strip`: "slice", "tooth_a", "tooth_b", "height" of the cells and others.
    cells : (m,)
        With the fields of `strips.Cell`: "length_a", "face_a", "length_b", "face_b", and the "gap" before load [m].
    loads : (m,)
        Normal forces [N].
    count : int
        Cells of a strip.
    """

    approach: float
    stiffness: float
    rounds: int
    strips: RecordArray
    cells: RecordArray
    loads: FloatArray
    count: int

    @property
    def strip_loads(self) -> FloatArray:
        """Normal force of each strip [N]; (n,)."""
        return self.loads.reshape(-1, self.count).sum(axis=1)

    def face_load(self, widths: FloatArray) -> FloatArray:
        """Normal force per face width [N/m] on the slices of the face, all pairs of teeth together. widths: of the slices [m]."""
        return np.bincount(self.strips["slice"], weights=self.strip_loads, minlength=len(widths)) / widths

    def face_load_factor(self, widths: FloatArray) -> float:
        """K_Hβ: the greatest load per face width over its mean."""
        load = self.face_load(widths)
        return float(load.max() * widths.sum() / (load @ widths))


@dataclass
class _Memory:
    """Data of a case: angle of gear A, cells in contact, and range in which strips were searched [m]."""

    angle: float = 0.0
    teeth: IntArray | None = None
    pattern: IntArray | None = None
    reach: float = 0.0


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
        Positions of the slices of the face of A [m], and their widths along the generator [m].
    """

    def __init__(
        self, a: ElasticGear, b: ElasticGear, *, side: str, pose: Placement, resolution: float = 4.0, cells: int = 15
    ) -> None:
        self.a, self.b = a, b
        teeth_a, teeth_b = self._involutes()
        pair = FlankPair(teeth_a, teeth_b, side, pose)
        side_b = "left" if pair.b is teeth_b.left else "right"
        self.side, self.side_b, self.ratio = side, side_b, pair.ratio
        self.shape_a: FlankShape = flank_shape(pair.a)
        self.shape_b: FlankShape = flank_shape(pair.b)
        self.ridges_a, self.ridges_b = self._ridges(pair)
        self.pose = pose
        self.body_a, self.body_b = self._bodies()
        self.modulus = contact_modulus(a.material, b.material)
        self.face_width = min(gear.teeth.gear.required_face_width("loaded contact") for gear in (a, b))
        self.resolution, self.count = float(resolution), int(cells)
        twist, middle = self.shape_a.twist, float(pose.position[2])
        half = 0.5 * b.teeth.gear.required_face_width("loaded contact")
        self.zeta, widths = face_slices(
            self.body_a.zeta,
            abs(a.teeth.gear.angular_pitch / twist) if twist else math.inf,
            (middle - half, middle + half),
        )
        self.widths: FloatArray = widths / self.shape_a.base_helix_cosine
        self._grid_a, self._grid_b = (body.grid(averaged=twist != 0.0) for body in (self.body_a, self.body_b))
        self._edges = 0.5 * (self.zeta[1:] + self.zeta[:-1])
        self._memories: dict[int, _Memory] = {}
        self._search = self._search_in(self.zeta, self.count)
        self._cell_solver = CellSolver()

    def _ridges(self, pair: FlankPair) -> tuple[Ridges, Ridges]:
        """Convex edges inside the flanks of both gears: roll lengths and face coordinates [m]."""
        return pair.a.ridges, pair.b.ridges

    def _involutes(self) -> tuple[Teeth, Teeth]:
        """Teeth of both gears as involutes."""
        assert isinstance(self.a.teeth, Teeth) and isinstance(self.b.teeth, Teeth)
        return self.a.teeth, self.b.teeth

    def _bodies(self) -> tuple[BodyCompliance, BodyCompliance]:
        """Compliance of the flanks that touch."""
        return body_compliance(self.a, self.side), body_compliance(self.b, self.side_b)

    def twin(self) -> ElasticPair:
        """The same gears, for another thread: with searches and memories of its own."""
        other = copy.copy(self)
        other.__dict__.pop("_touch", None)
        other._memories = {}
        other._search = other._search_in(other.zeta, other.count)
        other._cell_solver = CellSolver()
        return other

    @property
    def lever(self) -> float:
        """r_b cos β_b of gear B [m]: torque per normal force, rotation per approach."""
        return self.shape_b.base_radius * self.shape_b.base_helix_cosine

    def _search_in(self, zeta: FloatArray, count: int) -> StripSearch | SurfaceStripSearch:
        options = {"resolution": self.resolution, "modulus": self.modulus}
        return StripSearch(self.shape_a, self.shape_b, self.pose, zeta, count=count, **options)

    @cached_property
    def _touch(self) -> StripSearch | SurfaceStripSearch:
        """Where flanks without load may touch first: in slices, on face lines and at the ends of the common face."""
        half = 0.5 * self.widths * self.shape_a.base_helix_cosine
        lines = self.body_a.zeta
        low, high = max(self.zeta[0] - half[0], lines[0]), min(self.zeta[-1] + half[-1], lines[-1])
        return self._search_in(
            np.unique(np.concatenate([self.zeta, lines[(lines > low) & (lines < high)], [low, high]])), 1
        )

    def forget(self) -> None:
        """Start the next position from nothing."""
        self._memories = {}

    # ----------------------------------------------------------------------------------------------------- geometry

    def carrying(self, angle_a: float, angle_b: float, teeth: IntArray) -> IntArray:
        """The teeth of A that are not missing, and that do not meet a missing tooth of B."""
        a, b = self.a.missing_teeth, self.b.missing_teeth
        if not a.any() and not b.any():
            return teeth
        left = teeth[~a[teeth % len(a)]]
        if b.any() and len(left):
            self._search(angle_a, angle_b, left, reach=1.0)
            strips = self._search.strips
            gone = np.unique(strips["tooth_a"][b[strips["tooth_b"] % len(b)]])
            left = left[~np.isin(left, gone)]
        if not len(left):
            raise ModelError(
                f"loaded contact: at the angle {math.degrees(angle_a):.4g} deg of gear A all teeth that would carry "
                f"load are missing"
            )
        return left

    def _apart(self, angle: float) -> str:
        missing = self.a.missing_teeth.any() or self.b.missing_teeth.any()
        return _apart(angle) + (". Teeth are missing: the others do not reach each other there" if missing else "")

    def least_gap(self, angle_a: float, angle_b: float, teeth: IntArray) -> float:
        """How far the slices are apart [m] along the normal of B; infinite where none of the teeth face each other."""
        teeth = self.carrying(angle_a, angle_b, teeth)
        rough = self._search(angle_a, angle_b, teeth, reach=-1.0)
        return self._search(angle_a, angle_b, teeth, reach=rough) if math.isfinite(rough) else rough

    def first_touch(self, angle_a: float, angle_b: float, teeth: IntArray) -> float:
        """What the approach is without load [m]: the least gap in slices, on face lines and at the ends of the common face."""
        least = -1.0
        teeth = self.carrying(angle_a, angle_b, teeth)
        for _ in range(2):  # roughly, then those that are as near
            least = self._touch(angle_a, angle_b, teeth, reach=least)
            if math.isinf(least):
                raise ModelError(self._apart(angle_a))
        return least

    # --------------------------------------------------------------------------------------------------- compliance

    def _places(self, on: str, cells: RecordArray) -> tuple[FloatArray, FloatArray]:
        """Coordinates of the cells on gear "a" or "b" along profile and face, as its `HatGrid` counts them."""
        return _column(cells, f"length_{on}"), _column(cells, f"face_{on}")

    def _ratio(self) -> FloatArray | None:
        """Of the lever of B to that of each cell; None where all are the same, as on involutes."""
        return None

    def _hats(self, on: str, strips: RecordArray, cells: RecordArray) -> HatShares:
        """Hats of gear "a" or "b" that share the forces of the cells, and their compliance."""
        body, grid, shape = (
            (self.body_a, self._grid_a, self.shape_a) if on == "a" else (self.body_b, self._grid_b, self.shape_b)
        )
        teeth = np.zeros(self._search.slots, dtype=np.int64)
        teeth[strips["slot"]] = strips[f"tooth_{on}"]
        n = len(cells)
        entries, weights = np.empty((n, SHARES), dtype=np.int64), np.empty((n, SHARES))
        share_among_hats(grid, *self._places(on, cells), entries, weights)
        ratio = self._ratio()
        if ratio is not None:
            weights *= ratio[:, None]
        places = np.empty((self._search.slots, body.compliance.shape[1]), dtype=np.int64)
        slot_of, hat_of = np.empty((2, min(places.size, SHARES * n)), dtype=np.int64)
        m = int(number_hats(_column(cells, "slot"), entries, weights, places, slot_of, hat_of))
        C = np.empty((m, m))
        hat_compliance_among(body.compliance, body.local, teeth, shape.teeth, int(body.own), slot_of, hat_of, C)
        return HatShares(C, entries, weights)

    def _solve(self, strips: RecordArray, cells: RecordArray, force: float, active: IntArray) -> CellLoads:
        """Loads of the cells that were found; `active` is changed."""
        of_a, of_b = self._hats("a", strips, cells), self._hats("b", strips, cells)
        laws = np.empty((len(strips), self.count))
        middle = cells[strips["first_cell"] + self.count // 2]
        local_laws(
            _column(strips, "height"), self.widths[strips["slice"]], self._grid_a, _column(middle, "face_a"),
            self._grid_b, _column(middle, "face_b"), np.empty(self.count), laws,
        )  # fmt: skip
        ratio = self._ratio()
        if ratio is None:
            return self._cell_solver(laws, of_a, of_b, _column(cells, "gap"), force, active)
        laws *= ratio.reshape(len(strips), self.count).mean(axis=1)[:, None] ** 2
        found = self._cell_solver(laws, of_a, of_b, _column(cells, "gap"), force, active)
        return replace(found, loads=found.loads * ratio)

    # ------------------------------------------------------------------------------------------------------ contact

    def press(
        self,
        angle_a: float,
        angle_b: float,
        force: float,
        teeth: IntArray,
        *,
        length: float | None = None,
        case: int = 0,
    ) -> Contact:
        """The contact under a normal force [N], the gears at their angles [rad], of the given teeth of A.

        length: of all contact lines [m], over which the force is shared when cells are laid out; the face width
        without it. The set of touching cells starts from that of the last call of the same case: a case is a load that goes
        on from position to position. In one position call the greatest load first: what it finds of the gaps holds for others.
        """
        teeth = self.carrying(angle_a, angle_b, teeth)
        memory = self._memories.setdefault(case, _Memory())
        line_load = force / (length or self.face_width)
        stretch = np.ones((len(teeth), len(self.zeta)))
        reach = memory.reach
        if not reach:
            reach = self.least_gap(angle_a, angle_b, teeth) + 2.0 * force / (_STIFFNESS * self.face_width)
        rounds = 0
        for _ in range(_TRIES):
            least = self._search(angle_a, angle_b, teeth, reach=reach, line_load=line_load, stretch=stretch)
            strips, cells = self._search.strips, self._search.cells
            if math.isinf(least):
                raise ModelError(self._apart(angle_a))
            if len(cells) == 0:
                reach = least + 2.0 * force / (_STIFFNESS * self.face_width)
                continue
            active = self._first_guess(memory, angle_a, strips, cells, reach)
            solved = self._solve(strips, cells, force, active)
            rounds += solved.rounds
            if solved.status != CONVERGED:
                raise SolveError(_failure(solved.status, angle_a, len(cells)))
            x = solved.approach
            pattern = active.reshape(len(strips), self.count)
            kept = np.zeros((len(teeth), len(self.zeta), self.count), dtype=np.int64)
            kept[strips["slot"], strips["slice"]] = pattern
            memory.angle, memory.teeth, memory.pattern = angle_a, teeth, kept
            full_low = (pattern[:, 0] != 0) & (strips["at_low"] == 0)
            full_high = (pattern[:, -1] != 0) & (strips["at_high"] == 0)
            full = full_low | full_high
            near = reach < 1.1 * x + 0.1 * (x - least)
            memory.reach = max(1.5 * x, x + 1.0 * (x - least)) if near or not memory.reach else 0.5 * (reach + 1.5 * x)
            if near:
                reach = memory.reach
            elif not full.any():
                return Contact(
                    approach=x, stiffness=solved.stiffness, rounds=rounds, strips=strips.copy(), cells=cells.copy(),
                    loads=solved.loads, count=self.count,
                )  # fmt: skip
            stretch[strips["slot"][full], strips["slice"][full]] *= _WIDER
        raise SolveError(
            f"loaded contact: at the angle {math.degrees(angle_a):.4g} deg of gear A the contact became larger than its cells "
            f"{_TRIES} times. Increase cells, or reduce the torque"
        )

    def _first_guess(
        self, memory: _Memory, angle_a: float, strips: RecordArray, cells: RecordArray, reach: float
    ) -> IntArray:
        """Cells that touched in the last call, by their places in the strips; at first those of Hertz's contact.

        A contact line of helical teeth has moved along the face since then, by −Δφ/κ: a slice takes over from the one that
        had its place on the line.
        """
        teeth, pattern = memory.teeth, memory.pattern
        if teeth is not None and pattern is not None:
            slot = strips["tooth_a"] - teeth[0]
            known = (slot >= 0) & (slot < len(teeth))
            twist = self.shape_a.twist
            moved = (angle_a - memory.angle) / twist if twist else 0.0
            there = np.searchsorted(self._edges, self.zeta + moved)
            there = np.where((there >= 0) & (there < len(self.zeta)), there, np.arange(len(self.zeta)))
            active = pattern[np.where(known, slot, 0), there[strips["slice"]]]
            active[~known] = 0
            return active.ravel()
        away = np.abs(cells["length_a"].reshape(-1, self.count) ** 2 - strips["length"][:, None] ** 2)
        near = away <= 1.8 * strips["half_width"][:, None] * self.shape_a.base_radius
        return (near & (strips["gap"][:, None] < 0.5 * reach)).astype(np.int64).ravel()


def _column(records: RecordArray, name: str) -> Any:
    """One field of many records as an array of its own, for compiled code."""
    return np.ascontiguousarray(records[name])


def _apart(angle: float) -> str:
    return (
        f"loaded contact: at the angle {math.degrees(angle):.4g} deg of gear A no teeth are opposite to each other. "
        "Check contact ratio, tip diameters, centre distance and face offset"
    )


def _failure(status: int, angle: float, n: int) -> str:
    where = f"loaded contact: at the angle {math.degrees(angle):.4g} deg of gear A, {n} cells"
    if status == INDEFINITE:
        return (
            f"{where}: the compliance of the cells is not positive definite. The grid of a gear is too coarse along its "
            "flanks for this contact. Use a smaller flank_edge or a lower resolution"
        )
    return f"{where}: the set of cells in contact did not converge. Change resolution or cells, or change the position slightly"
