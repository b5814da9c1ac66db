"""Force of each tooth pair over time, with further signals below."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pitchline.results import Result, Signal
from pitchline.results.tooth_pairs import gear_pair_with_forces, tooth_pair_forces
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.labels import axis_label, quantity_text, scaled_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_tooth_pairs"]


def plot_tooth_pairs(
    result: Result,
    *names: str,
    pair: str | None = None,
    path: str | Path | None = None,
    start: float | str | None = None,
    end: float | str | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 2.6,
) -> Figure:
    """Draw the normal force of each tooth pair over time, with their sum in grey; return the matplotlib figure.

    names:        further signals, one panel each
    pair:         the gear pair, if several have a mesh with `Flank`
    start, end:   part of the record to show, s or text such as "5 ms"
    """
    mesh = gear_pair_with_forces(result, pair)
    total = _part(result[f"{mesh}.contact_force"], start, end)
    first, last = float(total.time[0]), float(total.time[-1])
    further = [_part(signal, start, end) for signal in (result.select(*names) if names else [])]
    factor, unit = scaled_unit("s", max(abs(first), abs(last)))
    scale, force_unit = scaled_unit("N", float(np.max(total.values, initial=0.0)))
    heading = f"{result.model_name}: tooth pairs of {mesh}" if title is None else title
    with canvas(panels=1 + len(further), path=path, title=heading, width=width, panel_height=panel_height) as c:
        above = c.axes[0]
        for one in tooth_pair_forces(result, mesh):
            inside = (one.time >= first) & (one.time <= last)
            above.plot(factor * one.time[inside], scale * np.abs(one.force[inside]), linewidth=0.9)
        above.plot(factor * total.time, scale * total.values, color="0.3", linewidth=0.6, label="all pairs")
        above.set(ylabel=axis_label("normal force", force_unit))
        above.legend(loc="lower right")
        for ax, signal in zip(c.axes[1:], further, strict=True):
            _draw(ax, signal, factor)
        c.axes[-1].set_xlabel(axis_label("time", unit))
    return c.figure


def _part(signal: Signal, start: float | str | None, end: float | str | None) -> Signal:
    if start is None and end is None:
        return signal
    return signal.between(signal.time[0] if start is None else start, signal.time[-1] if end is None else end)


def _draw(ax: Axes, signal: Signal, factor: float) -> None:
    scale, unit = scaled_unit(signal.unit, float(np.max(np.abs(signal.values), initial=0.0)))
    lines = ax.plot(factor * signal.time, scale * signal.values, linewidth=0.8)
    if signal.components:
        ax.legend(lines, list(signal.components))
    ax.set_title(signal.name, loc="left")
    ax.set_ylabel(axis_label(quantity_text([signal.name], signal.unit), unit))
