"""Loads: forces of all gear pairs, loads of bearings, bushings and joints, and of drives, springs and dampers."""

from __future__ import annotations

import math

import numpy as np

from pitchline.errors import PitchlineError
from pitchline.results.interactions import Record, interactions, not_counted, supports
from pitchline.results.result import Result
from pitchline.results.status import Scales, scales_of
from pitchline.results.tables_results import ResultTable, TableColumn, TableRow, statistics_of, table_of
from pitchline.views.report.energy import notes, result_table
from pitchline.views.report.html import Html, code, join, tag
from pitchline.views.report.numbers import ReportData

from ..bodies.drawing import joint_loads

_GEARS = ("tangential", "radial", "axial", "torque", "speed", "power", "face_load_factor")
_SUPPORTS = ("radial", "direction", "axial", "tilting", "torque")
_OTHERS = (
    TableColumn("force", "force", "N", zeros=False),
    TableColumn("moment", "torque or moment", "N*m", zeros=False),
)


def loads(data: ReportData) -> Html:
    """Tables for each analysis: statics has one value, dynamics a mean and the largest magnitude."""
    parts = []
    for name, result in data.records.items():
        if not result.samples or not result.signals:
            continue
        made = [part for part in _tables(result, data.model_of(name)) if part]
        if made:
            parts += [tag("h3", code(name), f": {result.kind}" if name != result.kind else ""), *made]
    return join(parts, "\n")


def _tables(result: Result, model: dict[str, object]) -> list[Html]:
    scales = scales_of(result)
    try:
        return [make(result, scales) for make in (_gears, _supports, _others, _reactions)]
    except (KeyError, PitchlineError):  # a record with a choice of signals only, without the poses of the bodies
        return [joint_loads(result, model)]


def _gears(result: Result, scales: Scales) -> Html:
    if not result.model.get("gear_pairs"):
        return Html("")
    made = result.gear_forces()
    words = (
        "Forces on the gear: the radial force is positive away from its mate, the axial force along the z axis of the gear. "
        "The torque is that of the teeth about the axis of the gear; the power is what the gear gives to the teeth."
    )
    if result.kind == "statics":
        words += " Speed and power follow from the speeds at which the model starts."
    shown = result_table(made, ("Gear pair and gear", "Gear"), columns=_GEARS, command="gear_forces", scales=scales)
    return join([tag("h4", "Gear forces"), shown, tag("p", words, class_="where")])


def _supports(result: Result, scales: Scales) -> Html:
    """Rolling bearings, bushings and joints in one table; a moment about the axis is that of a drive or a fixed joint."""
    made = result.bearing_loads(joints=True)
    if not len(made):
        return Html("")
    shown = result_table(
        made, ("Bearing", "Kind and bodies"), columns=_SUPPORTS, command="bearing_loads", scales=scales
    )
    words = (
        "Loads on the second body. The axial load is along the axis of the bearing, the radial load across it at the angle "
        "from the x to the y axis of the bearing; the tilting moment is across the axis."
    )
    remarks = [note for note in made.notes if note.startswith("(*)")]
    return join([tag("h4", "Bearing loads"), shown, tag("p", " ".join([words, *remarks]), class_="where")])


def _reactions(result: Result, scales: Scales) -> Html:
    """Forces and moments on the ground, and their sum: the load of the foundation."""
    made = result.reactions()
    if len(made) < 3:  # one part and the sum, or nothing
        return Html("")
    shown = result_table(made, ("Part", "Kind and bodies"), command="reactions", scales=scales)
    return join([tag("h4", made.title), shown, notes(made)])


def _others(result: Result, scales: Scales) -> Html:
    """Drives, loads on joints, springs, dampers, rods and elements: magnitudes of force and moment."""
    record = Record(result)
    known = {one.name for one in supports(record)} | set(result.model.get("gear_pairs", {}))
    rows = []
    for one in interactions(record):
        if one.name in known:
            continue
        sizes = {"force": np.linalg.norm(one.force, axis=1), "moment": np.linalg.norm(one.moment, axis=1)}
        found = {of: dict(values) for of, values in statistics_of(sizes, record.time).items()}
        for values in found.values():
            values.update({key: math.nan for key, value in values.items() if value == 0.0})
        if all(math.isnan(value) for values in found.values() for value in values.values()):
            continue
        rows.append(TableRow(one.name, f"{one.words}, {one.body_a} – {one.body_b}", found))
    if not rows:
        return Html("")
    made: ResultTable = table_of("", _OTHERS, rows)
    left = not_counted(record)
    more = f" Without {', '.join(left)}, whose signals do not contain their forces." if left else ""
    words = f"Magnitudes of the force and of the moment between the two bodies.{more}"
    shown = result_table(made, ("Part", "Kind and bodies"), scales=scales)
    return join([tag("h4", "Drives, loads, springs and dampers"), shown, tag("p", words, class_="where")])
