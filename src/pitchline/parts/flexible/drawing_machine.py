"""plot_deformed: a machine at one sample of a result, its displacements magnified."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError
from pitchline.results.status import SignalError
from pitchline.views import style
from pitchline.views.state_picture import plot_state

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.model.model import Model
    from pitchline.results.result import Result

__all__ = ["plot_deformed"]


@names_wrong_arguments
def plot_deformed(
    result: Result,
    *,
    scale: float | str | None = None,
    sample: int = -1,
    along: bool = False,
    bearings: bool = True,
    model: Model | None = None,
    view: Sequence[float] | str = "corner",
    up: str | None = None,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
) -> Figure:
    """Draw a machine with elastic shafts, beams or flexible bodies at one sample, coloured by displacement.

    This is `plot_state` with ``scale="auto"`` and ``colour_by="displacement"``.

    Parameters
    ----------
    result
        With the displacements of its shafts, beams or flexible bodies.
    scale
        Factor of displacements and tilts; by default the largest displacement is drawn as about a 25th of the machine.
    sample
        Number of the sample, by default the last.
    along
        Whether displacements along the shafts count. By default they do not: axial play would hide the bending.
    bearings
        Whether rolling bearings and bushings are drawn.
    model
        The model from which the result was computed. It contains the deformation shapes of its flexible bodies.
    view, up, path, title, width
        As in `plot_state`.
    """
    elastic = [
        name for table in ("shafts", "beams", "flexible_bodies", "membranes") for name in result.model.get(table, {})
    ]
    if not elastic:
        raise PitchlineError(
            f'picture of a deformed machine: model "{result.model_name}" has no shafts, beams, flexible bodies or membranes. Use '
            "plot_state to draw it"
        )
    if (
        isinstance(sample, bool)
        or not isinstance(sample, (int, np.integer))
        or not -result.samples <= sample < result.samples
    ):
        raise SignalError(
            f"picture of a deformed machine: sample must be a number from {-result.samples} to {result.samples - 1}, got {sample!r}"
        )
    hide = (
        []
        if bearings
        else [name for name, e in result.model.get("elements", {}).items() if e.get("type") == "RollingBearing"]
    )
    if not bearings:
        hide += [name for name, load in result.model.get("loads", {}).items() if load.get("type") == "Bushing"]
    return plot_state(
        result, float(result.time[sample]), scale="auto" if scale is None else scale, hide=hide, colour_by="displacement",
        along=along, model=model, view=view, up=up, path=path, title=title, width=width,
    )  # fmt: skip
