"""Acceleration of the displacement of a joint, and its derivatives.

With the axis e of joint frame A and the point p of joint frame B, both in node axes,

    D = R_A^T (x_B + R_B p - x_A) ,     U = R_A^T (v_B + R_B (w_B x p) - v_A) ,
    T = R_A^T (a_B + R_B (al_B x p + w_B x (w_B x p)) - a_A) ,     h = e x w_A ,     m = h x w_A - e x al_A ,

the displacement is s = e . D and its second derivative in time is s'' = e . T - 2 h . U + m . D.
"""

from ..math.compiled import A1, F8, V3, block, leaf
from ..math.vectors import add, cross, dot, mtv, mul, mv, set_vec, sub
from .contract import Node
from .scalar_geometry import Measure

__all__ = ["sliding_acceleration", "sliding_acceleration_derivatives"]


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
