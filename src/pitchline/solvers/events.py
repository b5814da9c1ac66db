"""Events within a step: elements that switch, such as friction that sticks or breaks away.

Elements report the fraction of a step at which they will switch (`guard`). The step is repeated up to that instant, by a few
corrections, so that every step is smooth. After an event forces may jump. The next step is therefore short, and its formulas
contain no acceleration of the past (beta 1/2, gamma 1, alpha 0: the acceleration at its end is constant in it). Its error of
velocities is of order h^2, once for each event, so that the order of the whole motion stays 2.
"""

import math

from ..elements.contract import KEEP, NEVER
from ..elements.sticking import CONFLICT
from ..math.compiled import B1, F8, I8, block, leaf
from ..system.assembly import guard_step
from ..system.nodes import move, spread_rates
from .run_record import CHATTER, SWITCH, Run
from .turn_limits import call_accept

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
