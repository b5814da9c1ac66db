"""A picture of a few panels in the house style, saved where a path is given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pitchline.views import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Canvas:
    """figure: with its panels, from top to bottom, in `axes`; they share the lower axis."""

    figure: Figure
    axes: list[Axes]


@contextmanager
def canvas(
    *, panels: int = 1, path: str | Path | None, title: str, width: float, panel_height: float
) -> Iterator[Canvas]:
    """Panels to draw on; titled, and saved at the end."""
    import matplotlib.style

    from pitchline.views.picture import Picture, check_path, save

    target = None if path is None else check_path(path)
    # From matplotlib's own defaults, whatever the machine is set to: the same figure everywhere.
    with matplotlib.style.context(["default", style.RC]):
        height = panels * panel_height + 0.35 + (0.3 if title else 0.0)
        figure = Picture(figsize=(width, height), layout="constrained")
        axes = figure.subplots(panels, 1, sharex=True, squeeze=False)[:, 0]
        yield Canvas(figure, list(axes))
        figure.align_ylabels(axes)
        if title:
            figure.suptitle(title, x=0.01, ha="left", fontsize=9.5, fontweight="bold")
        if target is not None:
            save(figure, target, title or "pitchline")
