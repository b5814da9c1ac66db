"""Spring and damper between two points, with a stiffness that increases with the deformation.

With d = o_B - o_A, l = |d|, n = d/l, e = l - free_length and l' = n . d', the force that pulls the ends together is

    f = k e + k3 e^3 + c l'.
"""

import math

import numpy as np

from pitchline.extend import (
    EYE,
    TANGENT,
    Element,
    add_force,
    add_force_rotation,
    add_force_tangent,
    dot,
    frame,
    mat_sum,
    mul,
    number,
    outer,
    point,
    point_velocity,
    scaled,
    signal,
    sub,
)


class CubicSpring(Element):
    """Spring and damper between two points, with a stiffness that increases with extension and compression."""

    key = "cubic_spring"
    a = frame("first end")
    b = frame("second end")
    stiffness = number("N/m", "stiffness at the free length", least=0.0)
    cubic = number("N/m^3", "coefficient of the third power of the extension", 0.0, least=0.0, check=(0.1, 1.0))
    damping = number("N*s/m", "damping along the line between the ends", 0.0, least=0.0, check=(0.1, 1.0))
    free_length = number("m", "length without force; default: the length in the initial pose", None, least=0.0)
    length = signal("m", "distance between the two ends")
    tension = signal("N", "force of the spring, positive in tension")

    @staticmethod
    def derive(values):
        if values["free_length"] is not None:
            return {}
        (a, _), (b, _) = values["a"], values["b"]
        return {"free_length": float(np.linalg.norm(b - a))}

    def evaluate(s, m, x, w, ask, r, J):
        a, b = s.a.at, s.b.at
        d = sub(point(x.b, b), point(x.a, a))
        u = sub(point_velocity(x.b, b), point_velocity(x.a, a))
        l = math.sqrt(dot(d, d))
        n = mul(1.0 / l, d)
        rate = dot(n, u)
        e = l - s.free_length
        c = ask.damp * s.damping
        f = s.stiffness * e + s.cubic * e * e * e + c * rate
        F = mul(f, n)
        add_force(r, 0, x.a, a, mul(-1.0, F))
        add_force(r, 6, x.b, b, F)
        ask.power_out += c * rate * rate
        if ask.mode == TANGENT:
            # dF = ((k + 3 k3 e^2) n n^T + (f/l) (1 - n n^T) + (c/l) n (u - n l')^T) dd + c n n^T du
            N = outer(n, n)
            along = s.stiffness + 3.0 * s.cubic * e * e - f / l
            turning = outer(n, mul(c / l, sub(u, mul(rate, n))))
            by_position = mat_sum(mat_sum(scaled(along, N), scaled(f / l, EYE)), turning)
            C = scaled(c, N)
            A = mat_sum(scaled(ask.K, by_position), scaled(ask.D, C))
            C = scaled(ask.K, C)
            add_force_tangent(J, 0, x.a, a, 0, x.a, a, A, C)
            add_force_tangent(J, 6, x.b, b, 6, x.b, b, A, C)
            add_force_tangent(J, 0, x.a, a, 6, x.b, b, scaled(-1.0, A), scaled(-1.0, C))
            add_force_tangent(J, 6, x.b, b, 0, x.a, a, scaled(-1.0, A), scaled(-1.0, C))
            add_force_rotation(J, 0, x.a, a, mul(-1.0, F), ask.K)
            add_force_rotation(J, 6, x.b, b, F, ask.K)

    def report(s, m, x, w, ask, out):
        d = sub(point(x.b, s.b.at), point(x.a, s.a.at))
        u = sub(point_velocity(x.b, s.b.at), point_velocity(x.a, s.a.at))
        l = math.sqrt(dot(d, d))
        rate = dot(d, u) / l
        e = l - s.free_length
        c = ask.damp * s.damping
        out.length = l
        out.tension = s.stiffness * e + s.cubic * e * e * e + c * rate
        out.potential = 0.5 * s.stiffness * e * e + 0.25 * s.cubic * e * e * e * e
        out.power_out = c * rate * rate
