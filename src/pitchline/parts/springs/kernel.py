"""Bushings, and forces and torques on bodies.

Bushings and bearings: a 6x6 stiffness and damping between two frames.

Force and moment are the gradient of the deflections e (see `parts.flexible.kernel_elastic`) applied to w = K e + C de/dt.
"""

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
    counted_angle,
    initial_turns,
    rate,
    turning,
    unit_signal,
)
from pitchline.numerics.fields import INTEGER, VECTOR, behind, embedded, fields, inline, packed
from pitchline.numerics.functions import value_of
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, V3, block, kernel, leaf
from pitchline.numerics.vectors import add, add_mat, add_vec, cross, dot, mm, mtv, mul, mv, skew, sub, tr

from ..flexible.kernel_elastic import deflection, deflection_stiffness

BushingData = fields(
    "Bushing",
    on=embedded(Measure),  # the two frames
    stiffness=inline(6, 6),
    damping=inline(6, 6),
    damped=INTEGER,
    n_components=INTEGER,
    n_entries=INTEGER,
    components=behind("n_components", of="integer"),  # with stiffness or damping: most bushings have few
    entries=behind("n_entries", 2, of="integer"),  # rows and columns of the entries in use
)
Deformation = fields(
    "Deformation",
    e=inline(6),
    rate=inline(6),
    effort=inline(6),  # w = K e + C de/dt
    gradient=inline(6, 12),  # of e, by the coordinates of both nodes
    turning=inline(6, 12),  # of de/dt, at constant velocities
)


@block
def _deform(s: BushingData, m: Turns, a: Node, b: Node, w: Deformation, damp: F8, every: I8):
    """e, de/dt and w = K e + C de/dt, with gradients: of every component, or only of those in use."""
    e = w.e
    speed = w.rate
    effort = w.effort
    for i in range(6):
        e[i] = speed[i] = effort[i] = 0.0
    components = s.components
    gradient = w.gradient
    for n in range(6 if every else components.size):
        i = n if every else components[n]
        e[i] = deflection(s.on.a, s.on.b, m.angle, a, b, i, gradient[i])
        speed[i] = rate(gradient[i], a, b)
    stiffness = s.stiffness
    damping = s.damping
    entries = s.entries
    for n in range(entries.shape[0]):
        i = entries[n, 0]
        j = entries[n, 1]
        effort[i] += stiffness[i, j] * e[j] + damp * damping[i, j] * speed[j]


@block
def _tangent(s: BushingData, a: Node, b: Node, w: Deformation, K: F8, D: F8, damp: F8, J: A2):
    components = s.components
    damped = s.damped
    turn = w.turning
    # rates change with position: row i of `turning` is V^T (derivative of gradient i), computed in J and removed again
    if damped:
        for n in range(components.size):
            i = components[n]
            deflection_stiffness(s.on.a, s.on.b, a, b, i, 1.0, J)
            for j in range(12):
                turn[i, j] = turning(J, j, a, b)
            for k in range(12):
                for j in range(12):
                    J[k, j] = 0.0
    # geometric stiffness of w
    effort = w.effort
    for n in range(components.size):
        i = components[n]
        if effort[i] != 0.0:
            deflection_stiffness(s.on.a, s.on.b, a, b, i, K * effort[i], J)
    # G^T (c_K K + c_D C) G + c_K G^T C turn
    stiffness = s.stiffness
    damping = s.damping
    entries = s.entries
    gradient = w.gradient
    for n in range(entries.shape[0]):
        i = entries[n, 0]
        l = entries[n, 1]
        k = K * stiffness[i, l] + damp * D * damping[i, l]
        c = damp * K * damping[i, l]
        for j in range(12):
            f = k * gradient[l, j]
            if damped:
                f += c * turn[l, j]
            for q in range(12):
                J[q, j] += gradient[i, q] * f


@leaf
def _loss(s: BushingData, w: Deformation, damp: F8) -> F8:
    """Power dissipated: rates times the damping part of w."""
    speed = w.rate
    damping = s.damping
    entries = s.entries
    loss = 0.0
    for n in range(entries.shape[0]):
        i = entries[n, 0]
        j = entries[n, 1]
        loss += damp * speed[i] * damping[i, j] * speed[j]
    return loss


@leaf
def _energy(s: BushingData, w: Deformation) -> F8:
    e = w.e
    stiffness = s.stiffness
    entries = s.entries
    energy = 0.0
    for n in range(entries.shape[0]):
        i = entries[n, 0]
        j = entries[n, 1]
        energy += 0.5 * e[i] * stiffness[i, j] * e[j]
    return energy


@kernel
def evaluate(s, m, x, w, ask, r, J):
    _deform(s, m, x.a, x.b, w, ask.damp, 0)
    ask.power_out += _loss(s, w, ask.damp)
    if ask.mode == TANGENT:
        _tangent(s, x.a, x.b, w, ask.K, ask.D, ask.damp, J)
    components = s.components
    effort = w.effort
    gradient = w.gradient
    for n in range(components.size):
        i = components[n]
        f = effort[i]
        if f != 0.0:
            for j in range(12):
                r[j] += gradient[i, j] * f


@kernel
def accept(s, m, x, w, ask):
    m.angle = counted_angle(s.on, m, x.a, x.b)


@kernel
def report(s, m, x, w, ask, out):
    _deform(s, m, x.a, x.b, w, ask.damp, 1)
    e = w.e
    effort = w.effort
    gradient = w.gradient
    out.potential = _energy(s, w)
    out.power_out = _loss(s, w, ask.damp)
    out.force = mul(-1.0, mv(mm(x.a.R, s.on.a.axes), (effort[0], effort[1], effort[2])))
    # moment on B about the origin of its frame: the last three gradients, transformed to world axes
    moment = (0.0, 0.0, 0.0)
    for i in range(3, 6):
        moment = add(moment, mul(-effort[i], (gradient[i, 9], gradient[i, 10], gradient[i, 11])))
    out.moment = mv(x.b.R, moment)
    out.deflection = (e[0], e[1], e[2])
    out.rotation = (e[3], e[4], e[5])


BUSHING = ElementKind(
    "bushing",
    evaluate,
    BushingData,
    memory=Turns,
    scratch=Deformation,
    accept=accept,
    report=report,
    signals=(
        unit_signal("force", "N", "force on the second body at the origin of its frame"),
        unit_signal("moment", "N*m", "moment on the second body about the origin of its frame"),
        SignalSpec("deflection", "m", "displacement of the second frame, in axes of the first", 3),
        SignalSpec("rotation", "rad", "tilt about x and y, rotation about z, in axes of the first frame", 3),
    ),
    exchanges_power=True,
    full_pattern=True,
)


def bushing(name: str, nodes: tuple[int, int], frames: np.void, stiffness: np.ndarray, damping: np.ndarray) -> Element:
    """`frames` as from `encode_measure`; stiffness and damping (6, 6) in the axes of frame A."""
    used = (stiffness != 0.0) | (damping != 0.0)
    values = {
        "on": frames,
        "stiffness": stiffness,
        "damping": damping,
        "damped": bool(damping.any()),
        "components": (used.any(axis=0) | used.any(axis=1)).nonzero()[0],
        "entries": np.array(used.nonzero()).T,
    }
    return Element(BUSHING, name, nodes, packed(BushingData, values), memory=initial_turns())


# ---- load

# Forces and torques on bodies, fixed in space or following the body, with or without a reaction on another body.
#
# The load acts on B (node 1), its reaction on A (node 0) at the same point of space, so that both are in equilibrium.
# For an external load A is the ground.

FORCE, TORQUE = 0, 1

VectorLoad = fields(
    "Load",
    following=INTEGER,  # 1: components in the axes of B, 0: in world axes
    point=VECTOR,  # where a force acts, axes of B
    x=INTEGER,  # places of the functions of the three components
    y=INTEGER,
    z=INTEGER,
)


@leaf
def _components(s: VectorLoad, ask: Ask) -> V3:
    load = ask.load
    t = ask.t
    return (
        load * value_of(ask.functions, s.x, t)[0],
        load * value_of(ask.functions, s.y, t)[0],
        load * value_of(ask.functions, s.z, t)[0],
    )


@leaf
def in_world(s: VectorLoad, f: V3, b: Node) -> V3:
    return mv(b.R, f) if s.following else f


@leaf
def in_b(s: VectorLoad, f: V3, b: Node) -> V3:
    return f if s.following else mtv(b.R, f)


@leaf
def torque_power(a: Node, b: Node, fA: V3, fB: V3) -> F8:
    """Power of a torque on B and its reaction on A, each in the axes of its node."""
    return dot(fB, b.w) - dot(fA, a.w)


@leaf
def force_power(a: Node, b: Node, pB: V3, arm: V3, fW: V3) -> F8:
    """Power of a force on B and its reaction at the same point, which A sees at `arm`."""
    vB = add(b.v, mv(b.R, cross(b.w, pB)))
    vA = add(a.v, cross(mv(a.R, a.w), arm))
    return dot(fW, sub(vB, vA))


@leaf
def point_from_a(a: Node, b: Node, pB: V3) -> V3:
    """The point of B seen from A, world axes."""
    return sub(add(b.x, mv(b.R, pB)), a.x)


@block
def put_torque(s: VectorLoad, a: Node, b: Node, f: V3, ask: Ask, r: A1, J: A2):
    """Torque with components f on B, and its reaction on A."""
    RA = a.R
    fA = mtv(RA, in_world(s, f, b))
    fB = in_b(s, f, b)
    ask.power_in += torque_power(a, b, fA, fB)
    add_vec(r, 3, fA)
    add_vec(r, 9, mul(-1.0, fB))
    if ask.mode == TANGENT:
        K = ask.K
        add_mat(J, 3, 3, K, skew(fA))
        if s.following:
            add_mat(J, 3, 9, -K, mm(mm(tr(RA), b.R), skew(f)))
        else:
            add_mat(J, 9, 9, -K, skew(fB))


@kernel
def evaluate_torque(s, m, x, w, ask, r, J):
    put_torque(s, x.a, x.b, _components(s, ask), ask, r, J)


@kernel
def report_torque(s, m, x, w, ask, out):
    f = _components(s, ask)
    fW = in_world(s, f, x.b)
    out.power_in = torque_power(x.a, x.b, mtv(x.a.R, fW), in_b(s, f, x.b))
    out.torque = fW


@block
def put_force(s: VectorLoad, a: Node, b: Node, f: V3, ask: Ask, r: A1, J: A2):
    """Force with components f at a point of B, and its reaction on A."""
    pB = s.point
    RA = a.R
    RB = b.R
    fB = in_b(s, f, b)
    fW = in_world(s, f, b)
    arm = point_from_a(a, b, pB)
    ask.power_in += force_power(a, b, pB, arm, fW)
    moment = cross(arm, fW)
    add_vec(r, 0, fW)
    add_vec(r, 3, mtv(RA, moment))
    add_vec(r, 6, mul(-1.0, fW))
    add_vec(r, 9, mul(-1.0, cross(pB, fB)))
    if ask.mode == TANGENT:
        K = ask.K
        TA = tr(RA)
        Sf = skew(fW)
        RP = mm(RB, skew(pB))
        add_mat(J, 3, 0, K, mm(TA, Sf))
        add_mat(J, 3, 6, -K, mm(TA, Sf))
        add_mat(J, 3, 3, K, mm(mm(TA, skew(moment)), RA))
        add_mat(J, 3, 9, K, mm(mm(TA, Sf), RP))
        if s.following:
            RF = mm(RB, skew(f))
            add_mat(J, 0, 9, -K, RF)
            add_mat(J, 6, 9, K, RF)
            add_mat(J, 3, 9, -K, mm(mm(TA, skew(arm)), RF))
        else:
            add_mat(J, 9, 9, -K, mm(skew(pB), skew(fB)))


@kernel
def evaluate_force(s, m, x, w, ask, r, J):
    put_force(s, x.a, x.b, _components(s, ask), ask, r, J)


@kernel
def report_force(s, m, x, w, ask, out):
    fW = in_world(s, _components(s, ask), x.b)
    out.power_in = force_power(x.a, x.b, s.point, point_from_a(x.a, x.b, s.point), fW)
    out.force = fW


FORCE_LOAD = ElementKind(
    "force",
    evaluate_force,
    VectorLoad,
    report=report_force,
    signals=(unit_signal("force", "N", "force on the body"),),
    exchanges_power=True,
    full_pattern=True,
)
TORQUE_LOAD = ElementKind(
    "torque",
    evaluate_torque,
    VectorLoad,
    report=report_torque,
    signals=(unit_signal("torque", "N*m", "torque on the body"),),
    exchanges_power=True,
    full_pattern=True,
)


def load(
    name: str,
    nodes: tuple[int, int],
    what: int,
    *,
    following: bool,
    point: np.ndarray,
    functions: tuple[int, int, int],
) -> Element:
    """A force (at a point of B) or a torque with components given as functions, in world or B axes."""
    values = {"following": following, "point": point} | dict(zip("xyz", functions, strict=True))
    return Element(FORCE_LOAD if what == FORCE else TORQUE_LOAD, name, nodes, packed(VectorLoad, values))
