"""Result files: their content, signals that are read on demand, reading and writing.

Content of a result file: plain data (the head) and arrays by key, for every way of reading the file.

head      attributes: texts and the format, as in `global_attributes`; signals: name -> unit, description, components, key of the
          rate; states: name -> "bool" or ""
arrays    "time", the values of signals under their names, "rate/NAME", "state/NAME"
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.storage.free_names import StorageError, check_target
from pitchline.base.storage.hdf5_image import Hdf5Image, hdf5_image
from pitchline.base.storage.stored_array import Sealed, StoredArray, has_seal, text_digest
from pitchline.base.types import FloatArray

from .result import Result
from .series import from_json, to_json
from .signal import Signal, check_name, component_labels
from .status import ResultFileError, SignalError, Status

if TYPE_CHECKING:
    from .result import Result

__all__ = [
    "LazySignal",
    "close_files",
    "held",
    "RATE",
    "STATE",
    "check_format",
    "head_of",
    "result_of",
    "state_arrays",
    "text_form",
    "NetcdfWriter",
    "read",
    "write",
]


# ---- lazy signal

# Signals of a result file that is opened with `lazy=True`: their values are read at first use.

_What = Literal["values", "rate"]


class _FromFile:
    """An attribute that is read from the file. Without `__set__`: what `dataclasses.replace` sets comes first."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name: Any = name

    def __get__(self, signal: LazySignal | None, owner: type) -> Any:
        return self if signal is None else signal._whole(self.name)


@names_wrong_arguments
class LazySignal(Signal):
    """A signal in a file. `values` and `rate` are read whole and stay in memory for a while (those used last, 256 MB a file);
    `signal[i]`, `signal[i:j]`, `between`, `at`, `initial` and `final` read only the samples they need.
    """

    values: FloatArray = _FromFile()  # type: ignore[assignment]
    rate: FloatArray | None = _FromFile()  # type: ignore[assignment]
    _stored: dict[_What, StoredArray | None]
    _column: int | None

    @classmethod
    def of_file(
        cls, *, name: str, values: StoredArray, time: FloatArray, unit: str, description: str, components: tuple[str, ...],
        rate: StoredArray | None,
    ) -> LazySignal:  # fmt: skip
        """As `Signal(...)`, with arrays that are still in the file; `time` is checked by the result."""
        check_name(name)
        what = f'signal "{name}"'
        if values.ndim not in (1, 2) or values.shape[0] != len(time):
            raise SignalError(f"{what}: values have shape {values.shape}, but there are {len(time)} times")
        if rate is not None and rate.shape != values.shape:
            raise SignalError(f"{what}: rate has shape {rate.shape}, values have {values.shape}")
        labels = component_labels(components, values.shape, what)
        time.flags.writeable = False
        return cls._made(name, time, unit, description, labels, {"values": values, "rate": rate}, None)

    @classmethod
    def _made(
        cls, name: str, time: FloatArray, unit: str, description: str, components: tuple[str, ...],
        stored: dict[_What, StoredArray | None], column: int | None,
    ) -> LazySignal:  # fmt: skip
        signal = object.__new__(cls)
        said = {"name": name, "time": time, "unit": unit, "description": description, "components": components}
        object.__setattr__(signal, "__dict__", said | {"_stored": stored, "_column": column})
        return signal

    # --- known without reading -------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        array = self._array("values")
        assert array is not None
        return array.shape if not self._is_stored or self._column is None else array.shape[:1]

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(np.float64)

    @property
    def _has_rate(self) -> bool:
        return self._array("rate") is not None

    def component(self, label: str) -> Signal:
        """Component `label` as a scalar signal; it is also read at first use."""
        if label not in self.components or not self._is_stored:
            return super().component(label)
        description = f"{self.description}, component {label}" if self.description else ""
        column = self.components.index(label)
        return self._made(f"{self.name}.{label}", self.time, self.unit, description, (), self._stored, column)

    # --- reading -----------------------------------------------------------------------------------

    def __getitem__(self, index: Any) -> Any:
        """Index as for any signal; only the sample (`signal[5]`) or the slice (`signal[5:9]`) is read."""
        rows, *others = index if isinstance(index, tuple) and index else (index,)
        if self._is_stored and isinstance(rows, int | np.integer) and not isinstance(rows, bool):
            if -len(self) <= rows < len(self):
                first = int(rows) % len(self)
                return self._rows("values", first, first + 1)[(0, *others)]
        elif self._is_stored and isinstance(rows, slice):
            start, stop, step = rows.indices(len(self))
            if step > 0:
                found = self._rows("values", start, max(start, stop), step)
                return found[(slice(None), *others)] if others else found
        return super().__getitem__(index)

    def _rows(self, what: _What, start: int, stop: int, step: int = 1) -> FloatArray:
        array = self._array(what)
        if not isinstance(array, StoredArray):
            return super()._rows(what, start, stop)[::step]
        with _told():
            found = array.rows(start, stop) if step == 1 else array.every(start, stop, step)
        found.flags.writeable = False
        return self._part(found)

    def _whole(self, what: _What) -> FloatArray | None:
        array = self._stored[what]
        if array is None:
            return None
        with _told():
            return self._part(array.values())

    def _part(self, array: NDArray[Any]) -> FloatArray:
        return array if self._column is None else array[:, self._column]

    def _array(self, what: _What) -> FloatArray | StoredArray | None:
        """In memory where `dataclasses.replace` put it there, else in the file."""
        array: FloatArray | StoredArray | None = self.__dict__[what] if what in self.__dict__ else self._stored[what]
        return array

    @property
    def _is_stored(self) -> bool:
        return "values" not in self.__dict__

    def __repr__(self) -> str:
        try:
            return super().__repr__()
        except ResultFileError as error:  # closed, or changed meanwhile: what shows values, such as a debugger, goes on
            return f'<Signal "{self.name}": {len(self)} samples; {error}>'

    def __reduce__(self) -> Any:
        # Copies and pickles hold the values: the file may be gone where they are opened.
        return Signal, (self.name, self.values, self.time, self.unit, self.description, self.components, self.rate)


def held(signal: Signal, what: _What) -> FloatArray | StoredArray | None:
    """`values` or `rate` where they are: in memory, or still in the file; None for no rate."""
    if isinstance(signal, LazySignal) and what not in signal.__dict__ and signal._column is None:
        return signal._stored[what]
    array: FloatArray | None = getattr(signal, what)
    return array


def close_files(signals: Iterable[Signal]) -> None:
    """Close the files that signals are read from."""
    for signal in signals:
        if isinstance(signal, LazySignal):
            for array in signal.__dict__.get("_stored", {}).values():
                if array is not None and isinstance(array.file, Sealed):
                    array.file.close()


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except ResultFileError:
        raise
    except StorageError as error:
        raise ResultFileError(str(error)) from error


# ---- netcdf names

# Names, dimensions and attributes of a result outside this library: in its file and in xarray.
#
# dimensions   time, and one dimension for each set of component labels: "component" for (x, y, z),
#              "component_wxyz" and the like for others
# variables    time, the component labels, and every signal under its name `element.signal`,
#              with units, long_name and description; `rate` names the variable that holds its derivative
# attributes   title, kind, model_name, status, message, pitchline_version, pitchline_result_format,
#              and as JSON text: warnings, statistics, options, model, and source where there is one;
#              in the file, `checksums` too: SHA-256 of every array and of all the rest

#: Version of the file; a reader refuses files with a larger number. 2: with checksums. 3: signals of gear pairs by the flank that
#: bears. 4: their lengths and stiffness on the base circle.
FORMAT = 4

_Key = tuple[int, tuple[int, ...], tuple[int, ...]]


def dimension_names(result: Result) -> dict[tuple[str, ...], str]:
    """Component labels -> name of their dimension, different from the name of every signal."""
    names: dict[tuple[str, ...], str] = {}
    for signal in result.signals.values():
        labels = signal.components
        if not labels or labels in names:
            continue
        joined = "".join(labels)
        plain_labels = len(joined) <= 8 and joined.isalnum() and joined.isascii()
        name = f"component_{joined if plain_labels else len(labels)}"
        if labels == ("x", "y", "z"):
            name = "component"
        while name in result.signals or name in names.values():
            name += "_"
        names[labels] = name
    return names


def global_attributes(result: Result) -> dict[str, Any]:
    """Attributes of the whole, in the order in which a reader sees them; empty ones left out."""
    attributes = {
        "title": f"{result.model_name}: {result.kind}",
        "kind": result.kind,
        "model_name": result.model_name,
        "status": result.status.value,
        "message": result.message,
        "warnings": to_json(result.warnings),
        "statistics": to_json(result.statistics),
        "options": to_json(result.options),
        "model": to_json(result.model),
        "source": to_json(result.source) if result.source else "",
        "pitchline_version": result.version,
        "pitchline_result_format": np.int32(FORMAT),
    }
    return {key: value for key, value in attributes.items() if not isinstance(value, str) or value}


def signal_attributes(signal: Signal) -> dict[str, str]:
    """units, long_name and description of one signal; empty ones left out."""
    # Plots made by netCDF readers put long_name on the axis: the name in words, not the whole description.
    words = signal.name.replace(".", " ").replace("_", " ")
    attributes = {"units": signal.unit, "long_name": words, "description": signal.description}
    return {key: value for key, value in attributes.items() if value}


def shared_rates(result: Result) -> dict[str, str]:
    """Signal -> the signal whose values are its rate, where both are the same memory or the same array of a file.

    A velocity that serves as the rate of a position is then stored once.
    """
    values = {name: held(signal, "values") for name, signal in result.signals.items()}
    owners = {_memory(array): name for name, array in values.items() if array is not None and array.size}
    found: dict[str, str] = {}
    for name, signal in result.signals.items():
        rate = held(signal, "rate")
        if rate is not None and rate.size and _memory(rate) in owners:
            found[name] = owners[_memory(rate)]
    return found


def _memory(array: np.ndarray[Any, Any] | StoredArray) -> _Key:
    if isinstance(array, StoredArray):
        return id(array), (), ()
    return array.ctypes.data, array.shape, array.strides


RATE, STATE = "rate/", "state/"
_JSON = {"warnings": list, "statistics": dict, "options": dict, "model": dict, "source": dict}
_TEXTS = ("kind", "model_name", "message", "pitchline_version")
_BY_LOADED_FLANK = 3
"""Format since which gear pairs count by the flank that bears."""
_ON_BASE_CIRCLE = 4
"""Format since which their lengths and stiffness are on the base circle."""


def text_form(text: str) -> str:
    """A text as a file can hold it: a lone surrogate has no UTF-8 (escaped, it is still valid inside JSON), a zero ends it."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")


def head_of(result: Result) -> dict[str, Any]:
    """All data except the arrays."""
    rates = shared_rates(result)
    signals = {}
    for name, signal in result.signals.items():
        about = signal_attributes(signal)
        signals[name] = {
            "unit": text_form(about.get("units", "")),
            "description": text_form(about.get("description", "")),
            "components": [text_form(label) for label in signal.components],
            "rate": "" if held(signal, "rate") is None else rates.get(name, RATE + name),
        }
    attributes = {key: text_form(v) if isinstance(v, str) else int(v) for key, v in global_attributes(result).items()}
    states = {name: "bool" if array.dtype == bool else "" for name, array in result.states.items()}
    return {"attributes": attributes, "signals": signals, "states": states}


def state_arrays(result: Result) -> dict[str, NDArray[Any]]:
    """States as they are stored. netCDF has no booleans: they are bytes, and the head records it."""
    arrays = {}
    for name, array in result.states.items():
        if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8 or array.dtype == np.float16:
            raise ResultFileError(f'state "{name}" has type {array.dtype}; only real numbers can be saved')
        if not name or "/" in name or not name.isprintable() or name.startswith("axis"):
            raise ResultFileError(f'state name "{name}": must be printable, without "/", and not begin with "axis"')
        arrays[name] = array.astype(np.int8) if array.dtype == bool else array
    return arrays


def check_format(version: object, writer: object, called: str) -> int:
    """Format of a result file, if it is known."""
    if isinstance(version, np.integer):
        version = int(version)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ResultFileError(f"{called} has the unknown result format {version!r:.40}; formats 1 to {FORMAT} are read")
    if version > FORMAT:
        raise ResultFileError(
            f"{called} has result format {version}, this version of pitchline reads up to {FORMAT}; "
            f"it was written by pitchline {writer!s:.40}: update to read it"
        )
    return version


def result_of(
    head: dict[str, Any], arrays: Mapping[str, Any], called: str, signal: Callable[..., Signal] = Signal
) -> Result:
    """The result; content of a wrong type or shape is a ResultFileError that names it.

    signal:  makes the signals; what `arrays` holds under their names is for it to know
    """
    try:
        return _result(head, arrays, signal)
    except (LookupError, ValueError, TypeError, AttributeError, RecursionError, StorageError) as error:
        reason = str(error.args[0] if error.args else error).strip() or type(error).__name__
        raise ResultFileError(f"{called} is damaged, or not as pitchline writes it: {reason}") from error


def _result(head: dict[str, Any], arrays: Mapping[str, Any], signal: Callable[..., Signal]) -> Result:
    attributes, time = head["attributes"], _real(arrays["time"], "time")
    texts = {key: _text(attributes.get(key, ""), key) for key in (*_TEXTS, "status")}
    data = {key: from_json(_text(attributes.get(key, ""), key) or "null") for key in _JSON}
    for key, kind in _JSON.items():
        if data[key] is None and key == "source":
            data[key] = {}
        if not isinstance(data[key], kind):
            raise ValueError(f'"{key}" is not a {"list" if kind is list else "table"}')
    if not all(isinstance(text, str) for text in data["warnings"]):
        raise ValueError("a warning is not a text")
    signals = {}
    for name, about in head["signals"].items():
        rate = _text(about["rate"], "rate")
        signals[name] = signal(
            name=name,
            values=_real(arrays[name], name),
            time=time,
            unit=_text(about["unit"], "unit"),
            description=_text(about["description"], "description"),
            components=tuple(_text(label, "component") for label in about["components"]),
            rate=_real(arrays[rate], rate) if rate else None,
        )
    data["warnings"] += _other_signs(attributes.get("pitchline_result_format"), signals)
    states = {name: _state(arrays[STATE + name], _text(mark, name)) for name, mark in head["states"].items()}
    return Result(
        kind=texts["kind"],
        model_name=texts["model_name"],
        time=time,
        signals=signals,
        status=Status(texts["status"]),
        message=texts["message"],
        states=states,
        version=texts["pitchline_version"],
        **data,
    )


def _other_signs(version: object, signals: dict[str, Signal]) -> list[str]:
    """Warnings where signals of gear pairs have the signs or the directions of an earlier version."""
    pairs = [name.removesuffix(".transmission_error") for name in signals if name.endswith(".transmission_error")]
    pairs = [f'"{pair}"' for pair in pairs if f"{pair}.approach" in signals]
    if not pairs or not isinstance(version, (int, np.integer)):
        return []
    found = []
    if version < _BY_LOADED_FLANK:
        found.append(
            f"forces, deflection and transmission error of {', '.join(pairs)} have the signs of the version of pitchline that "
            "wrote this file: negative on the coast flank, backlash included; run the model again for those of this version"
        )
    if version < _ON_BASE_CIRCLE:
        found.append(
            f"transmission error and deflection of {', '.join(pairs)} are along the normal of the flanks, approach and stiffness "
            "along the hoop, as in the version of pitchline that wrote this file; run the model again for those on the base circle"
        )
    return found


def _real(array: Any, name: str) -> Any:
    if array.dtype != np.float64:
        raise ValueError(f'"{name}" holds {array.dtype}, not real numbers')
    return array


def _state(array: NDArray[Any], mark: str) -> NDArray[Any]:
    if array.dtype.kind not in "iuf" or mark not in ("", "bool"):
        raise ValueError(f"a state holds {array.dtype}, not real numbers")
    return array.astype(bool) if mark == "bool" else array


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f'"{name}" is not a text')
    return value


# ---- netcdf writer

# NetcdfWriter: dimensions and variables of an HDF5 file that netCDF-4 readers (xarray, MATLAB, Panoply, ncdump) open.
#
# What makes an HDF5 file readable as netCDF-4 is done here by hand: dimensions are HDF5 dimension scales numbered by
# `_Netcdf4Dimid`, names keep their order of creation, text attributes are UTF-8 of fixed length, no type is one
# netCDF lacks.

_DIMENSION_ONLY = "This is a netCDF dimension but not a netCDF variable.%10d"


class NetcdfWriter:
    """Writes dimensions and variables the netCDF-4 way; counts the dimensions of the file."""

    def __init__(self, image: Hdf5Image, *, compress: bool = False) -> None:
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
        self._attached(self._dataset(group, name, values, key), scales, attributes)

    def texts(self, group: Any, name: str, values: list[str], scales: list[Any], attributes: Mapping[str, Any]) -> None:
        """A variable that holds texts."""
        import h5py

        made = group.create_dataset(name, data=values, dtype=h5py.string_dtype(), track_order=True)
        self._attached(made, scales, attributes)

    def _attached(self, dataset: Any, scales: list[Any], attributes: Mapping[str, Any]) -> None:
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


# ---- storage

# The result file: HDF5, laid out so that netCDF-4 readers (xarray, MATLAB, Panoply, ncdump) open it, with a seal
# behind.
#
# The root holds dimensions, signals and attributes with the names of `dimension_names`; group `state` holds the states, group
# `rate` the derivatives of signals that are not signals themselves. What makes an HDF5 file readable as netCDF-4 is
# done here by hand: dimensions are HDF5 dimension scales numbered by `_Netcdf4Dimid`, names keep their order of
# creation, text attributes are UTF-8 of fixed length, no type is one netCDF lacks.
#
# The seal (`base.storage.stored_array`) has the place and the checksum of each array; pitchline reads the seal. The checksums
# are in the attribute `checksums` too: if another program has added data, the file has no valid seal and is read as HDF5.

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
        from .linear_files import KIND as LINEAR

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
    from .unsealed_hdf5 import read_apart

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
