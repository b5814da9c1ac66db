"""STL files of shapes that were made in memory, such as parts of a CAD file. A model file reads them from its folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ..errors import ModelError
from ..model import Model
from ..solids.shape import ShapePiece
from ..solids.triangle_mesh import TriangleMesh

__all__ = ["in_a_folder", "shape_files", "stl_bytes"]

_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])


def stl_bytes(mesh: TriangleMesh) -> bytes:
    """Binary STL file of a surface. Reading it gives the same surface."""
    corners = mesh.vertices[mesh.triangles]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]).astype(np.float64)
    length = np.linalg.norm(area, axis=1, keepdims=True)
    records = np.zeros(len(corners), _RECORD)
    records["normal"] = np.divide(area, length, out=np.zeros_like(area), where=length > 0.0)
    records["corners"] = corners
    return b"pitchline".ljust(80) + len(corners).to_bytes(4, "little") + records.tobytes()


def _pieces(model: Model) -> Iterator[ShapePiece]:
    for look in model.looks.values():
        for piece in () if look.shape is None else look.shape.pieces:
            if piece.mesh is not None and piece.source is None:
                yield piece


def shape_files(model: Model) -> dict[str, bytes]:
    """Files by name, for shapes that have none yet."""
    found: dict[str, bytes] = {}
    seen: dict[tuple[str, int], None] = {}
    for piece in _pieces(model):
        name = str(piece.sizes["file"])
        if (name, id(piece.mesh)) in seen:
            continue
        seen[name, id(piece.mesh)] = None
        assert piece.mesh is not None
        data = stl_bytes(piece.mesh)
        if found.setdefault(name, data) != data:
            raise ModelError(
                f'model "{model.name}": two shapes have the file name "{name}" and cannot both be written. Rename the CAD file '
                "of one of them"
            )
    return found


@contextmanager
def in_a_folder(model: Model) -> Iterator[Path | None]:
    """Folder with these files for a while; None if there are none."""
    files = shape_files(model)
    if not files:
        yield None
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        for file, data in files.items():
            (folder / file).write_bytes(data)
        yield folder
