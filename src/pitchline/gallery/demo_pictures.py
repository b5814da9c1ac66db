"""Pictures of ``make demo`` that combine several analyses: effect of tip relief, and one overview."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.parts.contact.results_flank import LoadedContact
from pitchline.results.signal import PeakHold
from pitchline.views import style
from pitchline.views.order_maps import draw_map
from pitchline.views.style import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_dynamic_forces", "plot_overview", "plot_relief"]

VARIANTS = (("_no_relief", "without tip relief", style.COLOURS[1]), ("", "with tip relief", style.COLOURS[0]))
"""End of the name of an analysis, label and colour."""


def plot_relief(run: Mapping[str, Any], path: Path) -> None:
    """Draw the transmission error of both stages over the mesh cycle, with and without tip relief, about its mean."""
    with canvas(
        panels=2, path=path, title="Loaded transmission error at the rated torque", width=style.WIDTH, panel_height=1.9
    ) as c:
        for stage, ax in enumerate(c.axes, 1):
            for variant, label, colour in VARIANTS:
                _draw_error(ax, run[f"contact_{stage}{variant}"], label, colour)
            ax.set(title=f"stage {stage}", ylabel="transmission error (µm)")
            ax.legend(loc="upper left", bbox_to_anchor=(1.015, 1.0))
        c.axes[-1].set_xlabel("mesh cycle")


def _draw_error(ax: Axes, contact: LoadedContact, label: str, colour: str) -> None:
    order = np.argsort(contact.phase)
    error = contact.transmission_error[0, order]
    phase = contact.phase[order] - contact.phase[order[0]]
    closed = np.append(phase, phase[0] + 1.0), np.append(error, error[0])  # the mesh cycle closes
    ax.plot(
        closed[0],
        1e6 * (closed[1] - np.mean(error)),
        color=colour,
        label=f"{label}:\n{1e6 * np.ptp(error):.2f} µm peak to peak",
    )


def plot_dynamic_forces(run: Mapping[str, Any], path: Path) -> None:
    """Draw the range of the mesh force over the speed of the run-up, divided by its mean, with and without tip relief."""
    title = "Mesh force in the run-up, divided by its mean"
    with canvas(panels=2, path=path, title=title, width=style.WIDTH, panel_height=1.9) as c:
        for stage, ax in enumerate(c.axes, 1):
            for variant, label, colour in VARIANTS:
                mean = float(np.mean(run[f"run_up{variant}"][f"stage_{stage}.normal_force"].values))
                _draw_range(ax, run[f"peaks_{stage}{variant}"], mean, label, colour)
            ax.set(title=f"stage {stage}", ylabel="force / mean force")
        c.axes[0].legend(loc="upper left", bbox_to_anchor=(1.015, 1.0))
        c.axes[-1].set_xlabel("speed of the motor (rpm)")


def _draw_range(ax: Axes, peaks: PeakHold, mean: float, label: str, colour: str) -> None:
    speed = peaks.speed * 30.0 / np.pi
    ax.fill_between(
        speed, peaks.lowest / mean, peaks.highest / mean, color=colour, alpha=0.3, linewidth=0.0, label=label
    )
    for bound in (peaks.lowest, peaks.highest):
        ax.plot(speed, bound / mean, color=colour, linewidth=0.8)


def plot_overview(run: Mapping[str, Any], gears: Path, rows: Sequence[tuple[str, float, float]], path: Path) -> None:
    """Draw the gears (a picture file), the order map of the run-up, and forces compared with the hand calculation."""
    import matplotlib.style

    from pitchline.views.picture import Picture, check_path, save

    target = check_path(path)
    with matplotlib.style.context(["default", style.RC]):
        figure = Picture(figsize=(7.6, 6.3), layout="constrained")
        grid = figure.add_gridspec(2, 2, height_ratios=(1.1, 1.0), width_ratios=(1.25, 1.0))
        top = figure.add_subplot(grid[0, :])
        top.imshow(_without_margins(gears), interpolation="antialiased")
        top.set_axis_off()
        orders, table = figure.add_subplot(grid[1, 0]), figure.add_subplot(grid[1, 1])
        _draw_rows(table, rows)
        orders.set_title("Run-up: order map of the mesh force of stage 2")
        draw_map(
            orders, run["orders"], orders=run["campbell"].orders
        )  # last: it places the names of the orders in the final layout
        orders.set(xlabel="speed of the motor (rpm)", ylabel="order of the motor shaft")
        save(figure, target, "demo-gearbox")


def _without_margins(file: Path) -> Any:
    """Return the pixels of a picture without white rows and columns at its margins."""
    import matplotlib.image

    pixels = matplotlib.image.imread(file)
    inked = np.any(pixels[..., :3] < 1.0, axis=2)
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    return pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _draw_rows(ax: Axes, rows: Sequence[tuple[str, float, float]]) -> None:
    """Write the table of forces as text."""
    ax.set_axis_off()
    ax.set_title("Mesh forces and bearing loads (N)")
    lines = [("", "pitchline", "by hand"), *((title, f"{value:.0f}", f"{hand:.0f}") for title, value, hand in rows)]
    height = 1.0 / len(lines)
    for k, (title, value, hand) in enumerate(lines):
        y = 1.0 - (k + 0.5) * height
        weight = "bold" if k == 0 else "normal"
        for x, text, side in ((0.0, title, "left"), (0.78, value, "right"), (1.0, hand, "right")):
            ax.text(x, y, text, ha=side, va="center", fontsize=7.2, fontweight=weight, transform=ax.transAxes)
        if k:
            line = [y + 0.5 * height] * 2
            ax.plot([0.0, 1.0], line, color="#D9D9D9", linewidth=0.5, transform=ax.transAxes, clip_on=False)
