"""Scales of the states of a motion, with which distances on a branch are measured."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["state_scales"]

Array = NDArray[np.float64]

SMALL = 0.1
"""Scale of a state, relative to its value and to the largest range of a state with the same unit, that it has at least."""


def state_scales(ranges: Array, values: Array, units: Sequence[str], least: Array) -> Array:
    """(n,) scales from the ranges (n,) of the states in the motion and their values (n,) at its start. least : (n,) of states that
    do not move."""
    found = np.maximum(np.maximum(ranges, SMALL * np.abs(values)), least)
    kinds = np.array(units)
    for unit in set(units):
        mine = kinds == unit
        found[mine] = np.maximum(found[mine], SMALL * float(found[mine].max()))
    return found
