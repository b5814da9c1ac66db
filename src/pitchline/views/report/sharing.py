"""Load sharing of planets: the load of each mesh over the mean of all at the same gear."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from pitchline.results import Result
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.labels import axis_label, scaled_unit
from pitchline.views.load_sharing import draw_shares
from pitchline.views.report.html import Html, code, join, table, tag
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.report.numbers import number
from pitchline.views.report.report_data import ReportData

#: Planets beyond which lines in a picture cannot be told apart.
MOST_PLANETS = 7

#: Below this fraction of the largest total force a stage has no load, and shares mean nothing.
_IDLE = 1e-3

#: Forces whose sum is a smaller fraction than this of the sum of their magnitudes oppose each other: no load sharing.
_OPPOSED = 0.5


def sharing(data: ReportData, pictures: Pictures) -> Html:
    """Tables and pictures of all analyses with planets under load."""
    return join((_of(name, result, data.model_of(name), pictures) for name, result in data.records.items()), "\n")


def planets(model: dict[str, Any]) -> dict[str, list[str]]:
    """Gear -> its pairs with several equal gears, each on a body of its own: a sun or a ring with planets."""
    wheels = model.get("wheels", {})
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for name, pair in model.get("gear_pairs", {}).items():
        for own, other in (("wheel_a", "wheel_b"), ("wheel_b", "wheel_a")):
            partner = wheels.get(pair.get(other), {})
            if not partner.get("gear"):
                continue
            gear = json.dumps(partner["gear"], sort_keys=True)
            found.setdefault((pair[own], gear), []).append((name, partner.get("frame", {}).get("body_name", "")))
    groups = {}
    for (wheel, _), pairs in found.items():
        if len(pairs) > 1 and len({body for _, body in pairs}) == len(pairs):
            groups[wheel] = [name for name, _ in pairs]
    return groups


def _of(name: str, result: Result, model: dict[str, Any], pictures: Pictures) -> Html:
    shares = _shares(result, model)
    if not shares:
        return Html("")
    rows: list[list[object]] = []
    for wheel, lines in shares.items():
        for k, (pair, share) in enumerate(lines.items()):
            row: list[object] = [code(wheel) if k == 0 else "", code(pair), number(float(np.nanmean(share)))]
            rows.append([*row, *([number(float(np.nanmax(share)))] if result.samples > 1 else [])])
    several = result.samples > 1
    heads = ["Gear", "Gear pair", *(["Mean share", "Largest share"] if several else ["Share"])]
    top = max(float(np.nanmax(share)) for lines in shares.values() for share in lines.values())
    words = join(
        [
            "Force of each mesh over the mean of all meshes of the same gear; 1 is an equal share. The largest value is the mesh "
            "load factor ", tag("i", "K"), tag("sub", "γ"), f" = {number(top)}.",
        ]
    )  # fmt: skip
    parts = [tag("h3", code(name), f": {result.kind}" if name != result.kind else ""), tag("p", words)]
    parts.append(table(heads, rows, numbers=range(2, len(heads)), class_="small"))
    if several:
        parts.append(_picture(name, result, shares, pictures))
    return join(parts, "\n")


def _shares(result: Result, model: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Gear -> pair -> N F_i / Σ F over time; nan while there is no load."""
    found: dict[str, dict[str, Any]] = {}
    for wheel, pairs in planets(model).items():
        if len(pairs) > MOST_PLANETS or any(f"{pair}.signed_force" not in result.signals for pair in pairs):
            continue
        # with their signs: a planet that pushes back reduces the sum
        forces = np.stack([result.signals[f"{pair}.signed_force"].values for pair in pairs], axis=1)
        total = forces.sum(axis=1, keepdims=True)
        if np.mean(np.abs(total)) < _OPPOSED * np.mean(np.abs(forces).sum(axis=1)):
            continue
        idle = np.abs(total) <= _IDLE * np.max(np.abs(total), initial=0.0)
        share = np.where(idle, np.nan, len(pairs) * forces / np.where(idle, 1.0, total))
        if np.any(np.isfinite(share)):
            found[wheel] = dict(zip(pairs, share.T, strict=True))
    return found


def _picture(name: str, result: Result, shares: dict[str, dict[str, Any]], pictures: Pictures) -> Html:
    with canvas(panels=len(shares), path=None, title="", width=style.WIDTH, panel_height=1.5) as c:
        for ax, (wheel, lines) in zip(c.axes, shares.items(), strict=True):
            draw_shares(ax, result.time, lines)
            ax.set_ylabel(f"share at {wheel}")
        c.axes[-1].set_xlabel(axis_label("time", scaled_unit("s", float(np.max(np.abs(result.time))))[1]))
    return pictures.embed(c.figure, f"{name}: load sharing", "Share of each mesh over time.")
