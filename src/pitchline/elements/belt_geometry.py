"""Extensions of the two strands of a belt or chain over two wheels: value, gradient, second derivative.

c = o_B - o_A is the line of centres. X, Y are its components in the x and y axes of a wheel's frame (z is the wheel axis), and

    d = sqrt(X_A^2 + Y_A^2) ,   phi_A = -atan2(Y_A, X_A) ,   phi_B = -atan2(Y_B, X_B)

distance of the axes and rotations of the wheels relative to the line of centres. With rho = r_A - r_B (crossed: r_A + r_B) half the
length of the closed belt changes with the slope cos(beta) = sqrt(1 - rho^2/d^2). A wheel that rotates by dphi moves f' dphi of belt
from one strand to the other (f' = r, or r cos of the polygon angle of a sprocket). Strand k = 1, 2 with the sign s_k = 1, -1:

    e_k = A(d) + s_k ( f_A(phi_A) - sigma f_B(phi_B) - y ) ,     sigma = 1, or -1 if crossed;  y: slip.

The gradients contain the direction of both strands: the tension of strand k acts along its tangent. Everything is a function of
positions only, so that forces between the bodies are in balance and have a potential.
"""

import math

from ..math.compiled import A1, A2, F8, I8, M9, V2, V3, block, leaf
from ..math.fields import INTEGER, NUMBER, fields
from ..math.vectors import add_mat, cross, dot, mm, mtv, mul, mv, skew, sub, tr
from .contract import Node, Placed
from .scalar_geometry import nearest_turn, seen_from_a

Belt = fields(
    "Belt",
    radius_a=NUMBER,
    radius_b=NUMBER,
    sigma=NUMBER,
    half_length=NUMBER,  # half of the length of the belt without load
    start_a=NUMBER,  # angles of the wheels in the initial pose
    start_b=NUMBER,
    teeth_a=INTEGER,  # 0: no polygon effect
    teeth_b=INTEGER,
    phase_a1=NUMBER,  # angle of the sprocket at the start of strand 1 and 2, from the middle of a link
    phase_a2=NUMBER,
    phase_b1=NUMBER,
    phase_b2=NUMBER,
    stiffness=NUMBER,  # of a strand
    damping=NUMBER,
    pretension=NUMBER,
    fade=NUMBER,  # tension over which damping sets in
)


@leaf
def _axis(M: M9, k: I8) -> V3:
    if k == 0:
        return (M[0], M[3], M[6])
    return (M[1], M[4], M[7])


@leaf
def _put(G: A2, k: I8, j: I8, v: V3):
    G[k, j] = v[0]
    G[k, j + 1] = v[1]
    G[k, j + 2] = v[2]


@leaf
def _component(G: A2, k: I8, e: V3, p: V3, q: V3, a: Node, b: Node, i: I8, j: I8, sign: F8) -> F8:
    """sign e.(R_A^T (x_B + R_B q - x_A) - p), e fixed in A; its gradient into row k of G, A at columns i, B at columns j."""
    d = seen_from_a(q, a, b)
    world = mul(sign, mv(a.R, e))
    _put(G, k, i, mul(-1.0, world))
    _put(G, k, i + 3, mul(sign, cross(e, d)))
    _put(G, k, j, world)
    _put(G, k, j + 3, cross(q, mtv(b.R, world)))
    return sign * dot(e, sub(d, p))


@leaf
def _add_component_stiffness(J: A2, e: V3, q: V3, a: Node, b: Node, i: I8, j: I8, k: F8):
    """Add k times the second derivative of a component."""
    RA = a.R
    RB = b.R
    d = seen_from_a(q, a, b)
    Se = skew(e)
    Sq = skew(q)
    RE = mm(RA, Se)
    add_mat(J, i, i + 3, k, RE)
    add_mat(J, j, i + 3, -k, RE)
    add_mat(J, i + 3, i, k, tr(RE))
    add_mat(J, i + 3, j, -k, tr(RE))
    add_mat(J, i + 3, i + 3, k, mm(Se, skew(d)))
    AB = mm(Se, mm(mm(tr(RA), RB), Sq))
    add_mat(J, i + 3, j + 3, -k, AB)
    add_mat(J, j + 3, i + 3, -k, tr(AB))
    add_mat(J, j + 3, j + 3, k, mm(Sq, skew(mtv(RB, mv(RA, e)))))


@block
def belt_components(fa: Placed, fb: Placed, a: Node, b: Node, G: A2, q: A1):
    """X_A, Y_A, X_B, Y_B into q, and their gradients into the rows of G."""
    for k in range(2):
        q[k] = _component(G, k, _axis(fa.axes, k), fa.at, fb.at, a, b, 0, 6, 1.0)
        q[2 + k] = _component(G, 2 + k, _axis(fb.axes, k), fb.at, fa.at, b, a, 6, 0, -1.0)


@leaf
def belt_angles(belt: Belt, q: A1, before_a: F8, before_b: F8) -> V2:
    """Rotations of both wheels since the initial pose relative to the line of centres, including full revolutions."""
    a = -math.atan2(q[1], q[0]) - belt.start_a
    b = -math.atan2(q[3], q[2]) - belt.start_b
    return (nearest_turn(a, before_a), nearest_turn(b, before_b))


@leaf
def half_length(belt: Belt, d: F8) -> V3:
    """Half of the length of a closed belt without slack at distance d, and two derivatives."""
    rho = belt.radius_a - belt.sigma * belt.radius_b
    s = min(max(rho / d, -0.9999), 0.9999)
    beta = math.asin(s)
    c = math.sqrt(1.0 - s * s)
    arcs = 0.5 * math.pi * (belt.radius_a + belt.radius_b) + beta * rho
    bent = s * s / (d * c) if abs(rho) < 0.9999 * d else 0.0  # closer wheels would overlap
    return (d * c + arcs, c, bent)


@leaf
def feed(radius: F8, teeth: I8, phase: F8, angle: F8) -> V3:
    """Belt that a wheel moves from one strand to the other, and two derivatives with respect to its angle."""
    if teeth == 0:
        return (radius * angle, radius, 0.0)
    step = 2.0 * math.pi / teeth
    k = math.floor((angle + phase) / step + 0.5)
    k0 = math.floor(phase / step + 0.5)
    x = angle + phase - k * step
    x0 = phase - k0 * step
    moved = (k - k0) * 2.0 * radius * math.sin(0.5 * step) + radius * (math.sin(x) - math.sin(x0))
    return (moved, radius * math.cos(x), -radius * math.sin(x))


@leaf
def _feed_a(belt: Belt, strand: I8, angle: F8) -> V3:
    phase = belt.phase_a1 if strand == 0 else belt.phase_a2
    return feed(belt.radius_a, belt.teeth_a, phase, angle)


@leaf
def _feed_b(belt: Belt, strand: I8, angle: F8) -> V3:
    phase = belt.phase_b1 if strand == 0 else belt.phase_b2
    return feed(belt.radius_b, belt.teeth_b, phase, angle)


@block
def strand_extension(belt: Belt, strand: I8, q: A1, angle_a: F8, angle_b: F8, G: A2, g: A2) -> F8:
    """Extension of a strand without slip. Its gradient into row `strand` of g."""
    sign = 1.0 - 2.0 * strand
    d = math.sqrt(q[0] * q[0] + q[1] * q[1])
    d_b2 = q[2] * q[2] + q[3] * q[3]
    A, A1_, _ = half_length(belt, d)
    a = _feed_a(belt, strand, angle_a)
    b = _feed_b(belt, strand, angle_b)
    ka = sign * a[1] / (d * d)
    kb = -sign * belt.sigma * b[1] / d_b2
    # phi = -atan2(Y, X): gradient (Y gX - X gY)/d^2
    c0 = A1_ * q[0] / d + ka * q[1]
    c1 = A1_ * q[1] / d - ka * q[0]
    c2 = kb * q[3]
    c3 = -kb * q[2]
    for j in range(12):
        g[strand, j] = c0 * G[0, j] + c1 * G[1, j] + c2 * G[2, j] + c3 * G[3, j]
    return A - belt.half_length + sign * (a[0] - belt.sigma * b[0])


@leaf
def _add_outer(H: A2, G: A2, k: I8, xx: F8, xy: F8, yy: F8):
    """Add xx gX gX^T + xy (gX gY^T + gY gX^T) + yy gY gY^T of rows k, k + 1."""
    for i in range(12):
        x = xx * G[k, i] + xy * G[k + 1, i]
        y = xy * G[k, i] + yy * G[k + 1, i]
        for j in range(12):
            H[i, j] += x * G[k, j] + y * G[k + 1, j]


@block
def strand_stiffness(belt: Belt, strand: I8, q: A1, angles: V2, fa: Placed, fb: Placed, a: Node, b: Node, G: A2, H: A2):
    """Second derivative of the extension of a strand into H."""
    for i in range(12):
        for j in range(12):
            H[i, j] = 0.0
    sign = 1.0 - 2.0 * strand
    d = math.sqrt(q[0] * q[0] + q[1] * q[1])
    _, c, c1 = half_length(belt, d)
    f_a = _feed_a(belt, strand, angles[0])
    f_b = _feed_b(belt, strand, angles[1])
    for wheel in range(2):
        k = 2 * wheel
        X = q[k]
        Y = q[k + 1]
        d2 = X * X + Y * Y
        slope = sign * f_a[1] if wheel == 0 else -sign * belt.sigma * f_b[1]
        bend = sign * f_a[2] if wheel == 0 else -sign * belt.sigma * f_b[2]
        # derivatives by X and Y: of phi (Y, -X)/d2; second ones -2XY, X^2 - Y^2, 2XY over d2^2
        s4 = slope / (d2 * d2)
        b4 = bend / (d2 * d2)
        by_x = slope * Y / d2
        by_y = -slope * X / d2
        xx = -2.0 * X * Y * s4 + b4 * Y * Y
        xy = (X * X - Y * Y) * s4 - b4 * X * Y
        yy = 2.0 * X * Y * s4 + b4 * X * X
        if wheel == 0:  # the distance depends on X_A, Y_A
            by_x += c * X / d
            by_y += c * Y / d
            n = (c1 - c / d) / d2
            xx += n * X * X + c / d
            xy += n * X * Y
            yy += n * Y * Y + c / d
        _add_outer(H, G, k, xx, xy, yy)
        if wheel == 0:
            _add_component_stiffness(H, _axis(fa.axes, 0), fb.at, a, b, 0, 6, by_x)
            _add_component_stiffness(H, _axis(fa.axes, 1), fb.at, a, b, 0, 6, by_y)
        else:
            _add_component_stiffness(H, _axis(fb.axes, 0), fa.at, b, a, 6, 0, -by_x)
            _add_component_stiffness(H, _axis(fb.axes, 1), fa.at, b, a, 6, 0, -by_y)
