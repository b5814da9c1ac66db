"""Alignment of the axes of two gears for each kind of pair, and pairs that roll without teeth.

Each function takes the pair, the vector x_AB from centre to centre [m] and the axes of both gears (columns of R_a,
R_b), and returns

* the pitch geometry with the signs of the actual axes,
* the mesh triad [μ] (3, 3),
* ζ_A and ζ_B [m], how far along its own z each gear has the pitch point.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError
from pitchline.solids.rotations import crossed
from pitchline.units.quantity import vector

from .gear import Gear
from .inputs import in_deg, in_mm
from .kinds import Kind, PitchGeometry
from .placement import Placement, axial_rotation, mesh_triad, psi_of, read_rotation
from .rack import Rack

if TYPE_CHECKING:
    from .pair import GearPair

__all__ = [
    "AXES_TOLERANCE",
    "DISTANCE_TOLERANCE",
    "cone_axes",
    "crossed_axes",
    "parallel_axes",
    "rack_axes",
    "Alignment",
    "align",
    "in_phase",
    "RollingPair",
    "rolling_on_rack",
    "rolling_wheels",
    "without_teeth",
]


AXES_TOLERANCE = 2e-3
"""Axes may be off their nominal directions by this [rad]: about 0.1 deg. More is a mistake, not a misalignment."""
DISTANCE_TOLERANCE = 0.02
"""Centres may be off their nominal places by this, in units of m_n."""

Found = tuple[PitchGeometry, FloatArray, float, float]


def _flip_b(pitch: PitchGeometry, needed: FloatArray, z_b: FloatArray) -> PitchGeometry:
    """Sign of B's axis that agrees with the required direction ξ1. A cylinder may have either direction."""
    return replace(pitch, axis_sign_b=1.0 if needed @ z_b >= 0.0 else -1.0)


def _angle(a: FloatArray, b: FloatArray) -> float:
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


def parallel_axes(pair: GearPair, x_ab: FloatArray, R_a: FloatArray, R_b: FloatArray) -> Found:
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


def crossed_axes(pair: GearPair, x_ab: FloatArray, R_a: FloatArray, R_b: FloatArray) -> Found:
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


def _turn(mesh: FloatArray, axis: FloatArray) -> float:
    """The angle from μ1 to a line [rad], from −90 to 90 deg, counterclockwise for who looks along μ2."""
    angle = math.atan2(float(axis @ mesh[:, 2]), float(axis @ mesh[:, 0]))
    return math.remainder(angle, math.pi)


def cone_axes(pair: GearPair, x_ab: FloatArray, R_a: FloatArray, R_b: FloatArray) -> Found:
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


def _check_sense(pair: GearPair, x_ab: FloatArray, mu1: FloatArray, xi1: FloatArray) -> None:
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


def _fit_cones(pitch: PitchGeometry, x_ab: FloatArray, mu1: FloatArray, xi1: FloatArray) -> tuple[float, FloatArray]:
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


def rack_axes(pair: GearPair, x_ab: FloatArray, R_a: FloatArray, R_b: FloatArray) -> Found:
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


def _vector_text(v: FloatArray) -> str:
    return "(" + ", ".join(f"{1e3 * x:.6g}" for x in v) + ") mm"


def _direction_text(v: FloatArray) -> str:
    return "(" + ", ".join(f"{x:.5g}" for x in v) + ")"


# ---- alignment

# Mesh of two gears with given positions: compatibility, pitch point, phase of the teeth.
#
# `placement` computes the position of the second gear. Here both positions are given. Cylindrical wheels need not
# have the middles of their faces at the pitch point: a worm is longer than its thread in contact, and a wide pinion
# may be off the middle of its wheel. A wheel moved by ζ along its own z meshes as before if it is seen from the point
# −ζ z, with the tooth that passes there: turned by −ζ tan β / r about z. So each wheel gets a point and a triad of
# its own, both fixed in the gear.


@dataclass(frozen=True, eq=False)
class Alignment:
    """Two gears in mesh.

    Attributes
    ----------
    pitch : PitchGeometry
        Pitch geometry of the pair, with the signs of the actual axes.
    point_a, point_b : (3,)
        In each gear's own axes [m]: the centre of its pitch circle; (0, 0, 0) where the middles of the faces meet.
        Of a rack: the middle of a space on the pitch line (x_B + R_B point_b + s ξ3 is on it, s being a multiple of
        the pitch).
    triad_a, triad_b : (3, 3)
        In each gear's own axes: M0, second column through a tooth, and X0, second column through a space, at those
        points.
    mesh : (3, 3)
        [μ] at rest: axis of A, towards the pitch point, and their cross product, in the axes the poses are given in.
    psi_a, psi_b : float
        How far the triads are turned from the mesh [rad], from −π to π. Of a rack psi_b is the travel s of the pitch
        point from the middle of the space [m].
    """

    pitch: PitchGeometry
    point_a: FloatArray
    point_b: FloatArray
    triad_a: FloatArray
    triad_b: FloatArray
    mesh: FloatArray
    psi_a: float
    psi_b: float

    @property
    def tooth_offset(self) -> float:
        """u [m]: offset of the teeth of A from the middle of the spaces of B, along η3, from −π m_n/2 to π m_n/2.

        u = (m_n/2)(z_A ψ_A + z_B ψ_B), of a rack m_n z_A ψ_A/2 − s cos β_B, modulo the pitch π m_n.
        """
        p = self.pitch
        other = -self.psi_b * math.cos(p.beta_b) if p.is_rack else 0.5 * p.normal_module * p.teeth_b * self.psi_b
        return math.remainder(0.5 * p.normal_module * p.teeth_a * self.psi_a + other, math.pi * p.normal_module)

    @property
    def turn_b(self) -> float:
        """The smallest turn of B about its own z [rad] that brings the teeth in phase; of a rack: shift along y [m]."""
        p = self.pitch
        if p.is_rack:
            return -self.tooth_offset * p.axis_sign_b / math.cos(p.beta_b)
        return -2.0 * self.tooth_offset * p.axis_sign_b / (p.normal_module * p.teeth_b)


def align(pair: GearPair, position_a: object, rotation_a: object, position_b: object, rotation_b: object) -> Alignment:
    """How the gears of a pair in given poses mesh.

    Positions are those of the gears' centres [m], rotations (3, 3) have the gears' axes as columns; all in one set
    of axes. Raises `ModelError` where axes or centres are not where the pitch geometry needs them.
    """
    what = pair.what
    x_a = vector(position_a, "length", what=f"{what}: position of wheel A")
    x_b = vector(position_b, "length", what=f"{what}: position of wheel B")
    R_a = read_rotation(rotation_a, f"{what}: rotation of wheel A")
    R_b = read_rotation(rotation_b, f"{what}: rotation of wheel B")
    if pair.kind.bevel or pair.kind in ("hypoid", "beveloid"):
        find = cone_axes
    elif isinstance(pair.b, Rack):
        find = rack_axes
    else:
        find = parallel_axes if pair.kind.parallel else crossed_axes
    pitch, mesh, zeta_a, zeta_b = find(pair, x_b - x_a, R_a, R_b)
    point_a, triad_a = _seen_from(zeta_a, pitch.triad_a, pitch.axis_sign_a, pitch.gamma_a, pitch.beta_a, pitch.radius_a)
    psi_a = psi_of(R_a, triad_a, mesh)
    if pitch.is_rack:
        # Along z the space of the rack drifts by −tan β (β positive left-hand).
        c0 = pitch.rack_point + np.array([zeta_b, 0.0, -math.tan(pitch.beta_b) * zeta_b])
        point_b, triad_b = pitch.triad_b @ c0, pitch.triad_b
        contact = R_b.T @ (x_a + R_a @ point_a + pitch.radius_a * mesh[:, 1] - x_b) - point_b
        psi_b = float(triad_b[:, 2] @ contact)
    else:
        point_b, triad_b = _seen_from(
            zeta_b, pitch.triad_b, pitch.axis_sign_b, pitch.gamma_b, pitch.beta_b, pitch.radius_b
        )
        psi_b = psi_of(R_b, triad_b, mesh @ pitch.Z)
    return Alignment(pitch, point_a, point_b, triad_a, triad_b, mesh, psi_a, psi_b)


def _seen_from(
    zeta: float, triad: FloatArray, sign: float, gamma: float, beta: float, radius: float
) -> tuple[FloatArray, FloatArray]:
    """Point and triad of a cylindrical wheel at ζ along its z [m], where teeth are turned by ζ tan β_gear / r."""
    turn = -math.cos(gamma) * math.tan(beta) * zeta * sign / radius if zeta else 0.0
    return np.array([0.0, 0.0, zeta]), triad @ axial_rotation(turn)


# ---- aligned pose

# Pose of the second gear of a pair relative to the first one, in phase, from the poses of both.


def in_phase(
    alignment: Alignment, pose_a: tuple[np.ndarray, np.ndarray], pose_b: tuple[np.ndarray, np.ndarray]
) -> Placement:
    """Pose of gear B in the axes of A, both turned about their own axes so that a tooth of A is in the middle of a space of B at
    the pitch point."""
    (x_a, R_a), (x_b, R_b) = pose_a, pose_b
    pitch = alignment.pitch
    turned_a = R_a @ alignment.triad_a @ axial_rotation(-alignment.psi_a) @ alignment.triad_a.T
    if pitch.is_rack:
        x_b = x_b + alignment.psi_b * (R_b @ alignment.triad_b[:, 2])
        turned_b = R_b
    else:
        turned_b = R_b @ alignment.triad_b @ axial_rotation(-alignment.psi_b) @ alignment.triad_b.T
    return Placement(turned_a.T @ (x_b - x_a), turned_a.T @ turned_b)


# ---- rolling

# Pitch surfaces that roll: cylinders and cones of any two bodies, without teeth.
#
# The geometry of `PitchGeometry` with helix and pressure angle zero: the force acts along the pitch circles. What the teeth
# of gears would decide, the radii, follows here from the ratio and from the positions of the bodies.

_RADII = 1e-3  # relative: centres may be off the apex by this, and the ratio from that of the distances


@dataclass(frozen=True, eq=False)
class RollingPair:
    """Two rolling bodies, in place of a `GearPair`."""

    kind: Kind
    pitch: PitchGeometry
    warnings: tuple[str, ...] = ()

    @property
    def centre_distance(self) -> float:
        """Between the axes [m]."""
        return self.pitch.axis_distance

    @property
    def shaft_angle(self) -> float:
        """Between the axes [rad]."""
        return 0.0 if self.kind.parallel else self.pitch.shaft_angle


def without_teeth(pitch: PitchGeometry) -> PitchGeometry:
    """The same pitch surfaces, rolling: forces along the pitch circles, whatever helix and pressure angle the teeth have."""
    module = 2.0 * pitch.radius_a / pitch.teeth_a
    return replace(pitch, beta_a=0.0, beta_b=0.0, pressure_angle=0.0, normal_module=module)


def rolling_wheels(
    teeth: tuple[int, int],
    internal: bool,
    x_a: FloatArray,
    R_a: FloatArray,
    x_b: FloatArray,
    R_b: FloatArray,
    what: str,
) -> tuple[RollingPair, Alignment]:
    """Two wheels at given positions, with z_a and z_b instead of a ratio."""
    z_a, z_b, x_ab = R_a[:, 2], R_b[:, 2], x_b - x_a
    across = crossed(z_a, z_b)
    tilt = math.atan2(math.sqrt(across.dot(across)), float(z_a @ z_b))
    if min(tilt, math.pi - tilt) <= AXES_TOLERANCE:
        return _cylinders(teeth, internal, x_ab, R_a, R_b, what)
    if internal:
        raise ModelError(
            f"{what}: the axes are at {in_deg(tilt)}, but those of a ring and a wheel are parallel. Rotate a body, "
            "or leave out internal",
            about=what,
        )
    return _cones(teeth, x_ab, R_a, R_b, what)


def _cylinders(
    teeth: tuple[int, int], internal: bool, x_ab: FloatArray, R_a: FloatArray, R_b: FloatArray, what: str
) -> tuple[RollingPair, Alignment]:
    z_a, z_b = R_a[:, 2], R_b[:, 2]
    k = teeth[1] / teeth[0]
    axial = float(x_ab @ z_a)
    across = x_ab - axial * z_a
    apart = float(np.linalg.norm(across))
    if apart == 0.0:
        raise ModelError(
            f"{what}: both wheels are on one axis and cannot roll on each other. Move a centre", about=what
        )
    r_a = apart / abs(1.0 - k) if internal else apart / (1.0 + k)
    ring_a, ring_b = internal and k < 1.0, internal and k > 1.0
    pitch = PitchGeometry(
        radius_a=r_a, radius_b=k * r_a, gamma_a=math.pi if ring_a else 0.0, gamma_b=math.pi if ring_b else 0.0, beta_a=0.0,
        beta_b=0.0, teeth_a=teeth[0], teeth_b=teeth[1], normal_module=2.0 * r_a / teeth[0], pressure_angle=0.0,
        axis_sign_a=-1.0 if ring_a else 1.0,
    )  # fmt: skip
    # the pitch point lies beyond B as seen from a ring A, and away from B as seen from a wheel in a ring B
    mesh = mesh_triad(pitch.axis_sign_a * z_a, -across if ring_b else across, what)
    pitch = replace(pitch, axis_sign_b=1.0 if float((mesh @ pitch.Z[:, 0]) @ z_b) >= 0.0 else -1.0)
    zeta_b = -axial * math.copysign(1.0, float(z_a @ z_b))
    return RollingPair(Kind.INTERNAL if internal else Kind.SPUR, pitch), _aligned(pitch, mesh, R_a, R_b, 0.0, zeta_b)


def _cones(
    teeth: tuple[int, int], x_ab: FloatArray, R_a: FloatArray, R_b: FloatArray, what: str
) -> tuple[RollingPair, Alignment]:
    z_a, z_b = R_a[:, 2], R_b[:, 2]
    normal = np.cross(z_a, z_b)
    sine2 = float(normal @ normal)
    offset = abs(float(x_ab @ normal)) / math.sqrt(sine2)
    # x_ab = s z_a - t z_b: the apex lies s along z_a from A and t along z_b from B
    s, t = float(np.cross(x_ab, z_b) @ normal) / sine2, float(np.cross(x_ab, z_a) @ normal) / sine2
    size = max(abs(s), abs(t))
    if offset > _RADII * size:
        raise ModelError(
            f"{what}: the axes have a distance of {in_mm(offset)}, but the axes of rolling cones intersect. Move a body, or use "
            "gears that slide along their teeth (crossed helical, hypoid) with Rigid() or Elastic(...)",
            about=what,
        )
    if min(abs(s), abs(t)) <= 1e-9 * size:
        raise ModelError(
            f"{what}: the centre of a wheel is at the apex, where its radius is zero. Move it along its axis",
            about=what,
        )
    # axes away from the apex
    sign_a, sign_b = -math.copysign(1.0, s), -math.copysign(1.0, t)
    mu1, xi1 = sign_a * z_a, sign_b * z_b
    sigma = math.atan2(math.sqrt(sine2), float(mu1 @ xi1))
    # the pitch point has the same distance along each axis from the apex as that wheel's centre
    r_a, r_b = float(xi1 @ x_ab) / math.sin(sigma), -float(mu1 @ x_ab) / math.sin(sigma)
    if r_a <= 0.0 or r_b <= 0.0 or abs(r_b / r_a - teeth[1] / teeth[0]) > _RADII * teeth[1] / teeth[0]:
        raise ModelError(
            f"{what}: in this position the cones have the radii {in_mm(r_a)} and {in_mm(r_b)}, the ratio {r_b / r_a:.6g}, but "
            f"the specified ratio is {teeth[1] / teeth[0]:.6g}. Move a centre along its axis, or change the ratio",
            about=what,
        )
    r_b = r_a * teeth[1] / teeth[0]
    gamma_a = math.atan2(r_a, abs(s))
    pitch = PitchGeometry(
        radius_a=r_a, radius_b=r_b, gamma_a=gamma_a, gamma_b=sigma - gamma_a, beta_a=0.0, beta_b=0.0, teeth_a=teeth[0],
        teeth_b=teeth[1], normal_module=2.0 * r_a / teeth[0], pressure_angle=0.0, axis_sign_a=sign_a, axis_sign_b=sign_b,
    )  # fmt: skip
    mesh = mesh_triad(mu1, xi1, what)
    return RollingPair(Kind.STRAIGHT_BEVEL, pitch), _aligned(pitch, mesh, R_a, R_b, 0.0, 0.0)


def rolling_on_rack(
    radius: float, x_a: FloatArray, R_a: FloatArray, x_b: FloatArray, R_b: FloatArray, what: str
) -> tuple[RollingPair, Alignment]:
    """A pinion on a bar that travels along its y axis, its x axis towards the pinion."""
    z_a, out, along = R_a[:, 2], R_b[:, 0], R_b[:, 1]
    if abs(float(z_a @ out)) > AXES_TOLERANCE or abs(float(z_a @ along)) > AXES_TOLERANCE:
        raise ModelError(
            f"{what}: the axis of the pinion must be at right angles to the x axis (towards the pinion) and the y axis (the "
            "travel) of the rack. Rotate a body",
            about=what,
        )
    pitch = PitchGeometry(
        radius_a=radius, radius_b=math.inf, gamma_a=0.0, gamma_b=0.0, beta_a=0.0, beta_b=0.0, teeth_a=1, teeth_b=1,
        normal_module=2.0 * radius, pressure_angle=0.0, axis_sign_b=1.0 if float(z_a @ R_b[:, 2]) >= 0.0 else -1.0,
        rack_offset=float((x_a - x_b) @ out) - radius,
    )  # fmt: skip
    if float((x_a - x_b) @ out) < 0.0:
        raise ModelError(
            f"{what}: the x axis of the rack must point towards the pinion. Rotate the rack about its travel",
            about=what,
        )
    mesh = mesh_triad(z_a, -out, what)
    triad_b = pitch.triad_b
    psi_a = psi_of(R_a, pitch.triad_a, mesh)
    # the point of the rack that touches now is the one from which its travel is counted, u = 0
    touching = R_b.T @ (x_a + radius * mesh[:, 1] - x_b)
    point_b = touching - (radius * psi_a) * triad_b[:, 2]
    found = Alignment(pitch, np.zeros(3), point_b, pitch.triad_a, triad_b, mesh, psi_a, radius * psi_a)
    return RollingPair(Kind.RACK, pitch), found


def _aligned(
    pitch: PitchGeometry, mesh: FloatArray, R_a: FloatArray, R_b: FloatArray, zeta_a: float, zeta_b: float
) -> Alignment:
    triad_a, triad_b = pitch.triad_a, pitch.triad_b
    return Alignment(
        pitch, np.array([0.0, 0.0, zeta_a]), np.array([0.0, 0.0, zeta_b]), triad_a, triad_b, mesh,
        psi_of(R_a, triad_a, mesh), psi_of(R_b, triad_b, mesh @ pitch.Z),
    )  # fmt: skip
