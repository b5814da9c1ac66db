"""Parts of a STEP file: name, placement, volume, mass properties and shape."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ...errors import Subject
from ...gears.material import Material
from ...progress import stage
from ...solids.mass_properties import MassProperties, shaped
from ...solids.shape import NO_SHAPE, Shape
from ...units import quantity
from ..limits import MOST_BYTES, ExchangeError, file_bytes
from .part21 import check_text, densities, placements_problem
from .reading import CadProcess, kernel_version, need_kernel

__all__ = ["CadPart", "cad_parts", "read_density"]

FloatArray = npt.NDArray[np.float64]
MM = 1e-3
"""Lengths of the CAD kernel are in mm."""
TIME_LIMIT = 300.0
ANGLE = math.radians(15.0)


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class CadPart:
    """One part of a CAD assembly, at one place.

    Attributes
    ----------
    name : str
        Unique in the file.
    product : str
        Name of the part in the file; the same for repeated instances.
    path : tuple of str
        Names of the assemblies that contain it, from the top, and of the instance.
    position, orientation : (3,), (3, 3)
        Placement: origin [m], and columns that are the axes of the part.
    volume : float
        [m^3]
    centre : (3,)
        Centre of the volume in the axes of the part [m].
    second_moment : (3, 3)
        Inertia about the centre for density 1, in the axes of the part [m^5].
    material : str
        Name of the material in the file, "" without one.
    density : float or None
        Density in the file [kg/m^3].
    shape : Shape
        Triangles in the axes of the part, with the colours of the file.
    notes : tuple of str
        What was assumed or left out in reading.
    density_problem : str
        Why the part has no density or no volume, "" otherwise.
    """

    name: str
    product: str
    path: tuple[str, ...]
    position: FloatArray
    orientation: FloatArray
    volume: float
    centre: FloatArray
    second_moment: FloatArray
    material: str = ""
    density: float | None = None
    shape: Shape = NO_SHAPE
    notes: tuple[str, ...] = ()
    density_problem: str = field(default="", repr=False)

    @property
    def known_as(self) -> tuple[str, ...]:
        """Texts that a pattern may fit: name, product, path with slashes, material."""
        texts = (self.name, self.product, self.path[-1], "/".join(self.path), self.material)
        return tuple(dict.fromkeys(text for text in texts if text))

    def mass_properties(self, density: Any = None, *, mass: Any = None) -> MassProperties:
        """Mass, centre of mass and inertia in the axes of the part, with its shape, for ``m.body(solid=...)``.

        Parameters
        ----------
        density
            [kg/m^3], or a `Material`. Default: that of the file.
        mass
            Instead of the density: total mass [kg], evenly distributed.
        """
        what = Subject(f'part "{self.name}"')
        if density is not None and mass is not None:
            raise ExchangeError(f"{what}: specify density or mass, not both")
        if mass is not None:
            kilograms = quantity(mass, "mass", what=what / "mass")
            if kilograms <= 0.0:
                raise ExchangeError(f"{what}: mass must be greater than zero, got {kilograms:g} kg")
            rho = kilograms / self.volume
        else:
            given = self.density if density is None else read_density(density, what)
            if given is None:
                why = f" ({self.density_problem})" if self.density_problem else ""
                raise ExchangeError(f'{what}: no density{why}. Specify density="7850 kg/m^3" or a material')
            rho = given
        inertia = rho * self.second_moment
        return shaped(MassProperties(rho * self.volume, self.centre, (inertia + inertia.T) / 2, what=what), self.shape)

    def __repr__(self) -> str:
        return (
            f'CadPart("{self.name}", {1e6 * self.volume:.6g} cm^3, at {np.round(1e3 * self.position, 3).tolist()} mm)'
        )


def read_density(value: object, what: Subject) -> float:
    """Density [kg/m^3] of a material or a quantity."""
    rho = value.density if isinstance(value, Material) else quantity(value, "density", what=what / "density")
    if not rho > 0.0:
        raise ExchangeError(f"{what}: density must be greater than zero, got {rho:g} kg/m^3")
    return float(rho)


@names_wrong_arguments
def cad_parts(
    path: str | Path,
    *,
    shapes: bool = True,
    tolerance: Any = None,
    angle: Any = ANGLE,
    time_limit: Any = TIME_LIMIT,
    reader: CadProcess | None = None,
) -> list[CadPart]:
    """All parts of a STEP file, each instance by itself, in the order of the file. Needs the extra ``cad``.

    Parameters
    ----------
    path
        STEP file (.step, .stp) of a part or an assembly. Units of length are converted.
    shapes
        If False, parts have no shapes for pictures.
    tolerance
        Largest distance between triangles and the true surface [m]. Default: 0.2 % of the size of the part.
    angle
        Largest angle between neighbouring triangles [rad]. Default 15 deg.
    time_limit
        For the CAD kernel [s]. Default 300 s.
    reader
        Process to use, for many files. Default: a new one.
    """
    file = Path(path).expanduser()
    what = Subject("cad_parts")
    coarse = None if tolerance is None else quantity(tolerance, "length", what=what / "tolerance") / MM
    turn = quantity(angle, "angle", what=what / "angle")
    seconds = quantity(time_limit, "time", what=what / "time_limit")
    for name, value, unit in (("tolerance", coarse, "mm"), ("angle", turn, "rad"), ("time_limit", seconds, "s")):
        if value is not None and not 0.0 < value < 1e9:
            raise ExchangeError(f"{what}: {name} must be greater than zero, got {value:g} {unit}")
    data = file_bytes(file, most=MOST_BYTES)
    problem = check_text(data)
    if problem is not None:
        raise ExchangeError(f"{file}: the file {problem}")
    need_kernel()
    problem = placements_problem(data, kernel_version())
    if problem is not None:
        raise ExchangeError(f"{file}: the file {problem}")
    stated = densities(data)
    del data
    request = {"shapes": bool(shapes), "tolerance": coarse, "angle": turn}
    with stage(f"reading {file.name}"):
        if reader is not None:
            head, arrays = reader.read(file, seconds=seconds, **request)
        else:
            with CadProcess() as own:
                head, arrays = own.read(file, seconds=seconds, **request)
    from .part_building import parts_of

    return parts_of(file, head, arrays, stated)
