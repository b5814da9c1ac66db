"""Joint coordinate that follows a signal: a drive whose target depends on other joints, or on a controller.

    Phi = s - s*,   s* = start + (signal - start) * load factor

The multiplier acts on the joint only, as a servo drive does: the source of the signal has no reaction. The load factor is 1
except in statics.
"""

import numpy as np

from ..math.compiled import F8, kernel, leaf
from ..math.fields import embedded, fields, packed, reference
from .contract import RATE, TANGENT, Ask, Element, ElementKind, Input, seen
from .scalar_constraint import SCALAR_CONSTRAINT, gap_to
from .scalar_geometry import DISPLACEMENT, Gradient, Measure, Turns, measure, measure_stiffness, rate

SignalDrive = fields("SignalDrive", on=embedded(Measure))


@leaf
def _start(s: SignalDrive, m: Turns) -> F8:
    return m.start_displacement if s.on.kind == DISPLACEMENT else m.start_angle


@leaf
def _target(s: SignalDrive, m: Turns, ask: Ask, value: F8) -> F8:
    start = _start(s, m)
    return value if ask.load == 1.0 else start + ask.load * (value - start)


@kernel
def evaluate(s, m, x, w, ask, r, J):
    g = w.gradient
    value = measure(s.on, m, x.a, x.b, g)
    if ask.mode == RATE:
        r[13] += rate(g, x.a, x.b) - ask.load * x.target.rate
        return
    l = x.lam[0]
    r[13] += gap_to(s.on, x.a, x.b, value, _target(s, m, ask, x.target.value))
    ask.power_in += -l * rate(g, x.a, x.b)
    for i in range(12):
        r[i] = l * g[i]
    if ask.mode == TANGENT:
        measure_stiffness(s.on, x.a, x.b, J)
        k = ask.K * l
        for i in range(12):
            for j in range(12):
                J[i, j] *= k
        for i in range(12):
            J[13, i] += g[i]
            J[i, 13] += g[i]
        J[13, x.target.column] = -ask.load


@kernel
def report(s, m, x, w, ask, out):
    g = w.gradient
    l = x.lam[0]
    out.coordinate = measure(s.on, m, x.a, x.b, g)
    out.rate = rate(g, x.a, x.b)
    out.power_in = -l * out.rate
    out.effort = -l
    out.power = -l * out.rate


SIGNAL_DRIVE = ElementKind(
    "signal drive",
    evaluate,
    SignalDrive,
    seen=seen("a", "b", rows=True, more={"target": reference(Input)}),
    memory=Turns,
    scratch=Gradient,
    report=report,
    signals=SCALAR_CONSTRAINT.signals,
    inputs=("target",),
    exchanges_power=True,
    full_pattern=True,
)


def signal_drive(
    name: str, nodes: tuple[int, int], on: np.void, *, memory_of: Element, source: object, rotational: bool
) -> Element:
    """Prescribe a measure by a signal."""
    values, row = packed(SignalDrive, {"on": on}), "r" if rotational else "t"
    return Element(SIGNAL_DRIVE, name, nodes, values, rows=row, shares_memory_of=memory_of, inputs=(source,))
