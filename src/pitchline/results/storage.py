"""The result file: HDF5, laid out so that netCDF-4 readers (xarray, MATLAB, Panoply, ncdump) open it.

The root holds dimensions, signals and attributes as `layout` says; group `state` holds the states, group
`rate` the derivatives of signals that are not signals themselves. What makes an HDF5 file readable as
netCDF-4 is done here by hand: dimensions are HDF5 dimension scales numbered by `_Netcdf4Dimid`, names
keep their order of creation, text attributes are UTF-8 of fixed length, no type is one netCDF lacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchline.results.errors import ResultFileError
from pitchline.results.layout import (
    FORMAT,
    dimension_names,
    global_attributes,
    shared_rates,
    signal_attributes,
)
from pitchline.results.new_file import new_file
from pitchline.results.plain import from_json
from pitchline.results.result import Result
from pitchline.results.signal import Signal
from pitchline.results.status import Status

_SIGNATURE = b"\x89HDF\r\n\x1a\n"
_DIMENSION_ONLY = "This is a netCDF dimension but not a netCDF variable.%10d"
_JSON_ATTRIBUTES = ("warnings", "statistics", "options", "model")


# --- writing -----------------------------------------------------------------------------------------


def write(result: Result, path: str | Path, *, overwrite: bool = False, compress: bool = False) -> Path:
    """Write `result` to `path`: complete, or not at all."""
    with new_file(path, overwrite=overwrite) as (draft, target):
        _write_content(result, draft, compress)
    return target


def _write_content(result: Result, path: Path, compress: bool) -> None:
    import h5py

    # Format of HDF5 1.8: every netCDF-4 library reads it, and attributes may exceed 64 kB (the model).
    with h5py.File(path, "x", libver=("v108", "v108"), track_order=True) as file:
        writer = _Writer(file, compress)
        writer.attributes(file, global_attributes(result))
        writer.dimension(file, "time", result.time, {"units": "s", "long_name": "time"})
        components = dimension_names(result)
        for labels, name in components.items():
            writer.dimension(file, name, list(labels), {"long_name": "component"})

        rates = shared_rates(result)
        for name, signal in result.signals.items():
            dimensions = ["time"] + ([components[signal.components]] if signal.components else [])
            attributes = signal_attributes(signal)
            if signal.rate is not None:
                attributes["rate"] = rates.get(name, f"/rate/{name}")
            writer.variable(file, name, signal.values, [file[key] for key in dimensions], attributes)
            if signal.rate is not None and name not in rates:
                group = file["rate"] if "rate" in file else file.create_group("rate", track_order=True)
                writer.variable(group, name, signal.rate, [file[key] for key in dimensions], {})

        if result.states:
            group = file.create_group("state", track_order=True)
            for name, array in result.states.items():
                writer.state(group, name, array)


class _Writer:
    """Writes dimensions and variables the netCDF-4 way; counts the dimensions of the file."""

    def __init__(self, file: Any, compress: bool) -> None:
        self.file = file
        self.filters = {"compression": "gzip", "compression_opts": 4, "shuffle": True} if compress else {}
        self.dimensions = 0

    def attributes(self, place: Any, attributes: Mapping[str, Any]) -> None:
        import h5py

        for key, value in attributes.items():
            if isinstance(value, str):
                # Fixed length: netCDF then sees plain text (NC_CHAR), which also old readers know.
                # A lone surrogate has no UTF-8; escaped, it is still valid inside JSON.
                text = value.encode("utf-8", "backslashreplace")
                place.attrs.create(key, np.array(text), dtype=h5py.string_dtype("utf-8", len(text)))
            else:
                place.attrs[key] = value

    def dimension(self, group: Any, name: str, values: Any, attributes: Mapping[str, Any]) -> None:
        """A dimension with its coordinate values: floats or labels."""
        import h5py

        if isinstance(values, list):
            scale = group.create_dataset(name, data=values, dtype=h5py.string_dtype(), track_order=True)
        else:
            scale = self._dataset(group, name, values)
        self._number(scale, name)
        self.attributes(scale, attributes)

    def variable(
        self, group: Any, name: str, values: NDArray[Any], scales: list[Any], attributes: Mapping[str, Any]
    ) -> None:
        dataset = self._dataset(group, name, values)
        for axis, scale in enumerate(scales):
            dataset.dims[axis].attach_scale(scale)
        if scales:
            ids = [int(scale.attrs["_Netcdf4Dimid"]) for scale in scales]
            dataset.attrs["_Netcdf4Coordinates"] = np.array(ids, dtype=np.int32)
        self.attributes(dataset, attributes)

    def state(self, group: Any, name: str, array: NDArray[Any]) -> None:
        """A state of any shape; its dimensions have no meaning of their own, only an axis and a length."""
        if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8 or array.dtype == np.float16:
            raise ResultFileError(f'state "{name}" has type {array.dtype}; only real numbers can be saved')
        if not name or "/" in name or not name.isprintable() or name.startswith("axis"):
            raise ResultFileError(
                f'state name "{name}": must be printable, without "/", and not begin with "axis"'
            )
        scales = [self._axis(group, axis, length) for axis, length in enumerate(array.shape)]
        # netCDF has no booleans: stored as bytes, and said so.
        marks = {"dtype": "bool"} if array.dtype == bool else {}
        self.variable(group, name, array.astype(np.int8) if marks else array, scales, marks)

    def _axis(self, group: Any, axis: int, length: int) -> Any:
        name = f"axis{axis}_{length}"
        if name not in group:
            self._number(self._dataset(group, name, np.zeros(length, np.float32)), _DIMENSION_ONLY % length)
        return group[name]

    def _number(self, scale: Any, label: str) -> None:
        scale.make_scale(label)
        scale.attrs["_Netcdf4Dimid"] = np.int32(self.dimensions)
        self.dimensions += 1

    def _dataset(self, group: Any, name: str, values: NDArray[Any]) -> Any:
        options: dict[str, Any] = {"track_order": True}
        if 0 in values.shape:
            # netCDF knows a length of zero only for a dimension that may grow.
            options["maxshape"] = tuple(length or None for length in values.shape)
            options["chunks"] = tuple(length or 1 for length in values.shape)
        elif values.size > 1000:
            options.update(self.filters)
        return group.create_dataset(name, data=values, **options)


# --- reading -----------------------------------------------------------------------------------------


def read(path: str | Path) -> Result:
    """The result in the file `path`."""
    import h5py

    source = Path(path).expanduser()
    _check_source(source)
    try:
        with h5py.File(source, "r") as file:
            _check_format(file, source)
            return _read_content(file)
    except ResultFileError:
        raise
    except (OSError, LookupError, ValueError, TypeError, RuntimeError) as error:
        # The library of HDF5 reports a file that was cut short or overwritten in any of these ways.
        raise ResultFileError(f'"{source}" is damaged or was cut short: {_reason(error)}') from error


def _check_source(source: Path) -> None:
    if not source.exists():
        raise ResultFileError(f'there is no file "{source}"')
    if source.is_dir():
        raise ResultFileError(f'"{source}" is a folder, not a result file')
    try:
        with source.open("rb") as stream:
            start = stream.read(len(_SIGNATURE))
    except OSError as error:
        raise ResultFileError(f'cannot read "{source}": {error.strerror}') from error
    if not start:
        raise ResultFileError(f'"{source}" is empty')
    if start != _SIGNATURE:
        raise ResultFileError(f'"{source}" is not a pitchline result: it is not an HDF5 (netCDF-4) file')


def _check_format(file: Any, source: Path) -> None:
    if "pitchline_result_format" not in file.attrs:
        raise ResultFileError(f'"{source}" is not a pitchline result: it was written by something else')
    version = int(file.attrs["pitchline_result_format"])
    if version > FORMAT:
        raise ResultFileError(
            f'"{source}" has result format {version}, this version of pitchline reads up to {FORMAT}; '
            f"it was written by pitchline {_text(file.attrs, 'pitchline_version')}: update to read it"
        )


def _read_content(file: Any) -> Result:
    time = file["time"][()]
    scales = {name for name in file if file[name].attrs.get("CLASS") == b"DIMENSION_SCALE"}
    names = [name for name in file if name not in scales and name not in ("state", "rate")]
    values = {name: file[name][()] for name in names}
    signals = {}
    for name in names:
        dataset = file[name]
        rate = _text(dataset.attrs, "rate")
        signals[name] = Signal(
            name=name,
            values=values[name],
            time=time,
            unit=_text(dataset.attrs, "units"),
            description=_text(dataset.attrs, "description"),
            components=tuple(dataset.dims[1][0].asstr()[()]) if dataset.ndim == 2 else (),
            rate=(values[rate] if rate in values else file[rate][()]) if rate else None,
        )
    data = {key: from_json(_text(file.attrs, key)) for key in _JSON_ATTRIBUTES}
    return Result(
        kind=_text(file.attrs, "kind"),
        model_name=_text(file.attrs, "model_name"),
        time=time,
        signals=signals,
        status=Status(_text(file.attrs, "status")),
        message=_text(file.attrs, "message"),
        states=_read_states(file),
        source=from_json(_text(file.attrs, "source") or "{}"),
        version=_text(file.attrs, "pitchline_version"),
        **data,
    )


def _read_states(file: Any) -> dict[str, NDArray[Any]]:
    states: dict[str, NDArray[Any]] = {}
    # By name, not get() nor items(): those pass over what cannot be read.
    for name in list(file["state"]) if "state" in file else []:
        dataset = file["state"][name]
        if dataset.attrs.get("CLASS") != b"DIMENSION_SCALE":
            array = np.asarray(dataset[()])
            states[name] = array.astype(bool) if _text(dataset.attrs, "dtype") == "bool" else array
    return states


def _text(attributes: Any, key: str) -> str:
    value = attributes.get(key, b"")
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def _reason(error: Exception) -> str:
    return str(error.args[0] if error.args else error).strip() or type(error).__name__
