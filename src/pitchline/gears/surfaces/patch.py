"""One flank of a tooth as a spline surface, from any source.

The patch p(u, v) covers [0, 1]²: u = 0 where the flank begins at the root, 1 at the tip; v along the face, towards +z of the
gear, or from the inner to the outer end of a bevel tooth. Both are close to proportional to the length on the flank.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ..arrays import FloatArray, along
from ..modifications import RIDGE

__all__ = ["FlankPatch", "PatchForms", "NearestPlaces"]

_BESIDE = 1e-6
"""Distance in u or v from a line at which the directions of both its sides are taken."""
_GUESSES = (24, 300)
"""Least and greatest number of points along u and v from which the nearest place of a point is searched."""


class PatchForms(NamedTuple):
    """Point, unit normal out of the material, first form E, F, G and second form L, M, N (convex is positive)."""

    point: FloatArray
    normal: FloatArray
    E: FloatArray
    F: FloatArray
    G: FloatArray
    L: FloatArray
    M: FloatArray
    N: FloatArray


class NearestPlaces(NamedTuple):
    """Places (u, v) on a patch that are nearest to points, and how far the points are outside of it along the normal [m].

    away: distance [m] of the points from the places; larger than abs(height) for points beyond the edges.
    """

    u: FloatArray
    v: FloatArray
    height: FloatArray
    away: FloatArray


@names_wrong_arguments
@dataclass(frozen=True, init=False, eq=False, repr=False)
class FlankPatch:
    """A tensor-product B-spline surface: one flank of tooth 0, in the axes of the gear [m].

    Parameters
    ----------
    control : (n, m, 3)
        Control points [m].
    knots_u, knots_v : (n + degree_u + 1,), (m + degree_v + 1,)
        Knots from 0 to 1, with ends of full multiplicity.
    facing
        Sign of p_u × p_v that points out of the material.
    error
        How far the spline is from the surface that it was made from [m], where it is known.

    Attributes
    ----------
    record : FloatArray
        `pitchline.math.surface_patch.PatchRecord`, for compiled code.
    """

    control: FloatArray
    knots_u: FloatArray
    knots_v: FloatArray
    facing: float
    error: float

    def __init__(
        self,
        control: npt.ArrayLike,
        knots_u: npt.ArrayLike,
        knots_v: npt.ArrayLike,
        *,
        facing: float,
        error: float = 0.0,
    ) -> None:
        for name, given in (("control", control), ("knots_u", knots_u), ("knots_v", knots_v)):
            array = np.array(given, dtype=np.float64)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        object.__setattr__(self, "facing", float(facing))
        object.__setattr__(self, "error", float(error))

    @property
    def degrees(self) -> tuple[int, int]:
        """Along u and v."""
        n, m, _ = self.control.shape
        return len(self.knots_u) - n - 1, len(self.knots_v) - m - 1

    @property
    def breaks(self) -> tuple[FloatArray, FloatArray]:
        """Ends of the polynomial pieces along u and v."""
        return np.unique(self.knots_u), np.unique(self.knots_v)

    @cached_property
    def record(self) -> FloatArray:
        """For compiled code."""
        from ...math.fields import packed
        from ...math.surface_patch import PatchRecord

        p, q = self.degrees
        along_u = _pieces(self.knots_u, self.control, p)  # (cells_u, p + 1, m, 3)
        both = _pieces(self.knots_v, np.moveaxis(along_u, 2, 0), q)  # (cells_v, q + 1, cells_u, p + 1, 3)
        coefficients = np.ascontiguousarray(both.transpose(2, 0, 3, 1, 4)).reshape(-1, 3)
        breaks_u, breaks_v = self.breaks
        found: FloatArray = packed(
            PatchRecord,
            {
                "facing": self.facing,
                "degree_u": p,
                "degree_v": q,
                "breaks_u": breaks_u,
                "breaks_v": breaks_v,
                "coefficients": coefficients,
            },
        )
        return found

    # ------------------------------------------------------------------------------------------------------ evaluation

    def terms(self, u: npt.ArrayLike, v: npt.ArrayLike) -> FloatArray:
        """p, p_u, p_v, p_uu, p_uv, p_vv [m]; (…, 6, 3)."""
        from ...math.surface_patch import patch_terms_at

        a, b = along(u, v)
        out = np.empty((a.size, 18))
        patch_terms_at(self.record, np.array(a, order="C").ravel(), np.array(b, order="C").ravel(), out)
        return out.reshape(*a.shape, 6, 3)

    def point(self, u: npt.ArrayLike, v: npt.ArrayLike) -> FloatArray:
        """p(u, v) [m], (…, 3)."""
        from ...math.surface_patch import patch_points_at

        a, b = along(u, v)
        out = np.empty((a.size, 3))
        patch_points_at(self.record, np.array(a, order="C").ravel(), np.array(b, order="C").ravel(), out)
        return out.reshape(*a.shape, 3)

    def tangents(self, u: npt.ArrayLike, v: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """p_u and p_v [m], (…, 3) each."""
        t = self.terms(u, v)
        return t[..., 1, :], t[..., 2, :]

    def second(self, u: npt.ArrayLike, v: npt.ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
        """p_uu, p_uv and p_vv [m], (…, 3) each."""
        t = self.terms(u, v)
        return t[..., 3, :], t[..., 4, :], t[..., 5, :]

    def normal(self, u: npt.ArrayLike, v: npt.ArrayLike) -> FloatArray:
        """The unit normal out of the material, (…, 3)."""
        return self._unit(*self.tangents(u, v))

    def _unit(self, p_u: FloatArray, p_v: FloatArray) -> FloatArray:
        n = self.facing * np.cross(p_u, p_v)
        return np.asarray(n / np.linalg.norm(n, axis=-1, keepdims=True))

    def forms(self, u: npt.ArrayLike, v: npt.ArrayLike) -> PatchForms:
        """Point, normal and both fundamental forms."""
        t = self.terms(u, v)
        p, p_u, p_v, p_uu, p_uv, p_vv = (t[..., k, :] for k in range(6))
        n = self._unit(p_u, p_v)

        def dot(a: FloatArray, b: FloatArray) -> FloatArray:
            return np.asarray(np.einsum("...i,...i->...", a, b))

        return PatchForms(
            p, n, dot(p_u, p_u), dot(p_u, p_v), dot(p_v, p_v), -dot(n, p_uu), -dot(n, p_uv), -dot(n, p_vv)
        )

    def curvatures(self, u: npt.ArrayLike, v: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Principal curvatures k_1 >= k_2 [1/m], positive where the material is convex."""
        _, _, E, F, G, L, M, N = self.forms(u, v)
        area = E * G - F * F
        mean = 0.5 * (E * N - 2.0 * F * M + G * L) / area
        root = np.sqrt(np.maximum(mean * mean - (L * N - M * M) / area, 0.0))
        return mean + root, mean - root

    # ------------------------------------------------------------------------------------------------------- searching

    def project(self, points: npt.ArrayLike, *, beyond: float = 0.0) -> NearestPlaces:
        """The nearest places of points (…, 3) [m]; within `beyond` of the edges of [0, 1]², where the spline continues."""
        from scipy.spatial import cKDTree

        from ...math.surface_patch import project_onto_patch

        q = np.asarray(points, dtype=np.float64)
        flat = np.ascontiguousarray(q.reshape(-1, 3))
        grid = [np.linspace(0.0, 1.0, int(np.clip(2 * len(ends), *_GUESSES))) for ends in self.breaks]
        guesses = np.stack(np.meshgrid(*grid, indexing="ij"), axis=-1).reshape(-1, 2)
        near = cKDTree(self.point(guesses[:, 0], guesses[:, 1])).query(flat)[1] if len(flat) else []
        places = np.ascontiguousarray(guesses[near]) if len(flat) else np.empty((0, 2))
        project_onto_patch(self.record, flat, places, beyond, 60)
        u, v = places[:, 0].reshape(q.shape[:-1]), places[:, 1].reshape(q.shape[:-1])
        forms = self.forms(u, v)
        apart = q - forms.point
        return NearestPlaces(u, v, np.einsum("...i,...i->...", apart, forms.normal), np.linalg.norm(apart, axis=-1))

    # --------------------------------------------------------------------------------------------------------- changes

    def moved(self, rotation: npt.ArrayLike, position: npt.ArrayLike = (0.0, 0.0, 0.0)) -> FlankPatch:
        """The patch turned by a rotation matrix (3, 3) and moved by a vector [m]."""
        R, x = np.asarray(rotation, dtype=np.float64), np.asarray(position, dtype=np.float64)
        facing = self.facing * float(np.sign(np.linalg.det(R)))
        return FlankPatch(self.control @ R.T + x, self.knots_u, self.knots_v, facing=facing, error=self.error)

    def mirrored(self) -> FlankPatch:
        """Reflected in the plane y = 0: the other flank of a straight symmetrical tooth."""
        return self.moved(np.diag([1.0, -1.0, 1.0]))

    @cached_property
    def lengths(self) -> tuple[float, float]:
        """Mean lengths of the flank along u and v [m]."""
        u = np.linspace(0.0, 1.0, 33)
        p = self.point(u[:, None], u)
        return (
            float(np.linalg.norm(np.diff(p, axis=0), axis=-1).sum(axis=0).mean()),
            float(np.linalg.norm(np.diff(p, axis=1), axis=-1).sum(axis=1).mean()),
        )

    @cached_property
    def ridges(self) -> tuple[FloatArray, FloatArray]:
        """Lines u and v on which the normal turns outwards in a step: convex edges inside the flank, as where a relief begins."""
        middle = np.linspace(0.05, 0.95, 5)

        def turned(at: float, along_u: bool) -> float:
            places = [(np.full(5, at + d), middle)[:: 1 if along_u else -1] for d in (-_BESIDE, _BESIDE)]
            tangent = self.tangents(*places[0])[0 if along_u else 1]
            across = np.einsum("ij,ij->i", self.normal(*places[1]) - self.normal(*places[0]), tangent)
            return float((across / np.linalg.norm(tangent, axis=-1)).max())

        found = [
            [x for x in ends[1:-1] if turned(float(x), first) > RIDGE]
            for ends, first in zip(self.breaks, (True, False), strict=True)
        ]
        return np.array(found[0]), np.array(found[1])

    @property
    def _content(self) -> tuple[Any, ...]:
        return self.control.shape, self.control.tobytes(), self.knots_u.tobytes(), self.knots_v.tobytes(), self.facing

    def __eq__(self, other: object) -> bool:
        return self._content == other._content if isinstance(other, FlankPatch) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._content)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.control, self.knots_u, self.knots_v, self.facing, self.error)

    def __repr__(self) -> str:
        (n, m, _), (p, q) = self.control.shape, self.degrees
        return f"FlankPatch({n} x {m} control points, degrees {p} and {q}, error {1e9 * self.error:.3g} nm)"


def _again(control: FloatArray, knots_u: FloatArray, knots_v: FloatArray, facing: float, error: float) -> FlankPatch:
    """From what `pickle` and `copy` keep."""
    return FlankPatch(control, knots_u, knots_v, facing=facing, error=error)


def _pieces(knots: FloatArray, values: FloatArray, degree: int) -> FloatArray:
    """Coefficients of the polynomials between distinct knots, in local coordinates from 0 to 1; (cells, degree + 1, …)."""
    from scipy.interpolate import BSpline

    breaks = np.unique(knots)
    spline = BSpline(knots, values, degree)
    shape = (-1, *[1] * (values.ndim - 1))
    found = [spline(breaks[:-1])]
    scale = np.ones(len(breaks) - 1)
    for power in range(1, degree + 1):  # Taylor's series at the left end of each cell
        scale = scale * np.diff(breaks) / power
        found.append(spline(breaks[:-1], nu=power) * scale.reshape(shape))
    return np.stack(found, axis=1)
