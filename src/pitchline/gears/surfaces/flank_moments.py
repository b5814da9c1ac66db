"""By how much imported flanks change the moments of the nominal teeth.

A point of a flank has the height h (radius, or x of a rack), the place ζ along the axis, and the distance a from the middle of the
tooth (azimuth times radius, or y). The nominal tooth ends at the distance a_0 there, so that

    ΔV = ∬ (a − a_0) abs(∂(h, ζ)/∂(u, v)) du dv

on each side, and the other moments accordingly. Below the surface the fillet is that of the nominal tooth, moved by a − a_0 of the
lower edge.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..teeth.section_moments import gauss_rule, plain_half_angle
from .patch import FlankPatch

if TYPE_CHECKING:
    from ..gear import Gear
    from ..rack import Rack
    from ..teeth.bevel import BevelTeeth
    from ..teeth.teeth import Teeth

__all__ = ["FlankMoments", "gear_flank_moments", "rack_flank_moments"]

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
