"""Scale bar and axes of a solid picture, in corners that the bodies leave free."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from pitchline.files.triangles import FloatArray
from pitchline.views.solid_scene import Camera, PictureArea

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Marks", "place_marks"]

_GREY = "#6E6E6E"
_MARGIN = 0.02
"""From the marks to the rim of the picture, inches over inches of its width."""


class Marks:
    """Scale bar and axes with their corners. bar, triad: (right, top) of the corner. below: rows to add under the image."""

    def __init__(self, bar: tuple[bool, bool], triad: tuple[bool, bool], below: int) -> None:
        self.bar, self.triad, self.below = bar, triad, below

    def draw(self, ax: Axes, camera: Camera, area: PictureArea, width: float) -> None:
        """Draw both. width of the picture: inches."""
        _scale_bar(ax, area, width, *self.bar)
        _triad(ax, camera, area, width, *self.triad)


def place_marks(cover: FloatArray, width: float) -> Marks:
    """Find free corners in an image. cover: (rows, columns), 0 where nothing is drawn; width: of the picture [inches].

    If no corner is free, rows are added below the image.
    """
    rows, columns = cover.shape
    per = columns / width  # pixels per inch
    triad = (3.4 * _arm(width) * columns, 3.4 * _arm(width) * columns)
    bar = (max(0.24 * columns, 0.5 * per), 0.3 * per)
    below = 0
    taken: list[tuple[bool, bool]] = []
    found = []
    for (wide, high), wishes in (
        (triad, ((True, False), (True, True), (False, False), (False, True))),
        (bar, ((False, False), (False, True), (True, False), (True, True))),
    ):
        corner = next((c for c in wishes if c not in taken and _free(cover, wide, high, *c)), None)
        if corner is None:
            corner = next(c for c in wishes if not c[1] and c not in taken)
            below = max(below, min(math.ceil(high), math.ceil(0.5 * rows)))
        taken.append(corner)
        found.append(corner)
    if below and not all(top for _, top in found):
        # both marks at the bottom move down with the rim
        return Marks(found[1], found[0], below)
    return Marks(found[1], found[0], 0)


def _free(cover: FloatArray, wide: float, high: float, right: bool, top: bool) -> bool:
    rows, columns = cover.shape
    h, w = min(math.ceil(high), rows), min(math.ceil(wide), columns)
    box = cover[:h] if top else cover[rows - h :]
    return not (box[:, columns - w :] if right else box[:, :w]).any()


def _arm(width: float) -> float:
    """Length of an arm of the axes over the width of the picture [inches]: large enough for the letters."""
    return max(0.045, 0.22 / width)


def _scale_bar(ax: Axes, area: PictureArea, width: float, right: bool, top: bool) -> None:
    """A length in the plane of the picture, 1, 2 or 5 times a power of ten [mm]."""
    wide = 1e3 * (area.right - area.left)
    inch = wide / width
    power = 10.0 ** math.floor(math.log10(0.2 * wide))
    length = max(step * power for step in (1.0, 2.0, 5.0) if step * power <= 0.2 * wide)
    half = max(0.5 * length, 0.25 * inch)  # the text may be wider than the bar
    middle = 1e3 * area.right - _MARGIN * wide - half if right else 1e3 * area.left + 0.01 * wide + half
    y = 1e3 * area.top + 0.25 * inch if top else 1e3 * area.bottom - 0.06 * inch
    _stroke(ax, (middle - 0.5 * length, middle + 0.5 * length), (y, y), 1.5)
    _word(ax, middle, y - 0.05 * inch, f"{length:g} mm" if length < 1e4 else f"{1e-3 * length:g} m", "bottom")


def _stroke(ax: Axes, x: tuple[float, float], y: tuple[float, float], width: float) -> None:
    """A grey line with a white rim, which is visible on any background."""
    from matplotlib.patheffects import Normal, Stroke

    rim = [Stroke(linewidth=width + 1.6, foreground="white"), Normal()]
    ax.plot(x, y, color=_GREY, linewidth=width, scalex=False, scaley=False, path_effects=rim)


def _word(ax: Axes, x: float, y: float, text: str, va: str) -> None:
    from matplotlib.patheffects import Normal, Stroke

    rim = [Stroke(linewidth=1.8, foreground="white"), Normal()]
    ax.text(x, y, text, color=_GREY, ha="center", va=va, fontsize=7.0, path_effects=rim)


def _triad(ax: Axes, camera: Camera, area: PictureArea, width: float, right: bool, top: bool) -> None:
    """The axes of the world, or of the first gear; width of the picture: inches."""
    wide = 1e3 * (area.right - area.left)
    size = _arm(width) * wide
    arms = camera.axes[:2].T * size
    reach = 1.45 * np.stack([np.minimum(arms.min(axis=0), 0.0), np.maximum(arms.max(axis=0), 0.0)])
    x = 1e3 * area.right - 0.3 * size - reach[1, 0] if right else 1e3 * area.left + 0.3 * size - reach[0, 0]
    y = 1e3 * area.top + 0.3 * size - reach[0, 1] if top else 1e3 * area.bottom - 0.3 * size - reach[1, 1]
    for name, arm in zip("xyz", arms, strict=True):
        if math.hypot(*arm) < 0.12 * size:
            continue  # points to the eye
        _stroke(ax, (x, x + arm[0]), (y, y + arm[1]), 0.8)
        far = 1.0 + 0.3 * size / math.hypot(*arm)
        _word(ax, x + far * arm[0], y + far * arm[1], name, "center")
