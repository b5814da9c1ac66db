"""A force along a scalar measure: loads on joints, springs, strings, torsion springs, stops.

Geometry (`scalar_geometry`) and law are apart: the law gives the restoring effort e(s, ds/dt, t), the element applies
e times the gradient of s. Hence forces balance, and power is e ds/dt, for every law.

| law | e |
|---|---|
| LOAD | -f(t) |
| LINEAR | k (s - s0) + c ds/dt; as a string: only while s > s0, never pushing |
| TABLE | f(s - s0) + c ds/dt; as a string likewise |
| STOP | k (s - limit) + c ds/dt beyond a limit, never pulling back |
"""

import numpy as np

from ..math.compiled import A1, F8, V4, kernel, leaf
from ..math.functions import value_of
from .contract import C_D, C_K, DAMP, LOAD, POWER_IN, POWER_OUT, REPORT, TANGENT, TIME, Element, ElementKind, SignalSpec
from .scalar_geometry import SIZE, measure, rate

LAW_LOAD, LAW_LINEAR, LAW_TABLE, LAW_STOP = 0, 1, 2, 3


@leaf
def _law(p: A1, F: A1, c: A1, s: F8, v: F8) -> V4:
    """Restoring effort, its derivatives by s and ds/dt, and the stored energy."""
    law = int(p[SIZE])
    o = SIZE + 1
    if law == LAW_LOAD:
        return (-c[LOAD] * value_of(F, int(p[o]), c[TIME])[0], 0.0, 0.0, 0.0)
    if law == LAW_STOP:
        k = p[o + 2]
        d = c[DAMP] * p[o + 3]
        if s < p[o]:
            x = s - p[o]
            e = k * x + d * v
            if e < 0.0:
                return (e, k, d, 0.5 * k * x * x)
            return (0.0, 0.0, 0.0, 0.5 * k * x * x)
        if s > p[o + 1]:
            x = s - p[o + 1]
            e = k * x + d * v
            if e > 0.0:
                return (e, k, d, 0.5 * k * x * x)
            return (0.0, 0.0, 0.0, 0.5 * k * x * x)
        return (0.0, 0.0, 0.0, 0.0)
    x = s - p[o]
    string = p[o + 2] != 0.0
    if string and x <= 0.0:
        return (0.0, 0.0, 0.0, 0.0)
    d = c[DAMP] * p[o + 1]
    if law == LAW_LINEAR:
        k = p[o + 3]
        e = k * x
        energy = 0.5 * k * x * x
    else:
        f = value_of(F, int(p[o + 3]), x)
        e = f[0]
        k = f[1]
        energy = value_of(F, int(p[o + 4]), x)[0]
    e += d * v
    if string and e <= 0.0:
        return (0.0, 0.0, 0.0, energy)
    return (e, k, d, energy)


@leaf
def _elastic(p: A1, F: A1, c: A1, s: F8) -> F8:
    """Effort at rest: what is left of the effort is dissipative."""
    return _law(p, F, c, s, 0.0)[0]


@kernel
def evaluate(p, h, F, P, V, A, lam, c, mode, r, J):
    s = measure(int(p[0]), p, h, P, 1 if mode == TANGENT else 0, r, J)
    v = rate(r, V)
    e, k, d, energy = _law(p, F, c, s, v)
    if mode == REPORT:
        for i in range(12):
            r[i] = 0.0
        r[1] = energy
        if int(p[SIZE]) == LAW_LOAD:
            r[2] = -e * v
        else:
            r[3] = (e - _elastic(p, F, c, s)) * v
        r[4] = s
        r[5] = v
        r[6] = e
        r[7] = 0.0 - e  # no minus zero
        return
    if int(p[SIZE]) == LAW_LOAD:
        r[POWER_IN] = -e * v
    elif p[SIZE + 4 if int(p[SIZE]) == LAW_STOP else SIZE + 2] != 0.0:
        r[POWER_OUT] = (e - _elastic(p, F, c, s)) * v
    if mode == TANGENT:
        # J holds the derivative of the gradient: the rate changes with position by V^T J
        K = c[C_K]
        for j in range(12):
            turning = 0.0
            if d != 0.0:
                for q in range(2):
                    for i in range(6):
                        turning += V[q, i] * J[6 * q + i, j]
            J[12, j] = K * (k * r[j] + d * turning) + c[C_D] * d * r[j]
        for i in range(12):
            for j in range(12):
                J[i, j] = K * e * J[i, j] + r[i] * J[12, j]
        for j in range(12):
            J[12, j] = 0.0
    for i in range(12):
        r[i] *= e


SCALAR_FORCE = ElementKind(
    "scalar force",
    evaluate,
    signals=(
        SignalSpec("coordinate", "", "coordinate the effort acts on"),
        SignalSpec("rate", "", "its rate"),
        SignalSpec("tension", "", "restoring effort: positive pulls the second body back"),
        SignalSpec("effort", "", "load on the second body along the coordinate"),
    ),
    exchanges_power=True,
    full_pattern=True,
)


def scalar_force(
    name: str,
    nodes: tuple[int, int],
    measure: np.ndarray,
    law: int,
    law_parameters: list[float],
    memory_of: Element | None,
) -> Element:
    """A law on a measure; `memory_of` is the joint coordinate that counts its turns."""
    p = np.concatenate([measure, [law], law_parameters])
    memory = np.zeros(3) if memory_of is None else np.zeros(0)
    return Element(SCALAR_FORCE, name, nodes, p, memory=memory, shares_memory_of=memory_of)
