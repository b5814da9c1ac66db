"""`plot_shaft`: a shaft along its axis: shape with gears and bearings, deflection line, moments, stresses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import PitchlineError
from pitchline.results.all_tables import is_gearbox
from pitchline.results.result import Result
from pitchline.views import style
from pitchline.views.report.energy import notes, result_table
from pitchline.views.report.html import Html, Pictures, code, join, tag
from pitchline.views.report.numbers import ReportData
from pitchline.views.style import axis_label, canvas, formula, scaled_unit

from ..bearings.drawing import bearing_names, plot_bearing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pitchline.results.result import Result

    from .results import ShaftLine

__all__ = ["plot_shaft"]


PANELS = ("deflection", "moments", "stress")
_STEEL, _WHEEL, _EDGE = "#E3E6E8", "#C9D8E6", "#4D4D4D"


@names_wrong_arguments
def plot_shaft(
    result: Result,
    shaft: str | None = None,
    *,
    sample: int = -1,
    panels: tuple[str, ...] = PANELS,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 1.75,
) -> Figure:
    """Draw a shaft along its axis at one sample of a result, by default the last.

    shaft:  its name; optional if the model has only one shaft
    panels: any of "deflection", "moments" and "stress"

    The first panel shows the shape with bearings (crossed boxes), gears and stations. Below are the deflection in the two
    planes of the initial axes and its magnitude; the bending moments in these planes, their resultant and the torque; and
    the nominal stresses, bending stress with the notch factor.
    """
    from pitchline.errors import PitchlineError, near_names

    name = only_line(result.model, shaft)
    for panel in panels:
        if panel not in PANELS:
            raise PitchlineError(f'shaft: there is no panel "{panel}"; {near_names(panel, PANELS)}')
    line = result.shaft(name, sample=sample)
    heading = f'{result.model_name}: shaft "{name}"' if title is None else title
    if title is None and result.samples > 1:
        heading += f", t = {line.time:g} s"
    with canvas(panels=1 + len(panels), path=path, title=heading, width=width, panel_height=panel_height) as c:
        draw_shape(c.axes[0], result.model, name)
        for ax, panel in zip(c.axes[1:], panels, strict=True):
            _PANELS[panel](ax, line)
            for place in line.stations.values():
                ax.axvline(1e3 * place, color="#B0B0B0", linewidth=0.6, linestyle=(0, (2, 2)), zorder=0.5)
        c.axes[-1].set_xlabel(axis_label("place along the shaft", "mm"))
    return c.figure


def only_line(model: Mapping[str, Any], name: str | None) -> str:
    """The name of a shaft, or that of the only one."""
    from pitchline.errors import PitchlineError
    from pitchline.model.described_lines import described_lines

    known = described_lines(model)
    if name is not None:
        return name
    if len(known) != 1:
        have = f"specify one of {', '.join(known)}" if known else "the model has neither shafts nor beams"
        raise PitchlineError(f"shaft: {have}")
    return known[0]


# --- the shape -------------------------------------------------------------------------------------------------


def draw_shape(ax: Axes, model: Mapping[str, Any], name: str) -> None:
    """Half sections of the shaft, wheels with their faces, bearings as crossed boxes, names of stations below."""
    from pitchline.model.described_lines import described_line

    line = described_line(model, name)
    outline = np.array(_outline(line))
    top = 0.5e3 * outline[:, 1].max()
    wheels, bearings = seated(model, line)
    reach = max([top, *(0.5e3 * d for _, _, _, d in wheels), *(1e3 * one.outer for one in bearings)])
    for label, place, face, diameter in wheels:
        half, radius = 0.5e3 * (face or 0.02 * line.length), 0.5e3 * diameter
        _box(ax, 1e3 * place - half, -radius, 2 * half, 2 * radius, _WHEEL)
        ax.annotate(
            label, (1e3 * place, radius), (0, 2), textcoords="offset points", ha="center", va="bottom", fontsize=7.5
        )
    ax.fill_between(
        1e3 * outline[:, 0],
        -0.5e3 * outline[:, 1],
        0.5e3 * outline[:, 1],
        facecolor=_STEEL,
        edgecolor=_EDGE,
        linewidth=0.8,
    )
    _draw_bore(ax, line)
    for one in bearings:
        for low in (1e3 * one.inner, -1e3 * one.outer):
            _crossed(ax, 1e3 * one.place, low, 1e3 * one.width, 1e3 * (one.outer - one.inner))
        ax.annotate(
            one.name,
            (1e3 * one.place, -1e3 * one.outer),
            (0, -2),
            textcoords="offset points",
            ha="center",
            va="top",
            fontsize=7.5,
        )
    ax.plot([0.0, 1e3 * line.length], [0.0, 0.0], color=_EDGE, linewidth=0.6, linestyle=(0, (8, 2, 1, 2)))
    ax.set_ylim(-1.4 * reach, 1.3 * reach)
    ax.set_xlim(-0.03e3 * line.length, 1.03e3 * line.length)
    ax.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    ax.set_ylabel(axis_label("radius", "mm"))
    ax.grid(visible=False)


def _draw_bore(ax: Axes, line: Any) -> None:
    """Edges of the bore of a hollow shaft, dashed as what cannot be seen."""
    z = 0.0
    for section in getattr(line, "sections", ()):
        if section.inner or section.inner_end:
            for sign in (0.5e3, -0.5e3):
                ends = [sign * section.inner, sign * section.inner_end]
                ax.plot([1e3 * z, 1e3 * (z + section.length)], ends, color=_EDGE, linewidth=0.7, linestyle=(0, (4, 2)))
        z += section.length


def _outline(line: Any) -> list[tuple[float, float]]:
    """Places and outer diameters, two at a step; of a beam a thin line."""
    if not hasattr(line, "sections"):
        return [(0.0, 0.02 * line.length), (line.length, 0.02 * line.length)]
    found, z = [], 0.0
    for section in line.sections:
        found += [(z, section.outer), (z + section.length, section.outer_end)]
        z += section.length
    return found


class SeatedBearing(NamedTuple):
    """A bearing, bushing or joint on a shaft: place along it, width, and radii inside and outside [m]."""

    name: str
    place: float
    width: float
    inner: float
    outer: float


def seated(model: Mapping[str, Any], line: Any) -> tuple[list[tuple[str, float, float, float]], list[SeatedBearing]]:
    """Wheels (name, place, face width, reference diameter) and bearings on a line [m]."""
    places = {node.body.name: node.place for node in line.nodes}
    wheels = []
    for name, wheel in model.get("wheels", {}).items():
        frame, gear = wheel["frame"], wheel.get("gear") or {}
        if frame["body_name"] in places and "teeth" in gear:
            diameter = gear["teeth"] * gear["normal_module"] / np.cos(gear.get("helix_angle", 0.0))
            wheels.append(
                (
                    name,
                    places[frame["body_name"]] + frame["position"][2],
                    gear.get("face_width") or 0.0,
                    float(diameter),
                )
            )
    elements = {n: e for n, e in model.get("elements", {}).items() if e.get("key") == "bearing"}
    parts = {n: e["frames"] for n, e in elements.items()}
    parts |= {n: {"a": e["frame_a"], "b": e["frame_b"]} for n, e in model.get("loads", {}).items() if _holds_across(e)}
    parts |= {n: {"a": e["frame_a"], "b": e["frame_b"]} for n, e in model.get("joints", {}).items()}
    bearings = []
    for name, frames in parts.items():
        for side, frame in frames.items():
            if frame["body_name"] in places:
                place = places[frame["body_name"]] + frame["position"][2]
                seat = 0.5 * (line.outer_at(place) if hasattr(line, "outer_at") else 0.02 * line.length)
                if np.hypot(*frame["position"][:2]) > seat:
                    continue  # beside the shaft, as the bearing of a planet on a pin of its carrier
                design = elements.get(name, {}).get("parameters", {}).get("design", {}).get("value", {})
                inner, outer = _radii(line, place, seat, design, inside=side == "a" and name in elements)
                bearings.append(SeatedBearing(name, place, design.get("width") or 0.04 * line.length, inner, outer))
    return wheels, bearings


def _radii(line: Any, place: float, seat: float, design: Mapping[str, Any], *, inside: bool) -> tuple[float, float]:
    """Radii of a bearing on a shaft; with its outer ring in a hollow one: within the bore [m]."""
    bore = 0.5 * _bore_at(line, place)
    if inside and bore > 0.0:
        return min(0.5 * (design.get("bore") or 0.0) or max(bore - 0.045 * line.length, 0.5 * bore), 0.95 * bore), bore
    outer = 0.5 * design["outer"] if design.get("outer") else seat + 0.045 * line.length
    return seat, max(outer, 1.05 * seat)


def _bore_at(line: Any, place: float) -> float:
    """Inner diameter of a shaft [m]; 0 where it is solid, and of a beam."""
    start = 0.0
    for section in getattr(line, "sections", ()):
        if start <= place <= start + section.length:
            return float(section.diameters((place - start) / section.length)[1])
        start += section.length
    return 0.0


def _holds_across(load: Mapping[str, Any]) -> bool:
    """Whether a load is a bushing that a shaft can lie on, not only a coupling."""
    return load["type"] == "Bushing" and bool(load["stiffness"][0][0] or load["stiffness"][1][1])


def _box(ax: Axes, x: float, y: float, w: float, h: float, colour: str) -> None:
    from matplotlib.patches import Rectangle

    ax.add_patch(Rectangle((x, y), w, h, facecolor=colour, edgecolor=_EDGE, linewidth=0.8, zorder=0.8))


def _crossed(ax: Axes, middle: float, low: float, w: float, h: float) -> None:
    x = [middle - 0.5 * w, middle + 0.5 * w]
    _box(ax, x[0], low, w, h, "white")
    for ends in ((low, low + h), (low + h, low)):
        ax.plot(x, ends, color=_EDGE, linewidth=0.8, zorder=2.0)


# --- what it does ------------------------------------------------------------------------------------------------


def _deflection(ax: Axes, line: ShaftLine) -> None:
    across = line.deflection @ line.axes
    lines = {"u_x": across[:, 0], "u_y": across[:, 1], "resultant": np.hypot(across[:, 0], across[:, 1])}
    _lines(ax, line, lines, "deflection", "m")


def _moments(ax: Axes, line: ShaftLine) -> None:
    lines = {"M_x": line.moment[:, 0], "M_y": line.moment[:, 1], "bending": line.bending_moment, "torque": line.torque}
    _lines(ax, line, lines, "moment", "N*m")


def _stress(ax: Axes, line: ShaftLine) -> None:
    lines = {"bending": line.bending_stress, "torsion": line.torsion_stress, "von Mises": line.equivalent_stress}
    _lines(ax, line, lines, "stress", "Pa")


_PANELS = {"deflection": _deflection, "moments": _moments, "stress": _stress}


def _lines(ax: Axes, line: ShaftLine, lines: Mapping[str, Any], quantity: str, unit: str) -> None:
    """Lines that are not zero all along, in one unit."""
    largest = max((float(np.nanmax(np.abs(values), initial=0.0)) for values in lines.values()), default=0.0)
    factor, text = scaled_unit(unit, largest)
    for i, (label, values) in enumerate(lines.items()):
        if np.nanmax(np.abs(values), initial=0.0) > 2e-3 * largest:
            thick = 1.6 if label in ("resultant", "bending", "von Mises") else 1.1
            ax.plot(1e3 * line.place, factor * values, label=_subscript(label), linewidth=thick, **style.line_style(i))
    ax.axhline(0.0, color=_EDGE, linewidth=0.6)
    ax.set_ylabel(axis_label(quantity, text))
    if ax.lines[:-1]:
        ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))


def _subscript(label: str) -> str:
    name, _, index = label.partition("_")
    return formula(f"{name}_{index}") if index else label


# ---- shafts

# Shafts and rolling bearings: lives, deflections and stresses, with pictures.

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
