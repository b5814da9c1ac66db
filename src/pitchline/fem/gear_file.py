"""Compliance of the sides of all sectors of a gear: W(o) = (1/z) Σ_n e^{iμo} A_n⁻¹, real, from one matrix a harmonic.

**Half-turn.** The tooth of a cylindrical gear is turned into itself by half a turn about its middle, radially; the low side
becomes the high one. With axes on the sides along radius, circumference and axis, the matrix J that takes the node at ζ to the
one at −ζ and (u_r, u_φ, u_z) to (u_r, −u_φ, −u_z) then has J A̅_n J = A_n. In the vectors that J keeps, and i times those
that it turns round, A_n is a real symmetric matrix: a quarter of the work. Where that is not so (conical gears), A_n is
inverted as it is, complex.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from pitchline.base.progress.display import note
from pitchline.base.storage.free_names import StorageError, user_cache
from pitchline.base.storage.hdf5_image import hdf5_image
from pitchline.base.storage.stored_array import Sealed, has_seal, source_digest
from pitchline.base.types import ComplexArray, FloatArray, IntArray
from pitchline.errors import PitchlineError, SolveError
from pitchline.parts.gears.geometry.inputs import Material
from pitchline.parts.gears.surfaces.from_gears import SurfaceTeeth
from pitchline.parts.gears.teeth.teeth import Teeth

from .cyclic_symmetry import CondensedSector, CyclicSector
from .dissection import invert, threads
from .elastic_gear import SIDES, ElasticGear
from .sector_grid import SectorGrid
from .surface_grid import check_flanks, flank_arrays, plain, read_flanks, read_teeth, teeth_head
from .tooth_sector import ToothSector

__all__ = [
    "InterfaceSums",
    "by_sides",
    "flank_compliance",
    "flank_loads",
    "FORMAT",
    "read",
    "write",
    "CacheEntry",
    "cache_folder",
    "make_room",
]


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


# ---- flank compliance

# Static compliance of the flanks of a whole gear: neighbours on the same gear bend as well.
#
# Loads E (hats on both flanks of one tooth) on the sector, harmonic n, condensed to the sides: with G = E_Bᵀ − E_Iᵀ
# K_II⁻¹ K_IB,
#
# C_n = E_Iᵀ K_II⁻¹ E_I + g_n A_n⁻¹ g_n^H , g_n = G_L + e^{iμ} G_H ,
#
# and the response of tooth k + o to loads on tooth k is C(o) = (1/z) Σ_n e^{iμo} C_n. The sum is computed only on the
# sides: with the real matrices W(o) = (1/z) Σ_n e^{iμo} A_n⁻¹, the compliance of the sides of sector k + o
# (`InterfaceSums`),
#
# C(o) = δ_o0 E_Iᵀ K_II⁻¹ E_I + [G_L G_H] [[W(o), W(o−1)], [W(o+1), W(o)]] [G_L G_H]ᵀ .
#
# **Bore free.** The gear has no support. Its elastic compliance is defined for loads balanced by the inertia of a
# rigid acceleration (inertia relief), f → f − MR (RᴴMR)⁻¹ Rᴴf, displacements counted M-orthogonally to the rigid
# motions R:
#
# C = P K⁻ Pᴴ , P = Eᴴ − EᴴR (RᴴMR)⁻¹ (MR)ᴴ ,
#
# with any generalised inverse K⁻. It is Σ φφᴴ/ω² over all elastic modes. Only harmonics 0 and 1 have rigid motions.
# The loads MR are carried along as six more columns of E.
#
# **Bore on a shaft.** The same, with K held at the bore in place of K⁻; MR and RᴴMR with the masses of the bore
# (`CyclicSector`).


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


# ---- gear file

# An elastic gear as one file.
#
# HDF5, with plain names: attributes describe the gear (its data and those of its teeth and material, as JSON),
# datasets contain the grids, the compliance of the offsets 0 … reach over all hats, left before right (those of
# negative offsets are their transposes), frequencies, nodal diameters and traces. A file appears complete or not at
# all. It is read through its seal (`base.storage.stored_array`), which holds a checksum of every array; the sizes are compared with
# each other before a gear is made of them.

FORMAT = 3
KIND = "pitchline gear"


# --- writing -----------------------------------------------------------------------------------------


def write(gear: ElasticGear, path: str | Path, *, overwrite: bool = False, key: str = "") -> Path:
    """Write a gear to `path`; `key` identifies its input, for a cache."""
    data, head = _content(gear, key)
    with hdf5_image() as image:
        image.file.attrs["pitchline_gear_format"] = FORMAT
        image.file.attrs["description"] = json.dumps(head)
        for name, array in data.items():
            image.array(image.file, name, array, key=name)
        return image.write(path, KIND, {"format": FORMAT, "gear": head}, overwrite=overwrite)


def _content(gear: ElasticGear, key: str) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Arrays and the plain rest."""
    reach = len(gear.offsets) // 2
    C = np.block([[gear.compliance[i, j][reach:] for j in SIDES] for i in SIDES])
    data = {
        "compliance": C,
        "frequencies": gear.frequencies,
        "nodal_diameters": gear.nodal_diameters,
        "inertia": gear.inertia,
    }
    data |= flank_arrays(gear.teeth, gear.grids)
    data |= {f"{side}/traces": gear.traces[side] for side in gear.grids}
    head = teeth_head(gear.teeth) | {
        "material": plain(gear.material),
        "bore": gear.bore,
        "limit": gear.limit,
        "mass": gear.mass,
        "centre_of_mass": gear.centre_of_mass,
        "key": key,
    }
    return data, head


# --- reading -----------------------------------------------------------------------------------------


def read(path: str | Path, *, key: str | None = None) -> ElasticGear:
    """The gear in a file; with `key`, only if it was computed from just that."""
    source = Path(path).expanduser()
    if not source.is_file():
        raise StorageError(f'there is no file "{source}"')
    try:
        if not has_seal(source):
            raise StorageError(
                f'"{source}" is not an elastic gear of this version of pitchline, is damaged, or is incomplete. Compute it again'
            )
        with source.open("rb") as stream:
            sealed = Sealed(stream, f'"{source}"')
            if sealed.kind != KIND:
                raise StorageError(f'"{source}" is not an elastic gear but a {sealed.kind:.40}')
            version = sealed.head.get("format")
            if version != FORMAT:
                raise StorageError(
                    f'"{source}" has gear format {version!s:.40}, but this version of pitchline reads {FORMAT}. '
                    "Read it with the version that wrote it, or compute it again"
                )
            head = sealed.head["gear"]
            if key is not None and head["key"] != key:
                raise StorageError(f'"{source}" was computed from other data')
            data = {name: sealed.array(name) for name in sealed.entries}
        _check_shapes(data)
        return _gear(data, head)
    except PitchlineError as error:
        if isinstance(error, StorageError):
            raise
        raise StorageError(f'"{source}" contains an invalid gear: {error}') from error
    except (OSError, LookupError, ValueError, TypeError, AttributeError) as error:
        raise StorageError(f'"{source}" is damaged, or not as pitchline writes it: {error}') from error


def _check_shapes(data: dict[str, np.ndarray]) -> None:
    """Compiled code does not look at the sizes of what it is given."""
    sizes = {}
    count = data["frequencies"].size
    _need(data["frequencies"].shape == data["nodal_diameters"].shape == (count,), "nodal_diameters")
    _need(data["inertia"].shape == (3,), "inertia")
    for side in SIDES:
        sizes[side] = check_flanks(data, side, _need)
        _need(data[f"{side}/traces"].shape == (count, sizes[side]), f"{side}/traces")
    total = sum(sizes.values())
    C = data["compliance"]
    _need(C.ndim == 3 and len(C) > 0 and C.shape[1:] == (total, total), "compliance")
    kinds = {"nodal_diameters": np.int64} | {f"{side}/traces": np.complex128 for side in SIDES}
    for name, array in data.items():
        _need(array.dtype == kinds.get(name, np.float64) and bool(np.all(np.isfinite(array))), name)


def _need(fits: bool, name: str) -> None:
    if not fits:
        raise ValueError(f'"{name}" does not fit the other arrays')


def _gear(data: dict[str, Any], head: dict[str, Any]) -> ElasticGear:
    teeth = read_teeth(head, data)
    grids = read_flanks(teeth, data, SIDES)
    C: FloatArray = data["compliance"]
    return ElasticGear(
        teeth=teeth,
        material=Material(**head["material"]),
        grids=grids,
        compliance=by_sides(C, {side: grid.size for side, grid in grids.items()}),
        offsets=np.arange(1 - len(C), len(C)),
        bore=head["bore"],
        frequencies=data["frequencies"],
        nodal_diameters=data["nodal_diameters"],
        traces={side: data[f"{side}/traces"] for side in SIDES},
        limit=head["limit"],
        mass=head["mass"],
        inertia=data["inertia"],
        centre_of_mass=head["centre_of_mass"],
    )


# ---- gear cache

# Elastic gears that were computed before, in the user's cache folder.
#
# An entry is named by a hash of all that determines it: nodes and elements of the grid themselves, bit by bit, flank
# surfaces, material, bore, formulation, frequency limit, offsets, and the sources of this package. So there is no
# wrong hit; what changes in the gear but not in its grid, such as a modification of the flanks, does not matter.
# Entries that cannot be read are computed again. The least recently used ones are removed for new ones.

_told: set[str] = set()
"""Folders for which a note was printed that they cannot be written."""
ROOM = 2e9
"""Bytes of the cache; beyond, entries that were not used for the longest time are removed."""


def cache_folder() -> Path:
    """`gears` in the cache folder of the user."""
    return user_cache() / "gears"


@dataclass(frozen=True)
class CacheEntry:
    """One gear in the cache, there or not yet.

    key: the hash of what determines it.
    """

    key: str

    @classmethod
    def of(
        cls,
        grid: SectorGrid | ToothSector,
        material: Material,
        *,
        bore: str,
        limit: float,
        reach: int,
        formulation: str,
    ) -> CacheEntry:
        """The entry of what would be computed from these."""
        digest = hashlib.sha256()
        # a limit that went through units, 79999.99999999999 Hz, is that of 80 kHz
        numbers = (material.density, material.youngs_modulus, material.poissons_ratio, float(f"{limit:.12g}"))
        teeth = grid.teeth.gear.teeth
        said = [source_digest("fem"), FORMAT, teeth, bore, reach, formulation, [float(v).hex() for v in numbers]]
        digest.update(repr(said).encode())
        arrays: list[np.ndarray] = [grid.solid.nodes, grid.solid.elements, grid.low_side, grid.high_side, grid.bore]
        for side in sorted(grid.flanks):
            patch = grid.flanks[side]
            arrays += [patch.nodes, patch.lengths, patch.zeta]
            if isinstance(grid, ToothSector):
                surface = grid.teeth.flank(side)
                arrays += [surface.control, surface.knots_u, surface.knots_v, np.array(surface.facing)]
        if isinstance(grid, ToothSector):
            arrays.append(np.array([grid.repetition.angle, grid.repetition.travel]))
        for array in arrays:
            plain = np.ascontiguousarray(array)
            digest.update(f"{plain.dtype.str} {plain.shape}".encode())
            digest.update(plain.tobytes())
        return cls(digest.hexdigest())

    @property
    def path(self) -> Path:
        """Its file."""
        return cache_folder() / f"{self.key[:32]}.h5"

    def load(self, teeth: Teeth | SurfaceTeeth, material: Material) -> ElasticGear | None:
        """The gear, if it is there and whole, with the teeth and the material of who asks."""
        try:
            found = read(self.path, key=self.key)
        except PitchlineError:
            return None
        with contextlib.suppress(OSError):
            self.path.touch()
        return replace(found, teeth=teeth, material=material)

    def store(self, gear: ElasticGear) -> None:
        """Keep a gear. If the cache cannot be written, a note is printed; this is not an error."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write(gear, self.path, overwrite=True, key=self.key)
            make_room(ROOM)
        except (OSError, PitchlineError) as error:
            folder = str(self.path.parent)
            if folder not in _told:
                _told.add(folder)
                reason = getattr(error, "strerror", None) or error
                note(f'elastic gears cannot be kept in "{folder}" ({reason}): they are computed again in every process')


def make_room(most: float) -> None:
    """Remove the entries that were not used for the longest time, until the others take no more than `most` bytes."""
    files = sorted(
        ((file.stat().st_mtime, file.stat().st_size, file) for file in cache_folder().glob("*.h5")), reverse=True
    )
    for (_, _, file), total in zip(files, itertools.accumulate(size for _, size, _ in files), strict=True):
        if total > most:
            file.unlink(missing_ok=True)
