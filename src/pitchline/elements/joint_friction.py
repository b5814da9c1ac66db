"""Friction on the coordinate of a joint: Coulomb and Stribeck friction, brakes, clutches, freewheels (`sticking` has the law).

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

from ..errors import ModelError
from ..math.compiled import A1, F8, V2, leaf
from ..model.functions import Constant
from .contract import RATE, TANGENT
from .scalar_geometry import (
    ANGLE,
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
from .sticking import (
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
