"""Newton's iterations of one step, by kept or new factors of the matrix.

Stabilised form (index 2; Arnold, Cardona & Bruels 2015): the multipliers follow from B v1 + Phi_t = 0, and positions are then
brought onto Phi = 0, both by the same matrix. Velocities are exact, a change of the step leaves no trace in the multipliers
(in index 3 it does, because velocities miss their constraints by O(h^2)), and the double eigenvalue is gone whose sensitivity
lets the reactions of orbiting bodies grow at moderate steps. It costs up to twice as much.
"""

from ..elements.contract import RATE, RESIDUAL, TANGENT
from ..math.calling import caller_of
from ..math.compiled import B1, F8, I8, block, leaf
from ..system.assembly import assemble, begin_step, constraint_rows
from ..system.nodes import end_tangents, move, spread_rates
from .generalized_alpha import predict, set_factors
from .linear import call_factorise, call_solve
from .run_record import DONE, PIVOT, STUCK, Run
from .step_error import over_step_error
from .turned_factors import keep_axes, solve_kept, turn_axes

call_assemble = caller_of(assemble.signature)
call_begin = caller_of(begin_step.signature)
call_rows = caller_of(constraint_rows.signature)

ROUNDING = 1e-6
"""Largest correction of positions, as a part of the step's way, that is accepted as rounding when Newton stops improving."""
DEFAULT = 1e-7
"""Newton's tolerance by default, relative to the largest acceleration or multiplier."""
MOST_ROUNDING = 1e3
"""Rounding that a mechanism magnifies, over the floor: Newton may end there, within its tolerance, if it stops improving."""
SLOWEST = 0.1
"""Rate of convergence that is trusted at best: the first correction of a body that converges slowly may be hidden by another's."""
SERVED = 10
"""Steps after which a matrix may be renewed because an iteration more was needed."""
SLOW = 0.25
"""Rate of convergence by factors of an earlier step above which the matrix is renewed at once."""
COMPLIANCE = 1e-10
"""Of the constraints in the second attempt of a step, relative to the masses they hold (see `regularise`)."""


@block
def newton_tolerance(run: Run, s: F8) -> F8:
    """Relative to the largest acceleration and multiplier, as increments of positions; never below what numbers resolve."""
    sys = run.system
    weight = sys.weight
    vd0 = run.vd0
    largest = 0.0
    for i in range(run.n_q):
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
    """Apply a Newton correction; returns its weighted size, notes the worst unknown."""
    sys = run.system
    o = run.options
    gp = o.gamma / (o.beta * run.h)
    bp = (1.0 - o.am) / (s * (1.0 - o.af))
    x = run.x
    weight = sys.weight
    d = 0.0
    for i in range(run.n):
        size = abs(x[i]) * weight[i]
        if not size <= d:  # also catches nan
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
    """A trace of compliance in the constraints of a dense matrix. On a position where they lose rank, the multipliers that it
    leaves open are left alone, and motion in the direction that is free there follows from inertia; elsewhere Newton hardly
    feels it. (A sparse matrix has no place for it: those entries would double its fill.)"""
    sys = run.system
    n = run.n
    for j in range(run.n_lam):
        k = sys.equation[j]
        if k >= 0:
            sys.Ax[k * n + k] -= COMPLIANCE * sys.lam_scale[j]


@leaf
def watch_gain(run: Run):
    """Largest multiplier that answers to unit violations of the constraints, over the least it was since these were chosen. It
    goes with the inverse square of how far the constraints are from dependent."""
    sys = run.system
    r = sys.r
    for i in range(run.n):  # violations without any pattern
        r[i] = 0.0 if i < run.n_q else ((7919 * i) % 997) / 498.0 - 1.0
    call_solve(run.solve, run.factors, False, sys.Ax, r, run.x, run.b)
    p = run.progress
    gain = 0.0
    for i in range(run.n_q, run.n):
        gain = max(gain, abs(run.x[i]))
    if p.least_gain == 0.0 or gain < p.least_gain:
        p.least_gain = gain
    p.growth = gain / p.least_gain if p.least_gain > 0.0 else 1.0


@leaf
def only_rounding(run: Run) -> B1:
    """Whether a correction moves nothing: what is left are multipliers that a nearly singular matrix leaves open."""
    way = 0.0
    moved = 0.0
    weight = run.system.weight
    for i in range(run.n_q):
        way = max(way, abs(run.system.dq[i]) * weight[i])
        moved = max(moved, abs(run.x[i]) * weight[i])
    return moved < ROUNDING * way


@block
def weigh_own(run: Run):
    """Own coordinates that have grown beyond their usual size are weighed by the size they have: a state of a controller may be
    of any size, and Newton's corrections, errors of steps and what counts as too far are parts of it."""
    sys = run.system
    first = sys.first_own
    for i in range(sys.n_own):
        usual = sys.usual_weight[first + i]
        sys.weight[first + i] = usual / max(1.0, abs(sys.own0[i]) * usual)


@block
def begin(run: Run):
    """Let elements prepare the step, at the accepted state."""
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
    """Residual, and matrix if it is renewed, at the present iterate."""
    sys = run.system
    move(sys)
    spread_rates(sys)
    turn = renew and end_tangents(sys)
    run.progress.loose_now = call_assemble(run.assemble, sys, TANGENT if renew else RESIDUAL, turn, s)
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
    to_length = o.beta * run.h / o.gamma  # dPhi/dt times this has the same derivative by dq as Phi
    if sys.n_begins > 0:
        begin(run)
    for attempt in range(2):
        # second attempt: nothing extrapolated, a new matrix at every iteration, constraints on positions: near a position
        # where they lose rank those on velocities have a second solution, in which the mechanism jumps to another branch
        fresh = attempt == 1
        predict(run, 0 if fresh else p.extrapolate)
        last = 0.0
        last_over = 0.0
        old = False
        renewed = False
        for iteration in range(25 if fresh else 12):
            renew = fresh or p.have_factors == 0
            _evaluate(run, renew, s)
            if stabilised and not fresh:
                call_rows(run.rows, sys, RATE, run.x)
                for i in range(run.n_q, run.n):
                    sys.r[i] = to_length * run.x[i]
            if renew:
                if fresh and sys.is_dense != 0:
                    regularise(run)
                if not _factorise(run):
                    return PIVOT
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
            )  # the first time never on the rate of an earlier step: it would ruin the multipliers
            if iteration > 0:
                good = d < tolerance or (rate < 1.0 and rate / max(1e-3, 1.0 - rate) * d < tolerance)
            over = 0.0
            if good and o.follow > 0.0 and not fresh:
                over = over_step_error(run, s)
            if renew and not fresh and p.choose_at >= 0:
                watch_gain(run)
            if iteration > 0:
                if d < floor and rate > 0.2:  # no longer improving, at the level of rounding
                    return DONE
                if (
                    iteration > 2
                    and rate > 0.9
                    and d < min(MOST_ROUNDING * floor, tolerance * max(1.0, DEFAULT / o.rtol))
                ):
                    return DONE  # the tolerance asked for is below rounding, which levers magnify
                if fresh and iteration > 3 and (rate > 0.9 or iteration == 24) and only_rounding(run):
                    # full Newton stopped improving: rounding is all that is left where the matrix is nearly singular
                    # (there it converges by halves, so that a rate below 0.9 still gains digits)
                    p.rounded += 1
                    return DONE
                if rate > 0.9 and d > tolerance and iteration > (12 if fresh else 2) and renewed:
                    break
                if over > 0.0 and iteration < 8:
                    fall = over / last_over if last_over > 0.0 else min(rate, 0.7)
                    # corrections that no longer fall are rounding: the step would have more than numbers can give
                    good = fall > 0.7 or max(fall, SLOWEST) * over < 1.0 - fall
                    if not good and p.steps >= p.step_factored + SERVED:
                        old = True
                if good:
                    if not fresh and (iteration > 2 or rate > 0.15 or old):
                        p.have_factors = 0  # slow: a new matrix for the next step
                    return DONE
            elif good and over == 0.0:
                return DONE
            if rate > SLOW and not renewed:  # the factors are too old: a new matrix, if need be from the start
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
    """New positions onto Phi = 0: by the factors at hand and, where these are too old for that, by new ones.

    Given up, and 0, where corrections do not shrink: near a position in which the constraints lose rank, or far from them."""
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
