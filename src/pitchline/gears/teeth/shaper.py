"""Internal teeth cut by a pinion-type shaper cutter: its data, and the fillet its rounded tips leave.

The cutter (z_0 teeth, no profile shift) rolls inside the ring at the centre distance a_0 at which its teeth fill the
spaces of the ring:

    inv α_w0 = inv α_t + (π − (s_t + s_t0)/m_t) / (z − z_0) ,   a_0 = (r − r_0) cos α_t / cos α_w0 .

Its tip radius is r_a0 = r_f − a_0. The rounding of radius ρ_0 touches tip circle and involute from inside: its centre C
has the radius r_a0 − ρ_0 and lies on the tangent of the base circle that ends at the roll length
L_F0 = sqrt(|C|² − r_b0²) + ρ_0.

In the frame of the cutter, a point of the rounding with the normal n = e^{iψ} touches the ring where the line C + t n
meets the pitch circle, W = C + t n, |W| = r_w0, t = −C·n + sqrt((C·n)² + r_w0² − |C|²). Turning W into the line of
centres by −χ, χ = arg W, the ring turns by −χ z_0/z, and the fillet is, from the middle of the space,

    P = e^{iχ z_0/z} (a_0 + Q e^{−iχ}) ,   Q = C + ρ_0 n .

(Litvin & Fuentes 2004, ch. 11, for internal gears cut so. The rounding is a circle in the transverse section.)
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ...errors import ModelError
from ..arrays import along
from ..gear import Gear
from ..inputs import in_mm, whole
from ..involute import inverse_involute, involute
from ..rack_profile import root_radius
from .arrays import ComplexArray, FloatArray
from .involute_flank import InvoluteFlank
from .surface import SectionDerivatives, ToothSurface, space_point

__all__ = ["RingRoot", "ShapedFillet", "ShaperCutter", "ring_flank", "shaper_cutter"]


@dataclass(frozen=True, kw_only=True)
class ShaperCutter:
    """A pinion-type cutter in mesh with the ring it cuts; lengths in m, angles in rad, transverse section.

    `trims`: the cutter removes the corners of the ring's tips, because it has no involute there or collides outside the mesh.
    """

    teeth: int
    ring_teeth: int
    base_radius: float
    base_angle: float
    tip_radius: float
    tip_rounding: float
    centre_distance: float
    working_pressure_angle: float
    trims: bool = False

    @property
    def pitch_radius(self) -> float:
        """r_w0 = a_0 z_0 / (z − z_0) [m]."""
        return self.centre_distance * self.teeth / (self.ring_teeth - self.teeth)

    @property
    def form_roll_length(self) -> float:
        """L_F0 [m]: where the involute of the cutter ends and the rounding begins."""
        inner = self.tip_radius - self.tip_rounding
        return math.sqrt(max(inner**2 - self.base_radius**2, 0.0)) + self.tip_rounding

    @property
    def _touch(self) -> float:
        return self.base_angle - self.form_roll_length / self.base_radius

    @property
    def centre(self) -> complex:
        """C [m] of the rounding on the left side of the cutter tooth, whose middle is the x axis."""
        length = self.form_roll_length - self.tip_rounding
        return cmath.exp(1j * self._touch) * (self.base_radius + 1j * length)

    @property
    def normals(self) -> tuple[float, float]:
        """ψ [rad] of the normal of the rounding at the tip circle and at the involute."""
        return cmath.phase(self.centre), self._touch + 0.5 * math.pi

    @property
    def ring_form_roll_length(self) -> float:
        """L_F = a_0 sin α_w0 + L_F0 [m] of the ring: where its involute ends towards the root."""
        return self.centre_distance * math.sin(self.working_pressure_angle) + self.form_roll_length


def shaper_cutter(gear: Gear, teeth: object = None, tip_rounding: float | None = None) -> ShaperCutter:
    """The cutter of an internal gear.

    teeth: z_0; without it half the teeth of the ring, fewer where the cutter would trim the tips of the ring.
    tip_rounding: ρ_0 [m]; without it the root radius of the gear's basic rack, less where the tip is narrower.
    """
    if teeth is not None:
        return _cutter(gear, whole(teeth, "teeth: cutter_teeth", at_least=3), tip_rounding)
    problem: ModelError | None = None
    fallback: ShaperCutter | None = None
    for count in range(max(gear.teeth // 2, 10), 9, -1):
        try:
            found = _cutter(gear, count, tip_rounding)
        except ModelError as error:
            problem = problem or error
            continue
        if not found.trims:
            return found
        fallback = fallback or found
    if fallback is not None:
        return fallback
    raise problem if problem is not None else ModelError(f"teeth: no shaper cutter fits {gear.teeth} internal teeth")


def _cutter(gear: Gear, teeth: int, rounding: float | None) -> ShaperCutter:
    z, m_t, alpha = gear.teeth, gear.transverse_module, gear.transverse_pressure_angle
    if teeth >= z:
        raise ModelError(
            f"teeth: a cutter of {teeth} teeth does not fit into an internal gear of {z} teeth. Specify fewer cutter_teeth"
        )
    s_0 = 0.5 * math.pi * m_t
    inv_w = involute(alpha) + (math.pi - (gear.transverse_tooth_thickness + s_0) / m_t) / (z - teeth)
    if inv_w <= 0.0:
        raise ModelError(
            f"teeth: a cutter of {teeth} teeth is too thick for the spaces of the ring (profile shift "
            f"{gear.profile_shift:g}). Specify fewer cutter_teeth"
        )
    alpha_w = inverse_involute(inv_w)
    r_b0 = 0.5 * teeth * m_t * math.cos(alpha)
    a_0 = (0.5 * gear.base_diameter - r_b0) / math.cos(alpha_w)
    tip = 0.5 * gear.root_diameter - a_0
    base_angle = s_0 / (teeth * m_t) + involute(alpha)
    if tip <= r_b0:
        raise ModelError(
            f"teeth: the tips of a cutter of {teeth} teeth (radius {in_mm(tip)}) are inside its base circle "
            f"({in_mm(r_b0)}). Specify another number of cutter_teeth"
        )
    pointed = base_angle - involute(math.acos(r_b0 / tip))
    if pointed <= 0.0:
        raise ModelError(
            f"teeth: the teeth of a cutter of {teeth} teeth are pointed before they reach the root of the ring "
            f"({in_mm(gear.root_diameter)}). Reduce dedendum_factor, or specify more cutter_teeth"
        )
    cutter = ShaperCutter(
        teeth=teeth,
        ring_teeth=z,
        base_radius=r_b0,
        base_angle=base_angle,
        tip_radius=tip,
        tip_rounding=0.0,
        centre_distance=a_0,
        working_pressure_angle=alpha_w,
    )
    wanted = root_radius(gear) if rounding is None else rounding
    largest = _largest_rounding(cutter, wanted)
    if rounding is not None and rounding > largest * (1.0 + 1e-9):
        raise ModelError(
            f"teeth: cutter_tip_rounding {in_mm(rounding)} does not fit on the tip of the cutter. The largest value is "
            f"{in_mm(largest)}"
        )
    tip_length = math.sqrt(max(0.25 * (gear.tip_diameter**2 - gear.base_diameter**2), 0.0))
    trims = tip_length < a_0 * math.sin(alpha_w) * (1.0 - 1e-12) or _tips_collide(gear, cutter)
    return replace(cutter, tip_rounding=largest, trims=trims)


def _tips_collide(gear: Gear, cutter: ShaperCutter) -> bool:
    """Whether the corners of the cutter cut off those of the ring outside the mesh, as for a pinion in a ring."""
    a, r_0, r = cutter.centre_distance, cutter.tip_radius, 0.5 * max(gear.tip_diameter, gear.base_diameter)
    cosine_0, cosine = (r**2 - r_0**2 - a**2) / (2.0 * a * r_0), (r**2 + a**2 - r_0**2) / (2.0 * a * r)
    if not (-1.0 < cosine_0 < 1.0 and -1.0 < cosine < 1.0):
        return r_0 - a >= r  # the tip circle of the ring lies inside that of the cutter
    inv_w = involute(cutter.working_pressure_angle)
    inv_0, inv = involute(math.acos(cutter.base_radius / r_0)), involute(gear.pressure_angle_at(2.0 * r))
    turned = (math.acos(cosine_0) + inv_0 - inv_w) * cutter.teeth / gear.teeth
    return turned + inv_w - inv < math.acos(cosine)


def _largest_rounding(cutter: ShaperCutter, wanted: float) -> float:
    """Return the specified rounding, or the largest one, for which the tip of the cutter has zero width (full radius)."""

    def fits(radius: float) -> bool:
        tried = replace(cutter, tip_rounding=radius)
        return cutter.tip_radius - radius >= cutter.base_radius and cmath.phase(tried.centre) >= 0.0

    if fits(wanted):
        return wanted
    low, high = 0.0, wanted
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def ring_flank(gear: Gear, side: float) -> InvoluteFlank:
    """The involute flank of an internal gear."""
    alpha, r = gear.transverse_pressure_angle, 0.5 * gear.reference_diameter
    return InvoluteFlank(
        side=side,
        sense=-1.0,
        base_radius=0.5 * gear.base_diameter,
        base_angle=involute(alpha) - gear.transverse_tooth_thickness / gear.reference_diameter,
        twist=math.tan(gear.helix_angle) / r,
        pressure_angle=alpha,
    )


class ShapedFillet(ToothSurface):
    """The fillet of an internal tooth: u = 0 at the root circle, 1 at the involute."""

    def __init__(self, cutter: ShaperCutter, twist: float, side: float) -> None:
        self.cutter, self.twist, self.side = cutter, twist, side
        self.facing = side

    def limits(self, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """0 and 1."""
        zero = np.zeros_like(np.asarray(z, dtype=np.float64))
        return zero, zero + 1.0

    def _profile(self, u: FloatArray) -> tuple[ComplexArray, ComplexArray, ComplexArray]:
        """P, P_u and P_uu at ζ = 0."""
        cutter = self.cutter
        C, a, r_w, rho = cutter.centre, cutter.centre_distance, cutter.pitch_radius, cutter.tip_rounding
        first, last = cutter.normals
        n = np.exp(1j * (first + u * (last - first)))
        n1 = 1j * n
        # W = C + t n on the pitch circle, by ψ
        along_n, across = (C * np.conj(n)).real, (C * np.conj(n1)).real
        S = np.sqrt(along_n**2 + r_w**2 - abs(C) ** 2)
        S1 = along_n * across / S
        S2 = (across**2 - along_n**2 - S1**2) / S
        t, t1, t2 = S - along_n, S1 - across, S2 + along_n
        W, W1, W2 = C + t * n, t1 * n + t * n1, t2 * n + 2.0 * t1 * n1 - t * n
        chi, chi1 = np.angle(W), (W1 / W).imag
        chi2 = (W2 / W - (W1 / W) ** 2).imag
        # P = a e^{ikχ} + Q e^{i(k−1)χ}
        k = cutter.teeth / cutter.ring_teeth
        j = k - 1.0
        Q, Q1, Q2 = C + rho * n, rho * n1, -rho * n
        A, B = a * np.exp(1j * k * chi), np.exp(1j * j * chi)
        P = A + Q * B
        P1 = 1j * k * chi1 * A + (Q1 + 1j * j * chi1 * Q) * B
        P2 = (1j * k * chi2 - (k * chi1) ** 2) * A + (
            Q2 + 2j * j * chi1 * Q1 + (1j * j * chi2 - (j * chi1) ** 2) * Q
        ) * B
        width = last - first
        return P, P1 * width, P2 * width**2

    def _place(self, section: ComplexArray) -> ComplexArray:
        """From the middle of the space to tooth 0: the cutter tooth's left side cuts the right flank of the tooth."""
        if self.side > 0.0:
            return np.exp(1j * math.pi / self.cutter.ring_teeth) * np.conj(section)
        return np.exp(-1j * math.pi / self.cutter.ring_teeth) * section

    def section(self, u: npt.ArrayLike, z: npt.ArrayLike) -> ComplexArray:
        """P(u, ζ) [m]."""
        a, b = along(u, z)
        P: ComplexArray = self._place(self._profile(a)[0]) * np.exp(1j * self.twist * b)
        return P

    def derivatives(self, u: npt.ArrayLike, z: npt.ArrayLike) -> SectionDerivatives:
        """P with its first and second derivatives, in closed form."""
        a, b = along(u, z)
        turn = np.exp(1j * self.twist * b)
        P, P_u, P_uu = (self._place(part) * turn for part in self._profile(a))
        k = 1j * self.twist
        return SectionDerivatives(P, P_u, k * P, P_uu, k * P_u, k**2 * P)


class RingRoot(ToothSurface):
    """The root circle of an internal gear from the middle of the space, u = 0, to the fillet, u = 1."""

    def __init__(self, cutter: ShaperCutter, twist: float, side: float) -> None:
        self.twist, self.side = twist, side
        self.facing = side
        self.radius = cutter.centre_distance + cutter.tip_radius
        self.middle = math.pi / cutter.ring_teeth
        self.width = cutter.normals[0] * cutter.teeth / cutter.ring_teeth

    def limits(self, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """0 and 1."""
        zero = np.zeros_like(np.asarray(z, dtype=np.float64))
        return zero, zero + 1.0

    def section(self, u: npt.ArrayLike, z: npt.ArrayLike) -> ComplexArray:
        """P(u, ζ) [m]."""
        a, b = along(u, z)
        P: ComplexArray = self.radius * np.exp(1j * (self.side * (self.middle - a * self.width) + self.twist * b))
        return P

    def normal(self, u: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        """Towards the axis; also where a full radius leaves no land."""
        return space_point(-self.section(u, z) / self.radius, 0.0)

    def derivatives(self, u: npt.ArrayLike, z: npt.ArrayLike) -> SectionDerivatives:
        """P with its first and second derivatives."""
        P = self.section(u, z)
        a, k = -1j * self.side * self.width, 1j * self.twist
        return SectionDerivatives(P, a * P, k * P, a * a * P, a * k * P, k * k * P)
