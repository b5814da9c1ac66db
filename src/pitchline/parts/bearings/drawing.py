"""plot_bearing: loads of the rolling elements of bearings around their circumference."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError, near_names
from pitchline.views import style
from pitchline.views.style import plain_texts, scaled_unit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.results.result import Result

__all__ = ["bearing_names", "plot_bearing"]

_EDGE = "#4D4D4D"
_COLUMNS = 3


@names_wrong_arguments
def plot_bearing(
    result: Result,
    *bearings: str,
    sample: int = -1,
    path: str | Path | None = None,
    title: str | None = None,
    width: float | None = None,
) -> Figure:
    """Draw the loads of the rolling elements of bearings at one sample of a result, as polar pictures.

    The axes are those of the outer rings. Bars point outwards from the ring of rolling elements, in the direction of their
    force on the outer ring, with one colour per row. The arrow is the radial load of the inner ring on the outer ring.

    bearings: names of bearings; by default all bearings of the model. sample: number of the sample, by default the last.
    """
    import matplotlib.style

    from pitchline.views.picture import Picture, check_path, save

    names = list(bearings) or bearing_names(result)
    if not names:
        raise PitchlineError("picture of bearings: the model has no rolling bearings")
    target = None if path is None else check_path(path)
    columns = 2 if len(names) == 4 else min(len(names), _COLUMNS)
    rows = -(-len(names) // columns)
    wide = width or {1: 0.62, 2: 0.95, 3: 1.2}[columns] * style.WIDTH
    heading = title
    if title is None:
        heading = f"{result.model_name}: loads of rolling elements"
        heading += f", t = {result.time[sample]:g} s" if result.samples > 1 else ""
    with matplotlib.style.context(["default", style.RC]):
        figure = Picture(figsize=(wide, 1.12 * wide / columns * rows + 0.25), layout="constrained")
        for k, name in enumerate(names):
            draw_bearing(figure.add_subplot(rows, columns, k + 1, projection="polar"), result, name, sample)
        if heading:
            figure.suptitle(heading, x=0.01, ha="left", fontsize=9.5, fontweight="bold")
        plain_texts(figure)
        if target is not None:
            save(figure, target, heading or "pitchline")
    return figure


def bearing_names(result: Result) -> list[str]:
    """Rolling bearings of the model of a result."""
    return [key for key, said in result.model.get("elements", {}).items() if said.get("key") == "bearing"]


def draw_bearing(ax: Any, result: Result, name: str, sample: int) -> None:
    """One bearing on a polar panel."""
    from matplotlib.ticker import MaxNLocator

    from .mounting import mounted_as_described

    known = bearing_names(result)
    if name not in known:
        raise PitchlineError(
            f'result of "{result.model_name}": there is no bearing "{name}"; {near_names(name, known)}'
        )
    bearing = mounted_as_described(result.model["elements"][name]["parameters"])
    moved, turned = (np.asarray(result[f"{name}.{key}"].values[sample]) for key in ("deflection", "rotation"))
    state = bearing.at(moved, turned)
    loads, places, pressures = state.loads, bearing.positions(turned), state.pressures
    top = float(loads.max(initial=0.0))
    factor, unit = scaled_unit("N", top)
    size = top or 1.0
    inner = 0.8 * size
    count = loads.shape[1]
    around = np.linspace(0.0, 2.0 * np.pi, 181)
    ax.plot(around, np.full(181, inner), color=_EDGE, linewidth=0.8, zorder=2)
    for row, (load, angle) in enumerate(zip(loads, places, strict=True)):
        bar = 0.34 * 2.0 * np.pi / max(count * len(loads), 8)
        shifted = angle + (row - 0.5 * (len(loads) - 1)) * 1.3 * bar
        ax.bar(
            shifted,
            load,
            width=bar,
            bottom=inner,
            color=style.COLOURS[row % len(style.COLOURS)],
            label=f"row {row + 1}",
            zorder=3,
        )
        ring = {"markerfacecolor": "white", "markeredgecolor": _EDGE}
        ax.plot(shifted, np.full(count, inner), "o", markersize=min(5.5, 90.0 / count), zorder=4, **ring)
    towards = _arrow(ax, result, name, sample, inner)
    ticks = np.array([t for t in MaxNLocator(4).tick_values(0.0, factor * size) if 0.0 < t <= 1.1 * factor * size])
    ax.set_rgrids(inner + ticks / factor, [f"{t:g} {unit}" for t in ticks], angle=_free_angle(towards), fontsize=7.0)
    ax.set_ylim(0.0, inner + 1.12 * size)
    ax.set_thetagrids(np.arange(0, 360, 45), ["x", "45°", "y", "135°", "180°", "225°", "270°", "315°"], fontsize=7.0)
    ax.spines["polar"].set_visible(False)
    if len(loads) > 1:
        ax.legend(loc="lower right", bbox_to_anchor=(1.15, -0.12))
    pressure = 1e-6 * float(pressures.max(initial=0.0))
    ax.set_title(f"{name}: at most {factor * top:.4g} {unit}, {pressure:.4g} MPa", pad=10)


def _free_angle(towards: float) -> float:
    """Angle of the numbers of the rings [deg]: as far from the load as possible."""
    return min((67.5, 112.5, 247.5, 292.5), key=lambda angle: np.cos(np.radians(angle) - towards))


def _arrow(ax: Any, result: Result, name: str, sample: int, inner: float) -> float:
    """The radial load, from the middle outwards; returns its angle [rad]."""
    from pitchline.results.interactions import Record, supports

    part = next(one for one in supports(Record(result)) if one.name == name)
    assert part.frame is not None
    x, y, _ = -part.frame.axes[sample].T @ part.force[sample]  # of the inner ring on the outer one
    if x or y:
        look = {"arrowstyle": "-|>", "color": "black", "linewidth": 1.3}
        ax.annotate("", (np.arctan2(y, x), 0.75 * inner), (0.0, 0.0), arrowprops=look, zorder=5)
    return float(np.arctan2(y, x))
