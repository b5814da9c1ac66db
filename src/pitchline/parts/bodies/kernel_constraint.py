"""Scalar measure with a prescribed value: drives (a function of time), distance, screw.

    Phi = s - s*(t),   s* = start + (function(t) - start) * load factor

The load factor is 1 except in statics, where it moves a drive from the current position to its target in steps. For an angle
Phi is taken to the closest revolution, so that the accuracy does not depend on the number of revolutions beyond the digits of
the function itself.
"""

import numpy as np

from pitchline.engine.elements.contract import (
    ANGLE,
    DISPLACEMENT,
    PAIR_ROWS,
    RATE,
    TANGENT,
    TWO_PI,
    Ask,
    Element,
    ElementKind,
    Gradient,
    Measure,
    Node,
    SignalSpec,
    Turns,
    initial_turns,
    measure,
    measure_stiffness,
    principal_angle,
    rate,
)
from pitchline.numerics.fields import INTEGER, NUMBER, embedded, fields, packed
from pitchline.numerics.functions import value_of
from pitchline.numerics.machine_code.compiled import F8, V3, kernel, leaf

ScalarConstraint = fields(
    "ScalarConstraint",
    on=embedded(Measure),
    function=INTEGER,  # of a drive; -1: the measure is fixed at `value`
    value=NUMBER,
)


@leaf
def _target(s: ScalarConstraint, m: Turns, ask: Ask) -> V3:
    """s* and its rates."""
    if s.function < 0:
        return (s.value, 0.0, 0.0)
    f = value_of(ask.functions, s.function, ask.t)
    load = ask.load
    if load == 1.0:
        return f
    start = m.start_angle
    if s.on.kind == DISPLACEMENT:
        start = m.start_displacement
    return (start + load * (f[0] - start), f[1], f[2])


@leaf
def gap_to(s: Measure, a: Node, b: Node, value: F8, target: F8) -> F8:
    """value - target. Angles are compared within one revolution: full revolutions would reduce the accuracy for Newton."""
    if s.kind != ANGLE:
        return value - target
    gap = principal_angle(s.a, s.b, a, b) - (target - TWO_PI * np.round(target / TWO_PI))
    return gap - TWO_PI * np.round(gap / TWO_PI)


@kernel
def evaluate(s, m, x, w, ask, r, J):
    g = w.gradient
    value = measure(s.on, m, x.a, x.b, g)
    target = _target(s, m, ask)
    if ask.mode == RATE:
        r[12] += rate(g, x.a, x.b) - target[1] - ask.shift * target[2]
        return
    l = x.lam[0]
    r[12] += gap_to(s.on, x.a, x.b, value, target[0])
    ask.power_in += -l * target[1]
    for i in range(12):
        r[i] = l * g[i]
    if ask.mode == TANGENT:
        measure_stiffness(s.on, x.a, x.b, J)
        k = ask.K * l
        for i in range(12):
            for j in range(12):
                J[i, j] *= k
        for i in range(12):
            J[12, i] += g[i]
            J[i, 12] += g[i]


@kernel
def report(s, m, x, w, ask, out):
    g = w.gradient
    l = x.lam[0]
    imposed = _target(s, m, ask)[1]
    out.power_in = -l * imposed
    out.coordinate = measure(s.on, m, x.a, x.b, g)
    out.rate = rate(g, x.a, x.b)
    out.effort = -l
    out.power = -l * imposed


SCALAR_CONSTRAINT = ElementKind(
    "scalar constraint",
    evaluate,
    ScalarConstraint,
    PAIR_ROWS,
    memory=Turns,
    scratch=Gradient,
    report=report,
    signals=(
        SignalSpec("coordinate", "", "prescribed coordinate"),
        SignalSpec("rate", "", "its rate"),
        SignalSpec("effort", "", "load on the second body along the coordinate"),
        SignalSpec("power", "W", "power supplied to the system"),
    ),
    exchanges_power=True,
)


def scalar_constraint(
    name: str,
    nodes: tuple[int, int],
    measure: np.void,
    *,
    function: int | None = None,
    value: float = 0.0,
    memory_of: Element | None = None,
    rotational: bool = False,
) -> Element:
    """Prescribe a measure by a function of time (its index in the function table) or by a value."""
    p = packed(ScalarConstraint, {"on": measure, "function": -1 if function is None else function, "value": value})
    memory = initial_turns() if memory_of is None else np.zeros(0)
    row = "r" if rotational else "t"
    return Element(SCALAR_CONSTRAINT, name, nodes, p, rows=row, memory=memory, shares_memory_of=memory_of)
