"""Two gears with flanks of any shape, pressed together: contact patches in cells that follow the contact.

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
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..errors import SolveError
from .cell_half_space import cell_half_space
from .contact_line import LeastGapLine
from .flank_hats import FlankHats
from .lever_active_set import LeverLoads, solve_levers

__all__ = ["PatchCells", "PressedTeeth", "SurfacePress"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

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
