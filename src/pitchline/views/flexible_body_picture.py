"""plot_flexible_body: the surface of a flexible body in a result, its displacements magnified."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pitchline.arguments import names_wrong_arguments
from pitchline.beams.se3 import log_so3
from pitchline.errors import ModelError, PitchlineError
from pitchline.files.triangles import Triangles
from pitchline.views import style
from pitchline.views.labels import scaled_unit
from pitchline.views.solid_picture import plot_solid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.model import FlexibleBody
    from pitchline.results import Result

__all__ = ["plot_flexible_body", "surface_displacements"]

FloatArray = npt.NDArray[np.float64]

_FAR = 0.2
"""Rotation of an interface beyond which displacements from the initial pose are not a deformation [rad]."""


@names_wrong_arguments
def plot_flexible_body(
    body: FlexibleBody,
    result: Result,
    *,
    sample: int = -1,
    moving_with: str | None = None,
    scale: float | None = None,
    view: Sequence[float] = (35.0, 25.0),
    up: str = "y",
    path: str | Path | None = None,
    title: str | None = None,
    width: float = 0.75 * style.WIDTH,
) -> Figure:
    """Draw the surface of a flexible body at one sample of a result, deformed and coloured by displacement.

    body:        of the analysed model: ``m.flexible_bodies["housing"]``
    sample:      number of the sample, by default the last
    moving_with: an interface that is regarded as at rest, for moving bodies; by default displacements are from the initial pose
    scale:       factor of the displacements; by default the largest one is drawn as a twentieth of the size of the body
    view, up:    (azimuth, elevation) of the eye [deg] and the axis of the body that points upwards
    """
    displacement = surface_displacements(body, result, sample=sample, moving_with=moving_with)
    surface = Triangles(body.superelement.points, body.superelement.triangles)
    heading = f"{result.model_name}: {body.name}" if title is None else title
    size = np.linalg.norm(displacement, axis=1)
    factor, unit = scaled_unit("m", float(size.max()))
    return plot_solid(
        surface, displacement=displacement, scale=scale, values=factor * size, label=f"displacement ({unit})", edges=False,
        view=view, up=up, path=path, title=heading, width=width,
    )  # fmt: skip


def surface_displacements(
    body: FlexibleBody, result: Result, *, sample: int = -1, moving_with: str | None = None
) -> FloatArray:
    """(points, 3) displacements of the points of a body's surface, in its axes [m]: see `plot_flexible_body`."""
    element = body.superelement
    if len(element.points) == 0:
        raise PitchlineError(f'picture: flexible body "{body.name}" was read from matrices, which have no surface')
    poses = {}
    for name, station in body.stations.items():
        x, q = (result[f"{station.name}.{part}"][sample] for part in ("position", "orientation"))
        poses[name] = (np.asarray(x), _matrix(np.asarray(q)))
    x0, R0 = body.position, body.orientation  # of the axes of the body, as the interface at rest carries them
    if moving_with is not None:
        if moving_with not in poses:
            raise ModelError(f'picture: flexible body "{body.name}" has no interface "{moving_with}"')
        place = element.index(moving_with)
        x, R = poses[moving_with]
        R0 = R @ element.axes[place].T
        x0 = x - R0 @ element.positions[place]
    motions = []
    for place, (x, R) in enumerate(poses.values()):
        axes = R0 @ element.axes[place]
        turn = log_so3(axes.T @ R)
        if float(np.linalg.norm(turn)) > _FAR:
            raise PitchlineError(
                f'picture: flexible body "{body.name}" has turned by {np.linalg.norm(turn):.2g} rad; name an interface that '
                f'counts as at rest: moving_with="{element.interfaces[0]}"'
            )
        motions += [axes.T @ (x - x0 - R0 @ element.positions[place]), turn]
    modes = result[f"{body.name}.modes"][sample] if len(element.modal_stiffness) else np.zeros(0)
    motion = np.concatenate([*motions, np.atleast_1d(modes)])
    return np.asarray(element.shapes @ motion, dtype=np.float64)


def _matrix(q: FloatArray) -> FloatArray:
    """Rotation matrix of a unit quaternion (w, x, y, z)."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
