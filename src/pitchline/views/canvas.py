"""A figure of a few panels in the style of the package, saved if a path is given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitchline.views import style
from pitchline.views.plain_texts import plain_texts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Canvas:
    """A figure and its panels from top to bottom, which share the lower axis; with several columns, row by row."""

    figure: Figure
    axes: list[Axes]


@contextmanager
def canvas(
    *,
    panels: int = 1,
    columns: int = 1,
    shared: bool = True,
    path: str | Path | None,
    title: str,
    width: float,
    panel_height: float,
) -> Iterator[Canvas]:
    """Panels with a title to draw on; the figure is saved at the end. With several columns, columns share their lower axis
    and rows their vertical axis. shared: False for panels with axes of their own."""
    import matplotlib.style

    from pitchline.views.picture import Picture, check_path, check_width, save

    check_width(width)
    target = None if path is None else check_path(path)
    # Starts from matplotlib's own defaults, not from the user's settings: the same figure on every machine.
    with matplotlib.style.context(["default", style.RC]):
        height = panels * panel_height + 0.35 + (0.3 if title else 0.0)
        figure = Picture(figsize=(width, height), layout="constrained")
        sharing: dict[str, Any] = {"sharex": True} if columns == 1 else {"sharex": "col", "sharey": "row"}
        grid = figure.subplots(panels, columns, squeeze=False, **(sharing if shared else {}))
        axes = grid.reshape(-1)
        if title:  # before the panels are drawn: names beside lines are arranged by the final size of a panel
            figure.suptitle(title, x=0.01, ha="left", fontsize=9.5, fontweight="bold")
        yield Canvas(figure, list(axes))
        figure.align_ylabels(grid[:, 0])
        plain_texts(figure)
        if target is not None:
            save(figure, target, title or "pitchline")
