"""`write_superelement`: a reduced body for finite element programs, as DMIG of Nastran or as Matrix Market files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import scipy.linalg
import scipy.sparse as sp

from ..arguments import names_wrong_arguments
from ..disk.atomic import atomic_file, check_target, write_text
from ..errors import ModelError, shown
from .dmig import write_dmig

if TYPE_CHECKING:
    from .superelement import FloatArray, Superelement

__all__ = ["body_matrices", "write_superelement"]

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
