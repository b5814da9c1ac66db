"""Messages of a run in time that cannot continue."""

import numpy as np

from ..errors import PitchlineError
from ..math.slow_laws import take_stored
from ..model import Model
from ..solvers.consistent import contradiction, displace
from ..solvers.contacts import CLOSED, ContactRows, ContactSide
from ..solvers.integrator import CONFLICT, STALLED, TOO_FAST, Integrator
from ..solvers.jammed import jam, jam_message
from ..solvers.law_choice import switching_now
from ..solvers.run_record import BLOWN, CHATTER, TOO_SMALL
from ..solvers.turn_limits import jumping_drive
from ..system.matrix import Evaluator
from ..system.system import System
from .mesh_contact import lost_contact
from .preparation import conflict_message
from .signals import build_signals, samples_of
from .time_options import small_step

__all__ = ["amplifies_rounding", "failure_message", "lost_contact_message", "smaller_errors", "stored_failure"]


def failure_message(model: Model, system: System, integrator: Integrator, outcome: int) -> str:
    """Why a run stopped, from the outcome of the integrator."""
    reason = integrator.motion.work.law_failure()
    if reason:
        return f'dynamics of model "{model.name}" stopped at t = {integrator.t:g} s: {reason}'
    return _reason(model, system, integrator, outcome)


def stored_failure(model: Model, t: float) -> str:
    """Message about the exception of a function or program that runs outside compiled code; empty if there is none.

    KeyboardInterrupt if the user interrupted it."""
    error = take_stored()
    if error is None:
        return ""
    if isinstance(error, KeyboardInterrupt):
        raise error
    stopped = f'dynamics of model "{model.name}" stopped at t = {t:g} s'
    if isinstance(error, PitchlineError):
        return f"{stopped}: {error}"
    return f"{stopped}: a function that runs in Python failed: {type(error).__name__}: {error}"


def lost_contact_message(model: Model, system: System, integrator: Integrator) -> str:
    """Message if rigid wheels were about to leave each other in the step that failed; otherwise empty."""
    lost = _lost_contact(model, system, integrator)
    return f'dynamics of model "{model.name}" stopped at t = {integrator.t:g} s: {lost}' if lost else ""


def _lost_contact(model: Model, system: System, integrator: Integrator) -> str:
    """Which rigid wheels were about to leave each other in the next step, the one that failed."""
    if not any(pair.law.rigid for pair in model.gear_pairs.values()):
        return ""
    now, then = integrator.state(), integrator.state()
    displace(system, then, 4.0 * float(integrator.motion.progress["h_want"]) * then.v)
    signals = build_signals(system, samples_of([now, then]), integrator.rank, inertial=True)
    return lost_contact(model, signals, 0) or lost_contact(model, signals, 1)


def _reason(model: Model, system: System, integrator: Integrator, outcome: int) -> str:
    where = system.unknown_name(int(integrator.motion.progress["worst"]))
    t = integrator.t
    if outcome == CONFLICT:
        return conflict_message("dynamics", model, contradiction(system, integrator.state()) or "", t)
    if outcome == BLOWN:
        return (
            f'dynamics of model "{model.name}" diverged at t = {t:g} s, first at {where}: values became infinite. '
            f"Check the units of masses, stiffnesses and loads. {smaller_errors(system, integrator)}, or use rho = 0.5 for more "
            "numerical damping"
        )
    if outcome == TOO_FAST:
        n = system.own.first
        where = system.unknown_name(int(np.argmax(np.abs(integrator.motion.v[:n]) * system.layout.weight[:n])))
        return (
            f'dynamics of model "{model.name}" stopped at t = {t:g} s: {where} is faster than light ({integrator.fastest:.3g} m/s '
            "at a distance of the length of the model). Check the units of loads, masses and inertias"
        )
    if outcome == STALLED:
        return (
            f'dynamics of model "{model.name}" stopped at t = {t:g} s: impacts, or changes of the dependent constraints, follow '
            f"each other without progress in time (the last step: {integrator.motion.progress['h_want']:.2g} s). Rigid contacts "
            "may constrain the same motion as drives or each other. Use Elastic teeth, or a torque instead of a drive"
            + _constraints_note(system, integrator)
        )
    names = _jammed(system, integrator)
    if names:
        return jam_message(system, names, t)
    if outcome == CHATTER:
        return _chatter(model, system, integrator)
    h = integrator.motion.progress["h_want"]
    jump, drive = jumping_drive(system, t, float(h))
    if jump:
        return (
            f'dynamics of model "{model.name}" stopped at t = {t:g} s: the angle of drive "{drive}" jumps by {jump:.3g} rad. '
            "The angle must be continuous, because a jump does not define the direction of rotation. Use a speed or a ramp"
        )
    if outcome == TOO_SMALL:
        return (
            f'dynamics of model "{model.name}" stopped at t = {t:g} s: error control requires a step of {h:.2g} s, '
            "which is below the "
            f"smallest one. The error is largest at {where}. Allow a smaller min_step or a larger tolerance, or make the "
            "sudden change there smoother"
        )
    return (
        f'dynamics of model "{model.name}" stopped at t = {t:g} s: the Newton iteration did not converge, even with '
        f"steps of {h:.2g} s. "
        f"The largest correction is at {where}. Check the last samples there. Common causes are a hard impact on a stop or a "
        "stiff spring (reduce its stiffness or add damping), a mechanism driven beyond its range (check the drive) and a load "
        f"that jumps (use a ramp). {smaller_errors(system, integrator)}{_constraints_note(system, integrator)}"
    )


def _jammed(system: System, integrator: Integrator) -> list[str]:
    """Parts that contradict each other with the contacts that are closed, or close within a few of the last steps."""
    rows = ContactRows(system)
    if not rows.rows:
        return []
    state = integrator.state()
    both = [ContactSide(row, side) for row in rows.rows for side in (1, -1)]
    near = np.full(len(both), -np.inf)
    for steps in (0.0, 4.0):
        moved = state.copy()
        displace(system, moved, steps * float(integrator.motion.progress["h_want"]) * state.v)
        near = np.maximum(near, rows.penetrations(moved, both, Evaluator(system)))
    return jam(system, state, rows, [c for c, depth in zip(both, near, strict=True) if depth > -CLOSED])


def smaller_errors(system: System, integrator: Integrator) -> str:
    """How to reduce the errors of a run: a smaller step increases those of rounding if constraints are on positions only."""
    o = integrator.motion.options
    if not o["fixed"]:
        return "Use a smaller tolerance or max_step"
    if amplifies_rounding(system, integrator):
        return "Leave out stabilised=False, because constraints on positions only amplify rounding in such small steps"
    if not o["stabilised"] and integrator.train is None and any(e.switches for e in system.elements):
        return "Leave out stabilised=False, because constraints on positions only amplify rounding in the short steps at events"
    return "Use a smaller step"


def amplifies_rounding(system: System, integrator: Integrator) -> bool:
    """Whether a user has chosen constraints on positions only for steps in which they amplify rounding."""
    o = integrator.motion.options
    short = o["step"] < small_step(system, integrator.state())
    return bool(o["fixed"] and not o["stabilised"] and short and system.n_lam_active and integrator.train is None)


def _chatter(model: Model, system: System, integrator: Integrator) -> str:
    """Message for parts that switch between rest and slip without end."""
    names = switching_now(system, integrator.motion)
    shown = ", ".join(f'"{name}"' for name in names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    events = int(integrator.motion.progress["events"])
    return (
        f'dynamics of model "{model.name}" stopped at t = {integrator.t:g} s: {shown} '
        f"switch{'es' if len(names) == 1 else ''} between rest and slip without end ({events} events so far). The samples "
        "until then are kept. Specify a stribeck_speed, so that friction does not drop suddenly, or some viscous friction, "
        "or a stiffness between parts that hold the same motion"
    )


def _constraints_note(system: System, integrator: Integrator) -> str:
    """Text for a failed run with redundant constraints: which ones are left out, and what changed during the run."""
    if not (system.redundant.size or integrator.rank_changes):
        return ""
    note = (
        ". Some constraints of this model are redundant. Their selection is repeated when the Newton iteration fails. "
        f"Left out at present: {integrator.left_out()}"
    )
    if integrator.rank_changes:
        note += f"; {integrator.rank_changes} changes during the run, the last one at t = {integrator.last_change:g} s"
    return note + ". To avoid this, use joints without the redundant constraints (a spherical joint, a point on a line)"
