"""Time histories: the main signals of each analysis as a picture and as a table."""

from __future__ import annotations

import numpy as np

from pitchline.errors import PitchlineError
from pitchline.results import Result, Signal
from pitchline.results.rounding import scales_of
from pitchline.views.labels import scaled_unit
from pitchline.views.plots import plot
from pitchline.views.report.header import chip
from pitchline.views.report.html import Html, code, join, table, tag
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.report.numbers import counted, number, quantity
from pitchline.views.report.report_data import ReportData
from pitchline.views.report.signal_choice import main_signals


def histories(data: ReportData, pictures: Pictures) -> Html:
    """The main signals of all analyses, one after the other."""
    return join((_record(name, result, data, pictures) for name, result in data.records.items()), "\n")


def _record(name: str, result: Result, data: ReportData, pictures: Pictures) -> Html:
    model = data.model_of(name) or result.model
    heading = tag("h3", name if name != result.kind else result.kind.capitalize(), chip(result.status))
    parts = [heading, tag("p", _what(name, result))]
    if not result.samples or not result.signals:
        return join([*parts, tag("p", "The result has no samples: the analysis ended before the first one.")])
    names = _chosen(result, data.signals) or main_signals(result, model)
    if result.samples > 1 and names:
        parts.append(_histories(name, result, names, pictures))
    parts.append(_values(result, names))
    return join(parts, "\n")


def _what(name: str, result: Result) -> str:
    kind = "" if name == result.kind else f"{result.kind.capitalize()}, "
    if result.samples > 1:
        first, last = (quantity(t, "s", 5) if t else "0" for t in (result.time[0], result.time[-1]))
        return f"{kind}{counted(result.samples, 'sample')} from {first} to {last}."
    if result.samples == 1:
        return f"{kind}one state at t = {quantity(result.time[0], 's', 5) if result.time[0] else '0'}."
    return f"{kind}no samples."


def _chosen(result: Result, patterns: tuple[str, ...]) -> list[str]:
    """The requested signals that this result has."""
    found: dict[str, None] = {}
    for pattern in patterns:
        matches = [pattern] if pattern in result else result.names(pattern)
        found.update(dict.fromkeys(matches))
    return list(found)


def _histories(name: str, result: Result, names: list[str], pictures: Pictures) -> Html:
    try:
        figure = plot(result, *names, title="", panel_height=1.75)
    except PitchlineError as error:  # too many lines are requested: the report says so and goes on
        return tag("p", f"No picture: {error}.")
    return pictures.embed(figure, f"{name}: {', '.join(names)} over time")


def _values(result: Result, names: list[str]) -> Html:
    """Smallest, largest, mean and final value of each signal; of one sample its value."""
    scalars: list[Signal] = []
    for name in names:
        signal = result[name]
        scalars += [signal.component(label) for label in signal.components] or [signal]
    one = result.samples == 1
    scales = scales_of(result)
    rows: list[list[object]] = []
    before = ""
    for signal in scalars:
        finite = signal.values[np.isfinite(signal.values)]
        largest = scales.clean(float(np.max(np.abs(finite), initial=0.0)), signal.unit)
        factor, unit = scaled_unit(signal.unit, largest)
        shown = [signal.final] if one else [signal.min(), signal.max(), signal.mean(), signal.final]
        cells = [number(factor * scales.clean(value, signal.unit)) for value in map(float, shown)]
        said = signal.description
        rows.append([code(signal.name), "″" if said and said == before else said, *cells, unit or "–"])
        before = said
    heads = ["Signal", "Description", *(["Value"] if one else ["Min", "Max", "Mean", "Final"]), "Unit"]
    return table(heads, rows, numbers=range(2, len(heads) - 1), class_="wide small")
