"""Two gears with flanks of any shape, pressed together: elastic data and forces.

Two gears with flanks of any shape, pressed together: contact patches in cells that follow the contact.

For each pair of teeth near contact the line of least gap is found (`contact_line`). Strips across it are cut into cells. With the
motion φ of B at which a cell would touch, the lever w of its normal about the axis of B and the motion θ of B,

    gap = w (φ − θ) + A λ >= 0 ,    λ >= 0 ,   λ gap = 0 ,    Σ w λ = T .

A is the half-space between all cells of a pair of teeth, and what finite elements add to it (`flank_hats`), neighbouring teeth
included. An active set method finds the cells in contact (`lever_active_set`). Then cells are laid again on the patches found,
until they are resolved. Cells end where one of the flanks ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from pitchline.base.types import BoolArray, FloatArray, IntArray, RecordArray
from pitchline.errors import ModelError, SolveError
from pitchline.fem.elastic_gear import ElasticGear
from pitchline.fem.surface_grid import FlankGrid
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.inputs import Material
from pitchline.parts.gears.geometry.placement import Placement
from pitchline.parts.gears.surfaces.from_gears import SurfaceTeeth, surface_teeth
from pitchline.parts.gears.surfaces.patch import FlankPatch
from pitchline.parts.gears.teeth.rigid_contact import FlankPair
from pitchline.parts.gears.teeth.teeth import Teeth

from .compliance import cell_half_space, contact_modulus, hat_compliance
from .contact_line import LeastGapLine
from .elastic_pair import BodyCompliance, ElasticPair, Ridges, body_compliance
from .flank_data import half_space_scale, profile_place
from .lever_active_set import LeverLoads, solve_levers
from .surface_contact import surface_half_space
from .surface_strips import SurfacePair, SurfaceStripSearch

__all__ = [
    "SurfaceElasticPair",
    "elastic_pair",
    "involutes_of",
    "FlankHats",
    "flank_hats",
    "rigid_hats",
    "PatchCells",
    "PressedTeeth",
    "SurfacePress",
]


# ---- surface elastic pair

# Two elastic gears on parallel axes with flanks of any shape: `ElasticPair` with surfaces in place of involutes.


def involutes_of(teeth: Teeth | SurfaceTeeth) -> Teeth:
    """The teeth themselves, or those of the nominal gear of surfaces, without modifications."""
    if isinstance(teeth, Teeth):
        return teeth
    assert isinstance(teeth.gear, Gear)
    return Teeth(teeth.gear.with_(modifications=None, flanks=None))


class SurfaceElasticPair(ElasticPair):
    """Two gears, one pair of sides. Parameters as for `ElasticPair`; surfaces: of the teeth of both gears.

    The hats of the elastic gears are those of involutes or of surfaces. Their nominal gears are cylindrical: base circles and roll
    lengths are those of the nominal gears.
    """

    def __init__(
        self, a: ElasticGear, b: ElasticGear, surfaces: tuple[SurfaceTeeth, SurfaceTeeth], *, side: str, pose: Placement,
        resolution: float = 4.0, cells: int = 15,
    ) -> None:  # fmt: skip
        self._surfaces = surfaces
        super().__init__(a, b, side=side, pose=pose, resolution=resolution, cells=cells)

    def _involutes(self) -> tuple[Teeth, Teeth]:
        return involutes_of(self.a.teeth), involutes_of(self.b.teeth)

    def _ridges(self, pair: FlankPair) -> tuple[Ridges, Ridges]:
        found = []
        for surfaces, side, shape in zip(
            self._surfaces, (self.side, self.side_b), (self.shape_a, self.shape_b), strict=True
        ):
            patch = surfaces.flank(side)
            along_u, along_v = patch.ridges
            r = np.hypot(*patch.point(along_u, 0.5)[:, :2].T)
            lengths = np.sqrt(np.maximum(r * r - shape.base_radius**2, 0.0))
            found.append((lengths, patch.point(0.5, along_v)[:, 2]))
        return found[0], found[1]

    def _bodies(self) -> tuple[BodyCompliance, BodyCompliance]:
        return _body(self.a, self.side), _body(self.b, self.side_b)

    def _search_in(self, zeta: FloatArray, count: int) -> SurfaceStripSearch:
        # each search has a pair of its own, whose records are changed by compiled code: there may be several threads
        pair = SurfacePair(*self._surfaces, self.pose, self.side, ratio=self.ratio)
        return SurfaceStripSearch(
            pair, (self.shape_a, self.shape_b), self.lever, zeta, count=count, resolution=self.resolution, modulus=self.modulus
        )  # fmt: skip

    def _places(self, on: str, cells: RecordArray) -> tuple[FloatArray, FloatArray]:
        search = self._search
        assert isinstance(search, SurfaceStripSearch)
        which = "ab".index(on)
        gear = (self.a, self.b)[which]
        side = (self.side, self.side_b)[which]
        grid = gear.grids[side]
        face = np.ascontiguousarray(cells[f"face_{on}"])
        if isinstance(grid, FlankGrid):
            lines = np.arange(grid.shape[1], dtype=np.float64)
            place = profile_place(grid, cells[f"length_{on}"], np.interp(face, grid.zeta, lines))
        else:
            place = np.clip(search.places[which][:, 0], 0.0, 1.0) * (grid.shape[0] - 1)
        return np.sqrt(place), face

    def _ratio(self) -> FloatArray | None:
        if isinstance(self.b.grids[self.side_b], FlankGrid):
            return None  # its hats are loaded along the normals of involutes, which all have one lever
        search = self._search
        assert isinstance(search, SurfaceStripSearch)
        return search.ratio


def elastic_pair(
    a: ElasticGear, b: ElasticGear, *, side: str, pose: Placement, resolution: float = 4.0, cells: int = 15
) -> ElasticPair:
    """Two cylindrical gears: by the closed form of involutes, or by surfaces if one of them has flanks of another origin."""
    if isinstance(a.teeth, Teeth) and isinstance(b.teeth, Teeth):
        return ElasticPair(a, b, side=side, pose=pose, resolution=resolution, cells=cells)
    surfaces = surface_teeth(a.teeth), surface_teeth(b.teeth)
    return SurfaceElasticPair(a, b, surfaces, side=side, pose=pose, resolution=resolution, cells=cells)


def _body(gear: ElasticGear, side: str) -> BodyCompliance:
    """Of a flank whose places along the profile are counted in hats: s = place, with L = sqrt(s) and r_b = 1/2."""
    grid = gear.grids[side]
    if isinstance(grid, FlankGrid):
        found = body_compliance(replace(gear, teeth=involutes_of(gear.teeth)), side)
        same = np.ones_like(found.spacing)
        return replace(found, first=0.0 * same, spacing=same, base_radius=0.5)
    rows, lines = grid.shape
    zeta = np.ascontiguousarray(grid.points[..., 2].mean(axis=0))
    ends = np.concatenate([zeta[:1], 0.5 * (zeta[1:] + zeta[:-1]), zeta[-1:]])
    widths = np.diff(ends) / math.cos(involutes_of(gear.teeth).flank(side).involute.base_helix_angle)
    across = np.linalg.norm(np.diff(grid.points, axis=0), axis=-1).mean(axis=0)
    scale = 1.0 / (math.pi * contact_modulus(gear.material))
    alike = zip(np.round(across, 13), np.round(widths, 13), strict=True)
    local = np.stack([hat_compliance(float(d), float(w), rows, scale=scale) for d, w in alike])
    size = grid.size
    compliance = np.require(gear.compliance[side, side].reshape(-1, size, size), np.float64, ["C", "W", "A"])
    reach, own = int(gear.offsets[-1]), not gear.symmetric
    first, spacing = np.zeros(lines), np.ones(lines)
    return BodyCompliance(zeta, widths, first, spacing, 0.5, rows, compliance, local, scale, reach, own)


# ---- flank hats

# One flank of an elastic gear for contact in cells: what is left of its compliance without the half-space under its
# hats.
#
# The cells of a contact contain the half-space at their own scale. Finite elements contain it too, at the scale of
# their hats. It is taken out of their compliance (`surface_contact`), and what is left is smooth enough to be
# interpolated between hats.


@dataclass(frozen=True, eq=False)
class FlankHats:
    """The hats on one side of the teeth of a gear.

    Attributes
    ----------
    patch
        The flank of tooth 0.
    grid
        Its hats; None for a rigid gear, whose flank is a half-space.
    compliance : (offsets, hats, hats)
        [m/N] Without the half-space; from tooth to tooth. Of a gear without symmetry (teeth, offsets, hats, hats).
    whole : (hats, hats)
        [m/N] Of one tooth, with the half-space: between two contacts on it that are apart. Of a gear without symmetry (teeth, hats,
        hats).
    reach : int
        Number of neighbours on either side.
    teeth : int
        Of the gear; 0 for a rack, whose teeth do not come round again.
    scale : float
        (1 − ν²)/(π E) [1/Pa]
    base_radius : float
        Of the involutes whose roll lengths the grid has [m].
    """

    patch: FlankPatch
    grid: Any
    compliance: FloatArray
    whole: FloatArray
    reach: int
    teeth: int
    scale: float
    base_radius: float = 0.0

    def weights(self, u: FloatArray, v: FloatArray) -> sp.csr_matrix:
        """Values of the hats at points (u, v); (points, hats)."""
        if isinstance(self.grid, FlankGrid):
            return _on_involute(self.grid, self.base_radius, self.patch.point(u, v))
        hats, values = self.grid.shares(u, v)
        rows = np.repeat(np.arange(len(hats)), hats.shape[1])
        return sp.csr_matrix((values.ravel(), (rows, hats.ravel())), shape=(len(hats), self.grid.size))

    def between(self, tooth: int, other: int, *, one_patch: bool) -> FloatArray | None:
        """Compliance of the hats of a tooth to forces on another one; None where it is too far. one_patch: within one contact."""
        if self.grid is None:
            return None
        offset = tooth - other
        if self.teeth:
            offset -= self.teeth * round(offset / self.teeth)
        own = self.compliance.ndim == 4  # each tooth has its own
        if offset == 0 and not one_patch:
            return self.whole[other % self.teeth] if own else self.whole
        if abs(offset) > self.reach:
            return None
        return self.compliance[other % self.teeth, self.reach + offset] if own else self.compliance[self.reach + offset]


def rigid_hats(patch: FlankPatch, material: Material) -> FlankHats:
    """A rigid gear with a flank that yields as a half-space does."""
    return FlankHats(patch, None, np.zeros((1, 0, 0)), np.zeros((0, 0)), 0, 0, half_space_scale(material))


def flank_hats(gear: ElasticGear, side: str, patch: FlankPatch, *, rack: bool = False) -> FlankHats:
    """Of the "left" or "right" flanks of an elastic gear, whose surface is that of `patch`."""
    if gear.rigid:
        return rigid_hats(patch, gear.material)
    if gear.missing_teeth.any():
        raise ModelError(
            "loaded contact: gears with missing teeth are supported for involute gears with parallel axes only. Use "
            "a mesh with all "
            "teeth for this pair"
        )
    grid = gear.grids[side]
    scale = half_space_scale(gear.material)
    found = np.array(gear.compliance[side, side], dtype=np.float64)
    base_radius = 0.0
    if isinstance(grid, FlankGrid):
        flank = involutes_of(gear.teeth).flank(side).involute
        base_radius = flank.base_radius
        points = flank.point(grid.lengths, grid.zeta)
    else:
        points = grid.points
    middle = int(np.flatnonzero(gear.offsets == 0)[0])
    whole = found[..., middle, :, :].copy()
    found[..., middle, :, :] -= surface_half_space(points, scale=scale)
    return FlankHats(
        patch, grid, found, whole, (found.shape[-3] - 1) // 2, 0 if rack else gear.teeth.gear.teeth, scale, base_radius
    )


def _on_involute(grid: FlankGrid, base_radius: float, points: FloatArray) -> sp.csr_matrix:
    """Of the four hats around points of an involute flank, by their radius and height."""
    rows, lines = grid.shape
    square = np.maximum(points[:, 0] ** 2 + points[:, 1] ** 2 - base_radius**2, 0.0)
    face = np.interp(points[:, 2], grid.zeta, np.arange(lines, dtype=np.float64))
    place = profile_place(grid, np.sqrt(square), face)
    i, j = np.clip(place.astype(np.int64), 0, rows - 2), np.clip(face.astype(np.int64), 0, lines - 2)
    s, t = place - i, face - j
    hats = np.stack([i * lines + j, (i + 1) * lines + j, i * lines + j + 1, (i + 1) * lines + j + 1], axis=1)
    values = np.stack([(1.0 - s) * (1.0 - t), s * (1.0 - t), (1.0 - s) * t, s * t], axis=1)
    which = np.repeat(np.arange(len(points)), 4)
    return sp.csr_matrix((values.ravel(), (which, hats.ravel())), shape=(len(points), grid.size))


_PASSES = 16
_COARSE = 12, 9
"""Number of strips and cells for the first search of the patches."""
_SHARPEST = 0.1
"""Smallest width of the cells on both sides, divided by Hertz's half width."""
_BESIDE = 1.25
"""Width covered by cells, divided by the expected half width."""
_FILLED = 0.7
"""Patches cover at least this part of their cells."""
_SOFTEST = 3e9 / 2.1e11
"""Tooth stiffness per face width by Young's modulus, for the first estimate: a fifth of the usual one."""


@dataclass(frozen=True, eq=False)
class PatchCells:
    """Cells of one pair of teeth; (strips, cells) arrays.

    Attributes
    ----------
    tooth_a, tooth_b : int
    starts, y, middle : (strips,)
        In the plane of `line` [m]: x of the first cell of each strip, y of the strip, and x of the least gap there.
    height, width : float
        Of a cell across and along the line [m].
    u_a, v_a, u_b, v_b
        Places on both flanks.
    touch, lever
        Motion of B at which a cell touches and lever of its normal.
    present
        Whether both flanks exist there.
    at_low, at_high : (strips,)
        Whether a strip ends with one of the flanks.
    load
        Normal force [N].
    """

    tooth_a: int
    tooth_b: int
    line: LeastGapLine
    starts: FloatArray
    y: FloatArray
    middle: FloatArray
    height: float
    width: float
    u_a: FloatArray
    v_a: FloatArray
    u_b: FloatArray
    v_b: FloatArray
    touch: FloatArray
    lever: FloatArray
    present: BoolArray
    at_low: BoolArray
    at_high: BoolArray
    load: FloatArray

    @property
    def x(self) -> FloatArray:
        """Of all cells [m]."""
        return np.asarray(self.starts[:, None] + self.height * np.arange(self.touch.shape[1]))

    @property
    def pressure(self) -> FloatArray:
        """[Pa]"""
        return self.load / (self.height * self.width)


@dataclass(frozen=True, eq=False)
class PressedTeeth:
    """Two gears pressed together in one position.

    Attributes
    ----------
    motion : float
        θ of B beyond its ideal position [rad], of a rack [m].
    stiffness : float
        dT/dθ [N m/rad], of a rack [N/m].
    patches
        Of all pairs of teeth that carry load.
    rounds : int
    """

    motion: float
    stiffness: float
    patches: tuple[PatchCells, ...]
    rounds: int


@dataclass(frozen=True)
class _CellRegion:
    """Where the cells of a pair of teeth lie: between two y of its line and up to `half` from it [m]."""

    which: int
    low: float
    high: float
    half: float


class SurfacePress:
    """Presses two gears together on one side of their teeth.

    a, b: their hats; face: length that the teeth have in common, about [m]; strips, cells: number along and across a patch.
    """

    def __init__(self, a: FlankHats, b: FlankHats, *, face: float, strips: int = 24, cells: int = 15) -> None:
        self.hats = a, b
        self.face, self.strips, self.cells = face, strips, cells
        self.kappa = a.scale + b.scale
        self.modulus = 1.0 / (math.pi * self.kappa)
        self._soft = [one for one in self.hats if one.grid is not None]

    # --------------------------------------------------------------------------------------------------------- solving

    def press(self, torque: float, lines: Sequence[tuple[int, LeastGapLine]], *, guess: float = 0.0) -> PressedTeeth:
        """The contact under a torque [N m] (of a rack: force [N]), positive. lines: those of the teeth of A that may touch.

        guess: θ − least of a similar position, from which the search starts.
        """
        first = min(line.least for _, line in lines)
        deep = guess if guess > 0.0 else self.estimate(torque, lines)
        most = first + 1.2 * deep
        regions = self._first(torque, lines, most)
        strips, cells = min(_COARSE[0], self.strips), min(_COARSE[1], self.cells)
        rounds = 0
        for _ in range(_PASSES):
            laid = [self._lay(lines[region.which], region, strips, cells) for region in regions]
            kept = [i for i, s in enumerate(laid) if s.present.any()]
            laid, regions = [laid[i] for i in kept], [regions[i] for i in kept]
            if not laid:
                most = first + 2.0 * (most - first)
                regions = self._first(torque, lines, most)
                continue
            solved, loads = self._solve(laid, torque)
            rounds += solved.rounds
            if solved.motion > most + 1e-9 * abs(most - first):
                most = first + 1.5 * (solved.motion - first)
                regions = self._first(torque, lines, most)
                continue
            regions, settled = self._next(regions, laid, loads)
            if settled and (strips, cells) != (self.strips, self.cells):
                strips, cells = self.strips, self.cells
            elif settled:
                patches = tuple(_with_load(s, load) for s, load in zip(laid, loads, strict=True) if (load > 0.0).any())
                return PressedTeeth(solved.motion, solved.stiffness, patches, rounds)
        raise SolveError(
            f"loaded contact: the contact patches do not converge at {torque:g} N m. The contact may be larger than the "
            "flanks, or its approach smaller than the accuracy of their surfaces. Change the torque, strips or cells"
        )

    def estimate(self, torque: float, lines: Sequence[tuple[int, LeastGapLine]]) -> float:
        """θ beyond first touch, rather too large: Hertz's approach of one pair, and bending of soft teeth."""
        line = min((one for _, one in lines), key=lambda one: one.least)
        force = torque / line.lever
        small, large = max(line.curvatures[0], 0.0), max(line.curvatures[1], 1.0)
        radius = 1.0 / math.sqrt(max(small, 1e-3 * large) * large)
        deep = (9.0 * force**2 / (16.0 * self.modulus**2 * radius)) ** (1.0 / 3.0)
        if self._soft:
            deep += force / (_SOFTEST * math.pi * self.modulus * self.face)
        return deep / line.lever

    def _first(self, torque: float, lines: Sequence[tuple[int, LeastGapLine]], most: float) -> list[_CellRegion]:
        """Everything that would overlap if the gears were rigid, with the widths of a load spread over all of it."""
        found = []
        for which, (_, line) in enumerate(lines):
            between = line.overlap(most)
            if between is not None and between[1] > between[0]:
                found.append((which, *between))
        total = sum(high - low for _, low, high in found)
        regions = []
        for which, low, high in found:
            line = lines[which][1]
            load = 2.0 * torque / (line.lever * total)
            half = 1.5 * math.sqrt(4.0 * self.kappa * load / max(line.curvatures[1], 1.0))
            regions.append(_CellRegion(which, low, high, half))
        return regions

    def _next(
        self, regions: Sequence[_CellRegion], laid: Sequence[PatchCells], loads: Sequence[FloatArray]
    ) -> tuple[list[_CellRegion], bool]:
        """Return the next regions of the cells, and whether the present ones are sufficient."""
        found, settled = [], True
        for region, s, load in zip(regions, laid, loads, strict=True):
            loaded = load > 0.0
            if not loaded.any():
                continue
            rows = np.flatnonzero(loaded.any(axis=1))
            low, high = float(s.y[rows[0]]) - 1.5 * s.width, float(s.y[rows[-1]]) + 1.5 * s.width
            away = np.abs(s.x - s.middle[:, None])[loaded]
            half = _BESIDE * (float(away.max()) + 0.5 * s.height)
            # an edge digs in sharply: no need to follow it down to nothing
            most = float(load.sum(axis=1).max()) / s.width
            half = max(half, _SHARPEST * math.sqrt(4.0 * self.kappa * most / max(s.line.curvatures[1], 1.0)))
            first, last = float(s.y[0]) - 0.5 * s.width, float(s.y[-1]) + 0.5 * s.width
            low, high = max(low, s.line.ends[0]), min(high, s.line.ends[1])
            cut = low < first - 1e-3 * s.width or high > last + 1e-3 * s.width
            cut |= bool((loaded[:, 0] & ~s.at_low).any() or (loaded[:, -1] & ~s.at_high).any())
            small = high - low < _FILLED * (last - first) or half < _FILLED * region.half
            settled &= not (cut or small)
            found.append(
                _CellRegion(region.which, low, high, max(half, 1.2 * region.half) if cut and not small else half)
            )
        return found, settled

    def _solve(self, laid: Sequence[PatchCells], torque: float) -> tuple[LeverLoads, list[FloatArray]]:
        cells = [np.nonzero(s.present) for s in laid]
        levers = np.concatenate([s.lever[where] for s, where in zip(laid, cells, strict=True)])
        touches = np.concatenate([s.touch[where] for s, where in zip(laid, cells, strict=True)])
        A = self._compliance(laid, cells)
        active = touches <= np.partition(touches, len(touches) // 2)[len(touches) // 2]
        solved = solve_levers(A, levers, touches, torque, active)
        loads = []
        ends = np.cumsum([len(rows) for rows, _ in cells])[:-1]
        for s, where, part in zip(laid, cells, np.split(solved.loads, ends), strict=True):
            own = np.zeros(s.touch.shape)
            own[where] = part
            loads.append(own)
        return solved, loads

    # ------------------------------------------------------------------------------------------------------ compliance

    def _compliance(self, laid: Sequence[PatchCells], cells: Sequence[tuple[IntArray, ...]]) -> FloatArray:
        ends = np.concatenate([[0], np.cumsum([len(rows) for rows, _ in cells])])
        A = np.zeros((ends[-1], ends[-1]))
        for which, hats in enumerate(self.hats):
            if hats.grid is None:
                continue
            places = []
            for s, where in zip(laid, cells, strict=True):
                u, v = (s.u_a, s.v_a) if which == 0 else (s.u_b, s.v_b)
                places.append(hats.weights(u[where], v[where]))
            for i, s in enumerate(laid):
                for j in range(i + 1):
                    other = laid[j]
                    teeth = (s.tooth_a, other.tooth_a) if which == 0 else (s.tooth_b, other.tooth_b)
                    D = hats.between(*teeth, one_patch=i == j)
                    if D is None:
                        continue
                    block = places[i] @ (places[j] @ D.T).T
                    A[ends[i] : ends[i + 1], ends[j] : ends[j + 1]] += block
                    if i != j:
                        A[ends[j] : ends[j + 1], ends[i] : ends[i + 1]] += block.T
        for i, (s, (rows, columns)) in enumerate(zip(laid, cells, strict=True)):
            own = slice(ends[i], ends[i + 1])
            block = np.ascontiguousarray(0.5 * (A[own, own] + A[own, own].T))
            cell_half_space(
                block, s.starts, rows.astype(np.int64), columns.astype(np.int64), count=s.touch.shape[1], height=s.height,
                width=s.width, scale=self.kappa,
            )  # fmt: skip
            A[own, own] = block
        return A

    # -------------------------------------------------------------------------------------------------------- geometry

    def _lay(self, of: tuple[int, LeastGapLine], region: _CellRegion, strips: int, cells: int) -> PatchCells:
        tooth, line = of
        edges = np.linspace(region.low, region.high, strips + 1)
        y = 0.5 * (edges[1:] + edges[:-1])
        middle, low, high = line.course(y, 1.5 * region.half)
        height = min(2.0 * region.half, max(float((high - low).max()), 1e-9)) / cells
        span = cells * height
        start = np.maximum(np.minimum(middle - 0.5 * span, high - span), low)
        starts = start + 0.5 * height
        x = starts[:, None] + height * np.arange(cells)
        met = line.at(x, y[:, None])
        present = met.inside >= -1e-9
        teeth_b = met.tooth_b[present]
        tooth_b = int(teeth_b[np.argmin(met.touch[present])]) if present.any() else 0
        present &= met.tooth_b == tooth_b
        return PatchCells(
            tooth_a=tooth, tooth_b=tooth_b, line=line, starts=starts, y=y, height=height, width=float(edges[1] - edges[0]),
            middle=middle, u_a=met.u_a, v_a=met.v_a, u_b=met.u_b, v_b=met.v_b, touch=met.touch, lever=met.lever, present=present,
            at_low=start <= low + 1e-6 * height, at_high=start + span >= high - 1e-6 * height, load=np.zeros(x.shape),
        )  # fmt: skip


def _with_load(s: PatchCells, load: FloatArray) -> PatchCells:
    return PatchCells(**{**vars(s), "load": load})
