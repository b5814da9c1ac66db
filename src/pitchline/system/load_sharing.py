"""Least-norm multipliers if redundant constraints leave the load sharing undetermined.

Of all multipliers with the same resultant, A lam' = A lam, those of least norm are used. Moments are divided by the length of
the model, so that forces and moments have comparable weights:

    [1 A^T; A -e] (lam', y) = (0, A lam)

The columns of A are the forces of each multiplier per unit: B^T, scaled, and forces that depend on the magnitude of a
multiplier (the separating force of rigid teeth), with the sign of the multiplier. The signs of redundant rows are not known at
first: the columns are computed again with the result, until they do not change.

The very small compliance e makes the system regular for any rank of A. One refinement step removes its effect.
"""

from typing import Any

import numpy as np

from ..elements.contract import TANGENT
from ..math.compiled import A3, I1, I8, entry
from ..math.fields import matrix_over, record_at
from .assembly import evaluate, system_at
from .reporting import SampleArrays, SampleTable, set_sample
from .system import System
from .workspace import Workspace

COMPLIANCE = 1e-11
CHUNK = 64
TIMES = 4
"""Maximum number of sign changes."""


_samples_at = record_at(SampleTable)


@entry
def columns_of_samples(system: I8, samples: I8, which: I1, out: A3):
    """out[sample, most * i + row]: force of the multiplier of a row of the i-th selected element, six numbers per node."""
    sys = system_at(system)
    z = _samples_at(samples)
    most = out.shape[1] // which.size
    for k in range(z.count):
        set_sample(sys, z, k, False)
        for i in range(which.size):
            e = sys.elements[which[i]]
            evaluate(sys, e, TANGENT)
            J = matrix_over(sys.local_J, e.size, e.size)
            first = e.size - e.n_rows
            for row in range(e.n_rows):
                for j in range(6 * e.n_nodes):
                    out[k, most * i + row, j] = J[j, first + row]


def least_norm(system: System, groups: list[np.ndarray], samples: Any) -> None:
    """Replace, in samples.lam, the multipliers of each group by those of least norm with the same resultant."""
    for group in groups:
        sharing = _Sharing(system, group)
        for first in range(0, len(samples.t), CHUNK):
            sharing.apply(samples, slice(first, first + CHUNK))


class _Sharing:
    """Constant pattern of one group: its rows, and the positions of their gradients."""

    def __init__(self, system: System, group: np.ndarray) -> None:
        self.system, self.group = system, group
        owner = np.searchsorted(system.lam0, group, side="right") - 1
        self.elements, position = np.unique(owner, return_inverse=True)
        mine = [system.elements[e] for e in self.elements]
        self.most_rows, self.most_nodes = max(len(e.rows) for e in mine), max(len(e.nodes) for e in mine)
        self.source = self.most_rows * position + (group - system.lam0[owner])
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
        """Compute the load sharing of some samples."""
        lam = samples.lam[part]
        values = self._columns(samples, part)
        resultant = np.array(
            [self._matrix(v) @ (l[self.group] * self.weight) for v, l in zip(values, lam, strict=True)]
        )
        for _ in range(TIMES):
            for k in range(len(lam)):
                lam[k, self.group] = self._shared(values[k], resultant[k]) / self.weight
            before, values = values, self._columns(samples, part)
            if np.array_equal(before, values):
                return

    def _columns(self, samples: Any, part: slice) -> np.ndarray:
        """Entries of A, for every sample."""
        arrays, work = SampleArrays(samples, part), Workspace(self.system)
        out = np.zeros((len(samples.t[part]), self.most_rows * len(self.elements), 6 * self.most_nodes))
        columns_of_samples(work.address, arrays.address, self.elements.astype(np.int64), out)
        return out[:, self.from_row, self.from_column] * self.scale

    def _matrix(self, values: np.ndarray) -> Any:
        import scipy.sparse as sp

        return sp.csc_matrix((values, (self.column, self.row)), (self.size, len(self.group)))

    def _shared(self, values: np.ndarray, resultant: np.ndarray) -> np.ndarray:
        """Least-norm multipliers (weighted) of one sample."""
        import scipy.sparse as sp
        import scipy.sparse.linalg as sla

        n, A = len(self.group), self._matrix(values)
        if not (np.all(np.isfinite(values)) and np.all(np.isfinite(resultant))):
            return np.full(n, np.nan)  # of a motion that diverged
        if n <= 60:
            return np.linalg.lstsq(A.toarray(), resultant, rcond=1e-9)[0]
        K = sp.block_array([[sp.eye_array(n), A.T], [A, -COMPLIANCE * sp.eye_array(self.size)]]).tocsc()
        factors = sla.splu(K)
        x = factors.solve(np.concatenate([np.zeros(n), resultant]))
        shared = x[:n]
        return shared + factors.solve(np.concatenate([np.zeros(n), resultant - A @ shared]))[:n]
