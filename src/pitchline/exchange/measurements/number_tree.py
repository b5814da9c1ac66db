"""Named arrays of MAT, HDF5 and similar files: the choice of channels that have the same number of samples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import near_names, shown
from ..limits import ExchangeError
from .channels import RawChannel, RawRecord

__all__ = ["NamedArray", "record_of_arrays"]

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
