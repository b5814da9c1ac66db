"""Scales of friction that sticks (`sticking`): what is noise compared with the efforts that act, and how elements share a load.

`ask.grip` is the largest limit of all elements over the root of the inertia of its coordinate, `ask.acting` the largest multiplier
over the root of its scale. Both are collected at the start of a step.
"""

from ..math.compiled import A1, F8, V2, V3, leaf
from .contract import Ask

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
