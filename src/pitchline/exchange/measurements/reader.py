"""`read_measurement`: channels of a measurement as signals, by the ending of the file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...arguments import names_wrong_arguments
from ...errors import near_names, shown
from ...results import Result
from ..limits import ExchangeError
from .channels import RawRecord, ReadOptions, measured_result, rate_of
from .tacho import tacho as angle_and_speed

__all__ = ["ENDINGS", "is_measurement", "read_measurement"]

MOST_BYTES = 8 * 1024**3
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
        from .wav_file import read_wav

        return read_wav(file, file.name)
    if ending == ".mat":
        from .mat_file import read_mat

        return read_mat(file, file.name, group)
    if ending in _HDF5:
        from .hdf5_file import read_hdf5

        return read_hdf5(file, file.name, group)
    from .parquet_file import read_parquet

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
