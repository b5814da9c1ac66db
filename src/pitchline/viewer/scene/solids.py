"""Surfaces of simple solids: turned, extruded, spheres, boxes, bars along a line. All are closed, normals point outwards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...files.triangles import Triangles, joined

__all__ = [
    "SEGMENTS",
    "box",
    "circle",
    "disc",
    "extruded",
    "sphere",
    "together",
    "tube_along",
    "turned",
    "turned_piece",
]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_CREASE = math.cos(math.radians(35.0))
"""Pieces of an outline that turn by less are shaded as one."""
SEGMENTS = 48
"""Of a circle."""


def _ccw(outline: FloatArray) -> FloatArray:
    """An outline (n, 2) counter-clockwise, without repeated points."""
    keep = np.linalg.norm(outline - np.roll(outline, 1, axis=0), axis=1) > 1e-12 * max(
        float(np.abs(outline).max()), 1e-300
    )
    p = outline[keep]
    q = np.roll(p, -1, axis=0)
    area = float(np.sum(p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]))
    return p if area > 0.0 else p[::-1].copy()


def _outline_normals(p: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Normals (n, 2, 2) at both ends of each piece from point i to i + 1 of a closed outline; and whether point i is a corner."""
    step = np.roll(p, -1, axis=0) - p
    n = np.stack([step[:, 1], -step[:, 0]], axis=-1)
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    before = np.roll(n, 1, axis=0)  # of the piece that ends at point i
    smooth = np.einsum("ij,ij->i", n, before) > _CREASE
    mean = n + before
    mean /= np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-300)
    start = np.where(smooth[:, None], mean, n)
    end = np.roll(np.where(smooth[:, None], mean, before), -1, axis=0)
    return np.stack([start, end], axis=1), ~smooth


def turned_piece(outline: ArrayLike, count: int = SEGMENTS) -> Triangles:
    """One of `count` pieces of a solid turned about z; outline: (n, 2) radius and height [m] once around the material."""
    p = _ccw(np.asarray(outline, dtype=np.float64))
    angle = 2.0 * math.pi / count * np.array([-0.5, 0.5])
    c, s = np.cos(angle), np.sin(angle)
    n = len(p)
    points = np.concatenate([np.stack([p[:, 0] * c[k], p[:, 0] * s[k], p[:, 1]], axis=-1) for k in (0, 1)])
    shade, corner = _outline_normals(p)

    def spread(v: FloatArray, k: int) -> FloatArray:
        return np.stack([v[:, 0] * c[k], v[:, 0] * s[k], v[:, 1]], axis=-1)

    a = np.arange(n)
    b = np.roll(a, -1)
    low, high = [spread(shade[:, 0], k) for k in (0, 1)], [spread(shade[:, 1], k) for k in (0, 1)]
    triangles = np.concatenate([np.stack([a, a + n, b + n], axis=-1), np.stack([a, b + n, b], axis=-1)])
    normals = np.concatenate(
        [np.stack([low[0], low[1], high[1]], axis=1), np.stack([low[0], high[1], high[0]], axis=1)]
    )
    # on the axis two corners are one point
    r = np.concatenate([p[:, 0], p[:, 0]])
    keep = np.concatenate([r[a] > 0.0, r[b] > 0.0])
    rim = a[corner & (p[:, 0] > 0.0)]
    return Triangles(points, triangles[keep], normals[keep], np.stack([rim, rim + n], axis=-1))


def turned(outline: ArrayLike, count: int = SEGMENTS) -> Triangles:
    """A whole solid turned about z, of `count` pieces."""
    piece = turned_piece(outline, count)
    return joined([piece.moved(_about_z(2.0 * math.pi * k / count)) for k in range(count)])


def _about_z(angle: float) -> FloatArray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def disc(outer: float, inner: float, low: float, high: float) -> list[tuple[float, float]]:
    """The outline of a disc or a ring between two heights; radii."""
    return [(inner, low), (outer, low), (outer, high), (inner, high)]


def box(size: ArrayLike, centre: ArrayLike = (0.0, 0.0, 0.0)) -> Triangles:
    """Lengths along x, y, z [m]."""
    a, b, c = 0.5 * np.asarray(size, dtype=np.float64)
    made = extruded([(-a, -b), (a, -b), (a, b), (-a, b)], -c, c)
    return replace(made, points=made.points + np.asarray(centre, dtype=np.float64))


def extruded(outline: ArrayLike, low: float, high: float, hole: ArrayLike | None = None) -> Triangles:
    """A plate with an outline (n, 2) that the origin sees all of, from z = low to high.

    hole: (n, 2), its points at the same angles as those of the outline, both counter-clockwise and none twice.
    """
    p = np.asarray(outline, dtype=np.float64) if hole is not None else _ccw(np.asarray(outline, dtype=np.float64))
    n = len(p)
    shade, corner = _outline_normals(p)
    inner = np.zeros((1, 2)) if hole is None else np.asarray(hole, dtype=np.float64)
    rows = [np.column_stack([q, np.full(len(q), z)]) for z in (low, high) for q in (p, inner)]
    points = np.concatenate(rows)
    m = len(inner)
    a, b = np.arange(n), np.roll(np.arange(n), -1)
    top = n + m
    flat = np.zeros((n, 2, 1))
    side = np.concatenate([shade, flat], axis=2)
    triangles = [np.stack([a, b, b + top], axis=-1), np.stack([a, b + top, a + top], axis=-1)]
    normals = [
        np.stack([side[:, 0], side[:, 1], side[:, 1]], axis=1),
        np.stack([side[:, 0], side[:, 1], side[:, 0]], axis=1),
    ]
    edges = [np.stack([a, b], axis=-1), np.stack([a + top, b + top], axis=-1)]
    edges.append(np.stack([a[corner], a[corner] + top], axis=-1))
    up = np.broadcast_to(np.array([0.0, 0.0, 1.0]), (n, 3, 3))
    if hole is not None:
        i, j = n + a, n + b
        for k, sign in ((0, -1.0), (top, 1.0)):
            quads = np.stack([a + k, b + k, j + k, i + k], axis=-1)[:, :: int(sign)]
            triangles += [quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]
            normals += [sign * up, sign * up]
        into = np.concatenate([-_outline_normals(inner)[0], flat], axis=2)
        triangles += [np.stack([i, j + top, j], axis=-1), np.stack([i, i + top, j + top], axis=-1)]
        normals += [
            np.stack([into[:, 0], into[:, 1], into[:, 1]], axis=1),
            np.stack([into[:, 0], into[:, 0], into[:, 1]], axis=1),
        ]
        edges += [np.stack([i, j], axis=-1), np.stack([i + top, j + top], axis=-1)]
    else:
        middle = np.full(n, n)
        triangles += [np.stack([middle, b, a], axis=-1), np.stack([middle + top, a + top, b + top], axis=-1)]
        normals += [-up, up]
    return Triangles(points, np.concatenate(triangles), np.concatenate(normals), np.concatenate(edges))


def sphere(radius: float, around: int = 16, up: int = 8) -> Triangles:
    """About the origin."""
    polar = np.linspace(0.0, math.pi, up + 1)
    outline = np.column_stack([radius * np.sin(polar), -radius * np.cos(polar)])
    outline[[0, -1], 0] = 0.0
    made = turned(outline, around)
    normals = made.points / radius
    return Triangles(made.points, made.triangles, normals[made.triangles])


def tube_along(
    centres: ArrayLike, axes: ArrayLike, outline: ArrayLike, drawn_ends: tuple[bool, bool] = (True, True)
) -> Triangles:
    """A bar along a line with flat ends.

    centres: (k, 3) [m]; axes: (k, 3, 3), columns x and y of the section and the direction of the line; outline: (n, 2) of the
    section. drawn_ends: whether the outlines of the first and the last end are edges of a drawing.
    """
    x, R = np.asarray(centres, dtype=np.float64), np.asarray(axes, dtype=np.float64)
    section = _ccw(np.asarray(outline, dtype=np.float64))
    rows = np.broadcast_to(section, (len(x), *section.shape))
    k, n = rows.shape[:2]
    flat = np.concatenate([rows, np.zeros((k, n, 1))], axis=-1)
    points = x[:, None] + np.einsum("kij,knj->kni", R, flat)
    shade, corner = _outline_normals(rows[0])
    side = np.concatenate([shade, np.zeros((n, 2, 1))], axis=-1)
    world = np.einsum("kij,nej->knei", R, side)  # (k, n, 2, 3)
    a, b = np.arange(n), np.roll(np.arange(n), -1)
    triangles, normals = [], []
    for i in range(k - 1):
        j, u = i * n, (i + 1) * n
        triangles += [np.stack([a + j, b + j, b + u], axis=-1), np.stack([a + j, b + u, a + u], axis=-1)]
        low, high = world[i], world[i + 1]
        normals += [
            np.stack([low[:, 0], low[:, 1], high[:, 1]], axis=1),
            np.stack([low[:, 0], high[:, 1], high[:, 0]], axis=1),
        ]
    every = np.concatenate([points.reshape(-1, 3), x[[0, -1]]])
    last = (k - 1) * n
    ends = [
        np.stack([np.full(n, k * n), b, a], axis=-1),
        np.stack([np.full(n, k * n + 1), a + last, b + last], axis=-1),
    ]
    out = [np.broadcast_to(sign * R[i, :, 2], (n, 3, 3)) for i, sign in ((0, -1.0), (-1, 1.0))]
    lines = [np.stack([a + k, b + k], axis=-1) for k, drawn in zip((0, last), drawn_ends, strict=True) if drawn]
    along = a[corner]
    lines += [np.stack([along + i * n, along + (i + 1) * n], axis=-1) for i in range(k - 1)]
    return Triangles(
        every,
        np.concatenate([*triangles, *ends]),
        np.concatenate([*normals, *out]),
        np.concatenate([np.zeros((0, 2), np.int64), *lines]),
    )


def circle(radius: float, count: int = SEGMENTS) -> FloatArray:
    """Points (count, 2) on a circle."""
    angle = 2.0 * math.pi / count * np.arange(count)
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


def together(surfaces: Sequence[Triangles]) -> Triangles:
    """Several solids as one surface."""
    return surfaces[0] if len(surfaces) == 1 else joined(surfaces)
