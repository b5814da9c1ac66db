"""PI controller for the speed of a joint. The integral of the error is a state of the element.

With the speed w of the joint and e = target - w, the torque on the second body is

    T = P e + I y ,      y' = e .
"""

from pitchline.extend import (
    TANGENT,
    Element,
    add_effort,
    add_effort_tangent,
    coordinates,
    function,
    joint,
    measure,
    number,
    rate,
    scratch,
    signal,
    value_of,
)


class SpeedControl(Element):
    """Torque on a joint that keeps its speed at a target: a PI controller with its motor."""

    key = "speed_control"
    on = joint("joint that is driven")
    target = function("rad/s", "target speed")
    proportional = number("N*m*s/rad", "torque per speed error", least=0.0)
    integral = number("N*m/rad", "torque per integral of the error", 0.0, least=0.0, check=(0.1, 1.0))
    error = coordinates(1, "rad", "integral of the error", order=1)
    gradient = scratch("gradient of the angle", 12)
    torque = signal("N*m", "torque on the second body")

    def evaluate(s, m, x, w, ask, r, J):
        g = w.gradient
        measure(s.on, m, x.on_a, x.on_b, g)
        speed = rate(g, x.on_a, x.on_b)
        e = value_of(ask.functions, s.target, ask.t)[0] - speed
        T = s.proportional * e + s.integral * x.error[0]
        add_effort(r, g, -T)
        r[12] += x.error_rate[0] - e
        ask.power_in += T * speed
        if ask.mode == TANGENT:
            # first g times the derivative of the speed, which the row of the state then uses
            add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, 0.0, 0.0, 1.0)
            size = 0.0
            for i in range(12):
                size += g[i] * g[i]
            for j in range(12):
                change = 0.0
                for i in range(12):
                    change += g[i] * J[i, j]
                    J[i, j] = 0.0
                J[12, j] += change / size
            add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, -T, 0.0, s.proportional)
            for i in range(12):
                J[i, 12] -= ask.K * s.integral * g[i]
            J[12, 12] += ask.D

    def report(s, m, x, w, ask, out):
        measure(s.on, m, x.on_a, x.on_b, w.gradient)
        speed = rate(w.gradient, x.on_a, x.on_b)
        e = value_of(ask.functions, s.target, ask.t)[0] - speed
        out.torque = s.proportional * e + s.integral * x.error[0]
        out.power_in = out.torque * speed
