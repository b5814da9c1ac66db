"""Output from a table of values over two signals, bilinear between the points."""

import numpy as np

from pitchline.declared_elements.lookup import rising
from pitchline.errors import ModelError
from pitchline.extend import Element, input_signal, numbers, output_signal


class Lookup2D(Element):
    """Table of values over two signals: bilinear between the points, the end values hold outside.

    Parameters
    ----------
    name
        Name of the element.
    input_x, input_y
        Signals: numbers, functions of time, or expressions over signals of the model.
    x, y
        Points of the table in rising order, in SI or with units.
    table
        Values of the output: those of x[0] for all y, then those of x[1], ...; a matrix is given as ``matrix.ravel()``.

    The signal `output` is the result.
    """

    key = "lookup_2d"
    input_x = input_signal("", "first input")
    input_y = input_signal("", "second input")
    x = numbers("n_x", "", "points of the first input, rising", any_unit=True)
    y = numbers("n_y", "", "points of the second input, rising", any_unit=True)
    table = numbers("n_values", "", "values of the output, one row for each x", any_unit=True)
    output = output_signal("", "value of the table")

    @staticmethod
    def check(values):
        rising(values, "x")
        rising(values, "y")
        n, m, count = len(values["x"]), len(values["y"]), len(values["table"])
        if count != n * m:
            raise ModelError(f"table needs {n} times {m} values, one row for each x, got {count}", about="table")

    @staticmethod
    def check_values(rng):
        """Random values for automatic checks."""
        n, m = (int(k) for k in rng.integers(2, 5, 2))
        x, y = (np.cumsum(rng.uniform(0.5, 1.0, k)) - 1.5 for k in (n, m))
        return {"x": x, "y": y, "table": rng.normal(size=n * m)}

    def evaluate(s, m, x, w, ask, r, J):
        pass

    def respond(s, m, x, w, ask, y, Y):
        u = min(max(x.input_x.value, s.x[0]), s.x[s.n_x - 1])
        v = min(max(x.input_y.value, s.y[0]), s.y[s.n_y - 1])
        i = 0
        while i < s.n_x - 2 and u >= s.x[i + 1]:
            i += 1
        j = 0
        while j < s.n_y - 2 and v >= s.y[j + 1]:
            j += 1
        at = i * s.n_y + j
        dx = s.x[i + 1] - s.x[i]
        dy = s.y[j + 1] - s.y[j]
        f = (u - s.x[i]) / dx
        g = (v - s.y[j]) / dy
        t = s.table
        a = t[at] + g * (t[at + 1] - t[at])
        b = t[at + s.n_y] + g * (t[at + s.n_y + 1] - t[at + s.n_y])
        y[0] = a + f * (b - a)
        if u == x.input_x.value:
            Y[0, x.input_x.column] = (b - a) / dx
        if v == x.input_y.value:
            low = t[at + 1] - t[at]
            high = t[at + s.n_y + 1] - t[at + s.n_y]
            Y[0, x.input_y.column] = (low + f * (high - low)) / dy
