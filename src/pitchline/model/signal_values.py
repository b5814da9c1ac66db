"""Values that depend on signals of the model: expressions, and Python functions of time, angle and speed."""

from __future__ import annotations

from typing import Any

from ..errors import Subject
from ..math.slow_laws import SlowFunction
from .functions import Function, as_function
from .joints import ANGLE
from .shifted_signal import ShiftedSignal
from .signal_expression import SignalExpression
from .state_arguments import STATE_OF_ROTATION, STATE_OF_TRANSLATION, arguments_of
from .state_law import StateLaw

__all__ = ["SignalValue", "as_signal", "as_signal_on_joint"]

SignalValue = Function | SignalExpression | StateLaw
"""Value over time, or from signals."""


def as_signal(value: Any, dimension: str | None, *, what: Subject) -> Function | SignalExpression:
    """Convert a number (SI), a text with a unit, a Function, a callable t -> value or an expression to a value over time."""
    if isinstance(value, ShiftedSignal):  # only in copies of a model, for the inputs of linear models
        kept: Any = value
        return kept
    return value if isinstance(value, SignalExpression) else as_function(value, dimension, what=what)


def as_signal_on_joint(value: Any, dimension: str, joint: str, coordinate: str, *, what: Subject) -> SignalValue:
    """As `as_signal`. A callable may also take the angle (or displacement) and speed of the joint."""
    if callable(value) and not isinstance(value, (Function, type)):
        allowed = STATE_OF_ROTATION if coordinate == ANGLE else STATE_OF_TRANSLATION
        names = arguments_of(value, what, allowed)
        if names != ("t",) or isinstance(value, SlowFunction):
            rate = "angular_speed" if coordinate == ANGLE else "speed"
            signals = {"t": "t", coordinate: f"{joint}.{coordinate}", "speed": f"{joint}.{rate}"}
            return StateLaw(value, tuple(signals[name] for name in names))
    return as_signal(value, dimension, what=what)
