"""Statics and modes of a gear from a mesh of one tooth, by cyclic symmetry."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
import scipy.sparse as sp

from ...errors import ModelError
from ..cyclic_modes import cyclic_modes
from ..cyclic_symmetry import CondensedSector, CyclicSector, rigid_motions
from ..flank_compliance import flank_compliance, flank_loads
from ..meshes.solid_mesh import FloatArray, IntArray, mesh_matrices
from .cut_faces import Cuts
from .gear_solid import GearSolid
from .results import MeshResults

__all__ = ["sector_results"]


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
