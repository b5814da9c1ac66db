"""Planetary gear set or differential given as a ratio between the angles of three joints: rigid, as one constraint.

With the angles theta of sun, ring and carrier, counted from the initial pose, and z = teeth of the ring / teeth of the sun,
Willis' equation is

    theta_sun + z theta_ring - (1 + z) theta_carrier = 0 ,

divided by its largest factor. Torques on the second bodies of the joints: T_sun : T_ring : T_carrier = 1 : z : -(1 + z).
Each joint transmits the opposite torque to its first body.
"""

import math

from pitchline.elements.scalar_geometry import angle_gradient, angle_stiffness, counted_angle, rate
from pitchline.errors import ModelError, Subject
from pitchline.extend import RATE, TANGENT, Element, derived, joint, number, scratch, signal

from .gear_ratio import joint_names


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
