"""The report as a page: its order, data sheets of gear pairs, warnings, histories of signals."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.storage.free_names import check_target, size_text, write_text
from pitchline.errors import PitchlineError
from pitchline.parts.gears import part as described_gears
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.pair import GearPair
from pitchline.parts.gears.geometry.rack import Rack
from pitchline.parts.gears.geometry.table import data_sheet
from pitchline.parts.meshes.drawing_report import meshes, sharing
from pitchline.parts.shafts.drawing import shafts
from pitchline.parts.springs.drawing import loads
from pitchline.results.modes import Campbell, Modes
from pitchline.results.result import Result
from pitchline.results.series import plain_data
from pitchline.results.signal import Signal
from pitchline.results.status import RELATIVE, Scales, Status, scales_of
from pitchline.results.tables_results import TOTAL, ResultTable
from pitchline.viewer.records import NotViewable, ViewRecord, page_html, record_of

from ..plots import plot
from ..style import scaled_unit, unit_text
from .energy import energy, method, result_table, run_ups, version
from .html import STYLE, Html, Pictures, code, join, section, table, tag, text
from .model_words import linear, model_section, parts
from .numbers import ReportData, counted, number, percent, quantity, studies

#: Sheets in one report.
MOST_SHEETS = 12

_UNITS = {"m": (1e3, "mm"), "rad": (180.0 / math.pi, "°")}


def sheets(model: dict[str, Any]) -> Html:
    """One sheet for each kind of pair; equal pairs share one."""
    found: dict[str, tuple[list[str], dict[str, Any]]] = {}
    wheels = model.get("wheels", {})
    for name, said in model.get("gear_pairs", {}).items():
        gears = [wheels.get(said.get(side), {}).get("gear") for side in ("wheel_a", "wheel_b")]
        key = json.dumps([gears, said.get("kind"), round(said.get("centre_distance", 0.0), 12)], sort_keys=True)
        found.setdefault(key, ([], said))[0].append(name)
    parts: list[Html] = []
    for names, said in found.values():
        made = described_gears.pair_of(said, model)
        if made is None or len(parts) >= MOST_SHEETS:
            continue
        heading = tag("h3", join(map(code, names[:6]), ", "), f" and {len(names) - 6} more" if len(names) > 6 else "")
        parts.append(join([heading, _sheet(made, said)]))
    if not parts:
        return Html("")
    words = "Symbols and signs as in ISO 21771; data of bevel gears are in the middle of the face."
    return join([tag("p", words, class_="where"), *parts], "\n")


def _sheet(pair: GearPair, said: dict[str, Any]) -> Html:
    """Data of both gears side by side, and of the pair."""
    sides = [_rows(pair.a), _rows(pair.b)]
    names: dict[str, tuple[str, str]] = {}
    for side in sides:
        names.update({name: (symbol, unit) for name, (symbol, _, unit) in side.items()})
    order = [name for name in sides[0]] + [name for name in sides[1] if name not in sides[0]]
    rows: list[list[object]] = []
    for name in order:
        symbol, unit = names[name]
        cells = [side[name][1] if name in side else "" for side in sides]
        rows.append([_symbol(symbol), name.replace("_", " "), *cells, unit])
    words = [
        data_sheet(item).words if isinstance(item, Gear) else {"material": item.material.name}
        for item in (pair.a, pair.b)
    ]
    heads = ["", "Quantity", code(said["wheel_a"]), code(said["wheel_b"]), ""]
    whole = table(heads, rows, numbers=(2, 3), class_="small")
    pair_rows = [
        [_symbol(symbol), name.replace("_", " "), value, unit] for name, (symbol, value, unit) in _rows(pair).items()
    ]
    if pair.warnings:
        notes = tag("ul", *(tag("li", warning) for warning in pair.warnings))
    else:
        notes = Html("")
    below = table(["", f"{str(pair.kind).capitalize()} pair", "Value", ""], pair_rows, numbers=(2,), class_="small")
    remarks = [_remarks(said[f"wheel_{side}"], texts) for side, texts in zip("ab", words, strict=True)]
    return join([tag("div", whole, tag("div", below, *remarks, notes), class_="sheets")])


def _remarks(wheel: str, texts: Mapping[str, str]) -> Html:
    """Modifications, tool, body and material of one gear, in a sentence."""
    found = [f"{name} {texts[name]}" for name in ("modifications", "tool", "body", "material") if texts.get(name)]
    return tag("p", code(wheel), f": {'; '.join(found)}.", class_="where") if found else Html("")


def _rows(item: Gear | Rack | GearPair) -> dict[str, tuple[str, str, str]]:
    """Name -> symbol, value and unit; angles and ratios that are always zero are left out."""
    found = {}
    for row in data_sheet(item):
        scale, unit = _UNITS.get(row.unit, (1.0, row.unit))
        if row.value == 0.0 and row.name in ("helix_angle", "base_helix_angle", "cone_angle", "overlap_ratio"):
            continue
        value = number(int(row.value)) if row.name == "teeth" else number(_tidy(scale * row.value), 5)
        found[row.name] = (row.symbol, value, unit)
    return found


def _tidy(value: float) -> float:
    return 0.0 if abs(value) < 1e-9 else value


def _symbol(symbol: str) -> Html:
    """A symbol with its subscript."""
    letter, _, index = symbol.partition("_")
    return tag("span", tag("i", letter), tag("sub", index) if index else "")


# ---- findings

# Key results: the figures of a run, with units and expected values.


def findings(figures: tuple[Any, ...]) -> Html:
    """A table of figures, one row for each component; with expected values and differences if any figure has one."""
    if not figures:
        return Html("")
    read = [_read(figure) for figure in figures]
    closed = any(expected is not None for *_, expected, _ in read)
    heads = ["Result", "Description", "Value", "Unit", *(["Expected", "Difference"] if closed else [])]
    scales = Scales((value, unit) for _, _, found, unit, expected, _ in read for value in _numbers(found, expected))
    rows = []
    for key, words, value, unit, expected, digits in read:
        values = _parts(value)
        wanted = _parts(expected) if expected is not None else [None] * len(values)
        least = scales.least(unit)
        size = _size(wanted) if _size(wanted) > least else least / RELATIVE
        for i, part in enumerate(values):
            label = f"{key}[{i}]" if len(values) > 1 else key
            row: list[object] = [code(label), words if i == 0 else "", _shown(part, least, digits), unit_text(unit)]
            if closed and wanted[i] is None:
                row += ["", ""]
            elif closed:
                row += [_shown(wanted[i], least, digits), _difference(part, wanted[i], size, least)]
            rows.append(row)
    words = "Expected: value of the closed form. The difference is a fraction of the expected value, or of its largest component."
    made = table(heads, rows, numbers=(2, 4, 5), class_="wide")
    return join([made, tag("p", words, class_="where")]) if closed else made


def _read(figure: Any) -> tuple[str, str, Any, str, Any, int]:
    """Key, description, value, unit, expected value and digits of a figure, or of a tuple (key, value, unit, description)."""
    if isinstance(figure, (tuple, list)) and not hasattr(figure, "key"):
        key, value, unit, words = [*figure, "", "", ""][:4]
        return str(key), str(words), plain_data(value), str(unit), None, 6
    words = getattr(figure, "description", "") or getattr(figure, "text", "")
    expected = getattr(figure, "expected", None)
    return (
        figure.key,
        str(words),
        plain_data(figure.value),
        figure.unit or "",
        plain_data(expected),
        int(getattr(figure, "digits", 6)),
    )


def _parts(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _size(values: list[Any]) -> float:
    return max((abs(v) for v in values if isinstance(v, (int, float)) and math.isfinite(v)), default=0.0)


def _numbers(*values: Any) -> list[float]:
    """All numbers in values that may be lists or missing."""
    parts = [part for value in values for part in _parts(value)]
    return [float(part) for part in parts if isinstance(part, (int, float)) and not isinstance(part, bool)]


def _shown(value: Any, least: float, digits: int) -> str:
    if value is None:
        return "–"
    if isinstance(value, float) and abs(value) <= least:
        return "0"
    return number(value, digits)


def _difference(value: Any, wanted: Any, size: float, least: float) -> object:
    if isinstance(value, bool) or isinstance(wanted, bool):
        return "as expected" if bool(value) == bool(wanted) else tag("b", "differs")
    if value is None or not math.isfinite(value) or not math.isfinite(wanted):
        return "–"
    if abs(value - wanted) <= max(least, RELATIVE * size) or size == 0.0:
        return "0 %"
    off = (value - wanted) / size
    return f"{'+' if off > 0.0 and abs(off) >= 1e-5 else ''}{percent(off, 2)}"


# ---- header

# Head of the report: title, model, date, version and source, status of the analyses, and warnings.

CHIPS = {Status.COMPLETED: "good", Status.INTERRUPTED: "warn", Status.FAILED: "bad"}


def head(data: ReportData, version: str, contents: Html) -> Html:
    """Title block and table of contents."""
    facts = [("Model", data.name), ("Source", data.source), ("Date", f"{datetime.now():%Y-%m-%d %H:%M}")]
    facts += [("pitchline", version)]
    meta = join(tag("span", f"{key} ", tag("b", value)) for key, value in facts if value)
    ran = [
        f"{name} ({result.kind})" if isinstance(result, Result) and result.kind != name else name
        for name, result in data.results.items()
    ]
    below = f"{'Analysis' if len(ran) == 1 else 'Analyses'}: {', '.join(ran)}" if ran else "Model without analysis"
    return tag(
        "header",
        tag("h1", data.title, chip(data.worst) if data.records else ""),
        tag("p", below, class_="subtitle"),
        tag("div", meta, class_="meta"),
        tag("nav", contents, aria_label="contents"),
    )


def chip(status: Status) -> Html:
    """Status of an analysis as a small label."""
    return tag("span", str(status), class_=f"chip {CHIPS[status]}")


def alerts(data: ReportData) -> Html:
    """Analyses that did not complete, and how many warnings there are: what a reader must know first."""
    boxes = []
    for name, record in data.records.items():
        if record.status is not Status.COMPLETED:
            words = [record.message, record.status.advice]
            box = [tag("p", sentence) for sentence in words if sentence]
            bad = "note bad" if record.status is Status.FAILED else "note"
            boxes.append(tag("div", tag("h3", f"{name}: {record.kind} {record.status}"), *box, class_=bad))
    count = len(_warnings(data))
    if count:
        link = tag("a", counted(count, "warning"), href="#warnings")
        boxes.append(tag("p", "This report has ", link, ".", class_="where"))
    return tag("section", *boxes, id="status") if boxes else Html("")


def warnings(data: ReportData) -> Html:
    """All warnings, each once, with the analyses that it concerns."""
    found = _warnings(data)
    items = []
    for warning, names in found.items():
        every = len(names) == len(data.results)
        place = "" if every else tag("span", " (", join(map(code, names), ", "), ")", class_="where")
        items.append(tag("li", _sentence(warning), place))
    return tag("div", tag("ul", *items), class_="note") if items else Html("")


def _warnings(data: ReportData) -> dict[str, list[str]]:
    where: dict[str, list[str]] = {}
    for name, result in data.results.items():
        for warning in getattr(result, "warnings", ()):
            where.setdefault(warning, []).append(name)
    return where


def _sentence(words: str) -> str:
    words = words.strip()
    words = words[:1].upper() + words[1:]
    return words if words.endswith((".", "!", "?")) else f"{words}."


# ---- power

# Power flow and losses, with the overall efficiency and a check sum.

#: Fraction of the power in below which a power is written as 0.
_NOTHING = 1e-6

_ENERGIES = ("kinetic", "potential", "dissipated")


def power(data: ReportData) -> Html:
    """A table of each analysis in which something moves, and the balance of its mean powers."""
    parts = []
    for name, result in data.records.items():
        if result.kind == "statics" or result.samples < 2:
            continue
        try:
            made = result.power_flow()
        except (KeyError, PitchlineError):  # a record with a choice of signals only
            continue
        if not len(made):
            continue
        heads = ("Part", "Kind")
        shown = result_table(made, heads, statistics=("mean",), command="power_flow")
        parts += [
            tag("h3", code(name), f": {result.kind}" if name != result.kind else ""),
            shown,
            _balance(result, made),
        ]
    words = (
        "Means over the record. Power in is positive if a drive or load gives power to the machine, and negative if it takes "
        "power out. The loss of an elastic part includes the energy that it stores."
    )
    return join([tag("p", words, class_="where"), *parts], "\n") if parts else Html("")


def _balance(result: Result, made: ResultTable) -> Html:
    """Power in, out, dissipated and stored; their sum is zero but for the error of the time integration."""
    sources = [
        part.values[made.statistics[0]]["power"] for part in made.parts if part.name != TOTAL
    ]  # fmt: skip
    means = [value for value in sources if np.isfinite(value)]
    given, taken = sum(p for p in means if p > 0.0), -sum(p for p in means if p < 0.0)
    if not given:
        return Html("")
    rows: list[tuple[str, float]] = [("Power in", given), ("Power out", -taken)]
    if all(f"energy.{key}" in result.signals for key in _ENERGIES):
        span = float(result.time[-1] - result.time[0])
        kinetic, potential, dissipated = (
            float(np.diff(result[f"energy.{key}"].values[[0, -1]])[0]) / span for key in _ENERGIES
        )
        stored = kinetic + potential
        rest = given - taken - dissipated - stored
        rows += [("Losses", -dissipated), ("Change of stored energy", -stored), ("Check sum", rest)]
    shown = []
    for words, value in rows:
        value = 0.0 if abs(value) <= _NOTHING * given else value
        shown.append([words, quantity(value, "W") if value else "0", percent(value / given)])
    efficiency = ""
    if 0.0 < taken <= given:
        efficiency = f"Mean power out over mean power in: {number(100.0 * taken / given)} %"
        steady = len(rows) == 2 or abs(rows[3][1]) <= 0.01 * given
        efficiency += (
            ". " if steady else ", with a change of the stored energy. It is not the efficiency of steady running. "
        )
    words = (
        f"{efficiency}The check sum is power in and out minus losses and change of stored energy. It is zero except for the "
        "averaging of samples and the error of the time integration."
        if len(rows) > 2
        else efficiency
    )
    return join(
        [
            tag("h4", "Balance of mean powers"),
            table(["", "Mean power", "Fraction of power in"], shown, numbers=(1, 2), class_="small"),
            tag("p", words, class_="where") if words else "",
        ]
    )


# ---- scene

# 3D view of the machine in motion: the viewer page inside the report.

_WITH_SIGNALS, _MOST = 6_000_000, 25_000_000
"""Size of a page in bytes up to which it includes the signals, and above which the report leaves the view out."""


def scene(data: ReportData) -> Html:
    """The view, or a sentence why there is none; empty if no result can be viewed."""
    try:
        shown = _page(data, signals=True)
        if shown is not None and len(shown) > _WITH_SIGNALS:
            shown = _page(data, signals=False)
    except PitchlineError as error:
        return tag("p", f"The 3D view is not available: {error}.", class_="where")
    if shown is None:
        return Html("")
    if len(shown) > _MOST:
        words = f"The 3D view takes {size_text(len(shown))} and is left out. Use the command pitchline view with the result file."
        return tag("p", words, class_="where")
    frame = tag(
        "iframe", title=f"{data.title} in three dimensions", class_="view", sandbox="allow-scripts allow-downloads",
        allow="fullscreen", loading="lazy", srcdoc=shown,
    )  # fmt: skip
    words = (
        "Drag to rotate the view, or with the right button to move it. Click into the view to zoom with the mouse wheel. "
        "Press space to play and stop."
    )
    return join([frame, tag("p", words, class_="where")], "\n")


def _page(data: ReportData, *, signals: bool) -> str | None:
    """Page of all results that can be viewed; the last one with motion comes first."""
    order = sorted(data.results.items(), key=lambda item: _moves(item[1]))
    order = [*order[-1:], *(item for item in data.results.items() if item[0] != order[-1][0])] if order else []
    records: list[ViewRecord] = []
    for name, result in order:
        try:
            records.append(record_of(result, name, signals=signals))
        except NotViewable:
            continue
    return page_html(records, data.title) if records else None


def _moves(result: Any) -> bool:
    return isinstance(result, Result) and result.samples > 1 and bool(result.model)


# ---- signal choice

# Default choice of the signals that a report shows.

#: Lines in one panel, and panels in one picture.
MOST_LINES, MOST_PANELS = 6, 5

#: Signals of the motion of joints: speeds and positions.
_SPEEDS = ("angular_speed", "speed")
_POSITIONS = ("angle", "displacement")


def main_signals(result: Result, model: dict[str, Any]) -> list[str]:
    """Speeds of driven and loaded joints, tooth forces, torques and forces of drives and loads; otherwise motions of bodies."""
    chosen: dict[str, list[str]] = {}
    for name in _candidates(result, model):
        if name not in result.signals or not _tells(result, name):
            continue
        unit = result.signals[name].unit
        lines = chosen.setdefault(unit, [])
        width = max(1, len(result.signals[name].components))
        taken = sum(max(1, len(result.signals[line].components)) for line in lines)
        if name not in lines and taken + width <= MOST_LINES:
            lines.append(name)
    panels = [names for names in chosen.values() if names][:MOST_PANELS]
    return [name for names in panels for name in names]


def _candidates(result: Result, model: dict[str, Any]) -> Iterator[str]:
    joints, drives, loads = (model.get(key, {}) for key in ("joints", "drives", "loads"))
    pairs = model.get("gear_pairs", {})
    driven = [drive.get("joint_name") for drive in drives.values()]
    loaded = [load["joint_name"] for load in loads.values() if "joint_name" in load]
    moved_to = {drive.get("joint_name") for drive in drives.values() if drive.get("given") == "position"}
    for joint in dict.fromkeys(filter(None, driven + loaded)):
        yield from (f"{joint}.{kind}" for kind in (_POSITIONS if joint in moved_to else _SPEEDS))
    if not driven and not loaded:
        yield from (f"{joint}.{kind}" for joint in list(joints)[:MOST_LINES] for kind in _SPEEDS)
    yield from _largest(result, [f"{pair}.normal_force" for pair in pairs])
    for name in [*drives, *loads]:
        for kind in ("torque", "force"):
            signal = result.signals.get(f"{name}.{kind}")
            # loads that change; constants are in the table of loads
            if signal is not None and not signal.components and (name in drives or np.ptp(signal.values) > 0.0):
                yield signal.name
    elastic = [
        name for name, pair in pairs.items() if pair.get("mesh", {}).get("type") in ("Elastic", "Loaded", "Flank")
    ]
    yield from (f"{pair}.transmission_error" for pair in elastic[:MOST_LINES])
    held = _held(joints)
    free = [name for name in model.get("bodies", {}) if name not in held]
    if not pairs:
        yield from (f"{body}.position" for body in free[:2])
    if not joints and not pairs:
        yield from (f"{body}.angular_velocity" for body in free[:2])
    if not model:  # a result without a model
        yield from result.signals


def _held(joints: dict[str, Any]) -> set[str]:
    """Bodies that are fixed to the ground."""
    sides = [
        (joint.get("frame_a", {}), joint.get("frame_b", {}))
        for joint in joints.values()
        if joint.get("kind") == "fixed"
    ]
    names = [{a.get("body_name"), b.get("body_name")} for a, b in sides]
    return {str(name) for pair in names if "ground" in pair for name in pair if name}


def _largest(result: Result, names: Iterable[str]) -> list[str]:
    """The signals with the largest magnitudes, in the order of the model."""
    here = [name for name in names if name in result.signals]
    if len(here) <= MOST_LINES:
        return here
    peaks = {name: float(np.nanmax(np.abs(result.signals[name].values), initial=0.0)) for name in here}
    keep = sorted(here, key=lambda name: -peaks[name])[:MOST_LINES]
    return [name for name in here if name in keep]


def _tells(result: Result, name: str) -> bool:
    """Whether a signal has a finite value other than zero."""
    values = result.signals[name].values
    return bool(np.any(np.isfinite(values) & (values != 0.0)))


# ---- records

# Time histories: the main signals of each analysis as a picture and as a table.


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


# ---- page

# The whole page: its sections in order.


def page(data: ReportData, *, with_scene: bool = True) -> str:
    """The whole page."""
    pictures = Pictures()
    sections = [
        ("key-results", "Key results", [findings(data.figures)]),
        ("machine", "Machine", [model_section(data, pictures)]),
        ("view", "3D view", [scene(data)] if with_scene else []),
        ("gears", "Gear data", [sheets(data.model)]),
        ("loads", "Loads", [loads(data)]),
        ("shafts", "Shafts and rolling bearings", [shafts(data, pictures)]),
        ("power", "Power flow and losses", [power(data)]),
        ("sharing", "Load sharing", [sharing(data, pictures)]),
        ("histories", "Time histories", [histories(data, pictures)]),
        ("gear-pairs", "Gear pairs", [meshes(data, pictures)]),
        ("run-up", "Order maps", [run_ups(data, pictures)]),
        ("vibration", "Natural frequencies and vibration", [_others(data, pictures)]),
        ("studies", "Studies", [studies(data, pictures)]),
        ("energy", "Energy balance", [energy(data, pictures)]),
        ("warnings", "Warnings", [warnings(data)]),
        ("method", "Method", [method(data)]),
        ("parts", "Parts of the model", [parts(data.model)]),
    ]
    made = [(key, heading, section(key, heading, *content)) for key, heading, content in sections]
    contents = join(tag("a", heading, href=f"#{key}") for key, heading, content in made if content)
    body = join([head(data, version(data), contents), alerts(data), *(content for *_, content in made), _foot()])
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{text(data.title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="pitchline">\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n'
    )


def _others(data: ReportData, pictures: Pictures) -> Html:
    """Campbell diagrams and modes first, then other results with a picture."""
    first = (Campbell, Modes)
    order = sorted(
        data.others.items(), key=lambda item: next((i for i, c in enumerate(first) if isinstance(item[1], c)), 9)
    )
    return join((linear(name, found, data, pictures) for name, found in order), "\n")


def _foot() -> Html:
    return tag("footer", "Written by pitchline: gears in three-dimensional multibody dynamics.")


# ---- write report

# write_report: arguments and output file.


@names_wrong_arguments
def write_report(
    path: str | Path,
    results: Any,
    *,
    model: Any = None,
    figures: Sequence[Any] = (),
    signals: Sequence[str] = (),
    plots: Mapping[str, Callable[[], Any]] | None = None,
    title: str | None = None,
    source: object = None,
    scene: bool = True,
    overwrite: bool = False,
) -> Path:
    """Write a report on a model and its results, one self-contained HTML file; returns its path.

    results:   a `Result`, `Modes`, `FrequencyResponse` or `Campbell`, or a dict of these by name, in order
    model:     the `Model`, or its `describe()`; by default the model of the last result
    figures:   key results: objects with key, value, unit and description (optional: `expected`, the closed form), or
               tuples (key, value, unit, description)
    signals:   signals to draw over time, names or patterns; by default the main signals of each result
    plots:     name of a result -> function that returns its picture, for results of studies in place of the usual picture
    title:     heading; by default the name of the model
    source:    file of the model
    scene:     whether the report includes the 3D view in motion, which takes 0.3 MB to several MB
    overwrite: whether an existing file may be replaced

    Pictures are inside the file and nothing is loaded from elsewhere. It prints on A4. The file is written completely or
    not at all.
    """
    if isinstance(signals, str):
        signals = (signals,)
    check_target(Path(path).expanduser(), overwrite=overwrite)  # before the pictures are drawn, which takes seconds
    # imported at first use: the sections need the packages of gears and models
    pass
    from .numbers import report_data

    data = report_data(results, model=model, figures=figures, title=title, source=source, signals=signals, plots=plots)
    return write_text(path, page(data, with_scene=scene), overwrite=overwrite)
