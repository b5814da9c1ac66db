"""`MeshedGear`: a solid mesh of a gear from another program, and which of its sets are flanks, bore and cuts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ...arguments import names_wrong_arguments
from ...errors import ModelError, near_names, shown
from ...gears.gear import Gear
from ...gears.inputs import flag, whole
from ...gears.material import Material
from ...units import quantity
from ..meshes.solid_mesh import FloatArray, SolidMesh

__all__ = ["MeshedGear", "own_gear_of"]

_WHAT = "meshed gear"


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class MeshedGear:
    """A solid mesh of a gear from another program, and the meaning of its sets; for `elastic_gear`.

    Parameters
    ----------
    mesh
        File (.inp, .vtu, .msh), or a `SolidMesh`.
    units
        Of the file: "mm" or "m".
    material
        Of all elements, instead of those of the file; elements without a material have that of the gear.
    flanks
        {"left": name, "right": name} of the sets of nodes or faces on the flanks, of all teeth together; several names in a
        list. Without it, faces on the flanks of `teeth` are found by their position.
    bore_set
        Name of the set at the bore (internal gears: at the outside of the rim). Without it, the surface closest to the
        axis (internal
        gears: farthest from it).
    sector
        (low, high): names of the sets on the two cuts of a mesh of one tooth. True: one tooth, whose cuts are found. False: the
        whole gear. Without it, this is found.
    rows, lines
        Grid of the pressures (hats) on a flank: points along the profile and along the face. Default: that of the
        nodes, if these are
        on a regular grid, otherwise as fine as the elements.
    axis
        "x", "y" or "z" (default): axis of the gear in the mesh. x is taken as z of the gear, with y, z as x, y; y "
        "with z, x as x, y.
    turn
        Angle [rad] by which the mesh is rotated about the axis into the axes of the gear (x through the middle of
        tooth 0). Default: as
        the named flanks require, otherwise 0.
    missing
        Numbers of broken teeth, which carry no load. Teeth without any flank are missing anyway.
    cracks
        True: nodes at the same position may belong to different sides of a crack. False (default): such nodes are an error.
    """

    mesh: SolidMesh | Path
    units: str | None
    material: Material | None
    flanks: Mapping[str, tuple[str, ...]] | None
    bore_set: str | None
    sector: tuple[str, str] | bool | None
    rows: int | None
    lines: int | None
    axis: str
    turn: float | None
    missing: tuple[int, ...]
    cracks: bool

    def __init__(
        self,
        mesh: SolidMesh | str | Path,
        *,
        units: str | None = None,
        material: Material | None = None,
        flanks: Mapping[str, str | Sequence[str]] | None = None,
        bore_set: str | None = None,
        sector: Sequence[str] | bool | None = None,
        rows: object = None,
        lines: object = None,
        axis: str = "z",
        turn: object = None,
        missing: Sequence[int] = (),
        cracks: bool = False,
    ) -> None:
        if isinstance(mesh, SolidMesh):
            if units is not None:
                raise ModelError(f"{_WHAT}: a SolidMesh is in SI already. Leave out units")
        elif not isinstance(mesh, (str, Path)):
            raise ModelError(f"{_WHAT}: mesh must be the name of a file or a SolidMesh, got {shown(mesh)}")
        else:
            mesh = Path(mesh)
            if units not in ("mm", "m"):
                raise ModelError(
                    f'{_WHAT} "{mesh}": specify the units of the file: units="mm" or units="m", got {shown(units)}'
                )
        if material is not None and not isinstance(material, Material):
            raise ModelError(f"{_WHAT}: material must be a Material such as pl.STEEL, got {shown(material)}")
        if bore_set is not None and not isinstance(bore_set, str):
            raise ModelError(f"{_WHAT}: bore_set must be the name of a set, got {shown(bore_set)}")
        if axis not in ("x", "y", "z"):
            raise ModelError(f'{_WHAT}: axis must be "x", "y" or "z", got {shown(axis)}')
        given: dict[str, Any] = {
            "mesh": mesh,
            "units": units,
            "material": material,
            "flanks": _flanks(flanks),
            "bore_set": bore_set,
            "sector": _sector(sector),
            "rows": None if rows is None else whole(rows, f"{_WHAT}: rows", at_least=3, at_most=200),
            "lines": None if lines is None else whole(lines, f"{_WHAT}: lines", at_least=3, at_most=200),
            "axis": axis,
            "turn": None if turn is None else quantity(turn, "angle", what=f"{_WHAT}: turn"),
            "missing": _missing(missing),
            "cracks": flag(cracks, f"{_WHAT}: cracks"),
        }
        if (rows is None) != (lines is None):
            raise ModelError(f"{_WHAT}: specify rows and lines, or none of them")
        for name, value in given.items():
            object.__setattr__(self, name, value)

    def options(self) -> dict[str, object]:
        """Options that differ from the defaults, as in model files; `mesh` always."""
        plain = {"axis": "z", "missing": (), "cracks": False}
        said = {item.name: getattr(self, item.name) for item in fields(self)}
        kept = {name: value for name, value in said.items() if name == "mesh" or value != plain.get(name)}
        mesh = kept["mesh"]
        return {**kept, "mesh": str(mesh) if isinstance(mesh, Path) else mesh}

    @property
    def hats(self) -> tuple[int, int] | None:
        """Rows and lines, if they are specified."""
        return None if self.rows is None or self.lines is None else (self.rows, self.lines)

    def solid(self) -> SolidMesh:
        """The mesh, read from its file."""
        if isinstance(self.mesh, SolidMesh):
            return self.mesh
        from ..meshes.reading import solid_mesh

        return solid_mesh(self.mesh, units=self.units, material=self.material)

    def flank_points(self, gear: Gear, side: str) -> FloatArray:
        """(n, 3) nodes [m] of the named "left" or "right" flank, of the tooth closest to the x axis; for teeth from points.

        gear: nominal gear, for the checks of size and units.
        """
        from .flank_points import points_of_tooth

        return points_of_tooth(self, gear, side)

    def with_material(self, material: Material | None) -> MeshedGear:
        """The same with a material of all elements; as it is with None."""
        if material is None:
            return self
        found = copy(self)
        object.__setattr__(found, "material", material)
        return found

    @property
    def called(self) -> str:
        """For messages."""
        name = self.mesh.source if isinstance(self.mesh, SolidMesh) else str(self.mesh)
        return f'mesh "{name}"' if name else "mesh"


def own_gear_of(options: Mapping[str, object]) -> MeshedGear:
    """From options as in model files, which contain "mesh"."""
    known = [item.name for item in fields(MeshedGear)]
    for name in options:
        if name not in known:
            raise ModelError(f"{_WHAT}: there is no option {shown(name)}; {near_names(str(name), known)}")
    given: dict[str, Any] = dict(options)
    return MeshedGear(given.pop("mesh"), **given)


def _names(value: object, what: str) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, (list, tuple)) else ()
    if not names or not all(isinstance(name, str) and name for name in names):
        raise ModelError(f"{_WHAT}: {what} must be the name of a set, or a list of names, got {shown(value)}")
    return names


def _flanks(value: object) -> Mapping[str, tuple[str, ...]] | None:
    if value is None:
        return None
    if not isinstance(value, Mapping) or set(value) != {"left", "right"}:
        raise ModelError(
            f'{_WHAT}: flanks must be {{"left": name of a set, "right": name of a set}}, got {shown(value)}'
        )
    return {side: _names(value[side], f"flanks.{side}") for side in ("left", "right")}


def _sector(value: object) -> tuple[str, str] | bool | None:
    if value is None or isinstance(value, bool):
        return value
    names = tuple(value) if isinstance(value, (list, tuple)) else ()
    if len(names) != 2 or not all(isinstance(name, str) and name for name in names) or names[0] == names[1]:
        raise ModelError(
            f"{_WHAT}: sector must be two names of sets (low, high), True (one tooth) or False (whole gear), got {shown(value)}"
        )
    return names[0], names[1]


def _missing(value: object) -> tuple[int, ...]:
    if not isinstance(value, (list, tuple)):
        raise ModelError(f"{_WHAT}: missing must be a list of numbers of teeth, got {shown(value)}")
    return tuple(whole(n, f"{_WHAT}: missing", at_least=0, at_most=100_000) for n in value)
