"""A signal: one quantity over time, with its name, unit, meaning and components."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import ArrayLike, NDArray

from pitchline.results.errors import SignalError

from ..arguments import names_wrong_arguments

FloatArray = NDArray[np.float64]

#: Default labels of the columns of a signal.
_DEFAULT_COMPONENTS: dict[int, tuple[str, ...]] = {3: ("x", "y", "z"), 4: ("w", "x", "y", "z")}

NOT_UNIQUE = (
    "not unique: redundant constraints share this load in a way rigid bodies leave open; least-norm share given"
)
"""In the description of signals of redundant joints."""


@names_wrong_arguments
@dataclass(frozen=True, eq=False, repr=False)
class Signal(NDArrayOperatorsMixin):
    """One quantity sampled over time. It behaves as the array of its values.

    Arithmetic and numpy functions act on `values` and return plain arrays, because the unit of the result is not known.
    `mean()` and `rms()` are averages over *time*: steps of different length do not bias them.

    name:        `element.signal`
    values:      (n,) for a scalar, (n, k) for a quantity with k components; in `unit`
    time:        (n,), s, never decreasing; a jump may be recorded as two samples at one time
    unit:        SI unit as text, e.g. "N*m"; empty or "1" for a pure number
    description: meaning of the signal, with the frame of its components
    components:  k labels, by default ("x", "y", "z") for k = 3; empty for a scalar
    rate:        time derivative of `values`, same shape, in unit/s; it makes `at()` exact to third order
    """

    name: str
    values: FloatArray
    time: FloatArray
    unit: str = ""
    description: str = ""
    components: tuple[str, ...] = ()
    rate: FloatArray | None = None

    def __post_init__(self) -> None:
        check_name(self.name)
        what = f'signal "{self.name}"'
        values = _readonly(self.values, what)
        time = _readonly(self.time, f"{what}: time")
        if values.ndim not in (1, 2):
            raise SignalError(f"{what}: values have shape {values.shape}; give (n,) or (n, components)")
        if time.shape != values.shape[:1]:
            raise SignalError(f"{what}: {values.shape[0]} values but time has shape {time.shape}")
        if not np.all(np.isfinite(time)) or np.any(np.diff(time) < 0.0):
            raise SignalError(f"{what}: time must be finite and never decrease")
        rate = None if self.rate is None else _readonly(self.rate, f"{what}: rate")
        if rate is not None and rate.shape != values.shape:
            raise SignalError(f"{what}: rate has shape {rate.shape}, values have {values.shape}")
        for field, content in (("values", values), ("time", time), ("rate", rate)):
            object.__setattr__(self, field, content)
        object.__setattr__(self, "components", component_labels(self.components, values.shape, what))

    # --- as an array -------------------------------------------------------------------------------

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return getattr(ufunc, method)(*_plain_arrays(inputs), **kwargs)

    def __array_function__(
        self, func: Callable[..., Any], types: Iterable[type], args: Any, kwargs: Mapping[str, Any]
    ) -> Any:
        return func(*_plain_arrays(args), **{key: _plain_arrays(value) for key, value in kwargs.items()})

    def __getitem__(self, index: Any) -> Any:
        """`signal["x"]` is the component x as a signal; any other index acts on the values."""
        return self.component(index) if isinstance(index, str) else self.values[index]

    def __len__(self) -> int:
        return len(self.time)

    def __float__(self) -> float:
        if self.values.size != 1:
            raise SignalError(f'signal "{self.name}" has {self.values.size} values, not one; use .final or .at(t)')
        return float(self.values.flat[0])

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    @property
    def ndim(self) -> int:
        return self.values.ndim

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.values.dtype

    # --- figures of the signal: a float for a scalar, an array over the components otherwise -------

    @property
    def initial(self) -> float | FloatArray:
        """The first sample."""
        return _figure(self._rows("values", *self._sample(0))[0])

    @property
    def final(self) -> float | FloatArray:
        """The last sample."""
        return _figure(self._rows("values", *self._sample(-1))[0])

    def max(self) -> float | FloatArray:
        """Largest sample."""
        return _figure(self._filled().max(axis=0))

    def min(self) -> float | FloatArray:
        """Smallest sample."""
        return _figure(self._filled().min(axis=0))

    def peak_to_peak(self) -> float | FloatArray:
        """Largest minus smallest sample."""
        return _figure(np.ptp(self._filled(), axis=0))

    def mean(self) -> float | FloatArray:
        """Average over time, (1/T) ∫ y dt by the trapezoidal rule."""
        return _figure(_time_average(self._filled(), self.time))

    def rms(self) -> float | FloatArray:
        """Root of the average over time of the square, sqrt((1/T) ∫ y² dt) by the trapezoidal rule."""
        return _figure(np.sqrt(_time_average(self._filled() ** 2, self.time)))

    # --- other signals made from this one ----------------------------------------------------------

    def component(self, label: str) -> Signal:
        """The component `label` ("x", "y", …) as a scalar signal named `<name>.<label>`."""
        if label not in self.components:
            have = ", ".join(self.components) or "none, it is a scalar"
            raise SignalError(f'signal "{self.name}" has no component "{label}" (components: {have})')
        column = self.components.index(label)
        description = f"{self.description}, component {label}" if self.description else ""
        rate = None if self.rate is None else self.rate[:, column]
        name = f"{self.name}.{label}"
        return Signal(name, self.values[:, column], self.time, self.unit, description, (), rate)

    def norm(self) -> Signal:
        """The Euclidean length of a vector signal (the absolute value of a scalar one)."""
        values = np.abs(self.values) if self.ndim == 1 else np.linalg.norm(self.values, axis=1)
        description = f"magnitude of {self.description}" if self.description else ""
        return Signal(f"|{self.name}|", values, self.time, self.unit, description)

    def between(self, start: float | str, end: float | str) -> Signal:
        """The samples with start <= t <= end (s, or text with a unit such as "5 ms")."""
        first, last = self._seconds(start), self._seconds(end)
        if np.isnan(first) or np.isnan(last):
            raise SignalError(f'signal "{self.name}": from {first:g} s to {last:g} s is not a range; {self._range()}')
        a, b = int(np.searchsorted(self.time, first, "left")), int(np.searchsorted(self.time, last, "right"))
        if a >= b:
            raise SignalError(f'signal "{self.name}": no sample from {first:g} s to {last:g} s; {self._range()}')
        # copies: a short part does not keep a long record in memory
        rate = self._rows("rate", a, b).copy() if self._has_rate else None
        return self._cut(self._rows("values", a, b).copy(), self.time[a:b].copy(), rate)

    def resampled(self, count: int) -> Signal:
        """The signal at `count` equally spaced times over its range, by `at()`."""
        if count < 2 or len(self) < 2:
            raise SignalError(f'signal "{self.name}": resampling needs two samples or more')
        time = np.linspace(self.time[0], self.time[-1], count)
        return self._cut(np.asarray(self.at(time)), time, None)

    def at(self, t: float | str | ArrayLike) -> float | FloatArray:
        """Value at time `t` (s; a number, an array, or text with a unit such as "5 ms").

        Between samples it is the cubic Hermite polynomial through values and rates if the signal has its `rate` (error
        O(h⁴)), else the straight line (error O(h²)). If two samples have the same time, the later one is used.
        Returns t.shape + values.shape[1:].
        """
        self._check_filled()
        wanted = np.asarray(self._seconds(t) if isinstance(t, str) else t, dtype=np.float64)
        first, last = self.time[0], self.time[-1]
        slack = 1e-12 * max(abs(first), abs(last))  # the last step may miss the round number by a few ulp
        outside = ~((wanted >= first - slack) & (wanted <= last + slack))
        if outside.any():
            bad = wanted[outside].flat[0]
            raise SignalError(f'signal "{self.name}": t = {bad:.9g} s is outside the record; {self._range()}')
        wanted = np.clip(wanted, first, last)
        # the samples around all these times
        ends = np.array([wanted.min(), wanted.max()]) if wanted.size else np.array([first, first])
        a, b = (int(i) for i in np.clip(np.searchsorted(self.time, ends, "right") + (-2, 2), 0, len(self)))
        rate = self._rows("rate", a, b) if self._has_rate else None
        return _figure(_interpolate(wanted, self.time[a:b], self._rows("values", a, b), rate))

    # --- text and comparison ----------------------------------------------------------------------

    def equals(self, other: object) -> bool:
        """Whether name, unit, description and all numbers are equal, bit by bit (`==` compares element by element)."""
        if not isinstance(other, Signal):
            return False
        words = [(s.name, s.unit, s.description, s.components, s._has_rate) for s in (self, other)]
        if words[0] != words[1]:
            return False
        pairs = [(self.values, other.values), (self.time, other.time)]
        if self.rate is not None and other.rate is not None:
            pairs.append((self.rate, other.rate))
        return all(np.array_equal(a, b, equal_nan=True) for a, b in pairs)

    def __repr__(self) -> str:
        kind = f"({', '.join(self.components)})" if self.components else "scalar"
        unit = "" if self.unit in ("", "1") else f" [{self.unit}]"
        text = f'<Signal "{self.name}"{unit}: {kind}, {len(self)} sample{"" if len(self) == 1 else "s"}'
        if len(self) > 1:
            text += f", t = {self.time[0]:g} to {self.time[-1]:g} s"
        if len(self):
            text += f", final {np.array2string(np.asarray(self.final), precision=6)}"
        return text + (f"; {self.description}>" if self.description else ">")

    # --- inside ------------------------------------------------------------------------------------

    # A signal that is still in a file (`lazy_signal`) reads only these samples.

    @property
    def _has_rate(self) -> bool:
        return self.rate is not None

    def _rows(self, what: Literal["values", "rate"], start: int, stop: int) -> FloatArray:
        """Samples start <= i < stop of `values` or `rate`."""
        array: FloatArray = getattr(self, what)
        return array[start:stop]

    def _sample(self, index: int) -> tuple[int, int]:
        """Rows of the first (0) or last (-1) sample."""
        self._check_filled()
        return (0, 1) if index == 0 else (len(self) - 1, len(self))

    def _filled(self) -> FloatArray:
        self._check_filled()
        return self.values

    def _check_filled(self) -> None:
        if not len(self):
            raise SignalError(f'signal "{self.name}" holds no sample: the analysis ended before its first one')

    def _range(self) -> str:
        if not len(self):
            return "it holds no sample"
        return f"it runs from {self.time[0]:.9g} s to {self.time[-1]:.9g} s"

    def _seconds(self, t: float | str) -> float:
        if not isinstance(t, str):
            return float(t)
        from pitchline.units import quantity

        return quantity(t, "time", what=f'signal "{self.name}": time')

    def _cut(self, values: FloatArray, time: FloatArray, rate: FloatArray | None) -> Signal:
        return Signal(self.name, values, time, self.unit, self.description, self.components, rate)


def _readonly(values: ArrayLike, what: str) -> FloatArray:
    """A read-only view as floats; large records are not copied."""
    try:
        view = np.asarray(values, dtype=np.float64).view()
    except (TypeError, ValueError) as error:
        raise SignalError(f"{what}: cannot be read as real numbers ({error})") from None
    view.flags.writeable = False
    return view


def check_name(name: str) -> None:
    """Raise an error if a signal cannot have this name."""
    # What both HDF5 and netCDF-4 accept as the name of a variable, so that every signal can be saved.
    if not isinstance(name, str) or not name or name != name.strip() or "/" in name or not name.isprintable():
        raise SignalError(f"signal name {name!r}: must be printable text without '/' and without blanks at its ends")


def run_signal(
    name: str, values: FloatArray, time: FloatArray, unit: str, description: str, components: tuple[str, ...],
    rate: FloatArray | None,
) -> Signal:  # fmt: skip
    """Make a signal of an analysis without checks, because a large model has tens of thousands of signals.

    The arrays must already be read-only, and the name must be valid.
    """
    signal = object.__new__(Signal)
    signal.__dict__.update(
        name=name, values=values, time=time, unit=unit, description=description, components=components, rate=rate
    )
    return signal


def component_labels(given: Iterable[str], shape: tuple[int, ...], what: str) -> tuple[str, ...]:
    """Labels of the columns of values with this shape: the given ones or the default ones."""
    labels = tuple(given)
    if len(shape) == 1:
        if labels:
            raise SignalError(f"{what}: a scalar has no components, got {labels}")
        return ()
    count = shape[1]
    labels = labels or _DEFAULT_COMPONENTS.get(count) or tuple(str(i) for i in range(count))
    if len(labels) != count or len(set(labels)) != count:
        raise SignalError(f"{what}: {count} columns need {count} different component labels, got {labels}")
    return labels


def _plain_arrays(item: Any) -> Any:
    """Replace signals by their values, also inside tuples and lists."""
    if isinstance(item, Signal):
        return item.values
    if isinstance(item, tuple | list):
        return type(item)(_plain_arrays(part) for part in item)
    return item


def _figure(value: Any) -> float | FloatArray:
    return float(value) if np.ndim(value) == 0 else np.asarray(value)


def _time_average(values: FloatArray, time: FloatArray) -> FloatArray:
    span = time[-1] - time[0]
    if span == 0.0:
        return np.asarray(values.mean(axis=0))
    return np.asarray(np.trapezoid(values, time, axis=0) / span)


def _interpolate(t: FloatArray, time: FloatArray, values: FloatArray, rate: FloatArray | None) -> FloatArray:
    """Values at `t`, all inside the range of `time`: cubic Hermite with `rate`, else linear."""
    if len(time) == 1:
        return np.broadcast_to(values[0], t.shape + values.shape[1:]).copy()
    i = np.clip(np.searchsorted(time, t, side="right") - 1, 0, len(time) - 2)
    h = time[i + 1] - time[i]
    # A jump at the very end is an interval of no length: its later sample counts, s = 1.
    s = np.divide(t - time[i], h, out=np.ones_like(h), where=h > 0.0)
    trailing = (...,) + (None,) * (values.ndim - 1)
    s, h = s[trailing], h[trailing]
    left, right = values[i], values[i + 1]
    if rate is None:
        inner = (1.0 - s) * left + s * right
    else:
        # y = (1+2s)(1-s)² y0 + s(1-s)² h y0' + s²(3-2s) y1 - s²(1-s) h y1'
        r = 1.0 - s
        inner = r * r * ((1.0 + 2.0 * s) * left + s * h * rate[i])
        inner += s * s * ((3.0 - 2.0 * s) * right - r * h * rate[i + 1])
    # At a sample the value of the sample; a neighbour may be nan.
    return np.where(s == 0.0, left, np.where(s == 1.0, right, inner))
