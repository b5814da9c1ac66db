"""Spin of a body about an axis z that is fixed in another body (its housing), and moments about that axis.

z is in node axes of the housing H; E = R_H^T R_B. The spin is  z.(E w_B - w_H). A moment M about z on B, with its reaction on H,
enters the residual as -M E^T z (B) and M z (H). Row numbers are those of the rotations, i for B and h for H.
"""

from ..math.compiled import A1, A2, F8, I8, V3, block, leaf
from ..math.vectors import add_mat, add_vec, cross, dot, mm, mtv, mul, mv, outer, skew, tr
from .contract import Ask, Node


@leaf
def spin_about(z: V3, h: Node, b: Node) -> F8:
    """Angular speed of B relative to H about z."""
    return dot(z, mtv(h.R, mv(b.R, b.w))) - dot(z, h.w)


@leaf
def add_moment(r: A1, i: I8, at_h: I8, z: V3, h: Node, b: Node, M: F8):
    """Add a moment about z on B, and its reaction on H."""
    add_vec(r, i, mul(-M, mtv(b.R, mv(h.R, z))))
    add_vec(r, at_h, mul(M, z))


@leaf
def _add_rows(J: A2, i: I8, at_h: I8, j: I8, k: F8, y: V3, z: V3, gradient: V3):
    add_mat(J, i, j, -k, outer(y, gradient))
    add_mat(J, at_h, j, k, outer(z, gradient))


@block
def add_moment_by_spin(J: A2, i: I8, at_h: I8, j: I8, z: V3, h: Node, b: Node, c: Node, ask: Ask, by_spin: F8):
    """Add the derivative of the moment on B (rows i) with respect to the spin of C (columns j; also those of H)."""
    y = mtv(b.R, mv(h.R, z))
    y_c = mtv(c.R, mv(h.R, z))
    u = mtv(h.R, mv(c.R, c.w))
    D = ask.D * by_spin
    K = ask.K * by_spin
    _add_rows(J, i, at_h, j, D, y, z, y_c)
    _add_rows(J, i, at_h, at_h, -D, y, z, z)
    _add_rows(J, i, at_h, j, K, y, z, cross(c.w, y_c))
    _add_rows(J, i, at_h, at_h, -K, y, z, cross(u, z))


@block
def add_moment_rotation(J: A2, i: I8, at_h: I8, z: V3, h: Node, b: Node, ask: Ask, M: F8):
    """Add the effect of the rotation of both bodies on the direction of the moment on B."""
    E = mm(tr(h.R), b.R)
    y = mtv(E, z)
    add_mat(J, i, i, -ask.K * M, skew(y))
    add_mat(J, i, at_h, ask.K * M, mm(tr(E), skew(z)))
