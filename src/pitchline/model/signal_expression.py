"""SignalExpression: a formula over signals of the model and the time, e.g. for control laws."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, near_names, shown
from ..units import quantity
from .expression_tree import FUNCTIONS, RESERVED, Translation

__all__ = ["SignalExpression", "expression"]


@names_wrong_arguments
class SignalExpression:
    """Formula over signals and the time; frozen. See `expression`.

    Attributes
    ----------
    text
        The formula.
    constants
        Named constants, as they were specified: numbers in SI, or texts with units.
    signals
        Names of the signals that it reads, in the order of their first use.
    """

    text: str
    constants: dict[str, float | str]
    signals: tuple[str, ...]

    def __init__(self, text: str, constants: Mapping[str, Any] | None = None, *, what: str = "expression") -> None:
        if not isinstance(text, str):
            raise ModelError(
                f'{what}: expected a text such as "-2.5*axis.speed", got {shown(text)} ({type(text).__name__})',
                about=what,
            )
        if constants is not None and not isinstance(constants, Mapping):
            raise ModelError(
                f'{what}: constants must be names and values, e.g. {{"gain": 2.5}}, got {shown(constants)}', about=what
            )
        given = dict(constants or {})
        values = {name: _constant(name, value, f"{what} {shown(text)}") for name, value in given.items()}
        translation = Translation(text, values, what)
        kept = {name: value if isinstance(value, str) else values[name] for name, value in given.items()}
        self.__dict__.update(text=text, constants=kept, signals=tuple(translation.signals), _values=values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an expression cannot be changed; make another one instead of setting {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an expression cannot be changed: {name}")

    def __reduce__(self) -> Any:
        return SignalExpression, (self.text, self.constants)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SignalExpression) and (self.text, self.constants) == (other.text, other.constants)

    def __hash__(self) -> int:
        return hash((self.text, tuple(self.constants.items())))

    def __repr__(self) -> str:
        more = "".join(f", {name}={value!r}" for name, value in self.constants.items())
        return f"expression({self.text!r}{more})"

    @property
    def function(self) -> Callable[..., float]:
        """Python function f(t, s0, s1, ...) of the time [s] and the signals in SI, which can be compiled with derivatives."""
        return _function_of(self.text, tuple(self.__dict__["_values"].items()))

    def evaluate(self, t: float = 0.0, signals: Mapping[str, float] | None = None) -> float:
        """Value in SI.

        Parameters
        ----------
        t
            Time [s].
        signals
            Values of the signals by name, in SI.
        """
        given = {} if signals is None else signals
        if not isinstance(given, Mapping):
            raise ModelError(
                f"{self!r}: signals must be names and values, e.g. "
                f'{{"{(self.signals or ("hinge.speed",))[0]}": 2.5}}, got {shown(given)}'
            )
        for name in self.signals:
            if name not in given:
                raise ModelError(f'{self!r}: no value of the signal "{name}" is given; {near_names(name, given)}')
        time = _plain_number(t, f"{self!r}: t")
        read = [_plain_number(given[name], f'{self!r}: the value of the signal "{name}"') for name in self.signals]
        complex_power = f"{self!r}: a power of a negative number with a fractional exponent is not a real number"
        try:
            value = self.function(time, *read)
        except (ArithmeticError, ValueError) as error:
            raise ModelError(f"{self!r}: {type(error).__name__}: {error}") from error
        except TypeError:  # all values are real numbers: only a complex number cannot be compared or rounded
            raise ModelError(complex_power) from None
        if isinstance(value, complex):
            raise ModelError(complex_power)
        return float(value)

    def scaled(self, factor: float) -> SignalExpression:
        """The expression times a number.

        Parameters
        ----------
        factor
            Number.
        """
        number = quantity(factor, "number", what=f"{self!r}: factor")
        return SignalExpression(f"{number!r}*({self.text})", self.constants)

    def describe(self) -> dict[str, Any]:
        """Return the expression as plain data for JSON."""
        found: dict[str, Any] = {"function": "expression", "text": self.text}
        return {**found, "constants": dict(self.constants)} if self.constants else found


@lru_cache(maxsize=1024)
def _function_of(text: str, constants: tuple[tuple[str, float], ...]) -> Callable[..., float]:
    """The same function for the same text, so that it is compiled once."""
    from ..math.expression_functions import deadband, limit, sign, step

    translation = Translation(text, dict(constants), "expression")
    names = ["t", *(f"s{i}" for i in range(len(translation.signals)))]
    arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    tree = ast.fix_missing_locations(ast.Expression(ast.Lambda(arguments, translation.tree)))
    known: dict[str, Any] = {
        "__builtins__": {},
        **{name: getattr(math, name) for name in FUNCTIONS if hasattr(math, name)},
        "abs": abs, "min": min, "max": max, "floor": np.floor, "ceil": np.ceil, "interp": np.interp,
        "sign": sign, "limit": limit, "deadband": deadband, "step": step,
        **{name: np.array(values) for name, values in translation.tables.items()},
    }  # fmt: skip
    made: Callable[..., float] = eval(compile(tree, "<expression>", "eval"), known)
    return made


def _plain_number(value: Any, what: str) -> float:
    """A real number in SI, of Python or NumPy; not a text, since a signal has no text."""
    try:
        if isinstance(value, (str, bytes)) or np.ndim(value):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        reason = f"{shown(value)} ({type(value).__name__}) is not a number in SI units. Specify a plain number"
        raise ModelError(f"{what}: {reason}") from None


def _constant(name: str, value: Any, what: str) -> float:
    if not isinstance(name, str):
        raise ModelError(f"{what}: the name of a constant must be a text, got {shown(name)}", about=what)
    if not name.isidentifier() or name in RESERVED:
        reason = "is a name of the language" if name in RESERVED else "is not a name of letters, digits and _"
        raise ModelError(f'{what}: the constant "{name}" {reason}; choose another name', about=what)
    return quantity(value, None, what=f"{what}: {name}")


@names_wrong_arguments
def expression(text: str, /, **constants: float | str) -> SignalExpression:
    """Formula over signals of the model and the time, for laws that depend on the state.

    Signals are written as in results: ``axis.speed``. If a name is not a Python name, write ``signal("my-axis.speed")``. All
    signals are in SI. Texts with units are numbers in SI: ``"2 mm"`` is 0.002, ``"50 Hz"`` is 314.16 (rad/s).

    The formula may contain numbers, ``t`` (time in s), ``pi``, ``+ - * / ** %``, comparisons, ``a if condition else b``, ``and``,
    ``or``, ``not``, and the functions abs, sign, min, max, sqrt, exp, log, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh,
    tanh, floor, ceil, hypot, limit(x, low, high), deadband(x, half_width), step(x) (1 for x >= 0, else 0) and
    interp(x, [x0, x1, ...], [y0, y1, ...]) (outside the table the end values hold).

    Parameters
    ----------
    text
        The formula, with at most 2000 characters.
    **constants
        Named constants of the formula: numbers in SI, or texts with units.

    Returns
    -------
    SignalExpression
        The checked formula. Its derivatives are computed exactly.
    """
    return SignalExpression(text, constants)
