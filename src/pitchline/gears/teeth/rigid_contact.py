"""Rigid tooth contact: how far the second of two gears lags behind, and where the flanks touch, without any load.

Gear A stands at the angle φ_A, gear B at its ideal angle. Every point of the flanks of A, in the axes of B at (r, ϑ, z),
is compared with the flank of B at the same r and z: gear B has to turn by the difference g of their polar angles until
the two touch. The least g over all points, all teeth, is what it turns; the point belonging to it is the contact:

    φ_B = φ_B,ideal + s_B min g ,      transmission error  e = −r_bB (min g − g_0) ,

where g_0 is the play of the unmodified gears. So e is zero for ideal gears and negative where B lags. No assumption is
made about line of action or plane of contact; flanks end at form line, tip edge and face ends, where corners may
touch. For modified flanks the point of B at r and z follows from the parallel curves of the involute,

    L = sqrt(r² − r_b²) − σ δ cos β_b ,   ζ = z + s δ sin β_b ,

iterated, as δ depends on L and ζ (it contracts with the slope of δ). Along each strip ζ = const of A the least g is
found by sampling and golden section, then between strips. (Litvin & Fuentes 2004, ch. 9, for tooth contact analysis by
equal points and normals, which this replaces: it works for line contact too.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...errors import ModelError, shown
from ..inputs import whole
from ..placement import Placement
from .arrays import FloatArray, IntArray
from .flank import Flank
from .placing import place_teeth
from .teeth import Teeth

__all__ = ["RigidContact", "rigid_contact"]

_GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)
_SAMPLES = 33
_SECTIONS = 55
_ITERATIONS = 8
_TABLE = 129


@dataclass(frozen=True, eq=False)
class RigidContact:
    """Two rigid gears over a part of their motion; arrays over n positions, t teeth of A in mesh, s strips of its face.

    Attributes
    ----------
    angle : (n,)
        φ_A [rad].
    phase : (n,)
        φ_A in pitches of A.
    transmission_error : (n,)
        e [m], on the base circle of B; negative where B lags.
    roll_length, face : (n,)
        L and ζ [m] of the contact point on A.
    tooth_a, tooth_b : (n,)
        Numbers of the teeth that touch.
    faces : (s,)
        ζ of the strips [m].
    teeth : (n, t)
        Numbers of the teeth of A.
    strip_roll_length, strip_gap : (n, t, s)
        L of the nearest point of each strip, and how far it is from touching [m], along the normal; NaN where the
        strip has no counterpart.
    """

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

    @property
    def peak_to_peak(self) -> float:
        """Greatest less least transmission error [m]."""
        return float(np.ptp(self.transmission_error))

    def pattern(self, thickness: float = 6.5e-6) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Where marking compound of a thickness [m] would be wiped off: L, ζ and gap of all such points."""
        near = self.strip_gap <= thickness
        z = np.broadcast_to(self.faces, self.strip_gap.shape)
        return self.strip_roll_length[near], z[near], self.strip_gap[near]


class _Form:
    """L at the form line of a flank; of conical gears from a table over the face, for it is asked very often."""

    def __init__(self, flank: Flank) -> None:
        half = 0.5 * flank.gear.required_face_width("rigid contact")
        self._z = np.linspace(-half, half, _TABLE if flank.conical else 2)
        self._L = flank.form_roll_length(self._z)

    def __call__(self, z: FloatArray) -> FloatArray:
        return np.interp(z, self._z, self._L)


def _largest(flank: Flank) -> float:
    """About the greatest deviation of a flank [m]."""
    if not flank.modified:
        return 0.0
    L = np.linspace(flank.range.form, flank.range.tip, 9)[:, None, None]
    z = np.linspace(-0.5, 0.5, 9)[:, None] * flank.range.face_width
    return float(np.abs(flank.deviation(L, z, np.array([-1, *flank.of_tooth]))).max())


class _Pair:
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
        # deviations of helical flanks move points along the face: nothing is lost at its ends
        self.half_face = 0.5 * b.gear.required_face_width("rigid contact") + _largest(self.a) + _largest(self.b)

    def limits(self, z: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Least and greatest L of flank A at ζ."""
        form, tip = self.form_a(z), self.a.tip_roll_length(z)
        return np.minimum(form, tip), np.maximum(form, tip)

    def gap(self, angle: FloatArray, tooth: IntArray, L: FloatArray, z: FloatArray) -> tuple[FloatArray, IntArray]:
        """g [rad] and the tooth of B; infinite where B has no flank."""
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
        return np.where(outside, np.inf, raw - number * self.pitch), tooth_b

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
        c, d = b - _GOLDEN * (b - a), a + _GOLDEN * (b - a)
        g_c, g_d = self.gap(angle, tooth, c, z)[0], self.gap(angle, tooth, d, z)[0]
        for _ in range(_SECTIONS):
            left = np.where(np.isinf(g_c) & np.isinf(g_d), at < 0.5 * (a + b), g_c <= g_d)
            a, b = np.where(left, a, c), np.where(left, d, b)
            new = np.where(left, b - _GOLDEN * (b - a), a + _GOLDEN * (b - a))
            g_new, _ = self.gap(angle, tooth, new, z)
            c, d = np.where(left, new, d), np.where(left, c, new)
            g_c, g_d = np.where(left, g_new, g_d), np.where(left, g_c, g_new)
            better = g_new < best
            best, at = np.where(better, g_new, best), np.where(better, new, at)
        return best, at


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
) -> RigidContact:
    """The contact of two rigid gears over some pitches of gear A: transmission error, contact point, pattern.

    Parameters
    ----------
    a, b
        The teeth of gears on parallel axes, one of them internal or none; or of conical involute gears, which are
        placed by their common rack.
    centre_distance
        Between parallel axes [m]; without it as close as they run without backlash.
    side
        The flank of gear A that touches: "left" turns gear A in the positive sense where it drives.
    positions, pitches
        How many positions a pitch, and over how many pitches of gear A: z_B of them meet every tooth of gear B with
        pitch errors.
    strips
        How many sections of the face of gear A are followed; the least gap is then refined between them.
    start
        φ_A of the first position, in pitches.
    """
    if side not in ("left", "right"):
        raise ModelError(f'rigid contact: side must be "left" or "right", got {shown(side)}')
    each = whole(positions, "rigid contact: positions")
    count = each * whole(pitches, "rigid contact: pitches")
    lines = whole(strips, "rigid contact: strips", at_least=3)
    pose, play = place_teeth(a, b, centre_distance)
    pair = _Pair(a, b, side, pose)
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
            "rigid contact: in some positions no teeth touch; check contact ratio, tip diameters and centre distance"
        )
    _, tooth_b = pair.gap(angle, tooth, L_best, z_best)
    radius, beta = pair.b.involute.base_radius, pair.b.involute.base_helix_angle
    apart = np.where(np.isfinite(g), (g - best[:, None, None]) * radius * math.cos(beta), np.nan)
    form, tip = float(pair.a.form_roll_length(0.0)), float(pair.a.tip_roll_length(0.0))
    return RigidContact(
        angle=angle,
        phase=phase,
        transmission_error=-radius * (best - play),
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
    pair: _Pair, angles: FloatArray, numbers: IntArray, faces: FloatArray, g: FloatArray, L: FloatArray
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
    pair: _Pair, angle: FloatArray, tooth: IntArray, faces: FloatArray, g: FloatArray, L: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The least gap around the best strip of each row: g, L and ζ."""
    k = np.argmin(g, axis=1)
    row = np.arange(len(angle))
    best, where = g[row, k], L[row, k]
    z: npt.NDArray[np.float64] = faces[k]
    low, high = faces[np.maximum(k - 1, 0)], faces[np.minimum(k + 1, len(faces) - 1)]
    c, d = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    (g_c, L_c), (g_d, L_d) = pair.strip(angle, tooth, c), pair.strip(angle, tooth, d)
    for _ in range(_SECTIONS // 2):
        for value, length, face in ((g_c, L_c, c), (g_d, L_d, d)):
            better = value < best
            best, where, z = np.where(better, value, best), np.where(better, length, where), np.where(better, face, z)
        left = np.where(np.isinf(g_c) & np.isinf(g_d), z < 0.5 * (low + high), g_c <= g_d)
        low, high = np.where(left, low, c), np.where(left, d, high)
        new = np.where(left, high - _GOLDEN * (high - low), low + _GOLDEN * (high - low))
        g_new, L_new = pair.strip(angle, tooth, new)
        c, d = np.where(left, new, d), np.where(left, c, new)
        g_c, g_d = np.where(left, g_new, g_d), np.where(left, g_c, g_new)
        L_c, L_d = np.where(left, L_new, L_d), np.where(left, L_c, L_new)
    return best, where, z
