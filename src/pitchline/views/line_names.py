"""Names at the ends of lines, outside the panel: they do not overlap and do not leave the figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pitchline.views.plain_texts import plain_texts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

Side = Literal["right", "above"]

#: Size of letters, and distance from the panel, points.
_SMALL, _AWAY = 7.0, 8.0

#: Distance between names, in heights of a line of text.
_SPACING = 1.12


@dataclass(frozen=True)
class LineName:
    """Name of a line that leaves a panel at a place: a fraction of its height (right) or of its width (above)."""

    name: str
    place: float
    colour: str


def name_lines(ax: Axes, right: Sequence[LineName] = (), above: Sequence[LineName] = ()) -> None:
    """Write names at the right of a panel and above it; call it last, when the panel is drawn.

    A name moves along the edge if another one is close, and a thin line leads to its place. If they do not
    all fit, the first ones are written.
    """
    sides: dict[Side, list[tuple[LineName, Text]]] = {
        "right": [(one, _text(ax, one, "right")) for one in right],
        "above": [(one, _text(ax, one, "above")) for one in above],
    }
    if not right and not above:
        return
    figure = ax.get_figure(root=True)
    assert figure is not None
    plain_texts(figure)
    figure.draw_without_rendering()  # lays out the panel, whose size is known only then
    for side, texts in sides.items():
        _arrange(ax, texts, side)


def names_height(names: Sequence[str]) -> float:
    """Height in inches that names above a panel take."""
    return (0.62 * _SMALL * max(map(len, names)) + _AWAY) / 72.0 if names else 0.0


def _text(ax: Axes, one: LineName, side: Side) -> Text:
    turned: dict[str, Any] = {"ha": "left", "va": "center"}
    if side == "above":
        turned = {"rotation": 90, "ha": "center", "va": "bottom"}
    return ax.text(
        *_at(one.place, side),
        one.name,
        transform=_away(ax, side),
        fontsize=_SMALL,
        color=one.colour,
        clip_on=False,
        **turned,
    )


def _at(place: float, side: Side) -> tuple[float, float]:
    return (1.0, place) if side == "right" else (place, 1.0)


def _away(ax: Axes, side: Side) -> Any:
    """Fractions of the panel, shifted a little to the outside."""
    from matplotlib.transforms import ScaledTranslation

    dx, dy = (_AWAY / 72.0, 0.0) if side == "right" else (0.0, _AWAY / 72.0)
    return ax.transAxes + ScaledTranslation(dx, dy, ax.figure.dpi_scale_trans)


def _arrange(ax: Axes, texts: list[tuple[LineName, Text]], side: Side) -> None:
    """Move the names apart, remove those that do not fit, and draw a line to each."""
    if not texts:
        return
    room = ax.bbox.height if side == "right" else ax.bbox.width
    line = _SPACING * _SMALL * 1.17 * ax.figure.dpi / 72.0 / room
    count = max(1, int(1.0 / line) + 1)
    for _, text in texts[count:]:
        text.remove()
    kept = texts[:count]
    places = apart({str(k): one.place for k, (one, _) in enumerate(kept)}, line, 0.0, 1.0)
    for k, (one, text) in enumerate(kept):
        moved = places[str(k)]
        text.set_position(_at(moved, side))
        look = {"arrowstyle": "-", "color": one.colour, "linewidth": 0.5, "shrinkA": 1.5, "shrinkB": 0.0}
        ax.annotate(
            "",
            _at(one.place, side),
            xycoords="axes fraction",
            xytext=_at(moved, side),
            textcoords=text.get_transform(),
            annotation_clip=False,
            arrowprops=look,
        )


def apart(
    places: dict[str, float], distance: float, low: float | None = None, high: float | None = None
) -> dict[str, float]:
    """Places with at least a distance between neighbours, moved as little as possible, from `low` to `high`."""
    names = sorted(places, key=lambda name: places[name])
    # least squares with order kept: groups that would collide share their mean
    groups: list[list[float]] = []  # [sum of (place - k distance), count]
    for k, name in enumerate(names):
        groups.append([places[name] - k * distance, 1.0])
        while len(groups) > 1 and groups[-2][0] / groups[-2][1] > groups[-1][0] / groups[-1][1]:
            total, count = groups.pop()
            groups[-1][0] += total
            groups[-1][1] += count
    level = [total / count for total, count in groups for _ in range(int(count))]
    if high is not None:
        level = [min(one, high - (len(names) - 1) * distance) for one in level]
    if low is not None:
        level = [max(one, low) for one in level]
    return {name: level[k] + k * distance for k, name in enumerate(names)}
