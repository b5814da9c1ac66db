"""Warnings of a run in time: steps too long for the motion or for the mesh period, reduced steps, error of the energy balance.

Each warning is one text with its number, on the result. Warnings do not change the result."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ..errors import listed
from ..model import Flank, Model, Rigid, Rolling
from ..model.gear_mesh import GearMesh
from ..model.mesh_law import MeshLaw
from ..model.meshes import Varying
from ..model.meshes.common import Variable
from ..results.signal import Signal
from ..solvers.integrator import Integrator
from ..solvers.motion import Samples
from ..solvers.turn_limits import PLANNED
from ..system.system import System
from .carried_bodies import carried_bodies
from .energy_balance import EnergyBalance, balance_warning
from .large_deformations import large_deformations
from .large_tilts import large_tilts
from .run_failure import amplifies_rounding, smaller_errors

__all__ = ["run_warnings"]

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
