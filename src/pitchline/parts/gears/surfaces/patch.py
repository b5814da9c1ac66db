"""One flank of a tooth as a spline surface: points, nearest places, moments.

The patch p(u, v) covers [0, 1]²: u = 0 where the flank begins at the root, 1 at the tip; v along the face, towards +z of the
gear, or from the inner to the outer end of a bevel tooth. Both are close to proportional to the length on the flank.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, shown

from ..geometry.involute import along
from ..modifications.deviations import RIDGE
from ..teeth.bevel import gauss_rule, plain_half_angle

if TYPE_CHECKING:
    from ..geometry.gear import Gear
    from ..geometry.rack import Rack
    from ..teeth.bevel import BevelTeeth
    from ..teeth.teeth import Teeth

__all__ = [
    "FlankPatch",
    "PatchForms",
    "NearestPlaces",
    "FlankMoments",
    "gear_flank_moments",
    "rack_flank_moments",
    "FlankSurfaces",
]


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
        `pitchline.numerics.surface_patch.PatchRecord`, for compiled code.
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
        from pitchline.numerics.fields import packed
        from pitchline.numerics.surface_patch import PatchRecord

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
        from pitchline.numerics.surface_patch import patch_terms_at

        a, b = along(u, v)
        out = np.empty((a.size, 18))
        patch_terms_at(self.record, np.array(a, order="C").ravel(), np.array(b, order="C").ravel(), out)
        return out.reshape(*a.shape, 6, 3)

    def point(self, u: npt.ArrayLike, v: npt.ArrayLike) -> FloatArray:
        """p(u, v) [m], (…, 3)."""
        from pitchline.numerics.surface_patch import patch_points_at

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

        from pitchline.numerics.surface_patch import project_onto_patch

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


# ---- flank moments

# By how much imported flanks change the moments of the nominal teeth.
#
# A point of a flank has the height h (radius, or x of a rack), the place ζ along the axis, and the distance a from
# the middle of the tooth (azimuth times radius, or y). The nominal tooth ends at the distance a_0 there, so that
#
# ΔV = ∬ (a − a_0) abs(∂(h, ζ)/∂(u, v)) du dv
#
# on each side, and the other moments accordingly. Below the surface the fillet is that of the nominal tooth, moved by
# a − a_0 of the lower edge.

_ROWS, _LINES, _BELOW, _SAMPLES = 40, 16, 6, 200


class FlankMoments(NamedTuple):
    """Changes of ∫ dV [m³], ∫ ζ dV [m⁴], ∫ ζ² dV [m⁵] and ∫ r² dV [m⁵] of all teeth; of a rack ∫ x dV, ∫ x² dV and ∫ y² dV of one
    tooth about its middle."""

    volume: float
    first: float
    second: float
    square: float


def _flank_weights(patch: FlankPatch, *, radial: bool) -> tuple[FloatArray, FloatArray]:
    """Points of a patch (n, m, 3) and abs(∂(h, ζ)/∂(u, v)) du dv."""
    (u, wu), (v, wv) = gauss_rule(_ROWS), gauss_rule(_LINES)
    terms = patch.terms(0.5 * (1.0 + u)[:, None], 0.5 * (1.0 + v))
    p, p_u, p_v = terms[..., 0, :], terms[..., 1, :], terms[..., 2, :]
    if radial:
        r = np.hypot(p[..., 0], p[..., 1])
        h_u, h_v = ((p[..., 0] * d[..., 0] + p[..., 1] * d[..., 1]) / r for d in (p_u, p_v))
    else:
        h_u, h_v = p_u[..., 0], p_v[..., 0]
    turned = np.abs(h_u * p_v[..., 2] - h_v * p_u[..., 2])
    return p, turned * (0.25 * wu[:, None] * wv)


def _below(low: float, edge: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Heights between the root and the lower edge of a surface (n, m), and their weights abs(dh); none where the edge is deeper."""
    x, w = gauss_rule(_BELOW)
    half = 0.5 * (edge - low)
    return low + half * (1.0 + x)[:, None], np.abs(half) * w[:, None]


def gear_flank_moments(gear: Gear, teeth: Teeth | BevelTeeth | None) -> FlankMoments:
    """Of a gear with imported flanks; teeth: its nominal ones, None for teeth without fillets. ζ is z, of a bevel gear the height
    from the apex, less the mean cone distance."""
    from ..teeth.bevel import BevelTeeth

    assert gear.flanks is not None
    total = np.zeros(4)
    origin = gear.mean_cone_distance if gear.cone_angle else 0.0

    def add(amounts: FloatArray, zeta: FloatArray, r: FloatArray) -> None:
        nonlocal total
        height = zeta - origin
        total = total + [float((amounts * f).sum()) for f in (1.0, height, height**2, r**2)]

    v, wv = gauss_rule(_LINES)
    for side, patch in ((1.0, gear.flanks.left), (-1.0, gear.flanks.right)):

        def away(p: FloatArray, side: float = side) -> tuple[FloatArray, FloatArray, FloatArray]:
            """Azimuth beyond the nominal flank [rad], radius and ζ."""
            r, zeta, twist = np.hypot(p[..., 0], p[..., 1]), p[..., 2], 0.0
            if isinstance(teeth, BevelTeeth):
                zeta = (zeta - teeth.apex) * math.copysign(1.0, gear.cone_angle)
                half = _bevel_half_angle(teeth, np.arctan2(r, zeta))
            else:
                half = plain_half_angle(gear, r) if teeth is None else _half_angle(teeth, side, r)
                twist = 2.0 * math.tan(gear.helix_angle) / gear.reference_diameter
            P = (p[..., 0] + 1j * p[..., 1]) * np.exp(-1j * twist * p[..., 2])
            return side * np.angle(P) - half, r, zeta

        p, weights = _flank_weights(patch, radial=True)
        turn, r, zeta = away(p)
        add(turn * r * weights, zeta, r)

        edge = patch.terms(np.zeros(_LINES), 0.5 * (1.0 + v))
        turn, r, zeta = away(edge[:, 0])
        if isinstance(teeth, BevelTeeth):  # r dr dz = R² sin γ dγ dR
            R = np.hypot(r, zeta)
            slope = np.sum(edge[:, 0] * edge[:, 2], axis=-1) - teeth.apex * edge[:, 2, 2]
            angles, steps = _below(teeth.root_cone, np.maximum(np.arctan2(r, zeta), teeth.root_cone))
            r, zeta = R * np.sin(angles), R * np.cos(angles)
            add(turn * r * steps * (0.5 * wv * np.abs(slope)), zeta, r)
        else:
            root, sense = 0.5 * gear.root_diameter, gear.sense
            r, steps = _below(root, sense * np.maximum(sense * r, sense * root))
            add(turn * r * steps * (0.5 * wv * np.abs(edge[:, 2, 2])), np.broadcast_to(zeta, r.shape), r)
    return FlankMoments(*(gear.teeth * total))


def _half_angle(teeth: Teeth, side: float, r: FloatArray) -> FloatArray:
    """Azimuth of the outline on a side at radii [rad], in the middle of the face: π/z at the root, 0 beyond the tip."""
    flank = teeth.left if side > 0.0 else teeth.right
    form, tip = float(flank.form_roll_length(0.0)), float(flank.tip_roll_length(0.0))
    t = np.linspace(0.0, 1.0, _SAMPLES)
    fillet = flank.fillet.section(t * float(flank.fillet.limits(0.0)[1]), 0.0)
    outline = np.concatenate([fillet, flank.involute.section(form + t * (tip - form), 0.0)])
    return _interpolated(r, np.abs(outline), side * np.angle(outline), math.pi / teeth.gear.teeth, teeth.gear.sense)


def _bevel_half_angle(teeth: BevelTeeth, polar: FloatArray) -> FloatArray:
    """The same at polar angles [rad]."""
    flank = teeth.left
    t = np.linspace(0.0, 1.0, _SAMPLES)
    u = flank.fillet._frame(t)[0]
    arc = flank.form + t * (flank.tip - flank.form)
    angles = np.concatenate([np.arctan2(u[:, 1], u[:, 0]), flank.involute.half_angle(arc)])
    heights = np.concatenate([np.arctan2(np.hypot(u[:, 0], u[:, 1]), u[:, 2]), flank.involute.polar(arc)])
    return _interpolated(polar, heights, angles, math.pi / teeth.gear.teeth, 1.0)


def _interpolated(at: FloatArray, heights: FloatArray, angles: FloatArray, root: float, sense: float) -> FloatArray:
    order = np.argsort(heights, kind="stable")
    ends = {"left": root, "right": 0.0} if sense > 0.0 else {"left": 0.0, "right": root}
    return np.asarray(np.interp(at, heights[order], angles[order], **ends))


def rack_flank_moments(rack: Rack, half_at: Callable[[FloatArray], FloatArray]) -> FlankMoments:
    """Of one tooth of a rack with imported flanks; half_at: half thickness [m] of the nominal tooth at heights x [m]."""
    assert rack.flanks is not None
    total = np.zeros(4)
    v, wv = gauss_rule(_LINES)
    lean = math.tan(rack.helix_angle)

    def add(x: FloatArray, y: FloatArray, nominal: FloatArray, weights: FloatArray) -> None:
        nonlocal total
        more = (y - nominal) * weights
        parts = [float((more * f).sum()) for f in (1.0, x, x**2)]
        total = total + [*parts, float(((y**3 - nominal**3) * weights).sum()) / 3.0]

    def nominal_at(x: FloatArray) -> FloatArray:
        inside = np.where(x > rack.addendum * (1.0 + 1e-9), 0.0, half_at(x))
        return np.where(x < -rack.dedendum, 0.5 * rack.transverse_pitch, inside)

    for side, patch in ((1.0, rack.flanks.left), (-1.0, rack.flanks.right)):
        p, weights = _flank_weights(patch, radial=False)
        add(p[..., 0], side * (p[..., 1] - lean * p[..., 2]), nominal_at(p[..., 0]), weights)

        edge = patch.terms(np.zeros(_LINES), 0.5 * (1.0 + v))
        x, y, z = (edge[:, 0, k] for k in range(3))
        apart = side * (y - lean * z) - nominal_at(x)
        x, steps = _below(-rack.dedendum, np.maximum(x, -rack.dedendum))
        nominal = nominal_at(x)
        add(x, nominal + apart, nominal, steps * (0.5 * wv * np.abs(edge[:, 2, 2])))
    return FlankMoments(*total)


# ---- flank surfaces

# Imported flanks as part of the description of a gear.


@dataclass(frozen=True)
class FlankSurfaces:
    """Flanks of a gear that replace those of the nominal teeth: `Gear(..., flanks=...)`.

    `Teeth.from_points` and `Teeth.from_surface` make them. Objects with the same content are equal.

    Attributes
    ----------
    left, right
        Patches of tooth 0, in the axes of the gear.
    per_tooth
        ((tooth, side), patch) of single teeth that differ, rotated back to tooth 0.
    """

    left: FlankPatch
    right: FlankPatch
    per_tooth: tuple[tuple[tuple[int, str], FlankPatch], ...] = field(default=())

    def of_side(self, side: str) -> dict[int, FlankPatch]:
        """Patches of single teeth on the "left" or "right" side."""
        return {tooth: patch for (tooth, where), patch in self.per_tooth if where == side}

    @property
    def patches(self) -> tuple[FlankPatch, ...]:
        """All patches."""
        return (self.left, self.right, *(patch for _, patch in self.per_tooth))

    @property
    def words(self) -> str:
        """ "imported, 45 × 9 and 45 × 9 control points, 2 flanks of single teeth" """
        sizes = [" × ".join(map(str, patch.control.shape[:2])) for patch in (self.left, self.right)]
        single = f", {len(self.per_tooth)} of single teeth" if self.per_tooth else ""
        return f"imported, {sizes[0]} and {sizes[1]} control points{single}"


def spline_of_table(table: Mapping[str, object], facing: float, what: Subject) -> FlankPatch:
    """A patch from its control points and knots, as model files have them."""
    names = ("control", "knots_u", "knots_v")
    for name in names:
        if name not in table:
            raise ModelError(f"{what}: a spline requires {', '.join(names)}. {name} is missing", about=what)
    for name in table:
        if name not in (*names, "error"):
            raise ModelError(
                f"{what}: a spline has no {shown(name)}. It has {', '.join(names)} and error", about=what.at(str(name))
            )
    try:
        control, knots_u, knots_v = (np.array(table[name], dtype=np.float64) for name in names)
        error = float(table.get("error", 0.0))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ModelError(
            f"{what}: control points and knots of a spline must be numbers [m], in rows of equal length", about=what
        ) from None
    check_spline(control, knots_u, knots_v, what)
    return FlankPatch(control, knots_u, knots_v, facing=facing, error=error)


def check_spline(control: np.ndarray, knots_u: np.ndarray, knots_v: np.ndarray, what: Subject) -> None:
    """An error if these are not control points and clamped knots of a spline of degrees 1 to 5 over [0, 1]²."""
    if control.ndim != 3 or control.shape[2] != 3 or not np.isfinite(control).all():
        raise ModelError(
            f"{what}: control must be finite points of shape (rows, lines, 3), got {control.shape}",
            about=what.at("control"),
        )
    for name, knots, count in (("knots_u", knots_u, control.shape[0]), ("knots_v", knots_v, control.shape[1])):
        degree = len(knots) - count - 1
        good = knots.ndim == 1 and 1 <= degree <= 5 and np.isfinite(knots).all() and (np.diff(knots) >= 0.0).all()
        if good:
            ends = knots[: degree + 1], knots[-degree - 1 :]
            _, times = np.unique(knots[degree + 1 : -degree - 1], return_counts=True)
            good = bool((ends[0] == 0.0).all() and (ends[1] == 1.0).all() and (times <= degree).all())
        if not good:
            raise ModelError(
                f"{what}: {name} must be increasing knots from 0 to 1, the first and last ones (degree + 1) times, for "
                f"{count} control points and a degree from 1 to 5; got {len(knots)} knots",
                about=what.at(name),
            )
