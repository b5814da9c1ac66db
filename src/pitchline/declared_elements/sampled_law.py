"""Discrete controller after Python functions: output and next state at every sample, with the output held in between."""

from pitchline.declared_elements.sampling import NOTE, check_sample_time, is_again, next_sample, sample_index
from pitchline.extend import Element, call_law, flag, input_signal, memory, number, output_signal
from pitchline.extend import law as law_of


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
