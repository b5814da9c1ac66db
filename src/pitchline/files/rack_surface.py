"""Surface of a rack as triangles: its teeth in the normal section, extruded along the tooth over the width.

x points out of the teeth, y along the reference line and z across the width. A point (d, e) of the normal section, d
above
the reference line and e across the tooth, has the coordinates

    x = d ,   y = e / cos β + z tan β .

Flanks are planes  e = s_n/2 − d tan α , fillets are circles of radius ρ_f that touch the flanks and the root. The ends
of a helical rack follow its teeth, so that all teeth are complete.
"""

from __future__ import annotations

import math

import numpy as np

from ..gears import Rack
from ..gears.inputs import whole
from .triangles import FloatArray, IntArray, Triangles

__all__ = ["first_tooth", "rack_surface"]


def first_tooth(rack: Rack) -> int:
    """Index of the first tooth along y; tooth 0 is on the x axis."""
    return -((rack.teeth - 1) // 2)


def rack_surface(rack: Rack, *, profile_points: object = 12) -> Triangles:
    """Closed surface of a rack in its axes, with the lines for drawings.

    profile_points: points along each fillet. The default depth of a rack is two modules below its roots.
    """
    n = whole(profile_points, "rack surface: profile_points", at_least=2, at_most=2000)
    width = rack.required_face_width("the surface of a rack")
    side, normals = _half_tooth(rack, n)  # from root to tip, e positive
    k = len(side)
    # One pitch in the transverse section: middle of the space, right side, left side, middle of the next space.
    half = 0.5 * rack.transverse_pitch
    cosine = math.cos(rack.helix_angle)
    right = np.stack([side[:, 0], -side[:, 1] / cosine], axis=-1)
    left = np.stack([side[::-1, 0], side[::-1, 1] / cosine], axis=-1)
    tooth = np.concatenate([right, left])  # (2k, 2): x, y
    place = rack.transverse_pitch * (first_tooth(rack) + np.arange(rack.teeth))
    outline = np.stack([np.tile(tooth[:, 0], rack.teeth), (place[:, None] + tooth[:, 1]).ravel()], axis=-1)
    ends = np.array([[-rack.dedendum, place[0] - half], [-rack.dedendum, place[-1] + half]])
    outline = np.concatenate([ends[:1], outline, ends[1:]])
    depth = rack.dedendum + 2.0 * rack.normal_module if rack.depth is None else max(rack.depth, 1.05 * rack.dedendum)
    feet = 1 + 2 * k * np.arange(rack.teeth)[:, None] + np.array([0, 2 * k - 1])
    at_root = np.concatenate([[0], feet.ravel(), [len(outline) - 1]])
    bottom = np.stack([np.full(len(at_root), -depth), outline[at_root, 1]], axis=-1)
    ring = np.concatenate([outline, bottom[::-1]])  # once around, counter-clockwise seen from +z
    total = len(ring)

    def drawn_out(z: float) -> FloatArray:
        return np.stack([ring[:, 0], ring[:, 1] + z * math.tan(rack.helix_angle), np.full(total, z)], axis=-1)

    points = np.concatenate([drawn_out(-0.5 * width), drawn_out(0.5 * width)])
    around = np.stack([np.arange(total), np.roll(np.arange(total), -1)], axis=-1)
    sides = _walls(around, total)
    shade = np.repeat(_wall_normals(points, around, total)[:, None], 3, axis=1)
    _smooth_fillets(shade, normals, rack, k, around)
    caps = _caps(rack.teeth, k, len(outline), at_root)
    flat = np.array([0.0, 0.0, 1.0])
    triangles = np.concatenate([sides, caps[:, ::-1], caps + total])
    shading = np.concatenate(
        [shade, np.broadcast_to(-flat, (len(caps), 3, 3)), np.broadcast_to(flat, (len(caps), 3, 3))]
    )
    return Triangles(points, triangles, shading, _lines(rack.teeth, k, total, around))


def _half_tooth(rack: Rack, n: int) -> tuple[FloatArray, FloatArray]:
    """(d, e) [m] of one side from the root to the tip, (k, 2), and the normals (n_d, n_e) of its fillet, (n, 2)."""
    alpha, rho, half = rack.normal_pressure_angle, rack.root_radius, 0.5 * rack.normal_tooth_thickness
    # the centre lies ρ above the root and ρ from the flank, in the space
    d = rho - rack.dedendum
    e = half - d * math.tan(alpha) + rho / math.cos(alpha)
    turn = np.linspace(0.0, 0.5 * math.pi - alpha, n)
    out = np.stack([np.cos(turn), np.sin(turn)], axis=-1)  # towards the centre: out of the material
    fillet = np.array([d, e]) - rho * out
    if not rho:
        fillet, out = fillet[:1], out[:1]
    tip = np.array([[rack.addendum, half - rack.addendum * math.tan(alpha)]])
    return np.concatenate([fillet, tip]), out


def _walls(around: IntArray, total: int) -> IntArray:
    """Two triangles for each piece of the outline, at both ends of the width; the second half contains the second
    triangles."""
    a, b = around[:, 0], around[:, 1]
    return np.concatenate([np.stack([a, b, b + total], axis=-1), np.stack([a, b + total, a + total], axis=-1)])


def _wall_normals(points: FloatArray, around: IntArray, total: int) -> FloatArray:
    p, q, up = points[around[:, 0]], points[around[:, 1]], points[around[:, 0] + total]
    n = np.cross(q - p, up - p)
    unit = n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-300)
    return np.concatenate([unit, unit])


def _smooth_fillets(shade: FloatArray, normals: FloatArray, rack: Rack, k: int, around: IntArray) -> None:
    """Normals of the fillets at the corners of their walls, instead of those of the flat pieces."""
    n, count = len(normals), len(around)
    if n < 2:
        return
    c, s = math.cos(rack.helix_angle), math.sin(rack.helix_angle)
    for tooth in range(rack.teeth):
        first = 1 + 2 * k * tooth
        for sign, start in ((-1.0, first), (1.0, first + 2 * k - n)):
            own = np.stack([normals[:, 0], sign * normals[:, 1] * c, -sign * normals[:, 1] * s], axis=-1)
            own = own if sign < 0.0 else own[::-1]
            piece = start + np.arange(n - 1)
            a, b = own[:-1], own[1:]
            shade[piece] = np.stack([a, b, b], axis=1)
            shade[count + piece] = np.stack([a, b, a], axis=1)


def _caps(teeth: int, k: int, top: int, at_root: IntArray) -> IntArray:
    """Triangles of the end at +z: between both sides of each tooth, and the bar below the roots."""
    below = top + len(at_root) - 1 - np.arange(len(at_root))
    quads = [np.stack([at_root[:-1], at_root[1:], below[1:], below[:-1]], axis=-1)]
    for tooth in range(teeth):
        right = 1 + 2 * k * tooth + np.arange(k)
        left = 1 + 2 * k * tooth + 2 * k - 1 - np.arange(k)
        quads.append(np.stack([right[1:], left[1:], left[:-1], right[:-1]], axis=-1))
    q = np.concatenate(quads)
    return np.concatenate([q[:, [0, 1, 2]], q[:, [0, 2, 3]]])


def _lines(teeth: int, k: int, total: int, around: IntArray) -> IntArray:
    """Outlines of both ends, edges of the tips, and edges of the bar."""
    tips = (1 + 2 * k * np.arange(teeth)[:, None] + np.array([k - 1, k])).ravel()
    corners = np.array([0, 1 + 2 * k * teeth, 2 + 2 * k * teeth, total - 1])
    along = np.concatenate([tips, corners])
    return np.concatenate([around, around + total, np.stack([along, along + total], axis=-1)])
