"""An elastic gear: all that contact and dynamics need to know of its finite elements, and nothing of the grid itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.progress.display import stage
from pitchline.base.types import ComplexArray, FloatArray, IntArray
from pitchline.errors import ModelError, PitchlineError, shown
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.inputs import Material, flag, positive, whole
from pitchline.parts.gears.geometry.rack import Rack
from pitchline.parts.gears.surfaces.from_gears import SurfaceTeeth, surface_teeth
from pitchline.parts.gears.surfaces.patch import FlankPatch
from pitchline.parts.gears.teeth.bevel import BevelTeeth
from pitchline.parts.gears.teeth.teeth import Teeth

from .charts import sector_count
from .element_matrices import formulation_for
from .own_mesh.gear_solid import MeshedGear, own_gear_of
from .sector_grid import SectorGrid, sector_grid
from .sector_rack import is_steep, is_worm, same_shape, too_steep
from .solid_grid import grid_quality
from .sparse_solver import one_blas_thread
from .surface_grid import SurfaceGrid, surface_grid
from .tooth_sector import ToothSector

__all__ = ["ElasticGear", "elastic_gear", "rigid_by_options", "rigid_gear"]


SIDES = ("left", "right")
BORES = ("fixed", "free", "shaft")
MOST_TEETH = 10_000
"""Finite elements of a gear with so many teeth take about a minute."""
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
        Of the gear: `Teeth` of involutes on cylindrical gears, `SurfaceTeeth` of all others. Their modifications play no part in
        its elasticity.
    grids
        The hats on the "left" and "right" flank: `FlankGrid` of `Teeth`, `SurfaceGrid` of `SurfaceTeeth`.
    compliance
        (side_i, side_j) → (offsets, hats_i, hats_j) [m/N]: displacement of hat i on side_i of tooth k + o to a unit force on
        hat j on side_j of tooth k, o = offsets[…].
    offsets
        (2 reach + 1,) tooth offsets, −reach … reach, counted round the gear.
    bore
        "fixed": all nodes of the bore are held. "free": the gear floats; what is left when its rigid motions are taken out.
        "shaft": free, with the nodes of the bore moving as one rigid body. Of a bevel gear the bore is the inside of its rim, of
        a rack its back. "rigid": a rigid body, with the local deformation of the flanks only (`rigid_gear`); its compliance is
        zero.
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
        Its coordinate along the axis [m]; 0 but for conical and bevel gears.
    """

    kind: ClassVar[str] = "elastic gear"
    warnings: ClassVar[tuple[str, ...]] = ()
    teeth: Any  # Teeth | SurfaceTeeth: who takes only involutes checks it where a gear enters
    material: Material
    grids: Mapping[str, Any]  # FlankGrid | SurfaceGrid
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
    def rigid(self) -> bool:
        """Whether only its flanks deform."""
        return self.bore == "rigid"

    @property
    def sectors(self) -> int:
        """Number of sectors after which they repeat: z of a gear, at least 16 of a rack."""
        return sector_count(self.teeth.gear, len(self.offsets) // 2)

    @property
    def multiplicities(self) -> IntArray:
        """(modes,) 1, or 2 where a mode stands for the pair n, −n, the same frequency twice."""
        n, z = self.nodal_diameters, self.sectors
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
        z = self.sectors
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
        turns = np.exp(2j * math.pi * np.outer(self.offsets, n) / self.sectors) / w**2
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

    def has_shape_of(self, teeth: Teeth | SurfaceTeeth) -> bool:
        """Whether teeth differ from those of this gear only in modifications and material."""
        return same_shape(teeth, self.teeth)

    def with_teeth(self, teeth: Teeth | SurfaceTeeth) -> ElasticGear:
        """The same elasticity with other modifications of the flanks."""
        if not same_shape(teeth, self.teeth):
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
    teeth: Teeth | SurfaceTeeth | BevelTeeth | Gear | Rack,
    *,
    material: Material | None = None,
    bore: str = "fixed",
    up_to: object = None,
    offsets: object = 3,
    grid: SectorGrid | ToothSector | MeshedGear | Mapping[str, object] | None = None,
    formulation: str | None = None,
    cache: bool = True,
    progress: Progress | None = None,
    name: str = "",
) -> ElasticGear:
    """The elasticity of a gear by finite elements and its cyclic symmetry.

    Parameters
    ----------
    teeth
        A `Gear`, a `Rack`, or teeth. The grid of `Teeth` follows their ideal flanks: modifications play no part. Bevel gears,
        racks and imported teeth become `SurfaceTeeth`, with hats on a uniform grid over their flanks.
    material
        That of the gear without it.
    bore
        "fixed": held at all nodes of the bore. "free": the gear floats, rigid motions taken out. "shaft": it floats with
        all nodes of the bore as one rigid body, as on a stiff shaft; rigid motions taken out. The bore of a bevel gear is the
        inside of its rim, that of a rack its back. A rack that floats has a back that moves as one rigid body in either case.
    up_to
        Find all natural modes below this frequency, such as "80 kHz"; none without it. With a fixed bore and without modes
        the body below the teeth has fewer unknowns (`fem.graded_body`), which takes a third of the time and makes teeth some
        hundredths of a percent stiffer.
    offsets
        How many neighbour teeth on either side the static compliance goes to.
    grid
        A `SectorGrid` of these teeth, or options for `sector_grid`, such as ``{"size": "1 mm"}``; for bevel gears, racks and
        `SurfaceTeeth` options of `surface_sector_grid`. ``{"body": "rigid"}``: no finite elements, see `rigid_gear`. Or an
        `MeshedGear`, or its options, such as ``{"mesh": "gear.inp", "units": "mm"}``: a solid mesh from another program.
    formulation
        Of the elements, see `stiffness_and_mass`.
    cache
        Keep the result in the user's cache folder, and take it from there next time.
    progress
        Called with how much is done, from 0 to 1, and what is being done.
    name
        What the gear is called while its progress is shown.
    """
    given = _teeth(teeth)
    if bore not in BORES:
        raise ModelError(f'elastic gear: bore must be "fixed", "free" or "shaft", got {shown(bore)}')
    if isinstance(given.gear, Rack) and bore == "free":
        bore = "shaft"
    limit = 0.0 if up_to is None else positive(up_to, "frequency", "elastic gear: up_to")
    reach = whole(offsets, "elastic gear: offsets", at_least=0, at_most=1000)
    matter = given.gear.material if material is None else material
    if isinstance(grid, Mapping) and "body" in grid:
        pass

        return rigid_by_options(given, matter, reach, grid)
    _check_count(given)
    called = name or f"a {'rack' if isinstance(given.gear, Rack) else 'gear'} with {given.gear.teeth} teeth"
    with stage(f"finite elements of {called}", implied=True) as now:
        from .node_modes import compute

        tell = now.telling(progress)
        if isinstance(grid, MeshedGear) or (isinstance(grid, Mapping) and "mesh" in grid):
            from .own_mesh.build import built_from

            own = grid if isinstance(grid, MeshedGear) else own_gear_of(grid)
            if formulation is not None:
                raise ModelError("elastic gear: formulation is not for an own mesh, which has the default formulations")
            kept = flag(cache, "elastic gear: cache")
            own = own.with_material(material)
            return built_from(given, own, matter, bore=bore, limit=limit, reach=reach, cache=kept, tell=tell)
        sector = _sector(given, grid)
        kind = formulation_for(sector.solid.elements.shape[1], formulation)
        if not flag(cache, "elastic gear: cache"):
            with one_blas_thread():
                return compute(given, matter, bore, limit, reach, sector, kind, tell)
        from .gear_file import CacheEntry

        entry = CacheEntry.of(sector, matter, bore=bore, limit=limit, reach=reach, formulation=kind)
        found = entry.load(given, matter)
        if found is None:
            with one_blas_thread():
                found = compute(given, matter, bore, limit, reach, sector, kind, tell)
            entry.store(found)
        return found


def _check_count(teeth: Teeth | SurfaceTeeth) -> None:
    """The time and the memory of finite elements grow with the number of harmonics, which is that of the teeth."""
    z = teeth.gear.teeth
    if z > MOST_TEETH:
        raise ModelError(
            f"elastic gear: finite elements are limited to {MOST_TEETH} teeth, because the time grows with each tooth; this "
            f"gear has {z}. Check its number of teeth, or use the stiffness of Elastic(...)"
        )


def _teeth(given: object) -> Teeth | SurfaceTeeth:
    """Involutes on cylinders as they are, all others as surfaces."""
    if isinstance(given, Gear) and not given.cone_angle and given.flanks is None:
        return Teeth(given)
    if isinstance(given, (Teeth, SurfaceTeeth)):
        return given
    if isinstance(given, (BevelTeeth, Gear, Rack)):
        return surface_teeth(given)
    raise ModelError(f"elastic gear: expected a Gear, a Rack or teeth, got {shown(given)}")


def _sector(
    teeth: Teeth | SurfaceTeeth, given: SectorGrid | ToothSector | Mapping[str, object] | None
) -> SectorGrid | ToothSector:
    if isinstance(given, (SectorGrid, ToothSector)):
        fits = isinstance(given, ToothSector) == isinstance(teeth, SurfaceTeeth)
        if not fits or not same_shape(given.teeth, teeth):
            raise ModelError(
                "elastic gear: the grid belongs to another gear. Make a grid of these teeth, or specify grid options"
            )
        return given
    if given is not None and not isinstance(given, Mapping):
        raise ModelError(
            f'elastic gear: grid must be a SectorGrid or options such as {{"size": "1 mm"}}, got {shown(given)}'
        )
    options: dict[str, object] = dict(given or {})
    if isinstance(teeth, Teeth):
        if not options and is_worm(teeth.gear):
            raise too_steep(teeth.gear)
        found = sector_grid(teeth, **options)
        if is_steep(teeth.gear) and not grid_quality(found.solid).valid:
            raise too_steep(teeth.gear)
        return found
    from .sector_surfaces import surface_sector_grid

    return surface_sector_grid(teeth, **options)


# ---- rigid gear

# A gear whose body is rigid: only the flanks deform, as half-spaces. For teeth whose body is not known, such as
# worms.

_ROW, _LINE = 0.1, 0.625
"""Distance of hats across and along the flank, by the normal module, as in default grids of finite elements."""
_USUAL = 15, 41
"""Rows and lines at most, if they are not specified: hats have no elasticity of their own here."""
_MOST = 400


@names_wrong_arguments
def rigid_gear(
    teeth: Teeth | SurfaceTeeth | BevelTeeth | Gear | Rack,
    *,
    material: Material | None = None,
    offsets: object = 3,
    rows: object = None,
    lines: object = None,
) -> ElasticGear:
    """A gear with a rigid body: contact takes only the local deformation of the flanks into account (half-space).

    It takes the place of an `ElasticGear` in contact analyses. Use it where the body is not known or cannot be divided into
    elements, such as a worm. Results are stiffer than with finite elements: teeth and body do not bend.

    Parameters
    ----------
    teeth
        A `Gear`, a `Rack`, or teeth; they become `SurfaceTeeth`.
    material
        That of the gear without it; for the half-space.
    offsets
        How many neighbour teeth on each side, as in `elastic_gear`.
    rows, lines
        Number of hats across the flank, from the form line to the tip, and along the face. Without them they are a tenth of the
        module and 0.625 modules apart, but not more than 15 and 41.
    """
    given = surface_teeth(teeth)
    reach = whole(offsets, "rigid gear: offsets", at_least=0, at_most=1000)
    matter = given.gear.material if material is None else material
    if not isinstance(matter, Material):
        raise ModelError(f"rigid gear: material must be a Material, such as STEEL, got {shown(material)}")
    grids = {side: _hats(given.flank(side), given.gear.normal_module, rows, lines) for side in SIDES}
    size = {side: grid.size for side, grid in grids.items()}
    mass, inertia, centre = _mass(given.gear)
    return ElasticGear(
        teeth=given,
        material=matter,
        grids=grids,
        compliance={(i, j): np.zeros((2 * reach + 1, size[i], size[j])) for i in SIDES for j in SIDES},
        offsets=np.arange(-reach, reach + 1),
        bore="rigid",
        frequencies=np.zeros(0),
        nodal_diameters=np.zeros(0, dtype=np.int64),
        traces={side: np.zeros((0, size[side]), dtype=np.complex128) for side in SIDES},
        limit=math.inf,
        mass=mass,
        inertia=inertia,
        centre_of_mass=centre,
    )


def _hats(patch: FlankPatch, module: float, rows: object, lines: object) -> SurfaceGrid:
    counts = []
    for given, name, length, step, most in zip(
        (rows, lines), ("rows", "lines"), patch.lengths, (_ROW * module, _LINE * module), _USUAL, strict=True
    ):
        if given is None:
            counts.append(int(np.clip(math.ceil(length / step - 1e-6) + 1, 5, most)))
        else:
            counts.append(whole(given, f"rigid gear: {name}", at_least=2, at_most=_MOST))
    return surface_grid(patch, *counts)


def _mass(gear: Gear | Rack) -> tuple[float, np.ndarray, float]:
    """Of the blank; zero where the gear has none."""
    try:
        blank = gear.blank
    except PitchlineError:
        return 0.0, np.zeros(3), 0.0
    return blank.mass, np.array(blank.inertia), blank.centre_of_mass[2]


def rigid_by_options(
    teeth: Teeth | SurfaceTeeth, material: Material, reach: int, options: Mapping[str, object]
) -> ElasticGear:
    """The rigid gear of grid options with "body": "rigid"."""
    body, others = options["body"], {name: value for name, value in options.items() if name != "body"}
    if body != "rigid":
        raise ModelError(f'elastic gear: the grid option body must be "rigid", got {shown(body)}')
    for name in others:
        if name not in ("rows", "lines"):
            raise ModelError(
                f'elastic gear: with body = "rigid" there are no elements, so that {name} does not apply. Specify rows and lines '
                "of hats, or leave them out"
            )
    return rigid_gear(teeth, material=material, offsets=reach, **others)
