"""Results over time and of statics: their main signals as a picture and as a table, and the loads of the joints."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitchline.errors import PitchlineError
from pitchline.results import Result, Signal
from pitchline.views.labels import scaled_unit
from pitchline.views.plots import plot
from pitchline.views.report.header import chip
from pitchline.views.report.html import Html, code, join, table, tag
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.report.meshes import meshes
from pitchline.views.report.numbers import counted, number, quantity
from pitchline.views.report.report_data import ReportData
from pitchline.views.report.result_tables import machine_pictures, result_tables
from pitchline.views.report.signal_choice import main_signals

#: Rows of the table of joint loads; the largest ones.
MOST_JOINTS = 16


def record(name: str, result: Result, data: ReportData, pictures: Pictures) -> Html:
    """The part of the report on one analysis."""
    model = data.variants.get(name, data.model) or result.model
    heading = tag("h3", name if name != result.kind else result.kind.capitalize(), chip(result.status))
    parts = [heading, tag("p", _what(name, result))]
    if not result.samples or not result.signals:
        return join([*parts, tag("p", "It holds no sample: the analysis ended before the first one.")])
    names = _chosen(result, data.signals) or main_signals(result, model)
    if result.samples > 1 and names:
        parts.append(_histories(name, result, names, pictures))
    parts.append(_values(result, names))
    if result.samples > 1:
        parts.append(meshes(name, result, model, pictures))
    parts.append(result_tables(result, model) or _joint_loads(result, model))
    parts.append(machine_pictures(name, result, pictures))
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
    """What the user asked for, as far as this result has it."""
    found: dict[str, None] = {}
    for pattern in patterns:
        matches = [pattern] if pattern in result else result.names(pattern)
        found.update(dict.fromkeys(matches))
    return list(found)


def _histories(name: str, result: Result, names: list[str], pictures: Pictures) -> Html:
    try:
        figure = plot(result, *names, title="", panel_height=1.75)
    except PitchlineError as error:  # too many lines were asked for: said, not fatal
        return tag("p", f"No picture: {error}.")
    return pictures.embed(figure, f"{name}: {', '.join(names)} over time")


def _values(result: Result, names: list[str]) -> Html:
    """Final, smallest, largest and mean value of each signal; of one sample its value."""
    scalars: list[Signal] = []
    for name in names:
        signal = result[name]
        scalars += [signal.component(label) for label in signal.components] or [signal]
    one = result.samples == 1
    rows: list[list[object]] = []
    before = ""
    for signal in scalars:
        finite = signal.values[np.isfinite(signal.values)]
        largest = float(np.max(np.abs(finite), initial=0.0))
        factor, unit = scaled_unit(signal.unit, largest)
        shown = [signal.final] if one else [signal.min(), signal.max(), signal.mean(), signal.final]
        rounding = 1e-9 * largest
        cells = [number(0.0 if abs(v) < rounding else factor * v) for v in map(float, shown)]
        said = signal.description
        rows.append([code(signal.name), "″" if said and said == before else said, *cells, unit or "–"])
        before = said
    heads = ["Signal", "What it is", *(["Value"] if one else ["Min", "Max", "Mean", "Final"]), "Unit"]
    return table(heads, rows, numbers=range(2, len(heads) - 1), class_="wide small")


def _joint_loads(result: Result, model: dict[str, Any]) -> Html:
    """What the joints carry: magnitudes of force and moment, mean and largest."""
    loads = []
    for joint in model.get("joints", {}):
        sizes = [
            np.linalg.norm(np.atleast_2d(result.signals[f"{joint}.{kind}"].values), axis=-1)
            if f"{joint}.{kind}" in result.signals
            else np.zeros(1)
            for kind in ("force", "moment")
        ]
        loads.append((joint, sizes))
    if not loads:
        return Html("")
    tops = [max((float(np.nanmax(sizes[k])) for _, sizes in loads), default=0.0) for k in (0, 1)]
    loads = [one for one in loads if any(float(np.nanmax(one[1][k])) > 1e-8 * tops[k] for k in (0, 1) if tops[k])]
    if not loads:
        return Html("")
    kept = sorted(loads, key=lambda one: -float(np.nanmax(one[1][0])))[:MOST_JOINTS]
    several = result.samples > 1
    rows: list[list[object]] = []
    for joint, sizes in (one for one in loads if one in kept):
        row: list[object] = [code(joint), model["joints"][joint].get("kind", "").replace("_", " ")]
        for k, unit in enumerate(("N", "N*m")):
            for value in [np.nanmean(sizes[k]), np.nanmax(sizes[k])] if several else [sizes[k][-1]]:
                row.append("0" if value <= 1e-8 * tops[k] else quantity(value, unit))
        rows.append(row)
    words = ["force", "moment"]
    heads = [
        "Joint",
        "Kind",
        *([f"{stat} {word}" for word in words for stat in ("Mean", "Largest")] if several else ["Force", "Moment"]),
    ]
    left = len(model.get("joints", {})) - len(rows)
    rest = f" The {len(rows)} largest; {left} more carry less." if len(loads) > len(kept) else ""
    about = tag("p", f"Magnitudes of what the joints carry.{rest}", class_="where")
    return join(
        [tag("h4", "Loads of the joints"), about, table(heads, rows, numbers=range(2, len(heads)), class_="small")]
    )
