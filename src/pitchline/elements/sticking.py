"""Set-valued law of friction on one coordinate: at rest a constraint, in motion a force.

The effort acts against the coordinate s, r += effort ds/dq. The multiplier lam is the effort in every law. With the limits
low <= 0 <= high of the effort at rest,

| law | effort | row | until |
|---|---|---|---|
| sticks | lam | s - held = 0 | lam reaches `low` or `high`: it slips in that direction |
| slips | effort(v) | (lam - effort(v))/rho = 0 | v passes zero: it sticks, or slips on in the other direction |
| inactive | 0 | lam/rho = 0 | the analysis chooses one of the others |

The law is constant within a step. Both ends of a law are events, located by `guard`. In the first step after an event, elements
at rest choose their law within Newton's iteration: those that stick slip if their effort exceeds a limit, those that start to
slip stick if they would move backwards. All of them stick at first, so that an effort between the limits of motion and of rest
does not start a motion. An element that has just stopped holds zero velocity in this step, and then its position.

A motion without inertia (kinematics) has no velocities within the search for equilibrium: the speed of the friction is then in the
memory (FRESH is QUASI_STATIC, HELD the speed).

A coordinate that a drive prescribes cannot stick: its friction follows the direction of the motion, and is zero at rest.

Memory and scratch are arrays, with the places below, so that every element with friction can use these functions.
"""

from ..math.compiled import A1, F8, V2, V3, V4, block, leaf
from .contract import KEEP, RATE, Ask

# memory
MODE, HELD, FRESH, DRIVEN = 0, 1, 2, 3
MEMORY = 4
# scratch: law within the step, changes of it, whether the step was solved, whether and how it switches at its end, and values
# at its start
NOW, CHANGES, ENDED, ARMED, NEXT, FIRST, SPEED0, ACCELERATION0, MARGIN0, TRIED = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
SCRATCH = 10

INACTIVE, STICKS = 0.0, 2.0
"""Laws; +1.0 and -1.0: slips in that direction. Memory starts with INACTIVE."""
QUASI_STATIC, RECALLED = 2.0, 3.0
"""Values of FRESH: motion without inertia; the element stuck at the end of the result from which an analysis starts."""
AT_END, AT_START = 1.0, 2.0
MOST_CHANGES = 8
"""Largest number of changes of the law within Newton's iteration of one step."""
ALONE, SHARED = 1e-12, 1e-8
"""Compliance of a sticking row in a step, relative to that of its masses in the step, so that several elements on one coordinate
share their load."""
REST, NEARLY_REST = 1e-10, 1e-6
"""Speed [rad/s or m/s] below which an element is at rest at the start of an analysis, and if it stuck before."""
OVER = 1e-10
"""Excess of an effort over its limit, relative to it, that counts as rounding."""


@leaf
def margin(lam: F8, low: F8, high: F8) -> F8:
    """Excess of the effort over its limits; negative if it sticks."""
    return max(lam - high, low - lam)


@leaf
def exceeded(lam: F8, low: F8, high: F8) -> F8:
    """Direction in which an element breaks away, or STICKS."""
    if lam > high + OVER * high:
        return 1.0
    if lam < low + OVER * low:
        return -1.0
    return STICKS


@leaf
def at_rest(m: A1) -> F8:
    """Whether the law may change in the first step after an event."""
    return 1.0 if m[DRIVEN] == 0.0 and (m[MODE] == STICKS or m[FRESH] != 0.0) else 0.0


@block
def begin_sticking(m: A1, w: A1, ask: Ask, v: F8, acceleration: F8, lam: F8, low: F8, high: F8):
    """Start of a step. Limits are those at the start of the step."""
    w[NOW] = m[MODE]
    w[CHANGES] = 0.0
    w[TRIED] = 0.0
    w[ENDED] = 0.0
    w[ARMED] = 0.0
    w[NEXT] = 0.0
    w[FIRST] = float(ask.restart)
    w[SPEED0] = v
    w[ACCELERATION0] = acceleration
    w[MARGIN0] = margin(lam, low, high)


@block
def present_law(m: A1, w: A1, ask: Ask, v: F8, lam: F8, low: F8, high: F8) -> F8:
    """The law of this evaluation. It may change in the first step after an event."""
    now = w[NOW]
    if (
        ask.restart != 0
        and ask.h > 0.0
        and ask.mode != RATE
        and now != INACTIVE
        and at_rest(m) != 0.0
        and w[CHANGES] < MOST_CHANGES
    ):
        new = now
        w[TRIED] += 1.0
        if w[TRIED] < 2.0:
            return now  # multiplier and velocity are not those of this law yet
        if now == STICKS:
            new = exceeded(lam, low, high)
        elif now * v < 0.0:
            new = STICKS
        if new != now:
            w[NOW] = new
            w[CHANGES] += 1.0
            w[TRIED] = 1.0
            ask.restart = 2
            now = new
    return now


@leaf
def holds(m: A1, now: F8) -> F8:
    """Whether the row is a constraint."""
    return 1.0 if now == STICKS and m[DRIVEN] == 0.0 else 0.0


@leaf
def friction_speed(m: A1, v: F8) -> F8:
    """Speed of the law in motion."""
    return m[HELD] if m[FRESH] == QUASI_STATIC else v


@leaf
def is_slipping(now: F8) -> F8:
    """Direction of slip; 0 if it sticks or is inactive."""
    return now if now != STICKS else 0.0


@block
def sticking_row(m: A1, now: F8, ask: Ask, gap: F8, v: F8, lam: F8, law: V2, row: V2) -> V4:
    """(Phi, factor of ds/dq, factor of d(ds/dt)/dq, factor of the multiplier) of the row. gap: s - held.

    law: effort in motion, zero at rest, and its derivative. row: mass or inertia that scales the row, relative compliance."""
    rho = row[0] * ask.L
    if holds(m, now) != 0.0:
        if ask.h == 0.0:
            return (gap, 1.0, 0.0, 0.0)
        phi = gap
        if m[FRESH] != 0.0 and ask.restart != 0:
            phi = v / (ask.D * ask.L)
        return (phi - row[1] * lam / rho, 1.0, 0.0, -row[1] * ask.L / rho)
    return ((lam - law[0]) / rho, 0.0, -law[1] / rho, ask.L / rho)


@leaf
def sticking_rate(m: A1, now: F8, ask: Ask, v: F8, phi: F8) -> F8:
    """The row in the mode RATE. phi: Phi of `sticking_row`."""
    if holds(m, now) != 0.0:
        return v
    return phi * ask.D / ask.K if ask.K > 0.0 else 0.0


@block
def _stop(w: A1, ask: Ask, sign: F8, v: F8, acceleration: F8) -> F8:
    """Fraction of the step at which a slipping element stops; a large number if it does not."""
    u0 = sign * w[SPEED0]
    u1 = sign * v
    a0 = sign * w[ACCELERATION0]
    a1 = sign * acceleration
    seeking = ask.cut > 1.0
    if u1 < 0.0:
        if u0 <= 0.0:
            return 0.0
        fraction = u0 / (u0 - u1)
        if seeking and a1 < 0.0 and u1 - a1 * ask.h > 0.0:
            fraction = max(0.5 * fraction, 1.0 - u1 / (a1 * ask.h))
        return fraction
    if seeking:
        return 1.0 - u1 / (a1 * ask.h) if a1 < 0.0 else 1e9
    if a0 < 0.0 < a1:  # it may stop and move on within the step
        f = a0 / (a0 - a1)
        h = ask.h
        f2 = f * f
        f3 = f2 * f
        least = u0 * (2.0 * f3 - 3.0 * f2 + 1.0) + h * a0 * (f3 - 2.0 * f2 + f) + u1 * (3.0 * f2 - 2.0 * f3)
        least += h * a1 * (f3 - f2)
        if least < 0.0:
            return f
    return 1e9


@block
def guard_sticking(m: A1, w: A1, ask: Ask, v: F8, acceleration: F8, lam: F8, low: F8, high: F8):
    """Fraction of the step at which the law ends."""
    if ask.restart == KEEP:
        if at_rest(m) != 0.0 and w[NOW] != m[MODE]:
            m[MODE] = w[NOW]
            m[FRESH] = 1.0
        return
    w[ENDED] = 1.0
    w[ARMED] = 0.0
    now = w[NOW]
    if now == INACTIVE or m[DRIVEN] != 0.0 or (w[FIRST] != 0.0 and at_rest(m) != 0.0):
        return
    fraction = 1e9
    if now == STICKS:
        before = w[MARGIN0]
        after = margin(lam, low, high)
        over = exceeded(lam, low, high)
        if over != STICKS:
            fraction = before / (before - after) if before < 0.0 else 0.0
        elif ask.cut > 1.0 and after > before:
            fraction = before / (before - after)
        w[NEXT] = 1.0 if lam - high > low - lam else -1.0
    elif low < 0.0 or high > 0.0:
        fraction = _stop(w, ask, now, v, acceleration)
        w[NEXT] = STICKS
    if fraction < ask.cut:
        ask.cut = fraction
    if ask.shift >= 0.0:
        if abs(fraction - 1.0) <= ask.shift:
            w[ARMED] = AT_END
    elif fraction <= -ask.shift:
        w[ARMED] = AT_START


@block
def _choose(m: A1, ask: Ask, position: F8, v: F8, acceleration: F8, lam: F8, low: F8, high: F8):
    """The law at the start of an analysis."""
    before = m[MODE]
    rest = NEARLY_REST if m[FRESH] == RECALLED else REST
    m[FRESH] = 0.0
    if m[DRIVEN] != 0.0 or before == INACTIVE:
        m[HELD] = position
        m[MODE] = STICKS if abs(v) <= rest else (1.0 if v > 0.0 else -1.0)
    elif before == STICKS:
        m[MODE] = exceeded(lam, low, high)
    elif abs(v) <= REST and before * acceleration < 0.0:
        m[MODE] = STICKS
    if m[MODE] != before:
        ask.restart = 2


@block
def accept_sticking(m: A1, w: A1, ask: Ask, position: F8, v: F8, acceleration: F8, lam: F8, low: F8, high: F8):
    """Store the law after a step, and switch if an event occurs there."""
    if ask.h == 0.0:
        if ask.restart != 0:
            _choose(m, ask, position, v, acceleration, lam, low, high)
        return
    if w[ENDED] == 0.0 or m[MODE] == INACTIVE:
        return
    w[ENDED] = 0.0
    if m[DRIVEN] != 0.0:
        m[MODE] = STICKS if abs(v) <= REST else (1.0 if v > 0.0 else -1.0)
        return
    if w[FIRST] != 0.0 and w[ARMED] != AT_START and at_rest(m) != 0.0:
        m[MODE] = w[NOW]
        if m[FRESH] != 0.0 and m[MODE] == STICKS:
            m[HELD] = position
        m[FRESH] = 0.0
    if w[ARMED] != 0.0:
        m[MODE] = w[NEXT]
        m[HELD] = position
        m[FRESH] = 1.0
        ask.restart = 1
    elif m[MODE] != STICKS and low == 0.0 and high == 0.0 and v != 0.0:
        m[MODE] = 1.0 if v > 0.0 else -1.0  # without friction there is no event when the motion reverses


@leaf
def along(g: A1, a: V3, al: V3, b: V3, bl: V3) -> F8:
    """g . (a, al, b, bl): the acceleration of a coordinate with gradient g (12), without the change of g."""
    sum_a = g[0] * a[0] + g[1] * a[1] + g[2] * a[2] + g[3] * al[0] + g[4] * al[1] + g[5] * al[2]
    return sum_a + g[6] * b[0] + g[7] * b[1] + g[8] * b[2] + g[9] * bl[0] + g[10] * bl[1] + g[11] * bl[2]
