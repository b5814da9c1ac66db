"""System: a model compiled to constant arrays. State: what changes."""

from dataclasses import dataclass, field

import numpy as np

from ..elements.contract import (
    C_L,
    COMMIT,
    DAMP,
    LOAD,
    MAX_LOCAL,
    MAX_MULTIPLIERS,
    MAX_NODES,
    MAX_REPORT,
    N_COEFFICIENTS,
    TIME,
    Element,
)
from ..elements.scalar_constraint import SCALAR_CONSTRAINT
from ..elements.scalar_geometry import SIZE as MEASURE_SIZE
from ..model import Model
from .assembly import ELEMENT_COLUMNS, NODE, Layout, Local, call_element
from .nodes import ACCELERATION, VELOCITY, move, spread
from .pattern import compressed_columns, scatter
from .planar import PlaneMaps
from .reduction import NodePlan

IDLE = -2
"""In place of an equation: a row that says nothing in the plane of a planar model."""
DENSE_LIMIT = 40
"""Largest number of unknowns for which the dense factorisation is used."""


@dataclass
class State:
    """Everything that changes along a run; arrays are overwritten in place by compiled code."""

    t: float
    pose: np.ndarray  # (nodes, 7) x_WN [m], quaternion of R_WN
    v: np.ndarray  # (coordinates) velocities
    vd: np.ndarray  # accelerations
    lam: np.ndarray  # multipliers [N, N*m]
    mem: np.ndarray  # memory of the elements

    def copy(self) -> "State":
        return State(self.t, *(x.copy() for x in (self.pose, self.v, self.vd, self.lam, self.mem)))


def new_local() -> Local:
    """Scratch arrays for one element evaluation."""
    return Local(
        P=np.zeros((MAX_NODES, 12)),
        V=np.zeros((MAX_NODES, 6)),
        A=np.zeros((MAX_NODES, 6)),
        lam=np.zeros(MAX_MULTIPLIERS),
        r=np.zeros(max(MAX_LOCAL, MAX_REPORT)),
        J=np.zeros((MAX_LOCAL, MAX_LOCAL)),
    )


@dataclass
class System:
    """Constant arrays of a model and the names behind them."""

    model: Model
    nodes: list[NodePlan]  # node k + 1 carries body k; node 0 is ground
    elements: list[Element]  # active first
    functions: np.ndarray
    length: float  # characteristic length of the model [m]
    layout: Layout = field(init=False)
    redundant: np.ndarray = field(init=False)  # multipliers left out
    plane: PlaneMaps | None = None  # of a planar model
    local: Local = field(init=False)
    rank_tolerance: float = field(init=False, default=1e-6)
    """A constraint is redundant if all but this part of it is a combination of others (lengths over the model's length)."""

    def __post_init__(self) -> None:
        self.local = new_local()
        self.node_of = {plan.body.name: k + 1 for k, plan in enumerate(self.nodes)}
        self.node_of[self.model.ground.name] = 0
        nd = np.array([0] + [plan.T.shape[1] for plan in self.nodes])
        self.ndof = nd.astype(np.int64)
        self.dof0 = np.concatenate([[0], np.cumsum(nd)[:-1]]).astype(np.int64)
        self.n_q = int(nd.sum())
        self.T = np.zeros((len(nd), 6, 6))
        self.free_rotation = np.full(len(nd), -1, np.int64)
        for k, plan in enumerate(self.nodes, 1):
            self.T[k, :, : nd[k]] = plan.T
            if nd[k] == 6:
                self.free_rotation[k] = self.dof0[k] + 3
            elif plan.joint is not None and plan.joint.kind == "spherical":
                self.free_rotation[k] = self.dof0[k]
        self.nlam = np.array([len(e.rows) for e in self.elements], np.int64)
        self.lam0 = np.concatenate([[0], np.cumsum(self.nlam)]).astype(np.int64)
        self.n_lam = int(self.lam0[-1])
        self.active = sum(not e.passive for e in self.elements)
        self.n_lam_active = int(self.lam0[self.active])
        self._memory_places()
        self.lam_scale = self._multiplier_scales()
        self.relayout(np.zeros(0, np.int64))

    # ---- layout

    def _memory_places(self) -> None:
        place: dict[int, tuple[int, int]] = {}
        size = 0
        for e in self.elements:
            if e.shares_memory_of is None:
                place[id(e)] = (size, size + e.memory.size)
                size += e.memory.size
        spans = [place[id(e.shares_memory_of or e)] for e in self.elements]
        self.mem0 = np.array([a for a, _ in spans], np.int64)
        self.mem1 = np.array([b for _, b in spans], np.int64)
        self.n_mem = size

    def _multiplier_scales(self) -> np.ndarray:
        """Mass or inertia of the bodies a constraint joins: makes its rows as large as those of the motion."""
        mass = {0: np.nan} | {k: p.body.mass for k, p in enumerate(self.nodes, 1)}
        inertia = {0: np.nan} | {k: float(np.trace(p.body.inertia)) / 3 for k, p in enumerate(self.nodes, 1)}

        def typical(values: list[float], fallback: float) -> float:
            good = [v for v in values if v > 0]
            return float(np.mean(good)) if good else fallback

        mean_mass = typical(list(mass.values()), 1.0)
        mean_inertia = typical(list(inertia.values()), mean_mass * self.length**2)
        scale = np.ones(self.n_lam)
        for e, l0 in zip(self.elements, self.lam0, strict=False):
            for i, row in enumerate(e.rows):
                where, fallback = (mass, mean_mass) if row == "t" else (inertia, mean_inertia)
                scale[l0 + i] = typical([where[n] for n in e.nodes], fallback)
        return scale

    def relayout(self, redundant: np.ndarray) -> None:
        """Lay out equations and matrix anew, without the redundant multipliers."""
        self.redundant = redundant
        equation = np.full(max(self.n_lam, 1), -1, np.int64)
        live = np.setdiff1d(np.arange(self.n_lam_active), redundant)
        if self.plane is not None:
            equation[self.plane.left_out] = IDLE
            live = np.setdiff1d(live, self.plane.left_out)
        equation[live] = self.n_q + np.arange(live.size)
        n = self.n = self.n_q + live.size
        active = self.elements[: self.active]
        s = scatter(active, self.functions, self.lam0, self.dof0, self.ndof, self.T, self.free_rotation, equation,
                    self.lam_scale)  # fmt: skip
        self.dense = n <= DENSE_LIMIT
        if self.dense:
            Ap, Ai = np.zeros(1, np.int64), np.zeros(1, np.int64)
            place = s.column * n + s.row
            self.n_values = n * n
        else:
            Ap, Ai, place = compressed_columns(n, s.row, s.column)
            self.n_values = Ai.size

        def ints(values: object) -> np.ndarray:
            return np.asarray(values, np.int64).reshape(-1)

        numbered = list(enumerate(self.elements))
        self.layout = Layout(
            nodes=np.stack([self.dof0, self.ndof, self.free_rotation], axis=1),
            T=self.T,
            elements=self._element_table(s.ptr),
            active=self.active,
            par=np.concatenate([e.parameters for e in self.elements] or [np.zeros(1)]),
            functions=self.functions,
            equation=equation,
            lam_scale=self.lam_scale if self.n_lam else np.ones(1),
            scatter=np.stack([s.loc_i, s.loc_j, place], axis=1).astype(np.uint32),
            scatter_scale=s.scale,
            Ap=Ap.astype(np.uint32),
            Ai=Ai.astype(np.uint32),
            weight=self._weights(live),
            constraints=ints([i for i, e in numbered if e.rows and not e.passive]),
            commits=ints([i for i, e in numbered if e.kind.commits]),
            opening=ints([self.lam0[i] + k for i, e in numbered if e.soft for k in range(len(e.rows))]),
            driven=ints([i for i, e in enumerate(active) if e.kind is SCALAR_CONSTRAINT and e.parameters[MEASURE_SIZE] >= 0]),
        )

    def _element_table(self, ptr: np.ndarray) -> np.ndarray:
        """One row an element; see the columns in `assembly`."""
        table = np.zeros((len(self.elements), ELEMENT_COLUMNS), np.int64)
        par = 0
        for i, e in enumerate(self.elements):
            table[i, NODE : NODE + len(e.nodes)] = e.nodes
            reduced = any(self.ndof[g] < 6 for g in e.nodes if g > 0)
            scatter = (ptr[i], ptr[i + 1]) if i < self.active else (0, 0)
            table[i, :NODE] = e.kind.address, len(e.nodes)
            table[i, NODE + MAX_NODES :] = (
                self.nlam[i], self.lam0[i], par, par + e.parameters.size, self.mem0[i], self.mem1[i], e.kind.has_inertia, reduced,
                *scatter,
            )  # fmt: skip
            par += e.parameters.size
        return table

    def _weights(self, live: np.ndarray) -> np.ndarray:
        """1 for angles, 1/length for lengths, in the order of the unknowns."""
        weight = np.ones(self.n)
        for k in range(1, len(self.ndof)):
            T = self.T[k, :, : self.ndof[k]]
            sliding = ~np.any(T[3:] != 0, axis=0)
            weight[self.dof0[k] : self.dof0[k] + self.ndof[k]] = np.where(sliding, 1 / self.length, 1.0)
        rows = "".join(e.rows for e in self.elements)
        for i, l in enumerate(live):
            weight[self.n_q + i] = 1 / self.length if rows[l] == "t" else 1.0
        return weight

    # ---- states

    def initial_state(self, t: float) -> State:
        """State with the poses of the node plans, at rest, memory at its start values."""
        pose = np.zeros((len(self.ndof), 7))
        pose[0, 3] = 1.0
        for k, plan in enumerate(self.nodes, 1):
            pose[k, :3] = plan.position
            pose[k, 3:] = quaternion_of(plan.orientation)
        return State(
            t, pose, np.zeros(self.n_q), np.zeros(self.n_q), np.zeros(max(self.n_lam, 1)), np.zeros(max(self.n_mem, 1))
        )

    def moved(self, state: State, dq: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """(pose, K with poses only) of a state after increments dq."""
        pose, K = np.zeros_like(state.pose), np.zeros((len(self.ndof), 24))
        move(self.layout.nodes, self.T, state.pose, np.zeros(self.n_q) if dq is None else dq, pose, K)
        return pose, K

    def kinematics(self, state: State, *, moving: bool = True, dq: np.ndarray | None = None) -> np.ndarray:
        """K (nodes, 24): poses, velocities and accelerations; the rates are zero unless `moving`."""
        _, K = self.moved(state, dq)
        if moving:
            spread(self.layout.nodes, self.T, state.v, VELOCITY, K)
            spread(self.layout.nodes, self.T, state.vd, ACCELERATION, K)
        return K

    @property
    def element_arguments(self) -> tuple[np.ndarray, ...]:
        """The last arguments of `call_element`."""
        return (self.layout.elements, self.layout.par, self.layout.functions, *self.local)

    @property
    def assembly_arguments(self) -> tuple[object, ...]:
        """The last arguments of `assemble`."""
        s = self.layout
        return (
            s.nodes, s.T, s.elements, s.active, s.par, s.functions, s.equation, s.lam_scale, s.scatter,
            s.scatter_scale, *self.local,
        )  # fmt: skip

    def coefficients(self, t: float, *, load: float = 1.0, damped: bool = True) -> np.ndarray:
        """The array c of the kernels: time, load factor, whether dampers act."""
        c = np.zeros(N_COEFFICIENTS)
        c[[TIME, LOAD, DAMP, C_L]] = t, load, damped, 1.0
        return c

    def commit(self, state: State) -> None:
        """Let the elements remember this state."""
        K = self.kinematics(state)
        c = self.coefficients(state.t)
        for e in self.layout.commits:
            call_element(e, COMMIT, 0, c, state.lam, state.mem, K, *self.element_arguments)

    def row_owner(self, multiplier: int) -> Element:
        """The element a multiplier belongs to."""
        return self.elements[int(np.searchsorted(self.lam0, multiplier, side="right")) - 1]

    def unknown_name(self, i: int) -> str:
        """What unknown i belongs to, for messages."""
        if i < self.n_q:
            k = int(np.searchsorted(self.dof0 + self.ndof, i, side="right"))
            return f'body "{self.nodes[k - 1].body.name}"'
        l = int(np.flatnonzero(self.layout.equation == i)[0])
        return f'"{self.row_owner(l).name}"'


def quaternion_of(R: np.ndarray) -> np.ndarray:
    """Unit quaternion (w, x, y, z), w >= 0, of a rotation matrix: the largest component first, so that no digit is lost."""
    d = np.array([1 + R[0, 0] + R[1, 1] + R[2, 2], 1 + R[0, 0] - R[1, 1] - R[2, 2],
                  1 - R[0, 0] + R[1, 1] - R[2, 2], 1 - R[0, 0] - R[1, 1] + R[2, 2]])  # fmt: skip
    k = int(np.argmax(d))
    products = np.array(
        [
            [d[0], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [R[2, 1] - R[1, 2], d[1], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
            [R[0, 2] - R[2, 0], R[0, 1] + R[1, 0], d[2], R[1, 2] + R[2, 1]],
            [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], d[3]],
        ]
    )
    q = products[k] / np.linalg.norm(products[k])
    return q if q[0] >= 0 else -q
