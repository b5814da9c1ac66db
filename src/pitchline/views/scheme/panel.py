"""One view of a schematic on its axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.errors import unknown_part
from pitchline.views import style
from pitchline.views.scheme import outlines, symbols
from pitchline.views.scheme.label_placement import FONT, Label, place_columns
from pitchline.views.scheme.scene import JointMark, Link, Round, Scene
from pitchline.views.scheme.view import Projection

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

_INK, _SOFT, _BODY, _LEADER = "#000000", "#8a8f96", "#a9b0b8", "#5a6068"

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
            self.ax.plot(*ends.T, color=_SOFT, linewidth=0.6, linestyle=(0, (8, 2, 1.5, 2)))

    def _near_face(self, wheel: Round, edge: Array, tip: float) -> Array:
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
                self.ax.fill(*loop.T, facecolor=_tint(_BODY, 0.55), edgecolor=_SOFT, linewidth=0.7, zorder=2.4)
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

    def _symbol(self, word: str, lines: Sequence[Array]) -> None:
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

    def _element(self, start: Array, end: Array, grounded: bool, word: str) -> None:
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

    def _ground(self, point: Array) -> None:
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

    def _flat(self, wheel: Round, local: Array) -> Array:
        return self.view.flat(wheel.centre + local @ wheel.axes[:, :2].T)

    def _circle(self, wheel: Round, radius: float) -> Array:
        turn = np.linspace(0.0, 2.0 * np.pi, 181)
        return self._flat(wheel, radius * np.column_stack([np.cos(turn), np.sin(turn)]))


def _tint(colour: str, alpha: float = 0.16) -> tuple[float, float, float, float]:
    from matplotlib.colors import to_rgba

    return to_rgba(colour, alpha)


def _area(loop: Array) -> float:
    x, y = loop.T
    return float(0.5 * np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))


def _path(loops: list[Array]) -> Any:
    from matplotlib.path import Path

    return Path.make_compound_path(*(Path(loop, closed=True) for loop in loops))
