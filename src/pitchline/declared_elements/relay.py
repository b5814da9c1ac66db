"""Switch with hysteresis. Its position is memory: it changes at the end of a step."""

from pitchline.errors import ModelError
from pitchline.extend import Element, input_signal, memory, number, output_signal


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
