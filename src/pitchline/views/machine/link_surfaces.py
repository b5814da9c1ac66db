"""Springs, dampers, strings and rods between two points, as solids along z."""

from __future__ import annotations

import math

import numpy as np

from pitchline.files.triangles import FloatArray, Triangles, joined
from pitchline.viewer.scene.solids import turned

__all__ = ["link_surface"]

_AROUND, _WIRE = 20, 8


def link_surface(kind: str, length: float, radius: float, *, damped: bool = False) -> Triangles:
    """Return the solid of a spring ("spring"), "damper", "string" or "rod" from z = 0 to its length [m].

    damped: whether a spring has a damper inside its coil.
    """
    rod = 0.22 * radius
    if kind == "string":
        return _turned([(0.3 * rod, 0.0), (0.3 * rod, length)])
    if kind == "rod":
        return _turned([(radius, 0.0), (radius, length)])
    if kind == "damper":
        return dashpot(length, radius)
    coil = _coil(length, radius)
    return joined([coil, dashpot(length, 0.62 * radius)]) if damped else coil


def dashpot(length: float, radius: float) -> Triangles:
    """The symbol of a damper as a solid: a cylinder that is open at one end, and a piston on its rod."""
    rod, wall = 0.22 * radius, 0.82 * radius
    low, floor, high = 0.3 * length, 0.33 * length, 0.68 * length
    cup = [(rod, 0.0), (rod, low), (radius, low), (radius, high), (wall, high), (wall, floor), (0.0, floor), (0.0, 0.0)]
    piston = [(0.7 * radius, 0.46 * length), (0.7 * radius, 0.52 * length), (rod, 0.52 * length), (rod, length)]
    return joined([turned(cup, _AROUND), _turned([(0.0, 0.46 * length), *piston])])


def _turned(outline: list[tuple[float, float]]) -> Triangles:
    """Solid of an outline (radius, height) that is closed along the axis."""
    inner = [(0.0, outline[-1][1]), (0.0, outline[0][1])]
    return turned([*outline, *inner], _AROUND)


def _coil(length: float, radius: float) -> Triangles:
    """A coil of wire with straight ends on its axis."""
    end = min(0.12, 1.2 * radius / length)
    coils = min(max(round((1.0 - 2.0 * end) * length / (1.2 * radius)), 4), 24)
    x = np.linspace(0.0, 1.0, (coils + 2) * _AROUND + 1)
    wire = 0.16 * radius

    def line(at: FloatArray) -> FloatArray:
        way = np.clip((at - end) / (1.0 - 2.0 * end), 0.0, 1.0)
        reach = radius * np.minimum(np.minimum(at / end, (1.0 - at) / end), 1.0)
        angle = 2.0 * math.pi * coils * way
        return np.stack([reach * np.cos(angle), reach * np.sin(angle), length * at], axis=-1)

    centre = line(x)
    along = line(np.minimum(x + 1e-4, 1.0)) - line(np.maximum(x - 1e-4, 0.0))
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    out = centre * np.array([1.0, 1.0, 0.0])
    out[np.linalg.norm(out, axis=1) < 1e-6 * radius] = (1.0, 0.0, 0.0)
    out -= np.einsum("ij,ij->i", out, along)[:, None] * along
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    up = np.cross(along, out)
    a = 2.0 * math.pi * np.arange(_WIRE) / _WIRE
    normal = np.cos(a)[None, :, None] * out[:, None] + np.sin(a)[None, :, None] * up[:, None]
    points = (centre[:, None] + wire * normal).reshape(-1, 3)
    i, k = np.meshgrid(np.arange(len(x) - 1), np.arange(_WIRE), indexing="ij")
    p, q = i * _WIRE + k, i * _WIRE + (k + 1) % _WIRE
    index = np.concatenate(
        [
            np.stack([p, q, q + _WIRE], axis=-1).reshape(-1, 3),
            np.stack([p, q + _WIRE, p + _WIRE], axis=-1).reshape(-1, 3),
        ]
    )
    return Triangles(points, index, normal.reshape(-1, 3)[index])
