"""Belts and chains over two wheels: extension, force and slip of the strands, with derivatives.

Extensions of the two strands of a belt or chain over two wheels: value, gradient, second derivative.

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
from collections.abc import Mapping
from typing import Any

import numpy as np

from pitchline.engine.elements.contract import Ask, Node, Placed, nearest_turn, rate, seen_from_a, turning
from pitchline.numerics.fields import INTEGER, NUMBER, fields
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, M9, V2, V3, V4, block, leaf
from pitchline.numerics.vectors import add_mat, cross, dot, mm, mtv, mul, mv, skew, sub, tr

# ---- belt build

# Numbers of belts and chains from the frames of their wheels, and errors of their arrangement.

_MOST_TILT = 2.0
"""[deg] Largest angle between the axes of the wheels."""
_MOST_OFFSET = 0.02
"""Largest axial offset of the wheels over the distance of their axes."""


def _line(values: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Line of centres in the axes of each frame."""
    (o_a, axes_a), (o_b, axes_b) = values["a"], values["b"]
    c = np.asarray(o_b) - np.asarray(o_a)
    return axes_a.T @ c, axes_b.T @ c


def belt_record(
    values: Mapping[str, Any], radius_a: float, radius_b: float, sigma: float, *, slack: float = 0.0
) -> dict[str, float]:
    """Values of the record `Belt`. slack: length of the belt beyond that of the initial pose."""
    in_a, in_b = _line(values)
    d = math.hypot(in_a[0], in_a[1])
    rho = radius_a - sigma * radius_b
    s = min(max(rho / d, -0.9999), 0.9999)
    c = math.sqrt(1.0 - s * s)
    half = d * c + 0.5 * math.pi * (radius_a + radius_b) + math.asin(s) * rho
    k = values["tensile_stiffness"] / (d * c)
    fade = max(0.02 * values["pretension"], 1e-7 * values["tensile_stiffness"])
    return {
        "radius_a": radius_a, "radius_b": radius_b, "sigma": sigma, "half_length": half + 0.5 * slack,
        "start_a": -math.atan2(in_a[1], in_a[0]), "start_b": -math.atan2(in_b[1], in_b[0]),
        "teeth_a": 0, "teeth_b": 0, "phase_a1": 0.0, "phase_a2": 0.0, "phase_b1": 0.0, "phase_b2": 0.0,
        "stiffness": k, "damping": values["damping"], "pretension": values["pretension"], "fade": fade,
    }  # fmt: skip


def tangent_angle(belt: Mapping[str, float], values: Mapping[str, Any]) -> float:
    """Angle beta between a strand and the line of centres in the initial pose [rad]."""
    in_a, _ = _line(values)
    rho = belt["radius_a"] - belt["sigma"] * belt["radius_b"]
    return math.asin(min(max(rho / math.hypot(in_a[0], in_a[1]), -0.9999), 0.9999))


def wrap_angle(belt: Mapping[str, float], values: Mapping[str, Any]) -> float:
    """Smaller wrap angle of both wheels in the initial pose [rad]."""
    beta = tangent_angle(belt, values)
    return math.pi - 2.0 * abs(beta) if belt["sigma"] > 0.0 else math.pi + 2.0 * beta


def belt_problems(values: Mapping[str, Any], what: str, radius_a: float, radius_b: float, wheel: str) -> list[str]:
    """Errors of the arrangement in the initial pose."""
    (o_a, axes_a), (o_b, axes_b) = values["a"], values["b"]
    z_a, z_b = axes_a[:, 2], axes_b[:, 2]
    for end, z in (("a", z_a), ("b", z_b)):
        turns = values["turning"][end]
        if turns and all(abs(float(axis @ z)) < math.cos(math.radians(_MOST_TILT)) for axis in turns):
            return [
                f"{what}: the body of {end} does not rotate about z of that frame, the axis of the {wheel}; give a frame "
                f"whose z is the axis"
            ]
    tilt = math.degrees(math.acos(float(np.clip(z_a @ z_b, -1.0, 1.0))))
    if tilt > _MOST_TILT:
        return [
            f"{what}: the angle between the z axes of its frames is {tilt:.4g} deg in the initial pose; the axes must be parallel "
            f"and in the same direction (limit {_MOST_TILT:g} deg)"
        ]
    c = np.asarray(o_b) - np.asarray(o_a)
    along = float(c @ z_a)
    d = float(np.linalg.norm(c - along * z_a))
    if d <= radius_a + radius_b:
        return [
            f"{what}: the axes are {1e3 * d:.4g} mm apart, but the {wheel}s need more than {1e3 * (radius_a + radius_b):.4g} mm; "
            "place the bodies apart, or specify smaller wheels"
        ]
    if abs(along) > _MOST_OFFSET * d:
        return [
            f"{what}: the {wheel}s are offset by {1e3 * along:.4g} mm along their axes; place both frames in one plane "
            "(at_a, at_b)"
        ]
    return []


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


# ---- belt law

# Tension of the strands of a belt, and slip on its wheels.
#
# T_k = T_0 + k e_k + c e_k' while positive: a strand never pushes. Damping fades out with the elastic part of the
# tension.
#
# Euler-Eytelwein: the belt slips if the tensions have the ratio exp(mu alpha), alpha the smaller wrap angle. With F =
# T_1 - T_2
#
# F_max = (T_1 + T_2) tanh(mu alpha / 2) , y' = v_0 artanh(F / F_max) .
#
# Below the limit the belt creeps with about v_0 F/F_max; at the limit F stays within 1e-4 of F_max.

Grip = fields("Grip", limit=NUMBER, speed=NUMBER, least=NUMBER)
"""tanh(mu alpha / 2), creep speed v_0 [m/s], smallest F_max [N]."""

_CLOSE = 1.0 - 1e-9
_STEEP = 1.0 / (1.0 - _CLOSE * _CLOSE)
_AT_CLOSE = math.atanh(_CLOSE)


@leaf
def strand_tension(belt: Belt, e: F8, change: F8, damp: F8) -> V4:
    """Tension, its derivatives with respect to extension and rate, and its elastic part."""
    k = belt.stiffness
    elastic = belt.pretension + k * e
    if elastic <= 0.0:
        return (0.0, 0.0, 0.0, 0.0)
    share = elastic / (elastic + belt.fade)
    c = damp * belt.damping
    T = elastic + c * share * change
    if T <= 0.0:
        return (0.0, 0.0, 0.0, elastic)
    by_e = k * (1.0 + c * change * (1.0 - share) / (elastic + belt.fade))
    return (T, by_e, c * share, elastic)


@leaf
def slip_rate(grip: Grip, T1: F8, T2: F8) -> V3:
    """Slip speed, and its derivatives with respect to both tensions."""
    limit = grip.limit * (T1 + T2) + grip.least
    rho = (T1 - T2) / limit
    size = abs(rho)
    value = _AT_CLOSE + _STEEP * (size - _CLOSE)
    slope = _STEEP
    if size < _CLOSE:
        value = math.atanh(size)
        slope = 1.0 / (1.0 - rho * rho)
    if rho < 0.0:
        value = -value
    by = grip.speed * slope / limit
    return (grip.speed * value, by * (1.0 - rho * grip.limit), by * (-1.0 - rho * grip.limit))


@block
def belt_strands(belt: Belt, fa: Placed, fb: Placed, a: Node, b: Node, before: V2, slip: V2, G: A2, g: A2, q: A1) -> V2:
    """Extensions and rates into q[4:8], gradients into g. slip: y and y'. The angles of the wheels are returned."""
    belt_components(fa, fb, a, b, G, q)
    angles = belt_angles(belt, q, before[0], before[1])
    for k in range(2):
        sign = 1.0 - 2.0 * k
        q[4 + k] = strand_extension(belt, k, q, angles[0], angles[1], G, g) - sign * slip[0]
        q[6 + k] = rate(g[k], a, b) - sign * slip[1]
    return angles


@block
def add_strand_tangent(J: A2, g: A1, H: A2, a: Node, b: Node, ask: Ask, T: V4):
    """Add the derivative of the forces of a strand; T as from `strand_tension`."""
    K = ask.K
    D = ask.D
    for j in range(12):
        change = K * (T[1] * g[j] + T[2] * turning(H, j, a, b)) + D * T[2] * g[j]
        for i in range(12):
            J[i, j] += K * T[0] * H[i, j] + g[i] * change


@block
def add_slip_tangent(J: A2, strand: I8, g: A1, H: A2, a: Node, b: Node, ask: Ask, T: V4, by_tension: F8):
    """Add the derivatives by the slip, column 12, and of the slip speed by the tension of a strand, row 12."""
    K = ask.K
    D = ask.D
    sign = 1.0 - 2.0 * strand
    by_slip = -sign * (K * T[1] + D * T[2])
    for j in range(12):
        J[j, 12] += g[j] * by_slip
        change = K * (T[1] * g[j] + T[2] * turning(H, j, a, b)) + D * T[2] * g[j]
        J[12, j] -= by_tension * change
    J[12, 12] -= by_tension * by_slip
