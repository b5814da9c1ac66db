"""A value from signals with a name, to read it in several places and in results."""

from pitchline.extend import Element, input_signal, output_signal


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
