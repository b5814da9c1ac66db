"""Results as plain text: the headline, the summary, and tables of signals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.errors import PitchlineError, shown
from pitchline.results.rounding import Scales
from pitchline.results.signal import Signal
from pitchline.results.status import Status

if TYPE_CHECKING:
    from pitchline.results.result import Result

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
