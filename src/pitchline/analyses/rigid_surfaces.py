"""Rigid contact of flanks of any shape, at any position of the axes.

Gear A has the angle φ_A, gear B its ideal angle. Gear B turns by the least γ over all points of all teeth of A until the
first two flanks touch (`contact.surface_gap`): e = r_bB (min γ − γ_0), with the play γ_0 of ideal gears.
"""

from __future__ import annotations

import numpy as np

from ..contact.surface_pair import LeastGaps, SurfacePair
from ..errors import ModelError
from ..fem.elastic_gear import ElasticGear
from ..gears import Gear
from ..gears.inputs import in_mm, whole
from ..gears.teeth import RigidContact, Teeth
from ..gears.teeth.arrays import FloatArray, IntArray
from .contact_warnings import jam_warning
from .surface_gears import SurfaceGears

__all__ = ["rigid_surfaces"]

_WHAT = "rigid contact"


def rigid_surfaces(
    gears: SurfaceGears, *, side: str, positions: object, pitches: object, strips: object, start: float
) -> RigidContact:
    """Contact of two rigid gears with flanks of any shape; arguments as in `rigid_contact`."""
    each = whole(positions, f"{_WHAT}: positions")
    count = each * whole(pitches, f"{_WHAT}: pitches")
    lines = whole(strips, f"{_WHAT}: strips", at_least=3)
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


def _measures(gears: SurfaceGears, pair: SurfacePair):  # type: ignore[no-untyped-def]
    """Height of places (u, v) of A [m], its length along the face [m], least and greatest height, and their name."""
    teeth = gears.a.teeth if isinstance(gears.a, ElasticGear) else gears.a
    patch = pair.patch_a
    if isinstance(teeth, Gear) and not teeth.cone_angle:
        teeth = Teeth(teeth)
    if isinstance(teeth, Teeth):
        base = teeth.flank(pair.side).involute.base_radius

        def roll_length(u: FloatArray, v: FloatArray) -> FloatArray:
            p = patch.point(u, v)
            return np.sqrt(np.maximum(p[..., 0] ** 2 + p[..., 1] ** 2 - base**2, 0.0))

        ends = sorted(float(roll_length(np.array(u), np.array(0.5))) for u in (0.0, 1.0))
        return roll_length, teeth.gear.required_face_width(_WHAT), (ends[0], ends[1]), "roll length"
    across, along = patch.lengths

    def height(u: FloatArray, v: FloatArray) -> FloatArray:
        return np.asarray(u * across)

    return height, along, (0.0, across), "height"


def _refuse(pair: SurfacePair, phase: FloatArray, touching: np.ndarray) -> None:
    where = float(phase[np.argmin(touching)])
    x = pair.pose.position
    raise ModelError(
        f"{_WHAT}: no teeth touch in {np.count_nonzero(~touching)} of {len(phase)} positions, the first one at the phase "
        f"{where:.4g}. The centre of gear B is at ({', '.join(in_mm(float(c)) for c in x)}) from that of A. Check contact ratio, "
        "tip diameters, face widths and the position of the gears"
        + ("; a rack ends after its last tooth" if not isinstance(pair.b.gear, Gear) else "")
    )
