"""System: a model compiled to constant arrays. State: the values that change."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..elements.contract import Element
from ..elements.scalar_constraint import SCALAR_CONSTRAINT
from ..model import Model
from ..model.functions.held_input import HeldInput, HeldIntegral
from ..solids.rotations import quaternion_of
from .matrix_plan import DENSE_LIMIT, MatrixShape, element_shapes, matrix_plan
from .planar import PlaneMaps
from .reduction import NodePlan
from .scales import multiplier_scales, node_weights
from .signal_graph import SignalGraph
from .structure import element_forms, structure_of
from .workspace import Workspace
from .workspace_image import WorkspaceImage

IDLE = -2
"""In place of an equation index: a row without effect in the plane of a planar model."""


@dataclass
class State:
    """All values that change during a run."""

    t: float
    pose: np.ndarray  # (nodes, 7) x_WN [m], quaternion of R_WN
    v: np.ndarray  # (coordinates) velocities
    vd: np.ndarray  # accelerations
    lam: np.ndarray  # multipliers [N, N*m]
    mem: np.ndarray  # memory of the elements
    own: np.ndarray  # open coordinates of the elements; their rates are the last of v and vd
    condensed: np.ndarray  # (2, n) condensed coordinates of the elements, and their rates

    def go_back(self, before: "State") -> None:
        """Restore positions, forces, memory and own coordinates of an earlier state."""
        for name in ("pose", "lam", "mem", "own", "condensed"):
            getattr(self, name)[:] = getattr(before, name)

    def copy(self) -> "State":
        return State(
            self.t, *(x.copy() for x in (self.pose, self.v, self.vd, self.lam, self.mem, self.own, self.condensed))
        )


class Layout(NamedTuple):
    """Equations and matrix of a system, without the rows that are currently omitted."""

    equation: (
        np.ndarray
    )  # row of each multiplier in the equations, -1: redundant, -2: idle in the plane; both are omitted
    lam_scale: np.ndarray
    lam_factor: np.ndarray  # part of lam_scale that the user has set, otherwise 1
    lam_penalty: np.ndarray  # s times the penalty of each row
    weight: (
        np.ndarray
    )  # of each unknown: 1 for an angle, 1/length of the model for a length; multipliers times lam_factor
    row_weight: (
        np.ndarray
    )  # of violations of the rows with an equation: 1 for an angle, 1/length of the model for a length
    entry0: np.ndarray  # (elements + 1) where the entries of an element begin
    entry_from: np.ndarray
    entry_to: np.ndarray
    entry_scale: np.ndarray
    Ap: np.ndarray  # matrix in compressed columns; dense, column by column, if this has one entry
    Ai: np.ndarray
    constraints: np.ndarray  # active elements with multipliers
    begins: np.ndarray  # active elements that prepare a step
    accepts: np.ndarray  # elements with memory
    guards: np.ndarray  # active elements that watch for events within a step
    opening: np.ndarray  # multipliers of rows that open and close (rigid teeth with backlash)
    driven: np.ndarray  # elements whose angle or displacement follows a function of time


@dataclass
class System:
    """Constant arrays of a model, and their names."""

    model: Model
    nodes: list[NodePlan]  # node k + 1 is that of body k; node 0 is ground
    elements: list[Element]  # active first
    functions: np.ndarray
    length: float  # characteristic length of the model [m]
    opened: bool = False
    """Condensed coordinates of elements are open ones (linear analyses)."""
    held: list[tuple[HeldInput | HeldIntegral, int]] = field(default_factory=list)
    kinks: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """Times at which functions of time are not smooth."""
    """Inputs that are set during a run, with their indices in the functions."""
    layout: Layout = field(init=False)
    redundant: np.ndarray = field(init=False)  # omitted multipliers
    plane: PlaneMaps | None = None  # of a planar model
    rank_tolerance: float = field(init=False, default=1e-6)
    """A constraint is redundant if its independent component is smaller than this (lengths divided by the length of the model)."""

    def __post_init__(self) -> None:
        self.node_of = {plan.body.name: k + 1 for k, plan in enumerate(self.nodes)}
        self.node_of[self.model.ground.name] = 0
        ndof = (0, *(plan.T.shape[1] for plan in self.nodes))
        s = self.structure = structure_of(element_forms(self.elements), ndof, opened=self.opened)
        self.ndof, self.dof0, self.own, self.n_q = s.ndof, s.dof0, s.own, s.n_q
        self.nlam, self.lam0, self.n_lam = s.nlam, s.lam0, s.n_lam
        self.active, self.n_lam_active = s.active, s.n_lam_active
        self.mem0, self.mem1, self.n_mem, self.parameter0 = s.mem0, s.mem1, s.n_mem, s.parameter0
        self.T = np.zeros((len(ndof), 6, 6))
        self.free_rotation = np.full(len(ndof), -1, np.int64)
        for k, plan in enumerate(self.nodes, 1):
            self.T[k, :, : ndof[k]] = plan.T
            if ndof[k] == 6:
                self.free_rotation[k] = self.dof0[k] + 3
            elif plan.joint is not None and plan.joint.kind == "spherical":
                self.free_rotation[k] = self.dof0[k]
        self.parameters = np.concatenate([e.parameters for e in self.elements] or [np.zeros(1)])
        self.first_scratch = np.concatenate([e.first_scratch for e in self.elements] or [np.zeros(0)])
        self.own_scale = multiplier_scales(self.nodes, self.elements, self.length)
        self.lam_scale = self.own_scale
        self.lam_factor, self.lam_penalty = np.ones(max(self.n_lam, 1)), np.zeros(max(self.n_lam, 1))
        self.graph = SignalGraph(self)
        self.relayout(np.zeros(0, np.int64))

    # ---- layout

    @cached_property
    def memory_of(self) -> dict[int, int]:
        """First place in the memory of each element that has its own, by its identity."""
        return {
            id(e): first
            for e, first in zip(self.elements, self.mem0.tolist(), strict=True)
            if e.shares_memory_of is None
        }

    def set_constraint_factors(self, scale: np.ndarray, penalty: np.ndarray) -> None:
        """Scales (n_lam) of the constraint rows instead of the automatic ones, and penalties (see `constraint_factors`)."""
        if self.n_lam:
            self.lam_scale, self.lam_factor, self.lam_penalty = scale, scale / self.own_scale, penalty
            self.relayout(self.redundant)

    def relayout(self, redundant: np.ndarray) -> None:
        """Make the layout of equations and matrix again, without the redundant multipliers. Earlier workspaces are then invalid."""
        self.redundant = redundant
        equation = np.full(max(self.n_lam, 1), -1, np.int64)
        live = np.arange(self.n_lam_active)
        if redundant.size:
            live = np.setdiff1d(live, redundant)
        if self.plane is not None:
            equation[self.plane.left_out] = IDLE
            live = np.setdiff1d(live, self.plane.left_out)
        equation[live] = self.n_q + np.arange(live.size)
        n = self.n = self.n_q + live.size
        active = self.elements[: self.active]
        fed = self.feeds = self.graph.feeds(equation)
        shapes = element_shapes(active, self.functions, opened=self.opened, penalised=bool(np.any(self.lam_penalty)))
        integers = (self.own.first_of, self.lam0, equation, fed.row, fed.column)
        plan = matrix_plan(MatrixShape(
            shapes, n, self.dof0.tobytes(), self.ndof.tobytes(), self.free_rotation.tobytes(), (self.T != 0).tobytes(),
            *(x.tobytes() for x in integers),
        ))  # fmt: skip
        self.dense = n <= DENSE_LIMIT
        self.n_values, self.feed_to = plan.n_values, plan.feed_to
        scales = np.append(self.lam_scale, 1.0)

        def ints(values: object) -> np.ndarray:
            return np.asarray(values, np.int64).reshape(-1)

        self.layout = Layout(
            equation=equation,
            lam_scale=self.lam_scale if self.n_lam else np.ones(1),
            lam_factor=self.lam_factor,
            lam_penalty=self.lam_penalty,
            weight=self._weights(live),
            row_weight=self._row_weights(live),
            entry0=plan.entry0,
            entry_from=plan.entry_from,
            entry_to=plan.entry_to,
            entry_scale=scales[plan.scaled_by[0]] * scales[plan.scaled_by[1]],
            Ap=plan.Ap,
            Ai=plan.Ai,
            constraints=self.structure.constraints,
            begins=self.structure.begins,
            accepts=self.structure.accepts,
            guards=self.structure.guards,
            opening=ints([self.lam0[i] + k for i, e in enumerate(self.elements) if e.rows for k in e.opening_rows]),
            driven=ints([i for i, e in enumerate(active) if e.kind is SCALAR_CONSTRAINT and e.values["function"] >= 0]),
        )
        for name in ("workspace_image", "workspace"):
            self.__dict__.pop(name, None)

    def _weights(self, live: np.ndarray) -> np.ndarray:
        """1 for angles, 1/length for lengths, 1/typical size for own coordinates, in the order of the unknowns."""
        own = 1.0 / self.own.typical
        rows = self._row_weights(live) * self.lam_factor[live]
        return np.concatenate([node_weights(self.T, self.ndof, self.length), own, rows])

    def _row_weights(self, live: np.ndarray) -> np.ndarray:
        return np.where(self.structure.is_length[live], 1 / self.length, 1.0)

    @cached_property
    def workspace_image(self) -> WorkspaceImage:
        """Content of new workspaces, for the current layout."""
        return WorkspaceImage(self)

    @property
    def held_elastically(self) -> np.ndarray:
        """For every node: whether a force between it and another node depends on their positions."""
        return self.structure.held_elastically

    @cached_property
    def sizes(self) -> np.ndarray:
        """Typical magnitudes of coordinates: 1 rad, the length of the model, the typical magnitude of own coordinates."""
        nodes = node_weights(self.T, self.ndof, self.length)
        return np.concatenate([np.where(nodes == 1.0, 1.0, self.length), self.own.typical])

    @cached_property
    def workspace(self) -> Workspace:
        """Arrays for evaluations between those of the solvers; made again after a change of the layout."""
        return Workspace(self)

    # ---- states

    def initial_state(self, t: float) -> State:
        """State with the poses of the node plans, at rest, with initial memory."""
        pose = np.zeros((len(self.ndof), 7))
        pose[0, 3] = 1.0
        for k, plan in enumerate(self.nodes, 1):
            pose[k, :3] = plan.position
            pose[k, 3:] = quaternion_of(plan.orientation)
        mem = np.zeros(max(self.n_mem, 1))
        for e, i in zip(self.elements, self.mem0, strict=True):
            mem[i : i + e.memory.size] = e.memory
        rates = (np.zeros(self.n_q), np.zeros(self.n_q))
        own = np.zeros(self.own.count), np.zeros((2, self.own.condensed_count))
        for g in self.own.open:
            start, mine = self.elements[g.element].start, slice(g.first, g.first + g.count)
            own[0][mine] = start.get(g.what.name, 0.0)
            rates[0][self.own.first :][mine] = start.get(f"{g.what.name}_rate", 0.0)
        return State(t, pose, *rates, np.zeros(max(self.n_lam, 1)), mem, *own)

    def displace(self, state: State, dq: np.ndarray) -> None:
        """Move a state by increments of its coordinates."""
        work = self.workspace
        work.set(state, dq=dq)
        work.place(moving=False)
        state.pose[:], state.own[:] = work.pose, work.own

    def kinematics(self, state: State, *, moving: bool = True, dq: np.ndarray | None = None) -> np.ndarray:
        """Poses, velocities and accelerations of the nodes by name (see `Node`). The rates are zero unless `moving`."""
        work = self.workspace
        work.set(state, dq=dq)
        work.place(moving=moving)
        return work.bodies.copy()

    def commit(self, state: State) -> None:
        """Store this state in the elements, at rest."""
        work = self.workspace
        work.set(state)
        work.place(moving=True)
        work.accept()
        state.mem[:], state.condensed[:] = work.mem, work.condensed

    def row_owner(self, multiplier: int) -> Element:
        """Element of a multiplier."""
        return self.elements[int(np.searchsorted(self.lam0, multiplier, side="right")) - 1]

    def unknown_name(self, i: int) -> str:
        """Name of the part of unknown i, for messages."""
        if i < self.own.first:
            k = int(np.searchsorted(self.dof0 + self.ndof, i, side="right"))
            return f'body "{self.nodes[k - 1].body.name}"'
        if i < self.n_q:
            return f'"{self.elements[self.own.owner(i)].name}"'
        l = int(np.flatnonzero(self.layout.equation == i)[0])
        return f'"{self.row_owner(l).name}"'
