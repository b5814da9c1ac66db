"""Lanczos' method with full reorthogonalisation, as a recurrence that others feed.

For K φ = λ M φ with K and M Hermitian and positive definite, the operator K⁻¹M is self-adjoint in the inner product of M;
its largest eigenvalues θ = 1/λ are found first. After j steps K⁻¹M V = V T + β v eᵀ with V M-orthonormal and T real and
tridiagonal; an eigenpair (θ, s) of T gives λ = 1/θ, φ = V s, with the residual β times the last component of s.
(B. N. Parlett, The Symmetric Eigenvalue Problem, 1998, ch. 13; T. Ericsson, A. Ruhe, Math. Comp. 35, 1980.)

One recurrence sees one vector of an eigenspace only. Eigenvalues that are found too rarely (a count, such as Sylvester's,
shows) are searched again from another start, orthogonal to all known ones: those found are locked.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.linalg as sl

from ..errors import SolveError
from ..gears.teeth.arrays import ComplexArray, FloatArray

__all__ = ["LanczosRun", "run_together"]

TOLERANCE = 1e-10
"""Residual of an eigenpair of K⁻¹M over its θ; the error of λ is of the order of its square."""
_BEYOND = 2
"""Eigenvalues beyond the limit that must have converged before a recurrence counts as exhausted."""
_RESTARTS = 8
_CHECK = 3
"""Steps between two looks at T."""


@dataclass
class _Found:
    values: list[float]
    vectors: list[ComplexArray]


class LanczosRun:
    """The eigenvalues below a limit of one pencil (K, M).

    Parameters
    ----------
    size
        Number of unknowns.
    limit
        λ below which all eigenvalues are computed.
    count
        Number of eigenvalues; None if not known: restarts then continue until one finds no more.
    known
        (k, size) M-orthonormal vectors to stay clear of: rigid motions.
    real
        Whether K and M are real, so that real vectors are sought.
    seed
        Of the random starts.
    """

    def __init__(
        self, size: int, limit: float, count: int | None, *, known: ComplexArray, real: bool = False, seed: int = 0
    ) -> None:
        self.size, self.limit, self.count = size, limit, count
        self._rng = np.random.default_rng(seed)
        self._real = real
        self._basis = np.empty((len(known) + 24, size), dtype=np.complex128)
        self._basis[: len(known)] = known
        self._locked = len(known)
        self._found = _Found([], [])
        self._converged_now = 0
        self._restarts = 0
        self.steps = 0
        self.done = count == 0
        self._begin()

    # ------------------------------------------------------------------------------------------------- the recurrence

    def _begin(self) -> None:
        self._length = self._locked
        self._diagonal: list[float] = []
        self._beside: list[float] = []
        w = self._rng.standard_normal(self.size).astype(np.complex128)
        if not self._real:
            w += 1j * self._rng.standard_normal(self.size)
        self.start: ComplexArray = w

    def _grow(self) -> None:
        if self._length == len(self._basis):
            more = np.empty((2 * len(self._basis), self.size), dtype=np.complex128)
            more[: self._length] = self._basis
            self._basis = more

    def orthogonalise(self, w: ComplexArray, mass_w: ComplexArray) -> tuple[ComplexArray, ComplexArray]:
        """w less its components along all that is known, given M w; and those components."""
        V = self._basis[: self._length]
        h: ComplexArray = (V @ mass_w.conj()).conj()
        rest: ComplexArray = w - h @ V
        return rest, h

    def accept(self, w: ComplexArray, mass_w: ComplexArray, along: float | None) -> ComplexArray:
        """Take the orthogonalised w as the next vector; `along` is the new diagonal entry of T, None at a start.

        Returns M v of the vector v that was taken. Looks for converged eigenvalues, and may end the run or restart it.
        """
        norm = math.sqrt(max(float(np.vdot(w, mass_w).real), 0.0))
        if along is not None:
            self._diagonal.append(along)
            self._beside.append(norm)
            self.steps += 1
            self._look()
            if self.done or not self._diagonal:
                return mass_w
        self._grow()
        self._basis[self._length] = w / norm
        self._length += 1
        result: ComplexArray = mass_w / norm
        return result

    @property
    def starting(self) -> bool:
        """Whether the next vector to take is a fresh start."""
        return self._length == self._locked

    # ---------------------------------------------------------------------------------------------- what it has found

    @property
    def progress(self) -> int:
        """Eigenvalues found so far."""
        return len(self._found.values) + self._converged_now

    def _look(self) -> None:
        j = len(self._diagonal)
        missing = 0 if self.count is None else self.count - len(self._found.values)
        exhausted = self._beside[-1] <= 1e-14 * max(self._diagonal) or j + self._locked >= self.size
        if not exhausted and (j < min(missing + 2, 8) or j % _CHECK):
            return
        theta, s = sl.eigh_tridiagonal(np.array(self._diagonal), np.array(self._beside[:-1]))
        good = (theta > 0.0) & ((np.abs(self._beside[-1] * s[-1]) <= TOLERANCE * np.abs(theta)) | exhausted)
        with np.errstate(divide="ignore"):
            values = np.where(theta > 0.0, 1.0 / theta, np.inf)
        below = values < self.limit
        self._converged_now = int((good & below).sum())
        complete = self.count is not None and self._converged_now == missing
        beyond = exhausted or (bool(good[below].all()) and int((good & ~below).sum()) >= _BEYOND)
        if complete or beyond:
            self._lock(values[below], s[:, below], complete)

    def _lock(self, values: FloatArray, s: FloatArray, complete: bool) -> None:
        first = self._locked
        vectors = s.T @ self._basis[first : self._length]
        self._found.values += [float(value) for value in values]
        self._found.vectors += list(vectors)
        self._converged_now = 0
        self.done = complete or (self.count is None and len(values) == 0) or first + len(values) >= self.size
        if self.done:
            return
        self._restarts += 1
        if self._restarts > _RESTARTS:
            raise SolveError(
                f"modes: {len(self._found.values)} eigenvalues were found below the limit, but Sylvester's law counts "
                f"{self.count}. Choose another frequency limit, away from a natural frequency"
            )
        self._basis[first : first + len(vectors)] = vectors
        self._locked = first + len(vectors)
        self._begin()

    def result(self) -> tuple[FloatArray, ComplexArray]:
        """λ ascending (k,), and M-orthonormal vectors (k, size)."""
        values = np.array(self._found.values)
        order = np.argsort(values)
        vectors = np.array(self._found.vectors, dtype=np.complex128).reshape(-1, self.size)
        return values[order], vectors[order]


Operator = Callable[[ComplexArray, list[int]], ComplexArray]


def run_together(
    runs: list[LanczosRun], solve: Operator, mass: Operator, progress: Callable[[int], None] | None = None
) -> None:
    """Let recurrences take their steps side by side, so that operators are applied to many vectors at a time.

    Parameters
    ----------
    runs
        Each to its end.
    solve, mass
        K⁻¹ and M applied to columns (size, k), column j in the pencil of runs[which[j]].
    progress
        Function that is called with the number of eigenvalues found so far.
    """
    active = [i for i, run in enumerate(runs) if not run.done]
    momenta: dict[int, ComplexArray] = {}
    while active:
        fresh = [runs[i].starting for i in active]
        running = [i for i, new in zip(active, fresh, strict=True) if not new]
        waiting: dict[int, ComplexArray] = {}
        if running:
            answers = solve(np.stack([momenta[i] for i in running], axis=1), running)
            waiting = {i: answers[:, j] for j, i in enumerate(running)}
        w = [np.ascontiguousarray(waiting[i]) if i in waiting else runs[i].start for i in active]
        along = [0.0] * len(active)
        for _ in range(2):  # twice is enough
            mass_w = np.ascontiguousarray(mass(np.stack(w, axis=1), active).T)
            for j, i in enumerate(active):
                w[j], h = runs[i].orthogonalise(w[j], mass_w[j])
                along[j] += float(h[-1].real) if len(h) else 0.0
        mass_w = np.ascontiguousarray(mass(np.stack(w, axis=1), active).T)
        for j, i in enumerate(active):
            momenta[i] = runs[i].accept(w[j], mass_w[j], None if fresh[j] else along[j])
        active = [i for i in active if not runs[i].done]
        if progress is not None:
            progress(sum(run.progress for run in runs))
