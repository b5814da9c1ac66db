"""Newton iterations of one step, with kept or new factors of the matrix, in axes that turn with the bodies.

Stabilised form (index 2; Arnold, Cardona & Bruels 2015): the multipliers follow from B v1 + Phi_t = 0, and positions are then
projected onto Phi = 0, both with the same matrix. Velocities are exact, and a change of the step size has no effect on the
multipliers (in index 3 it has, because velocities violate their constraints by O(h^2)). It also avoids the sensitive double
eigenvalue that lets the reactions of orbiting bodies grow at moderate steps. It needs up to twice the time.
"""

from pitchline.numerics.machine_code.calling import caller_of
from pitchline.numerics.machine_code.compiled import B1, F8, I8, block, leaf
from pitchline.numerics.vectors import matrix_of, mm, mtv, mul, mv, set_vec, tr, turned, vec

from ..compile.assembly import assemble, begin_step, constraint_rows
from ..compile.nodes import end_tangents, move, rotation, spread_rates
from ..elements.contract import KEEP, RATE, RESIDUAL, TANGENT
from .linear import call_factorise, call_solve
from .run_record import DONE, PIVOT, STUCK, Run
from .time_loop import change_of_slope, has_mass, predict, set_factors, step_ratio

# ---- step error

# Error of a step: comparison of Newton's corrections with it.

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


# ---- turned factors

# Factors of the matrix that can be kept while bodies rotate.
#
# Rotations are in the axes of their nodes. The matrix of a rotating shaft then rotates with it, although it is
# constant in fixed axes. Factors of a few steps before mix bending in one plane with shear in the other; with stiff
# shafts Newton then diverges. Therefore the axes in which the matrix was factorised are stored, and each solution is
# transformed: moments to those axes, rotations back.
#
# Rows are moments in node axes at the end of the step. Columns are increments, which represent rotations R T(theta)
# d(theta) in fixed axes. T rotates back by half the increment, so that their axes are those in the middle of the
# step.

NOT_TURNED, TURNED = 0, 1
"""State of a run's factors: those of this step, or of an earlier one."""


@block
def keep_axes(run: Run):
    """Store the axes of the nodes at which the matrix was assembled and factorised."""
    sys = run.system
    for k in range(1, sys.n_nodes):
        node = sys.nodes[k]
        if node.elastic >= 0:
            axes = run.factored[k]
            axes.rows = sys.bodies[k].R
            axes.columns = matrix_of(turned(sys.pose0[k].q, mul(0.5, rotation(node, sys.dq))))
    run.factors_turned = NOT_TURNED


@block
def turn_axes(run: Run):
    """Compute the rotation of the nodes since then, at the first iterate of a step."""
    sys = run.system
    for k in range(1, sys.n_nodes):
        node = sys.nodes[k]
        if node.elastic >= 0:
            axes = run.factored[k]
            axes.turn_rows = mm(tr(axes.rows), sys.bodies[k].R)
            middle = matrix_of(turned(sys.pose0[k].q, mul(0.5, rotation(node, sys.dq))))
            axes.turn_columns = mm(tr(axes.columns), middle)
    run.factors_turned = TURNED


@leaf
def _turn_back(run: Run):
    """Transform the increments of the solution to the axes of this step."""
    sys = run.system
    x = run.x
    for k in range(1, sys.n_nodes):
        i = sys.nodes[k].elastic
        if i >= 0:
            set_vec(x, i, mtv(run.factored[k].turn_columns, vec(x, i)))


@leaf
def add_penalty_forces(run: Run):
    """With the penalty p in the matrix, its solution for a multiplier lacks p times the violation of the constraint."""
    sys = run.system
    for j in range(run.n_lam):
        p = sys.lam_penalty[j]
        if p != 0.0:
            k = sys.equation[j]
            if k >= 0:
                run.x[k] += p / (sys.lam_scale[j] * sys.lam_scale[j]) * sys.r[k]


@block
def solve_kept(run: Run, check: B1) -> B1:
    """run.x = A^-1 r with the available factors; r is transformed as well. If requested, check the solution."""
    sys = run.system
    r = sys.r
    if run.factors_turned == TURNED:
        for k in range(1, sys.n_nodes):
            i = sys.nodes[k].elastic
            if i >= 0:
                set_vec(r, i, mv(run.factored[k].turn_rows, vec(r, i)))
    good = call_solve(run.solve, run.factors, check, sys.Ax, r, run.x, run.b)
    add_penalty_forces(run)
    if run.factors_turned == TURNED:
        _turn_back(run)
    return good


call_assemble = caller_of(assemble.signature)
call_begin = caller_of(begin_step.signature)
call_rows = caller_of(constraint_rows.signature)

ROUNDING = 1e-6
"""Largest correction of positions, as a fraction of the motion in the step, that counts as rounding when Newton stops improving."""
DEFAULT = 1e-7
"""Default tolerance of Newton, relative to the largest acceleration or multiplier."""
MOST_ROUNDING = 1e3
"""Amplified rounding of a mechanism, relative to the floor: Newton may stop there, within its tolerance, if it stops improving."""
SLOWEST = 0.1
"""Smallest assumed rate of convergence: the first correction of a slowly converging body may be hidden by that of another."""
SERVED = 10
"""Number of steps after which a matrix may be renewed because one more iteration was needed."""
SLOW = 0.25
"""Rate of convergence with factors of an earlier step above which the matrix is renewed immediately."""
MOST_SWITCHING = 60
"""Largest number of iterations of the first step after an event, in which laws change."""
COMPLIANCE = 1e-10
"""Compliance of the constraints in the second attempt of a step, relative to their masses (see `regularise`)."""


@block
def newton_tolerance(run: Run, s: F8) -> F8:
    """Tolerance relative to the largest acceleration and multiplier, as increments of positions; never below the
    resolution of numbers. The second derivatives of coordinates without mass are not accelerations: those of a steep law may be
    of any magnitude."""
    sys = run.system
    weight = sys.weight
    vd0 = run.vd0
    largest = 0.0
    for i in range(run.n_q):
        if sys.n_massless == 0 or has_mass(run, i):
            largest = max(largest, abs(vd0[i]) * weight[i])
    equation = sys.equation
    lam0 = run.lam0
    scale = sys.lam_scale
    for j in range(run.n_lam):
        k = equation[j]
        if k >= 0:
            largest = max(largest, abs(lam0[j]) / scale[j] * weight[k])
    return max(run.options.rtol * largest * s, 1e-3 * run.options.floor)


@block
def correct(run: Run, s: F8) -> F8:
    """Apply a Newton correction, and return its weighted norm. Store the unknown with the largest correction."""
    sys = run.system
    o = run.options
    gp = o.gamma / (o.beta * run.h)
    bp = (1.0 - o.am) / (s * (1.0 - o.af))
    x = run.x
    weight = sys.weight
    d = 0.0
    for i in range(run.n):
        size = abs(x[i]) * weight[i]
        if not size <= d:  # also detects nan
            d = size
            run.progress.worst = i
    dq = sys.dq
    v = sys.v
    vd = sys.vd
    for i in range(run.n_q):
        dq[i] -= x[i]
        v[i] -= gp * x[i]
        vd[i] -= bp * x[i]
    equation = sys.equation
    scale = sys.lam_scale
    lam = sys.lam
    for j in range(run.n_lam):
        k = equation[j]
        if k >= 0:
            lam[j] -= scale[j] / s * x[k]
    return d


@leaf
def regularise(run: Run):
    """Add a very small compliance to the constraints of a dense matrix. At a position where they lose rank, undetermined
    multipliers do not change, and motion in the free direction follows from inertia; elsewhere the effect on Newton is
    negligible. (Not for sparse matrices: the additional entries would double the fill.)"""
    sys = run.system
    n = run.n
    for j in range(run.n_lam):
        k = sys.equation[j]
        if k >= 0:
            sys.Ax[k * n + k] -= COMPLIANCE * sys.lam_scale[j] * sys.lam_factor[j]


@leaf
def watch_gain(run: Run):
    """Largest response of a multiplier to unit violations of the constraints, relative to its minimum since these were chosen.
    It is proportional to the inverse square of the distance of the constraints from dependency."""
    sys = run.system
    r = sys.r
    for i in range(run.n):  # violations without a pattern
        r[i] = 0.0 if i < run.n_q else ((7919 * i) % 997) / 498.0 - 1.0
    call_solve(run.solve, run.factors, False, sys.Ax, r, run.x, run.b)
    add_penalty_forces(run)
    p = run.progress
    gain = 0.0
    for i in range(run.n_q, run.n):
        gain = max(gain, abs(run.x[i]))
    if p.least_gain == 0.0 or gain < p.least_gain:
        p.least_gain = gain
    p.growth = gain / p.least_gain if p.least_gain > 0.0 else 1.0


@leaf
def only_rounding(run: Run) -> B1:
    """Whether a correction moves nothing: only multipliers that a nearly singular matrix leaves undetermined change."""
    way = 0.0
    moved = 0.0
    weight = run.system.weight
    for i in range(run.n_q):
        way = max(way, abs(run.system.dq[i]) * weight[i])
        moved = max(moved, abs(run.x[i]) * weight[i])
    return moved < ROUNDING * way


@block
def weigh_own(run: Run):
    """Own coordinates that exceed their typical magnitude are weighted by their current magnitude: a state of a controller may
    have any magnitude, and Newton corrections and step errors are fractions of it."""
    sys = run.system
    first = sys.first_own
    for i in range(sys.n_own):
        usual = sys.usual_weight[first + i]
        sys.weight[first + i] = usual / max(1.0, abs(sys.own0[i]) * usual)


@block
def begin(run: Run):
    """Elements prepare the step, at the accepted state."""
    sys = run.system
    for i in range(run.n_q):
        sys.dq[i] = 0.0
        sys.v[i] = run.v0[i]
        sys.vd[i] = run.vd0[i]
    for i in range(run.n_lam):
        sys.lam[i] = run.lam0[i]
    move(sys)
    spread_rates(sys)
    call_begin(run.begin, sys)


@leaf
def _evaluate(run: Run, renew: B1, s: F8):
    """Residual, and matrix if it is renewed, at the current iterate."""
    sys = run.system
    move(sys)
    spread_rates(sys)
    turn = renew and end_tangents(sys)
    sys.penalised = 1
    run.progress.loose_now = call_assemble(run.assemble, sys, TANGENT if renew else RESIDUAL, turn, s)
    sys.penalised = 0
    run.progress.evaluations += 1


@leaf
def _factorise(run: Run) -> B1:
    p = run.progress
    p.factorisations += 1
    if not call_factorise(run.factorise, run.factors, run.system.Ax):
        return False
    p.have_factors = 1
    p.h_factored = run.h
    p.step_factored = p.steps
    keep_axes(run)
    return True


@leaf
def _is_finite(run: Run) -> B1:
    """Whether all entries of the residual are numbers."""
    size = 0.0
    for i in range(run.n):
        size += abs(run.system.r[i])
    return size < 1e300


@block
def newton(run: Run) -> I8:
    """Solve one step run.h from the accepted motion to the time run.t1; the new values are dq, v, vd, lam of the system."""
    sys = run.system
    p = run.progress
    o = run.options
    floor = o.floor
    s = set_factors(run)
    if sys.n_own > 0:
        weigh_own(run)
    tolerance = newton_tolerance(run, s)
    stabilised = o.stabilised != 0 and sys.n_constraints > 0
    to_length = o.beta * run.h / o.gamma  # dPhi/dt times this has the same derivative with respect to dq as Phi
    if sys.n_begins > 0:
        begin(run)
    for attempt in range(2):
        # second attempt: no extrapolation, a new matrix at every iteration, constraints on positions: near a position
        # where they lose rank, those on velocities have a second solution, in which the mechanism jumps to another branch
        fresh = attempt == 1
        predict(run, 0 if fresh else p.extrapolate)
        last = 0.0
        last_over = 0.0
        old = False
        renewed = False
        unchecked = 1 if sys.ask.restart != 0 else 0  # iterations until the laws that were chosen have been checked
        for iteration in range(MOST_SWITCHING if sys.ask.restart != 0 else 25 if fresh else 12):
            renew = fresh or p.have_factors == 0
            restart = sys.ask.restart
            _evaluate(run, renew, s)
            changed = (
                sys.ask.restart == 2
            )  # an element changed its law after an event, or is at a far steeper place of it
            unchecked -= 1
            if changed:
                unchecked = 0
                if not renew:
                    renew = True
                    sys.ask.restart = KEEP if restart != 0 else 0
                    _evaluate(run, True, s)
                sys.ask.restart = restart
            if stabilised and not fresh:
                call_rows(run.rows, sys, RATE, run.x)
                for i in range(run.n_q, run.n):
                    sys.r[i] = to_length * run.x[i]
            if renew:
                if fresh and sys.is_dense != 0:
                    regularise(run)
                if not _factorise(run):
                    return (
                        PIVOT if _is_finite(run) else STUCK
                    )  # other pivots do not help against forces that are not numbers
                renewed = True
            elif iteration == 0:
                turn_axes(run)
            if not solve_kept(run, renew):
                return PIVOT
            d = correct(run, s)
            if not d < 1e3:
                if renewed:
                    break
                p.have_factors = 0
                predict(run, p.extrapolate)
                continue
            rate = d / last if last > 0.0 else 0.0
            run.rate = rate if last > 0.0 else SLOW
            good = (
                d < 1e-3 * tolerance
            )  # not with the rate of an earlier step at first: this would spoil the multipliers
            if iteration > 0:
                known = last > 0.0  # not in the first correction after a new start: its rate is unknown
                good = d < tolerance or (known and rate < 1.0 and rate / max(1e-3, 1.0 - rate) * d < tolerance)
            good = good and unchecked < 0
            over = 0.0
            if good and o.follow > 0.0 and not fresh:
                over = over_step_error(run, s)
            if renew and not fresh and p.choose_at >= 0:
                watch_gain(run)
            if iteration > 0 and unchecked < 0:
                if d < floor and rate > 0.2:  # no longer improving, at the level of rounding
                    return DONE
                if (
                    iteration > 2
                    and rate > 0.9
                    and d < min(MOST_ROUNDING * floor, tolerance * max(1.0, DEFAULT / o.rtol))
                ):
                    return DONE  # the requested tolerance is below the rounding, which levers amplify
                if fresh and iteration > 3 and (rate > 0.9 or iteration == 24) and only_rounding(run):
                    # full Newton stopped improving: only rounding remains if the matrix is nearly singular
                    # (there it converges by halves, so that a rate below 0.9 still improves)
                    p.rounded += 1
                    return DONE
                if rate > 0.9 and d > tolerance and iteration > (12 if fresh else 2) and renewed:
                    break
                if over > 0.0 and iteration < 8:
                    fall = over / last_over if last_over > 0.0 else min(rate, 0.7)
                    # corrections that no longer decrease are rounding: the requested accuracy is beyond the resolution of numbers
                    good = fall > 0.7 or max(fall, SLOWEST) * over < 1.0 - fall
                    if not good and p.steps >= p.step_factored + SERVED:
                        old = True
                if good:
                    if not fresh and (iteration > 2 or rate > 0.15 or old):
                        p.have_factors = 0  # slow: a new matrix for the next step
                    return DONE
            elif good and over == 0.0:
                return DONE
            if rate > SLOW and not renewed:  # the factors are too old: a new matrix, if necessary from the start
                p.have_factors = 0
                if rate > 0.9:
                    predict(run, p.extrapolate)
                    d = 0.0
            last = d
            last_over = over
        p.failures += 1
        p.have_factors = 0
    return STUCK


@block
def close(run: Run) -> I8:
    """Project new positions onto Phi = 0: with the available factors and, if these are too old, with new ones.

    Return 0 if corrections do not decrease: near a position in which the constraints lose rank, or far from them."""
    sys = run.system
    ask = sys.ask
    x = run.x
    dq = sys.dq
    weight = sys.weight
    for attempt in range(2):
        last = 0.0
        for k in range(6):
            move(sys)
            call_rows(run.rows, sys, RESIDUAL, sys.r)
            solve_kept(run, False)
            d = 0.0
            for i in range(run.n_q):
                d = max(d, abs(x[i]) * weight[i])
            if not d <= (1e-2 if k == 0 else 0.5 * last):
                if k > 0 and d <= MOST_ROUNDING * run.options.floor:
                    return 1  # rounding of the constraints, which angles of many revolutions amplify
                break
            for i in range(run.n_q):
                dq[i] -= x[i]
            if d <= 10.0 * run.options.floor or 10.0 * run.rate * d < MOST_ROUNDING * run.options.floor:
                return 1
            last = d
        if attempt == 1:
            return 0
        power_in = ask.power_in  # the work of the step is that of Newton's last evaluation
        power_out = ask.power_out
        power_teeth = ask.power_teeth
        loose = run.progress.loose_now
        evaluations = run.progress.evaluations
        h_factored = run.progress.h_factored
        step_factored = run.progress.step_factored
        _evaluate(run, True, ask.K)
        run.progress.loose_now = loose
        run.progress.evaluations = evaluations
        ask.power_in = power_in
        ask.power_out = power_out
        ask.power_teeth = power_teeth
        if not _factorise(run):
            run.progress.have_factors = 0
            return 0
        run.progress.h_factored = h_factored
        run.progress.step_factored = step_factored
    return 0


call_newton = caller_of(newton.signature)
call_close = caller_of(close.signature)
