"""An elastic gear: all that contact and dynamics need to know of its finite elements, and nothing of the grid itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from ..arguments import names_wrong_arguments
from ..errors import ModelError, shown
from ..gears.gear import Gear
from ..gears.inputs import flag, positive, whole
from ..gears.material import STEEL, Material
from ..gears.teeth import Teeth
from ..gears.teeth.arrays import ComplexArray, FloatArray, IntArray
from ..progress import stage
from .blas_threads import one_blas_thread
from .cyclic_modes import HarmonicModes, cyclic_modes
from .cyclic_symmetry import CondensedSector, CyclicSector
from .element_matrices import formulation_for
from .flank_compliance import flank_compliance, flank_loads
from .flank_grid import FlankGrid, flank_grid
from .gear_properties import mass_and_inertia
from .graded_body import graded_body
from .own_mesh.options import OwnMesh, own_mesh_of
from .sector_grid import SectorGrid, sector_grid

__all__ = ["ElasticGear", "elastic_gear"]

SIDES = ("left", "right")
BORES = ("fixed", "free", "shaft")
Progress = Callable[[float, str], None]
"""Function that is called with the completed fraction, from 0 to 1, and the present task."""


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class ElasticGear:
    """A gear, elastic by its finite elements: static compliance of its flanks, and its modes as the flanks see them.

    Loads and displacements are those of the hats of `grids`: a unit force on a hat is a pressure of its shape, into the
    material; the displacement of a hat is the mean one into the material, weighed by its shape. Only tooth 0 is stored: all
    others behave alike.

    Attributes
    ----------
    teeth, material
        Of the gear. Their modifications play no part in its elasticity.
    grids
        The hats on the "left" and "right" flank.
    compliance
        (side_i, side_j) → (offsets, hats_i, hats_j) [m/N]: displacement of hat i on side_i of tooth k + o to a unit force on
        hat j on side_j of tooth k, o = offsets[…].
    offsets
        (2 reach + 1,) tooth offsets, −reach … reach, counted round the gear.
    bore
        "fixed": all nodes of the bore are held. "free": the gear floats; what is left when its rigid motions are taken out.
        "shaft": free, with the nodes of the bore moving as one rigid body.
    frequencies
        (modes,) natural frequencies [Hz], ascending; one entry for a pair of nodal diameters n and −n. Rigid motions are not
        among them.
    nodal_diameters
        (modes,) n = 0 … z/2.
    traces
        side → (modes, hats) [1/√kg]: with coordinates c that obey c'' + ω² c = Σ_j conj(t) e^{−2πinj/z} F_j under forces F_j on
        tooth j, the displacement of tooth j is Re Σ t c e^{2πinj/z}. Hence their part of the compliance at the offset o is
        Re Σ t_g conj(t_h) e^{2πino/z} / ω².
    limit
        All modes below this frequency [Hz] are there; 0 where none were asked for.
    mass
        [kg]
    inertia
        (3,) moments of inertia about the axes of the gear through its centre of mass [kg m²].
    centre_of_mass
        Its coordinate along the axis [m]; 0 but for conical gears.
    """

    kind: ClassVar[str] = "elastic gear"
    warnings: ClassVar[tuple[str, ...]] = ()
    teeth: Teeth
    material: Material
    grids: Mapping[str, FlankGrid]
    compliance: Mapping[tuple[str, str], FloatArray]
    offsets: IntArray
    bore: str
    frequencies: FloatArray
    nodal_diameters: IntArray
    traces: Mapping[str, ComplexArray]
    limit: float
    mass: float
    inertia: FloatArray
    centre_of_mass: float

    @property
    def symmetric(self) -> bool:
        """Whether all teeth behave alike; False of a `WholeElasticGear`."""
        return True

    @property
    def missing_teeth(self) -> npt.NDArray[np.bool_]:
        """(teeth,) which teeth carry no load; none, unless the gear is a `WholeElasticGear`."""
        return np.zeros(self.teeth.gear.teeth, dtype=bool)

    @property
    def multiplicities(self) -> IntArray:
        """(modes,) 1, or 2 where a mode stands for the pair n, −n, the same frequency twice."""
        n, z = self.nodal_diameters, self.teeth.gear.teeth
        result: IntArray = np.where((n == 0) | (2 * n == z), 1, 2)
        return result

    @property
    def all_frequencies(self) -> FloatArray:
        """[Hz], ascending, every mode of the gear for itself: pairs twice."""
        return np.repeat(self.frequencies, self.multiplicities)

    def compliance_between(self, side_i: str, tooth_i: int, side_j: str, tooth_j: int) -> FloatArray:
        """(hats_i, hats_j) [m/N]: displacement of the hats on side_i of tooth_i to unit forces on those of tooth_j.

        Teeth are counted round the gear. Zero beyond the neighbours that `offsets` contains.
        """
        z = self.teeth.gear.teeth
        offset = tooth_i - tooth_j
        offset -= z * round(offset / z)
        block = self.compliance[side_i, side_j]
        at = np.flatnonzero(self.offsets == offset)
        found: FloatArray = block[int(at[0])] if len(at) else np.zeros(block.shape[-2:])
        return found

    def modal_compliance(self, side_i: str, side_j: str, *, up_to: object = None) -> FloatArray:
        """The part of `compliance` that the modes below a frequency carry [m/N]; of all modes without `up_to`."""
        chosen = self.frequencies < self._limit(up_to)
        n, w = self.nodal_diameters[chosen], 2.0 * math.pi * self.frequencies[chosen]
        t_i, t_j = self.traces[side_i][chosen], self.traces[side_j][chosen]
        turns = np.exp(2j * math.pi * np.outer(self.offsets, n) / self.teeth.gear.teeth) / w**2
        result = np.empty((len(self.offsets), t_i.shape[1], t_j.shape[1]))
        for o, turn in enumerate(turns):
            left = (t_i * turn[:, None]).T
            result[o] = left.real @ t_j.real + left.imag @ t_j.imag
        return result

    def residual(self, up_to: object = None) -> dict[tuple[str, str], FloatArray]:
        """Compliance without that of the modes below a frequency: the static compliance of the modes above it.

        Same shape as `compliance`. With modes up to `up_to` in motion and this, statics are exact.
        """
        return {sides: C - self.modal_compliance(*sides, up_to=up_to) for sides, C in self.compliance.items()}

    def _limit(self, up_to: object) -> float:
        if up_to is None:
            return self.limit
        wanted = positive(up_to, "frequency", "elastic gear: up_to")
        if wanted > self.limit * (1.0 + 1e-12):
            raise ModelError(
                f"elastic gear: modes are computed up to {self.limit:g} Hz, not up to {wanted:g} Hz. Build it with a higher up_to"
            )
        return wanted

    def has_shape_of(self, teeth: Teeth) -> bool:
        """Whether teeth differ from those of this gear only in modifications and material."""
        return _same_shape(teeth, self.teeth)

    def with_teeth(self, teeth: Teeth) -> ElasticGear:
        """The same elasticity with other modifications of the flanks."""
        if not _same_shape(teeth, self.teeth):
            raise ModelError(
                "elastic gear: with_teeth is for other modifications of the same gear, but this is another gear"
            )
        return replace(self, teeth=teeth)

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write it to one file (HDF5): complete, or not at all."""
        from .gear_file import write

        return write(self, path, overwrite=overwrite)

    @staticmethod
    def load(path: str | Path) -> ElasticGear:
        """Read it from a file; modifications of the flanks are not stored, see `with_teeth`."""
        from .gear_file import read

        return read(path)

    def __repr__(self) -> str:
        hats = " + ".join(f"{g.shape[0]}×{g.shape[1]}" for g in self.grids.values())
        modes = f"{int(self.multiplicities.sum())} modes below {self.limit:g} Hz" if self.limit else "no modes"
        return f"ElasticGear({self.teeth!r}, bore {self.bore}, {hats} hats, {modes})"


@names_wrong_arguments
def elastic_gear(
    teeth: Teeth | Gear,
    *,
    material: Material | None = None,
    bore: str = "fixed",
    up_to: object = None,
    offsets: object = 3,
    grid: SectorGrid | OwnMesh | Mapping[str, object] | None = None,
    formulation: str | None = None,
    cache: bool = True,
    progress: Progress | None = None,
    name: str = "",
) -> ElasticGear:
    """The elasticity of a gear by finite elements and its cyclic symmetry.

    Parameters
    ----------
    teeth
        A `Gear`, or its `Teeth`. The grid follows their ideal flanks: modifications play no part.
    material
        That of the gear without it.
    bore
        "fixed": held at all nodes of the bore. "free": the gear floats, rigid motions taken out. "shaft": it floats with
        all nodes of the bore as one rigid body, as on a stiff shaft; rigid motions taken out.
    up_to
        Find all natural modes below this frequency, such as "80 kHz"; none without it. With a fixed bore and without modes
        the body below the teeth has fewer unknowns (`fem.graded_body`), which takes a third of the time and makes teeth some
        hundredths of a percent stiffer.
    offsets
        How many neighbour teeth on either side the static compliance goes to.
    grid
        A `SectorGrid` of these teeth, or options for `sector_grid`, such as ``{"size": "1 mm"}``. Or an `OwnMesh` (or its
        options, such as ``{"mesh": "gear.inp", "units": "mm"}``): a solid mesh from another program.
    formulation
        Of the elements, see `stiffness_and_mass`.
    cache
        Keep the result in the user's cache folder, and take it from there next time.
    progress
        Called with how much is done, from 0 to 1, and what is being done.
    name
        What the gear is called while its progress is shown.
    """
    if isinstance(teeth, Gear):
        teeth = Teeth(teeth)
    if not isinstance(teeth, Teeth):
        raise ModelError(f"elastic gear: expected a Gear or Teeth, got {shown(teeth)}")
    if bore not in BORES:
        raise ModelError(f'elastic gear: bore must be "fixed", "free" or "shaft", got {shown(bore)}')
    limit = 0.0 if up_to is None else positive(up_to, "frequency", "elastic gear: up_to")
    reach = whole(offsets, "elastic gear: offsets", at_least=0, at_most=1000)
    matter = teeth.gear.material if material is None else material
    called = name or f"a gear with {teeth.gear.teeth} teeth"
    with stage(f"finite elements of {called}", implied=True) as now:
        tell = now.telling(progress)
        if isinstance(grid, OwnMesh) or (isinstance(grid, Mapping) and "mesh" in grid):
            from .own_mesh.build import gear_of_mesh

            own = grid if isinstance(grid, OwnMesh) else own_mesh_of(grid)
            kept = flag(cache, "elastic gear: cache")
            return gear_of_mesh(teeth, own, matter, bore=bore, limit=limit, reach=reach, cache=kept, tell=tell)
        sector = _sector(teeth, grid)
        kind = formulation_for(sector.solid.elements.shape[1], formulation)
        if not flag(cache, "elastic gear: cache"):
            with one_blas_thread():
                return _compute(teeth, matter, bore, limit, reach, sector, kind, tell)
        from .gear_cache import CacheEntry

        entry = CacheEntry.of(sector, matter, bore=bore, limit=limit, reach=reach, formulation=kind)
        found = entry.load(teeth, matter)
        if found is None:
            with one_blas_thread():
                found = _compute(teeth, matter, bore, limit, reach, sector, kind, tell)
            entry.store(found)
        return found


def _same_shape(a: Teeth, b: Teeth) -> bool:
    """Whether teeth differ only in modifications and material; a tool may be specified or be the default."""
    plain = [t.gear.with_(material=STEEL, modifications=None, tool=None) for t in (a, b)]
    return plain[0] == plain[1] and a.rack == b.rack and a.cutter == b.cutter


def _sector(teeth: Teeth, given: SectorGrid | Mapping[str, object] | None) -> SectorGrid:
    if isinstance(given, SectorGrid):
        if not _same_shape(given.teeth, teeth):
            raise ModelError(
                "elastic gear: the grid belongs to another gear. Make a grid of these teeth, or specify grid options"
            )
        return given
    if given is not None and not isinstance(given, Mapping):
        raise ModelError(
            f'elastic gear: grid must be a SectorGrid or options such as {{"size": "1 mm"}}, got {shown(given)}'
        )
    options: dict[str, object] = dict(given or {})
    return sector_grid(teeth, **options)


def _compute(
    teeth: Teeth,
    material: Material,
    bore: str,
    limit: float,
    reach: int,
    grid: SectorGrid,
    formulation: str,
    tell: Progress,
) -> ElasticGear:
    tell(0.0, "assembling")
    statics_alone = bore == "fixed" and not limit
    body = graded_body(grid) if statics_alone else None
    sector = CyclicSector.of(grid, material, bore=bore, formulation=formulation, body=body, massless=statics_alone)
    grids, loads = {}, {}
    for side in SIDES:
        grids[side], loads[side] = flank_grid(grid, side)
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
    mass, inertia, centre = mass_and_inertia(grid, material)
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
