"""Signal whose rate is limited.

y' = (u - y)/T ,  limited to [-fall, rise]
"""

from pitchline.errors import ModelError
from pitchline.extend import TANGENT, Element, coordinates, input_signal, number, output_signal


class RateLimiter(Element):
    """Signal that follows its input with a limited rate.

    Parameters
    ----------
    name
        Name of the element.
    input
        Signal: a number, a function of time, or an expression over signals of the model.
    rise, fall
        Largest rates of rise and of fall, positive, in SI or with a unit. Default of `fall`: equal to `rise`.
    time_constant
        Time constant with which the output follows below these rates [s]. Default 1 ms.
    state
        Initial value of the output. Default 0.

    The signal `output` is the result.
    """

    key = "rate_limiter"
    input = input_signal("", "input")
    rise = number("", "largest rate of rise", check=(0.2, 0.8), any_unit=True)
    fall = number("", "largest rate of fall", None, check=(0.2, 0.8), any_unit=True)
    time_constant = number("s", "time constant below these rates", 1e-3, check=(0.5, 2.0))
    state = coordinates(1, "", "output", order=1)
    output = output_signal("", "signal with limited rate")

    @staticmethod
    def check(values):
        for name in ("rise", "fall", "time_constant"):
            if values[name] is not None and not values[name] > 0.0:
                raise ModelError(f"{name} must be positive, got {values[name]:g}", about=name)

    @staticmethod
    def derive(values):
        return {"fall": values["rise"] if values["fall"] is None else values["fall"]}

    @staticmethod
    def direct_inputs(values):
        return ()

    def evaluate(s, m, x, w, ask, r, J):
        change = (x.input.value - x.state[0]) / s.time_constant
        # at rest the output is the input: the limits have no effect
        if ask.damp == 0.0 or -s.fall <= change <= s.rise:
            r[0] += x.state_rate[0] - change
            if ask.mode == TANGENT:
                J[0, 0] += ask.D + ask.K / s.time_constant
                J[0, x.input.column] -= 1.0 / s.time_constant
        else:
            r[0] += x.state_rate[0] - (s.rise if change > 0.0 else -s.fall)
            if ask.mode == TANGENT:
                J[0, 0] += ask.D

    def respond(s, m, x, w, ask, y, Y):
        y[0] = x.state[0]
        Y[0, 0] = 1.0
