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

Elements whose coordinates depend on each other while they stick (two brakes on one shaft, or on both shafts of a gearbox) share
their load by their limits: with the used part U of its limit L, lam = U L, and U grows with the speed,

    U = U_0 + h v / d,    d = 1e-8 beta h^2 G / sqrt(m),    G = max L / sqrt(m) of all elements,

m being the inertia of the coordinate. Thus all elements on one motion have the same U, and break away together. Speeds at rest are
numbers near zero, so that U has no rounding errors of positions. A limit that depends on other forces (losses) is that of the
same instant.

Efforts and speeds that are very small compared with the efforts that act do not switch an element: an effort above its limit by
less than FLOOR, and a motion backwards slower than a small part of what the efforts cause in a step.

A motion without inertia (kinematics) has no velocities within the search for equilibrium: the speed of the friction is then in the
memory (FRESH is QUASI_STATIC, HELD the speed).

A coordinate that a drive prescribes cannot stick: its friction follows the direction of the motion, and is zero at rest.

Memory and scratch are arrays, with the places below, so that every element with friction can use these functions.
"""

import math

from pitchline.engine.elements.contract import KEEP, RATE, Ask
from pitchline.numerics.machine_code.compiled import A1, B1, F8, V2, V3, V4, block, leaf

# ---- sticking scales

# Scales of friction that sticks: what is noise compared with the efforts that act, and how elements
# share a load.
#
# `ask.grip` is the largest limit of all elements over the root of the inertia of its coordinate, `ask.acting` the
# largest multiplier over the root of its scale. Both are collected at the start of a step.

EFFORT0, USED0, LIMIT0, ROOT = 11, 12, 13, 14
"""Places in the scratch: effort, used part of the limit and largest limit at the start of the step; root of the inertia."""
STICKS = 2.0
"""Law of an element that sticks."""
ALONE, SHARED = 1e-12, 1e-8
"""Compliance of a sticking row in a step, relative to that of its masses in the step; SHARED: other elements can hold the same
motion."""
UNLIMITED = 1e15
"""Capacity of a freewheel that never slips [N*m]."""
STEEPEST = 1e3
"""Limit of an element, relative to the largest of the start of the step, above which its effort is not shared by limits yet."""
OVER = 1e-10
"""Excess of an effort over its limit, relative to it, that counts as rounding."""
FLOOR, ACTING, NOTHING = 1e-10, 1e-12, 1e-14
"""The same, relative to the largest limit of all elements, and to the largest multiplier; and where nothing acts, as acceleration
of a mass or inertia of 1 [m/s^2 or rad/s^2]."""
ROUNDING = 4e-16
"""Motion in a step that is rounding [rad or m]."""
SLOW = 1e-6
"""Speed at rest, as a fraction of what the largest limit causes in a step."""


@leaf
def margin(lam: F8, low: F8, high: F8) -> F8:
    """Excess of the effort over its limits; negative if it sticks."""
    return max(lam - high, low - lam)


@leaf
def nothing(w: A1, ask: Ask) -> F8:
    """Effort that is very small compared with those that act."""
    return (FLOOR * ask.grip + ACTING * ask.acting + NOTHING) * w[ROOT]


@leaf
def noise(w: A1, ask: Ask) -> F8:
    """Effort that is very small compared with those that act, or that moves nothing within the step."""
    return nothing(w, ask) + ROUNDING * ask.L * w[ROOT] * w[ROOT]


@leaf
def present_effort(w: A1, lam: F8, low: F8, high: F8) -> F8:
    """Largest of the present effort and of its limits, over the root of the inertia."""
    found = abs(lam)
    if high < UNLIMITED:
        found = max(found, high)
    if low > -UNLIMITED:
        found = max(found, -low)
    return min(found, UNLIMITED) / w[ROOT]


@leaf
def slow(w: A1, ask: Ask, h: F8, present: F8) -> F8:
    """Speed that is very small compared with what the efforts cause within a time h; with h = 1: acceleration."""
    rounding = 2.0 * ROUNDING / ask.h if ask.h > 0.0 else 0.0
    return h * (SLOW * max(ask.grip, present) + NOTHING) / w[ROOT] + rounding


@leaf
def exceeded(lam: F8, low: F8, high: F8, floor: F8) -> F8:
    """Direction in which an element breaks away, or STICKS."""
    if lam > high + OVER * high + floor:
        return 1.0
    if lam < low + OVER * low - floor:
        return -1.0
    return STICKS


@leaf
def used_limit(w: A1, ask: Ask, v: F8, row: V2, low: F8, high: F8) -> V3:
    """(used part of the limit, limit in its direction, compliance of the row). Part 0 and limit -1: not shared by limits.

    A freewheel that transmits an effort has no used part. It holds in both directions until the effort is zero, an event."""
    compliance = row[1] / (row[0] * ask.L)
    most = ask.grip * w[ROOT]
    if low == 0.0 and high == 0.0:
        return (0.0, 0.0, compliance)
    locked = (high if w[EFFORT0] > 0.0 else -low) >= UNLIMITED and abs(w[EFFORT0]) > nothing(w, ask)
    if most <= 0.0 or locked:
        return (0.0, -1.0, compliance)
    used = w[USED0] + ask.h * v / (compliance * most)
    limit = high if used > 0.0 else -low
    if limit >= UNLIMITED or limit > STEEPEST * most:
        return (0.0, -1.0, compliance)
    return (used, limit, compliance)


@leaf
def row_size(w: A1, ask: Ask) -> F8:
    """Factor that gives the row of an element with a small limit the size of the others."""
    most = ask.grip * w[ROOT]
    return 1.0 / (min(1.0, w[LIMIT0] / most) + SHARED) if most > 0.0 else 1.0


# memory
MODE, HELD, FRESH, DRIVEN = 0, 1, 2, 3
MEMORY = 4
# scratch: law within the step, changes of it, whether the step was solved, whether and how it switches at its end, and values
# at its start
NOW, CHANGES, ENDED, ARMED, NEXT, FIRST, SPEED0, ACCELERATION0, MARGIN0, TRIED = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
# whether the law may change in this step, and the places of the scales
RESTS = 10
# whether it shares its load with others
SHARES = 15
SCRATCH = 16

INACTIVE = 0.0
"""Laws; +1.0 and -1.0: slips in that direction. Memory starts with INACTIVE."""
QUASI_STATIC, RECALLED, STOPPED = 2.0, 3.0, 4.0
"""Values of FRESH: motion without inertia; the element stuck at the end of the result from which an analysis starts; it is at
rest, whatever its speed."""
AT_END, AT_START = 1.0, 2.0
MOST_CHANGES, TOGETHER = 20, 2
"""Largest number of changes of the law within Newton's iteration of one step, and number after which it waits for others."""
REST, NEARLY_REST = 1e-10, 1e-6
"""Speed [rad/s or m/s] below which an element is at rest at the start of an analysis, and if it stuck before."""
CONTRADICTS = 1e-4
"""Excess of an effort or a speed of the chosen law, relative to the limits and their effect, that is not rounding."""
CONFLICT = -1.0
"""Value of `ask.cut`: the laws after an event contradict each other."""


@block
def begin_sticking(m: A1, w: A1, ask: Ask, row: V2, v: F8, acceleration: F8, lam: F8, low: F8, high: F8):
    """Start of a step. Limits are those at the start of the step. row: inertia that scales the row, relative compliance."""
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
    w[ROOT] = math.sqrt(row[0])
    w[SHARES] = 1.0 if row[1] > ALONE else 0.0
    w[EFFORT0] = lam
    w[LIMIT0] = max(high, -low)
    limit = high if lam > 0.0 else -low
    w[USED0] = lam / limit if ask.restart == 0 and limit > 0.0 else 0.0
    w[RESTS] = 1.0 if m[DRIVEN] == 0.0 and (m[MODE] == STICKS or m[FRESH] != 0.0) else 0.0
    if high < UNLIMITED and low > -UNLIMITED:
        ask.grip = max(ask.grip, present_effort(w, lam, low, high))


@leaf
def rests(m: A1, w: A1, ask: Ask) -> F8:
    """Whether the law may change in the first step after an event: it sticks, has just switched, or does not move."""
    still = m[DRIVEN] == 0.0 and m[MODE] != INACTIVE and abs(w[SPEED0]) <= slow(w, ask, ask.h, 0.0)
    return 1.0 if w[RESTS] != 0.0 or still else 0.0


@block
def present_law(m: A1, w: A1, ask: Ask, v: F8, lam: F8, low: F8, high: F8) -> F8:
    """The law of this evaluation. It may change in the first step after an event."""
    now = w[NOW]
    if (
        ask.restart != 0
        and ask.h > 0.0
        and ask.mode != RATE
        and now != INACTIVE
        and rests(m, w, ask) != 0.0
        and w[CHANGES] < MOST_CHANGES
    ):
        new = now
        if ask.restart == KEEP:
            return now
        w[TRIED] += 1.0
        if w[TRIED] < 2.0:
            return now  # multiplier and velocity are not those of this law yet
        if ask.restart == 2 and w[CHANGES] >= TOGETHER:
            return now  # one after the other, those of the first elements first: this ends
        if now == STICKS:
            new = exceeded(lam, low, high, noise(w, ask))
        elif now * v < -slow(w, ask, ask.h, present_effort(w, lam, low, high)):
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


@leaf
def is_shared(m: A1, now: F8, ask: Ask, row: V2) -> B1:
    """Whether the row shares its load with others in a step."""
    return holds(m, now) != 0.0 and ask.h > 0.0 and row[1] > ALONE


@block
def _shared_row(w: A1, ask: Ask, v: F8, lam: F8, row: V2, low: F8, high: F8) -> V4:
    """`sticking_row` of an element that shares its load with others."""
    used, limit, compliance = used_limit(w, ask, v, row, low, high)
    if limit < 0.0:
        return (ask.h * v - compliance * (lam - w[EFFORT0]), 0.0, ask.h, -row[1] / row[0])
    size = row_size(w, ask)
    by_speed = size * ask.h * limit / (ask.grip * w[ROOT]) if limit > 0.0 else 0.0
    return (size * compliance * (limit * used - lam), 0.0, by_speed, -size * row[1] / row[0])


@block
def row_by_limit(m: A1, w: A1, now: F8, ask: Ask, v: F8, row: V2, low: F8, high: F8) -> V2:
    """Derivative of the row with respect to the limit of its effort, and the side of that limit (+1: high, -1: low)."""
    if not is_shared(m, now, ask, row):
        return (0.0, 1.0)
    used, limit, compliance = used_limit(w, ask, v, row, low, high)
    if limit < 0.0:
        return (0.0, 1.0)
    return (row_size(w, ask) * compliance * used, 1.0 if used > 0.0 else -1.0)


@block
def sticking_row(
    m: A1, w: A1, now: F8, ask: Ask, gap: F8, v: F8, lam: F8, law: V2, row: V2, low: F8, high: F8
) -> V4:  # fmt: skip
    """(Phi, factor of ds/dq, factor of d(ds/dt)/dq, factor of the multiplier) of the row. gap: s - held.

    law: effort in motion, zero at rest, and its derivative. row: mass or inertia that scales the row, relative compliance."""
    rho = row[0] * ask.L
    if holds(m, now) != 0.0:
        if ask.h == 0.0:
            return (gap, 1.0, 0.0, 0.0)
        if row[1] > ALONE:
            return _shared_row(w, ask, v, lam, row, low, high)
        phi = gap
        if ask.restart != 0 and (m[FRESH] != 0.0 or m[MODE] != STICKS):
            phi = v / (ask.D * ask.L)
        return (phi - row[1] * lam / rho, 1.0, 0.0, -row[1] * ask.L / rho)
    return ((lam - law[0]) / rho, 0.0, -law[1] / rho, ask.L / rho)


@leaf
def sticking_rate(m: A1, now: F8, ask: Ask, v: F8, phi: F8, row: V2) -> F8:
    """The row in the mode RATE. phi: Phi of `sticking_row`."""
    if holds(m, now) != 0.0 and not is_shared(m, now, ask, row):
        return v
    return phi * ask.D / ask.K if ask.K > 0.0 else 0.0


@block
def _stop(w: A1, ask: Ask, sign: F8, v: F8, acceleration: F8, floor: F8) -> F8:
    """Fraction of the step at which a slipping element stops; a large number if it does not. floor: speed at rest."""
    u0 = sign * w[SPEED0]
    u1 = sign * v
    if u0 <= floor and -floor <= u1 <= floor:
        return 1e9  # it has its largest effort and does not move: others hold it
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


@leaf
def _contradicts(w: A1, ask: Ask, now: F8, v: F8, lam: F8, low: F8, high: F8) -> B1:
    """Whether the law that was chosen within Newton's iteration is not valid for its solution."""
    small = CONTRADICTS * max(ask.grip, present_effort(w, lam, low, high))
    if now == STICKS:
        return margin(lam, low, high) > small * w[ROOT] + 10.0 * noise(w, ask)
    return now * v < -small * ask.h / w[ROOT] - 10.0 * slow(w, ask, ask.h, 0.0)


@leaf
def _without_load(w: A1, ask: Ask, low: F8, high: F8) -> F8:
    """First estimate of the fraction of a step at which an element exceeds its limit, if it has none at the start: 0; if the limit
    follows from a load that begins in this step, half of it."""
    grows = w[SHARES] != 0.0 and w[LIMIT0] <= nothing(w, ask) < max(high, -low)
    return 0.5 if grows else 0.0


@block
def guard_sticking(m: A1, w: A1, ask: Ask, v: F8, acceleration: F8, lam: F8, low: F8, high: F8):
    """Fraction of the step at which the law ends."""
    if ask.restart == KEEP:
        if rests(m, w, ask) != 0.0 and w[NOW] != m[MODE]:
            m[MODE] = w[NOW]
            m[FRESH] = 1.0
        return
    w[ENDED] = 1.0
    w[ARMED] = 0.0
    now = w[NOW]
    if now == INACTIVE or m[DRIVEN] != 0.0:
        return
    if w[FIRST] != 0.0 and rests(m, w, ask) != 0.0:
        if _contradicts(w, ask, now, v, lam, low, high):
            ask.cut = CONFLICT
        return
    fraction = 1e9
    if now == STICKS:
        before = w[MARGIN0]
        after = margin(lam, low, high)
        over = exceeded(lam, low, high, noise(w, ask))
        if over != STICKS:
            fraction = before / (before - after) if before < 0.0 else _without_load(w, ask, low, high)
        elif ask.cut > 1.0 and after > before and before < 0.0:
            fraction = before / (before - after)
        w[NEXT] = 1.0 if lam - high > low - lam else -1.0
    elif low < 0.0 or high > 0.0:
        fraction = _stop(w, ask, now, v, acceleration, slow(w, ask, ask.h, present_effort(w, lam, low, high)))
        w[NEXT] = STICKS
    if fraction < ask.cut:
        ask.cut = fraction
    if ask.shift >= 0.0:
        if abs(fraction - 1.0) <= ask.shift:
            w[ARMED] = AT_END
    elif fraction <= -ask.shift:
        w[ARMED] = AT_START


@block
def _choose(m: A1, w: A1, ask: Ask, position: F8, v: F8, acceleration: F8, lam: F8, low: F8, high: F8):
    """The law at the start of an analysis."""
    before = m[MODE]
    rest = NEARLY_REST if m[FRESH] == RECALLED else (1e300 if m[FRESH] == STOPPED else REST)
    m[FRESH] = 0.0
    if m[DRIVEN] != 0.0 or before == INACTIVE:
        m[HELD] = position
        m[MODE] = STICKS if abs(v) <= rest else (1.0 if v > 0.0 else -1.0)
    elif before == STICKS:
        m[MODE] = exceeded(lam, low, high, noise(w, ask))
    elif abs(v) <= REST and before * acceleration < -slow(w, ask, 1.0, 0.0):
        m[MODE] = STICKS
    if m[MODE] != before:
        ask.restart = 2


@leaf
def _ends_without_force(m: A1, w: A1, ask: Ask, v: F8, low: F8, high: F8) -> B1:
    """Whether an element that slips has no limit and no motion left, while others hold its motion."""
    small = max(high, -low) <= nothing(w, ask) and abs(v) <= slow(w, ask, ask.h, 0.0)
    return m[MODE] != STICKS and w[SHARES] != 0.0 and small


@leaf
def _starts_without_force(m: A1, w: A1, ask: Ask, v: F8, lam: F8, low: F8, high: F8) -> B1:
    """Whether an element that sticks moves in a direction in which nothing holds it. One that transmits an effort in the other
    direction (a locked freewheel) holds: its speed is an inaccuracy of the step."""
    free = (high if v > 0.0 else low) == 0.0 and abs(lam) <= nothing(w, ask)
    return m[MODE] == STICKS and free and abs(v) > slow(w, ask, ask.h, 0.0)


@leaf
def _joins(m: A1, w: A1, ask: Ask, low: F8, high: F8) -> B1:
    """Whether an element that sticks had no limit at the start of the step, has one now (a brake that closes), and others may
    carry a load already, of which it has no part yet."""
    grows = w[LIMIT0] <= nothing(w, ask) < max(high, -low)
    return m[MODE] == STICKS and w[SHARES] != 0.0 and w[FIRST] == 0.0 and grows and ask.acting > FLOOR * ask.grip


@block
def accept_sticking(m: A1, w: A1, ask: Ask, position: F8, v: F8, acceleration: F8, lam: F8, low: F8, high: F8):
    """Store the law after a step, and switch if an event occurs there."""
    if ask.h == 0.0:
        if ask.restart != 0:
            _choose(m, w, ask, position, v, acceleration, lam, low, high)
        return
    if w[ENDED] == 0.0 or m[MODE] == INACTIVE:
        return
    w[ENDED] = 0.0
    if m[DRIVEN] != 0.0:
        m[MODE] = STICKS if abs(v) <= REST else (1.0 if v > 0.0 else -1.0)
        return
    if w[FIRST] != 0.0 and w[ARMED] != AT_START and rests(m, w, ask) != 0.0:
        if w[NOW] == STICKS and (m[FRESH] != 0.0 or m[MODE] != STICKS):
            m[HELD] = position
        m[MODE] = w[NOW]
        m[FRESH] = 0.0
    if w[ARMED] != 0.0:
        m[MODE] = w[NEXT]
        m[HELD] = position
        m[FRESH] = 1.0
        ask.restart = 1
    elif _ends_without_force(m, w, ask, v, low, high):
        m[MODE] = STICKS  # without friction there is no event when the motion ends
        m[HELD] = position
    elif m[MODE] != STICKS and low == 0.0 and high == 0.0 and v != 0.0:
        m[MODE] = 1.0 if v > 0.0 else -1.0  # nor when it reverses
    elif _starts_without_force(m, w, ask, v, lam, low, high):
        m[MODE] = 1.0 if v > 0.0 else -1.0  # or when it starts
    elif _joins(m, w, ask, low, high):
        ask.restart = 1  # all elements on its motion share the load again


@leaf
def along(g: A1, a: V3, al: V3, b: V3, bl: V3) -> F8:
    """g . (a, al, b, bl): the acceleration of a coordinate with gradient g (12), without the change of g."""
    sum_a = g[0] * a[0] + g[1] * a[1] + g[2] * a[2] + g[3] * al[0] + g[4] * al[1] + g[5] * al[2]
    return sum_a + g[6] * b[0] + g[7] * b[1] + g[8] * b[2] + g[9] * bl[0] + g[10] * bl[1] + g[11] * bl[2]
