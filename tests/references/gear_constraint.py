"""Coaxial wheels with the ratio 10 in closed form, and the values of the Modelica example GearConstraint.

A torque 2 sin(W t) N m, W = 2 pi rad/s, turns wheel a of inertia J1; wheel b of inertia J2 turns ten times slower:

    phi_b = 2/(10 Je W) (t - sin(W t)/W),   d phi_b/dt = 2/(10 Je W) (1 - cos(W t)),   Je = J1 + J2/100

Values: Modelica Standard Library 4.0.0, Modelica.Mechanics.MultiBody.Examples.Rotational3DEffects.GearConstraint; the
reference results of Dymola (modelica/MAP-LIB_ReferenceResults, branch v4.0.0) agree with the closed form to 3.4e-6.
"""

import numpy as np

J1 = 0.030237829290801765
J2 = 0.48380526865282825
RATIO = 10.0
TORQUE = 2.0
FREQUENCY = 1.0
W = 2 * np.pi * FREQUENCY

ANGLE_B = {0.5: 0.4537446647664029, 1.0: 0.9074893295328058, 2.0: 1.8149786590656116, 5.0: 4.537446647664029}
"""Time [s]: angle of wheel b [rad]; to 1e-8."""
SPEED_B = {0.25: 0.9074893295328057, 0.5: 1.8149786590656116, 4.5: 1.8149786590656116}
"""Time [s]: speed of wheel b [rad/s]; to 1e-8."""


def motion_b(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(phi_b, d phi_b/dt)."""
    scale = TORQUE / (RATIO * (J1 + J2 / RATIO**2) * W)
    return scale * (t - np.sin(W * t) / W), scale * (1 - np.cos(W * t))
