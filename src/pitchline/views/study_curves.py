"""Curves of a study over a parameter: families, branches up and down, Poincaré samples, signals over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.studies.study_result import StudyResult
from pitchline.views import style
from pitchline.views.study_axes import ShownAxis, mark_failed, shown_axis, shown_coordinate, variable_scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_curves", "draw_signals"]

FloatArray = NDArray[np.float64]
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
