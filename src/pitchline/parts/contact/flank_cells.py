"""Elastic flanks pressed together, resolved along face and profile: the contact patch by cells.

For each pair of teeth near contact, strips of the face of gear A are cut into cells along the profile, around the place where
the rigid flanks come nearest. With G the approach along the hoop at which a cell would touch
(`parts.gears.teeth.rigid_contact`: true surfaces, modifications, conical gears), W c_B the lever of the normal about the axis
of B and c_B = m_n z_B/2,

    gap = W (G − u) + D λ + κ Σ λ/ρ >= 0 ,    λ >= 0 ,   λ gap = 0 ,     Σ W λ = T/c_B .

D is the compliance of the finite elements without the half-space part of their hat functions (`contact.flank_data`). It is smooth
enough to be interpolated between them. 1/ρ is the mean of the half-space compliance over both cells (Love's integral, see
`contact.strip_gaps`). It also couples different strips, so contact can have any width: Hertz's ellipse is a result. Cells end
where one of the flanks ends, at tips and form lines. An active-set method finds the cells in contact. Then the cells are placed
again on the patches found, until the patches are resolved.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import scipy.linalg
import scipy.sparse as sp

from pitchline.analyses.time_options import TimeOptions
from pitchline.base.types import BoolArray, FloatArray, IntArray
from pitchline.contact.flank_data import half_space_scale, profile_place, without_half_space
from pitchline.contact.strip_gaps import antiderivative, contact_levers, relative_radii
from pitchline.engine.compile.system import System
from pitchline.engine.elements.contract import Element
from pitchline.errors import ModelError, PitchlineError
from pitchline.fem.elastic_gear import ElasticGear
from pitchline.fem.surface_grid import FlankGrid

from ..gears.geometry.placement import Placement
from ..gears.teeth.rigid_contact import FlankPair
from ..meshes.kernel_flank import FLANK_MESH, flank_alone
from ..meshes.kernel_flank_stability import alternating_compliance
from .results_flank import ContactPatch

__all__ = ["CellContact", "FlankStability", "stable_steps"]


_TEETH = 4
"""Number of tooth pairs that are examined on both sides of the line of centres."""
_PASSES, _ROUNDS = 12, 200
_COARSE = 12, 9
"""Number of strips and cells for the first search of the patches."""
_SHARPEST = 0.1
"""Smallest width of the cells on both sides, divided by Hertz's half width."""
_NEAR_RIDGE = 0.25
"""Distance from an edge inside a flank within which cells are at the edge, in half widths of the contact."""
_EDGE_BEYOND = 1.1
"""Pressure near such an edge, divided by that elsewhere, from which a patch counts as on an edge."""
_BESIDE = 1.3
"""Width covered by cells, divided by the expected half width."""
_SOFTEST = 3e9
"""[Pa] Tooth stiffness per face width for the first estimate: a fifth of the value for steel."""


@dataclass(frozen=True)
class _Region:
    """Where the cells of a pair of teeth lie: between two ζ of gear A, and up to `half` from the nearest line [m]."""

    tooth: int
    low: float
    high: float
    half: float


@dataclass(frozen=True, eq=False)
class _Strips:
    """Strips of one pair of teeth, (strips,), and their cells, (strips, cells) or (cells,) where all strips are alike."""

    tooth: int
    tooth_b: int
    zeta: FloatArray
    roll_a: FloatArray
    roll_b: FloatArray
    zeta_b: FloatArray
    lever: FloatArray
    radius: FloatArray
    width: float
    height: float
    offsets: FloatArray
    """(cells,) along the profile of A from its roll length [m]."""
    cell_roll_a: FloatArray
    cell_roll_b: FloatArray
    cell_zeta_b: FloatArray
    play: FloatArray
    """[rad] Infinite if one of the flanks has ended there."""


class CellContact:
    """Contact of two elastic gears on one side of their teeth, in any position."""

    def __init__(
        self, a: ElasticGear, b: ElasticGear, pose: Placement, *, side: str, strips: int = 24, cells: int = 15
    ) -> None:
        self.a, self.b, self.strips, self.cells = a, b, strips, cells
        self.pair = FlankPair(a.teeth, b.teeth, side, pose)
        side_b = "left" if self.pair.b.involute.side > 0.0 else "right"
        self.grids = a.grids[side], b.grids[side_b]
        self.bodies = without_half_space(a, side, 0.0), without_half_space(b, side_b, 0.0)
        self.kappa = half_space_scale(a.material) + half_space_scale(b.material)
        gear_b = b.teeth.gear
        self.pitch = a.teeth.gear.angular_pitch
        self.lever_b = 0.5 * gear_b.normal_module * gear_b.teeth
        self.half_face = 0.5 * a.teeth.gear.required_face_width("flank contact")
        self.slope = math.cos(self.pair.a.involute.base_helix_angle)
        same = float(pose.rotation[2, 2]) > 0.0
        self.sense = int((-1.0 if same else 1.0) * a.teeth.gear.sense * gear_b.sense)

    def _is_missing(self, strips: _Strips) -> bool:
        """Whether one of both teeth is missing."""
        a, b = self.a.missing_teeth, self.b.missing_teeth
        return bool(a[strips.tooth % len(a)] or b[strips.tooth_b % len(b)])

    # --------------------------------------------------------------------------------------------------------- solving

    def press(self, torque: float, phase: float) -> tuple[float, float, tuple[ContactPatch, ...]]:
        """Approach [m], slope of the force along the hoop by it [N/m], and patches, under a torque [N m] at a phase."""
        force = abs(torque) / self.lever_b
        most = force / (_SOFTEST * 2.0 * self.half_face)
        regions = self._first(phase, force, most)
        strips, cells = _COARSE
        for _ in range(_PASSES):
            if not regions:
                raise PitchlineError(
                    f"flank contact: no teeth are close to each other at phase {phase:g}. Check the centre distance "
                    "and the profile shifts"
                )
            laid = [self._lay(phase, region, strips, cells) for region in regions]
            laid = [one for one in laid if not self._is_missing(one)]
            if not laid:
                raise PitchlineError(f"flank contact: all teeth that would carry load at phase {phase:g} are missing")
            u, slope, forces = self._solve(laid, force)
            if u > most * (1.0 + 1e-9):
                most = 1.5 * u
                regions = self._first(phase, force, most)
                continue
            regions, settled = self._next(laid, forces)
            if settled and (strips, cells) != (self.strips, self.cells):
                strips, cells = self.strips, self.cells
            elif settled:
                return u, slope, tuple(self._patch(s, f) for s, f in zip(laid, forces, strict=True) if (f > 0.0).any())
        raise PitchlineError(
            f"flank contact: the contact patches do not converge at {torque:g} N m and phase {phase:g}"
        )

    def _first(self, phase: float, force: float, most: float) -> list[_Region]:
        """Everything that would overlap if the gears were rigid, with the widths of a load spread over all of it."""
        middle = round(-phase)
        edges = np.linspace(-self.half_face, self.half_face, 2 * self.strips + 1)
        found = []
        for tooth in range(middle - _TEETH, middle + _TEETH + 1):
            play, _, radius = self._nearest(phase, tooth, edges)
            near = np.isfinite(play) & (play * self.lever_b < most)
            if near.any():
                step = edges[1] - edges[0]
                low, high = edges[near].min() - step, edges[near].max() + step
                found.append(
                    (tooth, max(low, -self.half_face), min(high, self.half_face), float(np.median(radius[near])))
                )
        total = sum(high - low for _, low, high, _ in found)
        regions = []
        for tooth, low, high, typical in found:
            width = math.sqrt(4.0 * self.kappa * (2.0 * force / total) * typical)  # 1/(π E*) is κ
            regions.append(_Region(tooth, low, high, 2.0 * width))
        return regions

    def _next(self, laid: Sequence[_Strips], forces: Sequence[FloatArray]) -> tuple[list[_Region], bool]:
        """Return the next regions of the cells, and whether the present ones are sufficient."""
        regions, settled = [], True
        for strips, force in zip(laid, forces, strict=True):
            loaded = force > 0.0
            if not loaded.any():
                continue
            rows = np.flatnonzero(loaded.any(axis=1))
            step = strips.width * self.slope
            low, high = strips.zeta[rows[0]] - 1.5 * step, strips.zeta[rows[-1]] + 1.5 * step
            columns = np.abs(strips.offsets)[loaded.any(axis=0)]
            half = _BESIDE * (float(columns.max()) + 0.5 * strips.height)
            # an edge digs in sharply: no need to follow it down to nothing
            load = force.sum(axis=1) / strips.width
            half = max(half, _SHARPEST * float(np.sqrt(4.0 * self.kappa * load * strips.radius).max()))
            first, last = strips.zeta[0] - 0.5 * step, strips.zeta[-1] + 0.5 * step
            low, high = max(low, -self.half_face), min(high, self.half_face)
            # patches are to fill most of their cells, and not to be cut off by them
            cut = low < first - 1e-9 or high > last + 1e-9
            cut |= bool(loaded[:, [0, -1]].any())
            small = high - low < 0.75 * (last - first) or half < 0.75 * (
                float(strips.offsets[-1]) + 0.5 * strips.height
            )
            settled &= not (cut or small)
            regions.append(_Region(strips.tooth, float(low), float(high), half))
        return regions, settled

    def _solve(self, laid: Sequence[_Strips], force: float) -> tuple[float, float, list[FloatArray]]:
        """Approach, slope and the forces of all cells; the problem is linear for cells that are known to touch."""
        cells: list[tuple[IntArray, IntArray]] = []
        for strips in laid:
            rows, columns = np.nonzero(np.isfinite(strips.play))
            cells.append((rows.astype(np.int64), columns.astype(np.int64)))
        sizes = [len(rows) for rows, _ in cells]
        W = np.concatenate([s.lever[rows] for s, (rows, _) in zip(laid, cells, strict=True)]) / self.lever_b
        g = np.concatenate([s.lever[where[0]] * s.play[where] for s, where in zip(laid, cells, strict=True)])
        A = self._compliance(laid, cells)
        active = np.ones(len(g), dtype=bool)
        active &= g / W <= np.partition(g / W, len(g) // 2)[len(g) // 2]
        for _ in range(_ROUNDS):
            on = np.flatnonzero(active)
            try:
                factors = scipy.linalg.cho_factor(A[np.ix_(on, on)], check_finite=False)
            except np.linalg.LinAlgError:
                raise PitchlineError(
                    f"flank contact: the compliance of {len(on)} cells is not positive definite. Use fewer strips or cells, or "
                    "more face_elements"
                ) from None
            X = scipy.linalg.cho_solve(factors, np.stack([W[on], g[on]], axis=1), check_finite=False)
            slope = float(W[on] @ X[:, 0])
            u = (force + float(W[on] @ X[:, 1])) / slope
            found = u * X[:, 0] - X[:, 1]
            if (found < 0.0).any():
                active[on[found < 0.0]] = False
                continue
            gaps = g - u * W + A[:, on] @ found
            more = (gaps < -1e-10 * u) & ~active
            if not more.any():
                break
            active |= more
        else:
            raise PitchlineError("flank contact: the cells in contact were not found. Use other strips or cells")
        whole = np.zeros(len(g))
        whole[on] = found
        forces = []
        for s, (rows, columns), part in zip(laid, cells, np.split(whole, np.cumsum(sizes)[:-1]), strict=True):
            own = np.zeros(s.play.shape)
            own[rows, columns] = part
            forces.append(own)
        return u, slope, forces

    # ------------------------------------------------------------------------------------------------------ compliance

    def _compliance(self, laid: Sequence[_Strips], cells: Sequence[tuple[IntArray, IntArray]]) -> FloatArray:
        places = [self._places(s, *where) for s, where in zip(laid, cells, strict=True)]
        ends = np.concatenate([[0], np.cumsum([len(rows) for rows, _ in cells])])
        A = np.zeros((ends[-1], ends[-1]))
        middles = [(compliance.shape[-3] - 1) // 2 for compliance in self.bodies]
        for i, s in enumerate(laid):
            own = slice(ends[i], ends[i + 1])
            for j in range(i + 1):
                other = slice(ends[j], ends[j + 1])
                apart = s.tooth - laid[j].tooth
                for gear, turn, tooth in ((0, 1, laid[j].tooth), (1, self.sense, laid[j].tooth_b)):
                    if abs(apart) <= middles[gear]:
                        body = self.bodies[gear]
                        if body.ndim == 4:  # each tooth has its own
                            body = body[tooth % len(body)]
                        D = body[middles[gear] + turn * apart]
                        A[own, other] += places[i][gear] @ (places[j][gear] @ D.T).T
                if i != j:
                    A[other, own] = A[own, other].T
            A[own, own] = 0.5 * (A[own, own] + A[own, own].T) + self._half_space(s, *cells[i])
        return A

    def _half_space(self, s: _Strips, rows: IntArray, columns: IntArray) -> FloatArray:
        """κ times the mean of 1/ρ between cells of one flank [m/N]: second differences of Love's G in both directions."""
        h, w, cells = s.height, s.width, len(s.offsets)
        arc = s.roll_a**2 / (2.0 * self.pair.a.involute.base_radius)
        # cells of two strips differ by whole heights from the difference of their middles: few distances are needed
        apart = np.arange(-cells, cells + 1) * h
        x = np.abs(np.subtract.outer(arc, arc)[..., None] + apart)
        y = np.abs(np.subtract.outer(np.arange(len(arc)), np.arange(len(arc))))[..., None] * w
        along = np.zeros_like(x)
        for j, q in ((-1, 1.0), (0, -2.0), (1, 1.0)):
            along += q * antiderivative(x, np.broadcast_to(np.abs(y + j * w), x.shape))
        table = np.diff(along, 2, axis=2)
        found = table[rows[:, None], rows, np.subtract.outer(columns, columns) + cells - 1]
        return np.asarray(self.kappa / (h * h * w * w) * found)

    def _places(self, s: _Strips, rows: IntArray, columns: IntArray) -> tuple[sp.csr_matrix, sp.csr_matrix]:
        """Weights of the hats of A and B at the cells; (cells, hats)."""
        where = rows, columns
        return (
            _weights(self.grids[0], s.cell_roll_a[where], s.zeta[rows]),
            _weights(self.grids[1], s.cell_roll_b[where], s.cell_zeta_b[where]),
        )

    # -------------------------------------------------------------------------------------------------------- geometry

    def _nearest(self, phase: float, tooth: int, zeta: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Play [rad], L of A, and R, where strips at the faces ζ of a tooth of A come nearest."""
        angle = np.full(zeta.shape, phase * self.pitch)
        number = np.full(zeta.shape, tooth, dtype=np.int64)
        play, roll = self.pair.strip(angle, number, zeta)
        _, _, roll_b, _ = self.pair.meeting(angle, number, roll, zeta)
        return play, roll, relative_radii(self.pair, roll, roll_b)

    def _lay(self, phase: float, region: _Region, strips: int, cells: int) -> _Strips:
        edges = np.linspace(region.low, region.high, strips + 1)
        zeta = 0.5 * (edges[1:] + edges[:-1])
        _, roll, radius = self._nearest(phase, region.tooth, zeta)
        height = 2.0 * region.half / cells
        offsets = np.asarray((np.arange(cells) - 0.5 * (cells - 1)) * height, dtype=np.float64)
        square = roll[:, None] ** 2 + 2.0 * self.pair.a.involute.base_radius * offsets
        low, high = self.pair.limits(zeta)
        there = (square >= low[:, None] ** 2) & (square <= high[:, None] ** 2)
        L = np.where(there, np.sqrt(np.maximum(square, 0.0)), roll[:, None])
        all_zeta = np.broadcast_to(zeta[:, None], L.shape)
        turned, number = np.full(L.shape, phase * self.pitch), np.full(L.shape, region.tooth, dtype=np.int64)
        play, _, L_b, zeta_b = self.pair.meeting(turned, number, L, all_zeta)
        _, tooth_b, roll_b, face_b = self.pair.meeting(turned[:, 0], number[:, 0], roll, zeta)
        return _Strips(
            tooth=region.tooth,
            tooth_b=int(np.bincount(tooth_b).argmax()),
            zeta=zeta,
            roll_a=roll,
            roll_b=roll_b,
            zeta_b=face_b,
            lever=contact_levers(self.pair, turned[:, 0] + region.tooth * self.pitch, roll, zeta),
            radius=radius,
            width=float(edges[1] - edges[0]) / self.slope,
            height=height,
            offsets=offsets,
            cell_roll_a=L,
            cell_roll_b=L_b,
            cell_zeta_b=zeta_b,
            play=np.where(there, play, np.inf),
        )

    def _at_ridge(self, s: _Strips, rows: IntArray, half: FloatArray) -> BoolArray:
        """(rows, cells) near an edge that a flank has besides its tip: the ends of its face, and the starts of linear reliefs."""
        near = np.zeros((len(rows), len(s.offsets)), dtype=np.bool_)
        reach = np.maximum(_NEAR_RIDGE * half[:, None], 0.75 * s.height)
        places = (
            (self.pair.a, s.cell_roll_a[rows], s.zeta[rows, None]),
            (self.pair.b, s.cell_roll_b[rows], s.cell_zeta_b[rows]),
        )
        for flank, roll, zeta in places:
            per_metre = roll / flank.involute.base_radius  # from a roll length to the length on the flank
            lengths, faces = flank.ridges
            for line in lengths:
                near |= np.abs(roll - line) * per_metre <= reach
            end = 0.5 * flank.range.face_width
            for line in (-end, *faces, end):
                near |= np.abs(zeta - line) <= np.maximum(_NEAR_RIDGE * half[:, None], 1.01 * s.width * self.slope)
        return near

    def _patch(self, s: _Strips, force: FloatArray) -> ContactPatch:
        rows = np.flatnonzero((force > 0.0).any(axis=1))
        F = force[rows]
        total = F.sum(axis=1)
        x = s.offsets
        mean = (F @ x) / total
        spread = (F * (x - mean[:, None]) ** 2).sum(axis=1) / total + s.height**2 / 12.0
        half = 2.0 * np.sqrt(spread)  # the second moment of Hertz's pressure is b²/4
        loaded = F > 0.0
        beside = np.zeros_like(loaded)
        beside[:, 1:] |= loaded[:, :-1]
        beside[:, :-1] |= loaded[:, 1:]
        at_edge = (beside & np.isinf(s.play[rows])).any(axis=1)
        pressure = F / (s.height * s.width)
        for row in np.flatnonzero(at_edge):
            low, high = _rims(x, pressure[row], np.isfinite(s.play[rows[row]]))
            mean[row], half[row] = 0.5 * (low + high), 0.5 * (high - low)
        count = len(rows)
        near = self._at_ridge(s, rows, half)
        on_edge = bool(
            at_edge.any() or pressure[near].max(initial=0.0) > _EDGE_BEYOND * pressure[~near].max(initial=0.0)
        )
        return ContactPatch(
            tooth_a=s.tooth, tooth_b=s.tooth_b, zeta_a=s.zeta[rows], zeta_b=s.zeta_b[rows], roll_a=s.roll_a[rows],
            roll_b=s.roll_b[rows], force=total, strip_width=np.full(count, s.width), radius=s.radius[rows], half_width=half,
            middle=mean, pressure=pressure.max(axis=1), across=np.broadcast_to(x, F.shape), across_pressure=pressure,
            on_edge=on_edge, base_radius=self.pair.a.involute.base_radius, slope=self.slope,
            half_face=self.half_face,
        )  # fmt: skip


def _rims(x: FloatArray, pressure: FloatArray, there: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """Where contact ends [m]: with its last cell at the edge of a flank; else where p², continued in a straight line, is zero."""
    h = float(x[1] - x[0])
    loaded = np.flatnonzero(pressure > 0.0)
    rims = []
    for last, inwards in ((int(loaded[0]), 1), (int(loaded[-1]), -1)):
        beside, before = last - inwards, last + inwards
        reach = 0.5
        if 0 <= beside < len(x) and there[beside] and 0 <= before < len(x):
            p, q = pressure[last] ** 2, pressure[before] ** 2
            reach = min(p / (q - p), 1.0) if q > p else 0.5
        rims.append(float(x[last]) - inwards * reach * h)
    return rims[0], rims[1]


def _weights(grid: FlankGrid, lengths: FloatArray, zeta: FloatArray) -> sp.csr_matrix:
    """Of the four hats around points of a flank; (points, hats)."""
    rows, lines = grid.shape
    face = np.interp(zeta, grid.zeta, np.arange(lines, dtype=np.float64))
    place = profile_place(grid, lengths, face)
    i, j = np.clip(place.astype(np.int64), 0, rows - 2), np.clip(face.astype(np.int64), 0, lines - 2)
    s, t = place - i, face - j
    hats = np.stack([i * lines + j, (i + 1) * lines + j, i * lines + j + 1, (i + 1) * lines + j + 1], axis=1)
    values = np.stack([(1.0 - s) * (1.0 - t), s * (1.0 - t), (1.0 - s) * t, s * t], axis=1)
    points = np.repeat(np.arange(len(lengths)), 4)
    return sp.csr_matrix((values.ravel(), (points, hats.ravel())), shape=(len(lengths), grid.size))


# ---- flank steps

# Stable time steps for elastic flanks: contact stiffness with the modes of the gears.

PRESSED = 2e-5
"""[m] Approach beyond first contact that defines which strips may touch together."""
LOOKS = 16
"""Angles within a pitch."""
SAFE = 0.5
"""Fraction of the limit for strips in permanent contact, for a penalty. Strips enter and leave contact: undamped runs, and those
with impacts, were unstable from 0.7 of the limit."""
PART = 0.98
"""Fraction of the largest step that is used if no step is specified."""


def stable_steps(options: TimeOptions, system: System) -> TimeOptions:
    """Return the options with the longest stable step of all flanks. A longer fixed step is an error."""
    for element in system.elements:
        if element.kind is not FLANK_MESH:
            continue
        longest = options.step if options.step is not None else (options.max_step or options.duration)
        pair = FlankStability(element)
        if pair.stable(longest):
            continue
        limit = pair.largest_step(longest)
        wanted = options.step if options.step is not None else options.min_step
        if wanted is not None and wanted > limit:
            penalty = pair.penalty
            cause = f"a penalty of {penalty:.3g} N/m with its modes" if penalty else "contact with its modes"
            raise ModelError(
                f'gear pair "{element.name}": steps of {1e6 * wanted:.3g} µs are not stable, because {cause} '
                "requires steps shorter than "
                f"{1e6 * limit:.3g} µs. Use a smaller step, fewer modes{', or a smaller penalty' if penalty else ''}"
            )
        options = replace(options, max_step=PART * limit)
    return options


class FlankStability:
    """Limit of the time step for one pair with elastic flanks."""

    def __init__(self, element: Element) -> None:
        self.flanks = flank_alone(element)
        self.pair = element.values["pair"]
        flanks = self.flanks.parameters
        self.teeth = float(flanks["a"]["teeth"])
        self.highest = float(self.flanks.frequencies().max(initial=0.0))
        """Circular frequency of the highest mode [rad/s]."""
        self.penalty = float(flanks["penalty"])
        self.out = np.zeros((int(flanks["room"]), int(flanks["room"])))
        self.approaches = self._pressed() if self.highest else ()

    def stable(self, step: float) -> bool:
        """Whether contact is stable with steps of this length [s], in all positions over a pitch."""
        if not self.highest:
            return True
        longer = step / (SAFE if self.penalty else 1.0)
        if self.highest * longer >= 0.999 * math.pi:
            return False
        for k in range(LOOKS):
            for u in self.approaches:
                n = self._look(u, k / LOOKS, longer)
                if n and np.linalg.eigvalsh(self.out[:n, :n])[0] <= 0.0:
                    return False
        return True

    def largest_step(self, unstable: float) -> float:
        """Largest stable step below an unstable step [s], to 0.1 %."""
        low, high = 0.0, min(unstable, math.pi / self.highest)
        while high - low > 1e-3 * high:
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.stable(middle) else (low, middle)
        return low

    def _look(self, u: float, pitches: float, step: float) -> int:
        psi = 2.0 * math.pi * pitches / self.teeth
        s, m, _, w = self.flanks.records
        return int(alternating_compliance(s, m, w, u, psi, step, self.out))

    def _pressed(self) -> tuple[float, ...]:
        """Approaches at which either flank is pressed by PRESSED, wherever in a pitch strips touch first."""
        law = self.pair["law"]
        middle = float(law["offset"] - 0.5 * law["backlash"])
        step = 0.1 / self.highest
        ends = []
        for sign in (1.0, -1.0):
            low, high = 0.0, 0.5 * float(self.pair["geometry"]["pitch"])
            for _ in range(30):
                between = 0.5 * (low + high)
                near = any(self._look(middle + sign * between, k / 4, step) for k in range(4))
                low, high = (low, between) if near else (between, high)
            ends.append(middle + sign * (high + PRESSED))
        return tuple(ends)
