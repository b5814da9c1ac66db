"""Sources of the signals that elements read, and programs outside the engine, such as FMUs.

Programs outside the engine, such as FMUs: they are called once at every communication point of a run.

At the communication point t_k the program gets the inputs u_k and computes its outputs at t_k + H. The engine then integrates
from t_k to t_k + H with these outputs, held or on a straight line. A point is never repeated: steps that are rejected do not
reach `accept`, and states that are accepted again at the same time keep the values of the point. Only at the start of a run, where
velocities are corrected after the first evaluation, the program starts again with the corrected inputs.

Compiled code calls Python through ctypes, where an exception would be lost. It is stored as that of a slow function, and the run
stops.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import weakref
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pitchline.errors import ModelError
from pitchline.numerics.slow_laws import store_exception, stored_exception

if TYPE_CHECKING:
    from pitchline.engine.elements.contract import Element

__all__ = [
    "ADDRESSES",
    "OutsideProgram",
    "OutsideSession",
    "ProgramInstance",
    "Clock",
    "CoordinateValue",
    "FunctionValue",
    "JointValue",
    "LawValue",
    "OutputValue",
    "PointValue",
    "Source",
]


NOTHING, TAKEN, AT_REST = 0.0, 1.0, 2.0
"""Results of `sample`: no new values; values of a new point; values of rest."""


class ProgramInstance(Protocol):
    """A running program. All numbers are in SI."""

    def begin(self, t: float, inputs: list[float]) -> list[float]:
        """Start at a time with inputs. Return the outputs at that time."""

    def advance(self, t: float, h: float, inputs: list[float], slopes: list[float] | None) -> list[float]:
        """Compute from t to t + h. Return the outputs at t + h. slopes: rates of the inputs, None if they are held."""

    def state(self) -> bytes:
        """The complete state. ModelError, with the reason, if the program cannot write it."""

    def set_state(self, t: float, state: bytes) -> None:
        """Continue from a state that `state` returned."""

    def close(self) -> None:
        """End the program."""


class OutsideProgram(Protocol):
    """Description of a program in a model."""

    def open(self, name: str) -> ProgramInstance:
        """Start the program for the element `name`."""


class OutsideSession:
    """A program and its values in one compiled system."""

    def __init__(self, program: OutsideProgram, name: str, inputs: int, outputs: int, *, linear: bool) -> None:
        self.name, self.linear = name, linear
        self.handle = next(_handles)
        self.active = False
        """In dynamics. In other analyses the outputs are those of the start."""
        self._program = program
        self._instance: ProgramInstance | None = None
        self._begun: tuple[float, list[float]] | None = None
        self._count = 0
        self._restored = False
        self.inputs = [0.0] * inputs
        self._before: list[float] = []
        self.left = [0.0] * outputs
        self.right = [0.0] * outputs
        _sessions[self.handle] = self

    def sample(self, t: float, h: float, count: float, again: bool) -> float:
        """Take the communication point t, with the step h after it. count: points that the state has taken."""
        if not self.active:
            self._begin(t)
            return AT_REST
        if int(count) != self._count:
            raise ModelError(
                f'"{self.name}": the run went back to an earlier time, t = {t:g} s. A program in the loop cannot go back'
            )
        if again:
            if self._count > 1 or self._restored or self.inputs == self._before:
                return NOTHING
            self._count = 0
        u = list(self.inputs)
        if self._count == 0:
            self._begin(t)
            slopes = [0.0] * len(u)
        else:
            self.left = self.right
            slopes = [(new - old) / h for new, old in zip(u, self._before, strict=True)]
        assert self._instance is not None
        self._begun = None
        self.right = self._checked(self._instance.advance(t, h, u, slopes if self.linear else None), t + h)
        self._before = u
        self._count += 1
        self._restored = False
        return TAKEN

    def state(self) -> bytes | None:
        """State of the program after the last point; None if no point was taken."""
        if self._instance is None or not self._count:
            return None
        numbers = [float(self._count), *self._before, *self.left, *self.right]
        return bytes((ctypes.c_double * len(numbers))(*numbers)) + self._instance.state()

    def restore(self, t: float, state: bytes) -> None:
        """Continue from a state."""
        size = 1 + len(self.inputs) + 2 * len(self.left)
        if len(state) < 8 * size:
            raise ModelError(f'"{self.name}": the stored state of the program is damaged')
        numbers = list((ctypes.c_double * size).from_buffer_copy(state[: 8 * size]))
        self.close()
        self._instance = self._program.open(self.name)
        self._instance.set_state(t, state[8 * size :])
        n, m = len(self.inputs), len(self.left)
        self._count, self._before = int(numbers[0]), numbers[1 : n + 1]
        self.left, self.right = numbers[n + 1 : n + 1 + m], numbers[n + 1 + m :]
        self._restored, self.active = True, True

    def close(self) -> None:
        """End the program."""
        instance, self._instance, self._begun = self._instance, None, None
        if instance is not None:
            instance.close()

    def _begin(self, t: float) -> None:
        if self._begun == (t, self.inputs):
            return
        self.close()
        self._instance = self._program.open(self.name)
        self.left = self.right = self._checked(self._instance.begin(t, list(self.inputs)), t)
        self._begun = (t, list(self.inputs))

    def _checked(self, outputs: Iterable[float], t: float) -> list[float]:
        found = list(outputs)
        if len(found) != len(self.left):
            raise ModelError(f'"{self.name}" returned {len(found)} outputs at t = {t:g} s, expected {len(self.left)}')
        for value in found:
            if not math.isfinite(value):
                raise ModelError(f'"{self.name}" returned the output {value} at t = {t:g} s, expected a number')
        return found

    def __del__(self) -> None:
        try:
            self.close()
        except Exception:  # at the end of the interpreter, the modules of the program may be gone
            return


_handles = itertools.count(1)
_sessions: weakref.WeakValueDictionary[int, OutsideSession] = weakref.WeakValueDictionary()


def _put(handle: float, place: float, value: float) -> float:
    _sessions[int(handle)].inputs[int(place)] = value
    return 0.0


def _sample(handle: float, t: float, h: float, count: float, again: float) -> float:
    if stored_exception() is not None:  # the run is about to stop
        return NOTHING
    try:
        return _sessions[int(handle)].sample(t, h, count, again > 0.5)
    except BaseException as error:  # also a keyboard interrupt
        store_exception(error)
        session = _sessions.get(int(handle))
        if session is None:
            return NOTHING
        session.left = session.right = [math.nan] * len(session.right)  # the run stops in the next step
        return TAKEN if session.active else NOTHING


def _get(handle: float, right: float, place: float) -> float:
    session = _sessions[int(handle)]
    return (session.right if right > 0.5 else session.left)[int(place)]


def _callback(function: Any, arguments: int) -> tuple[Any, float]:
    made = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * arguments)(function)
    address = ctypes.cast(made, ctypes.c_void_p).value
    assert address is not None
    return made, float(address)


_CALLBACKS = {"put": _callback(_put, 3), "sample": _callback(_sample, 5), "get": _callback(_get, 3)}
ADDRESSES = {name: address for name, (_, address) in _CALLBACKS.items()}
"""Addresses of put(handle, place, value), sample(handle, t, h, count, again) and get(handle, right, place)."""


# ---- signal sources

# Signals that elements read: joint coordinates, motions of points, own coordinates, outputs of elements, laws of
# them.
#
# A source is a description. `engine.compile.signal_graph` finds its place among the unknowns and orders the sources, so that
# the values and their derivatives follow explicitly from the state: a signal adds no unknown to the equations.


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
