"""Deflections of one frame relative to another, for bushings and bearings: value, gradient and second derivative of each.

Frame B relative to frame A, in the axes of A:

    e_1..3 = R_A^T (o_B - o_A),   e_4 = -y_A . z_B,   e_5 = x_A . z_B,   e_6 = twist about z (including full revolutions)

(for small tilts e_4, e_5 are the tilt angles about x_A, y_A). Rotation about z is not limited, as for a shaft in its bearing;
tilts are assumed to be small.
"""

from ..math.compiled import A1, A2, F8, I8, M9, V3, block, leaf
from ..math.vectors import cross, dot, mtv, mul, mv, set_vec, sub
from .axis_rows import pair_stiffness
from .contract import Node, Placed
from .scalar_geometry import (
    angle_gradient,
    angle_stiffness,
    direction_stiffness,
    nearest_turn,
    principal_angle,
    seen_from_a,
)


@leaf
def _axis(M: M9, i: I8) -> V3:
    """Axis i of a frame, node axes."""
    if i == 0:
        return (M[0], M[3], M[6])
    if i == 1:
        return (M[1], M[4], M[7])
    return (M[2], M[5], M[8])


@leaf
def _tilt_axis(fa: Placed, i: I8) -> V3:
    """The direction of A whose product with z_B is the tilt e_i."""
    return mul(-1.0, _axis(fa.axes, 1)) if i == 3 else _axis(fa.axes, 0)


@leaf
def _put(g: A1, a: V3, b: V3, c: V3, d: V3):
    """One gradient."""
    set_vec(g, 0, a)
    set_vec(g, 3, b)
    set_vec(g, 6, c)
    set_vec(g, 9, d)


@block
def deflection(fa: Placed, fb: Placed, turns: F8, a: Node, b: Node, i: I8, g: A1) -> F8:
    """e_i, and its gradient in g; turns: the twist of the last accepted step, whose revolutions are counted."""
    zero = (0.0, 0.0, 0.0)
    RA = a.R
    RB = b.R
    if i < 3:
        pB = fb.at
        d = seen_from_a(pB, a, b)
        axis = _axis(fa.axes, i)
        inW = mv(RA, axis)
        _put(g, mul(-1.0, inW), cross(axis, d), inW, cross(pB, mtv(RB, inW)))
        return dot(axis, sub(d, fa.at))
    if i < 5:
        z = _axis(fb.axes, 2)
        zA = mtv(RA, mv(RB, z))
        axis = _tilt_axis(fa, i)
        _put(g, zero, cross(axis, zA), zero, cross(z, mtv(RB, mv(RA, axis))))
        return dot(axis, zA)
    _put(g, zero, zero, zero, zero)
    angle_gradient(fa, fb, a, b, 1.0, g)
    return nearest_turn(principal_angle(fa, fb, a, b), turns)


@block
def deflection_stiffness(fa: Placed, fb: Placed, a: Node, b: Node, i: I8, w: F8, J: A2):
    """Add w times the derivative of gradient i to J[0:12, 0:12]."""
    if i < 3:
        direction_stiffness(fb.at, a, b, _axis(fa.axes, i), w, J)
    elif i < 5:
        pair_stiffness(J, 1.0, _tilt_axis(fa, i), mul(w, _axis(fb.axes, 2)), a.R, b.R)
    else:
        angle_stiffness(fa, fb, a, b, w, J)
