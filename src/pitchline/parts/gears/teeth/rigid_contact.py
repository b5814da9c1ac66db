"""Rigid tooth contact: transmission error and contact points of two gears without load.

Gear A has the angle φ_A, gear B its ideal angle. Every point of the flanks of A, in the axes of B at (r, ϑ, z),
is compared with the flank of B at the same r and z: gear B must rotate by the difference g of their polar angles until
the two touch. Gear B rotates by the smallest g over all points and all teeth; the contact is at the corresponding point:

    φ_B = φ_B,ideal + s_B min g ,      transmission error  e = r_bB (min g − g_0) ,

where g_0 is the backlash angle of the unmodified gears. So e is zero for ideal gears and positive if B lags. The method makes
no assumption about line of action or plane of contact. Flanks end at form line, tip edge and face ends, where corners may
touch. For modified flanks the point of B at r and z follows from the parallel curves of the involute,

    L = sqrt(r² − r_b²) − σ δ cos β_b ,   ζ = z + s δ sin β_b ,

iterated, as δ depends on L and ζ (it contracts with the slope of δ). Along each strip ζ = const of A the smallest g is
found by sampling and golden-section search, then between strips. (Litvin & Fuentes 2004, ch. 9, for tooth contact analysis by
equal points and normals, which this replaces: it works for line contact too.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, shown

from ..geometry.directions import lever_of_b
from ..geometry.inputs import in_deg, whole
from ..geometry.pair import GearPair
from ..geometry.placement import Placement
from .flank import ToothFlank
from .teeth import Teeth

__all__ = ["GOLDEN", "SECTIONS", "FlankPair", "place_teeth", "turned", "RigidContact", "rigid_contact"]


# ---- flank pair

# Two flanks in contact as rigid bodies: how far apart they are, strip by strip.
#
# Gear A has the angle φ_A, gear B its ideal angle. A point of flank A, in the axes of B at (r, ϑ, z), is compared
# with the flank of B at the same r and z: gear B has to turn by the difference g of their polar angles until the two
# touch. For modified flanks the point of B at r and z follows from the parallel curves of the involute,
#
# L = sqrt(r² − r_b²) − σ δ cos β_b , ζ = z + s δ sin β_b ,
#
# iterated, as δ depends on L and ζ (it contracts with the slope of δ). Flanks end at form line, tip edge and face
# ends, where corners may touch. Along a strip ζ = const of A the least g is found by sampling and golden section.

GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)
SECTIONS = 55
_SAMPLES = 33
_ITERATIONS = 8
_TABLE = 129
_ASKEW = 5e-3
"""[rad] Axes that are less than that from parallel are meant to be so."""


class _Form:
    """L at the form line of a flank; of conical gears from a table over the face, for it is asked very often."""

    def __init__(self, flank: ToothFlank) -> None:
        half = 0.5 * flank.gear.required_face_width("rigid contact")
        self._z = np.linspace(-half, half, _TABLE if flank.conical else 2)
        self._L = flank.form_roll_length(self._z)

    def __call__(self, z: FloatArray) -> FloatArray:
        return np.interp(z, self._z, self._L)


def _largest(flank: ToothFlank) -> float:
    """About the greatest deviation of a flank [m]."""
    if not flank.modified:
        return 0.0
    L = np.linspace(flank.range.form, flank.range.tip, 9)[:, None, None]
    z = np.linspace(-0.5, 0.5, 9)[:, None] * flank.range.face_width
    return float(np.abs(flank.deviation(L, z, np.array([-1, *flank.of_tooth]))).max())


class FlankPair:
    """The two flanks in contact, ready for many evaluations."""

    def __init__(self, a: Teeth, b: Teeth, side: str, pose: Placement) -> None:
        self.a, self.b = a.flank(side), b.flank(side)
        same = float(pose.rotation[2, 2]) > 0.0
        if (a.gear.sense * b.gear.sense < 0.0) == same:
            self.b = b.right if side == "left" else b.left
        self.R, self.x = pose.rotation, pose.position
        self.ratio = (-1.0 if same else 1.0) * a.gear.sense * b.gear.sense * a.gear.teeth / b.gear.teeth
        self.pitch = b.gear.angular_pitch
        self.form_a, self.form_b = _Form(self.a), _Form(self.b)
        # deviations of helical flanks, and axes slightly askew, move points along the face: nothing is lost at its ends
        self.half_face = 0.5 * b.gear.required_face_width("rigid contact") + _largest(self.a) + _largest(self.b)
        askew = math.hypot(float(pose.rotation[0, 2]), float(pose.rotation[1, 2]))
        if askew <= _ASKEW:
            self.half_face += askew * 0.5 * b.gear.tip_diameter

    def limits(self, z: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Least and greatest L of flank A at ζ."""
        form, tip = self.form_a(z), self.a.tip_roll_length(z)
        return np.minimum(form, tip), np.maximum(form, tip)

    def gap(self, angle: FloatArray, tooth: IntArray, L: FloatArray, z: FloatArray) -> tuple[FloatArray, IntArray]:
        """g [rad] and the tooth of B; infinite where B has no flank."""
        g, tooth_b, _, _ = self.meeting(angle, tooth, L, z)
        return g, tooth_b

    def meeting(
        self, angle: FloatArray, tooth: IntArray, L: FloatArray, z: FloatArray
    ) -> tuple[FloatArray, IntArray, FloatArray, FloatArray]:
        """g [rad], the tooth of B, and L and ζ [m] of the point of B that a point of A meets."""
        p = self.a.point(L, z, tooth)
        P = (p[..., 0] + 1j * p[..., 1]) * np.exp(1j * angle)
        world = np.stack([P.real, P.imag, p[..., 2]], axis=-1)
        q = (world - self.x) @ self.R
        Q = (q[..., 0] + 1j * q[..., 1]) * np.exp(-1j * self.ratio * angle)
        flank, beta = self.b.involute, self.b.involute.base_helix_angle
        full = flank.roll_length(np.abs(Q))
        outside = np.abs(Q) < flank.base_radius

        def difference(length: FloatArray, zeta: FloatArray) -> FloatArray:
            # polar angle of the point of B: τ(L, ζ) + c atan(L_full/r_b); L_full: to the modified flank
            behind = np.angle(
                Q * np.exp(-1j * (flank.direction(length, zeta))) * (flank.base_radius - 1j * flank.curl * full)
            )
            return np.asarray(flank.side * behind)

        length, zeta = full, q[..., 2]
        raw = difference(length, zeta)
        number = np.floor(raw / self.pitch + 0.1)
        tooth_b = (flank.side * number).astype(np.int64) % self.b.gear.teeth
        if self.b.modified:
            for _ in range(_ITERATIONS):
                delta = self.b.deviation(length, zeta, tooth_b)
                length = np.maximum(full - flank.sense * delta * math.cos(beta), 0.0)
                zeta = q[..., 2] + flank.side * delta * math.sin(beta)
            raw = difference(length, zeta)
        form, tip = self.form_b(zeta), self.b.tip_roll_length(zeta)
        low, high = np.minimum(form, tip), np.maximum(form, tip)
        slack = 1e-13 * flank.base_radius
        outside |= (length < low - slack) | (length > high + slack) | (np.abs(zeta) > self.half_face + slack)
        return np.where(outside, np.inf, raw - number * self.pitch), tooth_b, length, zeta

    def strip(self, angle: FloatArray, tooth: IntArray, z: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The least g along the strips ζ = z of A, and its L; arrays of one shape."""
        low, high = self.limits(z)
        t = np.linspace(0.0, 1.0, _SAMPLES)
        lengths = low[..., None] + (high - low)[..., None] * t
        g, _ = self.gap(angle[..., None], tooth[..., None], lengths, np.broadcast_to(z[..., None], lengths.shape))
        k = np.argmin(g, axis=-1)
        best = np.take_along_axis(g, k[..., None], axis=-1)[..., 0]
        at = np.take_along_axis(lengths, k[..., None], axis=-1)[..., 0]
        step = (high - low) / (_SAMPLES - 1)
        a, b = np.maximum(at - step, low), np.minimum(at + step, high)
        c, d = b - GOLDEN * (b - a), a + GOLDEN * (b - a)
        g_c, g_d = self.gap(angle, tooth, c, z)[0], self.gap(angle, tooth, d, z)[0]
        for _ in range(SECTIONS):
            left = np.where(np.isinf(g_c) & np.isinf(g_d), at < 0.5 * (a + b), g_c <= g_d)
            a, b = np.where(left, a, c), np.where(left, d, b)
            new = np.where(left, b - GOLDEN * (b - a), a + GOLDEN * (b - a))
            g_new, _ = self.gap(angle, tooth, new, z)
            c, d = np.where(left, new, d), np.where(left, c, new)
            g_c, g_d = np.where(left, g_new, g_d), np.where(left, g_c, g_new)
            better = g_new < best
            best, at = np.where(better, g_new, best), np.where(better, new, at)
        return best, at


# ---- teeth placement

# Where the second of two gears belongs so that their teeth mesh, conical ones included.
#
# Two conical involute gears cut by the two sides of one rack mesh with it and with each other. The rack has, in the
# axes of gear A, the reference plane with the normal d_A = (cos θ_A, 0, −sin θ_A) through the point (r_A + x_A m_n,
# 0, 0). For gear B it is the same plane seen from the other side, which makes R_B = Rot_y(θ_A + θ_B) Rot_z(π) and a
# shaft angle Σ = θ_A + θ_B.


def turned(angle: float) -> FloatArray:
    """Rotation about z; (3, 3)."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def place_teeth(a: Teeth, b: Teeth, centre_distance: object = None) -> tuple[Placement, float]:
    """The pose of gear B in the axes of gear A, a tooth of A in the middle of a space of B; and the play.

    The play [rad] is how far B can turn from there until its flanks touch those of A.
    Gears without profile shift angles have parallel axes, at the given centre distance [m] or without backlash.
    """
    if not (a.profile_shift_angle or b.profile_shift_angle):
        pair = GearPair(a.gear, b.gear, centre_distance=centre_distance)
        play = 0.5 * pair.circumferential_backlash / pair.pitch.radius_b
        return pair.place(), play
    if centre_distance is not None:
        raise ModelError(
            "teeth: conical involute gears are placed by their common rack. Leave centre_distance out, or change the "
            "profile shifts"
        )
    if a.gear.internal or b.gear.internal:
        raise ModelError(
            "teeth: a conical involute gear meshes only with an external gear, but the other gear is internal"
        )
    if abs(a.gear.helix_angle + b.gear.helix_angle) > 1e-9:
        raise ModelError(
            f"teeth: helix angles {in_deg(a.gear.helix_angle)} and {in_deg(b.gear.helix_angle)} (positive right-hand) "
            f"must be opposite. Make the second {in_deg(-a.gear.helix_angle)}"
        )
    for name in ("normal_module", "normal_pressure_angle"):
        if abs(getattr(a.gear, name) / getattr(b.gear, name) - 1.0) > 1e-9:
            raise ModelError(f"teeth: the gears differ in {name}. It must be equal")
    tilt = a.profile_shift_angle + b.profile_shift_angle
    c, s = math.cos(tilt), math.sin(tilt)
    R = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]) @ turned(math.pi)
    m = a.gear.normal_module
    reach = [0.5 * gear.reference_diameter + gear.profile_shift * m for gear in (a.gear, b.gear)]
    position = np.array([reach[0], 0.0, 0.0]) - R @ np.array([reach[1], 0.0, 0.0])
    allowance = 0.5 * (a.gear.backlash_allowance + b.gear.backlash_allowance)
    flank = b.left.involute
    play = allowance * math.cos(a.gear.normal_pressure_angle) / (flank.base_radius * math.cos(flank.base_helix_angle))
    return Placement(position, R @ turned(math.pi / b.gear.teeth)), play


@names_wrong_arguments
@dataclass(frozen=True, eq=False, repr=False)
class RigidContact:
    """Contact of two rigid gears; arrays over n positions, t teeth of A in mesh, s strips of its face.

    For flanks that are not involutes, `roll_length` and `strip_roll_length` contain the distance on the flank from its root end,
    and faces are lengths along the flank from its middle; `measured` is then "height". For a rack, the transmission error is
    the lag along its line of action in the transverse plane.

    Attributes
    ----------
    angle : (n,)
        φ_A [rad].
    phase : (n,)
        φ_A in pitches of A.
    transmission_error : (n,)
        e [m]: lag of gear B relative to ideal gears, on its base circle (conical involute gears: along the normal of their teeth);
        negative if it leads.
    roll_length, face : (n,)
        L and ζ [m] of the contact point on A.
    tooth_a, tooth_b : (n,)
        Numbers of the teeth in contact.
    faces : (s,)
        ζ of the strips [m].
    teeth : (n, t)
        Numbers of the teeth of A.
    strip_roll_length, strip_gap : (n, t, s)
        L of the closest point of each strip, and its gap along the normal [m]; NaN if the strip has no counterpart.
    measured : str
        "roll length" or "height".
    place_a, place_b : (n, 2), or None
        Parameters (u, v) of the contact point on the surfaces of A and B; None for the closed form of parallel axes.
    point, normal : (n, 3), or None
        The contact point [m] and the normal out of A, in the axes in which A turns about z.
    warnings : tuple[str, ...]
        What to consider before the results are used.
    """

    kind: ClassVar[str] = "rigid contact"
    angle: FloatArray
    phase: FloatArray
    transmission_error: FloatArray
    roll_length: FloatArray
    face: FloatArray
    tooth_a: IntArray
    tooth_b: IntArray
    faces: FloatArray
    teeth: IntArray
    strip_roll_length: FloatArray
    strip_gap: FloatArray
    flank_limits: tuple[float, float]
    side: str
    measured: str = "roll length"
    place_a: FloatArray | None = None
    place_b: FloatArray | None = None
    point: FloatArray | None = None
    normal: FloatArray | None = None
    warnings: tuple[str, ...] = ()

    @property
    def peak_to_peak(self) -> float:
        """Peak-to-peak transmission error [m]."""
        return float(np.ptp(self.transmission_error))

    def __str__(self) -> str:
        # + 0.0: no "-0.000"
        low, high = (round(1e6 * float(f(self.transmission_error)), 3) + 0.0 for f in (np.min, np.max))
        lines = (
            f"rigid contact of the {self.side} flanks of gear A, {len(self.angle)} positions",
            f"transmission error {low:.3f} um to {high:.3f} um, {1e6 * self.peak_to_peak:.3f} um peak to peak",
        )
        return "\n".join([*lines, *(f"warning: {text}" for text in self.warnings)])

    def __repr__(self) -> str:
        return f"RigidContact({self.side} flanks: {len(self.angle)} positions, {1e6 * self.peak_to_peak:.3f} um peak to peak)"

    def pattern(self, thickness: float = 6.5e-6) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Contact pattern for marking compound of a thickness [m]: L, ζ and gap of all points that are wiped off."""
        near = self.strip_gap <= thickness
        z = np.broadcast_to(self.faces, self.strip_gap.shape)
        return self.strip_roll_length[near], z[near], self.strip_gap[near]


@names_wrong_arguments
def rigid_contact(
    a: Teeth,
    b: Teeth,
    *,
    centre_distance: object = None,
    side: str = "left",
    positions: object = 32,
    pitches: object = 1,
    strips: object = 15,
    start: float = 0.0,
    placed: tuple[Placement, float] | None = None,
) -> RigidContact:
    """Compute the contact of two rigid gears: transmission error, contact point, contact pattern.

    Parameters
    ----------
    a, b
        Teeth of gears with parallel axes, at most one of them internal; or of conical involute gears, which are placed by their
        common rack.
    centre_distance
        Centre distance of parallel axes [m]; default: the distance without backlash.
    side
        Flank of gear A in contact. With "left", a driving gear A rotates in the positive direction.
    positions, pitches
        Number of positions per pitch, and number of pitches of gear A. If teeth have pitch errors, z_B pitches include every
        tooth of gear B.
    strips
        Number of sections along the face of gear A; the smallest gap is then refined between them.
    start
        Angle φ_A of the first position, in pitches.
    placed
        Pose of gear B in the axes of gear A and its backlash angle [rad], as from `place_teeth`, instead of the centre distance.
    """
    if side not in ("left", "right"):
        raise ModelError(f'rigid contact: side must be "left" or "right", got {shown(side)}')
    each = whole(positions, "rigid contact: positions")
    count = each * whole(pitches, "rigid contact: pitches")
    lines = whole(strips, "rigid contact: strips", at_least=3)
    pose, play = place_teeth(a, b, centre_distance) if placed is None else placed
    pair = FlankPair(a, b, side, pose)
    width = a.gear.required_face_width("rigid contact")
    faces = np.linspace(-0.5 * width, 0.5 * width, lines)

    # the teeth of A that may be in mesh: those around its x axis, where B stands, more where they wind around the wheel
    phase = start + np.arange(count) / each
    angle = phase * a.gear.angular_pitch
    half = 2 + math.ceil(0.5 * width * abs(pair.a.involute.twist) / a.gear.angular_pitch)
    numbers = np.rint(-phase).astype(np.int64)[:, None] + np.arange(-half, half + 1)

    shape = (count, 2 * half + 1, lines)
    g, L = pair.strip(
        np.broadcast_to(angle[:, None, None], shape),
        np.broadcast_to(numbers[:, :, None], shape),
        np.broadcast_to(faces, shape),
    )
    best, L_best, z_best, tooth = _refined(pair, angle, numbers, faces, g, L)
    if not np.isfinite(best).all():
        raise ModelError(
            "rigid contact: in some positions no teeth touch. Check contact ratio, tip diameters and centre distance"
        )
    _, tooth_b = pair.gap(angle, tooth, L_best, z_best)
    radius, beta = pair.b.involute.base_radius, pair.b.involute.base_helix_angle
    apart = np.where(np.isfinite(g), (g - best[:, None, None]) * radius * math.cos(beta), np.nan)
    form, tip = float(pair.a.form_roll_length(0.0)), float(pair.a.tip_roll_length(0.0))
    return RigidContact(
        angle=angle,
        phase=phase,
        transmission_error=lever_of_b(a.gear, b.gear) * (best - play),
        roll_length=L_best,
        face=z_best,
        tooth_a=tooth % a.gear.teeth,
        tooth_b=tooth_b,
        faces=faces,
        teeth=numbers % a.gear.teeth,
        strip_roll_length=np.where(np.isfinite(g), L, np.nan),
        strip_gap=np.maximum(apart, 0.0),
        flank_limits=(min(form, tip), max(form, tip)),
        side=side,
    )


def _refined(
    pair: FlankPair, angles: FloatArray, numbers: IntArray, faces: FloatArray, g: FloatArray, L: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, IntArray]:
    """The least gap of each position, found on each tooth between the strips by golden section: g, L, ζ and tooth."""
    flat, lengths = g.reshape(-1, len(faces)), L.reshape(-1, len(faces))
    meets = np.isfinite(flat).any(axis=1)
    best, where, z = np.full(len(flat), np.inf), np.zeros(len(flat)), np.zeros(len(flat))
    angle = np.repeat(angles, numbers.shape[1])[meets]
    tooth = numbers.ravel()
    best[meets], where[meets], z[meets] = _between(pair, angle, tooth[meets], faces, flat[meets], lengths[meets])
    first = np.argmin(best.reshape(numbers.shape), axis=1) + np.arange(len(angles)) * numbers.shape[1]
    return best[first], where[first], z[first], tooth[first]


def _between(
    pair: FlankPair, angle: FloatArray, tooth: IntArray, faces: FloatArray, g: FloatArray, L: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The least gap around the best strip of each row: g, L and ζ."""
    k = np.argmin(g, axis=1)
    row = np.arange(len(angle))
    best, where = g[row, k], L[row, k]
    z: npt.NDArray[np.float64] = faces[k]
    low, high = faces[np.maximum(k - 1, 0)], faces[np.minimum(k + 1, len(faces) - 1)]
    c, d = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    (g_c, L_c), (g_d, L_d) = pair.strip(angle, tooth, c), pair.strip(angle, tooth, d)
    for _ in range(SECTIONS // 2):
        for value, length, face in ((g_c, L_c, c), (g_d, L_d, d)):
            better = value < best
            best, where, z = np.where(better, value, best), np.where(better, length, where), np.where(better, face, z)
        left = np.where(np.isinf(g_c) & np.isinf(g_d), z < 0.5 * (low + high), g_c <= g_d)
        low, high = np.where(left, low, c), np.where(left, d, high)
        new = np.where(left, high - GOLDEN * (high - low), low + GOLDEN * (high - low))
        g_new, L_new = pair.strip(angle, tooth, new)
        c, d = np.where(left, new, d), np.where(left, c, new)
        g_c, g_d = np.where(left, g_new, g_d), np.where(left, g_c, g_new)
        L_c, L_d = np.where(left, L_new, L_d), np.where(left, L_c, L_new)
    return best, where, z
