"""A scalar measure held at a value: drives (a function of time), distance, screw.

    Phi = s - s*(t),   s* = start + (function(t) - start) * load factor

The load factor is 1 but in statics, where it brings a drive from the present position to its target in steps. For an
angle Phi is taken to the nearest turn, so that no number of turns costs a digit beyond those of the function itself.
"""

import numpy as np

from ..math.compiled import A1, A2, F8, V3, kernel, leaf
from ..math.functions import value_of
from .contract import C_K, LOAD, POWER_IN, RATE, REPORT, SHIFT, TANGENT, TIME, Element, ElementKind, SignalSpec
from .scalar_geometry import ANGLE, DISPLACEMENT, SIZE, TWO_PI, measure, principal_angle, rate


@leaf
def _target(p: A1, h: A1, F: A1, c: A1) -> V3:
    """s* and its rates. p[SIZE]: place of the function, or -1 and the constant p[SIZE + 1]."""
    o = int(p[SIZE])
    if o < 0:
        return (p[SIZE + 1], 0.0, 0.0)
    f = value_of(F, o, c[TIME])
    load = c[LOAD]
    if load == 1.0:
        return f
    start = h[1]
    if int(p[0]) == DISPLACEMENT:
        start = h[2]
    return (start + load * (f[0] - start), f[1], f[2])


@leaf
def _gap(p: A1, P: A2, s: F8, target: F8) -> F8:
    """s - target. Angles are compared within one turn: counted turns would cost the digits that Newton needs."""
    if int(p[0]) != ANGLE:
        return s - target
    gap = principal_angle(p, P) - (target - TWO_PI * np.round(target / TWO_PI))
    return gap - TWO_PI * np.round(gap / TWO_PI)


@kernel
def evaluate(p, h, F, P, V, A, lam, c, mode, r, J):
    l = lam[0]
    s = measure(int(p[0]), p, h, P, 1 if mode == TANGENT else 0, r, J)
    target = _target(p, h, F, c)
    if mode == RATE:
        r[12] += rate(r, V) - target[1] - c[SHIFT] * target[2]
        return
    if mode == REPORT:
        speed = rate(r, V)
        for i in range(12):
            r[i] = 0.0
        r[2] = -l * target[1]
        r[4] = s
        r[5] = speed
        r[6] = -l
        r[7] = r[2]
        return
    r[12] += _gap(p, P, s, target[0])
    r[POWER_IN] = -l * target[1]
    if mode == TANGENT:
        k = c[C_K] * l
        for i in range(12):
            for j in range(12):
                J[i, j] *= k
        for i in range(12):
            J[12, i] += r[i]
            J[i, 12] += r[i]
    for i in range(12):
        r[i] *= l


SCALAR_CONSTRAINT = ElementKind(
    "scalar constraint",
    evaluate,
    signals=(
        SignalSpec("coordinate", "", "imposed coordinate"),
        SignalSpec("rate", "", "its rate"),
        SignalSpec("effort", "", "load on the second body along the coordinate"),
        SignalSpec("power", "W", "power put into the system"),
    ),
    exchanges_power=True,
)


def scalar_constraint(
    name: str,
    nodes: tuple[int, int],
    measure: np.ndarray,
    *,
    function: int | None = None,
    value: float = 0.0,
    memory_of: Element | None = None,
    rotational: bool = False,
) -> Element:
    """Hold a measure at a function of time (its place in the function table) or at a value."""
    p = np.concatenate([measure, [-1.0 if function is None else function, value]])
    memory = np.zeros(3) if memory_of is None else np.zeros(0)
    row = "r" if rotational else "t"
    return Element(SCALAR_CONSTRAINT, name, nodes, p, rows=row, memory=memory, shares_memory_of=memory_of)
