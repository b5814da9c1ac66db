"""Rigid contact of flanks of any shape, at any position of the axes.

Gear A has the angle φ_A, gear B its ideal angle. Gear B turns by the least γ over all points of all teeth of A until the
first two flanks touch (`contact.surface_gap`): e = r_bB (min γ − γ_0), with the play γ_0 of ideal gears.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray, IntArray
from pitchline.contact.flank_data import mesh_pose
from pitchline.contact.surface_strips import LeastGaps, SurfacePair
from pitchline.errors import ModelError, shown
from pitchline.fem.elastic_gear import ElasticGear
from pitchline.model.model import Model

from ..flexible.part import FlexibleBody
from ..gears.analysis_contact import AnyTeeth, SurfaceGears, closed_form, contact_gears, surface_gears
from ..gears.geometry.gear import Gear
from ..gears.geometry.inputs import in_mm, number, whole
from ..gears.geometry.pair import GearPair
from ..gears.geometry.placement import AssemblyErrors
from ..gears.teeth.rigid_contact import RigidContact
from ..gears.teeth.rigid_contact import rigid_contact as contact_of_teeth
from ..gears.teeth.teeth import Teeth
from .loaded_contact import jam_warning
from .results import SurfaceShapes, SurfaceShare

if TYPE_CHECKING:
    from pitchline.analyses.operating_point import OperatingPoint

__all__ = ["rigid_surfaces", "rigid_contact", "surface_motion", "surface_points"]


_SURFACES = "rigid contact"


def rigid_surfaces(
    gears: SurfaceGears, *, side: str, positions: object, pitches: object, strips: object, start: float
) -> RigidContact:
    """Contact of two rigid gears with flanks of any shape; arguments as in `rigid_contact`."""
    each = whole(positions, f"{_SURFACES}: positions")
    count = each * whole(pitches, f"{_SURFACES}: pitches")
    lines = whole(strips, f"{_SURFACES}: strips", at_least=3)
    pair = gears.contact(side)
    phase = start + np.arange(count) / each
    gear = pair.a.gear
    assert isinstance(gear, Gear)
    angle = phase * gear.angular_pitch
    teeth = pair.least_of_teeth(angle[:, None], pair.teeth_a)
    touching = np.isfinite(teeth.gap.min(axis=1))
    if not touching.all():
        _refuse(pair, phase, touching)
    row = np.arange(count)
    first = np.argmin(teeth.gap, axis=1)
    best, at = teeth.gap[row, first], teeth.at[row, first]
    u, v = teeth.u[row, first], teeth.v[row, first]

    numbers = _near(teeth, pair.teeth_a)
    each_line = np.linspace(0.0, 1.0, lines)
    known = numbers >= 0
    found = pair.least_on_lines(angle[:, None, None], np.where(known, numbers, 0)[:, :, None], each_line)
    met = np.isfinite(found.gap) & known[:, :, None]
    apart = np.where(met, (found.gap - best[:, None, None]) * found.at["lever_b"], np.nan)
    height, width, limits, measured = _measures(gears, pair)
    return RigidContact(
        angle=angle,
        phase=phase,
        transmission_error=gears.lever * (best - gears.play),
        roll_length=height(u, v),
        face=(v - 0.5) * width,
        tooth_a=pair.teeth_a[first],
        tooth_b=np.asarray(at["tooth"]),
        faces=(each_line - 0.5) * width,
        teeth=np.where(known, numbers, 0),
        strip_roll_length=np.where(met, height(found.u, np.broadcast_to(each_line, found.u.shape)), np.nan),
        strip_gap=np.maximum(apart, 0.0),
        flank_limits=limits,
        side=side,
        measured=measured,
        place_a=np.stack([u, v], axis=-1),
        place_b=np.stack([at["u"], at["v"]], axis=-1),
        point=np.array(at["point"]),
        normal=np.array(at["normal"]),
        warnings=jam_warning(gears),
    )


def _near(teeth: LeastGaps, numbers: IntArray) -> IntArray:
    """(n, t): numbers of the teeth of A that face B in each position; −1 where there are less."""
    faces = np.isfinite(teeth.gap)
    most = int(faces.sum(axis=1).max())
    found = np.full((len(faces), most), -1, dtype=np.int64)
    for row, own in zip(found, faces, strict=True):
        row[: own.sum()] = numbers[own]
    return found


def _measures(gears: SurfaceGears, pair: SurfacePair):
    """Height of places (u, v) of A [m], its length along the face [m], least and greatest height, and their name."""
    teeth = gears.a.teeth if isinstance(gears.a, ElasticGear) else gears.a
    patch = pair.patch_a
    if isinstance(teeth, Gear) and not teeth.cone_angle and teeth.flanks is None:
        teeth = Teeth(teeth)
    if isinstance(teeth, Teeth):
        base = teeth.flank(pair.side).involute.base_radius

        def roll_length(u: FloatArray, v: FloatArray) -> FloatArray:
            p = patch.point(u, v)
            return np.sqrt(np.maximum(p[..., 0] ** 2 + p[..., 1] ** 2 - base**2, 0.0))

        ends = sorted(float(roll_length(np.array(u), np.array(0.5))) for u in (0.0, 1.0))
        return roll_length, teeth.gear.required_face_width(_SURFACES), (ends[0], ends[1]), "roll length"
    across, along = patch.lengths

    def height(u: FloatArray, v: FloatArray) -> FloatArray:
        return np.asarray(u * across)

    return height, along, (0.0, across), "height"


def _refuse(pair: SurfacePair, phase: FloatArray, touching: np.ndarray) -> None:
    where = float(phase[np.argmin(touching)])
    x = pair.pose.position
    raise ModelError(
        f"{_SURFACES}: no teeth touch in {np.count_nonzero(~touching)} of {len(phase)} positions, the first one at the phase "
        f"{where:.4g}. The centre of gear B is at ({', '.join(in_mm(float(c)) for c in x)}) from that of A. Check contact ratio, "
        "tip diameters, face widths and the position of the gears"
        + ("; a rack ends after its last tooth" if not isinstance(pair.b.gear, Gear) else "")
    )


# ---- rigid contact

# Rigid tooth contact of two gears, of a pair, or of two wheels of a model.

_WHAT = "rigid contact"


@names_wrong_arguments
def rigid_contact(
    a: AnyTeeth | ElasticGear | GearPair | Model,
    b: AnyTeeth | ElasticGear | str | None = None,
    *,
    centre_distance: object = None,
    shaft_angle: object = None,
    errors: AssemblyErrors | Mapping[str, object] | None = None,
    side: str = "left",
    positions: object = 32,
    pitches: object = 1,
    strips: object = 15,
    start: object = 0.0,
) -> RigidContact:
    """Compute the contact of two rigid gears: transmission error, contact point, contact pattern.

    Parameters
    ----------
    a, b
        The gears: a `Gear` with its modifications, `Teeth`, `BevelTeeth` or `SurfaceTeeth`; b may be a `Rack`. All kinds of
        pairs: parallel, crossed and intersecting axes, internal gears, racks. Flanks of spiral bevel, hypoid and worm gears
        are `SurfaceTeeth` (`Teeth.from_points`, `Teeth.from_surface`). Or one `GearPair`. Or a model and the name of a gear
        pair: its position is then that of its initial pose.
    centre_distance
        Distance between the axes [m], as in `GearPair`; default for parallel axes: the distance without backlash.
    shaft_angle
        Angle between the axes [rad], as in `GearPair`; required for crossed axes.
    errors
        Errors of the position of gear B, `AssemblyErrors(offset=..., axial_a=..., axial_b=..., shaft_angle=...)`, or a table of
        them.
    side
        Flank of gear A in contact. With "left", a driving gear A rotates in the positive direction.
    positions, pitches
        Number of positions per pitch, and number of pitches of gear A. If teeth have pitch errors, z_B pitches include every
        tooth of gear B.
    strips
        Number of sections along the face of gear A; the smallest gap is then refined between them.
    start
        Angle φ_A of the first position, in pitches.
    """
    if side not in ("left", "right"):
        raise ModelError(f'{_WHAT}: side must be "left" or "right", got {shown(side)}')
    first = number(start, f"{_WHAT}: start")
    if errors is not None or shaft_angle is not None or not closed_form(a, b):
        general = surface_gears(a, b, _WHAT, centre_distance=centre_distance, shaft_angle=shaft_angle, errors=errors)
        return rigid_surfaces(general, side=side, positions=positions, pitches=pitches, strips=strips, start=first)
    gears = contact_gears(a, b, _WHAT, centre_distance=centre_distance)
    teeth = gears.teeth
    options: dict[str, Any] = {"side": side, "positions": positions, "pitches": pitches, "strips": strips}
    if not (gears.face_offset or gears.deviation or gears.inclination):
        return contact_of_teeth(*teeth, centre_distance=gears.centre_distance, start=first, **options)
    assert gears.pitch_point is not None
    pose = mesh_pose(
        *teeth, side, centre_distance=gears.centre_distance, deviation=gears.deviation, inclination=gears.inclination,
        face_offset=gears.face_offset,
    )  # fmt: skip
    first += gears.start / teeth[0].gear.angular_pitch
    found = contact_of_teeth(*teeth, start=first, placed=(pose.placement, pose.play), **options)
    return replace(found, transmission_error=found.transmission_error + pose.closing_at_pitch_point(gears.pitch_point))


# ---- surface motion

# Surfaces of flexible bodies at an operating point, and their motion in small motions.


def _axes(point: OperatingPoint, body: FlexibleBody) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Origin and axes of a flexible body, as its first interface carries them; numbers of its interfaces among the bodies."""
    names = [plan.body.name for plan in point.system.nodes]
    numbers = [names.index(station.name) for station in body.stations.values()]
    poses, turned, element = point.system.kinematics(point.state), point.rotations(), body.superelement
    first = numbers[0]
    R = turned[first] @ element.axes[0].T
    x = poses["x"][1 + first] - turned[first] @ point.system.nodes[first].offset
    return x - R @ element.positions[0], R, numbers


def _with_surface(point: OperatingPoint) -> dict[str, FlexibleBody]:
    return {name: body for name, body in point.model.flexible_bodies.items() if len(body.superelement.triangles)}


def surface_points(point: OperatingPoint) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Points (p, 3) in the world [m] and triangles (t, 3) of every flexible body that has a surface."""
    found = {}
    for name, body in _with_surface(point).items():
        x, R, _ = _axes(point, body)
        found[name] = (x + body.superelement.points @ R.T, np.asarray(body.superelement.triangles, np.int64))
    return found


def surface_motion(point: OperatingPoint, X: np.ndarray) -> Mapping[str, np.ndarray]:
    """Motion (m, p, 3) of the points of these surfaces in fixed axes, for motions X (n, m); computed on first use."""
    bodies = _with_surface(point)
    if not bodies:
        return {}
    moved, turned = point.body_motion(X.astype(complex)), point.rotations()
    own = dict(point.system.own.with_mass(point.system.elements))
    found = {}
    for name, body in bodies.items():
        _, R, numbers = _axes(point, body)
        parts = [np.einsum("ji,ajm->aim", turned[k], moved[k].reshape(2, 3, -1)).reshape(6, -1) for k in numbers]
        modes = X[own[f"{name}.modes"]] if f"{name}.modes" in own else np.zeros((0, X.shape[1]))
        q = np.concatenate([*parts, modes])  # interfaces in their own axes, then modes
        found[name] = SurfaceShare(body.superelement.shapes, q, R)
    return SurfaceShapes(found)
