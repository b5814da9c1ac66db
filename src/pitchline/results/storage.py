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
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchline.disk.atomic import check_target
from pitchline.disk.errors import StorageError
from pitchline.disk.hdf5_image import Hdf5Image, hdf5_image
from pitchline.disk.seal import Sealed, has_seal, text_digest
from pitchline.disk.stored_array import StoredArray
from pitchline.results.errors import ResultFileError
from pitchline.results.file_content import RATE, STATE, check_format, head_of, result_of, state_arrays, text_form
from pitchline.results.lazy_signal import LazySignal, held
from pitchline.results.netcdf_names import dimension_names, global_attributes, signal_attributes
from pitchline.results.plain_data import to_json
from pitchline.results.result import Result

__all__ = ["read", "write"]

KIND = "pitchline result"
_SIGNATURE = b"\x89HDF\r\n\x1a\n"
_DIMENSION_ONLY = "This is a netCDF dimension but not a netCDF variable.%10d"


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
    writer = _ResultWriter(image, compress)
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


class _ResultWriter:
    """Writes dimensions and variables the netCDF-4 way; counts the dimensions of the file."""

    def __init__(self, image: Hdf5Image, compress: bool) -> None:
        self.image = image
        self.filters = {"compression": "gzip", "compression_opts": 4, "shuffle": True} if compress else {}
        self.dimensions = 0

    def attributes(self, place: Any, attributes: Mapping[str, Any]) -> None:
        import h5py

        for key, value in attributes.items():
            if isinstance(value, str):
                # Fixed length: netCDF then sees plain text (NC_CHAR), which also old readers know.
                text = text_form(value).encode()
                place.attrs.create(key, np.array(text), dtype=h5py.string_dtype("utf-8", len(text)))
            else:
                place.attrs[key] = value

    def dimension(self, group: Any, name: str, values: Any, attributes: Mapping[str, Any]) -> None:
        """A dimension with its coordinate values: floats or labels."""
        import h5py

        if isinstance(values, list):
            scale = group.create_dataset(name, data=values, dtype=h5py.string_dtype(), track_order=True)
        else:
            scale = self._dataset(group, name, values, name)
        self._number(scale, name)
        self.attributes(scale, attributes)

    def variable(
        self,
        group: Any,
        name: str,
        values: NDArray[Any] | StoredArray | None,
        scales: list[Any],
        attributes: Mapping[str, Any],
        *,
        key: str,
    ) -> None:
        dataset = self._dataset(group, name, values, key)
        for axis, scale in enumerate(scales):
            dataset.dims[axis].attach_scale(scale)
        if scales:
            ids = [int(scale.attrs["_Netcdf4Dimid"]) for scale in scales]
            dataset.attrs["_Netcdf4Coordinates"] = np.array(ids, dtype=np.int32)
        self.attributes(dataset, attributes)

    def state(self, group: Any, name: str, array: NDArray[Any], mark: str) -> None:
        """A state of any shape; its dimensions have no meaning of their own, only an axis and a length."""
        scales = [self._axis(group, axis, length) for axis, length in enumerate(array.shape)]
        self.variable(group, name, array, scales, {"dtype": mark} if mark else {}, key=STATE + name)

    def _axis(self, group: Any, axis: int, length: int) -> Any:
        name = f"axis{axis}_{length}"
        if name not in group:
            zeros = np.zeros(length, np.float32)
            self._number(self._dataset(group, name, zeros, None), _DIMENSION_ONLY % length)
        return group[name]

    def _number(self, scale: Any, label: str) -> None:
        scale.make_scale(label)
        scale.attrs["_Netcdf4Dimid"] = np.int32(self.dimensions)
        self.dimensions += 1

    def _dataset(self, group: Any, name: str, values: Any, key: str | None) -> Any:
        options: dict[str, Any] = {}
        if 0 in values.shape:
            # netCDF knows a length of zero only for a dimension that may grow.
            options["maxshape"] = tuple(length or None for length in values.shape)
            options["chunks"] = tuple(length or 1 for length in values.shape)
        elif values.size > 1000:
            options.update(self.filters)
        return self.image.array(group, name, values, key=key, **options)


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

        linear = "file of modes, a Campbell diagram or a frequency response; pitchline.load and pitchline view open it"
        raise ResultFileError(
            f"{called} is not a result: it is a {linear if sealed.kind == LINEAR else sealed.kind:.200}"
        )
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
