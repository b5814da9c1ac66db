"""Gearboxes specified by a ratio between the angles of joints: rigid, elastic, with losses, planetary.

Gearbox given as a ratio between the angles of two joints, with losses that hold at rest.

The constraint is that of `GearRatio`. With its torque T = lambda c_a on joint a and the direction of motion d of joint a, the
loss is a torque on joint a against the motion,

    a drives (T d > 0):  d |T| (1/eta_a - 1) ,     b drives:  d |T| (1 - eta_b) ,

so that the power at the output is eta times that at the input (Pelchen, Schweiger, Otter 2002). At rest it has any value between
those of both directions (`parts.friction.kernel_sticking`): the gearbox does not move while the torques that remain are within
them. A gearbox with eta_b <= 0 is self-locking: a torque that acts only on joint b cannot move it.
"""

import math

from pitchline.engine.elements.contract import angle_gradient, angle_stiffness, counted_angle, rate, turning
from pitchline.errors import ModelError, Subject
from pitchline.extend import RATE, TANGENT, Element, derived, joint, memory, number, numbers, scratch, signal
from pitchline.numerics.machine_code.compiled import F8, V4, leaf

from ..friction.kernel import gap_of, position_of
from ..friction.kernel_sticking import (
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
from .kernel import Ratio, encode_ratio, loss_of, ratio_angle, ratio_gradient, ratio_rate, ratio_second, set_loss_limits

# ---- gear ratio

# Gearbox given as a ratio between the angles of two joints: rigid, as one constraint.
#
# With the angles theta of the joints, counted from the initial pose, and the ratio i,
#
# theta_a - i theta_b = 0 (divided by i if abs(i) < 1).
#
# The multiplier is the torque at the faster joint. The torques on the second bodies of the joints have the ratio T_b
# = -i T_a. Each joint transmits the opposite torque to its first body, the housing.


class GearRatio(Element):
    """Gearbox given as a ratio between the angles of two joints, without elasticity."""

    key = "gear_ratio"
    rows = ("angle",)
    exchanges_power = False
    a = joint("input joint: its second body is the shaft, its first body the housing")
    b = joint("output joint: its second body is the shaft, its first body the housing")
    ratio = number(
        "", "speed of joint a divided by the speed of joint b; negative: opposite directions", check=(1.5, 3.0)
    )
    data = derived("ratio, and angles in the initial pose", record=Ratio)
    g_a = scratch("gradient for the bodies of joint a", 12)
    g_b = scratch("gradient for the bodies of joint b", 12)
    H_a = scratch("second derivative for the bodies of joint a", 12, columns=12)
    H_b = scratch("second derivative for the bodies of joint b", 12, columns=12)
    torque_a = signal("N*m", "torque of the gearbox on the second body of joint a")
    torque_b = signal("N*m", "torque of the gearbox on the second body of joint b")

    @staticmethod
    def check(values):
        check_ratio(values)

    @staticmethod
    def problems(values, what):
        return same_joint(values, what)

    @staticmethod
    def derive(values):
        return {"data": encode_ratio(values["ratio"], values["a"], values["b"], at_output=False)}

    def evaluate(s, m, x, w, ask, r, J):
        g_a = w.g_a
        g_b = w.g_b
        ratio_gradient(s.data, s.a, s.b, x.a_a, x.a_b, x.b_a, x.b_b, g_a, g_b)
        if ask.mode == RATE:
            r[24] += ratio_rate(g_a, g_b, x.a_a, x.a_b, x.b_a, x.b_b)
            return
        l = x.lam[0]
        r[24] += ratio_angle(s.data, s.a, s.b, x.a_turns, x.b_turns, x.a_a, x.a_b, x.b_a, x.b_b)
        for i in range(12):
            r[i] += l * g_a[i]
            r[12 + i] += l * g_b[i]
        if ask.mode == TANGENT:
            H_a = w.H_a
            H_b = w.H_b
            ratio_second(s.data, s.a, s.b, x.a_a, x.a_b, x.b_a, x.b_b, H_a, H_b)
            k = ask.K * l
            for i in range(12):
                for j in range(12):
                    J[i, j] += k * H_a[i, j]
                    J[12 + i, 12 + j] += k * H_b[i, j]
                J[24, i] += g_a[i]
                J[i, 24] += g_a[i]
                J[24, 12 + i] += g_b[i]
                J[12 + i, 24] += g_b[i]

    def report(s, m, x, w, ask, out):
        out.torque_a = -x.lam[0] * s.data.c_a
        out.torque_b = -x.lam[0] * s.data.c_b


def check_ratio(values):
    """ModelError if the ratio is zero."""
    ratio = values["ratio"]
    if ratio == 0.0 or not math.isfinite(1.0 / ratio):
        raise ModelError(
            f"ratio is the speed of joint a divided by that of joint b and must not be {ratio:g}",
            about=Subject("ratio").at("ratio"),
        )


def joint_names(values, *ends):
    """Names of joints, which are in one model: until then, joints of the same name can be of two models."""
    return [values[end] if isinstance(values[end], str) else values[end].name for end in ends]


def same_joint(values, what):
    """Error if both joints are the same."""
    a, b = joint_names(values, "a", "b")
    return [f'{what}: a and b are the same joint "{b}"; specify two joints'] if a == b else []


# ---- elastic gear ratio

# Gearbox given as a ratio between the angles of two joints: elastic, with backlash, as measured at its output.
#
# With the angles theta of the joints, counted from the initial pose, and the ratio i, the twist of the output is
#
# e = theta_a / i - theta_b .
#
# The torque on the second body of joint b is T = k e + c de/dt. With backlash, e is replaced by the depth beyond half
# of the backlash, and the damping never pulls. The torque on the second body of joint a is -T/i. Each joint transmits
# the opposite torque to its first body, the housing.


@leaf
def _law(k: F8, c: F8, backlash: F8, e: F8, v: F8) -> V4:
    """Torque at the output, its derivatives by e and de/dt, and the stored energy."""
    if backlash == 0.0:
        return (k * e + c * v, k, c, 0.5 * k * e * e)
    depth = abs(e) - 0.5 * backlash
    if depth <= 0.0:
        return (0.0, 0.0, 0.0, 0.0)
    sign = 1.0 if e > 0.0 else -1.0
    energy = 0.5 * k * depth * depth
    torque = sign * k * depth + c * v
    if torque * sign <= 0.0:
        return (0.0, 0.0, 0.0, energy)
    return (torque, k, c, energy)


class ElasticGearRatio(Element):
    """Gearbox given as a ratio between the angles of two joints, with stiffness, damping and backlash at its output."""

    key = "elastic_gear_ratio"
    a = joint("input joint: its second body is the shaft, its first body the housing")
    b = joint("output joint: its second body is the shaft, its first body the housing")
    ratio = number(
        "", "speed of joint a divided by the speed of joint b; negative: opposite directions", check=(1.5, 3.0)
    )
    stiffness = number("N*m/rad", "torque at joint b per twist, with joint a held", least=0.0)
    damping = number("N*m*s/rad", "torque at joint b per rate of the twist", 0.0, least=0.0, check=(0.1, 1.0))
    backlash = number(
        "rad", "play of joint b with joint a held, symmetric about the initial pose", 0.0, least=0.0, check=(0.0, 0.2)
    )
    data = derived("ratio, and angles in the initial pose", record=Ratio)
    g_a = scratch("gradient for the bodies of joint a", 12)
    g_b = scratch("gradient for the bodies of joint b", 12)
    H_a = scratch("second derivative for the bodies of joint a", 12, columns=12)
    H_b = scratch("second derivative for the bodies of joint b", 12, columns=12)
    g = scratch("gradient for all bodies", 24)
    change = scratch("derivative of the torque", 24)
    torque_a = signal("N*m", "torque of the gearbox on the second body of joint a")
    torque_b = signal("N*m", "torque of the gearbox on the second body of joint b")
    twist = signal("rad", "angle of joint a divided by the ratio, minus the angle of joint b; from the initial pose")

    @staticmethod
    def check(values):
        check_ratio(values)

    @staticmethod
    def problems(values, what):
        return same_joint(values, what)

    @staticmethod
    def derive(values):
        return {"data": encode_ratio(values["ratio"], values["a"], values["b"], at_output=True)}

    def evaluate(s, m, x, w, ask, r, J):
        g_a = w.g_a
        g_b = w.g_b
        ratio_gradient(s.data, s.a, s.b, x.a_a, x.a_b, x.b_a, x.b_b, g_a, g_b)
        e = ratio_angle(s.data, s.a, s.b, x.a_turns, x.b_turns, x.a_a, x.a_b, x.b_a, x.b_b)
        v = ratio_rate(g_a, g_b, x.a_a, x.a_b, x.b_a, x.b_b)
        T, k, c, _ = _law(s.stiffness, ask.damp * s.damping, s.backlash, e, v)
        for i in range(12):
            r[i] += T * g_a[i]
            r[12 + i] += T * g_b[i]
        if s.damping != 0.0:
            ask.power_out += (T - _law(s.stiffness, 0.0, s.backlash, e, 0.0)[0]) * v
        if ask.mode == TANGENT:
            H_a = w.H_a
            H_b = w.H_b
            g = w.g
            change = w.change
            K = ask.K
            ratio_second(s.data, s.a, s.b, x.a_a, x.a_b, x.b_a, x.b_b, H_a, H_b)
            for j in range(12):
                g[j] = g_a[j]
                g[12 + j] = g_b[j]
                change[j] = K * (k * g_a[j] + c * turning(H_a, j, x.a_a, x.a_b)) + ask.D * c * g_a[j]
                change[12 + j] = K * (k * g_b[j] + c * turning(H_b, j, x.b_a, x.b_b)) + ask.D * c * g_b[j]
            for i in range(24):
                for j in range(24):
                    J[i, j] += g[i] * change[j]
            for i in range(12):
                for j in range(12):
                    J[i, j] += K * T * H_a[i, j]
                    J[12 + i, 12 + j] += K * T * H_b[i, j]

    def report(s, m, x, w, ask, out):
        ratio_gradient(s.data, s.a, s.b, x.a_a, x.a_b, x.b_a, x.b_b, w.g_a, w.g_b)
        e = ratio_angle(s.data, s.a, s.b, x.a_turns, x.b_turns, x.a_a, x.a_b, x.b_a, x.b_b)
        v = ratio_rate(w.g_a, w.g_b, x.a_a, x.a_b, x.b_a, x.b_b)
        T, _, _, energy = _law(s.stiffness, ask.damp * s.damping, s.backlash, e, v)
        out.potential = energy
        out.power_out = (T - _law(s.stiffness, 0.0, s.backlash, e, 0.0)[0]) * v
        out.torque_b = T
        out.torque_a = -T * s.data.c_a
        out.twist = e


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


# ---- planetary ratio

# Planetary gear set or differential given as a ratio between the angles of three joints: rigid, as one constraint.
#
# With the angles theta of sun, ring and carrier, counted from the initial pose, and z = teeth of the ring / teeth of
# the sun, Willis' equation is
#
# theta_sun + z theta_ring - (1 + z) theta_carrier = 0 ,
#
# divided by its largest factor. Torques on the second bodies of the joints: T_sun : T_ring : T_carrier = 1 : z : -(1
# + z). Each joint transmits the opposite torque to its first body.


class PlanetaryRatio(Element):
    """Planetary gear set or differential given as a ratio between the angles of three joints, without elasticity."""

    key = "planetary_ratio"
    rows = ("angle",)
    exchanges_power = False
    sun = joint("sun, or one side gear of a differential: its second body is the shaft")
    ring = joint("ring, or the other side gear of a differential")
    carrier = joint("planet carrier, or the case of a differential")
    ratio = number("", "teeth of the ring divided by teeth of the sun; 1: differential", check=(0.5, 3.0))
    c_sun = derived("factor of the angle of the sun")
    c_ring = derived("factor of the angle of the ring")
    c_carrier = derived("factor of the angle of the carrier")
    offset = derived("value of the row in the initial pose", "rad")
    g = scratch("gradient for the bodies of one joint", 12)
    H = scratch("second derivative for the bodies of one joint", 12, columns=12)
    torque_sun = signal("N*m", "torque of the gears on the second body of the sun's joint")
    torque_ring = signal("N*m", "torque of the gears on the second body of the ring's joint")
    torque_carrier = signal("N*m", "torque of the gears on the second body of the carrier's joint")

    @staticmethod
    def check(values):
        ratio = values["ratio"]
        if not math.isfinite(ratio) or ratio in (0.0, -1.0):
            raise ModelError(
                f"ratio is the number of teeth of the ring divided by that of the sun; it must not be {ratio:g}",
                about=Subject("ratio").at("ratio"),
            )

    @staticmethod
    def problems(values, what):
        names = joint_names(values, "sun", "ring", "carrier")
        text = f"{what}: sun, ring and carrier must be three joints, got {', '.join(names)}"
        return [text] if len(set(names)) < 3 else []

    @staticmethod
    def derive(values):
        z = values["ratio"]
        largest = max(1.0, abs(z), abs(1.0 + z))
        factors = {"c_sun": 1.0 / largest, "c_ring": z / largest, "c_carrier": -(1.0 + z) / largest}
        start = sum(factors[f"c_{name}"] * values[name] for name in ("sun", "ring", "carrier"))
        return {**factors, "offset": start}

    def evaluate(s, m, x, w, ask, r, J):
        g = w.g
        H = w.H
        l = x.lam[0]
        speed = 0.0
        angle = -s.offset
        for k in range(3):
            if k == 0:
                on, c, a, b, turns = s.sun, s.c_sun, x.sun_a, x.sun_b, x.sun_turns
            elif k == 1:
                on, c, a, b, turns = s.ring, s.c_ring, x.ring_a, x.ring_b, x.ring_turns
            else:
                on, c, a, b, turns = s.carrier, s.c_carrier, x.carrier_a, x.carrier_b, x.carrier_turns
            for i in range(12):
                g[i] = 0.0
            angle_gradient(on.a, on.b, a, b, c, g)
            speed += rate(g, a, b)
            angle += c * counted_angle(on, turns, a, b)
            if ask.mode == RATE:
                continue
            o = 12 * k
            for i in range(12):
                r[o + i] += l * g[i]
            if ask.mode == TANGENT:
                for i in range(12):
                    for j in range(12):
                        H[i, j] = 0.0
                angle_stiffness(on.a, on.b, a, b, c, H)
                for i in range(12):
                    for j in range(12):
                        J[o + i, o + j] += ask.K * l * H[i, j]
                    J[36, o + i] += g[i]
                    J[o + i, 36] += g[i]
        r[36] += speed if ask.mode == RATE else angle

    def report(s, m, x, w, ask, out):
        out.torque_sun = -x.lam[0] * s.c_sun
        out.torque_ring = -x.lam[0] * s.c_ring
        out.torque_carrier = -x.lam[0] * s.c_carrier
