"""PID controller that samples its inputs and holds its output in between.

At every sample, with the sample time T, the error e = w - m and the sampled (rounded) measured value m

    d <- (T_f d + m - m_before)/(T_f + T)                              filtered rate, backward difference
    u  = P (beta w - m) + z - D d + f ,    output = u limited to [lower, upper], rounded
    z <- z + T I e ,                        but not further if the output is at a limit and e would lead further
"""

import math

from pitchline.declared_elements.sampling import (
    NOTE,
    check_sample_time,
    is_again,
    next_sample,
    rounded,
    sample_index,
)
from pitchline.errors import ModelError
from pitchline.extend import Element, flag, input_signal, memory, number, output_signal, signal


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
