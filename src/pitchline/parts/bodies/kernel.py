"""Rigid body: inertia and weight.

N is the node fixed in the body, d the centre of mass and I the inertia about N, both in node axes. a is the acceleration of N
and g gravity, in world axes. R = R_WN:

    force:   m (a - g + R (alpha x d + omega x (omega x d)))
    moment:  I alpha + omega x I omega + m d x R^T (a - g)
"""

import numpy as np

from pitchline.engine.elements.contract import TANGENT, Element, ElementKind, seen, unit_signal
from pitchline.numerics.fields import MATRIX, NUMBER, VECTOR, fields, packed
from pitchline.numerics.machine_code.compiled import kernel
from pitchline.numerics.vectors import EYE, add, add_mat, add_vec, cross, dot, mm, mtv, mul, mv, skew, sub, tr

RigidBody = fields(
    "Body",
    mass=NUMBER,
    gravity=VECTOR,  # world axes
    centre_of_mass=VECTOR,  # node axes, as the following
    inertia=MATRIX,  # about the node
    origin=VECTOR,  # of the body, whose motion is reported
)


@kernel
def evaluate(s, m, x, w, ask, r, J):
    mass = s.mass
    d = s.centre_of_mass
    I = s.inertia
    R = x.a.R
    omega = x.a.w
    al = x.a.al
    Iw = mv(I, omega)
    a = sub(x.a.a, mul(ask.load, s.gravity))
    relative = add(
        cross(al, d), cross(omega, cross(omega, d))
    )  # acceleration of the centre of mass seen from N, node axes
    add_vec(r, 0, mul(mass, add(a, mv(R, relative))))
    aN = mtv(R, a)
    add_vec(r, 3, add(add(mv(I, al), cross(omega, Iw)), mul(mass, cross(d, aN))))
    if ask.mode == TANGENT:
        M = ask.M
        D = ask.D
        K = ask.K
        add_mat(J, 0, 0, M * mass, EYE)
        add_mat(J, 3, 3, M, I)
        W = skew(omega)
        add_mat(J, 3, 3, D, mm(W, I))
        add_mat(J, 3, 3, -D, skew(Iw))
        if d[0] != 0.0 or d[1] != 0.0 or d[2] != 0.0:
            S = skew(d)
            RS = mm(R, S)
            add_mat(J, 0, 3, -M * mass, RS)
            add_mat(J, 3, 0, -M * mass, tr(RS))  # (R d~)^T = -d~ R^T
            add_mat(J, 0, 3, -D * mass, mm(R, mm(W, S)))
            add_mat(J, 0, 3, -D * mass, mm(R, skew(cross(omega, d))))
            add_mat(J, 0, 3, -K * mass, mm(R, skew(relative)))
            add_mat(J, 3, 3, K * mass, mm(S, skew(aN)))


@kernel
def report(s, m, x, w, ask, out):
    mass = s.mass
    d = s.centre_of_mass
    o = s.origin
    R = x.a.R
    v = x.a.v
    omega = x.a.w
    al = x.a.al
    out.kinetic = (
        0.5 * mass * dot(v, v) + mass * dot(v, mv(R, cross(omega, d))) + 0.5 * dot(omega, mv(s.inertia, omega))
    )
    out.potential = -mass * dot(mul(ask.load, s.gravity), add(x.a.x, mv(R, d)))
    out.position = add(x.a.x, mv(R, o))
    out.velocity = add(v, mv(R, cross(omega, o)))
    out.acceleration = add(x.a.a, mv(R, add(cross(al, o), cross(omega, cross(omega, o)))))
    out.angular_velocity = mv(R, omega)
    out.angular_acceleration = mv(R, al)


_EYE = np.eye(3)
BODY = ElementKind(
    "body",
    evaluate,
    RigidBody,
    seen("a"),
    report=report,
    signals=(
        unit_signal("position", "m", "position of the body origin"),
        unit_signal("velocity", "m/s", "velocity of the body origin"),
        unit_signal("acceleration", "m/s^2", "acceleration of the body origin"),
        unit_signal("angular_velocity", "rad/s", "angular velocity"),
        unit_signal("angular_acceleration", "rad/s^2", "angular acceleration"),
    ),
    has_inertia=True,
)


def body(
    name: str,
    node: int,
    *,
    mass: float,
    gravity: np.ndarray,
    centre_of_mass: np.ndarray,
    inertia: np.ndarray,
    origin: np.ndarray,
) -> Element:
    """Rigid body on a node. `centre_of_mass` and `origin` from the node, `inertia` about the centre of mass (node axes)."""
    d = np.asarray(centre_of_mass)
    about_node = inertia + (mass * (d @ d * _EYE - np.outer(d, d)) if d.any() else 0.0)
    values = {"mass": mass, "gravity": gravity, "centre_of_mass": d, "inertia": about_node, "origin": origin}
    return Element(BODY, name, (node,), packed(RigidBody, values))
