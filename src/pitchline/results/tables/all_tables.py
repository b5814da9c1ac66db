"""All tables of a result by name, for the command line, reports and figures of files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import gear_table, life_table, power_table, reaction_table, shaft_table, support_table
from .interactions import BEARING
from .record import Record
from .result_table import ResultTable, TableColumn

__all__ = ["COLUMNS_OF", "is_gearbox", "tables_of"]

_MAKERS: dict[str, Callable[[Record], ResultTable]] = {
    "gear_forces": gear_table.gear_forces,
    "bearing_loads": support_table.bearing_loads,
    "bearing_lives": lambda record: life_table.bearing_lives([record], [1.0]),
    "shaft_deflections": shaft_table.shaft_deflections,
    "reactions": reaction_table.reactions,
    "power_flow": power_table.power_flow,
}
COLUMNS_OF: dict[str, tuple[TableColumn, ...]] = {
    "gear_forces": gear_table.COLUMNS,
    "bearing_loads": support_table.COLUMNS,
    "bearing_lives": life_table.COLUMNS,
    "shaft_deflections": shaft_table.COLUMNS,
    "reactions": reaction_table.COLUMNS,
    "power_flow": power_table.COLUMNS,
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
