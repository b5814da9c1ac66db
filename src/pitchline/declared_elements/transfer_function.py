"""Transfer function: output of a linear system with one input.

Y(s)/U(s) = (b_0 s^m + ... + b_m) / (a_0 s^n + ... + a_n) ,   m <= n
"""

from pitchline.declared_elements.linear_states import evaluate_states, polynomials, realised, respond_states
from pitchline.extend import Element, coordinates, derived, input_signal, numbers, output_signal


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
