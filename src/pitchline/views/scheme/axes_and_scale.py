"""Where one is in a view: the world axes and a length to measure by."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.views.scheme.view import Projection

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SOFT = "#8a8f96"

#: Inches from the lower left corner of the view: the origin of the arrows, the height of the bar.
_ORIGIN, _BAR, _START = (-0.1, -0.34), -0.34, 0.35


def triad(ax: Axes, view: Projection) -> None:
    """Small arrows of the world axes, at the lower left."""
    base = _inches(ax)
    origin = np.array(_ORIGIN)
    arrow = {
        "arrowstyle": "-|>",
        "color": _SOFT,
        "linewidth": 0.7,
        "shrinkA": 0.0,
        "shrinkB": 0.0,
        "mutation_scale": 6.0,
    }
    for axis, name in zip(np.eye(3), "xyz", strict=True):
        flat = view.flat(axis)
        if np.hypot(*flat) < 0.15:
            continue
        end, (x, y) = origin + 0.2 * flat, origin + 0.28 * flat
        places: dict[str, Any] = {"xycoords": base, "textcoords": base, "annotation_clip": False, "arrowprops": arrow}
        ax.annotate("", xy=tuple(end), xytext=_ORIGIN, **places)
        ax.text(x, y, name, transform=base, fontsize=6.5, color=_SOFT, ha="center", va="center", clip_on=False)


def scale_bar(ax: Axes, points: float) -> None:
    """A round length, below at the left; points: of the paper a metre."""
    left, right = ax.get_xlim()
    wanted = 0.22 * (right - left)
    power = 10.0 ** math.floor(math.log10(wanted))
    length = max(step * power for step in (1.0, 2.0, 5.0) if step * power <= wanted * 1.0000001)
    inches = length * points / 72.0
    base = _inches(ax)
    ax.plot(
        [_START, _START + inches],
        [_BAR, _BAR],
        transform=base,
        color=_SOFT,
        linewidth=1.4,
        clip_on=False,
        solid_capstyle="butt",
    )
    words = f"{1e3 * length:g} mm" if length < 1.0 else f"{length:g} m"
    ax.text(_START + inches + 0.05, _BAR, words, transform=base, fontsize=6.5, color=_SOFT, va="center", clip_on=False)


def _inches(ax: Axes) -> Any:
    """Inches from the lower left corner of the axes."""
    from matplotlib.transforms import ScaledTranslation

    figure: Any = ax.figure
    corner: Any = ax.transAxes
    return figure.dpi_scale_trans + ScaledTranslation(0.0, 0.0, corner)
