"""Motion of frames on nodes and relative to each other, with gradients, and coordinates that follow it.

Motion of a frame on a node, and relative to a frame on another node.

With the node at x, R and rates v, w (node axes), a frame at p (node axes) has the origin x + R p, its velocity v + R (w x p) and
its acceleration a + R (al x p + w x (w x p)). An observer in a frame G that moves measures, with d = o - o_G and the rates of G
in world axes,

    position      R_G^T d
    velocity      R_G^T u ,          u = v - v_G - w_G x d
    acceleration  R_G^T (a - a_G - al_G x d - w_G x (w_G x d) - 2 w_G x u)
    angular       R_G^T (w - w_G) ,  R_G^T (al - al_G - w_G x (w - w_G)) .
"""

import math

import numpy as np

from pitchline.numerics.fields import embedded, fields, packed
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, M9, V2, V3, V4, block, kernel, leaf
from pitchline.numerics.vectors import add, add_mat, add_vec, cross, dot, mm, mtv, mul, mv, outer, skew, sub, tr

from .contract import (
    Ask,
    Element,
    ElementKind,
    Gradient,
    Measure,
    Node,
    Placed,
    SignalSpec,
    Turns,
    angle_gradient,
    counted_angle,
    displacement,
    displacement_gradient,
    initial_turns,
    measure_stiffness,
    rate,
    turning,
)

__all__ = [
    "origin",
    "origin_acceleration",
    "origin_velocity",
    "quaternion_of_matrix",
    "relative_acceleration",
    "relative_angular_acceleration",
    "relative_angular_velocity",
    "relative_orientation",
    "relative_position",
    "relative_velocity",
]


# ---- coordinate

# Coordinate of a joint: an angle that counts its revolutions, a displacement. It only observes and causes no force.
#
# The angle is computed from the pose as a principal value plus full revolutions, which are counted at accepted steps.
# It is not a sum of increments, so that there is no drift for any number of revolutions. All elements that act on the
# coordinate (drives, springs, stops, loads) use the memory of this element.

Coordinate = fields("Coordinate", on=embedded(Measure))


@kernel
def evaluate(s, m, x, w, ask, r, J):
    return


@kernel
def accept(s, m, x, w, ask):
    m.angle = counted_angle(s.on, m, x.a, x.b)


@kernel
def report(s, m, x, w, ask, out):
    g = w.gradient
    for i in range(12):
        g[i] = 0.0
    angle_gradient(s.on.a, s.on.b, x.a, x.b, 1.0, g)
    out.angle = counted_angle(s.on, m, x.a, x.b)
    out.angular_speed = rate(g, x.a, x.b)
    for i in range(12):
        g[i] = 0.0
    displacement_gradient(s.on, x.a, x.b, g)
    out.displacement = displacement(s.on, x.a, x.b)
    out.speed = rate(g, x.a, x.b)


COORDINATE = ElementKind(
    "coordinate",
    evaluate,
    Coordinate,
    memory=Turns,
    scratch=Gradient,
    accept=accept,
    report=report,
    signals=(
        SignalSpec("angle", "rad", "joint angle, including full revolutions"),
        SignalSpec("angular_speed", "rad/s", "rate of the joint angle"),
        SignalSpec("displacement", "m", "displacement along the joint axis"),
        SignalSpec("speed", "m/s", "rate of the displacement"),
    ),
)


def coordinate(name: str, nodes: tuple[int, int], measure: np.void, signals: tuple[str, ...]) -> Element:
    """Observer of a joint's coordinates."""
    p = packed(Coordinate, {"on": measure})
    return Element(COORDINATE, name, nodes, p, memory=initial_turns(), passive=True, signals=signals)


# ---- curve table

# Smooth curve through the points of a table: monotone cubic pieces, and straight lines beyond both ends.
#
# One row for each piece: its first x, then four coefficients of powers of x - first. The first row is the line before
# the table.


def curve_table(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Pieces (n + 1, 5) of a curve through n points. x increases."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    if len(x) == 1:
        return np.array([[x[0], y[0], 0.0, 0.0, 0.0]])
    if len(x) == 2:
        return np.array([[x[0], y[0], (y[1] - y[0]) / (x[1] - x[0]), 0.0, 0.0]])
    from scipy.interpolate import PchipInterpolator  # late: scipy takes long to import and few models need it

    curve = PchipInterpolator(x, y)
    first, last = float(curve(x[0], 1)), float(curve(x[-1], 1))
    inside = np.column_stack([x[:-1], curve.c[::-1].T])
    before = [x[0], y[0], first, 0.0, 0.0]
    after = [x[-1], y[-1], last, 0.0, 0.0]
    return np.vstack([before, inside, after])


@block
def curve_value(table: A2, x: F8) -> V2:
    """Value and slope of the curve at x."""
    low = 0
    if table.shape[0] > 1 and x >= table[0, 0]:
        low = 1
        high = table.shape[0]
        while high - low > 1:
            middle = (low + high) // 2
            if table[middle, 0] <= x:
                low = middle
            else:
                high = middle
    d = x - table[low, 0]
    c1 = table[low, 2]
    c2 = table[low, 3]
    c3 = table[low, 4]
    return (table[low, 1] + d * (c1 + d * (c2 + d * c3)), c1 + d * (2.0 * c2 + 3.0 * d * c3))


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


# ---- joint effort

# Force or torque on the coordinate of a joint: a torque on its angle, or a force on its displacement.
#
# With the gradient g of the coordinate s with respect to the positions of both nodes, an effort e that acts against s
# enters the residual as e g; a torque T on the second body is e = -T. The rows of the joint's nodes are the first
# twelve of the element.


@block
def add_effort(r: A1, g: A1, e: F8):
    """Add an effort to the residual."""
    for i in range(12):
        r[i] += e * g[i]


@block
def add_effort_tangent(J: A2, s: Measure, a: Node, b: Node, g: A1, ask: Ask, e: F8, by_position: F8, by_rate: F8):
    """Derivative of an effort e, in J[0:12, 0:12], which contains zeros. by_position, by_rate: de/ds and de/d(ds/dt)."""
    K = ask.K
    D = ask.D
    measure_stiffness(s, a, b, J)  # the rate changes with position by V^T J
    for j in range(12):
        change = K * (by_position * g[j] + by_rate * turning(J, j, a, b)) + D * by_rate * g[j]
        for i in range(12):
            J[i, j] = K * e * J[i, j] + g[i] * change


# ---- spin axis

# Spin of a body about an axis z that is fixed in another body (its housing), and moments about that axis.
#
# z is in node axes of the housing H; E = R_H^T R_B. The spin is z.(E w_B - w_H). A moment M about z on B, with its
# reaction on H, enters the residual as -M E^T z (B) and M z (H). Row numbers are those of the rotations, i for B and
# h for H.


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
