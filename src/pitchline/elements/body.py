"""The rigid body: inertia and weight.

With the node N fixed in the body, d the centre of mass and I the inertia about N, both in node axes, a the
acceleration of N and g gravity in world axes, R = R_WN:

    force:   m (a - g + R (alpha x d + omega x (omega x d)))
    moment:  I alpha + omega x I omega + m d x R^T (a - g)
"""

import numpy as np

from ..math.compiled import kernel
from ..math.vectors import (
    EYE,
    add,
    add_mat,
    add_vec,
    cross,
    dot,
    mat,
    mm,
    mtv,
    mul,
    mv,
    rotation,
    row,
    set_vec,
    skew,
    sub,
    tr,
    vec,
)
from .contract import C_D, C_K, C_M, LOAD, REPORT, TANGENT, Element, ElementKind, unit_signal


@kernel
def evaluate(p, h, F, P, V, A, lam, c, mode, r, J):
    # p: mass, gravity (3), centre of mass (3), inertia about the node (9), body origin in the node frame (3)
    m = p[0]
    g = mul(c[LOAD], vec(p, 1))
    d = vec(p, 4)
    I = mat(p, 7)
    R = rotation(P, 0)
    v = row(V, 0, 0)
    w = row(V, 0, 3)
    al = row(A, 0, 3)
    Iw = mv(I, w)
    if mode == REPORT:
        r[0] = 0.5 * m * dot(v, v) + m * dot(v, mv(R, cross(w, d))) + 0.5 * dot(w, Iw)
        r[1] = -m * dot(g, add(row(P, 0, 0), mv(R, d)))
        o = vec(p, 16)
        set_vec(r, 4, add(row(P, 0, 0), mv(R, o)))
        set_vec(r, 7, add(v, mv(R, cross(w, o))))
        set_vec(r, 10, add(row(A, 0, 0), mv(R, add(cross(al, o), cross(w, cross(w, o))))))
        set_vec(r, 13, mv(R, w))
        set_vec(r, 16, mv(R, al))
        return
    a = sub(row(A, 0, 0), g)
    relative = add(cross(al, d), cross(w, cross(w, d)))  # acceleration of the centre of mass seen from N, node axes
    add_vec(r, 0, mul(m, add(a, mv(R, relative))))
    aN = mtv(R, a)
    add_vec(r, 3, add(add(mv(I, al), cross(w, Iw)), mul(m, cross(d, aN))))
    if mode == TANGENT:
        M = c[C_M]
        D = c[C_D]
        K = c[C_K]
        add_mat(J, 0, 0, M * m, EYE)
        add_mat(J, 3, 3, M, I)
        W = skew(w)
        add_mat(J, 3, 3, D, mm(W, I))
        add_mat(J, 3, 3, -D, skew(Iw))
        if d[0] != 0.0 or d[1] != 0.0 or d[2] != 0.0:
            S = skew(d)
            RS = mm(R, S)
            add_mat(J, 0, 3, -M * m, RS)
            add_mat(J, 3, 0, -M * m, tr(RS))  # (R d~)^T = -d~ R^T
            add_mat(J, 0, 3, -D * m, mm(R, mm(W, S)))
            add_mat(J, 0, 3, -D * m, mm(R, skew(cross(w, d))))
            add_mat(J, 0, 3, -K * m, mm(R, skew(relative)))
            add_mat(J, 3, 3, K * m, mm(S, skew(aN)))


BODY = ElementKind(
    "body",
    evaluate,
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
    about_node = inertia + mass * (d @ d * np.eye(3) - np.outer(d, d))
    return Element(BODY, name, (node,), np.concatenate([[mass], gravity, d, about_node.ravel(), origin]))
