"""Load of each planet over time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.labels import axis_label, scaled_unit
from pitchline.views.plain_texts import formula

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pitchline.model import LoadSharing

FloatArray = NDArray[np.float64]


@names_wrong_arguments
def plot_load_sharing(
    sharing: LoadSharing,
    *,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = style.PANEL_HEIGHT,
) -> Figure:
    """Draw the load of each planet over the mean of all, at sun and ring; returns the matplotlib figure.

    1 is an equal share; the largest value is K_γ, the mesh load factor. path: file to save it in (.png, .svg, .pdf).
    title: heading, "" for none. width, panel_height: inches.
    """
    heading = f"load sharing of the planets, {formula('K_γ')} = {sharing.k_gamma:.4g}" if title is None else title
    shares = {"sun": sharing.sun, "ring": sharing.ring}
    with canvas(panels=2, path=path, title=heading, width=width, panel_height=panel_height) as c:
        for ax, (name, share) in zip(c.axes, shares.items(), strict=True):
            draw_shares(ax, sharing.time, {f"planet {i + 1}": column for i, column in enumerate(share.T)})
            ax.set_ylabel(f"share at the {name}")
        c.axes[-1].set_xlabel(axis_label("time", scaled_unit("s", float(np.max(np.abs(sharing.time))))[1]))
    return c.figure


def draw_shares(ax: Axes, time: FloatArray, shares: Mapping[str, FloatArray]) -> None:
    """Draw one line for each planet on your own axes; 1 is an equal share."""
    factor, _ = scaled_unit("s", float(np.max(np.abs(time))))
    ax.axhline(1.0, color="#8a8f96", linewidth=0.7)
    for i, (name, share) in enumerate(shares.items()):
        look = style.line_style(i)
        if len(time) == 1:
            look.update(linestyle="", marker="o")
        ax.plot(factor * time, share, label=name, **look)
    finite = np.concatenate([share[np.isfinite(share)] for share in shares.values()])
    away = float(np.max(np.abs(finite - 1.0), initial=0.0))
    if away < 0.05:  # equal shares look equal
        ax.set_ylim(0.9, 1.1)
    ax.legend(loc="upper left", bbox_to_anchor=(1.015, 1.0))
