"""Signals of an analysis whose values are computed at first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pitchline.results.signal import FloatArray, Signal

from ..arguments import names_wrong_arguments

__all__ = ["DeferredSignal", "deferred_signal"]


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
