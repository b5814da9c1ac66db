"""Checks and warnings of an operating point: flanks in contact, parts without load, dependence on the speed.

Flanks of the gear pairs at an operating point: which one carries, and the equilibrium that determines it.

The tooth force acts along the normal of the loaded flank. Its component along the line of centres has another sign on the other
flank: without load it has a kink, and small motions have no equations unless the centres are fixed, the line of action is fixed,
or the separating force is omitted. The same holds for teeth that follow their centres if only their damper has a force.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pitchline.declare.readable_signals import linear_notes
from pitchline.declare.structure import BeamSpec
from pitchline.engine.compile.nodes import Snapshot
from pitchline.engine.compile.system import Workspace
from pitchline.errors import ModelError, SolveError
from pitchline.model.model import Model
from pitchline.parts.bodies.plane_checks import total_mass
from pitchline.parts.meshes.laws.elastic import Rolling
from pitchline.parts.meshes.part import GearMesh
from pitchline.results.part_quantities import BOTH, COAST, DRIVE, EITHER, INITIAL, NO_FLANK
from pitchline.results.signal import Signal

from .observers import starting_point
from .statics import statics

if TYPE_CHECKING:
    from .operating_point import OperatingPoint

__all__ = [
    "UNDETERMINED",
    "can_close",
    "check_determined",
    "flanks_of_pairs",
    "loaded_snapshot",
    "open_teeth",
    "without_kinks",
    "operating_warnings",
]


UNDETERMINED = "undetermined"
"""Flank of a pair whose teeth have no deflection, if the drive flank and the coast flank give different equations."""
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
    rounding = _rounding_of_forces(point)
    flanks = {}
    for name, pair in point.model.gear_pairs.items():

        def value(label: str, name: str = name) -> float:
            return float(signals[f"{name}.{label}"].values[-1])

        law, stiffness = pair.law, abs(value("stiffness"))
        small = _no_force(point, pair, stiffness, rounding)
        if not value("in_mesh") > 0.0:
            flanks[name] = NO_FLANK
        elif isinstance(pair.mesh, Rolling):
            flanks[name] = EITHER
        elif law.follow_centres and not law.line and _both_carry(point, name, small):
            flanks[name] = BOTH
        elif not law.rigid and not stiffness and abs(float(_law_scratch(point, name)["elastic"])) <= small:
            flanks[name] = NO_FLANK  # dampers that always act may have a force
        elif abs(value("normal_force")) > small and _only_damped(point, name, small):
            flanks[name] = UNDETERMINED if can_close(point, name) else EITHER
        elif abs(value("normal_force")) > small:
            flanks[name] = _of_line(pair) or (DRIVE if value("contact") > 0.0 else COAST)
        elif (law.rigid and value("contact") == 0.0) or law.tables is not None:
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
    law = _law_scratch(point, name)
    return float(law["both"]) > max(small, (1.0 + ROUNDING) * abs(float(law["elastic"])))


def _only_damped(point: OperatingPoint, name: str, small: float) -> bool:
    """Whether teeth without deflection have only the force of their damper. Their separating force refers to the flank that is
    deflected, and rounding would choose it."""
    law = point.model.gear_pairs[name].law
    if law.rigid or law.line or law.smoothing > 0.0 or not (law.separating and law.follow_centres):
        return False
    return abs(float(_law_scratch(point, name)["elastic"])) <= small


def without_kinks(point: OperatingPoint, flanks: dict[str, str]) -> tuple[list[GearMesh], list[str]]:
    """Pairs whose force has a kink at the point, with the mean slope, zero, in its place; and warnings.

    The separating force of teeth that can carry on either flank has such a kink, and so have friction and losses of teeth that
    carry no load while the wheels rotate: they are proportional to the magnitude of the tooth force."""
    changed, idle = [], []
    rounding = _rounding_of_forces(point)
    for name, flank in flanks.items():
        pair = point.model.gear_pairs[name]
        law = pair.law
        if flank in (EITHER, NO_FLANK) and law.separating and not law.smoothing and not law.line:
            law = replace(law, separating=False, follow_centres=False)
        lossy = (law.friction is not None or law.efficiency is not None) and not law.sticks
        if flank not in (NO_FLANK, BOTH) and lossy and not isinstance(pair.mesh, Rolling) and np.any(point.state.v):
            force = _law_scratch(point, name)
            small = _no_force(point, pair, abs(float(force["stiffness"])), rounding)
            if abs(float(force["elastic"]) + float(force["damping"])) <= small:
                law = replace(law, friction=None, efficiency=None)
                idle.append(name)
        if law is not pair.law:
            changed.append(pair.with_law(law))
    if not idle:
        return changed, []
    few = ", ".join(f'"{name}"' for name in idle[:NAMED]) + (" and others" if len(idle) > NAMED else "")
    return changed, [
        f"gear pair {few} rotates without load: its friction and losses have the sign of the load, and small motions do not "
        "include them. To include them, linearise about a loaded state (about=RESULT)"
    ]


def _no_force(point: OperatingPoint, pair: GearMesh, stiffness: float, rounding: float) -> float:
    """Tooth force that counts as round-off [N]."""
    weight = total_mass(point.model) * max(1.0, float(np.linalg.norm(point.model.gravity)))
    return max(NO_FORCE * (weight if pair.law.rigid else stiffness * pair.pair.pitch.normal_module), rounding)


def _law_scratch(point: OperatingPoint, name: str) -> np.void:
    """Result of the law of a gear pair at the point."""
    work = Workspace(point.system)
    work.question(point.state.t)
    work.set(point.state)
    work.place()
    e = _teeth(point, name)
    work.element(e)
    law: np.void = _mesh_scratch(point, work, e)["law"]
    return law


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


# ---- operating warnings

# Warnings for frequencies about an operating point: bearings without load, rotating structures that are not
# axisymmetric or not in equilibrium with their centrifugal forces.

"""Number of items that a warning names."""
SLOW = 1e-3
"""Angular speed, divided by that of the fastest body, that counts as zero: rotating shafts move their housing slightly."""
UNROUND = 1e-6
"""Relative change of the matrices of a beam after a quarter revolution about its axis that counts as round-off."""
UNROUND_BODY = 0.01
"""The same for flexible bodies, whose loads add terms that do not rotate with them."""
WITH = 0.1
"""Fraction of the speed of rotating axes by which the speed of a structure that rotates with them may differ; and fraction of its
length that it must extend from their axis for centrifugal forces to be relevant."""
UNSTEADY = 0.5
"""Fraction of the centripetal acceleration by which that of a structure may differ."""
ALONG = 0.99
"""Cosine of the angle between the axis of a beam and its axis of rotation."""


def operating_warnings(point: OperatingPoint, *, turning: np.ndarray | None) -> list[str]:
    """Return the warnings of an operating point.

    turning: angular velocity of rotating axes, in world axes [rad/s]; None for fixed axes."""
    return (
        _friction(point)
        + _unloaded_bearings(point)
        + (_unround_structures(point) if turning is None else _unsteady_structures(point, turning))
        + linear_notes(point.model)
    )


def _friction(point: OperatingPoint) -> list[str]:
    """How friction acts in small motions: joints at rest are locked, sliding ones have the slope of their friction."""
    s = point.system
    locked: list[str] = []
    sliding: list[str] = []
    for e, element in enumerate(s.elements):
        if element.switches:
            kept = s.layout.equation[int(s.lam0[e]) + element.firm] >= 0
            (locked if kept else sliding).append(element.name)
    found = []
    if locked:
        found.append(f"friction: {_listed(locked)} stick at the operating point and are locked in small motions")
    if sliding:
        found.append(
            f"friction: {_listed(sliding)} slip at the operating point; small motions include the slope of the friction "
            "over the speed, and no sticking"
        )
    return found


def _listed(names: list[str]) -> str:
    few = ", ".join(f'"{name}"' for name in names[:NAMED])
    return few if len(names) <= NAMED else f"{few} and {len(names) - NAMED} more"


def _tangents(
    point: OperatingPoint, names: set[str], *, mass: float = 0.0, stiffness: float = 0.0
) -> dict[str, list[tuple[tuple[int, ...], np.ndarray]]]:
    """(nodes, tangent by their coordinates) of the elements of these names."""
    s, work = point.system, Workspace(point.system)
    work.question(point.state.t, mass=mass, stiffness=stiffness)
    work.set(point.state)
    work.place()
    found: dict[str, list[tuple[tuple[int, ...], np.ndarray]]] = {}
    for e in range(s.active):
        element = s.elements[e]
        if element.name in names and not element.rows:
            n = 6 * len(element.nodes)
            _, J = work.element(e, tangent=True)
            found.setdefault(element.name, []).append((element.nodes, J[:n, :n].copy()))
    return found


def _unloaded_bearings(point: OperatingPoint) -> list[str]:
    """Rolling bearings within their clearance."""
    bearings = {name for name, part in point.model.elements.items() if type(part).key == "bearing"}
    if not bearings:
        return []
    tangents = _tangents(point, bearings, stiffness=1.0)
    free = [name for name, parts in tangents.items() if not any(np.any(J) for _, J in parts)]
    if not free:
        return []
    return [
        f"bearings {_listed(free)} carry no load and have no stiffness in this position. Linearise about a loaded state "
        "(about=statics(model)), or specify a preload"
    ]


def _unround_structures(point: OperatingPoint) -> list[str]:
    """Structures that turn and are not alike all round: in resting axes their matrices change as they turn."""
    if not point.model.structures or not np.any(point.state.v):
        return []
    poses = point.system.kinematics(point.state)
    spins = np.einsum("nij,nj->ni", poses["R"].reshape(-1, 3, 3), poses["w"])
    speeds = np.linalg.norm(spins, axis=1)
    slow = SLOW * speeds.max(initial=0.0)
    turning = [
        structure.name
        for structure in point.model.structures.values()
        if any(speeds[point.system.node_of[station.name]] > slow for station in structure.stations.values())
    ]
    if not turning:
        return []
    unround = []
    for name in turning:
        structure = point.model.structures[name]
        beams = [spec for spec in structure.elements if isinstance(spec, BeamSpec)]
        if len(beams) == len(structure.elements):
            if not all(_round_beam(spec, point, poses, spins) for spec in beams):
                unround.append(name)
            continue
        if any(e.name == name and e.own(condensed=False) for e in point.system.elements):
            unround.append(name)  # modes turn with the body
            continue
        for mass, stiffness in ((1.0, 0.0), (0.0, 1.0)):
            tangents = _tangents(point, {name}, mass=mass, stiffness=stiffness)
            if any(_changes(nodes, J, poses, spins) for nodes, J in tangents.get(name, [])):
                unround.append(name)
    names = list(dict.fromkeys(unround))
    if not names:
        return []
    return [
        f"structures {_listed(names)} rotate and are not axisymmetric. In fixed axes their matrices change with the rotation, and "
        "these frequencies are valid for this position only. If all other items are axisymmetric, use axes that rotate with them "
        "(turning_with=...)"
    ]


def _unsteady_structures(point: OperatingPoint, turning: np.ndarray) -> list[str]:
    """Structures that turn with the axes, but not on circles: their tension does not balance the centrifugal forces."""
    if not point.model.structures or not np.any(turning):
        return []
    poses = point.system.kinematics(point.state)
    spins = np.einsum("nij,nj->ni", poses["R"].reshape(-1, 3, 3), poses["w"])
    speed = float(np.linalg.norm(turning))
    unsteady = []
    for name, structure in point.model.structures.items():
        nodes = [point.system.node_of[station.name] for station in structure.stations.values()]
        if not all(isinstance(spec, BeamSpec) for spec in structure.elements):
            continue  # flexible bodies are stiff against their spin
        if np.linalg.norm(spins[nodes].mean(axis=0) - turning) > WITH * speed:
            continue
        x, a = (poses[key][nodes] - poses[key][nodes].mean(axis=0) for key in ("x", "a"))
        circling = np.cross(turning, np.cross(turning, x))
        size = float(np.abs(circling).max())
        if size > WITH * speed**2 * np.abs(x).max() and float(np.abs(a - circling).max()) > UNSTEADY * size:
            unsteady.append(name)
    if not unsteady:
        return []
    return [
        f"structures {_listed(unsteady)} do not rotate steadily. Centrifugal forces have not stretched them, and the resulting "
        "stiffness is missing. Linearise about the end of a run in time (about=dynamics(model, ...)) after vibrations have decayed"
    ]


def _round_beam(spec: BeamSpec, point: OperatingPoint, poses: np.ndarray, spins: np.ndarray) -> bool:
    """Whether a beam is alike all round, and turns about its own axis, if it does."""
    for frame in spec.frames:
        g = point.system.node_of[frame.body_name]
        speed = float(np.linalg.norm(spins[g]))
        axis = poses["R"][g].reshape(3, 3) @ frame.rotation[:, 2]
        if speed > SLOW and abs(axis @ spins[g]) < ALONG * speed:
            return False
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for A in (spec.stiffness, spec.mass):
        turn = np.kron(np.eye(len(A) // 3), quarter)
        sizes = np.sqrt(np.abs(np.diagonal(A)))
        if np.any(np.abs(turn @ A @ turn.T - A) > UNROUND * np.outer(sizes, sizes)):
            return False
    return True


def _changes(nodes: tuple[int, ...], J: np.ndarray, poses: np.ndarray, spins: np.ndarray) -> bool:
    """Whether a tangent is another one, in resting axes, after a quarter of a turn."""
    speeds = [float(np.linalg.norm(spins[g])) for g in nodes]
    fastest = int(np.argmax(speeds))
    if speeds[fastest] <= SLOW:
        return False
    axis = spins[nodes[fastest]] / speeds[fastest]
    x, y, z = axis
    quarter = np.outer(axis, axis) + np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    n = len(J)
    to_rest, turn = np.eye(n), np.eye(n)
    for k, g in enumerate(nodes):
        to_rest[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = poses["R"][g].reshape(3, 3)
        for i in (6 * k, 6 * k + 3):
            turn[i : i + 3, i : i + 3] = quarter
    A = to_rest @ J @ to_rest.T
    sizes = np.sqrt(np.abs(np.diagonal(A)))
    return bool(
        np.any(
            np.abs(turn @ A @ turn.T - A) > UNROUND_BODY * (np.outer(sizes, sizes) + 1e-6 * np.abs(A).max(initial=0.0))
        )
    )
