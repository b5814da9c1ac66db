"""Lower pairs whose point slides: prismatic, cylindrical, planar, point on line, point on plane, parallel axes.

For up to two directions e fixed in A:  Phi = e . (R_A^T (x_B + R_B p_B - x_A) - p_A),  then orientation rows.
Forces on both bodies act at the one point of B, so that they balance in every configuration.
"""

import numpy as np

from ..math.compiled import A1, V3, kernel, leaf
from ..math.vectors import (
    add,
    add_gradient,
    add_vec,
    cross,
    dot,
    mtv,
    mul,
    mv,
    rotation,
    row,
    set_vec,
    sub,
    vec,
)
from .axis_rows import axis_moment, axis_rate, axis_residual, axis_tangent, count_rows
from .coincident import REACTION_SIGNALS
from .contract import C_K, RATE, REPORT, TANGENT, Element, ElementKind
from .scalar_geometry import direction_stiffness


@leaf
def _force_in_a(p: A1, lam: A1) -> V3:
    """sum lambda_i e_i, node axes of A."""
    n = int(p[0])
    f = (0.0, 0.0, 0.0)
    if n > 0:
        f = mul(lam[0], vec(p, 7))
    if n > 1:
        f = add(f, mul(lam[1], vec(p, 10)))
    return f


@kernel
def evaluate(p, h, F, P, V, A, lam, c, mode, r, J):
    # p: number of directions (0..2), p_A (3), p_B (3), e1 (3), e2 (3), orientation rows
    n = int(p[0])
    pA = vec(p, 1)
    pB = vec(p, 4)
    RA = rotation(P, 0)
    RB = rotation(P, 1)
    arm = mv(RB, pB)
    dA = mtv(RA, sub(add(row(P, 1, 0), arm), row(P, 0, 0)))  # the point of B seen from A
    if mode == RATE:
        wA = row(V, 0, 3)
        wB = row(V, 1, 3)
        vA = add(row(V, 0, 0), mv(RA, cross(wA, dA)))
        vB = add(row(V, 1, 0), mv(RB, cross(wB, pB)))
        slip = mtv(RA, sub(vB, vA))
        for i in range(n):
            r[12 + i] += dot(vec(p, 7 + 3 * i), slip)
        axis_rate(p, 13, n, RA, RB, wA, wB, r)
        return
    f = _force_in_a(p, lam)
    if mode == REPORT:
        set_vec(r, 4, mul(-1.0, mv(RA, f)))
        set_vec(r, 7, axis_moment(p, 13, lam, n, RA, RB))
        return
    fW = mv(RA, f)
    fB = mtv(RB, fW)
    add_vec(r, 0, mul(-1.0, fW))
    add_vec(r, 3, cross(f, dA))
    add_vec(r, 6, fW)
    add_vec(r, 9, cross(pB, fB))
    gap = sub(dA, pA)
    for i in range(n):
        r[12 + i] += dot(vec(p, 7 + 3 * i), gap)
    axis_residual(p, 13, lam, n, RA, RB, r)
    if mode == TANGENT:
        k = c[C_K]
        for i in range(n):
            e = vec(p, 7 + 3 * i)
            eW = mv(RA, e)
            add_gradient(J, 12 + i, 0, mul(-1.0, eW))
            add_gradient(J, 12 + i, 3, cross(e, dA))
            add_gradient(J, 12 + i, 6, eW)
            add_gradient(J, 12 + i, 9, cross(pB, mtv(RB, eW)))
        direction_stiffness(pB, P, f, k, J)
        axis_tangent(p, 13, lam, n, RA, RB, k, J)


SLIDING = ElementKind("sliding", evaluate, signals=REACTION_SIGNALS)


def sliding(
    name: str,
    nodes: tuple[int, int],
    point_a: np.ndarray,
    point_b: np.ndarray,
    directions: tuple[np.ndarray, ...],
    axes: np.ndarray,
) -> Element:
    """The point of B held in up to two directions of A, and the orientation rows `axes`."""
    e = np.zeros(6)
    for i, direction in enumerate(directions):
        e[3 * i : 3 * i + 3] = direction
    p = np.concatenate([[len(directions)], point_a, point_b, e, axes])
    return Element(SLIDING, name, nodes, p, rows="t" * len(directions) + "r" * count_rows(axes))
