"""Evaluation of one element of a system at given positions and velocities: its forces and reports.

Only the nodes of the element are moved, each along its one coordinate, so that the time does not depend on the size of the system.
"""

import numpy as np

from ..elements.contract import RESIDUAL, Any_, call_report
from ..math.compiled import A1, A2, I8, block, entry
from ..math.fields import Fields, record_over
from ..math.rotations import matrix_of, turned
from ..math.vectors import add
from .assembly import evaluate, system_at
from .nodes import rotation, translation
from .records import PlacedElement, SystemRecord
from .system import State, System

_over = record_over(Any_)


@block
def _move(sys: SystemRecord, e: PlacedElement, q: A1, v: A1):
    """Move the nodes of an element to coordinates relative to the accepted state, with velocities; the ground does not move."""
    nodes = e.nodes
    for k in range(e.n_nodes):
        g = nodes[k]
        node = sys.nodes[g]
        if node.count == 1:
            sys.dq[node.first] = q[k]
            sys.v[node.first] = v[k]
            body = sys.bodies[g]
            start = sys.pose0[g]
            body.x = add(start.x, translation(node, sys.dq))
            body.R = matrix_of(turned(start.q, rotation(node, sys.dq)))
            body.v = translation(node, sys.v)
            body.w = rotation(node, sys.v)


@entry
def residuals_at(address: I8, element: I8, q: A2, v: A2, r: A2):
    """Residual of an element at positions and velocities, one row each, with one number for each node."""
    sys = system_at(address)
    e = sys.elements[element]
    local = sys.local_r
    for n in range(q.shape[0]):
        _move(sys, e, q[n], v[n])
        evaluate(sys, e, RESIDUAL)
        for i in range(r.shape[1]):
            r[n, i] = local[i]


@entry
def reports_at(address: I8, element: I8, q: A2, v: A2, out: A2):
    """Reports of an element at positions and velocities, one row each."""
    sys = system_at(address)
    e = sys.elements[element]
    for n in range(q.shape[0]):
        _move(sys, e, q[n], v[n])
        for i in range(out.shape[1]):
            out[n, i] = 0.0
        call_report(e.report, e.s, e.m, e.x, e.w, sys.ask, _over(out[n], 0))


class Probe:
    """Evaluation of elements of a system, in which every node has at most one coordinate, about a state."""

    def __init__(self, system: System, state: State) -> None:
        self.system, self._work = system, system.workspace
        self._work.set(state)
        self._work.question(state.t)
        self._work.place(moving=False)
        self._out: dict[str, Fields] = {}

    def rotations(self) -> np.ndarray:
        """(nodes, 3, 3) rotation matrices at the state, before an element is moved."""
        return self._work.bodies["R"].reshape(-1, 3, 3).copy()

    def residuals(self, e: int, q: np.ndarray, v: np.ndarray | None = None) -> np.ndarray:
        """(positions, 6 nodes) residual of the nodes of element e. q, v: (positions, nodes) coordinates and velocities."""
        r = np.zeros((len(q), 6 * q.shape[1]))
        residuals_at(self._work.address, e, q, np.zeros_like(q) if v is None else v, r)
        return r

    def mass(self, e: int) -> np.ndarray:
        """Mass matrix of an element with one node, at its last evaluation."""
        self._work.ask["M"] = 1.0
        _, J = self._work.element(e, tangent=True)
        self._work.ask["M"] = 0.0
        return J

    def reports(self, e: int, q: np.ndarray, *names: str) -> np.ndarray:
        """(positions, names) signals of element e at rest. q: as above."""
        kind = self.system.elements[e].kind
        if kind.name not in self._out:
            self._out[kind.name] = kind.out
        places = self._out[kind.name]
        out = np.zeros((len(q), places.size))
        reports_at(self._work.address, e, q, np.zeros_like(q), out)
        return out[:, [places.place(name)[0] for name in names]]
