"""Gear pairs at steady speed: spectra, mesh cycles, and how planets share the load."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from pitchline.errors import PitchlineError
from pitchline.results import Result
from pitchline.views import style
from pitchline.views.canvas import canvas
from pitchline.views.labels import axis_label, scaled_unit
from pitchline.views.load_sharing import draw_shares
from pitchline.views.mesh_chart import MeshChart, draw_charts, mesh_chart
from pitchline.views.report.html import Html, code, join, tag
from pitchline.views.report.inline_svg import Pictures
from pitchline.views.report.numbers import number

#: Rows of the picture: kinds of pairs, not pairs that are alike.
MOST_PAIRS = 4


def meshes(name: str, result: Result, model: dict[str, Any], pictures: Pictures) -> Html:
    """The picture of each kind of pair that runs steadily, or a word on why there is none; then the planets."""
    parts = []
    charts: dict[str, MeshChart] = {}
    reasons: dict[str, list[str]] = {}
    for alike in _alike(model):
        pair = alike[0]
        if f"{pair}.normal_force" not in result.signals:
            continue
        try:
            found = mesh_chart(result, pair)
        except PitchlineError as error:
            found = str(error)
        if isinstance(found, str):
            reasons.setdefault(found, []).append(pair)
        elif len(charts) < MOST_PAIRS:
            charts[_label(alike)] = found
    if charts:
        figure = draw_charts(charts, None, "", style.WIDTH, 1.75)
        caption = (
            "Normal force of the teeth at steady speed: its spectrum without the mean, with multiples of the mesh frequency "
            "dashed, and all mesh cycles laid over each other."
        )
        parts += [
            tag("h4", "Gear pairs at steady speed"),
            pictures.embed(figure, f"{name}: spectra and mesh cycles", caption),
        ]
    elif reasons:
        coarse = [reason for reason in reasons if "too few" in reason]
        if coarse:
            slower = "Vibration at the mesh frequency then shows as a slower wave than it is; a smaller output_step shows it."
            parts.append(tag("p", f"Sampled coarsely: {coarse[0]}. {slower}", class_="where"))
            reasons = {reason: pairs for reason, pairs in reasons.items() if reason not in coarse}
        words = join((_of(pairs, reason) for reason, pairs in reasons.items()), "; ")
        if words and result.kind == "dynamics":
            parts.append(tag("p", "No spectra of the tooth forces. ", words, ".", class_="where"))
    parts.append(_sharing(name, result, model, pictures))
    return join(parts, "\n")


def _of(pairs: list[str], reason: str) -> Html:
    return join([join(map(code, pairs[:4]), ", "), " and others: " if len(pairs) > 4 else ": ", reason])


def _alike(model: dict[str, Any]) -> list[list[str]]:
    """Pairs of the same gears with the same mesh, together."""
    wheels = model.get("wheels", {})
    found: dict[str, list[str]] = {}
    for name, pair in model.get("gear_pairs", {}).items():
        gears = [wheels.get(pair.get(side), {}).get("gear") for side in ("wheel_a", "wheel_b")]
        key = json.dumps(
            [gears if any(gears) else name, pair.get("kind"), pair.get("mesh", {}).get("type")], sort_keys=True
        )
        found.setdefault(key, []).append(name)
    return list(found.values())


def _label(alike: list[str]) -> str:
    more = len(alike) - 1
    return alike[0] + (f" (as {', '.join(alike[1:])})" if 0 < more < 4 else f" (and {more} alike)" if more else "")


# --- planets -----------------------------------------------------------------------------------------


def planets(model: dict[str, Any]) -> dict[str, list[str]]:
    """Wheel -> its pairs with several wheels that are alike, each on a body of its own: a sun or a ring with planets."""
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


def _sharing(name: str, result: Result, model: dict[str, Any], pictures: Pictures) -> Html:
    """N F_i / Σ F of the pairs of each sun and ring."""
    shares: dict[str, dict[str, Any]] = {}
    for wheel, pairs in planets(model).items():
        if len(pairs) > 7 or any(f"{pair}.signed_force" not in result.signals for pair in pairs):
            continue
        # with their signs: planets that push back take from the sum
        forces = np.stack([result.signals[f"{pair}.signed_force"].values for pair in pairs], axis=1)
        total = forces.sum(axis=1, keepdims=True)
        # where next to nothing is transmitted, shares say nothing
        idle = np.abs(total) <= 1e-3 * np.max(np.abs(total), initial=0.0)
        share = np.where(idle, np.nan, len(pairs) * forces / np.where(idle, 1.0, total))
        if np.any(np.isfinite(share)):
            shares[wheel] = dict(zip(pairs, share.T, strict=True))
    if not shares:
        return Html("")
    with canvas(panels=len(shares), path=None, title="", width=style.WIDTH, panel_height=1.5) as c:
        for ax, (wheel, lines) in zip(c.axes, shares.items(), strict=True):
            draw_shares(ax, result.time, lines)
            ax.set_ylabel(f"share at {wheel}")
        c.axes[-1].set_xlabel(axis_label("time", scaled_unit("s", float(np.max(np.abs(result.time))))[1]))
    top = max(float(np.nanmax(share)) for lines in shares.values() for share in lines.values())
    words = "Load of each mesh over the mean of all at the same wheel; 1 is an equal share. The largest is the mesh load factor "
    caption = join([words, tag("i", "K"), tag("sub", "γ"), f" = {number(top)}."])
    return join([tag("h4", "Load sharing"), pictures.embed(c.figure, f"{name}: load sharing", caption)])
