"""Matrices of finite element programs, read and written: Nastran (DMIG), CalculiX, and the readers by kind of file.

Matrices of Nastran: DMIG in punch files (.pch), with coordinates as GRID, read and written.

Entries are in small fields (8 columns), large fields (16 columns, `DMIG*`) or free fields (commas). A number in a large field has
11 to 13 significant digits.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import scipy.linalg
import scipy.sparse as sp

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.storage.free_names import atomic_file, check_target, write_text
from pitchline.errors import ModelError, shown

if TYPE_CHECKING:
    from .superelement import FloatArray, Superelement

__all__ = [
    "dmig_number",
    "read_dmig",
    "read_grids",
    "write_dmig",
    "FileMatrices",
    "read_calculix",
    "read_mtx",
    "body_matrices",
    "write_superelement",
]


Label = tuple[int, int]
_NAME = re.compile(r"\$ interface (\d+) = (.+)")
MOST_ENTRIES = 20_000_000


@dataclass
class _Card:
    """One entry of the file: name and fields, continuation lines joined."""

    name: str
    fields: list[str]


def _cards(path: Path) -> Iterator[_Card]:
    """Entries DMIG and GRID. Comments and other entries are left out."""
    card: _Card | None = None
    for line in path.read_text(encoding="latin-1").splitlines():
        if not line.strip() or line.startswith("$"):
            continue
        first, fields = _fields(line)
        name = first.rstrip("*").strip().upper()
        if name and not name.startswith("+"):
            if card is not None:
                yield card
            card = _Card(name, fields) if name in ("DMIG", "GRID") else None
        elif card is not None:
            card.fields += fields
    if card is not None:
        yield card


def _fields(line: str) -> tuple[str, list[str]]:
    """First field, and the 4 or 8 data fields of a line."""
    if "," in line:
        parts = [part.strip() for part in line.split(",")]
        wide = parts[0].endswith("*")
        data = parts[1 : 5 if wide else 9]
        return parts[0], data + [""] * ((4 if wide else 8) - len(data))
    first = line[:8].strip()
    width, count = (16, 4) if first.endswith("*") or first.startswith("*") else (8, 8)
    text = line[8:].ljust(width * count)
    return first, [text[width * i : width * (i + 1)].strip() for i in range(count)]


def dmig_number(text: str) -> float:
    """A number as Fortran writes it: 1.5D+03, and 1.5+3 without a letter."""
    plain = text.strip().upper().replace("D", "E")
    return float(re.sub(r"(?<=[\d.])([+-]\d+)$", r"E\1", plain))


def read_dmig(path: Path, names: tuple[str, str] = ("KAAX", "MAAX")) -> FileMatrices:
    """Stiffness and mass in a punch file of Nastran, symmetric (form 6) or square (form 1)."""
    pass

    entries: dict[str, dict[tuple[Label, Label], float]] = {}
    forms: dict[str, str] = {}
    try:
        for card in _cards(path):
            if card.name == "DMIG":
                _add(card.fields, entries, forms)
    except (ValueError, IndexError, KeyError) as error:
        raise ModelError(f'"{path}" is not a punch file with DMIG matrices: {error}') from None
    missing = [name for name in names if name not in entries]
    if missing:
        have = ", ".join(entries) or "none"
        raise ModelError(
            f'"{path}": there is no DMIG matrix {missing[0]}, it has {have}; write stiffness and mass with '
            f"EXTSEOUT(STIFFNESS, MASS, "
            "DMIGPCH), or specify their names: matrices = [stiffness, mass]"
        )
    labels = sorted({label for name in names for pair in entries[name] for label in pair})
    place = {label: i for i, label in enumerate(labels)}
    found = []
    for name in names:
        rows, columns, values = [], [], []
        for (row, column), value in entries[name].items():
            rows.append(place[row])
            columns.append(place[column])
            values.append(value)
            if forms[name] == "6" and row != column and (column, row) not in entries[name]:
                rows.append(place[column])
                columns.append(place[row])
                values.append(value)
        found.append(sp.coo_matrix((values, (rows, columns)), shape=(len(labels), len(labels))).tocsc())
    return FileMatrices(found[0], found[1], np.array(labels))


def _add(fields: list[str], entries: dict[str, dict[tuple[Label, Label], float]], forms: dict[str, str]) -> None:
    """Take one entry: the head of a matrix, or the terms of a column."""
    name, first = fields[0].upper(), int(fields[1])
    if first == 0:
        if fields[2] not in ("", "1", "6"):
            raise ValueError(f"{name} has form {fields[2]}, but 6 (symmetric) or 1 (square) is required")
        if fields[3] in ("3", "4"):
            raise ValueError(f"{name} has complex entries")
        entries.setdefault(name, {})
        forms.setdefault(name, fields[2] or "6")
        return
    terms = entries[name]
    column = (first, int(fields[2] or 0))
    for at in range(4, len(fields), 4):
        group = fields[at : at + 4]
        if not group[0]:
            continue
        if len(group) < 3 or not group[2]:
            raise ValueError(f"{name}: a term of column {column[0]} has no value")
        terms[(int(group[0]), int(group[1] or 0)), column] = dmig_number(group[2])
        if len(terms) > MOST_ENTRIES:
            raise ValueError(f"{name} has more than {MOST_ENTRIES} terms")


def read_grids(path: Path) -> tuple[dict[int, np.ndarray], dict[str, np.ndarray]]:
    """Coordinates of GRID entries in the basic axes, in the unit of the file, and interfaces that `write_dmig` named."""
    places: dict[int, np.ndarray] = {}
    try:
        for card in _cards(path):
            if card.name == "GRID":
                if card.fields[1] not in ("", "0") or (len(card.fields) > 5 and card.fields[5] not in ("", "0")):
                    raise ValueError(f"GRID {card.fields[0]} is not in the basic coordinate system")
                x, y, z = (dmig_number(x) if x else 0.0 for x in [*card.fields, "", "", ""][2:5])
                places[int(card.fields[0])] = np.array([x, y, z])
    except (ValueError, IndexError) as error:
        raise ModelError(f'"{path}": {error}') from None
    sets = {}
    for match in map(_NAME.match, path.read_text(encoding="latin-1").splitlines()):
        if match is not None:
            sets[match.group(2).encode("latin-1").decode("utf-8", "replace").strip()] = np.array([int(match.group(1))])
    return places, sets


# ---- writing


def field_16(value: float) -> str:
    """A number in 16 columns with as many digits as fit: 11 to 13."""
    if value == 0.0:
        return "0.0".rjust(16)
    for digits in range(15, 0, -1):
        mantissa, exponent = f"{value:.{digits}E}".split("E")
        text = f"{mantissa}{int(exponent):+d}"
        if len(text) <= 16:
            return text.rjust(16)
    raise ValueError(f"{value} does not fit in 16 columns")


def write_dmig(
    path: str | Path,
    K: np.ndarray,
    M: np.ndarray,
    labels: list[Label],
    places: dict[int, np.ndarray],
    names: dict[int, str],
    *,
    units: str,
    overwrite: bool = False,
) -> Path:
    """Write stiffness and mass as KAAX and MAAX, GRID of the nodes and SPOINT of the modes.

    labels: node and component of each row, component 0: a mode. places: of the nodes, in the unit of the file.
    """
    modes = [node for node, component in labels if component == 0]
    with atomic_file(path, overwrite=overwrite) as (draft, target):
        with draft.open("w", encoding="utf-8", newline="\n") as out:
            out.write(f"$ pitchline: reduced body, units {units}\n")
            for node, name in names.items():
                out.write(f"$ interface {node} = {name}\n")
            for node, (x, y, z) in places.items():
                out.write(f"GRID*   {node:>16d}{'':16s}{field_16(float(x))}{field_16(float(y))}*\n")
                out.write(f"*       {field_16(float(z))}\n")
            for start in range(0, len(modes), 8):
                out.write("SPOINT  " + "".join(f"{mode:>8d}" for mode in modes[start : start + 8]) + "\n")
            for name, A in (("KAAX", K), ("MAAX", M)):
                out.write(f"DMIG    {name:<8s}{0:>8d}{6:>8d}{2:>8d}{0:>8d}\n")
                for j, (node, component) in enumerate(labels):
                    rows = [i for i in range(j, len(labels)) if A[i, j] != 0.0]
                    if not rows:
                        continue
                    out.write(f"DMIG*   {name:<16s}{node:>16d}{component:>16d}{'':16s}*\n")
                    for i in rows:
                        out.write(f"*       {labels[i][0]:>16d}{labels[i][1]:>16d}{field_16(float(A[i, j]))}\n")
        written = target
    return written


# ---- matrix files

# Readers of matrices: CalculiX (.sti, .mas, .dof) and Abaqus (.mtx).
#
# Each gives stiffness and mass, sparse and whole, in the units of the file, and the degrees of freedom as pairs
# (node, component); component 0 is a modal coordinate.

MOST_DOFS = 50_000
"""Of a substructure of Abaqus, whose matrices are full."""


@dataclass(frozen=True, eq=False)
class FileMatrices:
    """K and M of a file, and (n, 2) nodes and components of their rows."""

    K: sp.csc_matrix
    M: sp.csc_matrix
    dofs: np.ndarray


def _symmetric(A: sp.spmatrix) -> sp.csc_matrix:
    """The whole of a matrix of which one triangle is given."""
    A = sp.csc_matrix(A)
    return (A + A.T - sp.diags(A.diagonal())).tocsc()


def read_calculix(path: Path) -> FileMatrices:
    """The three files of a step *FREQUENCY, SOLVER=MATRIXSTORAGE, given one of them."""
    files = {end: path.with_suffix(end) for end in (".dof", ".sti", ".mas")}
    for end, file in files.items():
        if not file.is_file():
            raise ModelError(
                f'"{path}": there is no file "{file.name}" in the same folder. A step *FREQUENCY, SOLVER=MATRIXSTORAGE of '
                f"CalculiX writes .dof, "
                f".sti and .mas, and all three are needed ({end} is missing)"
            )
    dofs = _calculix_dofs(files[".dof"])
    found = [_calculix_matrix(files[end], len(dofs)) for end in (".sti", ".mas")]
    return FileMatrices(found[0], found[1], dofs)


def _calculix_dofs(file: Path) -> np.ndarray:
    """Lines "node.component"."""
    dofs = []
    for number, line in enumerate(file.read_text(encoding="latin-1").splitlines(), 1):
        match = re.fullmatch(r"(\d{1,9})\.([1-6])", line.strip(), re.ASCII)
        if match is not None:
            dofs.append((int(match.group(1)), int(match.group(2))))
        elif line.strip():
            raise ModelError(
                f'"{file}", line {number}: expected a node and its component as CalculiX writes them, such as 12.3, '
                f"got {shown(line.strip())}"
            )
    if not dofs:
        raise ModelError(f'"{file}" has no degrees of freedom')
    return np.array(dofs)


def _calculix_matrix(file: Path, n: int) -> sp.csc_matrix:
    """Lines "row column value" of one triangle."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an empty file is an error below
            table = np.loadtxt(file, ndmin=2, comments=None, encoding="latin-1")
        if table.shape[1:] != (3,):
            raise ValueError("expected lines with row, column and value")
        if not np.isfinite(table).all():
            raise ValueError(f"entry {int(np.argmin(np.isfinite(table).all(axis=1))) + 1} is not finite")
        bad = ((table[:, :2] < 1) | (table[:, :2] > n) | (table[:, :2] % 1 != 0)).any(axis=1)
        if bad.any():
            row, column = table[np.argmax(bad), :2]
            raise ValueError(f"entry {int(np.argmax(bad)) + 1} is in row {row:g} and column {column:g} of {n} by {n}")
        i, j = table[:, :2].astype(np.int64).T - 1
        _, first = np.unique(np.minimum(i, j) * n + np.maximum(i, j), return_index=True)
        if len(first) != len(table):
            again = int(np.setdiff1d(np.arange(len(table)), first)[0])
            raise ValueError(f"row {i[again] + 1} and column {j[again] + 1} have two entries; one triangle is expected")
    except ValueError as error:
        raise ModelError(f'"{file}" is not as CalculiX writes it: {error}') from None
    return _symmetric(sp.coo_matrix((table[:, 2], (i, j)), shape=(n, n)))


def read_mtx(path: Path) -> FileMatrices:
    """*SUBSTRUCTURE MATRIX OUTPUT, OUTPUT FILE=USER DEFINED of Abaqus: a linear user element with stiffness and mass."""
    nodes: list[int] = []
    layout: list[list[int]] = []
    matrices: dict[str, list[float]] = {}
    mine: list[float] | None = None
    try:
        for line in path.read_text(encoding="latin-1").splitlines():
            text = line.strip().upper()
            if text.startswith("*MATRIX"):
                kind = re.search(r"TYPE\s*=\s*(\w+)", text)
                mine = matrices.setdefault(kind.group(1) if kind else "STIFFNESS", [])
            elif text.startswith("**"):
                if mine is None:
                    nodes += [int(x) for x in text[2:].split(",") if x.strip().isdigit()]
            elif text.startswith("*"):
                mine = (
                    None if text.startswith("*USER ELEMENT") else []
                )  # of other cards, such as *DLOAD, nothing is taken
            elif text and mine is not None:
                mine += [float(x.replace("D", "E")) for x in text.split(",") if x.strip()]
            elif text:
                layout.append([int(x) for x in text.split(",") if x.strip()])
        dofs = _user_element_dofs(nodes, layout)
    except (ValueError, IndexError) as error:
        raise ModelError(f'"{path}" is not a .mtx file of a substructure: {error}') from None
    for name, output in (("STIFFNESS", "STIFFNESS=YES"), ("MASS", "MASS=YES")):
        if name not in matrices:
            raise ModelError(
                f'"{path}": there is no *MATRIX, TYPE={name}; write it with {output} at *SUBSTRUCTURE MATRIX '
                f"OUTPUT, OUTPUT FILE=USER "
                "DEFINED. CalculiX 2.20 cannot, and its stiffness is not condensed: use *FREQUENCY, SOLVER=MATRIXSTORAGE there"
            )
    n = len(dofs)
    found = []
    for name in ("STIFFNESS", "MASS"):
        if len(matrices[name]) != n * (n + 1) // 2:
            raise ModelError(
                f'"{path}": {name} has {len(matrices[name])} numbers, a triangle of {n} degrees of freedom has {n * (n + 1) // 2}'
            )
        A = np.zeros((n, n))
        A[np.tril_indices(n)] = matrices[name]
        found.append(_symmetric(sp.csc_matrix(A)))
    return FileMatrices(found[0], found[1], dofs)


def _user_element_dofs(nodes: list[int], layout: list[list[int]]) -> np.ndarray:
    """The first line has the components of the first node; each that follows, a place among the nodes and components from
    there on."""
    if not nodes or not layout:
        raise ValueError("it has no *USER ELEMENT with a list of nodes")
    changes = {1: layout[0]} | {line[0]: line[1:] for line in layout[1:]}
    dofs, now = [], layout[0]
    for place, node in enumerate(nodes, 1):
        now = changes.get(place, now)
        dofs += [(node, component) for component in now]
        if not 0 < node < 2**31 or any(not 0 <= component < 100 for component in now):
            raise ValueError(f"node {node} with the components {shown(now)}")
        if len(dofs) > MOST_DOFS:
            raise ValueError(f"it has more than {MOST_DOFS} degrees of freedom")
    return np.array(dofs)


# ---- writing

# `write_superelement`: a reduced body for finite element programs, as DMIG of Nastran or as Matrix Market files.

_UNITS = {"m": (1.0, "m, kg, s, N"), "mm": (1e3, "mm, t, s, N")}


def body_matrices(body: Superelement) -> tuple[FloatArray, FloatArray, list[tuple[int, int]]]:
    """Stiffness and mass in the axes of the body, SI, and (node, component) of each row.

    Interface i is node i + 1 with the components 1 to 6. Modes are nodes behind them with component 0.
    """
    k, m = len(body.interfaces), len(body.modal_stiffness)
    Q = scipy.linalg.block_diag(*(axes for axes in body.axes for _ in range(2)), np.eye(m))
    K = np.zeros((6 * k + m, 6 * k + m))
    K[: 6 * k, : 6 * k] = body.stiffness
    K[range(6 * k, 6 * k + m), range(6 * k, 6 * k + m)] = body.modal_stiffness
    first = 1 + 10 ** len(str(k))
    labels = [(i + 1, c) for i in range(k) for c in range(1, 7)] + [(first + j, 0) for j in range(m)]
    found = []
    for A in (K, body.mass_matrix):
        turned = Q @ A @ Q.T
        found.append((turned + turned.T) / 2)
    return found[0], found[1], labels


@names_wrong_arguments
def write_superelement(body: Superelement, path: str | Path, *, units: str, overwrite: bool = False) -> list[Path]:
    """Write stiffness, mass and nodes of a reduced body. Returns the paths.

    Parameters
    ----------
    body
        Reduced body. Its modes are degrees of freedom like those of the interfaces.
    path
        NAME.pch: DMIG matrices KAAX and MAAX of Nastran with GRID of the interfaces and SPOINT of the modes, numbers with 11
        to 13 digits. NAME.mtx: Matrix Market files NAME_stiffness.mtx and NAME_mass.mtx with 17 digits, and NAME_nodes.csv.
    units
        "mm" (mm, t, s, N) or "m" (m, kg, s, N).
    overwrite
        Whether to replace existing files.
    """
    if units not in _UNITS:
        raise ModelError(f'write_superelement: units must be "mm" (mm, t, s) or "m" (m, kg, s), got {shown(units)}')
    target = Path(path).expanduser()
    scale, words = _UNITS[units]
    K, M, labels = body_matrices(body)
    # the inverse of `matrix_input.in_si`: displacements N/m to N/mm, rotations N m to N mm; masses in the same way
    factor = np.array([scale**0.5 if component > 3 else scale**-0.5 for _, component in labels])
    K, M = (factor[:, None] * A * factor for A in (K, M))
    places = {i + 1: scale * position for i, position in enumerate(body.positions)}
    names = {i + 1: name for i, name in enumerate(body.interfaces)}
    if target.suffix.lower() == ".pch":
        return [write_dmig(target, K, M, labels, places, names, units=words, overwrite=overwrite)]
    if target.suffix.lower() != ".mtx":
        raise ModelError(f'write_superelement: "{target.name}" must end in .pch (Nastran) or .mtx (Matrix Market)')
    files = [target.with_name(f"{target.stem}_{end}") for end in ("stiffness.mtx", "mass.mtx", "nodes.csv")]
    for file in files:
        check_target(file, overwrite=overwrite)
    for file, A in zip(files, (K, M), strict=False):
        _write_matrix(file, A, words, overwrite)
    lines = ["node,component,x,y,z,interface"]
    for node, component in labels:
        x, y, z = places.get(node, np.zeros(3)).tolist()
        name = names.get(node, "").replace('"', "'")
        lines.append(f'{node},{component},{x!r},{y!r},{z!r},"{name}"')
    write_text(files[2], "\n".join(lines) + "\n", overwrite=overwrite)
    return files


def _write_matrix(file: Path, A: FloatArray, words: str, overwrite: bool) -> None:
    """Lower triangle of a symmetric matrix with all its digits."""
    lower = sp.coo_matrix(np.tril(A))
    with atomic_file(file, overwrite=overwrite) as (draft, _), draft.open("w", encoding="ascii", newline="\n") as out:
        out.write(f"%%MatrixMarket matrix coordinate real symmetric\n% pitchline: reduced body, units {words}\n")
        out.write(f"{len(A)} {len(A)} {lower.nnz}\n")
        out.writelines(
            f"{i + 1} {j + 1} {value!r}\n"
            for i, j, value in zip(lower.row.tolist(), lower.col.tolist(), lower.data.tolist(), strict=True)
        )
