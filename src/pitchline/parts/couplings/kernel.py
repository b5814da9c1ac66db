"""Forces and moments of a coupling from its deflections e and their rates, with derivatives, energy and loss.

The deflections are those of `parts.flexible.kernel_elastic`.

w_i = k_i e_i + c_i e_i'                  i = 1 .. 5
w_6 = T(e_6) + c_6 e_6'                   T odd, in cubic pieces
beyond limits of e_3 and of the tilt (e_4, e_5), in any direction: stops
against tilting: mu |T| u / sqrt(|u|^2 + u_0^2) ,  u = (e_4', e_5')
"""

import math

from pitchline.engine.elements.contract import Ask, Node, Placed, rate, turning
from pitchline.numerics.fields import NUMBER, fields, inline
from pitchline.numerics.machine_code.compiled import A1, A2, F8, V2, V3, block

from ..flexible.kernel_elastic import deflection, deflection_stiffness

CouplingData = fields(
    "CouplingData",
    stiffness=inline(6),  # the sixth is 0: torsion is a table
    damping=inline(6),
    axial_limit=NUMBER,
    axial_stop=NUMBER,
    tilt_limit=NUMBER,
    tilt_stop=NUMBER,
    friction=NUMBER,
    friction_rate=NUMBER,
)


@block
def torsion_at(table: A2, twist: F8) -> V3:
    """Torque, stiffness and energy."""
    x = abs(twist)
    low = 0
    high = table.shape[0]
    while high - low > 1:
        middle = (low + high) // 2
        if table[middle, 0] <= x:
            low = middle
        else:
            high = middle
    x -= table[low, 0]
    a, b, c, d = table[low, 2], table[low, 3], table[low, 4], table[low, 5]
    torque = a + x * (b + x * (c + x * d))
    energy = table[low, 1] + x * (a + x * (0.5 * b + x * (c / 3.0 + x * 0.25 * d)))
    return (torque if twist >= 0.0 else -torque, b + x * (2.0 * c + x * 3.0 * d), energy)


@block
def coupling_efforts(s: CouplingData, torsion: A2, e: A1, v: A1, damp: F8, effort: A1, by_e: A2, by_rate: A2) -> V2:
    """Forces and moments with their derivatives; return energy and dissipated power."""
    energy = 0.0
    loss = 0.0
    for i in range(6):
        for j in range(6):
            by_e[i, j] = by_rate[i, j] = 0.0
        k = s.stiffness[i]
        c = damp * s.damping[i]
        effort[i] = k * e[i] + c * v[i]
        by_e[i, i] = k
        by_rate[i, i] = c
        energy += 0.5 * k * e[i] * e[i]
        loss += c * v[i] * v[i]
    torque, stiffness, stored = torsion_at(torsion, e[5])
    effort[5] += torque
    by_e[5, 5] += stiffness
    energy += stored
    # stops
    over = abs(e[2]) - s.axial_limit
    if over > 0.0:
        effort[2] += math.copysign(s.axial_stop * over, e[2])
        by_e[2, 2] += s.axial_stop
        energy += 0.5 * s.axial_stop * over * over
    tilt = math.sqrt(e[3] * e[3] + e[4] * e[4])
    over = tilt - s.tilt_limit
    if over > 0.0:
        n0 = e[3] / tilt
        n1 = e[4] / tilt
        f = s.tilt_stop * over
        effort[3] += f * n0
        effort[4] += f * n1
        by_e[3, 3] += s.tilt_stop * n0 * n0 + f / tilt * n1 * n1
        by_e[4, 4] += s.tilt_stop * n1 * n1 + f / tilt * n0 * n0
        mixed = (s.tilt_stop - f / tilt) * n0 * n1
        by_e[3, 4] += mixed
        by_e[4, 3] += mixed
        energy += 0.5 * s.tilt_stop * over * over
    # friction
    mu = damp * s.friction
    if mu > 0.0:
        size = math.sqrt(v[3] * v[3] + v[4] * v[4] + s.friction_rate * s.friction_rate)
        n0 = v[3] / size
        n1 = v[4] / size
        f = mu * abs(torque)
        effort[3] += f * n0
        effort[4] += f * n1
        by_rate[3, 3] += f / size * (1.0 - n0 * n0)
        by_rate[4, 4] += f / size * (1.0 - n1 * n1)
        by_rate[3, 4] -= f / size * n0 * n1
        by_rate[4, 3] -= f / size * n0 * n1
        slope = mu * math.copysign(stiffness, torque)
        by_e[3, 5] += slope * n0
        by_e[4, 5] += slope * n1
        loss += f * (n0 * v[3] + n1 * v[4])
    return (energy, loss)


@block
def coupling_deflections(fa: Placed, fb: Placed, rest: F8, twist: F8, a: Node, b: Node, e: A1, v: A1, gradient: A2):
    """Deflections, their rates and gradients. rest: angle of the frames at zero twist; twist: that of the last accepted step."""
    for i in range(6):
        e[i] = deflection(fa, fb, twist + rest, a, b, i, gradient[i])
        v[i] = rate(gradient[i], a, b)
    e[5] -= rest


@block
def coupling_tangent(
    fa: Placed, fb: Placed, a: Node, b: Node, effort: A1, by_e: A2, by_rate: A2, gradient: A2, turn: A2, ask: Ask, J: A2
):
    """J = K (sum w_i H_i + G^T (W_e G + W_v turn)) + D G^T W_v G, into zeros."""
    K = ask.K
    D = ask.D
    # rates change with position by V^T H_i, computed in J and removed again
    for i in range(6):
        deflection_stiffness(fa, fb, a, b, i, 1.0, J)
        for j in range(12):
            turn[i, j] = turning(J, j, a, b)
        for k in range(12):
            for j in range(12):
                J[k, j] = 0.0
    for i in range(6):
        if effort[i] != 0.0:
            deflection_stiffness(fa, fb, a, b, i, K * effort[i], J)
    for i in range(6):
        for l in range(6):
            k = K * by_e[i, l] + D * by_rate[i, l]
            c = K * by_rate[i, l]
            if k != 0.0 or c != 0.0:
                for j in range(12):
                    f = k * gradient[l, j] + c * turn[l, j]
                    for q in range(12):
                        J[q, j] += gradient[i, q] * f
