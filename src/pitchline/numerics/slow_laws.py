"""Functions of numbers that run in Python: `slow(function)`. Each call takes microseconds instead of nanoseconds.

Compiled code calls Python through ctypes, where an exception would be lost. Therefore the first exception is stored, the values
are nan, so that the run stops, and the engine raises the exception again with `raise_stored`.
"""

import ctypes
import math
import numbers
from collections.abc import Callable
from typing import Any

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import ModelError, Subject, shown

__all__ = [
    "SlowFunction",
    "callback_of",
    "raise_stored",
    "slow",
    "step_of",
    "store_exception",
    "stored_exception",
    "take_stored",
]

C_MAP = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double))
_stored: list[BaseException] = []


@names_wrong_arguments
class SlowFunction:
    """Python function that is not compiled; see `slow`.

    Attributes
    ----------
    function
        The function.
    """

    __slots__ = ("function",)
    function: Callable[..., Any]

    def __init__(self, function: Callable[..., Any]) -> None:
        if isinstance(function, SlowFunction):
            function = function.function
        if isinstance(function, type) or not callable(function):
            raise ModelError(f"slow: expected a function of numbers, got {shown(function)} ({type(function).__name__})")
        self.function = getattr(function, "py_func", function)  # of a function that numba compiled

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SlowFunction) and self.function == other.function

    def __hash__(self) -> int:
        return hash(("slow", self.function))

    def __repr__(self) -> str:
        return f"slow({self.function!r})"


@names_wrong_arguments
def slow(function: Callable[..., Any]) -> SlowFunction:
    """Run a function of the state in Python, if it cannot be compiled.

    The function may use every Python object: files, dictionaries, other packages. Each evaluation takes some microseconds, and
    derivatives are differences, with an error of about 1e-6. A function that only uses numbers and the module math runs faster
    without `slow`.

    Parameters
    ----------
    function
        Python function of numbers in SI that returns a number in SI. It must return the same value for the same arguments.

    Returns
    -------
    SlowFunction
        The function, marked to run in Python. Specify it in place of the function.
    """
    return SlowFunction(function)


def stored_exception() -> BaseException | None:
    """First exception that a slow function raised since `raise_stored`, or None."""
    return _stored[0] if _stored else None


def store_exception(error: BaseException) -> None:
    """Store an exception of a Python function that compiled code called."""
    _stored.append(error)


def take_stored() -> BaseException | None:
    """First exception that a slow function raised, which is then forgotten, or None."""
    error = stored_exception()
    _stored.clear()
    return error


def raise_stored() -> None:
    """Raise the stored exception, if there is one, and forget it."""
    if _stored:
        error = _stored[0]
        _stored.clear()
        raise error


def step_of(x: float) -> float:
    """Step of a central difference at x: between 6e-9 and 6e-6, and at least 1e-10 of x. It does not grow in proportion to large
    numbers, because laws are often periodic functions of large angles."""
    size = abs(x)
    return max(6e-6 * min(max(size, 1e-3), 1.0), 1e-10 * size)


def callback_of(function: Callable[..., Any], n_in: int, n_out: int, what: Subject) -> Any:
    """C function (ctypes) of a Python function: values and Jacobian, as `address_of_map` describes."""

    def values(numbers_in: list[float]) -> list[float]:
        found = function(*numbers_in)
        given = found if isinstance(found, (tuple, list)) else [found]
        if len(given) != n_out:
            raise ModelError(f"{what}: the function returned {shown(found)}, expected {_numbers(n_out)}", about=what)
        return [_real(value, what) for value in given]

    def compute(u: Any, out: Any) -> None:
        for k in range(n_out * (1 + n_in)):
            out[k] = math.nan
        if _stored:  # the run is about to stop
            return
        try:
            point = [u[i] for i in range(n_in)]
            middle = values(point)
            for i, x in enumerate(point):
                h = step_of(x)
                high, low = x + h, x - h
                above = values([*point[:i], high, *point[i + 1 :]])
                below = values([*point[:i], low, *point[i + 1 :]])
                for k in range(n_out):
                    out[n_out + k * n_in + i] = _slope(low, x, high, below[k], middle[k], above[k])
            for k in range(n_out):
                out[k] = middle[k]
        except BaseException as error:  # also a keyboard interrupt
            _stored.append(error)

    return C_MAP(compute)


def _slope(low: float, x: float, high: float, below: float, middle: float, above: float) -> float:
    """Slope between two points; one-sided at the end of the range of definition, where the other value is nan."""
    if math.isnan(below):
        return 0.0 if math.isnan(above) else (above - middle) / (high - x)
    if math.isnan(above):
        return (middle - below) / (x - low)
    return (above - below) / (high - low)


def _numbers(count: int) -> str:
    return "a number" if count == 1 else f"a tuple of {count} numbers"


def _real(value: Any, what: Subject) -> float:
    if getattr(value, "ndim", None) == 0:
        value = value.item()
    if not isinstance(value, numbers.Real):
        raise ModelError(
            f"{what}: the function returned {shown(value)} ({type(value).__name__}), expected a number", about=what
        )
    return float(value)
