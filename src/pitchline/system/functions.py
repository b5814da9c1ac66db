"""The table of functions of time of a compiled model."""

import numpy as np

from ..model.functions import Function
from ..model.functions.held_input import HeldInput, HeldIntegral

MOST_KINKS = 1000
"""Largest number of kinks of one function at which steps end: more of them are samples of a signal."""


class FunctionTable:
    """Collection of functions over an interval of time, in one flat array."""

    def __init__(self, t0: float, t1: float) -> None:
        self.t0, self.t1 = t0, t1
        self._parts: list[np.ndarray] = []
        self._size = 0
        self._kinks: list[np.ndarray] = []
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
        if getattr(function, "over", "time") == "time":
            self._kinks.append(self._kinks_of(function))
        return place

    def _kinks_of(self, function: Function) -> np.ndarray:
        """Times at which a function or one of its derivatives is discontinuous."""
        for order in (3, 1):  # all pieces, or only jumps and kinks
            found = function.resolved(self.t0, self.t1).breakpoints(self.t0, self.t1, order=order)
            if len(found) <= MOST_KINKS:
                return np.asarray(found, float)
        return np.zeros(0)

    def kinks(self) -> np.ndarray:
        """Times of all functions at which they are not smooth, in their order."""
        return np.unique(np.concatenate([np.zeros(0), *self._kinks]))

    def add_numbers(self, numbers: np.ndarray) -> int:
        """Add numbers that are not a function, and return their index: a table that an element reads."""
        place = self._size
        self._parts.append(np.asarray(numbers, float))
        self._size += numbers.size
        return place

    def array(self) -> np.ndarray:
        return np.concatenate(self._parts) if self._parts else np.zeros(1)
