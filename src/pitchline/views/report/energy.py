"""Energy balance: stored energy, work, dissipation, and the error of the time integration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pitchline.results import Result
from pitchline.results.rounding import RELATIVE
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.labels import axis_label, scaled_unit
from pitchline.views.report.html import Html, code, join, table, tag
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.report.numbers import percent, quantity
from pitchline.views.report.report_data import ReportData

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TEETH = "energy.teeth"
_PARTS = {
    "kinetic": "kinetic",
    "potential": "potential",
    "work": "work of drives and loads",
    "dissipated": "dissipated",
}


def energy(data: ReportData, pictures: Pictures) -> Html:
    """A table of all analyses with an energy balance, and a picture of each."""
    runs = {
        name: run
        for name, run in data.records.items()
        if run.samples > 1 and all(f"energy.{key}" in run.signals for key in (*_PARTS, "balance_error"))
    }
    if not runs:
        return Html("")
    rows, drawn = [], []
    for name, run in runs.items():
        moved = exchanged(run)
        error = float(run["energy.balance_error"].final)
        largest = float(np.max(np.abs(run["energy.balance_error"].values)))
        share = [percent(abs(e) / moved, 2) if moved > 0.0 else "–" for e in (error, largest)]
        changes = [
            quantity(change, "J") if abs(change) > 1e-9 * moved else "0"
            for change in (_change(run, key) for key in _PARTS)
        ]
        rows.append(
            [code(name), *changes, quantity(error, "J", 2) if abs(error) > 1e-9 * moved else "0", share[0], share[1]]
        )
        drawn.append(
            pictures.embed(
                _picture(run),
                f"{name}: energies over time",
                f"{name}: change of the energies since the start, and error of their balance.",
            )
        )
    heads = [
        "Analysis",
        "Kinetic",
        "Potential",
        "Work of drives and loads",
        "Dissipated",
        "Error at the end",
        "Relative",
        "Largest, relative",
    ]
    words = (
        "The change of kinetic and potential energy is the work of drives and loads minus the dissipated energy. The remainder is "
        "the error of the time integration. Its relative value is a fraction of the largest change of any of the four."
    )
    told = [tag("p", _by_teeth(name, run)) for name, run in runs.items() if _TEETH in run.signals]
    return join([tag("p", words), table(heads, rows, numbers=range(1, 8), class_="small"), *told, *drawn], "\n")


def _by_teeth(name: str, run: Result) -> str:
    """Work of teeth whose force has no potential."""
    values = run[_TEETH].values
    largest = float(values[np.argmax(np.abs(values))])
    return (
        f"{name}: the work includes {quantity(float(values[-1]), 'J')} at the end, and at most {quantity(largest, 'J')}, of teeth "
        "whose force has no potential (follow_centres=False or energy_consistent=False)."
    )


def exchanged(run: Result) -> float:
    """The largest change of any part of the energy [J]."""
    return max(float(np.ptp(run[f"energy.{key}"].values)) for key in _PARTS)


def _change(run: Result, key: str) -> float:
    values = run[f"energy.{key}"].values
    return float(values[-1] - values[0])


def _picture(run: Result) -> Figure:
    """Changes of the energies; the error below them, unless it is rounding."""
    time = run.time
    t_factor, t_unit = scaled_unit("s", float(np.max(np.abs(time))))
    lines = {label: run[f"energy.{key}"].values - run[f"energy.{key}"].values[0] for key, label in _PARTS.items()}
    top = max(float(np.max(np.abs(values))) for values in lines.values())
    error = run["energy.balance_error"].values
    largest = float(np.max(np.abs(error), initial=0.0))
    with canvas(panels=1 + (largest > RELATIVE * top), path=None, title="", width=style.WIDTH, panel_height=1.5) as c:
        factor, unit = scaled_unit("J", top)
        for i, (label, values) in enumerate(lines.items()):
            c.axes[0].plot(t_factor * time, factor * values, label=label, **style.line_style(i))
        c.axes[0].set_ylabel(axis_label("change", unit))
        c.axes[0].legend(loc="upper left", bbox_to_anchor=(1.015, 1.0))
        if len(c.axes) > 1:
            factor, unit = scaled_unit("J", largest)
            c.axes[1].plot(t_factor * time, factor * error, **style.line_style(1))
            c.axes[1].set_ylabel(axis_label("error", unit))
        c.axes[-1].set_xlabel(axis_label("time", t_unit))
    return c.figure
