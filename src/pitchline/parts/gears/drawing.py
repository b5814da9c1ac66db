"""Pictures of gears: profile with its construction, modes, grids, contact lines, transmission error without load."""

from __future__ import annotations

import contextlib
import math
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import ModelError, PitchlineError
from pitchline.fem.charts import chart_of
from pitchline.fem.surface_loads import faces_among
from pitchline.views import style
from pitchline.views.style import axis_label, canvas, plain_texts, scaled_unit

from .geometry.gear import Gear
from .geometry.inputs import gear_lines, positive
from .geometry.rack import Rack
from .results import GearGrid, GearModes
from .teeth.bevel import BevelTeeth, outline, tooth_section
from .teeth.rigid_contact import RigidContact
from .teeth.teeth import Teeth

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pitchline.fem.sector_grid import SectorGrid
    from pitchline.fem.tooth_sector import ToothSector

__all__ = ["plot_gear_grid", "plot_gear_modes"]


# ---- gear drawing

# Drawing of a gear: its transverse section with the circles, and next to it, at the same scale, its axial section.

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


# ---- gear elements

# Pictures of the finite elements of a gear: its natural modes by nodal diameters, and its grid.


@names_wrong_arguments
def plot_gear_modes(
    found: GearModes,
    *,
    end: object = None,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 2.8,
) -> Figure:
    """Draw the natural frequencies of a gear over the number of nodal diameters.

    end: upper end of the frequency axis, such as "80 kHz"; by default the highest frequency of the analysis
    """
    limit = found.limit if end is None else positive(end, "frequency", "plot of gear modes: end")
    n, f = found.nodal_diameters, 1e-3 * found.wave_frequencies
    heading = f"{found.name}: natural frequencies, bore {found.bore}" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        ax = c.axes[0]
        for family in _families(found):
            ax.plot(*family, color=style.COLOURS[0], linewidth=0.6, alpha=0.5)
        ax.plot(n, f, "o", color=style.COLOURS[0], zorder=3)
        ax.set(xlabel="nodal diameters n", ylabel="frequency (kHz)", ylim=(0, 1e-3 * limit))
        last = int(n.max(initial=1))
        ax.set(xticks=range(0, last + 1, 2 if last > 8 else 1), xlim=(-0.4, last + 0.4))
        ax.set_title(f"{found.teeth} teeth", loc="right")
    return c.figure


def _families(found: GearModes) -> list[tuple[list[int], list[float]]]:
    """Modes of the same rank among those of their nodal diameters, rigid motions of free gears (two each for 0 and 1) counted."""
    rigid = 0 if found.bore == "fixed" else 2  # that of a rack only shifts its lines
    ranks: dict[int, tuple[list[int], list[float]]] = {}
    for k in range(int(found.nodal_diameters.max(initial=0)) + 1):
        own = 1e-3 * found.wave_frequencies[found.nodal_diameters == k]
        for rank, value in enumerate(own, start=rigid if k < 2 else 0):
            places, values = ranks.setdefault(rank, ([], []))
            places.append(k)
            values.append(float(value))
    return list(ranks.values())


@names_wrong_arguments
def plot_gear_grid(
    found: GearGrid,
    *,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 2.4,
) -> Figure:
    """Draw the front face of the grid of one sector, its tooth to the right."""
    from matplotlib.collections import PolyCollection

    polygons = 1e3 * _front(found.sector)
    heading = f"{found.name}: grid of one of {found.teeth} sectors" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        ax = c.axes[0]
        points = list(np.stack([polygons.real, polygons.imag], axis=-1))
        ax.add_collection(PolyCollection(points, facecolor="#F2F2F2", edgecolor=style.COLOURS[0], linewidth=0.25))
        ax.set_aspect("equal")
        ax.margins(0.01)
        ax.autoscale_view()
        ax.grid(False)
        rack = isinstance(found.sector.teeth.gear, Rack)
        ax.set(xlabel="above the reference line (mm)" if rack else "from the axis (mm)", ylabel="across (mm)")
        ax.set_title(f"{found.nodes:,} nodes, {found.elements:,} elements", loc="right")
    return c.figure


def _front(sector: SectorGrid | ToothSector) -> NDArray[np.complex128]:
    """(n, 4): the faces of the elements on the front face, as complex numbers, tooth 0 on the real axis [m].

    That of a bevel gear is a part of a sphere, projected to a plane.
    """
    solid, gear = sector.solid, sector.teeth.gear
    front = solid.node_sets["front face"]
    faces = faces_among(solid, front)[:, :4]
    nodes = np.asarray(solid.nodes, dtype=np.float64)
    if isinstance(gear, Rack):  # as it is, along its reference line
        flat = nodes[:, 0] + 1j * nodes[:, 1]
        return np.asarray((flat - 1j * flat[np.intersect1d(front, solid.node_sets["tip"])].imag.mean())[faces])
    P = chart_of(gear).section(nodes)[0]
    middle = P[np.intersect1d(front, solid.node_sets["tip"])].mean()
    return np.asarray((P * abs(middle) / middle)[faces])


_GREY_teeth = "#6E6E6E"
_SMALL = 7.0  # size of letters, points
_MM_teeth = 1e3


@names_wrong_arguments
def plot_profile(
    teeth: Teeth,
    *,
    at: float = 0.0,
    rack: bool = True,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
) -> Figure:
    """Draw a tooth with its neighbours in the section ζ = at [m], its circles, and the generating rack.

    rack: whether to draw the rack (the cutter of an internal gear). path: file to save the picture to (.png, .svg, .pdf).
    title: heading, "" for none. width: [inches].
    """
    gear = teeth.gear
    kind = "internal teeth" if gear.internal else "teeth"
    heading = f"{gear.teeth} {kind}, normal module {_MM_teeth * gear.normal_module:.4g} mm" if title is None else title
    half, low, high = _frame(teeth, at)
    panel_height = (width - 1.3) * (high - low) / (2.0 * half) + 0.6
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        ax = c.axes[0]
        ax.set_aspect("equal", adjustable="box")
        ax.set_xlim(-half, half)
        ax.set_ylim(low, high)
        _draw_teeth(ax, teeth, at)
        if rack:
            _draw_tool(ax, teeth, at)
        _draw_circles(ax, teeth, at)
        ax.grid(False)
        ax.set(xlabel="across the tooth (mm)", ylabel="from the axis (mm)")
        c.figure.legend(loc="outside lower center", ncols=5)
    return c.figure


def _up(section: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Tooth upwards: x of the gear up, y to the left, as seen from +z; mm."""
    return -_MM_teeth * section.imag, _MM_teeth * section.real


def _draw_teeth(ax: Axes, teeth: Teeth, z: float) -> None:
    """The middle tooth in the colours of its parts, its neighbours pale."""
    colours = {
        "root": style.COLOURS[3],
        "fillet": style.COLOURS[1],
        "involute": style.COLOURS[0],
        "tip": style.COLOURS[6],
    }
    parts = tooth_section(teeth, z, points=40)
    for turn in (-1, 1):
        for points in parts.values():
            P = (points[:, 0] + 1j * points[:, 1]) * np.exp(1j * turn * teeth.gear.angular_pitch)
            ax.plot(*_up(P), color="#9AA0A6", linewidth=1.0)
    seen = set()
    for name, points in parts.items():
        kind = name.split()[-1]
        label = None if kind in seen else kind
        seen.add(kind)
        ax.plot(*_up(points[:, 0] + 1j * points[:, 1]), color=colours[kind], linewidth=1.8, label=label, zorder=3)


def _draw_tool(ax: Axes, teeth: Teeth, z: float) -> None:
    """The rack (or the tooth of the cutter) in the space to the right of the tooth, in mid position."""
    if teeth.rack is not None:
        tool = teeth.rack
        r = tool.reference_radius
        u = np.linspace(0.0, 2.0 if tool.protuberance else 1.0, 60)
        top = 1.1 * teeth.gear.normal_module  # up to the tips of the rack spaces
        pieces = []
        for side in (-1.0, 1.0):
            curve = tool.tip_curve(u, side)
            X, Y = curve.X + z * tool.rise, curve.Y + z * tool.slant
            rise = top - float(X[-1])
            alpha = tool.transverse_pressure_angle(side)
            X, Y = np.append(X, top), np.append(Y, Y[-1] - side * rise * math.tan(alpha))
            pieces.append((X, Y))
        pitch = math.pi * tool.module / math.cos(tool.helix_angle)
        # the rack tooth in the space left of tooth 0, seen from the tooth: right flank of the next one, left of this
        (X0, Y0), (X1, Y1) = pieces
        Y = np.concatenate([Y0[::-1] + pitch, Y1]) - pitch
        X = np.concatenate([X0[::-1], X1])
        # upright over the space: turned by half a pitch, its middle at −pitch/2
        P = (r + X + 1j * (Y + 0.5 * pitch)) * np.exp(-0.5j * teeth.gear.angular_pitch)
        ax.plot(*_up(P), color=_GREY_teeth, linewidth=1.0, linestyle=(0, (5, 2)), zorder=2, label="rack")
        line = (r + 1j * np.array([-0.5, 0.5]) * pitch) * np.exp(-0.5j * teeth.gear.angular_pitch)
        ax.plot(*_up(line), color=_GREY_teeth, linewidth=0.6, linestyle=(0, (1, 2)), zorder=2)
        return
    cutter = teeth.cutter
    assert cutter is not None
    first, last = cutter.normals
    arc = cutter.centre + cutter.tip_rounding * np.exp(1j * np.linspace(first, last, 40))
    L = np.linspace(cutter.form_roll_length, 0.0, 60)
    tau = cutter.base_angle - L / cutter.base_radius
    flank = np.exp(1j * tau) * (cutter.base_radius + 1j * L)
    half = np.concatenate([[complex(cutter.tip_radius)], arc, flank])
    whole = np.concatenate([np.conj(half[::-1]), half])
    P = (cutter.centre_distance + whole) * np.exp(-0.5j * teeth.gear.angular_pitch)
    ax.plot(*_up(P), color=_GREY_teeth, linewidth=1.0, linestyle=(0, (5, 2)), zorder=2, label="cutter")


def _circles_teeth(teeth: Teeth, z: float) -> dict[str, float]:
    """Radii [m] of what is drawn."""
    flank = teeth.left
    return {
        "tip": float(abs(teeth.tip.section(0.0, z))),
        "reference": 0.5 * teeth.gear.reference_diameter,
        "form": float(flank.involute.radius(flank.form_roll_length(z))),
        "base": flank.involute.base_radius,
        "root": float(abs(flank.root.section(1.0, z))),
    }


def _frame(teeth: Teeth, z: float) -> tuple[float, float, float]:
    """Limits of the panel, half its width, bottom and top [mm]: a pitch to each side of the middle tooth."""
    radii = _circles_teeth(teeth, z)
    m = teeth.gear.normal_module
    half = 1.15 * math.pi * m / math.cos(teeth.gear.helix_angle)
    inner, outer = sorted((radii["root"], radii["tip"]))
    inner = min(inner, radii["base"]) if not teeth.gear.internal else max(radii["base"], inner - 0.8 * m)
    low = math.sqrt(max(inner**2 - (0.6 * half) ** 2, 0.25 * inner**2))
    return _MM_teeth * half, _MM_teeth * (low - 0.2 * m), _MM_teeth * (outer + 0.35 * m)


def _draw_circles(ax: Axes, teeth: Teeth, z: float) -> None:
    """Arcs across the panel, named at its right edge."""
    from pitchline.views.mode_chart import apart

    left, right = (float(x) for x in ax.get_xlim())
    low, high = (float(y) for y in ax.get_ylim())
    places = {}
    x = np.linspace(left, right, 200)
    dashes = {"reference": (0, (8, 2, 2, 2)), "base": (0, (4, 2)), "form": (0, (1, 1.5))}
    for name, radius in _circles_teeth(teeth, z).items():
        y = np.sqrt((_MM_teeth * radius) ** 2 - x**2)
        ax.plot(x, y, color=_GREY_teeth, linewidth=0.6, linestyle=dashes.get(name, "-"), zorder=1)
        if low < y[-1] < high:
            places[name] = float(y[-1])
    for name, moved in apart(places, 0.045 * (high - low)).items():
        ax.annotate(
            name, (right, places[name]), xytext=(right + 0.03 * (right - left), moved), fontsize=_SMALL, color=_GREY_teeth,
            va="center", annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": _GREY_teeth, "linewidth": 0.5, "shrinkA": 0.0, "shrinkB": 0.0},
        )  # fmt: skip


@names_wrong_arguments
def plot_transmission_error(
    *runs: RigidContact,
    labels: tuple[str, ...] = (),
    path: str | Path | None = None,
    title: str = "Transmission error without load",
    width: float = style.WIDTH,
    panel_height: float = 1.3 * style.PANEL_HEIGHT,
) -> Figure:
    """Draw transmission errors of rigid gears over the mesh cycle; return the matplotlib figure.

    labels: one for each run. path: where to save it (.png, .svg, .pdf). title: heading, "" for none. width,
    panel_height: inches.
    """
    if not runs:
        raise PitchlineError("nothing to plot: give one or more results of rigid_contact")
    if labels and len(labels) != len(runs):
        raise PitchlineError(f"transmission error: {len(runs)} curves and {len(labels)} labels; give one label a curve")
    largest = max(float(np.max(np.abs(run.transmission_error))) for run in runs)
    factor, unit = scaled_unit("m", max(largest, 1e-7))
    with canvas(path=path, title=title, width=width, panel_height=panel_height) as c:
        ax = c.axes[0]
        for k, run in enumerate(runs):
            label = labels[k] if labels else None
            ax.plot(run.phase, factor * run.transmission_error, label=label, **style.line_style(k))
        ax.set(xlabel="mesh phase (pitches)", ylabel=axis_label("transmission error", unit))
        if labels:
            c.figure.legend(loc="outside lower center", ncols=min(len(labels), 4))
    return c.figure


@names_wrong_arguments
def plot_contact_pattern(
    run: RigidContact,
    *,
    thickness: float = 6.5e-6,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 1.8 * style.PANEL_HEIGHT,
) -> Figure:
    """Draw the contact lines on the flank of gear A, where rigid flanks are closer than a thickness [m].

    Every position is one line, coloured by the gap; rings are the points that touch. path: where to save it (.png,
    .svg, .pdf). title: heading, "" for none. width, panel_height: inches.
    """
    from matplotlib.collections import LineCollection

    heading = f"Contact on the {run.side} flank of gear A" if title is None else title
    near = np.where(run.strip_gap <= thickness, run.strip_gap, np.nan)
    if not np.isfinite(near).any():
        raise PitchlineError(f"nothing to plot: the flanks are nowhere nearer than {thickness:g} m")
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        ax = c.axes[0]
        z = np.broadcast_to(_MM_teeth * run.faces, near.shape)
        L = _MM_teeth * run.strip_roll_length
        points = np.stack([z, L], axis=-1)
        whole = np.isfinite(near[..., :-1]) & np.isfinite(near[..., 1:])
        segments = np.stack([points[..., :-1, :], points[..., 1:, :]], axis=-2)[whole]
        shade = 0.5e6 * (near[..., :-1] + near[..., 1:])[whole]
        lines = LineCollection(list(segments), cmap="viridis_r", linewidths=1.2)
        lines.set_array(shade)
        lines.set_clim(0.0, 1e6 * thickness)
        ax.add_collection(lines)
        ax.plot(_MM_teeth * run.face, _MM_teeth * run.roll_length, "o", markersize=3.0, markerfacecolor="white",
                markeredgecolor="#000000", markeredgewidth=0.6, zorder=3)  # fmt: skip
        low, high = (_MM_teeth * x for x in run.flank_limits)
        ax.axhline(low, color=_GREY_teeth, linewidth=0.8)
        ax.axhline(high, color=_GREY_teeth, linewidth=0.8)
        edge = 0.04 * (high - low)
        ax.set_xlim(_MM_teeth * run.faces[0], _MM_teeth * run.faces[-1])
        ax.set_ylim(low - edge, high + edge)
        names = (
            ("face coordinate ζ", "roll length L") if run.measured == "roll length" else ("along the flank", "height")
        )
        ax.set(xlabel=f"{names[0]} (mm)", ylabel=f"{names[1]} (mm)")
        c.figure.colorbar(lines, ax=ax, label="gap (µm)")
    return c.figure


def plot_rigid_contact(run: RigidContact, what: str = "transmission error", **options: Any) -> Figure:
    """Draw the transmission error of rigid gears, or with what="pattern" the contact lines; options as in these functions."""
    if what == "pattern":
        return plot_contact_pattern(run, **options)
    return plot_transmission_error(run, **options)
