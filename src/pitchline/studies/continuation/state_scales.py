"""Scales of the states of a motion, with which distances on a branch are measured."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["state_scales"]

Array = NDArray[np.float64]

SMALL = 0.1
"""Smallest scale of a state, relative to its value, and to the largest scale of states with the same unit, rates times a period."""


def state_scales(ranges: Array, values: Array, units: Sequence[str], omega: float, least: float) -> Array:
    """(n,) scales from the ranges (n,) of the states in the motion and their values (n,) at its start.

    units : "rad", "m", "rad/s", ... omega : of the excitation [rad/s]. least : scale of coordinates that do not move [rad, m].
    """
    kinds = np.array([unit.removesuffix("/s") for unit in units])
    rates = np.array([omega if unit.endswith("/s") else 1.0 for unit in units])
    found = np.maximum(ranges, SMALL * np.abs(values)) / rates
    for kind in set(kinds):
        mine = kinds == kind
        found[mine] = np.maximum(found[mine], max(SMALL * float(found[mine].max()), least))
    return np.asarray(found * rates)
