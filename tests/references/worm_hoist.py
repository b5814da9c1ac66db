"""A worm gear that carries a load on a drum: model and closed forms.

With the lead angle gamma, the pressure angle alpha, the coefficient of friction mu and the pitch radii r_1 and r_2, the tooth force
F has the levers, while the worm slides against the load (+) or with it (-),

    worm:  r_1 (cos(alpha) sin(gamma) +- mu cos(gamma)) ,     wheel:  r_2 (cos(alpha) cos(gamma) -+ mu sin(gamma)) .
"""

import math
from dataclasses import dataclass
from typing import Any

import pitchline as pl


@dataclass(frozen=True)
class WormHoist:
    """Worm and wheel in fixed bearings; a constant torque on the wheel is the load, a torque on the worm the motor."""

    friction: float = 0.1
    lead_angle: float = math.radians(3.0)
    pressure_angle: float = math.radians(14.5)
    starts: int = 1
    teeth: int = 40
    module: float = 4e-3
    load: float = 100.0

    def model(self, mesh: Any = None, *, motor: Any = None, load: Any = None, **options: Any) -> pl.Model:
        """mesh: default rigid teeth that stick; options go to them."""
        m = pl.Model("worm hoist")
        common = {"normal_module": self.module, "normal_pressure_angle": self.pressure_angle}
        worm = pl.Gear(starts=self.starts, lead_angle=self.lead_angle, face_width=0.1, **common)
        wheel = pl.Gear(teeth=self.teeth, helix_angle=self.lead_angle, face_width=0.03, bore=0.03, **common)
        a = m.gear_body("worm", worm, position=(0, 0, 0), axis="z")
        b = m.gear_body("wheel", wheel, mesh_with=a, towards="x")
        first, second = m.revolute("input", m.ground, a), m.revolute("output", m.ground, b)
        m.gear_pair("mesh", a, b, mesh=mesh or pl.Rigid(friction=self.friction, sticks=True, **options))
        m.torque("load", second, self.load if load is None else load)
        if motor is not None:
            m.torque("motor", first, motor)
        return m

    def levers(self, sign: float) -> tuple[float, float]:
        """Levers of the tooth force of worm and wheel. sign: +1 against the load."""
        g, ca, mu = self.lead_angle, math.cos(self.pressure_angle), sign * self.friction
        r_1, r_2 = 0.5 * self.module * self.starts / math.sin(g), 0.5 * self.module * self.teeth / math.cos(g)
        return (
            r_1 * (ca * math.sin(g) + mu * math.cos(g)),
            r_2 * (ca * math.cos(g) - mu * math.sin(g)),
        )

    def breakaway(self, sign: float) -> float:
        """Torque of the motor at which the worm starts to move against the load (+1) or with it (-1)."""
        worm, wheel = self.levers(sign)
        return self.load * worm / wheel

    def run_down(self, m: pl.Model) -> float:
        """Acceleration of the worm under the load alone, without sign."""
        worm, wheel = self.levers(-1.0)
        i = self.teeth / self.starts
        I_1, I_2 = (m.bodies[name].inertia[2, 2] for name in ("worm", "wheel"))
        return i * self.load / (I_2 + I_1 * i * wheel / worm)
