"""A step of any length that is computed first, and accepted later: the motion up to an impact.

The steps are those of the time loop, with the same formulas and Newton iteration. While the motion to the impact is computed,
rows that are open stay open (`contacts.held_apart`).
"""

from ..math.compiled import F8, I8, entry
from ..system.nodes import largest_motion, move
from .generalized_alpha import accept_poses, accept_rates, add_work, start_accelerations
from .newton import call_close, call_newton
from .run_record import DONE
from .time_loop import end_step, run_at, sample_due
from .turn_limits import call_accept


@entry
def fly(address: I8, h: F8) -> I8:
    """Compute a step of the length h from the accepted motion, without accepting it. Return the result of Newton."""
    run = run_at(address)
    run.h = h
    run.t1 = run.progress.t + h
    start_accelerations(run)
    run.progress.have_factors = 0
    outcome = call_newton(run.newton, run)
    if outcome == DONE and run.options.stabilised != 0 and run.system.n_constraints > 0:
        call_close(run.close, run)
    move(run.system)
    return outcome


@entry
def land(address: I8, t: F8):
    """The computed step becomes the motion. It ends at the time t."""
    run = run_at(address)
    sys = run.system
    run.t1 = t
    run.turned, run.way = largest_motion(sys, sys.dq)
    accept_rates(run)
    accept_poses(run)
    add_work(run)
    run.progress.turn_rate = run.turned / run.h
    if sys.n_accepts > 0:
        call_accept(run.accept, sys)
        run.progress.turned = 0.0
        run.progress.moved = 0.0


@entry
def count_stop(address: I8, lands: I8):
    """After the last part of a step: count its stop, and note whether a sample is due. lands: whether it ends at a stop."""
    run = run_at(address)
    run.lands = lands
    run.t1 = run.progress.t
    run.progress.sample_due = sample_due(run, run.progress.steps)
    end_step(run)
