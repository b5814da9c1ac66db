"""Table of loaded teeth in compiled code: force over approach and approach over force, at any mesh phase.

The table (`model.load_table` makes it) is the approach u(F, theta) of one flank over the force F >= 0 and the angle theta of the
mesh cycle. Its compliance c = du/dF is piecewise linear in F between fixed knots F_m, so that with tau = F - F_m

    u  = U_m + c_m tau + (c_m+1 - c_m)/h tau^2/2 ,
    V* = A_m + U_m tau + c_m tau^2/2 + (c_m+1 - c_m)/h tau^3/6 ,     V* = integral of u dF, the complementary energy,

U_m, c_m and A_m being cubics of theta between equally spaced phases. u is monotone in F: a quadratic equation gives F from u.
Beyond the last knot the compliance stays. Then, as functions of u and theta (Legendre),

    V = F u - V* ,   dV/du = F ,   dV/dtheta = -dV*/dtheta ,   dF/du = 1/c ,   dF/dtheta = -(du/dtheta)/c ,
    d2V/dtheta2 = -d2V*/dtheta2 + (du/dtheta)^2/c .
"""

import math

import numpy as np

from ..math.compiled import A1, A2, F8, I8, V2, V3, block, leaf
from ..math.fields import INTEGER, NUMBER, behind, fields, packed, record_over

LoadCurve = fields(
    "LoadTable",
    phases=INTEGER,
    knots=INTEGER,
    loads=behind("knots"),  # F_m
    rows=INTEGER,  # phase by phase and knot by knot: ascending powers of the part of the interval that has passed
    approaches=behind("rows", 4),  # U
    compliances=behind("rows", 4),  # c
    areas=behind("rows", 4),  # A
)
"""Stored with the functions of a system."""

LoadedFlank = fields(
    "LoadedFlank",
    force=NUMBER,
    approach=NUMBER,
    compliance=NUMBER,  # du/dF
    turn=NUMBER,  # du/dtheta
    star=NUMBER,  # V*, and its derivatives by theta
    star_1=NUMBER,
    star_2=NUMBER,
    touch=NUMBER,  # u at F = 0, and its derivatives by theta
    touch_1=NUMBER,
    touch_2=NUMBER,
    share=NUMBER,  # F divided by the largest load
    # for tables over the tilt f: derivatives of u and V* with respect to it, and f divided by the largest tilt
    by_tilt=NUMBER,
    star_f=NUMBER,
    star_1f=NUMBER,
    star_ff=NUMBER,
    touch_1f=NUMBER,  # and of touch by theta and f
    tilt_share=NUMBER,
)
"""State of a flank."""

TWO_PI = 2.0 * math.pi

_table = record_over(LoadCurve)


@leaf
def _value(c: A2, i: I8, x: F8) -> F8:
    return c[i, 0] + x * (c[i, 1] + x * (c[i, 2] + x * c[i, 3]))


@leaf
def _cubic(c: A2, i: I8, x: F8) -> V3:
    """Value and derivatives by x."""
    c1 = c[i, 1]
    c2 = c[i, 2]
    c3 = c[i, 3]
    return (c[i, 0] + x * (c1 + x * (c2 + x * c3)), c1 + x * (2.0 * c2 + 3.0 * x * c3), 2.0 * c2 + 6.0 * x * c3)


@leaf
def phase_interval(n: I8, angle: F8) -> V2:
    """Index of the interval of phases, and the fraction of it."""
    x = angle / TWO_PI
    x = n * (x - math.floor(x))
    j = float(min(max(int(x), 0), n - 1))  # an angle that is no number has no interval
    return (j, x - j)


@leaf
def _fill(t: LoadCurve, first: I8, m: I8, x: F8, tau: F8, out: LoadedFlank):
    """Everything at the force F_m + tau; first: row of the first knot at this phase."""
    knots = t.knots
    loads = t.loads
    compliances = t.compliances
    U, U1, U2 = _cubic(t.approaches, first + m, x)
    c, c1, c2 = _cubic(compliances, first + m, x)
    A, a1, a2 = _cubic(t.areas, first + m, x)
    force = loads[m] + tau
    k = 0.0
    k1 = 0.0
    k2 = 0.0
    if m < knots - 1 and force > 0.0:
        d, d1, d2 = _cubic(compliances, first + m + 1, x)
        inverse = 1.0 / (loads[m + 1] - loads[m])
        k = inverse * (d - c)
        k1 = inverse * (d1 - c1)
        k2 = inverse * (d2 - c2)
    by = t.phases / TWO_PI
    t2 = 0.5 * tau * tau
    t3 = tau * t2 / 3.0
    out.force = force
    out.approach = U + c * tau + k * t2
    out.compliance = c + k * tau
    out.turn = by * (U1 + c1 * tau + k1 * t2)
    out.star = A + U * tau + c * t2 + k * t3
    out.star_1 = by * (a1 + U1 * tau + c1 * t2 + k1 * t3)
    out.star_2 = by * by * (a2 + U2 * tau + c2 * t2 + k2 * t3)
    touch, touch_1, touch_2 = _cubic(t.approaches, first, x)
    out.touch = touch
    out.touch_1 = by * touch_1
    out.touch_2 = by * by * touch_2
    out.share = force / loads[knots - 1]


@block
def table_at_approach(functions: A1, place: I8, u: F8, angle: F8, out: LoadedFlank) -> I8:
    """State of a flank whose teeth have approached by u. 0, and nothing is written, if there is no contact."""
    t = _table(functions, place)
    knots = t.knots
    loads = t.loads
    approaches = t.approaches
    j, x = phase_interval(t.phases, angle)
    first = knots * int(j)
    if u <= _value(approaches, first, x):
        return 0
    low = 0
    high = knots
    while high - low > 1:
        middle = (low + high) // 2
        if _value(approaches, first + middle, x) <= u:
            low = middle
        else:
            high = middle
    rest = u - _value(approaches, first + low, x)
    c = _value(t.compliances, first + low, x)
    k = 0.0
    if low < knots - 1:
        k = (_value(t.compliances, first + low + 1, x) - c) / (loads[low + 1] - loads[low])
    tau = 2.0 * rest / (c + math.sqrt(max(c * c + 2.0 * k * rest, 0.0)))
    _fill(t, first, low, x, tau, out)
    return 1


@block
def table_at_force(functions: A1, place: I8, force: F8, angle: F8, out: LoadedFlank):
    """State of a flank with a force. For a negative force (an iterate of Newton) the compliance at first contact is used."""
    t = _table(functions, place)
    knots = t.knots
    loads = t.loads
    j, x = phase_interval(t.phases, angle)
    low = 0
    while low < knots - 1 and loads[low + 1] <= force:
        low += 1
    _fill(t, knots * int(j), low, x, force - loads[low], out)


def encode_table(loads: np.ndarray, approaches: np.ndarray, compliances: np.ndarray, areas: np.ndarray) -> np.ndarray:
    """The table as numbers for the functions of a system: loads (M), cubics by phase and load (n, M, 4)."""
    cubics = {"approaches": approaches, "compliances": compliances, "areas": areas}
    rows = {name: np.reshape(c, (-1, 4)) for name, c in cubics.items()}
    return packed(LoadCurve, {"phases": len(approaches), "loads": loads, **rows})
