"""Phase of the teeth of each gear: if the model leaves it open, the teeth are turned so that all pairs mesh.

Two gears need not be in phase: the pair then turns the teeth of its second wheel, and keeps in its description the triad X0
whose second axis goes through a space of that wheel. With α, in pitches, the turn of a wheel's teeth about its own z, a pair
meshes where

    s_A α_A + s_B α_B = s_B α_0   (modulo 1) ,

α_0 being the turn that the pair found for B with A at its place, and s the signs of the axes. Of a rack α is a shift along its y.
Gears are taken pair by pair from the first. If a closed chain of pairs does not fit, a note reports it.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

__all__ = ["drawn_once", "tooth_turns"]

_CLOSE = 1e-6


def tooth_turns(model: dict[str, Any]) -> tuple[dict[str, float], list[str]]:
    """Turns [rad] of the teeth of wheels about their z, by name, where they are not zero, of racks their shifts along y [m]; and
    notes on pairs that do not fit."""
    wheels = model.get("wheels", {})
    once = drawn_once(model)
    links: dict[str, list[tuple[str, float, float, float, str]]] = {}
    for name, pair in model.get("gear_pairs", {}).items():
        a, b = pair.get("wheel_a"), pair.get("wheel_b")
        if not all(name in wheels and wheels[name].get("gear") for name in (a, b)):
            continue
        open_turn, s_a, s_b = _open_turn(pair, wheels[a]["gear"], wheels[b]["gear"])
        a, b = once[a], once[b]
        links.setdefault(a, []).append((b, s_a, s_b, open_turn, name))
        links.setdefault(b, []).append((a, s_a, s_b, open_turn, name))
    turns: dict[str, float] = {}
    notes: list[str] = []
    for first in links:
        if first in turns:
            continue
        turns[first] = 0.0
        waiting = [first]
        while waiting:
            here = waiting.pop(0)
            for other, s_a, s_b, open_turn, name in links[here]:
                forward = once[model["gear_pairs"][name]["wheel_a"]] == here
                own, its = (s_a, s_b) if forward else (s_b, s_a)
                wanted = _rounded(its * (s_b * open_turn - own * turns[here]))
                if other not in turns:
                    turns[other] = wanted
                    waiting.append(other)
                elif abs(_rounded(turns[other] - wanted)) > 1e-3:
                    note = (
                        f"{name}: its gears cannot mesh together with the other pairs: the teeth overlap in the picture"
                    )
                    if note not in notes:
                        notes.append(note)
    said = {}
    for name in wheels:
        turn = turns.get(once[name], 0.0)
        if abs(turn) > _CLOSE:
            said[name] = turn * _pitch(wheels[name]["gear"])
    return said, notes


def drawn_once(model: dict[str, Any]) -> dict[str, str]:
    """For each wheel the one that stands for it: the first of equal gears at the same place on the same body."""
    first: dict[str, str] = {}
    found = {}
    for name, wheel in model.get("wheels", {}).items():
        frame = wheel["frame"]
        place = np.round(np.concatenate([frame["position"], np.ravel(frame["rotation"])]), 9) + 0.0
        key = json.dumps([wheel.get("gear"), frame["body_name"], place.tolist()], sort_keys=True)
        found[name] = first.setdefault(key, name)
    return found


def _pitch(gear: dict[str, Any]) -> float:
    """Of a gear [rad], of a rack [m]."""
    if gear["type"] == "Rack":
        return float(math.pi * gear["normal_module"] / math.cos(gear["helix_angle"]))
    return 2.0 * math.pi / float(gear["teeth"])


def _open_turn(pair: dict[str, Any], a: dict[str, Any], b: dict[str, Any]) -> tuple[float, float, float]:
    """Turn of B's teeth about its z, or shift along its y, in pitches, and the signs of both axes.

    The point and the triad that the pair keeps name a space at the height ζ, where the teeth are turned by their helix.
    """
    triad, (_, y, zeta) = np.asarray(pair["triad_b"], dtype=np.float64), pair["point_b"]
    s_b = float(np.sign(triad[2, 0])) or 1.0
    helix = math.tan(b["helix_angle"])
    if b["type"] == "Rack":
        space = y - zeta * helix
    else:
        diameter = b["teeth"] * b["normal_module"] / math.cos(b["helix_angle"])
        space = math.atan2(triad[1, 1], triad[0, 1]) - (0.0 if b["cone_angle"] else 2.0 * helix / diameter * zeta)
    tilt = a.get("profile_shift_angle", 0.0) + b.get("profile_shift_angle", 0.0)
    turned_round = a.get("internal") or a.get("cone_angle", 0.0) < 0.0 or tilt < 0.0
    return _rounded(space / _pitch(b) - 0.5), -1.0 if turned_round else 1.0, s_b


def _rounded(turn: float) -> float:
    """The same turn from −1/2 to 1/2 pitches."""
    return turn - math.floor(turn + 0.5 - 1e-9)
