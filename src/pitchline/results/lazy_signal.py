"""Signals of a result file that is opened with `lazy=True`: their values are read at first use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pitchline.disk.errors import StorageError
from pitchline.disk.seal import Sealed
from pitchline.disk.stored_array import StoredArray
from pitchline.results.errors import ResultFileError, SignalError
from pitchline.results.signal import FloatArray, Signal, check_name, component_labels

from ..arguments import names_wrong_arguments

__all__ = ["LazySignal", "close_files", "held"]

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
