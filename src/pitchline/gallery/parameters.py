"""Parameters of models of the gallery: what was chosen for them and can be chosen otherwise.

A module with parameters has them in `PARAMETERS`, by the names under which its `build`, `run` and `figures` take them:
``gallery.model("meshing-spur-100", drag="0.1 N*m*s/rad")``, or in a shell ``--set drag=0.1``.
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
    """A number that a model is built with.

    default:    in SI units
    dimension:  such as "torsional damping"; None for a plain number
    line:       what it is
    highest:    the greatest value that makes sense; the least is 0
    """

    default: float
    dimension: str | None
    line: str
    highest: float = math.inf

    def read(self, value: object, what: str) -> float:
        """A value in SI units."""
        found = _number(value, what) if self.dimension is None else quantity(_plain(value), self.dimension, what=what)
        if not 0.0 <= found <= self.highest:
            limits = "must not be negative" if math.isinf(self.highest) else f"must be from 0 to {self.highest:g}"
            raise ModelError(f"{what} {limits}, got {shown(value)}")
        return found


def _plain(value: object) -> object:
    """A text that is a number alone is in SI units."""
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
    """What was given, in SI units."""
    for name in given:
        if not known:
            raise ModelError(
                f'--set {name}=...: the gallery model "{model}" has no parameters; copy it to a file of your own with '
                f"pitchline gallery --copy {model}, and change it there"
            )
        if name not in known:
            raise ModelError(f'the gallery model "{model}" has no parameter "{name}"; {near_names(name, known)}')
    return {name: known[name].read(value, f"{model}: {name}") for name, value in given.items()}
