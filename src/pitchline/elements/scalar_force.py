"""Force along a scalar measure: loads on joints, springs, strings, torsion springs, stops.

Geometry (`scalar_geometry`) and law are separate: the law gives the restoring effort e(s, ds/dt, t), the element applies e
times the gradient of s. Therefore forces are in equilibrium, and the power is e ds/dt, for every law.

| law | e |
|---|---|
| LOAD | -f(t) |
| LINEAR | k (s - s0) + c ds/dt; as a string: only while s > s0, never pushing |
| TABLE | f(s - s0) + c ds/dt; as a string in the same way |
| STOP | k (s - limit) + c ds/dt beyond a limit, never pulling back; c |ds/dt| <= damping_limit k |s - limit| |
"""

from typing import Any

import numpy as np

from ..math.compiled import F8, V4, kernel, leaf
from ..math.fields import INTEGER, NUMBER, embedded, fields, inline, packed
from ..math.functions import value_of
from .contract import TANGENT, Ask, Element, ElementKind, Node, SignalSpec
from .scalar_geometry import Measure, Turns, initial_turns, measure, measure_stiffness, rate, turning

LAW_LOAD, LAW_LINEAR, LAW_TABLE, LAW_STOP = 0, 1, 2, 3

ScalarForce = fields(
    "ScalarForce",
    on=embedded(Measure),
    law=INTEGER,
    function=INTEGER,  # load: f(t); table: f(s - s0)
    energy=INTEGER,  # table: the integral of f
    free=NUMBER,  # linear and table: s0
    string=INTEGER,  # 1: never pushes
    lower=NUMBER,  # stop
    upper=NUMBER,
    stiffness=NUMBER,  # linear and stop
    damping=NUMBER,
    damping_limit=NUMBER,  # stop: largest damping force divided by the force of the spring
)
ROUNDED = 1e-13
"""Stretch of a string, relative to its free length, that counts as rounding."""

ROUNDED_RATE = 1e-12
"""Rate of a string, relative to the speeds of its ends, that counts as rounding."""

ScalarForceScratch = fields(
    "ScalarForceScratch", gradient=inline(12), change=inline(12)
)  # of the measure; of the effort


@leaf
def _stop(x: F8, v: F8, k: F8, d: F8, limit: F8) -> V4:
    """Law of a stop at the distance x beyond its limit."""
    e = k * x
    c = d * v
    if abs(c) > limit * abs(e):
        # the damper is limited by the spring, so that it depends on x and not on v
        k += limit * k if c * e > 0.0 else -limit * k
        c = limit * e if c * e > 0.0 else -limit * e
        d = 0.0
    energy = 0.5 * e * x
    e += c
    if e * x > 0.0:
        return (e, k, d, energy)
    return (0.0, 0.0, 0.0, energy)


@leaf
def _law(law: ScalarForce, ask: Ask, s: F8, v: F8, still: F8) -> V4:
    """Restoring effort, its derivatives with respect to s and ds/dt, and the stored energy. still: rate that is rounding."""
    which = law.law
    if which == LAW_LOAD:
        return (-ask.load * value_of(ask.functions, law.function, ask.t)[0], 0.0, 0.0, 0.0)
    d = ask.damp * law.damping
    if which == LAW_STOP:
        if s < law.lower:
            return _stop(s - law.lower, v, law.stiffness, d, law.damping_limit)
        if s > law.upper:
            return _stop(s - law.upper, v, law.stiffness, d, law.damping_limit)
        return (0.0, 0.0, 0.0, 0.0)
    x = s - law.free
    string = law.string
    # without stretch a string is taut if its length increases, and slack otherwise: with the initial length as the free one,
    # rounding of x would decide
    tiny = ROUNDED * abs(law.free)
    if string and (x < -tiny or (x <= tiny and v <= still)):
        return (0.0, 0.0, 0.0, 0.0)
    if which == LAW_LINEAR:
        k = law.stiffness
        e = k * x
        energy = 0.5 * k * x * x
    else:
        f = value_of(ask.functions, law.function, x)
        e = f[0]
        k = f[1]
        energy = value_of(ask.functions, law.energy, x)[0]
    e += d * v
    if string and e <= 0.0:
        if x <= tiny:  # its length increases from zero stretch, without a damper
            return (0.0, k, d, energy)
        return (0.0, 0.0, 0.0, energy)
    return (e, k, d, energy)


@leaf
def _still(law: ScalarForce, a: Node, b: Node) -> F8:
    """Rate of a string that counts as rounding."""
    if law.string == 0:
        return 0.0
    size = 0.0
    for i in range(3):
        size += abs(a.v[i]) + abs(b.v[i]) + abs(law.free) * (abs(a.w[i]) + abs(b.w[i]))
    return ROUNDED_RATE * size


@leaf
def _elastic(law: ScalarForce, ask: Ask, s: F8) -> F8:
    """Effort at rest: the rest of the effort is dissipative."""
    return _law(law, ask, s, 0.0, 0.0)[0]


@kernel
def evaluate(s, m, x, w, ask, r, J):
    g = w.gradient
    at = measure(s.on, m, x.a, x.b, g)
    v = rate(g, x.a, x.b)
    e, k, d, _ = _law(s, ask, at, v, _still(s, x.a, x.b))
    if s.law == LAW_LOAD:
        ask.power_in += -e * v
    elif s.damping != 0.0:
        ask.power_out += (e - _elastic(s, ask, at)) * v
    for i in range(12):
        r[i] = e * g[i]
    if ask.mode == TANGENT:
        # J contains the derivative of the gradient: the rate changes with position by V^T J
        measure_stiffness(s.on, x.a, x.b, J)
        K = ask.K
        D = ask.D
        change = w.change
        for j in range(12):
            turn = 0.0
            if d != 0.0:
                turn = turning(J, j, x.a, x.b)
            change[j] = K * (k * g[j] + d * turn) + D * d * g[j]
        for i in range(12):
            for j in range(12):
                J[i, j] = K * e * J[i, j] + g[i] * change[j]


@kernel
def report(s, m, x, w, ask, out):
    g = w.gradient
    at = measure(s.on, m, x.a, x.b, g)
    v = rate(g, x.a, x.b)
    e, _, _, energy = _law(s, ask, at, v, _still(s, x.a, x.b))
    out.potential = energy
    if s.law == LAW_LOAD:
        out.power_in = -e * v
    else:
        out.power_out = (e - _elastic(s, ask, at)) * v
    out.coordinate = at
    out.rate = v
    out.tension = e
    out.effort = 0.0 - e  # no minus zero


SCALAR_FORCE = ElementKind(
    "scalar force",
    evaluate,
    ScalarForce,
    memory=Turns,
    scratch=ScalarForceScratch,
    report=report,
    signals=(
        SignalSpec("coordinate", "", "coordinate on which the effort acts"),
        SignalSpec("rate", "", "its rate"),
        SignalSpec("tension", "", "restoring effort: positive if it pulls the second body back"),
        SignalSpec("effort", "", "load on the second body along the coordinate"),
    ),
    exchanges_power=True,
    full_pattern=True,
)


def scalar_force(
    name: str, nodes: tuple[int, int], measure: np.void, law: int, *, memory_of: Element | None = None, **values: float
) -> Element:
    """Law for a measure; `memory_of` is the joint coordinate that counts its revolutions, `values` are fields of `ScalarForce`."""
    said: dict[str, Any] = {"on": measure, "law": law, "damping_limit": np.inf, **values}
    memory = initial_turns() if memory_of is None else np.zeros(0)
    return Element(SCALAR_FORCE, name, nodes, packed(ScalarForce, said), memory=memory, shares_memory_of=memory_of)
