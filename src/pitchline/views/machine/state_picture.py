"""plot_state: a machine at one state as a solid, shaded picture."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError, shown
from pitchline.files.triangles import FloatArray
from pitchline.gears.inputs import positive
from pitchline.results.flank_contact import FlankContact
from pitchline.views import style
from pitchline.views.labels import scaled_unit
from pitchline.views.machine.arrow_parts import arrow_parts
from pitchline.views.machine.first_view import camera_for
from pitchline.views.machine.flank_pressure import contacts_by_pair, pressure_patches
from pitchline.views.machine.selection import chosen_parts, cleared, focused_area, see_through
from pitchline.views.machine.solid_parts import SolidPart, largest_displacement, poses_of, solid_parts
from pitchline.views.machine.state_source import MachineState, state_of
from pitchline.views.solid_picture import show
from pitchline.views.solid_scene import Camera, DrawnSurface

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.model import Model
    from pitchline.results import Result

__all__ = ["nice_factor", "plot_state", "scene_size"]

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
