"""Warnings for frequencies about an operating point: bearings without load, rotating structures that are not axisymmetric or not
in equilibrium with their centrifugal forces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..model.element_checks import linear_notes
from ..model.structure import BeamSpec
from ..system.workspace import Workspace

if TYPE_CHECKING:
    from .operating_point import OperatingPoint

__all__ = ["operating_warnings"]

NAMED = 4
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
