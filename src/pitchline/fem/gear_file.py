"""An elastic gear as one file.

HDF5, with plain names: attributes say what the gear is (its own data, that of its teeth and material, as JSON), datasets hold
the grids, the compliance of the offsets 0 … reach over all hats, left before right (those of negative offsets are their
transposes), frequencies, nodal diameters and traces. A file appears complete or not at all; a checksum over all that it
holds tells a damaged one.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import PitchlineError
from ..gears.gear import Gear
from ..gears.material import Material
from ..gears.teeth import Teeth
from ..gears.teeth.arrays import FloatArray
from .elastic_gear import SIDES, ElasticGear
from .flank_compliance import by_sides
from .flank_grid import FlankGrid

__all__ = ["FORMAT", "read", "write"]

FORMAT = 1


# --- writing -----------------------------------------------------------------------------------------


def write(gear: ElasticGear, path: str | Path, *, overwrite: bool = False, key: str = "") -> Path:
    """Write a gear to `path`; `key` says what it was computed from, for a cache."""
    import h5py

    target = Path(path).expanduser()
    if target.exists() and not overwrite:
        raise PitchlineError(f'"{target}" exists already; choose another name or pass overwrite=True')
    data, head = _content(gear, key)
    draft = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
    try:
        with h5py.File(draft, "x", libver=("v108", "v108")) as file:
            file.attrs["pitchline_gear_format"] = FORMAT
            file.attrs["description"] = json.dumps(head)
            file.attrs["checksum"] = _checksum(data, head)
            for name, array in data.items():
                file.create_dataset(name, data=array)
        with draft.open("rb+") as stream:
            os.fsync(stream.fileno())
        os.replace(draft, target)
    except OSError as error:
        raise PitchlineError(f'cannot write "{target}": {error}') from error
    finally:
        draft.unlink(missing_ok=True)
    return target


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
    for side, grid in gear.grids.items():
        data |= {f"{side}/lengths": grid.lengths, f"{side}/zeta": grid.zeta, f"{side}/areas": grid.areas}
        data[f"{side}/traces"] = gear.traces[side]
    head = {
        "gear": {item.name: getattr(gear.teeth.gear, item.name) for item in fields(Gear) if item.name != "material"},
        "gear_material": _material(gear.teeth.gear.material),
        "teeth": _teeth_options(gear.teeth),
        "material": _material(gear.material),
        "bore": gear.bore,
        "limit": gear.limit,
        "mass": gear.mass,
        "centre_of_mass": gear.centre_of_mass,
        "key": key,
    }
    return data, head


def _material(material: Material) -> dict[str, Any]:
    return {item.name: getattr(material, item.name) for item in fields(Material)}


def _teeth_options(teeth: Teeth) -> dict[str, Any]:
    """What makes the same unmodified teeth on the same gear."""
    if teeth.rack is None:
        assert teeth.cutter is not None
        return {"cutter_teeth": teeth.cutter.teeth, "cutter_tip_rounding": teeth.cutter.tip_rounding}
    options: dict[str, Any] = {"profile_shift_angle": teeth.profile_shift_angle}
    if teeth.rack.protuberance:
        options |= {"protuberance": teeth.rack.protuberance, "protuberance_angle": teeth.rack.protuberance_angle}
    return options


def _checksum(data: dict[str, np.ndarray], head: dict[str, Any]) -> str:
    digest = hashlib.sha256(json.dumps(head, sort_keys=True).encode())
    for name in sorted(data):
        array = np.ascontiguousarray(data[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


# --- reading -----------------------------------------------------------------------------------------


def read(path: str | Path, *, key: str | None = None) -> ElasticGear:
    """The gear in a file; with `key`, only if it was computed from just that."""
    import h5py

    source = Path(path).expanduser()
    if not source.is_file():
        raise PitchlineError(f'there is no file "{source}"')
    try:
        with h5py.File(source, "r") as file:
            if "pitchline_gear_format" not in file.attrs:
                raise PitchlineError(f'"{source}" is not an elastic gear of pitchline: it was written by something else')
            version = int(file.attrs["pitchline_gear_format"])
            if version > FORMAT:
                raise PitchlineError(
                    f'"{source}" has gear format {version}, this version of pitchline reads up to {FORMAT}; update to read it'
                )
            head = json.loads(str(file.attrs["description"]))
            data: dict[str, np.ndarray] = {}
            file.visititems(lambda name, item: data.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
            whole = str(file.attrs["checksum"]) == _checksum(data, head)
        if not whole:
            raise PitchlineError(f'"{source}" is damaged: its checksum does not fit its content')
        if key is not None and head["key"] != key:
            raise PitchlineError(f'"{source}" was computed from something else')
        return _gear(data, head)
    except (OSError, LookupError, ValueError, TypeError, RuntimeError) as error:
        # The library of HDF5 reports a file that was cut short or overwritten in any of these ways.
        raise PitchlineError(f'"{source}" is damaged, cut short, or no HDF5 file: {error}') from error


def _gear(data: dict[str, Any], head: dict[str, Any]) -> ElasticGear:
    gear = Gear(**head["gear"], material=Material(**head["gear_material"]))
    grids = {side: FlankGrid(*(data[f"{side}/{name}"] for name in ("lengths", "zeta", "areas"))) for side in SIDES}
    C: FloatArray = data["compliance"]
    return ElasticGear(
        teeth=Teeth(gear, **head["teeth"]),
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
