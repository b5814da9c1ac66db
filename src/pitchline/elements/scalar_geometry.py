"""Scalar measures between two nodes: value, gradient and second derivative, independent of the force law.

| measure | s |
|---|---|
| ANGLE | twist of frame B relative to frame A about their z axes, including full revolutions |
| DISPLACEMENT | z_A . (o_B - o_A) |
| DISTANCE | distance between o_A and o_B |
| HELIX | displacement - pitch * angle |

The twist is atan2(x_B.y_A - y_B.x_A, x_B.x_A + y_B.y_A). Its spatial gradient is (z_A + z_B)/(1 + z_A.z_B), which is the
common axis if the axes agree, and exact otherwise.
"""

import numpy as np

from ..math.compiled import A1, A2, F8, I8, M9, V3, block, leaf
from ..math.fields import INTEGER, NUMBER, embedded, fields, inline
from ..math.vectors import add, add_mat, add_vec, cross, dot, mm, mtv, mul, mv, outer, skew, sub, tr
from .contract import Node, Placed

Measure = fields("Measure", kind=INTEGER, pitch=NUMBER, a=embedded(Placed), b=embedded(Placed))
_FRAME_A, _FRAME_B = Measure.place("a")[0], Measure.place("b")[0]
_AT, _AXES = Placed.place("at")[0], Placed.place("axes")[0]
Turns = fields(
    "Turns",
    angle=NUMBER,  # at the last accepted step
    start_angle=NUMBER,  # at the start of the analysis
    start_displacement=NUMBER,
)
"""Memory of a measure."""
Gradient = fields("Gradient", gradient=inline(12))
"""Scratch of elements with one measure: its gradient by the coordinates of both nodes."""

ANGLE, DISPLACEMENT, DISTANCE, HELIX = 0, 1, 2, 3
TWO_PI = 2.0 * np.pi


@leaf
def _z(M: M9) -> V3:
    return (M[2], M[5], M[8])


@leaf
def principal_angle(frame_a: Placed, frame_b: Placed, a: Node, b: Node) -> F8:
    """Twist in (-pi, pi]."""
    A = frame_a.axes
    B = frame_b.axes
    xA = mv(a.R, (A[0], A[3], A[6]))
    yA = mv(a.R, (A[1], A[4], A[7]))
    xB = mv(b.R, (B[0], B[3], B[6]))
    yB = mv(b.R, (B[1], B[4], B[7]))
    return np.arctan2(dot(yA, xB) - dot(xA, yB), dot(xA, xB) + dot(yA, yB))


@leaf
def nearest_turn(angle: F8, reference: F8) -> F8:
    """Angle that differs from a principal one by full revolutions and is closest to the reference."""
    return angle + TWO_PI * np.round((reference - angle) / TWO_PI)


@leaf
def counted_angle(s: Measure, m: Turns, a: Node, b: Node) -> F8:
    """Twist including full revolutions."""
    return nearest_turn(principal_angle(s.a, s.b, a, b), m.angle)


@leaf
def seen_from_a(p: V3, a: Node, b: Node) -> V3:
    """R_A^T (x_B + R_B p - x_A): a point of B relative to A, in node axes of A."""
    return mtv(a.R, sub(add(b.x, mv(b.R, p)), a.x))


@leaf
def displacement(s: Measure, a: Node, b: Node) -> F8:
    return dot(_z(s.a.axes), sub(seen_from_a(s.b.at, a, b), s.a.at))


@block
def angle_gradient(frame_a: Placed, frame_b: Placed, a: Node, b: Node, scale: F8, g: A1):
    """Adds the gradient of the twist, times `scale`."""
    RA = a.R
    RB = b.R
    zA = mv(RA, _z(frame_a.axes))
    zB = mv(RB, _z(frame_b.axes))
    q = 1.0 / (1.0 + dot(zA, zB))
    spatial = mul(q, add(zA, zB))
    add_vec(g, 3, mul(-scale, mtv(RA, spatial)))
    add_vec(g, 9, mul(scale, mtv(RB, spatial)))


@block
def angle_stiffness(frame_a: Placed, frame_b: Placed, a: Node, b: Node, scale: F8, J: A2):
    """Adds the second derivative of the twist, times `scale`."""
    RA = a.R
    RB = b.R
    zA = mv(RA, _z(frame_a.axes))
    zB = mv(RB, _z(frame_b.axes))
    q = 1.0 / (1.0 + dot(zA, zB))
    g = mul(q, add(zA, zB))
    n = cross(zA, zB)
    G = skew(g)
    # spatial: dg/dtheta_A = -q z_A~ - q g n^T, dg/dtheta_B = -q z_B~ + q g n^T; the frame of the row adds g~
    SA = skew(zA)
    SB = skew(zB)
    N = outer(g, n)
    TA = tr(RA)
    TB = tr(RB)
    for i in range(2):
        T = TA if i == 0 else TB
        k = -scale if i == 0 else scale
        at = 3 if i == 0 else 9
        add_mat(J, at, 3, -k * q, mm(mm(T, SA), RA))
        add_mat(J, at, 3, -k * q, mm(mm(T, N), RA))
        add_mat(J, at, 9, -k * q, mm(mm(T, SB), RB))
        add_mat(J, at, 9, k * q, mm(mm(T, N), RB))
    add_mat(J, 3, 3, -scale, mm(mm(TA, G), RA))
    add_mat(J, 9, 9, scale, mm(mm(TB, G), RB))


@block
def direction_stiffness(pB: V3, a: Node, b: Node, e: V3, k: F8, J: A2):
    """k times the second derivative of e . R_A^T (x_B + R_B p_B - x_A), e fixed in A (node axes)."""
    RA = a.R
    RB = b.R
    d = seen_from_a(pB, a, b)
    Se = skew(e)
    Sp = skew(pB)
    RE = mm(RA, Se)
    add_mat(J, 0, 3, k, RE)
    add_mat(J, 6, 3, -k, RE)
    add_mat(J, 3, 0, k, tr(RE))  # -e~ R_A^T = (R_A e~)^T
    add_mat(J, 3, 6, -k, tr(RE))
    add_mat(J, 3, 3, k, mm(Se, skew(d)))
    AB = mm(Se, mm(mm(tr(RA), RB), Sp))
    add_mat(J, 3, 9, -k, AB)
    add_mat(J, 9, 3, -k, tr(AB))
    add_mat(J, 9, 9, k, mm(Sp, skew(mtv(RB, mv(RA, e)))))


@block
def displacement_gradient(s: Measure, a: Node, b: Node, g: A1):
    """Adds the gradient of the displacement."""
    pB = s.b.at
    z = _z(s.a.axes)
    zW = mv(a.R, z)
    add_vec(g, 0, mul(-1.0, zW))
    add_vec(g, 3, cross(z, seen_from_a(pB, a, b)))
    add_vec(g, 6, zW)
    add_vec(g, 9, cross(pB, mtv(b.R, zW)))


@leaf
def _between(s: Measure, a: Node, b: Node) -> V3:
    """o_B - o_A, world axes."""
    return sub(add(b.x, mv(b.R, s.b.at)), add(a.x, mv(a.R, s.a.at)))


@leaf
def _along(d: V3, length: F8) -> V3:
    """Direction of a difference. Two coincident points have none: no force."""
    n = (0.0, 0.0, 0.0)
    if length > 0.0:
        n = mul(1.0 / length, d)
    return n


@block
def _distance_gradient(s: Measure, a: Node, b: Node, g: A1) -> F8:
    d = _between(s, a, b)
    length = np.sqrt(dot(d, d))
    n = _along(d, length)
    add_vec(g, 0, mul(-1.0, n))
    add_vec(g, 3, cross(mtv(a.R, n), s.a.at))
    add_vec(g, 6, n)
    add_vec(g, 9, cross(s.b.at, mtv(b.R, n)))
    return length


@block
def _distance_stiffness(s: Measure, a: Node, b: Node, J: A2):
    RA = a.R
    RB = b.R
    pA = s.a.at
    pB = s.b.at
    d = _between(s, a, b)
    length = np.sqrt(dot(d, d))
    if length == 0.0:
        return
    n = _along(d, length)
    # delta n = N delta d with N = (1 - n n^T)/length, delta d = (-1, R_A p_A~, 1, -R_B p_B~) delta q
    O = outer(n, n)
    i = 1.0 / length
    N = (i - i * O[0], -i * O[1], -i * O[2], -i * O[3], i - i * O[4], -i * O[5], -i * O[6], -i * O[7], i - i * O[8])
    DA = mm(RA, skew(pA))
    DB = mm(RB, skew(pB))
    NA = mm(N, DA)
    NB = mm(N, DB)
    add_mat(J, 0, 0, 1.0, N)
    add_mat(J, 0, 3, -1.0, NA)
    add_mat(J, 0, 6, -1.0, N)
    add_mat(J, 0, 9, 1.0, NB)
    add_mat(J, 6, 0, -1.0, N)
    add_mat(J, 6, 3, 1.0, NA)
    add_mat(J, 6, 6, 1.0, N)
    add_mat(J, 6, 9, -1.0, NB)
    add_mat(J, 3, 0, -1.0, tr(NA))
    add_mat(J, 3, 3, 1.0, mm(tr(DA), NA))
    add_mat(J, 3, 6, 1.0, tr(NA))
    add_mat(J, 3, 9, -1.0, mm(tr(DA), NB))
    add_mat(J, 9, 0, 1.0, tr(NB))
    add_mat(J, 9, 3, -1.0, mm(tr(DB), NA))
    add_mat(J, 9, 6, -1.0, tr(NB))
    add_mat(J, 9, 9, 1.0, mm(tr(DB), NB))
    add_mat(J, 3, 3, -1.0, mm(skew(pA), skew(mtv(RA, n))))
    add_mat(J, 9, 9, 1.0, mm(skew(pB), skew(mtv(RB, n))))


@block
def measure(s: Measure, m: Turns, a: Node, b: Node, g: A1) -> F8:
    """The measure; its gradient into g."""
    for i in range(12):
        g[i] = 0.0
    kind = s.kind
    if kind == DISTANCE:
        return _distance_gradient(s, a, b, g)
    value = 0.0
    if kind == DISPLACEMENT or kind == HELIX:
        displacement_gradient(s, a, b, g)
        value = displacement(s, a, b)
    if kind == ANGLE or kind == HELIX:
        angle = counted_angle(s, m, a, b)
        if kind == ANGLE:
            angle_gradient(s.a, s.b, a, b, 1.0, g)
            value = angle
        else:
            angle_gradient(s.a, s.b, a, b, -s.pitch, g)
            value -= s.pitch * angle
    return value


@block
def measure_stiffness(s: Measure, a: Node, b: Node, J: A2):
    """Adds the derivative of the gradient to J[0:12, 0:12]."""
    kind = s.kind
    if kind == DISTANCE:
        _distance_stiffness(s, a, b, J)
    if kind == DISPLACEMENT or kind == HELIX:
        direction_stiffness(s.b.at, a, b, _z(s.a.axes), 1.0, J)
    if kind == ANGLE:
        angle_stiffness(s.a, s.b, a, b, 1.0, J)
    elif kind == HELIX:
        angle_stiffness(s.a, s.b, a, b, -s.pitch, J)


@leaf
def _more(s: F8, g: A1, i: I8, v: V3) -> F8:
    """s + g[i:i+3] . v, summed from left to right."""
    return s + g[i] * v[0] + g[i + 1] * v[1] + g[i + 2] * v[2]


@leaf
def rate(g: A1, a: Node, b: Node) -> F8:
    """ds/dt from the gradient of s."""
    return _more(_more(_more(_more(0.0, g, 0, a.v), g, 3, a.w), g, 6, b.v), g, 9, b.w)


@leaf
def _more_of_column(s: F8, J: A2, i: I8, j: I8, v: V3) -> F8:
    return s + v[0] * J[i, j] + v[1] * J[i + 1, j] + v[2] * J[i + 2, j]


@leaf
def turning(J: A2, j: I8, a: Node, b: Node) -> F8:
    """d(ds/dt)/dq_j at constant velocities, from the second derivative of s."""
    s = _more_of_column(_more_of_column(0.0, J, 0, j, a.v), J, 3, j, a.w)
    return _more_of_column(_more_of_column(s, J, 6, j, b.v), J, 9, j, b.w)


def encode_measure(
    kind: int,
    frame_a: tuple[np.ndarray, np.ndarray],
    frame_b: tuple[np.ndarray, np.ndarray],
    pitch: float = 0.0,
) -> np.void:
    """A record `Measure` between two frames (origin, rotation), each in the axes of its node."""
    numbers = np.zeros(Measure.size)
    for first, (origin, axes) in ((_FRAME_A, frame_a), (_FRAME_B, frame_b)):
        numbers[first + _AT : first + _AT + 3] = origin
        numbers[first + _AXES : first + _AXES + 9] = axes.ravel()
    measure = Measure.named(numbers)
    measure["kind"], measure["pitch"] = kind, pitch
    return measure


def initial_turns(angle: float = 0.0, displacement: float = 0.0) -> np.ndarray:
    """Initial memory: the angle, and angle and displacement as the start of a prescribed motion."""
    memory = np.zeros(Turns.size)
    turns = Turns.named(memory)
    turns["angle"], turns["start_angle"], turns["start_displacement"] = angle, angle, displacement
    return memory
