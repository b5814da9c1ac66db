"""Rolling bearing between two rings: force, stiffness, friction and flanges over the deflections of the inner ring.

With e the six deflections of `parts.flexible.kernel_elastic`, V(e) the energy of the rolling elements and C a damping of their
rates:

    w = dV/de + C de/dt,   r = G^T w,   J = G^T (d2V/de2) G + sum of w_i times the second derivative of e_i + the part of C,

G is the gradient of e with respect to the coordinates of both nodes. The twist e_6 is used if the cage rotates with it.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pitchline.engine.elements.contract import Node, Placed, rate, turning
from pitchline.numerics.fields import INTEGER, NUMBER, VECTOR, embedded, fields, inline, record_over
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, V3, block, leaf
from pitchline.numerics.vectors import add, add_vec, cross, mm, mtv, mul, mv, sub

from ..flexible.kernel_elastic import deflection, deflection_stiffness
from .ball_types import BallLaw
from .kernel_elements import Balls, Rollers, Summary, add_balls, add_roller_forces, add_rollers, ball_pressure
from .law import ContactLaw, RollerLaw

__all__ = [
    "RollingFriction",
    "TorqueOfFriction",
    "find_friction",
    "BearingWork",
    "RollingLaw",
    "add_bearing_residual",
    "add_bearing_tangent",
    "add_flange",
    "bearing_effort",
    "bearing_loss",
    "force_on_inner",
    "largest_pressure",
    "moment_on_inner",
    "work_over",
    "add_bearing_forces",
    "rolling_record",
]


# ---- rolling friction

# Friction torque of a rolling bearing by the method of Palmgren (see `life`), for the compiled element.
#
#     M = σ(ω) (M_0 + M_1),   M_0 = m_0 max(1, (|ω|/ω_0)^(2/3)),   M_1 = c (P_0/C_0)^y P_1,
#     P_0 = max(X_0 F_r + Y_0 F_a, F_r),   P_1 = max(p F_a - q F_r, F_r),
#
# ω is the relative speed of the rings, F_r and F_a the radial and axial force. σ = ω/√(ω² + ω_s²) regularises the
# change of sign.

RollingFriction = fields(
    "RollingFriction",
    acts=INTEGER,
    viscous=NUMBER,  # m_0
    viscous_speed=NUMBER,  # ω_0
    load=NUMBER,  # c
    exponent=NUMBER,  # y
    static_rating=NUMBER,
    static_radial=NUMBER,  # X_0
    static_axial=NUMBER,  # Y_0
    axial=NUMBER,  # p
    radial=NUMBER,  # q
    smoothing=NUMBER,  # ω_s
)
TorqueOfFriction = fields(
    "TorqueOfFriction",
    torque=NUMBER,
    by_speed=NUMBER,
    by_force=VECTOR,  # by the three forces of the rolling elements
)


@block
def find_friction(s: RollingFriction, speed: F8, w: A1, out: TorqueOfFriction):
    """The torque against the rotation of the inner ring, and its derivatives."""
    radial = math.sqrt(w[0] * w[0] + w[1] * w[1])
    axial = abs(w[2])
    static = s.static_radial * radial + s.static_axial * axial
    static_by: V3 = (s.static_radial, s.static_axial, 0.0)
    if static < radial:
        static = radial
        static_by = (1.0, 0.0, 0.0)
    load = s.axial * axial - s.radial * radial
    load_by: V3 = (-s.radial, s.axial, 0.0)
    if load < radial:
        load = radial
        load_by = (1.0, 0.0, 0.0)
    factor = s.load
    grows = 0.0
    if s.exponent > 0.0:
        factor *= (static / s.static_rating) ** s.exponent if static > 0.0 else 0.0
        grows = s.exponent * factor * load / static if static > 0.0 else 0.0
    rubbing = factor * load
    by_radial = factor * load_by[0] + grows * static_by[0]
    by_axial = factor * load_by[1] + grows * static_by[1]
    fast = abs(speed) / s.viscous_speed if s.viscous_speed > 0.0 else 0.0
    viscous = s.viscous
    viscous_by = 0.0
    if fast > 1.0:
        viscous *= fast ** (2.0 / 3.0)
        viscous_by = 2.0 / 3.0 * viscous / speed
    size = math.sqrt(speed * speed + s.smoothing * s.smoothing)
    side = speed / size
    out.torque = side * (viscous + rubbing)
    out.by_speed = (1.0 - side * side) / size * (viscous + rubbing) + side * viscous_by
    along = side * by_radial / radial if radial > 0.0 else 0.0
    sign = 1.0 if w[2] > 0.0 else -1.0
    out.by_force = (along * w[0], along * w[1], sign * side * by_axial)


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


# ---- rolling forces

# Forces of a rolling bearing without rotation of the cage, without gradients: a third of the time if no tangent is
# requested.
#
# With d = R_A^T (x_B + R_B p_B - x_A), z the axis of the inner ring in node B, z_A = R_A^T R_B z the same seen from
# A, F_A the axes of the outer ring in node A, f = F_A (w_1, w_2, w_3) and t = F_A (w_5, -w_4, 0), the sum of
# gradients times efforts, G^T w, is
#
# -R_A f , f x d + t x z_A on A , R_A f , p_B x R_B^T R_A f + z x R_B^T R_A t on B .


@block
def add_bearing_forces(
    s: RollingLaw, fa: Placed, fb: Placed, a: Node, b: Node, damp: F8, work: BearingWork, r: A1
) -> F8:
    """Add G^T w of five deflections to r; return the power dissipated by damping."""
    e = work.e
    effort = work.effort
    RA = a.R
    RB = b.R
    axes = fa.axes
    p = fb.at
    z = (fb.axes[2], fb.axes[5], fb.axes[8])
    d = mtv(RA, sub(add(b.x, mv(RB, p)), a.x))
    zA = mtv(RA, mv(RB, z))
    shift = mtv(axes, sub(d, fa.at))
    lean = mtv(axes, zA)
    e[0] = shift[0]
    e[1] = shift[1]
    e[2] = shift[2]
    e[3] = -lean[1]
    e[4] = lean[0]
    e[5] = 0.0
    for i in range(6):
        effort[i] = 0.0
    if s.rollers_roll:
        add_roller_forces(s.rollers, e, effort)
        add_flange(s, work)
    else:
        work.most.outer = 0.0
        add_balls(s.balls, e, effort, work.stiffness, work.most, 0)
    loss = 0.0
    if s.damped:
        moving = sub(mtv(RA, sub(add(b.v, mv(RB, cross(b.w, p))), a.v)), cross(a.w, d))
        leaning = mtv(axes, sub(mtv(RA, mv(RB, cross(b.w, z))), cross(a.w, zA)))
        shifting = mtv(axes, moving)
        c = damp * s.damping
        effort[0] += c * shifting[0]
        effort[1] += c * shifting[1]
        effort[2] += c * shifting[2]
        loss = c * (shifting[0] ** 2 + shifting[1] ** 2 + shifting[2] ** 2)
        c = damp * s.tilt_damping
        effort[3] -= c * leaning[1]
        effort[4] += c * leaning[0]
        loss += c * (leaning[0] ** 2 + leaning[1] ** 2)
    f = mv(axes, (effort[0], effort[1], effort[2]))
    t = mv(axes, (effort[4], -effort[3], 0.0))
    force = mv(RA, f)
    add_vec(r, 0, mul(-1.0, force))
    add_vec(r, 3, add(cross(f, d), cross(t, zA)))
    add_vec(r, 6, force)
    add_vec(r, 9, add(cross(p, mtv(RB, force)), cross(z, mtv(RB, mv(RA, t)))))
    return loss


# ---- rolling records

# From the contact law of a bearing to the record of its kernel.

_FAR = 1e300


def rolling_record(law: ContactLaw, damping: float, friction: Mapping[str, float]) -> dict[str, Any]:
    """Values of `RollingLaw`."""
    tilts = 0.0 if isinstance(law, RollerLaw) and law.aligning else 0.5 * law.lever**2
    flange = law.flange
    return {
        "rollers_roll": isinstance(law, RollerLaw),
        "times": law.times,
        "components": 6 if law.cage_ratio or friction else 5,
        "damped": damping > 0.0,
        "damping": damping,
        "tilt_damping": damping * tilts,
        "flange_stiffness": flange.stiffness,
        "flange_up": min(flange.gap_up, _FAR),
        "flange_down": min(flange.gap_down, _FAR),
        "friction": friction,
        **({"balls": _balls(law)} if isinstance(law, BallLaw) else {}),
        **({"rollers": _rollers(law)} if isinstance(law, RollerLaw) else {}),
    }


def _places(law: ContactLaw) -> np.ndarray:
    c, s = law.waves(np.zeros(6))
    return np.column_stack([c.ravel(), s.ravel()])


def _balls(law: BallLaw) -> Mapping[str, Any]:
    return {
        "distance": law.distance,
        "radial": law.radial,
        "axial": law.axial,
        "lever": law.lever,
        "one_sided": law.one_sided,
        "stiffness": law.both,
        "inner_stiffness": law.stiffness[0],
        "outer_stiffness": law.stiffness[1],
        "inner_length": law.lengths[0],
        "outer_length": law.lengths[1],
        "centrifugal": law.centrifugal,
        "cage_ratio": law.cage_ratio,
        "pressure": law.pressure,
        "rows": np.array([(row.direction, row.position) for row in law.rows]),
        "places": _places(law),
    }


def _rollers(law: RollerLaw) -> Mapping[str, Any]:
    directions, positions = np.array([(row.direction, row.position) for row in law.rows]).T
    points = np.column_stack([law.points, law.gaps, law.weights, 1.0 / law.lengths])
    if law.aligning:  # without tilt both halves of a roller have the same load: one of them represents both
        points = points[law.points > 0.0] * (1.0, 1.0, 2.0, 0.5)
    return {
        "cosine": math.cos(law.angle),
        "sine": math.sin(law.angle),
        "approach": law.approach,
        "half_length": 0.0 if law.aligning else 0.5 * float(law.lengths.sum()),
        "cage_ratio": law.cage_ratio,
        "pressure": max(law.pressure),
        "rows": np.column_stack([directions, law.levers(directions, positions)]),
        "places": _places(law),
        "points": points,
    }
