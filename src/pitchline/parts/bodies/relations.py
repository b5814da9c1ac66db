"""Relations between joints: ratios and sums; masses that are fixed on bodies, and inertia of rotors.

Rigid part fixed on a body: its mass and inertia are added to those of the body.

N is the node of the body, d the centre of mass and I the inertia about N, both in node axes. a is the acceleration of N and g
gravity, in world axes. R = R_WN:

    force:   m (a - g + R (alpha x d + omega x (omega x d)))
    moment:  I alpha + omega x I omega + m d x R^T (a - g)
"""

import numpy as np

from pitchline.engine.elements.contract import measure_stiffness
from pitchline.errors import ModelError, Subject
from pitchline.extend import (
    EYE,
    RATE,
    TANGENT,
    Element,
    add,
    add_mat,
    add_vec,
    cross,
    derived,
    dot,
    frame,
    joint,
    mat_sum,
    measure,
    mm,
    mtv,
    mul,
    mv,
    number,
    numbers,
    outer,
    rate,
    scaled,
    scratch,
    signal,
    skew,
    sub,
    tr,
    vector,
)
from pitchline.numerics.machine_code.compiled import F8, M9, V3, leaf
from pitchline.solids.mass_properties import MassProperties, check_inertia

from ..planetary.ratios import joint_names, same_joint


@leaf
def _about_node(axes: M9, moments: V3, products: V3, mass: F8, d: V3) -> M9:
    """Inertia about the node, node axes. axes: axes of the part in the node. d: its centre of mass from the node."""
    xx, yy, zz = moments
    xy, xz, yz = products
    own = mm(axes, mm((xx, xy, xz, xy, yy, yz, xz, yz, zz), tr(axes)))
    return mat_sum(own, scaled(mass, mat_sum(scaled(dot(d, d), EYE), scaled(-1.0, outer(d, d)))))


class AttachedMass(Element):
    """Rigid part fixed on a body, with mass and inertia."""

    key = "attached_mass"
    has_inertia = True
    exchanges_power = False
    on = frame("frame on the body; the inertia is in its axes")
    mass = number("kg", "mass", least=0.0)
    moments = vector(
        "kg*m^2", "moments of inertia Ixx, Iyy, Izz about its centre of mass, axes of the frame", (0.0, 0.0, 0.0)
    )
    products = vector("kg*m^2", "entries Ixy, Ixz, Iyz of the inertia matrix", (0.0, 0.0, 0.0))
    centre_of_mass = vector("m", "centre of mass from the frame, axes of the frame", (0.0, 0.0, 0.0))
    gravity_x = derived("gravity along x", "m/s^2")
    gravity_y = derived("gravity along y", "m/s^2")
    gravity_z = derived("gravity along z", "m/s^2")
    force = signal("N", "force on the body: weight and inertia", size=3)

    @staticmethod
    def problems(values, what):
        try:
            check_inertia(_matrix(values), values["mass"], Subject(what))
        except ModelError as error:
            return [str(error)]
        return []

    @staticmethod
    def derive(values):
        return {f"gravity_{axis}": float(g) for axis, g in zip("xyz", values["gravity"], strict=True)}

    def added_mass(self):
        return MassProperties(self.mass, self.centre_of_mass, _matrix(self.values))

    def evaluate(s, m, x, w, ask, r, J):
        mass = s.mass
        d = add(s.on.at, mv(s.on.axes, s.centre_of_mass))
        I = _about_node(s.on.axes, s.moments, s.products, mass, d)
        R = x.on.R
        omega = x.on.w
        al = x.on.al
        Iw = mv(I, omega)
        a = sub(x.on.a, mul(ask.load, (s.gravity_x, s.gravity_y, s.gravity_z)))
        relative = add(cross(al, d), cross(omega, cross(omega, d)))
        add_vec(r, 0, mul(mass, add(a, mv(R, relative))))
        aN = mtv(R, a)
        add_vec(r, 3, add(add(mv(I, al), cross(omega, Iw)), mul(mass, cross(d, aN))))
        if ask.mode == TANGENT:
            M = ask.M
            D = ask.D
            K = ask.K
            W = skew(omega)
            S = skew(d)
            RS = mm(R, S)
            add_mat(J, 0, 0, M * mass, EYE)
            add_mat(J, 3, 3, M, I)
            add_mat(J, 3, 3, D, mm(W, I))
            add_mat(J, 3, 3, -D, skew(Iw))
            add_mat(J, 0, 3, -M * mass, RS)
            add_mat(J, 3, 0, -M * mass, tr(RS))
            add_mat(J, 0, 3, -D * mass, mm(R, mm(W, S)))
            add_mat(J, 0, 3, -D * mass, mm(R, skew(cross(omega, d))))
            add_mat(J, 0, 3, -K * mass, mm(R, skew(relative)))
            add_mat(J, 3, 3, K * mass, mm(S, skew(aN)))

    def report(s, m, x, w, ask, out):
        mass = s.mass
        d = add(s.on.at, mv(s.on.axes, s.centre_of_mass))
        I = _about_node(s.on.axes, s.moments, s.products, mass, d)
        R = x.on.R
        v = x.on.v
        omega = x.on.w
        g = mul(ask.load, (s.gravity_x, s.gravity_y, s.gravity_z))
        out.kinetic = 0.5 * mass * dot(v, v) + mass * dot(v, mv(R, cross(omega, d))) + 0.5 * dot(omega, mv(I, omega))
        out.potential = -mass * dot(g, add(x.on.x, mv(R, d)))
        relative = add(cross(x.on.al, d), cross(omega, cross(omega, d)))
        out.force = mul(-mass, add(sub(x.on.a, g), mv(R, relative)))


def _matrix(values):
    """Inertia about the centre of mass, axes of the frame."""
    (xx, yy, zz), (xy, xz, yz) = values["moments"], values["products"]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


# ---- joint relation

# Relation between the coordinates of two joints, angles or displacements: one follows the other by a polynomial.
#
# With the coordinates y of joint a and x of joint b and their reference values y0 and x0,
#
# y - y0 = c0 + c1 (x - x0) + c2 (x - x0)^2 + c3 (x - x0)^3 + c4 (x - x0)^4 .
#
# The multiplier is the load on the coordinate of joint a. Each joint transmits the opposite load to its first body.


class JointRelation(Element):
    """The coordinate of a joint, an angle or a displacement, as a polynomial of the coordinate of another joint."""

    key = "joint_relation"
    rows = ("angle",)
    exchanges_power = False
    a = joint("joint that follows", "any")
    b = joint("joint that it follows", "any")
    coefficients = numbers(
        5, "", "of the powers 0 to 4 of the coordinate of joint b; in SI units, rad and m", check=(-1.0, 1.0)
    )
    reference_a = number("", "reference value of the coordinate of joint a, rad or m", 0.0, check=(-1.0, 1.0))
    reference_b = number("", "reference value of the coordinate of joint b, rad or m", 0.0, check=(-1.0, 1.0))
    g_a = scratch("gradient for the bodies of joint a", 12)
    g_b = scratch("gradient for the bodies of joint b", 12)
    H_a = scratch("second derivative for the bodies of joint a", 12, columns=12)
    H_b = scratch("second derivative for the bodies of joint b", 12, columns=12)
    load_a = signal("", "torque [N*m] or force [N] of the relation on the second body of joint a")
    load_b = signal("", "torque [N*m] or force [N] of the relation on the second body of joint b")

    @staticmethod
    def problems(values, what):
        return same_joint(values, what)

    def evaluate(s, m, x, w, ask, r, J):
        g_a = w.g_a
        g_b = w.g_b
        y = measure(s.a, x.a_turns, x.a_a, x.a_b, g_a) - s.reference_a
        u = measure(s.b, x.b_turns, x.b_a, x.b_b, g_b) - s.reference_b
        c = s.coefficients
        slope = c[1] + u * (2.0 * c[2] + u * (3.0 * c[3] + 4.0 * u * c[4]))
        if ask.mode == RATE:
            r[24] += rate(g_a, x.a_a, x.a_b) - slope * rate(g_b, x.b_a, x.b_b)
            return
        l = x.lam[0]
        r[24] += y - (c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * c[4]))))
        for i in range(12):
            r[i] += l * g_a[i]
            r[12 + i] -= l * slope * g_b[i]
        if ask.mode == TANGENT:
            H_a = w.H_a
            H_b = w.H_b
            bend = 2.0 * c[2] + u * (6.0 * c[3] + 12.0 * u * c[4])
            for i in range(12):
                for j in range(12):
                    H_a[i, j] = 0.0
                    H_b[i, j] = 0.0
            measure_stiffness(s.a, x.a_a, x.a_b, H_a)
            measure_stiffness(s.b, x.b_a, x.b_b, H_b)
            k = ask.K * l
            for i in range(12):
                for j in range(12):
                    J[i, j] += k * H_a[i, j]
                    J[12 + i, 12 + j] -= k * (slope * H_b[i, j] + bend * g_b[i] * g_b[j])
                J[24, i] += g_a[i]
                J[i, 24] += g_a[i]
                J[24, 12 + i] -= slope * g_b[i]
                J[12 + i, 24] -= slope * g_b[i]

    def report(s, m, x, w, ask, out):
        u = measure(s.b, x.b_turns, x.b_a, x.b_b, w.g_b) - s.reference_b
        c = s.coefficients
        slope = c[1] + u * (2.0 * c[2] + u * (3.0 * c[3] + 4.0 * u * c[4]))
        out.load_a = -x.lam[0]
        out.load_b = x.lam[0] * slope


# ---- joint sum

# Constant sum of multiples of the coordinates of three joints, angles or displacements, as of a cable over three
# pulleys:
#
# c_a q_a + c_b q_b + c_c q_c = value .
#
# The multiplier is the force in the cable. The loads on the coordinates have the ratio of the factors. Each joint
# transmits the opposite load to its first body.


class JointSum(Element):
    """Constant sum of multiples of the coordinates of three joints, angles or displacements."""

    key = "joint_sum"
    rows = ("angle",)
    exchanges_power = False
    a = joint("first joint", "any")
    b = joint("second joint", "any")
    c = joint("third joint", "any")
    factor_a = number("", "factor of the coordinate of joint a", check=(0.5, 2.0))
    factor_b = number("", "factor of the coordinate of joint b", check=(0.5, 2.0))
    factor_c = number("", "factor of the coordinate of joint c", check=(0.5, 2.0))
    value = number("", "the sum; in SI units, rad and m", 0.0, check=(-1.0, 1.0))
    g = scratch("gradient for the bodies of one joint", 12)
    H = scratch("second derivative for the bodies of one joint", 12, columns=12)
    tension = signal("", "multiplier: the load on the second body of each joint is its factor times this [N*m, N]")

    @staticmethod
    def check(values):
        for end in "abc":
            if values[f"factor_{end}"] == 0.0:
                raise ModelError(
                    f"factor_{end} must not be zero; for two joints use a joint_relation",
                    about=Subject("joint_sum").at(f"factor_{end}"),
                )

    @staticmethod
    def problems(values, what):
        names = joint_names(values, "a", "b", "c")
        text = f"{what}: a, b and c must be three joints, got {', '.join(names)}"
        return [text] if len(set(names)) < 3 else []

    def evaluate(s, m, x, w, ask, r, J):
        g = w.g
        H = w.H
        l = x.lam[0]
        total = -s.value
        speed = 0.0
        for k in range(3):
            if k == 0:
                on, c, a, b, turns = s.a, s.factor_a, x.a_a, x.a_b, x.a_turns
            elif k == 1:
                on, c, a, b, turns = s.b, s.factor_b, x.b_a, x.b_b, x.b_turns
            else:
                on, c, a, b, turns = s.c, s.factor_c, x.c_a, x.c_b, x.c_turns
            total += c * measure(on, turns, a, b, g)
            speed += c * rate(g, a, b)
            if ask.mode == RATE:
                continue
            o = 12 * k
            for i in range(12):
                r[o + i] += l * c * g[i]
            if ask.mode == TANGENT:
                for i in range(12):
                    for j in range(12):
                        H[i, j] = 0.0
                measure_stiffness(on, a, b, H)
                for i in range(12):
                    for j in range(12):
                        J[o + i, o + j] += ask.K * l * c * H[i, j]
                    J[36, o + i] += c * g[i]
                    J[o + i, 36] += c * g[i]
        r[36] += speed if ask.mode == RATE else total

    def report(s, m, x, w, ask, out):
        out.tension = -x.lam[0]


# ---- spin inertia

# Inertia of a rotor about its axis, the axis of a joint: it has no inertia about other axes.
#
# With the axis n_a in the first body (carrier, A) and n_b in the second body (rotor, B), the spin of the rotor in
# space is s = n_b . omega_b, its angular momentum J s n. Its derivative is a moment J s' along the axis on the rotor,
# and the gyroscopic moment J s omega_a x n_a on the carrier:
#
# kinetic energy J s^2 / 2 , moment on B: J (n_b . alpha_b) n_b , moment on A: J s omega_a x n_a .
#
# The gyroscopic moment contains the angular velocity of the carrier, not that of the rotor, which rotates in the axes
# of the rotor: its error does not depend on the spin.


class SpinInertia(Element):
    """Inertia of the second body of a joint about the axis of the joint, with the gyroscopic moment on the first body."""

    key = "spin_inertia"
    has_inertia = True
    exchanges_power = False
    on = joint("joint whose second body is the rotor")
    inertia = number("kg*m^2", "moment of inertia about the axis", least=0.0)
    momentum = signal("kg*m^2/s", "angular momentum about the axis")

    def evaluate(s, m, x, w, ask, r, J):
        I = s.inertia
        A = s.on.a.axes
        B = s.on.b.axes
        n_a = (A[2], A[5], A[8])
        n_b = (B[2], B[5], B[8])
        spin = dot(n_b, x.on_b.w)
        add_vec(r, 9, mul(I * dot(n_b, x.on_b.al), n_b))
        add_vec(r, 3, mul(I * spin, cross(x.on_a.w, n_a)))
        if ask.mode == TANGENT:
            add_mat(J, 9, 9, ask.M * I, outer(n_b, n_b))
            add_mat(J, 3, 3, -ask.D * I * spin, skew(n_a))
            add_mat(J, 3, 9, ask.D * I, outer(cross(x.on_a.w, n_a), n_b))

    def report(s, m, x, w, ask, out):
        B = s.on.b.axes
        spin = dot((B[2], B[5], B[8]), x.on_b.w)
        out.kinetic = 0.5 * s.inertia * spin * spin
        out.momentum = s.inertia * spin
