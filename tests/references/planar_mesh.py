"""The planar elastic mesh of van der Linden (Modelica conference 2012) in closed form.

With the angles of the wheels, the direction angle phi_g of the line of centres, counting turns, from A to B (external), from
the centre of the ring B to that of the pinion A (internal), e_t = (-sin phi_g, cos phi_g) and all angles from their start values,

    external: Delta = r_A (phi_A - phi_g) + r_B (phi_B - phi_g) ,    internal: Delta = r_A (phi_A - phi_g) - r_B (phi_B - phi_g) ,
    F = c Delta + d Delta' ,    loads on the bodies = -F grad Delta .

With L the distance of the centres grad Delta is along e_t, (r_A + r_B)/L on each centre, |r_A - r_B|/L where B is a ring: one
at the nominal distance, as the paper has it.
"""

from dataclasses import dataclass

import numpy as np

Array = np.ndarray


@dataclass
class PlanarMesh:
    """Radii [m], stiffness [N/m], damping [N s/m]."""

    radius_a: float
    radius_b: float
    stiffness: float
    damping: float
    internal: bool = False

    def loads(self, x_a: Array, x_b: Array, v_a: Array, v_b: Array, phi: Array, omega: Array) -> dict[str, Array]:
        """Loads over time. x, v (n, 2); phi, omega (n, 2): of A and B, phi counting turns."""
        sign = -1.0 if self.internal else 1.0
        x, v = sign * (x_b - x_a), sign * (v_b - v_a)
        L = np.linalg.norm(x, axis=1)
        phi_g = np.unwrap(np.arctan2(x[:, 1], x[:, 0]))
        e_t = np.stack([-np.sin(phi_g), np.cos(phi_g)], axis=1)
        turning = np.sum(e_t * v, axis=1) / L
        turned = phi - phi[:1] - (phi_g - phi_g[0])[:, None]
        r = np.array([self.radius_a, sign * self.radius_b])
        approach = turned @ r
        F = self.stiffness * approach + self.damping * (omega - turning[:, None]) @ r
        on_b = (F * np.abs(np.sum(r)) / L)[:, None] * e_t
        loads = {"force_a": -on_b, "force_b": on_b, "torque_a": -F * r[0], "torque_b": -F * r[1]}
        return {"phi_g": phi_g, "approach": approach, "F": F, **loads}
