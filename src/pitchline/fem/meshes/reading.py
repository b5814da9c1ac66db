"""`solid_mesh`: a mesh of solid elements from a file of another program."""

from __future__ import annotations

from pathlib import Path

from ...arguments import names_wrong_arguments
from ...errors import ModelError, near_names, shown
from ...gears.material import Material
from .solid_mesh import SolidMesh

__all__ = ["MESH_FILES", "solid_mesh"]

MESH_FILES = {
    ".inp": "a mesh of Abaqus or CalculiX",
    ".vtu": "an unstructured grid of VTK",
    ".msh": "a mesh of Gmsh",
}


@names_wrong_arguments
def solid_mesh(path: str | Path, *, units: str | None = None, material: Material | None = None) -> SolidMesh:
    """A mesh of hexahedra or tetrahedra from a file, by its ending; for `elastic_gear`.

    ======  ==================================================================================================
    .inp    Abaqus, CalculiX: C3D8, C3D20, C3D10 and their variants; node sets, surfaces, materials
    .vtu    VTK: hexahedra and tetrahedra; sets are point data and cell data of whole numbers
    .msh    Gmsh, version 4.1, 4.0 or 2.2, text or binary: hexahedra of 8 or 20 nodes, tetrahedra of 10; physical surfaces
    ======  ==================================================================================================

    Parameters
    ----------
    path
        The file.
    units
        Of the file: "mm" (mm, t, s: N, MPa) or "m" (m, kg, s: N, Pa). Required, because files do not contain it.
    material
        Of all elements, instead of those of the file. Without one, elements without a material get that of the gear.
    """
    from .inp_mesh import UNITS, mesh_of_inp, read_inp
    from .msh_mesh import read_msh
    from .vtu_mesh import read_vtu

    source = Path(path).expanduser()
    end = source.suffix.lower()
    if end not in MESH_FILES:
        raise ModelError(f'mesh "{source}": the file type "{end}" is not supported; {near_names(end, MESH_FILES)}')
    if not source.is_file():
        raise ModelError(f'mesh "{source}": there is no such file')
    if units not in ("mm", "m"):
        raise ModelError(
            f'mesh "{source}": specify the units: units="mm" for mm, t, s (N, MPa), units="m" for m, kg, s (N, Pa); '
            f"got {shown(units)}"
        )
    if material is not None and not isinstance(material, Material):
        raise ModelError(f'mesh "{source}": material must be a Material such as pl.STEEL, got {shown(material)}')
    if end == ".inp":
        return mesh_of_inp(read_inp(source), units, material, bare=True)
    scale = UNITS[units][0]
    return read_vtu(source, scale, material) if end == ".vtu" else read_msh(source, scale, material)
