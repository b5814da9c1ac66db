"""How many natural frequencies lie below a limit: Sylvester's law of inertia.

The number of eigenvalues of (K_n, M_n) below λ is the number of negative ones of K_n − λM_n. Condensed to the sides of
the sector, that is the number of those of its interior block, the same for all harmonics, and of the small Schur
complement A_n(λ) of each. One real factorisation counts for all harmonics.

On a shaft M_n is M_n − L G⁻¹ Lᴴ with L = MR, G = RᴴMR (`CyclicSector`). By the two ways to condense [[B, L], [Lᴴ, −G/λ]], with
B = K_n − λM_n, there are as many negative eigenvalues fewer than those of B as G/λ + Lᴴ B⁻¹ L has.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from scipy.linalg import lapack

from ..errors import SolveError
from ..gears.teeth.arrays import ComplexArray
from .cyclic_symmetry import CondensedSector, CyclicSector

__all__ = ["eigenvalues_below"]

_RESIDUAL = 1e-7
"""Largest residual of a solve by a factorisation whose signs are believed."""
_GAP = 1e-12
"""Reciprocal condition of a Schur complement below which the signs of its eigenvalues are not believed."""

_FACTORS = 0.3
"""Part of the time that the factorisation takes, roughly."""


def eigenvalues_below(
    sector: CyclicSector, limit: float, known: CondensedSector, progress: Callable[[float], None] | None = None
) -> list[int] | None:
    """How many eigenvalues λ of each harmonic n = 0 … z/2 are below a limit [1/s²], those of rigid motions of a free gear
    included.

    `known` is K condensed. None where the count cannot be trusted: an eigenvalue on the limit, an unstable factorisation.
    `progress` is called with the completed fraction, from 0 to 1.
    """
    shifted = (sector.K - limit * sector.M).tocsr()
    try:
        condensed = CondensedSector(sector, shifted, positive_definite=False, analysis=known.analysis)
    except SolveError:  # a pivot was exactly zero
        return None
    if _residual(condensed, shifted) > _RESIDUAL:
        return None
    counts = []
    for k, n in enumerate(sector.harmonics()):
        if progress is not None:
            progress(_FACTORS + (1.0 - _FACTORS) * k / len(sector.harmonics()))
        negative = _negative(condensed.interface(int(n)))
        if negative is None:
            return None
        counts.append(condensed.negative + negative)
    if sector.bore == "shaft":
        for n, fewer in enumerate(_fewer_on_a_shaft(condensed, limit)):
            if fewer is None:
                return None
            counts[n] -= fewer
    return counts


def _fewer_on_a_shaft(condensed: CondensedSector, limit: float) -> list[int | None]:
    """Negative eigenvalues of G/λ + Lᴴ B⁻¹ L of harmonics 0 and 1; None if they cannot be determined."""
    sector = condensed.sector
    side = sector.n_side
    sides, forward = condensed.reduce(sector.momenta)
    own = sector.momenta.T @ condensed.expand(forward, np.zeros_like(sides))
    result: list[int | None] = []
    for n in (0, 1):
        mix = sector.rigid_shares(n)
        if not mix.shape[1]:  # harmonic 1 of a rack
            result.append(0)
            continue
        low = (sides[:side] + sides[side:] * sector.phases([n])[0].conj()) @ mix
        answer = low.conj().T @ np.linalg.solve(condensed.interface(n), low)
        X = mix.conj().T @ (sector.gram / limit + 0.5 * (own + own.T)) @ mix + 0.5 * (answer + answer.conj().T)
        size = np.sqrt(np.diagonal(mix.conj().T @ sector.gram @ mix).real / limit)  # turns and translations alike
        result.append(_negative(X / np.outer(size, size)))
    return result


def _negative(A: ComplexArray) -> int | None:
    """Negative eigenvalues of a Hermitian matrix: those of D in its L D Lᴴ, with blocks of one or two (Bunch and Kaufman).

    None if the matrix is too close to a singular one.
    """
    factor, info = lapack.zpotrf(A, lower=1)
    if info == 0:  # most harmonics of a large gear: none is negative
        pivots = np.diagonal(factor).real ** 2
        return 0 if pivots.min() > _GAP * pivots.max() else None
    ldl, pivots, info = lapack.zhetrf(A, lower=1, lwork=64 * len(A))
    if info != 0 or lapack.zhecon(ldl, pivots, np.linalg.norm(A, 1), lower=1)[0] < _GAP:
        return None
    diagonal, beside = np.diagonal(ldl).real, np.abs(np.diagonal(ldl, -1))
    second = np.zeros(len(A), dtype=bool)  # the latter of each pair that makes a block of two
    k = 0
    while k < len(A):
        if pivots[k] < 0:
            second[k + 1] = True
            k += 1
        k += 1
    first = np.append(second[1:], False)
    # a block of two has one eigenvalue of either sign where its determinant is negative, else two of the sign of its trace
    blocks = np.flatnonzero(first)
    determinant = diagonal[blocks] * diagonal[blocks + 1] - beside[blocks] ** 2
    of_two = np.where(determinant < 0.0, 1, 2 * (diagonal[blocks] < 0.0))
    return int((diagonal[~(first | second)] < 0.0).sum() + of_two.sum())


def _residual(condensed: CondensedSector, matrix: sp.csr_matrix) -> float:
    """Of a solution with held sides, by the load."""
    inside = condensed.sector.n_interior
    load = np.random.default_rng(0).standard_normal((matrix.shape[0], 1))
    sides, forward = condensed.reduce(load)
    motion = condensed.expand(forward, np.zeros_like(sides))
    rest = (matrix @ motion - load)[:inside]
    return float(np.linalg.norm(rest) / np.linalg.norm(load[:inside]))
