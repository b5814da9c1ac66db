"""From the channels of a file to a result: names, units, time, missing values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import near_names, shown
from ...results import Result, Signal
from ...results.result import RESERVED_NAMES
from ...units import quantity
from ..limits import ExchangeError
from ..loop.fmu_units import FmuUnit, si_text, unit_by_name

__all__ = ["RawChannel", "RawRecord", "ReadOptions", "measured_result", "name_and_unit"]

FloatArray = NDArray[np.float64]
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
