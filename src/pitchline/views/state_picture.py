"""`plot_state` and `machine_picture`: a machine at one state as a solid, shaded picture."""

from __future__ import annotations

import fnmatch
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError, near_names, shown
from pitchline.parts.contact.results_flank import FlankContact
from pitchline.parts.gears.geometry.inputs import positive
from pitchline.parts.gears.triangles import Triangles
from pitchline.solids.rotations import z_to

from . import style
from .flank_pressure import (
    Pose,
    SolidPart,
    contacts_by_pair,
    largest_displacement,
    poses_of,
    pressure_patches,
    solid_parts,
)
from .scheme.drawing import plot_scheme
from .scheme.scene import read_scene
from .solid_picture import Camera, DrawnSurface, PictureArea, area_around, rgb, show
from .state_source import MachineState, state_of
from .style import scaled_unit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.model.model import Model
    from pitchline.results.result import Result

__all__ = [
    "arrow_parts",
    "camera_for",
    "first_view",
    "chosen_parts",
    "cleared",
    "focused_area",
    "see_through",
    "nice_factor",
    "plot_state",
    "scene_size",
    "is_shown_solid",
    "machine_picture",
]


# ---- arrow parts

# Forces and moments of a state as arrows in a solid picture, with their values.

_COLOURS = {"force": "#c0392b", "moment": "#8e44ad", "torque": "#8e44ad"}
_LONGEST, _THIN = 0.3, 0.006
"""Length of the largest arrow and radius of its shaft, relative to the size of the machine."""
_AROUND = 20


def arrow_parts(
    state: MachineState, poses: dict[str, Pose], names: str | Sequence[str], size: float
) -> tuple[list[SolidPart], list[str]]:
    """Arrows of forces and moments by the names of their signals, such as "foundation.force", and their values as texts.

    Lengths are in proportion to the values, for forces and for moments separately.
    """
    wanted = [names] if isinstance(names, str) else list(names)
    known = {entry["name"]: entry for entry in state.head["arrows"]}
    found: list[tuple[dict[str, Any], FloatArray, FloatArray]] = []
    for name in wanted:
        chosen = [key for key in known if isinstance(name, str) and fnmatch.fnmatchcase(key, name)]
        if not chosen:
            raise PitchlineError(f"picture: there is no arrow {shown(name)}; {near_names(str(name), known)}")
        for key in chosen:
            at, vector = _arrow(state, poses, known[key])
            if np.isfinite(vector).all() and vector.any():
                found.append((known[key], at, vector))
    largest: dict[str, float] = {}
    for entry, _, vector in found:
        largest[entry["unit"]] = max(largest.get(entry["unit"], 0.0), float(np.linalg.norm(vector)))
    parts, texts = [], []
    for entry, at, vector in found:
        value = float(np.linalg.norm(vector))
        length = _LONGEST * size * value / largest[entry["unit"]]
        surface = _surface(length, _THIN * size, twice=entry["unit"] != "N").moved(z_to(vector / value), at)
        colour = rgb(_COLOURS["force" if entry["unit"] == "N" else "moment"])
        parts.append(SolidPart(entry["name"], entry["on"], "arrow", surface, colour))
        factor, unit = scaled_unit(entry["unit"], value)
        texts.append(f"{entry['name']} {factor * value:.4g} {unit}")
    return parts, texts


def _arrow(state: MachineState, poses: dict[str, Pose], entry: dict[str, Any]) -> tuple[FloatArray, FloatArray]:
    """Origin and vector in the world."""
    here = (np.zeros(3), np.eye(3))

    def place(said: dict[str, Any]) -> FloatArray:
        x, R = poses.get(said["body"], here)
        return np.asarray(x + R @ np.asarray(said["position"], dtype=np.float64))

    at = state.row(entry["point"]) if "point" in entry else place(entry["at"])
    if "vector" in entry:
        return at, state.row(entry["vector"])
    value = float(np.asarray(state.row(entry["value"])).reshape(-1)[0])
    if "along" in entry:
        _, R = poses.get(entry["along"]["body"], here)
        return at, value * (R @ np.asarray(entry["along"]["direction"], dtype=np.float64))
    span = place(entry["to"]) - place(entry["from"])
    return at, value * span / max(float(np.linalg.norm(span)), 1e-300)


def _surface(length: float, radius: float, *, twice: bool) -> Triangles:
    """Arrow along z from the origin; with two heads for moments."""
    head = min(8.0 * radius, 0.45 * length)
    profile = [(0.0, 0.0), (radius, 0.0), (radius, length - head)]
    if twice:
        middle = length - 0.5 * head
        profile += [(2.6 * radius, length - head), (1.3 * radius, middle), (2.6 * radius, middle), (0.0, length)]
    else:
        profile += [(2.6 * radius, length - head), (0.0, length)]
    angle = 2.0 * np.pi * np.arange(_AROUND) / _AROUND
    rings = [np.stack([r * np.cos(angle), r * np.sin(angle), np.full(_AROUND, z)], axis=1) for r, z in profile]
    triangles = []
    for k in range(len(profile) - 1):
        for i in range(_AROUND):
            a, b = k * _AROUND + i, k * _AROUND + (i + 1) % _AROUND
            triangles += [(a, b, b + _AROUND), (a, b + _AROUND, a + _AROUND)]
    return Triangles(np.concatenate(rings), np.asarray(triangles, dtype=np.int64))


# ---- first view

# The direction from which a machine is drawn: the same as the first view of the viewer.
#
# Upwards is against gravity. Without gravity, long shafts lie horizontally and flat gears are seen from above.

_TURNING = ("gear", "shaft", "bearing", "coupling")
_FLAT, _THIN_first_view = 0.75, 0.45
_LONG, _FACE, _ABOVE = (0.55, -0.75, 0.5), (0.92, -0.34, 0.3), (0.55, -0.75, 0.6)
_SIDES = {"x": (1.0, 0.0, 0.0), "y": (0.0, -1.0, 0.0), "z": (0.0, 0.0, 1.0)}
_UP = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def camera_for(
    view: object,
    up: str | None,
    state: MachineState,
    parts: Sequence[SolidPart],
    towards: FloatArray | None = None,
) -> Camera:
    """Return the camera of a view: "corner", an axis such as "x" or "-x", or (azimuth, elevation) in degrees.

    towards: direction from which the picture should be seen if possible; by default that of the teeth of bevel gears.
    """
    back, upwards = first_view(state, parts, towards)
    if up is not None:
        if up not in _UP:
            raise PitchlineError(f'picture: up must be "x", "y" or "z", got {shown(up)}')
        upwards = np.array(_UP[up])
    if isinstance(view, str):
        if view == "corner":
            level = back - (back @ upwards) * upwards
            if up is not None and float(np.linalg.norm(level)) < 0.2:
                along, across = _square(upwards)
                back = _ABOVE[0] * along + _ABOVE[1] * across + _ABOVE[2] * upwards
            return Camera.facing(back, upwards)
        axis, sign = view.removeprefix("-"), -1.0 if view.startswith("-") else 1.0
        if axis not in _SIDES:
            raise PitchlineError(
                f'picture: view must be "corner", "x", "y", "z", "-x", "-y", "-z" or (azimuth, elevation) in degrees, '
                f"got {shown(view)}"
            )
        back = sign * np.array(_SIDES[axis])
        return Camera.facing(back, _square(upwards)[1] if abs(back @ upwards) > 0.999 else upwards)
    return Camera.about(view, upwards)


def first_view(
    state: MachineState, parts: Sequence[SolidPart], towards: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the directions to the eye and upwards."""
    points = np.concatenate([part.surface.points for part in parts])
    axis = _common(parts)
    if axis is None:
        axis = _thin(points)
    flat = axis is None or _spread(points, axis) < _FLAT * max(_spread(points, v) for v in _square(axis))
    gravity = np.asarray(state.head.get("gravity") or (0.0, 0.0, 0.0), dtype=np.float64)
    if gravity.any():
        up = -gravity / np.linalg.norm(gravity)
    elif axis is not None and abs(axis[2]) > 0.9 and not flat:
        up = np.array([0.0, 1.0, 0.0])
    else:
        up = np.array([0.0, 0.0, 1.0])
    lying = axis is not None and abs(float(axis @ up)) < 0.3
    if lying and axis is not None:
        along = axis - (axis @ up) * up
        along = along / np.linalg.norm(along)
    else:
        along = _square(up)[0]
    across = np.cross(up, along)
    i, j, k = (_FACE if flat else _LONG) if lying else _ABOVE
    best: FloatArray | None = None
    seen = _teeth(state, parts) if towards is None else towards
    for a, b in ((1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)):
        back = a * i * along + b * j * across + k * up
        if best is None or seen @ back > seen @ best + 1e-6:
            best = back
    assert best is not None
    return best / np.linalg.norm(best), up


def _square(v: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two directions square to one and to each other."""
    x, y, z = np.abs(v)
    first = np.array([1.0, 0.0, 0.0] if z >= x and z >= y else [0.0, 0.0, 1.0] if y >= x else [0.0, 1.0, 0.0])
    first = first - (first @ v) * v
    first /= np.linalg.norm(first)
    return first, np.cross(v, first)


def _spread(points: FloatArray, v: FloatArray) -> float:
    return float(np.ptp(points @ v))


def _common(parts: Sequence[SolidPart]) -> FloatArray | None:
    """The direction about which nearly all gears, shafts and bearings turn; None if there is none."""
    axes = np.array([part.axis for part in parts if part.kind in _TURNING and part.axis is not None])
    for axis in axes[:8]:
        if (np.abs(axes @ axis) > 0.98).sum() >= 0.8 * len(axes):
            x, y, z = np.abs(axis)
            largest = axis[2] if z >= x and z >= y else axis[1] if y >= x else axis[0]
            return np.asarray(axis * np.sign(largest))
    return None


def _thin(points: FloatArray) -> FloatArray | None:
    """The normal of a mechanism that lies in a plane; None for others."""
    axes = np.eye(3)[[2, 1, 0]]
    sizes = np.array([_spread(points, v) for v in axes])
    for k in range(3):
        if all(sizes[k] < _THIN_first_view * other for i, other in enumerate(sizes) if i != k):
            return np.asarray(axes[k])
    return None


def _teeth(state: MachineState, parts: Sequence[SolidPart]) -> FloatArray:
    """If the axes of most pairs cross: the sum of the directions in which the larger gears show their teeth."""
    gears = {part.name: part for part in parts if part.kind == "gear" and part.axis is not None}
    total, crossed = np.zeros(3), 0
    pairs = state.head["pairs"]
    for pair in pairs:
        a, b = gears.get(pair["wheel_a"]), gears.get(pair["wheel_b"])
        if a is None or b is None or abs(_axis(a) @ _axis(b)) > 0.9:
            continue
        crossed += 1
        small, large = (b, a) if _radius(a) > _radius(b) else (a, b)
        side = float((small.surface.points.mean(axis=0) - large.surface.points.mean(axis=0)) @ _axis(large))
        if abs(side) > 0.2 * _radius(small):
            total += np.sign(side) * _axis(large)
    return total if 2 * crossed >= len(pairs) else np.zeros(3)


def _axis(part: SolidPart) -> FloatArray:
    assert part.axis is not None
    return part.axis


def _radius(part: SolidPart) -> float:
    assert part.pose is not None
    local = (part.surface.points - part.pose[0]) @ part.pose[1]
    return float(np.hypot(local[:, 0], local[:, 1]).max())


# ---- selection

# Parts of a picture chosen by names and patterns.

_SEEN_THROUGH = 0.25


def _names(given: str | Sequence[str], parts: Sequence[SolidPart], what: str) -> list[str]:
    """Names and patterns, each of which must fit some part."""
    wanted = [given] if isinstance(given, str) else list(given)
    known = sorted({name for part in parts for name in (part.name, part.body)})
    for name in wanted:
        if not isinstance(name, str) or not fnmatch.filter(known, name):
            raise PitchlineError(f"picture: {what}: there is no part {shown(name)}; {near_names(str(name), known)}")
    return wanted


def _matches(part: SolidPart, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for name in (part.name, part.body) for pattern in patterns)


def chosen_parts(parts: list[SolidPart], hide: str | Sequence[str]) -> list[SolidPart]:
    patterns = _names(hide, parts, "hide")
    return [part for part in parts if not _matches(part, patterns)]


def see_through(parts: list[SolidPart], names: str | Sequence[str]) -> list[SolidPart]:
    patterns = _names(names, parts, "transparent")
    return [cleared(part) if _matches(part, patterns) else part for part in parts]


def cleared(part: SolidPart) -> SolidPart:
    return replace(part, opacity=min(part.opacity, _SEEN_THROUGH))


def focused_area(name: str, state: MachineState, parts: Sequence[SolidPart], camera: Camera) -> PictureArea:
    """Return the area of a picture that a gear pair, a body or a part fills."""
    pairs = {pair["name"]: (pair["wheel_a"], pair["wheel_b"]) for pair in state.head["pairs"]}
    if name not in pairs:
        patterns = _names(name, parts, "focus")
        return area_around(np.concatenate([p.surface.points for p in parts if _matches(p, patterns)]), camera)
    clouds = [part.surface.points for part in parts if part.kind in ("gear", "rack") and part.name in pairs[name]]
    if len(clouds) < 2:
        raise PitchlineError(f"picture: focus: gear pair {shown(name)} has no two drawn gears")
    a, b = sorted(clouds, key=lambda points: float(np.ptp(points, axis=0).max()))[:2]
    # around the point of the smaller gear that is nearest to the other gear, with about half of the smaller gear
    far = np.linalg.norm(a[:, None] - b[:: max(1, len(b) // 2000)][None], axis=2).min(axis=1)
    middle = a[far <= np.quantile(far, 0.02)].mean(axis=0) @ camera.axes[:2].T
    half = 0.55 * float(np.ptp(a, axis=0).max())
    return PictureArea(middle[0] - half, middle[0] + half, middle[1] - 0.75 * half, middle[1] + 0.75 * half)


_RED = (0.8, 0.2, 0.1)
_LARGEST = 1.0 / 25.0
"""Of the size of the machine: how large the largest displacement is drawn."""


@names_wrong_arguments
def plot_state(
    machine: Result | Model | Mapping[str, Any],
    t: object = None,
    *,
    scale: float | str = 1.0,
    view: Sequence[float] | str = "corner",
    up: str | None = None,
    hide: str | Sequence[str] = (),
    transparent: str | Sequence[str] = (),
    focus: str | None = None,
    contact: object = None,
    colour_by: str | None = None,
    along: bool = False,
    arrows: str | Sequence[str] = (),
    model: Model | None = None,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
) -> Figure:
    """Draw a machine at one state as a solid, shaded picture; return the matplotlib figure.

    The picture shows the same parts as the viewer: gears with their teeth, shafts, bearings with their rolling elements,
    carriers, housings, couplings, springs and dampers.

    Parameters
    ----------
    machine
        A result, a model, or the data of its `describe()`. A model is drawn as built.
    t
        Time, [s] or with a unit such as "20 ms". The sample next to it is drawn, by default the last sample. A time outside
        the record is an error.
    scale
        Factor of the displacements of elastic shafts, beams and flexible bodies. "auto": the largest displacement is
        drawn as about a 25th of the size of the machine.
    view, up
        "corner": from above at an angle, as the viewer does at first. "x", "y", "z", "-x", "-y", "-z": from this
        direction. (azimuth, elevation) in degrees: as in `plot_gears`. up: the axis of the world that points upwards,
        "x", "y" or "z"; by default against gravity.
    hide, transparent
        Names of bodies or parts that are left out, or drawn see-through. Patterns such as "housing*" are allowed.
    focus
        Name of a gear pair, a body or a part that fills the picture; by default everything is shown.
    contact
        Result of `loaded_contact` or `flank_contact`, or a dict of such results by gear pair: contact pressure is painted
        on the flanks that carry load. Of a loaded contact it is the largest pressure of a mesh cycle, at the load that is
        next to the force of this state, times the root of the ratio of both forces; edges of teeth are left out of the
        colour scale. Of a flank contact the patches of this position are painted on the first gear, and the second
        gear is see-through.
    colour_by
        "displacement": elastic parts are coloured by their displacement.
    along
        Whether displacements along the axes of shafts are magnified and count as displacement.
    arrows
        Names of force and moment signals that are drawn as arrows where they act, such as "foundation.force" or "mesh.*". Moments
        have two heads. The values are in the heading.
    model
        The model from which the result was computed. It contains the deformation shapes of its flexible bodies.
    path, title, width
        File to save the picture to (.png, .svg, .pdf), heading ("" for none), and width [inches].
    """
    if colour_by not in (None, "displacement"):
        raise PitchlineError(f'picture: colour_by must be None or "displacement", got {shown(colour_by)}')
    if contact is not None and colour_by is not None:
        raise PitchlineError("picture: specify contact or colour_by, not both: a picture has one colour bar")
    state = state_of(machine, t, model=model)
    built = chosen_parts(solid_parts(state, along=along), hide)
    if not built:
        raise PitchlineError(f'picture: model "{state.name}" has no parts to draw')
    factor = read_factor(scale, largest_displacement(state, along=along), scene_size(built))
    parts = built if factor == 1.0 else chosen_parts(solid_parts(state, scale=factor, along=along), hide)
    parts = see_through(parts, transparent)
    heading = _heading(state, factor) if title is None else title
    drawn: list[SolidPart] = []
    if arrows:
        drawn, texts = arrow_parts(state, poses_of(state), arrows, scene_size(built))
        parts = [*parts, *drawn]
        heading = "\n".join([heading, *texts])
    bar: dict[str, Any] = {"span": None, "label": ""}
    painted, towards = [], None
    values: dict[int, FloatArray] = {}
    if contact is not None:
        contacts = contacts_by_pair(state, contact)
        patchy = [name for name, found in contacts.items() if isinstance(found, FlankContact)]
        wheels = {state.model["gear_pairs"][name]["wheel_b"] for name in patchy}
        parts = [cleared(part) if part.kind == "gear" and part.name in wheels else part for part in parts]
        patches, largest = pressure_patches(state, parts, contacts)
        top = largest or 1.0
        bar = {"span": (0.0, 1e-6 * top), "label": "contact pressure (MPa)", "colours": "YlOrRd"}
        if not patchy:
            bar["label"] = "peak contact pressure (MPa)"
        painted = [DrawnSurface(s, _RED, (p / top)[s.triangles], edges=0.0) for s, p in patches]
        if patchy and patches:  # patches are seen from the side of their flanks
            towards = np.sum([s.face_normals.sum(axis=0) for s, _ in patches], axis=0)
    elif colour_by == "displacement":
        values, bar = displacement_colours(parts, state.name)
    camera = camera_for(view, up, state, built, towards)
    area = None if focus is None else focused_area(focus, state, parts, camera)
    return show_parts(
        parts,
        camera,
        values=values,
        painted=painted,
        overlay=[
            *(painted if towards is not None else ()),
            *(DrawnSurface(a.surface, a.colour, edges=0.0) for a in drawn),
        ],
        area=area,
        path=path,
        title=heading,
        width=width,
        **bar,
    )


def displacement_colours(parts: Sequence[SolidPart], name: str) -> tuple[dict[int, FloatArray], dict[str, Any]]:
    """Return values 0 to 1 of the displacements of parts that are not see-through, by id, and their colour bar."""
    moved = {id(part): part.motion for part in parts if part.motion is not None and part.opacity > 0.5}
    top = max((float(motion.max(initial=0.0)) for motion in moved.values()), default=0.0)
    if not top > 0.0:
        raise PitchlineError(
            f'picture: no part of model "{name}" has a displacement at this state. Leave out colour_by'
        )
    factor, unit = scaled_unit("m", top)
    return {k: m / top for k, m in moved.items()}, {"span": (0.0, factor * top), "label": f"displacement ({unit})"}


def show_parts(
    parts: Sequence[SolidPart],
    camera: Camera,
    *,
    values: dict[int, FloatArray],
    painted: Sequence[DrawnSurface] = (),
    overlay: Sequence[DrawnSurface] = (),
    **more: Any,
) -> Figure:
    """Draw parts: opaque ones first, then see-through ones over them. values: 0 to 1 at the points of parts, by their id."""
    solid: list[DrawnSurface] = list(painted)
    shells: dict[float, list[DrawnSurface]] = {}
    for part in parts:
        own = values.get(id(part))
        drawn = DrawnSurface(
            part.surface, part.colour, None if own is None else own[part.surface.triangles], edges=0.75, edge_part=0.45
        )
        if part.opacity > 0.97:
            solid.append(drawn)
        else:
            shells.setdefault(round(max(part.opacity, 0.05), 1) or 0.1, []).append(drawn)
    everything = np.concatenate([part.surface.points for part in parts])
    size = float(np.ptp(everything, axis=0).max())
    return show(
        solid,
        [],
        camera,
        reach=0.03 * size,
        shells=sorted(shells.items()),
        around=everything,
        overlay=overlay,
        clear_marks=True,
        **more,
    )


def _heading(state: MachineState, factor: float) -> str:
    when = "" if state.time is None else f" at {_time(state.time)}"
    times = "" if factor == 1.0 else f", displacements drawn {factor:.3g} times"
    return f"{state.name}{when}{times}"


def _time(t: float) -> str:
    return f"{t:.4g} s" if abs(t) >= 1.0 or t == 0.0 else f"{1e3 * t:.4g} ms"


def read_factor(scale: object, largest: float, size: float) -> float:
    """Return the factor of displacements; "auto" makes the largest displacement [m] visible on a machine of a size [m]."""
    if isinstance(scale, str) and scale == "auto":
        return nice_factor(_LARGEST * size / largest) if largest > 0.0 else 1.0
    if isinstance(scale, str):
        raise PitchlineError(f'picture: scale must be a number or "auto", got {shown(scale)}')
    return positive(scale, "number", "picture: scale")


def nice_factor(value: float) -> float:
    """Return the largest of 1, 2, 5, 10, 20, ... that does not exceed a value; at least 1."""
    if not value > 1.0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return max(step * power for step in (1.0, 2.0, 5.0) if step * power <= value * (1.0 + 1e-12))


def scene_size(parts: Sequence[SolidPart]) -> float:
    """Return the longest side of the box around all parts [m]."""
    return float(np.ptp(np.concatenate([part.surface.points for part in parts]), axis=0).max())


# ---- chosen picture

# machine_picture: the picture that shows a machine best.

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
    from pitchline.results.result import Result

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
