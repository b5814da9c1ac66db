"""plot_deformed: shafts, gears and bearings of a result in space, their displacements magnified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.errors import PitchlineError
from pitchline.files.triangles import FloatArray, Triangles
from pitchline.views import style
from pitchline.views.labels import scaled_unit
from pitchline.views.solid_picture import show
from pitchline.views.solid_scene import Camera, DrawnSurface, mixed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.results import Result
    from pitchline.results.shaft_line import ShaftLine

__all__ = ["plot_deformed"]

_AROUND = 48
"""Corners of a circle."""
_RING = mixed("#4D4D4D", "#FFFFFF", 0.55)
_STEEL = (0.72, 0.75, 0.79)


def plot_deformed(
    result: Result,
    *,
    scale: float | None = None,
    sample: int = -1,
    along: bool = False,
    bearings: bool = True,
    view: Sequence[float] = (40.0, 25.0),
    up: str = "y",
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
) -> Figure:
    """Shafts with their gears at one sample of a result, as a shaded picture coloured by their displacement.

    scale:    factor of displacements and tilts; without it the greatest displacement is drawn as a twelfth of the
    longest shaft along:    whether displacements along the shafts count; without it they are left out, as axial play
    would hide the bending sample:   of the result, the last without it bearings: whether to draw rolling bearings and
    bushings of shafts as rings, where they stand without load view, up: (azimuth, elevation) of the eye [deg] and the
    axis of the world that points upwards

    Rotation about the axes is left out: gears are drawn as in the initial pose, moved and tilted.
    """
    from pitchline.model.described_lines import described_line

    names = list(result.model.get("shafts", {}))
    if not names:
        raise PitchlineError("picture of a deformed machine: the model has no shafts")
    lines = {name: _drawn_line(result.shaft(name, sample=sample), along) for name in names}
    longest = max(float(line.place[-1]) for line in lines.values())
    largest = max(float(np.max(np.linalg.norm(line.deflection, axis=1))) for line in lines.values())
    if scale is None:
        scale = longest / 12.0 / largest if largest > 0.0 else 1.0
    parts: list[tuple[Triangles, FloatArray]] = []
    rings: list[Triangles] = []
    for name, line in lines.items():
        made = described_line(result.model, name)
        parts.append(_shaft_surface(line, made, scale))
        parts += _wheels(result, made, line, scale)
        if bearings:
            rings += _rings(result.model, made)
    top = max((float(values.max(initial=0.0)) for _, values in parts), default=0.0)
    factor, unit = scaled_unit("m", top)
    drawn = [
        DrawnSurface(
            surface, _STEEL, (values / (top or 1.0))[surface.triangles], edges=0.7 if surface.edges is not None else 0.0
        )
        for surface, values in parts
    ]
    drawn += [DrawnSurface(ring, _RING, edges=0.7) for ring in rings]
    heading = f"{result.model_name}: displacement, drawn {scale:.3g} times" if title is None else title
    return show(
        drawn, [], Camera.of(view, up), reach=0.03 * longest, span=(0.0, factor * (top or 1.0)), label=f"displacement ({unit})",
        path=path, title=heading, width=width,
    )  # fmt: skip


def _drawn_line(line: ShaftLine, along: bool) -> ShaftLine:
    """The line with displacements across it alone, unless they count along it too."""
    if along:
        return line
    axis = line.axes[:, 2]
    across = line.deflection - np.outer(line.deflection @ axis, axis)
    return replace(line, deflection=across, position=line.position - line.deflection + across)


def _turned(vector: FloatArray) -> FloatArray:
    """Rotation matrix of a rotation vector."""
    angle = float(np.linalg.norm(vector))
    if angle == 0.0:
        return np.eye(3)
    x, y, z = vector / angle
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K)


def _shaft_surface(line: Any, made: Any, scale: float) -> tuple[Triangles, FloatArray]:
    """A tube around the deformed line, with its ends closed, and the displacement at its points."""
    place, radius = _profile(made, line.place)
    rest = line.position - line.deflection
    index = np.array([int(np.argmin(np.abs(line.place - z))) for z in place])
    circle = 2.0 * np.pi * np.arange(_AROUND) / _AROUND
    spokes = np.stack([np.cos(circle), np.sin(circle), np.zeros(_AROUND)], axis=1)
    points, values = [], []
    for k, r in zip(index, radius, strict=True):
        axes = _turned(scale * line.slope[k]) @ line.axes
        points.append(rest[k] + scale * line.deflection[k] + r * spokes @ axes.T)
        values.append(np.full(_AROUND, np.linalg.norm(line.deflection[k])))
    return _tube(np.array(points), closed=False), np.concatenate(values)


def _profile(made: Any, places: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Places and radii of the outline, from a point on the axis to a point on the axis, two at each step."""
    z = [0.0]
    r = [0.0]
    start = 0.0
    for section in made.sections:
        end = start + section.length
        inside = np.unique(np.concatenate([[start, end], places[(places > start) & (places < end)]]))
        for at in inside:
            z.append(float(at))
            r.append(0.5 * section.diameters(float(np.clip((at - start) / section.length, 0.0, 1.0)))[0])
        start = end
    return np.array([*z, start]), np.array([*r, 0.0])


def _tube(rings: FloatArray, *, closed: bool) -> Triangles:
    """A surface through rings of points (k, n, 3); closed: the last ring is followed by the first."""
    count, around, _ = rings.shape
    last = count if closed else count - 1
    i, j = np.meshgrid(np.arange(last), np.arange(around), indexing="ij")
    a, b = i * around + j, i * around + (j + 1) % around
    c, d = ((i + 1) % count) * around + (j + 1) % around, ((i + 1) % count) * around + j
    triangles = np.concatenate(
        [np.stack([a, b, c], axis=-1).reshape(-1, 3), np.stack([a, c, d], axis=-1).reshape(-1, 3)]
    )
    return Triangles(rings.reshape(-1, 3), triangles).smoothed()


def _wheels(result: Result, made: Any, line: Any, scale: float) -> list[tuple[Triangles, FloatArray]]:
    """Gears with their teeth on the stations of a shaft, moved and tilted with them."""
    from pitchline.files.gear_surface import gear_surface
    from pitchline.gears import Gear
    from pitchline.model.described_gears import gear_of

    nodes = {node.body.name: node for node in made.nodes}
    found = []
    for wheel in result.model.get("wheels", {}).values():
        frame = wheel["frame"]
        node = nodes.get(frame["body_name"])
        if node is None:
            continue
        k = int(np.argmin(np.abs(line.place - node.place)))
        shift, tilt = line.deflection[k], line.slope[k]
        at = node.pose[0]
        centre = node.body.to_world(np.asarray(frame["position"], float))
        own = node.body.orientation @ np.asarray(frame["rotation"], float)
        gear = gear_of(wheel["gear"])
        if not isinstance(gear, Gear):
            continue
        try:
            surface = gear_surface(gear, profile_points=8)
        except PitchlineError:  # kinds without tooth surfaces
            continue
        turn = _turned(scale * tilt)
        place = at + scale * shift + turn @ (centre - at)
        moved = surface.moved(turn @ own, place)
        arms = surface.points @ own.T + (centre - at)
        found.append((moved, np.linalg.norm(shift + np.cross(tilt, arms), axis=1)))
    return found


def _rings(model: Mapping[str, Any], made: Any) -> list[Triangles]:
    """Bearings and bushings of a shaft as rings around it."""
    from pitchline.views.shaft_chart import seated

    found = []
    for bearing in seated(model, made)[1]:
        at = made.position + bearing.place * made.orientation[:, 2]
        z, r = (0.5 * bearing.width, bearing.inner), (0.5 * bearing.width, bearing.outer)
        corners = [(-z[0], z[1]), z, r, (-r[0], r[1])]
        circle = 2.0 * np.pi * np.arange(_AROUND) / _AROUND
        rings = [
            at + np.stack([c * np.cos(circle), c * np.sin(circle), np.full(_AROUND, h)], axis=1) @ made.orientation.T
            for h, c in corners
        ]
        found.append(_tube(np.array(rings), closed=True))
    return found
