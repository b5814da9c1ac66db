"""Whether the axes and centres of two gears are where their pitch geometry needs them, for each kind of pair.

Each function takes the pair, the vector x_AB from centre to centre [m] and the axes of both gears (columns of R_a,
R_b), and returns

* the pitch geometry with the signs of the actual axes,
* the mesh triad [μ] (3, 3),
* ζ_A and ζ_B [m], how far along its own z each gear has the pitch point.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..errors import ModelError
from ..solids.vectors import crossed
from .gear import Gear
from .inputs import in_deg, in_mm
from .pitch import Array, PitchGeometry
from .placement import mesh_triad
from .rack import Rack

if TYPE_CHECKING:
    from .pair import GearPair

__all__ = ["AXES_TOLERANCE", "DISTANCE_TOLERANCE", "cone_axes", "crossed_axes", "parallel_axes", "rack_axes"]

AXES_TOLERANCE = 2e-3
"""Axes may be off their nominal directions by this [rad]: about 0.1 deg. More is a mistake, not a misalignment."""
DISTANCE_TOLERANCE = 0.02
"""Centres may be off their nominal places by this, in units of m_n."""

Found = tuple[PitchGeometry, Array, float, float]


def _flip_b(pitch: PitchGeometry, needed: Array, z_b: Array) -> PitchGeometry:
    """Sign of B's axis that agrees with the required direction ξ1. A cylinder may have either direction."""
    return replace(pitch, axis_sign_b=1.0 if needed @ z_b >= 0.0 else -1.0)


def _angle(a: Array, b: Array) -> float:
    across = crossed(a, b)
    return math.atan2(math.sqrt(across.dot(across)), float(a @ b))


def _check_face(gear: Gear | Rack, zeta: float, wheel: str, what: str) -> None:
    if gear.face_width is not None and abs(zeta) > 0.5 * gear.face_width * (1.0 + 1e-9):
        raise ModelError(
            f"{what}: the pitch point lies {in_mm(abs(zeta))} along the axis from the centre of wheel {wheel}, outside "
            f"its face of {in_mm(gear.face_width)} width. Move the wheels along their axes",
            about=what,
        )


def _check_distance(found: float, pitch: PitchGeometry, what: str) -> None:
    if abs(found - pitch.axis_distance) > DISTANCE_TOLERANCE * pitch.normal_module:
        raise ModelError(
            f"{what}: the axes are {in_mm(found)} apart, but the pitch geometry requires {in_mm(pitch.axis_distance)}. Move "
            f"a wheel by {in_mm(abs(found - pitch.axis_distance))}, or specify this centre_distance for the "
            "pair, if its type allows it",
            about=what,
        )


# ------------------------------------------------------------------------------------------------------ kind by kind


def parallel_axes(pair: GearPair, x_ab: Array, R_a: Array, R_b: Array) -> Found:
    """Cylindrical wheels on parallel axes, either way round, anywhere along them as long as the faces meet."""
    pitch, what = pair.pitch, pair.what
    z_a, z_b = R_a[:, 2], R_b[:, 2]
    tilt = _angle(z_a, z_b)
    if min(tilt, math.pi - tilt) > AXES_TOLERANCE:
        hint = " (crossed axes need helix angles that add to their angle)" if pair.kind != "internal" else ""
        raise ModelError(
            f"{what}: the axes are at {in_deg(min(tilt, math.pi - tilt))}, but those of a {pair.kind} pair are parallel, "
            f"at 0 deg. Rotate a wheel{hint}",
            about=what,
        )
    axial = float(x_ab @ z_a)
    across = x_ab - axial * z_a
    _check_distance(float(np.linalg.norm(across)), pitch, what)
    # From a pinion the pitch point lies away from the centre of the internal wheel round it: side is negative.
    side = pitch.radius_a - pitch.Z[1, 1] * pitch.radius_b
    mesh = mesh_triad(pitch.axis_sign_a * z_a, math.copysign(1.0, side) * across, what)
    pitch = _flip_b(pitch, mesh @ pitch.Z[:, 0], z_b)
    zeta_a = _middle(pair.a, pair.b, axial, what)
    zeta_b = (zeta_a - axial) * math.copysign(1.0, float(z_a @ z_b))
    return pitch, mesh, zeta_a, zeta_b


def _middle(a: Gear, b: Gear | Rack, axial: float, what: str) -> float:
    """Where along the z of A the shared part of the faces has its middle [m]; 0 where a width is not known."""
    if a.face_width is None or b.face_width is None:
        return 0.0
    low = max(-0.5 * a.face_width, axial - 0.5 * b.face_width)
    high = min(0.5 * a.face_width, axial + 0.5 * b.face_width)
    if low >= high:
        raise ModelError(
            f"{what}: the faces do not overlap: widths {in_mm(a.face_width)} and {in_mm(b.face_width)}, centres "
            f"{in_mm(abs(axial))} apart along the axis. Move a wheel along its axis",
            about=what,
        )
    middle = 0.5 * (low + high)
    return middle if abs(middle) > 1e-12 * a.face_width else 0.0


def crossed_axes(pair: GearPair, x_ab: Array, R_a: Array, R_b: Array) -> Found:
    """Cylindrical wheels on crossed axes: the pitch point is on the common perpendicular."""
    pitch, what = pair.pitch, pair.what
    z_a, z_b = R_a[:, 2], R_b[:, 2]
    tilt = _angle(z_a, z_b)
    lines = min(tilt, math.pi - tilt)
    sigma = min(pitch.shaft_angle, math.pi - pitch.shaft_angle)
    if abs(lines - sigma) > AXES_TOLERANCE:
        raise ModelError(
            f"{what}: the axes are at {in_deg(lines)}, but the helix angles of the {pair.kind} pair require {in_deg(sigma)}. "
            "Rotate a wheel, or change the helix angles",
            about=what,
        )
    # Feet of the common perpendicular: x_ab = ζ_A z_A + n − ζ_B z_B with n normal to both axes.
    c = float(z_a @ z_b)
    p, q = float(x_ab @ z_a), float(x_ab @ z_b)
    zeta_a, zeta_b = (p - c * q) / (1.0 - c * c), (c * p - q) / (1.0 - c * c)
    across = x_ab - zeta_a * z_a + zeta_b * z_b
    _check_distance(float(np.linalg.norm(across)), pitch, what)
    mesh = mesh_triad(pitch.axis_sign_a * z_a, across, what)
    needed = mesh @ pitch.Z[:, 0]
    pitch = _flip_b(pitch, needed, z_b)
    wrong = _angle(needed, pitch.axis_sign_b * z_b)
    if wrong > AXES_TOLERANCE:
        raise ModelError(
            f"{what}: the axes cross in the opposite direction: seen from wheel A towards B, the axis of B is turned "
            f"counterclockwise by {in_deg(_turn(mesh, z_b))}, but the hands of the wheels require "
            f"{in_deg(_turn(mesh, needed))}. Put wheel B on the other side of A, or change the hand of both wheels",
            about=what,
        )
    _check_face(pair.a, zeta_a, "A", what)
    _check_face(pair.b, zeta_b, "B", what)
    return pitch, mesh, zeta_a, zeta_b


def _turn(mesh: Array, axis: Array) -> float:
    """The angle from μ1 to a line [rad], from −90 to 90 deg, counterclockwise for who looks along μ2."""
    angle = math.atan2(float(axis @ mesh[:, 2]), float(axis @ mesh[:, 0]))
    return math.remainder(angle, math.pi)


def cone_axes(pair: GearPair, x_ab: Array, R_a: Array, R_b: Array) -> Found:
    """Bevel and hypoid gears: check axes, centres and the direction of each z axis, which follows from the sign of "
    "the cone angle."""
    pitch, what = pair.pitch, pair.what
    mu1, xi1 = pitch.axis_sign_a * R_a[:, 2], pitch.axis_sign_b * R_b[:, 2]
    misfit, mesh = _fit_cones(pitch, x_ab, mu1, xi1)
    if misfit > 0.2:
        _check_sense(pair, x_ab, mu1, xi1)
    sigma = _angle(mu1, xi1)
    if abs(sigma - pitch.shaft_angle) > AXES_TOLERANCE:
        raise ModelError(
            f"{what}: the axes, both from the apex to the teeth, are at {in_deg(sigma)}, but cone and spiral angles of "
            f"the {pair.kind} pair give {in_deg(pitch.shaft_angle)}. Rotate a wheel, or change the cone angles",
            about=what,
        )
    nominal = mesh @ pitch.centre
    off = float(np.linalg.norm(nominal - x_ab))
    if off > DISTANCE_TOLERANCE * pitch.normal_module:
        raise ModelError(
            f"{what}: the centre of wheel B is at {_vector_text(x_ab)} from that of A. With pitch cones in contact it "
            f"is at {_vector_text(nominal)}, {in_mm(off)} away; {_centres(pitch)}",
            about=what,
        )
    needed = mesh @ pitch.Z[:, 0]
    wrong = _angle(needed, xi1)
    if wrong > AXES_TOLERANCE:
        raise ModelError(
            f"{what}: the axis of wheel B points along {_direction_text(pitch.axis_sign_b * xi1)}, but the pitch geometry "
            f"requires {_direction_text(pitch.axis_sign_b * needed)}, {in_deg(wrong)} away. Rotate wheel B, or place it "
            "with GearPair.place",
            about=what,
        )
    return pitch, mesh, 0.0, 0.0


def _centres(pitch: PitchGeometry) -> str:
    if not pitch.gamma_a:
        return "the middles of the faces of conical involute gears must be opposite to each other"
    apart = [
        in_mm(r / math.tan(gamma)) for r, gamma in ((pitch.radius_a, pitch.gamma_a), (pitch.radius_b, pitch.gamma_b))
    ]
    return f"the centre of a bevel wheel is that of its mean pitch circle, {apart[0]} and {apart[1]} from the apex"


def _check_sense(pair: GearPair, x_ab: Array, mu1: Array, xi1: Array) -> None:
    """Whether the wheels would fit with one axis or both the other way round."""
    for sign_a, sign_b in ((1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)):
        if _fit_cones(pair.pitch, x_ab, sign_a * mu1, sign_b * xi1)[0] > 0.02:
            continue
        if pair.kind == "beveloid":
            raise ModelError(
                f"{pair.what}: the z axis of {'wheel A' if sign_a < 0.0 else 'wheel B'} points in the wrong "
                "direction for its profile "
                "shift angle. Reverse the wheel, or change the sign of the angle"
            )
        wheels = [(name, gear) for name, gear, sign in (("A", pair.a, sign_a), ("B", pair.b, sign_b)) if sign < 0.0]
        texts = []
        for name, gear in wheels:
            cone = gear.cone_angle if isinstance(gear, Gear) else 0.0
            is_, says = ("to", "away from") if cone > 0.0 else ("away from", "to")
            texts.append(
                f"the z axis of wheel {name} points {is_} the apex, but its cone angle {in_deg(cone)} requires {says} it"
            )
        raise ModelError(f"{pair.what}: {'; '.join(texts)}. Reverse the wheel, or change the sign of the cone angle")


def _fit_cones(pitch: PitchGeometry, x_ab: Array, mu1: Array, xi1: Array) -> tuple[float, Array]:
    """How badly centre and axis of B fit, as a pure number, and the mesh triad that fits them best.

    At engagement the parts of x_AB and ξ1 across μ1 are (a − i b) t and (Z21 + i Z31) t, with a = r_A − Z22 r_B, b =
    Z32 r_B and t = μ2 as complex numbers in the plane across μ1.
    """
    Z, largest = pitch.Z, max(pitch.radius_a, pitch.radius_b)
    start = np.cross(mu1, np.eye(3)[int(np.argmin(np.abs(mu1)))])
    e = start / np.linalg.norm(start)
    f = np.cross(mu1, e)
    w = complex(x_ab @ e, x_ab @ f)
    axis = complex(xi1 @ e, xi1 @ f)
    a, b = pitch.radius_a - Z[1, 1] * pitch.radius_b, Z[2, 1] * pitch.radius_b
    # The centre says where the pitch point is, unless it lies on the axis of A, as for crown wheels: then the axis
    # of B does.
    centred = math.hypot(a, b) < 0.05 * largest
    t = complex(Z[1, 0], -Z[2, 0]) * axis if centred else complex(a, b) * w
    t = t / abs(t) if t else 1.0 + 0.0j
    mu2 = t.real * e + t.imag * f
    mesh = np.column_stack([mu1, mu2, np.cross(mu1, mu2)])
    misfit = float(np.linalg.norm(mesh @ pitch.centre - x_ab)) / largest + float(np.linalg.norm(mesh @ Z[:, 0] - xi1))
    return misfit, mesh


def rack_axes(pair: GearPair, x_ab: Array, R_a: Array, R_b: Array) -> Found:
    """A pinion anywhere along its rack."""
    pitch, what = pair.pitch, pair.what
    z_a, out = R_a[:, 2], R_b[:, 0]
    flat = abs(math.asin(min(1.0, max(-1.0, float(z_a @ out)))))
    if flat > AXES_TOLERANCE:
        raise ModelError(
            f"{what}: the axis of the pinion is at {in_deg(flat)} to the reference plane of the rack, but it must be in "
            "this plane, at 0 deg. Rotate one of them",
            about=what,
        )
    found = -float(x_ab @ out)
    _check_distance(found, pitch, what)
    # ξ2 is the rack's x and μ2 its reverse; the pinion's axis may be either way round.
    mu2 = -out
    for sign in (1.0, -1.0):
        mu1 = sign * z_a
        mesh = np.column_stack([mu1, mu2, np.cross(mu1, mu2)])
        if _angle(mesh @ pitch.Z[:, 0], R_b[:, 2]) <= AXES_TOLERANCE:
            pitch = replace(pitch, axis_sign_a=sign)
            break
    else:
        tilt = _angle(z_a, R_b[:, 2])
        raise ModelError(
            f"{what}: the axis of the pinion is at {in_deg(min(tilt, math.pi - tilt))} to the z axis of the rack, but the "
            f"helix angles require {in_deg(pitch.shaft_angle)}"
            + (", in the direction of their hands" if pitch.shaft_angle > AXES_TOLERANCE else "")
            + "; turn one"
        )
    along = float(x_ab @ z_a) if pitch.shaft_angle < AXES_TOLERANCE else 0.0
    zeta_a = _middle(pair.a, pair.b, along, what) if pitch.shaft_angle < AXES_TOLERANCE else 0.0
    zeta_b = float((zeta_a * z_a - x_ab) @ R_b[:, 2])
    middle = 0.5 * pair.b.transverse_pitch if isinstance(pair.b, Rack) and pair.b.teeth % 2 == 0 else 0.0
    beside = abs(float(x_ab @ R_b[:, 1]) + middle)
    if isinstance(pair.b, Rack) and beside > 0.5 * (pair.b.length + pair.b.transverse_pitch):
        raise ModelError(
            f"{what}: the pinion is {in_mm(beside)} along the rack from its middle, beyond its {pair.b.teeth} "
            f"teeth of {in_mm(pair.b.length)} length. Move it, or use a rack with more teeth",
            about=what,
        )
    return pitch, mesh, zeta_a, zeta_b


def _vector_text(v: Array) -> str:
    return "(" + ", ".join(f"{1e3 * x:.6g}" for x in v) + ") mm"


def _direction_text(v: Array) -> str:
    return "(" + ", ".join(f"{x:.5g}" for x in v) + ")"
