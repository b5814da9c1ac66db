"""Loads of joints by their magnitudes, for results that have no poses of bodies."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitchline.results.result import Result
from pitchline.views.report.html import Html, code, join, table, tag
from pitchline.views.report.numbers import quantity

#: Rows of the table; the largest loads.
MOST_JOINTS = 16


def joint_loads(result: Result, model: dict[str, Any]) -> Html:
    """Magnitudes of force and moment of the joints, mean and largest."""
    loads = []
    for joint in model.get("joints", {}):
        sizes = [
            np.linalg.norm(np.atleast_2d(result.signals[f"{joint}.{kind}"].values), axis=-1)
            if f"{joint}.{kind}" in result.signals
            else np.zeros(1)
            for kind in ("force", "moment")
        ]
        loads.append((joint, sizes))
    if not loads:
        return Html("")
    tops = [max((float(np.nanmax(sizes[k])) for _, sizes in loads), default=0.0) for k in (0, 1)]
    loads = [one for one in loads if any(float(np.nanmax(one[1][k])) > 1e-8 * tops[k] for k in (0, 1) if tops[k])]
    if not loads:
        return Html("")
    kept = sorted(loads, key=lambda one: -float(np.nanmax(one[1][0])))[:MOST_JOINTS]
    several = result.samples > 1
    rows: list[list[object]] = []
    for joint, sizes in (one for one in loads if one in kept):
        row: list[object] = [code(joint), model["joints"][joint].get("kind", "").replace("_", " ")]
        for k, unit in enumerate(("N", "N*m")):
            for value in [np.nanmean(sizes[k]), np.nanmax(sizes[k])] if several else [sizes[k][-1]]:
                row.append("0" if value <= 1e-8 * tops[k] else quantity(value, unit))
        rows.append(row)
    words = ["force", "moment"]
    heads = [
        "Joint",
        "Kind",
        *([f"{stat} {word}" for word in words for stat in ("Mean", "Largest")] if several else ["Force", "Moment"]),
    ]
    left = len(model.get("joints", {})) - len(rows)
    rest = f" The {len(rows)} largest; {left} more joints have smaller loads." if len(loads) > len(kept) else ""
    about = tag("p", f"Magnitudes of the force and the moment of each joint.{rest}", class_="where")
    return join([tag("h4", "Joint loads"), about, table(heads, rows, numbers=range(2, len(heads)), class_="small")])
