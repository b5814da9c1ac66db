"""plot_scheme: the schematic of a model, drawn to scale in one view or two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError, shown
from pitchline.views import style
from pitchline.views.plain_texts import plain_texts
from pitchline.views.scheme.axes_and_scale import scale_bar, triad
from pitchline.views.scheme.label_placement import LINE, Label, split_sides, text_width
from pitchline.views.scheme.names import labels_of
from pitchline.views.scheme.panel import Panel
from pitchline.views.scheme.scene import Scene, read_scene
from pitchline.views.scheme.view import Arrangement, Projection, arrange

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

#: Inches: the tallest figure, the room for the legend, the margin over a view, and that under it for axes and scale.
_TALLEST, _LEGEND, _MARGIN, _BELOW = 5.4, 0.45, 0.2, 0.5


@names_wrong_arguments
def plot_scheme(
    model: Any, *, path: str | Path | None = None, title: str | None = None, width: float = style.WIDTH
) -> Figure:
    """Draw the schematic of a model to scale: gears with their teeth, bodies, joints, springs and dampers; return the figure.

    Names are next to the views, with leader lines.

    Parameters
    ----------
    model
        A `Model`, or the data of its `describe()`, such as `result.model`. Gears on parallel axes are seen along and
        across their axes; others in the plane that shows most, and from a corner.
    path, title, width
        File to save the picture to (.png, .svg, .pdf); heading, by default the name of the model, "" for none; width
        [inches].
    """
    if not isinstance(model, Mapping) and not hasattr(model, "describe"):
        raise PitchlineError(f"scheme: expected a Model, or the data of its describe(), got {shown(model)}")
    said = model if isinstance(model, Mapping) else model.describe()
    scene = read_scene(dict(said))
    if not scene.centres and not scene.wheels and not scene.members:
        raise PitchlineError(f'schematic of "{scene.name}": the model has no bodies to draw')
    import matplotlib.style

    from pitchline.views.picture import Picture, check_path, save

    target = None if path is None else check_path(path)
    heading = scene.name if title is None else title
    plan = arrange(scene)
    boxes = [_box(scene, view) for view in plan.views]
    with matplotlib.style.context(["default", style.RC]):
        names = labels_of(scene, plan.views)
        columns = [
            [_column(side) for side in split_sides(n, 0.5 * (b[0] + b[1]))] for n, b in zip(names, boxes, strict=True)
        ]
        rows = [max(map(len, split_sides(n, 0.5 * (b[0] + b[1])))) for n, b in zip(names, boxes, strict=True)]
        least = [count * LINE / 72.0 for count in rows]
        scale, places, height = _layout(boxes, columns, least, plan, width, 0.3 if heading else 0.0)
        figure = Picture(figsize=(width, height))
        kinds: dict[str, Any] = {}
        for number, (view, box, place) in enumerate(zip(plan.views, boxes, places, strict=True)):
            ax = figure.add_axes((place[0] / width, place[1] / height, place[2] / width, place[3] / height))
            ax.set(xlim=(box[0], box[1]), ylim=(box[2], box[3]))
            ax.set_aspect("equal")
            ax.axis("off")
            panel = Panel(ax, view, scene, 72.0 * scale, names[number])
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
        plain_texts(figure)
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


def _column(labels: Sequence[Label]) -> float:
    """Width of a column of labels next to a view [inches]."""
    return max(text_width(labels) / 72.0 + 0.2, 0.3)


def _layout(
    boxes: list[tuple[float, float, float, float]],
    columns: list[list[float]],
    least: list[float],
    plan: Arrangement,
    width: float,
    head: float,
) -> tuple[float, list[tuple[float, float, float, float]], float]:
    """Inches per metre, places (left, bottom, width, height) in inches of the views, and the height of the figure.

    columns: widths at the left and the right of each view, least: heights that the labels of each view need [inches].
    """
    wide = [box[1] - box[0] for box in boxes]
    high = [box[3] - box[2] for box in boxes]
    n = len(boxes)
    if plan.below and n == 2:
        left, right = (max(pair[side] for pair in columns) for side in (0, 1))
        scale = min((width - left - right) / max(wide), (_TALLEST - 2 * _BELOW - _MARGIN - _LEGEND) / sum(high))
        slots = [max(scale * h, need) for h, need in zip(high, least, strict=True)]
        height = sum(slots) + 2 * _BELOW + _MARGIN + _LEGEND + head
        start = left + 0.5 * (width - left - right - scale * wide[0])
        low = _LEGEND + _BELOW + 0.5 * (slots[1] - scale * high[1])
        second = (start + scale * (boxes[1][0] - boxes[0][0]), low, scale * wide[1], scale * high[1])
        top = _LEGEND + 2 * _BELOW + slots[1] + 0.5 * (slots[0] - scale * high[0])
        return scale, [(start, top, scale * wide[0], scale * high[0]), second], height
    room = width - sum(map(sum, columns))
    scale = min(room / sum(wide), (_TALLEST - _BELOW - _MARGIN - _LEGEND - head) / max(high))
    tall = max(scale * max(high), *least)
    height = max(tall + _BELOW + _MARGIN + _LEGEND + head, 1.8)
    spare = (room - scale * sum(wide)) / (n + 1)
    places, left = [], 0.0
    middle = _LEGEND + _BELOW + 0.5 * (height - _LEGEND - _BELOW - _MARGIN - head)
    for k in range(n):
        left += spare + columns[k][0]
        places.append((left, middle - 0.5 * scale * high[k], scale * wide[k], scale * high[k]))
        left += scale * wide[k] + columns[k][1]
    return scale, places, height
