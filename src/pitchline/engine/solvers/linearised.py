"""Small motions about a state: mass, damping and stiffness matrices, constraints, and the remaining coordinates.

    M x'' + D x' + K x + C lam = -b u ,   B x = -p u                 x (n): small displacements, u: inputs

x are displacements and rotations in axes that do not rotate with the bodies. With the rotation R of a node and its increments
theta in node axes, phi = R theta; for its angular velocity omega and accelerations

    delta omega = R^T phi' ,   delta (d omega/dt) = R^T (phi'' - omega x phi') ,

so that a wheel that rotates about its axis of symmetry has constant matrices, with gyroscopic terms in D. C = B^T except for
forces that depend on the magnitude of a multiplier (the separating force of rigid teeth).

In axes that rotate with the constant speed W about the origin (a carrier), x = Q y:  D <- D + 2 M W,  K <- K + D W + M W^2.

x contains the open coordinates of elements after those of the bodies. Those of order 1 (y' = f, controllers) have no mass:
their rows of M are empty, and D has the factor of y'.

Constraints are eliminated with bases N of {B x = 0} and L of {C^T x = 0}:  x = N y,  L^T M N y'' + ... = 0. L is chosen so that
L^T M N = N^T M N, symmetric and positive; it is N if C = B^T. Own coordinates are not constrained: they are the last entries
of y, unchanged.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pitchline.errors import ModelError, SolveError

from ..compile.rank import Evaluator
from ..compile.system import State, System

Array = np.ndarray
DEPENDENT = 1e-10
"""Part of a constraint across all others, relative to it, below which it is dependent."""


@dataclass(frozen=True)
class Massless:
    """Coordinates of order 1."""

    places: Array
    """Their indices among all coordinates."""
    typical: Array
    """Their typical magnitudes."""

    def metric(self, M: Array) -> Array:
        """M with additional masses for these coordinates, so that typical magnitudes have the norm 1: a metric for motions."""
        if not self.places.size:
            return M
        found = M.copy()
        found[self.places], found[:, self.places] = 0.0, 0.0
        found[self.places, self.places] = 1.0 / self.typical**2
        return found


@dataclass
class SparseMotion:
    """The same matrices before the elimination of constraints, sparse (compressed columns)."""

    M: Any  # (n, n)
    D: Any
    K: Any
    C: Any  # (n, m), of multipliers in units of the system's scales
    B: Any  # (m, n)
    axes: Any  # (n, n), block diagonal: x = axes dq
    spin: Any  # (n, n): omega x, for free rotations
    massless: "Massless" = field(default_factory=lambda: Massless(np.zeros(0, np.int64), np.zeros(0)))

    def without(self, places: Array) -> "SparseMotion":
        """Motions in which own coordinates rest: matrices without their rows and columns. `axes.T` still gives all increments."""
        if not places.size:
            return self
        left = np.setdiff1d(np.arange(self.M.shape[0]), places)
        M, D, K, spin = (X[left][:, left].tocsc() for X in (self.M, self.D, self.K, self.spin))
        moving = ~np.isin(self.massless.places, places)
        massless = Massless(np.searchsorted(left, self.massless.places[moving]), self.massless.typical[moving])
        return SparseMotion(M, D, K, self.C[left], self.B[:, left], self.axes[left], spin, massless)

    def can_follow(self, gradient: Array) -> bool:
        """Whether motions that the constraints allow change a function of positions with the given gradient (n,).

        The motion with the smallest inertia: [M B^T; B 0] (x, mu) = (gradient, 0); gradient x is its square."""
        x = self._eased(gradient)
        free = gradient / np.where(self.M.diagonal() > 0.0, self.M.diagonal(), np.inf)
        return bool(gradient @ x > 1e-14 * max(float(gradient @ free), 1e-300))

    def freedom(self, system: System) -> int:
        """Number of free coordinates. Parts that hold, such as a brake and a clutch, can hold the same motion."""
        held = self.B.shape[0]
        if any(element.switches for element in system.elements):
            held = len(independent_rows(self.B.toarray()))
        return int(system.n_q - held)

    def metric(self) -> Any:
        """(n, n), sparse: masses, and for coordinates of order 1 the square of their typical magnitude, as a metric for motions."""
        import scipy.sparse as sp

        places = self.massless.places
        if not places.size:
            return self.M
        keep, own = np.ones(self.M.shape[0]), np.zeros(self.M.shape[0])
        keep[places], own[places] = 0.0, 1.0 / self.massless.typical**2
        return (sp.diags(keep) @ self.M @ sp.diags(keep) + sp.diags(own)).tocsc()

    def _eased(self, force: Array) -> Array:
        """Accelerations (n,) under a force (n,) that satisfy the constraints."""
        import scipy.sparse as sp
        import scipy.sparse.linalg as sla

        M = self.M
        if self.massless.places.size:
            held = np.zeros(M.shape[0])
            held[self.massless.places] = 1.0
            M = (M + sp.diags(held)).tocsc()
        B = self.B
        saddle = sp.bmat([[M, B.T], [B, None]], format="csc") if B.shape[0] else M
        try:
            factors = sla.splu(saddle)
        except RuntimeError:  # several parts hold the same motion
            B = B.tocsr()[independent_rows(B.toarray())]
            factors = sla.splu(sp.bmat([[M, B.T], [B, None]], format="csc"))
        return np.asarray(factors.solve(np.concatenate([force, np.zeros(B.shape[0])]))[: len(force)])

    def dense(self) -> "LinearMotion":
        """With eliminated constraints: several dense matrices of the size of all coordinates."""
        M, D, K, C, B, axes, spin = (
            X.toarray() for X in (self.M, self.D, self.K, self.C, self.B, self.axes, self.spin)
        )
        N = null_space(B)
        return LinearMotion(M, D, K, C, B, axes, spin, N, _left(self.massless.metric(M), C, B, N), self.massless)


@dataclass
class LinearMotion:
    """Matrices of the small motions of a system about a state, in fixed (or steadily rotating) axes."""

    M: Array  # (n, n)
    D: Array
    K: Array
    C: Array  # (n, m), of multipliers in units of the system's scales
    B: Array  # (m, n)
    axes: Array  # (n, n), block diagonal: x = axes dq
    spin: Array  # (n, n): omega x, for free rotations
    N: Array  # (n, k)
    L: Array  # (n, k)
    massless: Massless

    @property
    def first_order(self) -> Array:
        """Indices of the free coordinates of order 1."""
        return self.massless.places - (self.N.shape[0] - self.N.shape[1])

    @property
    def second_order(self) -> Array:
        """Indices of the other free coordinates."""
        return np.setdiff1d(np.arange(self.N.shape[1]), self.first_order)

    def metric(self) -> Array:
        """(k, k), positive: masses of the free coordinates, and for those without a mass the square of their typical magnitude."""
        return np.asarray(self.L.T @ self.massless.metric(self.M) @ self.N)

    def rates(self) -> Array:
        """(k, k): factors of the highest derivatives, y'' of coordinates of order 2 and y' of those of order 1."""
        E, D, _ = self.reduced()
        E[:, self.first_order] = D[:, self.first_order]
        return E

    def reduced(self) -> tuple[Array, Array, Array]:
        """(M, D, K) of the free coordinates, (k, k)."""
        M, D, K = (self.L.T @ X @ self.N for X in (self.M, self.D, self.K))
        return M, D, K


def linear_motion(system: System, state: State, *, turning: Array | None = None) -> LinearMotion:
    """Linearise a system about a state with consistent multipliers. turning: (3,) [rad/s], speed of rotating axes."""
    return sparse_motion(system, state, turning=turning).dense()


def sparse_motion(system: System, state: State, *, turning: Array | None = None) -> SparseMotion:
    """As `linear_motion`, with sparse matrices and all constraints."""
    evaluator = Evaluator(system)
    n = system.n_q

    def matrix(mass: float = 0.0, damping: float = 0.0, stiffness: float = 0.0) -> Any:
        _, J = evaluator.tangent(state, mass=mass, damping=damping, stiffness=stiffness)
        J.eliminate_zeros()
        return J

    M, D, K = matrix(mass=1.0), matrix(damping=1.0), matrix(stiffness=1.0)
    C, B = M[:n, n:], M[n:, :n]
    M, D, K = M[:n, :n], D[:n, :n], K[:n, :n]
    axes, spin = _axes(system, state)
    M, D, K = (axes @ X @ axes.T for X in (M, D, K))
    C, B = axes @ C, B @ axes.T
    D = D - M @ spin
    if turning is not None:
        W = turning_matrix(system, turning)
        D, K = D + 2.0 * M @ W, K + D @ W + M @ (W @ W)
    own = system.own
    massless = Massless(own.first_order, own.typical[own.first_order - own.first])
    M, D, K, C, B, axes, spin = (X.tocsc() for X in (M, D, K, C, B, axes, spin))
    return SparseMotion(M, D, K, C, B, axes, spin, massless)


def _left(M: Array, C: Array, B: Array, N: Array) -> Array:
    """Basis (n, k) of {C^T x = 0}, such that L^T M N = N^T M N."""
    if np.abs(C - B.T).max(initial=0.0) <= 1e-13 * np.abs(B).max(initial=0.0):
        return N
    L = null_space(C.T)
    try:
        return np.asarray(np.linalg.solve((L.T @ M @ N).T, (N.T @ M @ N).T).T @ L.T).T
    except np.linalg.LinAlgError:
        raise SolveError(
            "small motions: the forces of constraints do not act on the motions that they prevent. Rigid teeth or a rigid stop may "
            "be exactly at the limit of contact there, or lock themselves by friction. Choose another operating point"
        ) from None


def null_space(A: Array) -> Array:
    """Orthonormal basis (n, k) of {A x = 0}. Redundant constraints of joints were omitted before, but several parts that hold, such
    as a brake and a clutch, can hold the same motion."""
    m, n = A.shape
    if m == 0:
        return np.eye(n)
    q, r = np.linalg.qr(_of_length_one(A).T, mode="complete")
    if np.all(np.abs(np.diag(r)) > DEPENDENT):
        return q[:, m:]
    kept = independent_rows(A)
    q, _ = np.linalg.qr(_of_length_one(A[kept]).T, mode="complete")
    return q[:, len(kept) :]


def independent_rows(A: Array) -> Array:
    """Indices of as many independent rows as possible, in ascending order."""
    from scipy.linalg import qr

    r, order = qr(_of_length_one(A).T, mode="r", pivoting=True)
    return np.sort(order[: int(np.sum(np.abs(np.diag(r)) > DEPENDENT))])


def _of_length_one(A: Array) -> Array:
    size = np.linalg.norm(A, axis=1, keepdims=True)
    return np.asarray(A / np.where(size > 0.0, size, 1.0))


def _skew(w: Array) -> Array:
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


def _axes(system: System, state: State) -> tuple[Any, Any]:
    """(x = axes dq, omega x for free rotations), both sparse (n, n)."""
    n = system.n_q
    poses = system.kinematics(state)
    turns, spins = [], []
    for k in range(1, len(system.ndof)):
        i = int(system.free_rotation[k])
        if i >= 0:
            R = poses["R"][k].reshape(3, 3)
            turns.append((i, R))
            spins.append((i, _skew(R @ state.v[i : i + 3])))
    rest = np.ones(n)
    for i, _ in turns:
        rest[i : i + 3] = 0.0
    return _blocks(n, turns, rest), _blocks(n, spins, np.zeros(n))


def _blocks(n: int, blocks: list[tuple[int, Array]], diagonal: Array) -> Any:
    """Sparse (n, n) with square blocks at positions on the diagonal, and a diagonal."""
    import scipy.sparse as sp

    rows, columns, values = [np.arange(n)], [np.arange(n)], [diagonal]
    for first, block in blocks:
        i, j = np.indices(block.shape)
        rows.append(first + i.ravel())
        columns.append(first + j.ravel())
        values.append(block.ravel())
    found = sp.csc_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), (n, n))
    found.eliminate_zeros()
    return found


def turning_matrix(system: System, speed: Array) -> Any:
    """W, sparse (n, n): effect of axes that rotate with `speed` on fixed coordinates."""
    blocks = []
    whole = np.kron(np.eye(2), _skew(speed))
    for k, plan in enumerate(system.nodes, 1):
        i, nd = int(system.dof0[k]), int(system.ndof[k])
        if not nd:
            continue
        if system.free_rotation[k] < 0:
            T = plan.T.copy()
            T[3:] = plan.orientation @ T[3:]
        else:  # six coordinates, or only rotations, in fixed axes
            T = np.eye(6)[:, 6 - nd :]
        block = np.linalg.lstsq(T, whole @ T, rcond=None)[0]
        if np.abs(T @ block - whole @ T).max() > 1e-9 * np.linalg.norm(speed):
            raise ModelError(
                f'turning axes: body "{plan.body.name}" moves on joints that do not rotate and cannot be described in these axes; '
                "choose a body that rotates about the axis of these joints, or omit it"
            )
        blocks.append((i, block))
    return _blocks(system.n_q, blocks, np.zeros(system.n_q))
