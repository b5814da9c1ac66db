"""One flank of an elastic gear for contact in cells: what is left of its compliance without the half-space under its hats.

The cells of a contact contain the half-space at their own scale. Finite elements contain it too, at the scale of their hats. It is
taken out of their compliance, and what is left is smooth enough to be interpolated between hats. On flanks of any shape hats are
not equally far apart: a bevel tooth is smaller at its inner end. The half-space between two hats is that of a regular grid with
the mean of the distances at both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from ..fem.elastic_gear import ElasticGear
from ..fem.flank_grid import FlankGrid
from ..gears.material import Material
from .contact_plane import ParametricFlank
from .flank_data import half_space_scale, profile_place, without_half_space
from .half_space_hats import half_space_hats

__all__ = ["FlankHats", "flank_hats", "rigid_hats"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_ALIKE = 0.01
"""Distances of hats that differ by less count as equal."""


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
        [m/N] Without the half-space; from tooth to tooth.
    reach : int
        Number of neighbours on either side.
    teeth : int
        Of the gear; 0 for a rack, whose teeth do not come round again.
    scale : float
        (1 − ν²)/(π E) [1/Pa]
    base_radius : float
        Of the involutes whose roll lengths the grid has [m].
    """

    patch: ParametricFlank
    grid: Any
    compliance: FloatArray
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

    def between(self, tooth: int, other: int) -> FloatArray | None:
        """Compliance of the hats of a tooth to forces on another one; None where it is too far."""
        if self.grid is None:
            return None
        offset = tooth - other
        if self.teeth:
            offset -= self.teeth * round(offset / self.teeth)
        return self.compliance[self.reach + offset] if abs(offset) <= self.reach else None


def rigid_hats(patch: ParametricFlank, material: Material) -> FlankHats:
    """A rigid gear with a flank that yields as a half-space does."""
    return FlankHats(patch, None, np.zeros((1, 0, 0)), 0, 0, half_space_scale(material))


def flank_hats(gear: ElasticGear, side: str, patch: ParametricFlank, *, rack: bool = False) -> FlankHats:
    """Of the "left" or "right" flanks of an elastic gear, whose surface is that of `patch`."""
    grid = gear.grids[side]
    scale = half_space_scale(gear.material)
    base_radius = 0.0
    if isinstance(grid, FlankGrid):
        found = without_half_space(gear, side, 0.0)
        base_radius = gear.teeth.flank(side).involute.base_radius
    else:
        found = np.array(gear.compliance[side, side], dtype=np.float64)
        middle = int(np.flatnonzero(gear.offsets == 0)[0])
        found[middle] -= _uneven_half_space(grid.spacing, grid.distance, grid.shape, scale)
    return FlankHats(patch, grid, found, (len(found) - 1) // 2, 0 if rack else gear.teeth.gear.teeth, scale, base_radius)


def _uneven_half_space(spacing: FloatArray, distance: FloatArray, shape: tuple[int, int], scale: float) -> FloatArray:
    """The half-space of hats at slowly varying distances, (rows, lines) each [m]."""
    s = np.broadcast_to(spacing, shape).ravel()
    d = np.broadcast_to(distance, shape).ravel()
    mean = math.sqrt(float(s.mean()) * float(d.mean()))
    size, aspect = np.sqrt(s * d), np.sqrt(s / d)
    middle = float(np.exp(np.log(aspect).mean()))
    # a grid that is larger by a factor has compliances that are smaller by it: only the aspect ratio needs tables
    aspects = np.unique([float(aspect.min()), middle, float(aspect.max())])
    if aspects[-1] < (1.0 + _ALIKE) * aspects[0]:
        aspects = np.array([middle])
    tables = [half_space_hats(mean * a, mean / a, shape, scale=scale) for a in aspects]
    by = 0.5 * (size[:, None] + size)
    at = np.sqrt(aspect[:, None] * aspect)
    found = np.zeros_like(tables[0])
    for i, a in enumerate(aspects):  # Lagrange's polynomial through the tables
        weight = np.ones_like(at)
        for j, b in enumerate(aspects):
            if j != i:
                weight *= (at - b) / (a - b)
        found += weight * tables[i]
    return found * mean / by


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
