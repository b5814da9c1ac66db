"""Forces at points of nodes: position and velocity of a point, residual and tangent of a force that acts there.

A point p is fixed in a node (x, R), node axes. A force F on it, world axes, enters the residual as (F, p x R^T F). With

    o = x + R p,   u = v + R (omega x p),   delta o = delta x - R p~ delta theta,
    delta u = delta v - R p~ delta omega - R (omega x p)~ delta theta

all derivatives of forces that depend on positions and velocities of points follow.
"""

from ..math.compiled import A1, A2, F8, I8, M9, V3, leaf
from ..math.vectors import add, add_mat, add_vec, cross, mat_sum, mm, mtv, mv, scaled, skew, tr
from .contract import Node


@leaf
def point(a: Node, p: V3) -> V3:
    """Position of a point, world axes."""
    return add(a.x, mv(a.R, p))


@leaf
def point_velocity(a: Node, p: V3) -> V3:
    """Velocity of a point, world axes."""
    return add(a.v, mv(a.R, cross(a.w, p)))


@leaf
def add_force(r: A1, i: I8, a: Node, p: V3, F: V3):
    """Add a force at a point of node a, whose rows begin at i, to a residual (which is the negative load)."""
    add_vec(r, i, F)
    add_vec(r, i + 3, cross(p, mtv(a.R, F)))


@leaf
def add_force_tangent(J: A2, i: I8, a: Node, p: V3, j: I8, b: Node, q: V3, A: M9, C: M9):
    """Add the derivative of a force at point p of node a (rows i) with respect to the motion of point q of node b (columns j).

    A = ask.K dF/do + ask.D dF/du, C = ask.K dF/du. The rotation of the force's own node is in `add_force_rotation`.
    """
    by_position = A
    by_rotation = scaled(-1.0, mat_sum(mm(A, mm(b.R, skew(q))), mm(C, mm(b.R, skew(cross(b.w, q))))))
    arm = mm(skew(p), tr(a.R))
    add_mat(J, i, j, 1.0, by_position)
    add_mat(J, i, j + 3, 1.0, by_rotation)
    add_mat(J, i + 3, j, 1.0, mm(arm, by_position))
    add_mat(J, i + 3, j + 3, 1.0, mm(arm, by_rotation))


@leaf
def add_force_rotation(J: A2, i: I8, a: Node, p: V3, F: V3, K: F8):
    """Add the effect of the rotation of node a on the moment p x R^T F of a force at its point p; K is ask.K."""
    add_mat(J, i + 3, i + 3, K, mm(skew(p), skew(mtv(a.R, F))))
