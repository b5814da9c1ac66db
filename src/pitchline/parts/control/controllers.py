"""Controllers in continuous time: PID with limits, and control of a speed.

PID controller with limits.

With the set point w, the measured value m, its rate m' and the feedforward f

    u = P (beta w - m) + z - D m' + f ,    output = u limited to [lower, upper]
    z' = I (w - m) + (output - u)/T_t                                       back calculation
    z' = I (w - m), at most (upper - u)/T_t and 0 beyond the limit; the same for the lower limit       clamp

The derivative acts on the measured value only: on its rate, if that is a signal, otherwise on m filtered with the time constant
T_f:  v' = (m - v)/T_f ,  m' = (m - v)/T_f .
"""

import math

import numpy as np

from pitchline.errors import ModelError
from pitchline.extend import (
    TANGENT,
    Element,
    add_effort,
    add_effort_tangent,
    choice,
    coordinates,
    derived,
    function,
    input_signal,
    joint,
    measure,
    number,
    output_signal,
    rate,
    scratch,
    signal,
    value_of,
)

BACK_CALCULATION, CLAMP = 0, 1
ANTI_WINDUP = ("back_calculation", "clamp", "none")


def _limits(values):
    low, high = values["lower"], values["upper"]
    return -math.inf if low is None else low, math.inf if high is None else high


class PID(Element):
    """PID controller with limits and anti-windup. Its output is a signal for torques, forces and other elements.

    Parameters
    ----------
    name
        Name of the element.
    setpoint, measured
        Target and measured value: numbers, functions of time, or expressions over signals of the model.
    proportional, integral, derivative
        Gains: output over error, over error times time, over rate of the measured value. In SI, or with units. Default 0.
    derivative_filter
        Time constant of the filter of the derivative [s]. Required if the derivative acts without `measured_rate`.
    measured_rate
        Signal with the rate of the measured value, e.g. ``expression("axis.speed")``. The derivative then needs no filter.
        Optional.
    feedforward
        Signal that is added to the output before it is limited. Default 0.
    lower, upper
        Limits of the output, in SI or with a unit. Default: none.
    anti_windup
        What the integral does at a limit: "back_calculation" (default): it follows the limited output with `tracking_time`;
        "clamp": it stops there; "none".
    tracking_time
        Time constant of the back calculation [s]. Default: P/I, or the geometric mean of P/I and D/P. For "clamp", that with which
        the integral approaches the limit; default: 1 % of this.
    setpoint_weight
        Factor of the set point in the proportional part. Default 1.
    integral_part, filtered
        Initial values of the integral part of the output and of the filtered measured value. Default 0.

    Signals: `output`; `error` (set point minus measured value); `saturation` (the part that the limits remove: output minus
    unlimited output).
    """

    key = "pid"
    setpoint = input_signal("", "target value")
    measured = input_signal("", "measured value")
    proportional = number("", "output over error", 0.0, check=(0.5, 2.0), any_unit=True)
    integral = number("", "output over error times time", 0.0, check=(0.5, 2.0), any_unit=True)
    derivative = number("", "output over rate of the measured value", 0.0, check=(0.5, 2.0), any_unit=True)
    derivative_filter = number("s", "time constant of the filter of the derivative", 0.0, least=0.0)
    measured_rate = input_signal("", "rate of the measured value", None)
    feedforward = input_signal("", "added to the output", 0.0)
    lower = number("", "lower limit of the output", None, check=(-0.5, -0.4), any_unit=True)
    upper = number("", "upper limit of the output", None, check=(0.4, 0.5), any_unit=True)
    anti_windup = choice(ANTI_WINDUP, "behaviour of the integral at a limit", "back_calculation")
    tracking_time = number("s", "time constant of the back calculation", None, check=(0.5, 2.0))
    setpoint_weight = number("", "factor of the set point in the proportional part", 1.0, check=(0.2, 0.8))
    integral_gains = derived("integral gain, if there is one", "", "n_integral")
    filter_times = derived("time constant of the filter, if there is one", "s", "n_filter")
    integral_part = coordinates("n_integral", "", "integral part of the output", order=1)
    filtered = coordinates("n_filter", "", "filtered measured value", order=1)
    error = signal("", "set point minus measured value")
    saturation = signal("", "output minus unlimited output")
    output = output_signal("", "output of the controller")

    @staticmethod
    def check(values):
        low, high = _limits(values)
        if not low < high:
            raise ModelError(f"lower must be less than upper, got {low:g} and {high:g}", about="lower")
        rate, time = values["measured_rate"], values["derivative_filter"]
        if values["derivative"] and rate is None and not time:
            raise ModelError(
                "the derivative needs a filter or a rate. Specify derivative_filter, a time constant, or measured_rate, a signal",
                about="derivative_filter",
            )
        if time and (rate is not None or not values["derivative"]):
            reason = "derivative is 0" if rate is None else "measured_rate is not filtered"
            raise ModelError(f"derivative_filter has no effect: {reason}. Leave it out", about="derivative_filter")
        if not any(values[name] for name in ("proportional", "integral", "derivative")):
            raise ModelError("all gains are 0. Specify proportional, integral or derivative", about="proportional")
        tracking = values["tracking_time"]
        if tracking is not None and not tracking > 0.0:
            raise ModelError(f"tracking_time must be positive, got {tracking:g} s", about="tracking_time")
        if (
            tracking is None
            and values["integral"]
            and not values["proportional"]
            and low > -math.inf
            and high < math.inf
        ):
            raise ModelError(
                "tracking_time is missing: it has a default only with a proportional gain", about="tracking_time"
            )

    @staticmethod
    def derive(values):
        P, I, D = (values[name] for name in ("proportional", "integral", "derivative"))
        found = {"lower": _limits(values)[0], "upper": _limits(values)[1], "tracking_time": values["tracking_time"]}
        if found["tracking_time"] is None:
            time = abs(P / I) if P and I else 1.0
            time = math.sqrt(time * abs(D / P)) if P and I and D else time
            found["tracking_time"] = 0.01 * time if values["anti_windup"] == "clamp" else time
        filters = [values["derivative_filter"]] if D and values["measured_rate"] is None else []
        return {**found, "integral_gains": np.array([I] if I else []), "filter_times": np.array(filters, float)}

    @staticmethod
    def direct_inputs(values):
        found = {
            "setpoint": values["proportional"] and values["setpoint_weight"],
            "measured": values["proportional"] or (values["derivative"] and values["measured_rate"] is None),
            "measured_rate": values["derivative"],
            "feedforward": True,
        }
        return tuple(name for name, counts in found.items() if counts)

    def evaluate(s, m, x, w, ask, r, J):
        n = s.n_integral
        if n > 0:
            e = x.setpoint.value - x.measured.value
            u = s.proportional * (s.setpoint_weight * x.setpoint.value - x.measured.value) + x.integral_part[0]
            u += x.feedforward.value
            slope = 0.0  # du/dm through the filter
            if s.n_filter > 0:
                slope = -s.derivative / s.filter_times[0]
                u += slope * (x.measured.value - x.filtered[0])
            else:
                u -= s.derivative * x.measured_rate.value
            change = s.integral * e
            kept = 1.0
            back = 0.0
            excess = 0.0
            if s.anti_windup == CLAMP:
                # what the integral may add until the output is at its limit
                room = s.upper - u if change > 0.0 else s.lower - u
                if change * room < 0.0 and ask.damp != 0.0:
                    kept = 0.0
                elif abs(room) < abs(change) * s.tracking_time or change * room < 0.0:
                    kept = 0.0
                    back = 1.0 / s.tracking_time
                    excess = room
            elif s.anti_windup == BACK_CALCULATION:
                if u > s.upper:
                    excess = s.upper - u
                    back = 1.0 / s.tracking_time
                elif u < s.lower:
                    excess = s.lower - u
                    back = 1.0 / s.tracking_time
            r[0] += x.integral_part_rate[0] - kept * change - back * excess
            if ask.mode == TANGENT:
                J[0, 0] += ask.D + ask.K * back
                by_error = kept * s.integral
                J[0, x.setpoint.column] += back * s.proportional * s.setpoint_weight - by_error
                J[0, x.measured.column] += by_error - back * (s.proportional - slope)
                J[0, x.feedforward.column] += back
                if s.n_filter > 0:
                    J[0, 1] -= ask.K * back * slope
                else:
                    J[0, x.measured_rate.column] -= back * s.derivative
        if s.n_filter > 0:
            time = s.filter_times[0]
            r[n] += x.filtered_rate[0] - (x.measured.value - x.filtered[0]) / time
            if ask.mode == TANGENT:
                J[n, n] += ask.D + ask.K / time
                J[n, x.measured.column] -= 1.0 / time

    def respond(s, m, x, w, ask, y, Y):
        u = s.proportional * (s.setpoint_weight * x.setpoint.value - x.measured.value) + x.feedforward.value
        n = s.n_integral
        slope = 0.0
        if n > 0:
            u += x.integral_part[0]
        if s.n_filter > 0:
            slope = -s.derivative / s.filter_times[0]
            u += slope * (x.measured.value - x.filtered[0])
        else:
            u -= s.derivative * x.measured_rate.value
        y[0] = min(max(u, s.lower), s.upper)
        if s.lower <= u <= s.upper:
            if n > 0:
                Y[0, 0] = 1.0
            if s.n_filter > 0:
                Y[0, n] = -slope
            else:
                Y[0, x.measured_rate.column] = -s.derivative
            Y[0, x.setpoint.column] = s.proportional * s.setpoint_weight
            Y[0, x.measured.column] = slope - s.proportional
            Y[0, x.feedforward.column] = 1.0

    def report(s, m, x, w, ask, out):
        u = s.proportional * (s.setpoint_weight * x.setpoint.value - x.measured.value) + x.feedforward.value
        if s.n_integral > 0:
            u += x.integral_part[0]
        if s.n_filter > 0:
            u -= s.derivative / s.filter_times[0] * (x.measured.value - x.filtered[0])
        else:
            u -= s.derivative * x.measured_rate.value
        out.error = x.setpoint.value - x.measured.value
        out.saturation = min(max(u, s.lower), s.upper) - u


# ---- speed control

# PI controller for the speed of a joint. The integral of the error is a state of the element.
#
# With the speed w of the joint and e = target - w, the torque on the second body is
#
# T = P e + I y , y' = e .


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
