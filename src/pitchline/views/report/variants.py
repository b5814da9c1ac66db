"""Differences between two descriptions of a model."""

from __future__ import annotations

import math
import re
from typing import Any

from pitchline.views.report.numbers import number

#: Differences shown; more of them are counted only.
MOST = 12

_DERIVED = {
    "inertia",
    "orientation",
    "position",
    "rotation",
    "frame_a",
    "frame_b",
    "psi_a",
    "psi_b",
    "point_b",
    "triad_b",
    "centre_distance",
}


def differences(first: dict[str, Any], second: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(place, value in the first, value in the second), at most `MOST` and a last line with the number of others."""
    found: list[tuple[str, str, str]] = []
    _compare("", first, second, found)
    own = [one for one in found if not _follows(one[0])]
    found = own or found
    if len(found) > MOST:
        return [*found[:MOST], ("…", f"{len(found) - MOST} more", "")]
    return found


def _follows(place: str) -> bool:
    """Whether a place or a mass follows from another value, so that it is not a difference of its own."""
    keys = re.split(r"[.\[]", place)
    return bool(_DERIVED & set(keys)) or (keys[0] == "bodies" and keys[-1] == "mass")


def _same(a: Any, b: Any) -> bool:
    """Whether two values are equal within rounding."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    numbers = all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in (a, b))
    return bool(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)) if numbers else bool(a == b)


def _compare(place: str, a: Any, b: Any, found: list[tuple[str, str, str]]) -> None:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(key for key in b if key not in a)]:
            where = f"{place}.{key}" if place else str(key)
            if key not in b or key not in a:
                found.append((where, "present" if key in a else "absent", "present" if key in b else "absent"))
            else:
                _compare(where, a[key], b[key], found)
    elif (
        isinstance(a, list)
        and isinstance(b, list)
        and len(a) == len(b)
        and any(isinstance(item, (dict, list)) for item in a)
    ):
        for i, (one, other) in enumerate(zip(a, b, strict=True)):
            _compare(f"{place}[{i}]", one, other, found)
    elif not _same(a, b):
        found.append((place, _short(a), _short(b)))


def _short(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, (int, float)):
        return number(value, 6)
    if isinstance(value, list):
        numbers = all(isinstance(item, (int, float)) for item in value) and len(value) <= 4
        return ", ".join(number(item) for item in value) if numbers else f"{len(value)} values"
    if isinstance(value, dict):
        return str(value.get("function") or value.get("type") or f"{len(value)} entries")
    text = str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
