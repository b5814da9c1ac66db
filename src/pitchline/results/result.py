"""Result of an analysis: signals, status, and the states from which another analysis can start."""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError, shown
from pitchline.version import __version__

from .folding import CountedTurns
from .series import ConvertedResult, plain_data, to_json
from .signal import Signal
from .status import Scales, SignalError, Status, UnknownSignalError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.parts.shafts.results import ShaftLine

    from .tables_results import ResultTable

__all__ = ["LaterData", "ModelAtFirstUse"]


# ---- later data

# Plain data of a result that are made at first use.


class LaterData:
    """Data that few users of a result read. make: function without arguments; what it reads must not change any more."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def made(self) -> Any:
        """The data, as plain data."""
        return plain_data(self._make())


class ModelAtFirstUse:
    """An object with an attribute `model`, which may be `LaterData` at first."""

    def _put_model_off(self, later: LaterData) -> None:
        """Make the model when it is first read."""
        self.__dict__.pop("model", None)
        self.__dict__["_later_model"] = later

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """The model, if it was not read yet. Python asks only for attributes that do not exist."""
            mine = self.__dict__
            later = mine.get("_later_model")
            if name != "model" or (later is None and "model" not in mine):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            if "model" not in mine:
                mine.setdefault("model", later.made())  # another thread may have been faster
                mine.pop("_later_model", None)
            return mine["model"]

    def __getstate__(self) -> dict[str, Any]:
        """Content for a copy or for another process, with the model."""
        model: Any = self.model  # type: ignore[attr-defined]
        return {key: value for key, value in {**self.__dict__, "model": model}.items() if key != "_later_model"}


# ---- report

# Results as plain text: the headline, the summary, and tables of signals.

#: One time or several: s, or text with a unit.
Times = float | str | Sequence[float | str] | NDArray[np.float64]


MOST_NAMED = 12
"""Number of elements with the same signals that a summary lists."""


def headline(result: Result) -> str:
    """One line: name, kind, status, samples, time range, numbers of signals and warnings."""
    parts = [f'"{result.model_name}": {result.kind}', str(result.status), _samples(result)]
    parts.append(_count(len(result.signals), "signal"))
    if result.warnings:
        parts.append(_count(len(result.warnings), "warning"))
    return ", ".join(parts)


def summary(result: Result) -> str:
    """Summary in several lines: status, warnings, statistics, and the elements with their signals."""
    lines = [
        f"{result.model_name}: {result.kind}, {result.status}",
        f"  samples     {_samples(result)}",
    ]
    if result.message:
        lines.append(f"  message     {result.message}")
    if result.status is not Status.COMPLETED:
        lines.append(f"  advice      {result.status.advice}")
    lines += [f"  warning     {text}" for text in result.warnings]
    for i, (key, value) in enumerate(result.statistics.items()):
        lines.append(f"  {'statistics' if i == 0 else '':<11} {key.replace('_', ' ')}: {_number(value)}")
    by_element: dict[str, list[str]] = {}
    for name in result.signals:
        element, _, rest = name.partition(".")
        by_element.setdefault(element, []).append(rest)
    alike: dict[str, list[str]] = {}
    for element, rest_names in by_element.items():
        alike.setdefault(", ".join(name for name in rest_names if name), []).append(element)
    for i, (offered, elements) in enumerate(alike.items()):
        lines.append(f"  {'signals' if i == 0 else '':<11} {_listed(elements)}{': ' + offered if offered else ''}")
    return "\n".join(lines)


def _listed(names: list[str]) -> str:
    """Names in one line; of many names the first ones and the number of others."""
    return ", ".join(
        names if len(names) <= MOST_NAMED else [*names[: MOST_NAMED - 2], f"and {len(names) - MOST_NAMED + 2} others"]
    )


def signal_table(signals: Sequence[Signal], at: Times | None = None, scales: Scales | None = None) -> str:
    """Table with one row for each component of a signal: name, unit, and final/min/max/mean, or values at times.

    Values that are zero within rounding are written as 0. scales: largest magnitudes to compare with; by default those
    of the signals in the table.
    """
    scalars = [part for signal in signals for part in _scalars(signal)]
    scales = Scales() if scales is None else scales
    for signal in signals:
        scales.add(signal.values, signal.unit)
    least = {signal.unit: scales.least(signal.unit) for signal in signals}
    if at is not None:
        times = [at] if isinstance(at, str | float | int) else list(at) if isinstance(at, Iterable) else [at]
        if not all(isinstance(t, (str, float, int, np.number)) for t in times):
            raise PitchlineError(f'table: at must be times in s, or texts such as "5 ms", got {shown(at)}')
        heads = [f"t = {t}" if isinstance(t, str) else f"t = {t:g} s" for t in times]
        rows = [[_number(s.at(t), least[s.unit]) for t in times] for s in scalars]
    elif all(len(s) <= 1 for s in scalars):
        heads = ["value"]
        rows = [[_number(s.final, least[s.unit]) if len(s) else "-"] for s in scalars]
    else:
        heads = ["final", "min", "max", "mean"]
        rows = [[_number(v, least[s.unit]) for v in (s.final, s.min(), s.max(), s.mean())] for s in scalars]
    body = [[s.name, s.unit or "-", *row] for s, row in zip(scalars, rows, strict=True)]
    return text_table(["signal", "unit", *heads], body, left=2)


def text_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> str:
    """Aligned columns under a ruled head; the first `left` columns flush left, the others flush right."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return "\n".join([line(heads), rule, *map(line, rows)])


def _scalars(signal: Signal) -> list[Signal]:
    return [signal.component(label) for label in signal.components] if signal.components else [signal]


def _samples(result: Result) -> str:
    text = _count(result.samples, "sample")
    if result.samples > 1:
        return f"{text}, t = {result.time[0]:g} to {result.time[-1]:g} s"
    return f"{text}, t = {result.time[0]:g} s" if result.samples else text


def _number(value: Any, least: float = 0.0) -> str:
    if not isinstance(value, float):
        return str(value)
    return "0" if abs(value) <= least else f"{value:.6g}"


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


#: Names a signal cannot have, because the file uses them.
RESERVED_NAMES = frozenset({"time", "state", "rate"})


@names_wrong_arguments
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Result(ModelAtFirstUse, CountedTurns, ConvertedResult):
    """Result of an analysis.

    kind:        "statics", "kinematics", "dynamics", …
    model_name:  name of the model
    time:        (n,), s; length 1 for statics, 0 if the analysis failed before its first sample
    signals:     name -> `Signal`, all sampled at `time`; `result["mesh.force"]` is the short form
    status:      `Status.COMPLETED`, `INTERRUPTED` or `FAILED`; `message` has the details
    warnings:    warnings for the user, one sentence each
    statistics:  counts and times (steps, rejected steps, seconds, …)
    states:      name -> array, the states from which another analysis can start
    model:       description of the model, plain data
    options:     options of the analysis, plain data
    source:      where the model comes from, plain data: `text` and `name` of a model file with the parameters `set` for
                 this run, or a model of the `gallery`, and which `analysis` of it this is; empty for a Python model
    version:     version of pitchline that computed it
    """

    kind: str
    model_name: str
    time: NDArray[np.float64]
    signals: dict[str, Signal]
    status: Status = Status.COMPLETED
    message: str = ""
    warnings: list[str] = field(default_factory=list)
    statistics: dict[str, Any] = field(default_factory=dict)
    states: dict[str, NDArray[Any]] = field(default_factory=dict)
    model: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    source: dict[str, Any] = field(default_factory=dict)
    version: str = __version__

    def __post_init__(self) -> None:
        time = np.asarray(self.time, dtype=np.float64).view()
        if time.ndim != 1 or not np.isfinite(time).all() or (time[1:] < time[:-1]).any():
            raise SignalError("result: time must be a vector of finite numbers that never decrease")
        time.flags.writeable = False
        same_time = time  # signals share their times: each array is compared once
        for name in self.signals.keys() & RESERVED_NAMES:
            raise SignalError(f'result: "{name}" cannot be the name of a signal; the result file uses it')
        for name, signal in self.signals.items():
            if name != signal.name:
                raise SignalError(f'result: signal "{signal.name}" is filed under the name "{name}"')
            if signal.time is not same_time and not np.array_equal(signal.time, time):
                raise SignalError(f'result: signal "{name}" is not sampled at the times of the result')
            same_time = signal.time
        tidy = {
            "time": time,
            "signals": dict(self.signals),
            "status": Status(self.status),
            "warnings": [str(text) for text in self.warnings],
            "statistics": plain_data(self.statistics),
            "states": {name: _frozen(array) for name, array in self.states.items()},
            "model": self.model if isinstance(self.model, LaterData) else plain_data(self.model),
            "options": plain_data(self.options),
            "source": plain_data(self.source),
        }
        for key, value in tidy.items():
            object.__setattr__(self, key, value)
        if isinstance(self.model, LaterData):
            self._put_model_off(self.model)

    # --- access ------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Signal:
        """Signal `name`, or one component of it: `result["pinion.position.x"]`."""
        if name in self.signals:
            return self.signals[name]
        whole, _, label = str(name).rpartition(".")
        if whole in self.signals and label in self.signals[whole].components:
            return self.signals[whole].component(label)
        raise UnknownSignalError(self._unknown(str(name)))

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        if name in self.signals:
            return True
        whole, _, label = name.rpartition(".")
        return whole in self.signals and label in self.signals[whole].components

    def __iter__(self) -> Iterator[str]:
        return iter(self.signals)

    def names(self, pattern: str = "*") -> list[str]:
        """Names of the signals that match a pattern such as "pinion.*", in the order of the model."""
        return [name for name in self.signals if fnmatch.fnmatchcase(name, pattern)]

    def select(self, *names: str) -> list[Signal]:
        """Signals of the given names; each name may be a pattern or a component. Without names: all signals."""
        chosen: dict[str, Signal] = {}
        for name in names or ("*",):
            found = [self[name]] if name in self else [self.signals[match] for match in self.names(name)]
            if not found and names:
                raise UnknownSignalError(self._unknown(name))
            chosen.update((signal.name, signal) for signal in found)
        return list(chosen.values())

    def shaft(self, name: str, *, sample: int = -1) -> ShaftLine:
        """Shaft or beam along its axis at one sample (default: the last): deflection, section forces and stresses."""
        from pitchline.parts.shafts.results import shaft_line

        if (
            isinstance(sample, bool)
            or not isinstance(sample, (int, np.integer))
            or not -self.samples <= sample < self.samples
        ):
            raise SignalError(
                f"shaft: sample must be a number from {-self.samples} to {self.samples - 1}, got {sample!r}"
            )
        return shaft_line(self, name, int(sample))

    @property
    def samples(self) -> int:
        """Number of samples."""
        return len(self.time)

    # --- text and comparison ------------------------------------------------------------------------------------

    def table(self, names: str | Sequence[str] = (), *, at: Times | None = None) -> str:
        """Plain text table of signals, one row for each component.

        Without `at`: last value, smallest, largest and time average (only the value if there is one sample). With `at` (one
        time or several, s or text such as "5 ms"): the values at these times. Values that are zero within rounding are 0.
        """
        pass
        from .status import scales_of

        return signal_table(self.select(*([names] if isinstance(names, str) else names)), at, scales_of(self))

    def summary(self) -> str:
        """Summary as text: analysis, status, warnings, statistics and signals."""
        pass

        return summary(self)

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        pass

        return f"<Result {headline(self)}>"

    def __eq__(self, other: object) -> bool:
        """Whether all numbers, texts and the status are equal; nan equals nan."""
        if not isinstance(other, Result):
            return NotImplemented
        words = [
            (r.kind, r.model_name, r.status, r.message, r.version, r.warnings, list(r.signals), set(r.states))
            for r in (self, other)
        ]
        # Compared as text, since nan inside nested data differs from itself.
        data = [to_json([r.statistics, r.model, r.options, r.source]) for r in (self, other)]
        return (
            words[0] == words[1]
            and data[0] == data[1]
            and np.array_equal(self.time, other.time)
            and all(signal.equals(other.signals[name]) for name, signal in self.signals.items())
            and all(_same_array(array, other.states[name]) for name, array in self.states.items())
        )

    # A result holds arrays and compares by content: it cannot be a key.
    __hash__ = None  # type: ignore[assignment]

    # --- tables of machines --------------------------------------------------------------------------

    def bearing_loads(self, *, after: object = None, before: object = None, joints: bool | None = None) -> ResultTable:
        """Radial, axial and tilting loads of rolling bearings and bushings, with their deflections.

        For a record over time: mean, max and rms from `after` to `before` (s, or text such as "0.5 s"). joints: whether the
        table includes joints; by default only if the model has neither bearings nor bushings.
        """
        from pitchline.parts.bearings.results import bearing_loads

        from .interactions import Record

        return bearing_loads(Record(self, after, before), joints=joints)

    def bearing_lives(
        self,
        *,
        viscosity: object = None,
        contamination: object = None,
        reliability: object = None,
        after: object = None,
        before: object = None,
    ) -> ResultTable:
        """Equivalent load P, L10 (ISO 281), L10r (ISO 16281), static safety and largest pressure of rolling bearings.

        viscosity: kinematic viscosity of the oil at its temperature, m²/s or text such as "100 cSt". It adds the modified
        lives with a_ISO, for contamination e_C (0 severe to 1 extremely clean, default 0.5) and reliability (0.9 to 0.99).

        For a record over time the damages of all samples from `after` to `before` are added up by revolutions. Statics uses
        the speed with which the model starts. `pl.bearing_lives_over` adds up several results.
        """
        from pitchline.parts.bearings.results import LifeConditions, bearing_lives

        from .interactions import Record

        conditions = LifeConditions.read(viscosity, contamination, reliability)
        return bearing_lives([Record(self, after, before)], [1.0], conditions)

    def bearing_friction(
        self, viscosity: object, *, lubrication: str = "oil bath", after: object = None, before: object = None
    ) -> ResultTable:
        """Friction torque and power of rolling bearings by the catalogue method (Palmgren), from loads and speeds.

        viscosity: kinematic viscosity of the oil at its temperature, m²/s or text such as "20 cSt". lubrication: "grease",
        "oil mist", "oil bath" or "oil jet". Time window as in `bearing_loads`. This friction does not act on the motion.
        """
        from pitchline.parts.friction.results import bearing_friction

        from .interactions import Record

        return bearing_friction(Record(self, after, before), viscosity, lubrication)

    def gear_forces(self, *, after: object = None, before: object = None) -> ResultTable:
        """Tangential, radial and axial force, torque, speed and power of both gears of every gear pair.

        Time window as in `bearing_loads`.
        """
        from pitchline.parts.gears.results import gear_forces

        from .interactions import Record

        return gear_forces(Record(self, after, before))

    def shaft_deflections(self, *, after: object = None, before: object = None) -> ResultTable:
        """Deflection, slope, bending moment, torque and stresses at the stations of all shafts.

        Time window as in `bearing_loads`.
        """
        from pitchline.parts.shafts.results import shaft_deflections

        from .interactions import Record

        return shaft_deflections(Record(self, after, before))

    def tables(self, *, after: object = None, before: object = None) -> dict[str, ResultTable]:
        """All tables that have rows, by the names of their methods. Time window as in `bearing_loads`."""
        from .all_tables import tables_of
        from .interactions import Record

        return tables_of(Record(self, after, before))

    def reactions(
        self, on: str = "ground", *, about: object = None, after: object = None, before: object = None
    ) -> ResultTable:
        """Reactions on a body: forces and moments of joints, bearings, bushings, drives and springs, and their sum.

        on: name of the body. about: reference point of the moments in world axes, m; default: the origin. Time window as in
        `bearing_loads`.
        """
        from .all_tables import reactions
        from .interactions import Record

        return reactions(Record(self, after, before), on, about)

    def power_flow(self, *, after: object = None, before: object = None) -> ResultTable:
        """Power flow: power in and out, power through gear pairs, and losses. Not available for statics.

        Time window as in `bearing_loads`.
        """
        from .interactions import Record
        from .tables_results import power_flow

        return power_flow(Record(self, after, before))

    # --- files and other libraries --------------------------------------------------------------------

    def save(self, path: str | Path, *, overwrite: bool = False, compress: bool = False) -> Path:
        """Write one HDF5 file that netCDF-4 readers can open; see `storage` for its layout.

        The file is written completely or not at all. An existing file is replaced only if `overwrite` is true. Errors are a
        `ResultFileError`; the result stays in memory and can be saved elsewhere.
        """
        from .file_content import write

        return write(self, path, overwrite=overwrite, compress=compress)

    @classmethod
    def load(cls, path: str | Path, *, lazy: bool = False) -> Result:
        """Read a result that `save` wrote. A damaged or changed file is a `ResultFileError`.

        lazy: for files larger than the memory, or if only a few signals are needed. The file stays open until `close()`. The
        values of a signal are read, and compared with their checksum, at first use.
        """
        from .file_content import read

        return read(path, lazy=lazy)

    def close(self) -> None:
        """Close the file of a result that was loaded with `lazy=True`. Reading values after that is a `ResultFileError`.

        It has no effect on other results. ``with pl.load(path, lazy=True) as result:`` also closes the file.
        """
        from .file_content import close_files

        close_files(self.signals.values())

    def __enter__(self) -> Result:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def plot(self, *names: str, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot time histories of the named signals (patterns allowed); options as in `pitchline.views.plot`."""
        from pitchline.facades import plotter

        return plotter()(self, *names, path=path, **options)

    def plot_state(self, t: float | str | None = None, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Draw the machine at a time, by default the last, as a solid picture; options as in `views.plot_state`."""
        from pitchline.facades import plotter

        return plotter("state")(self, t, path=path, **options)

    def view(self, **options: Any) -> Any:
        """Show the result in the 3D viewer, as a `View`; options as in `pitchline.view`."""
        from pitchline.facades import view as view_in_browser

        return view_in_browser(self, **options)

    def report(self, path: str | Path, **options: Any) -> Path:
        """Write a report on the model and its results, one HTML file; options as in `pitchline.views.write_report`."""
        from pitchline.facades import write_report

        written: Path = write_report(path, self, **options)
        return written

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(name, self.signals, n=5, cutoff=0.5)
        # If the element exists, list its signals.
        element = name.partition(".")[0]
        near += [match for match in self.names() if match.partition(".")[0] == element and match not in near]
        text = f'result of "{self.model_name}" has no signal "{name}"'
        if near:
            more = f" and {len(near) - 8} more" if len(near) > 8 else ""
            return f"{text}; near: {', '.join(near[:8])}{more}"
        return f"{text}; result.names() lists all {len(self.signals)}"


def _frozen(array: ArrayLike) -> NDArray[Any]:
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view


def _same_array(a: NDArray[Any], b: NDArray[Any]) -> bool:
    return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
