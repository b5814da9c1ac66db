"""The pitch geometry of a pair: the few numbers that place two wheels and roll them on each other.

Every kind of pair is one case of the same geometry (Cardona, Flexible three dimensional gear modelling, 1997, with the
misprints corrected). Each wheel has a triad at its centre: axis, centre → pitch point, and their cross product,

    wheel A:  μ1, μ2, μ3        wheel B:  ξ1, ξ2, ξ3 ,

and at the pitch point both share the triad of the teeth η1 (along the tooth), η2 (up the tooth, from A to B), η3
(across):

    [η] = [μ] Y_A = [ξ] Y_B D ,   D = diag(1, −1, −1) ,   Y(γ, β) = Rot3(γ) Rot2(β) ,
    [ξ] = [μ] Z ,                 Z = Y_A D Y_Bᵀ .

His signs differ from those of `Gear`:

* **β is positive left-hand** on external wheels and bevels, positive right-hand on internal wheels: β = −σ β_gear.
* γ is the angle from the axis to the pitch line: the cone angle of a bevel, 0 for external cylinders, **180° for
  internal wheels**, which turns the axis of the other wheel round. The triad may therefore use the reverse of the
  wheel's own z axis: μ1 = s z with s = −1 for internal wheels and for bevels whose z points to the apex, so that γ
  is never negative.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

__all__ = ["Array", "PitchGeometry", "tooth_rotation"]

Array = npt.NDArray[np.float64]

_D = np.diag([1.0, -1.0, -1.0])


def _fixed(values: object) -> Array:
    result = np.array(values, dtype=np.float64)
    result.flags.writeable = False
    return result


def tooth_rotation(gamma: float, beta: float) -> Array:
    """Y(γ, β) = Rot3(γ) Rot2(β): from the triad of the wheel to that of its teeth; (3, 3)."""
    cg, sg, cb, sb = math.cos(gamma), math.sin(gamma), math.cos(beta), math.sin(beta)
    return _fixed([[cg * cb, -sg, cg * sb], [sg * cb, cg, sg * sb], [-sb, 0.0, cb]])


@dataclass(frozen=True, kw_only=True)
class PitchGeometry:
    """Pitch radii and angles in the signs of Cardona; teeth and module such that m_n z/2 = r cos β on both wheels.

    Attributes
    ----------
    radius_a, radius_b : float
        r: from the centre of the wheel to the pitch point [m]; infinite for a rack.
    gamma_a, gamma_b : float
        γ: from the axis to the pitch line [rad]: 0 cylinder, δ bevel, π internal.
    beta_a, beta_b : float
        β: helix angle on the pitch surface [rad], positive left-hand for external wheels.
    teeth_a, teeth_b : int
    normal_module : float
        m_n on the pitch surfaces [m]; differs from that of the gears where the centre distance is not the reference
        one.
    pressure_angle : float
        α: normal pressure angle at the pitch point [rad], the working one.
    axis_sign_a, axis_sign_b : float
        s: the triad has the axis μ1 = s z, z being that of the gear.
    rack_offset : float
        How far the pitch line of a rack lies above its reference line, towards the pinion [m].
    """

    radius_a: float
    radius_b: float
    gamma_a: float
    gamma_b: float
    beta_a: float
    beta_b: float
    teeth_a: int
    teeth_b: int
    normal_module: float
    pressure_angle: float
    axis_sign_a: float = 1.0
    axis_sign_b: float = 1.0
    rack_offset: float = 0.0

    # ------------------------------------------------------------------------------------------------- the geometry

    @property
    def is_rack(self) -> bool:
        """Whether B is a rack."""
        return math.isinf(self.radius_b)

    @cached_property
    def Y_a(self) -> Array:
        """Y_A (3, 3): [η] = [μ] Y_A."""
        return tooth_rotation(self.gamma_a, self.beta_a)

    @cached_property
    def Y_b(self) -> Array:
        """Y_B (3, 3): [η] = [ξ] Y_B D."""
        return tooth_rotation(self.gamma_b, self.beta_b)

    @cached_property
    def Z(self) -> Array:
        """Z = Y_A D Y_Bᵀ (3, 3): [ξ] = [μ] Z; depends on γ_A, γ_B and β_A + β_B only."""
        return _fixed(self.Y_a @ _D @ self.Y_b.T)

    @property
    def shaft_angle(self) -> float:
        """The angle between ξ1 and μ1 [rad]: cos Σ = cos γ_A cos γ_B cos(β_A + β_B) − sin γ_A sin γ_B."""
        # From the vectors: the arc cosine loses half of the figures near 0 and 180 degrees.
        axis = self.Z[:, 0]
        return math.atan2(math.hypot(axis[1], axis[2]), axis[0])

    @property
    def axis_distance(self) -> float:
        """The distance between the two axes [m].

        |sin(β_A + β_B) (r_A cos γ_B + r_B cos γ_A)| / sin Σ for crossing axes, the centre distance for parallel
        ones, r_A + c for a rack, whose reference line lies c behind its pitch line.
        """
        if self.is_rack:
            return self.radius_a + self.rack_offset
        sine = math.hypot(self.Z[1, 0], self.Z[2, 0])
        if sine < 1e-12:
            return float(np.linalg.norm(self.centre[1:]))
        arm = self.radius_a * math.cos(self.gamma_b) + self.radius_b * math.cos(self.gamma_a)
        return abs(math.sin(self.beta_a + self.beta_b) * arm) / sine

    @cached_property
    def centre(self) -> Array:
        """x_AB = r_A μ2 − r_B ξ2 in the triad of A [m] (3,); of a rack: to the nearest point of its reference line."""
        pitch_point = np.array([0.0, self.radius_a, 0.0])
        arm = self.rack_offset if self.is_rack else self.radius_b
        return _fixed(pitch_point - arm * self.Z[:, 1])

    @property
    def speed_ratio(self) -> float:
        """ω_B / ω_A about the wheels' own z axes, the frame at rest: −s_A s_B z_A / z_B; of a rack: v_y / ω_A [m].

        Of the rack: v = −s_A s_B m_n z_A / (2 cos β_B) along its own y.
        """
        sign = -self.axis_sign_a * self.axis_sign_b
        if self.is_rack:
            return sign * 0.5 * self.normal_module * self.teeth_a / math.cos(self.beta_b)
        return sign * self.teeth_a / self.teeth_b

    @property
    def sliding_ratio(self) -> float:
        """|v_s| / (ω_A r_A) at the pitch point: |sin(β_A + β_B) / cos β_B|, along the teeth; zero unless axes cross."""
        return abs(math.sin(self.beta_a + self.beta_b) / math.cos(self.beta_b))

    # ---------------------------------------------------------------------------------------- triads fixed in the gears

    @cached_property
    def triad_a(self) -> Array:
        """M0 (3, 3) in the axes of gear A: columns μ1, μ2, μ3 with μ2 through the middle of a **tooth**."""
        return _triad(self.axis_sign_a, 0.0)

    @cached_property
    def triad_b(self) -> Array:
        """X0 (3, 3) in the axes of gear B: columns ξ1, ξ2, ξ3 with ξ2 through the middle of a **space**.

        Therefore ψ_A = ψ_B = 0 if a tooth of A is in the middle of a space of B at the pitch point, and the teeth
        are in mesh, with the backlash shared evenly, where z_A ψ_A + z_B ψ_B is a multiple of 2π. A rack is not
        turned but has its space half a pitch along y: see `rack_point`.
        """
        return _triad(self.axis_sign_b, 0.0 if self.is_rack else math.pi / self.teeth_b)

    @property
    def rack_point(self) -> Array:
        """c0 (3,) [m]: the middle of a space on the pitch line of the rack, in the triad ξ fixed in it."""
        half_pitch = 0.5 * math.pi * self.normal_module / math.cos(self.beta_b)
        return _fixed([0.0, self.rack_offset, half_pitch])


def _triad(sign: float, turn: float) -> Array:
    """The triad with axis s z whose second vector is x turned about that axis."""
    c, s = math.cos(turn), math.sin(turn)
    return _fixed([[0.0, c, -s], [0.0, sign * s, sign * c], [sign, 0.0, 0.0]])
