"""The force of the teeth on a wheel in components: the closed forms of the textbooks, for every kind of gear.

With the normal force F_n, the normal pressure angle α, the helix angle β (positive right-hand), the cone angle δ (0 for
cylinders) and s = +1 where the teeth push the wheel on in the positive sense about its z axis, −1 where they hold it back:

    F_t = s F_n cos α cos β                              along the pitch circle, positive about z
    F_r = F_n (sin α cos δ + s cos α sin β sin δ)        to the axis of the wheel; −F_n sin α on internal wheels
    F_a = F_n (sin α sin δ − s cos α sin β cos δ)        along z, away from the apex of a bevel wheel

The tooth runs along g cos β + t sin β, g being the line of the pitch cone and t the tangent; a flank pushes across it, in
the plane that touches the cone, with F_n cos α, and into the wheel with F_n sin α. With F_n cos α cos β = T/r these are
the formulas of Niemann/Winter and of Shigley.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import pitchline as pl

__all__ = ["ToothForce", "normal_force", "tooth_force"]


@dataclass(frozen=True)
class ToothForce:
    """Components [N]: along the pitch circle, to the axis, along the axis; see the module."""

    tangential: float
    radial: float
    axial: float

    def vector(self, axis: np.ndarray, outwards: np.ndarray) -> np.ndarray:
        """In the axes in which the wheel's axis and the direction from it to the pitch point are given (3,) [N]."""
        return np.asarray(self.tangential * np.cross(axis, outwards) - self.radial * outwards + self.axial * axis)


def normal_force(torque: float, gear: pl.Gear) -> float:
    """F_n = T / (r cos α cos β) [N] for a torque of the teeth about the axis of a wheel [N m], without friction."""
    arm = 0.5 * gear.reference_diameter * math.cos(gear.helix_angle)
    return abs(torque) / (arm * math.cos(gear.normal_pressure_angle))


def tooth_force(F_n: float, gear: pl.Gear | pl.Rack, sense: float) -> ToothForce:
    """The components on a wheel at its reference circle; of a rack tangential means along its y."""
    alpha, beta = gear.normal_pressure_angle, gear.helix_angle
    delta = gear.cone_angle if isinstance(gear, pl.Gear) else 0.0
    inward = -1.0 if isinstance(gear, pl.Gear) and gear.internal else 1.0
    across, into = F_n * math.cos(alpha), F_n * math.sin(alpha)
    return ToothForce(
        tangential=sense * across * math.cos(beta),
        radial=inward * into * math.cos(delta) + sense * across * math.sin(beta) * math.sin(delta),
        axial=into * math.sin(delta) - sense * across * math.sin(beta) * math.cos(delta),
    )
