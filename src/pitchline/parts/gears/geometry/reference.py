"""Reference geometry of one toothed wheel by ISO 21771, tooth thickness, and equivalent cylinders.

All diameters and numbers of teeth are positive here, also those of internal wheels, which ISO 21771 gives a minus
sign. Where a formula of the standard needs the sign, it appears as σ: +1 for external and −1 for internal teeth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pitchline.errors import ModelError

from .inputs import in_deg, in_mm, positive
from .involute import inverse_involute, involute
from .rack import form_depth, root_radius

if TYPE_CHECKING:
    from .gear import Gear

__all__ = ["ReferenceGeometry", "ToothThickness", "EquivalentCylinder", "equivalent_cylinder", "transverse_gear"]


class ReferenceGeometry:
    """What follows from tooth number, normal module, angles and basic rack; mixed into `Gear` and `EquivalentCylinder`.

    On a bevel wheel all of it belongs to the middle of the face width, where the module is given.
    """

    teeth: float
    normal_module: float
    normal_pressure_angle: float
    helix_angle: float
    profile_shift: float
    addendum_factor: float
    dedendum_factor: float
    root_radius_factor: float | None
    tip_alteration: float
    backlash_allowance: float
    internal: bool
    cone_angle: float
    profile_shift_angle: float

    @property
    def sense(self) -> float:
        """σ: +1 for external teeth, −1 for internal teeth."""
        return -1.0 if self.internal else 1.0

    # ------------------------------------------------------------------------------------------------ angles

    @property
    def transverse_pressure_angle(self) -> float:
        """α_t [rad]: tan α_t = tan α_n / cos β; tan α_t = tan α_n cos θ of a conical gear without helix angle."""
        if self.profile_shift_angle and self.helix_angle:
            raise ModelError(
                "gear: the flanks of a helical conical gear (profile_shift_angle "
                f"{in_deg(self.profile_shift_angle)}) have separate transverse pressure angles and base circles. Use "
                "Teeth(gear).left.involute and Teeth(gear).right.involute"
            )
        tilted = math.tan(self.normal_pressure_angle) * math.cos(self.profile_shift_angle)
        return math.atan(tilted / math.cos(self.helix_angle))

    @property
    def base_helix_angle(self) -> float:
        """β_b [rad]: sin β_b = sin β cos α_n; signed as the helix angle, positive right-hand."""
        if self.profile_shift_angle:
            raise ModelError(
                f"gear: the flanks of a conical gear (profile_shift_angle {in_deg(self.profile_shift_angle)}) have "
                "separate base helix "
                "angles. Use Teeth(gear).left.involute and Teeth(gear).right.involute"
            )
        return math.asin(math.sin(self.helix_angle) * math.cos(self.normal_pressure_angle))

    @property
    def lead_angle(self) -> float:
        """γ = 90° − |β| [rad], with the sign of the hand as the helix angle has it; +90° on spur wheels."""
        return math.copysign(0.5 * math.pi - abs(self.helix_angle), self.helix_angle or 1.0)

    @property
    def angular_pitch(self) -> float:
        """τ = 2π/z [rad]."""
        return 2.0 * math.pi / self.teeth

    # ----------------------------------------------------------------------------------- modules and pitches

    @property
    def transverse_module(self) -> float:
        """m_t = m_n / cos β [m]."""
        return self.normal_module / math.cos(self.helix_angle)

    @property
    def axial_module(self) -> float:
        """m_x = m_n / sin |β| [m]; infinite on spur wheels."""
        sine = abs(math.sin(self.helix_angle))
        return self.normal_module / sine if sine else math.inf

    @property
    def normal_pitch(self) -> float:
        """p_n = π m_n [m]."""
        return math.pi * self.normal_module

    @property
    def transverse_pitch(self) -> float:
        """p_t = π m_t [m]."""
        return math.pi * self.transverse_module

    @property
    def axial_pitch(self) -> float:
        """p_x = π m_x [m]; infinite on spur wheels."""
        return math.pi * self.axial_module

    @property
    def lead(self) -> float:
        """p_z = z p_x [m]; infinite on spur wheels."""
        return self.teeth * self.axial_pitch

    @property
    def normal_base_pitch(self) -> float:
        """p_bn = p_n cos α_n [m]: the distance of neighbouring flanks along their normal."""
        return self.normal_pitch * math.cos(self.normal_pressure_angle)

    @property
    def transverse_base_pitch(self) -> float:
        """p_bt = p_et = p_t cos α_t [m]."""
        return self.transverse_pitch * math.cos(self.transverse_pressure_angle)

    # --------------------------------------------------------------------------------------------- diameters

    @property
    def reference_diameter(self) -> float:
        """d = z m_t [m]; the mean pitch diameter d_m of a bevel wheel."""
        return self.teeth * self.transverse_module

    @property
    def base_diameter(self) -> float:
        """d_b = d cos α_t [m]; of cylindrical wheels."""
        if self.cone_angle:
            raise ModelError(
                f"gear: a bevel wheel (cone angle {in_deg(self.cone_angle)}) has no base cylinder. Use its "
                "equivalent_cylinder"
            )
        return self.reference_diameter * math.cos(self.transverse_pressure_angle)

    @property
    def addendum(self) -> float:
        """h_a = m_n (h*_aP + x + k) [m]: from the reference to the tip circle."""
        return self.normal_module * (self.addendum_factor + self.profile_shift + self.tip_alteration)

    @property
    def dedendum(self) -> float:
        """h_f = m_n (h*_fP/cos θ − x) [m]: from the reference to the root circle; θ is 0 but on conical gears."""
        return self.normal_module * (self.dedendum_factor / math.cos(self.profile_shift_angle) - self.profile_shift)

    @property
    def tooth_depth(self) -> float:
        """h = h_a + h_f [m]."""
        return self.addendum + self.dedendum

    @property
    def tip_diameter(self) -> float:
        """d_a = d + 2 σ h_a cos δ [m]."""
        return self.reference_diameter + 2.0 * self.sense * self.addendum * math.cos(self.cone_angle)

    @property
    def root_diameter(self) -> float:
        """d_f = d − 2 σ h_f cos δ [m]."""
        return self.reference_diameter - 2.0 * self.sense * self.dedendum * math.cos(self.cone_angle)

    @property
    def virtual_teeth(self) -> float:
        """z_n = z / (cos² β_b cos β): teeth of the spur wheel with the tooth form of the normal section (ISO 6336)."""
        return self.teeth / (math.cos(self.base_helix_angle) ** 2 * math.cos(self.helix_angle))

    @property
    def root_radius(self) -> float:
        """ρ_fP [m] of the basic rack: as given, or 0.38 m_n, less where clearance or space are narrower."""
        return root_radius(self)


# ---- thickness

# Tooth thickness, pointed tips and undercut of one wheel (ISO 21771).


class ToothThickness(ReferenceGeometry):
    """Thicknesses are arcs; those of a tooth, not of a space. σ is the `sense`: +1 external, −1 internal."""

    @property
    def normal_tooth_thickness(self) -> float:
        """s_n = m_n (π/2 + 2 x tan α_n cos θ) − j_s [m], on the reference circle; j_s is the backlash allowance."""
        tilted = math.tan(self.normal_pressure_angle) * math.cos(self.profile_shift_angle)
        full = 0.5 * math.pi + 2.0 * self.profile_shift * tilted
        return self.normal_module * full - self.backlash_allowance

    @property
    def transverse_tooth_thickness(self) -> float:
        """s_t = s_n / cos β [m], on the reference circle."""
        return self.normal_tooth_thickness / math.cos(self.helix_angle)

    def pressure_angle_at(self, diameter: float) -> float:
        """α_yt [rad]: cos α_yt = d_b / d_y, the transverse profile angle on the circle of diameter d_y [m]."""
        diameter = positive(diameter, "length", "gear: diameter")
        if diameter < self.base_diameter * (1.0 - 1e-12):
            raise ModelError(
                f"gear: there is no involute at the diameter {in_mm(diameter)}, inside the base circle of "
                f"{in_mm(self.base_diameter)}; ask for a larger one"
            )
        return math.acos(min(1.0, self.base_diameter / diameter))

    def helix_angle_at(self, diameter: float) -> float:
        """β_y [rad]: tan β_y = (d_y / d) tan β, positive right-hand."""
        diameter = positive(diameter, "length", "gear: diameter")
        return math.atan(diameter / self.reference_diameter * math.tan(self.helix_angle))

    def tooth_thickness_at(self, diameter: float) -> float:
        """s_yt = d_y (s_t/d + σ (inv α_t − inv α_yt)) [m], the transverse arc on the circle of diameter d_y [m]."""
        diameter = positive(diameter, "length", "gear: diameter")
        turn = involute(self.transverse_pressure_angle) - involute(self.pressure_angle_at(diameter))
        return diameter * (self.transverse_tooth_thickness / self.reference_diameter + self.sense * turn)

    @property
    def tip_thickness(self) -> float:
        """s_an = s_at cos β_a [m], the normal thickness at the tip; of internal teeth not inside the base circle."""
        diameter = max(self.tip_diameter, self.base_diameter)
        return self.tooth_thickness_at(diameter) * math.cos(self.helix_angle_at(diameter))

    @property
    def pointed_diameter(self) -> float:
        """Where the flanks of a tooth meet [m]: inv α_yt = s_t/d + inv α_t; infinite for internal teeth."""
        if self.internal:
            return math.inf
        half = self.transverse_tooth_thickness / self.reference_diameter
        return self.base_diameter / math.cos(inverse_involute(half + involute(self.transverse_pressure_angle)))

    @property
    def minimum_profile_shift(self) -> float:
        """x_min = h_FfP/m_n − z sin² α_t / (2 cos β): with less the basic rack undercuts; −inf for internal teeth."""
        if self.internal:
            return -math.inf
        sine = math.sin(self.transverse_pressure_angle)
        depth = form_depth(self) / math.cos(self.profile_shift_angle)
        return depth / self.normal_module - self.teeth * sine**2 / (2.0 * math.cos(self.helix_angle))

    @property
    def undercut(self) -> bool:
        """Whether generation by the basic rack cuts into the involute."""
        return self.profile_shift < self.minimum_profile_shift - 1e-12

    @property
    def root_form_diameter(self) -> float:
        """d_Ff [m]: where the fillet begins and the involute ends.

        External, cut by the basic rack:  d_Ff² = d_b² + (d sin α_t − 2 (h_FfP − x m_n) / sin α_t)².
        Undercut wheels return d_b; their involute ends further out. Internal, as deep as the straight flank of the
        basic rack:  d_Ff = d + 2 (h_FfP − x m_n).
        """
        depth = form_depth(self) / math.cos(self.profile_shift_angle) - self.profile_shift * self.normal_module
        if self.internal:
            return self.reference_diameter + 2.0 * depth
        sine = math.sin(self.transverse_pressure_angle)
        height = self.reference_diameter * sine - 2.0 * depth / sine
        return math.hypot(self.base_diameter, max(0.0, height))


# ---- equivalent

# Simpler gears for bevel gears: the back cone, unrolled (Tredgold; ISO 23509, ISO 10300), and straight teeth.


@dataclass(frozen=True, kw_only=True)
class EquivalentCylinder(ToothThickness):
    """A cylindrical wheel with z_v = z / cos δ teeth, in general not a whole number: it exists on paper only."""

    teeth: float
    normal_module: float
    normal_pressure_angle: float
    helix_angle: float
    profile_shift: float
    addendum_factor: float
    dedendum_factor: float
    root_radius_factor: float | None
    tip_alteration: float
    backlash_allowance: float
    internal: bool = False
    cone_angle: float = 0.0
    profile_shift_angle: float = 0.0


def equivalent_cylinder(gear: ToothThickness) -> EquivalentCylinder:
    """The wheel on the back cone: z_v = z / cos δ, everything else as in the middle of the face width."""
    cosine = math.cos(gear.cone_angle)
    if cosine < 1e-9:
        raise ModelError(
            f"gear: the equivalent gear of a crown wheel (cone angle {in_deg(gear.cone_angle)}) is a rack, not a cylinder"
        )
    return EquivalentCylinder(
        teeth=gear.teeth / cosine,
        normal_module=gear.normal_module,
        normal_pressure_angle=gear.normal_pressure_angle,
        helix_angle=gear.helix_angle,
        profile_shift=gear.profile_shift,
        addendum_factor=gear.addendum_factor,
        dedendum_factor=gear.dedendum_factor,
        root_radius_factor=gear.root_radius_factor,
        tip_alteration=gear.tip_alteration,
        backlash_allowance=gear.backlash_allowance,
        internal=gear.internal,
    )


def transverse_gear(gear: Gear) -> Gear:
    """Straight bevel gear with the same cone and heights; its teeth are those of the transverse section."""
    cosine = math.cos(gear.helix_angle)
    return gear.with_(
        helix_angle=0.0,
        normal_module=gear.normal_module / cosine,
        normal_pressure_angle=math.atan(math.tan(gear.normal_pressure_angle) / cosine),
        profile_shift=gear.profile_shift * cosine,
        addendum_factor=gear.addendum_factor * cosine,
        dedendum_factor=gear.dedendum_factor * cosine,
        tip_alteration=gear.tip_alteration * cosine,
        root_radius_factor=None,
        backlash_allowance=gear.backlash_allowance / cosine,
        modifications=None,
    )
