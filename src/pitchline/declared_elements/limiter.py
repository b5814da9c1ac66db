"""Signals with a limited range, and with a dead band about zero."""

import math

from pitchline.errors import ModelError
from pitchline.extend import Element, input_signal, number, output_signal


class Limiter(Element):
    """Signal that is limited to a range.

    Parameters
    ----------
    name
        Name of the element.
    input
        Signal: a number, a function of time, or an expression over signals of the model.
    lower, upper
        Limits, in SI or with a unit. Default: none; specify at least one.

    The signal `output` is the limited signal.
    """

    key = "limiter"
    input = input_signal("", "input")
    lower = number("", "lower limit", None, check=(-0.5, -0.4), any_unit=True)
    upper = number("", "upper limit", None, check=(0.4, 0.5), any_unit=True)
    output = output_signal("", "input within the limits")

    @staticmethod
    def check(values):
        low, high = values["lower"], values["upper"]
        if low is None and high is None:
            raise ModelError("has no limit. Specify lower, upper or both", about="lower")
        if low is not None and high is not None and not low < high:
            raise ModelError(f"lower must be less than upper, got {low:g} and {high:g}", about="lower")

    @staticmethod
    def derive(values):
        return {
            "lower": -math.inf if values["lower"] is None else values["lower"],
            "upper": math.inf if values["upper"] is None else values["upper"],
        }

    def evaluate(s, m, x, w, ask, r, J):
        pass

    def respond(s, m, x, w, ask, y, Y):
        u = x.input.value
        y[0] = min(max(u, s.lower), s.upper)
        if s.lower <= u <= s.upper:
            Y[0, x.input.column] = 1.0


class Deadband(Element):
    """Signal that is zero within a band about zero, and reduced by the half width of the band outside of it.

    Parameters
    ----------
    name
        Name of the element.
    input
        Signal: a number, a function of time, or an expression over signals of the model.
    half_width
        Half width of the band, not negative, in SI or with a unit.

    The signal `output` is the result.
    """

    key = "deadband"
    input = input_signal("", "input")
    half_width = number("", "half width of the band", least=0.0, check=(0.2, 0.8), any_unit=True)
    output = output_signal("", "input outside the band")

    def evaluate(s, m, x, w, ask, r, J):
        pass

    def respond(s, m, x, w, ask, y, Y):
        u = x.input.value
        if abs(u) > s.half_width:
            y[0] = u - math.copysign(s.half_width, u)
            Y[0, x.input.column] = 1.0
