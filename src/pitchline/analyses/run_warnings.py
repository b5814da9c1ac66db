"""Warnings and failures of a run in time: steps that are too long, energy balance, teeth that separate, bodies that diverge.

Each warning is one text with its number, on the result. Warnings do not change the result."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pitchline.engine.compile.rank import Evaluator
from pitchline.engine.compile.station_signals import world_axes
from pitchline.engine.compile.system import System
from pitchline.engine.solvers.consistent import CLOSED, ContactRows, ContactSide, contradiction, displace
from pitchline.engine.solvers.impact import jam, jam_message
from pitchline.engine.solvers.integrator import CONFLICT, STALLED, TOO_FAST, Integrator, switching_now
from pitchline.engine.solvers.linear import Samples
from pitchline.engine.solvers.run_record import BLOWN, CHATTER, PLANNED, TOO_SMALL, jumping_drive
from pitchline.errors import PitchlineError, listed
from pitchline.model.model import Model
from pitchline.numerics.slow_laws import take_stored
from pitchline.parts.bodies.plane_checks import total_mass
from pitchline.parts.contact.mesh_contact import lost_contact
from pitchline.parts.flexible.part import FlexibleBody
from pitchline.parts.meshes.force_law import MeshLaw
from pitchline.parts.meshes.laws.common import Variable
from pitchline.parts.meshes.laws.elastic import Rigid, Rolling
from pitchline.parts.meshes.laws.flank import Flank
from pitchline.parts.meshes.laws.varying import Varying
from pitchline.parts.meshes.part import GearMesh
from pitchline.results.signal import Signal

from .large_tilts import large_tilts
from .part_warnings import large_deformations
from .signals import build_signals, samples_of
from .start_positions import conflict_message
from .time_options import small_step

__all__ = [
    "carried_bodies",
    "EnergyBalance",
    "balance_warning",
    "blow_up",
    "amplifies_rounding",
    "failure_message",
    "lost_contact_message",
    "smaller_errors",
    "stored_failure",
    "run_warnings",
]


# ---- carried bodies

# Warnings for rotating flexible bodies whose modes do not include centrifugal forces.

NOTED = 0.1
"""Fraction of the deformation of a body that may be missing without a warning."""
SMALL = 1e-6
"""Deformation divided by the size of a body that counts as zero."""


def carried_bodies(model: Model, signals: Mapping[str, Signal]) -> list[str]:
    """Warn for each flexible body that would deform noticeably under the centrifugal forces of rotation about its centre.

    The modes include the acceleration of the centre of mass and the angular acceleration, but not omega x (omega x r) about the
    centre."""
    found = []
    for name, body in model.flexible_bodies.items():
        amplitude, energy = _missing(body, signals)
        if amplitude <= SMALL * (float(np.ptp(body.superelement.positions, axis=0).max()) or 1.0):
            continue
        part = float(np.sqrt(energy / max(_strain_energy(name, body, signals), energy)))
        if part > NOTED:
            found.append(
                f'flexible body "{name}": its modes do not include the centrifugal forces of rotation about its own '
                "centre of mass. "
                f"{'About' if len(body.superelement.points) else 'Up to'} {100.0 * part:.0f} % of its deformation is missing. "
                "Add an interface where it deforms, or model it with beams or with several flexible bodies"
            )
    return found


def _missing(body: FlexibleBody, signals: Mapping[str, Signal]) -> tuple[float, float]:
    """Largest amplitude [m] and mean energy [J] of the modes under centrifugal forces about the centre of mass.

    The mass is assumed to be distributed like the points of the surface. Without a surface the result is an upper bound."""
    first = next(iter(body.stations.values()))
    w, q = (signals.get(f"{first.name}.{what}") for what in ("angular_velocity", "orientation"))
    if w is None or q is None:
        return 0.0, 0.0
    element = body.superelement
    k = 6 * len(element.positions)
    spin = np.einsum("nji,nj->ni", world_axes(q.values), w.values) @ element.axes[0].T
    if len(element.points):
        arm = element.points - element.centre_of_mass
        # omega (omega r) - omega^2 r, times the modes
        spread = element.mass / len(arm) * np.einsum("pi,pjm->ijm", arm, element.shapes[:, :, k:])
        load = np.einsum("ni,nj,ijm->nm", spin, spin, spread) - np.outer(
            np.sum(spin**2, axis=1), np.einsum("iim->m", spread)
        )
    else:
        push = np.sqrt(np.sum(spin**2, axis=1) * np.einsum("ni,ij,nj->n", spin, element.inertia, spin))
        load = np.outer(push, np.sqrt(np.diagonal(element.mass_matrix)[k:]))
    amplitude = load / element.modal_stiffness
    return float(np.abs(amplitude).max(initial=0.0)), 0.5 * float(np.sum(load * amplitude, axis=1).mean())


def _strain_energy(name: str, body: FlexibleBody, signals: Mapping[str, Signal]) -> float:
    """Mean elastic energy of modes and interfaces [J], by small motions of the interfaces against the first one."""
    first, *others = body.stations.values()
    x0, R0 = signals[f"{first.name}.position"].values, world_axes(signals[f"{first.name}.orientation"].values)
    moved = [np.zeros((len(x0), 6))]
    for station in others:
        x, R = signals[f"{station.name}.position"].values, world_axes(signals[f"{station.name}.orientation"].values)
        rest = first.orientation.T @ station.orientation
        place = np.einsum("nji,nj->ni", R0, x - x0) - first.orientation.T @ (station.position - first.position)
        turn = np.einsum("ji,nkj,nkl->nil", rest, R0, R)
        small = 0.5 * np.column_stack(
            [turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]]
        )
        moved.append(np.hstack([place @ rest, small]))
    q, modes = np.hstack(moved), signals[f"{name}.modes"].values
    modes = modes.reshape(len(q), -1)
    stiffness = body.superelement
    energy = np.einsum("ni,ij,nj->n", q, stiffness.stiffness, q) + modes**2 @ stiffness.modal_stiffness
    return 0.5 * float(energy.mean())


# ---- energy balance

# Energy balance of a run: exchanged energy, supplied energy and error.

OPEN = 0.01
"""Fraction of the exchanged energy above which the balance does not close. The method is of order 2: runs that resolve their motion
stay below 0.001."""
STILL = 1e-4
"""Fraction of the kinetic energy that counts as exchanged if nothing else does: small vibrations at constant speed "
"give no warning."""
LEAST = 1e-6
"""Fraction that counts as zero, of the energy with which the model would cross its own length within the run."""
BEYOND = 1e3
"""Energy error divided by the supplied energy above which a run counts as diverged."""


@dataclass(frozen=True)
class EnergyBalance:
    """Energies of a run at its samples [J]."""

    error: float
    """Largest change of energy, of either sign, that work and dissipation do not explain."""
    moved: float
    """Work put in and taken out, energy dissipated, and the ranges of kinetic and potential energy."""
    supplied: float
    """Kinetic energy at the start, work put in and taken out, and potential energy released."""

    @staticmethod
    def of(signals: Mapping[str, Signal], system: System, duration: float) -> EnergyBalance:
        """Compute the balance from the energies of a run.

        A millionth of the energy with which the model would cross its own length in the duration counts as zero: it is added to
        the exchanged and to the supplied energy."""
        kinetic, potential, work, lost, error = (
            np.asarray(signals[f"energy.{name}"].values)
            for name in ("kinetic", "potential", "work", "dissipated", "balance_error")
        )
        exchanged = float(np.abs(work[1:] - work[:-1]).sum())
        moved = exchanged + float(np.abs(lost[1:] - lost[:-1]).sum())
        moved += float((kinetic.max() - kinetic.min()) + (potential.max() - potential.min()))
        least = LEAST * total_mass(system.model) * (system.length / duration) ** 2
        return EnergyBalance(
            error=float(np.abs(error).max()),
            moved=moved + STILL * float(kinetic.max()) + least,
            supplied=exchanged + float(kinetic[0] + potential[0] - potential.min()) + least,
        )


def balance_warning(balance: EnergyBalance, cure: str) -> list[str]:
    """Warning with advice if the balance does not close."""
    if not balance.error > OPEN * balance.moved:
        return []
    part = 100.0 * balance.error / balance.moved
    return [
        f"the energy balance does not close: the error is up to {balance.error:.3g} J, {part:.3g} % of the "
        f"{balance.moved:.3g} J of exchanged energy (signal energy.balance_error). The time steps do not resolve the motion. {cure}"
    ]


def blow_up(balance: EnergyBalance) -> str:
    """Message for a run that gains energy without supply; otherwise ""."""
    if balance.error <= BEYOND * balance.supplied:
        return ""
    return (
        f"the energy increased by {balance.error:.3g} J, but only {balance.supplied:.3g} J were supplied. Do not use the results. "
        "Use a smaller step"
    )


# ---- run failure

# Messages of a run in time that cannot continue.


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


TURN_WARNING = 0.2
"""Rotation of a body in one fixed step above which a warning is given [rad]."""
COARSE = 0.1
"""Largest step as a fraction of a mesh period: ten steps per period."""
OFTEN, SHARE = 1000, 0.1
"""Number and fraction of reduced fixed steps from which a warning is given."""


def run_warnings(
    model: Model,
    system: System,
    integrator: Integrator,
    samples: Samples,
    signals: Mapping[str, Signal],
    balance: EnergyBalance,
) -> list[str]:
    """Return all warnings of a run in time."""
    cure = smaller_errors(system, integrator)
    if cure == "Use a smaller step":
        cure += ", or leave out step to use error control"
    return (
        _turn_warning(integrator, system, samples)
        + _coarse_meshes(model, integrator, signals)
        + _stiff_meshes(model, integrator, signals)
        + _cut_steps(integrator, system, samples)
        + _rounding(integrator, system)
        + large_deformations(model, signals)
        + large_tilts(model, signals)
        + carried_bodies(model, signals)
        + balance_warning(balance, cure)
    )


def _fastest(system: System, samples: Samples, *, spatial: bool = False) -> tuple[float, str]:
    """Largest angular speed of a body at the samples [rad/s], and its name; spatial: of bodies with several coordinates."""
    found = (0.0, "")
    for k, plan in enumerate(system.nodes, 1):
        i, nd = system.dof0[k], system.ndof[k]
        if nd > (1 if spatial else 0):
            omega = samples.v[:, i : i + nd] @ plan.T[3:].T
            found = max(found, (float(np.max(np.linalg.norm(omega, axis=1), initial=0.0)), plan.body.name))
    return found


def _turn_warning(integrator: Integrator, system: System, samples: Samples) -> list[str]:
    """Fixed steps in which bodies turn far: their reactions suffer first."""
    if not integrator.motion.options["fixed"]:
        return []
    speed, name = _fastest(system, samples, spatial=True)
    turn = speed * float(integrator.motion.options["step"])
    if turn <= TURN_WARNING:
        return []
    return [
        f'body "{name}" rotates by {turn:.2g} rad in one step. Above about {TURN_WARNING:g} rad, reaction forces of '
        "orbiting bodies "
        "lose accuracy and can grow. Use a smaller step or a smaller rho, or leave out step to use error control"
    ]


def _cut_steps(integrator: Integrator, system: System, samples: Samples) -> list[str]:
    """A fixed step that is seldom the one that was taken."""
    n, o = integrator.motion.progress, integrator.motion.options
    cut, steps = int(n["cut"]), int(n["stop_index"])
    cut -= min(cut, _samples(system, float(samples.t[-1] - samples.t[0])))
    if not o["fixed"] or cut == 0 or cut < min(OFTEN, SHARE * steps):
        return []
    said = f"the fixed step of {o['step']:.3g} s was reduced {cut} times in {steps}; {int(n['steps'])} steps were taken"
    if 2 * n["cut_for_turns"] < cut:
        return [
            f"{said}: the Newton iteration did not converge, or the step was too long for a drive. "
            f"{smaller_errors(system, integrator)}"
        ]
    speed, name = _fastest(system, samples)
    longest, turn = PLANNED * float(o["most_turn"]) / speed if speed else 0.0, speed * float(o["step"])
    return [
        f'{said}: body "{name}" rotates by {turn:.3g} rad in it, so full revolutions would be lost. Use a step of '
        f"{longest:.2g} s or less"
    ]


def _samples(system: System, span: float) -> int:
    """Number of samples of sampled controllers, at which steps end."""
    times = [e.values["sample_time"].item() for e in system.elements if "sample_time" in e.kind.parameters]
    return sum(int(span / time) + 1 for time in times)


def _rounding(integrator: Integrator, system: System) -> list[str]:
    """A fixed step in which constraints on positions amplify rounding, chosen by the user."""
    if not amplifies_rounding(system, integrator):
        return []
    o = integrator.motion.options
    # the floor of corrections is 90 times the rounding of positions
    a = float(o["floor"]) / 90.0 * system.length / (float(o["beta"]) * float(o["step"]) ** 2)
    return [
        f"stabilised=False with a step of {o['step']:.3g} s: accelerations contain rounding errors of about {a:.1g} m/s^2, and "
        "reaction forces those of the masses times this value. Mechanisms can amplify them by a factor of 100 and more. "
        "Leave out stabilised=False"
    ]


# ---- teeth


def _coarse_meshes(model: Model, integrator: Integrator, signals: Mapping[str, Signal]) -> list[str]:
    """Gear pairs whose law repeats with the teeth, and does so within a few steps. Where nothing varies over the cycle (rigid and
    rolling pairs, constant stiffness) a step may pass over any number of teeth."""
    found: dict[str, list[str]] = {}
    for name, part in model.gear_pairs.items():
        if not _varies(part) or f"{name}.psi_a" not in signals:
            continue
        teeth = part.pair.pitch.teeth_a
        share, step = _share_of_period(signals[f"{name}.psi_a"], teeth, integrator)
        if share > COARSE * (1.0 + 1e-6):
            text = (
                f"a mesh period has {1.0 / share:.2g} steps, but ten are needed (step times mesh frequency is "
                f"{share:.2g}). Variations over the mesh cycle are not resolved. Use steps of {COARSE * step / share:.2g} s or less"
            )
            found.setdefault(text, []).append(name)
    return _of_pairs(found)


def _stiff_meshes(model: Model, integrator: Integrator, signals: Mapping[str, Signal]) -> list[str]:
    """Elastic teeth whose vibration on the inertias of their wheels a fixed step does not resolve: the method then damps it, and
    only the mean forces remain. (Error control uses longer steps only after such vibrations have decayed.)"""
    if not integrator.motion.options["fixed"]:
        return []
    step = float(integrator.motion.options["step"])
    found: dict[str, list[str]] = {}
    for name, part in model.gear_pairs.items():
        mass = part.law.effective_mass
        if isinstance(part.mesh, (Flank, Rigid, Rolling)) or not 0.0 < mass < math.inf:
            continue
        stiffness = float(np.max(signals[f"{name}.stiffness"].values, initial=0.0))
        frequency = math.sqrt(stiffness / mass) / (2.0 * math.pi)
        if step * frequency > COARSE * (1.0 + 1e-6):
            text = (
                f"its wheels vibrate on the mesh stiffness at {frequency:.3g} Hz, and a period has "
                f"{1.0 / (step * frequency):.2g} steps, but ten are needed. Mean forces are correct, but vibrations are "
                f"damped numerically. Use steps of {COARSE / frequency:.2g} s or less to resolve them"
            )
            found.setdefault(text, []).append(name)
    return _of_pairs(found)


def _of_pairs(found: Mapping[str, list[str]]) -> list[str]:
    """Sentences, each with the gear pairs of which it is true."""
    return [f"gear pair{'s' if len(names) > 1 else ''} {listed(names)}: {text}" for text, names in found.items()]


def _varies(part: GearMesh) -> bool:
    """Whether the law of a pair repeats with every tooth."""
    law = part.law
    over_teeth = any(isinstance(x, Varying) and x.over == "mesh cycle" for x in _parts(law))
    tabled = law.tables is not None and any(table.varies for table in law.tables)
    return over_teeth or tabled or isinstance(part.mesh, Flank)


def _parts(law: MeshLaw) -> tuple[Variable, ...]:
    return (*law.stiffness, *law.errors, *law.dampers, *law.plays)


def _share_of_period(psi: Signal, teeth: float, integrator: Integrator) -> tuple[float, float]:
    """(step over mesh period, step [s]): where the wheel is fastest for a fixed step, on the mean under error control."""
    span = np.diff(psi.time)
    later = span > 0.0
    span, passed = span[later], np.abs(np.diff(np.asarray(psi.values)))[later] * teeth / (2.0 * math.pi)
    if not span.size:
        return 0.0, 0.0
    step = float(span.sum()) / max(1, int(integrator.motion.progress["steps"]))
    if not integrator.motion.options["fixed"]:
        return step * float(passed.sum() / span.sum()), step
    step = min(float(integrator.motion.options["step"]), step)
    return step * float(np.max(passed / span)), step
