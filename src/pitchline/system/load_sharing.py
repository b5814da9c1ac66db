"""Least-norm multipliers where redundant constraints leave the sharing of loads open.

Of all multipliers with the same resultant, A lam' = A lam, those of least norm, moments being taken over the model's length so
that forces and moments weigh alike:

    [1 A^T; A -e] (lam', y) = (0, A lam)

A has what each multiplier exerts, per unit, as its columns: B^T, scaled, and with it what goes with the size of a multiplier
(the separating force of rigid teeth), whose sign is that of the multiplier. Signs of rows left out as redundant are not known
at first: the columns are taken again at what was found, until they stay.

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
TIMES = 4
"""How often signs may change."""


@entry
def columns_of_samples(
    which: I1, c: A1, t: A1, pose: A3, lam: A2, mem: A2, zero: A1, moved: A2, K: A2, nodes: I2, T: A3, out: A3,
    elements: I2, par: A1, functions: A1, lP: A2, lV: A2, lA: A2, ll: A1, lr: A1, lJ: A2,
):  # fmt: skip
    """out[sample, 8 i + row]: what the multiplier of a row of the i-th of some elements exerts, six numbers a node."""
    for k in range(t.size):
        c[TIME] = t[k]
        move(nodes, T, pose[k], zero, moved, K)
        for i in range(which.size):
            e = which[i]
            call_element(e, TANGENT, MAX_LOCAL, c, lam[k], mem[k], K, elements, par, functions, lP, lV, lA, ll, lr, lJ)
            m = 6 * elements[e, NNODE]
            for row in range(elements[e, NLAM]):
                for j in range(m):
                    out[k, MAX_MULTIPLIERS * i + row, j] = lJ[j, m + row]


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
        """Share the loads of some samples."""
        lam = samples.lam[part]
        values = self._columns(samples, part)
        resultant = np.array([self._matrix(v) @ (l[self.group] * self.weight) for v, l in zip(values, lam, strict=True)])
        for _ in range(TIMES):
            for k in range(len(lam)):
                lam[k, self.group] = self._shared(values[k], resultant[k]) / self.weight
            before, values = values, self._columns(samples, part)
            if np.array_equal(before, values):
                return

    def _columns(self, samples: Any, part: slice) -> np.ndarray:
        """Entries of A, of every sample."""
        s = self.system
        t = samples.t[part]
        n = len(s.ndof)
        out = np.zeros((len(t), MAX_MULTIPLIERS * len(self.elements), 6 * MAX_NODES))
        columns_of_samples(
            self.elements.astype(np.int64), s.coefficients(0.0), t, samples.pose[part], samples.lam[part], samples.mem[part],
            np.zeros(s.n_q), np.zeros((n, 7)), np.zeros((n, 24)), s.layout.nodes, s.layout.T, out, *s.element_arguments,
        )  # fmt: skip
        return out[:, self.from_row, self.from_column] * self.scale

    def _matrix(self, values: np.ndarray) -> Any:
        import scipy.sparse as sp

        return sp.csc_matrix((values, (self.column, self.row)), (self.size, len(self.group)))

    def _shared(self, values: np.ndarray, resultant: np.ndarray) -> np.ndarray:
        """Least-norm multipliers (weighted) of one sample."""
        import scipy.sparse as sp
        import scipy.sparse.linalg as sla

        n, A = len(self.group), self._matrix(values)
        if n <= 60:
            return np.linalg.lstsq(A.toarray(), resultant, rcond=1e-9)[0]
        K = sp.block_array([[sp.eye_array(n), A.T], [A, -COMPLIANCE * sp.eye_array(self.size)]]).tocsc()
        factors = sla.splu(K)
        x = factors.solve(np.concatenate([np.zeros(n), resultant]))
        shared = x[:n]
        return shared + factors.solve(np.concatenate([np.zeros(n), resultant - A @ shared]))[:n]
