"""RollingTree: joint coordinates of a model whose bodies rotate about, or slide along, axes that are fixed in other bodies.

The elements of the model are evaluated at several positions: the initial one, one step along each coordinate, and positions
at which all coordinates differ. What is a constant or a linear function of the coordinates is found from the first positions,
and tested at the others.
"""

from __future__ import annotations

import numpy as np

from ....analyses.body_tree import BodyTree, find_tree
from ....analyses.joint_choice import choose
from ....analyses.joint_state import as_array, joint_state, read_positions
from ....analyses.preparation import prepare
from ....elements.body import BODY
from ....elements.bushing import BUSHING
from ....elements.coincident import COINCIDENT
from ....elements.contract import Element
from ....elements.gear_mesh import GEAR_MESH
from ....elements.load import FORCE_LOAD, TORQUE_LOAD
from ....elements.mesh_law import NO_FRICTION, RIGID, SPRING
from ....elements.scalar_constraint import SCALAR_CONSTRAINT
from ....elements.scalar_force import LAW_LINEAR, LAW_LOAD, SCALAR_FORCE
from ....elements.sliding import SLIDING
from ....model import Model
from ....model.functions import Sampled
from ....model.signal_expression import SignalExpression
from ....solvers.consistent import project_velocities
from ....solvers.linearised import null_space
from ....system.matrix import Evaluator
from ....system.node_motion import NodeMotion
from ....system.snapshot import Snapshot
from ....system.train_search import NotATrain, is_ratio, varies_in_time
from ....system.tree_kernels import SLIDING as SLIDING_EDGE
from ....system.tree_kernels import TURNING as TURNING_EDGE

__all__ = ["EXACT", "RollingTree", "snapped"]

EXACT = 1e-9
"""Largest difference from a constant or linear function, relative to the values."""
WHOLE = 1e-11
"""Difference from a whole number that is rounding."""
LARGEST_TURN = 1.2
"""Largest rotation of a body between the positions at which elements are evaluated [rad]."""
FAR = 3
"""Number of positions at which all coordinates differ."""
KINDS = (BODY, BUSHING, SCALAR_FORCE, TORQUE_LOAD, FORCE_LOAD, GEAR_MESH, COINCIDENT, SLIDING, SCALAR_CONSTRAINT)


def snapped(values: np.ndarray) -> np.ndarray:
    """Values, with those that are whole numbers except for rounding made whole."""
    whole = np.round(values)
    return np.where(np.abs(values - whole) <= WHOLE * np.maximum(1.0, np.abs(whole)), whole, values) + 0.0


class RollingTree:
    """Joint coordinates q of a model without its drives.

    Attributes
    ----------
    coordinates : list of JointCoordinate
        Coordinates; those of driven joints are the first.
    q0, speeds : (n,)
        Coordinates in the initial pose, and their initial rates.
    positions : (n + 1 + FAR, n)
        Coordinates at which elements are evaluated, relative to q0.
    """

    def __init__(self, model: Model) -> None:
        _check_parts(model)
        self.model = model
        bare = model.replaced(without=list(model.drives))
        ready = prepare(bare, Snapshot.of_model(bare), until=0.0, reduce=True)
        self.system, state = ready.system, ready.state
        for element in self.system.elements[: self.system.active]:
            _check_kind(element)
        evaluator = Evaluator(self.system)
        self.coordinates = self._choose(evaluator, state)
        if np.any(state.v):
            project_velocities(self.system, state)
        found = joint_state(self.system, state, self.coordinates, evaluator)
        self.q0 = read_positions(self.system, state, self.coordinates)
        self.speeds = found.G @ state.v[: self.system.own.first]
        self.tree = self._find(state, found.N)
        self._place_samples()

    @property
    def count(self) -> int:
        """Number of coordinates."""
        return len(self.coordinates)

    @property
    def edges(self) -> np.ndarray:
        """Edges of the tree, parents first."""
        return self.tree.edges

    @property
    def gamma(self) -> np.ndarray:
        """(edges, coordinates) rates of the edges."""
        return self.tree.gamma

    # ---- preparation

    def _choose(self, evaluator: Evaluator, state):  # type: ignore[no-untyped-def]
        system = self.system
        n, nq = system.own.first, system.n_q
        if system.own.count or system.own.condensed_count:
            owner = next(e for e in system.elements if e.kind.coordinates)
            raise NotATrain(f'"{owner.name}" has its own coordinates')
        lam = np.zeros_like(state.lam)
        K = as_array(evaluator.tangent(state, mass=1.0, moving=False, lam=lam, small_as_array=True)[1])
        free = null_space(K[nq:, :n] * system.sizes[:n])
        if not free.shape[1]:
            raise NotATrain("no body can move")
        driven = [drive.joint_name for drive in self.model.drives.values()]
        chosen = choose(system, NodeMotion(system, state), system.sizes[:n, None] * free, None, driven)
        for c in chosen:
            if c.is_velocity:
                raise NotATrain(
                    f'body "{c.body}" is not on one axis: it can move in other directions than that of one joint. Elastic '
                    "bearings and pins do this"
                )
        return chosen

    def _find(self, state, N: np.ndarray) -> BodyTree:  # type: ignore[no-untyped-def]
        motion = NodeMotion(self.system, state)
        n = len(N)
        joints = self.system.model.joints.items()
        angles = {name: motion.coordinate_row(joint, "angle")[:n] @ N for name, joint in joints}
        self.rates = angles | {
            name: motion.coordinate_row(joint, joint.coordinates[0])[:n] @ N
            for name, joint in joints
            if len(joint.coordinates) == 1
        }
        tree = find_tree(self.system, state, N, self.q0, angles, forces=False)
        if tree is None:
            raise NotATrain(
                "its bodies do not rotate about axes that are fixed in other bodies, or ratios of its joints vary"
            )
        if np.any(tree.edges["pitch"] != 0.0):
            node = int(tree.edges["node"][np.flatnonzero(tree.edges["pitch"])[0]])
            raise NotATrain(f'body "{self.name_of(node)}" moves on a screw')
        return tree

    def _place_samples(self) -> None:
        gamma, edges = np.abs(self.gamma), self.edges
        turning, sliding = edges["kind"] == TURNING_EDGE, edges["kind"] == SLIDING_EDGE
        size = gamma * (turning / LARGEST_TURN + sliding / (0.1 * self.system.length))[:, None]
        reach = 1.0 / np.maximum(size.max(axis=0, initial=0.0), 1e-12)
        reach /= max(1.0, float(np.max(size @ reach, initial=0.0)))
        # the other positions are as far away, at numbers without a common factor
        far = np.sin(1.0 + np.arange(FAR)[:, None] * 2.3 + np.arange(self.count) * 1.7)
        self.positions = np.concatenate([np.zeros((1, self.count)), np.diag(reach), far * reach])
        self.twists = [self.tree.twists(self.q0 + x) for x in self.positions]

    def name_of(self, node: int) -> str:
        """Name of the body of a node."""
        return self.system.model.ground.name if node == 0 else self.system.nodes[node - 1].body.name

    # ---- evaluation

    def residual(self, e: int, k: int, qd: np.ndarray | None = None, *, t: float = 0.0) -> np.ndarray:
        """(coordinates,) generalised force of element e at position k, as in the residual, at a time."""
        element = self.system.elements[e]
        work = self.tree.work
        work.ask["t"] = t
        self.tree.place(self.q0 + self.positions[k], qd)
        r, _ = work.element(e)
        return self._projected(k, element, r)

    def _projected(self, k: int, element: Element, r: np.ndarray) -> np.ndarray:
        found = np.zeros(self.count)
        for place, node in enumerate(element.nodes):
            found += self.twists[k][:, node] @ r[6 * place : 6 * place + 6]
        return found

    def mass(self, e: int, k: int) -> np.ndarray:
        """(coordinates, coordinates) mass matrix of a body at position k."""
        work = self.tree.work
        self.tree.place(self.q0 + self.positions[k])
        work.ask["M"] = 1.0
        _, J = work.element(e, tangent=True)
        work.ask["M"] = 0.0
        V = self.twists[k][:, self.system.elements[e].nodes[0]]
        return np.asarray(V @ J[:6, :6] @ V.T)

    def scratch(self, e: int, k: int) -> np.void:
        """Scratch of an element after its evaluation at position k, by name."""
        self.tree.place(self.q0 + self.positions[k])
        self.tree.work.element(e)
        return self.tree.work.scratch_of(e)

    def linear(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(a (coordinates, ...), largest difference (...)) of values (positions, ...) from values_0 + positions @ a."""
        change = values - values[0]
        steps = np.diag(self.positions[1 : self.count + 1])
        a = change[1 : self.count + 1] / steps.reshape(-1, *[1] * (values.ndim - 1))
        rest = change[self.count + 1 :] - np.tensordot(self.positions[self.count + 1 :], a, axes=1)
        return a, np.abs(rest).max(axis=0, initial=0.0)


def _check_parts(model: Model) -> None:
    for name in model.structures:
        raise NotATrain(f'"{name}" is a shaft, a beam or a flexible body')
    if not model.gear_pairs:
        raise NotATrain("it has no gear pair")
    for drive in model.drives.values():
        if isinstance(drive.function, SignalExpression):
            raise NotATrain(f'drive "{drive.name}" follows a signal')
        if isinstance(drive.function, Sampled):
            raise NotATrain(
                f'drive "{drive.name}" is a Python function of time. A number, a Ramp or a Table is possible'
            )


def _check_kind(element: Element) -> None:
    kind, values = element.kind, element.values
    if kind not in KINDS and not is_ratio(element):
        raise NotATrain(
            f'"{element.name}" ({kind.name}) is not a spring, a load or a gear pair that a batch can compute'
        )
    if kind is SCALAR_FORCE and (values["law"] not in (LAW_LINEAR, LAW_LOAD) or values["string"]):
        raise NotATrain(f'the force of "{element.name}" is not linear')
    if kind is GEAR_MESH:
        _check_law(element)


def _check_law(element: Element) -> None:
    law = element.values["law"]
    rigid = law["form"] == RIGID
    for wrong, why in (
        (law["form"] not in (SPRING, RIGID), "are solved for their force"),
        (law["friction"] != NO_FRICTION, "have friction"),
        (law["loss_lever_a"] or law["loss_lever_b"], "have losses"),
        (law["width"], "have contact over their width"),
        (law["own"], "have a law of their own"),
        (law["n_plays"], "have a backlash that varies"),
        (law["n_dampers"], "have a damping that varies"),
        (varies_in_time(law), "have an error that depends on time"),
        (rigid and (law["backlash"] or law["error"] or law["n_errors"]), "are rigid and have backlash or errors"),
    ):
        if wrong:
            raise NotATrain(f'the teeth of "{element.name}" {why}')
