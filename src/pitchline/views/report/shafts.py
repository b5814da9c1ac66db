"""Shafts and rolling bearings: lives, deflections and stresses, with pictures."""

from __future__ import annotations

from pitchline.errors import PitchlineError
from pitchline.results import Result
from pitchline.results.tables.all_tables import is_gearbox
from pitchline.views import style
from pitchline.views.bearing_chart import bearing_names, plot_bearing
from pitchline.views.report.html import Html, code, join, tag
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.report.report_data import ReportData
from pitchline.views.report.result_tables import notes, result_table
from pitchline.views.shaft_chart import plot_shaft

#: Pictures of shafts and bearings in one report.
MOST_SHAFTS, MOST_BEARINGS = 6, 9


def shafts(data: ReportData, pictures: Pictures) -> Html:
    """Tables and pictures of each analysis with loads, for models with shafts or rolling bearings."""
    parts = []
    # pictures show one state: that of statics, if there is one, else the last state of a run
    still = any(result.kind == "statics" and result.samples for result in data.records.values())
    for name, result in data.records.items():
        if not result.samples or result.kind == "kinematics" or not is_gearbox(result.model):
            continue
        made = [*_tables(result), _pictures(name, result, pictures) if result.kind == "statics" or not still else ""]
        made = [part for part in made if part]
        if made:
            parts += [tag("h3", code(name), f": {result.kind}" if name != result.kind else ""), *made]
    return join(parts, "\n")


def _tables(result: Result) -> list[Html]:
    parts = []
    try:
        lives, deflections = result.bearing_lives(), result.shaft_deflections()
    except (KeyError, PitchlineError) as error:
        return [tag("p", f"No tables of bearing lives and deflections: {error}.", class_="where")]
    if len(lives):
        shown = result_table(lives, ("Bearing", "Type"), command="bearing_lives")
        parts += [tag("h4", "Bearing lives"), shown, notes(lives)]
    if len(deflections):
        shown = result_table(deflections, ("Station", ""), statistics=("max",), command="shaft_deflections")
        parts += [tag("h4", "Shaft deflections and stresses"), shown, notes(deflections)]
    return parts


def _pictures(name: str, result: Result, pictures: Pictures) -> Html:
    """Shafts along their axes, and loads of rolling elements, at the last sample."""
    parts = []
    when = "" if result.samples == 1 else " at the end of the record"
    for shaft in list(result.model.get("shafts", {}))[:MOST_SHAFTS]:
        figure = plot_shaft(result, shaft, title="", panel_height=1.35)
        caption = f"Shaft {shaft}{when}: parts on the shaft, deflection, moments and nominal stresses along its axis."
        parts += [tag("h4", f"Shaft {shaft}"), pictures.embed(figure, f"{name}: shaft {shaft}", caption, half=True)]
    bearings = bearing_names(result)[:MOST_BEARINGS]
    if bearings:
        figure = plot_bearing(result, *bearings, title="", width=1.3 * style.WIDTH)
        caption = f"Loads of the rolling elements{when} in axes of the outer rings. The arrow is the radial load on the outer ring."
        parts += [tag("h4", "Loads of rolling elements"), pictures.embed(figure, f"{name}: rolling elements", caption)]
    return join(parts, "\n")
