"""Readers of matrices in separate files for stiffness and mass: Matrix Market, Abaqus (*MATRIX GENERATE), Harwell-Boeing.

The file of the mass has the name of that of the stiffness with "stiffness", "stif" or "_k" replaced by "mass", "mass" or "_m".
Degrees of freedom are in the entries (Abaqus), in NAME_nodes.csv (Matrix Market) or in NAME.mapping (Harwell-Boeing of ANSYS).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from pitchline.errors import ModelError, shown

from .writing import FileMatrices

__all__ = [
    "read_hb",
    "is_matrix_market",
    "is_user_element",
    "node_table",
    "read_abaqus_terms",
    "read_harwell_boeing",
    "read_matrix_market",
]


# ---- harwell boeing

# Reader of Harwell-Boeing files in text: one real assembled matrix, stored by columns in fixed Fortran formats.
#
# Four lines of heading: title; numbers of lines (all, pointers, rows, values, right sides); type, rows, columns,
# entries; formats. `scipy.io.hb_read` requires spaces between numbers, which Fortran does not, and does not check row
# numbers.

_FORMAT = re.compile(r"\(\s*(?:\d+P\s*,?\s*)?(\d{0,3})\s*([IEDFG])\s*(\d{1,3})(?:\.\d+)?(?:E\d+)?\s*\)", re.ASCII)
_EXPONENT = re.compile(r"(?<=[\d.])([+-]\d+)$")


class _Sections:
    """The lines after the heading, taken in order."""

    def __init__(self, lines: list[str], first: int) -> None:
        self.lines, self.at = lines, first

    def numbers(self, count: int, layout: str, kinds: str, left: int) -> Iterator[tuple[int, str]]:
        """Line number and text of the `left` fields in the next `count` lines.

        Some programs separate numbers with spaces instead of keeping to the columns; a line with the right number of parts is
        read in this way.
        """
        match = _FORMAT.fullmatch(layout.strip().upper())
        if match is None or match.group(2) not in kinds or not int(match.group(3)):
            raise ValueError(f"line 4: the format {shown(layout.strip())} is not supported")
        each, width = int(match.group(1) or 1), int(match.group(3))
        if count < 0 or self.at + count > len(self.lines):
            raise ValueError(f"the file has {len(self.lines)} lines, but the heading requires {self.at + count}")
        for number, line in enumerate(self.lines[self.at : self.at + count], self.at + 1):
            fields = line.split()
            if len(fields) != min(each, left):
                fields = [line[place : place + width].strip() for place in range(0, each * width, width)]
                if line[each * width :].strip():
                    raise ValueError(f"line {number}: is longer than the format {layout.strip()} permits")
            for text in fields:
                if text:
                    left -= 1
                    yield number, text
        self.at += count


def read_hb(path: Path) -> tuple[sp.csc_matrix, bool]:
    """The matrix as the file has it, and whether it is one triangle of a symmetric one."""
    try:
        return _read(path.read_text(encoding="latin-1").splitlines())
    except (ValueError, IndexError, OverflowError) as error:
        raise ModelError(
            f'"{path}" is not a Harwell-Boeing file of a real matrix in text: {error}. Write it with HBMAT and the option ASCII'
        ) from None


def _read(lines: list[str]) -> tuple[sp.csc_matrix, bool]:
    if len(lines) < 5:
        raise ValueError(f"it has {len(lines)} lines, but the heading has 4")
    counts = [_whole(2, word) for word in lines[1].split()]
    kind, sizes = lines[2][:3].upper(), [_whole(3, word) for word in lines[2][3:].split()]
    if kind not in ("RSA", "RUA"):
        raise ValueError(f"line 3: the type is {shown(kind)}, but RSA (real, symmetric) or RUA (real) is required")
    if len(counts) < 4 or len(sizes) < 3:
        raise ValueError("lines 2 and 3: numbers of lines, rows, columns or entries are missing")
    rows, columns, entries = sizes[:3]
    if rows != columns or rows < 1:
        raise ValueError(f"line 3: the matrix has {rows} rows and {columns} columns, but a square one is required")
    body = _Sections(lines, 5 if len(counts) > 4 and counts[4] > 0 else 4)
    pointer = [_whole(*each) for each in body.numbers(counts[1], lines[3][:16], "I", columns + 1)]
    row = [_whole(*each) for each in body.numbers(counts[2], lines[3][16:32], "I", entries)]
    value = [_real(*each) for each in body.numbers(counts[3], lines[3][32:52], "EDFG", entries)]
    for name, found, expected in (
        ("pointers", pointer, columns + 1), ("row numbers", row, entries), ("values", value, entries)
    ):  # fmt: skip
        if len(found) != expected:
            raise ValueError(f"it has {len(found)} {name}, but the heading requires {expected}")
    starts = np.array(pointer, dtype=np.int64)
    steps = starts[1:] - starts[:-1]
    if pointer[0] != 1 or pointer[-1] != entries + 1 or (steps < 0).any():
        raise ValueError("the pointers to the columns do not ascend from 1 to the number of entries plus 1")
    if row and not 1 <= min(row) <= max(row) <= rows:
        raise ValueError(f"an entry is in row {min(row) if min(row) < 1 else max(row)} of {rows}")
    at = np.array(row, dtype=np.int64) - 1, np.repeat(np.arange(columns), steps)
    if len(np.unique(at[0] * columns + at[1])) != entries:
        raise ValueError("a column has two entries in the same row")
    return sp.coo_matrix((value, at), shape=(rows, columns)).tocsc(), kind == "RSA"


def _whole(line: int, text: str) -> int:
    if not re.fullmatch(r"[+-]?\d{1,18}", text, re.ASCII):
        raise ValueError(f"line {line}: expected a whole number, got {shown(text)}")
    return int(text)


def _real(line: int, text: str) -> float:
    try:
        found = float(_EXPONENT.sub(r"E\1", text.upper().replace("D", "E")))
    except ValueError:
        found = np.nan
    if not np.isfinite(found):
        raise ValueError(f"line {line}: expected a finite number, got {shown(text)}")
    return found


_COMPONENTS = {"UX": 1, "UY": 2, "UZ": 3, "ROTX": 4, "ROTY": 5, "ROTZ": 6}
_STIFFNESS = re.compile(r"stiffness|stif|(?<=_)k(?=[_.\d]|$)", re.IGNORECASE)
MOST_ROWS = 5_000_000


def is_matrix_market(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(14).lower().startswith(b"%%matrixmarket")


def is_user_element(path: Path) -> bool:
    """Whether the file is a substructure of Abaqus, not a list of terms."""
    with path.open("rb") as stream:
        return b"*" in stream.read(4000)


def mass_file(path: Path) -> Path:
    """The file of the mass, by the name of that of the stiffness."""
    match = _STIFFNESS.search(path.stem)
    if match is None:
        raise ModelError(
            f'"{path}": specify the file of the stiffness, with "stiffness", "stif" or "_k" in its name. The file of the mass has '
            'the same name with "mass" or "_m" instead'
        )
    word = match.group(0)
    other = {"k": "m"}.get(word.lower(), "mass")
    file = path.with_name(
        path.stem[: match.start()]
        + (other.upper() if word.isupper() else other)
        + path.stem[match.end() :]
        + path.suffix
    )
    if not file.is_file():
        raise ModelError(f'"{path}": there is no file "{file.name}" with the mass in the same folder')
    return file


# ---- Matrix Market


def read_matrix_market(path: Path) -> FileMatrices:
    """NAME_stiffness.mtx and NAME_mass.mtx, with the degrees of freedom in NAME_nodes.csv."""
    labels = np.array([label for label, _, _ in node_table(path)])
    found = [_square(_market(file), len(labels), file) for file in (path, mass_file(path))]
    return FileMatrices(found[0], found[1], labels)


def _market(file: Path) -> sp.coo_matrix:
    """One matrix of real numbers. `scipy.io.mmread` ends the process on some damaged files."""
    lines = file.read_text(encoding="latin-1").splitlines()
    head = lines[0].lower().split() if lines else []
    if head[:4] not in (["%%matrixmarket", "matrix", "coordinate", kind] for kind in ("real", "integer")) or head[
        4:
    ] not in (
        ["general"],
        ["symmetric"],
    ):
        raise ModelError(
            f'"{file}", line 1: expected "%%MatrixMarket matrix coordinate real symmetric" or general, got "{" ".join(head)[:60]}"'
        )
    rest = [line for line in lines[1:] if line.strip() and not line.startswith("%")]
    try:
        n, m, count = (int(word) for word in rest[0].split())
        if len(rest) - 1 != count:
            raise ValueError(f"{len(rest) - 1} entries instead of {count}")
        if not 0 < n == m <= MOST_ROWS:
            raise ValueError(f"a matrix of {n} by {m}")
        table = np.array([[float(word) for word in line.split()] for line in rest[1:]]).reshape(-1, 3)
        if not np.isfinite(table).all():
            raise ValueError("a number is not finite")
        at = table[:, :2].astype(np.int64) - 1
        if len(at) and (at.min() < 0 or at.max() >= n):
            raise ValueError("a row or column that does not exist")
    except (ValueError, IndexError) as error:
        raise ModelError(f'"{file}" is not a Matrix Market file: {error}') from None
    A = sp.coo_matrix((table[:, 2], at.T), shape=(n, n))
    if head[4] == "general":
        return A
    return A + A.T - sp.diags(A.diagonal())


def node_table(path: Path) -> list[tuple[tuple[int, int], tuple[float, float, float], str]]:
    """(node, component), position and interface of each row: columns node, component, x, y, z, interface."""
    match = _STIFFNESS.search(path.stem)
    stem = path.stem if match is None else path.stem[: match.start()] + "nodes"
    file = path.with_name(f"{stem}.csv")
    if not file.is_file():
        raise ModelError(
            f'"{path}": there is no file "{file.name}" in the same folder. It has the columns node, component, x, y, z and '
            "interface, and one line for each row of the matrices"
        )
    try:
        rows = csv.DictReader(io.StringIO(file.read_text(encoding="utf-8-sig")), skipinitialspace=True)
        found = [
            (
                (int(row["node"]), int(row["component"])),
                (float(row["x"] or 0.0), float(row["y"] or 0.0), float(row["z"] or 0.0)),
                (row.get("interface") or "").strip(),
            )
            for row in rows
        ]
    except (KeyError, TypeError, ValueError, csv.Error) as error:
        raise ModelError(f'"{file}" is not a table of nodes: {error}') from None
    if not found:
        raise ModelError(f'"{file}": the table of nodes is empty')
    return found


def _square(A: object, n: int, file: Path) -> sp.csc_matrix:
    try:
        made = sp.csc_matrix(A)
    except (ValueError, TypeError) as error:
        raise ModelError(f'"{file}" is not a matrix: {error}') from None
    if made.shape != (n, n) or np.iscomplexobj(made):
        raise ModelError(f'"{file}": the matrix has the shape {made.shape}, but there are {n} degrees of freedom')
    return made.astype(np.float64)


# ---- Abaqus, *MATRIX GENERATE and *MATRIX OUTPUT, FORMAT=MATRIX INPUT


def read_abaqus_terms(path: Path) -> FileMatrices:
    """NAME_STIF1.mtx and NAME_MASS1.mtx: lines "row node, component, column node, component, value"."""
    terms = [_terms(file) for file in (path, mass_file(path))]
    labels = sorted({label for each in terms for pair in each for label in pair})
    place = {label: i for i, label in enumerate(labels)}
    found = []
    for each in terms:
        whole = dict(each)
        for (row, column), value in each.items():
            whole.setdefault((column, row), value)
        at = np.array([[place[row], place[column]] for row, column in whole])
        found.append(sp.coo_matrix((list(whole.values()), at.T), shape=(len(labels),) * 2).tocsc())
    return FileMatrices(found[0], found[1], np.array(labels))


def _terms(file: Path) -> dict[tuple[tuple[int, int], tuple[int, int]], float]:
    found: dict[tuple[tuple[int, int], tuple[int, int]], float] = {}
    for number, line in enumerate(file.read_text(encoding="latin-1").splitlines(), 1):
        if not line.strip() or line.startswith("*"):
            continue
        try:
            a, b, c, d, text = line.replace(",", " ").split()
            place = (int(a), int(b)), (int(c), int(d))
            value = float(text.upper().replace("D", "E"))
            if not np.isfinite(value) or not all(0 < node < 2**31 and 0 <= way <= 6 for node, way in place):
                raise ValueError
        except ValueError:
            raise ModelError(
                f'"{file}", line {number}: expected node, component, node, component and value. Write the matrices with '
                f"*MATRIX OUTPUT, STIFFNESS, MASS, FORMAT=MATRIX INPUT; got {shown(line.strip())}"
            ) from None
        if found.setdefault(place, value) != value:
            raise ModelError(f'"{file}", line {number}: this term has been specified before with another value')
    if not found:
        raise ModelError(f'"{file}" has no terms')
    return found


# ---- Harwell-Boeing, HBMAT of ANSYS


def read_harwell_boeing(path: Path) -> FileMatrices:
    """NAME_k.hb and NAME_m.hb in ASCII, with the degrees of freedom in NAME_k.mapping: lines "row node component"."""
    file = path.with_suffix(".mapping")
    if not file.is_file():
        raise ModelError(
            f'"{path}": there is no file "{file.name}" in the same folder; write it with HBMAT, ..., MAPPING=YES'
        )
    labels = _mapping(file)
    found = []
    for each in (path, mass_file(path)):
        matrix, triangle = read_hb(each)
        A = _square(matrix, len(labels), each)
        one_sided = sp.triu(A, 1).nnz == 0 or sp.tril(A, -1).nnz == 0
        if triangle and not one_sided:
            raise ModelError(
                f'"{each}": the type is RSA (one triangle of a symmetric matrix), but both triangles have entries'
            )
        found.append((A + A.T - sp.diags(A.diagonal())).tocsc() if one_sided else A)
    return FileMatrices(found[0], found[1], np.array(labels))


def _mapping(file: Path) -> list[tuple[int, int]]:
    """Node and component of each row. Lines before the first row are headings."""
    labels: dict[int, tuple[int, int]] = {}
    for number, line in enumerate(file.read_text(encoding="latin-1").splitlines(), 1):
        parts = line.split()
        whole = len(parts) == 3 and all(re.fullmatch(r"\d{1,9}", part, re.ASCII) for part in parts[:2])
        if not whole and (not labels or not parts):
            continue
        if not whole:
            raise ModelError(f'"{file}", line {number}: expected row, node and component, got {shown(line.strip())}')
        if parts[2].upper() not in _COMPONENTS:
            raise ModelError(
                f'"{file}", line {number}: the degree of freedom {shown(parts[2])} of node {parts[1]} is not a displacement or '
                f"rotation ({', '.join(_COMPONENTS)})"
            )
        if int(parts[0]) in labels:
            raise ModelError(f'"{file}", line {number}: row {parts[0]} has been specified before')
        labels[int(parts[0])] = (int(parts[1]), _COMPONENTS[parts[2].upper()])
    if not labels:
        raise ModelError(f'"{file}" has no lines with row, node and component')
    missing = next((row for row in range(1, len(labels) + 1) if row not in labels), None)
    if missing is not None:
        raise ModelError(f'"{file}": it has {len(labels)} rows, but row {missing} is missing')
    return [labels[row] for row in range(1, len(labels) + 1)]
