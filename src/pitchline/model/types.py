"""Types of values that users may write, for annotations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..math.slow_laws import SlowFunction
from .body import Body
from .frames import Frame
from .functions import Function
from .signal_expression import SignalExpression

__all__ = [
    "Direction", "OnBody", "Orientation", "Quantity", "SignalInput", "StateValue", "TimeValue", "TimeVector", "Vector",
]  # fmt: skip

Quantity: TypeAlias = float | str
"""A number in SI, or a text such as "2 mm"."""

Vector: TypeAlias = Sequence[Quantity] | npt.NDArray[np.float64]
"""Three quantities."""

Direction: TypeAlias = Sequence[float] | npt.NDArray[np.float64] | str
"""Three numbers, not all zero, or a text such as "x" or "-z"."""

Orientation: TypeAlias = Any
"""Quaternion (w, x, y, z), 3x3 matrix, Rotation, {"axis": ..., "angle": ...}, or None."""

TimeValue: TypeAlias = Quantity | Function | Callable[[float], float]
"""A quantity that may depend on time."""

SignalInput: TypeAlias = TimeValue | SignalExpression
"""A quantity that may depend on time, or an expression over signals of the model."""

StateValue: TypeAlias = SignalInput | Callable[..., float] | SlowFunction
"""The same, or a Python function of time, angle and speed."""

TimeVector: TypeAlias = Sequence[SignalInput] | npt.NDArray[np.float64]
"""Three values, each of which may depend on time or on signals."""

OnBody: TypeAlias = Body | Frame | str
"""A body, a frame on a body, or the name of a body."""
