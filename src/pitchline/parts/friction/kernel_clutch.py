"""Friction between two shafts: on the difference of the angles of two joints (clutches, freewheels, torque limiters).

The coordinate is the angle of joint `a` minus that of joint `b`. The local block has the nodes of both joints, the capacity as
input, then the row. The law is that of `joint_friction`, with the same names of fields.
"""

from pitchline.engine.elements.contract import (
    RATE,
    TANGENT,
    Measure,
    Node,
    measure,
    measure_stiffness,
    nearest_turn,
    principal_angle,
    rate,
    turning,
)
from pitchline.numerics.machine_code.compiled import F8, leaf

from .kernel import available, effort_by_capacity, effort_of, limit_by_capacity, motion_of, shown_effort
from .kernel_sticking import (
    HELD,
    MODE,
    accept_sticking,
    begin_sticking,
    friction_speed,
    guard_sticking,
    holds,
    is_slipping,
    present_law,
    row_by_limit,
    sticking_rate,
    sticking_row,
)


@leaf
def difference(sa: Measure, aa: Node, ab: Node, sb: Measure, ba: Node, bb: Node) -> F8:
    """Angle of joint a minus angle of joint b, within one revolution."""
    return nearest_turn(principal_angle(sa.a, sa.b, aa, ab) - principal_angle(sb.a, sb.b, ba, bb), 0.0)


def evaluate(s, m, x, w, ask, r, J):
    g, h, H = w.gradient_a, w.gradient_b, w.second
    measure(s.a, x.a_turns, x.a_a, x.a_b, g)
    measure(s.b, x.b_turns, x.b_a, x.b_b, h)
    v = rate(g, x.a_a, x.a_b) - rate(h, x.b_a, x.b_b)
    lam = x.lam[0]
    F = available(x.capacity.value)
    S = s.static_ratio * F
    now = present_law(m.law, w.step, ask, v, lam, -s.backward * S, s.forward * S)
    u = friction_speed(m.law, v)
    law = effort_of(now, F, s.forward, s.backward, s.static_ratio, s.stribeck_speed, s.viscous, u)
    gap = nearest_turn(difference(s.a, x.a_a, x.a_b, s.b, x.b_a, x.b_b) - m.law[HELD], 0.0)
    scale = (s.reference, s.compliance)
    row = sticking_row(m.law, w.step, now, ask, gap, v, lam, law, scale, -s.backward * S, s.forward * S)
    if ask.mode == RATE:
        r[25] += sticking_rate(m.law, now, ask, v, row[0], scale)
        return
    r[25] += row[0]
    held = holds(m.law, now)
    total = lam if held != 0.0 else law[0]
    ask.power_out += law[0] * v
    for i in range(12):
        r[i] += total * g[i]
        r[12 + i] -= total * h[i]
    if ask.mode == TANGENT:
        for i in range(12):
            for j in range(12):
                H[i, j] = 0.0
        measure_stiffness(s.a, x.a_a, x.a_b, H)
        for j in range(12):
            by_v = ask.D * g[j] + ask.K * turning(H, j, x.a_a, x.a_b)
            J[25, j] += row[1] * g[j] + row[2] * ask.L * by_v
            for i in range(12):
                J[i, j] += ask.K * total * H[i, j] + law[1] * by_v * g[i]
                J[12 + i, j] -= law[1] * by_v * h[i]
        for i in range(12):
            for j in range(12):
                H[i, j] = 0.0
        measure_stiffness(s.b, x.b_a, x.b_b, H)
        for j in range(12):
            by_v = ask.D * h[j] + ask.K * turning(H, j, x.b_a, x.b_b)
            J[25, 12 + j] -= row[1] * h[j] + row[2] * ask.L * by_v
            for i in range(12):
                J[12 + i, 12 + j] += law[1] * by_v * h[i] - ask.K * total * H[i, j]
                J[i, 12 + j] -= law[1] * by_v * g[i]
        for i in range(12):
            J[i, 25] += held * g[i]
            J[12 + i, 25] -= held * h[i]
        J[25, 25] += row[3]
        of_limit = row_by_limit(m.law, w.step, now, ask, v, scale, -s.backward * S, s.forward * S)
        J[25, x.capacity.column] += limit_by_capacity(F, s.forward, s.backward, s.static_ratio, of_limit)
        if held == 0.0:
            change = effort_by_capacity(F, law, s.viscous, u)
            for i in range(12):
                J[i, x.capacity.column] += change * g[i]
                J[12 + i, x.capacity.column] -= change * h[i]
            J[25, x.capacity.column] -= change / (s.reference * ask.L)


def begin(s, m, x, w, ask):
    v_a, acceleration_a = motion_of(s.a, x.a_turns, x.a_a, x.a_b, w.gradient_a)
    v_b, acceleration_b = motion_of(s.b, x.b_turns, x.b_a, x.b_b, w.gradient_b)
    S = s.static_ratio * available(x.capacity.value)
    scale = (s.reference, s.compliance)
    begin_sticking(
        m.law, w.step, ask, scale, v_a - v_b, acceleration_a - acceleration_b, x.lam[0], -s.backward * S, s.forward * S
    )


def guard(s, m, x, w, ask):
    v_a, acceleration_a = motion_of(s.a, x.a_turns, x.a_a, x.a_b, w.gradient_a)
    v_b, acceleration_b = motion_of(s.b, x.b_turns, x.b_a, x.b_b, w.gradient_b)
    S = s.static_ratio * available(x.capacity.value)
    guard_sticking(
        m.law, w.step, ask, v_a - v_b, acceleration_a - acceleration_b, x.lam[0], -s.backward * S, s.forward * S
    )


def accept(s, m, x, w, ask):
    v_a, acceleration_a = motion_of(s.a, x.a_turns, x.a_a, x.a_b, w.gradient_a)
    v_b, acceleration_b = motion_of(s.b, x.b_turns, x.b_a, x.b_b, w.gradient_b)
    S = s.static_ratio * available(x.capacity.value)
    position = difference(s.a, x.a_a, x.a_b, s.b, x.b_a, x.b_b)
    accept_sticking(
        m.law,
        w.step,
        ask,
        position,
        v_a - v_b,
        acceleration_a - acceleration_b,
        x.lam[0],
        -s.backward * S,
        s.forward * S,
    )


def report(s, m, x, w, ask, out):
    g, h = w.gradient_a, w.gradient_b
    measure(s.a, x.a_turns, x.a_a, x.a_b, g)
    measure(s.b, x.b_turns, x.b_a, x.b_b, h)
    v = rate(g, x.a_a, x.a_b) - rate(h, x.b_a, x.b_b)
    F = available(x.capacity.value)
    effort = shown_effort(m.law, F, s.forward, s.backward, s.static_ratio, s.stribeck_speed, s.viscous, v, x.lam[0])
    out.torque = effort
    out.slip_speed = v
    out.state = is_slipping(m.law[MODE])
    out.dissipated = abs(out.state) * effort * v
    out.power_out = out.dissipated
