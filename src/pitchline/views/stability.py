"""Parametric stability: Floquet multipliers over speed, and the map over speed and ripple."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError
from pitchline.results.floquet import Floquet
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.plain_texts import formula
from pitchline.views.rotation_axis import RPM, rotation_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FloatArray = NDArray[np.float64]

#: Up to this number of ripples are curves; more are a map.
MOST_CURVES = 4

#: Pale for slow growth, dark for fast growth, also in grey.
_COLOURS = "magma_r"


@names_wrong_arguments
def plot_floquet(
    found: Floquet,
    *,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 1.5 * style.PANEL_HEIGHT,
) -> Figure:
    """Draw the regions in which a machine is unstable; returns the matplotlib figure.

    Up to four ripples are curves of the largest multiplier over the speed in rpm. More ripples are a map over speed and
    ripple, whose colour is the growth rate; stable regions are white. path: file to save it in (.png, .svg, .pdf).
    title: heading, "" for none. width, panel_height: inches.
    """
    if len(found.speeds) < 2:
        raise PitchlineError(
            f'nothing to plot: the multipliers of "{found.model_name}" are known at one speed only; give two speeds or more'
        )
    heading = f"{found.model_name}: parametric stability" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        ax = c.axes[0]
        if len(found.ripples) > MOST_CURVES:
            _draw_map(ax, found)
        else:
            _draw_curves(ax, found)
        ax.set_xlabel(rotation_label(found.shaft))
    return c.figure


def _draw_curves(ax: Axes, found: Floquet) -> None:
    ax.axhline(1.0, color="#000000", linewidth=0.8)
    for k, ripple in enumerate(found.ripples):
        look = style.line_style(k)
        ax.plot(RPM * found.speeds, found.largest[:, k], label=f"ripple {ripple:g}", **look)
        grows = ~found.stable[:, k]
        ax.fill_between(
            RPM * found.speeds, 1.0, found.largest[:, k], where=grows, color=look["color"], alpha=0.18, linewidth=0.0
        )
    low, high = float(found.largest.min()), float(found.largest.max())
    room = max(0.06 * (max(high, 1.0) - min(low, 1.0)), 0.005)
    ax.set_ylim(min(low, 1.0) - room, max(high, 1.0) + room)
    ax.set_ylabel("largest multiplier " + formula(r"|\mu|"))
    if len(found.ripples) > 1:
        ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.02), ncols=len(found.ripples))


def _draw_map(ax: Axes, found: Floquet) -> None:
    growth = np.ma.masked_where(found.stable, found.growth).T
    order = np.argsort(found.ripples)
    colours = ax.pcolormesh(
        _edges(RPM * found.speeds), _edges(found.ripples[order]), growth[order], cmap=_COLOURS, vmin=0.0,
        vmax=None if growth.count() else 1.0, rasterized=True,
    )  # fmt: skip
    ax.set_ylabel("ripple (1: as in the model)")
    ax.figure.colorbar(colours, ax=ax, pad=0.015, aspect=30, label="growth (1/s)")
    if not growth.count():
        ax.text(0.5, 0.5, "stable everywhere", transform=ax.transAxes, ha="center", va="center")


def _edges(values: FloatArray) -> FloatArray:
    """Bounds of cells around increasing values."""
    middle = 0.5 * (values[1:] + values[:-1])
    return np.concatenate([[2 * values[0] - middle[0]], middle, [2 * values[-1] - middle[-1]]])
