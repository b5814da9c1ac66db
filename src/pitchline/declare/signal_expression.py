"""Expressions over signals: text, derivatives, shifted signals and values.

Texts of expressions over signals, parsed by Python's parser and translated node by node.

Nothing of the text is executed: every node must be of an allowed kind, and the translation is a new tree of plain arithmetic,
in which signals are the arguments s0, s1, ... of a function. Length, depth and sizes of numbers are limited.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import ModelError, Subject, UnitError, near_names, shown
from pitchline.functions.piecewise import Constant, Function
from pitchline.functions.polynomial import Sum
from pitchline.functions.sampled import as_function
from pitchline.numerics.slow_laws import SlowFunction
from pitchline.parts.bodies.part import ANGLE
from pitchline.units.quantity import quantity

from .names import STATE_OF_ROTATION, STATE_OF_TRANSLATION, StateLaw, arguments_of

__all__ = [
    "FUNCTIONS",
    "LONGEST",
    "RESERVED",
    "Translation",
    "SignalExpression",
    "expression",
    "ShiftedSignal",
    "shifted",
    "SignalValue",
    "as_signal",
    "as_signal_on_joint",
]


LONGEST = 2000
"""Largest number of characters."""
_DEEPEST = 150
_MOST_EXPONENT = 64
FUNCTIONS: dict[str, tuple[int, int]] = {
    "abs": (1, 1), "sign": (1, 1), "min": (2, 99), "max": (2, 99), "sqrt": (1, 1), "exp": (1, 1), "log": (1, 1),
    "sin": (1, 1), "cos": (1, 1), "tan": (1, 1), "asin": (1, 1), "acos": (1, 1), "atan": (1, 1), "atan2": (2, 2),
    "sinh": (1, 1), "cosh": (1, 1), "tanh": (1, 1), "floor": (1, 1), "ceil": (1, 1), "hypot": (2, 2), "limit": (3, 3),
    "deadband": (2, 2), "step": (1, 1), "interp": (3, 3),
}  # fmt: skip
"""Smallest and largest number of arguments."""
RESERVED = ("t", "pi", "signal", *FUNCTIONS)
_HELP = (
    "use numbers, texts with units, t, pi, signals such as axis.speed, + - * / ** %, comparisons, a if condition else b, "
    f"and, or, not, {', '.join(FUNCTIONS)}"
)
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.Mod)
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


class Translation:
    """Checked expression.

    signals: names of the signals, in the order of their first use
    tables:  numbers of the lists of interp(...), by the name of the variable in the tree
    tree:    the expression, as a syntax tree over t, s0, s1, ..., the tables and FUNCTIONS
    """

    def __init__(self, text: str, constants: Mapping[str, float], what: str) -> None:
        self.text, self.constants, self.what = text, constants, what
        self.signals: list[str] = []
        self.tables: dict[str, list[float]] = {}
        node = self._parsed()
        try:
            self.tree = self._number(node, 0)
        except RecursionError:
            self._fail("has too many nested levels. Split it into several expressions")

    def _parsed(self) -> ast.expr:
        text = self.text
        if len(text) > LONGEST:
            self._fail(
                f"has {len(text)} characters, but at most {LONGEST} are allowed. Split it into several expressions"
            )
        if not text.strip():
            self._fail('is empty. Write a formula, e.g. "-2.5*axis.speed"')
        if not text.isprintable():
            self._fail("contains characters that cannot be printed, or a line break. Write it on one line")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(text.lstrip(), mode="eval").body
        except SyntaxError as error:
            place = f" (near position {error.offset})" if error.offset else ""
            self._fail(f"is not a valid expression{place}; {_HELP}")
        except (ValueError, RecursionError, MemoryError):
            self._fail(f"is not a valid expression; {_HELP}")

    def _fail(self, problem: str, node: ast.expr | None = None, *, kind: type[ModelError] = ModelError) -> NoReturn:
        where = "" if node is None else f" (position {self._position(node)})"
        raise kind(f"{self.what} {shown(self.text)} {problem}{where}", about=self.what)

    def _position(self, node: ast.expr) -> int:
        """Position in the text, counted from 1. The parser counts bytes."""
        body = self.text.lstrip()
        return len(self.text) - len(body) + len(body.encode()[: node.col_offset].decode(errors="ignore")) + 1

    def _source(self, node: ast.expr) -> str:
        return ast.get_source_segment(self.text.lstrip(), node) or ""

    # Numbers

    def _number(self, node: ast.expr, depth: int) -> ast.expr:
        """Translation of a node that must be a number."""
        if depth > _DEEPEST:
            self._fail(f"has too many nested levels (more than {_DEEPEST}). Split it into several expressions")
        if isinstance(node, ast.Constant):
            return ast.Constant(self._value(node))
        if isinstance(node, ast.Name):
            return self._named(node)
        if isinstance(node, ast.Attribute):
            return self._signal(self._dotted(node), node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
            return ast.UnaryOp(node.op, self._number(node.operand, depth + 1))
        if isinstance(node, ast.BinOp) and isinstance(node.op, _OPERATORS):
            left = self._number(node.left, depth + 1)
            exponent = _small_integer(node.right) if isinstance(node.op, ast.Pow) else None
            right = self._number(node.right, depth + 1) if exponent is None else ast.Constant(exponent)
            return ast.BinOp(left, node.op, right)
        if isinstance(node, ast.IfExp):
            test = self._condition(node.test, depth + 1)
            return ast.IfExp(test, self._number(node.body, depth + 1), self._number(node.orelse, depth + 1))
        if isinstance(node, ast.Call):
            return self._called(node, depth)
        self._refuse(node)

    def _value(self, node: ast.Constant) -> float:
        value = node.value
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            self._fail(f"contains {shown(value)}, which is not a number or a quantity; {_HELP}", node)
        try:
            return quantity(value, None, what=self.what)
        except UnitError as error:
            self._fail(f"contains {shown(value)}: {str(error).removeprefix(f'{self.what}: ')}", node, kind=UnitError)

    def _named(self, node: ast.Name) -> ast.expr:
        name = node.id
        if name in self.constants:
            return ast.Constant(self.constants[name])
        if name == "t":
            return ast.Name("t", ast.Load())
        if name == "pi":
            return ast.Constant(math.pi)
        if name in RESERVED:
            self._fail(f'contains "{name}", which is a function; write {name}(...)', node)
        hint = near_names(name, (*self.constants, "t", "pi")) if self.constants else ""
        self._fail(
            f'contains the unknown name "{name}"{": " + hint if "did you mean" in hint else ""}. Write a signal as PART.SIGNAL, '
            f"e.g. {name}.angle, or specify the value of a constant: {name}=...",
            node,
        )

    def _dotted(self, node: ast.expr) -> str:
        """Name of a signal as it was written: the parser changes some letters, such as µ."""
        inner = node
        while isinstance(inner, ast.Attribute):
            inner = inner.value
        if not isinstance(inner, ast.Name):
            self._refuse(node)
        return "".join(self._source(node).split())

    def _signal(self, name: str, node: ast.expr) -> ast.expr:
        part, _, rest = name.partition(".")
        if not (part.strip() and rest.strip()) or name != name.strip() or ".." in name or name.endswith("."):
            self._fail(f'contains the signal {shown(name)}; write PART.SIGNAL, e.g. signal("my-axis.angle")', node)
        if name not in self.signals:
            self.signals.append(name)
        return ast.Name(f"s{self.signals.index(name)}", ast.Load())

    def _called(self, node: ast.Call, depth: int) -> ast.expr:
        if not isinstance(node.func, ast.Name):
            self._fail(
                f"contains a call of {shown(self._source(node.func))}; functions are {', '.join(FUNCTIONS)}", node
            )
        name = node.func.id
        if name == "signal":
            only = node.args[0] if len(node.args) == 1 and not node.keywords else None
            if not (isinstance(only, ast.Constant) and isinstance(only.value, str)):
                self._fail('contains signal(...) without one text; write signal("my-axis.angle")', node)
            return self._signal(only.value, node)
        if name not in FUNCTIONS:
            self._fail(f'contains the unknown function "{name}"; {near_names(name, FUNCTIONS, most=40)}', node)
        fewest, most = FUNCTIONS[name]
        if node.keywords or not fewest <= len(node.args) <= most:
            count = str(fewest) if fewest == most else f"{fewest} or more"
            given = "named arguments" if node.keywords else f"{len(node.args)} arguments"
            self._fail(f"contains {name}(...) with {given}, expected {count}", node)
        if name == "interp":
            return self._interpolation(node, depth)
        arguments = [self._number(item, depth + 1) for item in node.args]
        self._check_range(name, arguments, node)
        return _call(name, *arguments)

    def _check_range(self, name: str, arguments: list[ast.expr], node: ast.Call) -> None:
        """Constant limits and half widths must be in order."""
        values = [_constant_value(item) for item in arguments[1:]]
        if name == "limit" and None not in values and values[0] > values[1]:  # type: ignore[operator]
            self._fail(f"contains limit(x, low, high) with low = {values[0]:g} above high = {values[1]:g}", node)
        if name == "deadband" and values[0] is not None and values[0] < 0.0:
            self._fail(f"contains deadband(x, half_width) with the negative half width {values[0]:g}", node)

    def _interpolation(self, node: ast.Call, depth: int) -> ast.expr:
        x = self._number(node.args[0], depth + 1)
        knots, values = (self._listed(item, node) for item in node.args[1:])
        if len(knots) != len(values) or len(knots) < 2:
            self._fail(
                f"contains interp(...) with lists of {len(knots)} and {len(values)} numbers, expected two lists of the same "
                "length, at least 2",
                node,
            )
        if not all(a < b for a, b in pairwise(knots)):
            self._fail(
                "contains interp(x, [x0, x1, ...], [y0, y1, ...]) whose x values do not increase. Sort the table", node
            )
        count = len(self.tables) // 2
        self.tables[f"x{count}"], self.tables[f"y{count}"] = knots, values
        return _call("interp", x, ast.Name(f"x{count}", ast.Load()), ast.Name(f"y{count}", ast.Load()))

    def _listed(self, node: ast.expr, call: ast.Call) -> list[float]:
        """Constant numbers of a list."""
        found = []
        for item in node.elts if isinstance(node, (ast.List, ast.Tuple)) else [call]:
            factor = 1.0
            while isinstance(item, ast.UnaryOp) and isinstance(item.op, (ast.UAdd, ast.USub)):
                factor = -factor if isinstance(item.op, ast.USub) else factor
                item = item.operand
            if isinstance(item, ast.Constant):
                found.append(factor * self._value(item))
            elif isinstance(item, ast.Name) and item.id in self.constants:
                found.append(factor * self.constants[item.id])
            else:
                self._fail(
                    "contains interp(...) without two lists of numbers; write interp(x, [0, 1, 2], [0, 5, 7])", call
                )
        return found

    # Conditions

    def _condition(self, node: ast.expr, depth: int) -> ast.expr:
        """Translation of a node that must be true or false."""
        if depth > _DEEPEST:
            self._fail(f"has too many nested levels (more than {_DEEPEST}). Split it into several expressions")
        if isinstance(node, ast.Compare) and all(isinstance(op, _COMPARISONS) for op in node.ops):
            items = [self._number(item, depth + 1) for item in (node.left, *node.comparators)]
            return ast.Compare(items[0], node.ops, items[1:])
        if isinstance(node, ast.BoolOp):
            return ast.BoolOp(node.op, [self._condition(item, depth + 1) for item in node.values])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return ast.UnaryOp(node.op, self._condition(node.operand, depth + 1))
        self._fail(f"has {shown(self._source(node))} where a condition is expected, e.g. axis.speed > 0", node)

    def _refuse(self, node: ast.expr) -> NoReturn:
        source = shown(self._source(node))
        if isinstance(node, (ast.Compare, ast.BoolOp)) or (
            isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        ):
            self._fail(f"has the condition {source} where a number is expected; write 1 if ... else 0", node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor):
            self._fail(f"contains {source}: use ** for powers, e.g. axis.speed**2", node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
            self._fail(f"contains {source}: write floor(a / b)", node)
        self._fail(f"contains {source}, which is not arithmetic ({type(node).__name__}); {_HELP}", node)


def _small_integer(node: ast.expr) -> int | None:
    """Exponent that stays an integer: its power is a product. Other integers become floating-point numbers, which cannot grow
    without limit."""
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, node = -1, node.operand
    value = node.value if isinstance(node, ast.Constant) else None
    return sign * value if type(value) is int and value <= _MOST_EXPONENT else None


def _constant_value(node: ast.expr) -> float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _constant_value(node.operand)
        return None if inner is None else -inner
    return float(node.value) if isinstance(node, ast.Constant) else None  # type: ignore[arg-type]


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


# ---- signal expression

# SignalExpression: a formula over signals of the model and the time, e.g. for control laws.


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
    from pitchline.numerics.functions import deadband, limit, sign, step

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


# ---- shifted signal

# ShiftedSignal: a value from signals plus a constant, for the inputs of linear models.


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


# ---- signal values

# Values that depend on signals of the model: expressions, and Python functions of time, angle and speed.

SignalValue = Function | SignalExpression | StateLaw
"""Value over time, or from signals."""


def as_signal(value: Any, dimension: str | None, *, what: Subject) -> Function | SignalExpression:
    """Convert a number (SI), a text with a unit, a Function, a callable t -> value or an expression to a value over time."""
    if isinstance(value, ShiftedSignal):  # only in copies of a model, for the inputs of linear models
        kept: Any = value
        return kept
    return value if isinstance(value, SignalExpression) else as_function(value, dimension, what=what)


def as_signal_on_joint(value: Any, dimension: str, joint: str, coordinate: str, *, what: Subject) -> SignalValue:
    """As `as_signal`. A callable may also take the angle (or displacement) and speed of the joint."""
    if callable(value) and not isinstance(value, (Function, type)):
        allowed = STATE_OF_ROTATION if coordinate == ANGLE else STATE_OF_TRANSLATION
        names = arguments_of(value, what, allowed)
        if names != ("t",) or isinstance(value, SlowFunction):
            rate = "angular_speed" if coordinate == ANGLE else "speed"
            signals = {"t": "t", coordinate: f"{joint}.{coordinate}", "speed": f"{joint}.{rate}"}
            return StateLaw(value, tuple(signals[name] for name in names))
    return as_signal(value, dimension, what=what)
