"""One gear pair on one page: force and transmission error over time, spectrum of the force, force over the mesh cycle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.results import Modes, Result
from pitchline.views import style
from pitchline.views.labels import axis_label, quantity_text, scaled_unit
from pitchline.views.line_names import names_height
from pitchline.views.marks import Marked, MarkedLine, mesh_marks, mode_marks
from pitchline.views.mesh_chart import MeshChart, spectrum_end
from pitchline.views.mesh_cycle import draw_cycle
from pitchline.views.plain_texts import plain_texts
from pitchline.views.plots import draw_curve
from pitchline.views.spectra import draw_lines

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Signals over time, in the upper row.
_HISTORIES = ("normal_force", "transmission_error")


def draw_pair(
    result: Result,
    pair: str,
    chart: MeshChart | None,
    *,
    others: Mapping[str, float] | None = None,
    modes: Modes | Marked | None = None,
    width: float = style.WIDTH,
    height: float = 2.0,
) -> Figure:
    """Draw one gear pair; returns the matplotlib figure.

    chart:  spectrum and cycle at steady speed; None: only the time histories are drawn
    others: mesh frequencies of other pairs, marked in the spectrum [Hz]
    modes:  natural frequencies, marked in the spectrum, as in `plot_lines`
    height: of a row, inches
    """
    import matplotlib.style

    from pitchline.views.picture import Picture

    upper = [name for name in _HISTORIES if _varies(result, f"{pair}.{name}")] or ["normal_force"]
    marks, end = _marks(chart, others or {}, modes) if chart is not None else ([], 0.0)
    lower = height + names_height([mark.name for mark in marks])
    heights = [height, lower] if chart is not None else [height]
    mosaic: Any = [upper * (3 - len(upper))] + ([["spectrum", "cycle"]] if chart is not None else [])
    with matplotlib.style.context(["default", style.RC]):
        figure = Picture(figsize=(width, sum(heights) + 0.4), layout="constrained")
        axes: Any = figure.subplot_mosaic(mosaic, height_ratios=heights, width_ratios=[1.55, 1.0])
        for name in upper:
            _history(axes[name], result, f"{pair}.{name}")
        if chart is not None:
            draw_cycle(axes["cycle"], chart.cycle)
            draw_lines(axes["spectrum"], chart.spectrum, end, True, marks)
        plain_texts(figure)
    return figure


def _marks(
    chart: MeshChart, others: Mapping[str, float], modes: Modes | Marked | None
) -> tuple[list[MarkedLine], float]:
    """Harmonics of the mesh, meshes of other pairs that are not among them, and modes."""
    end = spectrum_end(chart)
    what = f'chart of "{chart.pair}"'
    own = mesh_marks({"mesh": chart.frequency}, None, end, what)
    ratios = {name: f / chart.frequency for name, f in others.items() if f > 0.0}
    apart = {name: others[name] for name, ratio in ratios.items() if abs(ratio - round(ratio)) > 2e-3 or ratio < 0.5}
    beside = [MarkedLine(m.name, m.value, "#8A3FA0") for m in mesh_marks(apart, 1, end, what)]
    return own + beside + mode_marks(modes, end, what), end


def _varies(result: Result, name: str) -> bool:
    if name not in result.signals:
        return False
    values = result.signals[name].values
    return bool(np.any(np.isfinite(values) & (values != 0.0)))


def _history(ax: Axes, result: Result, name: str) -> None:
    signal = result.signals[name]
    values = signal.values[np.isfinite(signal.values)]
    factor, unit = scaled_unit(signal.unit, float(np.max(np.abs(values), initial=0.0)))
    time, time_unit = scaled_unit("s", float(np.max(np.abs(signal.time))))
    draw_curve(ax, signal, time, factor, 0)
    ax.set(xlabel=axis_label("time", time_unit), ylabel=axis_label(quantity_text([name], signal.unit), unit))
