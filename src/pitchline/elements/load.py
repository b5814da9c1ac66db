"""Forces and torques on bodies, space-fixed or following, with or without a reaction on another body.

The load acts on B (node 1), its reaction on A (node 0) at the same point of space, so that both are in balance. An
external load has ground as A.
"""

import numpy as np

from ..math.compiled import A1, V3, kernel, leaf
from ..math.functions import value_of
from ..math.vectors import (
    add,
    add_mat,
    add_vec,
    cross,
    dot,
    mm,
    mtv,
    mul,
    mv,
    rotation,
    row,
    set_vec,
    skew,
    sub,
    tr,
    vec,
)
from .contract import C_K, LOAD, POWER_IN, REPORT, TANGENT, TIME, Element, ElementKind, unit_signal

FORCE, TORQUE = 0, 1


@leaf
def _components(p: A1, F: A1, c: A1) -> V3:
    s = c[LOAD]
    t = c[TIME]
    return (
        s * value_of(F, int(p[5]), t)[0],
        s * value_of(F, int(p[6]), t)[0],
        s * value_of(F, int(p[7]), t)[0],
    )


@kernel
def evaluate(p, h, F, P, V, A, lam, c, mode, r, J):
    # p: force or torque, following B or not, point in B (3), places of the three component functions
    following = p[1] != 0.0
    pB = vec(p, 2)
    RA = rotation(P, 0)
    RB = rotation(P, 1)
    f = _components(p, F, c)
    fB = f if following else mtv(RB, f)
    fW = mv(RB, f) if following else f
    fA = mtv(RA, fW)
    K = c[C_K]
    if int(p[0]) == TORQUE:
        if mode == REPORT:
            r[2] = dot(fB, row(V, 1, 3)) - dot(fA, row(V, 0, 3))
            set_vec(r, 4, fW)
            return
        r[POWER_IN] = dot(fB, row(V, 1, 3)) - dot(fA, row(V, 0, 3))
        add_vec(r, 3, fA)
        add_vec(r, 9, mul(-1.0, fB))
        if mode == TANGENT:
            add_mat(J, 3, 3, K, skew(fA))
            if following:
                add_mat(J, 3, 9, -K, mm(mm(tr(RA), RB), skew(f)))
            else:
                add_mat(J, 9, 9, -K, skew(fB))
        return
    arm = sub(add(row(P, 1, 0), mv(RB, pB)), row(P, 0, 0))  # the point seen from A
    vB = add(row(V, 1, 0), mv(RB, cross(row(V, 1, 3), pB)))
    vA = add(row(V, 0, 0), cross(mv(RA, row(V, 0, 3)), arm))
    power = dot(fW, sub(vB, vA))
    if mode == REPORT:
        r[2] = power
        set_vec(r, 4, fW)
        return
    r[POWER_IN] = power
    m = cross(arm, fW)
    add_vec(r, 0, fW)
    add_vec(r, 3, mtv(RA, m))
    add_vec(r, 6, mul(-1.0, fW))
    add_vec(r, 9, mul(-1.0, cross(pB, fB)))
    if mode == TANGENT:
        TA = tr(RA)
        Sf = skew(fW)
        RP = mm(RB, skew(pB))
        add_mat(J, 3, 0, K, mm(TA, Sf))
        add_mat(J, 3, 6, -K, mm(TA, Sf))
        add_mat(J, 3, 3, K, mm(mm(TA, skew(m)), RA))
        add_mat(J, 3, 9, K, mm(mm(TA, Sf), RP))
        if following:
            RF = mm(RB, skew(f))
            add_mat(J, 0, 9, -K, RF)
            add_mat(J, 6, 9, K, RF)
            add_mat(J, 3, 9, -K, mm(mm(TA, skew(arm)), RF))
        else:
            add_mat(J, 9, 9, -K, mm(skew(pB), skew(fB)))


FORCE_LOAD = ElementKind(
    "force",
    evaluate,
    signals=(unit_signal("force", "N", "force on the body"),),
    exchanges_power=True,
    full_pattern=True,
)
TORQUE_LOAD = ElementKind(
    "torque",
    evaluate,
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
    p = np.concatenate([[what, following], point, functions])
    return Element(FORCE_LOAD if what == FORCE else TORQUE_LOAD, name, nodes, p)
