"""plot_bearing: loads of the rolling elements of a bearing around its circumference."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.views import style
from pitchline.views.labels import scaled_unit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.results import Result

__all__ = ["plot_bearing"]


def plot_bearing(
    result: Result,
    bearing: str | None = None,
    *,
    sample: int = -1,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = 0.62 * style.WIDTH,
) -> Figure:
    """Loads of the rolling elements of a bearing at one sample of a result, as a polar picture in axes of the outer ring.

    bearing: its name; without it the only one of the model. Bars point outwards from the ring of rolling elements, as they press on
    the outer ring; one colour a row. The arrow is the load of the inner ring on the outer one.
    """
    import matplotlib.style
    from matplotlib.ticker import MaxNLocator

    from pitchline.results.rolling_loads import rolling_loads
    from pitchline.views.picture import Picture, check_path, save

    name = _only(result, bearing)
    target = None if path is None else check_path(path)
    found = rolling_loads(result, name)
    loads, places, pressures = found.loads[sample], found.positions[sample], found.pressures[sample]
    top = float(loads.max(initial=0.0))
    factor, unit = scaled_unit("N", top)
    heading = f'{result.model_name}: bearing "{name}"' if title is None else title
    if title is None and result.samples > 1:
        heading += f", t = {result.time[sample]:g} s"
    with matplotlib.style.context(["default", style.RC]):
        figure = Picture(figsize=(width, 1.08 * width), layout="constrained")
        ax: Any = figure.add_subplot(projection="polar")
        size = top or 1.0
        inner = 0.8 * size
        count = loads.shape[1]
        around = np.linspace(0.0, 2.0 * np.pi, 181)
        ax.plot(around, np.full(181, inner), color="#4D4D4D", linewidth=0.8, zorder=2)
        for row, (load, angle) in enumerate(zip(loads, places, strict=True)):
            colour = style.COLOURS[row % len(style.COLOURS)]
            bar = 0.34 * 2.0 * np.pi / max(count * len(loads), 8)
            shifted = angle + (row - 0.5 * (len(loads) - 1)) * 1.3 * bar
            ax.bar(shifted, load, width=bar, bottom=inner, color=colour, label=f"row {row + 1}", zorder=3)
            ring = {"markerfacecolor": "white", "markeredgecolor": "#4D4D4D"}
            ax.plot(shifted, np.full(count, inner), "o", markersize=5.5, zorder=4, **ring)
        _arrow(ax, result, name, sample, inner)
        ticks = np.array([t for t in MaxNLocator(4).tick_values(0.0, factor * size) if 0.0 < t <= 1.1 * factor * size])
        ax.set_rgrids(inner + ticks / factor, [f"{t:g} {unit}" for t in ticks], angle=67.5, fontsize=7.5)
        ax.set_ylim(0.0, inner + 1.12 * size)
        ax.set_thetagrids(np.arange(0, 360, 45), ["x", "45°", "y", "135°", "180°", "225°", "270°", "315°"])
        ax.spines["polar"].set_visible(False)
        if len(loads) > 1:
            ax.legend(loc="lower right", bbox_to_anchor=(1.12, -0.08))
        words = f"largest load {factor * top:.4g} {unit}, largest pressure {1e-6 * float(pressures.max(initial=0.0)):.4g} MPa"
        ax.set_xlabel(words, labelpad=8)
        figure.suptitle(heading, x=0.01, ha="left", fontsize=9.5, fontweight="bold")
        if target is not None:
            save(figure, target, heading or "pitchline")
    return figure


def _arrow(ax: Any, result: Result, name: str, sample: int, inner: float) -> None:
    """The radial load, from the middle outwards."""
    from pitchline.results.tables.interactions import supports
    from pitchline.results.tables.record import Record

    part = next(one for one in supports(Record(result)) if one.name == name)
    assert part.frame is not None
    x, y, _ = -part.frame.axes[sample].T @ part.force[sample]  # of the inner ring on the outer one
    if x or y:
        ax.annotate(
            "", (np.arctan2(y, x), 0.75 * inner), (0.0, 0.0), arrowprops={"arrowstyle": "-|>", "color": "black", "linewidth": 1.4}, zorder=5
        )


def _only(result: Result, name: str | None) -> str:
    from pitchline.errors import PitchlineError

    known = [key for key, said in result.model.get("elements", {}).items() if said.get("key") == "bearing"]
    if name is not None:
        return name
    if len(known) != 1:
        have = f"say which: {', '.join(known)}" if known else "the model has no rolling bearings"
        raise PitchlineError(f"bearing: {have}")
    return known[0]
