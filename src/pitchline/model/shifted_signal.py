"""ShiftedSignal: a value from signals plus a constant, for the inputs of linear models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .functions import Constant, Function, Sum
from .signal_expression import SignalExpression
from .state_law import StateLaw

__all__ = ["ShiftedSignal", "shifted"]


@dataclass(frozen=True, eq=False)
class ShiftedSignal:
    """Expression or law, and a constant that is added to it (SI)."""

    value: SignalExpression | StateLaw
    shift: float

    def describe(self) -> dict[str, Any]:
        """Return the value as plain data."""
        return {"function": "sum", "terms": [self.value.describe(), {"function": "constant", "value": self.shift}]}


def shifted(value: Any, shift: float) -> Any:
    """A value over time, or from signals, plus a constant. None is zero."""
    if value is None:
        return Constant(shift)
    if isinstance(value, Function):
        return Sum([value, Constant(shift)])
    return ShiftedSignal(value, shift)
