"""The table of loaded teeth in compiled code: force over approach and approach over force, at any phase of the mesh.

The table (`model.load_table` makes it) is the approach u(F, theta) of one flank over the force F >= 0 and the angle theta of the
mesh cycle. Its compliance c = du/dF is piecewise linear in F between fixed knots F_m, so that with tau = F - F_m

    u  = U_m + c_m tau + (c_m+1 - c_m)/h tau^2/2 ,
    V* = A_m + U_m tau + c_m tau^2/2 + (c_m+1 - c_m)/h tau^3/6 ,     V* = integral of u dF, the complementary energy,

U_m, c_m and A_m being cubics of theta between equally spaced phases. u is monotone in F: a quadratic equation gives F from u.
Beyond the last knot the compliance stays. Then, as functions of u and theta (Legendre),

    V = F u - V* ,   dV/du = F ,   dV/dtheta = -dV*/dtheta ,   dF/du = 1/c ,   dF/dtheta = -(du/dtheta)/c ,
    d2V/dtheta2 = -d2V*/dtheta2 + (du/dtheta)^2/c .

In the array of functions: M, n, F_1..F_M, then phase by phase and knot by knot the coefficients of U, c and A, ascending powers of
the part of the interval that has passed.
"""

import math

from ..math.compiled import A1, F8, I8, V2, V3, block, leaf
from ..math.fields import NUMBER, fields

LoadedFlank = fields(
    "LoadedFlank",
    force=NUMBER,
    approach=NUMBER,
    compliance=NUMBER,  # du/dF
    turn=NUMBER,  # du/dtheta
    star=NUMBER,  # V*, and its derivatives by theta
    star_1=NUMBER,
    star_2=NUMBER,
    touch=NUMBER,  # u at F = 0
    share=NUMBER,  # F over the largest load
)
"""The state of a flank."""

KNOT = 12
"""Numbers of a knot at a phase: the cubics of U, c and A."""
TWO_PI = 2.0 * math.pi


@leaf
def _value(F: A1, o: I8, x: F8) -> F8:
    return F[o] + x * (F[o + 1] + x * (F[o + 2] + x * F[o + 3]))


@leaf
def _cubic(F: A1, o: I8, x: F8) -> V3:
    """Value and derivatives by x."""
    c1 = F[o + 1]
    c2 = F[o + 2]
    c3 = F[o + 3]
    return (F[o] + x * (c1 + x * (c2 + x * c3)), c1 + x * (2.0 * c2 + 3.0 * x * c3), 2.0 * c2 + 6.0 * x * c3)


@leaf
def _phase(F: A1, o: I8, angle: F8) -> V2:
    """Which interval of phases, and how much of it has passed."""
    n = F[o + 1]
    x = angle / TWO_PI
    x = n * (x - math.floor(x))
    j = float(min(max(int(x), 0), int(n) - 1))  # an angle that is no number has no interval
    return (j, x - j)


@leaf
def _fill(F: A1, o: I8, at: I8, m: I8, x: F8, tau: F8, out: LoadedFlank):
    """Everything at the force F_m + tau; at: coefficients of the first knot at this phase."""
    knots = int(F[o])
    here = at + KNOT * m
    U, U1, U2 = _cubic(F, here, x)
    c, c1, c2 = _cubic(F, here + 4, x)
    A, A1_, A2_ = _cubic(F, here + 8, x)
    force = F[o + 2 + m] + tau
    k = 0.0
    k1 = 0.0
    k2 = 0.0
    if m < knots - 1 and force > 0.0:
        d, d1, d2 = _cubic(F, here + KNOT + 4, x)
        inverse = 1.0 / (F[o + 3 + m] - F[o + 2 + m])
        k = inverse * (d - c)
        k1 = inverse * (d1 - c1)
        k2 = inverse * (d2 - c2)
    by = F[o + 1] / TWO_PI
    t2 = 0.5 * tau * tau
    t3 = tau * t2 / 3.0
    out.force = force
    out.approach = U + c * tau + k * t2
    out.compliance = c + k * tau
    out.turn = by * (U1 + c1 * tau + k1 * t2)
    out.star = A + U * tau + c * t2 + k * t3
    out.star_1 = by * (A1_ + U1 * tau + c1 * t2 + k1 * t3)
    out.star_2 = by * by * (A2_ + U2 * tau + c2 * t2 + k2 * t3)
    out.touch = _value(F, at, x)
    out.share = force / F[o + 1 + knots]


@block
def table_at_approach(F: A1, o: I8, u: F8, angle: F8, out: LoadedFlank) -> I8:
    """The state of a flank whose teeth have approached by u. 0, and nothing written, if they do not touch."""
    knots = int(F[o])
    j, x = _phase(F, o, angle)
    at = o + 2 + knots + KNOT * knots * int(j)
    if u <= _value(F, at, x):
        return 0
    low = 0
    high = knots
    while high - low > 1:
        middle = (low + high) // 2
        if _value(F, at + KNOT * middle, x) <= u:
            low = middle
        else:
            high = middle
    here = at + KNOT * low
    rest = u - _value(F, here, x)
    c = _value(F, here + 4, x)
    k = 0.0
    if low < knots - 1:
        k = (_value(F, here + KNOT + 4, x) - c) / (F[o + 3 + low] - F[o + 2 + low])
    tau = 2.0 * rest / (c + math.sqrt(max(c * c + 2.0 * k * rest, 0.0)))
    _fill(F, o, at, low, x, tau, out)
    return 1


@block
def table_at_force(F: A1, o: I8, force: F8, angle: F8, out: LoadedFlank):
    """The state of a flank that carries a force; a negative one (an iterate of Newton) meets the compliance at touch."""
    knots = int(F[o])
    j, x = _phase(F, o, angle)
    at = o + 2 + knots + KNOT * knots * int(j)
    low = 0
    while low < knots - 1 and F[o + 3 + low] <= force:
        low += 1
    _fill(F, o, at, low, x, force - F[o + 2 + low], out)
