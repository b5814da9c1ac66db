"""The natural modes of a gear, of all nodal diameters, up to a frequency.

Each harmonic n of the cyclic symmetry is a Hermitian problem K_n φ = λ M_n φ on one sector. All of them are solved side
by side by Lanczos' method with K_n⁻¹: the interior of the sector is factorised once for all, and its factor is applied to
the vectors of all harmonics at a time. Rigid motions (n = 0 and 1 of a gear whose bore is free) are known beforehand and
kept out; on a shaft they are not among the unknowns, and M_n is M*_n (`CyclicSector`). How many modes there are is counted by
Sylvester's law, so that none is missed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..gears.teeth.arrays import ComplexArray, FloatArray, IntArray
from .cyclic_symmetry import CondensedSector, CyclicSector
from .harmonic_solver import HarmonicSolver
from .lanczos import LanczosRun, run_together
from .sylvester import eigenvalues_below

__all__ = ["HarmonicModes", "cyclic_modes"]

_MEMORY = 1e9
"""Bytes of Lanczos vectors and interface factors to be held at a time; more harmonics than fit are taken in groups."""


@dataclass(frozen=True, eq=False)
class HarmonicModes:
    """The elastic modes of one harmonic.

    Attributes
    ----------
    harmonic
        n, the number of nodal diameters.
    eigenvalues
        (k,) λ = ω² [1/s²], ascending.
    vectors
        (k, size) on interior and low side, with φ^H M_n φ = 1 on one sector (M*_n on a shaft).
    """

    harmonic: int
    eigenvalues: FloatArray
    vectors: ComplexArray

    @property
    def frequencies(self) -> FloatArray:
        """[Hz]"""
        result: FloatArray = np.sqrt(self.eigenvalues) / (2.0 * math.pi)
        return result


def cyclic_modes(
    sector: CyclicSector,
    condensed: CondensedSector,
    *,
    up_to: float,
    progress: Callable[[float], None] | None = None,
) -> list[HarmonicModes]:
    """All elastic modes below a frequency [Hz], one entry for each harmonic n = 0 … z/2.

    Parameters
    ----------
    sector, condensed
        The sector, and its stiffness condensed to the sides.
    up_to
        [Hz]
    progress
        Function that is called with the completed fraction, from 0 to 1: the first half counts the modes, the second computes them.
    """
    limit = (2.0 * math.pi * up_to) ** 2
    harmonics = sector.harmonics()
    report = progress or (lambda part: None)
    counts = eigenvalues_below(sector, limit, condensed, lambda part: report(0.5 * part))
    known = [_orthonormal_rigid(sector, int(n)) for n in harmonics]
    total = 0 if counts is None else sum(counts) - sum(map(len, known))
    steps = 3.0 * max([20] if counts is None else counts) + 24.0
    group = max(1, int(_MEMORY / (16.0 * (sector.size * steps + sector.n_side**2))))
    modes: list[HarmonicModes] = []
    for start in range(0, len(harmonics), group):
        part = harmonics[start : start + group]
        before = sum(len(found.eigenvalues) for found in modes)

        def tell(found: int, before: int = before, start: int = start) -> None:
            report(0.5 + 0.5 * ((before + found) / total if total else start / len(harmonics)))

        runs = [
            LanczosRun(
                sector.size,
                limit,
                None if counts is None else max(counts[n] - len(known[n]), 0),
                known=known[n],
                real=sector.weight(int(n)) == 1,
                seed=int(n),
            )
            for n in part
        ]
        _run(sector, HarmonicSolver(condensed, part), part, runs, tell)
        modes += [HarmonicModes(int(n), *run.result()) for n, run in zip(part, runs, strict=True)]
    return modes


def _run(
    sector: CyclicSector,
    solver: HarmonicSolver,
    harmonics: IntArray,
    runs: list[LanczosRun],
    tell: Callable[[int], None],
) -> None:
    """Lanczos' recurrences of some harmonics, side by side."""

    def solve(f: ComplexArray, which: list[int]) -> ComplexArray:
        return solver.solve(f, harmonics[which])

    def mass(u: ComplexArray, which: list[int]) -> ComplexArray:
        return sector.mass_times(u, harmonics[which])

    run_together(runs, solve, mass, tell)


def _orthonormal_rigid(sector: CyclicSector, n: int) -> ComplexArray:
    """(k, size) the rigid motions of a harmonic that K leaves free, orthonormal in the mass of the sector."""
    rigid = sector.rigid_of(n)[:, : None if sector.bore == "free" else 0]
    gram = rigid.conj().T @ (sector.M @ rigid)
    return np.asarray(np.linalg.solve(np.linalg.cholesky(gram), rigid[: sector.size].T.conj()).conj(), np.complex128)
