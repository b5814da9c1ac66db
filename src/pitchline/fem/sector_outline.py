"""Points on the exact outline of a tooth: root, fillet and involute, spaced in arc length.

A side of the tooth is cut into three runs, seen from the middle of the space:

    root     from the middle of the space over the root and the lower part of the fillet to the *split*, where the
             tangent of the fillet is at 45 degrees to the radius,
    fillet   from the split to the form circle,
    involute from the form circle to the tip.

All points are on the surface functions of the teeth. Only the position of a point on the curve is found numerically, by
the arc length of a fine polygon. The arc length of the involute is L²/(2 r_b), so its points are exactly equidistant.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pitchline.base.types import ComplexArray, FloatArray, IntArray
from pitchline.parts.gears.teeth.flank import ToothFlank
from pitchline.parts.gears.teeth.teeth import Teeth

__all__ = [
    "SideOutline",
    "SideRuns",
    "ToothOutline",
    "SectionCounts",
    "SectionLattice",
    "SectionNodes",
    "graded",
    "halved",
]


_SAMPLES = 161
"""Points of the polygon that measures the arc of a fillet."""

_SPLIT = 0.25 * math.pi
"""Between tangent and radius at the split: three elements meet there and share the half turn evenly."""

_MODIFIED_STEPS = 30


def _cumulative(P: ComplexArray) -> FloatArray:
    """Arc length along the last axis."""
    steps = np.abs(np.diff(P, axis=-1))
    return np.concatenate([np.zeros((*steps.shape[:-1], 1)), np.cumsum(steps, axis=-1)], axis=-1)


def _lookup(x: FloatArray, xp: FloatArray, fp: FloatArray) -> FloatArray:
    """np.interp, row by row."""
    return np.stack([np.interp(a, b, c) for a, b, c in zip(x, xp, fp, strict=True)])


class SideRuns(ABC):
    """One side of a tooth in k sections; all points are complex numbers of shape (k, n), the tooth on the real axis.

    A kind of teeth supplies its curves; the polygon of the fillet and its split are measured by `_measure`.
    """

    _u: FloatArray
    _arc: FloatArray
    _root: FloatArray
    _split: FloatArray

    @abstractmethod
    def land_points(self, u: FloatArray) -> ComplexArray:
        """Of the root, from the middle of the space (u = 0) to the fillet (1)."""

    @abstractmethod
    def fillet_points(self, u: FloatArray) -> ComplexArray:
        """Of the fillet, over its own parameter."""

    @abstractmethod
    def involute_run(self, fractions: FloatArray) -> ComplexArray:
        """From the form circle (0) to the tip (1)."""

    @abstractmethod
    def roll_lengths(self, fractions: FloatArray) -> FloatArray:
        """L [m], (k, n), equidistant in arc length from the form circle (0) to the tip (1)."""

    @property
    @abstractmethod
    def involute_length(self) -> FloatArray:
        """Arc of the involute run [m], (k,)."""

    def _measure(self, low: FloatArray, high: FloatArray, sense: float, curl: float) -> None:
        """Arc lengths; the fillet is parametrised from `low` to `high`, (k,) each."""
        self._u = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, _SAMPLES)
        P = self.fillet_points(self._u)
        self._arc = _cumulative(P)
        ends = self.land_points(np.broadcast_to([0.0, 1.0], (len(P), 2)))
        radius = np.abs(ends[:, 0])
        self._root = radius * np.abs(np.angle(ends[:, 1] / ends[:, 0]))
        self._root[self._root < 1e-9 * radius] = 0.0  # a full radius leaves no land
        self._split = self._find_split(P, sense, curl)

    def _find_split(self, P: ComplexArray, sense: float, curl: float) -> FloatArray:
        """Arc of the fillet up to the split, (k,); never close to the ends of the fillet."""
        middle = 0.5 * (P[:, 1:] + P[:, :-1])
        leaning = -curl * np.angle(np.diff(P, axis=-1) / (sense * middle))
        low, high = 0.25 * self._arc[:, -1], 0.75 * self._arc[:, -1]
        first = np.argmax(leaning <= _SPLIT, axis=1)
        found = np.take_along_axis(self._arc, first[:, None], axis=1)[:, 0]
        steep = (leaning <= _SPLIT).any(axis=1)
        return np.clip(np.where(steep, found, high), low, high)

    # ---------------------------------------------------------------------------------------------------- arc lengths

    @property
    def root_length(self) -> FloatArray:
        """Arc of the root run [m], (k,)."""
        return self._root + self._split

    @property
    def land_length(self) -> FloatArray:
        """Arc of the root from the middle of the space to the fillet [m], (k,)."""
        return self._root

    @property
    def fillet_length(self) -> FloatArray:
        """Arc of the fillet run [m], (k,)."""
        return self._arc[:, -1] - self._split

    # --------------------------------------------------------------------------------------------------------- points

    def _fillet_at(self, arc: FloatArray) -> ComplexArray:
        return self.fillet_points(_lookup(arc, self._arc, self._u))

    def root_run(self, fractions: FloatArray, land: float = 0.0) -> ComplexArray:
        """From the middle of the space (0) to the split (1).

        land: the fraction at which the root ends and the fillet begins, both spaced evenly; where it is 0 the whole run
        is, and the end of the root falls anywhere.
        """
        length, whole = self._root[:, None], self.root_length[:, None]
        if land:
            ends = np.concatenate([np.zeros_like(whole), length, whole], axis=1)
            s = np.stack([np.interp(fractions, [0.0, land, 1.0], end) for end in ends])
        else:
            s = fractions * whole
        on_land = s < length
        u = np.where(on_land, s / np.where(length > 0.0, length, 1.0), 1.0)
        fillet = self._fillet_at(np.where(on_land, 0.0, s - length))
        return np.where(on_land, self.land_points(u), fillet)

    def fillet_run(self, fractions: FloatArray) -> ComplexArray:
        """From the split (0) to the form circle (1)."""
        return self._fillet_at(self._split[:, None] + fractions * self.fillet_length[:, None])


class SideOutline(SideRuns):
    """One side of tooth 0 of a cylindrical or conical gear in the sections ζ (k,): points are P(ζ) e^{−iτ(ζ)}.

    turn: e^{−iτ}, (k,), which brings the middle between both spaces to the real axis.
    """

    def __init__(self, flank: ToothFlank, zeta: FloatArray, turn: ComplexArray, *, modified: bool) -> None:
        self.flank, self.zeta, self.turn = flank, zeta, turn
        self.modified = modified
        self.form, self.tip = flank.form_roll_length(zeta), flank.tip_roll_length(zeta)
        self._measure(*flank.fillet.limits(zeta), flank.gear.sense, flank.involute.curl)

    def land_points(self, u: FloatArray) -> ComplexArray:
        """Of the root."""
        return self.flank.root.section(u, self.zeta[:, None]) * self.turn[:, None]

    def fillet_points(self, u: FloatArray) -> ComplexArray:
        """Of the fillet."""
        return self.flank.fillet.section(u, self.zeta[:, None]) * self.turn[:, None]

    @property
    def involute_length(self) -> FloatArray:
        """Arc of the involute run [m], (k,): abs(L_a² − L_F²) / (2 r_b)."""
        return np.abs(self.tip**2 - self.form**2) / (2.0 * self.flank.involute.base_radius)

    def fillet_run(self, fractions: FloatArray) -> ComplexArray:
        """From the split (0) to the form circle (1)."""
        P = super().fillet_run(fractions)
        if self.modified:
            # a flank that is modified down to its form circle moves the end of the fillet with it
            begins, ideal = self.involute_run(np.zeros(1)), self._ideal(self.form[:, None])
            P = P + fractions**2 * (begins - ideal)
        return P

    def roll_lengths(self, fractions: FloatArray) -> FloatArray:
        """L [m], (k, n), equidistant in arc length from the form circle (0) to the tip (1)."""
        first, last = self.form[:, None] ** 2, self.tip[:, None] ** 2
        L: FloatArray = np.sqrt(first + fractions * (last - first))
        return L

    def _ideal(self, L: FloatArray) -> ComplexArray:
        return self.flank.involute.section(L, self.zeta[:, None]) * self.turn[:, None]

    def involute_run(self, fractions: FloatArray) -> ComplexArray:
        """From the form circle (0) to the tip (1).

        A point of a modified flank stays in its section and on its circle: with the deviation δ(L', ζ') and
        L = L' + σ δ cos β_b , ζ = ζ' − s δ sin β_b  it lies at  e^{iτ(L', ζ')} (r_b + i c L) . Both are solved for L'
        and ζ' by iteration: modifications are thousands of times smaller than flanks.
        """
        L = self.roll_lengths(fractions)
        if not self.modified:
            return self._ideal(L)
        flank, involute = self.flank, self.flank.involute
        beta = involute.base_helix_angle
        z = np.broadcast_to(self.zeta[:, None], L.shape)
        length, face = L, z
        for _ in range(_MODIFIED_STEPS):
            delta = flank.modification.deviation(flank.range, length, face).value
            new_length = L - involute.sense * delta * math.cos(beta)
            new_face = z + involute.side * delta * math.sin(beta)
            moved = max(float(np.abs(new_length - length).max()), float(np.abs(new_face - face).max()))
            length, face = new_length, new_face
            if moved < 1e-15:
                break
        arm = involute.base_radius + 1j * involute.curl * L
        P: ComplexArray = np.exp(1j * involute.direction(length, face)) * arm * self.turn[:, None]
        return P


@dataclass(frozen=True, eq=False)
class ToothOutline:
    """Tooth 0 in the sections ζ: both sides, the direction of its middle and the radius of its tip.

    direction : (k,)
        e^{iτ}: of the middle between the spaces on both sides.
    tip_radius : (k,)
        [m]
    half_pitch : float
        π/z [rad]
    sense : float
        +1 for teeth that point outwards, −1 for those of internal gears.
    """

    right: SideRuns
    left: SideRuns
    direction: ComplexArray
    tip_radius: FloatArray
    half_pitch: float
    sense: float

    @classmethod
    def of(cls, teeth: Teeth, zeta: FloatArray, *, modified: bool = False) -> ToothOutline:
        """The outline in the sections ζ [m]."""
        half_pitch = math.pi / teeth.gear.teeth
        space = teeth.right.root.section(0.0, zeta) * np.exp(1j * half_pitch)
        direction: ComplexArray = space / np.abs(space)
        turn = np.conj(direction)
        right = SideOutline(teeth.right, zeta, turn, modified=modified)
        left = SideOutline(teeth.left, zeta, turn, modified=modified)
        return cls(right, left, direction, teeth.left.involute.radius(left.tip), half_pitch, teeth.gear.sense)

    @property
    def sides(self) -> tuple[SideRuns, SideRuns]:
        """Right and left."""
        return self.right, self.left


# ---- sector section

# The nodes of one sector in transverse sections: a tooth and the body below it, in two structured blocks.
#
#     tooth   rows from the base of the tooth to its tip, columns from the right to the left flank; the base is an arch
#             from split to split (see `sector_outline`), its top row is the tip,
#     body    rows from root and arch down to the bore, columns from the space on the right to that on the left.
#
# Three elements meet at a split, one of the tooth and two of the body, on a smooth outline: 60 degrees for each, 90
# everywhere else, are the angles at their best. A point of the section is a complex number; all sections along a face
# have the same rows and columns.

_ARCH = 0.22
"""Depth of the arch under its chord, by half the chord: the arch leaves a split at about 24 degrees."""

_LIKENESS = 0.7, 0.3
"""How much the columns of the body are spaced as those above: on its first circle and far below, 0 is evenly."""

_EVENING = 3.0
"""How deep the spacing of the columns goes on changing, by half the pitch on the first circle."""


def graded(count: int, ratio: float) -> FloatArray:
    """Fractions 0 .. 1 of `count` steps that grow geometrically, the last one `ratio` times the first."""
    steps = ratio ** (np.arange(count) / max(count - 1, 1))
    return np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()


def halved(fractions: FloatArray, order: int) -> FloatArray:
    """The fractions, for second order with the middles of the steps between them."""
    if order == 1:
        return fractions
    result = np.empty(2 * len(fractions) - 1)
    result[::2] = fractions
    result[1::2] = 0.5 * (fractions[1:] + fractions[:-1])
    return result


def _inward(count: int, ratio: float) -> FloatArray:
    """Symmetric fractions of an even number of steps, the ones in the middle `ratio` times the outer ones."""
    half = 0.5 * graded(count // 2, ratio)
    return np.concatenate([half, 1.0 - half[-2::-1]])


@dataclass(frozen=True, kw_only=True)
class SectionCounts:
    """Numbers of elements in a section.

    flank, fillet, root: along the involute, from there to the split, from there to the middle of the space; `land` of
    the latter lie on the root itself, 0 where it is too short for an element of its own.
    across: from flank to flank, even. crown: rows from root and arch to the first circle of the body.
    rings: rows between the circles of the body, from the first one on.
    """

    flank: int
    fillet: int
    root: int
    land: int
    across: int
    crown: int
    rings: tuple[int, ...]

    @property
    def quadrilaterals(self) -> int:
        """Elements of a section."""
        body = (2 * self.root + self.across) * (self.crown + sum(self.rings))
        return (self.flank + self.fillet) * self.across + body


class SectionLattice:
    """Numbers of the points of a section: a lattice for the tooth, one for the body; the arch belongs to both.

    tooth[i, j]: i from the arch to the tip, j from right to left. body[i, j]: i from root and arch to the bore.
    """

    def __init__(self, counts: SectionCounts, order: int) -> None:
        self.counts, self.order = counts, order
        rows = order * (counts.crown + sum(counts.rings)) + 1
        columns = order * (2 * counts.root + counts.across) + 1
        self.body: IntArray = np.arange(rows * columns, dtype=np.int64).reshape(rows, columns)
        height, width = order * (counts.flank + counts.fillet), order * counts.across + 1
        above = self.body.size + np.arange(height * width, dtype=np.int64).reshape(height, width)
        first = order * counts.root
        self.arch = slice(first, first + width)
        self.tooth: IntArray = np.concatenate([self.body[:1, self.arch], above])
        self.size = self.body.size + above.size
        self.flank_rows = slice(order * counts.fillet, None)


@dataclass(frozen=True, eq=False)
class SectionNodes:
    """The points of all sections: points (k, lattice.size), complex, in the axes of the gear; L of both flanks."""

    lattice: SectionLattice
    points: ComplexArray
    roll_lengths: dict[str, FloatArray]


def lay_out(
    outline: ToothOutline,
    counts: SectionCounts,
    order: int,
    *,
    crown_depth: float,
    radii: Sequence[float],
    across_growth: float,
    crown_growth: float,
    ring_growth: Sequence[float],
) -> SectionNodes:
    """The points of the sections of an outline.

    crown_depth: of the first circle of the body below the root [m], at most half the way to the next one. radii: of
    the other circles, the last one is the bore [m]. The elements grow from the flanks to the middle of the tooth and
    from the root to the bore: the growths are the last by the first.
    """
    lattice = SectionLattice(counts, order)
    flank = halved(np.linspace(0.0, 1.0, counts.flank + 1), order)
    fillet = halved(np.linspace(0.0, 1.0, counts.fillet + 1), order)
    root = halved(np.linspace(0.0, 1.0, counts.root + 1), order)
    across = halved(_inward(counts.across, across_growth), order)

    sides = [np.concatenate([s.fillet_run(fillet)[:, :-1], s.involute_run(flank)], axis=1) for s in outline.sides]
    roots = [side.root_run(root, counts.land / counts.root) for side in outline.sides]
    half, inward = outline.half_pitch, -outline.sense
    below = np.abs(roots[0][:, 0])
    circle = below + inward * np.minimum(crown_depth, 0.5 * np.abs(below - radii[0]))

    arch = _arch(sides[0][:, 0], sides[1][:, 0], across, inward, circle)
    tooth = _tooth_block(sides[0], sides[1], arch, _tip(outline, sides, across), across)
    outer = np.concatenate([roots[0][:, :-1], arch, roots[1][:, -2::-1]], axis=1)
    body = _body_block(outer, half, counts, [circle, *radii], order, crown_growth, ring_growth)

    points = np.empty((len(outer), lattice.size), dtype=np.complex128)
    points[:, lattice.body] = body
    points[:, lattice.tooth[1:]] = tooth[:, 1:]
    return SectionNodes(
        lattice,
        points * outline.direction[:, None],
        {"right": outline.right.roll_lengths(flank), "left": outline.left.roll_lengths(flank)},
    )


def _arch(
    right: ComplexArray, left: ComplexArray, across: FloatArray, inward: float, circle: FloatArray
) -> ComplexArray:
    """A parabola from split to split that bends towards the body, but stays clear of its first circle."""
    chord = left - right
    middle = 0.5 * (left + right)
    normal = inward * middle / np.abs(middle)
    room = np.abs(np.abs(middle) - circle)
    depth = np.minimum(0.5 * _ARCH * np.abs(chord), 0.4 * room)
    bow = 4.0 * across * (1.0 - across)
    result: ComplexArray = right[:, None] + chord[:, None] * across + (depth * normal)[:, None] * bow
    return result


def _tip(outline: ToothOutline, sides: list[ComplexArray], across: FloatArray) -> ComplexArray:
    """On the tip circle from right to left."""
    first, last = np.angle(sides[0][:, -1]), np.angle(sides[1][:, -1])
    turn = first[:, None] + (last - first)[:, None] * across
    P: ComplexArray = outline.tip_radius[:, None] * np.exp(1j * turn)
    P[:, 0], P[:, -1] = sides[0][:, -1], sides[1][:, -1]
    return P


def _tooth_block(
    right: ComplexArray, left: ComplexArray, arch: ComplexArray, tip: ComplexArray, across: FloatArray
) -> ComplexArray:
    """Straight lines from flank to flank, bent like the arch below and like the tip above."""

    def line(row: int) -> ComplexArray:
        straight: ComplexArray = right[:, row, None] * (1.0 - across) + left[:, row, None] * across
        return straight

    steps = np.abs(np.diff(right, axis=1)) + np.abs(np.diff(left, axis=1))
    height = np.concatenate([np.zeros((len(steps), 1)), np.cumsum(steps, axis=1)], axis=1)
    height = (height / height[:, -1:])[:, :, None]
    lines = right[:, :, None] * (1.0 - across) + left[:, :, None] * across
    below, above = (arch - line(0))[:, None], (tip - line(-1))[:, None]
    block: ComplexArray = lines + (1.0 - height) ** 2 * below + height**4 * above
    return block


def _body_block(
    outer: ComplexArray,
    half: float,
    counts: SectionCounts,
    radii: Sequence[FloatArray | float],
    order: int,
    crown_growth: float,
    ring_growth: Sequence[float],
) -> ComplexArray:
    """Straight lines from root and arch to the first circle, then along radii to the bore."""
    count = outer.shape[1] - 1
    arc = np.cumsum(np.abs(np.diff(outer, axis=1)), axis=1)
    arc = np.concatenate([np.zeros((len(arc), 1)), arc], axis=1) / arc[:, -1:]
    if order == 2:
        arc[:, 1::2] = 0.5 * (arc[:, 2::2] + arc[:, :-1:2])
    even = np.linspace(0.0, 1.0, count + 1)

    first = np.broadcast_to(radii[0], len(outer))[:, None]

    def circles(r: FloatArray) -> ComplexArray:
        """On the first circle the columns are spaced much as they are above, further down more and more evenly."""
        deep = np.minimum(np.abs(r - first) / (_EVENING * half * first), 1.0)[:, :, None]
        likeness = _LIKENESS[1] + (_LIKENESS[0] - _LIKENESS[1]) * (1.0 - deep) ** 2
        turns: ComplexArray = np.exp(1j * half * (2.0 * (even + likeness * (arc[:, None] - even)) - 1.0))
        return r[:, :, None] * turns

    crown = halved(graded(counts.crown, crown_growth), order)[:, None]
    blocks = [outer[:, None] * (1.0 - crown) + circles(first) * crown]
    start = first
    for stop, rows, growth in zip(radii[1:], counts.rings, ring_growth, strict=True):
        blocks.append(circles(start + (stop - start) * halved(graded(rows, growth), order)[1:]))
        start = np.full_like(first, stop)
    body: ComplexArray = np.concatenate(blocks, axis=1)
    # the sides are radii, the one on the left that on the right turned by a pitch, to the last figure
    side = np.abs(body[:, :, 0])
    body[:, :, 0] = side * np.exp(-1j * half)
    body[:, :, -1] = side * np.exp(1j * half)
    return body
