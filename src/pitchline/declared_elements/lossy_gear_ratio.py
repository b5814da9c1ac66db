"""Gearbox given as a ratio between the angles of two joints, with losses that hold at rest.

The constraint is that of `gear_ratio`. With its torque T = lambda c_a on joint a and the direction of motion d of joint a, the
loss is a torque on joint a against the motion,

    a drives (T d > 0):  d |T| (1/eta_a - 1) ,     b drives:  d |T| (1 - eta_b) ,

so that the power at the output is eta times that at the input (Pelchen, Schweiger, Otter 2002). At rest it has any value between
those of both directions (`elements.sticking`): the gearbox does not move while the torques that remain are within them. A gearbox
with eta_b <= 0 is self-locking: a torque that acts only on joint b cannot move it.
"""

from pitchline.declared_elements.gear_ratio import check_ratio
from pitchline.elements.joint_friction import gap_of, position_of
from pitchline.elements.joint_ratio import Ratio, encode_ratio, ratio_angle, ratio_gradient, ratio_rate, ratio_second
from pitchline.elements.ratio_loss import loss_of, set_loss_limits
from pitchline.elements.scalar_geometry import rate
from pitchline.elements.sticking import (
    DRIVEN,
    HELD,
    MEMORY,
    MODE,
    SCRATCH,
    STICKS,
    accept_sticking,
    along,
    begin_sticking,
    guard_sticking,
    holds,
    is_slipping,
    present_law,
    row_by_limit,
    sticking_rate,
    sticking_row,
)
from pitchline.errors import ModelError, Subject
from pitchline.extend import RATE, TANGENT, Element, derived, joint, memory, number, numbers, scratch, signal


class LossyGearRatio(Element):
    """Gearbox given as a ratio between the angles of two joints, with an efficiency; its losses hold at rest without creep."""

    key = "lossy_gear_ratio"
    rows = ("angle", "angle")
    switches = True
    firm = 1
    a = joint("input joint: its second body is the shaft, its first body the housing")
    b = joint("output joint: its second body is the shaft, its first body the housing")
    ratio = number(
        "", "speed of joint a divided by the speed of joint b; negative: opposite directions", check=(1.5, 3.0)
    )
    efficiency = numbers(
        2, "", "efficiency if a drives, and if b drives; the second may be zero or negative", check=(0.5, 0.9)
    )
    data = derived("ratio, and angles in the initial pose", record=Ratio)
    levers = derived("loss over the torque, if a drives and if b drives", size=3)
    reference = derived("inertia that scales the row of the losses")
    compliance = derived("compliance of this row, relative to the inertia in a step")
    law = memory("law, held angle, whether it is new, whether a drive prescribes the angle", MEMORY)
    g_a = scratch("gradient for the bodies of joint a", 12)
    g_b = scratch("gradient for the bodies of joint b", 12)
    H_a = scratch("second derivative for the bodies of joint a", 12, columns=12)
    H_b = scratch("second derivative for the bodies of joint b", 12, columns=12)
    step = scratch("law within a step", SCRATCH)
    limits = scratch("limits of the loss at rest", 2)
    torque_a = signal("N*m", "torque of the gearbox on the second body of joint a")
    torque_b = signal("N*m", "torque of the gearbox on the second body of joint b")
    loss = signal("W", "power loss")
    state = signal("", "0: it sticks; +1 or -1: it moves in that direction of joint a")

    @staticmethod
    def check(values):
        check_ratio(values)
        first, second = values["efficiency"]
        if not 0.0 < first <= 1.0 or not second <= 1.0:
            raise ModelError(
                f"efficiency must be at most 1, and greater than 0 if a drives, got ({first:g}, {second:g}); for a gearbox "
                "that only b can drive exchange a and b",
                about=Subject("ratio").at("efficiency"),
            )

    @staticmethod
    def derive(values):
        first, second = values["efficiency"]
        return {
            "data": encode_ratio(values["ratio"], values["a"], values["b"], at_output=False),
            "levers": (1.0 / first - 1.0, 1.0 - second, 0.0),
            "reference": 1.0,
            "compliance": 0.0,
        }

    def evaluate(s, m, x, w, ask, r, J):
        g_a = w.g_a
        g_b = w.g_b
        c = s.data.c_a
        ratio_gradient(s.data, s.a, s.b, x.a_a, x.a_b, x.b_a, x.b_b, g_a, g_b)
        v = rate(g_a, x.a_a, x.a_b) / c
        T = x.lam[0] * c
        lam = x.lam[1]
        set_loss_limits(s.levers, T, w.limits)
        now = present_law(m.law, w.step, ask, v, lam, w.limits[0], w.limits[1])
        lever = loss_of(s.levers, T, is_slipping(now))
        effort = lever * abs(T)
        gap = gap_of(s.a, position_of(s.a, x.a_a, x.a_b), m.law[HELD])
        scale = (s.reference, s.compliance)
        row = sticking_row(m.law, w.step, now, ask, gap, v, lam, (effort, 0.0), scale, w.limits[0], w.limits[1])
        if ask.mode == RATE:
            r[24] += ratio_rate(g_a, g_b, x.a_a, x.a_b, x.b_a, x.b_b)
            r[25] += sticking_rate(m.law, now, ask, v, row[0], scale)
            return
        r[24] += ratio_angle(s.data, s.a, s.b, x.a_turns, x.b_turns, x.a_a, x.a_b, x.b_a, x.b_b)
        r[25] += row[0]
        held = holds(m.law, now)
        on_a = (lam if held != 0.0 else effort) / c
        l = x.lam[0]
        ask.power_out += effort * v
        for i in range(12):
            r[i] += (l + on_a) * g_a[i]
            r[12 + i] += l * g_b[i]
        if ask.mode == TANGENT:
            H_a = w.H_a
            H_b = w.H_b
            ratio_second(s.data, s.a, s.b, x.a_a, x.a_b, x.b_a, x.b_b, H_a, H_b)
            by_l = lever if T >= 0.0 else -lever  # derivative of the effort by T
            for i in range(12):
                for j in range(12):
                    J[i, j] += ask.K * (l + on_a) * H_a[i, j]
                    J[12 + i, 12 + j] += ask.K * l * H_b[i, j]
                J[24, i] += g_a[i]
                J[i, 24] += g_a[i] * (1.0 + by_l)
                J[24, 12 + i] += g_b[i]
                J[12 + i, 24] += g_b[i]
                J[25, i] += (row[1] + row[2] * ask.L * ask.D) * g_a[i] / c
                J[i, 25] += held * g_a[i] / c
            of_limit = row_by_limit(m.law, w.step, now, ask, v, scale, w.limits[0], w.limits[1])
            most = abs(loss_of(s.levers, T, of_limit[1]))
            J[25, 24] += c * (ask.L * of_limit[0] * (most if T >= 0.0 else -most) - by_l / s.reference)
            J[25, 25] += row[3]

    def begin(s, m, x, w, ask):
        ratio_gradient(s.data, s.a, s.b, x.a_a, x.a_b, x.b_a, x.b_b, w.g_a, w.g_b)
        c = s.data.c_a
        v = rate(w.g_a, x.a_a, x.a_b) / c
        set_loss_limits(s.levers, x.lam[0] * c, w.limits)
        acceleration = along(w.g_a, x.a_a.a, x.a_a.al, x.a_b.a, x.a_b.al) / c
        begin_sticking(
            m.law, w.step, ask, (s.reference, s.compliance), v, acceleration, x.lam[1], w.limits[0], w.limits[1]
        )

    def guard(s, m, x, w, ask):
        ratio_gradient(s.data, s.a, s.b, x.a_a, x.a_b, x.b_a, x.b_b, w.g_a, w.g_b)
        c = s.data.c_a
        v = rate(w.g_a, x.a_a, x.a_b) / c
        set_loss_limits(s.levers, x.lam[0] * c, w.limits)
        acceleration = along(w.g_a, x.a_a.a, x.a_a.al, x.a_b.a, x.a_b.al) / c
        guard_sticking(m.law, w.step, ask, v, acceleration, x.lam[1], w.limits[0], w.limits[1])

    def accept(s, m, x, w, ask):
        ratio_gradient(s.data, s.a, s.b, x.a_a, x.a_b, x.b_a, x.b_b, w.g_a, w.g_b)
        c = s.data.c_a
        v = rate(w.g_a, x.a_a, x.a_b) / c
        set_loss_limits(s.levers, x.lam[0] * c, w.limits)
        acceleration = along(w.g_a, x.a_a.a, x.a_a.al, x.a_b.a, x.a_b.al) / c
        position = position_of(s.a, x.a_a, x.a_b)
        accept_sticking(m.law, w.step, ask, position, v, acceleration, x.lam[1], w.limits[0], w.limits[1])

    def report(s, m, x, w, ask, out):
        ratio_gradient(s.data, s.a, s.b, x.a_a, x.a_b, x.b_a, x.b_b, w.g_a, w.g_b)
        c = s.data.c_a
        v = rate(w.g_a, x.a_a, x.a_b) / c
        T = x.lam[0] * c
        sign = is_slipping(m.law[MODE])
        effort = loss_of(s.levers, T, sign) * abs(T)
        out.loss = effort * v
        out.power_out = out.loss
        if m.law[MODE] == STICKS and m.law[DRIVEN] == 0.0:
            effort = x.lam[1]
        out.torque_a = -T - effort
        out.torque_b = -x.lam[0] * s.data.c_b
        out.state = sign
