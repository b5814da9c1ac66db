"""Lines of contact on a flank over the mesh cycle."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError, shown
from pitchline.gears.inputs import positive
from pitchline.gears.teeth import Teeth, rigid_contact
from pitchline.views import style
from pitchline.views.canvas import canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["contact_thickness", "plot_contact_lines"]

_GREY = "#6E6E6E"
_MM = 1e3
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
        return _MM * (L if over == "roll length" else 2.0 * flank.involute.radius(L))

    y = height(np.where(run.strip_gap <= near, run.strip_roll_length, np.nan))
    x = np.broadcast_to(_MM * run.faces, y.shape)
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
            ax.plot(_MM * z, line, color=_GREY, linewidth=0.8)
            above = (name == "tip") != a.gear.internal
            ax.annotate(
                name, (_MM * z[-1], line[-1]), xytext=(-2, 3 if above else -3), textcoords="offset points",
                ha="right", va="bottom" if above else "top", fontsize=7.0, color=_GREY,
            )  # fmt: skip
        ax.set_xlim(-_MM * half, _MM * half)
        edge = 0.1 * (high - low)
        ax.set_ylim(low - edge, high + edge)
        ax.set(
            xlabel="face coordinate ζ (mm)", ylabel="roll length L (mm)" if over == "roll length" else "diameter (mm)"
        )
        c.figure.colorbar(lines, ax=ax, label="mesh phase (pitches)", aspect=28, pad=0.02)
    return c.figure
