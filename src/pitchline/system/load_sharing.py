"""Least-norm multipliers where redundant constraints leave the sharing of loads open.

Of all multipliers with the same resultant, B^T lam' = B^T lam, those of least norm, moments being taken over the model's
length so that forces and moments weigh alike:

    [1 A; A^T -e] (lam', y) = (0, A^T lam),   A^T = B^T, scaled

The tiny compliance e makes the system regular whatever the rank of A; one step of refinement removes its trace.
"""

from typing import Any

import numpy as np

from ..elements.contract import MAX_LOCAL, MAX_MULTIPLIERS, MAX_NODES, TANGENT, TIME
from ..math.compiled import A1, A2, A3, I1, I2, entry
from .assembly import NLAM, NNODE, call_element
from .nodes import move
from .system import System

COMPLIANCE = 1e-11
CHUNK = 64


@entry
def gradients_of_samples(
    which: I1, c: A1, t: A1, pose: A3, lam: A2, mem: A2, zero: A1, moved: A2, K: A2, nodes: I2, T: A3, out: A3,
    elements: I2, par: A1, functions: A1, lP: A2, lV: A2, lA: A2, ll: A1, lr: A1, lJ: A2,
):  # fmt: skip
    """out[sample, 8 i + row]: the gradient of a row of the i-th of some elements, six numbers a node."""
    for k in range(t.size):
        c[TIME] = t[k]
        move(nodes, T, pose[k], zero, moved, K)
        for i in range(which.size):
            e = which[i]
            call_element(e, TANGENT, MAX_LOCAL, c, lam[k], mem[k], K, elements, par, functions, lP, lV, lA, ll, lr, lJ)
            m = 6 * elements[e, NNODE]
            for row in range(elements[e, NLAM]):
                for j in range(m):
                    out[k, MAX_MULTIPLIERS * i + row, j] = lJ[m + row, j]


def least_norm(system: System, groups: list[np.ndarray], samples: Any) -> None:
    """Replace, in samples.lam, the multipliers of each group by those of least norm with the same resultant."""
    for group in groups:
        sharing = _Sharing(system, group)
        for first in range(0, len(samples.t), CHUNK):
            sharing.apply(samples, slice(first, first + CHUNK))


class _Sharing:
    """The fixed pattern of one group: its rows, and where their gradients go."""

    def __init__(self, system: System, group: np.ndarray) -> None:
        self.system, self.group = system, group
        owner = np.searchsorted(system.lam0, group, side="right") - 1
        self.elements, position = np.unique(owner, return_inverse=True)
        self.source = MAX_MULTIPLIERS * position + (group - system.lam0[owner])
        nodes = sorted({g for e in self.elements for g in system.elements[e].nodes if g > 0})
        place = {g: 6 * i for i, g in enumerate(nodes)}
        self.size = 6 * len(nodes)
        rows = "".join(e.rows for e in system.elements)
        self.weight = np.array([1.0 if rows[l] == "t" else 1.0 / system.length for l in group])
        entries = []
        for i, e in enumerate(owner):
            for k, g in enumerate(system.elements[e].nodes):
                if g > 0:
                    for j in range(6):
                        scale = 1.0 if j < 3 else 1.0 / system.length
                        entries.append((i, place[g] + j, self.source[i], 6 * k + j, scale / self.weight[i]))
        table = np.array(entries)
        self.row, self.column, self.from_row, self.from_column = table[:, :4].astype(int).T
        self.scale = table[:, 4]

    def apply(self, samples: Any, part: slice) -> None:
        s = self.system
        t = samples.t[part]
        n = len(s.ndof)
        out = np.zeros((len(t), MAX_MULTIPLIERS * len(self.elements), 6 * MAX_NODES))
        gradients_of_samples(
            self.elements.astype(np.int64), s.coefficients(0.0), t, samples.pose[part], samples.lam[part], samples.mem[part],
            np.zeros(s.n_q), np.zeros((n, 7)), np.zeros((n, 24)), s.layout.nodes, s.layout.T, out, *s.element_arguments,
        )  # fmt: skip
        values = out[:, self.from_row, self.from_column] * self.scale
        for k, lam in enumerate(samples.lam[part]):
            lam[self.group] = self._shared(values[k], lam[self.group] * self.weight) / self.weight

    def _shared(self, values: np.ndarray, lam: np.ndarray) -> np.ndarray:
        """Least-norm multipliers (weighted) of one sample."""
        import scipy.sparse as sp
        import scipy.sparse.linalg as sla

        n = len(lam)
        if n <= 60:
            A = np.zeros((self.size, n))
            A[self.column, self.row] = values
            return np.linalg.lstsq(A, A @ lam, rcond=1e-9)[0]
        A = sp.csc_matrix((values, (self.column, self.row)), (self.size, n))
        f = A @ lam
        K = sp.block_array([[sp.eye_array(n), A.T], [A, -COMPLIANCE * sp.eye_array(self.size)]]).tocsc()
        factors = sla.splu(K)
        x = factors.solve(np.concatenate([np.zeros(n), f]))
        shared = x[:n]
        return shared + factors.solve(np.concatenate([np.zeros(n), f - A @ shared]))[:n]
