"""Records of signals reduced for pictures and data: columns, plain data, signals that are computed later."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray

from .signal import Signal
from .status import SignalError

if TYPE_CHECKING:
    import pandas
    import xarray

__all__ = ["ConvertedResult", "DeferredSignal", "deferred_signal", "Columns", "columns_between"]


# ---- converted

# Results in other libraries and in files of other programs.


@names_wrong_arguments
class ConvertedResult:
    """Conversions of a `Result`."""

    @property
    def _whole(self) -> Any:
        """The result itself."""
        return self

    def to_xarray(self) -> xarray.Dataset:
        """Convert to an xarray Dataset with the same names, dimensions and attributes as the file."""
        from .export_file import to_xarray

        return to_xarray(self._whole)

    def to_pandas(self, *names: str) -> pandas.DataFrame:
        """Convert to a pandas DataFrame over time, one column for each component; `attrs["units"]` has the units."""
        from .export_file import to_pandas

        return to_pandas(self._whole, *names)

    def export(self, path: str | Path, *names: str, overwrite: bool = False) -> Path:
        """Write signals for other programs: CSV, Parquet, MAT or NPZ by the ending of `path`, with names, units and time.

        names: signals or patterns, by default all. The file is written completely or not at all, and an existing file is
        replaced only if `overwrite` is true. Parquet needs pyarrow. Lazy results are written in blocks.
        """
        from .export_file import export

        return export(self._whole, path, names, overwrite=overwrite)


# ---- deferred signal

# Signals of an analysis whose values are computed at first use.


class _AtFirstUse:
    """The values, computed when they are first read. Without `__set__`: what is in the object comes first."""

    def __get__(self, signal: DeferredSignal | None, owner: type) -> Any:
        if signal is None:
            return self
        mine = signal.__dict__
        if "values" not in mine:
            mine.setdefault("values", mine["_compute"]())
        return mine["values"]


@names_wrong_arguments
class DeferredSignal(Signal):
    """A signal without rate. Its values are computed when they are first read, and kept."""

    values: FloatArray = _AtFirstUse()  # type: ignore[assignment]

    @property
    def shape(self) -> tuple[int, ...]:
        return (len(self.time), len(self.components)) if self.components else (len(self.time),)

    @property
    def ndim(self) -> int:
        return 2 if self.components else 1

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(np.float64)

    def __reduce__(self) -> Any:
        # Copies and pickles hold the values: they do not need the analysis any more.
        return Signal, (self.name, self.values, self.time, self.unit, self.description, self.components, self.rate)


def deferred_signal(
    name: str,
    compute: Callable[[], FloatArray],
    time: FloatArray,
    unit: str,
    description: str,
    components: tuple[str, ...],
) -> DeferredSignal:
    """Make a signal of an analysis without checks. compute: function that returns its values, read-only."""
    signal = object.__new__(DeferredSignal)
    signal.__dict__.update(
        name=name, time=time, unit=unit, description=description, components=components, rate=None, _compute=compute
    )
    return signal


# ---- plain data

# Plain data of a result in addition to its arrays, in a form that JSON stores without loss.

#: Strict JSON has no nan and no infinity; they are written as {"$float": "nan"}.
_FLOAT_MARK = "$float"
_AS_THEY_ARE = {bool, str, int, float, type(None)}


def plain_data(value: Any) -> Any:
    """Convert `value` to dicts, lists, text, numbers, booleans and None.

    Tuples and arrays become lists, unknown types their repr: saving never fails because of the type of an option.
    """
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if kind is list:
        return [item if type(item) in _AS_THEY_ARE else plain_data(item) for item in value]
    if kind is dict:
        return {
            key if type(key) is str else str(key): item if type(item) in _AS_THEY_ARE else plain_data(item)
            for key, item in value.items()
        }
    if isinstance(value, Enum):
        return plain_data(value.value)
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return float(value)
    if isinstance(value, Mapping):
        return {str(key): plain_data(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_data(item) for item in value]
    if isinstance(value, np.ndarray):
        return plain_data(value.tolist())
    if isinstance(value, set | frozenset):
        return sorted((plain_data(item) for item in value), key=repr)
    return repr(value)


def to_json(value: Any) -> str:
    """Strict JSON text of plain data."""
    return json.dumps(_marked(value), ensure_ascii=False, allow_nan=False)


def from_json(text: str) -> Any:
    """The plain data that `to_json` wrote."""
    return json.loads(text, object_hook=_unmarked)


def _marked(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return {_FLOAT_MARK: repr(value)}
    if isinstance(value, dict):
        return {key: _marked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_marked(item) for item in value]
    return value


def _unmarked(item: dict[str, Any]) -> Any:
    return float(item[_FLOAT_MARK]) if item.keys() == {_FLOAT_MARK} else item


@dataclass(frozen=True)
class Columns:
    """Columns of equal width in time; those without a sample are left out.

    rows:     the samples of the record that they are made of: those from start to end, and one more at either end, where there is
              one, so that a line reaches the edges of the picture
    time:     (m,), s; the middle between the first and the last sample of each column
    starts:   (m,), the first sample of each column, counted in `rows`
    reduced:  False where there are no more samples than columns: each column is one sample, with its own time
    """

    rows: slice
    time: FloatArray
    starts: NDArray[np.intp]
    reduced: bool

    def parts(self, most: int = 1 << 21) -> Iterator[Columns]:
        """Columns in pieces of about so many samples, to be read one after the other: longer records need no more memory."""
        ends = np.append(self.starts[1:], self.rows.stop - self.rows.start)
        first = 0
        while first < len(self.starts):
            begin = int(self.starts[first])
            stop = max(first + 1, int(np.searchsorted(ends, begin + most, "right")))
            rows = slice(self.rows.start + begin, self.rows.start + int(ends[stop - 1]))
            yield Columns(rows, self.time[first:stop], self.starts[first:stop] - begin, self.reduced)
            first = stop

    def reduce(self, values: FloatArray) -> FloatArray:
        """(2, m): smallest and largest of each column of the values (n,) of `rows`. nan only where all values are nan."""
        values = np.ascontiguousarray(values)
        if len(values) != self.rows.stop - self.rows.start:
            raise SignalError(f"columns: {len(values)} values for {self.rows.stop - self.rows.start} samples")
        if not self.reduced:
            return np.stack([values, values])
        found = np.stack([np.minimum.reduceat(values, self.starts), np.maximum.reduceat(values, self.starts)])
        if np.isnan(found).any():  # slower, and needed only here: leaves nan out
            found = np.stack([np.fmin.reduceat(values, self.starts), np.fmax.reduceat(values, self.starts)])
        return found


def columns_between(time: FloatArray, start: float, end: float, count: int) -> Columns:
    """At most `count` columns from `start` to `end` (s), and one for the sample at either end; `time` never decreases."""
    if not (np.isfinite(start) and np.isfinite(end) and start <= end):
        raise SignalError(f"columns: start and end must be finite times, start first; got {start:g} s and {end:g} s")
    if count < 1:
        raise SignalError(f"columns: at least one is needed, got {count}")
    first = max(int(np.searchsorted(time, start, "left")) - 1, 0)
    stop = min(int(np.searchsorted(time, end, "right")) + 1, len(time))
    rows, here = slice(first, stop), time[first:stop]
    if len(here) <= max(count, 2):
        return Columns(rows, here, np.arange(len(here)), reduced=False)
    edges = np.linspace(start, end, count + 1)[:-1]
    last = len(here) - 1
    # the samples at either end stand alone: the line begins and ends where they are
    begin = np.minimum(np.searchsorted(here, edges, "left"), last)
    starts = np.unique(np.concatenate([[0, 1, last], begin]))
    ends = np.append(starts[1:], len(here)) - 1
    return Columns(rows, 0.5 * (here[starts] + here[ends]), starts, reduced=True)
