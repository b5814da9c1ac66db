"""Integral of a signal, with limits.

z' = g u, limited to [(lower - z)/T_r, (upper - z)/T_r] ;    output = z limited to [lower, upper]
"""

import math

from pitchline.errors import ModelError
from pitchline.extend import TANGENT, Element, coordinates, input_signal, number, output_signal


class Integral(Element):
    """Integral of a signal, with limits that it does not exceed.

    Parameters
    ----------
    name
        Name of the element.
    input
        Signal: a number, a function of time, or an expression over signals of the model.
    gain
        Factor of the input, in SI or with a unit. Default 1.
    lower, upper
        Limits of the output. Default: none.
    return_time
        Time constant with which the integral approaches a limit [s]. Default 1 ms.
    state
        Initial value. Default 0.

    The signal `output` is the integral.
    """

    key = "integral"
    input = input_signal("", "input")
    gain = number("", "factor of the input", 1.0, check=(0.5, 2.0), any_unit=True)
    lower = number("", "lower limit", None, check=(-0.5, -0.4), any_unit=True)
    upper = number("", "upper limit", None, check=(0.4, 0.5), any_unit=True)
    return_time = number("s", "time constant with which a limit is approached", 1e-3, check=(0.5, 2.0))
    state = coordinates(1, "", "integral", order=1)
    output = output_signal("", "integral, within its limits")

    @staticmethod
    def check(values):
        low, high = values["lower"], values["upper"]
        if low is not None and high is not None and not low < high:
            raise ModelError(f"lower must be less than upper, got {low:g} and {high:g}", about="lower")
        if not values["return_time"] > 0.0:
            raise ModelError(f"return_time must be positive, got {values['return_time']:g} s", about="return_time")
        if values["gain"] == 0.0:
            raise ModelError("gain must not be 0", about="gain")

    @staticmethod
    def derive(values):
        return {
            "lower": -math.inf if values["lower"] is None else values["lower"],
            "upper": math.inf if values["upper"] is None else values["upper"],
        }

    @staticmethod
    def direct_inputs(values):
        return ()

    def evaluate(s, m, x, w, ask, r, J):
        z = x.state[0]
        change = s.gain * x.input.value
        high = (s.upper - z) / s.return_time
        low = (s.lower - z) / s.return_time
        limited = min(max(change, low), high)
        r[0] += x.state_rate[0] - limited
        if ask.mode == TANGENT:
            J[0, 0] += ask.D
            if low <= change <= high:
                J[0, x.input.column] -= s.gain
            else:
                J[0, 0] += ask.K / s.return_time

    def respond(s, m, x, w, ask, y, Y):
        z = x.state[0]
        y[0] = min(max(z, s.lower), s.upper)
        if s.lower <= z <= s.upper:
            Y[0, 0] = 1.0
