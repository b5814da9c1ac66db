"""Values of signals: statistics over time, and values at given times."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ModelError, PitchlineError

if TYPE_CHECKING:
    from ..results import Result, Signal

__all__ = ["ValueTable", "at_times", "chosen_scalars", "csv_text", "measures", "scalars"]

_MEASURES = ("initial", "final", "min", "max", "mean", "rms", "peak_to_peak")
_DIGITS = 6


@dataclass(frozen=True)
class ValueTable:
    """Table with one row per signal. times: times of the columns [s]; without times the columns are statistics."""

    signals: Sequence[Signal]
    heads: Sequence[str]
    rows: Sequence[Sequence[float]]
    times: Sequence[float] = ()

    def __str__(self) -> str:
        from ..results.report import text_table

        body = [
            [signal.name, signal.unit or "-", *(f"{value:.{_DIGITS}g}" for value in row)]
            for signal, row in zip(self.signals, self.rows, strict=True)
        ]
        return text_table(["signal", "unit", *(head.replace("_", " ") for head in self.heads)], body, left=2)

    def as_data(self, result: Result) -> dict[str, Any]:
        """Object of ``--json``: a figure for each number, or for each signal the list of its values at the times."""
        name = str(result.source.get("analysis", "")) or result.kind
        figures: dict[str, Any] = {"time": {"value": list(self.times), "unit": "s"}} if self.times else {}
        for signal, row in zip(self.signals, self.rows, strict=True):
            finite = [float(value) if np.isfinite(value) else None for value in row]
            unit = "" if signal.unit == "1" else signal.unit
            if self.times:
                figures[signal.name] = {"value": finite, "unit": unit}
            else:
                figures |= {
                    f"{signal.name}.{head}": {"value": v, "unit": unit}
                    for head, v in zip(self.heads, finite, strict=True)
                }
        analyses = [{"name": name, "kind": result.kind, "status": str(result.status)}]
        return {"model": result.model_name, "analyses": analyses, "figures": figures}

    def csv_text(self) -> str:
        """Values at the times, one row per time."""
        heads = ["time [s]", *(_column(signal) for signal in self.signals)]
        return _text(heads, ([time, *(row[i] for row in self.rows)] for i, time in enumerate(self.times)))


def scalars(signal: Signal) -> list[Signal]:
    """The components of a signal, or the signal itself if it has none."""
    return [signal.component(label) for label in signal.components] if signal.components else [signal]


def chosen_scalars(
    result: Result, names: Sequence[str], units: Sequence[str], start: float | str | None, end: float | str | None
) -> list[Signal]:
    """Components of the named signals in the requested units, within a time range."""
    found = [part for signal in result.select(*names) for part in scalars(signal)]
    if not found:
        raise PitchlineError(f'the result of "{result.model_name}" has no signals')
    if not result.samples:
        raise PitchlineError(
            f'the result of "{result.model_name}" contains no samples: {result.message or "its analysis failed"}'
        )
    if start is not None or end is not None:
        first, last = (result.time[0] if start is None else start), (result.time[-1] if end is None else end)
        found = [signal.between(first, last) for signal in found]
    for unit in units:
        found = _in_unit(found, unit)
    return found


def _in_unit(signals: list[Signal], wanted: str) -> list[Signal]:
    from ..units.parser import UnitSyntax, parse_unit

    try:
        unit = parse_unit(wanted)
    except UnitSyntax as error:
        raise ModelError(f"--unit {wanted}: {error}") from None
    converted = []
    for signal in signals:
        own = parse_unit(signal.unit)
        if own.powers == unit.powers:
            factor = own.factor / unit.factor
            rate = None if signal.rate is None else signal.rate * factor
            signal = replace(signal, values=signal.values * factor, unit=wanted, rate=rate)
        converted.append(signal)
    if all(new is old for new, old in zip(converted, signals, strict=True)):
        known = ", ".join(sorted({signal.unit or "1" for signal in signals}))
        raise ModelError(f"--unit {wanted}: no selected signal has this dimension. Their units are {known}")
    return converted


def measures(signals: Sequence[Signal]) -> ValueTable:
    """Initial, final, minimum, maximum, mean, rms and peak-to-peak value; for a single sample only its value."""
    if all(len(signal) == 1 for signal in signals):
        return ValueTable(signals, ["value"], [[_plain(signal.final)] for signal in signals])
    rows = []
    for signal in signals:
        taken = [getattr(signal, name) for name in _MEASURES]
        rows.append([_plain(value() if callable(value) else value) for value in taken])
    return ValueTable(signals, _MEASURES, rows)


def at_times(signals: Sequence[Signal], times: Sequence[float | str | None]) -> ValueTable:
    """Values at times: in s, or texts with a unit."""
    from ..units import quantity

    seconds = [quantity(time, "time", what="--at") for time in times]
    rows = [[_plain(signal.at(time)) for time in seconds] for signal in signals]
    return ValueTable(signals, [f"t = {time:.6g} s" for time in seconds], rows, seconds)


def csv_text(signals: Sequence[Signal]) -> str:
    """All samples, one row per time."""
    heads = ["time [s]", *(_column(signal) for signal in signals)]
    return _text(heads, zip(signals[0].time, *(signal.values for signal in signals), strict=True))


def _plain(value: Any) -> float:
    return float(value) + 0.0  # no "-0" in a table


def _column(signal: Signal) -> str:
    return f"{signal.name} [{signal.unit or '1'}]"


def _text(heads: Sequence[str], rows: Any) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([f"{float(value):.12g}" for value in row] for row in rows)
    return stream.getvalue()
