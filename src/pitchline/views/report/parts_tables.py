"""All parts of the model in tables: bodies, shafts and beams, joints."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitchline.views.report.html import Html, code, join, table, tag
from pitchline.views.report.numbers import number, quantity, vector


def parts(model: dict[str, Any]) -> Html:
    """Bodies with mass and position, structures with their stations, joints with their bodies."""
    return join([part for part in (_bodies(model), _structures(model), _joints(model)) if part], "\n")


def _bodies(model: dict[str, Any]) -> Html:
    rows = []
    for name, body in model.get("bodies", {}).items():
        moments = _principal(body.get("inertia"))
        rows.append([code(name), quantity(body["mass"], "kg"), vector(body.get("position", ()), 4, 1e3), moments])
    heads = ["Body", "Mass", "Position x, y, z (mm)", "Principal moments of inertia (kg·m²)"]
    made = table(heads, rows, numbers=(1,), class_="small")
    return join([tag("h3", "Bodies"), made]) if rows else Html("")


STRUCTURES = (
    ("shafts", "shaft", "shafts"),
    ("beams", "beam", "beams"),
    ("flexible_bodies", "flexible body", "flexible bodies"),
    ("membranes", "membrane", "membranes"),
)
"""Sections of the model description with stations, and their names."""


def _structures(model: dict[str, Any]) -> Html:
    """One row for each structure, with its stations but without the nodes between them."""
    rows = []
    for section, one, _ in STRUCTURES:
        for name, said in model.get(section, {}).items():
            stations = said.get("stations", {})
            named = [s["station"] for s in stations.values() if not s["station"].startswith("node ")]
            places = said.get("places", {})
            where = ", ".join(
                f"{station} {1e3 * places[station]:.6g}" if station in places else station for station in named
            )
            rows.append([code(name), one, quantity(said.get("total_mass", 0.0), "kg"), str(len(stations)), where])
    heads = ["Structure", "Kind", "Mass", "Nodes", "Stations, positions along the axis (mm)"]
    made = table(heads, rows, numbers=(2, 3), class_="small")
    return join([tag("h3", "Shafts, beams, flexible bodies and membranes"), made]) if rows else Html("")


def _principal(inertia: Any) -> str:
    try:
        moments = np.linalg.eigvalsh(np.asarray(inertia, float))
    except (ValueError, TypeError, np.linalg.LinAlgError):
        return "–"
    top = float(np.max(np.abs(moments), initial=0.0))
    return ", ".join(number(0.0 if abs(m) < 1e-9 * top else m, 3) for m in moments)


def _joints(model: dict[str, Any]) -> Html:
    rows = []
    for name, joint in model.get("joints", {}).items():
        sides = [joint.get(side, {}).get("body_name", "") for side in ("frame_a", "frame_b")]
        more = ", ".join(
            f"{key} {quantity(joint[key], unit)}"
            for key, unit in (("pitch", "m/rad"), ("length", "m"))
            if joint.get(key) is not None
        )
        rows.append([code(name), joint.get("kind", "").replace("_", " "), code(sides[0]), code(sides[1]), more])
    if not any(row[-1] for row in rows):
        rows = [row[:-1] for row in rows]
    heads = ["Joint", "Kind", "Between", "and", ""][: len(rows[0]) if rows else 0]
    made = table(heads, rows, class_="small")
    return join([tag("h3", "Joints"), made]) if rows else Html("")
