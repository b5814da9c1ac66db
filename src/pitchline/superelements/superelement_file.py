"""A superelement as one file: HDF5 with plain names, read through its seal (`disk.seal`), complete or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..disk.errors import StorageError
from ..disk.hdf5_image import hdf5_image
from ..disk.seal import Sealed, has_seal

if TYPE_CHECKING:
    from .superelement import Superelement

__all__ = ["FORMAT", "KIND", "read", "write"]

FORMAT = 1
KIND = "pitchline superelement"
_ARRAYS = (
    "positions", "axes", "stiffness", "modal_stiffness", "mass_matrix", "frequencies", "centre_of_mass",
    "inertia", "points", "triangles", "shapes",
)  # fmt: skip


def write(body: Superelement, path: str | Path, *, overwrite: bool = False, key: str = "") -> Path:
    """Write a superelement to `path`; `key` identifies its input, for a cache."""
    head = {"interfaces": list(body.interfaces), "mass": body.mass, "key": key}
    with hdf5_image() as image:
        image.file.attrs["pitchline_superelement_format"] = FORMAT
        image.file.attrs["description"] = json.dumps(head)
        for name in _ARRAYS:
            image.array(image.file, name, getattr(body, name), key=name)
        return image.write(path, KIND, {"format": FORMAT, "superelement": head}, overwrite=overwrite)


def read(path: str | Path, *, key: str | None = None) -> Superelement:
    """The superelement in a file; with `key`, only if it was computed from just that."""
    from .superelement import Superelement

    source = Path(path).expanduser()
    if not source.is_file():
        raise StorageError(f'there is no file "{source}"')
    try:
        if not has_seal(source):
            raise StorageError(
                f'"{source}" is not a superelement of this version of pitchline, is damaged, or is incomplete. Save it again'
            )
        with source.open("rb") as stream:
            sealed = Sealed(stream, f'"{source}"')
            if sealed.kind != KIND:
                raise StorageError(f'"{source}" is not a superelement but a {sealed.kind:.40}')
            if sealed.head.get("format") != FORMAT:
                raise StorageError(
                    f'"{source}" has superelement format {sealed.head.get("format")!s:.40}, but {FORMAT} is '
                    "supported. Save it again"
                )
            head = sealed.head["superelement"]
            if key is not None and head["key"] != key:
                raise StorageError(f'"{source}" was computed from other data')
            data = {name: sealed.array(name) for name in _ARRAYS}
        _check(data, head)
        whole: dict[str, Any] = {**data, "mass": float(head["mass"])}
        return Superelement(tuple(head["interfaces"]), **whole)
    except StorageError:
        raise
    except (OSError, LookupError, ValueError, TypeError, AttributeError) as error:
        raise StorageError(f'"{source}" is damaged, or not as pitchline writes it: {error}') from error


def _check(data: dict[str, Any], head: dict[str, Any]) -> None:
    """Compiled code does not look at the sizes of what it is given."""
    k, m, p = len(head["interfaces"]), len(data["modal_stiffness"]), len(data["points"])
    n = 6 * k + m
    shapes = {
        "positions": (k, 3), "axes": (k, 3, 3), "stiffness": (6 * k, 6 * k), "modal_stiffness": (m,), "mass_matrix": (n, n),
        "frequencies": (m,), "centre_of_mass": (3,), "inertia": (3, 3), "points": (p, 3), "triangles": (len(data["triangles"]), 3),
        "shapes": (p, 3, n),
    }  # fmt: skip
    kinds = {"triangles": np.int64, "shapes": np.float32}
    for name, shape in shapes.items():
        array = data[name]
        if array.shape != shape or array.dtype != kinds.get(name, np.float64) or not np.all(np.isfinite(array)):
            raise ValueError(f'"{name}" does not fit the other arrays')
