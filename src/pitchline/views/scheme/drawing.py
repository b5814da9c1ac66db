"""plot_scheme: a model drawn to scale in one view or two."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.errors import PitchlineError
from pitchline.views import style
from pitchline.views.scheme.axes_and_scale import scale_bar, triad
from pitchline.views.scheme.panel import Panel
from pitchline.views.scheme.scene import Scene, read_scene
from pitchline.views.scheme.view import Arrangement, Projection, arrange

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

#: Inches: the tallest figure, the room for the legend, the margin round a view.
_TALLEST, _LEGEND, _MARGIN = 5.2, 0.45, 0.28


def plot_scheme(
    model: Any, *, path: str | Path | None = None, title: str | None = None, width: float = style.WIDTH
) -> Figure:
    """The scheme of a model: wheels with their teeth, bodies, joints and springs, to scale; returns the matplotlib figure.

    model: a `Model`, or what its `describe()` gave, such as `result.model`. Wheels on parallel axes are seen along and
    across them; others in the plane that shows most, and from a corner. path: where to save it (.png, .svg, .pdf).
    title: heading, by default the name of the model; "" for none. width: inches.
    """
    said = model if isinstance(model, Mapping) else model.describe()
    scene = read_scene(dict(said))
    if not scene.centres and not scene.wheels and not scene.members:
        raise PitchlineError(f'scheme of "{scene.name}": the model has no bodies to draw')
    import matplotlib.style

    from pitchline.views.picture import Picture, check_path, save

    target = None if path is None else check_path(path)
    heading = scene.name if title is None else title
    plan = arrange(scene)
    boxes = [_box(scene, view) for view in plan.views]
    with matplotlib.style.context(["default", style.RC]):
        scale, places, height = _layout(boxes, plan, width, 0.3 if heading else 0.0)
        figure = Picture(figsize=(width, height))
        kinds: dict[str, Any] = {}
        for number, (view, box, place) in enumerate(zip(plan.views, boxes, places, strict=True)):
            ax = figure.add_axes((place[0] / width, place[1] / height, place[2] / width, place[3] / height))
            ax.set(xlim=(box[0], box[1]), ylim=(box[2], box[3]))
            ax.set_aspect("equal")
            ax.axis("off")
            panel = Panel(ax, view, scene, 72.0 * scale, first=number == 0)
            panel.draw()
            kinds.update(panel.kinds)
            triad(ax, view)
            if number == (len(boxes) - 1 if plan.below else 0):
                scale_bar(ax, 72.0 * scale)
        if kinds:
            figure.legend(
                list(kinds.values()), list(kinds), loc="lower center", ncols=min(5, len(kinds)), fontsize=7.5,
                handletextpad=0.5, columnspacing=1.6,
            )  # fmt: skip
        if heading:
            figure.suptitle(
                heading, x=0.01, y=1.0 - 0.06 / height, ha="left", va="top", fontsize=9.5, fontweight="bold"
            )
        if target is not None:
            save(figure, target, heading or "pitchline")
    return figure


def _box(scene: Scene, view: Projection) -> tuple[float, float, float, float]:
    """Left, right, bottom and top of what a view shows [m]."""
    from pitchline.views.scheme.outlines import end_circles, rack_profile, rim, tip_and_root

    points = [view.flat(scene.points())]
    for wheel in scene.wheels:
        if wheel.is_rack:
            points.append(view.flat(wheel.centre + rack_profile(wheel) @ wheel.axes.T))
        else:
            reach = rim(wheel) if wheel.internal else tip_and_root(wheel)[0]
            points += [view.flat(circle) for circle in end_circles(wheel, reach, 24)]
    flat = np.vstack(points)
    (left, bottom), (right, top) = flat.min(axis=0), flat.max(axis=0)
    least = 0.12 * max(right - left, top - bottom, 1e-6)  # a line still needs room
    across, up = max(0.5 * (least - (right - left)), 0.0), max(0.5 * (least - (top - bottom)), 0.0)
    pad = 0.02 * max(right - left, top - bottom)
    return left - across - pad, right + across + pad, bottom - up - pad, top + up + pad


def _layout(
    boxes: list[tuple[float, float, float, float]], plan: Arrangement, width: float, head: float
) -> tuple[float, list[tuple[float, float, float, float]], float]:
    """Inches a metre, places (left, bottom, width, height) in inches of the views, and the height of the figure."""
    wide = [box[1] - box[0] for box in boxes]
    high = [box[3] - box[2] for box in boxes]
    label = 0.75  # room for names beside a view
    n = len(boxes)
    if plan.below and n == 2:
        scale = min((width - 2 * label) / max(wide), (_TALLEST - 3 * _MARGIN - _LEGEND) / sum(high))
        height = scale * sum(high) + 3 * _MARGIN + _LEGEND + head
        left = 0.5 * (width - scale * wide[0])
        second = (left + scale * (boxes[1][0] - boxes[0][0]), _LEGEND + _MARGIN, scale * wide[1], scale * high[1])
        first = (left, _LEGEND + 2 * _MARGIN + scale * high[1], scale * wide[0], scale * high[0])
        return scale, [first, second], height
    room = width - (n + 1) * label
    scale = min(room / sum(wide), (_TALLEST - 2 * _MARGIN - _LEGEND - head) / max(high))
    height = max(scale * max(high) + 2 * _MARGIN + _LEGEND + head, 1.8)
    spare = (width - scale * sum(wide)) / (n + 1)
    places, left = [], spare
    middle = _LEGEND + 0.5 * (height - _LEGEND - head)
    for k in range(n):
        places.append((left, middle - 0.5 * scale * high[k], scale * wide[k], scale * high[k]))
        left += scale * wide[k] + spare
    return scale, places, height
