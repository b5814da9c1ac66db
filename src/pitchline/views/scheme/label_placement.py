"""Labels where they cover nothing: each takes the first of its places that is free, or stays away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: Width of a letter and height of a line over the size of the font.
_LETTER, _LINE = 0.60, 1.2


@dataclass(frozen=True)
class Label:
    """text: at most two lines. places: (x, y, horizontal, vertical) in the view [m], with alignments. needed: is drawn anyway."""

    text: str
    places: Sequence[tuple[float, float, str, str]]
    size: float = 7.0
    needed: bool = False
    soft: bool = False


def extent(
    label: Label, place: tuple[float, float, str, str], points_per_metre: float
) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of a label [points]."""
    x, y, across, up = place
    lines = label.text.split("\n")
    width = _LETTER * label.size * max(map(len, lines))
    height = _LINE * label.size * len(lines)
    left = x * points_per_metre - {"left": 0.0, "center": 0.5, "right": 1.0}[across] * width
    bottom = y * points_per_metre - {"bottom": 0.0, "center": 0.5, "top": 1.0}[up] * height
    return left, bottom, left + width, bottom + height


def around(x: float, y: float, gap: float) -> list[tuple[float, float, str, str]]:
    """Eight places round a point, the right one first."""
    d = 0.7 * gap
    return [
        (x + gap, y, "left", "center"), (x + d, y + d, "left", "bottom"), (x, y + gap, "center", "bottom"),
        (x - d, y + d, "right", "bottom"), (x - gap, y, "right", "center"), (x + d, y - d, "left", "top"),
        (x, y - gap, "center", "top"), (x - d, y - d, "right", "top"),
    ]  # fmt: skip


def place_all(
    labels: Sequence[Label], taken: Sequence[tuple[float, float]], points_per_metre: float
) -> list[tuple[Label, tuple[float, float, str, str]]]:
    """What goes where; `taken` are points [m] that marks cover already."""
    boxes = [
        (x * points_per_metre - 6.0, y * points_per_metre - 6.0, x * points_per_metre + 6.0, y * points_per_metre + 6.0)
        for x, y in taken
    ]
    chosen = []
    for label in labels:
        best = None
        for place in label.places:
            box = extent(label, place, points_per_metre)
            if not any(_overlap(box, other) for other in boxes):
                best = place
                break
        if best is None and label.needed:
            best = min(label.places, key=lambda place: _covered(extent(label, place, points_per_metre), boxes))
        if best is not None:
            chosen.append((label, best))
            boxes.append(extent(label, best, points_per_metre))
    return chosen


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _covered(box: tuple[float, float, float, float], boxes: Sequence[tuple[float, float, float, float]]) -> float:
    area = 0.0
    for other in boxes:
        wide = min(box[2], other[2]) - max(box[0], other[0])
        high = min(box[3], other[3]) - max(box[1], other[1])
        area += max(wide, 0.0) * max(high, 0.0)
    return area
