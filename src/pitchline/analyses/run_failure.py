"""Messages of a run in time that cannot continue."""

from ..errors import PitchlineError
from ..math.slow_laws import take_stored
from ..model import Model
from ..solvers.consistent import contradiction, displace
from ..solvers.integrator import CONFLICT, Integrator
from ..solvers.law_choice import switching_now
from ..solvers.run_record import BLOWN, CHATTER, TOO_SMALL
from ..solvers.turn_limits import jumping_drive
from ..system.system import System
from .mesh_contact import lost_contact
from .preparation import conflict_message
from .signals import build_signals, samples_of

__all__ = ["failure_message", "lost_contact_message", "stored_failure"]


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
            "Check the units of masses, stiffnesses and loads. Use a smaller step, or rho = 0.5 for more numerical damping"
        )
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
        "that jumps (use a ramp). Or use a smaller step" + _constraints_note(system, integrator)
    )


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
