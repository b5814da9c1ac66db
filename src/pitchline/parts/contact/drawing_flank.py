"""Pictures of contact patches of elastic flanks: on the developed flank, and on the teeth in space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError, near_names, shown
from pitchline.views import style
from pitchline.views.solid_picture import GEAR_COLOURS, Camera, DrawnSurface, PictureArea, show
from pitchline.views.style import canvas

from ..gears.drawing_solid import gears_in_mesh
from ..gears.geometry.inputs import positive
from ..gears.geometry.placement import Placement
from ..gears.solid_surface import gear_surface
from ..gears.triangles import Triangles
from .results_flank import ContactPatch, FlankContact

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..gears.teeth.flank import ToothFlank

__all__ = ["plot_flank_contact"]


_PICTURES = ("flank", "teeth")
HEIGHTS = ("profile", "roll length", "diameter")
_GREY = "#6E6E6E"
_MM, _MPA = 1e3, 1e-6
_ACROSS = 61
_LIFT = 2e-3
"""Of a patch above its flank in space, in modules."""


@names_wrong_arguments
def plot_flank_contact(
    found: FlankContact,
    what: str = "flank",
    *,
    torque: float | None = None,
    position: int = 0,
    over: str = "profile",
    others: Mapping[str, FlankContact] | None = None,
    label: str | None = None,
    limit: float | None = None,
    close_up: object = None,
    see_through: float = 0.8,
    view: Sequence[float] | None = None,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
) -> Figure:
    """Draw the patches of a contact, coloured by pressure; return the matplotlib figure.

    Parameters
    ----------
    found
        Of `flank_contact`.
    what
        "flank": the developed flank of gear A, one panel per torque, with the patches of all pairs of teeth on it, or with
        the nodes in contact if the method is "nodes". "teeth": the gears in space, with the patches on the flanks of A, seen
        through the teeth of B.
    torque
        Torque to be shown [N m]; by default all torques on the flank, and the largest one on the teeth.
    position
        Place in `found.phase`.
    over
        Quantity on the vertical axis of a flank: "profile", the distance along it from the base circle, in the scale of
        the face; "roll length" or "diameter".
    others, label
        For "flank": contacts of the same gears by other methods, by label, whose outlines are drawn over the patches; and the label
        of `found` in the legend.
    limit
        Pressure at the upper end of the colour scale [Pa]; by default the largest one, without sharp edges.
    close_up, see_through, view
        For "teeth": width of the shown area [m], by default eight modules; how transparent gear B is; and the eye's azimuth
        and elevation [deg].
    path, title, width
        Where to save it (.png, .svg, .pdf), its heading ("" for none), and its width [inches].
    """
    if what not in _PICTURES:
        raise PitchlineError(f'flank contact: there is no picture "{what}"; {near_names(what, _PICTURES)}')
    if over not in HEIGHTS:
        raise PitchlineError(f"flank contact: over is one of {', '.join(HEIGHTS)}, got {shown(over)}")
    if not -len(found.phase) <= position < len(found.phase):
        raise PitchlineError(f"flank contact: there are {len(found.phase)} positions, got {shown(position)}")
    chosen = list(range(len(found.torque))) if torque is None else [_torque(found, torque)]
    if what == "teeth" and others:
        raise PitchlineError(
            'flank contact: other contacts are drawn only on the flank. Leave out others, or what="teeth"'
        )
    if what == "teeth":
        one = max(chosen, key=lambda t: abs(float(found.torque[t])))
        return _teeth(found, one, position, limit, close_up, see_through, view, path, title, width)
    top = limit or _limit([patch for t in chosen for patch in found.patches[t][position]])
    phase = float(found.phase[position])
    heading = (
        f"Contact on the {found.side} flanks of gear A, {found.name}, phase {phase:.3g}" if title is None else title
    )
    flank = found.a.flank(found.side)
    span = _span(flank, found, over)
    tall = (width - 2.0) * 1.24 * (span[1] - span[0]) / (_MM * 2.0 * _half(found)) + 0.42
    panel = tall if over == "profile" else style.PANEL_HEIGHT
    with canvas(panels=len(chosen), path=path, title=heading, width=width, panel_height=panel) as c:
        for ax, t in zip(c.axes, chosen, strict=True):
            shades = draw_flank(ax, found, t, position, over=over, limit=top)
            for n, (text, other) in enumerate((others or {}).items()):
                _outlines(ax, other, float(found.torque[t]), phase, over, style.COLOURS[n % len(style.COLOURS)], text)
            if others:
                where = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.02), "ncols": 3}
                ax.legend(**where)
            ax.set_title(f"{found.torque[t]:.5g} N·m" + (f", {label}" if label else ""), loc="left")
        c.axes[-1].set_xlabel("face coordinate ζ (mm)")
        _colour_bar(c.figure, shades, c.axes, top, found, chosen, position)
    return c.figure


def draw_flank(
    ax: Axes, found: FlankContact, torque: int, position: int, *, over: str = "profile", limit: float
) -> Any:
    """One flank of gear A with the patches of all pairs of teeth at a place in `torque` and `phase`; returns the colours."""
    from matplotlib.patheffects import Normal, Stroke

    flank = found.a.flank(found.side)
    half = _half(found)
    z = np.linspace(-half, half, 61)
    for name, L in (("form", flank.form_roll_length(z)), ("tip", flank.tip_roll_length(z))):
        y = _height(flank, L, over)
        ax.plot(_MM * z, y, color=_GREY, linewidth=0.8)
        above = (name == "tip") != found.a.gear.internal
        ax.annotate(
            name, (_MM * z[-1], y[-1]), xytext=(-2, 2 if above else -2), textcoords="offset points", ha="right",
            va="bottom" if above else "top", fontsize=7.0, color=_GREY,
        )  # fmt: skip
    shades = None
    shares = found.shares(torque, position)
    for patch in found.patches[torque][position]:
        zeta, low, high = patch.outline
        if found.method == "nodes":
            shades = _nodes(ax, patch, flank, over, limit)
        else:
            t = np.linspace(0.0, 1.0, _ACROSS)[:, None]
            L = np.sqrt(low**2 + t * (high**2 - low**2))
            p = patch.pressure_at(L, np.broadcast_to(zeta, L.shape))
            x, y = np.broadcast_to(_MM * zeta, L.shape), _height(flank, L, over)
            shades = ax.pcolormesh(
                x, y, _MPA * p, cmap="YlOrRd", shading="gouraud", vmin=0.0, vmax=_MPA * limit, rasterized=True
            )
            for rim in (low, high):
                ax.plot(_MM * zeta, _height(flank, rim, over), color="#7A1F00", linewidth=0.6)
        ax.plot(_MM * patch.zeta_a, _height(flank, patch.roll_a, over), color=_GREY, linewidth=0.6, dashes=(4, 3))
        text = ax.annotate(
            f"tooth {patch.tooth_a}, {100.0 * shares[patch.tooth_a]:.0f} %".replace("-", "−"),
            (_MM * zeta[-1], float(_height(flank, 0.5 * (low[-1] + high[-1]), over))), xytext=(3, 0),
            textcoords="offset points", va="center", fontsize=7.0, color="#404040", annotation_clip=False,
        )  # fmt: skip
        text.set_path_effects([Stroke(linewidth=1.8, foreground="white"), Normal()])
    low_y, high_y = _span(flank, found, over)
    edge = 0.12 * (high_y - low_y)
    ax.set_xlim(-_MM * half, _MM * half)
    ax.set_ylim(low_y - edge, high_y + edge)
    if over == "profile":
        ax.set_aspect("equal", adjustable="box")
    ax.grid(False)
    words = {"profile": "along the profile (mm)", "roll length": "roll length L (mm)", "diameter": "diameter (mm)"}
    ax.set_ylabel(words[over])
    return shades


def _nodes(ax: Axes, patch: ContactPatch, flank: ToothFlank, over: str, limit: float) -> Any:
    """Nodes in contact, coloured by their force per area; the others of the same lines in grey. Returns the colours."""
    arc = patch.across + (patch.roll_a**2 / (2.0 * patch.base_radius))[:, None]
    y = _height(flank, np.sqrt(np.maximum(2.0 * patch.base_radius * arc, 0.0)), over)
    x = np.broadcast_to(_MM * patch.zeta_a[:, None], y.shape)
    on = patch.across_pressure > 0.0
    ax.plot(x[~on], y[~on], ".", markersize=0.8, color="#C8C8C8", zorder=1.5)
    p = _MPA * patch.across_pressure[on]
    looks: dict[str, Any] = {"cmap": "YlOrRd", "vmin": 0.0, "vmax": _MPA * limit}
    return ax.scatter(x[on], y[on], c=p, s=9.0, edgecolors="#7A1F00", linewidths=0.3, zorder=2.5, **looks)


def _outlines(ax: Axes, other: FlankContact, torque: float, phase: float, over: str, colour: str, label: str) -> None:
    """Rims of the patches of another contact, under the same torque in the same position."""
    position = int(np.argmin(np.abs(other.phase - phase)))
    if not np.isclose(other.phase[position], phase, atol=1e-9):
        raise PitchlineError(f"flank contact: {label} has no position at phase {phase:g}")
    for patch in other.patches[_torque(other, torque)][position]:
        zeta, low, high = patch.outline
        closed = np.concatenate([zeta, zeta[::-1], zeta[:1]])
        rim = _height(other.a.flank(other.side), np.concatenate([low, high[::-1], low[:1]]), over)
        ax.plot(_MM * closed, rim, color=colour, linewidth=0.9, zorder=3.0, label=label)
        label = "_"  # once in the legend


def _colour_bar(
    figure: Figure,
    shades: Any,
    axes: Sequence[Axes],
    top: float,
    found: FlankContact,
    chosen: Sequence[int],
    position: int,
) -> None:
    cut = max(patch.peak_pressure for t in chosen for patch in found.patches[t][position]) > 1.02 * top
    figure.colorbar(
        shades,
        ax=list(axes),
        label="pressure (MPa)",
        extend="max" if cut else "neither",
        aspect=22,
        pad=0.015,
        shrink=0.9,
    )


def _torque(found: FlankContact, torque: float) -> int:
    at = int(np.argmin(np.abs(found.torque - torque)))
    if not np.isclose(found.torque[at], torque, rtol=1e-9):
        known = ", ".join(f"{T:g}" for T in found.torque)
        raise PitchlineError(f"flank contact: no torque of {torque:g} N m was computed, only {known}")
    return at


def _limit(patches: Sequence[ContactPatch]) -> float:
    """The largest pressure away from edges; that of the edges where there is no other."""
    return max(patch.pressure_inside for patch in patches) or max(patch.peak_pressure for patch in patches)


def _half(found: FlankContact) -> float:
    return 0.5 * found.a.gear.required_face_width("flank contact")


def _height(flank: ToothFlank, L: npt.ArrayLike, over: str) -> FloatArray:
    """Values of the vertical axis [mm]."""
    length = np.asarray(L, dtype=np.float64)
    if over == "roll length":
        return _MM * length
    if over == "diameter":
        return np.asarray(_MM * 2.0 * flank.involute.radius(length))
    return _MM * length**2 / (2.0 * flank.involute.base_radius)


def _span(flank: ToothFlank, found: FlankContact, over: str) -> tuple[float, float]:
    z = np.linspace(-1.0, 1.0, 61) * _half(found)
    ends = _height(flank, [flank.form_roll_length(z), flank.tip_roll_length(z)], over)
    return float(ends.min()), float(ends.max())


def _teeth(
    found: FlankContact, torque: int, position: int, limit: float | None, close_up: object, see_through: float,
    view: Sequence[float] | None, path: str | Path | None, title: str | None, width: float,
) -> Figure:  # fmt: skip
    """Both gears at their places, with the patches as separate surfaces on the flanks of A."""
    patches = found.patches[torque][position]
    top = limit or _limit(patches)
    poses = gears_in_mesh(
        found.a, found.b, phase=float(found.phase[position]), centre_distance=found.centre_distance, side=found.side
    )
    a, b = (
        DrawnSurface(gear_surface(teeth).moved(pose.rotation, pose.position), colour, edges=0.9)
        for teeth, pose, colour in zip((found.a, found.b), poses, GEAR_COLOURS, strict=True)
    )
    marks = [_mark(found, patch, poses[0], top) for patch in patches]
    camera = Camera.of((35.0 if found.side == "left" else -35.0, 35.0) if view is None else view, "y")
    size = (
        8.0 * found.a.gear.normal_module
        if close_up is None
        else positive(close_up, "length", "flank contact: close_up")
    )
    loads = [patch.total_force for patch in patches]
    middle = marks[int(np.argmax(loads))].surface.points.mean(axis=0)
    x, y = camera.axes[:2] @ middle
    area = PictureArea(x - 0.5 * size, x + 0.5 * size, y - 0.36 * size, y + 0.36 * size)
    T = float(found.torque[torque])
    return show(
        [a, *marks, b], [], camera, reach=1.6 * found.a.gear.normal_module, span=(0.0, _MPA * top), label="pressure (MPa)",
        path=path, title=f"Contact of {found.name} under {T:.5g} N·m" if title is None else title, width=width, area=area,
        behind=[a, *marks], veil=see_through,
    )  # fmt: skip


def _mark(found: FlankContact, patch: ContactPatch, pose: Placement, top: float) -> DrawnSurface:
    """A patch on the flank of gear A, a little above it."""
    flank = found.a.flank(found.side)
    zeta, low, high = patch.outline
    t = np.linspace(0.0, 1.0, _ACROSS)[:, None]
    L = np.sqrt(low**2 + t * (high**2 - low**2))
    z = np.broadcast_to(zeta, L.shape)
    normal = flank.normal(L, z, patch.tooth_a)
    points = flank.point(L, z, patch.tooth_a) + _LIFT * found.a.gear.normal_module * normal
    number = np.arange(L.size).reshape(L.shape)
    corners = [number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]]
    first, second = (np.stack([corners[i].ravel() for i in three], axis=1) for three in ((0, 1, 2), (0, 2, 3)))
    triangles = np.concatenate([first, second])
    out = normal.reshape(-1, 3)
    surface = Triangles(points.reshape(-1, 3), triangles, normals=out[triangles])
    flat = surface.face_normals
    if float(np.einsum("ti,ti->", flat, out[triangles[:, 0]])) < 0.0:  # counter-clockwise from outside
        surface = Triangles(surface.points, triangles[:, ::-1], normals=out[triangles[:, ::-1]])
    p = patch.pressure_at(L, z).ravel()[surface.triangles] / top
    return DrawnSurface(surface.moved(pose.rotation, pose.position), GEAR_COLOURS[0], np.clip(p, 0.0, 1.0), edges=0.0)
