"""Two elastic gears in contact: compliance of their bodies, pressure at their edges, and the steps of a solution.

Two elastic gears in contact on one side of their teeth: the kernels of this package, in their order.

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

from pitchline.base.types import FloatArray, IntArray, RecordArray
from pitchline.errors import ModelError, SolveError
from pitchline.fem.elastic_gear import ElasticGear
from pitchline.numerics.fields import packed
from pitchline.parts.gears.geometry.placement import Placement
from pitchline.parts.gears.teeth.rigid_contact import FlankPair
from pitchline.parts.gears.teeth.teeth import Teeth

from .active_set import CONVERGED, INDEFINITE, CellLoads, CellSolver, HatShares
from .compliance import (
    SHARES,
    HatGrid,
    contact_modulus,
    hat_compliance,
    hat_compliance_among,
    local_laws,
    number_hats,
    share_among_hats,
)
from .flank_data import EDGES, face_slices
from .surface_strips import FlankShape, StripSearch, flank_shape

if TYPE_CHECKING:
    from .surface_strips import SurfaceStripSearch

__all__ = ["BodyCompliance", "body_compliance", "Contact", "ElasticPair", "Ridges", "edge_cells"]


# ---- body compliance

# One flank of an elastic gear as the arrays that compiled contact kernels read: what is left of its compliance when
# the half-space is taken away.
#
# The finite elements give the compliance S of hats, a fraction of a millimetre apart along the profile. Contact is
# narrower than that. Within one slice of the face the half-space answers on any scale, the hats included; so in
#
# A = K(cells) + Pᵀ (S − S_half-space) P
#
# K and S_half-space are the half-space's answers for cells and for hats of one slice, and P shares the force of a
# cell among the neighbouring hats, which keeps force and moment. The singular part near the load comes only from the
# half-space; what is left is smooth.


@dataclass(frozen=True, eq=False)
class BodyCompliance:
    """Compliance of the flanks of all teeth on one side of a gear.

    Attributes
    ----------
    zeta : (n_face,)
        Face lines of the hats [m].
    widths : (n_face,)
        Widths of the slices of the face around them, along the generator [m]: what the hats cover.
    first, spacing : (n_face,)
        Arc s = L²/(2 r_b) of the first hat of a face line, and from hat to hat [m].
    base_radius : float
        r_b [m]
    hats : int
        Number of hats along the profile.
    compliance : (2 reach + 1, hats n_face, hats n_face)
        S [m/N] of hats i n_face + j, by the offset of the teeth from −reach to reach; of a gear without symmetry so many blocks for
        each tooth, one after the other.
    local : (n_face, hats, hats)
        What the half-space answers in each slice [m/N].
    scale : float
        (1 − ν²)/(π E) [1/Pa]
    reach : int
        Neighbours on either side.
    own : bool
        Whether each tooth has its own compliance.
    """

    zeta: FloatArray
    widths: FloatArray
    first: FloatArray
    spacing: FloatArray
    base_radius: float
    hats: int
    compliance: FloatArray
    local: FloatArray
    scale: float
    reach: int
    own: bool

    def grid(self, *, averaged: bool) -> FloatArray:
        """The record `HatGrid` for compiled code, with shares averaged along the face or not."""
        names = ("hats", "base_radius", "scale", "zeta", "widths", "first", "spacing")
        window = self.window if averaged else np.zeros_like(self.zeta)
        return packed(HatGrid, {"window": window, **{name: getattr(self, name) for name in names}})

    @property
    def window(self) -> FloatArray:
        """(n_face,) at each face line the lesser distance to its neighbours [m]: how wide shares of a slice are averaged."""
        apart = np.diff(self.zeta)
        return np.minimum(np.concatenate([apart[:1], apart]), np.concatenate([apart, apart[-1:]]))


def body_compliance(gear: ElasticGear, side: str) -> BodyCompliance:
    """The arrays of the "left" or "right" flanks of a gear."""
    grid, flank = gear.grids[side], gear.teeth.flank(side)
    hats = grid.lengths.shape[0]
    zeta = np.array(grid.zeta, dtype=np.float64)
    ends = np.concatenate([zeta[:1], 0.5 * (zeta[1:] + zeta[:-1]), zeta[-1:]])
    widths = np.diff(ends) / math.cos(flank.involute.base_helix_angle)
    base_radius = flank.involute.base_radius
    s = np.asarray(grid.lengths) ** 2 / (2.0 * base_radius)
    spacing = (s[-1] - s[0]) / (hats - 1)
    scale = 1.0 / (math.pi * contact_modulus(gear.material))
    alike = zip(np.round(np.abs(spacing), 13), np.round(widths, 13), strict=True)  # equal but for rounding
    local = np.stack([hat_compliance(float(d), float(w), hats, scale=scale) for d, w in alike])
    size = grid.size
    compliance = np.require(gear.compliance[side, side].reshape(-1, size, size), np.float64, ["C", "W", "A"])
    reach, own = int(gear.offsets[-1]), not gear.symmetric
    return BodyCompliance(zeta, widths, s[0], spacing, base_radius, hats, compliance, local, scale, reach, own)


Ridges = tuple[FloatArray, FloatArray]
"""Roll lengths and face coordinates [m] of lines."""

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


# ---- edge cells

# Which cells of a contact lie at an edge: of a tip, of the other end of a flank, or of the face.
#
# At a sharp edge the pressure of elastic bodies has no bound: its value in a cell depends on the size of the cell. A
# contact that reaches the end of a flank, so that the last cell there carries load, is therefore marked as far as
# Hertz's half width goes from that end; and all that carries load within that distance of an end of the face, the
# last slice at least.
#
# The start of a linear relief is an obtuse edge: its pressure increases by the same amount whenever the cells are
# halved. Cells within a quarter of Hertz's half width of it are marked. Farther away the pressure has a limit, which
# the cells resolve.

_TIP_A, _TIP_B, _ROOT_A, _ROOT_B, _END, _RELIEF_A, _RELIEF_B = range(1, len(EDGES))
_NEAR_RIDGE = 0.25
"""Distance from the start of a relief within which cells are marked, in half widths."""


def edge_cells(contact: Contact, pair: ElasticPair) -> IntArray:
    """(strips, cells of a strip) numbers of `EDGES`."""
    strips, count = contact.strips, contact.count
    marks = np.zeros((len(strips), count), dtype=np.int64)
    if len(strips) == 0:
        return marks
    loaded = contact.loads.reshape(-1, count) > 0.0
    height, half = strips["height"], np.maximum(strips["half_width"], strips["height"])
    # ends of the face
    width = pair.widths * pair.shape_a.base_helix_cosine
    low, high = pair.zeta[0] - 0.5 * width[0], pair.zeta[-1] + 0.5 * width[-1]
    here = pair.zeta[strips["slice"]]
    last = (strips["slice"] == 0) | (strips["slice"] == len(pair.zeta) - 1)
    at_end = last | (np.minimum(here - low, high - here) < half)
    marks[at_end[:, None] & loaded] = _END
    # ends of the flanks
    beyond = np.arange(count) * height[:, None]  # of the near border of each cell from the low end
    kinds = _kinds(contact, pair)
    for flag, first, distance, kind in (
        ("at_low", 0, beyond, kinds[0]),
        ("at_high", -1, beyond[:, ::-1], kinds[1]),
    ):
        reached = (strips[flag] != 0) & loaded[:, first]
        near = reached[:, None] & loaded & (distance < half[:, None])
        marks = np.where(near, kind[:, None], marks)
    for name, ridges, relief in (("a", pair.ridges_a, _RELIEF_A), ("b", pair.ridges_b, _RELIEF_B)):
        near = _near_ridge(contact, pair, name, ridges) & loaded & (marks == 0)
        marks[near] = relief
    return marks


def _near_ridge(contact: Contact, pair: ElasticPair, gear: str, ridges: Ridges) -> npt.NDArray[np.bool_]:
    """(strips, cells) whether a cell is close to a convex edge inside the flank of a gear."""
    strips, count = contact.strips, contact.count
    height = strips["height"][:, None]
    half = np.maximum(strips["half_width"][:, None], height)
    near = np.zeros((len(strips), count), dtype=np.bool_)
    lengths, faces = (contact.cells[f"{key}_{gear}"].reshape(-1, count) for key in ("length", "face"))
    if len(ridges[0]):
        step = np.abs(np.diff(lengths, axis=1).mean(axis=1))[:, None]  # of the roll length from cell to cell
        for line in ridges[0]:
            near |= np.abs(lengths - line) / step * height <= np.maximum(_NEAR_RIDGE * half, 0.75 * height)
    width = pair.widths[strips["slice"]][:, None] * pair.shape_a.base_helix_cosine
    for line in ridges[1]:
        near |= np.abs(faces - line) <= np.maximum(_NEAR_RIDGE * half, 0.51 * width)
    return near


def _kinds(contact: Contact, pair: ElasticPair) -> tuple[IntArray, IntArray]:
    """What ends each strip at its least and at its greatest L of gear A."""
    lengths_a = contact.cells["length_a"].reshape(-1, contact.count)
    lengths_b = contact.cells["length_b"].reshape(-1, contact.count)
    step = np.abs(lengths_a[:, 1] - lengths_a[:, 0])
    limits_a, limits_b = (np.array([shape.limits.min(), shape.limits.max()]) for shape in (pair.shape_a, pair.shape_b))
    internal_b = pair.b.teeth.gear.internal

    def of_b(length: npt.NDArray[np.float64]) -> IntArray:
        at_high = np.abs(length - limits_b[1]) < np.abs(length - limits_b[0])
        return np.where(at_high != internal_b, _TIP_B, _ROOT_B)  # the tip of an internal gear has the least L

    low = np.where(lengths_a[:, 0] - limits_a[0] < step, _ROOT_A, of_b(lengths_b[:, 0]))
    high = np.where(limits_a[1] - lengths_a[:, -1] < step, _TIP_A, of_b(lengths_b[:, -1]))
    return low, high
