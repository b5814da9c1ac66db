"""Reactions: forces and moments on one body, the housing or the ground, and their sum."""

from __future__ import annotations

import numpy as np

from ...errors import PitchlineError, near_names
from ...units import vector
from .interactions import interactions, not_counted
from .record import GROUND, Record
from .result_table import ResultTable, TableColumn, TableRow, statistics_of, table_of
from .support_table import NOT_UNIQUE_NOTE

__all__ = ["COLUMNS", "TOTAL", "reactions"]

COLUMNS = (
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
    return table_of(f"Reactions on {on}", COLUMNS, rows, _notes(record, on, point, about) + [NOT_UNIQUE_NOTE] * note)


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
