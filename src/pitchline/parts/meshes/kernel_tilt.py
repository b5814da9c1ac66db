"""Table of loaded teeth over the tilt f in compiled code, similar to `tables`.

V* = integral of u dF depends on f as on theta: dV/df = -dV*/df is the moment conjugate to f, and

    dF/df = -(du/df)/c ,   d2V/df2 = -d2V*/df2 + (du/df)^2/c ,   d2V/dtheta df = -d2V*/dtheta df + (du/dtheta)(du/df)/c .

At every tilt of the table U_m, c_m and A_m are cubic polynomials of theta, and so are their slopes with respect to f. Between
two tilts they are interpolated by Hermite cubics in f. Beyond the first and last tilt they are extrapolated linearly, and V*
with them. (These two are beyond the points of the table, where compliances have become constant: `tables`.)
"""

import math

import numpy as np

from pitchline.numerics.fields import INTEGER, NUMBER, behind, fields, numbers, packed, record_over
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, M9, V4, block, leaf

from .kernel_law import TWO_PI, LoadedFlank, phase_interval

TiltCurve = fields(
    "TiltTable",
    phases=INTEGER,
    knots=INTEGER,
    tilts=INTEGER,
    loads=behind("knots"),  # F_m
    places=behind("tilts"),  # f_i
    rows=INTEGER,  # for each phase, tilt and knot: four powers, then four of the slope with respect to f
    approaches=behind("rows", 8),  # U
    compliances=behind("rows", 8),  # c
    areas=behind("rows", 8),  # A
)
"""Stored with the functions of a system."""

TiltMix = fields(
    "TiltMix",
    below=INTEGER,  # row of the first knot at this phase, at the tilt below and at the tilt above
    above=INTEGER,
    x=NUMBER,  # fraction of the interval of phases
    # factors of the values and slopes below and above: for a value, and for its derivatives with respect to f
    value=numbers(4),
    slope=numbers(4),
    curve=numbers(4),
    share=NUMBER,  # f divided by the largest tilt on its side
)
"""Position of a tilt and an angle in the table."""

_table = record_over(TiltCurve)


@block
def _find(t: TiltCurve, tilt: F8, angle: F8, mix: TiltMix):
    places = t.places
    last = t.tilts - 1
    i = 0
    while i < last - 1 and places[i + 1] <= tilt:
        i += 1
    h = places[i + 1] - places[i]
    inside = min(max(tilt, places[0]), places[last])
    y = (inside - places[i]) / h
    z = 1.0 - y
    slope = (-6.0 * y * z / h, 6.0 * y * z / h, z * (1.0 - 3.0 * y), y * (3.0 * y - 2.0))
    value = (z * z * (1.0 + 2.0 * y), y * y * (3.0 - 2.0 * y), h * y * z * z, -h * y * y * z)
    beyond = tilt - inside
    if beyond == 0.0:
        mix.curve = (
            (12.0 * y - 6.0) / (h * h),
            (6.0 - 12.0 * y) / (h * h),
            (6.0 * y - 4.0) / h,
            (6.0 * y - 2.0) / h,
        )
        mix.value = value
    else:
        mix.curve = (0.0, 0.0, 0.0, 0.0)
        mix.value = (
            value[0] + beyond * slope[0],
            value[1] + beyond * slope[1],
            value[2] + beyond * slope[2],
            value[3] + beyond * slope[3],
        )
    mix.slope = slope
    j, x = phase_interval(t.phases, angle)
    mix.x = x
    mix.below = t.knots * (t.tilts * int(j) + i)
    mix.above = mix.below + t.knots
    mix.share = max(tilt / places[last - 1], tilt / places[1])  # the outermost ones are beyond the points


@leaf
def _mixed(c: A2, mix: TiltMix, m: I8, w: V4) -> V4:
    """Powers of a row."""
    a = mix.below + m
    b = mix.above + m
    return (
        w[0] * c[a, 0] + w[1] * c[b, 0] + w[2] * c[a, 4] + w[3] * c[b, 4],
        w[0] * c[a, 1] + w[1] * c[b, 1] + w[2] * c[a, 5] + w[3] * c[b, 5],
        w[0] * c[a, 2] + w[1] * c[b, 2] + w[2] * c[a, 6] + w[3] * c[b, 6],
        w[0] * c[a, 3] + w[1] * c[b, 3] + w[2] * c[a, 7] + w[3] * c[b, 7],
    )


@leaf
def _value(c: A2, mix: TiltMix, m: I8) -> F8:
    p = _mixed(c, mix, m, mix.value)
    x = mix.x
    return p[0] + x * (p[1] + x * (p[2] + x * p[3]))


@leaf
def _rows(t: TiltCurve, mix: TiltMix, m: I8, tau: F8, w: V4) -> M9:
    """Powers over the phase of the approach and of V* at the force F_m + tau, and the compliance there."""
    U = _mixed(t.approaches, mix, m, w)
    c = _mixed(t.compliances, mix, m, w)
    A = _mixed(t.areas, mix, m, w)
    loads = t.loads
    k = (0.0, 0.0, 0.0, 0.0)
    if m < t.knots - 1 and loads[m] + tau > 0.0:
        d = _mixed(t.compliances, mix, m + 1, w)
        inverse = 1.0 / (loads[m + 1] - loads[m])
        k = (inverse * (d[0] - c[0]), inverse * (d[1] - c[1]), inverse * (d[2] - c[2]), inverse * (d[3] - c[3]))
    t2 = 0.5 * tau * tau
    t3 = tau * t2 / 3.0
    x = mix.x
    return (
        U[0] + c[0] * tau + k[0] * t2,
        U[1] + c[1] * tau + k[1] * t2,
        U[2] + c[2] * tau + k[2] * t2,
        U[3] + c[3] * tau + k[3] * t2,
        A[0] + U[0] * tau + c[0] * t2 + k[0] * t3,
        A[1] + U[1] * tau + c[1] * t2 + k[1] * t3,
        A[2] + U[2] * tau + c[2] * t2 + k[2] * t3,
        A[3] + U[3] * tau + c[3] * t2 + k[3] * t3,
        c[0] + k[0] * tau + x * (c[1] + k[1] * tau + x * (c[2] + k[2] * tau + x * (c[3] + k[3] * tau))),
    )


@block
def _fill(t: TiltCurve, mix: TiltMix, m: I8, tau: F8, out: LoadedFlank):
    """All values at the force F_m + tau."""
    x = mix.x
    by = t.phases / TWO_PI
    p = _rows(t, mix, m, tau, mix.value)
    q = _rows(t, mix, m, tau, mix.slope)
    s = _rows(t, mix, m, tau, mix.curve)
    force = t.loads[m] + tau
    out.force = force
    out.approach = p[0] + x * (p[1] + x * (p[2] + x * p[3]))
    out.compliance = p[8]
    out.turn = by * (p[1] + x * (2.0 * p[2] + 3.0 * x * p[3]))
    out.star = p[4] + x * (p[5] + x * (p[6] + x * p[7]))
    out.star_1 = by * (p[5] + x * (2.0 * p[6] + 3.0 * x * p[7]))
    out.star_2 = by * by * (2.0 * p[6] + 6.0 * x * p[7])
    out.by_tilt = q[0] + x * (q[1] + x * (q[2] + x * q[3]))
    out.star_f = q[4] + x * (q[5] + x * (q[6] + x * q[7]))
    out.star_1f = by * (q[5] + x * (2.0 * q[6] + 3.0 * x * q[7]))
    out.star_ff = s[4] + x * (s[5] + x * (s[6] + x * s[7]))
    e = _mixed(t.approaches, mix, 0, mix.value)
    out.touch = e[0] + x * (e[1] + x * (e[2] + x * e[3]))
    out.touch_1 = by * (e[1] + x * (2.0 * e[2] + 3.0 * x * e[3]))
    out.touch_2 = by * by * (2.0 * e[2] + 6.0 * x * e[3])
    e = _mixed(t.approaches, mix, 0, mix.slope)
    out.touch_1f = by * (e[1] + x * (2.0 * e[2] + 3.0 * x * e[3]))
    out.share = force / t.loads[t.knots - 1]
    out.tilt_share = mix.share


@block
def tilted_at_approach(functions: A1, place: I8, u: F8, tilt: F8, angle: F8, mix: TiltMix, out: LoadedFlank) -> I8:
    """As `table_at_approach`."""
    t = _table(functions, place)
    _find(t, tilt, angle, mix)
    if u <= _value(t.approaches, mix, 0):
        return 0
    low = 0
    high = t.knots
    while high - low > 1:
        middle = (low + high) // 2
        if _value(t.approaches, mix, middle) <= u:
            low = middle
        else:
            high = middle
    rest = u - _value(t.approaches, mix, low)
    c = _value(t.compliances, mix, low)
    k = 0.0
    if low < t.knots - 1:
        k = (_value(t.compliances, mix, low + 1) - c) / (t.loads[low + 1] - t.loads[low])
    tau = 2.0 * rest / (c + math.sqrt(max(c * c + 2.0 * k * rest, 0.0)))
    _fill(t, mix, low, tau, out)
    return 1


@block
def tilted_at_force(functions: A1, place: I8, force: F8, tilt: F8, angle: F8, mix: TiltMix, out: LoadedFlank):
    """As `table_at_force`."""
    t = _table(functions, place)
    _find(t, tilt, angle, mix)
    loads = t.loads
    low = 0
    while low < t.knots - 1 and loads[low + 1] <= force:
        low += 1
    _fill(t, mix, low, force - loads[low], out)


def encode_tilt_table(
    tilts: np.ndarray, loads: np.ndarray, approaches: np.ndarray, compliances: np.ndarray, areas: np.ndarray
) -> np.ndarray:
    """Table as numbers for the functions of a system: tilts (T), loads (M), cubic polynomials and their slopes by phase,
    tilt and load (n, T, M, 8)."""
    cubics = {"approaches": approaches, "compliances": compliances, "areas": areas}
    rows = {name: np.reshape(c, (-1, 8)) for name, c in cubics.items()}
    return packed(TiltCurve, {"phases": len(approaches), "loads": loads, "places": tilts, **rows})
