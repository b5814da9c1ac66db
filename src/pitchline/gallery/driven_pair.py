"""Two wheels in bearings, a motor on the first and a load on the second."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import pitchline as pl

__all__ = ["DrivenPair"]

RUN_UP, LOADED = 0.2, 0.3
"""The motor has come to speed, the load has come on [s]."""


@dataclass(frozen=True)
class DrivenPair:
    """A pair of wheels, A at the origin with its axis along z and its mesh towards x, B where the geometry puts it.

    The motor brings A to `speed` [rad/s]; then a torque comes on, the load [N m] on B against its motion.
    """

    name: str
    a: pl.Gear
    b: pl.Gear
    load: float
    speed: float
    mesh: Any = field(default_factory=pl.Rigid)

    def build(self) -> pl.Model:
        """The model at rest; its motor runs up smoothly."""
        m = pl.Model(self.name)
        a = m.gear_body("wheel_a", self.a, position=(0, 0, 0), axis="z")
        b = m.gear_body("wheel_b", self.b, mesh_with=a, towards=(1, 0, 0))
        bearing_a = m.revolute("bearing_a", m.ground, a)
        bearing_b = m.revolute("bearing_b", m.ground, b)
        m.gear_pair("mesh", a, b, mesh=self.mesh)
        m.drive("motor", bearing_a, speed=pl.Ramp(0, self.speed, 0, RUN_UP))
        load = -math.copysign(self.load, self.speed * pl.GearPair(self.a, self.b).speed_ratio)
        m.torque("load", bearing_b, pl.Ramp(0, load, RUN_UP, LOADED))
        return m
