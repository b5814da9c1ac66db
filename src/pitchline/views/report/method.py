"""Method: analyses, options, counts, computing times and versions."""

from __future__ import annotations

import platform
from collections import Counter
from importlib.metadata import version as installed
from typing import Any

from pitchline.results import Result
from pitchline.views.report.html import Html, code, join, table, tag
from pitchline.views.report.numbers import number, quantity, seconds
from pitchline.views.report.report_data import ReportData

from ...version import __version__

_UNITS = {"duration": "s", "step": "s", "output_step": "s", "max_step": "s", "min_step": "s"}
_TIMES = ("wall_time", "total_time")
_FIRST = ("unknowns", "coordinates", "steps", "positions", "load_steps", "iterations", "factorisations", "rejected")
_WORDS = {
    "hht": "HHT parameter α",
    "rho": "spectral radius at infinity ρ∞",
    "newton_tolerance": "tolerance of the Newton iteration",
    "constraint_scale": "scale of constraints, relative to the automatic scale",
    "constraint_penalty": "penalty of constraints, relative to the automatic scale",
    "reduce": "coordinates of joints to the ground eliminated",
    "stabilised": "constraints satisfied in positions and velocities",
}
_METHODS = {
    "statics": "equilibrium by Newton iteration",
    "kinematics": "positions, velocities and accelerations follow from the drives, forces from the equations of motion",
    "dynamics": "equations of motion with constraints, integrated by a generalized-α method on the rotation group",
}


def method(data: ReportData) -> Html:
    """A table with a column for each analysis, and the versions."""
    runs = data.records
    parts = []
    if runs:
        kinds = Counter(run.kind for run in runs.values())
        lines = [tag("li", tag("b", kind.capitalize()), f": {_METHODS[kind]}.") for kind in kinds if kind in _METHODS]
        parts.append(tag("ul", *lines) if lines else "")
        parts.append(_columns(runs))
    parts.append(tag("p", _versions(data), class_="where"))
    return join(parts, "\n")


def version(data: ReportData) -> str:
    """Version of pitchline that computed the results; without results the installed one."""
    found = list(dict.fromkeys(run.version for run in data.records.values()))
    return ", ".join(found) or __version__


def _columns(runs: dict[str, Result]) -> Html:
    options = _keys(run.options for run in runs.values())
    counts = _keys((run.statistics for run in runs.values()), first=_FIRST)
    rows: list[list[object]] = [
        ["analysis", *(run.kind for run in runs.values())],
        ["status", *(str(run.status) for run in runs.values())],
    ]
    rows += [[_words(key), *(_option(key, run.options.get(key, "")) for run in runs.values())] for key in options]
    for key in counts:
        values = [run.statistics.get(key, "") for run in runs.values()]
        if key in _TIMES or all(value in ("", 0, None) for value in values):
            continue
        rows.append([_words(key), *(_count(value) for value in values)])
    names = {"wall_time": "computing time of the steps", "total_time": "computing time in total"}
    for key in _TIMES:
        values = [run.statistics.get(key, "") for run in runs.values()]
        if any(value != "" for value in values):
            rows.append([names[key], *(seconds(float(value)) if value != "" else "" for value in values)])
    return table(["", *map(code, runs)], rows, numbers=range(1, len(runs) + 1), class_="small")


def _count(value: Any) -> str:
    """A count or a measure of convergence; a residual at rounding is 0."""
    if value == "":
        return ""
    return "0" if isinstance(value, float) and abs(value) < 1e-12 else number(value, 3)


def _keys(dictionaries: Any, first: tuple[str, ...] = ()) -> list[str]:
    """Keys that have a value in any dictionary, those of `first` first."""
    found = {key: None for one in dictionaries for key, value in one.items() if value is not None}
    return [key for key in first if key in found] + [key for key in found if key not in first]


def _words(key: str) -> str:
    return _WORDS.get(key, key.replace("_", " "))


def _option(key: str, value: Any) -> str:
    if value is None:
        return "automatic" if key == "step" else "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return quantity(value, _UNITS[key], 4) if key in _UNITS else number(value, 3)
    shown = str(value)
    return shown if len(shown) < 60 else f"{shown[:57]}…"


def _versions(data: ReportData) -> str:
    made = f"Computed with pitchline {version(data)}. " if data.records else ""
    here = ", ".join(
        [f"pitchline {__version__}", *(f"{name} {installed(name)}" for name in ("numpy", "scipy", "matplotlib"))]
    )
    return f"{made}Report written with {here}, Python {platform.python_version()} on {platform.system()} {platform.machine()}."
