"""Static equilibrium of all lanes under their loads, with the mean stiffness of the teeth: start of a run.

The energy of teeth and springs is a convex function of the deviations, also with backlash. Newton's method finds its minimum.
Where a step goes beyond the minimum along its direction, it is halved until it does not.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .lane_arrays import LaneArrays, MeshArrays

__all__ = ["open_motions", "static_start", "unbalanced"]

ITERATIONS, HALVINGS = 60, 30
CONVERGED = 1e-10
"""Largest torque that is not in balance, relative to the loads."""
HELD = 1e-9
"""Stiffness, relative to the largest, that holds motions without a spring: teeth in their backlash."""
CHUNK = 20_000
"""Lanes that are solved at once."""
FEW_VARYING = 3
"""Most numbers that vary for which equal lanes are searched."""


def static_start(arrays: LaneArrays) -> np.ndarray:
    """(lanes, rotors) deviations in equilibrium; 0 of held rotors. Lanes without equilibrium have the closest one found."""
    if not arrays.free:
        return np.zeros((arrays.lanes, len(arrays.n)))
    lanes, place = _different(arrays)
    parts = [_Chunk(arrays, lanes[first : first + CHUNK]).solve() for first in range(0, len(lanes), CHUNK)]
    return np.concatenate(parts)[place]


def _different(arrays: LaneArrays) -> tuple[np.ndarray, np.ndarray]:
    """(lanes with different numbers, the one of them that each lane agrees with). The speed has no effect on the equilibrium."""
    every = np.arange(arrays.lanes)
    varying = [v for name, v in arrays.train.values.items() if np.size(v) > 1 and name != arrays.train.omega]
    if not varying:
        return every[:1], np.zeros(arrays.lanes, np.int64)
    if len(varying) > FEW_VARYING:
        return every, every
    _, first, place = np.unique(np.stack(varying, axis=1), axis=0, return_index=True, return_inverse=True)
    return first, place.ravel()


class _Chunk:
    def __init__(self, arrays: LaneArrays, part: np.ndarray) -> None:
        free = arrays.free
        self.T = arrays.torque[part][:, free]
        self.rows = [m.levers[part][:, free] for m in arrays.meshes]
        self.meshes = [_cut(m, part) for m in arrays.meshes]
        self.springs = [(a[part][:, free], k[part], e[part]) for a, k, _, e in arrays.springs]
        self.count, self.width = self.T.shape[0], len(arrays.n)
        self.free = free
        top = np.zeros((self.count, len(free)))
        for row, mesh in zip(self.rows, self.meshes, strict=True):
            top += row**2 * mesh.stiffest[:, None]
        for a, k, _ in self.springs:
            top += a**2 * k[:, None]
        self.hold = HELD * np.maximum(top, top.max(axis=1, keepdims=True) * 1e-6)

    def residual(self, x: np.ndarray, *, tangent: bool) -> tuple[np.ndarray, np.ndarray | None]:
        r = self.hold * x - self.T
        K = np.einsum("ni,ij->nij", self.hold, np.eye(len(self.free))) if tangent else None
        for row, mesh in zip(self.rows, self.meshes, strict=True):
            F, k = mesh.force(np.einsum("ni,ni->n", row, x) + mesh.offset)
            r += row * F[:, None]
            if K is not None:
                K += np.einsum("n,ni,nj->nij", k, row, row)
        for a, k, e in self.springs:
            r += a * (k * (np.einsum("ni,ni->n", a, x) + e))[:, None]
            if K is not None:
                K += np.einsum("n,ni,nj->nij", k, a, a)
        return r, K

    def solve(self) -> np.ndarray:
        x = np.zeros((self.count, len(self.free)))
        size = np.abs(self.T).max(axis=1) + 1e-300
        for _ in range(ITERATIONS):
            r, K = self.residual(x, tangent=True)
            if np.all(np.abs(r).max(axis=1) <= CONVERGED * size):
                break
            d = -np.linalg.solve(K, r[..., None])[..., 0]  # type: ignore[arg-type]
            step = np.ones(self.count)
            start = np.einsum("ni,ni->n", r, d)  # negative: downwards
            for _ in range(HALVINGS):
                slope = np.einsum("ni,ni->n", self.residual(x + step[:, None] * d, tangent=False)[0], d)
                too_far = slope > np.maximum(1e-6 * -start, 0.0)
                if not np.any(too_far):
                    break
                step[too_far] *= 0.5
            x = x + step[:, None] * d
        found = np.zeros((self.count, self.width))
        found[:, self.free] = x
        return found


def _cut(mesh: MeshArrays, part: np.ndarray) -> MeshArrays:
    names = ("stiffness", "stiffest", "offset", "backlash", "damping")
    return replace(mesh, **{name: getattr(mesh, name)[part] for name in names})


def open_motions(arrays: LaneArrays) -> np.ndarray:
    """(motions, rotors) motions of the free rotors without a force of teeth or springs: rolling of a train without a drive."""
    rows = [m.levers[0, arrays.free] for m in arrays.meshes]
    rows += [a[0, arrays.free] for a, k, _, _ in arrays.springs if np.any(k)]
    A = np.array([row / max(np.abs(row).max(), 1e-300) for row in rows])
    _, s, Vt = np.linalg.svd(A, full_matrices=True)
    rank = int(np.sum(s > 1e-9 * s.max(initial=0.0)))
    found = np.zeros((len(arrays.free) - rank, len(arrays.n)))
    found[:, arrays.free] = Vt[rank:]
    return found


def unbalanced(arrays: LaneArrays) -> int | None:
    """First lane whose loads would accelerate a train without a drive; None if there is none."""
    for motion in open_motions(arrays):
        power, size = np.abs(arrays.torque @ motion), np.abs(arrays.torque) @ np.abs(motion)
        wrong = power > 1e-9 * size
        if np.any(wrong):
            return int(np.argmax(wrong))
    return None
