"""A long record reduced to a few columns: smallest and largest value in each, so that no peak is lost in a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pitchline.results.errors import SignalError

__all__ = ["Columns", "columns_between"]

FloatArray = NDArray[np.float64]


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
