"""Small valid files of finite element programs and STL files, and how to read them: seeds for damaged files."""

import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from references.gear_meshes import msh
from references.superelements import bar

import pitchline as pl
from pitchline.fem.own_mesh.inp_mesh import mesh_matrices, mesh_of_inp, read_inp
from pitchline.fem.solid_grid import SolidGrid
from pitchline.files.grid_file import write_vtu
from pitchline.parts.flexible.writing import body_matrices

Files = Sequence[tuple[str, bytes]]

CUBES = b"""*Heading
*Node, nset=all
 1, 0, 0, 0
 2, 10, 0, 0
 3, 10, 10, 0
 4, 0, 10, 0
*Include, input=upper.inc
*Element, type=C3D8, elset=lower
 1, 1, 2, 3, 4, 11, 12, 13, 14
*Element, type=C3D8R, elset=upper
 7, 11, 12, 13, 14,
 21, 22, 23, 24
*Nset, nset=foot, generate
 1, 4, 1
*Nset, nset=top
 21, 22, 23, 24
*Nset, nset=ends
 foot, top
*Material, name=iron
*Elastic
 110000., 0.28
*Density
 7.2e-9,
*Solid section, elset=lower, material=iron
*Solid section, elset=upper, material=iron
"""
UPPER = b"""*Node
 11, 0, 0, 10
 12, 10, 0, 10
 13, 10, 10, 10
 14, 0, 10, 10
 21, 0, 0, 20
 22, 10, 0, 20
 23, 10, 10, 20
 24, 0, 10, 20
"""
TETRAHEDRA = b"""*NODE
1, 0, 0, 0
2, 10, 0, 0
3, 0, 10, 0
4, 0, 0, 10
5, 10, 10, 10
*ELEMENT, TYPE=C3D4, ELSET=EALL
1, 1, 2, 3, 4
2, 2, 5, 3, 4
*NSET, NSET=FOOT
1, 2, 3
*MATERIAL, NAME=STEEL
*ELASTIC
210000, 0.3
*DENSITY
7.85E-9
*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL
"""


def with_others(files: Files, read: Callable[[Path], object]) -> Callable[[Path], object]:
    """Read a damaged file next to the other files, which are whole."""

    def whole(path: Path) -> object:
        for name, contents in files:
            if name != path.name:
                (path.parent / name).write_bytes(contents)
        return read(path)

    return whole


def inp_meshes() -> tuple[Callable[[Path], object], Files]:
    files = [("cubes.inp", CUBES), ("upper.inc", UPPER), ("tetrahedra.inp", TETRAHEDRA)]

    def read(path: Path) -> object:
        first = path.with_name("cubes.inp") if path.suffix == ".inc" else path
        return pl.read_superelement(first, interfaces={"foot": "foot"}, modes=1, units="mm")

    return with_others(files, read), files


_PLACES = np.array([[x, y, z] for z in (0, 1, 2) for y in (0, 1) for x in (0, 1)], dtype=np.float64)
_BRICKS = np.array([[0, 1, 3, 2, 4, 5, 7, 6], [4, 5, 7, 6, 8, 9, 11, 10]])


def msh_meshes() -> tuple[Callable[[Path], object], Files]:
    """Two bricks with a named surface, as text and in binary."""
    with TemporaryDirectory() as folder:
        made = [
            msh(Path(folder) / f"v{version[0]}{name}.msh", _PLACES, _BRICKS, {"foot": np.arange(4)}, version, order)
            for version in ("4.1", "2.2")
            for name, order in (("text", ""), ("binary", "<"))
        ]
        files = [(file.name, file.read_bytes()) for file in made]
    return lambda path: pl.solid_mesh(path, units="mm"), files


def vtu_meshes() -> tuple[Callable[[Path], object], Files]:
    """The same as text, compressed, and with appended data."""
    names = ("Points", "connectivity", "offsets", "types", "foot")
    values = (_PLACES.ravel(), _BRICKS.ravel(), [8, 16], [12, 12], [1] * 4 + [0] * 8)
    kinds = ("Float64", "Int64", "Int64", "UInt8", "Int32")
    codes = ("<f8", "<i8", "<i8", "u1", "<i4")
    appended, entries = b"", {"ascii": [], "appended": []}  # type: ignore[var-annotated]
    for name, numbers, kind, code in zip(names, values, kinds, codes, strict=True):
        raw = np.asarray(numbers).astype(code).tobytes()
        text = " ".join(str(n) for n in np.asarray(numbers).tolist())
        start = f'<DataArray type="{kind}" Name="{name}" format='
        entries["ascii"].append(f'{start}"ascii">{text}</DataArray>')
        entries["appended"].append(f'{start}"appended" offset="{len(appended)}"/>')
        appended += struct.pack("<I", len(raw)) + raw
    files = []
    for form, parts in entries.items():
        body = (
            f'<VTKFile type="UnstructuredGrid" byte_order="LittleEndian"><UnstructuredGrid><Piece NumberOfPoints="12" '
            f'NumberOfCells="2"><Points>{parts[0]}</Points><Cells>{"".join(parts[1:4])}</Cells><PointData>{parts[4]}</PointData>'
            "</Piece></UnstructuredGrid>"
        ).encode()
        extra = b'<AppendedData encoding="raw">_' + appended + b"</AppendedData>" if form == "appended" else b""
        files.append((f"{form}.vtu", body + extra + b"</VTKFile>"))
    with TemporaryDirectory() as folder:
        grid = SolidGrid(1e-3 * _PLACES, _BRICKS, {"foot": np.arange(4)})
        files.append(("zlib.vtu", write_vtu(Path(folder) / "zlib.vtu", grid).read_bytes()))
    return lambda path: pl.solid_mesh(path, units="mm"), files


def calculix(folder: Path) -> tuple[Callable[[Path], object], Files]:
    """Matrices of the cubes in mm, t, s, as a step *FREQUENCY, SOLVER=MATRIXSTORAGE writes them."""
    mesh_text = CUBES.replace(b"*Include, input=upper.inc\n", UPPER)
    file = folder / "cubes.inp"
    file.write_bytes(mesh_text)
    mesh = mesh_of_inp(read_inp(file), "mm", None)
    assert mesh.labels is not None
    texts = {
        "cubes.inp": mesh_text.decode(),
        "cubes.dof": "".join(f"{n}.{c}\n" for n in mesh.labels for c in (1, 2, 3)),
    }
    for end, A in zip((".sti", ".mas"), mesh_matrices(mesh), strict=True):
        texts[f"cubes{end}"] = triangle_text(A.toarray() / 1000.0, "{0} {1} {2:.15e}\n")
    files = [(name, text.encode()) for name, text in texts.items()]

    def read(path: Path) -> object:
        return pl.read_superelement(
            path.with_name("cubes.dof"), interfaces={"foot": "foot", "top": "top"}, modes=1, units="mm"
        )

    return with_others(files, read), files


def triangle_text(A: np.ndarray, line: str) -> str:
    """Entries of the lower triangle by columns."""
    n = len(A)
    return "".join(line.format(j + 1, i + 1, A[i, j]) for j in range(n) for i in range(j, n) if A[i, j])


PLACES = {i + 1: tuple(place) for i, place in enumerate(bar(0, "ab").positions)}
ENDS = {"a": {"nodes": [1]}, "b": {"nodes": [2]}}


def _read_bar(file: Path) -> object:
    return pl.read_superelement(file, units="m", positions=PLACES, interfaces=ENDS, modes=0)


def abaqus_matrices() -> tuple[Callable[[Path], object], Files]:
    """Terms of *MATRIX OUTPUT in two files, and a substructure as a user element."""
    K, M, labels = body_matrices(bar(0, "ab"))
    files = []
    substructure = "*USER ELEMENT, NODES=2, LINEAR\n** 1, 2\n1, 2, 3, 4, 5, 6\n"
    for name, end, A in (("STIFFNESS", "STIF1", K), ("MASS", "MASS1", M)):
        terms = [
            f"{a}, {b}, {c}, {d}, {float(A[i, j])!r}\n"
            for i, (a, b) in enumerate(labels)
            for j, (c, d) in enumerate(labels)
            if i >= j and A[i, j]
        ]
        files.append((f"bar_{end}.mtx", "".join(terms).encode()))
        rows = [", ".join(repr(float(x)) for x in A[i, : i + 1]) for i in range(len(A))]
        substructure += f"*MATRIX, TYPE={name}\n" + ",\n".join(rows) + "\n"
    files.append(("bar.mtx", substructure.encode()))
    first = {"bar_MASS1.mtx": "bar_STIF1.mtx"}
    return with_others(files, lambda path: _read_bar(path.with_name(first.get(path.name, path.name)))), files


def harwell_boeing_text(A: np.ndarray) -> str:
    """One triangle by columns; values in columns that touch, as Fortran may write them."""
    columns = [np.flatnonzero(A[j:, j]) + j for j in range(len(A))]
    rows = [int(i) + 1 for column in columns for i in column]
    values = [A[i, j] for j, column in enumerate(columns) for i in column]
    pointers = np.cumsum([1, *map(len, columns)])
    parts = [
        _fixed([f"{x:8d}" for x in pointers], 10),
        _fixed([f"{x:8d}" for x in rows], 10),
        _fixed([f"{x:23.15E}" for x in values], 3),
    ]
    counts = [len(part) for part in parts]
    heading = [
        f"{'stiffness or mass of a bar':72s}{'BAR':8s}",
        "".join(f"{x:14d}" for x in (sum(counts), *counts, 0)),
        f"{'RSA':14s}" + "".join(f"{x:14d}" for x in (len(A), len(A), len(rows), 0)),
        f"{'(10I8)':16s}{'(10I8)':16s}{'(3E23.15)':20s}",
    ]
    return "\n".join([*heading, *parts[0], *parts[1], *parts[2]]) + "\n"


def _fixed(fields: list[str], each: int) -> list[str]:
    return ["".join(fields[i : i + each]) for i in range(0, len(fields), each)]


def harwell_boeing() -> tuple[Callable[[Path], object], Files]:
    K, M, labels = body_matrices(bar(0, "ab"))
    words = ("UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ")
    mapping = "Matrix Eqn Node DOF\n" + "".join(
        f"{i:8d}{n:8d}   {words[c - 1]}\n" for i, (n, c) in enumerate(labels, 1)
    )
    files = [
        ("bar_k.hb", harwell_boeing_text(np.asarray(K)).encode()),
        ("bar_m.hb", harwell_boeing_text(np.asarray(M)).encode()),
        ("bar_k.mapping", mapping.encode()),
    ]
    return with_others(files, lambda path: _read_bar(path.with_name("bar_k.hb"))), files


def stl_files() -> tuple[Callable[[Path], object], Files]:
    """A tetrahedron in text, and one with another below it in binary."""
    corners = np.array([[0, 0, 0], [10, 0, 0], [0, 10, 0], [0, 0, 10.5]])
    faces = corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
    text = "solid part\n"
    for face in faces:
        vertices = "".join("  vertex {:g} {:g} {:e}\n".format(*corner) for corner in face)
        text += f" facet normal 0 0 0\n outer loop\n{vertices} endloop\n endfacet\n"
    both = np.concatenate([faces, faces - [0, 0, 30]]).astype("<f4")
    binary = b"binary".ljust(80) + struct.pack("<I", len(both))
    binary += b"".join(bytes(12) + face.tobytes() + bytes(2) for face in both)

    def read(path: Path) -> object:
        pl.stl(path, scale="1 mm")
        return pl.stl(path, scale="1 mm", density=7800.0)

    return read, [("text.stl", (text + "endsolid part\n").encode()), ("binary.stl", binary)]
