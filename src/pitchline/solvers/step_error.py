"""Error of a step: comparison of Newton's corrections with it."""

from ..math.compiled import F8, block, leaf
from .generalized_alpha import change_of_slope, has_mass, step_ratio
from .run_record import Run

MULTIPLIERS = 10.0
"""Ratio of the errors of multipliers to those of the motion that Newton may leave: the former do not accumulate."""


@leaf
def neglected(after: F8, now: F8, before: F8, ratio: F8, smoothness: F8) -> F8:
    """Error of a step for a function of time: about its second difference, h^2 times its second derivative. If that passes
    through zero, the first difference is used, times the ratio of both."""
    change = after - now
    return max(abs(change - ratio * (now - before)), smoothness * abs(change))


@block
def _own_over_step_error(run: Run, s: F8, ratio: F8, smoothness: F8) -> F8:
    """The same for open coordinates of elements."""
    sys = run.system
    weight = sys.weight
    rounding = 0.1 * run.options.floor
    largest = 0.0
    for n in range(sys.n_active):
        e = sys.elements[n]
        size = 0.0
        allowed = 0.0
        for i in range(e.own, e.own + e.n_own):
            size = max(size, abs(run.x[i]) * weight[i])
            if has_mass(run, i):
                part = neglected(sys.vd[i], run.vd0[i], run.vd_before[i], ratio, smoothness)
            else:
                part = abs(change_of_slope(run, i))
            allowed = max(allowed, part * weight[i])
        if size > rounding:
            largest = max(largest, size / max(run.options.follow * s * allowed, 0.01 * rounding))
    return largest


@block
def over_step_error(run: Run, s: F8) -> F8:
    """Largest correction divided by the fraction `follow` of the step error (in accelerations and multipliers, as increments).

    Every body, every constraint and every element with open coordinates is measured separately: a part with large motion, or a
    light part with large forces, must not hide errors of another one. Corrections at the level of rounding are ignored."""
    sys = run.system
    x = run.x
    weight = sys.weight
    ratio = step_ratio(run)
    rounding = 0.1 * run.options.floor
    follow = run.options.follow
    vd1 = sys.vd
    vd0 = run.vd0
    before = run.vd_before
    largest = 0.0
    first = 0.0
    second = 0.0
    for i in range(run.n_q):
        if has_mass(run, i):
            change = vd1[i] - vd0[i]
            first = max(first, abs(change) * weight[i])
            second = max(second, abs(change - ratio * (vd0[i] - before[i])) * weight[i])
    smoothness = second / first if second < first else 1.0
    for n in range(1, sys.n_nodes):
        node = sys.nodes[n]
        size = 0.0
        allowed = 0.0
        for i in range(node.first, node.first + node.count):
            size = max(size, abs(x[i]) * weight[i])
            allowed = max(allowed, neglected(vd1[i], vd0[i], before[i], ratio, smoothness) * weight[i])
        if size > rounding:
            largest = max(largest, size / max(follow * s * allowed, 0.01 * rounding))
    if sys.n_own > 0:
        largest = max(largest, _own_over_step_error(run, s, ratio, smoothness))
    equation = sys.equation
    scale = sys.lam_scale
    lam1 = sys.lam
    lam0 = run.lam0
    lam_before = run.lam_before
    first = 0.0
    second = 0.0
    for j in range(run.n_lam):
        k = equation[j]
        if k >= 0:
            change = lam1[j] - lam0[j]
            part = weight[k] / scale[j]
            first = max(first, abs(change) * part)
            second = max(second, abs(change - ratio * (lam0[j] - lam_before[j])) * part)
    smoothness = second / first if second < first else 1.0
    for n in range(sys.n_constraints):
        e = sys.elements[sys.constraints[n]]
        size = 0.0
        allowed = 0.0
        for j in range(e.lam, e.lam + e.n_rows):
            k = equation[j]
            if k >= 0:
                size = max(size, abs(x[k]) * weight[k])
                part = neglected(lam1[j], lam0[j], lam_before[j], ratio, smoothness)
                allowed = max(allowed, part / scale[j] * weight[k])
        if size > rounding:
            largest = max(largest, size / max(MULTIPLIERS * follow * s * allowed, 0.01 * rounding))
    return largest
