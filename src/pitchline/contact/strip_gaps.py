"""Gaps of strips of two flanks over the mesh phase, and the compliance between strips.

Gaps between the teeth of two gears, strip by strip of the face, over the way of one pair of teeth through the mesh.

The flanks are at their rigid positions, gear B at its ideal angle (the teeth of A in the middle of the spaces of
B). For each strip ζ = const of gear A the point that would touch first is found (`parts.gears.teeth.rigid_contact`: sampling and
golden section on the true surfaces, microgeometry, tip edges and ends of the face included; conical gears and axes that
are not parallel too). Rotations of B beyond its ideal angle close all gaps of the strip alike, so that a table over the
phase of the tooth pair is all that contact in motion needs: no search while the gears turn.

    gap along the normal = lever · (play − rotation of B from its ideal angle, closing positive)
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError
from pitchline.parts.gears.geometry.placement import Placement
from pitchline.parts.gears.teeth.flank import ToothFlank
from pitchline.parts.gears.teeth.rigid_contact import FlankPair
from pitchline.parts.gears.teeth.teeth import Teeth

__all__ = [
    "antiderivative",
    "half_space_hats",
    "strip_coupling",
    "StripGaps",
    "contact_levers",
    "relative_radii",
    "strip_gaps",
]


# ---- half space hats

# The elastic half-space under bilinear hats: the local part of what finite elements answer for the same hats.
#
# Hats are cut into cells, between which Love's integral is exact: with ∂⁴G/∂x²∂y² = 1/ρ the mean of 1/ρ over two
# cells h × v is a second difference of G in both directions, over h² v²,
#
# G(x, y) = x² y/2 asinh(y/x) + x y²/2 asinh(x/y) − ρ³/6 , ρ² = x² + y² .
#
# Hats are regular, so that compliances depend on differences of places only.

_PROFILE_PARTS, _FACE_PARTS = 6, 4
"""Cells in a spacing of hats, along the profile and along the face."""


def antiderivative(x: FloatArray, y: FloatArray) -> FloatArray:
    """G(x, y) for x, y >= 0."""
    rho = np.hypot(x, y)
    with np.errstate(divide="ignore", invalid="ignore"):
        mixed = 0.5 * x * y * (x * np.arcsinh(y / x) + y * np.arcsinh(x / y))
    return np.asarray(np.where((x > 0.0) & (y > 0.0), mixed, 0.0) - rho**3 / 6.0)


def _cells(h: float, v: float, across: int, along: int) -> FloatArray:
    """Mean of 1/ρ [1/m] between cells h × v that are (i, j) cells apart; (across, along)."""
    x, y = np.abs(np.arange(-1, across + 1)) * h, np.abs(np.arange(-1, along + 1)) * v
    G = antiderivative(x[:, None], y[None, :])
    return np.asarray(np.diff(np.diff(G, 2, axis=0), 2, axis=1) / (h * h * v * v))


def _weights(hats: int, parts: int) -> FloatArray:
    """Share of each cell in the force of each hat; (hats, cells)."""
    cells = parts * (hats - 1)
    at = (np.arange(cells) + 0.5) / parts
    weights = np.maximum(0.0, 1.0 - np.abs(at - np.arange(hats)[:, None]))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def half_space_hats(spacing: float, distance: float, shape: tuple[int, int], *, scale: float) -> FloatArray:
    """Mean sinking of hats per unit force on hats [m/N], (rows · lines)², hat g = i · lines + j.

    spacing, distance: of rows (across the line of contact) and of lines (along it) [m]; scale: (1 − ν²)/(π E) [1/Pa].
    """
    rows, lines = shape
    W, V = _weights(rows, _PROFILE_PARTS), _weights(lines, _FACE_PARTS)
    table = scale * _cells(spacing / _PROFILE_PARTS, distance / _FACE_PARTS, W.shape[1], V.shape[1])
    apart = np.abs(np.subtract.outer(np.arange(W.shape[1]), np.arange(W.shape[1])))
    # along the profile for every distance along the face, then along the face
    by_distance = np.stack([W @ column[apart] @ W.T for column in table.T])
    shares = np.zeros((V.shape[1], lines, lines))
    for d in range(V.shape[1]):
        pairs = V[:, : V.shape[1] - d] @ V[:, d:].T
        shares[d] = pairs if d == 0 else pairs + pairs.T
    found = np.einsum("djk,dil->ijlk", shares, by_distance, optimize=True)
    return np.ascontiguousarray(found.reshape(rows * lines, rows * lines))


def strip_coupling(widths: FloatArray, distances: FloatArray) -> FloatArray:
    """Mean of 1/sqrt(y² + x²) [1/m] over two strips side by side along one line, for loads at distances x [m] from the line;
    (distances, strips, strips), 0 on the diagonals.

    With Φ(y) = y asinh(y/x) − sqrt(x² + y²):  (Φ(b₂ − a₁) − Φ(a₂ − a₁) − Φ(b₂ − b₁) + Φ(a₂ − b₁))/(w₁ w₂) for strips a₁b₁ and
    a₂b₂. Contact that is wide sinks its neighbours less than a line load would: taken as one, strips narrower than the contact
    would be loaded by turns.
    """
    edges = np.concatenate([[0.0], np.cumsum(widths)])
    first, last = edges[:-1], edges[1:]
    x = np.maximum(np.asarray(distances, dtype=np.float64), 1e-9 * edges[-1])[:, None, None]

    def phi(y: FloatArray) -> FloatArray:
        return np.asarray(y * np.arcsinh(y / x) - np.hypot(x, y))

    mean = (
        phi(last - first[:, None])
        - phi(first - first[:, None])
        - phi(last - last[:, None])
        + phi(first - last[:, None])
    ) / np.outer(widths, widths)
    mean[:, np.arange(len(widths)), np.arange(len(widths))] = 0.0
    return np.asarray(mean)


_REACH = 4.0
"""Pitches before and behind the line of centres in which contact is looked for, on top of the twist of the teeth."""
_FARTHEST = 0.5
"""Gaps greater than this many modules never close by deflection; the table ends there."""
_NEAR = 1e-6
"""Fraction of the flank within which a point is at an edge."""
_RIDGE = 1e-5
"""Change of the lever over an edge inside the flank, relative. It is the change of the slope of the flank."""


@dataclass(frozen=True, eq=False)
class StripGaps:
    """One pair of teeth on its way through the mesh; arrays over n phases and s strips.

    Attributes
    ----------
    side : str
        The flank of gear A, "left" or "right"; and `side_b` that of gear B.
    phase : (n,)
        φ_A in pitches of A, equally spaced; tooth 0 of A points to the axis of B at phase 0.
    zeta_a : (s,)
        Face coordinates of the strips on gear A [m].
    play : (n, s)
        How far B has to turn until the strip touches [rad]; infinite where it has no counterpart.
    lever : (n, s)
        Of the contact normal about the axis of B [m].
    roll_a, roll_b, zeta_b : (n, s)
        Where: roll lengths and face coordinate [m].
    radius : (n, s)
        Of the relative curvature across the line of contact [m].
    tooth_b : int
        Number of the tooth of B that meets tooth 0 of A.
    single_a, single_b : dict
        Deviations of single teeth at these points [m], outwards positive; (n, s) by the number of the tooth.
    """

    side: str
    side_b: str
    phase: FloatArray
    zeta_a: FloatArray
    play: FloatArray
    lever: FloatArray
    roll_a: FloatArray
    roll_b: FloatArray
    zeta_b: FloatArray
    radius: FloatArray
    tooth_b: int
    single_a: dict[int, FloatArray]
    single_b: dict[int, FloatArray]


def _common(teeth: Teeth) -> Teeth:
    """The same teeth without what is special to single ones."""
    plain = copy.copy(teeth)
    for name in ("left", "right"):
        flank: ToothFlank = copy.copy(getattr(teeth, name))
        flank.of_tooth = {}
        setattr(plain, name, flank)
    return plain


def _singles(flank: ToothFlank, L: FloatArray, z: FloatArray) -> dict[int, FloatArray]:
    return {k: np.asarray(extra.deviation(flank.range, L, z).value) for k, extra in flank.of_tooth.items()}


def strip_gaps(a: Teeth, b: Teeth, pose: Placement, *, side: str, zeta: FloatArray, per_pitch: int = 96) -> StripGaps:
    """The gaps of the "left" or "right" flank of gear A at the face coordinates ζ [m], `per_pitch` phases a pitch.

    pose: of gear B in the axes of gear A, at phase 0 tooth 0 of A is in the middle of a space of B.
    """
    pair = FlankPair(_common(a), _common(b), side, pose)
    width = float(np.ptp(zeta))
    reach = _REACH + width * abs(pair.a.involute.twist) / a.gear.angular_pitch
    n = math.ceil(reach * per_pitch)
    phase = np.arange(-n, n + 1) / per_pitch
    shape = (len(phase), len(zeta))
    angle = np.broadcast_to(phase[:, None] * a.gear.angular_pitch, shape)
    z = np.broadcast_to(zeta, shape)
    tooth = np.zeros(shape, dtype=np.int64)
    play, L = pair.strip(angle, tooth, z)
    _, tooth_b, L_b, z_b = pair.meeting(angle, tooth, L, z)

    lever, radius = contact_levers(pair, angle, L, z), relative_radii(pair, L, L_b)
    near = np.isfinite(play) & (play * lever < _FARTHEST * a.gear.normal_module)
    if not near.any():
        raise ModelError(
            f"contact: the {side} flanks of gear A are never close to those of gear B. Check centre distance, profile "
            "shifts and tip diameters"
        )
    # the tooth of B that belongs to this pair is the one that is met most; others pass where no contact can be
    met = np.bincount(tooth_b[near]).argmax()
    near &= tooth_b == met
    rows = np.flatnonzero(near.any(axis=1))
    keep = slice(max(rows[0] - 1, 0), rows[-1] + 2)
    play = np.where(near, play, np.inf)
    own_b = b.left if pair.b.involute.side > 0.0 else b.right
    return StripGaps(
        side=side,
        side_b="left" if pair.b.involute.side > 0.0 else "right",
        phase=phase[keep],
        zeta_a=np.asarray(zeta, dtype=np.float64),
        play=play[keep],
        lever=lever[keep],
        roll_a=L[keep],
        roll_b=L_b[keep],
        zeta_b=z_b[keep],
        radius=radius[keep],
        tooth_b=int(met),
        single_a=_singles(a.flank(side), L[keep], z[keep]),
        single_b=_singles(own_b, L_b[keep], z_b[keep]),
    )


def contact_levers(pair: FlankPair, angle: FloatArray, L: FloatArray, z: FloatArray) -> FloatArray:
    """Of the contact normal about the axis of B: that of flank A, or of flank B where the tip edge of A or the start of a linear
    relief touches, at which flank A has two normals.

    The search finds L up to about 1e-7 of the flank: on which side of such an edge it is, is rounding."""
    low, high = pair.limits(z)
    tip = np.where(pair.a.gear.sense > 0.0, high, low)
    near = _NEAR * (high - low)
    edge = np.abs(L - tip) < near
    turn = np.exp(1j * angle)

    def in_b(vector: FloatArray) -> FloatArray:
        P = (vector[..., 0] + 1j * vector[..., 1]) * turn
        return np.stack([P.real, P.imag, vector[..., 2]], axis=-1) @ pair.R

    q = in_b(pair.a.point(L, z)) - pair.x @ pair.R
    below, above = (_moment(q, in_b(pair.a.normal(np.clip(L + d, low, high), z))) for d in (-near, near))
    lever = 0.5 * (below + above)
    ridge = np.abs(above - below) > _RIDGE * np.abs(lever)
    if np.any(ridge):
        # only there: elsewhere the involute of B may begin, where it has no normal
        own_angle, own_L, own_z = (np.broadcast_to(x, ridge.shape)[ridge] for x in (angle, L, z))
        _, _, L_b, z_b = pair.meeting(own_angle, np.zeros(len(own_L), dtype=np.int64), own_L, own_z)
        lever[ridge] = _moment(pair.b.point(L_b, z_b), pair.b.normal(L_b, z_b))
    flank = pair.b.involute
    own = flank.base_radius * math.cos(flank.base_helix_angle)
    return np.where(edge, own, lever)


def _moment(at: FloatArray, normal: FloatArray) -> FloatArray:
    """Lever of a normal about the axis z."""
    return np.asarray(np.abs(at[..., 0] * normal[..., 1] - at[..., 1] * normal[..., 0]))


def relative_radii(pair: FlankPair, L_a: FloatArray, L_b: FloatArray) -> FloatArray:
    """1/R = σ_A cos β_bA/L_A + σ_B cos β_bB/L_B; at an edge as if the flanks went on."""
    curvature = np.zeros_like(L_a)
    for flank, L in ((pair.a, L_a), (pair.b, L_b)):
        small = 1e-2 * flank.involute.base_radius
        curvature += flank.gear.sense * math.cos(flank.involute.base_helix_angle) / np.maximum(L, small)
    return 1.0 / np.maximum(curvature, 1e-3)
