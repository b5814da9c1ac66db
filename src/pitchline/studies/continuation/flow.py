"""Flow: the motion over whole periods as a function of its start and of a parameter; points of a branch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pitchline.base.types import FloatArray

__all__ = [
    "BranchPoint",
    "DOUBLING",
    "FOLD",
    "INTERSECTION",
    "SpecialPoint",
    "TORUS",
    "Flow",
    "FlowFailed",
    "PeriodicMotion",
    "Shot",
    "state_scales",
]


# ---- branch points

# Points of a branch, and the special ones among them.

Complex = NDArray[np.complex128]

FOLD, DOUBLING, TORUS, INTERSECTION = "fold", "period doubling", "torus", "intersection"


@dataclass(frozen=True, eq=False)
class BranchPoint:
    """Periodic motion on a branch.

    state : (n,) its start. by_state : (n, n) monodromy matrix. tangent : (n + 1,) direction of the branch in scaled unknowns.
    """

    state: FloatArray
    parameter: float
    by_state: FloatArray
    by_parameter: FloatArray
    multipliers: Complex
    figures: Mapping[str, float]
    tangent: FloatArray


@dataclass(frozen=True, eq=False)
class SpecialPoint:
    """Periodic motion at which stability changes: the solution of an equation, not the nearest sample.

    Attributes
    ----------
    kind : "fold" (the branch turns back, multiplier 1), "period doubling" (multiplier -1), "torus" (a complex pair of magnitude 1,
        Neimark-Sacker), "intersection" (multiplier 1, another branch passes through)
    parameter : value of the parameter, in SI units
    index : place of this point in the arrays of the branch
    state : (n,) start of the motion
    multipliers : (n,) complex
    multiplier : the one on the unit circle
    direction : (n,) eigenvector of this multiplier (real part)
    tangent : (n + 1,) direction of the branch, states and parameter
    sweep : for folds, the direction of a sweep that jumps there, "up" or "down"
    error : estimated error of the parameter by the time steps (folds) or by the search; 0 if there is no estimate
    grazing : the fold is a corner of the branch: teeth begin to touch there, and the multipliers jump
    figures : reductions over the motion, by name
    """

    kind: str
    parameter: float
    index: int
    state: FloatArray
    multipliers: Complex
    multiplier: complex
    direction: FloatArray
    tangent: FloatArray
    sweep: str = ""
    error: float = 0.0
    figures: Mapping[str, float] = field(default_factory=dict)
    grazing: bool = False

    @property
    def angle(self) -> float:
        """Angle of the multiplier on the unit circle [rad]: 0, π, or that of a torus per period."""
        return float(abs(np.angle(self.multiplier)))

    def __repr__(self) -> str:
        side = (f", sweep {self.sweep}" if self.sweep else "") + (", grazing" if self.grazing else "")
        return f"SpecialPoint({self.kind} at {self.parameter:.8g}{side}, point {self.index})"


class FlowFailed(Exception):
    """The motion from a start cannot be computed; the text is the reason."""


@dataclass(frozen=True)
class Shot:
    """Motion from a start over whole periods.

    Attributes
    ----------
    end : (n,) state at the end, in coordinates in which a periodic motion ends at its start
    by_state : (n, n) derivatives of the end by the start: the monodromy matrix, if the motion is periodic
    by_parameter : (n,) derivatives of the end by the parameter
    figures : values of the reductions over the motion, by name
    """

    end: FloatArray
    by_state: FloatArray
    by_parameter: FloatArray
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class PeriodicMotion:
    """Signals over whole periods.

    Attributes
    ----------
    parameter : value of the parameter, in SI units
    period : of the motion [s]
    time : (k,) from 0 to the period [s]
    signals : (k,) values by name
    units : of the signals by name
    state : (n,) the start
    """

    parameter: float
    period: float
    time: FloatArray
    signals: Mapping[str, FloatArray]
    units: Mapping[str, str]
    state: FloatArray

    def __getitem__(self, name: str) -> FloatArray:
        return self.signals[name]


@runtime_checkable
class Flow(Protocol):
    """What the continuation requires of a model.

    Attributes
    ----------
    name : of the model
    names, units : of the states
    figure_units : units of the reductions by name
    described : text that describes the method
    warnings : about the motions so far
    free : (n, k) directions of free motions, such as the rotation of a train without a prescribed motion. They have multipliers
        of 1, which state nothing about stability.
    """

    name: str
    names: tuple[str, ...]
    units: tuple[str, ...]
    figure_units: Mapping[str, str]
    free: FloatArray

    @property
    def described(self) -> str:
        """Text that describes the method."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the motions so far."""

    def first(self, parameter: float) -> FloatArray:
        """(n,) state from which a motion settles."""

    def settle(self, state: FloatArray, parameter: float, cycles: int) -> FloatArray:
        """(n,) state after a number of periods of the excitation."""

    def prepare(self, state: FloatArray, parameter: float, cycles: int) -> None:
        """Called before the first solution, with a motion that has settled: choose steps, check."""

    def scales(self, state: FloatArray, parameter: float, cycles: int) -> FloatArray:
        """(n,) ranges of the states in the motion, all positive: distances on the branch are measured with them."""

    def shoot(self, state: FloatArray, parameter: float, cycles: int) -> Shot:
        """Motion over a number of periods of the excitation. Raise FlowFailed if it cannot be computed."""

    def motion(self, state: FloatArray, parameter: float, cycles: int) -> PeriodicMotion:
        """Signals of the motion."""

    def refined_change(self, state: FloatArray, parameter: float, cycles: int) -> FloatArray:
        """(n,) estimated error of the end by the time steps, e.g. from a motion with twice as many."""


# ---- state scales

# Scales of the states of a motion, with which distances on a branch are measured.

SMALL = 0.1
"""Smallest scale of a state, relative to its value, and to the largest scale of states with the same unit, rates times a period."""


def state_scales(
    ranges: FloatArray, values: FloatArray, units: Sequence[str], omega: float, least: float
) -> FloatArray:
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
