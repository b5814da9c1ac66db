"""Pictures of loaded tooth contact: errors, stiffness, load sharing, patterns, lines of contact."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError, near_names, shown
from pitchline.views import style
from pitchline.views.style import canvas, formula, without_formulas

from ..gears.geometry.inputs import positive
from ..gears.teeth.rigid_contact import rigid_contact
from ..gears.teeth.teeth import Teeth
from .results import SurfaceContact
from .results_flank import LoadedContact

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["contact_thickness", "plot_contact_lines"]


_PICTURES = ("overview", "transmission error", "stiffness", "load sharing", "spectrum", "pattern", "face load")
_GREY = "#6E6E6E"
_MM, _UM = 1e3, 1e6
_FACE_LOAD_FACTOR = formula(r"K_{H\beta}")
_HARMONICS = 8
_ACROSS = 161
"""Points across the face in a pattern."""


@names_wrong_arguments
def plot_loaded_contact(
    result: LoadedContact,
    what: str = "overview",
    *,
    torque: float | None = None,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float | None = None,
) -> Figure:
    """Draw a picture of a loaded contact; return the matplotlib figure.

    Parameters
    ----------
    what
        "overview": transmission error, load sharing and stiffness one below the other; "transmission error",
        "stiffness" over the mesh cycle; "load sharing": the share of one pair of teeth from its first contact to its
        last contact; "spectrum": transmission error by harmonics of the mesh frequency; "pattern": largest pressure over the
        flank of gear A; "face load": load per face width along the face, its mean and its range over the mesh cycle,
        with K_Hβ.
    torque
        Torque of the pattern [N m]; by default the largest.
    path, title, width, panel_height
        File to save the picture to (.png, .svg, .pdf); heading, "" for none; sizes [inches].
    """
    if what not in _PICTURES:
        raise PitchlineError(f'loaded contact: there is no picture "{what}"; {near_names(what, _PICTURES)}')
    if what == "pattern":
        return _pattern(result, torque, path, title, width, panel_height or 1.8 * style.PANEL_HEIGHT)
    if torque is not None:
        raise PitchlineError('loaded contact: torque is only for the "pattern"; the other pictures show all torques')
    heading = _heading(result, what) if title is None else title
    height = panel_height or (style.PANEL_HEIGHT if what == "overview" else 1.4 * style.PANEL_HEIGHT)
    with canvas(panels=3 if what == "overview" else 1, path=path, title=heading, width=width, panel_height=height) as c:
        if what == "overview":
            draw_error(c.axes[0], result)
            draw_stiffness(c.axes[1], result)
            draw_shares(c.axes[2], result)
            phase_axis(c.axes[2], result)
            c.axes[0].legend(loc="upper left", bbox_to_anchor=(1.015, 1.0), title="torque")
        elif what == "transmission error":
            draw_error(c.axes[0], result)
            phase_axis(c.axes[0], result)
            c.axes[0].legend(loc="upper left", bbox_to_anchor=(1.015, 1.0), title="torque")
        elif what == "stiffness":
            draw_stiffness(c.axes[0], result)
            phase_axis(c.axes[0], result)
            c.axes[0].legend(loc="upper left", bbox_to_anchor=(1.015, 1.0), title="torque")
        elif what == "face load":
            draw_face_load(c.axes[0], result)
            c.axes[0].legend(loc="lower right")
        elif what == "load sharing":
            draw_engagement(c.axes[0], result)
            c.axes[0].legend(loc="upper left", bbox_to_anchor=(1.015, 1.0), title="torque")
        else:
            draw_spectrum(c.axes[0], result)
            c.axes[0].legend(loc="upper right", title="torque")
    return c.figure


def _heading(result: LoadedContact, what: str) -> str:
    words = {
        "overview": "Loaded contact",
        "transmission error": "Transmission error under load",
        "stiffness": "Mesh stiffness",
        "load sharing": "Load of one pair of teeth",
        "spectrum": "Harmonics of the transmission error",
        "face load": "Load along the face",
    }
    return f"{words[what]}, {result.name}"


def _names(result: LoadedContact | SurfaceContact) -> list[str]:
    unit = "N" if getattr(result, "travels", False) else "N·m"
    return [f"{T:.5g} {unit}" for T in result.torque]


def _closed(result: LoadedContact | SurfaceContact, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Phase and values, the first position repeated at the end of the cycle."""
    phase = np.append(result.phase, 2.0 * result.phase[-1] - result.phase[-2] if len(result.phase) > 1 else 1.0)
    return phase, np.concatenate([values, values[..., :1]], axis=-1)


def phase_axis(ax: Axes, result: LoadedContact | SurfaceContact) -> None:
    """Angle of gear A below a panel."""
    phase, _ = _closed(result, result.no_load_error)
    ax.set_xlim(phase[0], phase[-1])
    ax.set_xlabel("angle of gear A (pitches)")


def draw_error(ax: Axes, result: LoadedContact | SurfaceContact) -> None:
    """Transmission error over the mesh cycle, one line a torque; rigid gears in grey."""
    phase, errors = _closed(result, result.transmission_error)
    ax.plot(*_closed(result, _UM * result.no_load_error), color=_GREY, linewidth=0.9, label="rigid")
    for i, (name, e) in enumerate(zip(_names(result), errors, strict=True)):
        ax.plot(phase, _UM * e, label=name, **style.line_style(i))
    ax.set_ylabel("transmission error (µm)")


def draw_stiffness(ax: Axes, result: LoadedContact | SurfaceContact) -> None:
    """Tangent stiffness per face width over the mesh cycle, one line a torque."""
    phase, k = _closed(result, result.tangent_stiffness / (1e9 * result.face_width))
    for i, (name, values) in enumerate(zip(_names(result), k, strict=True)):
        ax.plot(phase, values, label=name, **style.line_style(i))
    ax.set_ylim(0.0, None)
    ax.set_ylabel("stiffness (N/(mm·µm))")


def draw_shares(ax: Axes, result: LoadedContact | SurfaceContact) -> None:
    """Share of each pair of teeth over the mesh cycle, one colour a torque."""
    for i, shares in enumerate(result.load_sharing):
        for k in range(len(result.pairs)):
            phase, share = _closed(result, shares[:, k])
            if len(result.phase) == result.positions_per_pitch:  # the cycle ends as the pair behind begins
                before = np.flatnonzero(result.pairs == result.pairs[k] + 1)
                share[-1] = shares[0, before[0]] if len(before) else 0.0
            seen = share > 0.0
            seen[1:] |= share[:-1] > 0.0  # down to zero, and no further
            seen[:-1] |= share[1:] > 0.0
            ax.plot(phase, np.where(seen, share, np.nan), **style.line_style(i))
    ax.set_ylim(0.0, 1.05)
    ax.set_ylabel("share of the load")


def draw_engagement(ax: Axes, result: LoadedContact | SurfaceContact) -> None:
    """Share of one pair of teeth through its engagement, one line a torque."""
    low, high = np.inf, -np.inf
    for i, name in enumerate(_names(result)):
        phase, share = result.engagement(i)
        carried = np.flatnonzero(share > 0.0)
        first, last = max(carried[0] - 1, 0), min(carried[-1] + 2, len(phase))
        start, end = phase[first], phase[last - 1]
        ax.plot(phase[first:last], share[first:last], label=name, **style.line_style(i))
        low, high = min(low, start), max(high, end)
    ax.set_xlim(low, high)
    ax.set_ylim(0.0, 1.05)
    ax.set(xlabel="angle of gear A from its tooth on the line of centres (pitches)", ylabel="share of the load")


def draw_face_load(ax: Axes, result: LoadedContact) -> None:
    """Normal force per face width over the face of gear A: mean of all positions, their range, and K_Hβ at its largest."""
    load = 1e-3 * result.face_load  # N/mm
    for i, (name, values) in enumerate(zip(_names(result), load, strict=True)):
        factor = float(np.max(result.face_load_factor[i]))
        look = style.line_style(i)
        ax.fill_between(
            _MM * result.faces, values.min(axis=0), values.max(axis=0), color=look["color"], alpha=0.18, linewidth=0.0
        )
        mean = values.mean(axis=0)
        words = f"{without_formulas(name)}, {_FACE_LOAD_FACTOR} up to {factor:.3g}"
        ax.plot(_MM * result.faces, mean, label=words, **look)
        ax.axhline(
            float(np.average(mean, weights=result.widths)), linestyle=(0, (2, 2)), linewidth=0.8, color=look["color"]
        )
    ax.set_ylim(0.0, None)
    ax.set(xlabel="face coordinate ζ (mm)", ylabel="load per face width (N/mm)")


def draw_spectrum(ax: Axes, result: LoadedContact | SurfaceContact) -> None:
    """Amplitudes at the first harmonics of the mesh frequency, one bar a torque."""
    orders, lines = result.spectrum()
    whole = np.flatnonzero((np.abs(orders - np.rint(orders)) < 1e-9) & (orders <= _HARMONICS + 0.5))
    count = len(result.torque)
    bar = 0.8 / count
    for i, name in enumerate(_names(result)):
        place = orders[whole] + (i - 0.5 * (count - 1)) * bar
        ax.bar(place, _UM * lines[i, whole], width=bar, color=style.COLOURS[i % len(style.COLOURS)], label=name)
    ax.set_xticks(orders[whole])
    ax.set_xlim(0.4, orders[whole][-1] + 0.6)
    ax.set(xlabel="harmonic of the mesh frequency", ylabel="transmission error (µm)")


def _pattern(
    result: LoadedContact, torque: float | None, path: str | Path | None, title: str | None, width: float, height: float
) -> Figure:
    index = int(np.argmax(np.abs(result.torque))) if torque is None else result.torque_index(torque)
    T = float(result.torque[index])
    heading = f"Largest pressure on the {result.side} flanks of gear A, {T:.5g} N·m" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=height) as c:
        draw_pattern(c.axes[0], result, index, c.figure)
    return c.figure


def draw_pattern(ax: Axes, result: LoadedContact, torque: int, figure: Figure) -> None:
    """Largest pressure over the flank; dots where an edge of a tip or the end of a flank touches: there pressure has no bound."""
    L, z, p = result.pattern(torque)
    inside = p[p > 0.0]
    top = float(np.percentile(inside, 97.0))
    fine = np.linspace(z[0], z[-1], _ACROSS)
    field = np.array([np.interp(fine, z, row) for row in p])  # linear between slices
    drawn = ax.pcolormesh(
        _MM * fine, _MM * L, 1e-6 * field, cmap="YlOrRd", shading="gouraud", vmin=0.0, vmax=1e-6 * top
    )
    cut = float(p.max()) > 1.02 * top
    figure.colorbar(drawn, ax=ax, label="pressure (MPa)", extend="max" if cut else "neither")
    at_edges = [_edges_of_flanks(result, torque, position) for position in range(len(result.phase))]
    zeta, length = (np.concatenate(each) for each in zip(*at_edges, strict=True))
    if len(zeta):
        ax.plot(_MM * zeta, _MM * length, ".", color="black", markersize=2.0, label="edge contact")
        ax.legend(loc="upper right")
    for edge in result.flank_limits:
        ax.axhline(_MM * edge, color=_GREY, linewidth=0.8)
    room = 0.04 * _MM * (L[-1] - L[0])
    ax.set_ylim(_MM * L[0] - room, _MM * L[-1] + room)
    ax.set_xlim(_MM * z[0], _MM * z[-1])
    ax.grid(False)
    ax.set(xlabel="face coordinate ζ (mm)", ylabel="roll length L (mm)")


def _edges_of_flanks(result: LoadedContact, torque: int, position: int) -> tuple[np.ndarray, np.ndarray]:
    """ζ and L of gear A [m] of the cells that carry load at an end of a flank, the most loaded one of each strip."""
    now = result.flank_load(torque, position)
    pressure = np.where((now.edge != "") & (now.edge != "end of face"), now.pressure, 0.0)
    strips = np.flatnonzero(pressure.max(axis=1, initial=0.0) > 0.0)
    return now.face[strips], now.roll_length_a[strips, np.argmax(pressure[strips], axis=1)]


# ---- solid contact lines

# Lines of contact on a flank over the mesh cycle.

_GREY_solid_contact_lines = "#6E6E6E"
_MM_solid_contact_lines = 1e3
_COMPOUND, _TOUCHING = 6.5e-6, 2e-8


def contact_thickness(a: Teeth, b: Teeth, thickness: object) -> float:
    """Return the distance below which flanks are regarded as touching [m]: as given, by default nearly zero on ideal flanks.

    On ideal flanks the contact lines are exact. A larger distance would also show the tip edges that leave the other flank.
    """
    if thickness is not None:
        return positive(thickness, "length", "contact lines: thickness")
    modified = any(flank.modified for teeth in (a, b) for flank in (teeth.left, teeth.right))
    return _COMPOUND if modified else _TOUCHING


@names_wrong_arguments
def plot_contact_lines(
    a: Teeth,
    b: Teeth,
    *,
    side: str = "left",
    positions: int = 10,
    centre_distance: object = None,
    thickness: object = None,
    over: str = "roll length",
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 1.8 * style.PANEL_HEIGHT,
) -> Figure:
    """Draw the contact lines on a flank of gear A over one mesh cycle; return the matplotlib figure.

    Lines of the same colour exist at the same time, on neighbouring teeth. Modified flanks touch in points; their lines are
    those along which the flanks are closer than a thickness.

    Parameters
    ----------
    a, b
        Teeth of gears on parallel axes, at most one of them internal, or of conical involute gears.
    side, centre_distance
        The flank of A, and the distance of parallel axes [m]; by default that without backlash.
    positions
        Number of positions of the mesh cycle.
    thickness
        Distance of the flanks [m]; by default 6.5 µm, the thickness of marking compound, if a flank is modified.
    over
        Quantity on the vertical axis: "roll length" or "diameter".
    path, title, width, panel_height
        File to save the picture to (.png, .svg, .pdf), heading ("" for none), width and height [inches].
    """
    import matplotlib
    from matplotlib.collections import LineCollection

    if over not in ("roll length", "diameter"):
        raise PitchlineError(f'contact lines: over is "roll length" or "diameter", got {shown(over)}')
    near = contact_thickness(a, b, thickness)
    run = rigid_contact(a, b, centre_distance=centre_distance, side=side, positions=positions, strips=81)
    flank = a.flank(side)

    def height(L: np.ndarray) -> np.ndarray:
        return _MM_solid_contact_lines * (L if over == "roll length" else 2.0 * flank.involute.radius(L))

    y = height(np.where(run.strip_gap <= near, run.strip_roll_length, np.nan))
    x = np.broadcast_to(_MM_solid_contact_lines * run.faces, y.shape)
    points = np.stack([x, y], axis=-1)
    whole = np.isfinite(y[..., :-1]) & np.isfinite(y[..., 1:])
    pieces = np.stack([points[..., :-1, :], points[..., 1:, :]], axis=-2)
    when = np.broadcast_to(run.phase[:, None, None], whole.shape)
    heading = f"Lines of contact on the {side} flank of gear A" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        ax = c.axes[0]
        shades = matplotlib.colormaps["viridis"].resampled(positions)
        lines = LineCollection(list(pieces[whole]), cmap=shades, linewidths=1.4, capstyle="round")
        lines.set_array(when[whole])
        lines.set_clim(-0.5 / positions, 1.0 - 0.5 / positions)
        ax.add_collection(lines)
        half = 0.5 * a.gear.required_face_width("contact lines")
        z = np.linspace(-half, half, 41)
        ends = {"form": height(flank.form_roll_length(z)), "tip": height(flank.tip_roll_length(z))}
        low, high = min(e.min() for e in ends.values()), max(e.max() for e in ends.values())
        for name, line in ends.items():
            ax.plot(_MM_solid_contact_lines * z, line, color=_GREY_solid_contact_lines, linewidth=0.8)
            above = (name == "tip") != a.gear.internal
            ax.annotate(
                name, (_MM_solid_contact_lines * z[-1], line[-1]), xytext=(-2, 3 if above else -3), textcoords="offset points",
                ha="right", va="bottom" if above else "top", fontsize=7.0, color=_GREY_solid_contact_lines,
            )  # fmt: skip
        ax.set_xlim(-_MM_solid_contact_lines * half, _MM_solid_contact_lines * half)
        edge = 0.1 * (high - low)
        ax.set_ylim(low - edge, high + edge)
        ax.set(
            xlabel="face coordinate ζ (mm)", ylabel="roll length L (mm)" if over == "roll length" else "diameter (mm)"
        )
        c.figure.colorbar(lines, ax=ax, label="mesh phase (pitches)", aspect=28, pad=0.02)
    return c.figure


# ---- surface contact

# Pictures of the loaded contact of gears with flanks of any shape.

_PICTURES_surface_contact = ("overview", "transmission error", "stiffness", "load sharing", "spectrum", "pattern")
_TITLES = {
    "overview": "Loaded contact",
    "transmission error": "Transmission error under load",
    "stiffness": "Mesh stiffness",
    "load sharing": "Load of one pair of teeth",
    "spectrum": "Harmonics of the transmission error",
}
_MM_surface_contact = 1e3


@names_wrong_arguments
def plot_surface_contact(
    result: SurfaceContact,
    what: str = "overview",
    *,
    torque: float | None = None,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float | None = None,
) -> Figure:
    """Draw a picture of the loaded contact of general flanks; return the matplotlib figure.

    Parameters
    ----------
    what
        "overview": transmission error, stiffness and load sharing one below the other; "transmission error", "stiffness" over
        the mesh cycle; "load sharing": the share of one pair of teeth from its first contact to its last; "spectrum":
        transmission error by harmonics of the mesh frequency; "pattern": largest pressure over the flank of gear A.
    torque
        Torque of the pattern [N m]; by default the largest.
    path, title, width, panel_height
        File to save the picture to (.png, .svg, .pdf); heading, "" for none; sizes [inches].
    """
    if what not in _PICTURES_surface_contact:
        raise PitchlineError(
            f'loaded contact: there is no picture "{what}"; {near_names(what, _PICTURES_surface_contact)}'
        )
    if what == "pattern":
        index = int(np.argmax(np.abs(result.torque))) if torque is None else result.torque_index(torque)
        unit = "N" if result.travels else "N·m"
        heading = f"Largest pressure on the {result.side} flanks of gear A, {result.torque[index]:.5g} {unit}"
        with canvas(
            path=path, title=heading if title is None else title, width=width, panel_height=panel_height or 1.8 * style.PANEL_HEIGHT
        ) as c:  # fmt: skip
            _draw_pattern(c.axes[0], result, index, c.figure)
        return c.figure
    if torque is not None:
        raise PitchlineError('loaded contact: torque is only for the "pattern"; the other pictures show all torques')
    heading = f"{_TITLES[what]}, {result.name}" if title is None else title
    height = panel_height or (style.PANEL_HEIGHT if what == "overview" else 1.4 * style.PANEL_HEIGHT)
    with canvas(panels=3 if what == "overview" else 1, path=path, title=heading, width=width, panel_height=height) as c:
        if what == "overview":
            draw_error(c.axes[0], result)
            draw_stiffness(c.axes[1], result)
            draw_shares(c.axes[2], result)
            phase_axis(c.axes[2], result)
        elif what == "load sharing":
            draw_engagement(c.axes[0], result)
        elif what == "spectrum":
            draw_spectrum(c.axes[0], result)
        else:
            draw_error(c.axes[0], result) if what == "transmission error" else draw_stiffness(c.axes[0], result)
            phase_axis(c.axes[0], result)
        c.axes[0].legend(loc="upper left", bbox_to_anchor=(1.015, 1.0), title="force" if result.travels else "torque")
    return c.figure


def _draw_pattern(ax: Axes, result: SurfaceContact, torque: int, figure: Figure) -> None:
    """Largest pressure over height and length of the flank."""
    height, length, p = result.pattern(torque)
    top = float(np.percentile(p[p > 0.0], 97.0))
    drawn = ax.pcolormesh(
        _MM_surface_contact * length, _MM_surface_contact * height, 1e-6 * p, cmap="YlOrRd", vmin=0.0, vmax=1e-6 * top
    )
    cut = float(p.max()) > 1.02 * top
    figure.colorbar(drawn, ax=ax, label="pressure (MPa)", extend="max" if cut else "neither")
    ax.grid(False)
    ax.set(xlabel="length along the flank from its middle (mm)", ylabel="height on the flank (mm)")
