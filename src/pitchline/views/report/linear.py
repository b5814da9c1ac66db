"""Modes, frequency responses, Campbell diagrams and other results with a picture of their own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pitchline.errors import PitchlineError
from pitchline.results import Campbell, FrequencyResponse, Modes, OrderMap
from pitchline.results.plotter import plotter
from pitchline.views.labels import unit_text
from pitchline.views.report.html import Html, code, join, table, tag
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.report.machine_picture import mode_shapes
from pitchline.views.report.meshes import natural_frequencies
from pitchline.views.report.numbers import counted, number, percent, quantity
from pitchline.views.report.report_data import ReportData
from pitchline.views.report.run_ups import mesh_orders, named_orders

#: Rows of a table of modes or crossings.
MOST_ROWS = 60


def linear(name: str, found: Any, data: ReportData, pictures: Pictures) -> Html:
    """Picture and table of one result."""
    kind = type(found).__name__
    parts = [tag("h3", name if name != kind else _words(kind))]
    if isinstance(found, Modes):
        parts.append(tag("p", f"{counted(len(found), 'mode')}, {found.rigid} of them rigid-body motions; "
                              f"{'stable' if found.stable else 'unstable: a motion grows'}."))  # fmt: skip
    try:
        parts.append(pictures.embed(_drawn(found, data), f"{name}: {_words(kind)}"))
    except PitchlineError as error:
        parts.append(tag("p", f"No picture: {error}."))
    if isinstance(found, Modes):
        parts += [_modes(found), mode_shapes(found, pictures)]
    elif isinstance(found, Campbell):
        parts.append(_crossings(found))
    elif isinstance(found, FrequencyResponse):
        parts.append(_peaks(found))
    return join(parts, "\n")


def _drawn(found: Any, data: ReportData) -> Any:
    """The picture by its method, or by the function that draws results of its class."""
    if isinstance(found, OrderMap):
        return _order_map(found, data)
    return found.plot(title="") if hasattr(found, "plot") else plotter(type(found).__name__)(found, title="")


def _order_map(found: OrderMap, data: ReportData) -> Any:
    """The map with the orders of all meshes and the natural frequencies of the run that it comes from."""
    for run in data.records.values():
        orders = mesh_orders(run, found.angle)
        if orders:
            marked = named_orders(orders, float(found.order[-1]))
            return found.plot(title="", orders=marked, modes=natural_frequencies(data, run))
    return found.plot(title="")


def _words(kind: str) -> str:
    spaced = "".join(f" {c.lower()}" if c.isupper() else c for c in kind).strip()
    return {"campbell": "Campbell diagram", "floquet": "Floquet multipliers"}.get(spaced, spaced.capitalize())


def _modes(found: Modes) -> Html:
    rows = []
    f = found.frequencies
    for i in range(len(found)):
        if i and found.multiplicity[i] > 1 and abs(f[i] - f[i - 1]) <= 1e-6 * max(f[i], 1e-300):
            continue
        damping = percent(found.damping_ratios[i]) if i >= found.rigid else ""
        times = int(found.multiplicity[i])
        rows.append(
            [
                i + 1,
                quantity(f[i], "Hz", 5) if i >= found.rigid else "0",
                damping,
                times if times > 1 else "",
                found.kinds[i],
                found.descriptions[i],
            ]
        )
    heads = ["Mode", "Frequency", "Damping ratio", "Multiplicity", "Kind", "Motion"]
    return join([table(heads, rows[:MOST_ROWS], numbers=(0, 1, 2, 3), class_="small"), _rest(len(rows))])


def _crossings(found: Campbell) -> Html:
    rows = [
        [
            c.order,
            c.mode + 1,
            f"{number(c.speed * 30.0 / math.pi)} rpm",
            quantity(c.frequency, "Hz", 5),
        ]
        for c in found.crossings
    ]
    heads = ["Order", "Mode", "Speed", "Frequency"]
    return join([table(heads, rows[:MOST_ROWS], numbers=(1, 2, 3), class_="small"), _rest(len(rows))])


def _peaks(found: FrequencyResponse) -> Html:
    """Peaks of the magnitude within the range."""
    rows = []
    for i, output in enumerate(found.outputs):
        for j, given in enumerate(found.inputs):
            H, unit = found.magnitude(i, j), unit_text(found.unit(i, j))
            inner = np.flatnonzero((H[1:-1] > H[:-2]) & (H[1:-1] >= H[2:])) + 1
            for k in inner[np.argsort(-H[inner])][:5]:
                rows.append(
                    [code(given), code(output), quantity(found.frequency[k], "Hz", 5), f"{number(H[k])} {unit}"]
                )
    return join(
        [
            table(["Input", "Output", "Peak at", "Magnitude"], rows[:MOST_ROWS], numbers=(2, 3), class_="small"),
            _rest(len(rows)),
        ]
    )


def _rest(count: int) -> Html:
    left = count - MOST_ROWS
    return tag("p", f"{left} more rows are not shown.", class_="where") if left > 0 else Html("")
