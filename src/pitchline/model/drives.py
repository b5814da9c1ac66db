"""Drive: a joint coordinate that follows a specified function of time."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ModelError, shown
from .functions import Function
from .joints import ANGLE, DISPLACEMENT
from .names import one_of, part_subject
from .signal_expression import SignalExpression

__all__ = ["Drive"]


@dataclass(frozen=True, eq=False)
class Drive:
    """Joint coordinate that follows a function of time.

    Attributes
    ----------
    joint_name : str
    coordinate : str
        "angle" or "displacement".
    function : Function, or expression over signals
        given = "position": the coordinate [rad or m]. given = "speed": its rate [rad/s or m/s], integrated from the initial
        value of the coordinate.
    given : str
        "position" or "speed".
    """

    name: str
    joint_name: str
    coordinate: str
    function: Function | SignalExpression
    given: str

    def __post_init__(self) -> None:
        what = part_subject("drive", self.name)
        if not one_of(self.coordinate, (ANGLE, DISPLACEMENT)):
            raise ModelError(
                f'{what}: coordinate must be "angle" or "displacement", got {shown(self.coordinate)}',
                about=what.at("coordinate"),
            )
        if not one_of(self.given, ("position", "speed")):
            raise ModelError(
                f'{what}: given must be "position" or "speed", got {shown(self.given)}', about=what.at("given")
            )
        if not isinstance(self.function, (Function, SignalExpression)):
            raise ModelError(
                f"{what}: function must be a Function, got {shown(self.function)}", about=what.at("function")
            )
