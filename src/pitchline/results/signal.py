"""A signal: one quantity over time, with its name, unit, meaning and components; signals of a result; peak hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import ArrayLike, NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.facades import plotter

from .status import SignalError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["RECORDED", "ResultSignals", "on_bodies", "part_records", "powers"]


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

    # A signal that is still in a file (`file_content`) reads only these samples.

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
        from pitchline.units.quantity import quantity

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


# ---- part records

# Powers and forces of parts as arrays of a result, for its tables of power and reactions.
#
# The engine records them for every part, whatever its kind. They are stored with the states of a result, because they
# are not signals: "power_in PART" and "power_out PART" (n,) [W], "force PART > BODY" and "moment PART > BODY" (n, 3)
# [N, N m], world axes, the moment about the origin of the body. Arrays of zeros are left out, and "parts recorded"
# marks that the others are complete.


class ResultSignals(dict[str, Signal]):
    """Signals by name. parts: powers and forces of parts, as arrays of a result."""

    parts: Mapping[str, FloatArray] = MappingProxyType({})


RECORDED = "parts recorded"
_IN, _OUT, _FORCE, _MOMENT, _ON = "power_in ", "power_out ", "force ", "moment ", " > "


def part_records(
    power: Mapping[str, tuple[FloatArray, FloatArray]],
    wrenches: Mapping[tuple[str, str], tuple[FloatArray, FloatArray]],
    samples: int,
) -> dict[str, FloatArray]:
    """Arrays of a result, from (power in, power out) by part, and (force, moment) by part and body."""
    found: dict[str, FloatArray] = {RECORDED: np.array(float(samples))}
    for name, (given, lost) in power.items():
        found |= {_IN + name: given, _OUT + name: lost}
    for (name, body), (force, moment) in wrenches.items():
        found |= {f"{_FORCE}{name}{_ON}{body}": force, f"{_MOMENT}{name}{_ON}{body}": moment}
    return {name: np.array(values) for name, values in found.items() if np.any(values)}


def powers(states: Mapping[str, Any]) -> dict[str, tuple[FloatArray | None, FloatArray | None]]:
    """(power in, power out) by part; None: zero."""
    names = [name.partition(" ")[2] for name in states if name.startswith((_IN, _OUT))]
    return {name: (states.get(_IN + name), states.get(_OUT + name)) for name in dict.fromkeys(names)}


def on_bodies(states: Mapping[str, Any]) -> dict[str, dict[str, tuple[FloatArray, FloatArray]]]:
    """(force, moment) on each body, by part."""
    found: dict[str, dict[str, tuple[FloatArray, FloatArray]]] = {}
    for key, values in states.items():
        start, _, rest = key.partition(" ")
        name, sign, body = rest.rpartition(_ON)
        if f"{start} " in (_FORCE, _MOMENT) and sign:
            zero = np.zeros_like(values)
            force, moment = found.setdefault(name, {}).get(body, (zero, zero))
            found[name][body] = (values, moment) if f"{start} " == _FORCE else (force, values)
    return found


# ---- signal blocks

# Smooth interpolation of signals, and overlapping blocks.

_FEWEST_SAMPLES = 64


def smooth(signal: Signal, what: str) -> Signal:
    """The signal with a `rate`, so that `at()` is a cubic between samples.

    A signal without rate gets the slope of the parabola through each sample and its two neighbours. A jump, recorded as two
    samples at one time, is kept. The amplitude of a sine with N samples per period is then too small by a fraction of about
    20/N⁴: 5e-3 for N = 8, 3e-4 for N = 16.
    """
    if len(signal) < 3:
        raise SignalError(f'{what}: "{signal.name}" has {len(signal)} samples; three or more are needed')
    if not np.all(np.isfinite(signal.values)):
        bad = int(np.argmin(np.isfinite(signal.values).reshape(len(signal), -1).all(axis=1)))
        raise SignalError(
            f'{what}: "{signal.name}" is {signal.values[bad]} at t = {signal.time[bad]:g} s; '
            "cut that part off with signal.between(start, end)"
        )
    if signal.rate is not None:
        return signal
    rate = np.zeros_like(signal.values)
    pieces = np.flatnonzero(np.diff(signal.time) == 0.0) + 1
    for part in np.split(np.arange(len(signal)), pieces):
        if len(part) > 1:
            piece = slice(part[0], part[-1] + 1)
            edge: Literal[1, 2] = 2 if len(part) > 2 else 1
            rate[piece] = np.gradient(signal.values[piece], signal.time[piece], axis=0, edge_order=edge)
    return replace(signal, rate=rate)


def scalar(signal: Signal, what: str) -> None:
    """Raise an error for a signal with components."""
    if signal.components:
        first = signal.components[0]
        raise SignalError(
            f'{what}: "{signal.name}" has the components {", ".join(signal.components)}; '
            f'take one, such as signal["{first}"], or signal.norm()'
        )


def check_overlap(overlap: float, what: str) -> None:
    """Raise an error if blocks do not advance."""
    if not 0.0 <= overlap < 1.0:
        raise SignalError(f"{what}: overlap is the shared part of two blocks, from 0 to below 1, got {overlap:g}")


def block_starts(length: float, width: float, overlap: float) -> FloatArray:
    """Starts of blocks of a width in 0 … length: equally spaced, the last block ends at the end, with this least overlap."""
    room = max(0.0, length - width)
    count = 1 + int(np.ceil(room / (width * (1.0 - overlap)) - 1e-9))
    return np.linspace(0.0, room, count)


def block_samples(held: int, lines: int) -> int:
    """Number of samples of a block: a power of two, large enough that there is no aliasing.

    held: samples of the signal in the block. lines: requested lines of the transform.
    """
    return 1 << int(np.ceil(np.log2(max(2 * held, 2 * lines, _FEWEST_SAMPLES))))


def samples_between(time: FloatArray, first: FloatArray, last: FloatArray) -> NDArray[np.int64]:
    """Number of samples of `time` in each block first … last."""
    return np.searchsorted(time, last, side="right") - np.searchsorted(time, first, side="left")


def line_count(highest: float | None, width: float, held: int, what: str, name: str) -> int:
    """Lines of a transform over `width` (revolutions or seconds) from 0 to `highest`, or to the limit of `held` samples."""
    if highest is None:
        return max(2, held // 2 + 1)
    if not highest > 0.0:
        raise SignalError(f"{what}: {name} must be greater than zero, got {highest:g}")
    return int(np.floor(highest * width + 1e-9)) + 1


# ---- peak hold

# Largest and smallest values of a signal in classes of speed.


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class PeakHold:
    """Largest and smallest values of the signal `name` in classes of speed.

    edges:           (b + 1,), in `speed_unit`, increasing: bounds of the classes
    highest, lowest: (b,), in `unit`; nan for a class without samples
    peak:            (b,), in `unit`, largest magnitude
    peak_speed:      (b,), in `speed_unit`, speed at which `peak` occurs
    """

    kind: ClassVar[str] = "peak hold"
    warnings: ClassVar[tuple[str, ...]] = ()
    name: str
    edges: FloatArray
    highest: FloatArray
    lowest: FloatArray
    peak_speed: FloatArray
    speed_name: str
    unit: str = ""
    speed_unit: str = ""

    @property
    def speed(self) -> FloatArray:
        """(b,), the middle of each class."""
        return 0.5 * (self.edges[1:] + self.edges[:-1])

    @property
    def peak(self) -> FloatArray:
        """(b,), the largest magnitude."""
        return np.fmax(self.highest, -self.lowest)

    @property
    def peak_to_peak(self) -> FloatArray:
        """(b,), highest minus lowest."""
        return self.highest - self.lowest

    @property
    def maximum(self) -> float:
        """Largest magnitude in all classes."""
        return float(np.nanmax(self.peak))

    @property
    def speed_at_maximum(self) -> float:
        """Speed at which the largest magnitude occurs; the speed of the sample, not of its class."""
        return float(self.peak_speed[np.nanargmax(self.peak)])

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot highest and lowest values over the speed; options as in `pitchline.views.plot_peak_hold`."""
        return plotter("PeakHold")(self, path=path, **options)


@names_wrong_arguments
def peak_hold(signal: Signal, speed: Signal, *, bins: int | ArrayLike = 50) -> PeakHold:
    """Find the highest and the lowest value of a signal at each speed, as an instrument with peak hold does.

    Each sample of the signal belongs to a class of speed; the speed may increase and decrease. speed: any scalar signal
    that covers the times of the first signal, such as `run["hinge.angular_speed"]`. bins: number of classes of equal width
    from the lowest to the highest speed, or their bounds in the unit of the speed, increasing. Samples outside the bounds
    are ignored. Peaks are samples: 16 samples per period find the peak of a sine to 2 %, 64 samples to 0.12 %.
    """
    what = f'peak_hold of "{signal.name}"'
    scalar(signal, what)
    scalar(speed, what)
    if not len(signal) or not len(speed):
        empty = signal.name if not len(signal) else speed.name
        raise SignalError(f'{what}: "{empty}" holds no sample; the analysis ended before its first one')
    slack = 1e-9 * (signal.time[-1] - signal.time[0])
    if signal.time[0] < speed.time[0] - slack or signal.time[-1] > speed.time[-1] + slack:
        raise SignalError(
            f'{what}: it runs from {signal.time[0]:.6g} s to {signal.time[-1]:.6g} s, but "{speed.name}" from '
            f"{speed.time[0]:.6g} s to {speed.time[-1]:.6g} s; take both from one result, or cut the signal with "
            "signal.between(start, end)"
        )
    at = np.asarray(speed.at(np.clip(signal.time, speed.time[0], speed.time[-1])))
    edges = _edges(bins, at, speed, what)
    which = np.searchsorted(edges, at, side="right") - 1
    which[at == edges[-1]] = len(edges) - 2  # the last class has both its ends
    count = len(edges) - 1
    inside = (which >= 0) & (which < count) & np.isfinite(signal.values)
    which, at, values = which[inside], at[inside], signal.values[inside]
    highest, lowest, met = np.full(count, -np.inf), np.full(count, np.inf), np.full(count, np.nan)
    np.maximum.at(highest, which, values)
    np.minimum.at(lowest, which, values)
    # In increasing order of magnitude: the largest one is written last.
    rising = np.argsort(np.abs(values), kind="stable")
    met[which[rising]] = at[rising]
    if not len(values):
        raise SignalError(
            f'{what}: no sample lies in the classes from {edges[0]:g} to {edges[-1]:g}; "{speed.name}" runs from '
            f"{speed.min():g} to {speed.max():g} {speed.unit}"
        )
    empty_class = np.isinf(highest)
    highest[empty_class] = lowest[empty_class] = np.nan
    return PeakHold(signal.name, edges, highest, lowest, met, speed.name, signal.unit, speed.unit)


MOST_BINS = 1_000_000


def _edges(bins: int | ArrayLike, at: FloatArray, speed: Signal, what: str) -> FloatArray:
    if np.ndim(bins) == 0:
        plain = float(bins) if isinstance(bins, (int, float, np.integer, np.floating)) and bins <= MOST_BINS else 0.0
        count = int(plain) if plain >= 1.0 else 0
        if count < 1 or count != bins:
            raise SignalError(
                f"{what}: bins is a whole number of classes, from 1 to {MOST_BINS}, or their bounds; got {bins!r}"
            )
        low, high = float(at.min()), float(at.max())
        if low == high:
            raise SignalError(
                f'{what}: "{speed.name}" stays at {low:g} {speed.unit}; use signal.max() and signal.min()'
            )
        return np.linspace(low, high, count + 1)
    edges = np.asarray(bins, dtype=np.float64)
    if edges.ndim != 1 or len(edges) < 2 or not np.all(np.diff(edges) > 0.0):
        raise SignalError(f"{what}: bins must be two or more rising bounds of speed, or a number of classes")
    return edges
