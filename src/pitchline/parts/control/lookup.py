"""Tables over one or two signals, named signals, and sensors."""

import numpy as np

from pitchline.engine.elements.frame_motion import (
    relative_acceleration,
    relative_angular_acceleration,
    relative_angular_velocity,
    relative_orientation,
    relative_position,
    relative_velocity,
)
from pitchline.errors import ModelError
from pitchline.extend import Element, choice, derived, flag, frame, input_signal, numbers, output_signal, signal


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


# ---- lookup 2d

# Output from a table of values over two signals, bilinear between the points.


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


# ---- named signal

# A value from signals with a name, to read it in several places and in results.


class NamedSignal(Element):
    """Value with a name: an expression over signals or a function of time, for other expressions and for results.

    Parameters
    ----------
    name
        Name of the element.
    source
        Number, function of time, or expression over signals of the model.

    The signal `value` of the element is this value.
    """

    key = "signal"
    source = input_signal("", "number, function of time or expression")
    value = output_signal("", "value of the signal")

    def evaluate(s, m, x, w, ask, r, J):
        pass

    def respond(s, m, x, w, ask, y, Y):
        y[0] = x.source.value
        Y[0, x.source.column] = 1.0


# ---- sensor

# Sensor: motion of a frame, as an observer on another frame measures it. It causes no forces.


class Sensor(Element):
    """Position, velocity, acceleration and orientation of a frame."""

    key = "sensor"
    observes = True
    exchanges_power = False
    on = frame("frame that is measured")
    relative_to = frame("frame of reference; its axes are those of the signals", default="ground")
    position = signal("m", "position of the sensor in the frame of reference", 3)
    velocity = signal("m/s", "velocity of the sensor for an observer in the frame of reference", 3)
    acceleration = signal("m/s^2", "acceleration of the sensor for an observer in the frame of reference", 3)
    orientation = signal("1", "orientation of the sensor in the frame of reference, quaternion", 4)
    angular_velocity = signal("rad/s", "angular velocity relative to the frame of reference", 3)
    angular_acceleration = signal("rad/s^2", "angular acceleration relative to the frame of reference", 3)

    def evaluate(s, m, x, w, ask, r, J):
        return

    def report(s, m, x, w, ask, out):
        out.position = relative_position(s.on, x.on, s.relative_to, x.relative_to)
        out.velocity = relative_velocity(s.on, x.on, s.relative_to, x.relative_to)
        out.acceleration = relative_acceleration(s.on, x.on, s.relative_to, x.relative_to)
        out.orientation = relative_orientation(s.on, x.on, s.relative_to, x.relative_to)
        out.angular_velocity = relative_angular_velocity(x.on, s.relative_to, x.relative_to)
        out.angular_acceleration = relative_angular_acceleration(x.on, s.relative_to, x.relative_to)
