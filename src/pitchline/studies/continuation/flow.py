"""Flow: the motion over whole periods as a function of its start and of a parameter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

__all__ = ["Flow", "FlowFailed", "PeriodicMotion", "Shot"]

Array = NDArray[np.float64]


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

    end: Array
    by_state: Array
    by_parameter: Array
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
    time: Array
    signals: Mapping[str, Array]
    units: Mapping[str, str]
    state: Array

    def __getitem__(self, name: str) -> Array:
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
    free: Array

    @property
    def described(self) -> str:
        """Text that describes the method."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the motions so far."""

    def first(self, parameter: float) -> Array:
        """(n,) state from which a motion settles."""

    def settle(self, state: Array, parameter: float, cycles: int) -> Array:
        """(n,) state after a number of periods of the excitation."""

    def prepare(self, state: Array, parameter: float, cycles: int) -> None:
        """Called before the first solution, with a motion that has settled: choose steps, check."""

    def scales(self, state: Array, parameter: float, cycles: int) -> Array:
        """(n,) ranges of the states in the motion, all positive: distances on the branch are measured with them."""

    def shoot(self, state: Array, parameter: float, cycles: int) -> Shot:
        """Motion over a number of periods of the excitation. Raise FlowFailed if it cannot be computed."""

    def motion(self, state: Array, parameter: float, cycles: int) -> PeriodicMotion:
        """Signals of the motion."""

    def refined_change(self, state: Array, parameter: float, cycles: int) -> Array:
        """(n,) estimated error of the end by the time steps, e.g. from a motion with twice as many."""
