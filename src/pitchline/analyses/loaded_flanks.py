"""Flanks of the gear pairs at an operating point: which one carries, and the equilibrium that determines it.

The tooth force acts along the normal of the loaded flank. Its component along the line of centres has another sign on the other
flank: without load it has a kink, and small motions have no equations unless the centres are fixed, the line of action is fixed,
or the separating force is omitted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..errors import ModelError, SolveError
from ..model import Model
from ..model.gear_mesh import GearMesh
from ..model.masses import total_mass
from ..model.meshes import Rolling
from ..results.operating_state import BOTH, COAST, DRIVE, EITHER, INITIAL, NO_FLANK
from ..results.signal import Signal
from ..system.snapshot import Snapshot
from ..system.workspace import Workspace
from .starting_point import starting_point
from .statics import statics

if TYPE_CHECKING:
    from .operating_point import OperatingPoint

__all__ = ["UNDETERMINED", "can_close", "check_determined", "flanks_of_pairs", "loaded_snapshot", "open_teeth"]

UNDETERMINED = "undetermined"
"""Flank of a pair that touches without load, if the drive flank and the coast flank give different equations."""
NO_FORCE = 1e-9
"""Tooth deflection as a fraction of the module, or force as a fraction of all weights, that counts as round-off."""
NO_APPROACH = 1e-13
"""Change of the centre distance by a motion, as a fraction of the motion at the farthest body, that counts as round-off."""
ROUNDING = 1e-6
"""Fraction of the tooth force that counts as round-off."""
NAMED = 4
"""Number of pairs that a message names."""


def flanks_of_pairs(point: OperatingPoint, signals: dict[str, Signal]) -> dict[str, str]:
    """Return the flank of every gear pair (see `OperatingState`), or UNDETERMINED."""
    weight = total_mass(point.model) * max(1.0, float(np.linalg.norm(point.model.gravity)))
    rounding = _rounding_of_forces(point)
    flanks = {}
    for name, pair in point.model.gear_pairs.items():

        def value(label: str, name: str = name) -> float:
            return float(signals[f"{name}.{label}"].values[-1])

        law, stiffness = pair.law, abs(value("stiffness"))
        small = max(NO_FORCE * (weight if law.rigid else stiffness * pair.pair.pitch.normal_module), rounding)
        if not value("in_mesh") > 0.0:
            flanks[name] = NO_FLANK
        elif isinstance(pair.mesh, Rolling):
            flanks[name] = EITHER
        elif law.follow_centres and not law.line and _both_carry(point, name, small):
            flanks[name] = BOTH
        elif abs(value("normal_force")) > small:
            flanks[name] = _of_line(pair) or (DRIVE if value("contact") > 0.0 else COAST)
        elif (value("contact") == 0.0 if law.rigid else not stiffness) or law.tables is not None:
            flanks[name] = NO_FLANK
        elif _of_line(pair):
            flanks[name] = _of_line(pair)
        elif not law.separating or (law.smoothing > 0.0 and law.follow_centres) or not can_close(point, name):
            flanks[name] = EITHER
        else:
            flanks[name] = UNDETERMINED
    return flanks


def _rounding_of_forces(point: OperatingPoint) -> float:
    """Force of the stiffest spring of the model in a displacement that the numbers of the positions just resolve."""
    system = point.system
    length, bodies = system.length, system.own.first
    K = point.small.K[:bodies, :bodies].tocoo()
    over = np.where(system.layout.weight[:bodies] == 1.0, length, 1.0)
    stiffest = float(np.max(np.abs(K.data) / (over[K.row] * over[K.col]), initial=0.0))
    return 4.0 * float(np.finfo(float).eps) * _reach(point) * stiffest


def _reach(point: OperatingPoint) -> float:
    """Largest coordinate of a body, or the length of the model if it is greater."""
    return max(point.system.length, float(np.max(np.abs(point.state.pose[:, :3]), initial=0.0)))


def _of_line(pair: GearMesh) -> str:
    """Flank of a fixed line of action; empty if the line of action is that of the loaded flank."""
    return ("", DRIVE, COAST)[pair.law.line] if pair.law.separating else ""


def _both_carry(point: OperatingPoint, name: str, small: float) -> bool:
    """Whether both flanks of a pair carry: the sum of their forces is greater than the difference."""
    work = Workspace(point.system)
    work.question(point.state.t)
    work.set(point.state)
    work.place()
    e = _teeth(point, name)
    work.element(e)
    law = _mesh_scratch(point, work, e)["law"]
    return float(law["both"]) > max(small, (1.0 + ROUNDING) * abs(float(law["elastic"])))


def can_close(point: OperatingPoint, name: str) -> bool:
    """Whether small motions change the distance of the wheels along the line of centres."""
    s, e = point.system, _teeth(point, name)
    work, gradient = Workspace(s), np.zeros(s.n_q)
    work.question(point.state.t)
    work.set(point.state)
    for g in s.elements[e].nodes:
        if g == 0:
            continue
        first = int(s.dof0[g])
        for i in range(first, first + int(s.ndof[g])):
            work.v[:] = 0.0
            work.v[i] = 1.0
            work.place()
            work.element(e)
            gradient[i] = float(_mesh_scratch(point, work, e)["motion"]["closer_rate"])
    # rounding, in particular of the turning of a wheel about its own axis
    gradient[np.abs(gradient) <= NO_APPROACH * _reach(point) * s.layout.weight[: s.n_q]] = 0.0
    return bool(np.any(gradient)) and point.small.can_follow(point.small.axes @ gradient)


def _teeth(point: OperatingPoint, name: str) -> int:
    """Number of the element of a gear pair."""
    return next(
        e
        for e, element in enumerate(point.system.elements)
        if element.name == name and ("mesh" in element.kind.scratch or "motion" in element.kind.scratch)
    )


def _mesh_scratch(point: OperatingPoint, work: Workspace, e: int) -> np.void:
    """Scratch of the teeth after an evaluation of their element."""
    scratch = work.scratch_of(e)
    inner: np.void = scratch["mesh"] if "mesh" in point.system.elements[e].kind.scratch else scratch
    return inner


def loaded_snapshot(model: Model, initial: Snapshot, flanks: dict[str, str], *, reduce: bool) -> Snapshot:
    """Return the static equilibrium under the loads of the model, with the initial speeds of the bodies."""
    try:
        rest = statics(model, time=initial.t, reduce=reduce)
    except SolveError as error:
        raise _cannot_determine(model, flanks, f"{error}") from None
    found = starting_point(model, rest)
    # bodies that the equilibrium has turned keep their motion in their own axes
    turned = {name: found.orientation[name] @ initial.orientation[name].T for name in model.bodies}
    return replace(
        found,
        velocity={name: turned[name] @ v for name, v in initial.velocity.items()},
        angular_velocity={name: turned[name] @ w for name, w in initial.angular_velocity.items()},
    )


def check_determined(model: Model, flanks: dict[str, str], *, given: bool) -> None:
    """Raise an error for pairs whose flank no load determines. given: the user has specified the state; teeth may then be apart."""
    wrong = {
        name: flank for name, flank in flanks.items() if flank == UNDETERMINED or (flank == NO_FLANK and not given)
    }
    if wrong:
        where = (
            "at the specified operating point" if given else "in the static equilibrium under the loads of the model"
        )
        raise _cannot_determine(model, wrong, f"it carries no load {where}")


def _cannot_determine(model: Model, flanks: dict[str, str], why: str) -> ModelError:
    """Error that names the pairs, the reason and the solutions."""
    names = [name for name, flank in flanks.items() if flank in (UNDETERMINED, NO_FLANK)]
    few = ", ".join(f'"{name}"' for name in names[:NAMED]) + (" and others" if len(names) > NAMED else "")
    ways = ["Add the loads that the machine carries", "linearise about a loaded state (about=RESULT)"]
    pairs = [model.gear_pairs[name] for name in names]
    if any(flanks[name] == UNDETERMINED for name in names):
        ways += [
            'choose the flank with line_of_action="clockwise" or "counter-clockwise"',
            "or omit the separating force with separating=False",
        ]
    elif any(pair.law.backlash or pair.law.plays for pair in pairs):
        ways += ["specify backlash=0", f'or linearise about the initial state with the teeth apart (about="{INITIAL}")']
    else:
        ways[-1] = "or " + ways[-1]
    text = f"gear pair {few}: the analysis cannot determine which flank is loaded: {why}"
    return ModelError(f"{text.rstrip('.')}. {', '.join(ways)}")


def open_teeth(point: OperatingPoint, flanks: dict[str, str]) -> list[str]:
    """Warnings for gear pairs in mesh whose teeth do not touch. They have no stiffness there."""
    found = []
    for name, flank in flanks.items():
        law = point.model.gear_pairs[name].law
        if flank != NO_FLANK:
            continue
        if law.backlash or law.plays:
            found.append(
                f'gear pair "{name}" is within its backlash, where its teeth have no stiffness. Linearise about a loaded '
                "state, or specify backlash=0"
            )
        else:
            found.append(
                f'gear pair "{name}" carries no load. Its teeth have no stiffness before contact. Linearise about a loaded state'
            )
    return found
