"""Forces of single tooth pairs in a mesh with `Flank`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pitchline.errors import PitchlineError
from pitchline.results.result import Result

__all__ = ["ToothPairForce", "tooth_pair_forces"]

Array = NDArray[np.float64]
_SIGNAL = ".pair_forces"
_BOUNCE = 0.05
"""Gaps shorter than this fraction of the record belong to one contact: teeth that bounce."""


@dataclass(frozen=True, eq=False)
class ToothPairForce:
    """One passage of a tooth pair through the mesh: time [s], normal force [N], (n,) each; index of the tooth in the signal."""

    time: Array
    force: Array
    index: int


def tooth_pair_forces(result: Result, pair: str | None = None) -> list[ToothPairForce]:
    """Force of each tooth pair of a gear pair while it was in contact, in the order of their first contact.

    The forces of tooth k are at index k modulo 8; a pair leaves the mesh long before its index is used again.
    """
    name = gear_pair_with_forces(result, pair)
    forces, time = result[f"{name}{_SIGNAL}"].values, result.time
    found = []
    for index, slot in enumerate(forces.T):
        loaded = np.concatenate([[False], slot != 0.0, [False]])
        joined: list[list[int]] = []
        for begin, end in np.flatnonzero(loaded[1:] != loaded[:-1]).reshape(-1, 2):
            if joined and begin - joined[-1][1] < _BOUNCE * len(time):
                joined[-1][1] = int(end)
            else:
                joined.append([int(begin), int(end)])
        found += [ToothPairForce(time[max(b - 1, 0) : e + 1], slot[max(b - 1, 0) : e + 1], index) for b, e in joined]
    return sorted(found, key=lambda one: float(one.time[0]))


def gear_pair_with_forces(result: Result, pair: str | None = None) -> str:
    """The gear pair of a name, or the only one, that has forces of single tooth pairs."""
    able = [name.removesuffix(_SIGNAL) for name in result.signals if name.endswith(_SIGNAL)]
    if not able:
        raise PitchlineError(
            "no gear pair of this result has forces of single tooth pairs; meshes with Flank have them"
        )
    if pair is None and len(able) == 1:
        return able[0]
    if pair not in able:
        raise PitchlineError(f"specify the gear pair: {', '.join(able)}" + (f', got "{pair}"' if pair else ""))
    return pair
