"""Tables of a result: reactions on one body, and all tables that a result has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pitchline.errors import PitchlineError, near_names
from pitchline.parts.bearings import results as life_table
from pitchline.parts.bearings import results as support_table
from pitchline.parts.bearings.results import NOT_UNIQUE_NOTE
from pitchline.parts.gears import results as gear_table
from pitchline.parts.shafts import results as shaft_table
from pitchline.units.quantity import vector

from . import tables_results as power_table
from .interactions import BEARING, GROUND, Record, interactions, not_counted
from .tables_results import ResultTable, TableColumn, TableRow, statistics_of, table_of

__all__ = ["_COLUMNS", "TOTAL", "reactions", "COLUMNS_OF", "is_gearbox", "tables_of"]


_COLUMNS = (
    *(TableColumn(f"force_{axis}", f"F_{axis}", "N") for axis in "xyz"),
    TableColumn("force", "|F|", "N"),
    *(TableColumn(f"moment_{axis}", f"M_{axis}", "N*m") for axis in "xyz"),
    TableColumn("moment", "|M|", "N*m"),
)
TOTAL = "total"


def reactions(record: Record, on: str = GROUND, about: object = None) -> ResultTable:
    """Forces and moments on the body or structure `on`, world axes; moments about a point in m, by default the origin."""
    known = [*record.bodies, *record.structures]
    if on not in known:
        raise PitchlineError(f'reactions: there is no body "{on}"; {near_names(on, known)}')
    own = {on, *record.structures.get(on, ())}
    point = np.zeros(3) if about is None else vector(about, "length", what="about")
    rows, sums, note = [], np.zeros((record.count, 6)), False
    for one in interactions(record):
        sign = (one.body_b in own) - (one.body_a in own)
        if sign == 0:
            continue
        wrench = sign * np.concatenate([one.force, one.moment_about(point)], axis=1)
        sums = sums + wrench
        note = note or not one.unique
        other = one.body_a if one.body_b in own else one.body_b
        words = f"{one.words}, from {other}" + ("" if one.unique else " (*)")
        rows.append(TableRow(one.name, words, statistics_of(_quantities(wrench), record.time)))
    if rows:
        rows.append(TableRow(TOTAL, "", statistics_of(_quantities(sums), record.time)))
    return table_of(f"Reactions on {on}", _COLUMNS, rows, _notes(record, on, point, about) + [NOT_UNIQUE_NOTE] * note)


def _notes(record: Record, on: str, point: np.ndarray, about: object) -> list[str]:
    where = "the origin" if about is None else f"({', '.join(f'{x:g}' for x in point)}) m"
    notes = [f"World axes; moments about {where}. External loads on {on} and its weight are not included."]
    if any(on in stations for stations in record.structures.values()):
        notes.append(
            "Forces of the rest of the shaft or body on this station are not included; name the shaft or body for all its stations."
        )
    left = not_counted(record)
    if left:
        notes.append(f"Not included, because their signals do not contain their forces: {', '.join(left)}.")
    return notes


def _quantities(wrench: np.ndarray) -> dict[str, np.ndarray]:
    return {
        **{f"force_{axis}": wrench[:, i] for i, axis in enumerate("xyz")},
        "force": np.linalg.norm(wrench[:, :3], axis=1),
        **{f"moment_{axis}": wrench[:, 3 + i] for i, axis in enumerate("xyz")},
        "moment": np.linalg.norm(wrench[:, 3:], axis=1),
    }


# ---- all tables

# All tables of a result by name, for the command line, reports and figures of files.

_MAKERS: dict[str, Callable[[Record], ResultTable]] = {
    "gear_forces": gear_table.gear_forces,
    "bearing_loads": support_table.bearing_loads,
    "bearing_lives": lambda record: life_table.bearing_lives([record], [1.0]),
    "shaft_deflections": shaft_table.shaft_deflections,
    "reactions": reactions,
    "power_flow": power_table.power_flow,
}
COLUMNS_OF: dict[str, tuple[TableColumn, ...]] = {
    "gear_forces": gear_table._COLUMNS,
    "bearing_loads": support_table._COLUMNS_support_table,
    "bearing_lives": life_table._COLUMNS,
    "shaft_deflections": shaft_table._COLUMNS,
    "reactions": _COLUMNS,
    "power_flow": power_table._COLUMNS,
}
"""Columns of each table, for figures of files."""


def tables_of(record: Record) -> dict[str, ResultTable]:
    """All tables that have rows. Statics has no power flow; kinematics has no deflections and bearing lives."""
    left_out = {"statics": ("power_flow",), "kinematics": ("shaft_deflections", "bearing_lives")}.get(
        record.result.kind, ()
    )
    made = {name: make(record) for name, make in _MAKERS.items() if name not in left_out}
    return {name: table for name, table in made.items() if len(table)}


def is_gearbox(model: Mapping[str, Any]) -> bool:
    """Whether the model has shafts or rolling bearings, so that tables are its main result."""
    bearings = any(said.get("key") == BEARING for said in model.get("elements", {}).values())
    return bearings or bool(model.get("shafts"))
