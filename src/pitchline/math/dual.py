"""Arithmetic of Duals: operators, comparisons, conversions, and the functions of `dual_functions`.

Derivatives at kinks are one-sided and finite, never nan: abs has the slope 0 at 0, sqrt and other functions with a vertical
tangent have the slope 0 there, max and min of equal numbers take the first one.
"""

import builtins
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import signature
from numba.extending import lower_builtin, overload

from .dual_functions import BY_VALUE, OF_ONE, OF_TWO, interpolated, powered, value_of_dual
from .dual_type import F8, DualType, Operand, by_value, called, is_real, joined, operands, template

__all__ = ["DualType"]

_DOUBLE = ir.DoubleType()
_LOOSE = ("nnan", "nsz")
"""Derivatives: 0 x is 0, so that the zeros of independent inputs disappear from the machine code."""
_MOST_PRODUCTS = 32


# Type rules


def _binary(typing: Any, args: Any) -> Any:
    """Two numbers: integers become float64, a float64 stays one."""
    if len(args) != 2:
        return None
    kinds = [kind if isinstance(kind, DualType) else F8 if is_real(kind) else None for kind in args]
    duals = {kind for kind in kinds if isinstance(kind, DualType)}
    return signature(duals.pop(), *kinds) if len(duals) == 1 and None not in kinds else None


def _unary(typing: Any, args: Any) -> Any:
    return signature(args[0], args[0]) if len(args) == 1 else None


def _several(typing: Any, args: Any) -> Any:
    """Two or more numbers, which all become Duals."""
    duals = {kind for kind in args if isinstance(kind, DualType)}
    if len(args) < 2 or len(duals) != 1 or not all(is_real(kind) or isinstance(kind, DualType) for kind in args):
        return None
    return signature(*[duals.pop()] * (len(args) + 1))


_PAIRS = ((DualType, DualType), (DualType, types.Float), (types.Float, DualType))


def _declare_two(function: Any, rule: Callable[..., Any]) -> None:
    """Function of two numbers: rule(context, builder, a, b) returns the value and its slopes by a and b (None: 1)."""
    guarded = rule not in _UNGUARDED
    template(function, _binary)

    def generate(context: Any, builder: Any, sig: Any, values: Any) -> Any:
        a, b = operands(builder, sig.args, values)
        value, by_a, by_b = rule(context, builder, a, b)
        return joined(context, builder, sig.return_type, value, _chained(builder, ((a, by_a), (b, by_b)), guarded))

    for kinds in _PAIRS:
        lower_builtin(function, *kinds)(generate)


def _declare_one(function: Any, rule: Callable[..., Any]) -> None:
    """Function of one number: rule(context, builder, a) returns the value and its slope."""
    template(function, _unary)

    def generate(context: Any, builder: Any, sig: Any, values: Any) -> Any:
        (a,) = operands(builder, sig.args, values)
        value, slope = rule(context, builder, a)
        return joined(
            context, builder, sig.return_type, value, _chained(builder, ((a, slope),), rule not in _UNGUARDED)
        )

    lower_builtin(function, DualType)(generate)


def _chained(builder: Any, terms: Any, guarded: bool) -> list[Any]:
    """Chain rule: sum of slope times derivative over the operands that have derivatives.

    guarded: a slope 0 gives 0, also if the derivative is infinite: 1 / (1 + exp(1000)) is 0, and so is its derivative.
    """
    zero = _constant(0.0)
    total: list[Any] = []
    for operand, slope in terms:
        if operand.parts is None:
            continue
        if slope is None:
            parts = operand.parts
        elif guarded:
            flat = builder.fcmp_ordered("==", slope, zero)
            parts = [builder.select(flat, zero, builder.fmul(slope, p)) for p in operand.parts]
        else:
            parts = [builder.fmul(slope, p, flags=_LOOSE) for p in operand.parts]
        total = [builder.fadd(x, y, flags=_LOOSE) for x, y in zip(total, parts, strict=True)] if total else parts
    return total


def _constant(value: float) -> Any:
    return ir.Constant(_DOUBLE, value)


# Operators


def _add(context: Any, builder: Any, a: Operand, b: Operand) -> Any:
    return builder.fadd(a.value, b.value), None, None


def _subtract(context: Any, builder: Any, a: Operand, b: Operand) -> Any:
    return builder.fsub(a.value, b.value), None, _constant(-1.0)


def _multiply(context: Any, builder: Any, a: Operand, b: Operand) -> Any:
    return builder.fmul(a.value, b.value), b.value, a.value


def _divide(context: Any, builder: Any, a: Operand, b: Operand) -> Any:
    value = builder.fdiv(a.value, b.value)
    inverse = builder.fdiv(_constant(1.0), b.value)
    return value, inverse, builder.fneg(builder.fmul(value, inverse))


def _power(context: Any, builder: Any, a: Operand, b: Operand) -> Any:
    exponent = b.value.constant if isinstance(b.value, ir.Constant) else None
    if isinstance(exponent, float) and exponent == int(exponent) and 0 <= exponent <= _MOST_PRODUCTS:
        if exponent == 0.0:
            return _constant(1.0), _constant(0.0), None
        below = _product(builder, a.value, int(exponent) - 1)
        return builder.fmul(below, a.value), builder.fmul(_constant(exponent), below), None
    if b.parts is None:  # without the logarithm of the base
        value, by_a = called(context, builder, _power_of, (a.value, b.value), 2)
        return value, by_a, None
    return tuple(called(context, builder, powered, (a.value, b.value), 3))


def _power_of(x: float, p: float) -> Any:
    value = math.pow(x, p)
    if p == 0.0 or (x == 0.0 and p < 1.0):  # a vertical tangent at 0
        return value, 0.0
    return value, p * math.pow(x, p - 1.0)


def _product(builder: Any, x: Any, n: int) -> Any:
    """x to the power of n by products."""
    result = _constant(1.0)
    started = False
    while n:
        if n & 1:
            result, started = (builder.fmul(result, x) if started else x), True
        n >>= 1
        x = builder.fmul(x, x) if n else x
    return result


def _negative(context: Any, builder: Any, a: Operand) -> Any:
    return builder.fneg(a.value), _constant(-1.0)


def _same(context: Any, builder: Any, a: Operand) -> Any:
    return a.value, None


def _by_kernel(kernel: Callable[..., Any], arguments: int) -> Callable[..., Any]:
    """Rule of a function in Python that returns the value and the slopes."""

    def rule(context: Any, builder: Any, *given: Operand) -> Any:
        return called(context, builder, kernel, tuple(operand.value for operand in given), 1 + arguments)

    return rule


def _declare_extreme(function: Any, comparison: str, *, many: bool) -> None:
    """max and min: the first of equal ones; a nan stays one."""
    template(function, _several if many else _binary_duals)

    def generate(context: Any, builder: Any, sig: Any, values: Any) -> Any:
        best = values[0]
        for other in values[1:]:
            a, b = builder.extract_value(best, 0), builder.extract_value(other, 0)
            takes = builder.and_(builder.fcmp_unordered(comparison, b, a), builder.fcmp_ordered("ord", a, a))
            best = _selected(context, builder, sig.return_type, takes, other, best)
        return best

    lower_builtin(function, *((types.VarArg(DualType),) if many else (DualType, DualType)))(generate)


def _binary_duals(typing: Any, args: Any) -> Any:
    return _several(typing, args) if len(args) == 2 else None


def _selected(context: Any, builder: Any, kind: DualType, condition: Any, a: Any, b: Any) -> Any:
    (x, y) = operands(builder, (kind, kind), (a, b))
    parts = [builder.select(condition, p, q) for p, q in zip(x.parts, y.parts, strict=True)]
    return joined(context, builder, kind, builder.select(condition, x.value, y.value), parts)


_UNGUARDED = (_add, _subtract, _multiply, _negative, _same)


def _declare() -> None:
    function: Any
    for function, two in (
        (operator.add, _add), (operator.iadd, _add), (np.add, _add),
        (operator.sub, _subtract), (operator.isub, _subtract), (np.subtract, _subtract),
        (operator.mul, _multiply), (operator.imul, _multiply), (np.multiply, _multiply),
        (operator.truediv, _divide), (operator.itruediv, _divide), (np.divide, _divide),
        (operator.pow, _power), (operator.ipow, _power), (builtins.pow, _power), (math.pow, _power), (np.power, _power),
    ):  # fmt: skip
        _declare_two(function, two)
    for kernel, functions in OF_TWO:
        for function in functions:
            _declare_two(function, _by_kernel(kernel, 2))
    for function, one in (
        (operator.neg, _negative), (np.negative, _negative), (operator.pos, _same), (builtins.float, _same),
    ):  # fmt: skip
        _declare_one(function, one)
    for kernel, functions in OF_ONE:
        for function in functions:
            _declare_one(function, _by_kernel(kernel, 1))
    for function in BY_VALUE:
        by_value(function)
    by_value(builtins.round)
    by_value(builtins.round, digits=True)
    for function in (
        operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.floordiv, np.floor_divide,
        operator.ifloordiv,         np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal,
    ):  # fmt: skip
        by_value(function, arguments=2)
    _declare_extreme(builtins.max, ">", many=True)
    _declare_extreme(builtins.min, "<", many=True)
    _declare_extreme(np.maximum, ">", many=False)
    _declare_extreme(np.minimum, "<", many=False)


_declare()


# Functions of numpy with other arguments. Without annotations: numba compares them with those of the lambda expressions


@overload(np.where)
def _where(condition, x, y):
    if not (isinstance(condition, (types.Boolean, types.Integer)) and any(isinstance(k, DualType) for k in (x, y))):
        return None

    def where(condition, x, y):
        if condition:
            return x
        return y

    return where


@overload(np.clip)
def _clip(a, a_min, a_max):
    if not all(isinstance(k, (DualType, types.NoneType)) or is_real(k) for k in (a, a_min, a_max)):
        return None  # numba's own function does not support numbers
    if isinstance(a_min, types.NoneType):
        return lambda a, a_min, a_max: min(a, a_max)
    if isinstance(a_max, types.NoneType):
        return lambda a, a_min, a_max: max(a, a_min)
    return lambda a, a_min, a_max: min(max(a, a_min), a_max)


@overload(np.interp)
def _interp(x, xp, fp):
    arrays = all(isinstance(k, types.Array) and k.ndim == 1 and is_real(k.dtype) for k in (xp, fp))
    if not (isinstance(x, DualType) and arrays):
        return None

    def interp(x, xp, fp):
        knot, value, slope = interpolated(value_of_dual(x), xp, fp)
        return value + slope * (x - knot)

    return interp
