"""Statics and modes of a whole gear without symmetry.

**Statics.** The loads E on the flanks of all teeth are kept as unknowns while the stiffness is eliminated, which
leaves Eᵀ K⁻¹ E. A gear
whose bore floats is balanced by its inertia, as in `flank_compliance`: with the rigid motions R, G = RᵀMR and a = G⁻¹ RᵀE,

    C = C_EE − C_ER a − aᵀ C_RE + aᵀ C_RR a ,

where R is used for six more loads MR. K is held at the bore ("fixed", "shaft"), or in six degrees of freedom ("free").

**Modes.** K φ = λ M φ by Lanczos' method (ARPACK) with a factor of K + σM. How many there are below the limit is
counted by Sylvester's
law. On a shaft the mass is M* = M − MR G⁻¹ (MR)ᵀ, and there are as many modes fewer as G/λ + (MR)ᵀ (K − λM)⁻¹ MR has negative
eigenvalues (`node_modes`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import scipy.linalg as sl
import scipy.sparse as sp
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from pitchline.base.progress.display import note
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, SolveError
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.inputs import Material
from pitchline.parts.gears.surfaces.from_gears import SurfaceTeeth
from pitchline.parts.gears.teeth.teeth import Teeth

from ..cyclic_symmetry import CondensedSector, CyclicSector, rigid_motions
from ..elastic_gear import ElasticGear
from ..gear_file import by_sides, flank_compliance, flank_loads
from ..node_modes import cyclic_modes
from ..sparse_solver import Factorised, SymbolicFactor, analyse, condense, factorise, one_blas_thread
from .bore_nodes import bore_of, flank_faces, involute_offsets
from .flank_hats import hat_plan, tooth_loads
from .gear_solid import Cuts, GearSolid, MeshedGear, find_cuts, gear_solid, rotated
from .inp_mesh import mesh_matrices
from .whole_elastic_gear import MeshResults, WholeElasticGear, by_tooth, check_equations, check_factor, kept, mesh_key

__all__ = ["sector_results", "whole_results", "built_from"]


# ---- sector results

# Statics and modes of a gear from a mesh of one tooth, by cyclic symmetry.


def sector_results(
    solid: GearSolid,
    cuts: Cuts,
    bore_nodes: IntArray,
    loads: Mapping[str, sp.csc_matrix],
    *,
    teeth: int,
    bore: str,
    limit: float,
    reach: int,
    tell: Callable[[float, str], None],
) -> MeshResults:
    """All of a gear whose bore is "fixed", "free" or "shaft". loads: of both sides of the tooth. limit: of the modes [Hz]."""
    tell(0.0, "assembling")
    K, M = mesh_matrices(solid.mesh)
    sector = _cyclic(solid, K, M, cuts, bore_nodes, teeth, bore)
    tell(0.1, "factorising")
    all_loads = flank_loads(sector, loads)
    condensed = CondensedSector(sector, loads=all_loads, keep_factors=limit > 0.0)
    statics = 0.4 if limit else 1.0
    tell(0.25, "compliance")
    sizes = {side: load.shape[1] for side, load in loads.items()}
    blocks = flank_compliance(
        condensed, all_loads, sizes, reach=reach, progress=lambda p: tell(0.25 + (statics - 0.25) * p, "compliance")
    )
    names = tuple(sizes)
    C = np.block([[blocks[i, j][reach:] for j in names] for i in names])
    modes = []
    if limit:
        tell(0.4, "modes")
        modes = cyclic_modes(sector, condensed, up_to=limit, progress=lambda part: tell(0.4 + 0.6 * part, "modes"))
    seen = (sp.hstack([loads[name] for name in names]).T @ sector.rotation).tocsr()
    traces = [np.zeros((0, seen.shape[0]), dtype=np.complex128)]
    for m in modes:
        scale = math.sqrt(sector.weight(m.harmonic) / sector.count)
        traces.append(scale * (seen @ sector.seen(np.ascontiguousarray(m.vectors.T), m.harmonic)).T)
    frequencies = np.concatenate([m.frequencies for m in modes]) if modes else np.zeros(0)
    diameters = np.concatenate([np.full(len(m.eigenvalues), m.harmonic) for m in modes]) if modes else np.zeros(0, int)
    order = np.argsort(frequencies, kind="stable")
    mass, centre, inertia = _whole(sector.gram, teeth)
    tell(1.0, "done")
    return MeshResults(
        C,
        frequencies[order],
        diameters[order].astype(np.int64),
        np.ascontiguousarray(np.concatenate(traces)[order]),
        mass,
        centre,
        inertia,
    )


def _cyclic(
    solid: GearSolid, K: sp.csc_matrix, M: sp.csc_matrix, cuts: Cuts, bore_nodes: IntArray, teeth: int, bore: str
) -> CyclicSector:
    """Unknowns in the order interior, low, high; see `CyclicSector`."""
    nodes = solid.nodes
    low, high = cuts
    if len(np.intersect1d(low, high)):
        raise ModelError(f"{solid.what}: the cuts share nodes on the axis. A gear requires a bore")
    alpha = 2.0 * math.pi / teeth
    turn = np.array([[math.cos(alpha), -math.sin(alpha), 0.0], [math.sin(alpha), math.cos(alpha), 0.0], [0, 0, 1.0]])
    held = np.zeros(0, dtype=np.int64) if bore == "free" else bore_nodes
    stays = ~np.isin(low, held)
    if (np.isin(high, held) == stays).any():
        node = int(low[np.isin(high, held) == stays][0])
        raise ModelError(
            f"{solid.what}: node {solid.mesh.label(node)} on the low cut and its match on the high cut must both belong to the bore"
        )
    low, high = low[stays], high[stays]
    inside = np.setdiff1d(np.arange(len(nodes)), np.concatenate([low, high, held]))
    order = np.concatenate([inside, low, high])
    unknowns = (3 * order[:, None] + np.arange(3)).ravel().astype(np.int64)
    blocks = np.broadcast_to(np.eye(3), (len(order), 3, 3)).copy()
    blocks[len(order) - len(high) :] = turn
    diagonal = sp.bsr_matrix((blocks, np.arange(len(order)), np.arange(len(order) + 1)))
    place = sp.csr_matrix(
        (np.ones(len(unknowns)), (unknowns, np.arange(len(unknowns)))), (3 * len(nodes), len(unknowns))
    )
    rotation = (place @ diagonal).tocsr()
    rotation.eliminate_zeros()
    rigid = rigid_motions(nodes)
    momenta = M @ rigid

    def turned(matrix: sp.csc_matrix) -> sp.csr_matrix:
        product = rotation.T @ matrix @ rotation
        return (0.5 * (product + product.T)).tocsr()

    return CyclicSector(
        count=teeth,
        K=turned(K),
        inertia=turned(M),
        n_interior=3 * len(inside),
        n_side=3 * len(low),
        rotation=rotation,
        places=nodes[order],
        rigid=rotation.T @ rigid,
        momenta=rotation.T @ momenta,
        gram=rigid.T @ momenta,
        bore=bore,
    )


def _whole(gram: FloatArray, teeth: int) -> tuple[float, FloatArray, FloatArray]:
    """Mass, centre and inertia of all sectors from RᵀMR of one."""
    mass = teeth * float(np.trace(gram[:3, :3])) / 3.0
    centre = teeth * float(gram[0, 4]) / mass
    polar = float(gram[5, 5])
    axial = 0.5 * float(gram[3, 3] + gram[4, 4] - gram[5, 5])  # ∫ρ z²
    across = teeth * (0.5 * polar + axial) - mass * centre**2
    return mass, np.array([0.0, 0.0, centre]), np.diag([across, across, teeth * polar])


MOST_MODES = 2000
_SHIFT = 1e-4
"""σ by the square of the limit: K + σM of a floating gear is positive definite."""
_RIGID = 1e-5
"""Frequencies of rigid motions, by the limit, are below this."""
_COLUMNS = 20_000
"""Of the stiffness that are joined with the loads at a time."""
_DENSE = 500
"""Unknowns up to which modes are computed with dense matrices."""


def whole_results(
    solid: GearSolid,
    bore_nodes: IntArray,
    loads: sp.csc_matrix,
    *,
    bore: str,
    limit: float,
    tell: Callable[[float, str], None],
) -> MeshResults:
    """All of a gear whose bore is "fixed", "free" or "shaft". loads: (3 nodes, loads) of all teeth. limit: of the modes [Hz]."""
    tell(0.0, "assembling")
    check_equations(solid.mesh, loads.shape[1], solid.what)
    K, M = mesh_matrices(solid.mesh)
    rigid = rigid_motions(solid.nodes)
    momenta = M @ rigid
    gram = rigid.T @ momenta
    held = np.zeros(0, dtype=np.int64) if bore == "free" else (3 * bore_nodes[:, None] + np.arange(3)).ravel()
    free = np.setdiff1d(np.arange(K.shape[0]), held)
    body = _WholeBody(
        K[free][:, free].tocsc(),
        M[free][:, free].tocsc(),
        rigid[free],
        momenta[free],
        gram,
        solid.nodes[free // 3],
        bore,
    )
    del K, M  # large
    on_free = loads.tocsr()[free].tocsc()
    tell(0.1, "compliance")
    compliance = body.compliance(on_free, solid.what, last=not limit)
    frequencies, traces = np.zeros(0), np.zeros((0, loads.shape[1]))
    if limit:
        tell(0.5, "counting modes")
        frequencies, vectors = body.modes(limit, solid.what, lambda part: tell(0.5 + 0.5 * part, "modes"))
        traces = np.ascontiguousarray((on_free.T @ vectors).T)
    mass = float(np.trace(gram[:3, :3])) / 3.0
    S = gram[3:, :3] / mass
    centre = 0.5 * np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]])
    inertia = gram[3:, 3:] - mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    tell(1.0, "done")
    return MeshResults(
        compliance,
        frequencies,
        np.zeros(len(frequencies), dtype=np.int64),
        traces,
        mass,
        centre,
        0.5 * (inertia + inertia.T),
    )


class _WholeBody:
    """Stiffness and mass of the unknowns, rigid motions R, MR and G with the masses of a bore that is held."""

    def __init__(
        self,
        K: sp.csc_matrix,
        M: sp.csc_matrix,
        rigid: FloatArray,
        momenta: FloatArray,
        gram: FloatArray,
        places: FloatArray,
        bore: str,
    ) -> None:
        self.K, self.M, self.rigid, self.momenta, self.gram = K, M, rigid, momenta, gram
        self.places, self.bore = places, bore
        self.floats = bore != "fixed"
        self.analysis: SymbolicFactor | None = None

    def compliance(self, loads: sp.csc_matrix, what: str, *, last: bool) -> FloatArray:
        """(loads, loads) [m/N]. last: the matrices are not needed afterwards."""
        all_loads = sp.hstack([loads, sp.csc_matrix(self.momenta)], format="csc") if self.floats else loads
        K, places = self.K, self.places
        if self.bore == "free":
            # six degrees of freedom, as far apart as can be, hold the body; loads in equilibrium do not notice
            _, _, order = sl.qr((self.rigid / np.abs(self.rigid).max(axis=0)).T, mode="economic", pivoting=True)
            stay = np.setdiff1d(np.arange(K.shape[0]), order[:6])
            K, places, all_loads = K[stay][:, stay], places[stay], all_loads.tocsr()[stay].tocsc()
        n, m = all_loads.shape
        A = _bordered(K, all_loads)
        del K
        if last:
            self.K = self.M = sp.csc_matrix((0, 0))
        at = np.concatenate([places, np.zeros((m, 3))])
        kept = np.arange(n, n + m)
        analysis = analyse(A, coordinates=at, last=kept)
        check_factor(analysis.tree, len(self.places) // 3, what, kept=False)
        try:
            found = condense(A, kept, positive_definite=True, analysis=analysis, keep_factors=False)
        except SolveError:
            raise ModelError(
                f"{what}: the stiffness of the mesh has motions without strain. Look for parts that are connected "
                f"along an edge only, "
                "and for a bore with too few nodes"
            ) from None
        C = -0.5 * (found.matrix + found.matrix.T)
        if not self.floats:
            return np.ascontiguousarray(C)
        k = loads.shape[1]
        work = np.asarray((loads.T @ self.rigid).T)
        a = np.linalg.solve(self.gram, work)
        half = C[:k, k:] @ a
        result = C[:k, :k] - half - half.T + a.T @ C[k:, k:] @ a
        return np.ascontiguousarray(0.5 * (result + result.T))

    # ------------------------------------------------------------------------------------------------------------ modes

    def mass_times(self, u: FloatArray) -> FloatArray:
        """M u, or M* u on a shaft."""
        found: FloatArray = self.M @ u
        if self.bore == "shaft":
            found = found - self.momenta @ np.linalg.solve(self.gram, self.momenta.T @ u)
        return found

    def _factor(self, A: sp.csc_matrix, what: str, *, positive_definite: bool) -> Factorised:
        """Factorised, in the order of elimination of an earlier matrix of the same pattern."""
        if self.analysis is None or not self.analysis.fits(A):
            self.analysis = analyse(A, coordinates=self.places)
            check_factor(self.analysis.tree, len(self.places) // 3, what, kept=True)
        return factorise(A, positive_definite=positive_definite, analysis=self.analysis)

    def count_below(self, square: float, what: str) -> int:
        """Modes with ω² below a number, with those of rigid motions of a free gear."""
        B = (self.K - square * self.M).tocsc()
        try:
            factor = self._factor(B, what, positive_definite=False)
        except SolveError:  # a pivot was exactly zero
            return self.count_below(square * (1.0 + 1e-7), what)
        assert factor.negative is not None
        count = int(factor.negative)
        if self.bore == "shaft":
            X = self.gram / square + self.momenta.T @ factor.solve(self.momenta)
            size = np.sqrt(np.diagonal(self.gram) / square)
            count -= int((np.linalg.eigvalsh(0.5 * (X + X.T) / np.outer(size, size)) < 0.0).sum())
        return count

    def modes(self, limit: float, what: str, tell: Callable[[float], None]) -> tuple[FloatArray, FloatArray]:
        """Natural frequencies [Hz] below a limit, ascending, and modes by columns with unit modal mass; without rigid motions."""
        top = (2.0 * math.pi * limit) ** 2
        count = self.count_below(top, what)
        tell(0.3)
        rigid = 6 if self.bore == "free" else 0
        n = self.K.shape[0]
        if count <= rigid:
            return np.zeros(0), np.zeros((n, 0))
        if count - rigid > MOST_MODES:
            raise ModelError(
                f"elastic gear: there are {count - rigid} modes below {limit:g} Hz, at most {MOST_MODES} are "
                f"computed. Use a lower up_to"
            )
        values, vectors = self._dense(top) if n <= _DENSE else self._lanczos(top, count, what, tell)
        own = values > (_RIGID**2) * top if rigid else np.ones(len(values), dtype=bool)
        if int(own.sum()) != count - rigid:
            raise SolveError(
                f"modes: {int(own.sum())} were found below {limit:g} Hz, but Sylvester's law counts "
                f"{count - rigid}. Choose another "
                "frequency limit, away from a natural frequency"
            )
        vectors = vectors[:, own]
        if self.bore == "shaft":  # seen from the frame that has all momentum
            vectors = vectors - self.rigid @ np.linalg.solve(self.gram, self.momenta.T @ vectors)
        return np.sqrt(values[own]) / (2.0 * math.pi), vectors

    def _dense(self, top: float) -> tuple[FloatArray, FloatArray]:
        values, vectors = sl.eigh(self.K.toarray(), self.mass_times(np.eye(self.K.shape[0])))
        return values[values < top], vectors[:, values < top]

    def _lanczos(
        self, top: float, count: int, what: str, tell: Callable[[float], None]
    ) -> tuple[FloatArray, FloatArray]:
        n = self.K.shape[0]
        shift = _SHIFT * top if self.bore == "free" else 0.0  # without a shift M* does not matter
        factor = self._factor((self.K + shift * self.M).tocsc(), what, positive_definite=True)
        tell(0.5)

        def solve(f: FloatArray) -> FloatArray:
            return np.asarray(factor.solve(np.asarray(f, dtype=np.float64).reshape(n, -1))).reshape(np.shape(f))

        def mass(u: FloatArray) -> FloatArray:
            return self.mass_times(np.asarray(u, dtype=np.float64))

        invert = LinearOperator((n, n), matvec=solve, dtype=np.float64)
        M = LinearOperator((n, n), matvec=mass, dtype=np.float64)
        for attempt in range(3):
            k = min(count + 2 + 6 * attempt, n - 2)
            start = np.random.default_rng(attempt).standard_normal(n)
            try:
                values, vectors = eigsh(
                    self.K, k, M, sigma=-shift, OPinv=invert, v0=solve(mass(start)), ncv=min(n - 1, 2 * k + 24), tol=0.0
                )
            except ArpackError as error:
                raise SolveError(f"modes: Lanczos' method failed ({error})") from None
            order = np.argsort(values)
            values, vectors = values[order], vectors[:, order]
            if int((values < top).sum()) == count:
                break
        below = values < top
        vectors = vectors[:, below]
        vectors = vectors / np.sqrt(np.einsum("ij,ij->j", vectors, mass(vectors)))
        return values[below], vectors


def _bordered(K: sp.csc_matrix, loads: sp.csc_matrix) -> sp.csc_matrix:
    """[[K, E], [Eᵀ, 0]]; a part of K at a time, because lists of all its entries need several times its memory."""
    below = sp.csc_matrix(loads.T)
    starts = range(0, K.shape[1], _COLUMNS)
    parts = [sp.vstack([K[:, k : k + _COLUMNS], below[:, k : k + _COLUMNS]], format="csc") for k in starts]
    m = loads.shape[1]
    right = sp.vstack([loads, sp.csc_matrix((m, m))], format="csc")
    A = sp.hstack([*parts, right], format="csc")
    A.sort_indices()
    return A


# ---- build

# An elastic gear from a mesh of a user.

SIDES = ("left", "right")
_MOST_LOADS = 8000
"""Hats of all teeth of a whole gear: their compliance takes 0.5 GB."""
_MOST_HATS = 1500
"""Of one flank of a sector."""

Tell = Callable[[float, str], None]


def built_from(
    teeth: Teeth | SurfaceTeeth,
    own: MeshedGear,
    material: Material,
    *,
    bore: str,
    limit: float,
    reach: int,
    cache: bool,
    tell: Tell,
) -> ElasticGear:
    """The gear of a mesh: `ElasticGear` of one tooth, `WholeElasticGear` of all."""
    if not isinstance(teeth.gear, Gear):
        raise ModelError(f"{own.called}: meshes of racks are not supported. Specify the mesh of a gear")
    tell(0.0, "reading the mesh")
    z = teeth.gear.teeth
    beyond = [k for k in own.missing if k >= z]
    if beyond:
        raise ModelError(f"{own.called}: missing: there is no tooth {beyond[0]}. The gear has the teeth 0 to {z - 1}")
    solid = gear_solid(own, teeth.gear, material)
    cuts = find_cuts(solid, own, z)
    if cuts is not None:
        low, high = cuts
        nodes = solid.nodes.copy()
        nodes[high] = rotated(nodes[low], 2.0 * np.pi / z)
        solid = solid.moved(nodes)
    solid = _in_gear_axes(solid, teeth, own)
    sides = [flank_faces(solid, teeth, side, own.flanks[side] if own.flanks else None, own.missing) for side in SIDES]
    if own.flanks is None:
        found = ", ".join(f"{side.count} faces of {len(side.faces)} teeth on the {side.side} flanks" for side in sides)
        note(f"{solid.what}: {found}")
    present = sorted(set(sides[0].faces) & set(sides[1].faces))
    if cuts is not None and (len(present) != 1 or any(len(side.faces) != 1 for side in sides)):
        raise ModelError(
            f"{solid.what}: a sector must contain both flanks of one tooth, but has those of the teeth "
            f"{sorted(sides[0].faces)} (left) and "
            f"{sorted(sides[1].faces)} (right). Cut the sector in the middle of the spaces"
        )
    if not present:
        raise ModelError(f"{solid.what}: there is no tooth with a left and a right flank")
    sides = [replace(side, faces={k: side.faces[k] for k in present}) for side in sides]
    most = _MOST_HATS if cuts is not None else max(12, _MOST_LOADS // (2 * len(present)))
    if own.hats is not None and cuts is None and own.hats[0] * own.hats[1] > most:
        raise ModelError(
            f"{solid.what}: {own.rows} rows and {own.lines} lines of hats on both flanks of {len(present)} teeth "
            f"are more than {_MOST_LOADS} in all. Specify at most "
            f"{most} hats (rows times lines) on a flank"
        )
    plan = hat_plan(solid, teeth, sides, own.hats, most)
    made = {side.side: tooth_loads(solid, teeth, side, plan) for side in sides}
    bore_nodes = np.zeros(0, dtype=np.int64) if bore == "free" else bore_of(solid, own, teeth.gear.internal, sides)
    options = (teeth, solid, material, bore, limit, cache, tell)
    grids = {side: grid for side, (grid, _) in made.items()}
    loads = {side: each for side, (_, each) in made.items()}
    try:
        with one_blas_thread():
            if cuts is not None:
                return _of_sector(
                    *options, cuts, bore_nodes, grids, {s: each[present[0]] for s, each in loads.items()}, reach
                )
            return _of_whole(*options, bore_nodes, grids, loads, present, reach)
    except SolveError as error:
        raise ModelError(
            f"{solid.what}: the equations of the mesh cannot be solved ({error}). Look for elements that are "
            f"connected along an edge "
            "only, and for very flat ones"
        ) from None


def _of_sector(
    teeth: Teeth | SurfaceTeeth, solid: GearSolid, material: Material, bore: str, limit: float, cache: bool, tell: Tell,
    cuts: tuple[IntArray, IntArray], bore_nodes: IntArray, grids: dict, loads: dict[str, sp.csc_matrix], reach: int,
) -> ElasticGear:  # fmt: skip
    z = teeth.gear.teeth
    key = None
    if cache:
        arrays = {"low": cuts[0], "high": cuts[1], "bore": bore_nodes}
        both = sp.hstack([loads[side] for side in SIDES], format="csc")
        key = mesh_key(solid.mesh, both, arrays, bore=bore, limit=limit, more=("sector", z, reach))
    found = kept(
        key,
        lambda: sector_results(solid, cuts, bore_nodes, loads, teeth=z, bore=bore, limit=limit, reach=reach, tell=tell),
    )
    sizes = {side: load.shape[1] for side, load in loads.items()}
    ends = np.cumsum([0, *sizes.values()])
    return ElasticGear(
        teeth=teeth,
        material=_material(solid, material),
        grids=grids,
        compliance=by_sides(found.compliance, sizes),
        offsets=np.arange(-reach, reach + 1),
        bore=bore,
        frequencies=found.frequencies,
        nodal_diameters=found.diameters,
        traces={s: np.ascontiguousarray(found.traces[:, ends[k] : ends[k + 1]]) for k, s in enumerate(sizes)},
        limit=limit,
        mass=found.mass,
        inertia=np.diagonal(found.inertia).copy(),
        centre_of_mass=float(found.centre[2]),
    )


def _of_whole(
    teeth: Teeth | SurfaceTeeth, solid: GearSolid, material: Material, bore: str, limit: float, cache: bool, tell: Tell,
    bore_nodes: IntArray, grids: dict, loads: dict[str, dict[int, sp.csc_matrix]], present: list[int], reach: int,
) -> WholeElasticGear:  # fmt: skip
    z = teeth.gear.teeth
    reach = min(reach, (z - 1) // 2)
    every = sp.hstack([loads[side][k] for side in SIDES for k in present], format="csc")
    key = mesh_key(solid.mesh, every, {"bore": bore_nodes}, bore=bore, limit=limit, more=("whole",)) if cache else None
    found = kept(key, lambda: whole_results(solid, bore_nodes, every, bore=bore, limit=limit, tell=tell))
    sizes = {side: grids[side].size for side in SIDES}
    traces, start = {}, 0
    for side, size in sizes.items():
        mine = np.zeros((len(found.frequencies), z, size))
        mine[:, present] = found.traces[:, start : start + size * len(present)].reshape(-1, len(present), size)
        start += size * len(present)
        traces[side] = mine
    missing = np.ones(z, dtype=bool)
    missing[present] = False
    return WholeElasticGear(
        teeth=teeth,
        material=_material(solid, material),
        grids=grids,
        compliance=by_tooth(found.compliance, sizes, present, z, reach),
        offsets=np.arange(-reach, reach + 1),
        bore=bore,
        frequencies=found.frequencies,
        nodal_diameters=found.diameters,
        traces=traces,
        limit=limit,
        mass=found.mass,
        inertia=np.diagonal(found.inertia).copy(),
        centre_of_mass=float(found.centre[2]),
        missing=missing,
        centre=found.centre,
        inertia_tensor=found.inertia,
    )


def _material(solid: GearSolid, material: Material) -> Material:
    """That of the flanks, for the local contact: the only one of the mesh, or that of the gear."""
    found = {group.material for group in solid.mesh.groups}
    return next(iter(found)) or material if len(found) == 1 else material


def _in_gear_axes(solid: GearSolid, teeth: Teeth | SurfaceTeeth, own: MeshedGear) -> GearSolid:
    """Rotated about the axis, and moved along it, so that named flanks are on those of the gear."""
    nodes = solid.nodes
    if own.turn is not None:
        return solid.moved(rotated(nodes, own.turn)) if own.turn else solid
    if own.flanks is None or not isinstance(teeth, Teeth):
        return solid
    flanks = {side: np.unique(np.concatenate([solid.nodes_in(n) for n in own.flanks[side]])) for side in SIDES}
    if not teeth.left.conical:
        z = nodes[np.concatenate(list(flanks.values())), 2]
        middle = 0.5 * float(z.min() + z.max())
        if abs(middle) > 1e-7 * solid.size:
            nodes = nodes - np.array([0.0, 0.0, middle])
    turn = _turned(teeth, nodes, flanks)
    if abs(turn) > 1e-9:
        nodes = rotated(nodes, -turn)
    return solid if nodes is solid.nodes else solid.moved(nodes)


def _turned(teeth: Teeth, nodes: FloatArray, flanks: dict[str, IntArray]) -> float:
    """How far the mesh is rotated from the axes of the gear [rad], within half a pitch: the mean of both flanks."""
    pitch = teeth.gear.angular_pitch
    means = []
    for side, members in flanks.items():
        r = np.hypot(nodes[members, 0], nodes[members, 1])
        low = teeth.flank(side).involute.radius(teeth.flank(side).form_roll_length(nodes[members, 2]))
        high = teeth.flank(side).involute.radius(teeth.flank(side).tip_roll_length(nodes[members, 2]))
        inside = (r - low) * (r - high) <= 0.0
        if not inside.any():
            return 0.0
        waves = np.exp(2j * np.pi * involute_offsets(teeth, side, nodes[members[inside]]) / pitch)
        means.append(complex(waves.mean()))
    if min(map(abs, means)) < 0.9:  # not the flanks of this gear; the check of the flanks reports it
        return 0.0
    both = means[0] / abs(means[0]) + means[1] / abs(means[1])
    if abs(both) < 1.8:  # thickness of the teeth differs, or the sides are exchanged
        return 0.0
    return float(np.angle(both)) * pitch / (2.0 * np.pi)
