"""Rigid motion of a superelement: its mean velocity, and the effect of deformation on its mass matrix (see
`kernel`)."""

import numpy as np

from ..shafts.sections import adjoint, exp_se3, skew


def rigid_by(M: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """(n, 6): mean rigid velocity in the axes of the first node, from velocities of nodes and modes; weights are masses."""
    rigid = _rigid(len(M), _poses(rest))
    return np.linalg.solve(rigid.T @ M @ rigid, rigid.T @ M).T


def rigid_mass_by(M: np.ndarray, rest: np.ndarray, mass: float, centre: np.ndarray, by: np.ndarray) -> np.ndarray:
    """(changes, 36): change of the mass matrix by relative motions and modes, so that the motion of the centre of mass is correct.

    Derivative of the difference of T = m vc^2/2 + w^T M w/2, w velocities of the nodes minus that of the centre, and of v^T M v/2.
    centre: mass times centre of mass, axes of the first node; by: its derivatives.
    """
    n = len(rest)
    size = float(np.abs(rest.reshape(-1, 6)[:, :3]).max(initial=0.0)) or 1.0
    found = np.zeros((len(by), 36))
    for k in range(len(by)):
        step = 1e-4 * (size if k >= n or k % 6 < 3 else 1.0)
        sides = []
        for change in (step, -step):
            d = rest.copy()
            if k < n:
                d[k] += change
            poses = _poses(d)
            v = _rigid(len(M), poses)
            w = v.copy()
            of_centre = np.hstack([np.eye(3), -skew((centre + change * by[k]) / mass)])
            for i, (_, R) in enumerate(poses):
                w[6 * i : 6 * i + 3] -= R.T @ of_centre
            sides.append(mass * of_centre.T @ of_centre + w.T @ M @ w - v.T @ M @ v)
        found[k] = ((sides[0] - sides[1]) / (2.0 * step)).ravel()
    return found


def _poses(d: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Positions and axes of the nodes in the axes of the first one, from logarithms of their relative motions."""
    return [(np.zeros(3), np.eye(3)), *(exp_se3(each) for each in d.reshape(-1, 6))]


def _rigid(n: int, poses: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """(n, 6) velocities of the nodes in their axes, from that of the first; the modes are at rest."""
    rigid = np.zeros((n, 6))
    for i, (x, R) in enumerate(poses):
        rigid[6 * i : 6 * i + 6] = np.linalg.inv(adjoint(x, R))
    return rigid
