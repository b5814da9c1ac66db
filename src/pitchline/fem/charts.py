"""Coordinates in which a sector of any gear looks like that of a cylindrical gear: a plane section, and a layer.

    cylinder   P = x + i y ,  ζ = z
    cone       P = κ 2 tan(γ/2) e^{iφ} ,  ζ = R − R_m : polar angle γ, azimuth φ and cone distance R from the apex;
               stereographic projection, which keeps all angles
    rack       P = r e^{(x + i y)/r} ,  ζ = z : lines x = constant become circles, and a pitch along y an angle

with κ = R_m cos²(δ/2) on a cone, so that lengths on the pitch cone at the mean cone distance are kept; r of the rack is that of a
gear of so many teeth that its curvature does not matter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pitchline.base.types import ComplexArray, FloatArray, IntArray
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.rack import Rack

from .solid_grid import SolidGrid

__all__ = ["Chart", "ConeChart", "CylinderChart", "RackChart", "chart_of", "RepeatedGrid", "Repetition", "sector_count"]


_RACK_TEETH = 4096
"""Teeth of the gear that a rack becomes in its section."""


class Chart(Protocol):
    """Section and layer of points in space."""

    @property
    def half_pitch(self) -> float:
        """Half the angle of a sector in the section [rad]."""

    def section(self, points: FloatArray) -> tuple[ComplexArray, FloatArray]:
        """P [m] and ζ [m] of points (…, 3)."""

    def space(self, P: ComplexArray, zeta: FloatArray) -> FloatArray:
        """Points (…, 3) [m]."""

    def radius(self, height: float) -> float:
        """abs(P) [m] at a height [m] above the axis (cylinder), above the reference line (rack), or at a polar angle [rad]
        (cone)."""


@dataclass(frozen=True)
class CylinderChart:
    """Of cylindrical gears."""

    half_pitch: float

    def section(self, points: FloatArray) -> tuple[ComplexArray, FloatArray]:
        """P and ζ."""
        return _flat(points), points[..., 2]

    def space(self, P: ComplexArray, zeta: FloatArray) -> FloatArray:
        """Points."""
        return np.stack([P.real, P.imag, np.broadcast_to(zeta, P.shape)], axis=-1)

    def radius(self, height: float) -> float:
        """The radius itself."""
        return height


@dataclass(frozen=True)
class ConeChart:
    """Of bevel gears. apex: z of the apex [m]. away: +1 if z points away from it. mean: R_m [m]. scale: κ [m]."""

    half_pitch: float
    apex: float
    away: float
    mean: float
    scale: float

    def section(self, points: FloatArray) -> tuple[ComplexArray, FloatArray]:
        """P and ζ."""
        up = self.away * (points[..., 2] - self.apex)
        R = np.sqrt(points[..., 0] ** 2 + points[..., 1] ** 2 + up**2)
        return _flat(points) * (2.0 * self.scale / (R + up)), R - self.mean

    def space(self, P: ComplexArray, zeta: FloatArray) -> FloatArray:
        """Points: with t = tan(γ/2), (2 t e^{iφ}, 1 − t²) / (1 + t²) times R."""
        flat = P / self.scale
        square = 0.25 * np.abs(flat) ** 2
        across = flat / (1.0 + square)
        points = np.stack([across.real, across.imag, (1.0 - square) / (1.0 + square)], axis=-1)
        points = (self.mean + np.broadcast_to(zeta, P.shape))[..., None] * points
        points[..., 2] = self.apex + self.away * points[..., 2]
        return points

    def radius(self, height: float) -> float:
        """Of a polar angle."""
        return 2.0 * self.scale * math.tan(0.5 * height)


@dataclass(frozen=True)
class RackChart:
    """Of racks. r: [m]."""

    r: float
    half_pitch: float = math.pi / _RACK_TEETH

    def section(self, points: FloatArray) -> tuple[ComplexArray, FloatArray]:
        """P and ζ."""
        P: ComplexArray = np.exp(_flat(points) / self.r)
        P *= self.r
        return P, points[..., 2]

    def space(self, P: ComplexArray, zeta: FloatArray) -> FloatArray:
        """Points."""
        flat = self.r * np.log(P / self.r)
        return np.stack([flat.real, flat.imag, np.broadcast_to(zeta, P.shape)], axis=-1)

    def radius(self, height: float) -> float:
        """Of a height above the reference line."""
        return self.r * math.exp(height / self.r)


def _flat(points: FloatArray) -> ComplexArray:
    """x + i y."""
    P: ComplexArray = np.empty(points.shape[:-1], dtype=np.complex128)
    P.real, P.imag = points[..., 0], points[..., 1]
    return P


def chart_of(gear: Gear | Rack) -> Chart:
    """The chart of a gear or a rack."""
    if isinstance(gear, Rack):
        return RackChart(0.5 * _RACK_TEETH * gear.transverse_module)
    if not gear.cone_angle:
        return CylinderChart(math.pi / gear.teeth)
    R, cone = gear.mean_cone_distance, abs(gear.cone_angle)
    away = math.copysign(1.0, gear.cone_angle)
    return ConeChart(
        math.pi / gear.teeth, -R * math.cos(gear.cone_angle) * away, away, R, R * math.cos(0.5 * cone) ** 2
    )


# ---- repetition

# How one sector is repeated to a whole gear: turned by a pitch about the axis, or shifted by a pitch along a rack.

_LEAST = 16
"""Sectors of a rack: so many that what is done to a tooth has no effect on its repetition."""


@dataclass(frozen=True)
class Repetition:
    """From a sector to the next one, and the number of sectors after which they repeat.

    angle: about z [rad]. travel: along y [m], of a rack.
    """

    count: int
    angle: float
    travel: float = 0.0

    @classmethod
    def of(cls, gear: Gear | Rack, reach: int = 0) -> Repetition:
        """Of a gear or a rack. reach: number of neighbour teeth on each side to which compliance is needed."""
        if isinstance(gear, Rack):
            return cls(sector_count(gear, reach), 0.0, gear.transverse_pitch)
        return cls(gear.teeth, 2.0 * math.pi / gear.teeth)

    @property
    def turn(self) -> FloatArray:
        """(3, 3) from a sector to the next one."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

    @property
    def shift(self) -> FloatArray:
        """(3,) from a sector to the next one [m]."""
        return np.array([0.0, self.travel, 0.0])

    @property
    def straight(self) -> bool:
        """Whether it is that of a rack."""
        return self.travel != 0.0


def sector_count(gear: Gear | Rack, reach: int = 0) -> int:
    """Number of sectors that repeat: the teeth of a gear.

    A rack is computed as if it repeated after so many teeth: after its own number, but not after fewer than 16, nor than its
    compliance reaches.
    """
    return max(gear.teeth, _LEAST, 4 * reach + 2) if isinstance(gear, Rack) else gear.teeth


class RepeatedGrid(Protocol):
    """The grid of one sector of a gear or a rack."""

    @property
    def solid(self) -> SolidGrid:
        """Nodes and elements."""

    @property
    def low_side(self) -> IntArray:
        """Nodes of one side ..."""

    @property
    def high_side(self) -> IntArray:
        """... and of the other one, in the same order."""

    @property
    def bore(self) -> IntArray:
        """Nodes of the bore, or of the back of a rack."""

    @property
    def repetition(self) -> Repetition:
        """From a sector to the next one."""
