"""Least-norm multipliers where redundant constraints leave the sharing of loads open."""

import numpy as np

from .matrix import element_rows
from .system import State, System


def least_norm(system: System, groups: list[np.ndarray], samples: object) -> None:
    """Replace, in samples.lam, the multipliers of each group by those of least norm with the same resultant.

    Moments are taken over the model's length, so that forces and moments weigh alike.
    """
    z = samples
    for group in groups:
        elements = sorted({system.elements.index(system.row_owner(int(l))) for l in group})
        nodes = sorted({g for e in elements for g in system.elements[e].nodes if g > 0})
        place = {g: 6 * i for i, g in enumerate(nodes)}
        weight = np.array([1.0 if _row(system, int(l)) == "t" else 1.0 / system.length for l in group])
        for k in range(len(z.t)):  # type: ignore[attr-defined]
            state = State(z.t[k], z.pose[k], z.v[k], z.vd[k], z.lam[k], z.mem[k])  # type: ignore[attr-defined]
            K = system.kinematics(state, moving=False)
            rows = {}
            for e in elements:
                _, B = element_rows(system, state, e, K)
                for i in range(len(B)):
                    full = np.zeros(6 * len(nodes))
                    for j, g in enumerate(system.elements[e].nodes):
                        if g > 0:
                            full[place[g] : place[g] + 6] = B[i, 6 * j : 6 * j + 6]
                    rows[int(system.lam0[e]) + i] = full
            # moments about the nodes over the length: equations in units of force
            A = np.stack([rows[int(l)] for l in group], axis=1)
            for i in range(len(nodes)):
                A[6 * i + 3 : 6 * i + 6] /= system.length
            A = A / weight
            lam = state.lam[group] * weight
            state.lam[group] = np.linalg.lstsq(A, A @ lam, rcond=1e-9)[0] / weight


def _row(system: System, l: int) -> str:
    e = system.row_owner(l)
    return e.rows[l - int(system.lam0[system.elements.index(e)])]
