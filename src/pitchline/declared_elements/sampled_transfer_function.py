"""Transfer function of z: a difference equation at every sample, with the output held in between.

y_k = (b_0 u_k + b_1 u_(k-1) + ... - a_1 y_(k-1) - ...)/a_0        (transposed direct form: n numbers of memory)
"""

import numpy as np

from pitchline.declared_elements.linear_states import polynomials
from pitchline.declared_elements.sampling import NOTE, check_sample_time, is_again, next_sample, sample_index
from pitchline.extend import Element, derived, flag, input_signal, memory, number, numbers, output_signal


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
