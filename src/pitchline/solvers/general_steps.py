"""Steps of any system: Newton, step size control, and rotations that elements must detect.

A step that fails is repeated in smaller steps up to the same stop. With error control the step follows the error estimate, but
small changes are not made, because they would need a new matrix.
"""

from ..elements.contract import RESIDUAL, TANGENT
from ..math.calling import address_of
from ..math.compiled import B1, F8, I8, block, entry, leaf
from ..system.assembly import accept_state, assemble, begin_step, constraint_rows
from ..system.nodes import end_tangents, largest_motion, move, spread_rates
from .events import (
    ACCEPTED,
    AGAIN,
    MOST_EVENTS,
    closes,
    drop_noise,
    end_restart,
    forget_event,
    keep_laws,
    no_past,
    plan_event,
    short_step,
    switch_accept,
    too_frequent,
    watch,
)
from .generalized_alpha import (
    accept_poses,
    accept_rates,
    add_work,
    position_error,
    predict,
    set_factors,
    start_accelerations,
)
from .linear import solver_addresses
from .newton import begin, call_assemble, call_close, call_newton, call_rows, close, newton
from .run_record import BLOWN, CHATTER, CHOOSE, DONE, IMPACT, LOOSE, PIVOT, STABILISE, STUCK, TOO_SMALL, Run
from .time_loop import end_step, plan_step, run_at, sample_due
from .turn_limits import HALF_TURN, OPEN, driven_turn, largest_gap, look_back, turning_pieces

MOST_GROWTH = 10.0
"""Growth of the response of multipliers to violations, since constraints were chosen, at which the choice is checked again."""
SERVES = (0.8, 1.2)
"""Range of step sizes, relative to that of the matrix, for which it is used: convergence in stiff directions is 1 -
(h/h_matrix)^2."""
SAFETY = 0.8
"""Fraction of the step that the error estimate allows."""
MOST_LONGER, MOST_SHORTER = 2.0, 0.2
"""Limits of the next step relative to the current one."""
LONGER, SHORTER = 1.25, 0.95
"""Step changes between these values are not made."""
MARGIN = 0.95
"""Additional reduction of a step that must become shorter, to avoid repeated reductions."""
FORGET = 1.05
"""Growth per step of the step size that the errors of the last steps allow."""


@leaf
def _shorter(run: Run, wanted: F8) -> I8:
    """Repeat with a step of this length, if it is not too short."""
    run.progress.h_want = wanted
    forget_event(run)
    return STUCK if wanted < run.options.h_min else AGAIN


@leaf
def _may_stabilise(run: Run) -> B1:
    """Whether index 3 is inaccurate in the step, while normal steps are long. (Impacts choose the speeds of contacts.)"""
    sys = run.system
    return (
        run.h < run.options.small_step and run.options.stabilised == 0 and sys.n_constraints > 0 and sys.n_opening == 0
    )


@leaf
def _plan(run: Run) -> I8:
    """Plan the next step. AGAIN or STUCK if a driven angle would change too much, STABILISE if index 3 is inaccurate in it."""
    p = run.progress
    turning = p.turn_rate
    if run.options.fixed == 0 or p.h_last == 0.0:
        turning = largest_motion(run.system, run.v0)[0]
    plan_step(run, turning)
    if run.system.n_guards > 0:
        plan_event(run)
    if _may_stabilise(run):
        return STABILISE
    if run.system.n_driven > 0:
        turn = driven_turn(run)
        if turn > HALF_TURN:  # Newton could find an angle that differs by a revolution
            return _shorter(run, run.h * max(0.1, 0.9 * HALF_TURN / turn))
    return ACCEPTED


@block
def _solve(run: Run) -> I8:
    """Newton, and checks of its solution: dependent constraints, bodies that rotate too far. ACCEPTED: the solution is valid."""
    p = run.progress
    o = run.options
    start_accelerations(run)
    if p.have_factors == 1 and not SERVES[0] < run.h / p.h_factored < SERVES[1]:
        p.have_factors = 0
    failures = p.failures
    outcome = call_newton(run.newton, run)
    if outcome == PIVOT:
        p.have_factors = 0
        if run.system.n_guards > 0:
            keep_laws(run)
        return PIVOT
    failed = p.failures > failures and p.choose_at <= p.steps
    if p.choose_at >= 0 and (failed or p.growth > MOST_GROWTH):
        # other dependent constraints may have to be omitted now; the step is then repeated
        p.have_factors = 0
        return CHOOSE
    if outcome == DONE:
        turned, way = largest_motion(run.system, run.system.dq)
        run.turned = turned
        run.way = way
        if turned > o.most_turn:
            outcome = STUCK
        elif p.turned + turned > o.most_turn and run.system.n_accepts > 0:
            # too far since the last check of the elements: their results in this step may differ by a revolution
            look_back(run)
            p.turned = 0.0
            return AGAIN
    if outcome == STUCK:
        return _shorter(run, 0.25 * run.h)
    return ACCEPTED


@block
def _control(run: Run) -> I8:
    """Step size control: next step size in `run.wanted`; AGAIN if this step is not accurate enough."""
    p = run.progress
    o = run.options
    run.wanted = p.h_want
    if o.fixed != 0:
        run.wanted = min(o.step, 2.0 * run.wanted)
        return ACCEPTED
    h = run.h
    error = position_error(run)
    if not error < 1e30:
        return BLOWN
    order = 2.0 if p.restart != 0 else 3.0  # after an event accelerations jump at the start of the step
    allowed = h * min(MOST_LONGER, max(MOST_SHORTER, SAFETY * max(error, 1e-6) ** (-1.0 / order)))
    if error > 1.0:
        p.rejected += 1
        p.h_allowed = allowed
        p.h_want = MARGIN * allowed
        forget_event(run)
        return TOO_SMALL if p.h_want < o.h_min else AGAIN
    if short_step(run) and h * SAFETY * max(error, 1e-6) ** (-1.0 / 3.0) >= SHORTER * run.wanted:
        return ACCEPTED
    # errors of a vibration vary: a step may grow if none of the last errors prevents it
    at_once = allowed >= MOST_LONGER * h
    p.h_allowed = allowed if at_once or p.h_allowed == 0.0 else min(allowed, FORGET * p.h_allowed)
    if p.h_allowed > LONGER * run.wanted:
        run.wanted = p.h_allowed
    elif allowed < SHORTER * run.wanted:
        run.wanted = MARGIN * allowed
    run.wanted = min(o.h_max, run.wanted)
    return ACCEPTED


@block
def _close_positions(run: Run) -> I8:
    """Stabilised form: project positions onto the constraints. AGAIN or STUCK if the violation is too large."""
    sys = run.system
    if run.options.stabilised == 0 or sys.n_constraints == 0:
        return ACCEPTED
    if call_close(run.close, run) == 0:
        move(sys)
        call_rows(run.rows, sys, RESIDUAL, sys.r)
        if not largest_gap(run) < OPEN:
            # constraints on velocities do not include the motion of drives within the step
            run.progress.have_factors = 0
            return _shorter(run, 0.25 * run.h)
    return ACCEPTED


@block
def _accept(run: Run) -> I8:
    """The step becomes the motion. Return DONE, or a status for the loop."""
    sys = run.system
    p = run.progress
    o = run.options
    t = p.t
    move(sys)
    accept_rates(run)
    if sys.n_guards > 0:
        drop_noise(run)
    accept_poses(run)
    p.h_want = run.wanted
    restarted = p.restart != 0
    if restarted:
        end_restart(run)
        no_past(run)
    add_work(run)
    p.restart = 0
    p.starts = 0
    p.turn_rate = run.turned / run.h
    run.due = sample_due(run, p.steps)
    if run.lands != 0 and o.interval > 0.0 and o.fixed != 0 and t - o.t0 > (p.stop_index + 1e-6) * o.interval:
        p.cut += 1
        if turning_pieces(run, p.turn_rate) > 1.0:
            p.cut_for_turns += 1
    end_step(run)
    # elements store whole revolutions and teeth: they check before the next step can move them too far
    p.turned += run.turned
    p.moved += run.way
    far = p.turned > min(o.look_after, o.most_turn - 1.1 * run.turned) or p.moved > o.look_way
    if sys.n_accepts > 0 and (run.due != 0 or far):
        p.restart = switch_accept(run)
        p.turned = 0.0
        p.moved = 0.0
    if p.events >= p.events_before + MOST_EVENTS and too_frequent(run) != ACCEPTED:
        return CHATTER
    if p.loose_now > p.loose_limit:
        return LOOSE
    for i in range(sys.n_nodes):
        x = sys.pose0[i].x
        if not abs(x[0]) + abs(x[1]) + abs(x[2]) < 1e150:
            return BLOWN
    for i in range(sys.n_own):
        if not abs(sys.own0[i]) < 1e150:
            return BLOWN
    for i in range(sys.n_condensed):
        if not abs(sys.condensed[i]) < 1e150:
            return BLOWN
    return DONE


@block
def _step(run: Run) -> I8:
    """Attempt to take the next step. Return DONE, AGAIN, or a status for the loop."""
    outcome = _plan(run)
    if outcome == ACCEPTED:
        outcome = _solve(run)
    if outcome == ACCEPTED and run.system.n_opening > 0 and closes(run):
        return IMPACT
    if outcome == ACCEPTED:
        outcome = watch(run)
    if outcome == ACCEPTED:
        outcome = _control(run)
    if outcome == ACCEPTED:
        outcome = _close_positions(run)
    if outcome != ACCEPTED:
        return outcome
    return _accept(run)


@block
def _first_step(run: Run) -> I8:
    """The first step after an event, with formulas that contain no acceleration of the past (see `events`)."""
    o = run.options
    am = o.am
    af = o.af
    beta = o.beta
    gamma = o.gamma
    o.am = 0.0
    o.af = 0.0
    o.beta = 0.5
    o.gamma = 1.0
    outcome = _step(run)
    o.am = am
    o.af = af
    o.beta = beta
    o.gamma = gamma
    return outcome


@block
def take_steps(run: Run, n: I8) -> I8:
    """Take up to n steps, until a sample is due or a problem occurs."""
    run.taken = 0
    while run.taken < n:
        if run.progress.t >= run.options.t_end:
            return DONE
        run.taken += 1
        outcome = _step(run) if run.progress.restart == 0 else _first_step(run)
        if outcome == AGAIN:
            continue
        if outcome != DONE or run.due != 0:
            return outcome
    return DONE


@block
def show(run: Run):
    """Nothing to do: the system already has the motion of the last step."""


@entry
def prepare_matrix(address: I8):
    """Matrix of the first iteration of the next step, for the choice of pivots."""
    run = run_at(address)
    sys = run.system
    p = run.progress
    run.h = p.h_want
    run.t1 = p.t + run.h
    s = set_factors(run)
    sys.ask.restart = p.restart
    if sys.n_begins > 0:
        begin(run)
    for i in range(run.n_q):
        run.a0[i] = run.a[i]
    predict(run, p.extrapolate)
    move(sys)
    spread_rates(sys)
    turn = end_tangents(sys)
    call_assemble(run.assemble, sys, TANGENT, turn, s)


def addresses(dense: bool, stabilised: bool) -> dict[str, int]:
    """Addresses of the functions that the steps call, by their fields in the record of the run. Unused functions are not
    compiled."""
    factorise, solve = solver_addresses(dense)
    found = {
        "assemble": address_of(assemble),
        "factorise": factorise,
        "solve": solve,
        "newton": address_of(newton),
        "accept": address_of(accept_state),
        "begin": address_of(begin_step),
        "take_steps": address_of(take_steps),
        "show": address_of(show),
    }
    if stabilised:
        found |= {"rows": address_of(constraint_rows), "close": address_of(close)}
    return found
