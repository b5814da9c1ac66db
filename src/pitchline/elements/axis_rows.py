"""Orientation rows of lower pairs: directions that stay perpendicular.

Row by row Phi = a . b with a fixed in A and b in B. With s = R_A a, t = R_B b the gradients in node axes are
a x R_A^T t (rotation of A) and b x R_B^T s (rotation of B). The first rows share one direction a, so that their
multipliers act as one vector mu = sum lambda_i b_i.
"""

import numpy as np

from ..math.compiled import A1, A2, F8, I8, M9, V3, leaf
from ..math.vectors import add, add_gradient, add_mat, add_vec, cross, dot, mm, mtv, mul, mv, skew, tr, vec

# parameters from offset o on: number of rows that share a (0..2), extra row (0/1), a, b1, b2, extra a, extra b
SIZE = 17


@leaf
def pair_gradient(J: A2, i: I8, a: V3, b: V3, RA: M9, RB: M9):
    """Row i: gradient of (R_A a).(R_B b)."""
    add_gradient(J, i, 3, cross(a, mtv(RA, mv(RB, b))))
    add_gradient(J, i, 9, cross(b, mtv(RB, mv(RA, a))))


@leaf
def pair_force(r: A1, a: V3, mu: V3, RA: M9, RB: M9):
    """Moments of the multipliers: gradient of (R_A a).(R_B mu)."""
    add_vec(r, 3, cross(a, mtv(RA, mv(RB, mu))))
    add_vec(r, 9, cross(mu, mtv(RB, mv(RA, a))))


@leaf
def pair_stiffness(J: A2, k: F8, a: V3, mu: V3, RA: M9, RB: M9):
    """Second derivative of (R_A a).(R_B mu), times k."""
    W = mm(tr(RA), RB)
    Sa = skew(a)
    Sm = skew(mu)
    add_mat(J, 3, 3, k, mm(Sa, skew(mv(W, mu))))
    add_mat(J, 9, 9, k, mm(Sm, skew(mtv(W, a))))
    AB = mm(Sa, mm(W, Sm))
    add_mat(J, 3, 9, -k, AB)
    add_mat(J, 9, 3, -k, tr(AB))


@leaf
def shared_multiplier(p: A1, o: I8, lam: A1, first: I8) -> V3:
    """mu = lambda_1 b1 + lambda_2 b2 of the rows that share a."""
    n = int(p[o])
    mu = (0.0, 0.0, 0.0)
    if n > 0:
        mu = mul(lam[first], vec(p, o + 5))
    if n > 1:
        mu = add(mu, mul(lam[first + 1], vec(p, o + 8)))
    return mu


@leaf
def axis_residual(p: A1, o: I8, lam: A1, first: I8, RA: M9, RB: M9, r: A1):
    """Phi of the orientation rows (row `first` on) and the moments of their multipliers."""
    n = int(p[o])
    if n > 0:
        a = vec(p, o + 2)
        aB = mtv(RB, mv(RA, a))
        pair_force(r, a, shared_multiplier(p, o, lam, first), RA, RB)
        r[12 + first] += dot(aB, vec(p, o + 5))
        if n > 1:
            r[13 + first] += dot(aB, vec(p, o + 8))
    if p[o + 1] != 0.0:
        a = vec(p, o + 11)
        b = vec(p, o + 14)
        pair_force(r, a, mul(lam[first + n], b), RA, RB)
        r[12 + first + n] += dot(mtv(RB, mv(RA, a)), b)


@leaf
def axis_tangent(p: A1, o: I8, lam: A1, first: I8, RA: M9, RB: M9, k: F8, J: A2):
    """Gradients of the orientation rows and the geometric stiffness of their multipliers."""
    n = int(p[o])
    if n > 0:
        a = vec(p, o + 2)
        pair_gradient(J, 12 + first, a, vec(p, o + 5), RA, RB)
        if n > 1:
            pair_gradient(J, 13 + first, a, vec(p, o + 8), RA, RB)
        pair_stiffness(J, k, a, shared_multiplier(p, o, lam, first), RA, RB)
    if p[o + 1] != 0.0:
        a = vec(p, o + 11)
        b = vec(p, o + 14)
        pair_gradient(J, 12 + first + n, a, b, RA, RB)
        pair_stiffness(J, k, a, mul(lam[first + n], b), RA, RB)


@leaf
def pair_rate(a: V3, b: V3, RA: M9, RB: M9, wA: V3, wB: V3) -> F8:
    return dot(wA, cross(a, mtv(RA, mv(RB, b)))) + dot(wB, cross(b, mtv(RB, mv(RA, a))))


@leaf
def axis_rate(p: A1, o: I8, first: I8, RA: M9, RB: M9, wA: V3, wB: V3, r: A1):
    """dPhi/dt of the orientation rows."""
    n = int(p[o])
    if n > 0:
        r[12 + first] += pair_rate(vec(p, o + 2), vec(p, o + 5), RA, RB, wA, wB)
    if n > 1:
        r[13 + first] += pair_rate(vec(p, o + 2), vec(p, o + 8), RA, RB, wA, wB)
    if p[o + 1] != 0.0:
        r[12 + first + n] += pair_rate(vec(p, o + 11), vec(p, o + 14), RA, RB, wA, wB)


@leaf
def axis_moment(p: A1, o: I8, lam: A1, first: I8, RA: M9, RB: M9) -> V3:
    """Moment of the orientation rows on B, world axes (a load: minus the residual)."""
    n = int(p[o])
    t = mv(RB, shared_multiplier(p, o, lam, first))
    moment = cross(mv(RA, vec(p, o + 2)), t)
    if p[o + 1] != 0.0:
        moment = add(moment, mul(lam[first + n], cross(mv(RA, vec(p, o + 11)), mv(RB, vec(p, o + 14)))))
    return moment


def encode_axes(
    a: np.ndarray | None = None,
    *bs: np.ndarray,
    extra: tuple[np.ndarray, np.ndarray] | None = None,
) -> np.ndarray:
    """Parameters of the orientation rows: a . b = 0 for every b, and one more pair of directions."""
    p = np.zeros(SIZE)
    p[0] = len(bs)
    if a is not None:
        p[2:5] = a
    for i, b in enumerate(bs):
        p[5 + 3 * i : 8 + 3 * i] = b
    if extra is not None:
        p[1] = 1.0
        p[11:14], p[14:17] = extra
    return p


def count_rows(axes: np.ndarray) -> int:
    """Number of orientation rows that encoded axes stand for."""
    return int(axes[0] + axes[1])
