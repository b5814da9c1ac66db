"""Every gear pair with a chart of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitchline.errors import PitchlineError
from pitchline.results import Campbell, Modes, Result
from pitchline.views.marks import hertz
from pitchline.views.mesh_chart import MeshChart, mesh_chart
from pitchline.views.pair_chart import draw_pair
from pitchline.views.report.html import Html, code, join, tag
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.report.numbers import number, quantity
from pitchline.views.report.report_data import ReportData

#: Charts of one analysis; the pairs with the largest forces.
MOST_PAIRS = 12

_FORCE = "normal_force"


def meshes(data: ReportData, pictures: Pictures) -> Html:
    """Charts of all gear pairs in all analyses over time."""
    parts = []
    for name, result in data.records.items():
        if result.samples > 1 and result.kind != "kinematics":
            made = _of(name, result, data, pictures)
            if made:
                parts += [tag("h3", code(name), f": {result.kind}" if name != result.kind else ""), *made]
    return join(parts, "\n")


def _of(name: str, result: Result, data: ReportData, pictures: Pictures) -> list[Html]:
    pairs = [pair for pair in data.model_of(name).get("gear_pairs", {}) if f"{pair}.{_FORCE}" in result.signals]
    peaks = {pair: float(np.nanmax(np.abs(result.signals[f"{pair}.{_FORCE}"].values), initial=0.0)) for pair in pairs}
    kept = sorted(pairs, key=lambda pair: -peaks[pair])[:MOST_PAIRS]
    charts = {pair: _chart(result, pair) for pair in pairs}
    frequencies = {pair: chart.frequency for pair, chart in charts.items() if isinstance(chart, MeshChart)}
    modes = natural_frequencies(data, result)
    parts = []
    for pair in (pair for pair in pairs if pair in kept):
        chart = charts[pair]
        others = {other: f for other, f in frequencies.items() if other != pair}
        found = chart if isinstance(chart, MeshChart) else None
        figure = draw_pair(result, pair, found, others=others, modes=modes)
        parts.append(
            tag("div", tag("h4", "Gear pair ", code(pair)), _words(result, pair, chart),
                pictures.embed(figure, f"{name}: gear pair {pair}", _caption(found)), class_="chart")
        )  # fmt: skip
    left = [pair for pair in pairs if pair not in kept]
    if left:
        more = join(map(code, left[:8]), ", ")
        parts.append(tag("p", f"{len(left)} gear pairs with smaller forces are not drawn: ", more, ".", class_="where"))
    return parts


def _chart(result: Result, pair: str) -> MeshChart | str:
    try:
        return mesh_chart(result, pair, _FORCE)
    except PitchlineError as error:
        return str(error)


def _words(result: Result, pair: str, chart: MeshChart | str) -> Html:
    """Mean and largest force, mesh frequency; or why there is no spectrum."""
    force = result[f"{pair}.{_FORCE}"]
    text = f"Normal force: mean {quantity(float(force.mean()), force.unit)}, largest {quantity(float(force.max()), force.unit)}. "
    if f"{pair}.transmission_error" in result.signals:
        error = result[f"{pair}.transmission_error"]
        text += f"Transmission error: peak to peak {quantity(float(error.peak_to_peak()), error.unit, 3)}. "
    if isinstance(chart, MeshChart):
        steady = chart.cycle.mean
        mean = float(np.mean(steady))
        text += f"Mesh frequency at steady speed: {quantity(chart.frequency, 'Hz')}. "
        if mean > 0.0:
            largest = float(np.max(chart.cycle.high))
            text += f"Largest force over mean force at steady speed: {number(largest / mean)}."
    elif "too few" in chart:
        text += (
            f"No spectrum: {chart}. Vibration at the mesh frequency appears with a wrong, lower frequency. "
            "Use a smaller output_step."
        )
    else:
        text += f"No spectrum: {chart}."
    return tag("p", text)


def _caption(chart: MeshChart | None) -> str:
    if chart is None:
        return "Force and transmission error over time."
    return (
        "Above: force and transmission error over time. Below: spectrum of the force at steady speed without its mean, with the "
        "harmonics of the mesh, the other meshes and the natural frequencies marked; force over the mesh cycle."
    )


def natural_frequencies(data: ReportData, result: Result) -> Modes | dict[str, float] | None:
    """Of a `Modes` result of the report, or of a Campbell diagram at the last speed of its shaft."""
    for found in data.others.values():
        if isinstance(found, Modes):
            return found
    for found in data.others.values():
        if isinstance(found, Campbell):
            return _at_speed(found, result)
    return None


def _at_speed(found: Campbell, result: Result) -> dict[str, float] | None:
    speed: Any = result.signals.get(f"{found.shaft}.angular_speed")
    if speed is None or len(found.speeds) < 2:
        return None
    at = float(np.clip(abs(float(speed.values[-1])), found.speeds[0], found.speeds[-1]))
    values = [float(np.interp(at, found.speeds, column)) for column in found.frequencies.T]
    return {f"mode {k + 1}: {hertz(f)}": f for k, f in enumerate(values) if np.isfinite(f) and f > 0.0}
