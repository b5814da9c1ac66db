"""Tension of the strands of a belt, and slip on its wheels.

    T_k = T_0 + k e_k + c e_k'   while positive: a strand never pushes. Damping fades out with the elastic part of the tension.

Euler-Eytelwein: the belt slips if the tensions have the ratio exp(mu alpha), alpha the smaller wrap angle. With F = T_1 - T_2

    F_max = (T_1 + T_2) tanh(mu alpha / 2) ,      y' = v_0 artanh(F / F_max) .

Below the limit the belt creeps with about v_0 F/F_max; at the limit F stays within 1e-4 of F_max.
"""

import math

from ..math.compiled import A1, A2, F8, I8, V2, V3, V4, block, leaf
from ..math.fields import NUMBER, fields
from .belt_geometry import Belt, belt_angles, belt_components, strand_extension
from .contract import Ask, Node, Placed
from .scalar_geometry import rate, turning

Grip = fields("Grip", limit=NUMBER, speed=NUMBER, least=NUMBER)
"""tanh(mu alpha / 2), creep speed v_0 [m/s], smallest F_max [N]."""

_CLOSE = 1.0 - 1e-9
_STEEP = 1.0 / (1.0 - _CLOSE * _CLOSE)
_AT_CLOSE = math.atanh(_CLOSE)


@leaf
def strand_tension(belt: Belt, e: F8, change: F8, damp: F8) -> V4:
    """Tension, its derivatives with respect to extension and rate, and its elastic part."""
    k = belt.stiffness
    elastic = belt.pretension + k * e
    if elastic <= 0.0:
        return (0.0, 0.0, 0.0, 0.0)
    share = elastic / (elastic + belt.fade)
    c = damp * belt.damping
    T = elastic + c * share * change
    if T <= 0.0:
        return (0.0, 0.0, 0.0, elastic)
    by_e = k * (1.0 + c * change * (1.0 - share) / (elastic + belt.fade))
    return (T, by_e, c * share, elastic)


@leaf
def slip_rate(grip: Grip, T1: F8, T2: F8) -> V3:
    """Slip speed, and its derivatives with respect to both tensions."""
    limit = grip.limit * (T1 + T2) + grip.least
    rho = (T1 - T2) / limit
    size = abs(rho)
    value = _AT_CLOSE + _STEEP * (size - _CLOSE)
    slope = _STEEP
    if size < _CLOSE:
        value = math.atanh(size)
        slope = 1.0 / (1.0 - rho * rho)
    if rho < 0.0:
        value = -value
    by = grip.speed * slope / limit
    return (grip.speed * value, by * (1.0 - rho * grip.limit), by * (-1.0 - rho * grip.limit))


@block
def belt_strands(belt: Belt, fa: Placed, fb: Placed, a: Node, b: Node, before: V2, slip: V2, G: A2, g: A2, q: A1) -> V2:
    """Extensions and rates into q[4:8], gradients into g. slip: y and y'. The angles of the wheels are returned."""
    belt_components(fa, fb, a, b, G, q)
    angles = belt_angles(belt, q, before[0], before[1])
    for k in range(2):
        sign = 1.0 - 2.0 * k
        q[4 + k] = strand_extension(belt, k, q, angles[0], angles[1], G, g) - sign * slip[0]
        q[6 + k] = rate(g[k], a, b) - sign * slip[1]
    return angles


@block
def add_strand_tangent(J: A2, g: A1, H: A2, a: Node, b: Node, ask: Ask, T: V4):
    """Add the derivative of the forces of a strand; T as from `strand_tension`."""
    K = ask.K
    D = ask.D
    for j in range(12):
        change = K * (T[1] * g[j] + T[2] * turning(H, j, a, b)) + D * T[2] * g[j]
        for i in range(12):
            J[i, j] += K * T[0] * H[i, j] + g[i] * change


@block
def add_slip_tangent(J: A2, strand: I8, g: A1, H: A2, a: Node, b: Node, ask: Ask, T: V4, by_tension: F8):
    """Add the derivatives by the slip, column 12, and of the slip speed by the tension of a strand, row 12."""
    K = ask.K
    D = ask.D
    sign = 1.0 - 2.0 * strand
    by_slip = -sign * (K * T[1] + D * T[2])
    for j in range(12):
        J[j, 12] += g[j] * by_slip
        change = K * (T[1] * g[j] + T[2] * turning(H, j, a, b)) + D * T[2] * g[j]
        J[12, j] -= by_tension * change
    J[12, 12] -= by_tension * by_slip
