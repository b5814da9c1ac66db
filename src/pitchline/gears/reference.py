"""The reference geometry of one toothed wheel: angles, pitches and diameters of ISO 21771.

All diameters and numbers of teeth are positive here, also those of internal wheels, which ISO 21771 gives a minus
sign. Where a formula of the standard needs the sign, it appears as σ: +1 for external and −1 for internal teeth.
"""

from __future__ import annotations

import math

from ..errors import ModelError
from .inputs import in_deg
from .rack_profile import root_radius

__all__ = ["ReferenceGeometry"]


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
