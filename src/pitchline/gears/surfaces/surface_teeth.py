"""The teeth of a gear as spline surfaces: a left and a right flank, and how the other teeth follow from tooth 0."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ...errors import ModelError, shown
from ..arrays import FloatArray
from ..gear import Gear
from ..rack import Rack
from .flank_surfaces import FlankSurfaces
from .grid_fit import FlankFit
from .patch import FlankPatch

__all__ = ["SurfaceTeeth", "ToothStep"]


@dataclass(frozen=True)
class ToothStep:
    """From one tooth to the next: rotation about z [rad], or travel along y [m] for a rack."""

    angle: float
    travel: float = 0.0

    @classmethod
    def of(cls, gear: Gear | Rack) -> ToothStep:
        """Of a gear or a rack."""
        if isinstance(gear, Rack):
            return cls(0.0, gear.transverse_pitch)
        return cls(2.0 * math.pi / gear.teeth)

    def rotation(self, tooth: int) -> FloatArray:
        """(3, 3) from tooth 0 to a tooth."""
        c, s = math.cos(self.angle * tooth), math.sin(self.angle * tooth)
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

    def offset(self, tooth: int) -> FloatArray:
        """(3,) [m] from tooth 0 to a tooth."""
        return np.array([0.0, self.travel * tooth, 0.0])

    def to_tooth(self, points: npt.ArrayLike, tooth: int) -> FloatArray:
        """Points (…, 3) of tooth 0, on another tooth."""
        return np.asarray(np.asarray(points, dtype=np.float64) @ self.rotation(tooth).T + self.offset(tooth))


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class SurfaceTeeth:
    """Teeth of any shape. All patches are those of tooth 0, in the axes of the gear.

    Attributes
    ----------
    gear
        The nominal gear: number of teeth, pitch geometry, face width, body and material.
    left, right
        The flanks on the +y and on the −y side of tooth 0.
    of_tooth
        Patches of single teeth that differ, for each side; rotated (shifted) back to tooth 0.
    fits
        For flanks from points: how the splines were made, with their residuals; keys "left", "right", "tooth 3 left".
    """

    gear: Gear | Rack
    left: FlankPatch
    right: FlankPatch
    of_tooth: Mapping[str, Mapping[int, FlankPatch]] = field(default_factory=dict)
    fits: Mapping[str, FlankFit] = field(default_factory=dict)

    @classmethod
    def of(cls, gear: Gear | Rack, flanks: FlankSurfaces, fits: Mapping[str, FlankFit] | None = None) -> SurfaceTeeth:
        """Of a gear with imported flanks."""
        own = {side: flanks.of_side(side) for side in ("left", "right")}
        return cls(gear, flanks.left, flanks.right, {side: of for side, of in own.items() if of}, fits or {})

    def report(self) -> str:
        """How the flanks were made: points, residuals and errors, one line for each flank."""
        lines = [f"{name}: {fit}" for name, fit in self.fits.items()]
        return "\n".join(lines or [f"splines within {1e9 * self.error:.3g} nm of the surfaces"])

    @property
    def step(self) -> ToothStep:
        """From one tooth to the next."""
        return ToothStep.of(self.gear)

    def flank(self, side: str, tooth: int = 0) -> FlankPatch:
        """The "left" or "right" flank of a tooth, in the position of tooth 0."""
        if side not in ("left", "right"):
            raise ModelError(f'teeth: side must be "left" or "right", got {shown(side)}')
        usual = self.left if side == "left" else self.right
        own = self.of_tooth.get(side)
        if not own:
            return usual
        return own.get(tooth % self.gear.teeth if isinstance(self.gear, Gear) else tooth, usual)

    @property
    def error(self) -> float:
        """Largest distance of the splines from the surfaces that they were made from [m]."""
        others = (patch.error for patches in self.of_tooth.values() for patch in patches.values())
        return max(self.left.error, self.right.error, *others)

    def points(self, side: str, rows: int = 9, lines: int = 9, *, tooth: int = 0) -> FloatArray:
        """A grid of points of a flank [m], (rows from root to tip, lines along the face, 3), in the axes of the gear."""
        u, v = np.linspace(0.0, 1.0, rows), np.linspace(0.0, 1.0, lines)
        return self.step.to_tooth(self.flank(side, tooth).point(u[:, None], v), tooth)

    def __repr__(self) -> str:
        what = "rack of" if isinstance(self.gear, Rack) else "gear of"
        return f"SurfaceTeeth({what} {self.gear.teeth} teeth, left {self.left!r}, right {self.right!r})"
