"""Blocks of signals: delay, integral, limiter, dead band, rate limiter, relay, filter.

Transport delay: the value of a signal a constant time ago.

In time the past of the input is in memory: points (t, u) with straight lines between them. A new point is stored if the last one is
at least T/points old; otherwise only the newest point moves. Before the start of a run the input has its first value. If a step is
longer than the delay, the output lies between the last accepted value and the present one.

In linear analyses the delay is the Pade approximation exp(-s T) = Q(-s T)/Q(s T) of order n, whose states are condensed
coordinates: they exist only there. At rest the output is the input.
"""

import math

import numpy as np

from pitchline.errors import ModelError
from pitchline.extend import (
    TANGENT,
    Element,
    choice,
    coordinates,
    derived,
    input_signal,
    integer,
    memory,
    number,
    output_signal,
)

from .linear import evaluate_states, realised, respond_states


def pade(order):
    """Coefficients of Q(-s) and Q(s), falling powers of s, for a delay of 1 s; Q with the leading coefficient 1."""
    n = order
    falling = [math.factorial(2 * n - k) * math.comb(n, k) for k in range(n, -1, -1)]
    den = np.array([float(a) / falling[0] for a in falling])
    num = den * (-1.0) ** np.arange(n, -1, -1)
    return num, den


class Delay(Element):
    """Transport delay: the output is the value of a signal a constant time ago.

    Parameters
    ----------
    name
        Name of the element.
    input
        Signal: a number, a function of time, or an expression over signals of the model.
    time
        Delay [s], positive.
    points
        Largest number of stored points in the delay, from 4 to 100000. Default 200. If the steps are shorter than time/points, not
        every step is stored, and the error of a sine of angular frequency w is (w time/points)^2/8 of its amplitude.
    pade_order
        Order of the Pade approximation in linear analyses, 1 to 12. Default 6: the phase error is below 0.1
        degrees up to w time = 6.

    The signal `output` is the result. In statics the output is the input.
    """

    key = "delay"
    input = input_signal("", "input")
    time = number("s", "delay", check=(0.5, 2.0))
    points = integer("largest number of stored points", 200, least=4, most=100000)
    pade_order = integer("order of the Pade approximation in linear analyses", 6, least=1, most=12)
    A = derived("matrix of the states of the Pade approximation", "1/s", "n_pade", columns="n_pade")
    b = derived("effect of the input on these states", "1/s", "n_pade")
    c = derived("output per state", "", "n_pade")
    d = derived("direct effect of the input on the output")
    rest = derived("states at rest for the input 1", "", "n_pade")
    state = coordinates("pade_order", "", "states of the Pade approximation", order=1, condensed=True)
    times = memory("times of the stored points", "points")
    stored = memory("values of the stored points", "points")
    count = memory("number of stored points")
    newest = memory("place of the newest point")
    output = output_signal("", "delayed signal")

    @staticmethod
    def check(values):
        if not values["time"] > 0.0:
            raise ModelError(f"time must be positive, got {values['time']:g} s", about="time")

    @staticmethod
    def derive(values):
        found = realised(*pade(values["pade_order"]))
        found |= {"A": found["A"] / values["time"], "b": found["b"] / values["time"]}
        return {**found, "rest": -np.linalg.solve(found["A"], found["b"])}

    def evaluate(s, m, x, w, ask, r, J):
        if ask.open == 1:
            n = s.n_pade
            for i in range(n):
                change = s.b[i] * x.input.value
                for j in range(n):
                    change += s.A[i, j] * x.state[j]
                r[i] += x.state_rate[i] - change
            if ask.mode == TANGENT:
                for i in range(n):
                    J[i, i] += ask.D
                    for j in range(n):
                        J[i, j] -= ask.K * s.A[i, j]
                    J[i, x.input.column] -= s.b[i]

    def accept(s, m, x, w, ask):
        if ask.open == 0:
            for i in range(s.n_pade):
                x.state[i] = s.rest[i] * x.input.value
                x.state_rate[i] = 0.0
        n = int(m.count)
        k = int(m.newest)
        if n > 0 and ask.t < m.times[k]:
            n = 0  # a computation at an earlier time: the past is not that of this motion
        if n == 0:
            k = 0
        elif ask.t > m.times[k]:
            # the newest point moves, until it is far enough from the one before it
            before = (k - 1) % s.points
            if n == 1 or m.times[k] - m.times[before] >= s.time / (s.points - 3):
                k = (k + 1) % s.points
                n = min(n + 1, s.points)
        m.times[k] = ask.t
        m.stored[k] = x.input.value
        m.count = max(n, 1)
        m.newest = k

    def respond(s, m, x, w, ask, y, Y):
        u = x.input.value
        if x.input.column >= s.n_pade:  # its states have columns here: a linear analysis
            y[0] = s.d * u
            Y[0, x.input.column] = s.d
            for j in range(s.n_pade):
                y[0] += s.c[j] * x.state[j]
                Y[0, j] = s.c[j]
            return
        n = int(m.count)
        k = int(m.newest)
        if ask.damp == 0.0 or n == 0:
            y[0] = u
            Y[0, x.input.column] = 1.0
            return
        t = ask.t - s.time
        if t > m.times[k]:  # within the present step
            f = (t - m.times[k]) / (ask.t - m.times[k])
            y[0] = m.stored[k] + f * (u - m.stored[k])
            Y[0, x.input.column] = f
            return
        # the place of the first point that is not before t; points are in rising order from the oldest
        oldest = (k - n + 1) % s.points
        if t <= m.times[oldest]:
            y[0] = m.stored[oldest]
            return
        low = 0
        high = n - 1
        while high - low > 1:
            middle = (low + high) // 2
            if t < m.times[(oldest + middle) % s.points]:
                high = middle
            else:
                low = middle
        i = (oldest + low) % s.points
        j = (oldest + high) % s.points
        f = (t - m.times[i]) / (m.times[j] - m.times[i])
        y[0] = m.stored[i] + f * (m.stored[j] - m.stored[i])


# ---- integral

# Integral of a signal, with limits.
#
# z' = g u, limited to [(lower - z)/T_r, (upper - z)/T_r] ; output = z limited to [lower, upper]


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


# ---- limiter

# Signals with a limited range, and with a dead band about zero.


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


# ---- rate limiter

# Signal whose rate is limited.
#
# y' = (u - y)/T , limited to [-fall, rise]


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


# ---- relay

# Switch with hysteresis. Its position is memory: it changes at the end of a step.


class Relay(Element):
    """Switch with hysteresis: on above one value of its input, off below another one.

    Parameters
    ----------
    name
        Name of the element.
    input
        Signal: a number, a function of time, or an expression over signals of the model.
    switch_on, switch_off
        Values of the input at which it switches on (rising) and off (falling), in SI or with a unit. switch_off must not be greater
        than switch_on. Between them it keeps its position; it starts off.
    high, low
        Output if on, and if off. Default 1 and 0.

    The signal `output` is the result. It changes at the end of the step in which the input passes a value.
    """

    key = "relay"
    linear_note = "a relay keeps its position in linear analyses: its switching is left out"
    input = input_signal("", "input")
    switch_on = number("", "input at which it switches on", check=(0.4, 0.8), any_unit=True)
    switch_off = number("", "input at which it switches off", check=(-0.8, 0.2), any_unit=True)
    high = number("", "output if on", 1.0, any_unit=True)
    low = number("", "output if off", 0.0, any_unit=True)
    on = memory("1 if on")
    output = output_signal("", "output of the switch")

    @staticmethod
    def check(values):
        on, off = values["switch_on"], values["switch_off"]
        if off > on:
            raise ModelError(
                f"switch_off must not be greater than switch_on, got {off:g} and {on:g}. "
                "Exchange high and low for the opposite action",
                about="switch_off",
            )

    @staticmethod
    def direct_inputs(values):
        return ()

    def evaluate(s, m, x, w, ask, r, J):
        pass

    def accept(s, m, x, w, ask):
        before = m.on
        if x.input.value >= s.switch_on:
            m.on = 1.0
        elif x.input.value <= s.switch_off:
            m.on = 0.0
        if m.on != before:
            ask.restart = 1

    def respond(s, m, x, w, ask, y, Y):
        y[0] = s.high if m.on > 0.5 else s.low


# ---- signal filter

# Filters: low pass, high pass, band pass and notch, as linear systems with states.

KINDS = ("low_pass", "high_pass", "band_pass", "notch")
SHAPES = ("butterworth", "bessel")


def _polynomials(values):
    """Numerator and denominator for the frequency 1 rad/s, highest power first, of the same length."""
    import numpy as np
    import scipy.signal

    kind = values["kind"]
    if kind in ("band_pass", "notch"):
        width = 1.0 / values["quality"]
        top = [0.0, width, 0.0] if kind == "band_pass" else [1.0, 0.0, 1.0]
        return np.array(top), np.array([1.0, width, 1.0])
    order, side = values["order"], "lowpass" if kind == "low_pass" else "highpass"
    if values["shape"] == "bessel":
        num, den = scipy.signal.bessel(order, 1.0, side, analog=True, norm="mag")
    else:
        num, den = scipy.signal.butter(order, 1.0, side, analog=True)
    num = np.real(num)
    if kind == "high_pass":
        num = np.concatenate([[num[0]], np.zeros(order)])  # the rest is round-off
    return np.concatenate([np.zeros(len(den) - len(num)), num]), np.real(den)


class Filter(Element):
    """Filter of a signal: low pass, high pass, band pass or notch.

    Parameters
    ----------
    name
        Name of the element.
    input
        Signal: a number, a function of time, or an expression over signals of the model.
    frequency
        Frequency [rad/s], e.g. "50 Hz": that of -3 dB of a low or high pass, the centre of a band pass or notch.
    kind
        "low_pass" (default), "high_pass", "band_pass" or "notch".
    order
        Order of a low or high pass, 1 to 10. Default 2. A band pass and a notch have the order 2.
    shape
        "butterworth" (default) or "bessel" (nearly constant delay), of a low or high pass.
    quality
        Frequency over width at -3 dB, of a band pass or notch. Default 1.
    state
        Initial values of the states. Default 0.

    The signal `output` is the filtered signal.
    """

    key = "filter"
    input = input_signal("", "input")
    frequency = number("rad/s", "corner or centre frequency", check=(0.5, 2.0))
    kind = choice(KINDS, "kind", "low_pass")
    order = integer("order of a low or high pass", 2, least=1, most=10)
    shape = choice(SHAPES, "shape of a low or high pass", "butterworth")
    quality = number("", "frequency over width of a band pass or notch", 1.0, check=(0.5, 2.0))
    A = derived("matrix of the states", "1/s", "n_states", columns="n_states")
    b = derived("effect of the input on the states", "1/s", "n_states")
    c = derived("output per state", "", "n_states")
    d = derived("direct effect of the input on the output")
    state = coordinates("n_states", "", "states", order=1)
    output = output_signal("", "filtered signal")

    @staticmethod
    def check(values):
        for name in ("frequency", "quality"):
            if not values[name] > 0.0:
                raise ModelError(f"{name} must be positive, got {values[name]:g}", about=name)

    @staticmethod
    def derive(values):
        found = realised(*_polynomials(values))
        speed = values["frequency"]
        return {**found, "A": speed * found["A"], "b": speed * found["b"]}

    @staticmethod
    def direct_inputs(values):
        return ("input",) if values["kind"] in ("high_pass", "notch") else ()

    evaluate = evaluate_states
    respond = respond_states
