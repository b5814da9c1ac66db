"""Arithmetic of Duals: operators, comparisons, conversions, and functions such as sin and sqrt.

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
from numba.core.compiler import Flags
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, lower_cast, models, overload, register_jitable, register_model

from pitchline.version import __version__

__all__ = [
    "F8",
    "DualType",
    "Operand",
    "by_value",
    "called",
    "dual_of",
    "is_real",
    "joined",
    "operands",
    "template",
    "BY_VALUE",
    "OF_ONE",
    "OF_TWO",
    "value_of_dual",
    "interpolated",
    "powered",
    "remainder",
    "truncated",
]


# ---- dual type

# Dual: a number together with its derivatives by n inputs, in compiled code only.
#
# A law that is compiled for Duals instead of float64 numbers returns its value and its exact derivatives. A Dual is a
# struct of n + 1 float64 numbers in registers: it is not allocated and has no reference count.
#
# Numbers convert to Duals (derivatives 0), so that a variable may be a number on one path and a Dual on another. A
# Dual never converts to a number: code that requires one (an item of an array, a function with an explicit signature)
# does not compile.

F8 = types.float64
_DOUBLE_dual_type = ir.DoubleType()


class DualType(types.Type):
    """Type of a number with n derivatives.

    The version is in the name, because numba stores functions of users with cache=True under the names of their types.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        super().__init__(name=f"Dual({n}, pitchline {__version__})")

    def unify(self, typing: Any, other: Any) -> Any:
        return self if is_real(other) or other == self else None

    def can_convert_from(self, typing: Any, other: Any) -> Any:
        return Conversion.safe if is_real(other) else None


@register_model(DualType)
class _DualModel(models.StructModel):
    def __init__(self, manager: Any, kind: DualType) -> None:
        super().__init__(manager, kind, [("value", F8), ("parts", types.UniTuple(F8, kind.n))])


def is_real(kind: Any) -> bool:
    """Whether a type is a real number that has no derivatives."""
    return isinstance(kind, (types.Integer, types.Float, types.Boolean))


class Operand:
    """Number in generated code: its value, and its derivatives (None for a number that has none)."""

    __slots__ = ("parts", "value")

    def __init__(self, value: Any, parts: Any = None) -> None:
        self.value, self.parts = value, parts


def operands(builder: Any, kinds: Any, values: Any) -> list[Operand]:
    """Operands of a function. Python numbers, which numba passes for constant exponents, become constants."""
    found = []
    for kind, value in zip(kinds, values, strict=True):
        if isinstance(kind, DualType):
            parts = [builder.extract_value(value, [1, i]) for i in range(kind.n)]
            found.append(Operand(builder.extract_value(value, 0), parts))
        else:
            found.append(
                Operand(ir.Constant(_DOUBLE_dual_type, float(value)) if isinstance(value, (int, float)) else value)
            )
    return found


def joined(context: Any, builder: Any, kind: DualType, value: Any, parts: Any) -> Any:
    """Dual of its value and its derivatives."""
    made = ir.Constant(context.get_value_type(kind), ir.Undefined)
    made = builder.insert_value(made, value, 0)
    for i, part in enumerate(parts):
        made = builder.insert_value(made, part, [1, i])
    return made


def dual_of(context: Any, builder: Any, kind: DualType, value: Any) -> Any:
    """Dual of a number: its derivatives are 0."""
    return joined(context, builder, kind, value, [ir.Constant(_DOUBLE_dual_type, 0.0)] * kind.n)


@lower_cast(types.Boolean, DualType)
@lower_cast(types.Integer, DualType)
@lower_cast(types.Float, DualType)
def _cast(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    return dual_of(context, builder, wanted, context.cast(builder, value, given, F8))


def template(function: Any, choose: Any) -> None:
    """Type rule of a function: choose(typing context, argument types) returns a signature, or None."""

    class DualTemplate(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if kws or not any(isinstance(kind, DualType) for kind in args):
                return None
            return choose(self.context, args)

    infer_global(function)(DualTemplate)


def called(context: Any, builder: Any, kernel: Any, numbers: Any, results: int) -> list[Any]:
    """Call of a Python function of float64 numbers that returns a tuple of them. It is compiled once, into its callers."""
    flags: Any = Flags()
    flags.error_model = "numpy"  # a division by 0 is not an error
    flags.forceinline = True
    sig = signature(types.UniTuple(F8, results), *[F8] * len(numbers))
    compiled = context.compile_subroutine(builder, kernel, sig, flags=flags)
    found = context.call_internal(builder, compiled.fndesc, sig, numbers)
    return [builder.extract_value(found, i) for i in range(results)]


def _choose_values(function: Any) -> Any:
    def choose(typing: Any, args: Any) -> Any:
        plain = [F8 if isinstance(kind, DualType) else kind for kind in args]
        sig = typing.resolve_function_type(function, plain, {})
        return None if sig is None else signature(sig.return_type, *args)

    return choose


def by_value(function: Any, *, arguments: int = 1, digits: bool = False) -> None:
    """Declare a function whose result has no derivatives, or zero ones (comparisons, floor): numba's own is called."""
    if not digits:
        template(function, _choose_values(function))

    def generate(context: Any, builder: Any, sig: Any, values: Any) -> Any:
        typing = context.typing_context
        kind = typing.resolve_value_type(function)
        plain = [F8 if isinstance(k, DualType) else k for k in sig.args]
        found = kind.get_call_type(typing, plain, {})
        numbers = [
            context.cast(builder, builder.extract_value(v, 0) if isinstance(k, DualType) else v, p, wanted)
            for k, p, v, wanted in zip(sig.args, plain, values, found.args, strict=True)
        ]
        return context.get_function(kind, found)(builder, numbers)

    if digits:  # the second argument is an integer
        lower_builtin(function, DualType, types.Integer)(generate)
    elif arguments == 1:
        lower_builtin(function, DualType)(generate)
    else:
        for kinds in ((DualType, DualType), (DualType, types.Any), (types.Any, DualType)):
            lower_builtin(function, *kinds)(generate)


# ---- dual functions

# Functions of one and two numbers with their derivatives, for Duals: value, then slopes, as plain Python functions.
#
# Where a slope is infinite (sqrt at 0, asin at 1) it is 0, so that no product with a derivative 0 becomes nan. `dual`
# compiles these functions without checks of divisions by 0.

_DEGREE = math.pi / 180.0
_TWO_BY_ROOT_PI = 2.0 / math.sqrt(math.pi)
_LN2, _LN10 = math.log(2.0), math.log(10.0)


def _sin(x: float) -> Any:
    return math.sin(x), math.cos(x)


def _cos(x: float) -> Any:
    return math.cos(x), -math.sin(x)


def _tan(x: float) -> Any:
    v = math.tan(x)
    return v, 1.0 + v * v


def _asin(x: float) -> Any:
    d = (1.0 - x) * (1.0 + x)
    return math.asin(x), (1.0 / math.sqrt(d) if d > 0.0 else 0.0)


def _acos(x: float) -> Any:
    d = (1.0 - x) * (1.0 + x)
    return math.acos(x), (-1.0 / math.sqrt(d) if d > 0.0 else 0.0)


def _atan(x: float) -> Any:
    return math.atan(x), 1.0 / (1.0 + x * x)


def _sinh(x: float) -> Any:
    return math.sinh(x), math.cosh(x)


def _cosh(x: float) -> Any:
    return math.cosh(x), math.sinh(x)


def _tanh(x: float) -> Any:
    v = math.tanh(x)
    return v, (1.0 - v) * (1.0 + v)


def _asinh(x: float) -> Any:
    return math.asinh(x), 1.0 / math.hypot(1.0, x)


def _acosh(x: float) -> Any:
    d = (x - 1.0) * (x + 1.0)
    return math.acosh(x), (1.0 / math.sqrt(d) if d > 0.0 else 0.0)


def _atanh(x: float) -> Any:
    return math.atanh(x), 1.0 / ((1.0 - x) * (1.0 + x))


def _exp(x: float) -> Any:
    v = math.exp(x)
    return v, v


def _exp2(x: float) -> Any:
    v = math.pow(2.0, x)
    return v, _LN2 * v


def _expm1(x: float) -> Any:
    return math.expm1(x), math.exp(x)


def _log(x: float) -> Any:
    return math.log(x), 1.0 / x


def _log2(x: float) -> Any:
    return math.log2(x), 1.0 / (_LN2 * x)


def _log10(x: float) -> Any:
    return math.log10(x), 1.0 / (_LN10 * x)


def _log1p(x: float) -> Any:
    return math.log1p(x), 1.0 / (1.0 + x)


def _sqrt(x: float) -> Any:
    v = math.sqrt(x)
    return v, (0.5 / v if v > 0.0 else 0.0)


def _cbrt(x: float) -> Any:
    v = math.copysign(math.pow(abs(x), 1.0 / 3.0), x)
    return v, (1.0 / (3.0 * v * v) if v != 0.0 else 0.0)


def _square(x: float) -> Any:
    return x * x, 2.0 * x


def _reciprocal(x: float) -> Any:
    v = 1.0 / x
    return v, -v * v


def _erf(x: float) -> Any:
    return math.erf(x), _TWO_BY_ROOT_PI * math.exp(-x * x)


def _erfc(x: float) -> Any:
    return math.erfc(x), -_TWO_BY_ROOT_PI * math.exp(-x * x)


def _abs(x: float) -> Any:
    return abs(x), (1.0 if x > 0.0 else -1.0 if x < 0.0 else 0.0)


def _degrees(x: float) -> Any:
    return math.degrees(x), 1.0 / _DEGREE


def _radians(x: float) -> Any:
    return math.radians(x), _DEGREE


def _atan2(y: float, x: float) -> Any:
    d = x * x + y * y
    if d == 0.0:
        return math.atan2(y, x), 0.0, 0.0
    return math.atan2(y, x), x / d, -y / d


def _hypot(x: float, y: float) -> Any:
    v = math.hypot(x, y)
    if v == 0.0:
        return v, 0.0, 0.0
    return v, x / v, y / v


def _copysign(x: float, y: float) -> Any:
    v = math.copysign(x, y)
    return v, (math.copysign(1.0, x) * math.copysign(1.0, y) if x != 0.0 else 0.0), 0.0


def powered(x: float, p: float) -> Any:
    """x ** p. The slope by p is 0 for x = 0, and for negative x, which only have integer powers."""
    v = math.pow(x, p)
    if p == 0.0 or (x == 0.0 and p < 1.0):
        by_x = 0.0
    else:
        by_x = p * math.pow(x, p - 1.0)
    return v, by_x, (v * math.log(x) if x > 0.0 else 0.0)


def remainder(x: float, p: float) -> Any:
    """x % p, with the sign of p; its slope by x is 1."""
    return x % p, 1.0, -math.floor(x / p)


def truncated(x: float, p: float) -> Any:
    """fmod(x, p), with the sign of x."""
    q = x / p
    return np.fmod(x, p), 1.0, -(math.floor(q) if q > 0.0 else math.ceil(q))


OF_ONE: Any = (
    (_sin, (math.sin, np.sin)), (_cos, (math.cos, np.cos)), (_tan, (math.tan, np.tan)),
    (_asin, (math.asin, np.arcsin)), (_acos, (math.acos, np.arccos)), (_atan, (math.atan, np.arctan)),
    (_sinh, (math.sinh, np.sinh)), (_cosh, (math.cosh, np.cosh)), (_tanh, (math.tanh, np.tanh)),
    (_asinh, (math.asinh, np.arcsinh)), (_acosh, (math.acosh, np.arccosh)), (_atanh, (math.atanh, np.arctanh)),
    (_exp, (math.exp, np.exp)), (_exp2, (np.exp2,)), (_expm1, (math.expm1, np.expm1)),
    (_log, (math.log, np.log)), (_log2, (math.log2, np.log2)), (_log10, (math.log10, np.log10)),
    (_log1p, (math.log1p, np.log1p)), (_sqrt, (math.sqrt, np.sqrt)), (_cbrt, (np.cbrt,)), (_square, (np.square,)),
    (_reciprocal, (np.reciprocal,)), (_erf, (math.erf,)), (_erfc, (math.erfc,)),
    (_abs, (builtins.abs, math.fabs, np.fabs, np.absolute)),
    (_degrees, (math.degrees, np.degrees, np.rad2deg)), (_radians, (math.radians, np.radians, np.deg2rad)),
)  # fmt: skip
"""Functions of one number, and their names."""

OF_TWO: Any = (
    (_atan2, (math.atan2, np.arctan2)), (_hypot, (math.hypot, np.hypot)), (_copysign, (math.copysign, np.copysign)),
    (remainder, (operator.mod, operator.imod, np.mod)), (truncated, (math.fmod, np.fmod)),
)  # fmt: skip

BY_VALUE: Any = (
    builtins.int, builtins.bool, operator.truth, operator.not_,
    math.floor, math.ceil, math.trunc, np.floor, np.ceil, np.trunc, np.rint, np.sign,
    math.isnan, math.isinf, math.isfinite, np.isnan, np.isinf, np.isfinite,
)  # fmt: skip
"""Functions of one number whose derivatives are 0 or do not exist."""


def _value(typing: Any, x: Any) -> Any:
    """Value of a Dual, as a float64 number."""
    if not isinstance(x, DualType):
        return None
    return signature(F8, x), lambda context, builder, sig, values: builder.extract_value(values[0], 0)


value_of_dual: Any = intrinsic(_value)


@register_jitable
def interpolated(x: float, xp: Any, fp: Any) -> Any:
    """Knot, value at the knot and slope of the straight piece of a table at x. Outside the table the end values hold."""
    last = xp.size - 1
    if x < xp[0]:
        return x, float(fp[0]), 0.0
    if x >= xp[last]:
        return x, float(fp[last]), 0.0
    low, high = 0, last
    while high - low > 1:
        middle = (low + high) // 2
        if xp[middle] <= x:
            low = middle
        else:
            high = middle
    return float(xp[low]), float(fp[low]), (fp[high] - fp[low]) / (xp[high] - xp[low])


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
