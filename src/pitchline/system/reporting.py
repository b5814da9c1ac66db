"""From sampled states to the reports of the elements, reactions of reduced joints included."""

from typing import Any

import numpy as np

from ..elements.contract import MAX_LOCAL, MAX_REPORT, N_ENERGIES, REPORT, RESIDUAL, TANGENT, TIME
from ..math.compiled import A1, A2, A3, B1, I1, I2, I8, block, entry
from .assembly import LAM0, NLAM, NNODE, NODE, call_element
from .nodes import ACCELERATION, VELOCITY, move, spread
from .system import System


@block
def _solve_in_place(n: I8, G: A2, b: A1):
    """b <- G^-1 b for a small symmetric positive matrix."""
    for k in range(n):
        for i in range(k + 1, n):
            factor = G[i, k] / G[k, k]
            for j in range(k, n):
                G[i, j] -= factor * G[k, j]
            b[i] -= factor * b[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            b[k] -= G[k, j] * b[j]
        b[k] /= G[k, k]


@block
def _recover(
    c: A1, lam: A1, mem: A1, K: A2, held: I1, ptr: I1, active: I8, wrench: A2, B: A2, G: A2, b: A1, elements: I2,
    par: A1, functions: A1,
    lP: A2, lV: A2, lA: A2, ll: A1, lr: A1, lJ: A2,
):  # fmt: skip
    """Multipliers of joints that became coordinates: B^T lam balances the sum of all other wrenches at their node.

    held: passive constraint elements node by node, ptr: their stretches; the node is the one that is not ground."""
    for k in range(wrench.shape[0]):
        for i in range(6):
            wrench[k, i] = 0.0
    for e in range(active):
        call_element(e, RESIDUAL, MAX_LOCAL, c, lam, mem, K, elements, par, functions, lP, lV, lA, ll, lr, lJ)
        for k in range(elements[e, NNODE]):
            for i in range(6):
                wrench[elements[e, NODE + k], i] += lr[6 * k + i]
    for q in range(ptr.size - 1):
        n = 0
        node = 0
        for p in range(ptr[q], ptr[q + 1]):
            e = held[p]
            call_element(e, TANGENT, MAX_LOCAL, c, lam, mem, K, elements, par, functions, lP, lV, lA, ll, lr, lJ)
            m = 6 * elements[e, NNODE]
            k = 0 if elements[e, NODE] > 0 else 1
            node = elements[e, NODE + k]
            for i in range(elements[e, NLAM]):
                for j in range(6):
                    B[n, j] = lJ[m + i, 6 * k + j]
                n += 1
        for i in range(n):
            b[i] = 0.0
            for j in range(6):
                b[i] -= B[i, j] * wrench[node, j]
            for l in range(n):
                s = 0.0
                for j in range(6):
                    s += B[i, j] * B[l, j]
                G[i, l] = s
        _solve_in_place(n, G, b)
        n = 0
        for p in range(ptr[q], ptr[q + 1]):
            e = held[p]
            for i in range(elements[e, NLAM]):
                lam[elements[e, LAM0] + i] = b[n]
                n += 1


@entry
def report_samples(
    recover: B1, inertial: B1, c: A1, t: A1, pose: A3, v: A2, vd: A2, lam: A2, mem: A2, first: I1, energies: A2, out: A2,
    held: I1, ptr: I1, active: I8, wrench: A2, B: A2, G: A2, b: A1, zero: A1, moved: A2, K: A2, nodes: I2, T: A3,
    elements: I2, par: A1,
    functions: A1, lP: A2, lV: A2, lA: A2, ll: A1, lr: A1, lJ: A2,
):  # fmt: skip
    """Sample by sample: the multipliers of reduced joints into lam (recover), or energies and signals of all elements."""
    for k in range(t.size):
        c[TIME] = t[k]
        move(nodes, T, pose[k], zero, moved, K)
        still = recover and not inertial
        spread(nodes, T, zero if still else v[k], VELOCITY, K)
        spread(nodes, T, zero if still else vd[k], ACCELERATION, K)
        if recover:
            _recover(
                c,
                lam[k],
                mem[k],
                K,
                held,
                ptr,
                active,
                wrench,
                B,
                G,
                b,
                elements,
                par,
                functions,
                lP,
                lV,
                lA,
                ll,
                lr,
                lJ,
            )
        else:
            for e in range(elements.shape[0]):
                call_element(
                    e, REPORT, MAX_REPORT, c, lam[k], mem[k], K, elements, par, functions, lP, lV, lA, ll, lr, lJ
                )
                for i in range(N_ENERGIES):
                    energies[k, i] += lr[i]
                for i in range(first[e + 1] - first[e]):
                    out[k, first[e] + i] = lr[N_ENERGIES + i]


class Reporter:
    """Reports of a system at samples: an object with arrays t, pose, v, vd, lam, mem, whose first axis is the sample."""

    def __init__(self, system: System) -> None:
        self.system = system
        sizes = [sum(s.size for s in e.kind.signals) for e in system.elements]
        self.first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        by_node: dict[int, list[int]] = {}
        for i, e in enumerate(system.elements):
            if e.passive and e.rows:
                by_node.setdefault(max(e.nodes), []).append(i)
        self.held = np.array([e for group in by_node.values() for e in group], np.int64)
        self.ptr = np.concatenate([[0], np.cumsum([len(g) for g in by_node.values()])]).astype(np.int64)

    def recover(self, samples: Any, *, inertial: bool, load: float = 1.0) -> None:
        """Multipliers of reduced joints, written into samples.lam."""
        if self.held.size:
            self._run(samples, True, inertial, load)

    def report(self, samples: Any, *, inertial: bool, load: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """(energies (n, 4), signals (n, total)); dampers act if the samples are those of a motion with inertia."""
        return self._run(samples, False, inertial, load)

    def _run(self, z: Any, recover: bool, inertial: bool, load: float) -> tuple[np.ndarray, np.ndarray]:
        s, n = self.system, len(self.system.ndof)
        rows = 0 if recover else len(z.t)  # multipliers go into the samples themselves
        energies, out = np.zeros((rows, N_ENERGIES)), np.zeros((rows, int(self.first[-1])))
        c = s.coefficients(0.0, load=load, damped=inertial)
        report_samples(
            recover, inertial, c, z.t, z.pose, z.v, z.vd, z.lam, z.mem, self.first, energies, out,
            self.held, self.ptr, s.active, np.zeros((n, 6)), np.zeros((8, 6)), np.zeros((8, 8)), np.zeros(8),
            np.zeros(s.n_q), np.zeros((n, 7)), np.zeros((n, 24)), s.layout.nodes, s.layout.T, *s.element_arguments,
        )  # fmt: skip
        return energies, out
