"""The table of functions of time of a compiled model."""

import numpy as np

from ..model.functions import Function
from ..model.functions.held_input import HeldInput, HeldIntegral


class FunctionTable:
    """Collection of functions over an interval of time, in one flat array."""

    def __init__(self, t0: float, t1: float) -> None:
        self.t0, self.t1 = t0, t1
        self._parts: list[np.ndarray] = []
        self._size = 0
        self.held: list[tuple[HeldInput | HeldIntegral, int]] = []
        """Inputs that are set during a run, with their indices."""

    def add(self, function: Function) -> int:
        """Add a function, and return its index. A Python callable is sampled over the interval here."""
        code = np.asarray(function.resolved(self.t0, self.t1).encode(), float)
        place = self._size
        if isinstance(function, (HeldInput, HeldIntegral)):
            self.held.append((function, place))
        self._parts.append(code)
        self._size += code.size
        return place

    def add_numbers(self, numbers: np.ndarray) -> int:
        """Add numbers that are not a function, and return their index: a table that an element reads."""
        place = self._size
        self._parts.append(np.asarray(numbers, float))
        self._size += numbers.size
        return place

    def array(self) -> np.ndarray:
        return np.concatenate(self._parts) if self._parts else np.zeros(1)
