"""Labels in columns next to a view, with leader lines. They cover neither gears nor each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
