"""Gear pairs in the report: their charts, natural frequencies, and load sharing of planets."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from pitchline.errors import PitchlineError
from pitchline.results.modes import Campbell, Modes
from pitchline.results.result import Result
from pitchline.views import style
from pitchline.views.order_maps import hertz
from pitchline.views.report.html import Html, Pictures, code, join, table, tag
from pitchline.views.report.numbers import ReportData, number, quantity
from pitchline.views.style import axis_label, canvas, scaled_unit

from .drawing import MeshChart, draw_pair, draw_shares, mesh_chart

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


# ---- sharing

# Load sharing of planets: the load of each mesh over the mean of all at the same gear.

#: Planets beyond which lines in a picture cannot be told apart.
MOST_PLANETS = 7

#: Below this fraction of the largest total force a stage has no load, and shares mean nothing.
_IDLE = 1e-3

#: Forces whose sum is a smaller fraction than this of the sum of their magnitudes oppose each other: no load sharing.
_OPPOSED = 0.5


def sharing(data: ReportData, pictures: Pictures) -> Html:
    """Tables and pictures of all analyses with planets under load."""
    return join(
        (_of_sharing(name, result, data.model_of(name), pictures) for name, result in data.records.items()), "\n"
    )


def planets(model: dict[str, Any]) -> dict[str, list[str]]:
    """Gear -> its pairs with several equal gears, each on a body of its own: a sun or a ring with planets."""
    wheels = model.get("wheels", {})
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for name, pair in model.get("gear_pairs", {}).items():
        for own, other in (("wheel_a", "wheel_b"), ("wheel_b", "wheel_a")):
            partner = wheels.get(pair.get(other), {})
            if not partner.get("gear"):
                continue
            gear = json.dumps(partner["gear"], sort_keys=True)
            found.setdefault((pair[own], gear), []).append((name, partner.get("frame", {}).get("body_name", "")))
    groups = {}
    for (wheel, _), pairs in found.items():
        if len(pairs) > 1 and len({body for _, body in pairs}) == len(pairs):
            groups[wheel] = [name for name, _ in pairs]
    return groups


def _of_sharing(name: str, result: Result, model: dict[str, Any], pictures: Pictures) -> Html:
    shares = _shares(result, model)
    if not shares:
        return Html("")
    rows: list[list[object]] = []
    for wheel, lines in shares.items():
        for k, (pair, share) in enumerate(lines.items()):
            row: list[object] = [code(wheel) if k == 0 else "", code(pair), number(float(np.nanmean(share)))]
            rows.append([*row, *([number(float(np.nanmax(share)))] if result.samples > 1 else [])])
    several = result.samples > 1
    heads = ["Gear", "Gear pair", *(["Mean share", "Largest share"] if several else ["Share"])]
    top = max(float(np.nanmax(share)) for lines in shares.values() for share in lines.values())
    words = join(
        [
            "Force of each mesh over the mean of all meshes of the same gear; 1 is an equal share. The largest value is the mesh "
            "load factor ", tag("i", "K"), tag("sub", "γ"), f" = {number(top)}.",
        ]
    )  # fmt: skip
    parts = [tag("h3", code(name), f": {result.kind}" if name != result.kind else ""), tag("p", words)]
    parts.append(table(heads, rows, numbers=range(2, len(heads)), class_="small"))
    if several:
        parts.append(_picture(name, result, shares, pictures))
    return join(parts, "\n")


def _shares(result: Result, model: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Gear -> pair -> N F_i / Σ F over time; nan while there is no load."""
    found: dict[str, dict[str, Any]] = {}
    for wheel, pairs in planets(model).items():
        if len(pairs) > MOST_PLANETS or any(f"{pair}.signed_force" not in result.signals for pair in pairs):
            continue
        # with their signs: a planet that pushes back reduces the sum
        forces = np.stack([result.signals[f"{pair}.signed_force"].values for pair in pairs], axis=1)
        total = forces.sum(axis=1, keepdims=True)
        if np.mean(np.abs(total)) < _OPPOSED * np.mean(np.abs(forces).sum(axis=1)):
            continue
        idle = np.abs(total) <= _IDLE * np.max(np.abs(total), initial=0.0)
        share = np.where(idle, np.nan, len(pairs) * forces / np.where(idle, 1.0, total))
        if np.any(np.isfinite(share)):
            found[wheel] = dict(zip(pairs, share.T, strict=True))
    return found


def _picture(name: str, result: Result, shares: dict[str, dict[str, Any]], pictures: Pictures) -> Html:
    with canvas(panels=len(shares), path=None, title="", width=style.WIDTH, panel_height=1.5) as c:
        for ax, (wheel, lines) in zip(c.axes, shares.items(), strict=True):
            draw_shares(ax, result.time, lines)
            ax.set_ylabel(f"share at {wheel}")
        c.axes[-1].set_xlabel(axis_label("time", scaled_unit("s", float(np.max(np.abs(result.time))))[1]))
    return pictures.embed(c.figure, f"{name}: load sharing", "Share of each mesh over time.")
