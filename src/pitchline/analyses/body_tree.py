"""Body tree: bodies that move on fixed axes relative to each other, with rates that are linear in the joint coordinates.

The tree is found from the motion of a system, not from the kinds of its joints: two bodies that a joint connects are parent and
child if their relative motion has at most one degree of freedom. The hypothesis that axes and ratios are constant is then
tested: at several positions the constraints must be satisfied, with their rates, to rounding. Four-bar linkages, for example,
fail. They use the general method.
"""

from collections.abc import Iterator

import numpy as np

from pitchline.engine.compile.assembly import RIGID, SLIDING, TURNING, Edge, Tree, tree_forces, tree_poses
from pitchline.engine.compile.rank import Evaluator
from pitchline.engine.compile.station_signals import NodeMotion
from pitchline.engine.compile.system import State, System, Workspace
from pitchline.engine.elements.frame_motion import COORDINATE
from pitchline.numerics.fields import point
from pitchline.parts.meshes.kernel import GEAR_MESH
from pitchline.solids.rotations import quaternion_of

__all__ = ["BodyTree", "find_tree"]

NO_MOTION = 1e-9
"""Singular value of a relative motion, relative to the largest, below which it is rounding."""
CLOSED = 1e-9
"""Largest violation of a constraint, or of its rate relative to the speeds, at the positions of the test."""
AXES_FIRST = ("fixed", "revolute", "prismatic", "screw")


class BodyTree:
    """Poses, rates and generalised forces of a system whose bodies form a tree. `edges`: (node, parent, kind, values)."""

    def __init__(self, system: System, state: State, edges: np.ndarray, gamma: np.ndarray, q0: np.ndarray) -> None:
        self.system, self.gamma, self.q0 = system, np.ascontiguousarray(gamma), q0.copy()
        self.work = Workspace(system)
        self.work.question(state.t)
        self.work.set(state)
        self.work.place(moving=False)
        self.edges = edges
        with_force = [e for e in range(system.active) if not system.elements[e].rows]
        self._forces = np.array(with_force, np.int64)
        begins = [e for e in with_force if system.elements[e].kind.begin is not None]
        self._begins = np.array([*begins, -1], np.int64)[: len(begins)]
        observed = [(e, x) for e, x in enumerate(system.elements) if x.kind is COORDINATE]
        self.angles = np.array([int(system.mem0[e]) for e, _ in observed], np.int64)
        self._observed = [x.name for _, x in observed]
        self._angle0 = state.mem[self.angles] if observed else np.zeros(0)
        self.angle_gamma = np.zeros((len(observed), len(q0)))
        self._wrench = np.zeros((len(system.ndof), 6))
        self._record = np.zeros(Tree.size, np.int64)

    def observe(self, rates: dict[str, np.ndarray]) -> None:
        """Set the derivatives of all joint angles by the joint coordinates, by name of the joint, and make the record."""
        for i, name in enumerate(self._observed):
            self.angle_gamma[i] = rates[name]
        values = {
            "system": self.work.address, "n_edges": len(self.edges), "n_coordinates": len(self.q0),
            "n_nodes": len(self._wrench), "n_forces": self._forces.size, "n_begins": self._begins.size,
            "n_angles": self.angles.size, "edges": self.edges, "gamma": self.gamma, "q0": self.q0,
            "forces": self._forces, "begins": self._begins, "angles": self.angles, "angle0": self._angle0,
            "angle_gamma": self.angle_gamma, "wrench": self._wrench,
        }  # fmt: skip
        point(self._record, Tree, values)

    def forces(self, t: np.ndarray, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """(samples, coordinates) generalised forces of a motion; all arguments with one row for each sample."""
        tau = np.zeros_like(q)
        tree_forces(self._record.ctypes.data, t, q, qd, qdd, tau)
        return tau

    def place(self, q: np.ndarray, qd: np.ndarray | None = None, qdd: np.ndarray | None = None) -> None:
        """Place the nodes of the workspace. Counted angles stay. Default of the rates: 0."""
        motion = (q, *(np.zeros_like(q) if rate is None else rate for rate in (qd, qdd)))
        tree_poses(self._record.ctypes.data, *(np.ascontiguousarray(x, float) for x in motion))

    def twists(self, q: np.ndarray) -> np.ndarray:
        """(coordinates, nodes, 6) velocities (world axes) and angular velocities (node axes) for unit rates of the coordinates."""
        found = []
        for unit in np.eye(len(q)):
            self.place(q, unit)
            found.append(np.concatenate([self.work.bodies["v"], self.work.bodies["w"]], axis=1))
        return np.array(found).reshape(len(q), -1, 6)

    def set_state(self, state: State, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray | None = None) -> None:
        """Set poses, rates and counted angles of a state."""
        self.place(q, qd, qdd)
        s, bodies = self.system, self.work.bodies
        for k, plan in enumerate(s.nodes, 1):
            state.pose[k, :3] = bodies["x"][k]
            state.pose[k, 3:] = quaternion_of(bodies["R"][k].reshape(3, 3))
            mine = slice(int(s.dof0[k]), int(s.dof0[k] + s.ndof[k]))
            if plan.T.shape[1]:
                inverse = np.linalg.pinv(plan.T)
                state.v[mine] = inverse @ np.concatenate([bodies["v"][k], bodies["w"][k]])
                state.vd[mine] = inverse @ np.concatenate([bodies["a"][k], bodies["al"][k]])
        state.mem[self.angles] = self._angle0 + self.angle_gamma @ (q - self.q0)


def find_tree(
    system: System,
    state: State,
    N: np.ndarray,
    q0: np.ndarray,
    rates: dict[str, np.ndarray],
    *,
    forces: bool = True,
) -> BodyTree | None:
    """Tree of a system at a state, or None. N: (coordinates of the system, joint coordinates), velocities of the system;
    q0: joint coordinates at the state; rates: derivatives of the angles of all joints by the joint coordinates.
    forces=False: `BodyTree.forces` is not used, so that elements may have memory."""
    own = [
        e for e in system.elements[: system.active]
        if not e.rows and e.kind is not COORDINATE and e.shares_memory_of is None and e.memory.size
    ]  # fmt: skip
    if (forces and own) or system.own.condensed_count:
        return None
    found = _edges(system, state, N)
    if found is None:
        return None
    tree = BodyTree(system, state, *found, q0)
    tree.observe(rates)
    return tree if _holds(tree, state) else None


def _edges(system: System, state: State, N: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Edges, parents first, and their rates by the joint coordinates."""
    motion = NodeMotion(system, state)
    twists = {k: motion.jacobian_at(k, np.zeros(3))[:, : len(N)] @ N for k in range(len(system.ndof))}
    links = list(_links(system))
    reached, rows, gammas = {0}, [], []
    largest = max(float(np.abs(V).max(initial=0.0)) for V in twists.values()) or 1.0
    while len(reached) < len(system.ndof):
        for a, b in links:
            if (a in reached) == (b in reached):
                continue
            p, c = (a, b) if a in reached else (b, a)
            edge = _edge(motion, p, c, twists, system.length, NO_MOTION * largest)
            if edge is not None:
                reached.add(c)
                rows.append(edge[0])
                gammas.append(edge[1])
                break
        else:
            return None
    return np.array(rows, Edge.dtype), np.array(gammas).reshape(len(rows), N.shape[1])


def _links(system: System) -> Iterator[tuple[int, int]]:
    """Pairs of nodes that a joint connects; joints on one axis first."""
    joints = system.model.joints.values()
    for joint in sorted(joints, key=lambda j: j.kind not in AXES_FIRST):
        yield system.node_of[joint.body_a], system.node_of[joint.body_b]
    for part in system.elements[: system.active]:
        # rigid shafts and beams
        if part.rows and len(part.nodes) == 2 and part.kind is not GEAR_MESH:
            yield part.nodes[0], part.nodes[1]


def _edge(
    motion: NodeMotion, p: int, c: int, twists: dict[int, np.ndarray], length: float, rounding: float
) -> tuple[np.void, np.ndarray] | None:
    """Edge from parent p to body c and its rate; None if their relative motion has several degrees of freedom."""
    span = motion.x[c] - motion.x[p]
    relative = twists[c] - twists[p]
    relative[:3] -= np.cross(twists[p][3:], span, axisa=0, axisc=0)
    scaled = np.concatenate([relative[:3] / length, relative[3:]])
    U, size, Vt = np.linalg.svd(scaled, full_matrices=False)
    R = motion.R[p]
    edge = np.zeros(1, Edge.dtype)[0]
    edge["node"], edge["parent"], edge["R0"] = c, p, (R.T @ motion.R[c]).ravel()
    if not size.size or size[0] <= rounding:
        edge["kind"], edge["d"] = RIGID, R.T @ span
        return edge, np.zeros(Vt.shape[1])
    if size.size > 1 and size[1] > NO_MOTION * size[0] and size[1] > rounding:
        return None
    v, w, gamma = length * U[:3, 0], U[3:, 0], size[0] * Vt[0]
    turn = float(np.linalg.norm(w))
    if turn <= NO_MOTION * float(np.linalg.norm(U[:, 0])):
        way = float(np.linalg.norm(v))
        edge["kind"], edge["e"], edge["d"] = SLIDING, R.T @ v / way, R.T @ span
        return edge, way * gamma
    e = w / turn
    v = v / turn
    pitch = float(e @ v)
    arm = -np.cross(e, v)  # e x arm = the part of v across the axis; arm from the axis to the node of c
    edge["kind"], edge["e"], edge["pitch"] = TURNING, R.T @ e, pitch if abs(pitch) > 1e-12 * length else 0.0
    edge["o"], edge["d"] = R.T @ (span - arm), R.T @ arm
    return edge, turn * gamma


def _holds(tree: BodyTree, state: State) -> bool:
    """Whether the tree satisfies the constraints, and their rates, at other positions."""
    s, evaluator = tree.system, Evaluator(tree.system)
    n, lam = len(tree.q0), np.zeros_like(state.lam)
    angles = np.abs(tree.gamma).max(axis=0, initial=0.0)
    rng = np.random.default_rng(1)
    live = np.flatnonzero(s.layout.equation >= 0)
    of_mesh = np.array([s.row_owner(int(l)).kind is GEAR_MESH for l in live], bool)
    scale = np.where(s.layout.equation[live] >= 0, s.layout.lam_scale[live], 1.0) / s.layout.weight[s.n_q :]
    for far in (False, True):
        # teeth are counted from the last position: there only short motions; joints can be tested at any position
        reach = np.ones(n) if far else 0.3 / np.maximum(angles, 1.0)
        other = state.copy()
        q = tree.q0 + reach * rng.uniform(-1.0, 1.0, n)
        qd = reach * rng.uniform(-1.0, 1.0, n)
        tree.set_state(other, q, qd)
        rates = evaluator.rates(other)
        evaluator.place(other, moving=False, lam=lam)
        rows = evaluator.work.rows(rates=False)
        speed = max(1.0, float(np.max(np.abs(tree.gamma) @ np.abs(qd), initial=0.0)))
        tested = ~of_mesh if far else np.ones(live.size, bool)
        if np.any(np.abs(rows / scale)[tested] > CLOSED) or np.any(np.abs(rates / scale)[tested] > CLOSED * speed):
            return False
    return True
