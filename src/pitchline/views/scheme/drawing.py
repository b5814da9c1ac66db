"""Views of a schematic on their axes, and `plot_scheme`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError, shown, unknown_part

from .. import style
from ..style import plain_texts
from . import scene as outlines
from . import symbols
from .scene import Arrangement, JointMark, Link, Member, Projection, Round, Scene, arrange, read_scene
from .symbols import FONT, LINE, Label, place_columns, split_sides, text_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["labels_of", "wheel_text"]


# ---- axes and scale

# Where one is in a view: the world axes and a length to measure by.

_SOFT = "#8a8f96"

#: Inches from the lower left corner of the view: the origin of the arrows, the height of the bar.
_ORIGIN, _BAR, _START = (-0.1, -0.34), -0.34, 0.35


def triad(ax: Axes, view: Projection) -> None:
    """Small arrows of the world axes, at the lower left."""
    base = _inches(ax)
    origin = np.array(_ORIGIN)
    arrow = {
        "arrowstyle": "-|>",
        "color": _SOFT,
        "linewidth": 0.7,
        "shrinkA": 0.0,
        "shrinkB": 0.0,
        "mutation_scale": 6.0,
    }
    for axis, name in zip(np.eye(3), "xyz", strict=True):
        flat = view.flat(axis)
        if np.hypot(*flat) < 0.15:
            continue
        end, (x, y) = origin + 0.2 * flat, origin + 0.28 * flat
        places: dict[str, Any] = {"xycoords": base, "textcoords": base, "annotation_clip": False, "arrowprops": arrow}
        ax.annotate("", xy=tuple(end), xytext=_ORIGIN, **places)
        ax.text(x, y, name, transform=base, fontsize=6.5, color=_SOFT, ha="center", va="center", clip_on=False)


def scale_bar(ax: Axes, points: float) -> None:
    """A round length, below at the left; points: of the paper a metre."""
    left, right = ax.get_xlim()
    wanted = 0.22 * (right - left)
    power = 10.0 ** math.floor(math.log10(wanted))
    length = max(step * power for step in (1.0, 2.0, 5.0) if step * power <= wanted * 1.0000001)
    inches = length * points / 72.0
    base = _inches(ax)
    ax.plot(
        [_START, _START + inches],
        [_BAR, _BAR],
        transform=base,
        color=_SOFT,
        linewidth=1.4,
        clip_on=False,
        solid_capstyle="butt",
    )
    words = f"{1e3 * length:g} mm" if length < 1.0 else f"{length:g} m"
    ax.text(_START + inches + 0.05, _BAR, words, transform=base, fontsize=6.5, color=_SOFT, va="center", clip_on=False)


def _inches(ax: Axes) -> Any:
    """Inches from the lower left corner of the axes."""
    from matplotlib.transforms import ScaledTranslation

    figure: Any = ax.figure
    corner: Any = ax.transAxes
    return figure.dpi_scale_trans + ScaledTranslation(0.0, 0.0, corner)


# ---- names

# Which view names what, and where the leader line of a name ends.

_MOST = 40
"""Names in a view; the others are left out."""
_UP = math.radians(25.0)
"""Height at which a leader line ends on a wheel that is seen along its axis."""


def wheel_text(wheel: Round) -> str:
    """Name and number of teeth."""
    return f"{wheel.name}, z = {wheel.gear['teeth']}" if wheel.gear else wheel.name


def labels_of(scene: Scene, views: Sequence[Projection]) -> list[list[Label]]:
    """Labels of every view. Wheels are named in the first view, others in the view with the largest distance to other names."""
    found: list[list[Label]] = [[] for _ in views]
    for wheel in scene.wheels:
        found[0].append(_wheel(wheel, views[0]))
    with_wheels = {wheel.body for wheel in scene.wheels}
    others: list[Callable[[Projection], Label]] = [lambda view, m=m: _member(m, view) for m in scene.members]  # type: ignore[misc]
    others += [
        lambda view, n=name, c=centre: _point(n, view.flat(c))  # type: ignore[misc]
        for name, centre in scene.centres.items()
        if name not in with_wheels
    ]
    every = [[make(view) for make in others] for view in views]
    for k in range(len(others)):
        apart = [_apart(k, labels, found[0] if n == 0 else []) for n, labels in enumerate(every)]
        best = max(range(len(views)), key=lambda n: (round(apart[n] / max(max(apart), 1e-12), 2), -n))
        found[best].append(every[best][k])
    return [_once(labels)[:_MOST] for labels in found]


def _once(labels: Sequence[Label]) -> list[Label]:
    """Labels without repetitions of the same text at the same place."""
    seen, kept = set(), []
    for label in labels:
        key = (label.text, *(round(x, 9) for x in (*label.from_left, *label.from_right)))
        if key not in seen:
            seen.add(key)
            kept.append(label)
    return kept


def _apart(k: int, labels: Sequence[Label], wheels: Sequence[Label]) -> float:
    """Distance to the nearest other name [m]."""
    x, y = labels[k].from_left
    others = [label.from_left for n, label in enumerate(labels) if n != k]
    others += [((w.from_left[0] + w.from_right[0]) / 2, (w.from_left[1] + w.from_right[1]) / 2) for w in wheels]
    return min((math.hypot(x - a, y - b) for a, b in others), default=math.inf if not wheels else 0.0)


def _point(text: str, flat: FloatArray) -> Label:
    at = (float(flat[0]), float(flat[1]))
    return Label(text, at, at)


def _member(member: Member, view: Projection) -> Label:
    flat = view.flat(member.points)
    if not member.along:
        return _point(member.name, flat[0])
    # the middle of the longest piece: not a step, nor the place of a bearing
    lengths = np.hypot(*np.diff(flat, axis=0).T) if len(flat) > 1 else np.zeros(0)
    k = int(np.argmax(lengths)) if len(lengths) else 0
    return _point(member.name, 0.5 * (flat[k] + flat[min(k + 1, len(flat) - 1)]))


def _wheel(wheel: Round, view: Projection) -> Label:
    """On its rim, towards the label."""
    centre, text = view.flat(wheel.centre), wheel_text(wheel)
    if wheel.is_rack:
        profile = view.flat(wheel.centre + outlines.rack_profile(wheel) @ wheel.axes.T)
        (left, low), (right, high) = profile.min(axis=0), profile.max(axis=0)
        y, edge = float(0.5 * (low + high)), 0.03 * (right - left)
        return Label(text, (float(left + edge), y), (float(right - edge), y))
    if abs(float(wheel.axis @ view.towards)) > 0.985:
        tip, root = outlines.tip_and_root(wheel)
        r = 0.5 * (tip + outlines.rim(wheel)) if wheel.internal else 0.86 * root
        d = r * np.array([math.cos(_UP), math.sin(_UP)])
        return Label(
            text, (float(centre[0] - d[0]), float(centre[1] + d[1])), (float(centre[0] + d[0]), float(centre[1] + d[1]))
        )
    tip, _ = outlines.tip_and_root(wheel)
    reach = outlines.rim(wheel) if wheel.internal else tip
    outline = outlines.hull(view.flat(np.vstack(outlines.end_circles(wheel, reach))))
    middle = 0.5 * (outline.min(axis=0) + outline.max(axis=0))
    ends = [outline[int(np.argmin(outline[:, 0]))], outline[int(np.argmax(outline[:, 0]))]]
    left, right = (middle + 0.85 * (end - middle) for end in ends)
    return Label(text, (float(left[0]), float(left[1])), (float(right[0]), float(right[1])))


_INK, _SOFT_panel, _BODY, _LEADER = "#000000", "#8a8f96", "#a9b0b8", "#5a6068"

#: Points of the paper that a tooth needs to be drawn as one.
_LEAST_MODULE = 1.1

#: Loads that are drawn between two points, and their words in the legend.
_LINKS = {"Bushing": "bushing", "Spring": "spring", "TorsionSpring": "torsional spring"}
_LINK = style.COLOURS[1]


class Panel:
    """Draws a scene in one view; `points` is points of the paper a metre, `kinds` what the legend has to explain."""

    def __init__(self, ax: Axes, view: Projection, scene: Scene, points: float, labels: Sequence[Label]) -> None:
        self.ax, self.view, self.scene, self.points, self.labels = ax, view, scene, points, labels
        self.kinds: dict[str, Any] = {}

    def draw(self) -> None:
        """Bodies behind, wheels from far to near, then springs and joints, then names."""
        for wheel in sorted(self.scene.wheels, key=self._nearness):
            self._wheel(wheel)
        self._members()
        self._bodies()
        for link in self.scene.links:
            self._link(link)
        for joint in self.scene.joints:
            self._joint(joint)
        self._names()

    # --- wheels --------------------------------------------------------------------------------------

    def _nearness(self, wheel: Round) -> float:
        # rings first: what runs inside them must show
        return float(wheel.centre @ self.view.towards) - (1e6 * wheel.radius if wheel.internal else 0.0)

    def _wheel(self, wheel: Round) -> None:
        colour = style.COLOURS[wheel.look % (len(style.COLOURS) - 1)]
        if wheel.is_rack:
            self._rack(wheel, colour)
            return
        facing = abs(float(wheel.axis @ self.view.towards))
        if facing > 0.985:
            self._face(wheel, colour)
        else:
            self._turned(wheel, colour, edge_on=facing < 0.02)

    def _face(self, wheel: Round, colour: str) -> None:
        """Seen along its axis: teeth, pitch circle, bore."""
        from matplotlib.patches import PathPatch

        tip, _ = outlines.tip_and_root(wheel)
        if self._teeth_show(wheel):
            local = outlines.teeth_outline(wheel)
        else:
            turn = np.linspace(0.0, 2.0 * np.pi, 181)
            local = tip * np.column_stack([np.cos(turn), np.sin(turn)])
        loops = [self._flat(wheel, local)]
        if wheel.internal:
            loops.insert(0, self._circle(wheel, outlines.rim(wheel)))
        elif wheel.gear.get("bore"):
            loops.append(self._circle(wheel, 0.5 * wheel.gear["bore"])[::-1])
        if len(loops) > 1:
            loops[1] = loops[1] if _area(loops[0]) * _area(loops[1]) < 0.0 else loops[1][::-1]
        self.ax.add_patch(PathPatch(_path(loops), facecolor=_tint(colour), edgecolor=colour, linewidth=0.8))
        self.ax.plot(*self._circle(wheel, wheel.radius).T, color=colour, linewidth=0.5, linestyle=(0, (8, 2, 1.5, 2)))

    def _turned(self, wheel: Round, colour: str, *, edge_on: bool) -> None:
        """Seen from the side or askew: outline, near edge, crests of the teeth, axis."""
        from matplotlib.patches import Polygon

        tip, _ = outlines.tip_and_root(wheel)
        reach = outlines.rim(wheel) if wheel.internal else tip
        back, front = outlines.end_circles(wheel, reach)
        outline = outlines.hull(self.view.flat(np.vstack([back, front])))
        self.ax.add_patch(
            Polygon(
                outline,
                closed=True,
                facecolor=_tint(colour, 0.10 if wheel.internal else 0.16),
                edgecolor=colour,
                linewidth=0.8,
            )
        )
        lines = outlines.tooth_lines(wheel, self.view)
        # lines closer than two points would run together
        apart = 2.0 * math.pi * tip / max(wheel.gear.get("teeth", 1), 1) * self.points
        if apart > 2.0 or wheel.gear.get("worm"):
            for line in lines:
                self.ax.plot(*line.T, color=colour, linewidth=0.4, alpha=0.8)
        if not edge_on:
            near = front if float(wheel.axis @ self.view.towards) > 0.0 else back
            self.ax.add_patch(
                Polygon(
                    self._near_face(wheel, near, tip),
                    closed=True,
                    facecolor=_tint(colour, 0.10),
                    edgecolor=colour,
                    linewidth=0.6,
                )
            )
            if wheel.internal:
                inner = outlines.end_circles(wheel, tip)[0 if near is back else 1]
                self.ax.plot(*self.view.flat(inner).T, color=colour, linewidth=0.6)
        along = self.view.flat(wheel.axis)
        length = float(np.hypot(*along))
        if length > 0.3 and not wheel.internal:
            half = 0.5 * outlines.face_width(wheel) + 6.0 / self.points
            centre = self.view.flat(wheel.centre)
            ends = np.stack([centre - half * along, centre + half * along])
            self.ax.plot(*ends.T, color=_SOFT_panel, linewidth=0.6, linestyle=(0, (8, 2, 1.5, 2)))

    def _near_face(self, wheel: Round, edge: FloatArray, tip: float) -> FloatArray:
        """The end of a wheel that faces the viewer: its teeth where they are large enough, else its circle."""
        if not self._teeth_show(wheel) or wheel.internal:
            return self.view.flat(edge)
        centre = edge[:-1].mean(axis=0)
        reach = float(np.linalg.norm(edge[0] - centre))
        local = outlines.teeth_outline(wheel) * (reach / tip)
        return self.view.flat(centre + local @ wheel.axes[:, :2].T)

    def _teeth_show(self, wheel: Round) -> bool:
        return (
            bool(wheel.gear)
            and wheel.gear["normal_module"] * self.points > _LEAST_MODULE
            and not wheel.gear.get("worm")
        )

    def _rack(self, wheel: Round, colour: str) -> None:
        from matplotlib.patches import Polygon

        profile = outlines.rack_profile(wheel)
        b = outlines.face_width(wheel)
        ends = [wheel.centre + (profile + np.array([0.0, 0.0, s * b])) @ wheel.axes.T for s in (-0.5, 0.5)]
        flat = self.view.flat(ends[1] if float(wheel.axis @ self.view.towards) > 0.0 else ends[0])
        if abs(float(wheel.axis @ self.view.towards)) < 0.985:
            box = outlines.hull(self.view.flat(np.vstack(ends)))
            self.ax.add_patch(Polygon(box, closed=True, facecolor=_tint(colour), edgecolor=colour, linewidth=0.8))
        self.ax.add_patch(Polygon(flat, closed=True, facecolor=_tint(colour), edgecolor=colour, linewidth=0.8))

    # --- bodies, springs, joints ---------------------------------------------------------------------

    def _bodies(self) -> None:
        """A body is the lines from its centre of mass to where others take hold of it; a dot where it has no wheel."""
        with_wheels = {wheel.body for wheel in self.scene.wheels}
        for name, centre in self.scene.centres.items():
            middle = self.view.flat(centre)
            for hold in self.scene.holds.get(name, []):
                end = self.view.flat(hold)
                if np.hypot(*(end - middle)) * self.points > 2.0:
                    self.ax.plot(
                        *np.stack([middle, end]).T,
                        color=_BODY,
                        linewidth=2.6,
                        alpha=0.75,
                        solid_capstyle="round",
                        zorder=2.5,
                    )
            if name not in with_wheels:
                self.ax.plot(
                    *middle,
                    "o",
                    color=_BODY,
                    markersize=5.5,
                    markeredgecolor=_INK,
                    markeredgewidth=0.6,
                    zorder=3,
                    clip_on=False,
                )

    def _members(self) -> None:
        """Shafts with their outline, beams and flexible bodies as lines."""
        for member in self.scene.members:
            for loop in member.outline(self.view):
                self.ax.fill(*loop.T, facecolor=_tint(_BODY, 0.55), edgecolor=_SOFT_panel, linewidth=0.7, zorder=2.4)
            for line in member.lines(self.view):
                self.ax.plot(*line.T, color=_BODY, linewidth=2.6, solid_capstyle="round", zorder=2.5)

    def _link(self, link: Link) -> None:
        start, end = self.view.flat(link.start), self.view.flat(link.end)
        if link.kind == "Element":
            self._element(start, end, link.grounded, link.word)
            return
        if link.kind not in _LINKS:
            raise unknown_part("load", link.name, "the schematic", kind=link.kind)
        if (
            np.hypot(*(end - start)) * self.points <= 14.0
        ):  # no length to show it along: a short one, upright, below its point
            start = 0.5 * (start + end)
            end = start - np.array([0.0, 15.0 / self.points])
        along = end - start
        across = np.array([-along[1], along[0]]) / float(np.hypot(*along))
        apart = 4.5 / self.points * across if link.stiff and link.damped else np.zeros(2)
        if link.stiff:
            coils = 6 if np.hypot(*along) * self.points > 20.0 else 3
            zigzag = symbols.spring(start - apart, end - apart, coils=coils, width=6.5 / self.points)
            self._symbol(_LINKS[link.kind], [zigzag])
        if link.damped:
            self._symbol("damper", symbols.dashpot(start + apart, end + apart, width=6.5 / self.points))
        if link.stiff and link.damped:
            for at in (start, end):
                self.ax.plot(
                    *np.stack([at - apart, at + apart]).T, color=_LINK, linewidth=0.9, zorder=3.5, clip_on=False
                )
        if link.grounded:
            self._ground(end)

    def _symbol(self, word: str, lines: Sequence[FloatArray]) -> None:
        """Lines of a spring or a damper, and its entry in the legend."""
        from matplotlib.lines import Line2D

        look: dict[str, Any] = {"color": _LINK, "linewidth": 0.9}
        for line in lines:
            self.ax.plot(*line.T, zorder=3.5, clip_on=False, gid=word, **look)
        mark = symbols.legend_mark(word)
        shown = Line2D(
            [], [], linestyle="", marker=mark, markersize=11.0, markeredgecolor=_LINK, markerfacecolor="none"
        )
        self.kinds.setdefault(word, shown)

    def _element(self, start: FloatArray, end: FloatArray, grounded: bool, word: str) -> None:
        """A box in the middle of a dashed line between its ends; around the point of an element on one body."""
        middle = 0.5 * (start + end)
        look: dict[str, Any] = {
            "color": style.COLOURS[1],
            "linewidth": 0.9,
            "linestyle": (0, (3, 2)),
            "markeredgewidth": 0.9,
        }
        alone = np.array_equal(start, end)
        size, inside = (9.0, "none") if alone else (6.0, "#ffffff")
        box: dict[str, Any] = {"marker": "s", "markersize": size, "markerfacecolor": inside}
        if grounded:
            self._ground(end)
        self.ax.plot(*np.stack([start, end]).T, zorder=3.4, clip_on=False, **look)
        line = self.ax.plot(*middle, zorder=4.5, clip_on=False, **look, **box)[0]
        self.kinds.setdefault(word, line)

    def _joint(self, joint: JointMark) -> None:
        if joint.kind in ("plane_on_plane", "parallel_axes"):
            return  # they compare faces and directions; marks of them would say nothing
        from matplotlib.lines import Line2D

        point = self.view.flat(joint.point)
        along = self.view.flat(joint.axis)
        angle = None if np.hypot(*along) < 0.2 else math.atan2(along[1], along[0])
        mark, size = symbols.marker(joint.kind, angle)
        solid = symbols.filled(joint.kind)
        look: dict[str, Any] = {
            "linestyle": "", "markeredgecolor": _INK, "markerfacecolor": _INK if solid else "#ffffff", "markeredgewidth": 0.9,
        }  # fmt: skip
        if joint.grounded:
            self._ground(point)
        self.ax.plot(*point, marker=mark, markersize=size, zorder=4, clip_on=False, **look)
        if joint.driven:
            ring: dict[str, Any] = {
                "linestyle": "",
                "marker": "o",
                "markerfacecolor": "none",
                "markeredgecolor": style.COLOURS[2],
                "markeredgewidth": 1.2,
            }
            self.ax.plot(*point, markersize=12.0, zorder=4, clip_on=False, **ring)
            self.kinds.setdefault("driven", Line2D([], [], markersize=9.0, **ring))
        shown = symbols.marker(joint.kind, None)
        self.kinds.setdefault(
            symbols.word(joint.name, joint.kind), Line2D([], [], marker=shown[0], markersize=shown[1], **look)
        )

    def _ground(self, point: FloatArray) -> None:
        from matplotlib.lines import Line2D

        look: dict[str, Any] = {
            "linestyle": "",
            "marker": symbols.ground(),
            "markeredgecolor": _INK,
            "markeredgewidth": 0.7,
            "markersize": 13.0,
        }
        self.ax.plot(*point, zorder=3.8, clip_on=False, **look)
        self.kinds.setdefault("fixed to the ground", Line2D([], [], **look))

    # --- names ---------------------------------------------------------------------------------------

    def _names(self) -> None:
        """Names in columns at the left and the right of the view, with leader lines."""
        from matplotlib.patheffects import withStroke

        left, right = self.ax.get_xlim()
        bottom, top = self.ax.get_ylim()
        gap = 9.0 / self.points
        for placed in place_columns(self.labels, (left, right, bottom, top), self.points):
            x, y = (right + gap if placed.right else left - gap), placed.height / self.points
            rim = [withStroke(linewidth=1.4, foreground="#ffffff", alpha=0.9)]
            self.ax.plot(
                [x - (0.25 if placed.right else -0.25) * gap, placed.anchor[0]], [y, placed.anchor[1]], color=_LEADER,
                linewidth=0.5, zorder=5, clip_on=False, path_effects=rim, gid="leader",
            )  # fmt: skip
            self.ax.plot(*placed.anchor, "o", color=_LEADER, markersize=1.8, zorder=5.1, clip_on=False)
            self.ax.text(
                x, y, placed.label.short, ha="left" if placed.right else "right", va="center", fontsize=FONT, color=_INK,
                zorder=6, clip_on=False, parse_math=False, gid="label",
            )  # fmt: skip

    # --- inside ----------------------------------------------------------------------------------------

    def _flat(self, wheel: Round, local: FloatArray) -> FloatArray:
        return self.view.flat(wheel.centre + local @ wheel.axes[:, :2].T)

    def _circle(self, wheel: Round, radius: float) -> FloatArray:
        turn = np.linspace(0.0, 2.0 * np.pi, 181)
        return self._flat(wheel, radius * np.column_stack([np.cos(turn), np.sin(turn)]))


def _tint(colour: str, alpha: float = 0.16) -> tuple[float, float, float, float]:
    from matplotlib.colors import to_rgba

    return to_rgba(colour, alpha)


def _area(loop: FloatArray) -> float:
    x, y = loop.T
    return float(0.5 * np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))


def _path(loops: list[FloatArray]) -> Any:
    from matplotlib.path import Path

    return Path.make_compound_path(*(Path(loop, closed=True) for loop in loops))


# ---- drawing

# plot_scheme: the schematic of a model, drawn to scale in one view or two.

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

    from ..picture import Picture, check_path, save

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
    from .scene import end_circles, rack_profile, rim, tip_and_root

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
