"""Motion of a frame on a node, and relative to a frame on another node.

With the node at x, R and rates v, w (node axes), a frame at p (node axes) has the origin x + R p, its velocity v + R (w x p) and
its acceleration a + R (al x p + w x (w x p)). An observer in a frame G that moves measures, with d = o - o_G and the rates of G
in world axes,

    position      R_G^T d
    velocity      R_G^T u ,          u = v - v_G - w_G x d
    acceleration  R_G^T (a - a_G - al_G x d - w_G x (w_G x d) - 2 w_G x u)
    angular       R_G^T (w - w_G) ,  R_G^T (al - al_G - w_G x (w - w_G)) .
"""

import math

from ..math.compiled import M9, V3, V4, leaf
from ..math.vectors import add, cross, mm, mtv, mul, mv, sub, tr
from .contract import Node, Placed

__all__ = [
    "origin", "origin_acceleration", "origin_velocity", "quaternion_of_matrix", "relative_acceleration",
    "relative_angular_acceleration", "relative_angular_velocity", "relative_orientation", "relative_position",
    "relative_velocity",
]  # fmt: skip


@leaf
def origin(s: Placed, n: Node) -> V3:
    """Origin of a frame, world axes."""
    return add(n.x, mv(n.R, s.at))


@leaf
def origin_velocity(s: Placed, n: Node) -> V3:
    """Velocity of the origin of a frame, world axes."""
    return add(n.v, mv(n.R, cross(n.w, s.at)))


@leaf
def origin_acceleration(s: Placed, n: Node) -> V3:
    """Acceleration of the origin of a frame, world axes."""
    return add(n.a, mv(n.R, add(cross(n.al, s.at), cross(n.w, cross(n.w, s.at)))))


@leaf
def relative_position(s: Placed, n: Node, g: Placed, k: Node) -> V3:
    """Origin of frame s on node n, as seen in frame g on node k."""
    return mtv(g.axes, mtv(k.R, sub(origin(s, n), origin(g, k))))


@leaf
def _observed(s: Placed, n: Node, g: Placed, k: Node) -> V3:
    """Velocity of the origin of s for an observer on node k, world axes."""
    d = sub(origin(s, n), origin(g, k))
    return sub(sub(origin_velocity(s, n), origin_velocity(g, k)), cross(mv(k.R, k.w), d))


@leaf
def relative_velocity(s: Placed, n: Node, g: Placed, k: Node) -> V3:
    """Rate of `relative_position`."""
    return mtv(g.axes, mtv(k.R, _observed(s, n, g, k)))


@leaf
def relative_acceleration(s: Placed, n: Node, g: Placed, k: Node) -> V3:
    """Rate of `relative_velocity`."""
    d = sub(origin(s, n), origin(g, k))
    w = mv(k.R, k.w)
    a = sub(origin_acceleration(s, n), origin_acceleration(g, k))
    a = sub(sub(a, cross(mv(k.R, k.al), d)), cross(w, cross(w, d)))
    return mtv(g.axes, mtv(k.R, sub(a, mul(2.0, cross(w, _observed(s, n, g, k))))))


@leaf
def relative_angular_velocity(n: Node, g: Placed, k: Node) -> V3:
    """Angular velocity of node n relative to node k, in the axes of frame g on k."""
    return mtv(g.axes, sub(mtv(k.R, mv(n.R, n.w)), k.w))


@leaf
def relative_angular_acceleration(n: Node, g: Placed, k: Node) -> V3:
    """Rate of `relative_angular_velocity`."""
    w = mtv(k.R, mv(n.R, n.w))
    al = sub(mtv(k.R, mv(n.R, n.al)), k.al)
    return mtv(g.axes, sub(al, cross(k.w, sub(w, k.w))))


@leaf
def relative_orientation(s: Placed, n: Node, g: Placed, k: Node) -> V4:
    """Orientation of frame s relative to frame g, as a unit quaternion."""
    return quaternion_of_matrix(mm(tr(mm(k.R, g.axes)), mm(n.R, s.axes)))


@leaf
def quaternion_of_matrix(M: M9) -> V4:
    """Unit quaternion (w, x, y, z) of a rotation matrix, from its largest component."""
    trace = M[0] + M[4] + M[8]
    if trace > 0.0:
        s = math.sqrt(1.0 + trace)
        k = 0.5 / s
        return (0.5 * s, k * (M[7] - M[5]), k * (M[2] - M[6]), k * (M[3] - M[1]))
    if M[0] >= M[4] and M[0] >= M[8]:
        s = math.sqrt(1.0 + M[0] - M[4] - M[8])
        k = 0.5 / s
        return (k * (M[7] - M[5]), 0.5 * s, k * (M[1] + M[3]), k * (M[2] + M[6]))
    if M[4] >= M[8]:
        s = math.sqrt(1.0 - M[0] + M[4] - M[8])
        k = 0.5 / s
        return (k * (M[2] - M[6]), k * (M[1] + M[3]), 0.5 * s, k * (M[5] + M[7]))
    s = math.sqrt(1.0 - M[0] - M[4] + M[8])
    k = 0.5 / s
    return (k * (M[3] - M[1]), k * (M[2] + M[6]), k * (M[5] + M[7]), 0.5 * s)
