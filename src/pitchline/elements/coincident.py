"""Lower pairs whose points coincide: spherical, universal, revolute, fixed.

Phi_1..3 = x_B + R_B p_B - x_A - R_A p_A   (world axes),   then orientation rows (`axis_rows`)
"""

import numpy as np

from ..math.compiled import kernel
from ..math.vectors import (
    EYE,
    add,
    add_gradients,
    add_mat,
    add_vec,
    cross,
    mm,
    mtv,
    mul,
    mv,
    rotation,
    row,
    set_vec,
    skew,
    sub,
    vec,
)
from .axis_rows import axis_moment, axis_rate, axis_residual, axis_tangent, count_rows
from .contract import C_K, RATE, REPORT, TANGENT, Element, ElementKind, unit_signal

REACTION_SIGNALS = (
    unit_signal("force", "N", "force of the joint on its second body, at the joint point"),
    unit_signal("moment", "N*m", "moment of the joint on its second body, about the joint point"),
)


@kernel
def evaluate(p, h, F, P, V, A, lam, c, mode, r, J):
    # p: p_A (3), p_B (3), orientation rows
    pA = vec(p, 0)
    pB = vec(p, 3)
    RA = rotation(P, 0)
    RB = rotation(P, 1)
    if mode == RATE:
        wA = row(V, 0, 3)
        wB = row(V, 1, 3)
        vA = add(row(V, 0, 0), mv(RA, cross(wA, pA)))
        vB = add(row(V, 1, 0), mv(RB, cross(wB, pB)))
        add_vec(r, 12, sub(vB, vA))
        axis_rate(p, 6, 3, RA, RB, wA, wB, r)
        return
    l = vec(lam, 0)
    if mode == REPORT:
        set_vec(r, 4, mul(-1.0, l))
        set_vec(r, 7, axis_moment(p, 6, lam, 3, RA, RB))
        return
    lA = mtv(RA, l)
    lB = mtv(RB, l)
    add_vec(r, 0, mul(-1.0, l))
    add_vec(r, 3, cross(lA, pA))
    add_vec(r, 6, l)
    add_vec(r, 9, cross(pB, lB))
    add_vec(r, 12, sub(add(row(P, 1, 0), mv(RB, pB)), add(row(P, 0, 0), mv(RA, pA))))
    axis_residual(p, 6, lam, 3, RA, RB, r)
    if mode == TANGENT:
        k = c[C_K]
        SA = skew(pA)
        SB = skew(pB)
        add_gradients(J, 12, 0, (-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0))
        add_gradients(J, 12, 3, mm(RA, SA))
        add_gradients(J, 12, 6, EYE)
        add_gradients(J, 12, 9, mm(RB, skew(mul(-1.0, pB))))
        add_mat(J, 3, 3, -k, mm(SA, skew(lA)))
        add_mat(J, 9, 9, k, mm(SB, skew(lB)))
        axis_tangent(p, 6, lam, 3, RA, RB, k, J)


COINCIDENT = ElementKind("coincident", evaluate, signals=REACTION_SIGNALS)


def coincident(
    name: str, nodes: tuple[int, int], point_a: np.ndarray, point_b: np.ndarray, axes: np.ndarray
) -> Element:
    """Two points held together, and the orientation rows `axes` (see `encode_axes`)."""
    return Element(
        COINCIDENT, name, nodes, np.concatenate([point_a, point_b, axes]), rows="ttt" + "r" * count_rows(axes)
    )
