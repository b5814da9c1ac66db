"""Channels of a measurement file: names, units, time, missing values, and the result that they form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchline.base.types import FloatArray
from pitchline.errors import near_names, shown
from pitchline.results.result import RESERVED_NAMES, Result
from pitchline.results.signal import Signal
from pitchline.units.quantity import quantity

from ..fmi.description import FmuUnit, si_text, unit_by_name
from ..safe_xml import ExchangeError

__all__ = [
    "RawChannel",
    "RawRecord",
    "ReadOptions",
    "measured_result",
    "name_and_unit",
    "NamedArray",
    "record_of_arrays",
    "arrays_of",
    "read_hdf5",
]


_TIMES = ("time", "t", "zeit", "times", "temps", "tiempo", "tempo", "timestamp", "elapsed time", "time stamp", "x_time")
"""Names of columns that are the time, in lower case."""
_BRACKETS = re.compile(r"^(?P<name>.*?)\s*\[(?P<unit>[^\[\]]*)\]\s*$", re.DOTALL)
_PARENTHESES = re.compile(r"^(?P<name>.*?)\s*\((?P<unit>[^()]*(?:\([^()]*\))?[^()]*)\)\s*$", re.DOTALL)
_SLASH = re.compile(r"^(?P<name>.+?)\s+/\s+(?P<unit>.+?)\s*$", re.DOTALL)
_NUMBER = re.compile(r"^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*)$", re.DOTALL)
_PLAIN = {
    "-": "",
    "1": "",
    "none": "",
    "n/a": "",
    "u/min": "rpm",
    "1/min": "rpm",
    "min-1": "rpm",
    "rev/min": "rpm",
    "sec": "s",
}


@dataclass
class RawChannel:
    """Channel of a file. unit: as in the file; empty if it states none."""

    name: str
    values: FloatArray
    unit: str = ""
    description: str = ""


@dataclass
class RawRecord:
    """Channels of a file with the same samples.

    rate:  samples per second, if the file states it
    first: time of the first sample [s]
    lines: line of the file for each sample, for messages: first line and whether samples are lines
    """

    channels: list[RawChannel]
    rate: float | None = None
    first: float = 0.0
    first_line: int = 0
    about: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ReadOptions:
    """Options that all formats share; see `read_measurement`."""

    time: str | None = None
    sample_rate: float | None = None
    names: tuple[str, ...] | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    channels: tuple[str, ...] | None = None
    gaps: str = "keep"


def name_and_unit(text: str) -> tuple[str, str]:
    """Name and unit of a header: "torque [N m]", "torque (Nm)", "M / Nm"."""
    text = " ".join(text.split())
    found = _BRACKETS.match(text)
    if found:
        return found["name"], found["unit"].strip()
    for pattern in (_PARENTHESES, _SLASH):
        found = pattern.match(text)
        if found and found["name"] and _unit(found["unit"].strip("() ") if pattern is _SLASH else found["unit"]):
            return found["name"], found["unit"].strip("() ") if pattern is _SLASH else found["unit"].strip()
    return text, ""


def measured_result(record: RawRecord, options: ReadOptions, name: str, title: str) -> Result:
    """Result of the kind "measurement". name: file in messages; title: name of the record."""
    channels = _named(record.channels, options.names, name)
    _check_names(options.units, channels, "units", name)
    count = len(channels[0].values)
    time, rest = _time(record, channels, options, name)
    if options.channels is not None:
        rest = _chosen(rest, options.channels, name)
    if not rest:
        raise ExchangeError(f"{name}: there is no channel besides the time")
    warnings: list[str] = []
    signals = {}
    for channel in rest:
        signal = _signal(channel, time, options, name, warnings)
        signals[signal.name] = signal
    about = {"file": name, "samples": count, **record.about}
    return Result(kind="measurement", model_name=title, time=time, signals=signals, warnings=warnings, options=about)


def _named(channels: list[RawChannel], names: tuple[str, ...] | None, file: str) -> list[RawChannel]:
    if not channels or not len(channels[0].values):
        raise ExchangeError(f"{file}: there are no samples")
    if names is not None and len(names) != len(channels):
        raise ExchangeError(f"{file}: {len(names)} names for {len(channels)} columns. Specify one name for each column")
    taken: set[str] = set()
    made = []
    for place, channel in enumerate(channels):
        text = channel.name if names is None else names[place]
        if not isinstance(text, str):
            raise ExchangeError(f"{file}: names must be texts, got {shown(text)}")
        label, unit = name_and_unit(text)
        printable = "".join(c for c in label.replace("/", "_") if c.isprintable()).strip()[:200].strip()
        label, number = printable or f"channel {place + 1}", 2
        while label in taken:
            label, number = f"{printable or f'channel {place + 1}'} {number}", number + 1
        taken.add(label)
        made.append(RawChannel(label, channel.values, unit or channel.unit, channel.description))
    return made


def _check_names(given: Iterable[str], channels: list[RawChannel], what: str, file: str) -> None:
    known = [channel.name for channel in channels]
    for key in given:
        if key not in known:
            raise ExchangeError(f"{file}: {what}: there is no channel {shown(key)}; {near_names(str(key), known)}")


def _chosen(channels: list[RawChannel], names: tuple[str, ...], file: str) -> list[RawChannel]:
    _check_names(names, channels, "channels", file)
    return [channel for channel in channels if channel.name in names]


def _time(
    record: RawRecord, channels: list[RawChannel], options: ReadOptions, file: str
) -> tuple[FloatArray, list[RawChannel]]:
    """Times of the samples, and the other channels."""
    count = len(channels[0].values)
    column: RawChannel | None = None
    if options.time is not None:
        _check_names([options.time], channels, "time", file)
        column = next(channel for channel in channels if channel.name == options.time)
        if options.sample_rate is not None:
            raise ExchangeError(f"{file}: specify time or sample_rate, not both")
    elif options.sample_rate is None and record.rate is None:
        column = next((channel for channel in channels if channel.name.lower().strip() in _TIMES), None)
    rate = options.sample_rate or record.rate
    if column is None:
        if rate is None:
            known = ", ".join(f'"{channel.name}"' for channel in channels[:8])
            raise ExchangeError(
                f"{file}: the times of the samples are not known. Specify time (the name of a column: {known}) or sample_rate, "
                'e.g. "10 kHz"'
            )
        return record.first + np.arange(count) / rate, channels
    unit = _read_unit(options.units.get(column.name, column.unit) or "s", f'{file}: time "{column.name}"')
    if unit is None or unit.powers != (0, 0, 1, 0, 0, 0):
        raise ExchangeError(f'{file}: the unit "{column.unit}" of the time "{column.name}" is not a unit of time')
    time = np.asarray(column.values, np.float64) * unit.factor
    _check_time(time, column.name, record, file)
    return time, [channel for channel in channels if channel is not column]


def _check_time(time: FloatArray, column: str, record: RawRecord, file: str) -> None:
    finite = np.isfinite(time)
    if not finite.all():
        at = int(np.argmin(finite))
        raise ExchangeError(f'{file}{_line(record, at)}: the time "{column}" has no value in sample {at + 1}')
    back = np.flatnonzero(time[1:] < time[:-1])
    if back.size:
        at = int(back[0]) + 1
        raise ExchangeError(
            f'{file}{_line(record, at)}: the time "{column}" decreases from {time[at - 1]:.9g} s to {time[at]:.9g} s. Specify the '
            "column of the time, or sample_rate"
        )


def _line(record: RawRecord, sample: int) -> str:
    return f", line {record.first_line + sample}" if record.first_line else ""


def _signal(channel: RawChannel, time: FloatArray, options: ReadOptions, file: str, warnings: list[str]) -> Signal:
    values = np.asarray(channel.values, np.float64)
    description = channel.description or f'measured channel "{channel.name}"'
    stated = channel.name in options.units
    text = options.units.get(channel.name, channel.unit)
    unit = _read_unit(text, f'{file}: channel "{channel.name}"', strict=stated)
    if unit is None:
        warnings.append(
            f'"{channel.name}": the unit {shown(text)} is not known. The values are unchanged, as pure numbers'
        )
        description, unit = f"{description}, in {text}", FmuUnit("", 1.0, 0.0, (0, 0, 0, 0, 0, 0))
    if unit.factor != 1.0 or unit.offset != 0.0:
        values = values * unit.factor + unit.offset
    values = _without_gaps(values, time, channel.name, options.gaps, file, warnings)
    name = f"{channel.name}_" if channel.name in RESERVED_NAMES else channel.name
    return Signal(name, values, time, si_text(unit.powers), description)


def _read_unit(text: str, what: str, *, strict: bool = True) -> FmuUnit | None:
    """Unit, also with a factor: "50 m/s^2". None if it is not known and not strict."""
    if not isinstance(text, str):
        raise ExchangeError(f"{what}: the unit must be a text, got {shown(text)}")
    number, rest = 1.0, text.strip()
    found = _NUMBER.match(rest)
    if found and (found[2] or strict) and not rest.startswith("1/"):
        number, rest = float(found[1]), found[2]
    if rest == "g" and not strict:
        raise ExchangeError(
            f'{what}: the unit "g" can be the standard gravity or gram. Specify units: "9.80665 m/s^2" or "1 g"'
        )
    unit = _unit(rest)
    if unit is None:
        if strict:
            raise ExchangeError(f'{what}: {shown(text)} is not a unit; write e.g. "N*m", "rpm" or "50 m/s^2"')
        return None
    if number == 0.0 or not np.isfinite(number):
        raise ExchangeError(f"{what}: the factor of the unit {shown(text)} is not usable")
    return FmuUnit(text, number * unit.factor, unit.offset, unit.powers)


def _unit(text: str) -> FmuUnit | None:
    try:
        return unit_by_name(_PLAIN.get(text.lower(), text)) if len(text) <= 60 else None
    except (ValueError, OverflowError):
        return None


def _without_gaps(
    values: FloatArray, time: FloatArray, name: str, gaps: str, file: str, warnings: list[str]
) -> FloatArray:
    missing = ~np.isfinite(values)
    count = int(missing.sum())
    if not count:
        return values
    at = int(np.argmax(missing))
    where = f'"{name}" has {count} samples without a value, the first at t = {time[at]:.9g} s'
    if gaps == "refuse":
        raise ExchangeError(f"{file}: {where}")
    if gaps == "keep" or count == len(values):
        warnings.append(f'{where}. They are nan; gaps="interpolate" fills them')
        return np.where(missing, np.nan, values)
    warnings.append(f"{where}. They were filled by straight lines")
    filled = values.copy()
    filled[missing] = np.interp(time[missing], time[~missing], values[~missing])
    return filled


def rate_of(value: Any, what: str) -> float | None:
    """Samples per second."""
    if value is None:
        return None
    rate = quantity(value, "frequency", what=what)
    if not 0.0 < rate < 1e12:
        raise ExchangeError(f"{what} must be positive, got {shown(value)}")
    return rate


# ---- number tree

# Named arrays of MAT, HDF5 and similar files: the choice of channels that have the same number of samples.

_RATES = ("sample_rate", "samplerate", "fs", "sampling_rate", "sampling_frequency", "samplingrate", "rate_hz")
_STEPS = ("dt", "sample_time", "ts", "wf_increment", "increment", "delta_t")
MOST_COLUMNS = 4096


@dataclass(frozen=True)
class NamedArray:
    """Array of a file.

    path:   name with the groups above it, with dots: "run1.acc"
    values: numbers of any shape
    """

    path: str
    values: NDArray[np.float64]
    unit: str = ""
    description: str = ""
    labels: tuple[str, ...] = ()


def record_of_arrays(
    arrays: list[NamedArray], group: str | None, attributes: Mapping[str, float], name: str
) -> RawRecord:
    """Channels of the arrays, or of those in one group. Single numbers such as fs are the sample rate."""
    single = {array.path.rpartition(".")[2].lower(): array for array in arrays if array.values.size == 1}
    chosen = arrays
    if group is not None:
        chosen = [array for array in arrays if array.path == group or array.path.startswith(f"{group}.")]
        if not chosen:
            known = sorted(
                {array.path for array in arrays} | {array.path.rpartition(".")[0] for array in arrays} - {""}
            )
            raise ExchangeError(f"{name}: there is no variable or group {shown(group)}; {near_names(group, known)}")
    columns: list[RawChannel] = []
    for array in chosen:
        if array.values.size > 1:
            columns += _columns(array, group, name)
    if not columns:
        raise ExchangeError(f"{name}: there are no arrays of numbers{'' if group is None else f' in {shown(group)}'}")
    counts = {len(channel.values) for channel in columns}
    if len(counts) > 1:
        by_count: dict[int, list[str]] = {}
        for channel in columns:
            by_count.setdefault(len(channel.values), []).append(channel.name)
        listed = "; ".join(f"{count} samples: {', '.join(names[:6])}" for count, names in by_count.items())
        raise ExchangeError(
            f"{name}: the arrays have different numbers of samples ({listed}). Specify group, the name of a variable or group "
            "with one record"
        )
    rate = next((1.0 * value for key, value in attributes.items() if key.lower() in _RATES and value > 0.0), None)
    rate = rate or next(
        (1.0 / value for key, value in attributes.items() if key.lower() in _STEPS and value > 0.0), None
    )
    for key in _RATES:
        if rate is None and key in single and float(single[key].values.flat[0]) > 0.0:
            rate = float(single[key].values.flat[0])
    for key in _STEPS:
        if rate is None and key in single and float(single[key].values.flat[0]) > 0.0:
            rate = 1.0 / float(single[key].values.flat[0])
    has_time = any(channel.name.lower().rpartition(".")[2] in ("time", "t") for channel in columns)
    return RawRecord(_shortened(columns), rate=None if has_time else rate)


def _columns(array: NamedArray, group: str | None, name: str) -> list[RawChannel]:
    """Columns of an array; the longer dimension is the time."""
    values = np.squeeze(array.values)
    if values.ndim > 2:
        raise ExchangeError(
            f'{name}: "{array.path}" has {values.ndim} dimensions. Arrays of one or two dimensions are read'
        )
    path = array.path
    if group is not None and path != group:
        path = path.removeprefix(f"{group}.")
    if values.ndim == 1:
        return [RawChannel(path, np.asarray(values, np.float64), array.unit, array.description)]
    table = values if values.shape[0] >= values.shape[1] else values.T
    if table.shape[1] > MOST_COLUMNS:
        raise ExchangeError(f'{name}: "{array.path}" has {table.shape[1]} columns, the limit is {MOST_COLUMNS}')
    labels = (
        array.labels if len(array.labels) == table.shape[1] else tuple(f"{path} {k + 1}" for k in range(table.shape[1]))
    )
    return [
        RawChannel(label, np.ascontiguousarray(table[:, k], np.float64), array.unit, array.description)
        for k, label in enumerate(labels)
    ]


def _shortened(columns: list[RawChannel]) -> list[RawChannel]:
    """Names without a group that all channels share."""
    groups = {channel.name.rpartition(".")[0] for channel in columns}
    if len(groups) == 1 and "" not in groups:
        for channel in columns:
            channel.name = channel.name.rpartition(".")[2]
    return columns


# ---- hdf5 file

# HDF5 files (also MAT 7.3 and netCDF-4): datasets of numbers, with units and sample rates in their attributes.

MOST_BYTES = 8 * 1024**3
MOST_ITEMS = 20_000
MOST_DEPTH = 20
_UNITS = ("units", "unit", "Unit", "Units", "unit_string", "NI_UnitDescription", "UNITS", "yunit")
_TEXTS = ("description", "long_name", "Description", "comment")


def read_hdf5(path: Path, name: str, group: str | None, *, matlab: bool = False) -> RawRecord:
    """Channels of all datasets of numbers, or of those in one group. Links to other files are not followed.

    The library of HDF5 can loop for ever in a damaged file. Therefore another process reads it (`reading_process`).
    """
    from .reading_process import arrays_from_process

    arrays, numbers = arrays_from_process(path, name, group, "MAT 7.3" if matlab else "HDF5")
    return record_of_arrays(arrays, group, numbers, name)


def arrays_of(path: Path, name: str, group: str | None, *, matlab: bool) -> tuple[list[NamedArray], dict[str, float]]:
    """Arrays of a file, and numbers among its attributes, read in this process."""
    import h5py

    walk = _Walk(name, matlab)
    try:
        with h5py.File(path, "r") as file:
            walk.attributes_of(file)
            walk.group(file, "", 0)
            wanted = [one for one in walk.found if group is None or one[0] == group or one[0].startswith(f"{group}.")]
            size = sum(8 * dataset.size for _, dataset in wanted)
            if size > MOST_BYTES:
                raise ExchangeError(
                    f"{name}: its arrays have {size / 2**30:.1f} GB. Specify group, one variable or group"
                )
            small = [one for one in walk.found if one[1].size <= 1 and one not in wanted]
            listed = [walk.array(key, dataset) for key, dataset in (*wanted, *small)]
            if not wanted:  # for the message with near names
                listed = [NamedArray(key, np.zeros(0)) for key, _ in walk.found[:500]]
            return listed, walk.numbers
    except ExchangeError:
        raise
    except MemoryError as error:
        raise ExchangeError(f"{name}: its arrays do not fit in memory") from error
    except (
        Exception
    ) as error:  # the library of HDF5 reports damage as OSError, RuntimeError, KeyError, ValueError and others
        raise ExchangeError(f"{name}: not a valid HDF5 file: {type(error).__name__}: {str(error)[:200]}") from error


class _Walk:
    """Datasets of a file by name."""

    def __init__(self, name: str, matlab: bool) -> None:
        self.name, self.matlab = name, matlab
        self.found: list[tuple[str, Any]] = []
        self.numbers: dict[str, float] = {}
        self._items = 0

    def attributes_of(self, item: Any) -> None:
        """Numbers among the attributes, such as a sample rate."""
        for key in list(item.attrs)[:200]:
            try:
                value = np.asarray(item.attrs[key])
            except (TypeError, ValueError, OSError, RuntimeError):
                continue  # of a type that numpy does not have
            if value.size == 1 and value.dtype.kind in "fiu":
                self.numbers.setdefault(str(key), float(value.flat[0]))

    def group(self, item: Any, path: str, depth: int) -> None:
        import h5py

        if depth > MOST_DEPTH:
            raise ExchangeError(f'{self.name}: "{path[:80]}" is nested more than {MOST_DEPTH} deep')
        for key in item:
            self._items += 1
            if self._items > MOST_ITEMS:
                raise ExchangeError(f"{self.name}: more than {MOST_ITEMS} items")
            if not isinstance(item.get(key, getlink=True), h5py.HardLink) or key in ("#refs#", "#subsystem#"):
                continue
            one, where = item[key], f"{path}.{key}".lstrip(".")
            if isinstance(one, h5py.Group):
                self.attributes_of(one)
                self.group(one, where, depth + 1)
            elif isinstance(one, h5py.Dataset) and _has_numbers(one):
                self.attributes_of(one)
                self.found.append((where, one))

    def array(self, key: str, dataset: Any) -> NamedArray:
        if dataset.size * 8 > MOST_BYTES:
            raise ExchangeError(f'{self.name}: "{key}" has {dataset.size} numbers, more than the limit')
        values = np.asarray(dataset[()], np.float64)
        return NamedArray(key, values.T if self.matlab else values, _text(dataset, _UNITS), _text(dataset, _TEXTS))


def _has_numbers(dataset: Any) -> bool:
    numbers = dataset.dtype.kind in "fiub" and dataset.dtype.names is None and dataset.ndim <= 2
    return numbers and not dataset.attrs.get("MATLAB_empty", 0) and _text(dataset, ("MATLAB_class",)) != "char"


def _text(dataset: Any, keys: tuple[str, ...]) -> str:
    for key in keys:
        if key in dataset.attrs:
            value = dataset.attrs[key]
            if isinstance(value, bytes):
                return value.decode("utf-8", "replace")
            if isinstance(value, str):
                return value
    return ""
