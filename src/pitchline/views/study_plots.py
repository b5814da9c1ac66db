"""plot_study: the picture of a study that fits its dimensions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import ModelError, PitchlineError, listed, near_names
from pitchline.studies.study_result import StudyResult
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.study_curves import draw_curves, draw_signals
from pitchline.views.study_maps import draw_map_of_study
from pitchline.views.study_panels import draw_boundary, plot_bars, plot_compared, plot_each
from pitchline.views.study_samples import draw_histogram, draw_scatter, draw_sensitivity

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["plot_study"]

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
