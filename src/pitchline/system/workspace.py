"""Workspace: the arrays for the evaluation of the elements of a system, and the record for compiled code.

Records contain addresses: a workspace owns the arrays, and none is ever replaced. Every solver has its own workspace. A new one
is a copy of an image (see `workspace_image`).
"""

from typing import TYPE_CHECKING

import numpy as np

from ..elements.contract import NEVER, RATE, RESIDUAL, TANGENT, Ask, Input, Node
from ..math.gradient_laws import reason_of_nan
from . import assembly, records

if TYPE_CHECKING:
    from .system import State, System

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
