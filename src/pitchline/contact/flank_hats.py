"""One flank of an elastic gear for contact in cells: what is left of its compliance without the half-space under its hats.

The cells of a contact contain the half-space at their own scale. Finite elements contain it too, at the scale of their hats. It is
taken out of their compliance (`surface_half_space`), and what is left is smooth enough to be interpolated between hats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from ..errors import ModelError
from ..fem.elastic_gear import ElasticGear
from ..fem.flank_grid import FlankGrid
from ..gears.material import Material
from ..gears.surfaces import FlankPatch
from .flank_data import half_space_scale, profile_place
from .surface_elastic_pair import involutes_of
from .surface_half_space import surface_half_space

__all__ = ["FlankHats", "flank_hats", "rigid_hats"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


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
