"""Tooth thickness, pointed tips and undercut of one wheel (ISO 21771)."""

from __future__ import annotations

import math

from ..errors import ModelError
from .inputs import in_mm, positive
from .involute import inverse_involute, involute
from .rack_profile import form_depth
from .reference import ReferenceGeometry

__all__ = ["ToothThickness"]


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
