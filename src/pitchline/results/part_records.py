"""Powers and forces of parts as arrays of a result, for its tables of power and reactions.

The engine records them for every part, whatever its kind. They are stored with the states of a result, because they are not
signals: "power_in PART" and "power_out PART" (n,) [W], "force PART > BODY" and "moment PART > BODY" (n, 3) [N, N m], world axes,
the moment about the origin of the body. Arrays of zeros are left out, and "parts recorded" marks that the others are complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .signal import Signal

__all__ = ["RECORDED", "ResultSignals", "on_bodies", "part_records", "powers"]

Array = NDArray[np.float64]


class ResultSignals(dict[str, Signal]):
    """Signals by name. parts: powers and forces of parts, as arrays of a result."""

    parts: Mapping[str, Array] = MappingProxyType({})


RECORDED = "parts recorded"
_IN, _OUT, _FORCE, _MOMENT, _ON = "power_in ", "power_out ", "force ", "moment ", " > "


def part_records(
    power: Mapping[str, tuple[Array, Array]], wrenches: Mapping[tuple[str, str], tuple[Array, Array]], samples: int
) -> dict[str, Array]:
    """Arrays of a result, from (power in, power out) by part, and (force, moment) by part and body."""
    found: dict[str, Array] = {RECORDED: np.array(float(samples))}
    for name, (given, lost) in power.items():
        found |= {_IN + name: given, _OUT + name: lost}
    for (name, body), (force, moment) in wrenches.items():
        found |= {f"{_FORCE}{name}{_ON}{body}": force, f"{_MOMENT}{name}{_ON}{body}": moment}
    return {name: np.array(values) for name, values in found.items() if np.any(values)}


def powers(states: Mapping[str, Any]) -> dict[str, tuple[Array | None, Array | None]]:
    """(power in, power out) by part; None: zero."""
    names = [name.partition(" ")[2] for name in states if name.startswith((_IN, _OUT))]
    return {name: (states.get(_IN + name), states.get(_OUT + name)) for name in dict.fromkeys(names)}


def on_bodies(states: Mapping[str, Any]) -> dict[str, dict[str, tuple[Array, Array]]]:
    """(force, moment) on each body, by part."""
    found: dict[str, dict[str, tuple[Array, Array]]] = {}
    for key, values in states.items():
        start, _, rest = key.partition(" ")
        name, sign, body = rest.rpartition(_ON)
        if f"{start} " in (_FORCE, _MOMENT) and sign:
            zero = np.zeros_like(values)
            force, moment = found.setdefault(name, {}).get(body, (zero, zero))
            found[name][body] = (values, moment) if f"{start} " == _FORCE else (force, values)
    return found
