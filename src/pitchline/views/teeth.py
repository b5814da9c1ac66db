"""Pictures of teeth: profile with its construction, contact lines on a flank, transmission error without load."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError
from pitchline.gears.teeth import RigidContact, Teeth, tooth_section
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.labels import axis_label, scaled_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_GREY = "#6E6E6E"
_SMALL = 7.0  # size of letters, points
_MM = 1e3


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
    heading = f"{gear.teeth} {kind}, normal module {_MM * gear.normal_module:.4g} mm" if title is None else title
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
    return -_MM * section.imag, _MM * section.real


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
        ax.plot(*_up(P), color=_GREY, linewidth=1.0, linestyle=(0, (5, 2)), zorder=2, label="rack")
        line = (r + 1j * np.array([-0.5, 0.5]) * pitch) * np.exp(-0.5j * teeth.gear.angular_pitch)
        ax.plot(*_up(line), color=_GREY, linewidth=0.6, linestyle=(0, (1, 2)), zorder=2)
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
    ax.plot(*_up(P), color=_GREY, linewidth=1.0, linestyle=(0, (5, 2)), zorder=2, label="cutter")


def _circles(teeth: Teeth, z: float) -> dict[str, float]:
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
    radii = _circles(teeth, z)
    m = teeth.gear.normal_module
    half = 1.15 * math.pi * m / math.cos(teeth.gear.helix_angle)
    inner, outer = sorted((radii["root"], radii["tip"]))
    inner = min(inner, radii["base"]) if not teeth.gear.internal else max(radii["base"], inner - 0.8 * m)
    low = math.sqrt(max(inner**2 - (0.6 * half) ** 2, 0.25 * inner**2))
    return _MM * half, _MM * (low - 0.2 * m), _MM * (outer + 0.35 * m)


def _draw_circles(ax: Axes, teeth: Teeth, z: float) -> None:
    """Arcs across the panel, named at its right edge."""
    from pitchline.views.campbell import apart

    left, right = (float(x) for x in ax.get_xlim())
    low, high = (float(y) for y in ax.get_ylim())
    places = {}
    x = np.linspace(left, right, 200)
    dashes = {"reference": (0, (8, 2, 2, 2)), "base": (0, (4, 2)), "form": (0, (1, 1.5))}
    for name, radius in _circles(teeth, z).items():
        y = np.sqrt((_MM * radius) ** 2 - x**2)
        ax.plot(x, y, color=_GREY, linewidth=0.6, linestyle=dashes.get(name, "-"), zorder=1)
        if low < y[-1] < high:
            places[name] = float(y[-1])
    for name, moved in apart(places, 0.045 * (high - low)).items():
        ax.annotate(
            name, (right, places[name]), xytext=(right + 0.03 * (right - left), moved), fontsize=_SMALL, color=_GREY,
            va="center", annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": _GREY, "linewidth": 0.5, "shrinkA": 0.0, "shrinkB": 0.0},
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
        z = np.broadcast_to(_MM * run.faces, near.shape)
        L = _MM * run.strip_roll_length
        points = np.stack([z, L], axis=-1)
        whole = np.isfinite(near[..., :-1]) & np.isfinite(near[..., 1:])
        segments = np.stack([points[..., :-1, :], points[..., 1:, :]], axis=-2)[whole]
        shade = 0.5e6 * (near[..., :-1] + near[..., 1:])[whole]
        lines = LineCollection(list(segments), cmap="viridis_r", linewidths=1.2)
        lines.set_array(shade)
        lines.set_clim(0.0, 1e6 * thickness)
        ax.add_collection(lines)
        ax.plot(_MM * run.face, _MM * run.roll_length, "o", markersize=3.0, markerfacecolor="white",
                markeredgecolor="#000000", markeredgewidth=0.6, zorder=3)  # fmt: skip
        low, high = (_MM * x for x in run.flank_limits)
        ax.axhline(low, color=_GREY, linewidth=0.8)
        ax.axhline(high, color=_GREY, linewidth=0.8)
        edge = 0.04 * (high - low)
        ax.set_xlim(_MM * run.faces[0], _MM * run.faces[-1])
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
