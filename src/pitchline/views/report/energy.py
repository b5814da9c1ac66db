"""Sections of the report: energy, tables, notes on the method, order maps of analyses in which the speed changes."""

from __future__ import annotations

import math
import platform
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version as installed
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.errors import PitchlineError
from pitchline.parts.meshes.drawing_report import natural_frequencies
from pitchline.results.order_track import OrderMap, order_map
from pitchline.results.result import Result
from pitchline.results.status import RELATIVE, Scales
from pitchline.results.tables_results import ResultTable, TableColumn
from pitchline.version import __version__

from .. import style
from ..order_maps import plot_map, run_up_speed
from ..style import axis_label, canvas, scaled_unit, unit_text
from .html import Html, Pictures, code, join, table, tag
from .numbers import ReportData, number, percent, quantity, seconds

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# ---- energy

# Energy balance: stored energy, work, dissipation, and the error of the time integration.

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


# ---- method

# Method: analyses, options, counts, computing times and versions.

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


# ---- result tables

# Tables of results in the report: numbers with engineering units, right aligned.

#: Parts of a table beyond which the report names the command that prints it.
MOST_PARTS = 60

#: Units of columns that a table fixes, and that the report scales to the size of the numbers.
_SCALED = ("", "kW", "N*mm", "um", "mrad")

#: Units of quantities that balance each other: small numbers are rounding.
_BALANCED = ("N", "N*m", "W")

_HEADS = {
    "K_Hb": "K_Hβ", "at": "Direction", "tilting": "Tilting moment", "transm. error": "Transmission error",
    "max. element": "Largest element load", "max. pressure": "Largest pressure", "z": "z",
}  # fmt: skip

_STATISTICS = {"mean": "mean", "max": "largest", "rms": "rms", "value": ""}


def result_table(
    made: ResultTable,
    heads: Sequence[str] = ("Part", "Kind"),
    *,
    columns: Sequence[str] = (),
    statistics: Sequence[str] = ("mean", "max"),
    command: str = "",
    scales: Scales | None = None,
) -> Html:
    """A table of the report: one row for each part and statistic.

    heads: of the columns with texts. columns: keys to show, in this order; by default all that texts show. Columns that
    are zero everywhere are left out. scales: largest magnitudes in the result; forces, moments and powers below 1e-6 of
    them are written as 0. command: name of the table for `pitchline tables`, if there are too many rows.
    """
    if len(made) > MOST_PARTS and command:
        words = f"The table has {len(made)} rows. The command pitchline tables RESULT {command} prints it."
        return tag("p", words, class_="where")
    kept = [of for of in made.statistics if of in statistics] or list(made.statistics)
    rounding = _rounding(made, scales)
    shown = [c for c in _chosen(made, columns) if _says_something(made, c, kept, rounding)]
    several = len(kept) > 1
    kinds = any(part.words for part in made.parts)
    units = {c.key: _unit(made, c, kept) for c in shown}
    titles = [
        heads[0], *(heads[1:2] if kinds else []), *([""] if several else []),
        *(f"{_capital(c.head)} ({unit})" if (unit := units[c.key][1]) else _capital(c.head) for c in shown),
    ]  # fmt: skip
    rows: list[list[object]] = []
    for part in made.parts:
        for n, of in enumerate(kept):
            values = part.values[of]
            if n and all(math.isnan(values[c.key]) for c in shown):
                continue
            texts: list[object] = [
                code(part.name) if n == 0 else "",
                *([part.words if n == 0 else ""] if kinds else []),
            ]
            texts += [_STATISTICS.get(of, of)] if several else []
            rows.append([*texts, *(_cell(values[c.key], units[c.key], rounding[c.key]) for c in shown)])
    texts_count = 1 + kinds + several
    return table(titles, rows, numbers=range(texts_count, len(titles)), class_="wide small")


def _chosen(made: ResultTable, columns: Sequence[str]) -> list[TableColumn]:
    if not columns:
        return [c for c in made.columns if not c.detail]
    by_key = {c.key: c for c in made.columns}
    return [by_key[key] for key in columns]


def _amounts(made: ResultTable, column: TableColumn, kept: Sequence[str]) -> list[float]:
    values = [abs(part.values[of][column.key]) for part in made.parts for of in kept]
    return [value for value in values if math.isfinite(value)]


def _rounding(made: ResultTable, scales: Scales | None) -> dict[str, float]:
    """Key of a column -> magnitude at and below which a number is written as 0."""
    found = made.rounding()
    if scales is not None:
        for c in made.columns:
            if c.unit in _BALANCED:
                found[c.key] = max(found[c.key], 1e-6 * scales.largest(c.unit))
    return found


def _says_something(made: ResultTable, column: TableColumn, kept: Sequence[str], rounding: dict[str, float]) -> bool:
    amounts = _amounts(made, column, kept)
    return bool(amounts) and (column.zeros or max(amounts) > rounding[column.key])


def _unit(made: ResultTable, column: TableColumn, kept: Sequence[str]) -> tuple[float, str, int]:
    """Factor and text of the unit of a column, and most decimals: one unit for all numbers of a column.

    The largest number of a column has four significant digits, the others at most two decimals more than it.
    """
    largest = max(_amounts(made, column, kept), default=0.0)
    if column.shown not in _SCALED:
        factor, text = column.factor, {"deg": "°"}.get(column.shown, unit_text(column.shown))
    else:
        factor, text = scaled_unit(column.unit, largest)
    size = math.floor(math.log10(factor * largest)) if largest > 0.0 else 0
    return factor, text, max(0, 5 - size)


def _cell(value: float, unit: tuple[float, str, int], rounding: float) -> str:
    factor, _, decimals = unit
    if math.isnan(value):
        return ""
    if abs(value) <= rounding:
        return "0"
    shown = factor * value
    if abs(shown) < 1e-3:  # a small number in a column of larger ones
        text = f"{round(shown, decimals):.{decimals}f}".rstrip("0").rstrip(".")
        return "0" if not text.strip("-0.") else text.replace("-", "−")
    return number(shown)


def _capital(words: str) -> str:
    return _HEADS.get(words, words[:1].upper() + words[1:] if words[:2] != "u_" else words)


def notes(made: ResultTable) -> Any:
    """The notes of a table as one paragraph."""
    return tag("p", " ".join(made.notes), class_="where") if made.notes else Html("")


#: A run-up: the speed changes by more than this fraction of the highest speed, in at least so many revolutions.
CHANGE, FEWEST_TURNS = 0.2, 5.0

#: Maps of one analysis, and multiples of the highest mesh order shown.
MOST_MAPS, MULTIPLES = 4, 3.5

#: Blocks in a record at least, revolutions in a block at most, and mesh cycles in a block at least.
_BLOCKS, _MOST_TURNS, _FEWEST_CYCLES = 16.0, 4.0, 3.0


def run_ups(data: ReportData, pictures: Pictures) -> Html:
    """Maps of the forces of gear pairs over the speed of the driven shaft."""
    if any(isinstance(found, OrderMap) for found in data.others.values()):
        return Html("")  # the report has the maps of the user
    parts = []
    for name, result in data.records.items():
        if result.kind == "statics" or result.samples < 3:
            continue
        joint = reference_joint(result, data.model_of(name))
        if joint is not None:
            parts.append(_maps(name, result, joint, data, pictures))
    return join(parts, "\n")


def reference_joint(result: Result, model: dict[str, object]) -> str | None:
    """The joint whose speed the maps show: the first driven or loaded one that runs up or down."""
    joints: list[str] = []
    for section in ("drives", "loads"):
        parts = model.get(section, {})
        joints += [part["joint_name"] for part in parts.values() if part.get("joint_name")]  # type: ignore[attr-defined]
    for joint in dict.fromkeys(joints):
        speed = result.signals.get(f"{joint}.angular_speed")
        if speed is None or f"{joint}.angle" not in result.signals:
            continue
        size = np.abs(speed.values)
        if np.all(np.isfinite(size)) and float(np.ptp(size)) > CHANGE * float(size.max(initial=0.0)):
            return joint
    return None


def mesh_orders(result: Result, angle: str) -> dict[str, float]:
    """Gear pair -> mesh cycles per revolution of a shaft, from the whole record."""
    turned = result.signals.get(angle)
    if turned is None:
        return {}
    turns = abs(float(turned.values[-1] - turned.values[0])) / (2.0 * np.pi)
    found = {}
    for name in result.names("*.phase"):
        cycles = abs(float(np.diff(np.unwrap(result[name].values, period=1.0)[[0, -1]])[0]))
        if turns > 0.1 and cycles > 0.5:
            found[name.removesuffix(".phase")] = cycles / turns
    return found


def named_orders(orders: dict[str, float], end: float) -> dict[str, float]:
    """Orders of meshes with their harmonics up to `end`."""
    marks = {f"{n} × {name}" if n > 1 else name: n * order for n in (1, 2, 3) for name, order in orders.items()}
    return {name: order for name, order in marks.items() if order <= end}


def _maps(name: str, result: Result, joint: str, data: ReportData, pictures: Pictures) -> Html:
    start, end_time = _window(result, joint)
    angle = result[f"{joint}.angle"].between(start, end_time)
    turns = abs(float(angle.values[-1] - angle.values[0])) / (2.0 * np.pi)
    if turns < FEWEST_TURNS:
        return Html("")
    orders = mesh_orders(result, f"{joint}.angle")
    pairs = [pair for pair in orders if f"{pair}.normal_force" in result.signals]
    parts = []
    for pair in _different(pairs, orders)[:MOST_MAPS]:
        try:
            block = min(_MOST_TURNS, max(turns / _BLOCKS, _FEWEST_CYCLES / orders[pair]))
            found = order_map(
                result[f"{pair}.normal_force"].between(start, end_time), angle, revolutions=block, overlap=0.9
            )
            if run_up_speed(found.speed) is None:
                continue
            end = min(float(found.order[-1]), MULTIPLES * orders[pair])
            figure = plot_map(
                found, end=end, orders=named_orders(orders, end), modes=natural_frequencies(data, result), title=""
            )
        except PitchlineError as error:
            parts.append(tag("p", "No order map of ", code(pair), f": {error}.", class_="where"))
            continue
        caption = (
            f"Amplitude of the normal force of {pair} by order of the speed of {joint}. Mesh orders are level lines, natural "
            "frequencies are hyperbolas."
        )
        parts.append(
            join([tag("h4", "Gear pair ", code(pair)), pictures.embed(figure, f"{name}: order map {pair}", caption)])
        )
    if not parts:
        return Html("")
    return join([tag("h3", code(name), f": {result.kind}" if name != result.kind else ""), *parts], "\n")


def _window(result: Result, joint: str) -> tuple[float, float]:
    """Times between which the speed goes from its lowest to its highest magnitude, or the other way round."""
    size = np.abs(result[f"{joint}.angular_speed"].values)
    low, high = float(size.min()), float(size.max())
    slow = np.flatnonzero(size <= low + 0.01 * (high - low))
    fast = np.flatnonzero(size >= high - 0.01 * (high - low))
    if slow[0] < fast[0]:
        first, last = slow[slow < fast[0]][-1], fast[0]
    else:
        first, last = fast[fast < slow[0]][-1], slow[0]
    return float(result.time[first]), float(result.time[last])


def _different(pairs: list[str], orders: dict[str, float]) -> list[str]:
    """One pair of each mesh order: planets of one stage have the same."""
    kept: list[str] = []
    for pair in pairs:
        if all(abs(orders[pair] - orders[other]) > 1e-3 * orders[pair] for other in kept):
            kept.append(pair)
    return kept
