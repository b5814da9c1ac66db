"""Symbols of a schematic, and labels in columns that cover neither gears nor each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pitchline.errors import unknown_part

__all__ = ["FONT", "LINE", "Label", "PlacedLabel", "place_columns", "split_sides", "spread", "text_width"]


FONT = 7.0
"""Size of letters [points]."""
LINE = 9.5
"""Distance of two labels of a column [points]."""
_LETTER = 0.60
"""Width of a letter over the size of the font."""
_LONGEST = 30

Point = tuple[float, float]


@dataclass(frozen=True)
class Label:
    """A name, and where a leader line from the left or from the right ends [m]."""

    text: str
    from_left: Point
    from_right: Point

    @property
    def short(self) -> str:
        """The text, cut if it is very long."""
        return self.text if len(self.text) <= _LONGEST else f"{self.text[: _LONGEST - 1]}…"

    @property
    def middle(self) -> float:
        """Horizontal place of what it names [m]."""
        return 0.5 * (self.from_left[0] + self.from_right[0])


@dataclass(frozen=True)
class PlacedLabel:
    """A label of a column.

    right: whether the column is at the right. height: of its middle, from the origin of the view [points].
    """

    label: Label
    right: bool
    height: float

    @property
    def anchor(self) -> Point:
        """Where the leader line ends [m]."""
        return self.label.from_right if self.right else self.label.from_left


def text_width(labels: Sequence[Label]) -> float:
    """Width of a column [points]."""
    return max((_LETTER * FONT * len(label.short) for label in labels), default=0.0)


def split_sides(labels: Sequence[Label], middle: float) -> tuple[list[Label], list[Label]]:
    """Labels of the left and the right column, about as many on each; middle: of the view [m]."""
    ordered = sorted(labels, key=lambda label: (label.middle, -label.from_left[1]))
    count = sum(label.middle < middle for label in ordered)
    least, most = (len(ordered) - 1) // 2 - 1, len(ordered) // 2 + 2
    count = min(max(count, least, 0), most)
    return ordered[:count], ordered[count:]


def spread(wanted: Sequence[float], gap: float) -> list[float]:
    """Heights at least `gap` apart in the order of the ideal ones, with the least sum of squares of the differences."""
    # u_k = h_k - k gap must not fall: blocks of equal u are merged until none falls
    blocks: list[list[float]] = []  # sum, count
    for k, height in enumerate(wanted):
        blocks.append([height - k * gap, 1.0])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, count = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += count
    found: list[float] = []
    for total, count in blocks:
        for _ in range(int(count)):
            found.append(total / count + len(found) * gap)
    return found


def place_columns(labels: Sequence[Label], box: tuple[float, float, float, float], points: float) -> list[PlacedLabel]:
    """Place all labels. box: left, right, bottom and top of the view [m]; points: of the paper per metre."""
    found = []
    for right, column in enumerate(split_sides(labels, 0.5 * (box[0] + box[1]))):
        rising = sorted(column, key=lambda label: (label.from_right if right else label.from_left)[1])
        heights = spread([points * (label.from_right if right else label.from_left)[1] for label in rising], LINE)
        heights = _inside(heights, points * box[2] + 0.5 * LINE, points * box[3] - 0.5 * LINE)
        found += [PlacedLabel(label, bool(right), height) for label, height in zip(rising, heights, strict=True)]
    return found


def _inside(heights: list[float], low: float, high: float) -> list[float]:
    """Heights moved into a range as far as they fit; a column that is too long is centred."""
    if not heights:
        return heights
    needed = (len(heights) - 1) * LINE
    if needed > high - low:
        start = 0.5 * (low + high - needed)
        return [start + k * LINE for k in range(len(heights))]
    found = list(heights)
    floor = low
    for k, height in enumerate(found):
        found[k] = max(height, floor)
        floor = found[k] + LINE
    ceiling = high
    for k in range(len(found) - 1, -1, -1):
        found[k] = min(found[k], ceiling)
        ceiling = found[k] - LINE
    return found


# ---- symbols

# Symbols of joints: small marks of a fixed size, turned along the axis where that shows.

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
