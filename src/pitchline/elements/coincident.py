"""Lower pairs whose points coincide: spherical, universal, revolute, fixed.

Phi_1..3 = x_B + R_B p_B - x_A - R_A p_A   (world axes),   then orientation rows (`axis_rows`)
"""

import numpy as np

from ..math.compiled import A1, V3, kernel, leaf
from ..math.fields import VECTOR, embedded, fields, packed
from ..math.vectors import EYE, add, add_gradients, add_mat, add_vec, cross, mm, mtv, mul, mv, skew, sub
from .axis_rows import Axes, axis_moment, axis_rate, axis_residual, axis_tangent, count_rows
from .contract import PAIR_ROWS, RATE, TANGENT, Element, ElementKind, unit_signal

Coincident = fields("Coincident", point_a=VECTOR, point_b=VECTOR, axes=embedded(Axes))

REACTION_SIGNALS = (
    unit_signal("force", "N", "force of the joint on its second body, at the joint point"),
    unit_signal("moment", "N*m", "moment of the joint on its second body, about the joint point"),
)


@leaf
def _force(lam: A1) -> V3:
    """The first multipliers: a force in world axes."""
    return (lam[0], lam[1], lam[2])


@kernel
def evaluate(s, m, x, w, ask, r, J):
    pA = s.point_a
    pB = s.point_b
    RA = x.a.R
    RB = x.b.R
    if ask.mode == RATE:
        wA = x.a.w
        wB = x.b.w
        vA = add(x.a.v, mv(RA, cross(wA, pA)))
        vB = add(x.b.v, mv(RB, cross(wB, pB)))
        add_vec(r, 12, sub(vB, vA))
        axis_rate(s.axes, 3, RA, RB, wA, wB, r)
        return
    lam = x.lam
    l = _force(lam)
    lA = mtv(RA, l)
    lB = mtv(RB, l)
    add_vec(r, 0, mul(-1.0, l))
    add_vec(r, 3, cross(lA, pA))
    add_vec(r, 6, l)
    add_vec(r, 9, cross(pB, lB))
    add_vec(r, 12, sub(add(x.b.x, mv(RB, pB)), add(x.a.x, mv(RA, pA))))
    axis_residual(s.axes, lam, 3, RA, RB, r)
    if ask.mode == TANGENT:
        k = ask.K
        SA = skew(pA)
        SB = skew(pB)
        add_gradients(J, 12, 0, (-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0))
        add_gradients(J, 12, 3, mm(RA, SA))
        add_gradients(J, 12, 6, EYE)
        add_gradients(J, 12, 9, mm(RB, skew(mul(-1.0, pB))))
        add_mat(J, 3, 3, -k, mm(SA, skew(lA)))
        add_mat(J, 9, 9, k, mm(SB, skew(lB)))
        axis_tangent(s.axes, lam, 3, RA, RB, k, J)


@kernel
def report(s, m, x, w, ask, out):
    lam = x.lam
    out.force = mul(-1.0, _force(lam))
    out.moment = axis_moment(s.axes, lam, 3, x.a.R, x.b.R)


COINCIDENT = ElementKind("coincident", evaluate, Coincident, PAIR_ROWS, report=report, signals=REACTION_SIGNALS)


def coincident(name: str, nodes: tuple[int, int], point_a: np.ndarray, point_b: np.ndarray, axes: np.void) -> Element:
    """Constrain two points to coincide, with the orientation rows `axes` (see `encode_axes`)."""
    values = {"point_a": point_a, "point_b": point_b, "axes": axes}
    return Element(COINCIDENT, name, nodes, packed(Coincident, values), rows="ttt" + "r" * count_rows(axes))
