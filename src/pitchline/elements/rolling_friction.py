"""Friction torque of a rolling bearing by the method of Palmgren (see `bearings.friction`), for the compiled element.

    M = σ(ω) (M_0 + M_1),   M_0 = m_0 max(1, (|ω|/ω_0)^(2/3)),   M_1 = c (P_0/C_0)^y P_1,
    P_0 = max(X_0 F_r + Y_0 F_a, F_r),   P_1 = max(p F_a - q F_r, F_r),

ω is the relative speed of the rings, F_r and F_a the radial and axial force. σ = ω/√(ω² + ω_s²) regularises the change of sign.
"""

import math

from ..math.compiled import A1, F8, V3, block
from ..math.fields import INTEGER, NUMBER, VECTOR, fields

__all__ = ["RollingFriction", "TorqueOfFriction", "find_friction"]

RollingFriction = fields(
    "RollingFriction",
    acts=INTEGER,
    viscous=NUMBER,  # m_0
    viscous_speed=NUMBER,  # ω_0
    load=NUMBER,  # c
    exponent=NUMBER,  # y
    static_rating=NUMBER,
    static_radial=NUMBER,  # X_0
    static_axial=NUMBER,  # Y_0
    axial=NUMBER,  # p
    radial=NUMBER,  # q
    smoothing=NUMBER,  # ω_s
)
TorqueOfFriction = fields(
    "TorqueOfFriction",
    torque=NUMBER,
    by_speed=NUMBER,
    by_force=VECTOR,  # by the three forces of the rolling elements
)


@block
def find_friction(s: RollingFriction, speed: F8, w: A1, out: TorqueOfFriction):
    """The torque against the rotation of the inner ring, and its derivatives."""
    radial = math.sqrt(w[0] * w[0] + w[1] * w[1])
    axial = abs(w[2])
    static = s.static_radial * radial + s.static_axial * axial
    static_by: V3 = (s.static_radial, s.static_axial, 0.0)
    if static < radial:
        static = radial
        static_by = (1.0, 0.0, 0.0)
    load = s.axial * axial - s.radial * radial
    load_by: V3 = (-s.radial, s.axial, 0.0)
    if load < radial:
        load = radial
        load_by = (1.0, 0.0, 0.0)
    factor = s.load
    grows = 0.0
    if s.exponent > 0.0:
        factor *= (static / s.static_rating) ** s.exponent if static > 0.0 else 0.0
        grows = s.exponent * factor * load / static if static > 0.0 else 0.0
    rubbing = factor * load
    by_radial = factor * load_by[0] + grows * static_by[0]
    by_axial = factor * load_by[1] + grows * static_by[1]
    fast = abs(speed) / s.viscous_speed if s.viscous_speed > 0.0 else 0.0
    viscous = s.viscous
    viscous_by = 0.0
    if fast > 1.0:
        viscous *= fast ** (2.0 / 3.0)
        viscous_by = 2.0 / 3.0 * viscous / speed
    size = math.sqrt(speed * speed + s.smoothing * s.smoothing)
    side = speed / size
    out.torque = side * (viscous + rubbing)
    out.by_speed = (1.0 - side * side) / size * (viscous + rubbing) + side * viscous_by
    along = side * by_radial / radial if radial > 0.0 else 0.0
    sign = 1.0 if w[2] > 0.0 else -1.0
    out.by_force = (along * w[0], along * w[1], sign * side * by_axial)
