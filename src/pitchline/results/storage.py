"""The result file: HDF5, laid out so that netCDF-4 readers (xarray, MATLAB, Panoply, ncdump) open it, with a seal behind.

The root holds dimensions, signals and attributes as `netcdf_names` describes; group `state` holds the states, group
`rate` the derivatives of signals that are not signals themselves. What makes an HDF5 file readable as
netCDF-4 is done here by hand: dimensions are HDF5 dimension scales numbered by `_Netcdf4Dimid`, names
keep their order of creation, text attributes are UTF-8 of fixed length, no type is one netCDF lacks.

The seal (`disk.seal`) has the place and the checksum of each array; pitchline reads the seal. The checksums are in the
attribute `checksums` too: if another program has added data, the file has no valid seal and is read as HDF5.
"""

from __future__ import annotations

import contextlib
import weakref
from pathlib import Path
from typing import Any

from pitchline.disk.atomic import check_target
from pitchline.disk.errors import StorageError
from pitchline.disk.hdf5_image import Hdf5Image, hdf5_image
from pitchline.disk.seal import Sealed, has_seal, text_digest
from pitchline.results.errors import ResultFileError
from pitchline.results.file_content import RATE, STATE, check_format, head_of, result_of, state_arrays, text_form
from pitchline.results.lazy_signal import LazySignal, held
from pitchline.results.netcdf_names import dimension_names, global_attributes, signal_attributes
from pitchline.results.netcdf_writer import NetcdfWriter
from pitchline.results.plain_data import to_json
from pitchline.results.result import Result

__all__ = ["read", "write"]

KIND = "pitchline result"
STUDY = "pitchline study"
"""Kind of the files of `pitchline.studies`."""
_SIGNATURE = b"\x89HDF\r\n\x1a\n"


# --- writing -----------------------------------------------------------------------------------------


def write(result: Result, path: str | Path, *, overwrite: bool = False, compress: bool = False) -> Path:
    """Write `result` to `path`, completely or not at all. The result stays in memory in any case."""
    try:
        check_target(Path(path).expanduser(), overwrite=overwrite)
        with hdf5_image() as image:
            head = _fill(image, result, compress)
            return image.write(path, KIND, head, overwrite=overwrite)
    except StorageError as error:
        raise ResultFileError(str(error)) from error


def _fill(image: Hdf5Image, result: Result, compress: bool) -> dict[str, Any]:
    """The whole result; returns its head."""
    head = head_of(result)
    states = state_arrays(result)
    writer = NetcdfWriter(image, compress=compress)
    file = image.file
    writer.dimension(file, "time", result.time, {"units": "s", "long_name": "time"})
    components = dimension_names(result)
    for labels, name in components.items():
        writer.dimension(file, name, [text_form(label) for label in labels], {"long_name": "component"})
    for name, signal in result.signals.items():
        dimensions = ["time"] + ([components[signal.components]] if signal.components else [])
        scales = [file[key] for key in dimensions]
        rate = head["signals"][name]["rate"]
        attributes = signal_attributes(signal) | ({"rate": f"/{rate}" if rate == RATE + name else rate} if rate else {})
        writer.variable(file, name, held(signal, "values"), scales, attributes, key=name)
        if rate == RATE + name:
            group = file["rate"] if "rate" in file else file.create_group("rate", track_order=True)
            writer.variable(group, name, held(signal, "rate"), scales, {}, key=rate)
    if states:
        group = file.create_group("state", track_order=True)
        for name, array in states.items():
            writer.state(group, name, array, head["states"][name])
    checksums = {"head": text_digest(head), "arrays": image.digests}
    writer.attributes(file, global_attributes(result) | {"checksums": to_json(checksums)})
    return head


# --- reading -----------------------------------------------------------------------------------------


def read(path: str | Path, *, lazy: bool = False) -> Result:
    """Read the result in the file `path`; with `lazy` its signals are read at first use, and the file stays open."""
    source = Path(path).expanduser()
    called = f'"{source}"'
    try:
        _check_source(source)
        if not has_seal(source):
            return _of_hdf5(source, called, lazy)
        with contextlib.ExitStack() as opened:
            stream = opened.enter_context(source.open("rb", buffering=0))
            try:
                sealed = Sealed(stream, called)
            except StorageError:
                return _of_hdf5(source, called, lazy)  # the seal is damaged; what it seals may be whole
            result = _of_seal(sealed, called, lazy)
            if lazy and result.signals:  # these keep it open until they are closed, or nobody needs them any more
                opened.pop_all()
                weakref.finalize(sealed, stream.close)
            return result
    except OSError as error:
        raise ResultFileError(f"cannot read {called}: {error.strerror or error}") from error


def _of_seal(sealed: Sealed, called: str, lazy: bool) -> Result:
    if sealed.kind != KIND:
        from pitchline.results.linear_files import KIND as LINEAR

        others = {
            LINEAR: "file of modes, a Campbell diagram or a frequency response; pitchline.load and pitchline view open it",
            STUDY: "file of a study; pitchline.load, pitchline info and pitchline plot open it",
        }
        raise ResultFileError(f"{called} is not a result: it is a {others.get(sealed.kind, sealed.kind):.200}")
    attributes = sealed.head.get("attributes")
    if not isinstance(attributes, dict):
        raise ResultFileError(f"{called} is damaged: its kind is missing")
    check_format(attributes.get("pitchline_result_format"), attributes.get("pitchline_version", ""), called)
    try:
        if not lazy:
            return result_of(sealed.head, {key: sealed.array(key) for key in sealed.entries}, called)
        stored = {key: sealed.stored(key) for key in sealed.entries}
        at_once = {key: array.read() for key, array in stored.items() if key == "time" or key.startswith(STATE)}
        return result_of(sealed.head, stored | at_once, called, LazySignal.of_file)
    except StorageError as error:
        raise ResultFileError(str(error)) from error


def _of_hdf5(source: Path, called: str, lazy: bool) -> Result:
    from pitchline.results.unsealed_hdf5 import read_apart

    head, arrays, warnings = read_apart(source, called)
    result = result_of(head, arrays, called)
    result.warnings.extend(warnings)
    if lazy:
        result.warnings.append(
            "the file has no seal of pitchline (an earlier version wrote it, or another program changed it): it was read whole; "
            "save the result again to have it read lazily"
        )
    return result


def _check_source(source: Path) -> None:
    if not source.exists():
        raise ResultFileError(f'there is no file "{source}"')
    if source.is_dir():
        raise ResultFileError(f'"{source}" is a folder, not a result file')
    if not source.is_file():
        raise ResultFileError(f'"{source}" is not a file but a device or a pipe')
    with source.open("rb") as stream:
        start = stream.read(len(_SIGNATURE))
    if not start:
        raise ResultFileError(f'"{source}" is empty')
    if start != _SIGNATURE:
        raise ResultFileError(f'"{source}" is not a pitchline result: it is not an HDF5 (netCDF-4) file')
