"""Worm gears with friction, the closed forms: how much of the power arrives, either way, and when a worm cannot be driven back.

With the lead angle γ of the worm, the normal pressure angle α and the coefficient of friction μ, at constant speed

    the worm drives:   η  = (cos α − μ tan γ) / (cos α + μ cot γ) ,
    the wheel drives:  η' = (cos α − μ cot γ) / (cos α + μ tan γ) ,

and the worm locks itself, η' <= 0, from μ = cos α tan γ on. Free under a torque T on the wheel, with r and I
of worm (1) and wheel (2), i = z_2/z_1,

    F r_2 (cos α cos γ + μ sin γ) = T − I_2 ω_2' ,    F r_1 (cos α sin γ − μ cos γ) = I_1 ω_1' ,    ω_1' = i ω_2' .
"""

import math
from dataclasses import dataclass

import pitchline as pl

__all__ = ["LOCKING", "RUNNING", "WormData"]

TORQUE = 100.0
"""On the wheel [N m]."""


@dataclass(frozen=True)
class WormData:
    """What decides about efficiency and locking; angles in rad."""

    starts: int
    lead_angle: float
    alpha: float
    mu: float
    teeth: int = 40

    @property
    def worm(self) -> pl.Gear:
        """The worm, right-hand."""
        return pl.Gear(
            starts=self.starts, normal_module="4 mm", normal_pressure_angle=self.alpha, lead_angle=self.lead_angle,
            face_width="100 mm",
        )  # fmt: skip

    @property
    def wheel(self) -> pl.Gear:
        """Its wheel at right angles."""
        return pl.Gear(
            teeth=self.teeth, normal_module="4 mm", normal_pressure_angle=self.alpha, helix_angle=self.lead_angle,
            face_width="30 mm", bore="30 mm",
        )  # fmt: skip

    @property
    def ratio(self) -> float:
        """z_2 / z_1."""
        return self.teeth / self.starts

    def efficiency(self, *, worm_drives: bool) -> float:
        """The closed form; negative: locked."""
        c, t = math.cos(self.alpha), math.tan(self.lead_angle)
        on, back = (self.mu * t, self.mu / t) if worm_drives else (self.mu / t, self.mu * t)
        return (c - on) / (c + back)

    @property
    def locks(self) -> bool:
        """μ >= cos α tan γ."""
        return self.mu >= math.cos(self.alpha) * math.tan(self.lead_angle)

    def acceleration(self) -> float:
        """ω_1' [rad/s²] of the free worm under the torque on the wheel, while it turns that way."""
        c, s = math.cos(self.lead_angle), math.sin(self.lead_angle)
        on_wheel = 0.5 * self.wheel.reference_diameter * (math.cos(self.alpha) * c + self.mu * s)
        on_worm = 0.5 * self.worm.reference_diameter * (math.cos(self.alpha) * s - self.mu * c)
        I_1, I_2 = (float(gear.blank.inertia[2]) for gear in (self.worm, self.wheel))
        return self.ratio * TORQUE / (I_2 + I_1 * self.ratio * on_wheel / on_worm)


RUNNING = WormData(starts=2, lead_angle=math.atan(0.1), alpha=math.radians(20), mu=0.05)
LOCKING = WormData(starts=1, lead_angle=math.radians(3), alpha=math.radians(14.5), mu=0.1)
"""Those of the gallery."""
