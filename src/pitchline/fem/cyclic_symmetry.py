"""Cyclic symmetry: a gear is one sector repeated. Every load and motion is a sum of harmonics, each computed on one sector.

Sector j is sector 0 rotated by jα, α = 2π/z. In axes that rotate with the sector, the n-th harmonic of a motion is

    u_j = e^{inαj} u_0 ,    hence on the two sides of a sector    u_high = e^{iμ} R u_low ,   μ = nα ,

with R the rotation by α. Harmonic n has n nodal diameters. −n is its conjugate, so only n = 0 … z/2 are needed.
With the components on the high side rotated back by R, K and M of the free sector become

    K_n = K_0 + e^{iμ} K_1 + e^{−iμ} K_1ᵀ    (Hermitian, as is M_n)

on the unknowns (interior I, low side L). (D. L. Thomas, Int. J. Numer. Meth. Eng. 14, 1979, 81–102.)

The interior is the same for all harmonics: it is factorised once, real, and condensed to the sides B = (L, H),

    S = K_BB − K_BI K_II⁻¹ K_IB ,      A_n = S_LL + S_HH + e^{iμ} S_LH + e^{−iμ} S_HL ,

after which a harmonic requires only one small dense matrix A_n.

A rack is one sector repeated along y: R is then the unit matrix, and the sectors repeat after `count` of them.

**Rigid bore.** If the bore is on a stiff, free shaft, u = R q + w, where R are the rigid motions and w = 0 on the bore. With q
eliminated by the balance of momentum, the problem is that of the gear fixed at its bore, with other masses and loads,

    M* ẅ + K w = f − MR (RᴴMR)⁻¹ Rᴴf ,    M* = M − MR (RᴴMR)⁻¹ (MR)ᴴ ,

in the frame that has all momentum: w − R (RᴴMR)⁻¹ (MR)ᴴw. MR and RᴴMR include the masses of the bore. Only harmonics 0 and 1 have
rigid motions, two each. All others are those of the fixed bore. Of a rack only harmonic 0 has rigid motions, four: those along
x, y and z and that about y. A rotation about x or z grows along the rack, which its guide prevents.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from pitchline.base.types import AnyArray, ComplexArray, FloatArray, IntArray
from pitchline.errors import ModelError
from pitchline.parts.gears.geometry.inputs import Material

from .charts import RepeatedGrid, Repetition
from .elasticity import mass_matrix, stiffness_matrix
from .element_matrices import element_masses, element_stiffnesses, formulation_for
from .graded_body import GradedBody
from .sector_grid import SectorGrid
from .sparse_solver import SymbolicFactor, condense

__all__ = [
    "CondensedSector",
    "CyclicSector",
    "real_product",
    "rigid_motions",
    "ExplicitGear",
    "explicit_gear",
    "highest_element_frequency",
]


@dataclass(frozen=True, eq=False)
class CyclicSector:
    """Stiffness and mass of one sector, with the unknowns in the order interior, low side, high side.

    Components on the high side are rotated back by one pitch. The nodes of a bore that is not free are left out.

    Attributes
    ----------
    count
        z, the number of sectors.
    K
        (n, n) of the free sector [N/m], n = n_interior + 2 n_side.
    inertia
        (n, n) its mass M [kg]; None if not requested.
    n_interior, n_side
        Unknowns inside, and on one side.
    rotation
        (3 nodes, n) sparse: from the unknowns to the displacements of all nodes of the grid, in the axes of the gear.
    places
        (n / 3, 3) of their nodes [m].
    rigid
        (n, 6) the rigid motions of the whole gear on this sector: translations along x, y, z, rotations about them.
    momenta
        (n, 6) the forces M R that accelerate it so, with the masses of nodes that are left out.
    gram
        (6, 6) RᵀMR of the sector, all its nodes.
    bore
        "fixed": no rigid motions. "free": K has rigid motions. "shaft": rigid motions of the bore, separate from the unknowns.
    straight
        Whether the sectors are those of a rack.
    """

    count: int
    K: sp.csr_matrix
    inertia: sp.csr_matrix | None
    n_interior: int
    n_side: int
    rotation: sp.csr_matrix
    places: FloatArray
    rigid: FloatArray
    momenta: FloatArray
    gram: FloatArray
    bore: str
    straight: bool = False

    @classmethod
    def of(
        cls,
        grid: RepeatedGrid,
        material: Material,
        *,
        bore: str,
        repetition: Repetition | None = None,
        formulation: str | None = None,
        body: GradedBody | None = None,
        massless: bool = False,
    ) -> CyclicSector:
        """Create the sector of a grid, with its bore "fixed", "free" or "shaft".

        repetition: that of the grid without it. body: fewer unknowns inside the gear body, for statics with a fixed bore.
        massless: without M, for the same.
        """
        if (massless or body is not None) and bore != "fixed":
            raise ModelError(f'cyclic sector: bore "{bore}" requires the masses and rigid motions of all nodes')
        K = stiffness_matrix(grid.solid, material, formulation=formulation)
        M = None if massless else mass_matrix(grid.solid, material)
        of = grid if body is None else body
        nodes = np.asarray(grid.solid.nodes if body is None else body.places, dtype=np.float64)
        low, high = np.asarray(of.low_side), np.asarray(of.high_side)
        if len(np.intersect1d(low, high)):
            raise ModelError(
                "elastic gear: the sides of the sector share nodes on the axis. The grid of a gear requires a bore. "
                "Specify the bore of the gear"
            )
        repeated = repetition or grid.repetition
        turn = repeated.turn
        reach = float(np.abs(nodes).max())
        if np.abs(nodes[low] @ turn.T + repeated.shift - nodes[high]).max() > 1e-9 * reach:
            raise ModelError("elastic gear: the high side of the sector is not its low side moved by one pitch")
        held = np.asarray([] if bore == "free" else of.bore, dtype=np.int64)
        low, high = (side[~np.isin(side, held)] for side in (low, high))
        inside = np.setdiff1d(np.arange(len(nodes)), np.concatenate([low, high, held]))
        order = np.concatenate([inside, low, high])
        unknowns = (3 * order[:, None] + np.arange(3)).ravel().astype(np.int64)
        # turned components on the high side: u_grid = rotation @ u
        blocks = np.broadcast_to(np.eye(3), (len(order), 3, 3)).copy()
        blocks[len(order) - len(high) :] = turn
        diagonal = sp.bsr_matrix((blocks, np.arange(len(order)), np.arange(len(order) + 1)))
        place = sp.csr_matrix(
            (np.ones(len(unknowns)), (unknowns, np.arange(len(unknowns)))), (3 * len(nodes), len(unknowns))
        )
        rotation = (place @ diagonal).tocsr()
        rotation.eliminate_zeros()
        rigid = rotation.T @ rigid_motions(nodes)
        if body is not None:
            rotation = (body.shapes @ rotation).tocsr()
        momenta, gram = np.zeros((len(unknowns), 6)), np.zeros((6, 6))
        if M is not None:
            all_rigid = rigid_motions(np.asarray(grid.solid.nodes, dtype=np.float64))
            all_momenta = M @ all_rigid
            momenta, gram = rotation.T @ all_momenta, all_rigid.T @ all_momenta
        return cls(
            count=repeated.count,
            K=_turned(K, rotation),
            inertia=None if M is None else _turned(M, rotation),
            n_interior=3 * len(inside),
            n_side=3 * len(low),
            rotation=rotation,
            places=nodes[order],
            rigid=rigid,
            momenta=momenta,
            gram=gram,
            bore=bore,
            straight=repeated.straight,
        )

    @property
    def M(self) -> sp.csr_matrix:
        """(n, n) mass of the free sector [kg]."""
        if self.inertia is None:
            raise ModelError("cyclic sector: created without masses, only for statics")
        return self.inertia

    @property
    def size(self) -> int:
        """Unknowns of one harmonic: interior and low side."""
        return self.n_interior + self.n_side

    def harmonics(self) -> IntArray:
        """n = 0 … z/2, all that are different."""
        return np.arange(self.count // 2 + 1)

    def angles(self, harmonics: npt.ArrayLike) -> FloatArray:
        """μ = 2πn/z [rad]."""
        result: FloatArray = 2.0 * math.pi * np.asarray(harmonics) / self.count
        return result

    def weight(self, n: int) -> int:
        """Number of harmonics that n represents: 2, or 1 if n and −n are the same."""
        return 1 if n == 0 or 2 * n == self.count else 2

    def phases(self, harmonics: npt.ArrayLike) -> ComplexArray:
        """e^{iμ}; exactly ±1 if it is real."""
        n = np.asarray(harmonics)
        phase: ComplexArray = np.exp(1j * self.angles(n))
        phase[n == 0] = 1.0
        phase[2 * n == self.count] = -1.0
        return phase

    def unfold(self, u: ComplexArray, phases: ComplexArray) -> ComplexArray:
        """From interior and low side (size, k) of k harmonics to the unknowns of the sector (n, k)."""
        return np.concatenate([u, u[self.n_interior :] * phases])

    def fold(self, f: ComplexArray, phases: ComplexArray) -> ComplexArray:
        """Forces on the sector (n, k) as those on interior and low side (size, k): the adjoint of `unfold`."""
        folded = np.ascontiguousarray(f[: self.size])
        folded[self.n_interior :] += f[self.size :] * phases.conj()
        return folded

    def mass_times(self, u: ComplexArray, harmonics: IntArray) -> ComplexArray:
        """M_n u for k harmonics at a time, (size, k); M*_n u of a gear on a shaft."""
        phases = self.phases(harmonics)
        result = self.fold(real_product(self.M, self.unfold(u, phases)), phases)
        if self.bore == "shaft":
            for j in np.flatnonzero(np.asarray(harmonics) <= 1):
                L, gram = self._coupling[int(harmonics[j])]
                result[:, j] -= L @ np.linalg.solve(gram, L.conj().T @ u[:, j])
        return result

    def seen(self, u: ComplexArray, n: int) -> ComplexArray:
        """Modes of harmonic n (size, k) on the sector (n, k), from the frame of the gear: that which takes all momentum."""
        whole = self.unfold(u, self.phases([n]))
        if self.bore != "shaft" or n > 1:
            return whole  # fixed, or orthogonal to the rigid motions anyway
        L, gram = self._coupling[n]
        return whole - self.rigid_of(n) @ np.linalg.solve(gram, L.conj().T @ u)

    @cached_property
    def _coupling(self) -> list[tuple[ComplexArray, ComplexArray]]:
        """MR (size, 2) and RᴴMR (2, 2) of the rigid motions among harmonics 0 and 1."""
        result = []
        for n in (0, 1):
            shares = self.rigid_shares(n)
            L = self.fold(self.momenta @ shares, self.phases([n]))
            result.append((L, shares.conj().T @ self.gram @ shares))
        return result

    def rigid_shares(self, n: int) -> ComplexArray:
        """(6, k) the rigid motions of harmonic n as combinations of the six of `rigid`; none if the bore is fixed.

        n = 0: along and about z. n = 1: x + iy of both, because a rotation by α transforms (1, i, 0) to e^{−iα} (1, i, 0).
        Of a rack n = 0: along x, y and z, and about y.
        """
        if self.straight:
            free = [] if self.bore == "fixed" or n else [0, 1, 2, 4]
            return np.eye(6, dtype=np.complex128)[:, free]
        shares = np.zeros((6, 0 if self.bore == "fixed" or n > 1 else 2), dtype=np.complex128)
        if shares.shape[1]:
            shares[[2, 5] if n == 0 else [0, 3], [0, 1]] = 1.0
        if shares.shape[1] and n == 1:
            shares[[1, 4], [0, 1]] = 1j
        return shares

    def rigid_of(self, n: int) -> ComplexArray:
        """(n, k) the rigid motions among harmonic n on the sector."""
        result: ComplexArray = self.rigid @ self.rigid_shares(n)
        return result


def _turned(matrix: sp.csr_matrix, rotation: sp.csr_matrix) -> sp.csr_matrix:
    """RᵀAR, exactly symmetric: sums that cancel may be missing on only one side of the diagonal."""
    product = rotation.T @ matrix @ rotation
    return (0.5 * (product + product.T)).tocsr()


def rigid_motions(nodes: FloatArray) -> FloatArray:
    """(3 nodes, 6): displacements of a unit translation along x, y, z and a unit rotation about them."""
    n = len(nodes)
    result = np.zeros((n, 3, 6))
    result[:, [0, 1, 2], [0, 1, 2]] = 1.0
    for k, axis in enumerate(np.eye(3)):
        result[:, :, 3 + k] = np.cross(axis, nodes)
    return result.reshape(3 * n, 6)


def real_product(matrix: sp.csr_matrix | FloatArray, u: ComplexArray) -> ComplexArray:
    """A real matrix times complex columns, as twice as many real ones."""
    columns = np.ascontiguousarray(u).view(np.float64)
    result: ComplexArray = np.ascontiguousarray(matrix @ columns).view(np.complex128)
    return result


class CondensedSector:
    """A symmetric matrix of the sector condensed to its sides: one real factorisation for all harmonics.

    Parameters
    ----------
    sector
    matrix
        Symmetric, on the unknowns of the sector: K by default, whose interior block is positive definite.
    positive_definite
        Whether the interior block is; false for K − λM.
    analysis
        Symbolic analysis of another matrix of the same sector.
    loads
        (n, k) sparse, loads on the sector that are condensed along with it.
    keep_factors
        False if `reduce` and `expand` are not needed.

    Attributes
    ----------
    schur : (2 n_side, 2 n_side)
        S.
    pulls : (k, 2 n_side)
        G = E_Bᵀ − E_Iᵀ K_II⁻¹ K_IB: forces of the loads E on the sides.
    own : (k, k)
        E_Iᵀ K_II⁻¹ E_I: compliance to the loads with fixed sides.
    negative : int
        Negative eigenvalues of the interior block.
    """

    def __init__(
        self,
        sector: CyclicSector,
        matrix: sp.csr_matrix | None = None,
        *,
        positive_definite: bool = True,
        analysis: SymbolicFactor | None = None,
        loads: sp.csc_matrix | None = None,
        keep_factors: bool = True,
    ) -> None:
        self.sector = sector
        A = sp.csc_matrix(sector.K if matrix is None else matrix)
        n, m = A.shape[0], 2 * sector.n_side
        self._loads = 0 if loads is None else loads.shape[1]
        places = np.repeat(sector.places, 3, axis=0)
        if loads is not None:  # as unknowns that are kept: what is left on them is G and −own
            A = sp.csc_matrix(sp.bmat([[A, loads], [loads.T, None]]))
            places = np.concatenate([places, np.zeros((self._loads, 3))])
        A.sort_indices()
        kept = np.arange(sector.n_interior, A.shape[0])
        known = analysis if analysis is not None and analysis.fits(A) else None
        self._condensed = condense(
            A, kept, positive_definite=positive_definite, coordinates=places, analysis=known, keep_factors=keep_factors
        )
        self.analysis = self._condensed.analysis
        self.negative = self._condensed.negative
        S: FloatArray = self._condensed.matrix
        self.schur = 0.5 * (S[:m, :m] + S[:m, :m].T)
        self.pulls: FloatArray = S[m:, :m]
        self.own = -0.5 * (S[m:, m:] + S[m:, m:].T)
        self._size = n

    def reduce(self, f: AnyArray) -> tuple[AnyArray, AnyArray]:
        """Forces on the sector (n, k) condensed to its sides (2 n_side, k), and the data that `expand` needs."""
        sides, forward = self._condensed.reduce(np.concatenate([f, np.zeros((self._loads, f.shape[1]))]))
        return sides[: 2 * self.sector.n_side], forward

    def expand(self, forward: AnyArray, sides: AnyArray) -> AnyArray:
        """Motion of the sector (n, k) from that of its sides (2 n_side, k)."""
        motion = self._condensed.expand(forward, np.concatenate([sides, np.zeros((self._loads, sides.shape[1]))]))
        return motion[: self._size]

    @cached_property
    def blocks(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """S_LL + S_HH, S_LH + S_HL and S_LH − S_HL."""
        m = self.sector.n_side
        S = self.schur
        across = S[:m, m:]
        return S[:m, :m] + S[m:, m:], across + across.T, across - across.T

    def interface(self, n: int) -> ComplexArray:
        """A_n (n_side, n_side), Hermitian."""
        own, even, odd = self.blocks
        phase = complex(self.sector.phases([n])[0])
        A = np.empty(own.shape, dtype=np.complex128)
        A.real = own + phase.real * even
        A.imag = phase.imag * odd
        return A

    def supported(self, n: int) -> ComplexArray:
        """A_n, made positive definite if the harmonic has rigid motions without strain energy.

        A stiffness of average size is added along the rigid motions of the sides. It has no effect on loads in equilibrium:
        their solutions differ at most by a rigid motion.
        """
        A = self.interface(n)
        rigid = self.sector.rigid_of(n)
        if self.sector.bore == "free" and rigid.shape[1]:
            low = rigid[self.sector.n_interior : self.sector.size]
            Q = np.linalg.qr(low)[0]
            A = A + (float(np.trace(A).real) / len(A)) * (Q @ Q.conj().T)
        return A


# ---- explicit gear

# Finite elements of a whole gear for explicit steps: stiffness of one sector, lumped masses, and the longest stable
# step.
#
# Elements have 8 nodes, with incompatible modes so that teeth bend as they should. The highest frequency of the
# assembled elements is not above the highest frequency of a single one (B. Irons 1970), so that the step follows from
# the elements, each for itself.

_CHUNK = 256
LANES = 4


@dataclass(frozen=True, eq=False)
class ExplicitGear:
    """A gear for explicit steps.

    Attributes
    ----------
    sector : CyclicSector
    stiffness : sparse, blocks of 3 × 3
    mass : (size,)
        Lumped masses of the unknowns inside and on the low side [kg].
    rigid : (size, 6)
    inverse : (6, 6)
        Of RᵀMR of the whole gear.
    places : (nodes,)
        First unknown of every node of the sector.
    frequency : float
        Upper bound of the natural frequencies [Hz].
    nodes : int
        Of the whole gear.
    """

    sector: CyclicSector
    stiffness: sp.bsr_matrix
    mass: FloatArray
    rigid: FloatArray
    inverse: FloatArray
    places: IntArray
    frequency: float
    nodes: int

    @property
    def width(self) -> int:
        """Sectors, filled up to a multiple of four."""
        return -(-self.sector.count // LANES) * LANES


def explicit_gear(grid: SectorGrid, material: Material, *, formulation: str | None = None) -> ExplicitGear:
    """The finite elements of a gear with a free bore."""
    if grid.solid.order != 1:
        raise ModelError("explicit steps need a grid of 8-node elements. Specify order = 1")
    kind = formulation_for(8, formulation)
    sector = CyclicSector.of(grid, material, bore="free", formulation=kind)
    lumped = mass_matrix(grid.solid, material, lumped=True).diagonal()
    # nodes in the order of the unknowns: inside, low side, high side
    low, high = np.asarray(grid.low_side), np.asarray(grid.high_side)
    inside = np.setdiff1d(np.arange(len(grid.solid.nodes)), np.concatenate([low, high]))
    numbers = np.concatenate([inside, low, high])
    places = np.empty(len(numbers), dtype=np.int64)
    places[numbers] = 3 * np.arange(len(numbers))
    each = lumped[::3][numbers]
    nodes = len(inside) + len(low)
    mass = each[:nodes].copy()
    mass[len(inside) :] += each[nodes:]
    mass = np.repeat(mass, 3)
    rigid = np.ascontiguousarray(sector.rigid[: sector.size])
    gram = np.zeros((6, 6))
    own = rigid.T @ (mass[:, None] * rigid)
    for k in range(sector.count):
        angle = 2.0 * math.pi * k / sector.count
        c, s = math.cos(angle), math.sin(angle)
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        both = np.block([[turn, np.zeros((3, 3))], [np.zeros((3, 3)), turn]])
        gram += both @ own @ both.T
    return ExplicitGear(
        sector, sp.bsr_matrix(sector.K, blocksize=(3, 3)), mass, rigid, np.asarray(np.linalg.inv(gram), np.float64), places,
        highest_element_frequency(grid, material, kind), sector.count * nodes,
    )  # fmt: skip


def highest_element_frequency(grid: SectorGrid, material: Material, formulation: str) -> float:
    """The highest natural frequency of a single element with lumped masses [Hz]."""
    highest = 0.0
    solid = grid.solid
    for start in range(0, len(solid.elements), _CHUNK):
        at = np.asarray(solid.nodes, dtype=np.float64)[solid.elements[start : start + _CHUNK]]
        K = element_stiffnesses(
            at, youngs_modulus=material.youngs_modulus, poissons_ratio=material.poissons_ratio, formulation=formulation,
            first=start,
        )  # fmt: skip
        M = element_masses(at, density=material.density, first=start)
        diagonal = np.einsum("eaa->ea", M)
        diagonal = diagonal * (M.sum(axis=(1, 2)) / diagonal.sum(axis=1))[:, None]
        root = 1.0 / np.sqrt(np.repeat(diagonal, 3, axis=1))
        scaled = K * root[:, :, None] * root[:, None, :]
        highest = max(highest, float(np.linalg.eigvalsh(scaled)[:, -1].max()))
    return math.sqrt(highest) / (2.0 * math.pi)
