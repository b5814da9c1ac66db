"""machine_picture: the picture that shows a machine best."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.arguments import names_wrong_arguments
from pitchline.views import style
from pitchline.views.machine.state_picture import plot_state
from pitchline.views.scheme import plot_scheme
from pitchline.views.scheme.scene import read_scene

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.model import Model
    from pitchline.results import Result

__all__ = ["is_shown_solid", "machine_picture"]

_STRUCTURES = ("shafts", "beams", "flexible_bodies", "membranes")


@names_wrong_arguments
def machine_picture(
    machine: Result | Model | Mapping[str, Any],
    *,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
) -> Figure:
    """Draw a machine by the picture that shows it best; return the matplotlib figure.

    The picture is solid (`plot_state`, at the first sample of a result) if axes of gears cross, if there are shafts, beams,
    flexible bodies, cams or shapes, or if there are no gears. It is the schematic (`plot_scheme`) otherwise.

    machine: a result, a model, or the data of its `describe()`, such as `result.model`. path: file to save it to (.png, .svg,
    .pdf). title: heading, by default the name of the model, "" for none. width: inches.
    """
    from pitchline.results import Result

    if isinstance(machine, Result):
        said: Mapping[str, Any] = machine.model
    else:
        said = machine if isinstance(machine, Mapping) else machine.describe()
    if not is_shown_solid(said):
        return plot_scheme(said, path=path, title=title, width=width)
    heading = str(said.get("name", "")) if title is None else title
    first = float(machine.time[0]) if isinstance(machine, Result) else None
    return plot_state(machine, first, path=path, title=heading, width=width)


def is_shown_solid(model: Mapping[str, Any]) -> bool:
    """Return whether the solid picture shows a described model better than the schematic."""
    parts = [*model.get("bodies", {}).values(), *model.get("elements", {}).values(), model.get("ground", {})]
    if any(model.get(table) for table in _STRUCTURES) or any("shape" in part for part in parts):
        return True
    if any(element.get("type") in ("Cam", "GroovedCam") for element in model.get("elements", {}).values()):
        return True
    axes = [wheel.axis for wheel in read_scene(dict(model)).wheels]
    return not axes or any(abs(float(np.dot(axis, axes[0]))) < 1.0 - 1e-6 for axis in axes)
