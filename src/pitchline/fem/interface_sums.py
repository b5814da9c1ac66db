"""Compliance of the sides of all sectors of a gear: W(o) = (1/z) Σ_n e^{iμo} A_n⁻¹, real, from one matrix a harmonic.

**Half-turn.** The tooth of a cylindrical gear is turned into itself by half a turn about its middle, radially; the low side
becomes the high one. With axes on the sides along radius, circumference and axis, the matrix J that takes the node at ζ to the
one at −ζ and (u_r, u_φ, u_z) to (u_r, −u_φ, −u_z) then has J A̅_n J = A_n. In the vectors that J keeps, and i times those
that it turns round, A_n is a real symmetric matrix: a quarter of the work. Where that is not so (conical gears), A_n is
inverted as it is, complex.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import scipy.sparse as sp

from ..errors import SolveError
from ..gears.teeth.arrays import ComplexArray, FloatArray, IntArray
from .cyclic_symmetry import CondensedSector, CyclicSector
from .dense_in_place import invert
from .elimination_threads import threads

__all__ = ["InterfaceSums"]

_ALIKE = 1e-8
"""Parts of the stiffness of the sides, by the whole, that are rounding."""


class InterfaceSums:
    """W(o), in a basis in which it is cheap.

    Parameters
    ----------
    condensed
        The stiffness of the sector.
    reach
        W(o) is computed for o = −1 … reach + 1.
    rigid
        Function that is called with A_n⁻¹ of the harmonics with rigid motions, complex, in the basis.
    progress
        Function that is called with the completed fraction, from 0 to 1.

    Attributes
    ----------
    basis
        (n_side, n_side) sparse, orthogonal: from the basis to the unknowns of a side.
    """

    def __init__(
        self,
        condensed: CondensedSector,
        reach: int,
        *,
        rigid: Callable[[int, ComplexArray], None],
        progress: Callable[[float], None] | None = None,
    ) -> None:
        self._condensed = condensed
        self.basis, self._kept = _half_turn(condensed)
        if self._kept is not None:
            self._real = self._real_parts(self._kept)
        sector = condensed.sector
        size = sector.n_side
        self._sums = np.zeros(
            (reach + 2, size, size)
        )  # lower triangles: symmetric parts, or both where they do not overlap
        self._odd = None if self._kept is not None else np.zeros_like(self._sums)
        offsets = np.arange(reach + 2)
        harmonics = [int(n) for n in sector.harmonics()]
        for n, X in self._inverses(harmonics):
            share = sector.weight(n) / sector.count
            turns = share * np.exp(1j * float(sector.angles(n)) * offsets)
            self._add(X, turns)
            if sector.rigid_shares(n).shape[1]:
                rigid(n, self._complex(X))
            if progress is not None:
                progress((n + 1) / len(harmonics))

    def _inverses(self, harmonics: list[int]) -> Iterator[tuple[int, FloatArray | ComplexArray]]:
        """Lower triangles of the inverses of all harmonics, some at a time."""
        at_once = threads()
        with ThreadPoolExecutor(at_once) as pool:
            for first in range(0, len(harmonics), at_once):
                some = harmonics[first : first + at_once]
                yield from zip(some, pool.map(self._inverse, some), strict=True)

    def _inverse(self, n: int) -> FloatArray | ComplexArray:
        A: FloatArray | ComplexArray
        if self._kept is None:
            A = np.asfortranarray(self._condensed.supported(n))
        elif self._condensed.sector.rigid_shares(n).shape[1]:
            full = self.basis.T @ self._condensed.supported(n) @ self.basis
            u = np.where(self._kept, 1.0, 1j)
            A = np.asfortranarray((u.conj()[:, None] * full * u).real)
        else:
            phase = complex(self._condensed.sector.phases([n])[0])
            own, even, odd = self._real
            A = own + phase.real * even
            A += phase.imag * odd
        if invert(A) != 0:
            raise SolveError("elastic gear: its stiffness is not positive definite. Check the grid and the material")
        return A

    def _real_parts(self, kept: np.ndarray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Of the real A_n: constant, and by cos μ and sin μ."""
        V = self.basis
        own, even, odd = (
            V.T @ (V.T @ block).T for block in self._condensed.blocks
        )  # transposed: of odd the sign changes
        same = kept[:, None] == kept
        signs = np.where(
            kept[:, None], 1.0, -1.0
        )  # −Im of kept and turned ones, Im of turned and kept ones; odd is transposed
        parts = (np.where(same, own, 0.0), np.where(same, even, 0.0), np.where(same, 0.0, signs * odd))
        return tuple(np.asfortranarray(part) for part in parts)  # type: ignore[return-value]

    def _add(self, X: FloatArray | ComplexArray, turns: ComplexArray) -> None:
        if self._odd is not None:
            for o, turn in enumerate(turns):
                self._sums[o] += turn.real * X.real
                self._odd[o] -= turn.imag * X.imag
            return
        k = self._border
        for o, turn in enumerate(turns):
            self._sums[o, :k, :k] += turn.real * X[:k, :k]
            self._sums[o, k:, k:] += turn.real * X[k:, k:]
            self._sums[o, k:, :k] -= turn.imag * X[k:, :k]

    @property
    def _border(self) -> int:
        """How many vectors of the basis are kept; they come first."""
        assert self._kept is not None
        return int(np.count_nonzero(self._kept))

    def _complex(self, X: FloatArray | ComplexArray) -> ComplexArray:
        """A_n⁻¹ in the basis, from its lower triangle."""
        full: ComplexArray = (np.tril(X) + np.tril(X, -1).conj().T).astype(np.complex128)
        if self._kept is None:
            return full
        u = np.where(self._kept, 1.0, 1j)
        result: ComplexArray = u[:, None] * full * u.conj()
        return result

    def __call__(self, offset: int) -> FloatArray:
        """W(o) in the basis, (n_side, n_side); W(−o) = W(o)ᵀ."""
        if offset < 0:
            return self(-offset).T
        even = self._sums[offset]
        if self._odd is not None:
            odd = np.tril(self._odd[offset], -1)
            return np.tril(even) + np.tril(even, -1).T + odd - odd.T
        k = self._border
        W = np.tril(even) + np.tril(even, -1).T
        W[:k, k:] = -W[k:, :k].T
        return W


def _half_turn(condensed: CondensedSector) -> tuple[sp.csr_matrix, np.ndarray | None]:
    """The basis, and which of its vectors J keeps, those first; unit vectors and None if half a revolution is not a symmetry."""
    sector = condensed.sector
    plain = sp.identity(sector.n_side, format="csr"), None
    partner = _partners(sector)
    if partner is None:
        return plain
    angle = 0.0 if sector.straight else -np.pi / sector.count  # of the low side in the middle of the face
    axes = np.array([[np.cos(angle), np.sin(angle), 0.0], [-np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]])
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    kept: list[bool] = []

    def vector(nodes: tuple[int, ...], parts: tuple[float, ...], axis: int, keeps: bool) -> None:
        for node, part in zip(nodes, parts, strict=True):
            rows.extend(range(3 * node, 3 * node + 3))
            columns.extend([len(kept)] * 3)
            values.extend(part * axes[axis])
        kept.append(keeps)

    half = float(np.sqrt(0.5))
    for node, other in enumerate(partner.tolist()):
        for axis, sign in enumerate((1.0, -1.0, -1.0)):
            if other == node:
                vector((node,), (1.0,), axis, sign > 0.0)
            elif other > node:
                vector((node, other), (half, sign * half), axis, True)
                vector((node, other), (half, -sign * half), axis, False)
    order = np.argsort(~np.array(kept), kind="stable")
    V = sp.csr_matrix((values, (rows, columns)), (sector.n_side, sector.n_side))[:, order].tocsr()
    is_kept = np.array(kept)[order]
    own, even, odd = (V.T @ (V.T @ block).T for block in condensed.blocks)
    same = is_kept[:, None] == is_kept
    most = float(np.abs(own).max())
    wrong = max(float(np.abs(part[mask]).max(initial=0.0)) for part, mask in ((own, ~same), (even, ~same), (odd, same)))
    return (V, is_kept) if wrong < _ALIKE * most else plain


def _partners(sector: CyclicSector) -> IntArray | None:
    """The node of the low side at the same radius (height of a rack) and −ζ, for each node of it; None where one has none."""
    places = sector.places[sector.n_interior // 3 :][: sector.n_side // 3]
    zeta = places[:, 2]
    radius = places[:, 0] if sector.straight else np.hypot(places[:, 0], places[:, 1])
    size = 1e-8 * float(np.abs(places).max())
    here, there = (np.lexsort((np.rint(z / size), np.rint(radius / size))) for z in (zeta, -zeta))
    partner = np.empty(len(places), dtype=np.int64)
    partner[here] = there
    apart = np.maximum(np.abs(radius[partner] - radius), np.abs(zeta[partner] + zeta))
    if apart.max() > size or not np.array_equal(partner[partner], np.arange(len(partner))):
        return None
    return partner
