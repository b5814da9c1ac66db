"""Strips of cells between two flanks of any shape on parallel axes: what `strip_search` does for involutes.

The strips run along the profile, at v = const of flank A, in slices of the face. Gaps are motions of gear B: how far it turns until
it meets a point, times the lever of involutes. With the lever w of the normal, a cell with the force λ has the torque w λ. In
units of the involute's lever w_0 the force is λ w/w_0 and compliances are those of cells times w_0/w of both: all are then pressed
by one approach, as involutes are.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ..gears.surfaces import FlankPatch
from .flank_shape import FlankShape
from .strip_search import RecordArray
from .strips import Cell, Strip
from .surface_pair import LeastGaps, SurfacePair

__all__ = ["SurfaceStripSearch"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_ARCS = 513
"""Points of the table of arcs along a profile."""


class SurfaceStripSearch:
    """Looks for strips in given slices of the face of gear A.

    Parameters
    ----------
    pair
        The flanks.
    shapes
        Of the involutes of both gears, whose roll lengths name places on the profile.
    lever
        w_0 [m]
    zeta
        Of the slices [m].
    count, resolution, modulus
        Cells in a strip, and in Hertz's half width, which follows with E* [Pa].

    Attributes
    ----------
    strips, cells
        What was found last, with the fields of `Strip` and `Cell`.
    ratio : (cells,)
        w_0/w.
    places : ((cells, 2), (cells, 2))
        u and v of the cells on A and B.
    slots : int
        Number of teeth of the last search.
    """

    def __init__(
        self, pair: SurfacePair, shapes: tuple[FlankShape, FlankShape], lever: float, zeta: FloatArray, *,
        count: int, resolution: float, modulus: float,
    ) -> None:  # fmt: skip
        self._pair, self._shapes, self._lever = pair, shapes, lever
        self._zeta = np.asarray(zeta, dtype=np.float64)
        self._count, self._resolution, self._modulus = count, resolution, modulus
        patch = pair.patch_a
        self._v = _v_at(patch, self._zeta)
        u = np.linspace(0.0, 1.0, _ARCS)
        p = patch.point(u[:, None], self._v)
        steps = np.linalg.norm(np.diff(p, axis=0), axis=-1)
        self._u = u
        self._arcs = np.concatenate([np.zeros((1, len(self._v))), np.cumsum(steps, axis=0)]).T
        self._where: tuple[float, float, tuple[int, ...]] | None = None
        self._least: LeastGaps | None = None
        self.slots = 1
        self.strips: RecordArray = np.zeros(0, Strip.dtype)
        self.cells: RecordArray = np.zeros(0, Cell.dtype)
        self.ratio: FloatArray = np.zeros(0)
        self.places: tuple[FloatArray, FloatArray] = np.zeros((0, 2)), np.zeros((0, 2))

    def __call__(
        self, angle_a: float, angle_b: float, teeth: IntArray, *, reach: float, line_load: float = 1.0,
        stretch: FloatArray | None = None,
    ) -> float:  # fmt: skip
        """As `StripSearch`."""
        where = float(angle_a), float(angle_b), tuple(int(k) for k in teeth)
        if where != self._where:
            self._least = self._pair.least_on_lines(
                angle_a, np.asarray(teeth)[:, None], self._v[None, :], angle_b=angle_b
            )
            self._where = where
        found = self._least
        assert found is not None
        gaps = self._lever * found.gap
        self.slots = len(teeth)
        self._lay_out(angle_a, angle_b, teeth, found, gaps, gaps <= reach, line_load, stretch)
        return float(gaps.min(initial=math.inf))

    def _lay_out(
        self, angle_a: float, angle_b: float, teeth: IntArray, found: LeastGaps, gaps: FloatArray,
        chosen: npt.NDArray[np.bool_], line_load: float, stretch: FloatArray | None,
    ) -> None:  # fmt: skip
        slot, slice_ = np.nonzero(chosen)
        n, count = len(slot), self._count
        strips, cells = np.zeros(n, Strip.dtype), np.zeros(n * count, Cell.dtype)
        self.strips, self.cells = strips, cells
        if n == 0:
            self.ratio, self.places = np.zeros(0), (np.zeros((0, 2)), np.zeros((0, 2)))
            return
        tooth, v = np.asarray(teeth)[slot], self._v[slice_]
        u, begin, end = (one[slot, slice_] for one in (found.u, found.begin, found.end))
        curvature = self._pair.curvatures(angle_a, tooth, u, v, angle_b=angle_b)[0]
        half = np.sqrt(4.0 * line_load / (math.pi * self._modulus * np.maximum(curvature, 1e-3)))
        height = half / self._resolution
        if stretch is not None:
            height = height * stretch[slot, slice_]
        low, middle, high = (self._arc(slice_, one) for one in (begin, u, end))
        height = np.minimum(height, np.maximum(high - low, 1e-9) / count)
        start = middle - 0.5 * count * height
        at_high = start + count * height >= high
        start = np.where(at_high, high - count * height, start)
        at_low = start <= low
        start = np.where(at_low, low, start)
        s = start[:, None] + (np.arange(count) + 0.5) * height[:, None]
        u_a = np.stack([np.interp(row, self._arcs[j], self._u) for row, j in zip(s, slice_, strict=True)])
        v_a = np.broadcast_to(v[:, None], s.shape)
        met = self._pair.meet(angle_a, tooth[:, None], u_a, v_a, angle_b=angle_b)
        self.places = (
            np.stack([u_a.ravel(), v_a.ravel()], axis=1),
            np.stack([met["u"].ravel(), met["v"].ravel()], axis=1),
        )
        self.ratio = self._lever / met["lever_b"].ravel()
        strips["slot"], strips["slice"], strips["tooth_a"] = slot, slice_, tooth
        strips["tooth_b"] = found.at["tooth"][slot, slice_]
        strips["first_cell"] = np.arange(n) * count
        strips["at_low"], strips["at_high"], strips["height"] = at_low, at_high, height
        strips["half_width"], strips["gap"] = half, gaps[slot, slice_]
        shape_a, shape_b = self._shapes
        strips["length"] = _roll_lengths(shape_a, self._pair.patch_a.point(u, v))
        cells["slot"] = np.repeat(slot, count)
        p_a = self._pair.patch_a.point(*self.places[0].T)
        p_b = self._pair.patch_b.point(*self.places[1].T)
        cells["length_a"], cells["face_a"] = _roll_lengths(shape_a, p_a), np.repeat(self._zeta[slice_], count)
        cells["length_b"], cells["face_b"] = _roll_lengths(shape_b, p_b), p_b[:, 2]
        cells["gap"] = self._lever * met["gap"].ravel()

    def _arc(self, slices: IntArray, u: FloatArray) -> FloatArray:
        """Length along the profile from u = 0 [m]."""
        place = np.clip(u, 0.0, 1.0) * (_ARCS - 1)
        i = np.minimum(place.astype(np.int64), _ARCS - 2)
        t = place - i
        return np.asarray((1.0 - t) * self._arcs[slices, i] + t * self._arcs[slices, i + 1])


def _roll_lengths(shape: FlankShape, points: FloatArray) -> FloatArray:
    """L [m] at the radius of points; 0 inside the base circle."""
    return np.sqrt(np.maximum(points[..., 0] ** 2 + points[..., 1] ** 2 - shape.base_radius**2, 0.0))


def _v_at(patch: FlankPatch, zeta: FloatArray) -> FloatArray:
    """v of the middle of the profile at face coordinates [m]."""
    v = np.linspace(0.0, 1.0, 257)
    z = patch.point(0.5, v)[:, 2]
    found = np.interp(zeta, z, v)
    for _ in range(3):
        p, by_v = patch.point(np.full(found.shape, 0.5), found), patch.tangents(np.full(found.shape, 0.5), found)[1]
        found = np.clip(found + (zeta - p[:, 2]) / by_v[:, 2], 0.0, 1.0)
    return np.asarray(found)
