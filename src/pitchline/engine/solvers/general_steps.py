"""Steps of any system: Newton, step size control, and rotations that elements must detect.

A step that fails is repeated in smaller steps up to the same stop. With error control the step follows the error estimate, but
small changes are not made, because they would need a new matrix.
"""

import math

from pitchline.numerics.machine_code.calling import address_of
from pitchline.numerics.machine_code.compiled import B1, F8, I8, block, entry, leaf
from pitchline.parts.friction.kernel_sticking import CONFLICT

from ..compile.assembly import accept_state, assemble, begin_step, constraint_rows, guard_step
from ..compile.nodes import end_tangents, largest_motion, move, spread_rates
from ..elements.contract import KEEP, NEVER, RESIDUAL, TANGENT
from .linear import solver_addresses
from .newton import begin, call_assemble, call_close, call_newton, call_rows, close, newton
from .run_record import (
    BLOWN,
    CHATTER,
    CHOOSE,
    DONE,
    HALF_TURN,
    IMPACT,
    LOOSE,
    OPEN,
    PIVOT,
    STABILISE,
    STUCK,
    SWITCH,
    TOO_SMALL,
    Run,
    call_accept,
    driven_turn,
    largest_gap,
    look_back,
    turning_pieces,
)
from .time_loop import (
    accept_poses,
    accept_rates,
    add_work,
    end_step,
    plan_step,
    position_error,
    predict,
    run_at,
    sample_due,
    set_factors,
    start_accelerations,
)

# ---- events

# Events within a step: elements that switch, such as friction that sticks or breaks away.
#
# Elements report the fraction of a step at which they will switch (`guard`). The step is repeated up to that instant,
# by a few corrections, so that every step is smooth. After an event forces may jump. The next step is therefore
# short, and its formulas contain no acceleration of the past (beta 1/2, gamma 1, alpha 0: the acceleration at its end
# is constant in it). Its error of velocities is of order h^2, once for each event, so that the order of the whole
# motion stays 2.

ACCEPTED, AGAIN = 0, -1
"""Result of a step: accepted; to be repeated with a smaller step."""
ARRIVED = 1e-9
"""Largest distance of an event from the end of a step, as a fraction of it, when it is located."""
NEAR = 1e-6
"""Events that are this close to the end of the step occur there, too."""
AT_STOP = 1e-4
"""An event that is this close to a stop occurs at the stop: steps of this length would amplify rounding errors of constraints."""
FURTHEST = 2.0
"""Farthest event after the end of a step, as a fraction of it, that is followed while it is located."""
AT_START = 1e-7
"""An event before this fraction of a step occurs at its start: a force has jumped there."""
MOST_SEEK, SLOW_SEEK = 20, 5
"""Largest number of attempts to locate an event; number after which it is assumed to be at a jump."""
MOST_STARTS = 20
"""Largest number of events at one time, after which all laws are chosen together."""
MOST_EVENTS, CLOSEST = 1000, 1e-3
"""Number of successive events, and their smallest mean distance as a fraction of a normal step, after which a run stops."""
DROPPED = 1e-24
"""Multiplier relative to the largest one that has acted, both over the root of their inertia, that is dropped."""
SHORTEST_RUN = 1e-8
"""Smallest normal step under error control, as a fraction of the duration, in this comparison."""
RESTART = 0.2
"""Length of the first step after an event, as a fraction of the normal one."""


@leaf
def plan_event(run: Run):
    """Shorten the planned step: up to the event that is being located, or because forces jump at its start."""
    p = run.progress
    run.system.ask.restart = 1 if p.restart != 0 else 0
    h = run.h
    if p.h_event > 0.0:
        h = min(h, p.h_event)
    elif p.restart != 0:
        h = min(h, max(RESTART * p.h_want, 0.5 * AT_STOP * h))
    if h < run.h:
        run.h = h
        run.t1 = p.t + h
        run.lands = 0


@block
def _at_start(run: Run, fraction: F8) -> I8:
    """Elements switch at the start of the step, which is then made again."""
    sys = run.system
    p = run.progress
    guard_step(sys, FURTHEST, -fraction)
    for i in range(run.n_q):
        sys.dq[i] = 0.0
        sys.v[i] = run.v0[i]
        sys.vd[i] = run.vd0[i]
    for i in range(run.n_lam):
        sys.lam[i] = run.lam0[i]
    move(sys)
    spread_rates(sys)
    sys.ask.t = p.t
    sys.ask.stop = NEVER
    sys.ask.restart = 0
    call_accept(run.accept, sys)
    p.stop = sys.ask.stop
    p.restart = 1
    p.have_factors = 0
    p.extrapolate = 0
    p.seek = 0
    p.h_event = 0.0
    p.events += 1
    p.starts += 1
    return SWITCH if p.starts > MOST_STARTS else AGAIN


@leaf
def forget_event(run: Run):
    """The step was rejected for another reason: events are located again."""
    run.progress.seek = 0
    run.progress.h_event = 0.0


@leaf
def closes(run: Run) -> B1:
    """Whether an open row closes in the computed step: its multiplier was zero. A force that moves nothing is rounding. An impact
    follows, after which all laws are chosen again."""
    sys = run.system
    closed = False
    for n in range(sys.n_opening):
        i = sys.opening[n]
        k = sys.equation[i]
        if k >= 0 and abs(run.lam0[i]) < 1e-9 * abs(sys.lam[i]):
            moved = abs(sys.lam[i]) * run.options.beta * run.h * run.h / sys.lam_scale[i] * sys.weight[k]
            closed = closed or moved > run.options.floor
    return closed


@block
def watch(run: Run) -> I8:
    """Look for events in the step that was solved. ACCEPTED: none before its end; AGAIN: repeat it up to the event; SWITCH: the
    laws after an event contradict each other, or too many events occur at one time."""
    sys = run.system
    p = run.progress
    if sys.n_guards == 0:
        return ACCEPTED
    if closes(run):
        forget_event(run)
        return ACCEPTED
    move(sys)
    spread_rates(sys)
    h = run.h
    if p.seek == 0:
        c = guard_step(sys, 1.0, NEAR)
        if c == CONFLICT:
            forget_event(run)
            return SWITCH
        if c >= 1.0 - ARRIVED:
            return ACCEPTED
        if run.lands != 0 and c >= 1.0 - AT_STOP:
            guard_step(sys, 1.0, 2.0 * AT_STOP)
            return ACCEPTED
        p.h_most = h
    else:
        c = guard_step(sys, FURTHEST, NEAR)
        if c == CONFLICT:
            forget_event(run)
            return SWITCH
        if c >= FURTHEST or abs(c - 1.0) <= ARRIVED or p.seek >= MOST_SEEK:
            p.seek = 0
            p.h_event = 0.0
            return ACCEPTED
    p.seek += 1
    wanted = max(c, 0.0) * h
    if p.seek > SLOW_SEEK and c < 0.9:
        wanted *= 0.01  # a force jumps: the event is at the jump
    if wanted >= p.h_most:
        wanted = 0.5 * (h + p.h_most)
    if wanted < AT_START * p.h_most:
        return _at_start(run, max(c, 0.0) + 1e-12)
    p.h_event = wanted
    return AGAIN


@leaf
def keep_laws(run: Run):
    """The matrix of the laws that were chosen in the first step after an event needs other pivots: choose from these laws on."""
    if run.progress.restart != 0:
        run.system.ask.restart = KEEP
        guard_step(run.system, 1.0, NEAR)
        run.system.ask.restart = 1


@leaf
def short_step(run: Run) -> B1:
    """Whether the step was shortened by an event or a stop: it does not define the next step size."""
    p = run.progress
    return run.system.n_guards > 0 and run.h < 0.5 * p.h_want


@leaf
def switch_accept(run: Run) -> I8:
    """Elements store the accepted step, and switch. Return whether forces jump."""
    sys = run.system
    p = run.progress
    sys.ask.stop = NEVER
    sys.ask.restart = 0
    call_accept(run.accept, sys)
    p.stop = sys.ask.stop
    if sys.ask.restart != 0:
        p.events += 1
        p.have_factors = 0
        p.extrapolate = 0
    return sys.ask.restart


@block
def drop_noise(run: Run):
    """Multipliers far below the rounding errors of the forces that have acted are zero: they do not decay to the smallest
    numbers."""
    sys = run.system
    p = run.progress
    p.acted = max(p.acted, max(sys.ask.grip, sys.ask.acting))
    lam0 = run.lam0
    for i in range(run.n_lam):
        if abs(lam0[i]) < DROPPED * p.acted * math.sqrt(sys.lam_scale[i]):
            lam0[i] = 0.0


@leaf
def too_frequent(run: Run) -> I8:
    """CHATTER if events have followed each other far more frequently than steps for a long time; otherwise ACCEPTED."""
    p = run.progress
    o = run.options
    if p.events < p.events_before + MOST_EVENTS:
        return ACCEPTED
    normal = o.step if o.fixed != 0 else max(p.h_want, SHORTEST_RUN * (o.t_end - o.t0))
    close = p.t - p.t_before < CLOSEST * normal * (p.events - p.events_before)
    p.events_before = p.events
    p.t_before = p.t
    return CHATTER if close else ACCEPTED


@leaf
def end_restart(run: Run):
    """The first step after an event becomes the past of the next one, and its power that of the whole step."""
    p = run.progress
    ask = run.system.ask
    p.power_in = ask.power_in
    p.power_out = ask.power_out
    p.power_teeth = ask.power_teeth


@leaf
def no_past(run: Run):
    """Nothing is extrapolated across an event."""
    sys = run.system
    p = run.progress
    for i in range(run.n_lam):
        run.lam_before[i] = run.lam0[i]
    for i in range(run.n_q):
        massless = False
        for n in range(sys.n_massless):
            massless = massless or sys.massless[n] == i
        if not massless:
            run.vd_before[i] = run.vd0[i]
    p.extrapolate = 0


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
    """The first step after an event, with formulas that contain no acceleration of the past (see `plan_event`)."""
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
