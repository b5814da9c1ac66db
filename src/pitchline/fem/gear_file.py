"""An elastic gear as one file.

HDF5, with plain names: attributes describe the gear (its data and those of its teeth and material, as JSON), datasets contain
the grids, the compliance of the offsets 0 … reach over all hats, left before right (those of negative offsets are their
transposes), frequencies, nodal diameters and traces. A file appears complete or not at all. It is read through its seal
(`disk.seal`), which holds a checksum of every array; the sizes are compared with each other before a gear is made of them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from ..disk.errors import StorageError
from ..disk.hdf5_image import hdf5_image
from ..disk.seal import Sealed, has_seal
from ..errors import PitchlineError
from ..gears.material import Material
from ..gears.teeth.arrays import FloatArray
from .elastic_gear import SIDES, ElasticGear
from .flank_compliance import by_sides
from .gear_file_teeth import check_flanks, flank_arrays, plain, read_flanks, read_teeth, teeth_head

__all__ = ["FORMAT", "read", "write"]

FORMAT = 3
KIND = "pitchline gear"


# --- writing -----------------------------------------------------------------------------------------


def write(gear: ElasticGear, path: str | Path, *, overwrite: bool = False, key: str = "") -> Path:
    """Write a gear to `path`; `key` identifies its input, for a cache."""
    data, head = _content(gear, key)
    with hdf5_image() as image:
        image.file.attrs["pitchline_gear_format"] = FORMAT
        image.file.attrs["description"] = json.dumps(head)
        for name, array in data.items():
            image.array(image.file, name, array, key=name)
        return image.write(path, KIND, {"format": FORMAT, "gear": head}, overwrite=overwrite)


def _content(gear: ElasticGear, key: str) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Arrays and the plain rest."""
    reach = len(gear.offsets) // 2
    C = np.block([[gear.compliance[i, j][reach:] for j in SIDES] for i in SIDES])
    data = {
        "compliance": C,
        "frequencies": gear.frequencies,
        "nodal_diameters": gear.nodal_diameters,
        "inertia": gear.inertia,
    }
    data |= flank_arrays(gear.teeth, gear.grids)
    data |= {f"{side}/traces": gear.traces[side] for side in gear.grids}
    head = teeth_head(gear.teeth) | {
        "material": plain(gear.material),
        "bore": gear.bore,
        "limit": gear.limit,
        "mass": gear.mass,
        "centre_of_mass": gear.centre_of_mass,
        "key": key,
    }
    return data, head


# --- reading -----------------------------------------------------------------------------------------


def read(path: str | Path, *, key: str | None = None) -> ElasticGear:
    """The gear in a file; with `key`, only if it was computed from just that."""
    source = Path(path).expanduser()
    if not source.is_file():
        raise StorageError(f'there is no file "{source}"')
    try:
        if not has_seal(source):
            raise StorageError(
                f'"{source}" is not an elastic gear of this version of pitchline, is damaged, or is incomplete. Compute it again'
            )
        with source.open("rb") as stream:
            sealed = Sealed(stream, f'"{source}"')
            if sealed.kind != KIND:
                raise StorageError(f'"{source}" is not an elastic gear but a {sealed.kind:.40}')
            version = sealed.head.get("format")
            if version != FORMAT:
                raise StorageError(
                    f'"{source}" has gear format {version!s:.40}, but this version of pitchline reads {FORMAT}. '
                    "Read it with the version that wrote it, or compute it again"
                )
            head = sealed.head["gear"]
            if key is not None and head["key"] != key:
                raise StorageError(f'"{source}" was computed from other data')
            data = {name: sealed.array(name) for name in sealed.entries}
        _check_shapes(data)
        return _gear(data, head)
    except PitchlineError as error:
        if isinstance(error, StorageError):
            raise
        raise StorageError(f'"{source}" contains an invalid gear: {error}') from error
    except (OSError, LookupError, ValueError, TypeError, AttributeError) as error:
        raise StorageError(f'"{source}" is damaged, or not as pitchline writes it: {error}') from error


def _check_shapes(data: dict[str, np.ndarray]) -> None:
    """Compiled code does not look at the sizes of what it is given."""
    sizes = {}
    count = data["frequencies"].size
    _need(data["frequencies"].shape == data["nodal_diameters"].shape == (count,), "nodal_diameters")
    _need(data["inertia"].shape == (3,), "inertia")
    for side in SIDES:
        sizes[side] = check_flanks(data, side, _need)
        _need(data[f"{side}/traces"].shape == (count, sizes[side]), f"{side}/traces")
    total = sum(sizes.values())
    C = data["compliance"]
    _need(C.ndim == 3 and len(C) > 0 and C.shape[1:] == (total, total), "compliance")
    kinds = {"nodal_diameters": np.int64} | {f"{side}/traces": np.complex128 for side in SIDES}
    for name, array in data.items():
        _need(array.dtype == kinds.get(name, np.float64) and bool(np.all(np.isfinite(array))), name)


def _need(fits: bool, name: str) -> None:
    if not fits:
        raise ValueError(f'"{name}" does not fit the other arrays')


def _gear(data: dict[str, Any], head: dict[str, Any]) -> ElasticGear:
    teeth = read_teeth(head, data)
    grids = read_flanks(teeth, data, SIDES)
    C: FloatArray = data["compliance"]
    return ElasticGear(
        teeth=teeth,
        material=Material(**head["material"]),
        grids=grids,
        compliance=by_sides(C, {side: grid.size for side, grid in grids.items()}),
        offsets=np.arange(1 - len(C), len(C)),
        bore=head["bore"],
        frequencies=data["frequencies"],
        nodal_diameters=data["nodal_diameters"],
        traces={side: data[f"{side}/traces"] for side in SIDES},
        limit=head["limit"],
        mass=head["mass"],
        inertia=data["inertia"],
        centre_of_mass=head["centre_of_mass"],
    )
