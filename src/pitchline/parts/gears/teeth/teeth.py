"""The teeth of a gear: flanks, fillets, roots and tips as exact surfaces; internal gears with their shaper cutter."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import ComplexArray, FloatArray
from pitchline.errors import ModelError, shown

from ..geometry.gear import Gear
from ..geometry.inputs import Hob, Shaper, in_deg, in_mm, whole
from ..geometry.involute import along, inverse_involute, involute
from ..geometry.rack import root_radius
from ..modifications.deviations import FlankModifications
from .flank import InvoluteFlank, Junction, RackFillet, RackRoot, ToothFlank, rack_flank
from .generating_rack import GeneratingRack, SectionDerivatives, ToothSurface, space_point

if TYPE_CHECKING:
    from ..geometry.rack import Rack
    from ..surfaces.from_gears import SurfaceTeeth

__all__ = ["RingRoot", "ShapedFillet", "ShaperCutter", "ring_flank", "shaper_cutter", "TipLand", "Teeth"]


# ---- shaper

# Internal teeth cut by a pinion-type shaper cutter: its data, and the fillet its rounded tips leave.
#
# The cutter (z_0 teeth, no profile shift) rolls inside the ring at the centre distance a_0 at which its teeth fill
# the spaces of the ring:
#
# inv α_w0 = inv α_t + (π − (s_t + s_t0)/m_t) / (z − z_0) , a_0 = (r − r_0) cos α_t / cos α_w0 .
#
# Its tip radius is r_a0 = r_f − a_0. The rounding of radius ρ_0 touches tip circle and involute from inside: its
# centre C has the radius r_a0 − ρ_0 and lies on the tangent of the base circle that ends at the roll length L_F0 =
# sqrt(|C|² − r_b0²) + ρ_0.
#
# In the frame of the cutter, a point of the rounding with the normal n = e^{iψ} touches the ring where the line C + t
# n meets the pitch circle, W = C + t n, |W| = r_w0, t = −C·n + sqrt((C·n)² + r_w0² − |C|²). Turning W into the line
# of centres by −χ, χ = arg W, the ring turns by −χ z_0/z, and the fillet is, from the middle of the space,
#
# P = e^{iχ z_0/z} (a_0 + Q e^{−iχ}) , Q = C + ρ_0 n .
#
# (Litvin & Fuentes 2004, ch. 11, for internal gears cut so. The rounding is a circle in the transverse section.)


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


# ---- tip

# The tip of a tooth: a strip of the tip cylinder, or of the tip cone of a beveloid, between its two flanks.


class TipLand(ToothSurface):
    """u = −1 at the right flank, +1 at the left one.

    P = r(ζ) e^{iϑ},  ϑ = ((1 + u) ϑ_left(ζ) + (1 − u) ϑ_right(ζ)) / 2 ,  r = r_a + ζ tan θ
    """

    def __init__(
        self,
        radius: float,
        rise: float,
        sense: float,
        edge: Callable[[FloatArray, float], tuple[FloatArray, FloatArray, FloatArray]],
    ) -> None:
        self.radius, self.rise, self._edge = radius, rise, edge
        self.facing = sense

    def limits(self, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """−1 and 1."""
        one = np.ones_like(np.asarray(z, dtype=np.float64))
        return -one, one

    def section(self, u: npt.ArrayLike, z: npt.ArrayLike) -> ComplexArray:
        """P(u, ζ) [m]."""
        return self.derivatives(u, z).P

    def derivatives(self, u: npt.ArrayLike, z: npt.ArrayLike) -> SectionDerivatives:
        """P with its first and second derivatives."""
        a, b = along(u, z)
        left, left1, left2 = self._edge(b, 1.0)
        right, right1, right2 = self._edge(b, -1.0)
        f = 0.5 * ((1.0 + a) * left + (1.0 - a) * right)
        f_z = 0.5 * ((1.0 + a) * left1 + (1.0 - a) * right1)
        f_zz = 0.5 * ((1.0 + a) * left2 + (1.0 - a) * right2)
        f_u, f_uz = 0.5 * (left - right), 0.5 * (left1 - right1)
        r, k = self.radius + self.rise * b, self.rise
        e = np.exp(1j * f)
        return SectionDerivatives(
            P=r * e,
            u=1j * f_u * r * e,
            z=(k + 1j * f_z * r) * e,
            uu=-(f_u**2) * r * e,
            uz=(1j * f_uz * r + 1j * f_u * (k + 1j * f_z * r)) * e,
            zz=(2j * f_z * k + 1j * f_zz * r - f_z**2 * r) * e,
        )


_SAMPLES = 9
"""Number of sections along the face of a beveloid at which its teeth are checked."""


@names_wrong_arguments
class Teeth:
    """Tooth surfaces of a spur, helical or conical involute gear, external or internal.

    External teeth are generated by a rack that rolls with the gear: involute helicoids, exact trochoidal fillets of its
    rounded tips, root. Internal teeth are generated by a pinion-type shaper cutter. All quantities are in the axes of the
    gear: z is the axis, x goes through the middle of tooth 0, tooth k is rotated by 2πk/z. **The left flank of tooth 0 is that on
    the +y side**: left, seen from +z with the tip up.

    Parameters
    ----------
    gear
        A cylindrical or conical involute `Gear`. Its tool, profile shift angle and modifications define the teeth.

    The other arguments are a short form: ``Teeth(gear, both=TipRelief(...))`` is
    ``Teeth(gear.with_(modifications=TipRelief(...)))``, and `teeth.gear` is the gear with all of them.

    profile_shift_angle
        As in `Gear`.
    protuberance, protuberance_angle
        As in `Hob`.
    cutter_teeth, cutter_tip_rounding
        `teeth` and `tip_rounding` of a `Shaper`.
    both, left, right, per_tooth
        As in `FlankModifications`; they replace all modifications of the gear.

    Attributes
    ----------
    gear : Gear
        The whole description.
    left, right : ToothFlank
        The two sides of a tooth.
    rack : GeneratingRack | None
        Rack that generates an external gear.
    cutter : ShaperCutter | None
        Cutter that generates an internal gear.
    """

    def __init__(
        self,
        gear: Gear,
        *,
        profile_shift_angle: object = None,
        protuberance: object = None,
        protuberance_angle: object = None,
        cutter_teeth: object = None,
        cutter_tip_rounding: object = None,
        both: object = None,
        left: object = None,
        right: object = None,
        per_tooth: Mapping[object, object] | None = None,
    ) -> None:
        if not isinstance(gear, Gear):
            raise ModelError(f"teeth: expected a Gear, got {shown(gear)}")
        if gear.cone_angle:
            raise ModelError(
                f"teeth: a bevel wheel (cone angle {in_deg(gear.cone_angle)}) has other teeth. Use BevelTeeth, "
                "or specify profile_shift_angle instead of cone_angle for a conical involute gear"
            )
        if gear.flanks is not None:
            raise ModelError(
                "teeth: the gear has imported flanks, which are not involutes. Use surface_teeth(gear), or gear.with_(flanks=None) "
                "for its nominal teeth"
            )
        changes: dict[str, object] = {}
        if profile_shift_angle is not None:
            changes["profile_shift_angle"] = profile_shift_angle
        if protuberance is not None or protuberance_angle is not None:
            changes["tool"] = Hob(
                protuberance=0.0 if protuberance is None else protuberance, protuberance_angle=protuberance_angle
            )
        if cutter_teeth is not None or cutter_tip_rounding is not None:
            changes["tool"] = Shaper(teeth=cutter_teeth, tip_rounding=cutter_tip_rounding)
        if any(given is not None for given in (both, left, right, per_tooth)):
            changes["modifications"] = FlankModifications(
                both, left=left, right=right, per_tooth=per_tooth, what="teeth"
            )
        self.gear = gear.with_(**changes) if changes else gear
        self.profile_shift_angle = self.gear.profile_shift_angle
        self.rack: GeneratingRack | None = None
        self.cutter: ShaperCutter | None = None
        tool = self.gear.tool
        if self.gear.internal:
            cutter = tool if isinstance(tool, Shaper) else Shaper()
            self.cutter = shaper_cutter(self.gear, cutter.teeth, cutter.tip_rounding)
        else:
            hob = tool if isinstance(tool, Hob) else Hob()
            self.rack = GeneratingRack.of(
                self.gear,
                tilt=self.profile_shift_angle,
                protuberance=hob.protuberance,
                protuberance_angle=hob.protuberance_angle,
            )
        self.left, self.right = self._flank("left"), self._flank("right")
        self._check()

    # -------------------------------------------------------------------------------------------------- imported flanks

    @staticmethod
    def from_points(
        gear: Gear | Rack,
        *,
        left: object = None,
        right: object = None,
        per_tooth: Mapping[object, object] | None = None,
        unit: object = None,
        smoothing: object = None,
        rotation: object = None,
    ) -> SurfaceTeeth:
        """Teeth from points of their flanks: measured, computed by another program, or from a file.

        Parameters
        ----------
        gear
            The nominal `Gear` or `Rack`: number of teeth, pitch geometry, face width, body. It may be a spiral bevel gear.
        left, right
            Points of a flank: a grid (rows, lines, 3), rows from root to tip and lines along the face or the other way round; or
            points (n, 3) in any order; or the name of a file (.csv, .txt, .stl, .step). In the axes of the gear, on any tooth.
            Without one of them straight teeth are symmetrical.
        per_tooth
            Flanks of single teeth that differ: ``{(3, "left"): points}``.
        unit
            Of the points, such as "mm"; m if it is not specified. Files may contain their unit.
        smoothing
            Tolerance [m] for measured points with noise: the smoothest spline whose residuals have this root mean square value.
            Without it the spline goes through all points.
        rotation
            An angle [rad] by which all points are rotated about z, or "centre": until the tooth is symmetrical to the x axis on
            the pitch surface. Racks: a distance [m] along y.
        """
        from ..surfaces.importing import from_points

        return from_points(
            gear, left=left, right=right, per_tooth=per_tooth, unit=unit, smoothing=smoothing, rotation=rotation
        )

    @staticmethod
    def from_surface(
        gear: Gear | Rack,
        *,
        left: object = None,
        right: object = None,
        per_tooth: Mapping[object, object] | None = None,
        unit: object = None,
        domain: object = ((0.0, 1.0), (0.0, 1.0)),
        rotation: object = None,
    ) -> SurfaceTeeth:
        """Teeth from surfaces p(u, v): functions, or NURBS patches. Points are met within 1 nm.

        Parameters
        ----------
        gear, per_tooth, unit, rotation
            As for `from_points`.
        left, right
            A function of two numbers (or arrays) that returns a point; or a mapping with `control` (n, m, 3), `knots_u`,
            `knots_v` and `weights` (n, m) of a NURBS patch; or a `FlankPatch`.
        domain
            ((u0, u1), (v0, v1)) of functions. Directions of u and v are found from the surface.
        """
        from ..surfaces.importing import from_surface

        return from_surface(
            gear, left=left, right=right, per_tooth=per_tooth, unit=unit, domain=domain, rotation=rotation
        )

    # ------------------------------------------------------------------------------------------------------ its parts

    def _flank(self, name: str) -> ToothFlank:
        gear, side = self.gear, 1.0 if name == "left" else -1.0
        modification, of_tooth = gear.modifications.of_side(name), gear.modifications.of_teeth(name)
        if self.rack is not None:
            involute = rack_flank(self.rack, side)
            fillet = RackFillet(self.rack, side)
            junction = Junction(involute, fillet)
            fillet.end = junction.fillet
            root = RackRoot(self.rack, side)
            return ToothFlank(gear, involute, fillet, root, junction, self._tip_radius, modification, of_tooth)
        assert self.cutter is not None
        involute = ring_flank(gear, side)
        return ToothFlank(
            gear,
            involute,
            ShapedFillet(self.cutter, involute.twist, side),
            RingRoot(self.cutter, involute.twist, side),
            self.cutter.ring_form_roll_length,
            self._tip_radius,
            modification,
            of_tooth,
        )

    def flank(self, side: str) -> ToothFlank:
        """The "left" or "right" flank."""
        if side not in ("left", "right"):
            raise ModelError(f'teeth: side must be "left" or "right", got {shown(side)}')
        return self.left if side == "left" else self.right

    @cached_property
    def tip(self) -> TipLand:
        """The tip land between both flanks."""

        def edge(z: FloatArray, side: float) -> tuple[FloatArray, FloatArray, FloatArray]:
            return (self.left if side > 0.0 else self.right).tip_angle(z)

        rise = 0.0 if self.rack is None else self.rack.rise
        return TipLand(float(self._tip_radius(np.zeros(1))[0][0]), rise, self.gear.sense, edge)

    def _tip_radius(self, z: FloatArray) -> tuple[FloatArray, float]:
        """Of the tip circle over ζ, and its slope; internal teeth end at the base circle: there is no flank inside it."""
        if self.rack is None:
            return np.full_like(z, 0.5 * max(self.gear.tip_diameter, self.gear.base_diameter)), 0.0
        return 0.5 * self.gear.tip_diameter + self.rack.rise * z, self.rack.rise

    # ------------------------------------------------------------------------------------------------- what was found

    def sections(self) -> FloatArray:
        """Face coordinates ζ [m] at which the teeth were checked: the middle, or several along the face of a beveloid."""
        if not self.profile_shift_angle:
            return np.zeros(1)
        half = 0.5 * self.gear.required_face_width("a conical involute gear")
        return np.linspace(-half, half, _SAMPLES)

    def _check(self) -> None:
        z = self.sections()
        gear = self.gear
        width = self.left.tip_angle(z)[0] - self.right.tip_angle(z)[0]
        if (width <= 0.0).any():
            raise ModelError(
                f"teeth: pointed below the tip at ζ = {in_mm(float(z[np.argmin(width)]))} (tip diameter "
                f"{in_mm(gear.tip_diameter)} in the middle). Shorten them with tip_alteration, or reduce "
                "profile_shift_angle"
            )
        for flank in (self.left, self.right):
            form, tip = flank.form_roll_length(z), flank.tip_roll_length(z)
            short = gear.sense * (tip - form) <= 0.0
            if short.any():
                at = int(np.argmax(short))
                raise ModelError(
                    f"teeth: there is no involute at ζ = {in_mm(float(z[at]))}: it would begin at the diameter "
                    f"{in_mm(2.0 * float(flank.involute.radius(form[at])))}, the tip is at "
                    f"{in_mm(2.0 * float(flank.involute.radius(tip[at])))}; reduce the dedendum, the root radius or the "
                    "protuberance, or change the profile shift"
                )
            if flank.modified and gear.face_width is not None:
                flank.check_modifications()

    @cached_property
    def undercut(self) -> bool:
        """Whether the tips of the rack cut into the involutes anywhere along the face (a protuberance always does)."""
        if self.rack is None:
            return False
        z = self.sections()
        return any(bool(flank.junction.undercut(z).any()) for flank in (self.left, self.right) if flank.junction)

    @property
    def root_form_diameter(self) -> float:
        """d_Ff [m] in the middle of the face: where the involute ends towards the root; undercut included."""
        return 2.0 * float(self.left.involute.radius(self.left.form_roll_length(0.0)))

    @property
    def tip_form_diameter(self) -> float:
        """d_Fa [m] in the middle of the face: the tip diameter; the base circle for internal tips inside it."""
        return 2.0 * float(self.left.involute.radius(self.left.tip_roll_length(0.0)))

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the teeth."""
        found = []
        if self.undercut and self.rack is not None and not self.rack.protuberance:
            found.append(
                f"undercut: the involute begins at the diameter {in_mm(self.root_form_diameter)}, base circle "
                f"{in_mm(2.0 * self.left.involute.base_radius)}"
            )
        if self.gear.internal and self.gear.tip_diameter < self.gear.base_diameter:
            found.append(
                "the tips extend inside the base circle, where there is no involute; the teeth end at the base circle"
            )
        if self.cutter is not None and self.cutter.trims:
            found.append(
                f"a cutter of {self.cutter.teeth} teeth trims the tips of the ring, but these surfaces are not trimmed. "
                "Specify fewer cutter_teeth, or shorten the teeth"
            )
        return tuple(found)

    # ---------------------------------------------------------------------------------------------------- thicknesses

    def tooth_thickness(self, diameter: npt.ArrayLike, z: npt.ArrayLike = 0.0) -> FloatArray:
        """Transverse tooth thickness (arc) of the unmodified tooth [m] on a circle of a diameter [m], in the section ζ [m]."""
        r = 0.5 * np.asarray(diameter, dtype=np.float64)
        return r * (self.left.involute.half_angle(r, z) + self.right.involute.half_angle(r, z))

    def __repr__(self) -> str:
        kind = "internal" if self.gear.internal else "external"
        return f"Teeth({self.gear.teeth} {kind}, m_n {in_mm(self.gear.normal_module)})"
