"""Workspace: the arrays for the evaluation of the elements of a system, and the record for compiled code.

Records contain addresses: a workspace owns the arrays, and none is ever replaced. Every solver has its own workspace.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..elements.contract import NEVER, RATE, RESIDUAL, TANGENT, ElementKind, Node
from . import assembly, records
from .signal_arrays import SignalArrays

if TYPE_CHECKING:
    from .system import State, System

KEPT = ("pose0", "pose", "dq", "v", "vd", "own0", "own", "lam", "mem", "condensed", "node_rows")
"""Arrays that do not depend on the omitted rows."""


class Workspace:
    """Evaluation of a system. `like`: a workspace of the same system before a change of its layout, whose state is copied."""

    def __init__(self, system: "System", like: "Workspace | None" = None) -> None:
        self.system = s = system
        nodes, y, local = len(s.ndof), s.layout, s.element_tables.most_local
        if like is not None:
            for name in KEPT:
                setattr(self, name, getattr(like, name))
        else:
            self.pose0, self.pose = np.zeros((nodes, 7)), np.zeros((nodes, 7))
            self.dq, self.v, self.vd = np.zeros(s.n_q), np.zeros(s.n_q), np.zeros(s.n_q)
            self.own0, self.own = np.zeros(s.own.count), np.zeros(s.own.count)
            self.lam, self.mem = np.zeros(max(s.n_lam, 1)), np.zeros(max(s.n_mem, 1))
            self.condensed = np.zeros((2, s.own.condensed_count))
            self.node_rows = np.zeros((nodes, Node.size))
            self.pose0[0, 3] = self.pose[0, 3] = 1.0  # the ground
            self.bodies["R"][0] = np.eye(3).ravel()
        self.r, self.Ax = np.zeros(s.n), np.zeros(s.n_values)
        self._weight = y.weight.copy()
        self.local_r, self._local_J = np.zeros(s.element_tables.most_open), np.zeros(local * local)
        self._no_acceleration = np.zeros(s.own.condensed_count)
        self._turns = np.zeros((nodes, 9))
        self._scratch = s.element_tables.scratch.copy()
        self._nodes = np.zeros(nodes, records.NodeMap.dtype)
        self._nodes["first"], self._nodes["count"] = s.dof0, s.ndof
        self._nodes["free"], self._nodes["T"] = s.free_rotation, s.T
        self._nodes["elastic"] = np.where(s.held_elastically, s.free_rotation, -1)
        self._signals = SignalArrays(s, self.mem.ctypes.data)
        self._elements = self._element_table()
        self.record = np.zeros(1, records.SystemRecord.dtype)
        self.address = self.record.ctypes.data
        values: dict[str, Any] = {
            "n_nodes": nodes, "n_elements": len(s.elements), "n_active": s.active, "n_q": s.n_q, "n_own": s.own.count,
            "first_own": s.own.first, "n": s.n, "n_lam": self.lam.size, "n_mem": self.mem.size,
            "n_condensed": s.own.condensed_count, "n_values": s.n_values, "n_entries": y.entry_from.size,
            "n_local": self.local_r.size,
            "n_local_squared": local * local, "is_dense": s.dense,
            "signals": self._signals.address,
            "nodes": self._nodes, "elements": self._elements, "bodies": self.node_rows, "pose0": self.pose0, "pose": self.pose,
            "turns": self._turns, "dq": self.dq, "v": self.v, "vd": self.vd, "own0": self.own0, "own": self.own, "lam": self.lam,
            "mem": self.mem, "condensed": self.condensed[0], "condensed_rate": self.condensed[1], "equation": y.equation,
            "lam_scale": y.lam_scale, "weight": self._weight, "usual_weight": y.weight, "entry_from": y.entry_from,
            "entry_to": y.entry_to,
            "entry_scale": y.entry_scale, "r": self.r, "Ax": self.Ax, "local_r": self.local_r, "local_J": self._local_J,
        }  # fmt: skip
        values |= {"massless": s.own.first_order, "n_massless": s.own.first_order.size}
        for name in ("constraints", "begins", "accepts", "guards", "opening", "driven"):
            values |= {name: getattr(y, name), f"n_{name}": getattr(y, name).size}
        self._kept = [v for v in values.values() if isinstance(v, np.ndarray)]
        for name, value in values.items():
            self.record[name] = value.ctypes.data if isinstance(value, np.ndarray) else value
        self.ask = self.record["ask"]
        self.ask["n_functions"], self.ask["functions"] = s.functions.size, s.functions.ctypes.data
        self.question()

    def _element_table(self) -> np.ndarray:
        """One record for each element, with the addresses of its own records."""
        tables = self.system.element_tables
        table = tables.table.copy()
        table["m"] += self.mem.ctypes.data
        table["w"] += self._scratch.ctypes.data
        self._seen: list[np.ndarray] = []
        for kind, members, nodes in tables.kinds:
            table["x"][members] = self._see(kind, members, nodes)
        return table

    def _see(self, kind: ElementKind, members: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        """Make the records that elements of one kind read, and return their addresses."""
        s = self.system
        seen = np.zeros(len(members), kind.seen.dtype)
        self._seen.append(seen)
        names = [name for name, _ in kind.seen.layout]
        addresses = self.node_rows.ctypes.data + 8 * Node.size * np.ascontiguousarray(nodes)
        self._seen.append(addresses)
        kind.show_nodes(seen, addresses)
        if "lam" in names:
            seen["n_rows"], seen["lam"] = s.nlam[members], self.lam.ctypes.data + 8 * s.lam0[members]
        if kind.coordinates:
            self._see_own(members, seen)
        for i, e in enumerate(members if kind.inputs or kind.turns else ()):
            for j, name in enumerate(kind.inputs):
                seen[name][i] = self._signals.input_address(int(s.graph.input0[e]) + j)
            for name, counter in s.elements[e].turns.items():
                seen[name][i] = self.mem.ctypes.data + 8 * s.memory_of[id(counter)]
        return seen.ctypes.data + seen.itemsize * np.arange(len(members))

    def _see_own(self, members: np.ndarray, seen: np.ndarray) -> None:
        """Own coordinates of elements."""
        s = self.system
        position = {int(e): i for i, e in enumerate(members)}
        # the rates of own coordinates with rows are among those of the nodes
        first = 8 * s.own.first
        for groups, arrays in (
            (s.own.open, (self.own.ctypes.data, self.v.ctypes.data + first, self.vd.ctypes.data + first)),
            (s.own.condensed, tuple(part.ctypes.data for part in (*self.condensed, self._no_acceleration))),
        ):
            for g in groups:
                if g.element in position:
                    x = seen[position[g.element]]
                    x[g.what.count] = g.count
                    for part, base in zip(("", "_rate", "_acceleration"), arrays, strict=True):
                        x[g.what.name + part] = base + 8 * g.first

    # ---- evaluated state

    def question(self, t: float = 0.0, *, mass: float = 0.0, damping: float = 0.0, stiffness: float = 0.0, load: float = 1.0,
                 damped: bool = True, shift: float = 0.0) -> None:  # fmt: skip
        """Set the request for elements: time, factors of the tangent, load factor, whether dampers act. At rest, rows unscaled."""
        ask = self.ask
        ask["t"], ask["h"], ask["L"], ask["open"] = t, 0.0, 1.0, self.system.opened
        ask["M"], ask["D"], ask["K"] = mass, damping, stiffness
        ask["load"], ask["damp"], ask["shift"] = load, damped, shift
        ask["restart"], ask["stop"] = 0, NEVER

    def set(self, state: "State", *, dq: np.ndarray | None = None, lam: np.ndarray | None = None) -> None:
        """Copy a state, with increments, and with other multipliers if they are given."""
        self.pose0[:], self.own0[:], self.mem[:], self.condensed[:] = state.pose, state.own, state.mem, state.condensed
        self.dq[:] = 0.0 if dq is None else dq
        self.v[:], self.vd[:], self.lam[:] = state.v, state.vd, state.lam if lam is None else lam
        self.ask["t"] = state.t

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
        m = int(self._elements["size"][e])
        return self.local_r[:m].copy(), self._local_J[: m * m].reshape(m, m).copy()

    def element_rate(self, e: int) -> float:
        """dPhi/dt of the last row of one element at the current state."""
        assembly.evaluate_at(self.address, e, RATE)
        return float(self.local_r[int(self._elements["size"][e]) - 1])

    def scratch_of(self, e: int) -> np.void:
        """Scratch of one element by name."""
        record = self.system.elements[e].kind.scratch
        first = (int(self._elements["w"][e]) - self._scratch.ctypes.data) // 8
        return self._scratch[first : first + record.size].view(record.dtype)[0]

    def law_failure(self) -> str:
        """Why a law over signals gave no number in the last evaluation; empty if all are numbers."""
        return self._signals.law_failure()

    def input_value(self, e: int, name: str) -> float:
        """Value of an input of an element at the current state."""
        s = self.system
        return self._signals.input_value(int(s.graph.input0[e]) + s.elements[e].kind.inputs.index(name))

    def rows(self, *, rates: bool) -> np.ndarray:
        """Scaled violations of the active constraint rows at the current state, or their rates."""
        assembly.rows_at(self.address, rates)
        return self.r[self.system.n_q :].copy()

    def accept(self) -> None:
        """Store the current state in the elements."""
        assembly.accept_at(self.address)
