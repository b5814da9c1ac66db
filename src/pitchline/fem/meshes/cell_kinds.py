"""Kinds of elements in mesh files, and meshes from tables of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ...errors import ModelError
from ...gears.material import Material
from .solid_mesh import ElementGroup, FloatArray, IntArray, SolidMesh

__all__ = ["MOST_BYTES", "CellTables", "contents_of", "reached"]

MOST_BYTES = 2 * 1024**3
"""Largest file, and largest array in it."""


def contents_of(path: Path) -> bytes:
    """Contents of a file that exists and is not too large."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise ModelError(
                f'mesh "{path}": the file has {size / 1024**2:.0f} MB, the limit is {MOST_BYTES // 1024**2} MB'
            )
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise ModelError(f'mesh "{path}": cannot be read: {getattr(error, "strerror", None) or error}') from None


def reached(numbers: npt.NDArray[np.int64], labels: npt.NDArray[np.int64], what: str) -> IntArray:
    """Rows of nodes by their labels, which are ascending; an error names a missing one."""
    if len(labels) == 0:
        raise ModelError(f"{what} refers to nodes, but the file has no nodes")
    at = np.minimum(np.searchsorted(labels, numbers), len(labels) - 1)
    wrong = labels[at] != numbers
    if wrong.any():
        raise ModelError(f"{what} refers to node {numbers[wrong].flat[0]}, which has no coordinates")
    return at


@dataclass
class CellTables:
    """Elements and faces of a file, collected by their number of nodes.

    solids: number of nodes → (labels, nodes by rows) of the elements. faces: name of a set → faces by their nodes.
    """

    path: Path
    solids: dict[int, list[tuple[IntArray, IntArray]]] = field(default_factory=dict)
    faces: dict[str, list[IntArray]] = field(default_factory=dict)

    def mesh(
        self,
        nodes: FloatArray,
        labels: IntArray,
        node_sets: Mapping[str, IntArray],
        material: Material | None,
        scale: float,
    ) -> SolidMesh:
        """The mesh in SI. scale: metres in the unit of the file."""
        if not self.solids:
            raise ModelError(f'mesh "{self.path}": there are no solid elements')
        groups = tuple(
            ElementGroup(np.concatenate([rows for _, rows in parts]), material, np.concatenate([n for n, _ in parts]))
            for parts in self.solids.values()
        )
        return SolidMesh(
            scale * nodes,
            groups,
            MappingProxyType(dict(node_sets)),
            labels,
            MappingProxyType({name: _joined(parts) for name, parts in self.faces.items()}),
            str(self.path),
        )


def _joined(parts: Sequence[IntArray]) -> tuple[IntArray, ...]:
    """One table for each number of nodes."""
    sizes = dict.fromkeys(part.shape[1] for part in parts)
    return tuple(np.concatenate([part for part in parts if part.shape[1] == each]) for each in sizes)
