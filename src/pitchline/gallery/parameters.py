"""Parameters of gallery models: values that can be changed.

A program has its parameters in `PARAMETERS`, with the argument names of its `build`, `run` and `figures`:
``gallery.model("robot-arm", move="2 s")``, or in a shell ``--set move="2 s"``. Model files have them in [parameters].
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import ModelError, near_names, shown
from ..units import quantity

__all__ = ["Parameter", "read_parameters"]


@dataclass(frozen=True)
class Parameter:
    """Number that a model is built with.

    default:    in SI units
    dimension:  e.g. "time"; None for a plain number
    line:       description
    lowest, highest: limits of reasonable values
    """

    default: float
    dimension: str | None
    line: str
    lowest: float = 0.0
    highest: float = math.inf

    def read(self, value: object, what: str) -> float:
        """Value in SI units."""
        found = _number(value, what) if self.dimension is None else quantity(_plain(value), self.dimension, what=what)
        if not self.lowest <= found <= self.highest:
            raise ModelError(f"{what} must be from {self.lowest:g} to {self.highest:g}, got {shown(value)}")
        return found


def _plain(value: object) -> object:
    """A text with a plain number is in SI units."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _number(value: object, what: str) -> float:
    found = _plain(value)
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not math.isfinite(found):
        raise ModelError(f"{what} must be a number, got {shown(value)}")
    return float(found)


def read_parameters(model: str, known: Mapping[str, Parameter], given: Mapping[str, object]) -> dict[str, float]:
    """The given values in SI units."""
    for name in given:
        if name not in known:
            raise ModelError(f'the gallery model "{model}" has no parameter "{name}"; {near_names(name, known)}')
    return {name: known[name].read(value, f"{model}: {name}") for name, value in given.items()}
