"""Torque or force on the coordinate of a joint whose value is a signal: it can depend on the state of the whole model."""

import numpy as np

from ..math.compiled import kernel
from ..math.fields import embedded, fields, packed, reference
from .contract import TANGENT, Element, ElementKind, Input, SignalSpec, seen
from .scalar_geometry import Gradient, Measure, Turns, measure, measure_stiffness, rate

SignalEffort = fields("SignalEffort", on=embedded(Measure))


@kernel
def evaluate(s, m, x, w, ask, r, J):
    g = w.gradient
    measure(s.on, m, x.a, x.b, g)
    effort = ask.load * x.effort.value
    ask.power_in += effort * rate(g, x.a, x.b)
    for i in range(12):
        r[i] = -effort * g[i]
    if ask.mode == TANGENT:
        measure_stiffness(s.on, x.a, x.b, J)
        k = -ask.K * effort
        column = x.effort.column
        for i in range(12):
            for j in range(12):
                J[i, j] *= k
            J[i, column] = -ask.load * g[i]


@kernel
def report(s, m, x, w, ask, out):
    g = w.gradient
    out.coordinate = measure(s.on, m, x.a, x.b, g)
    out.rate = rate(g, x.a, x.b)
    out.effort = ask.load * x.effort.value
    out.power_in = out.effort * out.rate


SIGNAL_EFFORT = ElementKind(
    "signal effort",
    evaluate,
    SignalEffort,
    seen=seen("a", "b", more={"effort": reference(Input)}),
    memory=Turns,
    scratch=Gradient,
    report=report,
    signals=(
        SignalSpec("coordinate", "", "coordinate on which the effort acts"),
        SignalSpec("rate", "", "its rate"),
        SignalSpec("effort", "", "load on the second body along the coordinate"),
    ),
    inputs=("effort",),
    exchanges_power=True,
    full_pattern=True,
)


def signal_effort(name: str, nodes: tuple[int, int], on: np.void, *, memory_of: Element, source: object) -> Element:
    """Effort on a measure; `memory_of` is the joint coordinate that counts its revolutions."""
    values = packed(SignalEffort, {"on": on})
    return Element(SIGNAL_EFFORT, name, nodes, values, shares_memory_of=memory_of, inputs=(source,))
