"""Symbols of joints: small marks of a fixed size, turned along the axis where that shows."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitchline.errors import unknown_part

#: What a kind is in words, and how it is marked.
WORDS = {
    "revolute": "revolute joint",
    "cylindrical": "cylindrical joint",
    "prismatic": "sliding joint",
    "screw": "screw joint",
    "spherical": "ball joint",
    "universal": "universal joint",
    "fixed": "fixed",
    "planar": "planar joint",
    "distance": "distance",
}
OTHERS = ("point_on_line", "point_on_plane", "plane_on_plane", "parallel_axes")
OTHER = "other constraint"


def word(name: str, kind: str) -> str:
    """For the legend; name: of the joint."""
    if kind not in WORDS and kind not in OTHERS:
        raise unknown_part("joint", name, "the schematic", kind=kind)
    return WORDS.get(kind, OTHER)


def marker(kind: str, angle: float | None) -> tuple[Any, float]:
    """(marker of matplotlib, size in points); angle: of the axis in the view [rad], None where it points at the viewer."""
    from matplotlib.markers import MarkerStyle
    from matplotlib.path import Path
    from matplotlib.transforms import Affine2D

    if kind in ("revolute", "cylindrical", "screw"):
        if angle is None:
            return MarkerStyle("o"), 6.0
        # a bearing seen from its side: two bars along the axis
        gap, reach = 0.55, 0.75
        lines = [(-reach, gap), (reach, gap), (-reach, -gap), (reach, -gap)]
        codes = [Path.MOVETO, Path.LINETO, Path.MOVETO, Path.LINETO]
        return MarkerStyle(Path(lines, codes), transform=Affine2D().rotate(angle)), 9.0
    if kind == "prismatic":
        turn = 0.0 if angle is None else angle
        box = [(-1.0, -0.45), (1.0, -0.45), (1.0, 0.45), (-1.0, 0.45), (-1.0, -0.45)]
        return MarkerStyle(Path(box), transform=Affine2D().rotate(turn)), 10.0
    if kind == "spherical":
        return MarkerStyle("o"), 4.5
    if kind == "universal":
        return MarkerStyle("P"), 6.5
    if kind == "fixed":
        return MarkerStyle("s"), 5.0
    return MarkerStyle("D"), 3.6


def filled(kind: str) -> bool:
    """Whether the mark is solid."""
    return kind in ("spherical", "fixed", "universal")


def ground() -> Any:
    """Hatching below a point: it is held by the ground."""
    from matplotlib.path import Path

    points, codes = [(-1.0, -0.85), (1.0, -0.85)], [Path.MOVETO, Path.LINETO]
    for x in np.linspace(-1.0, 0.6, 4):
        points += [(x + 0.4, -0.85), (x, -1.3)]
        codes += [Path.MOVETO, Path.LINETO]
    return Path(points, codes)


def spring(start: np.ndarray, end: np.ndarray, *, coils: int = 6, width: float) -> np.ndarray:
    """A zigzag (n, 2) between two points of the view, `width` across."""
    along = end - start
    length = float(np.hypot(*along))
    if length == 0.0:
        return np.stack([start, end])
    across = np.array([-along[1], along[0]]) / length
    s = np.concatenate([[0.0, 0.15], np.linspace(0.2, 0.8, 2 * coils), [0.85, 1.0]])
    off = np.concatenate([[0.0, 0.0], width * np.where(np.arange(2 * coils) % 2, 0.5, -0.5), [0.0, 0.0]])
    return start + s[:, None] * along + off[:, None] * across


def dashpot(start: np.ndarray, end: np.ndarray, *, width: float) -> list[np.ndarray]:
    """Lines (n, 2) of a damper between two points of the view, `width` across: a cup with its rod, and a piston with its rod."""
    along = end - start
    across = np.array([-along[1], along[0]]) / (float(np.hypot(*along)) or 1.0) * width

    def at(way: float, side: float) -> np.ndarray:
        return np.asarray(start + way * along + side * across)

    cup = np.stack([at(0.72, -0.5), at(0.36, -0.5), at(0.36, 0.5), at(0.72, 0.5)])
    piston = np.stack([at(0.55, -0.36), at(0.55, 0.36)])
    return [np.stack([start, at(0.36, 0.0)]), cup, piston, np.stack([at(0.55, 0.0), end])]


def legend_mark(word: str) -> Any:
    """The symbol of a spring or a damper as a marker."""
    from matplotlib.path import Path

    a, b = np.array([0.0, -1.0]), np.array([0.0, 1.0])
    lines = dashpot(a, b, width=0.9) if word == "damper" else [spring(a, b, coils=3, width=0.8)]
    codes = [code for line in lines for code in [Path.MOVETO, *[Path.LINETO] * (len(line) - 1)]]
    return Path(np.concatenate(lines), codes)
