"""The point of a flank surface that is closest to a given point.

With the residual r = x − p(u, v), a step of the Gauss-Newton method solves

    [p_u·p_u  p_u·p_v] [Δu]   [p_u·r]
    [p_u·p_v  p_v·p_v] [Δv] = [p_v·r] .

It starts at the closest one of a grid of samples. Points of finite elements are closer to the flank than a thousandth of its
radius of curvature, so every step gains three digits or more. (u, v) stays within the surface: where a step would leave it,
the point moves along the edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from ..gears.teeth.arrays import FloatArray

__all__ = ["ClosestPoints", "Surface", "closest_points"]

_STEPS = 40
_SAMPLES = 65
"""Samples along u and v at which the search starts."""
_ACCURACY = 1e-13
"""The last step, in u and v."""


class Surface(Protocol):
    """p(u, v) over 0 to 1: u from the form line to the tip, v along the face."""

    def point(self, u: npt.ArrayLike, v: npt.ArrayLike) -> FloatArray:
        """p [m], (…, 3)."""

    def tangents(self, u: npt.ArrayLike, v: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """p_u and p_v [m], (…, 3) each."""

    def normal(self, u: npt.ArrayLike, v: npt.ArrayLike) -> FloatArray:
        """The unit normal out of the material, (…, 3)."""


@dataclass(frozen=True, eq=False)
class ClosestPoints:
    """Closest points of a surface.

    Attributes
    ----------
    u, v : (n,)
        Their parameters, 0 to 1.
    normals : (n, 3)
        Unit normals of the surface there, out of the material.
    above : (n,)
        Distance of the given points from the tangent plane, out of the material [m].
    beyond : (n,)
        Distance of the given points from the edge of the surface, along the tangent plane [m]; 0 for points above it.
    """

    u: FloatArray
    v: FloatArray
    normals: FloatArray
    above: FloatArray
    beyond: FloatArray


def closest_points(surface: Surface, points: FloatArray) -> ClosestPoints:
    """The closest points of a surface to points (n, 3) [m]."""
    x = np.asarray(points, dtype=np.float64).reshape(-1, 3)
    at = np.linspace(0.0, 1.0, _SAMPLES)
    samples = np.asarray(surface.point(at[:, None], at[None, :]), dtype=np.float64).reshape(-1, 3)
    nearest = cKDTree(samples).query(x)[1]
    u, v = at[nearest // _SAMPLES].copy(), at[nearest % _SAMPLES].copy()
    moving = np.arange(len(x))
    for _ in range(_STEPS):
        du, dv = _step(surface, x[moving], u[moving], v[moving])
        new_u, new_v = np.clip(u[moving] + du, 0.0, 1.0), np.clip(v[moving] + dv, 0.0, 1.0)
        moved = np.maximum(np.abs(new_u - u[moving]), np.abs(new_v - v[moving]))
        u[moving], v[moving] = new_u, new_v
        moving = moving[moved > _ACCURACY]
        if not len(moving):
            break
    normals = np.asarray(surface.normal(u, v), dtype=np.float64).reshape(-1, 3)
    r = x - np.asarray(surface.point(u, v), dtype=np.float64).reshape(-1, 3)
    above = np.einsum("nk,nk->n", r, normals)
    beyond = np.linalg.norm(r - above[:, None] * normals, axis=1)
    inside = (u > 0.0) & (u < 1.0) & (v > 0.0) & (v < 1.0)
    return ClosestPoints(u, v, normals, above, np.where(inside, 0.0, beyond))


def _step(surface: Surface, x: FloatArray, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Δu and Δv; along an edge where the step would leave it."""
    p = np.asarray(surface.point(u, v), dtype=np.float64)
    a, b = (np.asarray(t, dtype=np.float64) for t in surface.tangents(u, v))
    r = x - p
    aa, ab, bb = (np.einsum("nk,nk->n", s, t) for s, t in ((a, a), (a, b), (b, b)))
    ar, br = np.einsum("nk,nk->n", a, r), np.einsum("nk,nk->n", b, r)
    determinant = aa * bb - ab * ab
    du, dv = (bb * ar - ab * br) / determinant, (aa * br - ab * ar) / determinant
    u_ends = ((u <= 0.0) & (du < 0.0)) | ((u >= 1.0) & (du > 0.0))
    v_ends = ((v <= 0.0) & (dv < 0.0)) | ((v >= 1.0) & (dv > 0.0))
    along_v, along_u = br / bb, ar / aa
    dv = np.where(u_ends & ~v_ends, along_v, dv)
    du = np.where(v_ends & ~u_ends, along_u, du)
    return np.where(u_ends, 0.0, du), np.where(v_ends, 0.0, dv)
