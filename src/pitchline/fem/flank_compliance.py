"""Static compliance of the flanks of a whole gear: neighbours on the same gear bend as well.

Loads E (hats on both flanks of one tooth) on the sector, harmonic n, condensed to the sides: with G = E_Bᵀ − E_Iᵀ K_II⁻¹ K_IB,

    C_n = E_Iᵀ K_II⁻¹ E_I + g_n A_n⁻¹ g_n^H ,      g_n = G_L + e^{iμ} G_H ,

and the answer of tooth k + o to loads on tooth k is C(o) = (1/z) Σ_n e^{iμo} C_n. The sum is done on the sides alone: with the
real matrices W(o) = (1/z) Σ_n e^{iμo} A_n⁻¹, the compliance of the sides of sector k + o,

    C(o) = δ_o0 E_Iᵀ K_II⁻¹ E_I + [G_L G_H] [[W(o), W(o−1)], [W(o+1), W(o)]] [G_L G_H]ᵀ .

**Bore free.** The gear is no support to itself; its elastic compliance is that to loads balanced by the inertia of a rigid
acceleration (inertia relief), f → f − MR (RᴴMR)⁻¹ Rᴴf, displacements counted M-orthogonally to the rigid motions R:

    C = P K⁻ Pᴴ ,   P = Eᴴ − EᴴR (RᴴMR)⁻¹ (MR)ᴴ ,

with any generalised inverse K⁻. It is Σ φφᴴ/ω² over all elastic modes. Harmonics 0 and 1 alone have rigid motions. The loads MR
are carried along as six more columns of E.

**Bore on a shaft.** The same, with K held at the bore in place of K⁻; MR and RᴴMR with the masses of the bore (`CyclicSector`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import scipy.linalg as sl
import scipy.sparse as sp
from scipy.linalg import lapack

from ..errors import SolveError
from ..gears.teeth.arrays import ComplexArray, FloatArray
from .cyclic_symmetry import CondensedSector, CyclicSector

__all__ = ["by_sides", "flank_compliance"]

_COLUMNS = 128
"""Loads at a time."""
_ROUNDING = 1e-14
"""Shapes of the loads on the sides smaller than this, by the largest, are rounding."""


def flank_compliance(
    condensed: CondensedSector,
    loads: Mapping[str, sp.csc_matrix],
    *,
    reach: int,
    progress: Callable[[float], None] | None = None,
) -> dict[tuple[str, str], FloatArray]:
    """C(o) [m/N] of the teeth at the offsets o = −reach … reach, (2 reach + 1, n_i, n_j) for each pair of sides.

    Parameters
    ----------
    condensed
        The stiffness of the sector.
    loads
        (3 nodes, hats) nodal forces of unit loads for each side.
    reach
        How many neighbours on either side.
    progress
        Told how much is done, from 0 to 1.
    """
    sector = condensed.sector
    side = sector.n_side
    flanks = (sector.rotation.T @ sp.hstack([loads[name] for name in loads], format="csc")).tocsc()
    n_hats = flanks.shape[1]
    momenta = sector.momenta[:, : 0 if sector.bore == "fixed" else 6]
    E = sp.hstack([flanks, sp.csc_matrix(momenta)], format="csc")
    own = np.empty((E.shape[1], E.shape[1]))
    G = np.empty((E.shape[1], 2 * side))
    for start in range(0, E.shape[1], _COLUMNS):
        part = slice(start, min(start + _COLUMNS, E.shape[1]))
        sides, forward = condensed.reduce(E[:, part].toarray())
        G[part] = sides.T
        own[:, part] = E.T @ condensed.expand(forward, np.zeros_like(sides))
        if progress is not None:
            progress(0.5 * part.stop / E.shape[1])
    own = 0.5 * (own + own.T)
    work = sector.rigid.T @ flanks

    # what the loads pull at the sides with is smooth there: a few shapes Q are enough, g = (H_L + e^{iμ} H_H) Qᵀ
    Q = _shapes(np.concatenate([G[:, :side], G[:, side:]]))
    H = np.concatenate([G[:, :side] @ Q, G[:, side:] @ Q], axis=1)
    shifts = np.arange(-1, reach + 2)
    W = np.zeros((len(shifts), Q.shape[1], Q.shape[1]))
    balance = np.zeros((reach + 1, n_hats, n_hats))
    for n in sector.harmonics():
        answers = _answers(condensed.supported(int(n)), Q)
        share = sector.weight(int(n)) / sector.count
        turns = np.exp(1j * float(sector.angles(n)) * shifts)
        for o, turn in enumerate(turns):
            W[o] += (share * turn.real) * answers.real - (share * turn.imag) * answers.imag
        if sector.rigid_shares(int(n)).shape[1]:
            correction = _balance(sector, int(n), answers, own, H, work)
            for o in range(reach + 1):
                balance[o] += share * (turns[o + 1] * correction).real
        if progress is not None:
            progress(0.5 + 0.4 * (int(n) + 1) / len(sector.harmonics()))

    H = H[:n_hats]
    result = np.empty((reach + 1, n_hats, n_hats))
    for o in range(reach + 1):
        w = np.block([[W[o + 1], W[o]], [W[o + 2], W[o + 1]]])
        result[o] = (H @ w) @ H.T + balance[o]
    result[0] += own[:n_hats, :n_hats]
    result[0] = 0.5 * (result[0] + result[0].T)
    return by_sides(result, {name: loads[name].shape[1] for name in loads})


def _shapes(G: FloatArray) -> FloatArray:
    """(n_side, r) orthonormal: all that the rows of G hold, but for rounding."""
    Q, R, _ = sl.qr(G.T, mode="economic", pivoting=True, check_finite=False)
    size = np.abs(np.diagonal(R))
    result: FloatArray = Q[:, : max(int((size > _ROUNDING * size[0]).sum()), 1)]
    return result


def _answers(A: ComplexArray, Q: FloatArray) -> ComplexArray:
    """Qᵀ A⁻¹ Q of a Hermitian positive definite matrix."""
    factor, info = lapack.zpotrf(A, lower=1)
    if info != 0:
        raise SolveError("elastic gear: its stiffness is not positive definite; check the grid and the material")
    half = sl.solve_triangular(factor, Q.astype(np.complex128), lower=True, check_finite=False)
    answers: ComplexArray = half.conj().T @ half
    return answers


def _balance(
    sector: CyclicSector, n: int, answers: ComplexArray, own: FloatArray, H: FloatArray, work: FloatArray
) -> ComplexArray:
    """What inertia relief adds to C_n of the supported harmonic, hats against hats.

    With a = (RᴴMR)⁻¹ RᴴE the loads in equilibrium are E − MR a, and C = C_EE − C_ER a − aᴴ C_RE + aᴴ C_RR a, where R stands
    for the loads MR: in E and H six real columns behind those of the hats. `work` is RᵀE of the six.
    """
    mix = sector.rigid_shares(n)
    n_hats, r = work.shape[1], len(answers)
    g = H[:, :r] + complex(sector.phases([n])[0]) * H[:, r:]
    g_rigid = mix.conj().T @ g[n_hats:]
    across = answers @ g_rigid.conj().T
    C_ER = own[:n_hats, n_hats:] @ mix + g[:n_hats] @ across
    C_RR = mix.conj().T @ own[n_hats:, n_hats:] @ mix + g_rigid @ across
    a = np.linalg.solve(mix.conj().T @ sector.gram @ mix, mix.conj().T @ work)
    half = C_ER @ a
    correction: ComplexArray = a.conj().T @ C_RR @ a - half - half.conj().T
    return correction


def by_sides(C: FloatArray, sizes: Mapping[str, int]) -> dict[tuple[str, str], FloatArray]:
    """C(o) for o = 0 … reach over all hats, cut into pairs of sides; o < 0 by C(−o) = C(o)ᵀ."""
    ends = np.cumsum([0, *sizes.values()])
    parts = {name: slice(ends[k], ends[k + 1]) for k, name in enumerate(sizes)}
    result = {}
    for i, rows in parts.items():
        for j, columns in parts.items():
            behind = C[:0:-1, columns, rows].transpose(0, 2, 1)
            result[i, j] = np.ascontiguousarray(np.concatenate([behind, C[:, rows, columns]]))
    return result
