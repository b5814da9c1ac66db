"""Pictures of the loaded contact of gears with flanks of any shape."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError, near_names
from pitchline.results.surface_contact import SurfaceContact
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.loaded_contact import (
    draw_engagement,
    draw_error,
    draw_shares,
    draw_spectrum,
    draw_stiffness,
    phase_axis,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PICTURES = ("overview", "transmission error", "stiffness", "load sharing", "spectrum", "pattern")
_TITLES = {
    "overview": "Loaded contact",
    "transmission error": "Transmission error under load",
    "stiffness": "Mesh stiffness",
    "load sharing": "Load of one pair of teeth",
    "spectrum": "Harmonics of the transmission error",
}
_MM = 1e3


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
    if what not in PICTURES:
        raise PitchlineError(f'loaded contact: there is no picture "{what}"; {near_names(what, PICTURES)}')
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
    drawn = ax.pcolormesh(_MM * length, _MM * height, 1e-6 * p, cmap="YlOrRd", vmin=0.0, vmax=1e-6 * top)
    cut = float(p.max()) > 1.02 * top
    figure.colorbar(drawn, ax=ax, label="pressure (MPa)", extend="max" if cut else "neither")
    ax.grid(False)
    ax.set(xlabel="length along the flank from its middle (mm)", ylabel="height on the flank (mm)")
