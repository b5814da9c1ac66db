"""Readers of matrices: CalculiX (.sti, .mas, .dof) and Abaqus (.mtx).

Each gives stiffness and mass, sparse and whole, in the units of the file, and the degrees of freedom as pairs (node, component);
component 0 is a modal coordinate.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from ..errors import ModelError, shown

__all__ = ["FileMatrices", "read_calculix", "read_mtx"]

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
