"""plot_shape: a machine in the deflected state of a mode."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError
from pitchline.views import style
from pitchline.views.flank_pressure import Displacements, SolidPart, displaced_parts, poses_of
from pitchline.views.state_picture import camera_for, chosen_parts, scene_size, see_through, show_parts
from pitchline.views.state_source import MachineState, state_of_pose

from ..bearings.scene import cage_name
from ..gears.geometry.inputs import number as plain_number
from ..gears.geometry.inputs import positive, whole
from .drawing import StationMotion, moved_pose

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.results.modes import Modes, OperatingPose

__all__ = ["plot_shape"]

_LARGEST, _TURN = 1.0 / 20.0, 0.3
"""Largest displacement over the size of the machine, and largest rotation [rad], as drawn by default."""
_STILL = 0.03
"""Of the largest displacement: parts that move less have no undeformed outline."""
_GHOST = 0.12
_GREY = (0.45, 0.45, 0.45)


@names_wrong_arguments
def plot_shape(
    modes: Modes,
    number: int,
    *,
    scale: float | str = "auto",
    phase: float = 0.0,
    undeformed: bool = True,
    view: Sequence[float] | str = "corner",
    up: str | None = None,
    hide: str | Sequence[str] = (),
    transparent: str | Sequence[str] = (),
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
) -> Figure:
    """Draw the machine in the deflected state of a mode, coloured by displacement; return the matplotlib figure.

    Parameters
    ----------
    modes
        Result of `pitchline.modes`.
    number
        Number of the mode as in the table of the modes, from 1.
    scale
        "auto": the largest displacement is drawn as a twentieth of the size of the machine, with rotations of at most 0.3 rad.
        A number multiplies this.
    phase
        Of the vibration [deg]. At 0 the displacement is largest; at 180 it is largest in the other direction.
    undeformed
        Whether the undeformed machine is drawn too, in a faint grey.
    view, up, hide, transparent, path, title, width
        As in `plot_state`.
    """
    if modes.pose is None:
        raise PitchlineError(
            f'picture of a mode: these modes of "{modes.model_name}" do not contain the poses of the bodies. Run the analysis again'
        )
    n = whole(number, "picture of a mode: number", at_least=1, at_most=len(modes)) - 1
    factor = (
        1.0 if isinstance(scale, str) and scale == "auto" else positive(scale, "number", "picture of a mode: scale")
    )
    state = state_of_pose(modes.pose, modes.model_name)
    state.head["deformed"] = {"structures": [], "notes": []}
    angle = plain_number(phase, "picture of a mode: phase")
    shape = np.nan_to_num(modes.pose.of_origins(modes.shapes[n]))
    turn = np.exp(1j * (math.radians(angle) - _largest_phase(shape)))
    motion = (shape * turn).real
    surfaces = {name: (moved[n] * turn).real for name, moved in modes.surfaces.items() if n < len(moved)}
    rest = chosen_parts(_parts(state, modes.pose, motion, surfaces, 0.0), hide)
    if not rest:
        raise PitchlineError(f'picture of a mode: model "{modes.model_name}" has no parts to draw')
    everything = np.nan_to_num(modes.pose.of_origins(modes.shapes[n])) * np.exp(-1j * _largest_phase(shape))
    peak = _peak(chosen_parts(_parts(state, modes.pose, everything.real, surfaces, 0.0), hide))
    times = factor * _automatic(peak, everything.real, scene_size(rest))
    parts = see_through(chosen_parts(_parts(state, modes.pose, motion, surfaces, times), hide), transparent)
    values = _colours(parts, peak)
    ghosts = [
        replace(part, opacity=_GHOST, colour=_GREY, motion=None)
        for part in rest
        if undeformed and part.motion is not None and float(part.motion.max(initial=0.0)) > _STILL * peak
    ]
    camera = camera_for(view, up, state, rest)
    heading = _heading(modes, n) if title is None else title
    return show_parts(
        [*parts, *ghosts], camera, values=values, span=(0.0, 1.0), colours="coolwarm", label="displacement over the largest",
        path=path, title=heading, width=width,
    )  # fmt: skip


def _colours(parts: Sequence[SolidPart], peak: float) -> dict[int, FloatArray]:
    """Displacements over the largest, by the id of parts; see-through parts that hardly move keep their colour."""
    if not peak > 0.0:
        return {}
    shares = {id(part): part.motion / peak for part in parts if part.motion is not None}
    clear = {id(part) for part in parts if part.opacity <= 0.5}
    return {k: share for k, share in shares.items() if k not in clear or float(share.max(initial=0.0)) > _STILL}


def _heading(modes: Modes, n: int) -> str:
    if n < modes.rigid:
        return f"{modes.model_name}: mode {n + 1}, rigid-body motion"
    damping = 100.0 * float(modes.damping_ratios[n])
    ratio = f", damping ratio {damping:.3g} %" if damping else ", undamped"
    return f"{modes.model_name}: mode {n + 1}, {modes.frequencies[n]:.5g} Hz{ratio}, {modes.kinds[n]}"


def _largest_phase(shape: NDArray[np.complex128]) -> float:
    """Phase [rad] at which the squares of all displacements are largest in sum."""
    return 0.5 * float(np.angle((shape[..., :3] ** 2).sum())) if np.abs(shape[..., :3]).max(initial=0.0) > 0.0 else (
        0.5 * float(np.angle((shape**2).sum()))
    )  # fmt: skip


def _peak(parts: Sequence[SolidPart]) -> float:
    return max((float(part.motion.max(initial=0.0)) for part in parts if part.motion is not None), default=0.0)


def _automatic(peak: float, motion: FloatArray, size: float) -> float:
    """Factor that makes the largest displacement of the drawn points visible, and keeps rotations small."""
    if not peak > 0.0:
        return 1.0
    turn = float(np.linalg.norm(motion[:, 3:], axis=1).max(initial=0.0))
    return min(_LARGEST * size / peak, _TURN / turn if turn > 0.0 else math.inf)


def _parts(
    state: MachineState, pose: OperatingPose, motion: FloatArray, surfaces: dict[str, FloatArray], times: float
) -> list[SolidPart]:
    """Parts displaced by a multiple of a motion (bodies, 6): translation of origins [m] and rotation [rad]."""
    found = Displacements(poses_of(state))
    by_name = {name: StationMotion(name, row[:3], row[3:], None) for name, row in zip(pose.bodies, motion, strict=True)}
    for element in pose.model.get("elements", {}).values():
        if element.get("type") == "RollingBearing":
            still = StationMotion("", np.zeros(3), np.zeros(3), None)  # a ring on the ground
            a, b = (by_name.get(element["frames"][ring]["body_name"], still) for ring in "ab")
            name = cage_name(element["name"])
            by_name[name] = StationMotion(name, 0.5 * (a.shift + b.shift), 0.5 * (a.tilt + b.tilt), None)
    for table in ("shafts", "flexible_bodies"):
        for name, said in pose.model.get(table, {}).items():
            stations = [by_name[body] for body in said["stations"] if body in by_name]
            if name not in found.poses or not stations:
                continue
            if name in surfaces:
                found.surfaces[name] = _surface(state, pose, name, surfaces[name], found)
            elif table == "shafts" and len(stations) > 1:
                start, axis = np.asarray(said["position"]), np.asarray(said["orientation"])[:, 2]
                placed = [
                    replace(one, place=float((np.asarray(said["stations"][one.body]["position"]) - start) @ axis))
                    for one in stations
                ]
                found.shafts[name] = sorted(placed, key=lambda one: one.place or 0.0)
            else:
                mean = StationMotion(
                    name,
                    np.mean([s.shift for s in stations], axis=0),
                    np.mean([s.tilt for s in stations], axis=0),
                    None,
                )
                by_name[name] = mean
    for name, one in by_name.items():
        if name in found.poses:
            found.rigid[name] = one
            found.poses[name] = moved_pose(found.poses[name], one.shift, one.tilt, times)
    return displaced_parts(state, found, times)


def _surface(
    state: MachineState, pose: OperatingPose, name: str, moved: FloatArray, found: Displacements
) -> FloatArray:
    """Displacements of the points of a drawn flexible body, corners and edges, in the axes of its part."""
    body = next(body for body in state.head["bodies"] if body["name"] == name)
    part = body["parts"][0]
    shape = state.head["shapes"][part["shape"]]
    corners = np.asarray(state.array(shape["position"])).reshape(-1, 3)
    edges = np.asarray(state.array(shape["edge"])).reshape(-1, 3) if "edge" in shape else np.zeros((0, 3))
    x, R = found.poses[name]
    axes = R @ np.asarray(part["rotation"])
    at = x + R @ np.asarray(part["position"])
    points = np.concatenate([corners, edges]) @ axes.T + at
    return np.asarray(moved[_nearest(pose.surfaces[name][0], points)] @ axes)


def _nearest(known: FloatArray, wanted: FloatArray) -> NDArray[np.int64]:
    """Numbers of the known points next to other points."""
    from scipy.spatial import cKDTree

    return np.asarray(cKDTree(known).query(wanted)[1], dtype=np.int64)
