"""Loads that depend on the speed: fans, propellers, road resistance, cubic springs.

Propeller by its thrust and torque coefficients over the advance ratio.

The axis is z of the frame, in the direction of the thrust. With the speed v of the frame along z, the revolutions per second
n = w / 2 pi of its body about z (sign +1 for a right-handed propeller, -1 for a left-handed one), the diameter D and the density

    J = v / (n D) ,   thrust = rho n |n| D^4 K_T(J) ,   torque = rho n |n| D^5 K_Q(J) .

The fluid is at rest. Beyond the table the coefficients continue as straight lines. Near n = 0 the thrust is then proportional
to n v.
"""

import math

import numpy as np

from pitchline.engine.elements.frame_motion import curve_table, curve_value
from pitchline.errors import ModelError
from pitchline.extend import (
    EYE,
    TANGENT,
    Element,
    add_effort,
    add_effort_tangent,
    add_force,
    add_force_rotation,
    add_force_tangent,
    choice,
    derived,
    dot,
    frame,
    function,
    joint,
    mat_sum,
    measure,
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
)
from pitchline.numerics.machine_code.compiled import A2, F8, M9, V3, block, leaf

from .kernel_load import Road, add_axial, add_axial_tangent, axial_speeds, road_force, road_record

# ---- cubic spring

# Spring and damper between two points, with a stiffness that increases with the deformation.
#
# With d = o_B - o_A, l = |d|, n = d/l, e = l - free_length and l' = n . d', the force that pulls the ends together is
#
# f = k e + k3 e^3 + c l'.


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


# ---- fan load

# Load of a fan or a pump on a joint: a torque against the rotation that grows with the square of the speed.
#
# With the rated torque T_r at the rated speed w_r and the constant part T_0
#
# T = -( T_0 tanh(w / w_s) + (T_r - T_0) w |w| / w_r^2 ) .
#
# The constant part is smooth near zero: it does not hold the joint at rest.


class FanLoad(Element):
    """Fan or pump on the angle of a joint: torque against the rotation, growing with the square of the speed."""

    key = "fan_load"
    on = joint("joint of the fan")
    rated_torque = number("N*m", "torque at the rated speed", least=0.0, check=(1.0, 2.0))
    rated_speed = number("rad/s", "rated speed", least=0.0)
    constant_torque = number(
        "N*m", "part of the torque that does not depend on the speed", 0.0, least=0.0, check=(0.1, 0.9)
    )
    smoothing_speed = number(
        "rad/s", "speed below which the constant part falls to zero", 0.1, least=0.0, check=(0.5, 2.0)
    )
    gradient = scratch("gradient of the angle", 12)
    torque = signal("N*m", "torque on the second body")
    power = signal("W", "power taken from the shaft")

    @staticmethod
    def check(values):
        for name in ("rated_speed", "smoothing_speed"):
            if values[name] == 0.0:
                raise ModelError(f"{name} must be positive, got 0 rad/s")
        if values["constant_torque"] > values["rated_torque"]:
            raise ModelError(
                f"constant_torque ({values['constant_torque']:g} N*m) must not be more than rated_torque "
                f"({values['rated_torque']:g} N*m), which includes it"
            )

    def evaluate(s, m, x, w, ask, r, J):
        g = w.gradient
        measure(s.on, m, x.on_a, x.on_b, g)
        speed = rate(g, x.on_a, x.on_b)
        k = ask.damp * (s.rated_torque - s.constant_torque) / (s.rated_speed * s.rated_speed)
        t = math.tanh(speed / s.smoothing_speed)
        T = ask.damp * s.constant_torque * t + k * speed * abs(speed)
        add_effort(r, g, T)
        ask.power_out += T * speed
        if ask.mode == TANGENT:
            by_rate = ask.damp * s.constant_torque * (1.0 - t * t) / s.smoothing_speed + 2.0 * k * abs(speed)
            add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, T, 0.0, by_rate)

    def report(s, m, x, w, ask, out):
        measure(s.on, m, x.on_a, x.on_b, w.gradient)
        speed = rate(w.gradient, x.on_a, x.on_b)
        k = ask.damp * (s.rated_torque - s.constant_torque) / (s.rated_speed * s.rated_speed)
        T = ask.damp * s.constant_torque * math.tanh(speed / s.smoothing_speed) + k * speed * abs(speed)
        out.torque = -T
        out.power = T * speed
        out.power_out = out.power


HANDS = ("right", "left")


@leaf
def _z(M: M9) -> V3:
    return (M[2], M[5], M[8])


@block
def _coefficient(table: A2, n: F8, v: F8, diameter: F8) -> V3:
    """n |n| K(J), and its derivatives with respect to n and v."""
    if n == 0.0:
        end = table.shape[0] - 1
        # J is infinite: only the slope of the line beyond the table remains
        slope = table[end, 2] if v > 0.0 else table[0, 2]
        return (0.0, slope * abs(v) / diameter, 0.0)
    K, slope = curve_value(table, v / (n * diameter))
    size = abs(n)
    sign = 1.0 if n > 0.0 else -1.0
    return (n * size * K, 2.0 * size * K - sign * slope * v / diameter, size * slope / diameter)


class Propeller(Element):
    """Propeller on a body: thrust along z of its frame and torque about it, by coefficients over the advance ratio."""

    key = "propeller"
    on = frame("body that rotates; z of the frame is the direction of the thrust")
    diameter = number("m", "diameter", least=0.0)
    density = number("kg/m^3", "density of the fluid, such as 1.225 for air or 1025 for sea water", least=0.0)
    advance_ratios = numbers("points", "", "advance ratios v / (n D)", increasing=True, check=(-0.5, 1.5))
    thrust_coefficients = numbers("points", "", "thrust coefficients K_T")
    torque_coefficients = numbers("points", "", "torque coefficients K_Q")
    hand = choice(HANDS, "direction of rotation for thrust along z", "right")
    thrust_curve = derived("curve of thrust", "", "thrust_pieces", columns=5)
    torque_curve = derived("curve of torque", "", "torque_pieces", columns=5)
    thrust = signal("N", "force on the body along z")
    torque = signal("N*m", "torque of the fluid against the rotation of the propeller")
    advance_ratio = signal("", "advance ratio; 0 without rotation")
    efficiency = signal("", "power of the thrust over power of the shaft; 0 if it does not drive")

    @staticmethod
    def check(values):
        if values["diameter"] == 0.0:
            raise ModelError("diameter must be positive, got 0 m")

    @staticmethod
    def derive(values):
        J = values["advance_ratios"]
        return {
            "thrust_curve": curve_table(J, values["thrust_coefficients"]),
            "torque_curve": curve_table(J, values["torque_coefficients"]),
        }

    def evaluate(s, m, x, w, ask, r, J):
        z = _z(s.on.axes)
        v, spin = axial_speeds(x.on, s.on.at, z)
        hand = 1.0 - 2.0 * s.hand
        n = hand * spin / (2.0 * math.pi)
        D = s.diameter
        scale = ask.damp * s.density * D * D * D * D
        T, T_n, T_v = _coefficient(s.thrust_curve, n, v, D)
        Q, Q_n, Q_v = _coefficient(s.torque_curve, n, v, D)
        F = scale * T
        M = -hand * scale * D * Q
        add_axial(r, x.on, s.on.at, z, F, M)
        loss = -F * v - M * spin
        ask.power_out += max(loss, 0.0)
        ask.power_in += max(-loss, 0.0)
        if ask.mode == TANGENT:
            per_spin = hand / (2.0 * math.pi)
            by_v = (scale * T_v, -hand * scale * D * Q_v)
            by_w = (per_spin * scale * T_n, -hand * per_spin * scale * D * Q_n)
            add_axial_tangent(J, x.on, s.on.at, z, ask, F, by_v, by_w)

    def report(s, m, x, w, ask, out):
        v, spin = axial_speeds(x.on, s.on.at, _z(s.on.axes))
        hand = 1.0 - 2.0 * s.hand
        n = hand * spin / (2.0 * math.pi)
        D = s.diameter
        scale = ask.damp * s.density * D * D * D * D
        out.thrust = scale * _coefficient(s.thrust_curve, n, v, D)[0]
        out.torque = scale * D * _coefficient(s.torque_curve, n, v, D)[0]
        out.advance_ratio = v / (n * D) if n != 0.0 else 0.0
        shaft = out.torque * hand * spin
        driven = out.thrust * v
        out.efficiency = driven / shaft if shaft > 0.0 and driven > 0.0 else 0.0
        out.power_out = max(shaft - driven, 0.0)
        out.power_in = max(driven - shaft, 0.0)


# ---- road load

# Road load on the joint of a wheel, as in `kernel_load`: T = -r F(v) with v = r w.


class RoadLoad(Element):
    """Road load of a vehicle on the joint of its wheel: rolling resistance, drag of the air, slope."""

    key = "road_load"
    on = joint("joint of the wheel; the vehicle drives forward if its angle increases")
    radius = number("m", "radius of the wheel", least=0.0)
    vehicle_mass = number("kg", "mass of the vehicle, for its weight; its inertia is not included", least=0.0)
    rolling_coefficient = number("", "rolling resistance over weight", 0.0, least=0.0, check=(0.1, 0.3))
    drag_area = number("m^2", "drag coefficient times frontal area", 0.0, least=0.0, check=(0.5, 2.0))
    air_density = number("kg/m^3", "density of the air", 1.2, least=0.0)
    slope = function("rad", "angle of the road, positive uphill", 0.0)
    wind = function("m/s", "speed of the head wind", 0.0)
    smoothing_speed = number(
        "m/s", "speed below which the rolling resistance falls to zero", 0.1, least=0.0, check=(0.5, 2.0)
    )
    gravitational_acceleration = number("m/s^2", "gravity of the weight", 9.81, least=0.0)
    road = derived("numbers of the road", record=Road)
    gradient = scratch("gradient of the angle", 12)
    torque = signal("N*m", "torque on the second body")
    force = signal("N", "force against the forward direction of the vehicle")
    speed = signal("m/s", "speed of the vehicle")

    @staticmethod
    def check(values):
        for name in ("radius", "smoothing_speed"):
            if values[name] == 0.0:
                raise ModelError(f"{name} must be positive, got 0")

    @staticmethod
    def derive(values):
        return {"road": road_record(values)}

    def evaluate(s, m, x, w, ask, r, J):
        g = w.gradient
        measure(s.on, m, x.on_a, x.on_b, g)
        v = s.radius * rate(g, x.on_a, x.on_b)
        slope = value_of(ask.functions, s.slope, ask.t)[0]
        wind = value_of(ask.functions, s.wind, ask.t)[0]
        loss, by_speed, uphill = road_force(s.road, v, slope, wind, ask.damp)
        uphill *= ask.load
        T = s.radius * (loss + uphill)
        add_effort(r, g, T)
        power = loss * v
        ask.power_out += max(power, 0.0)
        ask.power_in += max(-power, 0.0) - uphill * v
        if ask.mode == TANGENT:
            add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, T, 0.0, s.radius * s.radius * by_speed)

    def report(s, m, x, w, ask, out):
        measure(s.on, m, x.on_a, x.on_b, w.gradient)
        v = s.radius * rate(w.gradient, x.on_a, x.on_b)
        slope = value_of(ask.functions, s.slope, ask.t)[0]
        wind = value_of(ask.functions, s.wind, ask.t)[0]
        loss, _, uphill = road_force(s.road, v, slope, wind, ask.damp)
        uphill *= ask.load
        out.speed = v
        out.force = loss + uphill
        out.torque = -s.radius * out.force
        out.power_out = max(loss * v, 0.0)
        out.power_in = max(-loss * v, 0.0) - uphill * v


# ---- road resistance

# Road load on a body that translates, as in `kernel_load`. The forward direction is x of its frame.


@leaf
def _x(M: M9) -> V3:
    return (M[0], M[3], M[6])


class RoadResistance(Element):
    """Road load on the body of a vehicle: rolling resistance, drag of the air, slope. Forward is x of the frame."""

    key = "road_resistance"
    on = frame("vehicle: forward is x of the frame")
    vehicle_mass = number("kg", "mass of the vehicle, for its weight; its inertia is that of the body", least=0.0)
    rolling_coefficient = number("", "rolling resistance over weight", 0.0, least=0.0, check=(0.1, 0.3))
    drag_area = number("m^2", "drag coefficient times frontal area", 0.0, least=0.0, check=(0.5, 2.0))
    air_density = number("kg/m^3", "density of the air", 1.2, least=0.0)
    slope = function("rad", "angle of the road, positive uphill, if gravity of the model does not contain it", 0.0)
    wind = function("m/s", "speed of the head wind", 0.0)
    smoothing_speed = number(
        "m/s", "speed below which the rolling resistance falls to zero", 0.1, least=0.0, check=(0.5, 2.0)
    )
    gravitational_acceleration = number("m/s^2", "gravity of the weight", 9.81, least=0.0)
    road = derived("numbers of the road", record=Road)
    force = signal("N", "force against the forward direction of the vehicle")
    speed = signal("m/s", "speed of the vehicle")

    @staticmethod
    def check(values):
        if values["smoothing_speed"] == 0.0:
            raise ModelError("smoothing_speed must be positive, got 0")

    @staticmethod
    def derive(values):
        return {"road": road_record(values)}

    def evaluate(s, m, x, w, ask, r, J):
        z = _x(s.on.axes)
        v, _ = axial_speeds(x.on, s.on.at, z)
        slope = value_of(ask.functions, s.slope, ask.t)[0]
        wind = value_of(ask.functions, s.wind, ask.t)[0]
        loss, by_speed, uphill = road_force(s.road, v, slope, wind, ask.damp)
        uphill *= ask.load
        F = -(loss + uphill)
        add_axial(r, x.on, s.on.at, z, F, 0.0)
        ask.power_out += max(loss * v, 0.0)
        ask.power_in += max(-loss * v, 0.0) - uphill * v
        if ask.mode == TANGENT:
            add_axial_tangent(J, x.on, s.on.at, z, ask, F, (-by_speed, 0.0), (0.0, 0.0))

    def report(s, m, x, w, ask, out):
        v, _ = axial_speeds(x.on, s.on.at, _x(s.on.axes))
        slope = value_of(ask.functions, s.slope, ask.t)[0]
        wind = value_of(ask.functions, s.wind, ask.t)[0]
        loss, _, uphill = road_force(s.road, v, slope, wind, ask.damp)
        uphill *= ask.load
        out.speed = v
        out.force = loss + uphill
        out.power_out = max(loss * v, 0.0)
        out.power_in = max(-loss * v, 0.0) - uphill * v


# ---- speed load

# Load on a joint by a table of torque over speed.
#
# A table of positive speeds is used in both directions: T(-w) = -T(w). The torque of the table acts against the
# rotation.


class SpeedLoad(Element):
    """Load on the angle of a joint by a table: torque against the rotation over speed."""

    key = "speed_load"
    on = joint("joint that is loaded")
    speeds = numbers(
        "points", "rad/s", "speeds; only positive ones, or both directions", increasing=True, check=(0.3, 2.0)
    )
    torques = numbers("points", "N*m", "torques against the rotation at these speeds")
    curve = derived("curve through the points", "N*m", "pieces", columns=5)
    gradient = scratch("gradient of the angle", 12)
    torque = signal("N*m", "torque on the second body")
    power = signal("W", "power taken from the shaft")

    @staticmethod
    def check(values):
        speeds, torques = values["speeds"], values["torques"]
        if speeds[0] == 0.0 and torques[0] != 0.0:
            raise ModelError(
                f"the torque at speed 0 is {torques[0]:g} N*m, which would jump at the change of direction; start the table with "
                "(0, 0) and a small speed, or specify also negative speeds"
            )

    @staticmethod
    def derive(values):
        x, y = values["speeds"], values["torques"]
        if x[0] >= 0.0:
            keep = slice(1, None) if x[0] == 0.0 else slice(None)
            middle = [[0.0]] if x[0] == 0.0 else []
            x, y = (np.concatenate([-v[keep][::-1], *middle, v[keep]]) for v in (x, y))
        return {"curve": curve_table(x, y)}

    def evaluate(s, m, x, w, ask, r, J):
        g = w.gradient
        measure(s.on, m, x.on_a, x.on_b, g)
        speed = rate(g, x.on_a, x.on_b)
        T, by_rate = curve_value(s.curve, speed)
        T *= ask.damp
        add_effort(r, g, T)
        power = T * speed
        if power > 0.0:
            ask.power_out += power
        else:
            ask.power_in -= power
        if ask.mode == TANGENT:
            add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, T, 0.0, ask.damp * by_rate)

    def report(s, m, x, w, ask, out):
        measure(s.on, m, x.on_a, x.on_b, w.gradient)
        speed = rate(w.gradient, x.on_a, x.on_b)
        T, _ = curve_value(s.curve, speed)
        T *= ask.damp
        out.torque = -T
        out.power = T * speed
        out.power_out = max(out.power, 0.0)
        out.power_in = max(-out.power, 0.0)
