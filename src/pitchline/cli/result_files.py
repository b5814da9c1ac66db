"""Results that commands read, and the values of their signals: statistics over time, values at given times, spectra."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.errors import ModelError, PitchlineError

from .ltca import Table

if TYPE_CHECKING:
    from pitchline.gallery.figures import Figure
    from pitchline.results.linear_files import LinearFinding
    from pitchline.results.result import Result
    from pitchline.results.signal import Signal
    from pitchline.studies.study_result import StudyResult

__all__ = [
    "findings_of",
    "load_result",
    "load_study",
    "open_found",
    "ValueTable",
    "at_times",
    "chosen_scalars",
    "csv_text",
    "measures",
    "scalars",
    "spectrum_table",
]


# ---- result files

# Read result files for commands.


def load_result(path: Path) -> Result:
    """Load the result in a file. If the name is a model, the error explains how to compute its result."""
    from pitchline.exchange.measurements.reader import is_measurement, read_measurement
    from pitchline.results.result import Result

    if is_measurement(path):
        return read_measurement(path)
    _refuse_model(path)
    return Result.load(path)


def load_study(path: Path) -> StudyResult | None:
    """Load the result of a study: a file, or the store of a sweep. None if it is something else."""
    from pitchline.studies.study_files import is_study, read_study
    from pitchline.studies.sweep.store import is_store, read_store

    if is_store(path):
        return read_store(path)
    return read_study(path) if is_study(path) else None


def open_found(path: Path) -> Result | LinearFinding:
    """Load the object of an analysis from a file. Signals of a result are read on demand."""
    from pitchline.exchange.measurements.reader import is_measurement, read_measurement
    from pitchline.results.linear_files import load_found

    if is_measurement(path):
        return read_measurement(path)
    _refuse_model(path)
    return load_found(path, lazy=True)


def _refuse_model(path: Path) -> None:
    if path.suffix.lower() == ".nc":
        return
    from pitchline.gallery.catalogue import MODELS

    model = str(path).replace("_", "-") in MODELS or path.suffix.lower() == ".toml"
    if model and not (path.exists() and path.suffix.lower() != ".toml"):
        raise PitchlineError(
            f'"{path}" is a model, not a result. pitchline run {path} -o DIR writes its results (.nc) to a folder'
        )


def findings_of(result: Result, called: str, allow: Sequence[str]) -> tuple[Sequence[Figure], tuple[str, ...]]:
    """Figures that need only the result, and the signals that its model plots; empty if its model is not available."""
    from .jobs import FileJob, job_behind, read_allowed

    figures: Sequence[Figure] = ()
    signals: tuple[str, ...] = ()
    try:
        job = job_behind(result, called, {}, read_allowed(allow))
        if isinstance(job, FileJob):
            figures = job.figures_of(str(result.source.get("analysis", "")) or result.kind, result)
        if job is not None:
            signals = job.signals
    except PitchlineError:
        pass  # its model is of another version, or the run ended early: the signals are still valid
    return figures, signals


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
        from pitchline.results.result import text_table

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
    from pitchline.units.parser import UnitSyntax, parse_unit

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
    from pitchline.units.quantity import quantity

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


# ---- spectrum tables

# Spectra, orders, folded signals and multipliers as tables: column heads and rows.


def spectrum_table(found: Any) -> Table | None:
    """Table of a signal analysis or of Floquet multipliers; None for other objects."""
    from pitchline.results.folding import Folded
    from pitchline.results.modes import Floquet
    from pitchline.results.order_track import OrderMap, OrderSpectrum, OrderTrack, Spectrogram, Spectrum
    from pitchline.results.signal import PeakHold

    if isinstance(found, Spectrum | OrderSpectrum):
        first, head = (found.frequency, "frequency [Hz]") if isinstance(found, Spectrum) else (found.order, "order")
        columns = np.atleast_2d(found.amplitude.T)
        names = [f"{found.name}.{label}" for label in found.components] or [found.name]
        heads = [head, *(f"amplitude of {name} [{found.unit or '1'}]" for name in names)]
        return heads, zip(first, *columns, strict=True)
    if isinstance(found, Spectrogram):
        heads = ["time [s]", *(f"{f:.6g} Hz" for f in found.frequency)]
        return heads, ([t, *row] for t, row in zip(found.time, found.amplitude, strict=True))
    if isinstance(found, OrderMap):
        heads = ["time [s]", "speed [rad/s]", *(f"order {n:.6g}" for n in found.order)]
        return heads, ([t, v, *row] for t, v, row in zip(found.time, found.speed, found.amplitude, strict=True))
    if isinstance(found, OrderTrack):
        heads = ["time [s]", "speed [rad/s]", f"amplitude [{found.unit or '1'}]", "phase [rad]"]
        return heads, zip(found.time, found.speed, found.amplitude, found.phase, strict=True)
    if isinstance(found, PeakHold):
        unit, speed = found.unit or "1", found.speed_unit or "1"
        heads = [f"from [{speed}]", f"to [{speed}]", f"lowest [{unit}]", f"highest [{unit}]", f"largest at [{speed}]"]
        return heads, zip(found.edges[:-1], found.edges[1:], found.lowest, found.highest, found.peak_speed, strict=True)
    if isinstance(found, Folded):
        heads = ["phase", *(f"{what} [{found.unit or '1'}]" for what in ("mean", "lowest", "highest"))]
        return heads, zip(found.phase, found.mean, found.low, found.high, strict=True)
    if isinstance(found, Floquet):
        heads = ["speed [rad/s]", "ripple", "largest multiplier", "growth [1/s]"]
        places = [(i, j) for i in range(len(found.speeds)) for j in range(len(found.ripples))]
        return heads, ([found.speeds[i], found.ripples[j], found.largest[i, j], found.growth[i, j]] for i, j in places)
    return None
