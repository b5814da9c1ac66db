"""Readers of matrices: CalculiX (.sti, .mas, .dof) and Abaqus (.mtx).

Each gives stiffness and mass, sparse and whole, in the units of the file, and the degrees of freedom as pairs (node, component);
component 0 is a modal coordinate.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from ..errors import ModelError

__all__ = ["FileMatrices", "read_calculix", "read_mtx"]


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
    try:
        dofs = np.array([[int(x) for x in line.split(".")] for line in files[".dof"].read_text().split()])
        matrices = []
        for end in (".sti", ".mas"):
            i, j, v = np.loadtxt(files[end], unpack=True, ndmin=2)
            shape = (len(dofs), len(dofs))
            matrices.append(_symmetric(sp.coo_matrix((v, (i.astype(int) - 1, j.astype(int) - 1)), shape=shape)))
    except (ValueError, IndexError) as error:
        raise ModelError(f'"{path}" is not as CalculiX writes it: {error}') from None
    return FileMatrices(matrices[0], matrices[1], dofs)


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
    return np.array(dofs)
