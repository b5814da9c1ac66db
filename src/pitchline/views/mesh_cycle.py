"""A signal over the mesh cycle: the mean of all cycles, and the range of values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pitchline.arguments import names_wrong_arguments
from pitchline.results import Folded
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.labels import axis_label, quantity_text, scaled_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@names_wrong_arguments
def plot_cycle(
    folded: Folded,
    *,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = style.PANEL_HEIGHT,
) -> Figure:
    """Draw mean and range over the mesh cycle; returns the matplotlib figure.

    path: file to save it in (.png, .svg, .pdf). title: heading, "" for none. width, panel_height: inches.
    """
    heading = f"{folded.name} over the mesh cycle" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        draw_cycle(c.axes[0], folded)
    return c.figure


def draw_cycle(ax: Axes, folded: Folded) -> None:
    """Draw the cycle on your own axes."""
    largest = float(np.max(np.abs([folded.low, folded.high])))
    scale, unit = scaled_unit(folded.unit, largest)
    many = f"{folded.cycles} cycles" if folded.cycles > 1 else "one cycle"
    if folded.cycles > 1:
        ax.fill_between(
            folded.phase, scale * folded.low, scale * folded.high, color=style.COLOURS[0], alpha=0.2, linewidth=0.0,
            label="lowest to highest",
        )  # fmt: skip
    ax.plot(
        folded.phase, scale * folded.mean, label=f"mean of {many}" if folded.cycles > 1 else many, **style.line_style(0)
    )
    ax.set(xlabel="fraction of the mesh cycle", ylabel=axis_label(quantity_text([folded.name], ""), unit))
    spread = float(np.max(folded.high) - np.min(folded.low))
    if spread <= 1e-9 * largest:  # a constant is a level line, not its rounding
        middle = scale * float(folded.mean[0])
        ax.set_ylim(middle - 0.1 * abs(middle or 1.0), middle + 0.1 * abs(middle or 1.0))
    ax.set_xlim(0.0, 1.0)
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.01), ncols=2)
