"""Base class of functions of time.

A function maps time t [s] (or another scalar, such as a phase) to a value in SI. The model keeps functions as the user
specified them. The engine calls `encode()`, which returns a record of numbers that compiled code evaluates
(`math.functions`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ...errors import ModelError, Subject, UnitError, shown
from ...units import Exponents, dimension_name, dimension_of, quantity

__all__ = ["SMALLEST_STEP", "Array", "Function"]

Array = npt.NDArray[np.float64]

SMALLEST_STEP = 1e-30
"""If knots or periods are closer than this, the coefficients leave the range of floating-point numbers."""


@names_wrong_arguments
class Function(ABC):
    """Real function of time; frozen.

    Attributes
    ----------
    dimension
        Exponents of (length, mass, time, temperature, electric current, angle) if the values were given as
        texts with units. None for plain numbers in SI.
    """

    dimension: Exponents | None = None
    is_constant: ClassVar[bool] = False

    def __call__(self, t: Any) -> Any:
        """Evaluate the function.

        Parameters
        ----------
        t
            Time [s], or angle [rad]: a number or an array.

        Returns
        -------
        A float for a number, an array of the same shape for an array.
        """
        times = np.asarray(t, dtype=np.float64)
        values = self._values(np.atleast_1d(times))
        return float(values[0]) if times.ndim == 0 else values.reshape(times.shape)

    @abstractmethod
    def _values(self, t: Array) -> Array:
        """Values at an array of times with at least one dimension."""

    @abstractmethod
    def derivative(self) -> Function:
        """Return df/dt. At a kink it is the slope on the right."""

    @abstractmethod
    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        """Return F with dF/dt = f and F(t0) = value_at_t0.

        Parameters
        ----------
        value_at_t0
            Value of the integral at t0, in SI.
        t0
            Time [s]. Default 0.
        """

    @abstractmethod
    def scaled(self, k: float) -> Function:
        """k f."""

    @abstractmethod
    def encode(self) -> Array:
        """Return the record for compiled code, as an array of numbers; see `math.functions`."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the function as specified by the user, as plain data for JSON."""

    def resolved(self, t0: float, t1: float) -> Function:
        """Return a function that can be encoded and is valid for t0 <= t <= t1. This may be the function itself.

        Parameters
        ----------
        t0, t1
            First and last time [s].
        """
        return self

    def breakpoints(self, t0: float, t1: float, *, order: int = 1) -> Array:
        """Return the sorted times in t0 < t < t1 at which the function or one of its first `order` derivatives is discontinuous.

        Parameters
        ----------
        t0, t1
            Limits of the interval [s].
        order
            Highest derivative that is checked. Default 1.
        """
        return np.empty(0, dtype=np.float64)


def check_over(over: object, what: Subject) -> None:
    """Check the variable of a function: time in s, or an angle (a phase) in rad."""
    if not (isinstance(over, str) and over in ("time", "angle")):
        raise ModelError(f'{what}: over must be "time" or "angle", got {shown(over)}', about=what.at("over"))


class ValueReader:
    """Reader for the values of one function. It checks that all values with units have the same dimension."""

    def __init__(self, what: str) -> None:
        self.what = Subject(what)
        self.dimension: Exponents | None = None

    def __call__(self, value: object, name: str) -> float:
        result = quantity(value, None, what=self.what / name)
        self.note(value, self.what / name, name)
        return result

    def note(self, value: object, about: Subject, name: str) -> None:
        """Compare the dimension of a value, if it has one, with that of the previous values."""
        found = dimension_of(value)
        if found is None:
            return
        if self.dimension is not None and found[:-1] != self.dimension[:-1]:
            raise UnitError(
                f"{self.what}: {name} is {dimension_name(found)}, another value is "
                f"{dimension_name(self.dimension)}; specify all values of one function in the same dimension",
                about=about,
            )
        self.dimension = found
