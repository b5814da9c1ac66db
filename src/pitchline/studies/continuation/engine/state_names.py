"""Names and units of the states of a model."""

from __future__ import annotations

import numpy as np

from .lap import Lap

__all__ = ["state_names"]

_AXES = {1: ("",), 2: ("[0]", "[1]"), 3: ("[0]", "[1]", "[2]"), 6: (".x", ".y", ".z", ".rx", ".ry", ".rz")}


def state_names(lap: Lap) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the coordinates, then of their rates, and their units. A coordinate is named after its body or element."""
    s = lap.system
    names, units = [], []
    owners = [s.unknown_name(i).removeprefix("body ").strip('"') for i in range(s.n_q)]
    for directions, rate in ((lap.free.positions, False), (lap.free.velocities, True)):
        for column in directions.T:
            i = int(np.argmax(np.abs(column)))
            mine = [j for j, owner in enumerate(owners) if owner == owners[i]]
            axes = _AXES.get(len(mine), tuple(f"[{k}]" for k in range(len(mine))))
            names.append(f"{owners[i]}{axes[mine.index(i)]}{'.rate' if rate else ''}")
            unit = "" if i >= s.own.first else ("rad" if s.layout.weight[i] == 1.0 else "m")
            units.append(f"{unit or '1'}/s" if rate else unit)
    return tuple(names), tuple(units)
