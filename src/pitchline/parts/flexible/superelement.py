"""Superelement: an elastic body reduced to its interfaces and some modes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, Subject, near_names, shown
from pitchline.units.quantity import quantity, vector

from ..gears.geometry.inputs import STEEL, Material
from .interface import plain_value, read_interfaces

if TYPE_CHECKING:
    from pitchline.fem.own_mesh.inp_mesh import SolidMesh

    from ..gears.geometry.inputs import Material
    from .reduction import FiniteElements, FoundInterface

__all__ = ["Superelement", "read_superelement"]


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Superelement:
    """An elastic body reduced to k interfaces, six coordinates each, and m modes with held interfaces (Craig-Bampton).

    Make one with `Superelement.from_mesh`, `Superelement.from_matrices` or `read_superelement`.

    Attributes
    ----------
    interfaces : tuple of str
        Names, in the order of all that follows.
    positions : (k, 3)
        Places of the interface nodes in the axes of the body [m].
    axes : (k, 3, 3)
        Axes of the interface nodes: columns in the axes of the body.
    stiffness : (6k, 6k)
        Between displacements and rotations of the interfaces, each in its own axes [N/m, N, N*m].
    modal_stiffness : (m,)
        Of the modes, whose amplitudes are largest displacements [N/m].
    mass_matrix : (6k + m, 6k + m)
        [kg, kg*m, kg*m^2]
    frequencies : (m,)
        Of the modes with held interfaces [Hz].
    mass : float
        [kg]
    centre_of_mass : (3,)
        In the axes of the body [m].
    inertia : (3, 3)
        About the centre of mass, in the axes of the body [kg*m^2].
    points : (p, 3)
        Points of the surface, for pictures [m]; none where the source has no mesh.
    triangles : (t, 3)
        Rows of `points`.
    shapes : (p, 3, 6k + m)
        Displacements of the points in the axes of the body by unit coordinates, interfaces in their own axes.
    source : dict, optional
        Form of this body in a model file.
    """

    interfaces: tuple[str, ...]
    positions: FloatArray
    axes: FloatArray
    stiffness: FloatArray
    modal_stiffness: FloatArray
    mass_matrix: FloatArray
    frequencies: FloatArray
    mass: float
    centre_of_mass: FloatArray
    inertia: FloatArray
    points: FloatArray
    triangles: IntArray
    shapes: npt.NDArray[np.float32]
    source: dict[str, Any] | None = None

    @classmethod
    def from_mesh(
        cls,
        nodes: Any,
        elements: Any,
        material: Material,
        *,
        interfaces: Mapping[str, Any],
        modes_to: Any = None,
        modes: int | None = None,
        node_sets: Mapping[str, Any] | None = None,
        mass: Any = None,
    ) -> Superelement:
        """Reduce a mesh of hexahedra and tetrahedra.

        Parameters
        ----------
        nodes
            (n, 3) places [m]. Nodes that belong to no element are left out.
        elements
            (m, 4), (m, 10) tetrahedra or (m, 8), (m, 20) hexahedra: rows of `nodes` in the order of Abaqus and VTK; or a list of
            such tables.
        material
            Of all elements.
        interfaces
            By name: an `Interface`, a table of its arguments, or the name of a node set.
        modes_to
            Modes with held interfaces are kept up to this frequency [Hz, or a text such as "8 kHz"]; 1.5 to 2 times the highest
            frequency of interest gives it to about one percent.
        modes
            Number of modes instead of modes_to; 0 keeps only the static shapes.
        node_sets
            Rows of `nodes` by name.
        mass
            What the body should weigh [kg]: another mass is an error.
        """
        from pitchline.fem.own_mesh.inp_mesh import SolidMesh

        mesh = SolidMesh.of(nodes, elements, material, node_sets)
        return cls._from_solid_mesh(mesh, interfaces, modes_to, modes, mass)

    @classmethod
    def _from_solid_mesh(
        cls,
        mesh: SolidMesh,
        interfaces: Mapping[str, Any],
        modes_to: Any,
        modes: int | None,
        mass: Any,
        what: str = "superelement",
    ) -> Superelement:
        from pitchline.fem.own_mesh.inp_mesh import mesh_matrices

        from .interface import read_interfaces
        from .reduction import FiniteElements
        from .superelement_file import mesh_key, recall, remember

        given = {name: each.said for name, each in read_interfaces(interfaces, what).items()}
        key = mesh_key(mesh, given, *read_modes(modes, modes_to, what), mass)
        known = recall(key)
        if known is not None:
            return known
        used = np.flatnonzero(mesh.used)
        K, M = mesh_matrices(mesh)
        dofs = (3 * used[:, None] + np.arange(3)).ravel()
        body = FiniteElements(
            K[dofs][:, dofs],
            M[dofs][:, dofs],
            np.repeat(np.arange(len(used)), 3),
            np.tile(np.arange(3), len(used)),
            mesh.nodes[used],
        )
        row = np.full(len(mesh.nodes), -1)
        row[used] = np.arange(len(used))

        def find() -> list[FoundInterface]:
            return [replace(each, nodes=row[each.nodes]) for each in find_interfaces(mesh, interfaces, what)]

        made = reduced_body(body, find, modes_to, modes, mass, row[mesh.surface()], what)
        remember(key, made, len(used))
        return made

    @classmethod
    def from_shape(
        cls,
        shape: Mapping[str, Any],
        material: Material = STEEL,
        *,
        interfaces: Mapping[str, Any],
        modes_to: Any = None,
        modes: int | None = None,
        mass: Any = None,
    ) -> Superelement:
        """Reduce a body of simple shape, meshed with 20-node hexahedra.

        Parameters
        ----------
        shape
            A table with its kind and dimensions; lengths may be texts, and ``element`` is the largest length of an element.

            - ``{"kind": "block", "size": (x, y, z)}``: from the origin. Node sets "x-", "x+", "y-", "y+", "z-", "z+": its faces.
            - ``{"kind": "disc", "outer": D, "bore": d, "width": b}``: about z. Node sets "bore", "rim", "low", "high".
            - ``{"kind": "plate", "size": (x, y, thickness), "seats": {name: {"at": (x, y), "diameter": d}}}``: from the origin.
              Node sets: those of a block, and each seat under its name.
            - ``{"kind": "box", "size": (x, y, z), "plate": t, "wall": w, "seats": {...}}``: two end plates at low and high z, four
              walls between them, seats in both plates: node sets "NAME low" and "NAME high"; ``"plate": "low"`` at a seat: in one
              interface only.
        material
            Of the body.
        interfaces, modes_to, modes, mass
            As for `from_mesh`.
        """
        from pitchline.fem.own_mesh.inp_mesh import SolidMesh

        from .interface import plain_value, read_interfaces
        from .shapes import shape_mesh

        nodes, elements, sets = shape_mesh(shape)
        mesh = SolidMesh.of(nodes, elements, material, sets)
        made = cls._from_solid_mesh(mesh, interfaces, modes_to, modes, mass)
        said = {"shape": plain_value(shape), "material": material}
        return replace(made, source=said | said_of(read_interfaces(interfaces, "superelement"), modes_to, modes, mass))

    @classmethod
    def from_matrices(
        cls,
        stiffness: Any,
        mass_matrix: Any,
        dofs: Any,
        positions: Any,
        *,
        interfaces: Mapping[str, Any],
        modes_to: Any = None,
        modes: int | None = None,
        mass: Any = None,
    ) -> Superelement:
        """Reduce matrices of a free body, in SI, from any finite element program.

        Parameters
        ----------
        stiffness, mass_matrix
            (n, n) sparse or dense.
        dofs
            n pairs (node, component): components 1, 2, 3 displacements, 4, 5, 6 rotations, 0 a modal coordinate.
        positions
            {node: (x, y, z)} of all nodes in `dofs` [m].
        interfaces, modes_to, modes, mass
            As for `from_mesh`; an interface may be a single node if it has rotations.
        """
        from .matrix_input import matrix_body

        body, mesh = matrix_body(stiffness, mass_matrix, dofs, positions, "superelement")

        def find() -> list[FoundInterface]:
            return find_interfaces(mesh, interfaces, "superelement", body=body)

        return reduced_body(body, find, modes_to, modes, mass, np.zeros((0, 3), np.int64), "superelement")

    # ---- what it is

    @property
    def free_frequencies(self) -> FloatArray:
        """Natural frequencies of the reduced body without supports, the six rigid motions left out [Hz]."""
        import scipy.linalg as sl

        k = 6 * len(self.interfaces)
        K = np.zeros_like(self.mass_matrix)
        K[:k, :k] = self.stiffness
        K[range(k, len(K)), range(k, len(K))] = self.modal_stiffness
        squares = sl.eigh(K, self.mass_matrix, eigvals_only=True)
        return np.sqrt(np.maximum(squares[6:], 0.0)) / (2 * np.pi)

    @property
    def fingerprint(self) -> str:
        """Short hash of all its numbers: equal bodies have equal ones."""
        import hashlib

        digest = hashlib.sha256(repr(self.interfaces).encode())
        for array in (self.positions, self.axes, self.stiffness, self.modal_stiffness, self.mass_matrix):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]

    def index(self, interface: str) -> int:
        """Place of an interface among all."""
        if interface not in self.interfaces:
            raise ModelError(
                f'superelement: there is no interface "{interface}"; {near_names(interface, self.interfaces)}'
            )
        return self.interfaces.index(interface)

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the reduced body to a file (.h5) that `read_superelement` and model files read; returns its path."""
        from .superelement_file import write

        return write(self, path, overwrite=overwrite)

    def __repr__(self) -> str:
        names = ", ".join(f'"{name}"' for name in self.interfaces)
        return f"Superelement({self.mass:.6g} kg, interfaces {names}, {len(self.modal_stiffness)} modes)"


# ---- the way from finite elements


def said_of(interfaces: Mapping[str, Any], modes_to: Any, modes: int | None, mass: Any) -> dict[str, Any]:
    """Reduction data of a model file."""
    said = {"interfaces": {name: each.said for name, each in interfaces.items()}}
    return said | {
        key: value for key, value in (("modes_to", modes_to), ("modes", modes), ("mass", mass)) if value is not None
    }


def find_interfaces(
    mesh: SolidMesh, value: Any, what: str, *, body: FiniteElements | None = None
) -> list[FoundInterface]:
    """The nodes of all interfaces; each has three that are not in line, or one with rotations, and none is in two."""
    from .interface import read_interfaces
    from .reduction import FoundInterface

    found: list[FoundInterface] = []
    owner: dict[int, str] = {}
    for name, each in read_interfaces(value, what).items():
        about = f'{what}: interface "{name}"'
        nodes = each.find(mesh, about)
        places = mesh.nodes[nodes]
        turning = body is not None and bool(np.any(body.component[np.isin(body.node, nodes)] > 2))
        spread = np.linalg.svd(places - places.mean(axis=0), compute_uv=False) if len(nodes) > 2 else np.zeros(3)
        if not turning and not (len(nodes) > 2 and spread[1] > 1e-6 * max(spread[0], 1e-300)):
            raise ModelError(
                f"{about}: {len(nodes)} nodes{'' if len(nodes) < 3 else ' in one line'} do not define its "
                f"rotations. Use at least three "
                "nodes that are not in line"
            )
        for node in nodes.tolist():
            if node in owner:
                raise ModelError(
                    f'{what}: node {mesh.label(node)} belongs to the interfaces "{owner[node]}" and "{name}"'
                )
            owner[node] = name
        found.append(
            FoundInterface(name, nodes, each.default_position(places), np.asarray(each.orientation), each.rigid)
        )
    return found


def reduced_body(
    body: FiniteElements,
    find: Callable[[], list[FoundInterface]],
    modes_to: Any,
    modes: int | None,
    mass: Any,
    triangles: IntArray,
    what: str,
) -> Superelement:
    """Check, find the interfaces, reduce, turn to their axes, check again: wrong units are found before wrong interfaces."""
    from .matrix_input import check_matrices, check_reduced_mass, check_units
    from .reduction import mass_properties, reduce_body

    count, limit = read_modes(modes, modes_to, what)
    check_matrices(body, what)
    stated = None if mass is None else quantity(mass, "mass", what=Subject(what) / "mass")
    kg, centre, inertia = mass_properties(body)
    extent = np.ptp(body.places, axis=0)
    check_units(float(extent.max()), kg, float(extent.prod()), None, stated, what)
    found = find()
    made = reduce_body(body, found, modes=count, modes_to=limit, what=what)
    size, k = len(made.mass), 6 * len(found)
    Q = np.eye(size)  # axes of the body from those of the interfaces
    for i, each in enumerate(found):
        Q[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = Q[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = each.orientation
    M = Q.T @ made.mass @ Q
    check_reduced_mass(M, what)
    points = np.unique(triangles)
    row = np.zeros(len(body.places), np.int64)
    row[points] = np.arange(len(points))
    shapes = np.zeros((len(points), 3, size), np.float32)
    for c in range(3):
        mine = np.flatnonzero(body.component == c)
        place = np.zeros(len(body.places), np.int64)
        place[body.node[mine]] = mine
        shapes[:, c] = made.shapes[place[points]] @ Q
    K = Q[:k, :k].T @ made.stiffness @ Q[:k, :k]
    result = Superelement(
        tuple(each.name for each in found),
        np.array([each.position for each in found]),
        np.array([each.orientation for each in found]),
        (K + K.T) / 2, made.modal_stiffness, (M + M.T) / 2, made.frequencies, kg, centre, inertia,
        body.places[points], row[triangles].reshape(-1, 3), shapes,
    )  # fmt: skip
    elastic = result.free_frequencies
    first = float(elastic[0]) if len(elastic) else None
    check_units(float(extent.max()), kg, float(extent.prod()), first, stated, what)
    return result


def read_modes(modes: Any, modes_to: Any, what: str) -> tuple[int | None, float | None]:
    """How many modes, or up to which frequency [Hz]: one of the two."""
    about = Subject(what)
    if (modes is None) == (modes_to is None):
        raise ModelError(
            f'{what}: specify either modes_to, a frequency such as "8 kHz", or modes, a number of modes (0: only static shapes), '
            f"{'not both' if modes is not None else 'got neither'}"
        )
    if modes is not None:
        if isinstance(modes, bool) or not isinstance(modes, (int, np.integer)) or modes < 0:
            raise ModelError(f"{what}: modes must be a whole number of 0 or more, got {shown(modes)}")
        return int(modes), None
    limit = quantity(modes_to, "frequency", what=about / "modes_to")
    if limit <= 0.0:
        raise ModelError(
            f"{what}: modes_to must be greater than zero, got {limit:g} Hz. modes=0 keeps only the static shapes"
        )
    return None, limit


# ---- reading

# `read_superelement`: a flexible body from the files of finite element programs, or from a file of its own.

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
    from pitchline.fem.own_mesh.inp_mesh import mesh_of_inp, read_inp

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
    from .matrix_input import in_si, matrix_body
    from .writing import read_calculix, read_dmig, read_mtx

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
    from pitchline.fem.own_mesh.inp_mesh import UNITS, read_inp

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
        from .writing import read_grids

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
