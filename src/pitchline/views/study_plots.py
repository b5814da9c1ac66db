"""plot_study: the picture of a study that fits its dimensions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, PitchlineError, listed, near_names
from pitchline.studies.study_result import StudyResult

from . import style
from .study_panels import (
    ShownAxis,
    draw_boundary,
    draw_map_of_study,
    mark_failed,
    plot_bars,
    plot_compared,
    plot_each,
    shown_axis,
    shown_coordinate,
    variable_scale,
    words_of,
)
from .style import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_curves", "draw_signals", "draw_histogram", "draw_scatter", "draw_sensitivity", "plot_study"]


# ---- study curves

# Curves of a study over a parameter: families, branches up and down, Poincaré samples, signals over time.

MOST_MARKED = 60
"""Up to this number of points on a curve, each is marked."""
MOST_DOTS = 2000
"""More dots than this are pixels in vector graphics, which would be very large otherwise."""
_ARROWS = 7
"""Arrow heads on a branch."""
_FORTH, _BACK = ("up", "forth", "increasing", "rising"), ("down", "back", "decreasing", "falling")
"""Names of branches that are passed from small to large values, and from large to small ones."""


def draw_curves(ax: Axes, found: StudyResult, name: str, over: str, by: str | None, legend: bool) -> None:
    """Draw a variable over a parameter, one curve for each value of another parameter."""
    axis = shown_axis(found, over)
    factor, label = variable_scale(found, name)
    values = factor * _ordered(found, found[name], over, by)
    fine = _ordered(found, found["status"], over, by) == 0
    family = shown_axis(found, by) if by else None
    failed = np.zeros(len(axis.values), dtype=bool)
    for k in range(values.shape[1] if by else 1):
        line = values[:, k] if by else values
        text = family.value_text(k) if family else ""
        look = style.line_style(k)
        if line.ndim == 2:
            _draw_samples(ax, axis, line, text, look["color"])
        else:
            _draw_line(ax, axis, line, text, look, branches=text.lower() in _FORTH + _BACK)
        failed |= ~(fine[:, k] if by else fine)
    axis.apply(ax)
    ax.set_ylabel(label)
    _room(ax, axis)
    mark_failed(ax, axis.values[failed])
    if (by or failed.any()) and legend:
        title = family.label if family and not family.texts else None
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), title=title, alignment="left")


def _ordered(found: StudyResult, values: NDArray[Any], over: str, by: str | None) -> NDArray[Any]:
    """Array with the dimension of `over` first and that of `by` second."""
    dims = list(found.dims)
    order = [dims.index(found.points.along[over])] + ([dims.index(found.points.along[by])] if by else [])
    return np.moveaxis(values, order, range(len(order)))


def _draw_line(ax: Axes, axis: ShownAxis, line: FloatArray, text: str, look: dict[str, Any], *, branches: bool) -> None:
    x = axis.values
    if axis.texts:
        ax.plot(x, line, "o", color=look["color"], label=text or None)
        return
    steps = np.diff(x)
    path = bool((steps > 0).any() and (steps < 0).any())  # up and down again, in the order of the points
    if path or branches:
        back = text.lower() in _BACK
        ax.plot(x, line, color=look["color"], linestyle="--" if back else "-", label=text or None)
        _arrows(ax, x[::-1] if back else x, line[::-1] if back else line, look["color"])
        return
    marker = "o" if len(x) <= MOST_MARKED else None
    ax.plot(x, line, marker=marker, markersize=2.6, label=text or None, **look)


def _arrows(ax: Axes, x: FloatArray, y: FloatArray, colour: str) -> None:
    """Arrow heads in the direction in which a branch is passed; those of the opposite branch are between them."""
    direction = np.sign(np.gradient(x))
    for k in np.unique(np.linspace(0.05 * len(x), 0.88 * len(x) - 1, _ARROWS).astype(int)):
        if np.isfinite(y[k]) and direction[k]:
            ax.plot(x[k], y[k], ">" if direction[k] > 0 else "<", color=colour, markersize=4.6)


def _draw_samples(ax: Axes, axis: ShownAxis, samples: FloatArray, text: str, colour: str) -> None:
    """Dots: several values at each value of the parameter."""
    x = np.repeat(axis.values, samples.shape[1])
    size = 3.4 if len(x) < 500 else 1.8
    ax.plot(
        x, samples.reshape(-1), ".", color=colour, markersize=size, markeredgewidth=0.0, label=text or None,
        rasterized=len(x) > MOST_DOTS,
    )  # fmt: skip


def _room(ax: Axes, axis: ShownAxis) -> None:
    """Space at both ends, so that markers are whole."""
    low, high = float(axis.values.min()), float(axis.values.max())
    if axis.texts:
        ax.set_xlim(-0.5, len(axis.values) - 0.5)
    elif low == high:
        room = 0.05 * abs(low) or 1.0
        ax.set_xlim(low - room, high + room)
    elif axis.geometric:
        ax.set_xlim(low / (high / low) ** 0.02, high * (high / low) ** 0.02)
    else:
        ax.set_xlim(low - 0.02 * (high - low), high + 0.02 * (high - low))


def draw_signals(ax: Axes, found: StudyResult, name: str, dim: str, by: str, legend: bool) -> None:
    """Draw a signal over its own coordinate, one line for each value of a parameter."""
    axis, family = shown_coordinate(found, dim), shown_axis(found, by)
    factor, label = variable_scale(found, name)
    for k, line in enumerate(factor * found[name]):
        if np.isfinite(line).any():
            ax.plot(axis.values, line, label=family.value_text(k), **style.line_style(k))
    axis.apply(ax)
    ax.set_ylabel(label)
    if legend:
        ax.legend(
            loc="upper left", bbox_to_anchor=(1.01, 1.0), title=None if family.texts else family.label, alignment="left"
        )


# ---- study samples

# Pictures of samples: scatter over each parameter, histograms, and bars of sensitivity.

_BAR = 0.36


def draw_scatter(ax: Axes, found: StudyResult, name: str, over: str, *, with_label: bool) -> None:
    """Draw the points of a sample over one parameter, with the rank correlation."""
    axis = shown_axis(found, over)
    factor, label = variable_scale(found, name)
    x = np.broadcast_to(
        axis.values.reshape([-1 if dim == found.points.along[over] else 1 for dim in found.dims]), found.shape
    ).reshape(-1)
    y = factor * found.variables[name].values
    fine = found.fine & np.isfinite(y)
    many = int(fine.sum()) > 400
    ax.plot(
        x[fine], y[fine], "o", color=style.COLOURS[0], markersize=1.8 if many else 3.2, markeredgewidth=0.0,
        alpha=0.35 if many else 0.7,
    )  # fmt: skip
    axis.apply(ax)
    if axis.texts:
        ax.set_xlim(-0.5, len(axis.texts) - 0.5)
    else:
        ax.margins(x=0.04)
    mark_failed(ax, x[~fine])
    if with_label:
        ax.set_ylabel(label)
    if not axis.texts and fine.sum() >= 3:
        rank = found.correlations(name)[name, over]
        if np.isfinite(rank):
            ax.set_title(f"rank correlation {rank:+.2f}", fontsize=7.5, loc="right", color="#555555")


def draw_histogram(ax: Axes, found: StudyResult, name: str) -> None:
    """Draw the distribution of a variable, with its mean and the limits that contain 95 % of the points."""
    from matplotlib.ticker import MaxNLocator

    factor, label = variable_scale(found, name)
    values = factor * found.variables[name].values[found.fine]
    values = values[np.isfinite(values)]
    ax.hist(values, bins=_bins(len(values)), color=style.COLOURS[4], edgecolor="white", linewidth=0.5)
    low, high = np.quantile(values, (0.025, 0.975))
    mean = values.mean()
    ax.axvline(mean, color=style.COLOURS[1], linewidth=1.1, label=f"mean {mean:.4g}")
    for k, limit in enumerate((low, high)):
        text = f"95 % from {low:.4g} to {high:.4g}"
        ax.axvline(limit, color="#000000", linewidth=0.9, linestyle="--", label=text if k == 0 else None)
    ax.margins(x=0.02)
    ax.set_xlabel(label)
    ax.set_ylabel("points")
    ax.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.01), ncols=2)


def _bins(count: int) -> int:
    return int(np.clip(round(2.0 * count ** (1.0 / 3.0)), 5, 60))


def draw_sensitivity(ax: Axes, found: StudyResult, name: str) -> None:
    """Draw Sobol indices with their 95 % intervals if the sample allows it, otherwise rank correlations."""
    if found.points.design.get("method") == "saltelli" and len(found.dims) == 1:
        indices = found.sobol_indices(name)
        order = np.argsort(indices.total)
        place = np.arange(len(order))
        bars = (
            ("total", indices.total, indices.total_error, 0.5 * _BAR, style.COLOURS[0]),
            ("first order", indices.first, indices.first_error, -0.5 * _BAR, style.COLOURS[5]),
        )
        for label, values, errors, offset, colour in bars:
            ax.barh(
                place + offset, values[order], _BAR, xerr=errors[order], color=colour, label=label,
                error_kw={"elinewidth": 0.8, "capsize": 2.0, "capthick": 0.8},
            )  # fmt: skip
        names = [indices.parameters[k] for k in order]
        ax.set_xlabel(f"share of the variance of {words_of(name)}")
        ax.set_xlim(min(0.0, 1.1 * float(indices.first.min())), max(1.0, 1.05 * float(np.nanmax(indices.total))))
        ax.legend(loc="lower right")
    else:
        table = found.correlations(name)
        values = table.values[0]
        order = np.argsort(np.abs(np.nan_to_num(values)))
        place = np.arange(len(order))
        colours = [style.COLOURS[0] if values[k] >= 0.0 else style.COLOURS[1] for k in order]
        ax.barh(place, np.nan_to_num(values[order]), 2 * _BAR, color=colours)
        names = [table.parameters[k] for k in order]
        ax.axvline(0.0, color="#000000", linewidth=0.7)
        ax.set_xlim(-1.05, 1.05)
        ax.set_xlabel(f"rank correlation with {words_of(name)}")
    ax.set_yticks(place, [text.replace("_", " ") for text in names])
    ax.tick_params(axis="y", length=0)
    ax.grid(False, axis="y")


Kind = Literal["curves", "map", "scatter", "histogram", "sensitivity", "bars"]
KINDS: tuple[Kind, ...] = ("curves", "map", "scatter", "histogram", "sensitivity", "bars")
MOST_CURVES = 7
MOST_PANELS = 8
MOST_COLUMNS = 4


@names_wrong_arguments
def plot_study(
    found: StudyResult,
    *names: str,
    kind: Kind | None = None,
    over: str | None = None,
    by: str | None = None,
    each: str | None = None,
    boundary: str | None = None,
    compare: Mapping[str, StudyResult] | None = None,
    items: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    log: bool = False,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float | None = None,
) -> Figure:
    """Draw variables of a study (default: all single numbers); returns the matplotlib figure.

    kind: "curves" over a parameter (with crosses for failed points, and arrows on branches up and down), "map" of colours over two
    parameters, "scatter" over each parameter, "histogram", "sensitivity" (Sobol indices, or rank correlations), or "bars" of a
    variable that is a list, one panel for each point. Default: curves and maps for grids, scatter for samples. over: parameter of
    the lower axis. by: parameter of which each value is a curve, or that is on the vertical axis of a map. each: parameter of a
    third dimension, with a map for each of its values. boundary: variable of a map; a line surrounds the part in which it is above
    zero. compare: other studies by name, for a common histogram. items, labels: of bars: texts of the items and of the points.
    log: logarithmic scale of the variable. path: file to save it in (.png, .svg, .pdf). title: heading, "" for none. width,
    panel_height: inches.
    """
    chosen = _variables(found, names)
    for parameter in (over, by):
        if parameter is not None and parameter not in found.points.axes:
            raise PitchlineError(
                f'plot: the study has no parameter "{parameter}"; {near_names(parameter, found.points.axes)}'
            )
    if kind is not None and kind not in KINDS:
        raise PitchlineError(f'plot: unknown kind "{kind}"; {near_names(str(kind), KINDS)}')
    kind = kind or ("map" if each is not None else _kind(found, chosen[0], over))
    heading = _heading(found) if title is None else title
    tall = 1.5 if kind == "map" else 1.3
    if each is not None or kind == "bars" or compare:
        if len(chosen) > 1:
            raise PitchlineError(f"plot: this picture shows one variable. Choose one of {listed(chosen)}")
        height = panel_height or (0.55 if kind == "bars" else tall) * style.PANEL_HEIGHT
        frame: dict[str, Any] = {"path": path, "title": heading, "width": width, "panel_height": height}
        if kind == "bars":
            return plot_bars(found, chosen[0], items=items, labels=labels, log=log, **frame)
        if compare:
            several = compare if any(one is found for one in compare.values()) else {found.name: found, **compare}
            return plot_compared(several, chosen[0], **frame)
        assert each is not None
        return plot_each(found, chosen[0], each, over, by, log=log, boundary=boundary, **frame)
    if kind == "scatter":
        return _scatter(found, chosen, over, log, path, heading, width, panel_height)
    if kind in ("histogram", "sensitivity"):
        return _distribution(found, chosen, kind, path, heading, width, panel_height)
    height = tall * style.PANEL_HEIGHT if panel_height is None else panel_height
    with canvas(panels=len(chosen), path=path, title=heading, width=width, panel_height=height) as c:
        for k, (ax, name) in enumerate(zip(c.axes, chosen, strict=True)):
            if kind == "map":
                x, y = _map_axes(found, name, over, by)
                draw_map_of_study(ax, found, name, x, y, log=log)
                if boundary is not None:
                    draw_boundary(ax, found, boundary, x, y)
            else:
                _curves(found, ax, name, over, by, legend=k == 0)
                if log:
                    ax.set_yscale("log")
            if k < len(chosen) - 1:
                ax.set_xlabel("")
    return c.figure


def _variables(found: StudyResult, names: tuple[str, ...]) -> list[str]:
    scalars = [name for name, variable in found.variables.items() if not variable.dims]
    chosen = list(names) or scalars or list(found.variables)[:1]
    for name in chosen:
        if name not in found.variables:
            raise PitchlineError(f'plot: the study has no variable "{name}"; {near_names(name, found.variables)}')
    if not chosen:
        raise PitchlineError("plot: the study has no variables")
    if len(chosen) > MOST_PANELS:
        raise PitchlineError(
            f"plot: {len(chosen)} variables are too many for one picture (at most {MOST_PANELS}). Choose some: {listed(chosen)}"
        )
    return chosen


def _heading(found: StudyResult) -> str:
    fixed = found.facts.get("where", {})
    at = ", ".join(f"{name} = {value}" for name, value in fixed.items())
    failed = len(found.failed)
    parts = [f"{found.name}: {found.study}", *([at] if at else []), *([f"{failed} points failed"] if failed else [])]
    return ", ".join(parts)


def _kind(found: StudyResult, name: str, over: str | None) -> Kind:
    if found.points.design or (len(found.dims) == 1 and found.dims[0] not in found.points.axes and over is None):
        return "scatter" if not found.variables[name].dims else "curves"
    if found.variables[name].dims:
        dim = found.variables[name].dims[0]
        signal = dim in found.coordinates and found.coordinates[dim][0].dtype.kind != "O"
        return "map" if signal and len(found) > MOST_CURVES else "curves"
    if len(found.dims) == 1:
        return "curves"
    smallest = min(size for _, size in found.points.dims)
    return "curves" if smallest <= MOST_CURVES else "map"


def _too_many_dims(found: StudyResult, most: int) -> PitchlineError:
    names = [dim for dim in found.dims if dim in found.points.axes]
    return PitchlineError(
        f"plot: the study has {len(found.dims)} dimensions ({', '.join(found.dims)}), this picture shows {most}. Choose values of "
        f"the others first, e.g. result.where({names[-1] if names else 'name'}=...).plot()"
    )


def _curves(found: StudyResult, ax: object, name: str, over: str | None, by: str | None, *, legend: bool) -> None:
    dims = found.variables[name].dims
    if len(dims) > 1:
        raise ModelError(
            f'plot: "{name}" has {len(dims)} dimensions of its own ({", ".join(dims)}); only one can be shown'
        )
    if dims and dims[0] in found.coordinates and over is None:
        if len(found.dims) > 1 or found.dims[0] not in found.points.axes:
            raise _too_many_dims(found, 1)
        draw_signals(ax, found, name, dims[0], found.dims[0], legend)  # type: ignore[arg-type]
        return
    if len(found.dims) > 2:
        raise _too_many_dims(found, 2)
    axes = list(found.points.names)
    grid = [dim for dim in found.dims if dim in axes]
    if over is None:
        # the family is the dimension with fewer values, or with texts
        free = [dim for dim in grid if dim != by] or axes
        texts = {dim: found.points.axes[dim].are_texts for dim in free}
        over = max(free, key=lambda dim: (not texts[dim], len(found.points.axes[dim]))) if grid else axes[0]
    rest = [dim for dim in found.dims if dim != found.points.along[over]]
    if by is None and rest:
        if rest[0] not in axes:
            raise _too_many_dims(found, 1)
        by = rest[0]
    if by is not None and found.points.along[by] == found.points.along[over]:
        raise PitchlineError(f'plot: "{over}" and "{by}" are not varied independently. Use kind="scatter"')
    draw_curves(ax, found, name, over, by, legend)  # type: ignore[arg-type]


def _map_axes(found: StudyResult, name: str, over: str | None, by: str | None) -> tuple[str, str]:
    """Names along the lower and the vertical axis of a map."""
    own = found.variables[name].dims
    dims = [*found.dims, *own]
    usable = [dim for dim in dims if dim in found.points.axes or dim in found.coordinates]
    if len(dims) != 2 or len(usable) != 2:
        raise _too_many_dims(found, 2)
    x = over if over is not None else next((dim for dim in dims if dim != by), dims[0])
    y = by if by is not None else next(dim for dim in dims if dim != x)
    if {x, y} != set(dims):
        raise PitchlineError(f'plot: a map has the dimensions {listed(dims)}, got "{x}" and "{y}"')
    return x, y


def _scatter(
    found: StudyResult, names: list[str], over: str | None, log: bool, path: str | Path | None, title: str, width: float,
    panel_height: float | None,
) -> Figure:  # fmt: skip
    single = [name for name in names if not found.variables[name].dims]
    if not single:
        raise PitchlineError('plot: a scatter needs single numbers at each point. Use kind="curves"')
    varied = found.points.design.get("varied") or [
        name for name, axis in found.points.axes.items() if len(set(axis.values.tolist())) > 1
    ]
    parameters = [over] if over is not None else (list(varied) or list(found.points.names))
    if len(parameters) > MOST_COLUMNS:
        # those with the largest influence on the first variable
        table = found.correlations(single[0])
        size = {name: abs(value) for name, value in zip(table.parameters, table.values[0], strict=True)}
        parameters = sorted(parameters, key=lambda name: -size.get(name, 0.0))[:MOST_COLUMNS]
    height = 1.1 * style.PANEL_HEIGHT if panel_height is None else panel_height
    with canvas(
        panels=len(single), columns=len(parameters), path=path, title=title, width=width, panel_height=height
    ) as c:
        for row, name in enumerate(single):
            for column, parameter in enumerate(parameters):
                ax = c.axes[row * len(parameters) + column]
                draw_scatter(ax, found, name, parameter, with_label=column == 0)
                if log:
                    ax.set_yscale("log")
                if row < len(single) - 1:
                    ax.set_xlabel("")
    return c.figure


def _distribution(
    found: StudyResult, names: list[str], kind: Kind, path: str | Path | None, title: str, width: float,
    panel_height: float | None,
) -> Figure:  # fmt: skip
    single = [name for name in names if not found.variables[name].dims]
    if not single or not found.fine.any():
        raise PitchlineError(f"plot: a {kind} needs single numbers at the points")
    rows = len(found.points.design.get("varied", found.points.names))
    height = max(1.0, 0.3 * rows + 0.5) if kind == "sensitivity" else 1.1 * style.PANEL_HEIGHT
    if panel_height is not None:
        height = panel_height
    with canvas(panels=len(single), shared=False, path=path, title=title, width=width, panel_height=height) as c:
        for ax, name in zip(c.axes, single, strict=True):
            (draw_histogram if kind == "histogram" else draw_sensitivity)(ax, found, name)
    return c.figure
