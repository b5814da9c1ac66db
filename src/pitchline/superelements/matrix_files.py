"""Readers of matrices: CalculiX (.sti, .mas, .dof), Abaqus (.mtx) and Nastran (DMIG in .pch).

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

__all__ = ["FileMatrices", "read_calculix", "read_dmig", "read_mtx"]


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


def read_dmig(path: Path, names: tuple[str, str] = ("KAAX", "MAAX")) -> FileMatrices:
    """Stiffness and mass in a punch file of Nastran: DMIG in small or large fields, symmetric or square."""
    entries: dict[str, dict[tuple[tuple[int, int], tuple[int, int]], float]] = {}
    current: dict[tuple[tuple[int, int], tuple[int, int]], float] | None = None
    column = (0, 0)
    wide = False
    try:
        for line in path.read_text(encoding="latin-1").splitlines():
            card = line[:8].rstrip()
            if card.upper().startswith("DMIG"):
                wide = card.endswith("*")
                width = 16 if wide else 8
                fields = [line[8 + width * i : 8 + width * (i + 1)].strip() for i in range(8)]
                name, first = fields[0].upper(), int(fields[1])
                if first == 0:
                    if fields[2] not in ("", "1", "6"):
                        raise ValueError(f"{name} has form {fields[2]}, but 6 (symmetric) or 1 (square) is required")
                    current = entries.setdefault(name, {})
                    continue
                current = entries[name]
                column = (first, int(fields[2] or 0))
                if not wide:
                    for at in (4,):
                        current[(int(fields[at]), int(fields[at + 1] or 0)), column] = _number(fields[at + 2])
            elif line.startswith("*") and wide and current is not None and line[8:].strip():
                row = (int(line[8:24]), int(line[24:40].strip() or 0))
                current[row, column] = _number(line[40:56])
            elif (
                not wide
                and current is not None
                and line[8:].strip()
                and not line.startswith(("$", "*"))
                and card in ("", "+")
            ):
                fields = [line[8 + 8 * i : 16 + 8 * i].strip() for i in range(8)]
                for at in (0, 4):
                    if fields[at]:
                        current[(int(fields[at]), int(fields[at + 1] or 0)), column] = _number(fields[at + 2])
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
        A = np.zeros((len(labels), len(labels)))
        for (row, col), value in entries[name].items():
            A[place[row], place[col]] = A[place[col], place[row]] = value
        found.append(sp.csc_matrix(A))
    return FileMatrices(found[0], found[1], np.array(labels))


def _number(text: str) -> float:
    """A number as Fortran writes it: 1.5D+03, and 1.5+3 without a letter."""
    plain = text.strip().upper().replace("D", "E")
    return float(re.sub(r"(?<=[\d.])([+-]\d+)$", r"E\1", plain))
