"""Compare the signals and figures of two results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError, SolveError

from .run import FAILED, FINE, INTERRUPTED

if TYPE_CHECKING:
    from pitchline.gallery.figures import Figure
    from pitchline.results.result import Result
    from pitchline.results.signal import Signal

__all__ = ["ComparedSide", "changes", "read_side", "Comparison", "Difference", "FigureDifference", "compared"]


# ---- compared sides

# The two sides of `compare`: result files, or models that are run; and the differences between their models and
# options.


@dataclass(frozen=True)
class ComparedSide:
    """One of the two sides. called: as the user gave it; name: name of the analysis."""

    called: str
    name: str
    result: Result
    figures: Sequence[Figure] = ()

    def __str__(self) -> str:
        from pitchline.results.result import headline

        return f"{self.called}: {headline(self.result)}"


def read_side(text: str, allow: Sequence[str]) -> ComparedSide:
    """Load the result, or run the model."""
    from pitchline.results.result import Result

    path = Path(text).expanduser()
    if path.suffix.lower() != ".nc":
        from pitchline.exchange.measurements.reader import is_measurement, read_measurement

        if is_measurement(path):
            return ComparedSide(text, "measurement", read_measurement(path))
    if path.suffix.lower() == ".nc":
        from .result_files import findings_of

        result = Result.load(path)
        name = str(result.source.get("analysis", "")) or result.kind
        return ComparedSide(text, name, result, findings_of(result, path.name, allow)[0])
    from .jobs import find_job, perform

    outcome = perform(find_job(text, (), allow), quiet=True)
    if outcome.status == INTERRUPTED:
        raise KeyboardInterrupt
    if outcome.status != FINE:
        raise (SolveError if outcome.status == FAILED else PitchlineError)(f"{text}: {outcome.failure}")
    results = [(name, found) for name, found in outcome.run.items() if isinstance(found, Result)]
    if not results:
        raise PitchlineError(f"{text}: none of its analyses has signals to compare")
    return ComparedSide(text, *results[-1], outcome.figures)


def changes(a: Result, b: Result) -> Iterator[str]:
    """Lines about differences between the models and options of two results."""
    sources = [dict(result.source) for result in (a, b)]
    if sources[0].get("text") != sources[1].get("text") and all("text" in source for source in sources):
        yield "their model files differ"
    sides: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("parameters", dict(sources[0].get("set", {})), dict(sources[1].get("set", {}))),
        ("options", a.options, b.options),
        ("", {"version of pitchline": a.version}, {"version of pitchline": b.version}),
    ]
    for words, x, y in sides:
        said = [f"{key} {_short(x, key)} / {_short(y, key)}" for key in {**x, **y} if x.get(key) != y.get(key)]
        if said:
            yield f"{words}{': ' if words else ''}{', '.join(said)}"


def _short(data: dict[str, Any], key: str) -> str:
    return f"{data[key]:.6g}" if isinstance(data.get(key), float) else str(data.get(key, "not set"))


_ROUNDING = 1e-9
"""Fraction of the largest signal in the same unit. Smaller values count as rounding errors."""


@dataclass(frozen=True)
class Difference:
    """Difference between a signal of B and the same signal of A, at the time points in the common range.

    largest, rms : |B - A| [unit]; for vectors, of the difference vector
    relative : largest difference divided by the largest magnitude of the signal in A or B
    time : time of the largest difference [s]
    """

    name: str
    unit: str
    largest: float
    rms: float
    relative: float
    time: float


@dataclass(frozen=True)
class FigureDifference:
    """Figure of A and of B; relative: |b - a| divided by the larger magnitude."""

    key: str
    unit: str
    a: float
    b: float
    relative: float


@dataclass(frozen=True)
class Comparison:
    """Signals and figures that two results have in common, and those that only one has. The largest relative difference
    is first."""

    start: float
    end: float
    same_times: bool
    differences: tuple[Difference, ...]
    figures: tuple[FigureDifference, ...] = ()
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    other: tuple[str, ...] = field(default=())
    """Signals whose units or components differ."""

    @property
    def largest(self) -> float:
        """The largest relative difference of a signal or a figure."""
        return max([0.0, *(one.relative for one in self.differences), *(one.relative for one in self.figures)])


def compared(
    a: Result, b: Result, names: Sequence[str] = (), figures_a: Sequence[Figure] = (), figures_b: Sequence[Figure] = ()
) -> Comparison:
    """Compare the signals of the given names (none: all) and the figures."""
    start, end = _common_span(a, b)
    chosen_a, chosen_b = (_chosen(result, other, names) for result, other in ((a, b), (b, a)))
    same_times = np.array_equal(a.time, b.time)
    time = a.time if same_times else a.time[(a.time >= start) & (a.time <= end)]
    if not len(time):
        time = np.array([start, end])
    both = [name for name in chosen_a if name in chosen_b]
    alike = [name for name in both if _form(chosen_a[name]) == _form(chosen_b[name])]
    values = {name: (_at(chosen_a[name], time, same_times), _at(chosen_b[name], time, same_times)) for name in alike}
    sizes = {name: max(_magnitude(x).max(), _magnitude(y).max()) for name, (x, y) in values.items()}
    largest: dict[str, float] = {}
    for name, size in sizes.items():
        unit = chosen_a[name].unit
        largest[unit] = max(largest.get(unit, 0.0), size)
    differences = [
        _difference(chosen_a[name], time, *values[name], max(sizes[name], _ROUNDING * largest[chosen_a[name].unit]))
        for name in alike
    ]
    return Comparison(
        start, end, same_times,
        tuple(sorted(differences, key=lambda one: -one.relative)),
        tuple(_figure_differences(figures_a, figures_b)),
        tuple(name for name in chosen_a if name not in chosen_b),
        tuple(name for name in chosen_b if name not in chosen_a),
        tuple(name for name in both if name not in alike),
    )  # fmt: skip


def _common_span(a: Result, b: Result) -> tuple[float, float]:
    for result in (a, b):
        if not result.samples:
            raise PitchlineError(f'the result of "{result.model_name}" contains no samples to compare')
    start, end = max(a.time[0], b.time[0]), min(a.time[-1], b.time[-1])
    if start > end:
        raise PitchlineError(
            f"the time ranges of the results do not overlap: A runs from {a.time[0]:g} s to {a.time[-1]:g} s, "
            f"B from {b.time[0]:g} s to {b.time[-1]:g} s"
        )
    return float(start), float(end)


def _chosen(result: Result, other: Result, names: Sequence[str]) -> dict[str, Signal]:
    """Signals by name. A name that only the other result has is not an error here."""
    known = [name for name in names if name in result or result.names(name) or not (name in other or other.names(name))]
    if names and not known:
        return {}
    return {signal.name: signal for signal in result.select(*known)}


def _form(signal: Signal) -> tuple[Any, ...]:
    return ("" if signal.unit == "1" else signal.unit, signal.components)


def _at(signal: Signal, time: FloatArray, same_times: bool) -> FloatArray:
    """Values at the given times, shape (n, k)."""
    if same_times:
        values = signal.values
    elif _cyclic(signal):
        values = np.interp(time, signal.time, np.unwrap(signal.values, period=1.0))
    else:
        values = np.asarray(signal.at(time))
    return values.reshape(len(time), -1)


def _cyclic(signal: Signal) -> bool:
    """Difference between fractions of a mesh cycle: 0.99 and 0.01 are close."""
    return signal.name.endswith(".phase") and signal.unit in ("", "1") and not signal.components


def _is_rotation(signal: Signal) -> bool:
    """Whether the four values are a quaternion. Flux linkages and states can have four values too."""
    return signal.name.rpartition(".")[2] == "orientation" and len(signal.components) == 4


def _magnitude(values: FloatArray) -> FloatArray:
    return np.linalg.norm(values, axis=1)


def _difference(signal: Signal, time: FloatArray, a: FloatArray, b: FloatArray, scale: float) -> Difference:
    if _is_rotation(signal):  # a quaternion and its negative are the same rotation
        b = b * np.where(np.sum(a * b, axis=1) < 0.0, -1.0, 1.0)[:, None]
    both_missing = np.isnan(a) & np.isnan(b)
    change = np.where(both_missing, 0.0, b - a)
    apart = _magnitude(change - np.rint(change) if _cyclic(signal) else change)
    if np.isnan(apart).any():
        worst = int(np.argmax(np.isnan(apart)))
        return Difference(signal.name, signal.unit, np.nan, np.nan, np.inf, float(time[worst]))
    worst = int(np.argmax(apart))
    rms = (
        float(np.sqrt(np.trapezoid(apart**2, time) / (time[-1] - time[0]))) if time[-1] > time[0] else float(apart[-1])
    )
    largest = float(apart[worst])
    return Difference(signal.name, signal.unit, largest, rms, largest / scale if largest else 0.0, float(time[worst]))


def _figure_differences(a: Sequence[Figure], b: Sequence[Figure]) -> list[FigureDifference]:
    """Figures that both results have, numbers only; for lists, each number."""
    others = {figure.key: figure for figure in b}
    found = []
    for figure in a:
        other = others.get(figure.key)
        if other is None or other.unit != figure.unit:
            continue
        x, y = np.ravel(np.asarray(figure.value, float)), np.ravel(np.asarray(other.value, float))
        if x.shape != y.shape:
            continue
        scale = float(np.nanmax(np.abs([*x, *y]), initial=0.0))
        for i, (one, two) in enumerate(zip(x, y, strict=True)):
            key = figure.key if len(x) == 1 else f"{figure.key}[{i}]"
            found.append(FigureDifference(key, figure.unit, float(one), float(two), _relative(one, two, scale)))
    return found


def _relative(a: float, b: float, scale: float) -> float:
    if np.isnan(a) or np.isnan(b):
        return 0.0 if np.isnan(a) and np.isnan(b) else np.inf
    return 0.0 if a == b else float(abs(b - a) / scale)
