"""Forces and torques on bodies, fixed in space or following the body, with or without a reaction on another body.

The load acts on B (node 1), its reaction on A (node 0) at the same point of space, so that both are in equilibrium. For an
external load A is the ground.
"""

import numpy as np

from ..math.compiled import A1, A2, F8, V3, block, kernel, leaf
from ..math.fields import INTEGER, VECTOR, fields, packed
from ..math.functions import value_of
from ..math.vectors import add, add_mat, add_vec, cross, dot, mm, mtv, mul, mv, skew, sub, tr
from .contract import TANGENT, Ask, Element, ElementKind, Node, unit_signal

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
