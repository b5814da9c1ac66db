"""Gear pair whose friction or losses hold at rest: one more row than `kernel`, that of `parts.friction.kernel_sticking`.

The limits of the effort at rest are proportional to the tooth force, which is an unknown itself. Its derivatives are in the
tangent, so that a self-locking worm, whose friction grows with the load, is solved exactly.

Rows: that of the teeth, unless their force is a function of the approach; that of friction.
"""

import math

from pitchline.engine.elements.contract import (
    PAIR_ROWS,
    RATE,
    TANGENT,
    Ask,
    Element,
    ElementKind,
    Node,
    SignalSpec,
    rate,
)
from pitchline.numerics.fields import NUMBER, embedded, fields, inline, packed
from pitchline.numerics.machine_code.compiled import A1, A2, B1, F8, V2, V3, block, kernel, leaf
from pitchline.numerics.vectors import add, cross, dot, mm, mtv, mul, mv, set_vec, sub, tr, vec

from ..friction.kernel_sticking import (
    DRIVEN,
    HELD,
    MEMORY,
    MODE,
    SCRATCH,
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
from .kernel import RACK_SIGNALS, loaded_teeth, mesh_face_load, mesh_rows, no_position, teeth_rows
from .kernel_engagement import MESH_SIGNALS, count_turns, far_apart, report_apart, report_mesh
from .kernel_law import NO_FRICTION, SPRING, Law
from .kernel_records import FIRST_LOOK, MeshFrame, MeshMemory, MeshParameters, MeshScratch
from .kernel_stiffness import force_gradient
from .kernel_wrench import friction_coefficient, put_work, relative_axis

# ---- mesh sliding

# Coordinate of the friction of a gear mesh: the sliding of its teeth along themselves, or the rotation that has
# losses.
#
# Friction: at the pitch point teeth slide along their length eta1 while the wheels rotate. The coordinate is the
# displacement along eta1 of the point of A relative to the point of B at C_B. Losses: the relative rotation of the
# wheels about L = mu1 + (c_A/c_B) xi1 (mu1 for a rack). With the tooth force f along the hoop and the direction of
# motion d = +1 or -1, the effort against the motion is
#
# friction: d mu(|v|) |f| / cos(alpha), losses: d l |f|, l the lever of the wheel that drives (A if f d > 0).
#
# Friction on the path of contact is a moment against the same rotation, with the lever mu g/cos(alpha)
# (`kernel_wrench`).
#
# The anchor stores where teeth stick: the point C_B in the axes of both nodes, or the rotation of B relative to A.
# The coordinate is measured from there. Sliding across the teeth, up and down their profile, has no friction: it
# occurs only if centres or elastic teeth move.

RubbingPair = fields(
    "RubbingPair",
    pair=embedded(MeshParameters),
    rub=embedded(Law),  # friction and losses; those of `pair` are zero
    reference=NUMBER,  # mass or inertia that scales the row, and its compliance; written by the compile step
    compliance=NUMBER,
)
RubbingMemory = fields("RubbingMemory", law=inline(MEMORY), mesh=embedded(MeshMemory), anchor=inline(9))
RubbingScratch = fields(
    "RubbingScratch",
    mesh=embedded(MeshScratch),
    step=inline(SCRATCH),
    limits=inline(2),
    g=inline(12),  # gradient of the coordinate, rotations in node axes
    by_motion=inline(12),  # derivative of the tooth force
)

ROLLED = 1e-3
"""Distance of C_B from the anchor, as a fraction of the pitch, after which the anchor follows: teeth that hold each other along
their length can roll."""


@leaf
def slides(s: RubbingPair) -> B1:
    """Whether the coordinate is the sliding of the teeth; otherwise a rotation."""
    return s.rub.friction != NO_FRICTION and s.rub.path == 0.0


@leaf
def loss_axis(s: RubbingPair, frame: MeshFrame) -> V3:
    """Unit vector along the relative rotation of wheels in mesh."""
    axis = relative_axis(s.pair.geometry, frame)
    return mul(1.0 / math.sqrt(dot(axis, axis)), axis)


@block
def sliding_gradient(s: RubbingPair, frame: MeshFrame, a: Node, b: Node, g: A1):
    """Gradient of the coordinate, rotations in node axes."""
    if slides(s):
        e = frame.e1
        put_work(g, e, mtv(a.R, cross(e, frame.arm_a)), mtv(b.R, cross(e, frame.arm_b)))
    else:
        axis = loss_axis(s, frame)
        put_work(g, (0.0, 0.0, 0.0), mtv(a.R, axis), mul(-1.0, mtv(b.R, axis)))


@block
def set_anchor(s: RubbingPair, frame: MeshFrame, a: Node, b: Node, anchor: A1):
    """Measure the coordinate from the present position."""
    if slides(s):
        set_vec(anchor, 0, mul(-1.0, mtv(a.R, frame.arm_a)))
        set_vec(anchor, 3, mtv(b.R, frame.arm_b))
        set_vec(anchor, 6, (0.0, 0.0, 0.0))
    else:
        Q = mm(tr(a.R), b.R)
        for i in range(9):
            anchor[i] = Q[i]


@block
def position_from_anchor(s: RubbingPair, frame: MeshFrame, a: Node, b: Node, anchor: A1) -> F8:
    """The coordinate."""
    if slides(s):
        apart = sub(add(a.x, mv(a.R, vec(anchor, 0))), add(b.x, mv(b.R, vec(anchor, 3))))
        return dot(frame.e1, apart)
    Q = (anchor[0], anchor[1], anchor[2], anchor[3], anchor[4], anchor[5], anchor[6], anchor[7], anchor[8])
    E = mm(mm(a.R, Q), tr(b.R))
    turned = (0.5 * (E[7] - E[5]), 0.5 * (E[2] - E[6]), 0.5 * (E[3] - E[1]))
    return dot(loss_axis(s, frame), turned)


@leaf
def has_rolled(s: RubbingPair, frame: MeshFrame, a: Node, anchor: A1) -> B1:
    """Whether the pitch point has moved away from the anchor."""
    if not slides(s):
        return False
    way = add(mtv(a.R, frame.arm_a), vec(anchor, 0))
    return dot(way, way) > (ROLLED * s.pair.geometry.pitch) ** 2


@leaf
def grip(s: RubbingPair, functions: A1, f: F8, sign: F8, v: F8) -> V3:
    """Effort over |f|, without sign, and its derivatives by the speed and by |f|, in a direction of motion."""
    if s.rub.friction == NO_FRICTION:
        return (s.rub.loss_lever_a if f * sign > 0.0 else s.rub.loss_lever_b, 0.0, 0.0)
    ca = s.pair.geometry.cos_alpha
    reach = 1.0 if slides(s) else s.rub.path
    mu = friction_coefficient(s.rub, functions, reach * abs(v), abs(f) / ca)
    return (reach * mu[0] / ca, reach * reach * mu[1] / ca, reach * mu[2] / (ca * ca))


@leaf
def _tooth_force(w: RubbingScratch) -> F8:
    return w.mesh.law.elastic + w.mesh.law.damping


@leaf
def _set_limits(s: RubbingPair, functions: A1, w: RubbingScratch):
    """Limits of the effort at rest."""
    f = _tooth_force(w)
    w.limits[0] = -grip(s, functions, f, -1.0, 0.0)[0] * abs(f)
    w.limits[1] = grip(s, functions, f, 1.0, 0.0)[0] * abs(f)


@leaf
def _effort(s: RubbingPair, functions: A1, f: F8, now: F8, v: F8) -> V3:
    """(effort in motion over |f|, its derivatives by the speed and by |f|); zero at rest."""
    sign = is_slipping(now)
    if sign == 0.0:
        return (0.0, 0.0, 0.0)
    c = grip(s, functions, f, sign, v)
    return (sign * c[0], c[1] if sign * v >= 0.0 else -c[1], sign * c[2])


@leaf
def _multipliers(s: RubbingPair, lam: A1) -> V2:
    """Multipliers of the teeth."""
    rows = teeth_rows(s.pair.law)
    return (lam[0] if rows > 0 else 0.0, lam[1] if rows > 1 else 0.0)


@block
def _free_row(s: RubbingPair, ask: Ask, k: F8, lam: F8, r: A1, J: A2):
    """The row of wheels out of mesh: no effort."""
    i = int(k)
    if ask.mode != RATE:
        r[i] += lam / (s.reference * ask.L)
        if ask.mode == TANGENT:
            J[i, i] += 1.0 / s.reference


@kernel
def evaluate(s, m, x, w, ask, r, J):
    firm = teeth_rows(s.pair.law)
    lam_n = _multipliers(s, x.lam)
    lam = x.lam[firm]
    k = 12 + firm
    tangent = 1 if ask.mode == TANGENT else 0
    if loaded_teeth(s.pair, m.mesh, x.a, x.b, lam_n, tangent, 0, ask, w.mesh) == 0:
        if far_apart(s.pair, x.a, x.b) == 0.0:
            no_position(r)
        _free_row(s, ask, float(k), lam, r, J)
        return
    mesh_rows(s.pair, x.a, x.b, ask, w.mesh, r, J)
    f = _tooth_force(w)
    g = w.g
    sliding_gradient(s, w.mesh.frame, x.a, x.b, g)
    v = rate(g, x.a, x.b)
    _set_limits(s, ask.functions, w)
    now = present_law(m.law, w.step, ask, v, lam, w.limits[0], w.limits[1])
    c = _effort(s, ask.functions, f, now, friction_speed(m.law, v))
    effort = c[0] * abs(f)
    slope = c[1] * abs(f)
    gap = position_from_anchor(s, w.mesh.frame, x.a, x.b, m.anchor) - m.law[HELD]
    scale = (s.reference, s.compliance)
    row = sticking_row(m.law, w.step, now, ask, gap, v, lam, (effort, slope), scale, w.limits[0], w.limits[1])
    if ask.mode == RATE:
        r[k] += sticking_rate(m.law, now, ask, v, row[0], scale)
        return
    r[k] += row[0]
    held = holds(m.law, now)
    total = lam if held != 0.0 else effort
    ask.power_out += effort * v
    for i in range(12):
        r[i] += total * g[i]
    if tangent == 0:
        return
    for j in range(12):
        J[k, j] += (row[1] + row[2] * ask.L * ask.D) * g[j]
        change = slope * ask.D * g[j]
        for i in range(12):
            J[i, j] += change * g[i]
        J[j, k] += held * g[j]
    J[k, k] += row[3]
    by_force = c[0] + abs(f) * c[2]
    of_limit = row_by_limit(m.law, w.step, now, ask, v, scale, w.limits[0], w.limits[1])
    at_limit = 0.0
    if of_limit[0] != 0.0:
        most = grip(s, ask.functions, f, of_limit[1], 0.0)
        at_limit = of_limit[0] * (most[0] + abs(f) * most[2])
    if f < 0.0:
        by_force = -by_force
        at_limit = -at_limit
    if by_force == 0.0 and at_limit == 0.0:
        return
    in_row = at_limit * ask.L - by_force / s.reference
    if firm > 0:
        for i in range(12):
            J[i, 12] += by_force * g[i]
        J[k, 12] += in_row
    else:
        by_motion = w.by_motion
        force_gradient(s.pair, x.a, x.b, ask, w.mesh, by_motion)
        for j in range(12):
            J[k, j] += in_row * by_motion[j]
            for i in range(12):
                J[i, j] += by_force * g[i] * by_motion[j]


@block
def _motion(s: RubbingPair, m: RubbingMemory, a: Node, b: Node, lam: V2, ask: Ask, w: RubbingScratch) -> V2:
    """(speed, acceleration) of the coordinate, and the limits. Out of mesh all are zero."""
    w.limits[0] = 0.0
    w.limits[1] = 0.0
    if loaded_teeth(s.pair, m.mesh, a, b, lam, 0, 0, ask, w.mesh) == 0:
        return (0.0, 0.0)
    g = w.g
    sliding_gradient(s, w.mesh.frame, a, b, g)
    _set_limits(s, ask.functions, w)
    return (rate(g, a, b), along(g, a.a, a.al, b.a, b.al))


@kernel
def begin(s, m, x, w, ask):
    firm = teeth_rows(s.pair.law)
    v, acceleration = _motion(s, m, x.a, x.b, _multipliers(s, x.lam), ask, w)
    begin_sticking(
        m.law, w.step, ask, (s.reference, s.compliance), v, acceleration, x.lam[firm], w.limits[0], w.limits[1]
    )


@kernel
def guard(s, m, x, w, ask):
    firm = teeth_rows(s.pair.law)
    v, acceleration = _motion(s, m, x.a, x.b, _multipliers(s, x.lam), ask, w)
    guard_sticking(m.law, w.step, ask, v, acceleration, x.lam[firm], w.limits[0], w.limits[1])


@kernel
def accept(s, m, x, w, ask):
    count_turns(s.pair, m.mesh, x.a, x.b, w.mesh)
    firm = teeth_rows(s.pair.law)
    v, acceleration = _motion(s, m, x.a, x.b, _multipliers(s, x.lam), ask, w)
    frame = w.mesh.frame
    if m.law[MODE] != STICKS:
        set_anchor(s, frame, x.a, x.b, m.anchor)
    position = position_from_anchor(s, frame, x.a, x.b, m.anchor)
    accept_sticking(m.law, w.step, ask, position, v, acceleration, x.lam[firm], w.limits[0], w.limits[1])
    if m.law[MODE] == STICKS and has_rolled(s, frame, x.a, m.anchor):
        m.law[HELD] -= position
        set_anchor(s, frame, x.a, x.b, m.anchor)


@block
def _add_friction(s: RubbingPair, effort: F8, v: F8, w: RubbingScratch):
    """Add friction to the wrench of the teeth, for the report."""
    out = w.mesh.wrench
    frame = w.mesh.frame
    if slides(s):
        force = mul(effort, frame.e1)
        out.force = add(out.force, force)
        out.moment_a = add(out.moment_a, cross(force, frame.arm_a))
        out.moment_b = add(out.moment_b, cross(force, frame.arm_b))
        out.friction_loss = effort * v
    else:
        couple = mul(effort, loss_axis(s, frame))
        out.moment_a = add(out.moment_a, couple)
        out.moment_b = sub(out.moment_b, couple)
        if s.rub.friction != NO_FRICTION:
            out.friction_loss = effort * v
            out.sliding = s.rub.path * abs(v)
    out.lost += effort * v


@kernel
def report(s, m, x, w, ask, out):
    firm = teeth_rows(s.pair.law)
    lam_n = _multipliers(s, x.lam)
    if loaded_teeth(s.pair, m.mesh, x.a, x.b, lam_n, 0, 1, ask, w.mesh) == 0:
        report_apart(m.mesh, far_apart(s.pair, x.a, x.b), out)
        return
    sliding_gradient(s, w.mesh.frame, x.a, x.b, w.g)
    v = rate(w.g, x.a, x.b)
    f = _tooth_force(w)
    now = m.law[MODE]
    if now == STICKS:
        _add_friction(s, x.lam[firm] if m.law[DRIVEN] == 0.0 else 0.0, 0.0, w)
    else:
        u = friction_speed(m.law, v)
        _add_friction(s, _effort(s, ask.functions, f, now, u)[0] * abs(f), v, w)
    report_mesh(s.pair, m.mesh, w.mesh, out)
    out.friction_state = is_slipping(now)
    springs = s.pair.law.width > 0.0 and s.pair.law.form == SPRING
    if s.pair.law.face_loads != 0 or springs or s.pair.law.tilt_width > 0.0:
        out.face_load_factor = mesh_face_load(s.pair, ask.functions, w.mesh)


FRICTION_STATE = SignalSpec("friction_state", "", "0: the teeth stick; +1 or -1: they slide in that direction")

STICKING_MESH = ElementKind(
    "gear mesh that sticks",
    evaluate,
    RubbingPair,
    seen=PAIR_ROWS,
    memory=RubbingMemory,
    scratch=RubbingScratch,
    begin=begin,
    guard=guard,
    accept=accept,
    report=report,
    signals=(*MESH_SIGNALS, FRICTION_STATE),
    exchanges_power=True,
    full_pattern=True,
)


def sticking_mesh(teeth: Element, rub: object) -> Element:
    """Gear pair with friction that sticks. teeth: the pair without friction, from `gear_mesh`; rub: `encode_law` with friction."""
    pair = teeth.values
    turns = rub["friction"] == NO_FRICTION or rub["path"] > 0.0  # type: ignore[index]
    law = "r" if turns else "t"
    memory = packed(RubbingMemory, {"mesh": {"state": FIRST_LOOK}})
    parameters = packed(RubbingPair, {"pair": pair, "rub": rub, "reference": 1.0, "compliance": 0.0})
    assert teeth.signals is not None
    return Element(
        STICKING_MESH, teeth.name, teeth.nodes, parameters, rows=teeth.rows + law, memory=memory, every_step=True, soft=True,
        switches=True, firm=len(teeth.rows), firm_soft=teeth.soft, closing_force=teeth.closing_force,
        signals=(*teeth.signals, FRICTION_STATE.name), rename=dict(RACK_SIGNALS) if pair["geometry"]["rack"] else {},
    )  # fmt: skip
