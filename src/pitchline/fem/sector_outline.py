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
from dataclasses import dataclass

import numpy as np

from ..gears.teeth import Teeth, ToothFlank
from ..gears.teeth.arrays import ComplexArray
from .solid_grid import FloatArray

__all__ = ["SideOutline", "SideRuns", "ToothOutline"]

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
