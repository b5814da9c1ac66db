"""Shaded pictures of gears in mesh from the surfaces of their teeth, with their contact lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, PitchlineError, shown
from pitchline.results.result import Result
from pitchline.results.signal import Signal
from pitchline.views import style
from pitchline.views.solid_picture import GEAR_COLOURS, Camera, DrawnSurface, Line, PictureArea, area_around, rgb, show
from pitchline.views.style import axis_label, canvas, quantity_text, scaled_unit

from ..contact.drawing import contact_thickness
from ..meshes.results import ToothPairForce, gear_pair_with_forces, tooth_pair_forces
from .geometry.gear import Gear
from .geometry.inputs import positive
from .geometry.pair import GearPair
from .geometry.placement import Placement
from .solid_surface import GearSurface, gear_surface, teeth_of
from .teeth.bevel import BevelTeeth
from .teeth.rigid_contact import place_teeth, rigid_contact, turned
from .teeth.teeth import Teeth
from .triangles import Triangles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["FlankField", "gears_in_mesh", "plot_gears", "plot_tooth_pairs"]


FlankField = Callable[[str, FloatArray, FloatArray, IntArray], npt.ArrayLike]
"""(side, roll length L [m], face coordinate ζ [m], tooth) -> values; arrays of one shape. NaN: no colour."""

_LINE = rgb("#C00000")


def gears_in_mesh(
    a: Teeth | BevelTeeth,
    b: Teeth | BevelTeeth,
    *,
    phase: float = 0.0,
    centre_distance: object = None,
    side: str = "left",
    pair: GearPair | None = None,
) -> tuple[Placement, Placement]:
    """Return the poses of both gears in the axes of the first at rest, after a rotation of the first by `phase` pitches.

    The flanks of the first on `side` touch those of the second. The gears may be on parallel or crossed axes, bevel gears,
    or conical involute gears on the axes that follow from their common rack. pair: their arrangement, if centre
    distance and kind do not define it.
    """
    if side not in ("left", "right"):
        raise ModelError(f'gears in mesh: side is "left" or "right", got {shown(side)}')
    angle = phase * a.gear.angular_pitch
    R_a = turned(angle)
    pose_a = Placement(np.zeros(3), R_a)
    conical = any(isinstance(t, Teeth) and t.profile_shift_angle for t in (a, b))
    if isinstance(a, Teeth) and isinstance(b, Teeth) and conical:
        rest, play = place_teeth(a, b, centre_distance)
        turn = -angle * a.gear.teeth / b.gear.teeth  # both external, their axes about parallel
        sense = -1.0
        R_b, x_b = rest.rotation @ turned(turn), rest.position
    else:
        pair = GearPair(a.gear, b.gear, centre_distance=centre_distance) if pair is None else pair
        placed = pair.place(rotation=R_a, towards=(1.0, 0.0, 0.0))
        R_b, x_b = placed.rotation, placed.position
        play, sense = 0.0, 0.0
        if pair.kind.parallel:
            play = 0.5 * pair.circumferential_backlash / pair.pitch.radius_b
            same = float(R_b[2, 2]) > 0.0
            sense = (-1.0 if same else 1.0) * a.gear.sense * b.gear.sense
    # gear B stands in the middle of its play: it turns until its flanks touch those of A that push it
    push = 1.0 if side == "left" else -1.0
    return pose_a, Placement(x_b, R_b @ turned(-sense * push * play))


@names_wrong_arguments
def plot_gears(
    a: Gear | Teeth | BevelTeeth | GearPair,
    b: Gear | Teeth | BevelTeeth | None = None,
    *,
    phase: float = 0.0,
    side: str = "left",
    centre_distance: object = None,
    contact_lines: bool = False,
    thickness: object = None,
    values: FlankField | Sequence[FlankField | None] | None = None,
    label: str = "",
    limits: tuple[float, float] | None = None,
    see_through: float | None = None,
    close_up: object = None,
    view: Sequence[float] = (28.0, 22.0),
    up: str = "y",
    profile_points: int = 16,
    face_points: int | None = None,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
) -> Figure:
    """Draw a gear, or a pair of gears in mesh, as a shaded picture; return the matplotlib figure.

    Parameters
    ----------
    a, b
        Gears or teeth on parallel axes, bevels, or conical involute gears; or only a `GearPair`, also for
        crossed axes. Tooth surfaces of spiral bevel gears, hypoid gears and racks are not available.
    phase
        Rotation of gear A in pitches, from the position with a tooth on the line of centres.
    side, centre_distance
        The flank of A in contact, and the distance of parallel axes [m]; by default that without backlash.
    contact_lines, thickness
        Whether to draw the lines on gear A along which the rigid flanks are closer than a thickness [m], by default the
        contact lines, or 6.5 µm if flanks are modified. For parallel axes and conical gears.
    values, label, limits
        A field on the flanks of gear A to colour them by (or two fields, of A and B): a function of side ("left",
        "right"), roll length [m], face coordinate [m] and tooth that returns values, NaN for none; the text at the
        colour bar; the values at its ends.
    see_through
        How transparent gear B is, from 0 to 1; 0.75 with contact lines or values, else 0.
    close_up
        Width [m] of what is shown around the pitch point, in place of everything.
    view, up
        (azimuth, elevation) of the eye [deg]: (0, 0) looks along the axis of A; and the axis of A that points upwards.
        The second gear is on the x axis of the first.
    profile_points, face_points
        Points along involutes and face. More of them show fields that change fast.
    path, title, width
        File to save the picture to (.png, .svg, .pdf), heading ("" for none), and width [inches].
    """
    pair = a if isinstance(a, GearPair) else None
    if isinstance(a, GearPair):
        if b is not None or centre_distance is not None:
            raise PitchlineError(
                "picture: a GearPair has both gears and their distance; leave b and centre_distance out"
            )
        a, b, centre_distance = _gears_of(a)
    first = teeth_of(a, "picture: gear A")
    gears = [first] if b is None else [first, teeth_of(b, "picture: gear B")]
    fields = list(values) if isinstance(values, Sequence) else [values, None]
    camera = Camera.of(view, up)
    if see_through is None:
        see_through = 0.75 if contact_lines or values is not None else 0.0
    if not 0.0 <= see_through <= 1.0:
        raise PitchlineError(f"picture: see_through is from 0 to 1, got {shown(see_through)}")
    poses = [Placement(np.zeros(3), turned(phase * first.gear.angular_pitch))]
    if len(gears) == 2:
        poses = list(gears_in_mesh(*gears, phase=phase, centre_distance=centre_distance, side=side, pair=pair))
    lines: list[Line] = []
    if contact_lines:
        lines = _contact_lines(gears, poses[0], phase, side, centre_distance, thickness)
    surfaces = [gear_surface(gear, profile_points=profile_points, face_points=face_points) for gear in gears]
    colour_of = [_flank_values(s, f) for s, f in zip(surfaces, fields, strict=False)]
    span = _span(colour_of, limits)
    bodies = [
        DrawnSurface(surface.moved(pose.rotation, pose.position), colour, _between(found, span), edges=0.9)
        for surface, pose, colour, found in zip(surfaces, poses, GEAR_COLOURS, colour_of, strict=False)
    ]
    area = area_around(np.concatenate([body.surface.points for body in bodies]), camera)
    if close_up is not None:
        area = _close(gears, poses, camera, positive(close_up, "length", "picture: close_up"))
    heading = _heading(gears) if title is None else title
    reach = 1.6 * max(gear.gear.normal_module for gear in gears)
    return show(
        bodies, lines, camera, reach=reach, span=span, label=label, path=path, title=heading, width=width, area=area,
        behind=bodies[:1] if len(bodies) == 2 else (), veil=see_through,
    )  # fmt: skip


def _gears_of(pair: GearPair) -> tuple[Gear, Gear, float | None]:
    """Both gears, and the centre distance of parallel axes."""
    if not isinstance(pair.b, Gear):
        raise PitchlineError("picture: a rack has no tooth surfaces here; draw only the pinion")
    return pair.a, pair.b, pair.centre_distance if pair.kind.parallel else None


def _heading(gears: Sequence[Teeth | BevelTeeth]) -> str:
    numbers = " and ".join(f"{gear.gear.teeth}{' internal' if gear.gear.internal else ''}" for gear in gears)
    return f"{numbers} teeth, normal module {1e3 * gears[0].gear.normal_module:.4g} mm"


def _close(gears: Sequence[Teeth | BevelTeeth], poses: Sequence[Placement], camera: Camera, size: float) -> PictureArea:
    """Around the pitch point: on the x axis of A, which is that of its tooth 0 for a single gear."""
    gear = gears[0].gear
    radius = 0.5 * gear.reference_diameter
    if len(gears) == 2 and isinstance(gears[0], Teeth) and abs(float(poses[1].rotation[2, 2])) > 1.0 - 1e-9:
        distance = float(np.linalg.norm(poses[1].position))
        other = gears[1].gear
        radius = distance * gear.teeth / abs(other.teeth * gear.sense * other.sense + gear.teeth)
    x, y = camera.axes[:2, 0] * radius
    return PictureArea(x - 0.5 * size, x + 0.5 * size, y - 0.36 * size, y + 0.36 * size)


def _contact_lines(
    gears: Sequence[Teeth | BevelTeeth], pose: Placement, phase: float, side: str, distance: object, thickness: object
) -> list[Line]:
    """Lines on the flanks of A at their place."""
    if len(gears) != 2 or not all(isinstance(gear, Teeth) for gear in gears):
        raise PitchlineError("picture: contact lines need two gears on parallel axes, or conical involute gears")
    a, b = gears
    assert isinstance(a, Teeth) and isinstance(b, Teeth)
    within = contact_thickness(a, b, thickness)
    run = rigid_contact(a, b, centre_distance=distance, side=side, positions=1, strips=81, start=phase)
    found = []
    for number, L, gap in zip(run.teeth[0], run.strip_roll_length[0], run.strip_gap[0], strict=True):
        near = gap <= within
        if not near.any():
            continue
        points = a.flank(side).point(np.where(near, L, a.flank(side).range.form), run.faces, number)
        points[~near] = np.nan
        found.append(Line(points @ pose.rotation.T, _LINE, width=3.0))
    return found


def _flank_values(surface: Triangles, field: FlankField | None) -> FloatArray | None:
    """(t, 3) values at the corners of all triangles, NaN away from the flanks."""
    if field is None:
        return None
    if not isinstance(surface, GearSurface) or surface.flanks is None:
        raise PitchlineError("picture: values need a gear with flanks")
    found = np.full((len(surface.triangles), 3), np.nan)
    at = np.full(len(surface.points), np.nan)
    for side, flank in surface.flanks.items():
        shape = flank.points.shape
        L, z = np.broadcast_to(flank.length, shape), np.broadcast_to(flank.face, shape)
        tooth = np.broadcast_to(np.arange(shape[0])[:, None, None], shape)
        at[flank.points] = np.asarray(field(side, L, z, tooth), dtype=np.float64)
        found[flank.triangles] = at[surface.triangles[flank.triangles]]
    return found


def _span(fields: Sequence[FloatArray | None], limits: tuple[float, float] | None) -> tuple[float, float] | None:
    given = [field for field in fields if field is not None and np.isfinite(field).any()]
    if not given:
        return None
    low = min(float(np.nanmin(field)) for field in given) if limits is None else float(limits[0])
    high = max(float(np.nanmax(field)) for field in given) if limits is None else float(limits[1])
    return (low, high) if high > low else (low, low + max(abs(low), 1.0))


def _between(field: FloatArray | None, span: tuple[float, float] | None) -> FloatArray | None:
    return None if field is None or span is None else (field - span[0]) / (span[1] - span[0])


# ---- tooth pairs

# Force of each tooth pair over time, with further signals below.


@names_wrong_arguments
def plot_tooth_pairs(
    result: Result,
    *names: str,
    pair: str | None = None,
    path: str | Path | None = None,
    start: float | str | None = None,
    end: float | str | None = None,
    others: Mapping[str, Result] | None = None,
    label: str = "computed",
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 2.6,
) -> Figure:
    """Draw the normal force of each tooth pair over time, with their sum in grey; return the matplotlib figure.

    names:        further signals, one panel each
    pair:         the gear pair, if several have a mesh with `Flank`
    start, end:   part of the record to show, s or text such as "5 ms"
    others:       results of the same pair by label, drawn with dashed lines behind; the same tooth pairs have the same colours
    label:        of this result, if there are others
    """
    mesh = gear_pair_with_forces(result, pair)
    beside = dict(others or {})
    total = _part(result[f"{mesh}.contact_force"], start, end)
    first, last = float(total.time[0]), float(total.time[-1])
    further = [_part(signal, start, end) for signal in (result.select(*names) if names else [])]
    factor, unit = scaled_unit("s", max(abs(first), abs(last)))
    scale, force_unit = scaled_unit("N", float(np.max(total.values, initial=0.0)))
    heading = f"{result.model_name}: tooth pairs of {mesh}" if title is None else title
    with canvas(panels=1 + len(further), path=path, title=heading, width=width, panel_height=panel_height) as c:
        above = c.axes[0]
        passages = tooth_pair_forces(result, mesh)
        every = [passages, *(tooth_pair_forces(other, mesh) for other in beside.values())]
        for k, forces in reversed(list(enumerate(every))):
            for passage in forces:
                inside = (passage.time >= first) & (passage.time <= last)
                t, f = factor * passage.time[inside], scale * np.abs(passage.force[inside])
                above.plot(t, f, color=f"C{_same_passage(passage, passages) % 10}", **style.overlay_style(k))
        for k, (text, one) in reversed(list(enumerate({label: result, **beside}.items()))):
            sum_of_all = _part(one[f"{mesh}.contact_force"], start, end)
            named = f"all pairs, {text}" if beside else "all pairs"
            look = style.overlay_style(k) | {"linewidth": 0.6}
            above.plot(factor * sum_of_all.time, scale * sum_of_all.values, color="0.3", label=named, **look)
        above.set(ylabel=axis_label("normal force", force_unit))
        if beside:
            above.legend(loc="lower right", bbox_to_anchor=(1.0, 1.02), ncols=1 + len(beside), reverse=True)
        else:
            above.legend(loc="lower right")
        for ax, signal in zip(c.axes[1:], further, strict=True):
            _draw(
                ax, signal, factor, {text: _part(one[signal.name], start, end) for text, one in beside.items()}, label
            )
        c.axes[-1].set_xlabel(axis_label("time", unit))
    return c.figure


def _same_passage(one: ToothPairForce, passages: Sequence[ToothPairForce]) -> int:
    """Number of the passage of the same tooth at the same time."""
    if not passages:
        return 0
    shared = [
        min(one.time[-1], other.time[-1]) - max(one.time[0], other.time[0]) if one.index == other.index else -np.inf
        for other in passages
    ]
    return int(np.argmax(shared)) if max(shared) > -np.inf else len(passages)


def _part(signal: Signal, start: float | str | None, end: float | str | None) -> Signal:
    if start is None and end is None:
        return signal
    return signal.between(signal.time[0] if start is None else start, signal.time[-1] if end is None else end)


def _draw(ax: Axes, signal: Signal, factor: float, others: Mapping[str, Signal], label: str) -> None:
    scale, unit = scaled_unit(signal.unit, float(np.max(np.abs(signal.values), initial=0.0)))
    for k, (text, one) in reversed(list(enumerate({label: signal, **others}.items()))):
        lines = ax.plot(factor * one.time, scale * one.values, **style.overlay_style(k))
        for i, line in enumerate(lines):
            line.set_color(f"C{i}" if one.components else f"C{k}")
            named = [one.components[i]] if one.components else []
            line.set_label(", ".join([*named, *([text] if others else [])]))
    if others:
        ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.02), ncols=4, reverse=True)
    elif signal.components:
        ax.legend()
    ax.set_title(signal.name, loc="left")
    ax.set_ylabel(axis_label(quantity_text([signal.name], signal.unit), unit))
