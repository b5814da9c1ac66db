"""Tables of machines in the report: forces of gears, loads of bearings, shafts, reactions, power flow."""

from __future__ import annotations

from typing import Any

from pitchline.results import Result
from pitchline.results.tables.all_tables import is_gearbox
from pitchline.results.tables.result_table import ResultTable
from pitchline.views import style
from pitchline.views.bearing_chart import bearing_names, plot_bearing
from pitchline.views.report.html import Html, code, join, table, tag
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.shaft_chart import plot_shaft

#: Pictures of shafts and bearings in one report.
MOST_SHAFTS, MOST_BEARINGS = 6, 9

#: Parts of a table beyond which the report names the command that prints it.
MOST_PARTS = 60


def result_tables(result: Result, model: dict[str, Any]) -> Html:
    """Those of a model with shafts, bearings or bushings; nothing of others, whose joints have a table of their own."""
    if not has_supports(model):
        return Html("")
    return join((_shown(name, made) for name, made in result.tables().items()), "\n")


def machine_pictures(name: str, result: Result, pictures: Pictures) -> Html:
    """Shafts along their axes and loads of rolling elements at the last sample."""
    if result.kind == "kinematics":
        return Html("")
    parts = []
    for shaft in list(result.model.get("shafts", {}))[:MOST_SHAFTS]:
        figure = plot_shaft(result, shaft, title="", panel_height=1.35)
        caption = f"Shaft {shaft}: what sits on it, deflection, moments and nominal stresses along its axis."
        parts += [tag("h4", f"Shaft {shaft}"), pictures.embed(figure, f"{name}: shaft {shaft}", caption)]
    bearings = bearing_names(result)[:MOST_BEARINGS]
    if bearings:
        figure = plot_bearing(result, *bearings, title="", width=style.WIDTH)
        caption = (
            "Loads of the rolling elements in axes of the outer rings; the arrow is the radial load on the outer ring."
        )
        parts += [tag("h4", "Loads of rolling elements"), pictures.embed(figure, f"{name}: rolling elements", caption)]
    return join(parts, "\n")


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
