"""Checks of the signals that loads, drives and elements of a model read."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import ModelError, Subject
from .names import part_subject
from .readable_signals import BodySignal, ElementCoordinate, JointSignal, Readable, readable_signal
from .registry import Registry
from .signal_expression import SignalExpression
from .state_law import StateLaw

__all__ = ["signal_problems", "signals_read"]


def signals_read(model: Registry) -> Iterator[tuple[SignalExpression | StateLaw, Subject, bool]]:
    """Expressions and laws of a model, the argument of each in messages, and whether it is the target of a drive."""
    for load in model.loads.values():
        values = getattr(load, "components", None) or (getattr(load, "function", None),)
        for value in values:
            if isinstance(value, (SignalExpression, StateLaw)):
                yield value, part_subject("load", load.name).at("value"), False
    for drive in model.drives.values():
        if isinstance(drive.function, SignalExpression):
            yield drive.function, part_subject("drive", drive.name).at(drive.coordinate), True
    for element in model.elements.values():
        for name, value in element.values.items():
            if isinstance(value, SignalExpression):
                yield value, element.argument(name), False


def signal_problems(model: Registry) -> list[ModelError]:
    """Errors for signals that do not exist, or that cannot be read."""
    problems = []
    for value, what, drives in signals_read(model):
        for name in value.signals:
            if name == "t":
                continue
            try:
                found = readable_signal(model, name, what)
            except ModelError as error:
                problems.append(error)
                continue
            if drives and _is_rate(found):
                problems.append(
                    ModelError(
                        f'{what}: the target of a drive cannot depend on the speed "{name}"; use angles, displacements and '
                        "states of elements, or a torque",
                        about=what,
                    )
                )
    return problems


def _is_rate(signal: Readable) -> bool:
    if isinstance(signal, BodySignal):
        return signal.motion != "position"
    return isinstance(signal, (JointSignal, ElementCoordinate)) and signal.rate
