"""Lower pairs whose point slides: prismatic, cylindrical, planar, point on line, point on plane, parallel axes.

For up to two directions e fixed in A:  Phi = e . (R_A^T (x_B + R_B p_B - x_A) - p_A),  then orientation rows.
Forces on both bodies act at the same point of B, so that they are in equilibrium in every configuration.
"""

import numpy as np

from ..math.compiled import A1, I8, V3, kernel, leaf
from ..math.fields import INTEGER, VECTOR, embedded, fields, packed
from ..math.vectors import add, add_gradient, add_vec, cross, dot, mtv, mul, mv, sub
from .axis_rows import Axes, axis_moment, axis_rate, axis_residual, axis_tangent, count_rows
from .coincident import REACTION_SIGNALS
from .contract import PAIR_ROWS, RATE, TANGENT, Element, ElementKind
from .scalar_geometry import direction_stiffness

Sliding = fields(
    "Sliding",
    directions=INTEGER,  # 0 to 2
    point_a=VECTOR,
    point_b=VECTOR,
    e1=VECTOR,  # node axes of A
    e2=VECTOR,
    axes=embedded(Axes),
)


@leaf
def _direction(s: Sliding, i: I8) -> V3:
    return s.e1 if i == 0 else s.e2


@leaf
def _force_in_a(s: Sliding, lam: A1) -> V3:
    """sum lambda_i e_i, node axes of A."""
    f = (0.0, 0.0, 0.0)
    if s.directions > 0:
        f = mul(lam[0], s.e1)
    if s.directions > 1:
        f = add(f, mul(lam[1], s.e2))
    return f


@kernel
def evaluate(s, m, x, w, ask, r, J):
    n = s.directions
    pB = s.point_b
    RA = x.a.R
    RB = x.b.R
    dA = mtv(RA, sub(add(x.b.x, mv(RB, pB)), x.a.x))  # the point of B relative to A
    if ask.mode == RATE:
        wA = x.a.w
        wB = x.b.w
        vA = add(x.a.v, mv(RA, cross(wA, dA)))
        vB = add(x.b.v, mv(RB, cross(wB, pB)))
        slip = mtv(RA, sub(vB, vA))
        for i in range(n):
            r[12 + i] += dot(_direction(s, i), slip)
        axis_rate(s.axes, n, RA, RB, wA, wB, r)
        return
    lam = x.lam
    f = _force_in_a(s, lam)
    fW = mv(RA, f)
    fB = mtv(RB, fW)
    add_vec(r, 0, mul(-1.0, fW))
    add_vec(r, 3, cross(f, dA))
    add_vec(r, 6, fW)
    add_vec(r, 9, cross(pB, fB))
    gap = sub(dA, s.point_a)
    for i in range(n):
        r[12 + i] += dot(_direction(s, i), gap)
    axis_residual(s.axes, lam, n, RA, RB, r)
    if ask.mode == TANGENT:
        k = ask.K
        for i in range(n):
            e = _direction(s, i)
            eW = mv(RA, e)
            add_gradient(J, 12 + i, 0, mul(-1.0, eW))
            add_gradient(J, 12 + i, 3, cross(e, dA))
            add_gradient(J, 12 + i, 6, eW)
            add_gradient(J, 12 + i, 9, cross(pB, mtv(RB, eW)))
        direction_stiffness(pB, x.a, x.b, f, k, J)
        axis_tangent(s.axes, lam, n, RA, RB, k, J)


@kernel
def report(s, m, x, w, ask, out):
    lam = x.lam
    RA = x.a.R
    out.force = mul(-1.0, mv(RA, _force_in_a(s, lam)))
    out.moment = axis_moment(s.axes, lam, s.directions, RA, x.b.R)


SLIDING = ElementKind("sliding", evaluate, Sliding, PAIR_ROWS, report=report, signals=REACTION_SIGNALS)


def sliding(
    name: str,
    nodes: tuple[int, int],
    point_a: np.ndarray,
    point_b: np.ndarray,
    directions: tuple[np.ndarray, ...],
    axes: np.void,
) -> Element:
    """Constrain the point of B in up to two directions of A, with the orientation rows `axes`."""
    values = {"directions": len(directions), "point_a": point_a, "point_b": point_b, "axes": axes}
    values |= {f"e{i}": e for i, e in enumerate(directions, 1)}
    return Element(SLIDING, name, nodes, packed(Sliding, values), rows="t" * len(directions) + "r" * count_rows(axes))
