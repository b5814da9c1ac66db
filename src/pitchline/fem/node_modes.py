"""Natural modes of a gear as the nodes of its flanks move in them, for contact of nodes with surfaces.

An elastic gear (`ElasticGear`) has its modes as mean normal displacements of the flanks. Contact of single nodes needs the
displacement vectors of all nodes. Only those of tooth 0 are kept: on tooth k a mode with n nodal diameters is turned by kα and has
the phase e^{inkα}. The modes of the whole gear, as a file of all its nodes would contain them, are never formed.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.linalg as sl
import scipy.sparse as sp
from scipy.linalg import lapack

from pitchline.base.progress.display import note, stage
from pitchline.base.storage.free_names import StorageError
from pitchline.base.storage.hdf5_image import hdf5_image
from pitchline.base.storage.stored_array import Sealed, has_seal
from pitchline.base.types import ComplexArray, FloatArray, IntArray
from pitchline.errors import ModelError, PitchlineError, SolveError
from pitchline.parts.gears.geometry.inputs import Material
from pitchline.parts.gears.surfaces.from_gears import SurfaceTeeth
from pitchline.parts.gears.teeth.teeth import Teeth

from .charts import Repetition
from .cyclic_symmetry import CondensedSector, CyclicSector
from .elastic_gear import SIDES, ElasticGear
from .element_matrices import formulation_for
from .gear_file import ROOM, CacheEntry, cache_folder, flank_compliance, flank_loads, make_room
from .graded_body import FlankLattice, flank_lattice, graded_body
from .sector_grid import SectorGrid
from .sector_surfaces import mass_and_inertia
from .sparse_solver import LanczosRun, one_blas_thread, run_together
from .tooth_sector import ToothSector, hats_of

__all__ = ["HarmonicSolver", "eigenvalues_below", "HarmonicModes", "cyclic_modes", "compute", "NodeModes", "node_modes"]


# ---- harmonic solver

# Static solution of many harmonics of a cyclic gear, by its condensed sector.


class HarmonicSolver:
    """Solves K_n u = f for many harmonics at a time, by the condensed sector.

    In harmonics with rigid motions of a free bore, f must be in equilibrium. u is then unique except for a rigid motion.
    """

    def __init__(self, condensed: CondensedSector, harmonics: IntArray) -> None:
        self._condensed = condensed
        self._factors = {
            int(n): sl.cho_factor(condensed.supported(int(n)), lower=True, check_finite=False) for n in harmonics
        }

    def solve(self, f: ComplexArray, harmonics: IntArray) -> ComplexArray:
        """(size, k) from (size, k), column j in harmonic harmonics[j]."""
        sector = self._condensed.sector
        side, phases = sector.n_side, sector.phases(harmonics)
        # all of a pair of sides is put on the low one
        sides, forward = self._condensed.reduce(np.concatenate([f, np.zeros((side, f.shape[1]))]))
        load = sides[:side] + sides[side:] * phases.conj()
        low = np.empty_like(load)
        for j, n in enumerate(harmonics):
            low[:, j] = sl.cho_solve(self._factors[int(n)], load[:, j], check_finite=False)
        u: ComplexArray = self._condensed.expand(forward, np.concatenate([low, low * phases]))
        return u[: sector.size]


# ---- sylvester

# How many natural frequencies lie below a limit: Sylvester's law of inertia.
#
# The number of eigenvalues of (K_n, M_n) below λ is the number of negative ones of K_n − λM_n. Condensed to the sides
# of the sector, that is the number of those of its interior block, the same for all harmonics, and of the small Schur
# complement A_n(λ) of each. One real factorisation counts for all harmonics.
#
# On a shaft M_n is M_n − L G⁻¹ Lᴴ with L = MR, G = RᴴMR (`CyclicSector`). By the two ways to condense [[B, L], [Lᴴ,
# −G/λ]], with B = K_n − λM_n, there are as many negative eigenvalues fewer than those of B as G/λ + Lᴴ B⁻¹ L has.

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


# ---- cyclic modes

# The natural modes of a gear, of all nodal diameters, up to a frequency.
#
# Each harmonic n of the cyclic symmetry is a Hermitian problem K_n φ = λ M_n φ on one sector. All of them are solved
# side by side by Lanczos' method with K_n⁻¹: the interior of the sector is factorised once for all, and its factor is
# applied to the vectors of all harmonics at a time. Rigid motions (n = 0 and 1 of a gear whose bore is free) are
# known beforehand and kept out; on a shaft they are not among the unknowns, and M_n is M*_n (`CyclicSector`). How
# many modes there are is counted by Sylvester's law, so that none is missed.

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


# ---- gear compute

# The computation of an elastic gear from the grid of one sector: compliance of its flanks, modes, mass.

Progress = Callable[[float, str], None]


def compute(
    teeth: Teeth | SurfaceTeeth,
    material: Material,
    bore: str,
    limit: float,
    reach: int,
    grid: SectorGrid | ToothSector,
    formulation: str,
    tell: Progress,
) -> ElasticGear:
    """The elasticity of a gear from the grid of one sector.

    limit: of the frequencies of its modes [Hz], 0: none. reach: number of neighbour teeth on each side.
    """
    tell(0.0, "assembling")
    statics_alone = bore == "fixed" and not limit
    body = graded_body(grid) if statics_alone and isinstance(grid, SectorGrid) else None
    sector = CyclicSector.of(
        grid,
        material,
        bore=bore,
        repetition=Repetition.of(teeth.gear, reach),
        formulation=formulation,
        body=body,
        massless=statics_alone,
    )
    grids: dict[str, Any] = {}
    loads = {}
    for side in SIDES:
        grids[side], loads[side] = hats_of(grid, side)
    tell(0.1, "factorising")
    all_loads = flank_loads(sector, loads)
    condensed = CondensedSector(sector, loads=all_loads, keep_factors=limit > 0.0)
    statics = 0.4 if limit else 1.0
    tell(0.25, "compliance")
    compliance = flank_compliance(
        condensed, all_loads, {side: each.size for side, each in grids.items()}, reach=reach,
        progress=lambda part: tell(0.25 + (statics - 0.25) * part, "compliance"),
    )  # fmt: skip
    modes = []
    if limit:
        tell(0.4, "modes")
        modes = cyclic_modes(sector, condensed, up_to=limit, progress=lambda part: tell(0.4 + 0.6 * part, "modes"))
    frequencies, diameters, traces = _traces(sector, modes, loads)
    mass, inertia, centre = mass_and_inertia(grid, material, teeth=teeth.gear.teeth)
    tell(1.0, "done")
    return ElasticGear(
        teeth=teeth,
        material=material,
        grids=grids,
        compliance=compliance,
        offsets=np.arange(-reach, reach + 1),
        bore=bore,
        frequencies=frequencies,
        nodal_diameters=diameters,
        traces=traces,
        limit=limit,
        mass=mass,
        inertia=inertia,
        centre_of_mass=centre,
    )


def _traces(
    sector: CyclicSector, modes: list[HarmonicModes], loads: Mapping[str, sp.csc_matrix]
) -> tuple[FloatArray, IntArray, dict[str, ComplexArray]]:
    """Frequencies [Hz] ascending, nodal diameters, and b_gᵀφ of all modes, scaled to a modal mass of 1 of the whole gear.

    A sector has modal mass 1 by `cyclic_modes`, the gear z; of a pair n, −n half of that is in the real part.
    """
    frequencies = np.concatenate([m.frequencies for m in modes]) if modes else np.zeros(0)
    diameters = np.concatenate([np.full(len(m.eigenvalues), m.harmonic) for m in modes]) if modes else np.zeros(0, int)
    order = np.argsort(frequencies, kind="stable")
    traces = {}
    for side, load in loads.items():
        seen = (load.T @ sector.rotation).tocsr()
        parts = [np.zeros((0, seen.shape[0]), dtype=np.complex128)]
        for m in modes:
            scale = math.sqrt(sector.weight(m.harmonic) / sector.count)
            parts.append(scale * (seen @ sector.seen(np.ascontiguousarray(m.vectors.T), m.harmonic)).T)
        traces[side] = np.ascontiguousarray(np.concatenate(parts)[order])
    return frequencies[order], diameters[order].astype(np.int64), traces


KIND = "pitchline node modes"
FORMAT = 1


@dataclass(frozen=True, eq=False)
class NodeModes:
    """Modes of a gear on the nodes of its flanks.

    Attributes
    ----------
    frequencies : (modes,)
        [Hz], ascending, one entry for a pair of nodal diameters n and −n.
    nodal_diameters : (modes,)
    shapes : side → (modes, points, 3)
        [1/√kg] Displacement of the points of the lattice of tooth 0, in the axes of the gear; scaled as traces of `ElasticGear`.
    lattices : side → FlankLattice
    nodes : int
        Of the whole gear.
    file_size : int
        Bytes of the file in the cache; 0 if there is none.
    """

    frequencies: FloatArray
    nodal_diameters: IntArray
    shapes: Mapping[str, ComplexArray]
    lattices: Mapping[str, FlankLattice]
    teeth: int
    nodes: int
    file_size: int = 0

    @property
    def paired(self) -> np.ndarray:
        """(modes,) whether an entry stands for two modes."""
        n = self.nodal_diameters
        return np.asarray((n != 0) & (2 * n != self.teeth))

    @property
    def count(self) -> int:
        """Number of modes; pairs are two."""
        return int(len(self.frequencies) + np.count_nonzero(self.paired))

    @property
    def bytes_of_all_nodes(self) -> int:
        """Of the displacements of all nodes in all modes, as numbers of eight bytes: what a general program stores."""
        return 8 * 3 * self.nodes * self.count


def node_modes(
    teeth: Teeth, grid: SectorGrid, *, bore: str = "free", up_to: float | None = None, count: int | None = None,
    formulation: str | None = None, cache: bool = True, name: str = "",
) -> NodeModes:  # fmt: skip
    """The modes of a gear below a frequency [Hz], or the lowest `count` of them (one more, so that a pair is not cut).

    teeth: with the modifications of the flanks, which only move the points of the lattices.
    """
    if (up_to is None) == (count is None):
        raise ModelError("node modes: specify either up_to or count")
    kind = formulation_for(grid.solid.elements.shape[1], formulation)
    material = teeth.gear.material
    lattices = {side: flank_lattice(grid, teeth, side) for side in SIDES}
    entry = CacheEntry.of(
        grid, material, bore=bore, limit=up_to or 0.0, reach=0, formulation=f"{kind} nodes {count or 0}"
    )
    key = hashlib.sha256(f"nodes {FORMAT} {entry.key}".encode()).hexdigest()
    path = cache_folder() / f"{key[:32]}.h5"
    nodes = grid.teeth.gear.teeth * (len(grid.solid.nodes) - len(grid.high_side))
    data = _read(path, key) if cache else None
    if data is None:
        with (
            stage(f"modes of {name or f'a gear with {teeth.gear.teeth} teeth'} on its nodes", implied=True),
            one_blas_thread(),
        ):
            data = _compute(grid, material, lattices, bore, kind, up_to, count)
        if cache:
            _write(path, key, data)
    size = path.stat().st_size if cache and path.is_file() else 0
    shapes = {side: data[side] for side in SIDES}
    return NodeModes(data["frequencies"], data["nodal_diameters"], shapes, lattices, teeth.gear.teeth, nodes, size)


def _compute(
    grid: SectorGrid, material: Material, lattices: Mapping[str, FlankLattice], bore: str, kind: str, up_to: float | None,
    count: int | None,
) -> dict[str, np.ndarray]:  # fmt: skip
    sector = CyclicSector.of(grid, material, bore=bore, formulation=kind)
    condensed = CondensedSector(sector)
    if up_to is not None:
        found = cyclic_modes(sector, condensed, up_to=up_to)
    else:
        assert count is not None
        most = 3 * grid.teeth.gear.teeth * (len(grid.solid.nodes) - len(grid.high_side)) // 2
        if count > most:
            raise ModelError(
                f"{count} modes of a gear with {2 * most // 3} nodes: at most half of its {2 * most} unknowns can be computed, "
                f"{most}. Use a finer grid or fewer modes"
            )
        limit = _limit(sector, condensed, count)
        found = cyclic_modes(sector, condensed, up_to=limit)
    frequencies = np.concatenate([m.frequencies for m in found])
    diameters = np.concatenate([np.full(len(m.eigenvalues), m.harmonic) for m in found]).astype(np.int64)
    order = np.argsort(frequencies, kind="stable")
    if count is not None:
        z = grid.teeth.gear.teeth
        many = np.cumsum(np.where((diameters[order] == 0) | (2 * diameters[order] == z), 1, 2))
        order = order[: int(np.searchsorted(many, count)) + 1]
    data: dict[str, np.ndarray] = {"frequencies": frequencies[order], "nodal_diameters": diameters[order]}
    for side in SIDES:
        spread = _vectors(lattices[side].weights) @ sector.rotation
        parts = []
        for m in found:
            scale = math.sqrt(sector.weight(m.harmonic) / sector.count)
            parts.append(scale * (spread @ sector.seen(np.ascontiguousarray(m.vectors.T), m.harmonic)).T)
        whole = np.concatenate(parts)[order]
        data[side] = np.ascontiguousarray(whole.reshape(len(order), -1, 3))
    return data


def _vectors(weights: sp.csr_matrix) -> sp.csr_matrix:
    """Of displacement vectors from weights of nodes."""
    return sp.kron(weights, sp.eye(3), format="csr")


def _limit(sector: CyclicSector, condensed: CondensedSector, count: int) -> float:
    """A frequency [Hz] below which there are at least `count` elastic modes, not many more."""
    pass

    rigid = 0 if sector.bore == "fixed" else 6
    limit = 5e4
    for _ in range(60):
        counts = eigenvalues_below(sector, (2.0 * math.pi * limit) ** 2, condensed)
        if counts is None:
            limit *= 1.003
            continue
        total = sum(sector.weight(int(n)) * c for n, c in zip(sector.harmonics(), counts, strict=True)) - rigid
        if total >= count:
            return limit
        limit *= min(2.0, max(1.02, (1.1 * count / max(total, 1)) ** 0.4))
    raise ModelError(f"{count} modes were not found below {limit:g} Hz. Use a finer grid or fewer modes")


def _write(path: Path, key: str, data: Mapping[str, np.ndarray]) -> None:
    """Into the cache. If it cannot be written, a note is printed; this is not an error."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with hdf5_image() as image:
            image.file.attrs["description"] = json.dumps({"key": key})
            for name, array in data.items():
                image.array(image.file, name, array, key=name)
            image.write(path, KIND, {"format": FORMAT, "key": key}, overwrite=True)
        make_room(ROOM)
    except (OSError, PitchlineError) as error:
        note(f'modes cannot be kept in "{path.parent}" ({error}): they are computed again in every process')


def _read(path: Path, key: str) -> dict[str, np.ndarray] | None:
    """From the cache; None if it is not there or damaged."""
    try:
        if not path.is_file() or not has_seal(path):
            return None
        with path.open("rb") as stream:
            sealed = Sealed(stream, f'"{path}"')
            if sealed.kind != KIND or sealed.head.get("key") != key:
                return None
            data = {name: np.asarray(sealed.array(name)) for name in sealed.entries}
        modes = len(data["frequencies"])
        if data["nodal_diameters"].shape != (modes,) or any(data[side].shape[0] != modes for side in SIDES):
            return None
        path.touch()
        return data
    except (OSError, LookupError, ValueError, TypeError, PitchlineError, StorageError):
        return None
