"""Tables of machines in the report: forces of gears, loads of bearings, shafts, reactions, power flow."""

from __future__ import annotations

from typing import Any

from pitchline.results import Result
from pitchline.results.tables.all_tables import is_gearbox
from pitchline.results.tables.result_table import ResultTable
from pitchline.views.report.html import Html, code, join, table, tag

#: Parts of a table beyond which the report names the command that prints it.
MOST_PARTS = 60


def result_tables(result: Result, model: dict[str, Any]) -> Html:
    """Those of a model with shafts, bearings or bushings; nothing of others, whose joints have a table of their own."""
    if not has_supports(model):
        return Html("")
    return join((_shown(name, made) for name, made in result.tables().items()), "\n")


def has_supports(model: dict[str, Any]) -> bool:
    """Whether there are bearings, bushings or shafts."""
    return is_gearbox(model) or any(load.get("type") == "Bushing" for load in model.get("loads", {}).values())


def _shown(name: str, made: ResultTable) -> Html:
    heading = tag("h4", made.title)
    if len(made) > MOST_PARTS:
        return join(
            [heading, tag("p", f"{len(made)} parts: pitchline tables RESULT {name} prints them.", class_="where")]
        )
    heads, rows = made.cells()
    texts = heads.index("of") + 1 if "of" in heads else 1 + ("what" in heads)
    cells = [[code(row[0]) if row[0] else "", *row[1:]] for row in rows]
    notes = tag("p", " ".join(made.notes), class_="where")
    return join([heading, notes, table(heads, cells, numbers=range(texts, len(heads)), class_="wide small")])
