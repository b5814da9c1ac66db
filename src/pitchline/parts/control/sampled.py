"""Transfer functions, and controllers that sample their inputs and hold their outputs in between.

PID controller that samples its inputs and holds its output in between.

At every sample, with the sample time T, the error e = w - m and the sampled (rounded) measured value m

    d <- (T_f d + m - m_before)/(T_f + T)                              filtered rate, backward difference
    u  = P (beta w - m) + z - D d + f ,    output = u limited to [lower, upper], rounded
    z <- z + T I e ,                        but not further if the output is at a limit and e would lead further
"""

import math
from typing import Any

import numpy as np

from pitchline.errors import ModelError
from pitchline.extend import (
    Element,
    call_law,
    coordinates,
    derived,
    flag,
    input_signal,
    memory,
    number,
    numbers,
    output_signal,
    signal,
)
from pitchline.extend import law as law_of
from pitchline.numerics.machine_code.compiled import B1, F8, leaf

from .linear import evaluate_states, polynomials, realised, respond_states

__all__ = ["NOTE", "check_sample_time", "is_again", "next_sample", "rounded", "sample_index"]


# ---- sampling

# When a sampled controller reads its inputs: at multiples of its sample time.
#
# Sample k is taken at the first accepted state with t >= k T - 1e-9 T, once. At a start (`ask.h` 0) a state can be
# accepted several times at the same time, until constraints are closed: the sample is then taken again, from the same
# memory as before it. Times are compared as integers k, so that samples of a long run are neither lost nor repeated.

NOTE = (
    "the output of a sampled controller is held constant in statics and linear analyses: its feedback is left out there. Use a "
    "continuous PID or TransferFunction for the modes of the closed loop"
)
"""Warning of analyses that cannot sample."""


def check_sample_time(values: Any) -> None:
    """ModelError if the sample time is not positive."""
    if not values["sample_time"] > 0.0:
        raise ModelError(f"sample_time must be positive, got {values['sample_time']:g} s", about="sample_time")


@leaf
def sample_index(t: F8, period: F8) -> F8:
    """Number of the last sample at or before a time."""
    return math.floor(t / period + 1e-9)


@leaf
def is_again(t: F8, h: F8, taken: F8) -> B1:
    """Whether a state at rest replaces the one of the last sample, which was taken at the time `taken`."""
    return h == 0.0 and t == taken


@leaf
def next_sample(stop: F8, t: F8, period: F8) -> F8:
    """Time at which the next step must end: the next sample, or an earlier stop after t."""
    following = (math.floor(t / period + 1e-9) + 1.0) * period
    return following if stop <= t else min(stop, following)


@leaf
def rounded(value: F8, resolution: F8) -> F8:
    """Nearest multiple of a resolution; the value itself if the resolution is 0."""
    if resolution <= 0.0:
        return value
    return resolution * math.floor(value / resolution + 0.5)


# ---- sampled law

# Discrete controller after Python functions: output and next state at every sample, with the output held in between.


class SampledLaw(Element):
    """Discrete controller with one state after Python functions of time, two inputs and the state.

    Parameters
    ----------
    name
        Name of the element.
    sample_time
        Period of the samples [s].
    input, second_input
        Signals: numbers, functions of time, or expressions over signals of the model. Default of the second: 0.
    law
        Python function (t, u, v, state) of the output: time [s], both inputs and the state. It is compiled.
    next_state
        Python function (t, u, v, state) of the state for the next sample. Default: the state does not change.
    initial_state
        State at the first sample. Default 0.
    computing_delay
        If True, an output acts from the next sample on. Default False: at once.
    initial_output
        Output before the first sample, and in statics. Default 0.

    The signal `output` is the result, constant between samples.
    """

    key = "sampled_law"
    linear_note = NOTE
    input = input_signal("", "first input, u")
    second_input = input_signal("", "second input, v", 0.0)
    sample_time = number("s", "period of the samples")
    law = law_of("law(t, u, v, state)", "")
    next_state = law_of("next_state(t, u, v, state)", "", lambda t, u, v, state: state)
    initial_state = number("", "state at the first sample", 0.0, any_unit=True)
    computing_delay = flag("outputs act one sample later", False)
    initial_output = number("", "output before the first sample", 0.0, any_unit=True)
    index = memory("number of the last sample", start=-1e15)
    taken = memory("time of the last sample", start=-1e30)
    at_rest = memory("1 if the last sample was taken at rest")
    now = memory("output, pending output, state, 1 after the first sample", 4)
    before = memory("the same before the last sample", 4)
    output = output_signal("", "output, constant between samples")

    @staticmethod
    def check(values):
        check_sample_time(values)

    @staticmethod
    def direct_inputs(values):
        return ()

    def evaluate(s, m, x, w, ask, r, J):
        pass

    def accept(s, m, x, w, ask):
        T = s.sample_time
        k = sample_index(ask.t, T)
        again = is_again(ask.t, ask.h, m.taken)
        if k != m.index or again:
            for i in range(4):
                if again:
                    m.now[i] = m.before[i]
                else:
                    m.before[i] = m.now[i]
            first = m.now[3] < 0.5
            state = s.initial_state if first else m.now[2]
            u = x.input.value
            v = x.second_input.value
            y = call_law(s.law, ask.t, u, v, state)
            held = s.initial_output if first else m.now[1]
            m.now[0] = held if s.computing_delay == 1 else y
            m.now[1] = y
            m.now[2] = call_law(s.next_state, ask.t, u, v, state)
            m.now[3] = 1.0
            m.index = k
            m.taken = ask.t
            m.at_rest = 1.0 if ask.h == 0.0 else 0.0
            ask.restart = 1
        ask.stop = next_sample(ask.stop, ask.t, T)

    def respond(s, m, x, w, ask, y, Y):
        y[0] = m.now[0]
        if m.now[3] < 0.5:
            y[0] = s.initial_output
        elif ask.damp == 0.0 and m.at_rest > 0.5:
            # statics holds the output of before: the sample at this time is that with which a run in time starts
            y[0] = m.before[0] if m.before[3] > 0.5 else s.initial_output


class SampledPID(Element):
    """Discrete PID controller: it samples its inputs with a constant period and holds its output in between.

    Parameters
    ----------
    name
        Name of the element.
    sample_time
        Period of the samples [s].
    setpoint, measured
        Target and measured value: numbers, functions of time, or expressions over signals of the model.
    proportional, integral, derivative
        Gains: output over error, over error times time, over rate of the measured value. In SI, or with units. Default 0.
    derivative_filter
        Time constant of the filter of the derivative [s]. Default 0: the difference of two samples.
    feedforward
        Signal that is added to the output before it is limited. Default 0.
    lower, upper
        Limits of the output. The integral stops at a limit. Default: none.
    setpoint_weight
        Factor of the set point in the proportional part. Default 1.
    resolution
        Smallest difference of measured values, e.g. one count of an encoder. Default 0: exact.
    output_resolution
        Smallest difference of outputs. Default 0: exact.
    computing_delay
        If True, an output acts from the next sample on. Default False: at once.
    initial_output
        Output before the first sample, and in statics. Default 0.

    Signals: `output`; `sampled_error` (set point minus rounded measured value at the last sample).
    """

    key = "sampled_pid"
    linear_note = NOTE
    setpoint = input_signal("", "target value")
    measured = input_signal("", "measured value")
    feedforward = input_signal("", "added to the output", 0.0)
    sample_time = number("s", "period of the samples")
    proportional = number("", "output over error", 0.0, check=(0.5, 2.0), any_unit=True)
    integral = number("", "output over error times time", 0.0, check=(0.5, 2.0), any_unit=True)
    derivative = number("", "output over rate of the measured value", 0.0, check=(0.5, 2.0), any_unit=True)
    derivative_filter = number("s", "time constant of the filter of the derivative", 0.0, least=0.0)
    lower = number("", "lower limit of the output", None, check=(-0.5, -0.4), any_unit=True)
    upper = number("", "upper limit of the output", None, check=(0.4, 0.5), any_unit=True)
    setpoint_weight = number("", "factor of the set point in the proportional part", 1.0)
    resolution = number("", "smallest difference of measured values", 0.0, least=0.0, any_unit=True)
    output_resolution = number("", "smallest difference of outputs", 0.0, least=0.0, any_unit=True)
    computing_delay = flag("outputs act one sample later", False)
    initial_output = number("", "output before the first sample", 0.0, any_unit=True)
    index = memory("number of the last sample", start=-1e15)
    taken = memory("time of the last sample", start=-1e30)
    at_rest = memory("1 if the last sample was taken at rest")
    now = memory("output, pending output, integral part, filtered rate, measured value, error", 6)
    before = memory("the same before the last sample", 6)
    samples = memory("1 after the first sample")
    samples_before = memory("the same before the last sample")
    sampled_error = signal("", "set point minus rounded measured value at the last sample")
    output = output_signal("", "output of the controller")

    @staticmethod
    def check(values):
        check_sample_time(values)
        low, high = values["lower"], values["upper"]
        if low is not None and high is not None and not low < high:
            raise ModelError(f"lower must be less than upper, got {low:g} and {high:g}", about="lower")
        if not any(values[name] for name in ("proportional", "integral", "derivative")):
            raise ModelError("all gains are 0. Specify proportional, integral or derivative", about="proportional")

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
        pass

    def accept(s, m, x, w, ask):
        T = s.sample_time
        k = sample_index(ask.t, T)
        again = is_again(ask.t, ask.h, m.taken)
        if k != m.index or again:
            if again:
                for i in range(6):
                    m.now[i] = m.before[i]
                m.samples = m.samples_before
            else:
                for i in range(6):
                    m.before[i] = m.now[i]
                m.samples_before = m.samples
            value = rounded(x.measured.value, s.resolution)
            error = x.setpoint.value - value
            rate = 0.0
            if m.samples > 0.5:
                rate = (s.derivative_filter * m.now[3] + value - m.now[4]) / (s.derivative_filter + T)
            else:
                m.now[1] = s.initial_output
            z = m.now[2]
            u = s.proportional * (s.setpoint_weight * x.setpoint.value - value) + z - s.derivative * rate
            u += x.feedforward.value
            limited = rounded(min(max(u, s.lower), s.upper), s.output_resolution)
            change = T * s.integral * error
            if (u <= s.upper or change < 0.0) and (u >= s.lower or change > 0.0):
                z += change
            m.now[0] = m.now[1] if s.computing_delay == 1 else limited
            m.now[1] = limited
            m.now[2] = z
            m.now[3] = rate
            m.now[4] = value
            m.now[5] = error
            m.samples = 1.0
            m.index = k
            m.taken = ask.t
            m.at_rest = 1.0 if ask.h == 0.0 else 0.0
            ask.restart = 1
        ask.stop = next_sample(ask.stop, ask.t, T)

    def respond(s, m, x, w, ask, y, Y):
        y[0] = m.now[0]
        if m.samples < 0.5:
            y[0] = s.initial_output
        elif ask.damp == 0.0 and m.at_rest > 0.5:
            # statics holds the output of before: the sample at this time is that with which a run in time starts
            y[0] = m.before[0] if m.samples_before > 0.5 else s.initial_output

    def report(s, m, x, w, ask, out):
        out.sampled_error = m.now[5]


# ---- sampled transfer function

# Transfer function of z: a difference equation at every sample, with the output held in between.
#
# y_k = (b_0 u_k + b_1 u_(k-1) + ... - a_1 y_(k-1) - ...)/a_0 (transposed direct form: n numbers of memory)


class SampledTransferFunction(Element):
    """Discrete linear system with one input and one output: a ratio of polynomials of z, sampled with a constant period.

    Parameters
    ----------
    name
        Name of the element.
    input
        Signal: a number, a function of time, or an expression over signals of the model.
    sample_time
        Period of the samples [s].
    numerator, denominator
        Coefficients in falling powers of z, in SI. The degree of the numerator must not exceed that of the denominator.
    computing_delay
        If True, an output acts from the next sample on. Default False: at once.
    initial_output
        Output before the first sample, and in statics. Default 0.

    The signal `output` is the result, constant between samples.
    """

    key = "sampled_transfer_function"
    linear_note = NOTE
    input = input_signal("", "input")
    sample_time = number("s", "period of the samples")
    numerator = numbers("n_numerator", "", "coefficients of the numerator, highest power of z first", any_unit=True)
    denominator = numbers(
        "n_denominator", "", "coefficients of the denominator, highest power of z first", any_unit=True
    )
    computing_delay = flag("outputs act one sample later", False)
    initial_output = number("", "output before the first sample", 0.0, any_unit=True)
    b = derived("numerator", "", "n_terms")
    a = derived("denominator, the first coefficient is 1", "", "n_terms")
    index = memory("number of the last sample", start=-1e15)
    taken = memory("time of the last sample", start=-1e30)
    at_rest = memory("1 if the last sample was taken at rest")
    sums = memory("stored sums", "n_terms")
    sums_before = memory("stored sums before the last sample", "n_terms")
    now = memory("output, pending output, 1 after the first sample", 3)
    before = memory("the same before the last sample", 3)
    output = output_signal("", "output, constant between samples")

    @staticmethod
    def check(values):
        check_sample_time(values)
        polynomials(values["numerator"], values["denominator"], "z")

    @staticmethod
    def check_values(rng):
        """Random values for automatic checks."""
        n = int(rng.integers(1, 4))
        return {"numerator": rng.uniform(0.5, 2.0, n), "denominator": rng.uniform(0.5, 2.0, n + 1)}

    @staticmethod
    def derive(values):
        b, a = polynomials(values["numerator"], values["denominator"], "z")
        return {"b": np.ascontiguousarray(b), "a": np.ascontiguousarray(a)}

    @staticmethod
    def direct_inputs(values):
        return ()

    def evaluate(s, m, x, w, ask, r, J):
        pass

    def accept(s, m, x, w, ask):
        T = s.sample_time
        k = sample_index(ask.t, T)
        again = is_again(ask.t, ask.h, m.taken)
        if k != m.index or again:
            n = s.n_terms
            if again:
                m.now = m.before
            else:
                m.before = m.now
            for i in range(n):
                if again:
                    m.sums[i] = m.sums_before[i]
                else:
                    m.sums_before[i] = m.sums[i]
            u = x.input.value
            y = s.b[0] * u + (m.sums[0] if n > 1 else 0.0)
            for i in range(1, n):
                following = m.sums[i] if i < n - 1 else 0.0
                m.sums[i - 1] = s.b[i] * u - s.a[i] * y + following
            held = m.now[1] if m.now[2] > 0.5 else s.initial_output
            m.now = (held if s.computing_delay == 1 else y, y, 1.0)
            m.index = k
            m.taken = ask.t
            m.at_rest = 1.0 if ask.h == 0.0 else 0.0
            ask.restart = 1
        ask.stop = next_sample(ask.stop, ask.t, T)

    def respond(s, m, x, w, ask, y, Y):
        y[0] = m.now[0]
        if m.now[2] < 0.5:
            y[0] = s.initial_output
        elif ask.damp == 0.0 and m.at_rest > 0.5:
            # statics holds the output of before: the sample at this time is that with which a run in time starts
            y[0] = m.before[0] if m.before[2] > 0.5 else s.initial_output


# ---- transfer function

# Transfer function: output of a linear system with one input.
#
# Y(s)/U(s) = (b_0 s^m + ... + b_m) / (a_0 s^n + ... + a_n) , m <= n


class TransferFunction(Element):
    """Linear system with one input and one output: a ratio of polynomials of s.

    Parameters
    ----------
    name
        Name of the element.
    input
        Signal: a number, a function of time, or an expression over signals of the model.
    numerator, denominator
        Coefficients in falling powers of s [rad/s], in SI. The degree of the numerator must not exceed that of the denominator.
    state
        Initial values of the states. Default 0. The states have no physical meaning; statics computes those of rest.

    The signal `output` is the result. The states are coordinates of order 1, which all analyses take into account.
    """

    key = "transfer_function"
    input = input_signal("", "input")
    numerator = numbers("n_numerator", "", "coefficients of the numerator, highest power of s first", any_unit=True)
    denominator = numbers(
        "n_denominator", "", "coefficients of the denominator, highest power of s first", any_unit=True
    )
    A = derived("matrix of the states", "1/s", "n_states", columns="n_states")
    b = derived("effect of the input on the states", "1/s", "n_states")
    c = derived("output per state", "", "n_states")
    d = derived("direct effect of the input on the output")
    state = coordinates("n_states", "", "states", order=1)
    output = output_signal("", "output")

    @staticmethod
    def check(values):
        polynomials(values["numerator"], values["denominator"], "s")

    @staticmethod
    def check_values(rng):
        """Random values for automatic checks."""
        n = int(rng.integers(1, 4))
        return {"numerator": rng.uniform(0.5, 2.0, n), "denominator": rng.uniform(0.5, 2.0, n + 1)}

    @staticmethod
    def derive(values):
        return realised(*polynomials(values["numerator"], values["denominator"], "s"))

    @staticmethod
    def direct_inputs(values):
        num, _ = polynomials(values["numerator"], values["denominator"], "s")
        return ("input",) if num[0] else ()

    evaluate = evaluate_states
    respond = respond_states
