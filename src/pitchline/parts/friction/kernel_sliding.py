"""Lower pairs whose point slides: constraint rows, and the inertia of a sliding mass.

Lower pairs whose point slides: prismatic, cylindrical, planar, point on line, point on plane, parallel axes.

For up to two directions e fixed in A:  Phi = e . (R_A^T (x_B + R_B p_B - x_A) - p_A),  then orientation rows.
Forces on both bodies act at the same point of B, so that they are in equilibrium in every configuration.
"""

import numpy as np

from pitchline.engine.elements.axis_rows import Axes, axis_moment, axis_rate, axis_residual, axis_tangent, count_rows
from pitchline.engine.elements.contract import (
    PAIR_ROWS,
    RATE,
    TANGENT,
    Element,
    ElementKind,
    Measure,
    Node,
    direction_stiffness,
)
from pitchline.numerics.fields import INTEGER, VECTOR, embedded, fields, packed
from pitchline.numerics.machine_code.compiled import A1, F8, I8, V3, block, kernel, leaf
from pitchline.numerics.vectors import add, add_gradient, add_vec, cross, dot, mtv, mul, mv, set_vec, sub

from ..bodies.kernel_joint import REACTION_SIGNALS

__all__ = ["sliding_acceleration", "sliding_acceleration_derivatives"]


Sliding = fields(
    "Sliding",
    directions=INTEGER,  # 0 to 2
    point_a=VECTOR,
    point_b=VECTOR,
    e1=VECTOR,  # node axes of A
    e2=VECTOR,
    axes=embedded(Axes),
)


@leaf
def _direction(s: Sliding, i: I8) -> V3:
    return s.e1 if i == 0 else s.e2


@leaf
def _force_in_a(s: Sliding, lam: A1) -> V3:
    """sum lambda_i e_i, node axes of A."""
    f = (0.0, 0.0, 0.0)
    if s.directions > 0:
        f = mul(lam[0], s.e1)
    if s.directions > 1:
        f = add(f, mul(lam[1], s.e2))
    return f


@kernel
def evaluate(s, m, x, w, ask, r, J):
    n = s.directions
    pB = s.point_b
    RA = x.a.R
    RB = x.b.R
    dA = mtv(RA, sub(add(x.b.x, mv(RB, pB)), x.a.x))  # the point of B relative to A
    if ask.mode == RATE:
        wA = x.a.w
        wB = x.b.w
        vA = add(x.a.v, mv(RA, cross(wA, dA)))
        vB = add(x.b.v, mv(RB, cross(wB, pB)))
        slip = mtv(RA, sub(vB, vA))
        for i in range(n):
            r[12 + i] += dot(_direction(s, i), slip)
        axis_rate(s.axes, n, RA, RB, wA, wB, r)
        return
    lam = x.lam
    f = _force_in_a(s, lam)
    fW = mv(RA, f)
    fB = mtv(RB, fW)
    add_vec(r, 0, mul(-1.0, fW))
    add_vec(r, 3, cross(f, dA))
    add_vec(r, 6, fW)
    add_vec(r, 9, cross(pB, fB))
    gap = sub(dA, s.point_a)
    for i in range(n):
        r[12 + i] += dot(_direction(s, i), gap)
    axis_residual(s.axes, lam, n, RA, RB, r)
    if ask.mode == TANGENT:
        k = ask.K
        for i in range(n):
            e = _direction(s, i)
            eW = mv(RA, e)
            add_gradient(J, 12 + i, 0, mul(-1.0, eW))
            add_gradient(J, 12 + i, 3, cross(e, dA))
            add_gradient(J, 12 + i, 6, eW)
            add_gradient(J, 12 + i, 9, cross(pB, mtv(RB, eW)))
        direction_stiffness(pB, x.a, x.b, f, k, J)
        axis_tangent(s.axes, lam, n, RA, RB, k, J)


@kernel
def report(s, m, x, w, ask, out):
    lam = x.lam
    RA = x.a.R
    out.force = mul(-1.0, mv(RA, _force_in_a(s, lam)))
    out.moment = axis_moment(s.axes, lam, s.directions, RA, x.b.R)


SLIDING = ElementKind("sliding", evaluate, Sliding, PAIR_ROWS, report=report, signals=REACTION_SIGNALS)


def sliding(
    name: str,
    nodes: tuple[int, int],
    point_a: np.ndarray,
    point_b: np.ndarray,
    directions: tuple[np.ndarray, ...],
    axes: np.void,
) -> Element:
    """Constrain the point of B in up to two directions of A, with the orientation rows `axes`."""
    values = {"directions": len(directions), "point_a": point_a, "point_b": point_b, "axes": axes}
    values |= {f"e{i}": e for i, e in enumerate(directions, 1)}
    return Element(SLIDING, name, nodes, packed(Sliding, values), rows="t" * len(directions) + "r" * count_rows(axes))


# ---- sliding acceleration

# Acceleration of the displacement of a joint, and its derivatives.
#
# With the axis e of joint frame A and the point p of joint frame B, both in node axes,
#
#     D = R_A^T (x_B + R_B p - x_A) ,     U = R_A^T (v_B + R_B (w_B x p) - v_A) ,
#     T = R_A^T (a_B + R_B (al_B x p + w_B x (w_B x p)) - a_A) ,     h = e x w_A ,     m = h x w_A - e x al_A ,
#
# the displacement is s = e . D and its second derivative in time is s'' = e . T - 2 h . U + m . D.


@leaf
def _along(s: Measure) -> V3:
    A = s.a.axes
    return (A[2], A[5], A[8])


@leaf
def _T(p: V3, a: Node, b: Node) -> V3:
    y = add(cross(b.al, p), cross(b.w, cross(b.w, p)))
    return mtv(a.R, sub(add(b.a, mv(b.R, y)), a.a))


@leaf
def _U(p: V3, a: Node, b: Node) -> V3:
    return mtv(a.R, sub(add(b.v, mv(b.R, cross(b.w, p))), a.v))


@leaf
def _D(p: V3, a: Node, b: Node) -> V3:
    return mtv(a.R, sub(add(b.x, mv(b.R, p)), a.x))


@leaf
def sliding_acceleration(s: Measure, a: Node, b: Node) -> F8:
    """s''."""
    e = _along(s)
    p = s.b.at
    h = cross(e, a.w)
    m = sub(cross(h, a.w), cross(e, a.al))
    return dot(e, _T(p, a, b)) - 2.0 * dot(h, _U(p, a, b)) + dot(m, _D(p, a, b))


@block
def sliding_acceleration_derivatives(s: Measure, a: Node, b: Node, by_v: A1, by_q: A1):
    """Derivatives of s'' by velocities and by positions of both nodes. That by accelerations is the gradient of s."""
    e = _along(s)
    p = s.b.at
    T = _T(p, a, b)
    U = _U(p, a, b)
    D = _D(p, a, b)
    h = cross(e, a.w)
    m = sub(cross(h, a.w), cross(e, a.al))
    wp = cross(b.w, p)
    y = add(cross(b.al, p), cross(b.w, wp))
    e_b = mtv(b.R, mv(a.R, e))
    h_w = mv(a.R, h)
    h_b = mtv(b.R, h_w)
    m_w = mv(a.R, m)
    m_b = mtv(b.R, m_w)
    set_vec(by_v, 0, mul(2.0, h_w))
    set_vec(by_v, 3, add(mul(-2.0, cross(U, e)), add(cross(cross(a.w, D), e), cross(D, h))))
    set_vec(by_v, 6, mul(-2.0, h_w))
    set_vec(by_v, 9, add(add(cross(wp, e_b), cross(p, cross(e_b, b.w))), mul(-2.0, cross(p, h_b))))
    set_vec(by_q, 0, mul(-1.0, m_w))
    set_vec(by_q, 3, sub(mul(2.0, cross(U, h)), add(cross(T, e), cross(D, m))))
    set_vec(by_q, 6, m_w)
    set_vec(by_q, 9, add(add(cross(y, e_b), mul(-2.0, cross(wp, h_b))), cross(p, m_b)))
