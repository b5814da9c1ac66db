"""Filters: low pass, high pass, band pass and notch, as linear systems with states."""

from pitchline.declared_elements.linear_states import evaluate_states, realised, respond_states
from pitchline.errors import ModelError
from pitchline.extend import Element, choice, coordinates, derived, input_signal, integer, number, output_signal

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
