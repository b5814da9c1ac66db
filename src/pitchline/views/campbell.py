"""Campbell diagrams: natural frequencies over speed, and lines of orders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError
from pitchline.results.campbell import Campbell
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.labels import axis_label, scaled_unit
from pitchline.views.line_names import LineName, apart, name_lines
from pitchline.views.rotation_axis import RPM, rotation_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["apart", "plot_campbell"]

_ORDER = "#6E6E6E"


@names_wrong_arguments
def plot_campbell(
    found: Campbell,
    *,
    path: str | Path | None = None,
    end: float | None = None,
    crossings: bool = True,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 1.8 * style.PANEL_HEIGHT,
) -> Figure:
    """Draw natural frequencies over the speed in rpm, with the lines of orders; returns the matplotlib figure.

    end: highest frequency shown [Hz]. crossings: whether to mark where an order meets a mode. path: file to save it in
    (.png, .svg, .pdf). title: heading, "" for none. width, panel_height: inches.
    """
    if len(found.speeds) < 2:
        raise PitchlineError(
            f'nothing to plot: the modes of "{found.model_name}" are known at one speed only; give two speeds or more'
        )
    # a mode that stops oscillating has no frequency above that speed
    top = 1.06 * float(np.max(np.nan_to_num(found.frequencies), initial=0.0)) if end is None else float(end)
    if not top > 0.0:
        raise PitchlineError(f'nothing to plot: no mode of "{found.model_name}" oscillates')
    factor, unit = scaled_unit("Hz", top)
    heading = f"{found.model_name}: frequencies over speed" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        ax = c.axes[0]
        speeds = RPM * found.speeds
        ax.set_xlim(speeds[0], speeds[-1])
        ax.set_ylim(0.0, factor * top)
        right, above = _draw_orders(ax, found, factor)
        _draw_modes(ax, found, factor)
        if crossings and found.crossings:
            x, y = zip(*((RPM * one.speed, factor * one.frequency) for one in found.crossings), strict=True)
            ax.plot(x, y, "o", markersize=3.6, markerfacecolor="white", markeredgecolor="#000000", markeredgewidth=0.8)
        ax.set_ylabel(axis_label("frequency", unit))
        ax.set_xlabel(rotation_label(found.shaft))
        name_lines(ax, right, above)
    return c.figure


def _draw_modes(ax: Axes, found: Campbell, factor: float) -> None:
    """Draw one colour for each kind of mode, with a legend if there are several kinds."""
    from matplotlib.lines import Line2D

    kinds = list(dict.fromkeys(found.kinds))
    for kind, frequency in zip(found.kinds, found.frequencies.T, strict=True):
        ax.plot(RPM * found.speeds, factor * frequency, **style.line_style(kinds.index(kind)))
    if len(kinds) > 1:
        lines = [Line2D([], [], **style.line_style(i)) for i in range(len(kinds))]
        ax.figure.legend(lines, kinds, loc="outside lower center", ncols=len(kinds))


def _draw_orders(ax: Axes, found: Campbell, factor: float) -> tuple[list[LineName], list[LineName]]:
    """Draw lines through the origin; returns names for those that leave the panel at the right, and at the top."""
    low, high = (float(x) for x in ax.get_xlim())
    top = float(ax.get_ylim()[1])
    right, above = [], []
    for name, order in found.orders.items():
        slope = factor * abs(order) / 60.0
        ends = np.linspace(low, high, 3 if low < 0.0 < high else 2)
        ax.plot(ends, slope * np.abs(ends), color=_ORDER, linewidth=0.7, linestyle=(0, (5, 2)), zorder=1.5)
        if slope * abs(high) <= top:
            right.append(LineName(name, slope * abs(high) / top, _ORDER))
        elif low <= top / slope:
            above.append(LineName(name, (top / slope - low) / (high - low), _ORDER))
    return right, above
