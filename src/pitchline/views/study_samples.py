"""Pictures of samples: scatter over each parameter, histograms, and bars of sensitivity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pitchline.studies.study_result import StudyResult
from pitchline.views import style
from pitchline.views.study_axes import mark_failed, shown_axis, variable_scale, words_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_histogram", "draw_scatter", "draw_sensitivity"]

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
