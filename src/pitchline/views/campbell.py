"""Campbell diagrams: frequencies over speed, orders that cross them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pitchline.errors import PitchlineError
from pitchline.results.campbell import Campbell
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.labels import axis_label, scaled_unit
from pitchline.views.rotation_axis import rotation_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ORDER = "#6E6E6E"
_SMALL = 7.0  # size of letters, points


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
    """Frequencies of the modes over the speed, with the lines of the orders; returns the matplotlib figure.

    end: highest frequency shown [Hz]. crossings: whether to mark them. path: where to save it (.png, .svg, .pdf).
    title: heading, "" for none. width, panel_height: inches.
    """
    if len(found.speeds) < 2:
        raise PitchlineError(f'nothing to plot: the modes of "{found.model_name}" are known at one speed only')
    # a mode that stops oscillating on the way has no frequency from there on
    top = 1.06 * float(np.max(np.nan_to_num(found.frequencies), initial=0.0)) if end is None else float(end)
    if not top > 0.0:
        raise PitchlineError(f'nothing to plot: no mode of "{found.model_name}" oscillates')
    factor, unit = scaled_unit("Hz", top)
    heading = f"{found.model_name}: frequencies over speed" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        ax = c.axes[0]
        ax.set_xlim(found.speeds[0], found.speeds[-1])
        ax.set_ylim(0.0, factor * top)
        _draw_orders(ax, found, factor, width, panel_height)
        _draw_modes(ax, found, factor)
        if crossings and found.crossings:
            x, y = zip(*((crossing.speed, factor * crossing.frequency) for crossing in found.crossings), strict=True)
            ax.plot(x, y, "o", markersize=3.6, markerfacecolor="white", markeredgecolor="#000000", markeredgewidth=0.8)
        ax.set_ylabel(axis_label("frequency", unit))
        rotation_axis(ax, found.shaft, panel_height - 1.0)
    return c.figure


def _draw_modes(ax: Axes, found: Campbell, factor: float) -> None:
    """One colour for each kind of mode; a legend where there are several kinds."""
    from matplotlib.lines import Line2D

    kinds = list(dict.fromkeys(found.kinds))
    for kind, frequency in zip(found.kinds, found.frequencies.T, strict=True):
        ax.plot(found.speeds, factor * frequency, **style.line_style(kinds.index(kind)))
    if len(kinds) > 1:
        lines = [Line2D([], [], **style.line_style(i)) for i in range(len(kinds))]
        ax.figure.legend(lines, kinds, loc="outside lower center", ncols=len(kinds))


def _draw_orders(ax: Axes, found: Campbell, factor: float, width: float, height: float) -> None:
    """Lines through the origin, each with its name where it leaves the panel: at the right or at the top."""
    low, high = (float(x) for x in ax.get_xlim())
    top = float(ax.get_ylim()[1])
    right, above = {}, {}
    for name, order in found.orders.items():
        slope = factor * abs(order) / (2.0 * np.pi)
        ends = np.linspace(low, high, 3 if low < 0.0 < high else 2)
        ax.plot(ends, slope * np.abs(ends), color=_ORDER, linewidth=0.7, linestyle=(0, (5, 2)), zorder=1.5)
        if slope * abs(high) <= top:
            right[name] = slope * abs(high)
        elif low <= top / slope:
            above[name] = top / slope
    line = 1.3 * _SMALL / 72.0  # inches
    for name, y in apart(right, line * top / max(height - 0.9, 0.5)).items():
        _name(ax, name, (high, right[name]), (high, y), (7, 0), 0)
    for name, x in apart(above, 1.4 * line * (high - low) / max(width - 1.2, 0.5)).items():
        _name(ax, name, (above[name], top), (x, top), (0, 7), 40)


def _name(
    ax: Axes, name: str, at: tuple[float, float], shifted: tuple[float, float], offset: tuple[int, int], angle: int
) -> None:
    """The name of a line outside the panel, led to the end of the line."""
    from matplotlib.transforms import ScaledTranslation

    figure = ax.figure
    away = ax.transData + ScaledTranslation(offset[0] / 72.0, offset[1] / 72.0, figure.dpi_scale_trans)
    ax.annotate(
        "", at, xytext=shifted, textcoords=away, annotation_clip=False,
        arrowprops={"arrowstyle": "-", "color": _ORDER, "linewidth": 0.5, "shrinkA": 0.0, "shrinkB": 0.0},
    )  # fmt: skip
    ax.text(
        *shifted, name, transform=away, ha="left", va="bottom" if angle else "center", rotation=angle,
        rotation_mode="anchor", fontsize=_SMALL, color=_ORDER,
    )  # fmt: skip


def apart(places: dict[str, float], distance: float) -> dict[str, float]:
    """Places moved as little as it takes to have a distance between neighbours."""
    names = sorted(places, key=lambda name: places[name])
    # least squares with order kept: groups that would collide share their mean
    groups: list[list[float]] = []  # [sum of (place - k distance), count]
    for k, name in enumerate(names):
        groups.append([places[name] - k * distance, 1.0])
        while len(groups) > 1 and groups[-2][0] / groups[-2][1] > groups[-1][0] / groups[-1][1]:
            total, count = groups.pop()
            groups[-1][0] += total
            groups[-1][1] += count
    level = [total / count for total, count in groups for _ in range(int(count))]
    return {name: level[k] + k * distance for k, name in enumerate(names)}
