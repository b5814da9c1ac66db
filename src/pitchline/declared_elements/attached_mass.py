"""Rigid part fixed on a body: its mass and inertia are added to those of the body.

N is the node of the body, d the centre of mass and I the inertia about N, both in node axes. a is the acceleration of N and g
gravity, in world axes. R = R_WN:

    force:   m (a - g + R (alpha x d + omega x (omega x d)))
    moment:  I alpha + omega x I omega + m d x R^T (a - g)
"""

import numpy as np

from pitchline.errors import ModelError, Subject
from pitchline.extend import (
    EYE,
    TANGENT,
    Element,
    add,
    add_mat,
    add_vec,
    cross,
    derived,
    dot,
    frame,
    mat_sum,
    mm,
    mtv,
    mul,
    mv,
    number,
    outer,
    scaled,
    signal,
    skew,
    sub,
    tr,
    vector,
)
from pitchline.math.compiled import F8, M9, V3, leaf
from pitchline.solids.mass_properties import MassProperties, check_inertia


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
