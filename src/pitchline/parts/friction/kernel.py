"""Friction on the coordinate of a joint: Coulomb and Stribeck friction, brakes, clutches, freewheels.

`kernel_sticking` has the law:

    effort = d (C + (S - C) exp(-(v/v_S)^2)) + c v          d: direction of slip, C: capacity, S = ratio C

In each direction the capacity has a factor: a freewheel has none in the direction in which it turns freely. The functions are
those of several declared elements, with the same names of fields:

| field | meaning |
|---|---|
| `on` | joint |
| `capacity` | signal: a function of time, or an expression |
| `static_ratio`, `stribeck_speed`, `viscous` | S/C, v_S, c |
| `forward`, `backward` | factors of the capacity in both directions |
| `reference`, `compliance` | mass or inertia that scales the row, and its compliance; written by the compile step |
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from pitchline.engine.elements.contract import (
    ANGLE,
    RATE,
    TANGENT,
    TWO_PI,
    Measure,
    Node,
    Turns,
    displacement,
    measure,
    measure_stiffness,
    principal_angle,
    rate,
    turning,
)
from pitchline.errors import ModelError
from pitchline.functions.piecewise import Constant
from pitchline.numerics.fields import INTEGER, behind, fields, packed, record_over
from pitchline.numerics.machine_code.compiled import A1, F8, I8, V2, V3, V4, entry, leaf

from .kernel_sticking import (
    DRIVEN,
    HELD,
    MODE,
    STICKS,
    accept_sticking,
    along,
    begin_sticking,
    friction_speed,
    guard_sticking,
    holds,
    is_slipping,
    present_law,
    row_by_limit,
    sticking_rate,
    sticking_row,
)

# ---- friction map

# Coefficient of friction over sliding speed and load: a table, interpolated by cubics that do not overshoot.
#
# Between the points of the table it is a bicubic Hermite function of its values, of its slopes along both directions
# and of their mixed derivative. Outside the table the values at its edges hold.

FrictionMap = fields(
    "FrictionMap",
    speeds=INTEGER,
    loads=INTEGER,
    speed=behind("speeds"),
    load=behind("loads"),
    count=INTEGER,
    values=behind("count"),  # value, slope by speed, slope by load, mixed derivative; by load, then by speed
)
"""Stored with the functions of a system."""

_map = record_over(FrictionMap)


@leaf
def _interval(x: A1, count: I8, value: F8) -> I8:
    """Index of the point below."""
    low = 0
    high = count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if x[middle] <= value:
            low = middle
        else:
            high = middle
    return low


@leaf
def _hermite(s: F8, h: F8) -> V4:
    """Factors of the values at both ends, and of the slopes there, at the fraction s of an interval h."""
    return (
        (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s),
        s * s * (3.0 - 2.0 * s),
        h * s * (1.0 - s) * (1.0 - s),
        -h * s * s * (1.0 - s),
    )


@leaf
def _hermite_slope(s: F8, h: F8) -> V4:
    """Derivatives of these factors."""
    d = 6.0 * s * (1.0 - s) / h
    return (-d, d, (1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0))


@leaf
def _sum(values: A1, i: I8, j: I8, n: I8, along: V4, across: V4) -> F8:
    """Sum over the four corners of a cell: along the speeds, across the loads."""
    a = 4 * (j * n + i)
    b = a + 4
    c = a + 4 * n
    d = c + 4
    low = along[0] * values[a] + along[1] * values[b] + along[2] * values[a + 1] + along[3] * values[b + 1]
    high = along[0] * values[c] + along[1] * values[d] + along[2] * values[c + 1] + along[3] * values[d + 1]
    low_slope = (
        along[0] * values[a + 2] + along[1] * values[b + 2] + along[2] * values[a + 3] + along[3] * values[b + 3]
    )
    high_slope = (
        along[0] * values[c + 2] + along[1] * values[d + 2] + along[2] * values[c + 3] + along[3] * values[d + 3]
    )
    return across[0] * low + across[1] * high + across[2] * low_slope + across[3] * high_slope


@entry
def friction_at(functions: A1, place: I8, speed: F8, load: F8) -> V3:
    """mu, and its derivatives by the sliding speed and by the load."""
    t = _map(functions, place)
    n = t.speeds
    x = t.speed
    y = t.load
    v = min(max(speed, x[0]), x[n - 1])
    f = min(max(load, y[0]), y[t.loads - 1])
    i = _interval(x, n, v)
    j = _interval(y, t.loads, f)
    h = x[i + 1] - x[i]
    k = y[j + 1] - y[j]
    s = (v - x[i]) / h
    r = (f - y[j]) / k
    along = _hermite(s, h)
    across = _hermite(r, k)
    mu = _sum(t.values, i, j, n, along, across)
    by_speed = _sum(t.values, i, j, n, _hermite_slope(s, h), across) if v == speed else 0.0
    by_load = _sum(t.values, i, j, n, along, _hermite_slope(r, k)) if f == load else 0.0
    return (mu, by_speed, by_load)


def encode_friction_map(speeds: np.ndarray, loads: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The table as numbers for the functions of a system. values (loads, speeds, 4): see `FrictionMap`."""
    return packed(FrictionMap, {"speed": speeds, "load": loads, "values": values.ravel()})


DIRECTIONS = ("both", "forward", "backward")
"""Directions of motion against which friction acts: of increasing or decreasing coordinate, or both."""


def check_capacity(values: Mapping[str, Any]) -> None:
    """Raise an error for a constant capacity that is negative."""
    capacity = values["capacity"]
    if isinstance(capacity, Constant) and float(capacity(0.0)) < 0.0:
        raise ModelError(
            f"capacity must not be negative, got {float(capacity(0.0)):g}: friction acts against the motion"
        )


def direction_factors(against: str) -> dict[str, float]:
    """Derived parameters: factors of the capacity in both directions, and the scale of the row before it is known."""
    return {
        "forward": float(against != "backward"),
        "backward": float(against != "forward"),
        "reference": 1.0,
        "compliance": 0.0,
    }


@leaf
def friction_effort(capacity: F8, ratio: F8, stribeck: F8, viscous: F8, sign: F8, v: F8) -> V2:
    """(effort against the motion, its derivative with respect to the speed)."""
    effort = sign * capacity + viscous * v
    slope = viscous
    if stribeck > 0.0:
        u = v / stribeck
        more = sign * capacity * (ratio - 1.0) * np.exp(-u * u)
        effort += more
        slope -= 2.0 * u / stribeck * more
    return (effort, slope)


@leaf
def available(capacity: F8) -> F8:
    """Capacity; a signal that becomes negative means none."""
    return max(0.0, capacity)


@leaf
def effort_by_capacity(capacity: F8, law: V2, viscous: F8, v: F8) -> F8:
    """Derivative of the effort in motion with respect to the capacity."""
    return (law[0] - viscous * v) / capacity if capacity > 0.0 and law[0] != 0.0 else 0.0


@leaf
def limit_by_capacity(capacity: F8, forward: F8, backward: F8, ratio: F8, of_limit: V2) -> F8:
    """Derivative of a row that sticks with respect to the capacity. of_limit: see `row_by_limit`."""
    return of_limit[0] * ratio * (forward if of_limit[1] > 0.0 else backward) if capacity > 0.0 else 0.0


@leaf
def motion_of(s: Measure, turns: Turns, a: Node, b: Node, g: A1) -> V2:
    """(rate, acceleration without the change of the gradient) of the coordinate; its gradient into g."""
    measure(s, turns, a, b, g)
    return (rate(g, a, b), along(g, a.a, a.al, b.a, b.al))


@leaf
def position_of(s: Measure, a: Node, b: Node) -> F8:
    """The coordinate: an angle within one revolution."""
    return principal_angle(s.a, s.b, a, b) if s.kind == ANGLE else displacement(s, a, b)


@leaf
def gap_of(s: Measure, position: F8, held: F8) -> F8:
    """Distance from the held position; of angles within one revolution."""
    gap = position - held
    if s.kind == ANGLE:
        gap -= TWO_PI * np.round(gap / TWO_PI)
    return gap


@leaf
def effort_of(now: F8, F: F8, forward: F8, backward: F8, ratio: F8, stribeck: F8, viscous: F8, v: F8) -> V2:
    """(effort in motion, its derivative with respect to the speed) of a law; zero at rest. F: capacity."""
    sign = is_slipping(now)
    if sign == 0.0:
        return (0.0, 0.0)
    return friction_effort((forward if sign > 0.0 else backward) * F, ratio, stribeck, viscous, sign, v)


@leaf
def shown_effort(law: A1, F: F8, forward: F8, backward: F8, ratio: F8, stribeck: F8, viscous: F8, v: F8, lam: F8) -> F8:
    """Effort of a sample."""
    if law[MODE] == STICKS:
        return lam if law[DRIVEN] == 0.0 else 0.0
    return effort_of(law[MODE], F, forward, backward, ratio, stribeck, viscous, friction_speed(law, v))[0]


def evaluate(s, m, x, w, ask, r, J):
    g = w.gradient
    measure(s.on, x.on_turns, x.on_a, x.on_b, g)
    v = rate(g, x.on_a, x.on_b)
    lam = x.lam[0]
    F = available(x.capacity.value)
    S = s.static_ratio * F
    now = present_law(m.law, w.step, ask, v, lam, -s.backward * S, s.forward * S)
    u = friction_speed(m.law, v)
    law = effort_of(now, F, s.forward, s.backward, s.static_ratio, s.stribeck_speed, s.viscous, u)
    gap = gap_of(s.on, position_of(s.on, x.on_a, x.on_b), m.law[HELD])
    scale = (s.reference, s.compliance)
    row = sticking_row(m.law, w.step, now, ask, gap, v, lam, law, scale, -s.backward * S, s.forward * S)
    if ask.mode == RATE:
        r[13] += sticking_rate(m.law, now, ask, v, row[0], scale)
        return
    r[13] += row[0]
    held = holds(m.law, now)
    total = lam if held != 0.0 else law[0]
    ask.power_out += law[0] * v
    for i in range(12):
        r[i] += total * g[i]
    if ask.mode == TANGENT:
        measure_stiffness(s.on, x.on_a, x.on_b, J)
        for j in range(12):
            turn = turning(J, j, x.on_a, x.on_b)
            J[13, j] += row[1] * g[j] + row[2] * ask.L * (ask.D * g[j] + ask.K * turn)
            change = law[1] * (ask.D * g[j] + ask.K * turn)
            for i in range(12):
                J[i, j] = ask.K * total * J[i, j] + change * g[i]
        for i in range(12):
            J[i, 13] += held * g[i]
        J[13, 13] += row[3]
        of_limit = row_by_limit(m.law, w.step, now, ask, v, scale, -s.backward * S, s.forward * S)
        J[13, x.capacity.column] += limit_by_capacity(F, s.forward, s.backward, s.static_ratio, of_limit)
        if held == 0.0:
            change = effort_by_capacity(F, law, s.viscous, u)
            for i in range(12):
                J[i, x.capacity.column] += change * g[i]
            J[13, x.capacity.column] -= change / (s.reference * ask.L)


def begin(s, m, x, w, ask):
    v, acceleration = motion_of(s.on, x.on_turns, x.on_a, x.on_b, w.gradient)
    S = s.static_ratio * available(x.capacity.value)
    begin_sticking(
        m.law, w.step, ask, (s.reference, s.compliance), v, acceleration, x.lam[0], -s.backward * S, s.forward * S
    )


def guard(s, m, x, w, ask):
    v, acceleration = motion_of(s.on, x.on_turns, x.on_a, x.on_b, w.gradient)
    S = s.static_ratio * available(x.capacity.value)
    guard_sticking(m.law, w.step, ask, v, acceleration, x.lam[0], -s.backward * S, s.forward * S)


def accept(s, m, x, w, ask):
    v, acceleration = motion_of(s.on, x.on_turns, x.on_a, x.on_b, w.gradient)
    S = s.static_ratio * available(x.capacity.value)
    position = position_of(s.on, x.on_a, x.on_b)
    accept_sticking(m.law, w.step, ask, position, v, acceleration, x.lam[0], -s.backward * S, s.forward * S)


def report_torque(s, m, x, w, ask, out):
    g = w.gradient
    measure(s.on, x.on_turns, x.on_a, x.on_b, g)
    v = rate(g, x.on_a, x.on_b)
    F = available(x.capacity.value)
    effort = shown_effort(m.law, F, s.forward, s.backward, s.static_ratio, s.stribeck_speed, s.viscous, v, x.lam[0])
    out.torque = -effort
    out.slip_speed = v
    out.state = is_slipping(m.law[MODE])
    out.dissipated = abs(out.state) * effort * v
    out.power_out = out.dissipated


def report_force(s, m, x, w, ask, out):
    g = w.gradient
    measure(s.on, x.on_turns, x.on_a, x.on_b, g)
    v = rate(g, x.on_a, x.on_b)
    F = available(x.capacity.value)
    effort = shown_effort(m.law, F, s.forward, s.backward, s.static_ratio, s.stribeck_speed, s.viscous, v, x.lam[0])
    out.force = -effort
    out.slip_speed = v
    out.state = is_slipping(m.law[MODE])
    out.dissipated = abs(out.state) * effort * v
    out.power_out = out.dissipated
