"""The nodes of one sector in transverse sections: a tooth and the body below it, in two structured blocks.

    tooth   rows from the base of the tooth to its tip, columns from the right to the left flank; the base is an arch
            from split to split (see `sector_outline`), its top row is the tip,
    body    rows from root and arch down to the bore, columns from the space on the right to that on the left.

Three elements meet at a split, one of the tooth and two of the body, on a smooth outline: 60 degrees for each, 90
everywhere else, are the angles at their best. A point of the section is a complex number; all sections along a face
have the same rows and columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..gears.teeth.arrays import ComplexArray
from .sector_outline import ToothOutline
from .solid_grid import FloatArray, IntArray

__all__ = ["SectionCounts", "SectionLattice", "SectionNodes", "graded", "halved"]

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
