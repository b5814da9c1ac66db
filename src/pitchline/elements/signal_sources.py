"""Signals that elements read: joint coordinates, motions of points, own coordinates, outputs of elements, laws of them.

A source is a description. `system.signal_graph` finds its place among the unknowns and orders the sources, so that the values
and their derivatives follow explicitly from the state: a signal adds no unknown to the equations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .contract import Element

__all__ = ["Clock", "CoordinateValue", "FunctionValue", "JointValue", "LawValue", "OutputValue", "PointValue", "Source"]


@dataclass(frozen=True)
class Clock:
    """The time."""


@dataclass(frozen=True)
class FunctionValue:
    """Function of time, by its index in the table of functions."""

    place: int


@dataclass(frozen=True, eq=False)
class JointValue:
    """Angle or displacement of a joint, or its rate."""

    observer: Element
    """Element that counts the revolutions of the joint."""
    measure: np.void
    rate: bool


POSITION, VELOCITY, ANGULAR_VELOCITY = range(3)


@dataclass(frozen=True)
class PointValue:
    """One component, in world axes, of the position or velocity of a point of a node, or of its angular velocity."""

    what: int
    node: int
    point: tuple[float, float, float]
    component: int


@dataclass(frozen=True)
class CoordinateValue:
    """Own coordinate of an element, or its rate."""

    element: str
    coordinate: str
    index: int
    rate: bool


@dataclass(frozen=True)
class OutputValue:
    """Output of an element: a function of its own coordinates and inputs."""

    element: str
    output: str


@dataclass(frozen=True, eq=False)
class LawValue:
    """Law of other sources, by the address of a compiled function of value and derivatives."""

    address: int
    sources: tuple[Source, ...]


Source = Clock | FunctionValue | JointValue | PointValue | CoordinateValue | OutputValue | LawValue
