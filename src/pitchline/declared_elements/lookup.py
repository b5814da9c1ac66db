"""Output from a table of values over one signal: straight lines, or smooth cubics without overshoot between the points."""

import numpy as np

from pitchline.errors import ModelError
from pitchline.extend import Element, choice, derived, flag, input_signal, numbers, output_signal


def rising(values, name):
    """ModelError if a list does not rise, or has fewer than two values."""
    x = values[name]
    if len(x) < 2:
        raise ModelError(f"{name} needs at least two values, got {len(x)}", about=name)
    bad = np.flatnonzero(np.diff(x) <= 0.0)
    if bad.size:
        i = int(bad[0])
        raise ModelError(f"{name} must rise, but {x[i]:g} is followed by {x[i + 1]:g}", about=name)


class Lookup(Element):
    """Table of values over one signal.

    Parameters
    ----------
    name
        Name of the element.
    input
        Signal: a number, a function of time, or an expression over signals of the model.
    x, y
        Points of the table, x in rising order, in SI or with units.
    smooth
        If True, the output has a continuous slope and does not overshoot the points (monotone cubics). Default False: straight
        lines.
    outside
        "hold" (default): the end values hold outside the table; "extend": the end slopes continue.

    The signal `output` is the result.
    """

    key = "lookup"
    input = input_signal("", "input")
    x = numbers("n_points", "", "points of the input, rising", any_unit=True)
    y = numbers("n_points", "", "values of the output", any_unit=True)
    smooth = flag("continuous slope", False)
    outside = choice(("hold", "extend"), "values outside the table", "hold")
    slopes = derived("slope at each point, for cubics", "", "n_points")
    output = output_signal("", "value of the table")

    @staticmethod
    def check(values):
        rising(values, "x")

    @staticmethod
    def check_values(rng):
        """Random values for automatic checks."""
        n = int(rng.integers(2, 6))
        return {"x": np.cumsum(rng.uniform(0.5, 1.0, n)) - 1.5, "y": rng.normal(size=n)}

    @staticmethod
    def derive(values):
        from scipy.interpolate import PchipInterpolator

        return {"slopes": np.asarray(PchipInterpolator(values["x"], values["y"]).derivative()(values["x"]), float)}

    def evaluate(s, m, x, w, ask, r, J):
        pass

    def respond(s, m, x, w, ask, y, Y):
        u = x.input.value
        n = s.n_points
        low = 0
        high = n - 1
        while high - low > 1:
            middle = (low + high) // 2
            if u < s.x[middle]:
                high = middle
            else:
                low = middle
        span = s.x[low + 1] - s.x[low]
        f = (u - s.x[low]) / span
        y0 = s.y[low]
        y1 = s.y[low + 1]
        slope = (y1 - y0) / span
        if u < s.x[0] or u > s.x[n - 1]:
            end = 0 if u < s.x[0] else n - 1
            if s.smooth == 1:
                slope = s.slopes[end]
            if s.outside == 0:
                slope = 0.0
            y[0] = s.y[end] + slope * (u - s.x[end])
            Y[0, x.input.column] = slope
        elif s.smooth == 1:
            a = s.slopes[low] * span
            b = s.slopes[low + 1] * span
            c = 3.0 * (y1 - y0) - 2.0 * a - b
            d = 2.0 * (y0 - y1) + a + b
            y[0] = y0 + f * (a + f * (c + f * d))
            Y[0, x.input.column] = (a + f * (2.0 * c + 3.0 * f * d)) / span
        else:
            y[0] = y0 + f * (y1 - y0)
            Y[0, x.input.column] = slope
