"""System: a model compiled to constant arrays. State: the values that change. Workspace: the arrays of an evaluation."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pitchline.functions.polynomial import HeldInput, HeldIntegral
from pitchline.model.model import Model
from pitchline.numerics.fields import Fields, address
from pitchline.numerics.gradient_laws import reason_of_nan
from pitchline.parts.bodies.kernel_constraint import SCALAR_CONSTRAINT
from pitchline.solids.rotations import quaternion_of

from ..elements.contract import NEVER, RATE, RESIDUAL, TANGENT, Ask, Element, Input, Node
from . import assembly
from . import signal_pass as records
from .matrix_plan import DENSE_LIMIT, MatrixShape, element_shapes, matrix_plan
from .reduction import NodePlan, PlaneMaps
from .signal_graph import SignalGraph
from .signal_pass import NodeMap, PlacedElement, SignalTable, SystemRecord
from .structure import Group, element_forms, structure_of
from .workspace_plan import ArrayPlace, BlockPlan, workspace_plan

__all__ = ["WorkspaceImage"]


# ---- scales

# Scales that make unknowns and equations comparable.


def multiplier_scales(nodes: list[NodePlan], elements: list[Element], length: float) -> np.ndarray:
    """Mass or inertia of the bodies of each multiplier. It scales constraint rows to the magnitude of the rows of motion."""
    mass = [np.nan] + [p.mass for p in nodes]
    inertia = [np.nan] + [p.mean_inertia for p in nodes]

    def mean(values: list[float], fallback: float) -> float:
        good = [v for v in values if v > 0]
        return float(np.add.reduce(good) / len(good)) if good else fallback

    mean_mass = mean(mass, 1.0)
    mean_inertia = mean(inertia, mean_mass * length**2)
    scale = []
    for e in elements:
        of_row = {}
        for row in dict.fromkeys(e.rows):
            where, fallback = (mass, mean_mass) if row == "t" else (inertia, mean_inertia)
            good = [where[n] for n in e.nodes if where[n] > 0]
            of_row[row] = sum(good) / len(good) if good else fallback
        scale += [of_row[row] for row in e.rows]
    return np.array(scale, float)


def node_weights(T: np.ndarray, ndof: np.ndarray, length: float) -> np.ndarray:
    """1 for coordinates that rotate a node, 1/length for those that move it, in the order of the coordinates."""
    turns = np.any(T[:, 3:] != 0, axis=1)  # (nodes, 6)
    used = np.arange(6) < ndof[:, None]
    return np.where(turns, 1.0, 1 / length)[used]


# ---- workspace

# Workspace: the arrays for the evaluation of the elements of a system, and the record for compiled code.
#
# Records contain addresses: a workspace owns the arrays, and none is ever replaced. Every solver has its own
# workspace. A new one is a copy of an image (see `WorkspaceImage`).

_ASK = records.SystemRecord.place("ask")[0]
_TIME, _OPEN = _ASK + Ask.place("t")[0], _ASK + Ask.place("open")[0]
_NUMBERS = slice(_TIME, _ASK + Ask.place("shift")[0] + 1)
"""The numbers of a request: t, h, M, D, K, L, load, damp, shift."""
_STOP, _RESTART = _ASK + Ask.place("stop")[0], _ASK + Ask.place("restart")[0]


class Workspace:
    """Evaluation of a system. `like`: a workspace of the same system before a change of its layout, whose state is shared."""

    pose0: np.ndarray
    pose: np.ndarray
    dq: np.ndarray
    v: np.ndarray
    vd: np.ndarray
    own0: np.ndarray
    own: np.ndarray
    lam: np.ndarray
    mem: np.ndarray
    condensed: np.ndarray
    node_rows: np.ndarray
    r: np.ndarray
    Ax: np.ndarray
    local_r: np.ndarray

    def __init__(self, system: "System", like: "Workspace | None" = None) -> None:
        self.system = system
        self._image = image = system.workspace_image
        mine = self.__dict__
        self._state: np.ndarray
        if like is not None:
            self._state = like._state
            for name, _ in image.state_views:
                mine[name] = getattr(like, name)
        else:
            state = self._state = image.new_state()
            for name, place in image.state_views:
                mine[name] = state[place.first : place.last].reshape(place.shape)
        words, numbers, self.address = image.new_rest(self._state)
        self._words, self._numbers = words, numbers
        for name, place in image.views:
            mine[name] = numbers[place.first : place.last]
        self.ask = np.ndarray((1,), Ask.dtype, words, 8 * _ASK)
        self.question()

    # ---- evaluated state

    def question(self, t: float = 0.0, *, mass: float = 0.0, damping: float = 0.0, stiffness: float = 0.0, load: float = 1.0,
                 damped: bool = True, shift: float = 0.0) -> None:  # fmt: skip
        """Set the request for elements: time, factors of the tangent, load factor, whether dampers act. At rest, rows unscaled."""
        words, numbers = self._words, self._numbers
        numbers[_NUMBERS] = (t, 0.0, mass, damping, stiffness, 1.0, load, damped, shift)
        words[_OPEN], words[_RESTART], numbers[_STOP] = self.system.opened, 0, NEVER

    def set(self, state: "State", *, dq: np.ndarray | None = None, lam: np.ndarray | None = None) -> None:
        """Copy a state, with increments, and with other multipliers if they are given."""
        self.pose0[:], self.own0[:], self.mem[:], self.condensed[:] = state.pose, state.own, state.mem, state.condensed
        self.dq[:] = 0.0 if dq is None else dq
        self.v[:], self.vd[:], self.lam[:] = state.v, state.vd, state.lam if lam is None else lam
        self._numbers[_TIME] = state.t

    def place(self, *, moving: bool = True) -> None:
        """Compute poses of the nodes, and their rates, which are zero unless `moving`."""
        assembly.place(self.address, moving)

    @property
    def bodies(self) -> np.ndarray:
        """Poses, velocities and accelerations of the nodes by name (see `Node`)."""
        return self.node_rows.view(Node.dtype)[:, 0]

    def assemble(self, *, tangent: bool = False) -> None:
        """Compute the residual r and, if requested, the matrix values Ax of the current state."""
        assembly.assemble_at(self.address, TANGENT if tangent else RESIDUAL, False)

    def element(self, e: int, *, tangent: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """(r, J) of the local block of one element at the current state. Without tangent, J is that of the last tangent."""
        assembly.evaluate_at(self.address, e, TANGENT if tangent else RESIDUAL)
        m, first = self.system.structure.sizes[e], self._image.place("local_J").first
        return self.local_r[:m].copy(), self._numbers[first : first + m * m].reshape(m, m).copy()

    def element_rate(self, e: int) -> float:
        """dPhi/dt of the last row of one element at the current state."""
        assembly.evaluate_at(self.address, e, RATE)
        return float(self.local_r[self.system.structure.sizes[e] - 1])

    def scratch_of(self, e: int) -> np.void:
        """Scratch of one element by name."""
        record = self.system.elements[e].kind.scratch
        first = self._image.place("scratch").first + self.system.structure.scratch0[e]
        return record.named(self._words, first)

    def law_failure(self) -> str:
        """Why a law over signals gave no number in the last evaluation; empty if all are numbers."""
        place = self._image.place("values")
        values = self._numbers[place.first : place.last]
        for value, law, arguments in self.system.graph.laws:
            numbers = values[arguments]
            if np.isnan(values[value]) and np.all(np.isfinite(numbers)):
                return reason_of_nan(law, numbers.tolist())
        return ""

    def input_value(self, e: int, name: str) -> float:
        """Value of an input of an element at the current state."""
        s, place = self.system, self._image.place("inputs")
        which = int(s.graph.input0[e]) + s.elements[e].kind.inputs.index(name)
        return float(self._numbers[place.first + which * Input.size + Input.place("value")[0]])

    def rows(self, *, rates: bool) -> np.ndarray:
        """Scaled violations of the active constraint rows at the current state, or their rates."""
        assembly.rows_at(self.address, rates)
        return self.r[self.system.n_q :].copy()

    def accept(self) -> None:
        """Store the current state in the elements."""
        assembly.accept_at(self.address)


# ---- workspace image

# Content of a new workspace of a system: made once for each layout, then copied.
#
# It has the content that follows from the structure (see `workspace_plan`), and the numbers and arrays of the system.

_S, _INPUT0, _OUTPUT0, _FEED0, _FEED1, _ENTRY0, _ENTRY1 = (
    PlacedElement.place(name)[0] for name in ("s", "input0", "output0", "feed0", "feed1", "entry0", "entry1")
)
_FREE, _ELASTIC = NodeMap.place("free")[0], NodeMap.place("elastic")[0]
_T = slice(NodeMap.place("T")[0], NodeMap.place("T")[0] + 36)


class WorkspaceImage:
    """Places and first content of the arrays of a workspace, for the present layout of a system."""

    def __init__(self, system: "System") -> None:
        s, g = system, system.graph
        plan = self.plan = workspace_plan(s.structure, g.item_words.size, tuple(g.input0.tolist()))
        self._words = words = plan.words.copy()
        self._numbers = words.view(np.float64)
        nodes = plan.table("nodes", words)
        nodes[:, _FREE], nodes[:, _ELASTIC] = s.free_rotation, np.where(s.held_elastically, s.free_rotation, -1)
        nodes.view(np.float64)[:, _T] = s.T.reshape(-1, 36)
        elements = plan.table("elements", words)
        elements[:, _S] = address(s.parameters) + 8 * s.parameter0
        elements[:, _INPUT0], elements[:, _OUTPUT0] = g.input0, g.first_output
        elements[: s.active, _FEED0], elements[: s.active, _FEED1] = s.feeds.ptr[:-1], s.feeds.ptr[1:]
        elements[: s.active, _ENTRY0], elements[: s.active, _ENTRY1] = s.layout.entry0[:-1], s.layout.entry0[1:]
        items = plan.records.places["items"]
        words[items.first : items.last] = g.item_words
        self._numbers[self._in("scratch")][:-1] = s.first_scratch
        self._arrays: dict[str, ArrayPlace] = self._plan_arrays(system)
        self._kept: list[np.ndarray] = [s.parameters]
        self._point_records(system)
        in_state = [plan.to_state]
        memory = plan.state.offset("mem")
        for at, place in g.turns_of_items():
            words[items.first + at] = memory + 8 * place
            in_state.append(np.array([items.first + at]))
        self._to_state = plan.to_state if len(in_state) == 1 else np.concatenate(in_state)
        self.state_views = tuple(plan.state.places.items())
        self.views = tuple((name, self._arrays[name]) for name in ("r", "Ax", "local_r"))

    # ---- copies

    def new_state(self) -> np.ndarray:
        """Block of the state of a new workspace."""
        return self.plan.first_state.copy()

    def new_rest(self, state: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
        """The other block, for a workspace with this block of the state: as integers, as numbers, and its address."""
        words = np.zeros(self._size, np.int64)
        numbers, here = words.view(np.float64), address(words)
        words[: self._words.size] = self._words
        words[self._to_state] += address(state)
        words[self._to_rest] += here
        weight = self._arrays["weight"]
        numbers[weight.first : weight.last] = self._weight
        return words, numbers, here

    def place(self, name: str) -> ArrayPlace:
        """Place of an array or table in the second block."""
        return self._arrays.get(name) or self.plan.records.places[name]

    # ---- content

    def _in(self, name: str) -> slice:
        place = self.plan.records.places[name]
        return slice(place.first, place.last)

    def _plan_arrays(self, s: "System") -> dict[str, ArrayPlace]:
        """Places of the arrays that follow the records."""
        block, g, structure = BlockPlan(), s.graph, s.structure
        block.size = self.plan.records.size
        self.n_local = max([1, *structure.open_sizes])
        self.n_local_squared = max([1, *structure.sizes]) ** 2
        n, derivatives = max(g.n_values, 1), max(g.n_derivatives, 1)
        for name, size in (
            ("weight", s.n), ("r", s.n), ("Ax", s.n_values), ("local_r", self.n_local), ("local_J", self.n_local_squared),
            ("turns", 9 * len(s.ndof)), ("values", n), ("by_time", n), ("by_position", derivatives), ("by_rate", derivatives),
            ("combined", 2 * derivatives), ("arguments", g.buffer), ("results", g.buffer),
        ):  # fmt: skip
            block.add(name, size)
        self._size, self._weight = block.size, s.layout.weight
        return block.places

    def _point_records(self, s: "System") -> None:
        """Counts and addresses of the records of the system and of its signals."""
        y, g, fed = s.layout, s.graph, s.feeds
        external: dict[str, np.ndarray] = {}
        if g.count:  # otherwise all of these are empty, and never read
            external = {
                "input_value": g.input_places, "column": g.column, "chain_partial": g.chain[0], "chain_from": g.chain[1],
                "chain_to": g.chain[2], "feed_from": fed.source, "feed_by": fed.by, "feed_to": s.feed_to,
                "feed_scale": fed.scale,
            }  # fmt: skip
        inside = self._point("signals", SignalTable, {
            "n_items": g.needed, "n_all": g.count, "n_values": max(g.n_values, 1), "n_derivatives": g.n_derivatives,
            "n_combined": 2 * max(g.n_derivatives, 1), "n_chain": g.n_chain, "n_inputs": len(g.input_values),
            "n_feeds": fed.source.size, "n_buffer": g.buffer,
        }, ("values", "by_time", "by_position", "by_rate", "combined", "arguments", "results"), external)  # fmt: skip
        numbers: dict[str, int] = {
            "n": s.n, "n_values": s.n_values, "n_entries": y.entry_from.size, "n_local": self.n_local,
            "n_local_squared": self.n_local_squared, "is_dense": int(s.dense), "n_opening": y.opening.size,
            "n_driven": y.driven.size,
        }  # fmt: skip
        external = {
            "equation": y.equation, "lam_scale": y.lam_scale, "lam_factor": y.lam_factor,
            "lam_penalty": y.lam_penalty, "usual_weight": y.weight, "entry_from": y.entry_from,
            "entry_to": y.entry_to, "entry_scale": y.entry_scale, "opening": y.opening, "driven": y.driven,
        }  # fmt: skip
        inside += self._point(
            "record", SystemRecord, numbers, ("turns", "weight", "r", "Ax", "local_r", "local_J"), external
        )
        ask = self.plan.records.first("record") + SystemRecord.place("ask")[0]
        self._words[ask + Ask.place("n_functions")[0]] = s.functions.size
        self._words[ask + Ask.place("functions")[0]] = address(s.functions)
        self._kept.append(s.functions)
        self._to_rest = np.concatenate([self.plan.to_records, np.array(inside)])

    def _point(
        self,
        name: str,
        record: Fields,
        numbers: dict[str, int],
        inside: tuple[str, ...],
        external: dict[str, np.ndarray],
    ) -> list[int]:
        """Fill a record: integers, arrays of the second block by their names, and arrays outside of the workspace. Return the
        places of addresses in the second block."""
        words, first, places, found = self._words, self.plan.records.first(name), record.places, []
        for key, value in numbers.items():
            words[first + places[key][0]] = value
        for key in inside:
            at = first + places[key][0]
            words[at] = 8 * self._arrays[key].first
            found.append(at)
        for key, array in external.items():
            words[first + places[key][0]] = address(array)
        self._kept += external.values()
        return found


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


# ---- opened

# Condensed coordinates of elements as open coordinates: the system for linear analyses.


def opened(system: System) -> System:
    """Return the system with a row for every condensed coordinate; the system itself if it has none."""
    if system.opened or not system.own.condensed_count:
        return system
    other = System(
        system.model, system.nodes, system.elements, system.functions, system.length, opened=True, plane=system.plane
    )
    other.rank_tolerance = system.rank_tolerance
    other.relayout(system.redundant)
    return other


def opened_state(system: System, other: System, state: State) -> State:
    """Convert a state to the opened system. Condensed coordinates have no acceleration yet."""
    if other is system:
        return state
    found = other.initial_state(state.t)
    for name in ("pose", "lam", "mem"):
        getattr(found, name)[:] = getattr(state, name)
    first = system.own.first
    found.v[:first], found.vd[:first] = state.v[:first], state.vd[:first]
    places = _places(other.own.open)
    for g in system.own.open:
        mine, theirs = slice(g.first, g.first + g.count), places[g.element, g.what.name]
        found.own[theirs] = state.own[mine]
        found.v[first:][theirs], found.vd[first:][theirs] = state.v[first:][mine], state.vd[first:][mine]
    for g in system.own.condensed:
        mine, theirs = slice(g.first, g.first + g.count), places[g.element, g.what.name]
        found.own[theirs], found.v[first:][theirs] = state.condensed[:, mine]
    return found


def settle(system: System, other: System, state: State) -> None:
    """Evaluate the elements at a state of the opened system at rest: memory and condensed coordinates adapt to the forces."""
    closed = system.initial_state(state.t)
    for name in ("pose", "lam", "mem"):
        getattr(closed, name)[:] = getattr(state, name)
    first = system.own.first
    closed.v[:first] = state.v[:first]
    places = _places(other.own.open)
    for g in system.own.open:
        mine, theirs = slice(g.first, g.first + g.count), places[g.element, g.what.name]
        closed.own[mine], closed.v[first:][mine] = state.own[theirs], state.v[first:][theirs]
    system.commit(closed)
    state.mem[:] = closed.mem
    for g in system.own.condensed:
        theirs = places[g.element, g.what.name]
        state.own[theirs], state.v[first:][theirs] = closed.condensed[:, g.first : g.first + g.count]


def _places(groups: list[Group]) -> dict[tuple[int, str], slice]:
    return {(g.element, g.what.name): slice(g.first, g.first + g.count) for g in groups}
