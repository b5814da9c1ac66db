"""Two wheels in bearings, a motor on the first and a load on the second: what most models of a pair are made of."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import pitchline as pl

from .bearings import bearing_figures
from .figures import Figure, Run
from .tooth_forces import normal_force, tooth_force

__all__ = ["PLOT", "DrivenPair"]

PLOT = (
    "bearing_a.angular_speed", "bearing_b.angular_speed", "motor.torque", "load.torque", "mesh.normal_force", "bearing_a.force",
)  # fmt: skip
RUN_UP, LOADED, DURATION = 0.2, 0.3, 0.4
"""The motor has come to speed, the load has come on, the run ends [s]."""


@dataclass(frozen=True)
class DrivenPair:
    """A pair of wheels, A at the origin with its axis along z and its mesh towards x, B where the geometry puts it.

    The motor brings A to `speed` [rad/s]; then a torque comes on, the load [N m] on B against its motion. At the end

        ω_A / ω_B = z_B / z_A ,    F_n = T_B / (r_B cos α cos β_B) ,

    and each bearing carries the force of the teeth on its wheel, see `tooth_forces`.
    """

    name: str
    a: pl.Gear
    b: pl.Gear
    load: float
    speed: float
    mesh: Any = field(default_factory=pl.Rigid)
    placing: dict[str, Any] = field(default_factory=dict)
    """Arguments of the pair where its gears leave it open: shaft_angle, centre_distance."""

    def build(self, *, backwards: bool = False) -> pl.Model:
        """The model at rest; its motor runs up smoothly, forwards (positive about the z axis of A) or backwards."""
        m = pl.Model(self.name)
        a = m.gear_body("wheel_a", self.a, position=(0, 0, 0), axis="z")
        b = m.gear_body("wheel_b", self.b, mesh_with=a, towards=(1, 0, 0), **self.placing)
        bearing_a = m.revolute("bearing_a", m.ground, a)
        bearing_b = m.revolute("bearing_b", m.ground, b)
        m.gear_pair("mesh", a, b, mesh=self.mesh, **self.placing)
        speed = -self.speed if backwards else self.speed
        m.drive("motor", bearing_a, speed=pl.Ramp(0, speed, 0, RUN_UP))
        load = -math.copysign(self.load, speed * self.pair.speed_ratio)
        m.torque("load", bearing_b, pl.Ramp(0, load, RUN_UP, LOADED))
        return m

    @property
    def pair(self) -> pl.GearPair:
        """The geometry of the pair."""
        return pl.GearPair(self.a, self.b, **self.placing)

    def run(self) -> Run:
        """Run up, then loaded."""
        return {"forwards": self.dynamics()}

    def dynamics(self, *, backwards: bool = False) -> pl.Result:
        """From rest to constant speed under load."""
        return pl.dynamics(self.build(backwards=backwards), duration=DURATION, output_step="1 ms")

    def figures(self, result: pl.Result, *, backwards: bool = False, prefix: str = "") -> list[Figure]:
        """Ratio, normal force and the components on both bearings at the end."""
        model = self.build(backwards=backwards)
        speed_a, speed_b = (float(result[f"bearing_{w}.angular_speed"].final) for w in "ab")
        F_n = normal_force(self.load, self.b)
        sense_a = 1.0 if backwards else -1.0
        sense_b = math.copysign(1.0, -sense_a * self.pair.speed_ratio)
        figures = [
            Figure(f"{prefix}ratio", abs(speed_a / speed_b), "", "ratio of the speeds, z_B/z_A", self.b.teeth / self.a.teeth),
            Figure(f"{prefix}mesh.normal_force", _size(result, "mesh.normal_force"), "N", "normal force of the teeth", F_n),
        ]
        for which, gear, sense in (("a", self.a, sense_a), ("b", self.b, sense_b)):
            bearing = f"bearing_{which}"
            figures += bearing_figures(
                result, model.bodies[f"wheel_{which}"], tooth_force(F_n, gear, sense), bearing=bearing,
                radius=0.5 * gear.reference_diameter, key=f"{prefix}{bearing}",
            )  # fmt: skip
        return figures

    def sliding_figure(self, result: pl.Result) -> Figure:
        """How fast the teeth slide along each other at the pitch point: ω_A r_A |sin(β_A + β_B)| / cos β_B."""
        closed = self.speed * self.pair.pitch.radius_a * self.pair.pitch.sliding_ratio
        return Figure(
            "mesh.sliding_speed", _size(result, "mesh.sliding_speed"), "m/s", "sliding along the teeth at the pitch point", closed
        )


def _size(result: pl.Result, signal: str) -> float:
    return abs(float(result[signal].final))
