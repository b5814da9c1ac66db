"""Functions of one and two numbers with their derivatives, for Duals: value, then slopes, as plain Python functions.

Where a slope is infinite (sqrt at 0, asin at 1) it is 0, so that no product with a derivative 0 becomes nan. `dual` compiles
these functions without checks of divisions by 0.
"""

import builtins
import math
import operator
from typing import Any

import numpy as np
from numba.core.typing.templates import signature
from numba.extending import intrinsic, register_jitable

from .dual_type import F8, DualType

__all__ = ["BY_VALUE", "OF_ONE", "OF_TWO", "value_of_dual", "interpolated", "powered", "remainder", "truncated"]

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
