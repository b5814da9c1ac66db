"""The table of functions of time of a compiled model."""

import numpy as np

from ..model.functions import Function


class FunctionTable:
    """Collects functions over an interval of time and gives each its place in one flat array."""

    def __init__(self, t0: float, t1: float) -> None:
        self.t0, self.t1 = t0, t1
        self._parts: list[np.ndarray] = []
        self._size = 0

    def add(self, function: Function) -> int:
        """Place of a function; a Python callable is sampled over the interval here."""
        code = np.asarray(function.resolved(self.t0, self.t1).encode(), float)
        place = self._size
        self._parts.append(code)
        self._size += code.size
        return place

    def add_numbers(self, numbers: np.ndarray) -> int:
        """Place of numbers that are no function: a table that an element reads in its own way."""
        place = self._size
        self._parts.append(np.asarray(numbers, float))
        self._size += numbers.size
        return place

    def array(self) -> np.ndarray:
        return np.concatenate(self._parts) if self._parts else np.zeros(1)
