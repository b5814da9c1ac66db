"""`read_measurement`: channels of a measurement as signals, by the ending of the file, with tachometers."""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import near_names, shown
from pitchline.results.result import Result
from pitchline.results.signal import Signal
from pitchline.results.status import SignalError
from pitchline.units.quantity import quantity

from ..safe_xml import ExchangeError
from .channels import RawChannel, RawRecord, ReadOptions, measured_result, rate_of

__all__ = ["read_parquet", "tacho", "ENDINGS", "is_measurement", "read_measurement", "read_wav"]


# ---- parquet file

# Parquet files: columns of numbers, with units in the metadata of the fields or in the names.

MOST_BYTES = 8 * 1024**3


def read_parquet(path: Path, name: str) -> RawRecord:
    """Channels of a Parquet file. Columns that are not numbers are left out."""
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise ExchangeError('reading Parquet files needs pyarrow: pip install "pitchline[data]"') from error
    pa: Any = pyarrow
    try:
        with parquet.ParquetFile(path) as file:
            rows, schema = file.metadata.num_rows, file.schema_arrow
            numeric = [f.name for f in schema if pa.types.is_integer(f.type) or pa.types.is_floating(f.type)]
            if rows < 0 or rows * len(numeric) * 8 > MOST_BYTES:
                raise ExchangeError(f"{name}: {rows} rows of {len(numeric)} columns are too large")
            table = file.read(columns=numeric)
        channels = []
        for field, column in zip(table.schema, table.columns, strict=True):
            about = {
                k.decode("utf-8", "replace"): v.decode("utf-8", "replace") for k, v in (field.metadata or {}).items()
            }
            values = np.asarray(column.to_numpy(), np.float64)
            channels.append(RawChannel(field.name, values, about.get("unit", ""), about.get("description", "")))
    except ExchangeError:
        raise
    except MemoryError as error:
        raise ExchangeError(f"{name}: its columns do not fit in memory") from error
    except Exception as error:  # pyarrow raises ArrowInvalid, OSError and others for a damaged file
        raise ExchangeError(f"{name}: not a valid Parquet file: {type(error).__name__}: {str(error)[:200]}") from error
    if not channels:
        raise ExchangeError(f"{name}: there are no columns of numbers")
    return RawRecord(channels)


# ---- tacho

# Angle and speed of a shaft from the pulses of a tacho or an encoder.

TURN = 2.0 * math.pi


@names_wrong_arguments
def tacho(
    signal: Signal,
    pulses: float,
    *,
    threshold: float | str | None = None,
    hysteresis: float | str | None = None,
    edge: str = "rising",
) -> tuple[Signal, Signal]:
    """Angle and speed of a shaft from pulses.

    The signal crosses the threshold once for each pulse. The times of the crossings are interpolated between samples. Between
    pulses the angle is a smooth curve that always increases (monotone cubic); before the first and after the last pulse the
    speed is constant. The angle is 0 at the first pulse. The direction of rotation is not known: the speed is positive.

    Parameters
    ----------
    signal
        Pulses over time, e.g. the voltage of a sensor.
    pulses
        Pulses per revolution. It need not be a whole number, if the sensor is on another shaft.
    threshold
        Level of a crossing, in the unit of the signal. Default: the middle of its range, without the highest and lowest percent.
    hysteresis
        The signal must fall below the threshold by this amount before the next pulse counts. Default: a fifth of the range.
    edge
        "rising" (default) or "falling".

    Returns
    -------
    tuple of Signal
        NAME.angle [rad] and NAME.angular_speed [rad/s], with the times of the signal.
    """
    what = f'tacho of "{signal.name}"'
    if signal.components:
        raise SignalError(f"{what}: the signal has components; take one of them")
    if isinstance(pulses, bool) or not isinstance(pulses, (int, float)) or not 0.0 < pulses < 1e9:
        raise SignalError(f"{what}: pulses per revolution must be a positive number, got {shown(pulses)}")
    if edge not in ("rising", "falling"):
        raise SignalError(f'{what}: edge must be "rising" or "falling", got {shown(edge)}')
    values = np.asarray(signal.values)
    if len(values) < 4 or not np.isfinite(values).all():
        raise SignalError(
            f'{what}: it has fewer than four samples, or samples without a value; read it with gaps="interpolate"'
        )
    low, high = np.percentile(values, [1.0, 99.0])
    low, high = (values.min(), values.max()) if high <= low else (low, high)  # short pulses
    if high <= low:
        raise SignalError(f"{what}: the signal is constant, {low:g} {signal.unit}")
    unit = signal.unit or "number"
    level = 0.5 * (low + high) if threshold is None else quantity(threshold, unit, what=f"{what}: threshold")
    band = 0.2 * (high - low) if hysteresis is None else quantity(hysteresis, unit, what=f"{what}: hysteresis")
    sign = 1.0 if edge == "rising" else -1.0
    times = crossings(signal.time, sign * (values - level), max(float(band), 0.0))
    if len(times) < 2:
        raise SignalError(
            f"{what}: {len(times)} pulses were found at the threshold {level:g} {signal.unit}. Two or more are needed; the "
            f"signal is from {values.min():g} to {values.max():g}"
        )
    angle, speed = _motion(signal.time, times, TURN / pulses)
    turning = Signal(
        f"{signal.name}.angular_speed",
        speed,
        signal.time,
        "rad/s",
        f"speed of rotation from {pulses:g} pulses per revolution",
    )
    return (
        Signal(
            f"{signal.name}.angle",
            angle,
            signal.time,
            "rad",
            f"angle from {pulses:g} pulses per revolution",
            (),
            turning.values,
        ),
        turning,
    )


def crossings(time: FloatArray, values: FloatArray, band: float) -> FloatArray:
    """Times at which values rise through zero, after they were below -band."""
    state = np.zeros(len(values), np.int8)
    state[values >= 0.0] = 1
    state[values < -band] = -1
    known = np.flatnonzero(state)
    changes = np.flatnonzero((state[known[:-1]] == -1) & (state[known[1:]] == 1))
    after = known[changes + 1]  # the first sample at or above zero
    before = after - 1
    rise = values[after] - values[before]
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.where(rise > 0.0, -values[before] / rise, 1.0)
    found = time[before] + np.clip(part, 0.0, 1.0) * (time[after] - time[before])
    return found[np.diff(found, prepend=-np.inf) > 0.0]


def _motion(time: FloatArray, pulses: FloatArray, pitch: float) -> tuple[FloatArray, FloatArray]:
    from scipy.interpolate import PchipInterpolator

    angles = pitch * np.arange(len(pulses))
    if len(pulses) == 2:
        rate = pitch / (pulses[1] - pulses[0])
        return rate * (time - pulses[0]), np.full(len(time), rate)
    curve = PchipInterpolator(pulses, angles)
    rates = curve.derivative()
    inside = np.clip(time, pulses[0], pulses[-1])
    first, last = pitch / (pulses[1] - pulses[0]), pitch / (pulses[-1] - pulses[-2])
    early, late = np.minimum(time - pulses[0], 0.0), np.maximum(time - pulses[-1], 0.0)
    angle = curve(inside) + first * early + last * late
    speed = np.where(early < 0.0, first, np.where(late > 0.0, last, rates(inside)))
    return angle, speed


angle_and_speed = tacho


"""Largest file."""
_TEXT = (".csv", ".txt", ".tsv", ".dat", ".asc")
_WAV = (".wav", ".wave", ".rf64")
_HDF5 = (".h5", ".hdf5", ".hdf", ".he5")
ENDINGS = (*_TEXT, *_WAV, ".mat", *_HDF5, ".parquet", ".pq")
"""Endings of files with measurements."""
GAPS = ("keep", "interpolate", "refuse")


def is_measurement(path: str | os.PathLike[str]) -> bool:
    """Whether the ending of a file is that of a measurement."""
    return Path(path).suffix.lower() in ENDINGS


@names_wrong_arguments
def read_measurement(
    path: str | os.PathLike[str],
    *,
    time: str | None = None,
    sample_rate: float | str | None = None,
    names: Sequence[str] | None = None,
    units: Mapping[str, str] | None = None,
    channels: Sequence[str] | None = None,
    group: str | None = None,
    tacho: Mapping[str, float] | None = None,
    gaps: str = "keep",
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    header_lines: int | None = None,
) -> Result:
    """Read a measurement: CSV and other text files, WAV, MAT (4, 5, 7.3), HDF5 or Parquet, by the ending of the file.

    Values are converted to SI. The result has the kind "measurement": its signals are plotted, compared, saved and analysed as
    those of a computation.

    Parameters
    ----------
    path
        File: .csv, .txt, .tsv, .dat, .asc; .wav; .mat; .h5, .hdf5; .parquet.
    time
        Name of the channel with the time. Default: a channel with a name such as "time" or "t", or the sample rate of the file.
    sample_rate
        Samples per second [Hz], for files without a time.
    names
        Names of all channels, in the order of the file, also with units: "torque [N*m]".
    units
        Units of channels by name. A number before the unit is a factor: {"channel 1": "50 m/s^2"} for 1 = 50 m/s^2. They replace
        the units of the file.
    channels
        Names of the channels to keep. Default: all.
    group
        Of MAT and HDF5 files with several records: the name of a variable, struct or group, e.g. "run1.fast".
    tacho
        Pulses per revolution of channels by name. Adds NAME.angle and NAME.angular_speed; see `tacho`.
    gaps
        Samples without a value: "keep" (nan, with a warning), "interpolate" (straight lines) or "refuse".
    separator, decimal, encoding, header_lines
        Of text files: ";", ",", tab, "|" or " " between columns; "." or "," in numbers; e.g. "utf-8" or "cp1252"; number of lines
        before the first line of numbers. Default: found from the beginning of the file.

    Returns
    -------
    Result
        One signal for each channel, all with the same times.
    """
    file = Path(path).expanduser()
    options = ReadOptions(
        time,
        rate_of(sample_rate, f"{file.name}: sample_rate"),
        None if names is None else tuple(names),
        dict(units or {}),
        None if channels is None else tuple([channels] if isinstance(channels, str) else channels),
        gaps,
    )
    if gaps not in GAPS:
        raise ExchangeError(f"{file.name}: gaps: unknown option {shown(gaps)}; {near_names(str(gaps), GAPS)}")
    if header_lines is not None and (
        isinstance(header_lines, bool) or not isinstance(header_lines, int) or header_lines < 0
    ):
        raise ExchangeError(f"{file.name}: header_lines must be a whole number of 0 or more, got {shown(header_lines)}")
    text = {"separator": separator, "decimal": decimal, "encoding": encoding, "header_lines": header_lines}
    result = measured_result(_record(file, group, text), options, file.name, file.stem or "measurement")
    return with_tachos(result, tacho or {}, file.name)


def _record(file: Path, group: str | None, text: Mapping[str, Any]) -> RawRecord:
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        near = near_names(ending, ENDINGS) if ending else f"endings: {', '.join(ENDINGS)}"
        raise ExchangeError(f"{file.name}: the ending does not name a format of measurements; {near}")
    try:
        size = file.stat().st_size
        if file.is_dir():
            raise ExchangeError(f"{file}: a folder, not a file")
    except (OSError, ValueError) as error:
        raise ExchangeError(f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if size > MOST_BYTES:
        raise ExchangeError(f"{file}: the file has {size / 2**30:.1f} GB, the limit is {MOST_BYTES / 2**30:.0f} GB")
    if group is not None and ending not in (".mat", *_HDF5):
        raise ExchangeError(f"{file.name}: group is an option of MAT and HDF5 files")
    given = [key for key, value in text.items() if value is not None]
    if given and ending not in _TEXT:
        raise ExchangeError(f"{file.name}: {given[0]} is an option of text files")
    try:
        return _read(file, ending, group, text)
    except OSError as error:
        raise ExchangeError(f"{file}: cannot be read: {error.strerror or error}") from error
    except MemoryError as error:
        raise ExchangeError(f"{file.name}: its channels do not fit in memory. Choose fewer channels") from error


def _read(file: Path, ending: str, group: str | None, text: Mapping[str, Any]) -> RawRecord:
    if ending in _TEXT:
        from .text_file import read_text

        return read_text(file, file.name, **text)
    if ending in _WAV:
        pass

        return read_wav(file, file.name)
    if ending == ".mat":
        from .text_file import read_mat

        return read_mat(file, file.name, group)
    if ending in _HDF5:
        from .channels import read_hdf5

        return read_hdf5(file, file.name, group)
    pass

    return read_parquet(file, file.name)


def with_tachos(result: Result, tachos: Mapping[str, float], file: str) -> Result:
    """The result with angle and speed of tacho channels."""
    if not tachos:
        return result
    signals = dict(result.signals)
    for name, pulses in tachos.items():
        if name not in result.signals:
            raise ExchangeError(
                f"{file}: tacho: there is no channel {shown(name)}; {near_names(str(name), list(result.signals))}"
            )
        for signal in angle_and_speed(result[name], pulses):
            signals[signal.name] = signal
    return Result(
        kind=result.kind, model_name=result.model_name, time=result.time, signals=signals, warnings=result.warnings,
        options=result.options,
    )  # fmt: skip


# ---- wav file

# WAV files: integers of 8 to 32 bits and floating point numbers, any number of channels, also larger than 4 GB
# (RF64).

PCM, FLOAT, EXTENSIBLE = 1, 3, 0xFFFE
MOST_CHANNELS = 1024
MOST_CHUNKS = 10_000
_UNKNOWN = 2**32 - 1


def read_wav(path: Path, name: str) -> RawRecord:
    """Channels of a WAV file. Integers are fractions of full scale, from -1 to 1; floating point numbers are unchanged."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        head = stream.read(12)
        if len(head) < 12 or head[:4] not in (b"RIFF", b"RF64", b"BW64") or head[8:12] != b"WAVE":
            raise ExchangeError(f"{name}: not a WAV file (it does not begin with RIFF ... WAVE)")
        layout: tuple[int, int, int, int] | None = None
        large: int | None = None
        for _ in range(MOST_CHUNKS):
            start = stream.read(8)
            if len(start) < 8:
                break
            kind, length = start[:4], struct.unpack("<I", start[4:])[0]
            if kind == b"ds64" and length >= 24:
                large = struct.unpack("<QQ", stream.read(16))[1]
                stream.seek(length - 16, 1)
            elif kind == b"fmt ":
                layout = _layout(stream, length, name)
            elif kind == b"data":
                if layout is None:
                    raise ExchangeError(f"{name}: the data come before the format (chunk fmt)")
                if length == _UNKNOWN:
                    length = large if large is not None else size - stream.tell()
                return _samples(stream, layout, length, size - stream.tell(), name)
            else:
                stream.seek(length + length % 2, 1)
    raise ExchangeError(f"{name}: there are no samples (chunk data is missing)")


def _layout(stream: BinaryIO, length: int, name: str) -> tuple[int, int, int, int]:
    """Code, channels, samples per second, bits of a sample."""
    data = stream.read(min(length, 64))
    stream.seek(length + length % 2 - len(data), 1)
    if len(data) < 16:
        raise ExchangeError(f"{name}: the format (chunk fmt) has {len(data)} bytes, expected 16 or more")
    code, channels, rate, _, align, bits = struct.unpack("<HHIIHH", data[:16])
    if code == EXTENSIBLE and len(data) >= 26:
        code = struct.unpack("<H", data[24:26])[0]
    if code not in (PCM, FLOAT):
        raise ExchangeError(
            f"{name}: the samples are compressed (format {code:#06x}). Convert the file to PCM or floating point numbers"
        )
    if not 1 <= channels <= MOST_CHANNELS or rate == 0:
        raise ExchangeError(f"{name}: {channels} channels with {rate} samples per second are not a valid format")
    if bits not in ((8, 16, 24, 32) if code == PCM else (32, 64)) or align != channels * bits // 8:
        raise ExchangeError(f"{name}: samples of {bits} bits in blocks of {align} bytes are not supported")
    return code, channels, rate, bits


def _samples(stream: BinaryIO, layout: tuple[int, int, int, int], length: int, left: int, name: str) -> RawRecord:
    code, channels, rate, bits = layout
    block = channels * bits // 8
    if length > left + 1:
        raise ExchangeError(f"{name}: the file ends early: {length} bytes of samples are stated, {left} are there")
    data = stream.read(min(length, left) // block * block)
    if not data:
        raise ExchangeError(f"{name}: there are no samples")
    values = _numbers(data, code, bits).reshape(-1, channels)
    found = [
        RawChannel(
            f"channel {k + 1}", np.ascontiguousarray(values[:, k]), description=f"channel {k + 1} of the WAV file"
        )
        for k in range(channels)
    ]
    return RawRecord(found, rate=float(rate), about={"bits": bits})


def _numbers(data: bytes, code: int, bits: int) -> NDArray[np.float64]:
    if code == FLOAT:
        return np.frombuffer(data, f"<f{bits // 8}").astype(np.float64)
    if bits == 8:
        return (np.frombuffer(data, np.uint8).astype(np.float64) - 128.0) / 128.0
    if bits == 24:
        wide = np.zeros((len(data) // 3, 4), np.uint8)
        wide[:, 1:] = np.frombuffer(data, np.uint8).reshape(-1, 3)
        return wide.view("<i4")[:, 0] / 2.0**31
    return np.frombuffer(data, f"<i{bits // 8}") / 2.0 ** (bits - 1)
