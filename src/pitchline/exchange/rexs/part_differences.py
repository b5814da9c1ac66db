"""Differences of two models that have no place in a REXS file."""

from __future__ import annotations

import math
from typing import Any

from ...model import Model
from .export_report import RexsExport

__all__ = ["part_differences"]

COVERED: dict[str, tuple[str, ...]] = {
    "shafts": ("sections", "material"),
    "wheels": ("gear",),
    "gear_pairs": ("mesh.stiffness", "mesh.backlash"),
    "loads": ("components", "stiffness"),
    "drives": ("function",),
    "elements": ("design", "mass", "moments", "products", "preload"),
}
"""Keys of descriptions whose changes are written."""
LOOKED_AT: dict[str, tuple[str, ...]] = {
    "gear_pairs": ("mesh",),
    "wheels": ("gear",),
}
"""Sections in which only some keys are given by the user; the others follow from other parts."""
GEAR_KEYS = ("profile_shift_angle", "modifications", "tool", "body", "worm", "internal")
"""Data of a gear that are not written when they change."""
ROUNDED = 1e-10
"""Relative error of numbers in a model file."""
IGNORED = (
    "name", "type", "body_name", "frame", "frame_a", "frame_b", "look", "speed", "velocity", "angular_velocity", "total_mass",
)  # fmt: skip
"""Keys that follow from other parts; the speeds of all shafts follow from one of them."""


def part_differences(before: Model, after: Model, parts: dict[str, int], report: RexsExport) -> None:
    """Report parts that are new, missing, or differ in values that are not written."""
    old, new = before.describe(), after.describe()
    for section in ("shafts", "bodies", "joints", "drives", "loads", "elements", "wheels", "gear_pairs"):
        first, second = old.get(section, {}), new.get(section, {})
        for name in first:
            if name not in second:
                report.note(report.left_out, f'"{name}" is not in the model any more; the file still has it')
        for name, given in second.items():
            if _is_station(given):
                continue
            if name not in first:
                report.note(report.left_out, f'"{name}" is not in the file; new parts are not added')
            else:
                for key in _changed(section, first[name], given):
                    report.note(report.left_out, f'"{name}": the change of {key}')


def _is_station(given: Any) -> bool:
    return isinstance(given, dict) and "station" in given


def _changed(section: str, old: Any, new: Any) -> list[str]:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return []
    looked = LOOKED_AT.get(section)
    keys = [key for key in new if key not in IGNORED and (looked is None or key in looked)]
    found = []
    for key in keys:
        if old.get(key) == new[key] or (key in COVERED.get(section, ()) and section != "wheels"):
            continue
        if section == "wheels" and isinstance(new[key], dict) and isinstance(old.get(key), dict):
            first, second = _without_bore(old[key]), _without_bore(new[key])
            found += [name for name in GEAR_KEYS if not _equal(first.get(name), second.get(name))]
        elif isinstance(new[key], dict) and isinstance(old.get(key), dict):
            inner = [name for name in new[key] if not _equal(old[key].get(name), new[key][name])]
            found += [f"{key}.{name}" for name in inner if f"{key}.{name}" not in COVERED.get(section, ())]
        else:
            found.append(key)
    return found


def _without_bore(gear: dict[str, Any]) -> dict[str, Any]:
    """Description of a gear without its bore, which is written."""
    body = gear.get("body")
    return {**gear, "body": {**body, "bore": None}} if isinstance(body, dict) else gear


def _equal(a: Any, b: Any) -> bool:
    """Whether two descriptions are equal; numbers of model files are rounded to 12 digits."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_equal(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(_equal(one, other) for one, other in zip(a, b, strict=True))
    if (isinstance(a, float) and isinstance(b, (int, float))) or (isinstance(b, float) and isinstance(a, (int, float))):
        return math.isclose(a, b, rel_tol=ROUNDED, abs_tol=ROUNDED)
    return bool(a == b)
