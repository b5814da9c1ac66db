"""Elements as users write them: a motor after a law, a controller, an oscillator that is condensed; and some that are wrong."""

import math

from pitchline.extend import (
    EYE,
    RATE,
    TANGENT,
    Element,
    add_effort,
    add_effort_tangent,
    add_force,
    add_force_rotation,
    add_force_tangent,
    add_gradient,
    call_law,
    choice,
    coordinates,
    cross,
    derived,
    dot,
    flag,
    frame,
    function,
    integer,
    joint,
    law,
    mat_sum,
    measure,
    memory,
    mtv,
    mul,
    number,
    numbers,
    outer,
    point,
    point_velocity,
    rate,
    scaled,
    scratch,
    signal,
    sub,
    value_of,
    vector,
)


class Motor(Element):
    """A torque on the angle of a joint after a law of time, angle and speed."""

    on = joint("joint that it turns")
    torque = law("torque(t, angle, speed)", "N*m")
    gradient = scratch("gradient of the angle", 12)
    moment = signal("N*m", "torque on the second body")

    def evaluate(s, m, x, w, ask, r, J):
        g = w.gradient
        angle = measure(s.on, m, x.on_a, x.on_b, g)
        speed = rate(g, x.on_a, x.on_b)
        T = ask.load * call_law(s.torque, ask.t, angle, speed)
        add_effort(r, g, -T)
        ask.power_in += T * speed
        if ask.mode == TANGENT:
            # slopes by central differences: a law is cheap
            d = 1e-5 * (1.0 + abs(angle))
            by_angle = (call_law(s.torque, ask.t, angle + d, speed) - call_law(s.torque, ask.t, angle - d, speed)) / (
                2.0 * d
            )
            d = 1e-5 * (1.0 + abs(speed))
            by_speed = (call_law(s.torque, ask.t, angle, speed + d) - call_law(s.torque, ask.t, angle, speed - d)) / (
                2.0 * d
            )
            add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, -T, -ask.load * by_angle, -ask.load * by_speed)

    def report(s, m, x, w, ask, out):
        angle = measure(s.on, m, x.on_a, x.on_b, w.gradient)
        speed = rate(w.gradient, x.on_a, x.on_b)
        out.moment = ask.load * call_law(s.torque, ask.t, angle, speed)
        out.power_in = out.moment * speed


class SpeedControl(Element):
    """A controller that holds the speed of a joint; the integral of the error is a coordinate of first order."""

    on = joint("joint that is driven")
    target = number("rad/s", "speed to hold")
    proportional = number("N*m*s/rad", "gain of the error")
    integral = number("N*m/rad", "gain of the integral of the error")
    error = coordinates(1, "rad", "integral of the error", order=1)
    gradient = scratch("gradient of the angle", 12)
    moment = signal("N*m", "torque on the second body")

    def evaluate(s, m, x, w, ask, r, J):
        g = w.gradient
        measure(s.on, m, x.on_a, x.on_b, g)
        speed = rate(g, x.on_a, x.on_b)
        e = s.target - speed
        T = s.proportional * e + s.integral * x.error[0]
        add_effort(r, g, -T)
        r[12] += x.error_rate[0] - e
        ask.power_in += T * speed
        if ask.mode == TANGENT:
            add_effort_tangent(
                J, s.on, x.on_a, x.on_b, g, ask, 0.0, 0.0, 1.0
            )  # derivative of the speed, in the rows of g
            size = dot((g[9], g[10], g[11]), (g[9], g[10], g[11]))
            for j in range(12):
                J[12, j] = (J[9, j] * g[9] + J[10, j] * g[10] + J[11, j] * g[11]) / size
            for i in range(12):
                for j in range(12):
                    J[i, j] = 0.0
            add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, -T, 0.0, s.proportional)
            for i in range(12):
                J[i, 12] -= ask.K * s.integral * g[i]
            J[12, 12] += ask.D

    def report(s, m, x, w, ask, out):
        measure(s.on, m, x.on_a, x.on_b, w.gradient)
        speed = rate(w.gradient, x.on_a, x.on_b)
        out.moment = s.proportional * (s.target - speed) + s.integral * x.error[0]
        out.power_in = out.moment * speed


class ElasticLink(Element):
    """A spring in series with a mass on a spring, which is condensed: f = K (e - c), M c'' + k c = f."""

    a = frame("first end")
    b = frame("second end")
    stiffness = number("N/m", "of the outer spring K")
    inner = number("N/m", "of the inner spring k")
    mass = number("kg", "inner mass M")
    free_length = number("m", "length without force")
    c = coordinates(1, "m", "displacement of the inner mass", condensed=True)
    tension = signal("N", "force in the outer spring")
    free = scratch("c without force")
    give = scratch("of c, over the force")
    gradient = scratch("gradient of the length", 12)

    def begin(s, m, x, w, ask):
        h = ask.h  # c1 = c0 + h v1, v1 = v0 + h (f - k c1)/M
        q = 1.0 + h * h * s.inner / s.mass
        w.free, w.give = (x.c[0] + h * x.c_rate[0]) / q, h * h / s.mass / q

    def evaluate(s, m, x, w, ask, r, J):
        d = sub(point(x.b, s.b.at), point(x.a, s.a.at))
        l = math.sqrt(dot(d, d))
        n = mul(1.0 / l, d)
        e = l - s.free_length
        if ask.open:
            f, k = s.stiffness * (e - x.c[0]), s.stiffness
            r[12] += s.mass * x.c_acceleration[0] + s.inner * x.c[0] - f
        else:
            free, give = (w.free, w.give) if ask.h > 0.0 else (0.0, 1.0 / s.inner)
            k = s.stiffness / (1.0 + s.stiffness * give)
            f = k * (e - free)
        F = mul(f, n)
        add_force(r, 0, x.a, s.a.at, mul(-1.0, F))
        add_force(r, 6, x.b, s.b.at, F)
        if ask.mode == TANGENT:
            A = scaled(ask.K, mat_sum(scaled(k - f / l, outer(n, n)), scaled(f / l, EYE)))
            Z = scaled(0.0, EYE)
            add_force_tangent(J, 0, x.a, s.a.at, 0, x.a, s.a.at, A, Z)
            add_force_tangent(J, 6, x.b, s.b.at, 6, x.b, s.b.at, A, Z)
            add_force_tangent(J, 0, x.a, s.a.at, 6, x.b, s.b.at, scaled(-1.0, A), Z)
            add_force_tangent(J, 6, x.b, s.b.at, 0, x.a, s.a.at, scaled(-1.0, A), Z)
            add_force_rotation(J, 0, x.a, s.a.at, mul(-1.0, F), ask.K)
            add_force_rotation(J, 6, x.b, s.b.at, F, ask.K)
            if ask.open:
                g = w.gradient
                for i in range(12):
                    g[i] = 0.0
                add_force(g, 0, x.a, s.a.at, mul(-1.0, n))
                add_force(g, 6, x.b, s.b.at, n)
                for i in range(12):
                    J[i, 12] -= ask.K * k * g[i]
                    J[12, i] -= ask.K * k * g[i]
                J[12, 12] += ask.M * s.mass + ask.K * (s.inner + k)

    def accept(s, m, x, w, ask):
        if ask.open:
            return
        d = sub(point(x.b, s.b.at), point(x.a, s.a.at))
        e = math.sqrt(dot(d, d)) - s.free_length
        free, give = (w.free, w.give) if ask.h > 0.0 else (0.0, 1.0 / s.inner)
        c = free + give * s.stiffness / (1.0 + s.stiffness * give) * (e - free)
        x.c_rate[0] = 0.0 if ask.h == 0.0 else (c - x.c[0]) / ask.h
        x.c[0] = c

    def report(s, m, x, w, ask, out):
        d = sub(point(x.b, s.b.at), point(x.a, s.a.at))
        e = math.sqrt(dot(d, d)) - s.free_length
        out.tension = s.stiffness * (e - x.c[0])
        out.potential = 0.5 * s.stiffness * (e - x.c[0]) ** 2 + 0.5 * s.inner * x.c[0] ** 2
        out.kinetic = 0.5 * s.mass * x.c_rate[0] ** 2


class Rod(Element):
    """A rod without mass: two points at a constant distance, a constraint with one row."""

    rows = ("length",)
    exchanges_power = False
    a = frame("first end")
    b = frame("second end")
    length = number("m", "distance of the ends")
    tension = signal("N", "force in the rod, positive in tension")

    def evaluate(s, m, x, w, ask, r, J):
        d = sub(point(x.b, s.b.at), point(x.a, s.a.at))
        l = math.sqrt(dot(d, d))
        n = mul(1.0 / l, d)
        if ask.mode == RATE:
            r[12] += dot(n, sub(point_velocity(x.b, s.b.at), point_velocity(x.a, s.a.at)))
            return
        r[12] += l - s.length
        f = x.lam[0]
        add_force(r, 0, x.a, s.a.at, mul(-f, n))
        add_force(r, 6, x.b, s.b.at, mul(f, n))
        if ask.mode == TANGENT:
            A = scaled(ask.K * f / l, mat_sum(EYE, scaled(-1.0, outer(n, n))))
            Z = scaled(0.0, EYE)
            add_force_tangent(J, 0, x.a, s.a.at, 0, x.a, s.a.at, A, Z)
            add_force_tangent(J, 6, x.b, s.b.at, 6, x.b, s.b.at, A, Z)
            add_force_tangent(J, 0, x.a, s.a.at, 6, x.b, s.b.at, scaled(-1.0, A), Z)
            add_force_tangent(J, 6, x.b, s.b.at, 0, x.a, s.a.at, scaled(-1.0, A), Z)
            add_force_rotation(J, 0, x.a, s.a.at, mul(-f, n), ask.K)
            add_force_rotation(J, 6, x.b, s.b.at, mul(f, n), ask.K)
            add_gradient(J, 12, 0, mul(-1.0, n))
            add_gradient(J, 12, 3, mul(-1.0, cross(s.a.at, mtv(x.a.R, n))))
            add_gradient(J, 12, 6, n)
            add_gradient(J, 12, 9, cross(s.b.at, mtv(x.b.R, n)))

    def report(s, m, x, w, ask, out):
        out.tension = x.lam[0]


class Everything(Element):
    """Parameters of all kinds: a force along x that shows each of them."""

    on = frame("body")
    axis = vector("", "direction", (0.0, 0.0, 1.0))
    stages = integer("how many", 2, least=1, most=4)
    locked = flag("whether it holds", False)
    side = choice(("left", "right"), "which side", "left")
    forces = numbers("points", "N", "forces")
    lengths = numbers("points", "m", "lengths")
    three = numbers(2, "m", "two of them", (1.0, 2.0))
    load = function("N", "force over time", 0.0)
    total = derived("sum of the forces", "N")
    shown = signal("N", "all of it", 9)

    @staticmethod
    def derive(values):
        return {"total": float(values["forces"].sum())}

    def evaluate(s, m, x, w, ask, r, J):
        r[0] += s.total

    def report(s, m, x, w, ask, out):
        last = s.points - 1
        out.shown = (
            s.axis[2], 1.0 * s.stages, 1.0 * s.locked, 1.0 * s.side, s.forces[last], s.lengths[last], s.three[1],
            value_of(ask.functions, s.load, ask.t)[0], s.total,
        )  # fmt: skip


class Misspelt(Element):
    """Its kernel reads a field that is not there."""

    on = frame("body")
    stiffness = number("N/m", "stiffness")

    def evaluate(s, m, x, w, ask, r, J):
        r[0] += s.stifness * x.on.x[0]


class Wrong(Element):
    """Breaks every rule: forces out of balance, a wrong tangent, memory written in evaluate, power not told."""

    a = frame("first end")
    b = frame("second end")
    stiffness = number("N/m", "stiffness")
    last = memory("force of the last evaluation")

    def evaluate(s, m, x, w, ask, r, J):
        d = sub(x.b.x, x.a.x)
        m.last = s.stiffness * math.sqrt(dot(d, d))
        r[0] += m.last
        ask.power_out += 1.0
