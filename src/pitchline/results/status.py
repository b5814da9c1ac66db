"""Errors and completion of results, and values that are zero within rounding, so that tables write 0 instead of 2.6e-24.

A value is rounding if its magnitude is at most 1e-9 of the largest magnitude of the same quantity in the same table or
result, or if it is below a floor (1e-13 N, 1e-16 m, 1e-15 rad, ...). The floors are far below the loads and motions of
micromachines, so that a small value that is real is never written as 0. Files and `--json` output have all digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.storage.free_names import StorageError
from pitchline.errors import PitchlineError
from pitchline.units.parser import parse_unit

if TYPE_CHECKING:
    from .result import Result

__all__ = ["FLOORS", "RELATIVE", "Scales", "scales_of"]


# Errors: building, access, saving and loading.


class SignalError(PitchlineError, ValueError):
    """A signal is invalid, or does not have the requested component, time or sample."""


class UnknownSignalError(PitchlineError, KeyError):
    """A result does not have the requested signal; the message lists similar names."""

    def __str__(self) -> str:
        # KeyError shows the repr of its argument, which would put the whole message in quotes.
        return str(self.args[0]) if self.args else ""


class ResultFileError(StorageError):
    """A result file cannot be written or read: it is missing, exists already, is damaged, or is not a result file."""


RELATIVE = 1e-9
"""Fraction of the largest magnitude of a quantity at and below which a value is rounding."""

FLOORS = {
    "m": 1e-16, "rad": 1e-15, "N": 1e-13, "N*m": 1e-16, "W": 1e-16, "J": 1e-19, "Pa": 1e-6, "rad/s": 1e-14, "m/s": 1e-16,
    "m/s^2": 1e-14, "rad/s^2": 1e-14, "Hz": 1e-14, "": 1e-15,
}  # fmt: skip
"""Magnitudes that are rounding in machines of any size, by unit."""


class Scales:
    """Largest magnitude of each quantity among values with units; units of one quantity (mm, m) are compared in SI."""

    def __init__(self, amounts: Iterable[tuple[Any, str]] = ()) -> None:
        self._largest: dict[object, float] = {}
        for value, unit in amounts:
            self.add(value, unit)

    def add(self, value: Any, unit: str) -> None:
        """Count a number, a list or an array of numbers in a unit."""
        values = np.asarray(value)
        if values.dtype.kind not in "fiu" or not values.size:
            return
        finite = np.abs(values[np.isfinite(values)])
        key, factor = _dimension(unit)
        self._largest[key] = max(self._largest.get(key, 0.0), factor * float(np.max(finite, initial=0.0)))

    def largest(self, unit: str) -> float:
        """Largest magnitude of the quantity of a unit, in the unit."""
        key, factor = _dimension(unit)
        return self._largest.get(key, 0.0) / factor

    def least(self, unit: str) -> float:
        """Magnitude in the unit at and below which a value is rounding."""
        key, factor = _dimension(unit)
        return max(RELATIVE * self._largest.get(key, 0.0), _FLOORS.get(key, 0.0)) / factor

    def clean(self, value: float, unit: str) -> float:
        """The value, or 0 if it is rounding."""
        return 0.0 if math.isfinite(value) and abs(value) <= self.least(unit) else value


def scales_of(result: Result) -> Scales:
    """Largest magnitude of each quantity in the signals of a result; those still in a file are not read for it."""
    from .file_content import LazySignal

    signals = result.signals.values()
    return Scales((signal.values, signal.unit) for signal in signals if not isinstance(signal, LazySignal))


def _dimension(unit: str) -> tuple[object, float]:
    """What a unit measures, and its size in SI units; a unit that is not known is a quantity of its own."""
    try:
        read = parse_unit(unit or "1")
    except (PitchlineError, ValueError):
        return unit, 1.0
    return (read.powers, unit in _OF_ENERGY), read.factor


_OF_ENERGY = ("J", "mJ", "kJ", "MJ")
"""Energies and torques have one dimension and are two quantities."""

_FLOORS = {_dimension(unit)[0]: floor * _dimension(unit)[1] for unit, floor in FLOORS.items()}


# ---- status

# Status of an analysis.


class Status(StrEnum):
    """Status of an analysis, stored in its `Result` with everything computed so far."""

    COMPLETED = "completed"
    INTERRUPTED = "interrupted"
    FAILED = "failed"

    @property
    def advice(self) -> str:
        """Meaning of the status for the numbers in the result, and advice."""
        return _ADVICE[self]


_ADVICE = {
    Status.COMPLETED: "The analysis reached its end. The result covers the whole requested range.",
    Status.INTERRUPTED: (
        "The run was stopped from outside. All samples up to that time are valid. "
        "Start another analysis from this result to continue from its last state."
    ),
    Status.FAILED: (
        "The solver stopped. The samples up to that time are valid. The message gives the time and the place of the failure. "
        "Look at the signals just before it, then try a smaller step, a slower ramp of loads and drives, or more damping."
    ),
}
