"""Pictures of flexible bodies and the displacements of structures in a result, magnified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, PitchlineError
from pitchline.views import style
from pitchline.views.solid_picture import plot_solid
from pitchline.views.state_source import MachineState
from pitchline.views.style import scaled_unit

from ..gears.triangles import Triangles
from ..shafts.sections import log_so3

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.results.result import Result

    from .part import FlexibleBody

__all__ = [
    "plot_flexible_body",
    "surface_displacements",
    "Pose",
    "StationMotion",
    "bent",
    "moved_pose",
    "rotation_of",
    "structure_motions",
]


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


# ---- deflection

# Displacements of structures: magnified poses of stations, bent shafts, deformed surfaces of flexible bodies.

Pose = tuple[FloatArray, FloatArray]
"""Position (3,) [m] and axes (3, 3) in the world."""


@dataclass(frozen=True, eq=False)
class StationMotion:
    """Displacement [m] and tilt [rad] of a station, world axes. place: along the shaft from its start [m], None for others."""

    body: str
    shift: FloatArray
    tilt: FloatArray
    place: float | None


def rotation_of(vector: FloatArray) -> FloatArray:
    """Return the matrix of a rotation vector [rad]."""
    angle = float(np.linalg.norm(vector))
    if angle == 0.0:
        return np.eye(3)
    x, y, z = vector / angle
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K)


def moved_pose(pose: Pose, shift: FloatArray, tilt: FloatArray, times: float) -> Pose:
    """Return a pose moved by a multiple of a displacement and a rotation."""
    return pose[0] + times * shift, rotation_of(times * tilt) @ pose[1]


def structure_motions(state: MachineState, *, along: bool = False) -> list[tuple[dict[str, Any], list[StationMotion]]]:
    """Return the deformed structures of a scene with the motions of their stations.

    along: whether displacements along the axis of a shaft count. They are mostly play of bearings.
    """
    found = []
    for entry in state.head["deformed"]["structures"]:
        axis = None if along or "axis" not in entry else np.asarray(entry["axis"], dtype=np.float64)
        motions = []
        for station in entry["stations"]:
            shift, tilt = np.nan_to_num(state.row(station["shift"])), np.nan_to_num(state.row(station["tilt"]))
            if axis is not None:
                shift = shift - (shift @ axis) * axis
            motions.append(StationMotion(station["body"], shift, tilt, station.get("place")))
        found.append((entry, motions))
    return found


def bent(
    surface: Triangles, motions: list[StationMotion], axes: FloatArray, times: float
) -> tuple[Triangles, FloatArray]:
    """Bend a shaft that lies along z, and return the displacement of its points before magnification [m].

    axes: columns are those of the surface in the world. Between stations the line is a cubic with the slopes of the tilts,
    u(z) = d(z) + θ(z) × r; beyond the last station it continues straight.
    """
    places = np.array([motion.place for motion in motions], dtype=np.float64)
    d = np.array([motion.shift for motion in motions]) @ axes
    tilt = np.array([motion.tilt for motion in motions]) @ axes
    points = surface.points
    if len(places) == 1:
        u = np.broadcast_to(d[0], points.shape)
        turn = np.broadcast_to(tilt[0], points.shape)
        foot = places[0]
    else:
        z = points[:, 2]
        k = np.clip(np.searchsorted(places, z) - 1, 0, len(places) - 2)
        h = places[k + 1] - places[k]
        s = np.clip((z - places[k]) / np.where(h > 0.0, h, 1.0), 0.0, 1.0)[:, None]
        slope = np.stack([tilt[:, 1], -tilt[:, 0], np.zeros(len(tilt))], axis=-1)
        h = h[:, None]
        u = (1.0 + 2.0 * s) * (1.0 - s) ** 2 * d[k] + s * (1.0 - s) ** 2 * h * slope[k]
        u = u + s * s * (3.0 - 2.0 * s) * d[k + 1] + s * s * (s - 1.0) * h * slope[k + 1]
        turn = (1.0 - s) * tilt[k] + s * tilt[k + 1]
        foot = np.clip(z, places[0], places[-1])
    arm = points.copy()
    arm[:, 2] -= foot
    normals = surface.normals
    if normals is not None:
        normals = _turned(normals, times * turn[surface.triangles])
    moved = points - arm + _turned(arm, times * turn) + times * u
    return replace(surface, points=moved, normals=normals), np.linalg.norm(u + np.cross(turn, arm), axis=1)


def _turned(v: FloatArray, by: FloatArray) -> FloatArray:
    """Vectors (..., 3) turned by rotation vectors (..., 3) [rad]."""
    angle = np.linalg.norm(by, axis=-1, keepdims=True)
    n = by / np.where(angle > 0.0, angle, 1.0)
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(c * v + s * np.cross(n, v) + (1.0 - c) * np.sum(n * v, axis=-1, keepdims=True) * n)
