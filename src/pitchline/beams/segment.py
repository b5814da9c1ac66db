"""Segment: the part of a shaft or beam between two nodes, with all its steps and tapers.

Its reference line is the screw motion exp(s d0), s = 0..1 over its length. For a straight segment d0 = (0, 0, L, 0, 0, 0).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..gears.material import Material
from .se3 import adjoint, exp_se3, skew
from .sections import BeamSection
from .shaft_section import ShaftSection

__all__ = ["SegmentPiece", "SegmentPoints", "Segment", "straight_rest"]

Array = np.ndarray
GAUSS_X, GAUSS_W = np.polynomial.legendre.leggauss(6)
"""Gauss points in a piece: exact for uniform pieces, relative error 1e-6 for a cone of 2:1."""


@dataclass(frozen=True)
class SegmentPiece:
    """Piece with a constant or smoothly varying section: `at(share)`, share = 0..1 along it."""

    length: float
    at: Callable[[float], BeamSection]
    notch_factor: float = 1.0

    def part(self, begin: float, end: float) -> SegmentPiece:
        """Return the part between two fractions of the piece."""
        return SegmentPiece(
            (end - begin) * self.length, lambda s: self.at(begin + s * (end - begin)), self.notch_factor
        )

    @staticmethod
    def uniform(length: float, section: BeamSection) -> SegmentPiece:
        """Make a piece with a constant section."""
        return SegmentPiece(length, lambda s: section)

    @staticmethod
    def of_shaft(section: ShaftSection, material: Material) -> SegmentPiece:
        """Make a piece from a shaft section. material: material of the shaft."""
        if section.uniform:
            same = section.at(0.0, material)
            return SegmentPiece(section.length, lambda s: same, section.notch_factor)
        return SegmentPiece(section.length, lambda s: section.at(s, material), section.notch_factor)


@dataclass(frozen=True, eq=False)
class SegmentPoints:
    """Integration points: fractions of the segment (n), weights [m] (n), compliance and mass per length (n, 6, 6)."""

    share: Array
    weight: Array
    compliance: Array
    mass: Array


def straight_rest(length: float) -> Array:
    """d0 of a straight segment along z."""
    return np.array([0.0, 0.0, length, 0.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False)
class Segment:
    """Pieces between two nodes. rest: logarithm d0 (6) of the undeformed motion from the first to the second section frame."""

    pieces: tuple[SegmentPiece, ...]
    rest: Array = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        if self.rest.size == 0:
            object.__setattr__(self, "rest", straight_rest(self.length))

    @staticmethod
    def uniform(length: float, section: BeamSection, rest: Array | None = None) -> Segment:
        """Make a segment with one section. rest: as in the class; default straight."""
        return Segment((SegmentPiece.uniform(length, section),), np.zeros(0) if rest is None else rest)

    @staticmethod
    def of_shaft(sections: Sequence[ShaftSection], material: Material) -> Segment:
        """Make a whole shaft, which is divided later. material: of sections without their own material."""
        return Segment(tuple(SegmentPiece.of_shaft(s, material) for s in sections))

    @property
    def length(self) -> float:
        """Length of the reference line [m]."""
        return sum(p.length for p in self.pieces)

    @cached_property
    def borders(self) -> Array:
        """Fractions of the length at which pieces begin and end."""
        return np.concatenate([[0.0], np.cumsum([p.length for p in self.pieces])]) / self.length

    def between(self, begin: float, end: float) -> Segment:
        """Return the part between two fractions of the segment, with the steps in it."""
        found = []
        for piece, a, b in zip(self.pieces, self.borders, self.borders[1:], strict=False):
            low, high = max(a, begin), min(b, end)
            if high - low > 1e-12:
                found.append(piece.part((low - a) / (b - a), (high - a) / (b - a)))
        return Segment(tuple(found), (end - begin) * self.rest)

    def place_of(self, share: float) -> tuple[int, float]:
        """Index of the piece at a fraction of the segment, and the fraction of that piece."""
        k = min(max(int(np.searchsorted(self.borders, share, side="right")) - 1, 0), len(self.pieces) - 1)
        a, b = self.borders[k], self.borders[k + 1]
        return k, min(max((share - a) / (b - a), 0.0), 1.0)

    def points(self, k: int, begin: float, end: float) -> SegmentPoints:
        """Integration points in piece k between two fractions of that piece."""
        piece, a, b = self.pieces[k], self.borders[k], self.borders[k + 1]
        s = begin + 0.5 * (GAUSS_X + 1) * (end - begin)
        sections = [piece.at(float(x)) for x in s]
        if all(section is sections[0] for section in sections):
            compliance = np.broadcast_to(np.linalg.inv(sections[0].stiffness), (s.size, 6, 6))
        else:
            compliance = np.linalg.inv(np.stack([section.stiffness for section in sections]))
        mass = np.stack([section.mass for section in sections])
        return SegmentPoints(a + s * (b - a), 0.5 * GAUSS_W * (end - begin) * piece.length, compliance, mass)

    def motions(self, begin: Array, end: float) -> Array:
        """(n, 6, 6): small motions of sections at the fractions `begin`, in their axes, transformed to the section at `end` as
        for a rigid body."""
        if np.any(self.rest[3:]):
            return np.stack([adjoint(*exp_se3((s - end) * self.rest)) for s in begin])
        out = np.tile(np.eye(6), (begin.size, 1, 1))
        out[:, :3, 3:] = (begin - end)[:, None, None] * skew(self.rest[:3])
        return out

    def motion(self, begin: float, end: float) -> Array:
        """(6, 6): the same for one section."""
        return self.motions(np.array([begin]), end)[0]
