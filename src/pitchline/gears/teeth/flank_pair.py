"""Two flanks in contact as rigid bodies: how far apart they are, strip by strip.

Gear A has the angle φ_A, gear B its ideal angle. A point of flank A, in the axes of B at (r, ϑ, z), is compared
with the flank of B at the same r and z: gear B has to turn by the difference g of their polar angles until the two
touch. For modified flanks the point of B at r and z follows from the parallel curves of the involute,

    L = sqrt(r² − r_b²) − σ δ cos β_b ,   ζ = z + s δ sin β_b ,

iterated, as δ depends on L and ζ (it contracts with the slope of δ). Flanks end at form line, tip edge and face ends,
where corners may touch. Along a strip ζ = const of A the least g is found by sampling and golden section.
"""

from __future__ import annotations

import math

import numpy as np

from ..placement import Placement
from .arrays import FloatArray, IntArray
from .flank import ToothFlank
from .teeth import Teeth

__all__ = ["GOLDEN", "SECTIONS", "FlankPair"]

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
