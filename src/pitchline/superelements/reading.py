"""`read_superelement`: a flexible body from the files of finite element programs, or from a file of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, near_names, shown
from ..units import vector
from .interface import plain_value, read_interfaces
from .superelement import Superelement, find_interfaces, reduced_body, said_of

if TYPE_CHECKING:
    from ..gears.material import Material

__all__ = ["read_superelement"]

_KINDS = {
    ".h5": "a superelement that was saved",
    ".inp": "a mesh of Abaqus or CalculiX",
    ".dof": "matrices of CalculiX",
    ".sti": "matrices of CalculiX",
    ".mas": "matrices of CalculiX",
    ".mtx": "matrices of Abaqus or Matrix Market",
    ".hb": "Harwell-Boeing matrices of ANSYS",
    ".pch": "DMIG matrices of Nastran",
}


@names_wrong_arguments
def read_superelement(
    path: str | Path,
    *,
    interfaces: Mapping[str, Any] | None = None,
    modes_to: Any = None,
    modes: int | None = None,
    units: str | None = None,
    material: Material | None = None,
    mass: Any = None,
    mesh: str | Path | None = None,
    positions: Mapping[Any, Any] | None = None,
    matrices: Sequence[str] = ("KAAX", "MAAX"),
) -> Superelement:
    """A flexible body from a file, by its ending.

    ======  =================================================================================================
    .inp    mesh of Abaqus or CalculiX (C3D4, C3D8, C3D10, C3D20 and their variants) with its node sets
    .dof    CalculiX, step ``*FREQUENCY, SOLVER=MATRIXSTORAGE``; .sti and .mas are in the same folder
    .mtx    Abaqus, ``*SUBSTRUCTURE MATRIX OUTPUT, STIFFNESS=YES, MASS=YES, OUTPUT FILE=USER DEFINED``
    .mtx    Abaqus, ``*MATRIX OUTPUT, STIFFNESS, MASS, FORMAT=MATRIX INPUT``: NAME_STIF1.mtx, with NAME_MASS1.mtx
    .mtx    Matrix Market: NAME_stiffness.mtx, with NAME_mass.mtx and NAME_nodes.csv (see `write_superelement`)
    .pch    Nastran, ``EXTSEOUT(STIFFNESS, MASS, DMIGPCH)``; GRID entries of the file are used
    .hb     ANSYS, ``HBMAT`` in ASCII: NAME_k.hb, with NAME_m.hb and NAME_k.mapping
    .h5     what `Superelement.save` wrote: complete, no other argument is needed
    ======  =================================================================================================

    Parameters
    ----------
    interfaces, modes_to, modes, mass
        As for `Superelement.from_mesh`. Nodes are named by their numbers in the file.
    units
        Of the file: "mm" (mm, t, s: N, MPa) or "m" (m, kg, s: N, Pa). Required, because files do not contain it.
    material
        Instead of the materials of an .inp file.
    mesh
        Input file (.inp) with the coordinates and node sets of matrices; by default the file with the same name in the same folder.
    positions
        Instead: places of the nodes by number, in SI.
    matrices
        Names of stiffness and mass in a .pch file.
    """
    source = Path(path).expanduser()
    what = f'superelement "{source.name}"'
    end = source.suffix.lower()
    if end not in _KINDS:
        raise ModelError(f'{what}: the file type "{end}" is not supported; {near_names(end, _KINDS)}')
    if end == ".h5":
        from .superelement_file import read

        if interfaces is not None or modes_to is not None or modes is not None or units is not None:
            raise ModelError(
                f"{what}: a saved superelement is complete. Leave out interfaces, modes, modes_to and units"
            )
        return replace(read(source), source={"file": str(path)})
    if not source.is_file():
        raise ModelError(f'{what}: there is no file "{source}"')
    if units not in ("mm", "m"):
        raise ModelError(
            f'{what}: specify the units: units="mm" for mm, t, s (N, MPa), units="m" for m, kg, s (N, Pa); got {shown(units)}'
        )
    from ..fem.meshes.inp_mesh import mesh_of_inp, read_inp

    if end == ".inp":
        made = mesh_of_inp(read_inp(source), units, material)
        try:
            body = Superelement._from_solid_mesh(made, interfaces or {}, modes_to, modes, mass, what)
        except (ValueError, RuntimeError, OverflowError) as error:  # LinAlgError is a ValueError
            raise ModelError(
                f"{what}: the mesh cannot be reduced ({error}). Check coordinates and materials, and that all parts of the mesh "
                "are connected"
            ) from None
    else:
        body = _from_matrices(
            source, interfaces or {}, modes_to, modes, units, mass, mesh, positions, tuple(matrices), what
        )
    said: dict[str, Any] = {
        "file": str(path),
        "units": units,
        **said_of(read_interfaces(interfaces, what), modes_to, modes, mass),
    }
    others = {"material": material, "mesh": None if mesh is None else str(mesh), "positions": plain_value(positions)}
    if tuple(matrices) != ("KAAX", "MAAX"):
        others["matrices"] = list(matrices)
    return replace(body, source=said | {key: value for key, value in others.items() if value is not None})


def _from_matrices(
    source: Path, interfaces: Mapping[str, Any], modes_to: Any, modes: int | None, units: str, mass: Any, mesh: str | Path | None,
    positions: Mapping[Any, Any] | None, matrices: tuple[str, ...], what: str,
) -> Superelement:  # fmt: skip
    from .coordinate_files import (
        is_matrix_market,
        is_user_element,
        read_abaqus_terms,
        read_harwell_boeing,
        read_matrix_market,
    )
    from .dmig import read_dmig
    from .matrix_files import read_calculix, read_mtx
    from .matrix_input import in_si, matrix_body

    end = source.suffix.lower()
    if end == ".pch":
        if len(matrices) != 2:
            raise ModelError(f"{what}: matrices must be the names of stiffness and mass, got {shown(matrices)}")
        found = read_dmig(source, (matrices[0].upper(), matrices[1].upper()))
    elif end == ".hb":
        found = read_harwell_boeing(source)
    elif end == ".mtx" and is_matrix_market(source):
        found = read_matrix_market(source)
    elif end == ".mtx":
        found = read_mtx(source) if is_user_element(source) else read_abaqus_terms(source)
    else:
        found = read_calculix(source)
    places, sets = _places(source, units, mesh, positions, what)
    component = found.dofs[:, 1]
    body, nodes = matrix_body(
        in_si(found.K, component, units), in_si(found.M, component, units), found.dofs, places, what, sets
    )
    try:
        return reduced_body(
            body,
            lambda: find_interfaces(nodes, interfaces, what, body=body),
            modes_to,
            modes,
            mass,
            np.zeros((0, 3), np.int64),
            what,
        )
    except (ValueError, RuntimeError, OverflowError) as error:  # LinAlgError is a ValueError
        raise ModelError(
            f"{what}: the matrices cannot be reduced ({error}). Check that the mass is positive definite, and that both were "
            "written for the same degrees of freedom"
        ) from None


def _places(
    source: Path, units: str, mesh: str | Path | None, positions: Mapping[Any, Any] | None, what: str
) -> tuple[dict[int, Any], dict[str, Any]]:
    """Positions of nodes by number, and node sets."""
    if positions is not None:
        if mesh is not None:
            raise ModelError(f"{what}: specify mesh or positions, not both")
        try:
            return {
                int(n): vector(p, "length", what=Subject(what) / f"positions.{n}") for n, p in positions.items()
            }, {}
        except (ValueError, AttributeError):
            raise ModelError(f"{what}: positions must be {{node: (x, y, z)}}, got {shown(positions)}") from None
    from ..fem.meshes.inp_mesh import UNITS, read_inp

    scale = UNITS[units][0]
    own = _own_places(source) if mesh is None else None
    if own is not None and own[0]:
        return {n: scale * p for n, p in own[0].items()}, own[1]
    file = source.with_suffix(".inp") if mesh is None else Path(mesh).expanduser()
    if not file.is_file():
        raise ModelError(
            f'{what}: there is no "{file.name}" with the coordinates of the nodes. Specify mesh="....inp", or '
            f"positions={{node: (x, y, z)}}"
        )
    inp = read_inp(file)
    return (
        {n: scale * np.array(p) for n, p in inp.nodes.items()},
        {name: np.unique(members) for name, members in inp.node_sets.items()},
    )


def _own_places(source: Path) -> tuple[dict[int, Any], dict[str, Any]] | None:
    """Positions of nodes in the file of the matrices or next to it, in the unit of the file."""
    if source.suffix.lower() == ".pch":
        from .dmig import read_grids

        return read_grids(source)
    if source.suffix.lower() == ".mtx":
        from .coordinate_files import is_matrix_market, node_table

        if is_matrix_market(source):
            rows = [row for row in node_table(source) if row[0][1] > 0]
            named = {
                name: np.unique([label[0] for label, _, own in rows if own == name]) for _, _, name in rows if name
            }
            return {label[0]: np.array(position) for label, position, _ in rows}, named
    return None
