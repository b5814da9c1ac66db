"""Forces along a scalar measure (springs, stops, loads on joints), forces at points of bodies, road resistance.

Force along a scalar measure: loads on joints, springs, strings, torsion springs, stops.

Geometry (`engine.elements.contract`) and law are separate: the law gives the restoring effort e(s, ds/dt, t), the element applies e
times the gradient of s. Therefore forces are in equilibrium, and the power is e ds/dt, for every law.

| law | e |
|---|---|
| LOAD | -f(t) |
| LINEAR | k (s - s0) + c ds/dt; as a string: only while s > s0, never pushing |
| TABLE | f(s - s0) + c ds/dt; as a string in the same way |
| STOP | k (s - limit) + c ds/dt beyond a limit, never pulling back; c |ds/dt| <= damping_limit k |s - limit| |
"""

import math
from typing import Any

import numpy as np

from pitchline.engine.elements.contract import (
    TANGENT,
    Ask,
    Element,
    ElementKind,
    Measure,
    Node,
    SignalSpec,
    Turns,
    initial_turns,
    measure,
    measure_stiffness,
    rate,
    turning,
)
from pitchline.numerics.fields import INTEGER, NUMBER, embedded, fields, inline, packed
from pitchline.numerics.functions import value_of
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, M9, V2, V3, V4, block, kernel, leaf
from pitchline.numerics.vectors import (
    add,
    add_mat,
    add_vec,
    cross,
    dot,
    mat_sum,
    mm,
    mtv,
    mul,
    mv,
    outer,
    scaled,
    skew,
    tr,
)

# ---- point force

# Forces at points of nodes: position and velocity of a point, residual and tangent of a force that acts there.
#
# A point p is fixed in a node (x, R), node axes. A force F on it, world axes, enters the residual as (F, p x R^T F).
# With
#
#     o = x + R p,   u = v + R (omega x p),   delta o = delta x - R p~ delta theta,
#     delta u = delta v - R p~ delta omega - R (omega x p)~ delta theta
#
# all derivatives of forces that depend on positions and velocities of points follow.


@leaf
def point(a: Node, p: V3) -> V3:
    """Position of a point, world axes."""
    return add(a.x, mv(a.R, p))


@leaf
def point_velocity(a: Node, p: V3) -> V3:
    """Velocity of a point, world axes."""
    return add(a.v, mv(a.R, cross(a.w, p)))


@leaf
def add_force(r: A1, i: I8, a: Node, p: V3, F: V3):
    """Add a force at a point of node a, whose rows begin at i, to a residual (which is the negative load)."""
    add_vec(r, i, F)
    add_vec(r, i + 3, cross(p, mtv(a.R, F)))


@leaf
def add_force_tangent(J: A2, i: I8, a: Node, p: V3, j: I8, b: Node, q: V3, A: M9, C: M9):
    """Add the derivative of a force at point p of node a (rows i) with respect to the motion of point q of node b (columns j).

    A = ask.K dF/do + ask.D dF/du, C = ask.K dF/du. The rotation of the force's own node is in `add_force_rotation`.
    """
    by_position = A
    by_rotation = scaled(-1.0, mat_sum(mm(A, mm(b.R, skew(q))), mm(C, mm(b.R, skew(cross(b.w, q))))))
    arm = mm(skew(p), tr(a.R))
    add_mat(J, i, j, 1.0, by_position)
    add_mat(J, i, j + 3, 1.0, by_rotation)
    add_mat(J, i + 3, j, 1.0, mm(arm, by_position))
    add_mat(J, i + 3, j + 3, 1.0, mm(arm, by_rotation))


@leaf
def add_force_rotation(J: A2, i: I8, a: Node, p: V3, F: V3, K: F8):
    """Add the effect of the rotation of node a on the moment p x R^T F of a force at its point p; K is ask.K."""
    add_mat(J, i + 3, i + 3, K, mm(skew(p), skew(mtv(a.R, F))))


# ---- axial force

# Force and moment on a body along an axis z fixed in it, that depend on the speed v along z and the spin w about z.
#
# With the point p and z in node axes, the world direction R z and the velocity u of the point
#
# v = (R z).u , w = z.omega , force F(v, w) R z at p, moment M(v, w) z .


@leaf
def axial_speeds(a: Node, p: V3, z: V3) -> V2:
    """Speed of the point along z, and spin about z."""
    return (dot(mtv(a.R, point_velocity(a, p)), z), dot(z, a.w))


@leaf
def add_axial(r: A1, a: Node, p: V3, z: V3, force: F8, moment: F8):
    """Add force and moment on the body to the residual, rows 0 to 5."""
    add_vec(r, 0, mul(-force, mv(a.R, z)))
    add_vec(r, 3, add(mul(-force, cross(p, z)), mul(-moment, z)))


@block
def add_axial_tangent(J: A2, a: Node, p: V3, z: V3, ask: Ask, force: F8, by_v: V2, by_w: V2):
    """Add their derivatives. by_v, by_w: derivatives of (force, moment) with respect to v and w."""
    K = ask.K
    D = ask.D
    world = mv(a.R, z)
    arm = cross(p, z)
    u = mtv(a.R, point_velocity(a, p))
    turning = add(mul(D, arm), mul(K, add(cross(cross(a.w, p), z), cross(z, u))))
    # row of v: D world . dv + turning . dtheta; row of w: D z . dtheta
    add_mat(J, 0, 0, -by_v[0] * D, outer(world, world))
    add_mat(J, 0, 3, -by_v[0], outer(world, turning))
    add_mat(J, 0, 3, -by_w[0] * D, outer(world, z))
    add_mat(J, 0, 3, K * force, mm(a.R, skew(z)))
    moment_v = add(mul(by_v[0], arm), mul(by_v[1], z))
    moment_w = add(mul(by_w[0], arm), mul(by_w[1], z))
    add_mat(J, 3, 0, -D, outer(moment_v, world))
    add_mat(J, 3, 3, -1.0, outer(moment_v, turning))
    add_mat(J, 3, 3, -D, outer(moment_w, z))


# ---- road

# Resistance of a road vehicle over its speed v: rolling resistance, drag of the air, weight along the slope.
#
# F = m g (c_r cos(alpha) tanh(v / v_s) + sin(alpha)) + (1/2) rho c_d A (v + v_w) |v + v_w|
#
# v_w is the speed of the head wind. The rolling resistance is smooth near zero: it does not hold the vehicle at rest.

Road = fields("Road", weight=NUMBER, rolling=NUMBER, drag=NUMBER, smoothing=NUMBER)
"""Weight m g [N], rolling coefficient, rho c_d A / 2 [kg/m], speed of the smooth sign [m/s]."""


@leaf
def road_force(road: Road, v: F8, slope: F8, wind: F8, damp: F8) -> V3:
    """Losses by rolling and air, their derivative with respect to v, and the weight along the slope."""
    t = math.tanh(v / road.smoothing)
    rolling = damp * road.weight * road.rolling * math.cos(slope)
    air = v + wind
    drag = damp * road.drag
    by_speed = rolling * (1.0 - t * t) / road.smoothing + 2.0 * drag * abs(air)
    return (rolling * t + drag * air * abs(air), by_speed, road.weight * math.sin(slope))


def road_record(values: dict[str, float]) -> dict[str, float]:
    """Values of the record `Road` from those of an element."""
    return {
        "weight": values["vehicle_mass"] * values["gravitational_acceleration"],
        "rolling": values["rolling_coefficient"],
        "drag": 0.5 * values["air_density"] * values["drag_area"],
        "smoothing": values["smoothing_speed"],
    }


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
