"""Static compliance of the flanks of a whole gear: neighbours on the same gear bend as well.

Loads E (hats on both flanks of one tooth) on the sector, harmonic n, condensed to the sides: with G = E_Bᵀ − E_Iᵀ K_II⁻¹ K_IB,

    C_n = E_Iᵀ K_II⁻¹ E_I + g_n A_n⁻¹ g_n^H ,      g_n = G_L + e^{iμ} G_H ,

and the response of tooth k + o to loads on tooth k is C(o) = (1/z) Σ_n e^{iμo} C_n. The sum is computed only on the sides: with the
real matrices W(o) = (1/z) Σ_n e^{iμo} A_n⁻¹, the compliance of the sides of sector k + o (`interface_sums`),

    C(o) = δ_o0 E_Iᵀ K_II⁻¹ E_I + [G_L G_H] [[W(o), W(o−1)], [W(o+1), W(o)]] [G_L G_H]ᵀ .

**Bore free.** The gear has no support. Its elastic compliance is defined for loads balanced by the inertia of a rigid
acceleration (inertia relief), f → f − MR (RᴴMR)⁻¹ Rᴴf, displacements counted M-orthogonally to the rigid motions R:

    C = P K⁻ Pᴴ ,   P = Eᴴ − EᴴR (RᴴMR)⁻¹ (MR)ᴴ ,

with any generalised inverse K⁻. It is Σ φφᴴ/ω² over all elastic modes. Only harmonics 0 and 1 have rigid motions. The loads MR
are carried along as six more columns of E.

**Bore on a shaft.** The same, with K held at the bore in place of K⁻; MR and RᴴMR with the masses of the bore (`CyclicSector`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import scipy.sparse as sp

from ..gears.teeth.arrays import ComplexArray, FloatArray
from .cyclic_symmetry import CondensedSector, CyclicSector
from .elimination_threads import threads
from .interface_sums import InterfaceSums

__all__ = ["by_sides", "flank_compliance", "flank_loads"]


def flank_loads(sector: CyclicSector, loads: Mapping[str, sp.csc_matrix]) -> sp.csc_matrix:
    """(n, hats) unit loads of the hats of all sides on the sector; behind them the six loads MR where the bore floats.

    loads: (3 nodes, hats) nodal forces for each side.
    """
    flanks = sector.rotation.T @ sp.hstack([loads[name] for name in loads], format="csc")
    momenta = sector.momenta[:, : 0 if sector.bore == "fixed" else 6]
    return sp.hstack([flanks, sp.csc_matrix(momenta)], format="csc")


def flank_compliance(
    condensed: CondensedSector,
    loads: sp.csc_matrix,
    sizes: Mapping[str, int],
    *,
    reach: int,
    progress: Callable[[float], None] | None = None,
) -> dict[tuple[str, str], FloatArray]:
    """C(o) [m/N] of the teeth at the offsets o = −reach … reach, (2 reach + 1, n_i, n_j) for each pair of sides.

    Parameters
    ----------
    condensed
        The stiffness of the sector, condensed with these loads.
    loads
        Of `flank_loads`.
    sizes
        Hats of each side.
    reach
        How many neighbours on either side.
    progress
        Function that is called with the completed fraction, from 0 to 1.
    """
    sector = condensed.sector
    side, own, n_hats = sector.n_side, condensed.own, sum(sizes.values())
    work = sector.rigid.T @ loads[:, :n_hats]
    balance = np.zeros((reach + 1, n_hats, n_hats))
    corrections: list[tuple[int, ComplexArray]] = []
    sums = InterfaceSums(
        condensed, reach, rigid=lambda n, answers: corrections.append((n, answers)),
        progress=None if progress is None else lambda part: progress(0.8 * part),
    )  # fmt: skip
    G, V = condensed.pulls, sums.basis
    H = np.concatenate([(V.T @ G[:, :side].T).T, (V.T @ G[:, side:].T).T], axis=1)
    for n, answers in corrections:
        correction = _balance(sector, n, answers, own, H, work)
        share = sector.weight(n) / sector.count
        for o in range(reach + 1):
            balance[o] += share * (np.exp(1j * float(sector.angles(n)) * o) * correction).real

    low, high = (np.ascontiguousarray(part) for part in (H[:n_hats, :side], H[:n_hats, side:]))

    def pulled(o: int) -> FloatArray:
        """Motion of the low side of sector k + o, by the hats that pull at the sides of sector k."""
        result: FloatArray = low @ sums(o) + high @ sums(o + 1)
        return result

    def at(o: int) -> FloatArray:
        result: FloatArray = moved[o + 1] @ low.T + moved[o] @ high.T + balance[o]
        return result

    with ThreadPoolExecutor(threads()) as pool:
        moved = list(pool.map(pulled, range(-1, reach + 1)))
        C = np.stack(list(pool.map(at, range(reach + 1))))
    C[0] += own[:n_hats, :n_hats]
    C[0] = 0.5 * (C[0] + C[0].T)
    return by_sides(C, sizes)


def _balance(
    sector: CyclicSector, n: int, answers: ComplexArray, own: FloatArray, H: FloatArray, work: FloatArray
) -> ComplexArray:
    """What inertia relief adds to C_n of the supported harmonic, hats against hats.

    With a = (RᴴMR)⁻¹ RᴴE the loads in equilibrium are E − MR a, and C = C_EE − C_ER a − aᴴ C_RE + aᴴ C_RR a, where R is used
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
