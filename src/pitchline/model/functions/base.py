"""What every function of time can do.

A function maps time t [s] (or another scalar, such as a phase) to a value in SI. The model keeps functions as
the user said them; the engine asks for `encode()`, a record in flat numbers that compiled code evaluates
(`math.functions`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ...errors import ModelError, Subject, UnitError, shown
from ...units import Exponents, dimension_name, dimension_of, quantity

__all__ = ["SMALLEST_STEP", "Array", "Function"]

Array = npt.NDArray[np.float64]

SMALLEST_STEP = 1e-30
"""Knots and periods closer than this leave the range of numbers in the coefficients."""


class Function(ABC):
    """A real function of time; frozen.

    Attributes
    ----------
    dimension
        Powers of (length, mass, time, temperature, angle) where the user wrote values as texts with units,
        else None (plain numbers, SI).
    """

    dimension: Exponents | None = None
    is_constant: ClassVar[bool] = False

    def __call__(self, t: Any) -> Any:
        """The value at t: a float for a number, an array of the same shape for an array."""
        times = np.asarray(t, dtype=np.float64)
        values = self._values(np.atleast_1d(times))
        return float(values[0]) if times.ndim == 0 else values.reshape(times.shape)

    @abstractmethod
    def _values(self, t: Array) -> Array:
        """Values at an array of times with at least one dimension."""

    @abstractmethod
    def derivative(self) -> Function:
        """df/dt; at a kink the slope on the right."""

    @abstractmethod
    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        """F with dF/dt = f and F(t0) = value_at_t0."""

    @abstractmethod
    def scaled(self, k: float) -> Function:
        """k f."""

    @abstractmethod
    def encode(self) -> Array:
        """The record for compiled code, as flat numbers; see `math.functions`."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """What the user said, as plain data for JSON."""

    def resolved(self, t0: float, t1: float) -> Function:
        """A function that can be encoded and holds over t0 <= t <= t1; self where it already is one."""
        return self

    def breakpoints(self, t0: float, t1: float, *, order: int = 1) -> Array:
        """Times in t0 < t < t1 where the function or one of its first `order` derivatives jumps; sorted."""
        return np.empty(0, dtype=np.float64)


def check_over(over: object, what: Subject) -> None:
    """What a function depends on: time in s, or an angle (a phase) in rad."""
    if not (isinstance(over, str) and over in ("time", "angle")):
        raise ModelError(f'{what}: over must be "time" or "angle", got {shown(over)}', about=what.at("over"))


class ValueReader:
    """Reads the values of one function and sees to it that those with units have one dimension."""

    def __init__(self, what: str) -> None:
        self.what = Subject(what)
        self.dimension: Exponents | None = None

    def __call__(self, value: object, name: str) -> float:
        result = quantity(value, None, what=self.what / name)
        self.note(value, self.what / name, name)
        return result

    def note(self, value: object, about: Subject, name: str) -> None:
        """Compare the dimension of a value, if it has one, with that of the values before."""
        found = dimension_of(value)
        if found is None:
            return
        if self.dimension is not None and found[:4] != self.dimension[:4]:
            raise UnitError(
                f"{self.what}: {name} is {dimension_name(found)}, another value is "
                f"{dimension_name(self.dimension)}; all values of one function need the same dimension",
                about=about,
            )
        self.dimension = found
