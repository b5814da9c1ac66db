"""Orientation rows of lower pairs: directions that stay perpendicular.

For each row Phi = a . b with a fixed in A and b in B. With s = R_A a, t = R_B b the gradients in node axes are a x R_A^T t
(rotation of A) and b x R_B^T s (rotation of B). The first rows share one direction a, so that their multipliers act as one
vector mu = sum lambda_i b_i.
"""

from typing import Any

import numpy as np

from ..math.compiled import A1, A2, F8, I8, M9, V3, leaf
from ..math.fields import INTEGER, VECTOR, fields, packed
from ..math.vectors import add, add_gradient, add_mat, add_vec, cross, dot, mm, mtv, mul, mv, skew, tr

Axes = fields(
    "Axes",
    shared=INTEGER,  # rows that share the direction a: a . b1 and a . b2, 0 to 2
    extra=INTEGER,  # 1: one more row, extra_a . extra_b
    a=VECTOR,
    b1=VECTOR,
    b2=VECTOR,
    extra_a=VECTOR,
    extra_b=VECTOR,
)


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
def shared_multiplier(s: Axes, lam: A1, first: I8) -> V3:
    """mu = lambda_1 b1 + lambda_2 b2 of the rows that share a."""
    n = s.shared
    mu = (0.0, 0.0, 0.0)
    if n > 0:
        mu = mul(lam[first], s.b1)
    if n > 1:
        mu = add(mu, mul(lam[first + 1], s.b2))
    return mu


@leaf
def axis_residual(s: Axes, lam: A1, first: I8, RA: M9, RB: M9, r: A1):
    """Phi of the orientation rows (row `first` on) and the moments of their multipliers."""
    n = s.shared
    if n > 0:
        a = s.a
        aB = mtv(RB, mv(RA, a))
        pair_force(r, a, shared_multiplier(s, lam, first), RA, RB)
        r[12 + first] += dot(aB, s.b1)
        if n > 1:
            r[13 + first] += dot(aB, s.b2)
    if s.extra:
        a = s.extra_a
        b = s.extra_b
        pair_force(r, a, mul(lam[first + n], b), RA, RB)
        r[12 + first + n] += dot(mtv(RB, mv(RA, a)), b)


@leaf
def axis_tangent(s: Axes, lam: A1, first: I8, RA: M9, RB: M9, k: F8, J: A2):
    """Gradients of the orientation rows and the geometric stiffness of their multipliers."""
    n = s.shared
    if n > 0:
        a = s.a
        pair_gradient(J, 12 + first, a, s.b1, RA, RB)
        if n > 1:
            pair_gradient(J, 13 + first, a, s.b2, RA, RB)
        pair_stiffness(J, k, a, shared_multiplier(s, lam, first), RA, RB)
    if s.extra:
        a = s.extra_a
        b = s.extra_b
        pair_gradient(J, 12 + first + n, a, b, RA, RB)
        pair_stiffness(J, k, a, mul(lam[first + n], b), RA, RB)


@leaf
def pair_rate(a: V3, b: V3, RA: M9, RB: M9, wA: V3, wB: V3) -> F8:
    return dot(wA, cross(a, mtv(RA, mv(RB, b)))) + dot(wB, cross(b, mtv(RB, mv(RA, a))))


@leaf
def axis_rate(s: Axes, first: I8, RA: M9, RB: M9, wA: V3, wB: V3, r: A1):
    """dPhi/dt of the orientation rows."""
    n = s.shared
    if n > 0:
        r[12 + first] += pair_rate(s.a, s.b1, RA, RB, wA, wB)
    if n > 1:
        r[13 + first] += pair_rate(s.a, s.b2, RA, RB, wA, wB)
    if s.extra:
        r[12 + first + n] += pair_rate(s.extra_a, s.extra_b, RA, RB, wA, wB)


@leaf
def axis_moment(s: Axes, lam: A1, first: I8, RA: M9, RB: M9) -> V3:
    """Moment of the orientation rows on B, world axes (a load: minus the residual)."""
    n = s.shared
    t = mv(RB, shared_multiplier(s, lam, first))
    moment = cross(mv(RA, s.a), t)
    if s.extra:
        moment = add(moment, mul(lam[first + n], cross(mv(RA, s.extra_a), mv(RB, s.extra_b))))
    return moment


def encode_axes(
    a: np.ndarray | None = None,
    *bs: np.ndarray,
    extra: tuple[np.ndarray, np.ndarray] | None = None,
) -> np.void:
    """The orientation rows as a record `Axes`: a . b = 0 for every b, and one more pair of directions."""
    values: dict[str, Any] = {"shared": len(bs), "extra": extra is not None}
    if a is not None:
        values["a"] = a
    values |= {f"b{i}": b for i, b in enumerate(bs, 1)}
    if extra is not None:
        values["extra_a"], values["extra_b"] = extra
    return Axes.named(packed(Axes, values))


def count_rows(axes: np.void) -> int:
    """Number of orientation rows of encoded axes."""
    return int(axes["shared"] + axes["extra"])
