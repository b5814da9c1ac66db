"""A user's own element: a drag that grows with the square of the speed."""

import math

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
    point_velocity,
    scaled,
    signal,
)


class Drag(Element):
    """A force at a point of a body against its velocity, growing with the square of the speed."""

    on = frame("body that is slowed down")
    coefficient = number("N*s^2/m^2", "force over the square of the speed", least=0.0)
    force = signal("N", "drag on the body", 3)

    def evaluate(s, m, x, w, ask, r, J):
        p = s.on.at
        u = point_velocity(x.on, p)
        speed = math.sqrt(dot(u, u))
        k = ask.damp * s.coefficient
        F = mul(k * speed, u)
        add_force(r, 0, x.on, p, F)
        ask.power_out += dot(F, u)
        if ask.mode == TANGENT and speed > 0.0:
            N = mat_sum(scaled(k * speed, EYE), scaled(k / speed, outer(u, u)))
            add_force_tangent(J, 0, x.on, p, 0, x.on, p, scaled(ask.D, N), scaled(ask.K, N))
            add_force_rotation(J, 0, x.on, p, F, ask.K)

    def report(s, m, x, w, ask, out):
        u = point_velocity(x.on, s.on.at)
        speed = math.sqrt(dot(u, u))
        k = ask.damp * s.coefficient
        out.force = mul(-k * speed, u)
        out.power_out = k * speed * speed * speed
