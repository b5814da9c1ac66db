"""Rolling bearing between two rings: law of its rolling elements over the deflections of the inner ring relative to the outer ring.

With e the six deflections of `frame_deflection`, V(e) the energy of the rolling elements and C a damping of their rates,

    w = dV/de + C de/dt,   r = G^T w,   J = G^T (d2V/de2) G + sum of w_i times the second derivative of e_i + the part of C,

G is the gradient of e with respect to the coordinates of both nodes. The twist e_6 is used if the cage rotates with it.
"""

import math

from ..math.compiled import A1, A2, F8, I8, V3, block, leaf
from ..math.fields import INTEGER, NUMBER, embedded, fields, inline, record_over
from ..math.vectors import add, mm, mul, mv
from .contract import Node, Placed
from .frame_deflection import deflection, deflection_stiffness
from .rolling_balls import Balls, Summary, add_balls, ball_pressure
from .rolling_friction import RollingFriction, TorqueOfFriction, find_friction
from .rolling_rollers import Rollers, add_rollers
from .scalar_geometry import rate, turning

__all__ = [
    "BearingWork", "RollingLaw", "add_bearing_residual", "add_bearing_tangent", "add_flange", "bearing_effort", "bearing_loss",
    "force_on_inner", "largest_pressure", "moment_on_inner", "work_over",
]  # fmt: skip

RollingLaw = fields(
    "RollingLaw",
    rollers_roll=INTEGER,  # 0: balls, 1: rollers
    times=NUMBER,  # number of elements of the law that represent one rolling element
    components=INTEGER,  # deflections in use: 5, or 6 if the cage turns or there is friction
    damped=INTEGER,
    damping=NUMBER,  # of translations
    tilt_damping=NUMBER,
    flange_stiffness=NUMBER,
    flange_up=NUMBER,
    flange_down=NUMBER,
    balls=embedded(Balls),
    rollers=embedded(Rollers),
    friction=embedded(RollingFriction),
)
BearingWork = fields(
    "BearingWork",
    e=inline(6),
    rate=inline(6),
    effort=inline(6),
    stiffness=inline(6, 6),
    gradient=inline(6, 12),  # of e, by the coordinates of both nodes
    turning=inline(6, 12),  # of de/dt, at constant velocities
    by=inline(2, 6),
    line_load=NUMBER,  # largest load per length of rollers
    most=embedded(Summary),
    rubbing=embedded(TorqueOfFriction),
)
work_over = record_over(BearingWork)


@leaf
def _damping(s: RollingLaw, i: I8) -> F8:
    """Of a deflection."""
    if i < 3:
        return s.damping
    return s.tilt_damping if i < 5 else 0.0


@leaf
def add_flange(s: RollingLaw, work: BearingWork):
    """Contact of the inner ring with a flange after an axial displacement."""
    z = work.e[2]
    x = 0.0
    if z > s.flange_up:
        x = z - s.flange_up
    elif z < -s.flange_down:
        x = z + s.flange_down
    if x != 0.0:
        work.effort[2] += s.flange_stiffness * x
        work.stiffness[2, 2] += s.flange_stiffness
        work.most.energy += 0.5 * s.flange_stiffness * x * x


@block
def bearing_effort(
    s: RollingLaw,
    fa: Placed,
    fb: Placed,
    turns: F8,
    a: Node,
    b: Node,
    damp: F8,
    tangent: I8,
    every: I8,
    work: BearingWork,
):
    """Deflections, their rates and gradients, w; if requested the stiffness; every: also the twist without forces, and energy."""
    e = work.e
    speed = work.rate
    effort = work.effort
    gradient = work.gradient
    stiffness = work.stiffness
    n = 6 if every else s.components
    e[5] = 0.0
    for i in range(6):
        effort[i] = 0.0
        for j in range(6):
            stiffness[i, j] = 0.0
    for i in range(n):
        e[i] = deflection(fa, fb, turns, a, b, i, gradient[i])
        speed[i] = rate(gradient[i], a, b)
    most = work.most
    most.energy = 0.0
    most.inner = 0.0
    most.outer = 0.0
    most.radial = 1.0
    most.axial = 0.0
    if s.rollers_roll:
        work.line_load = add_rollers(s.rollers, e, work.by, effort, stiffness, most, tangent)
        add_flange(s, work)
    else:
        add_balls(s.balls, e, effort, stiffness, most, tangent)
    if s.friction.acts and damp != 0.0:
        find_friction(s.friction, speed[5], effort, work.rubbing)
        effort[5] += work.rubbing.torque
    else:
        work.rubbing.torque = 0.0
    if s.damped:
        for i in range(5):
            effort[i] += damp * _damping(s, i) * speed[i]


@leaf
def bearing_loss(s: RollingLaw, damp: F8, work: BearingWork) -> F8:
    """Power dissipated by damping and friction."""
    speed = work.rate
    loss = work.rubbing.torque * speed[5] if s.friction.acts else 0.0
    if s.damped:
        for i in range(5):
            loss += damp * _damping(s, i) * speed[i] * speed[i]
    return loss


@block
def add_bearing_tangent(
    s: RollingLaw, fa: Placed, fb: Placed, a: Node, b: Node, K: F8, D: F8, damp: F8, work: BearingWork, J: A2
):
    """Add the tangent, with the factors K and D of positions and velocities."""
    n = s.components
    effort = work.effort
    gradient = work.gradient
    stiffness = work.stiffness
    turn = work.turning
    rubs = s.friction.acts and damp != 0.0
    if (
        s.damped or rubs
    ):  # rates change with position: V^T (derivative of gradient i), computed in J, which is zero, and removed again
        for i in range(n):
            deflection_stiffness(fa, fb, a, b, i, 1.0, J)
            for j in range(12):
                turn[i, j] = turning(J, j, a, b)
            for k in range(12):
                for j in range(12):
                    J[k, j] = 0.0
    for i in range(n):
        if effort[i] != 0.0:
            deflection_stiffness(fa, fb, a, b, i, K * effort[i], J)
        for j in range(i):
            stiffness[i, j] = stiffness[j, i]
    for i in range(n):
        c = damp * _damping(s, i) if s.damped else 0.0
        for j in range(12):
            f = c * D * gradient[i, j]
            if s.damped and i < 5:
                f += c * K * turn[i, j]
            for l in range(n):
                f += K * stiffness[i, l] * gradient[l, j]
            if rubs and i == 5:
                f += work.rubbing.by_speed * (D * gradient[5, j] + K * turn[5, j])
                by = work.rubbing.by_force
                for l in range(n):
                    f += (
                        K
                        * (by[0] * stiffness[0, l] + by[1] * stiffness[1, l] + by[2] * stiffness[2, l])
                        * gradient[l, j]
                    )
            for q in range(12):
                J[q, j] += gradient[i, q] * f


@leaf
def add_bearing_residual(s: RollingLaw, work: BearingWork, r: A1):
    """Adds G^T w."""
    effort = work.effort
    gradient = work.gradient
    for i in range(s.components):
        f = effort[i]
        if f != 0.0:
            for j in range(12):
                r[j] += gradient[i, j] * f


@leaf
def largest_pressure(s: RollingLaw, work: BearingWork) -> F8:
    """Of all contacts."""
    if s.rollers_roll:
        return s.rollers.pressure * math.sqrt(work.line_load)
    return ball_pressure(s.balls, work.most)


@leaf
def force_on_inner(fa: Placed, a: Node, work: BearingWork) -> V3:
    """World axes."""
    effort = work.effort
    return mul(-1.0, mv(mm(a.R, fa.axes), (effort[0], effort[1], effort[2])))


@leaf
def moment_on_inner(b: Node, work: BearingWork) -> V3:
    """About the origin of its frame, world axes: the last three gradients."""
    effort = work.effort
    gradient = work.gradient
    moment = (0.0, 0.0, 0.0)
    for i in range(3, 6):
        moment = add(moment, mul(-effort[i], (gradient[i, 9], gradient[i, 10], gradient[i, 11])))
    return mv(b.R, moment)
