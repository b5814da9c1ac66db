"""Tolerances and readings shared by validation cases of gear pairs."""

from typing import Any

import pitchline as pl

EXACT, STEADY = 1e-9, 1e-8
ANY_MASS: dict[str, Any] = {"mass": 1.0, "inertia": (1.0, 1.0, 1.0)}
"""Where nothing depends on it."""


def final(result: pl.Result, signal: str) -> Any:
    return result[signal].final
