"""From named signals, expressions and laws of a model to the sources that elements read."""

from __future__ import annotations

from typing import Any

from ..elements import signal_sources as of
from ..elements.contract import Element
from ..elements.signal_sources import Source
from ..errors import Subject
from ..math.gradient_laws import address_of_gradient_law
from ..model import Model
from ..model.functions import Constant, Function
from ..model.readable_signals import (
    AXES,
    MOTIONS,
    BodySignal,
    ElementCoordinate,
    ElementOutput,
    JointSignal,
    readable_signal,
)
from ..model.shifted_signal import ShiftedSignal
from ..model.signal_expression import SignalExpression
from ..model.state_law import StateLaw
from .functions import FunctionTable
from .joint_measure import joint_measure

__all__ = ["SignalNames"]


def _sum(a: float, b: float) -> float:
    return a + b


class SignalNames:
    """Sources of the signals of a model. place: node and frame of a body; observers: elements of joints by name."""

    def __init__(self, model: Model, place: Any, observers: dict[str, Element], functions: FunctionTable) -> None:
        self.model, self._place, self._observers, self._functions = model, place, observers, functions

    def source(self, value: Function | SignalExpression | StateLaw | ShiftedSignal, what: Subject) -> Source:
        """Source of a value that is a function of time, an expression over signals, or a law."""
        if isinstance(value, Function):
            return of.FunctionValue(self._functions.add(value))
        if isinstance(value, ShiftedSignal):
            law = address_of_gradient_law(_sum, 2, what)
            return of.LawValue(law.address, (self.source(value.value, what), self.source(Constant(value.shift), what)))
        if isinstance(value, StateLaw):
            names, function = value.signals, value.function
        else:
            names, function = ("t", *value.signals), value.function
            if value.text in value.signals:  # the signal itself
                return self._named(value.text, what)
        law = address_of_gradient_law(function, len(names), what)
        return of.LawValue(law.address, tuple(self._named(name, what) for name in names))

    def _named(self, name: str, what: Subject) -> Source:
        if name == "t":
            return of.Clock()
        found = readable_signal(self.model, name, what)
        match found:
            case JointSignal(joint, coordinate, rate):
                observer = self._observers[joint]
                return of.JointValue(observer, joint_measure(observer, coordinate), rate)
            case BodySignal(body, motion, axis, at):
                node, (origin, _) = self._place(body)
                x, y, z = (float(c) for c in origin + at)
                return of.PointValue(MOTIONS.index(motion), node, (x, y, z), AXES.index(axis))
            case ElementCoordinate(element, coordinate, index, rate):
                return of.CoordinateValue(element, coordinate, index, rate)
            case ElementOutput(element, output):
                return of.OutputValue(element, output)
