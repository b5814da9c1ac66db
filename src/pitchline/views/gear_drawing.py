"""Drawing of a gear: its transverse section with the circles, and next to it, at the same scale, its axial section."""

from __future__ import annotations

import contextlib
import math
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import ModelError, PitchlineError
from pitchline.gears import Gear
from pitchline.gears.teeth import BevelTeeth, Teeth, outline
from pitchline.gears.words import gear_lines
from pitchline.views import style
from pitchline.views.plain_texts import plain_texts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MM = 1e3
_GREY, _EDGE, _FILL = "#6E6E6E", "#1A1A1A", "#E6EEF4"
_TEETH = "#F7F9FB"
_DASHES = {
    "tip": "none", "reference": (0, (8, 2, 2, 2)), "base": (0, (4, 2)), "root": (0, (1, 1.5)), "rim": (0, (3, 2)),
    "hub": (0, (3, 2)), "bore": "none",
}  # fmt: skip
_COLOURS = {"base": style.COLOURS[0], "rim": style.COLOURS[1], "hub": style.COLOURS[2]}
_PANEL = 4.5
"""Inches of a usual left panel."""
_PLAIN_WIDTH = 0.35
"""Width of the axial section over the outer diameter where the gear has no face width."""
_LETTERS = 108
"""Data in a line of text below the drawing."""

Points = list[tuple[float, float]]


@names_wrong_arguments
def plot_gear(
    gear: Gear, *, path: str | Path | None = None, title: str | None = None, width: float = style.WIDTH
) -> Figure:
    """Draw the transverse section of a gear in the middle of the face, and its axial section, at the same scale.

    path: file to save the picture to (.png, .svg, .pdf). title: heading, "" for none. width: [inches].
    """
    import matplotlib.style

    from pitchline.views.picture import Picture, check_path, save

    if not isinstance(gear, Gear):
        raise PitchlineError(f"plot_gear: expected a Gear, got {type(gear).__name__}")
    target = None if path is None else check_path(path)
    first, *others = gear_lines(gear)
    heading = first if title is None else title
    lines = [part for text in others for part in textwrap.wrap(text, _LETTERS, subsequent_indent="    ")]
    outside = _MM * _outside(gear)
    half = 0.5 * _MM * _axial_width(gear)
    with matplotlib.style.context(["default", style.RC]):
        span = 2.12 * outside
        ratio = max((2.0 * half + 0.24 * outside) / span, 0.14)
        panel = (width - 1.7) / (1.0 + ratio)
        height = panel + 1.05 + 0.17 * len(lines) + (0.3 if heading else 0.0)
        figure = Picture(figsize=(width, height), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True, width_ratios=[1.0, ratio])
        for ax, x in ((left, 0.5 * span), (right, 0.5 * ratio * span)):
            ax.set(xlim=(-x, x), ylim=(-0.5 * span, 0.5 * span), aspect="equal")
            ax.grid(False)
        _draw_transverse(left, gear)
        _draw_axial(right, gear)
        left.set(xlabel="x (mm)", ylabel="y (mm)")
        right.set(xlabel="z (mm)")
        left.legend(loc="upper center", bbox_to_anchor=(0.5, -0.11 * _PANEL / panel), ncols=3, columnspacing=1.4)
        if lines:
            figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=7.5)
        if heading:
            figure.suptitle(heading, x=0.01, ha="left", fontsize=9.5, fontweight="bold")
        plain_texts(figure)
        if target is not None:
            save(figure, target, heading or "gear")
    return figure


# ------------------------------------------------------------------------------------------------- transverse section


def _draw_transverse(ax: Axes, gear: Gear) -> None:
    edge = _tooth_outline(gear)
    hole = _circle(0.5 * gear.bore) if gear.bore else None
    if gear.internal:
        rim = _circle(_outside(gear))
        _fill(ax, [rim, edge[::-1]])
    else:
        _fill(ax, [edge] if hole is None else [edge, hole[::-1]])
    for name, radius in _circles(gear).items():
        label = f"{name} ⌀ {2.0 * _MM * radius:.5g} mm"
        ax.plot(
            *(_MM * _circle(radius)).T,
            color=_COLOURS.get(name, _GREY),
            linewidth=0.7,
            linestyle=_DASHES[name],
            label=label,
        )
    reach = 1.05 * _MM * _outside(gear)
    for line in (([-reach, reach], [0.0, 0.0]), ([0.0, 0.0], [-reach, reach])):
        ax.plot(*line, color=_GREY, linewidth=0.5, linestyle=(0, (12, 2, 2, 2)), zorder=3)


def _tooth_outline(gear: Gear) -> np.ndarray:
    """(n, 2) [m]; the tip circle where the teeth have no surfaces here."""
    gear = gear.with_(flanks=None)  # the outline shows the nominal teeth
    try:
        if not gear.cone_angle:
            return outline(Teeth(gear), points=_points(gear))
        teeth = BevelTeeth(gear)
        pieces = teeth.section(gear.mean_cone_distance, points=_points(gear)).values()
    except ModelError:
        return _circle(0.5 * gear.tip_diameter)
    one = np.concatenate([piece[:-1, :2] for piece in pieces])
    turns = np.exp(1j * gear.angular_pitch * np.arange(gear.teeth))
    P = (turns[:, None] * (one[:, 0] + 1j * one[:, 1])).ravel()
    return np.stack([P.real, P.imag], axis=-1)


def _points(gear: Gear) -> int:
    """Along an involute: more of few teeth, which are large."""
    return max(12, 600 // gear.teeth)


def _circles(gear: Gear) -> dict[str, float]:
    """Radii [m] by name; tip and bore have no line but a place in the legend."""
    found = {"tip": 0.5 * gear.tip_diameter, "reference": 0.5 * gear.reference_diameter}
    with contextlib.suppress(ModelError):  # bevels and helical conical gears have none, or two
        found["base"] = 0.5 * gear.base_diameter
    found["root"] = 0.5 * gear.root_diameter
    if gear.body.has_web:
        found["rim"] = 0.5 * gear.inside_of_rim
        if gear.body.hub_diameter:
            found["hub"] = 0.5 * gear.body.hub_diameter
    return found | ({"bore": 0.5 * gear.bore} if gear.bore else {})


def _circle(radius: float) -> np.ndarray:
    turn = np.linspace(0.0, 2.0 * math.pi, 361)
    return radius * np.stack([np.cos(turn), np.sin(turn)], axis=-1)


def _fill(ax: Axes, loops: list[np.ndarray], colour: str = _FILL, hatch: str | None = None) -> None:
    """An area with holes."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Curve

    curve = Curve.make_compound_path(*(Curve(_MM * np.concatenate([loop, loop[:1]]), closed=True) for loop in loops))
    ax.add_patch(PathPatch(curve, facecolor=colour, edgecolor=_EDGE, linewidth=0.8, hatch=hatch, zorder=2))


# ------------------------------------------------------------------------------------------------------ axial section


def _draw_axial(ax: Axes, gear: Gear) -> None:
    """Teeth plain, the body below them hatched, above and below the axis."""
    import matplotlib

    with matplotlib.rc_context({"hatch.linewidth": 0.4, "hatch.color": _GREY}):
        for side in (1.0, -1.0):
            for points, colour, hatch in ((_body_section(gear), _FILL, "////"), (_tooth_section(gear), _TEETH, None)):
                _fill(ax, [np.array(points) * np.array([1.0, side])], colour, hatch)
    (z0, r0), (z1, r1) = _ends(gear, 0.0)
    for side in (1.0, -1.0):
        ax.plot([_MM * z0, _MM * z1], [_MM * side * r0, _MM * side * r1], color=_GREY, linewidth=0.6,
                linestyle=_DASHES["reference"], zorder=3)  # fmt: skip
    reach = 0.5 * _MM * _axial_width(gear) + 0.06 * _MM * _outside(gear)
    ax.plot([-reach, reach], [0.0, 0.0], color=_GREY, linewidth=0.5, linestyle=(0, (12, 2, 2, 2)), zorder=3)


def _ends(gear: Gear, height: float) -> Points:
    """(z, r) [m] at both ends of the teeth, so high above the pitch surface, up the teeth; of conical gears its cone."""
    b = _face(gear)
    r = 0.5 * gear.reference_diameter
    if not gear.cone_angle:
        slope = math.tan(gear.profile_shift_angle)
        return [(z, r + gear.sense * height + slope * z) for z in (-0.5 * b, 0.5 * b)]
    c, s = math.cos(gear.cone_angle), math.sin(gear.cone_angle)
    R = gear.mean_cone_distance
    found = []
    for t in (-0.5 * b, 0.5 * b):
        scale = height * (1.0 + math.copysign(1.0, gear.cone_angle) * t / R)  # teeth taper towards the apex
        found.append((t * c - scale * s, r + t * s + scale * c))
    return found


def _tooth_section(gear: Gear) -> Points:
    return [*_ends(gear, gear.addendum), *_ends(gear, -gear.dedendum)[::-1]]


def _body_section(gear: Gear) -> Points:
    """(z, r) [m] of the body, from the root to the bore (to the outside of a ring)."""
    low, high = _ends(gear, -gear.dedendum)
    if gear.internal:
        far = _outside(gear)
        return [low, high, (high[0], far), (low[0], far)]
    bore, body = 0.5 * gear.bore, gear.body
    if body.web_thickness is None:
        if gear.cone_angle:
            lowest = min(low[0], high[0])
            return [low, high, (max(low[0], high[0]), bore), (lowest, bore)]
        return [low, high, (high[0], bore), (low[0], bore)]
    rim, web = 0.5 * gear.inside_of_rim, 0.5 * body.web_thickness
    hub = 0.5 * (body.hub_diameter or 0.0)
    right: Points = [(high[0], rim), (web, rim)]
    right += [(web, hub), (high[0], hub), (high[0], bore)] if hub > bore else [(web, bore)]
    return [low, high, *right, *((-z, r) for z, r in right[::-1])]


# -------------------------------------------------------------------------------------------------------------- sizes


def _face(gear: Gear) -> float:
    return gear.face_width if gear.face_width is not None else _PLAIN_WIDTH * gear.tip_diameter


def _axial_width(gear: Gear) -> float:
    """[m] of the axial section, about the middle of the face."""
    points = [*_tooth_section(gear), *_body_section(gear)]
    return 2.0 * max(abs(z) for z, _ in points)


def _outside(gear: Gear) -> float:
    """The largest radius [m] that is drawn."""
    if gear.internal:
        return 0.5 * (gear.rim_diameter or gear.root_diameter + 6.0 * gear.normal_module)
    return max(r for _, r in _ends(gear, gear.addendum))
