"""Newton iterations of one step, with kept or new factors of the matrix.

Stabilised form (index 2; Arnold, Cardona & Bruels 2015): the multipliers follow from B v1 + Phi_t = 0, and positions are then
projected onto Phi = 0, both with the same matrix. Velocities are exact, and a change of the step size has no effect on the
multipliers (in index 3 it has, because velocities violate their constraints by O(h^2)). It also avoids the sensitive double
eigenvalue that lets the reactions of orbiting bodies grow at moderate steps. It needs up to twice the time.
"""

from ..elements.contract import KEEP, RATE, RESIDUAL, TANGENT
from ..math.calling import caller_of
from ..math.compiled import B1, F8, I8, block, leaf
from ..system.assembly import assemble, begin_step, constraint_rows
from ..system.nodes import end_tangents, move, spread_rates
from .generalized_alpha import has_mass, predict, set_factors
from .linear import call_factorise, call_solve
from .run_record import DONE, PIVOT, STUCK, Run
from .step_error import over_step_error
from .turned_factors import add_penalty_forces, keep_axes, solve_kept, turn_axes

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
            good = (
                d < 1e-3 * tolerance
            )  # not with the rate of an earlier step at first: this would spoil the multipliers
            if iteration > 0:
                good = d < tolerance or (rate < 1.0 and rate / max(1e-3, 1.0 - rate) * d < tolerance)
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
                break
            for i in range(run.n_q):
                dq[i] -= x[i]
            if d <= 10.0 * run.options.floor:
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
