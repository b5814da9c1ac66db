"""Functions of several numbers with their derivatives, compiled and called by address.

A function is compiled for Duals (`dual`), which gives exact derivatives. If it uses something that Duals do not support, it is
compiled for numbers, and the derivatives are central differences inside the C function. Compiled functions are never stored in
files, as in `laws`.

C function: void map(const double* u, double* out). out: the values, then the Jacobian row by row (d value_0 / d u_0, ...).
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.core.typing.templates import signature
from numba.extending import intrinsic, register_jitable

from pitchline.errors import ModelError, Subject, shown

from .dual import F8, DualType, is_real, joined, operands
from .laws import _positional, numba_line
from .slow_laws import SlowFunction, callback_of, step_of

__all__ = ["GradientLaw", "address_of_gradient_law", "address_of_map", "call_gradient_law", "reason_of_nan"]

_DOUBLE = ir.DoubleType()
_POINTER = types.CPointer(F8)
_kept: dict[Any, "GradientLaw"] = {}
"""Compiled functions; kept, because their addresses are in use."""
_functions: dict[int, tuple[Any, int, int, Subject]] = {}
"""Python function, number of inputs and of outputs, and name, by address."""


@dataclass(frozen=True)
class GradientLaw:
    """Compiled function with derivatives.

    address: of the C function; see the module
    exact:   whether the derivatives are exact. Otherwise they are differences: the error is about 1e-6 of typical values
    reason:  why they are not exact
    """

    address: int
    exact: bool
    reason: str = ""
    kept: Any = None

    @property
    def compiled(self) -> bool:
        """Whether it is machine code; otherwise it runs in Python."""
        return hasattr(self.kept[0], "address")


def address_of_gradient_law(function: Callable[..., Any], n: int, what: Subject, *, slow: bool = False) -> GradientLaw:
    """C function of a Python function of n numbers: out[0] is its value, out[1 .. n] are its derivatives.

    slow: run it in Python, as `slow(function)`.
    """
    return address_of_map(function, n, 1, what, slow=slow)


def address_of_map(
    function: Callable[..., Any], n_in: int, n_out: int, what: Subject, *, slow: bool = False
) -> GradientLaw:
    """C function of a Python function of n_in numbers that returns a tuple of n_out numbers (or one number for n_out = 1).

    ModelError, with the message of numba and the source line, if it cannot be compiled.
    """
    what = Subject(what)
    runs_in_python = slow or isinstance(function, SlowFunction)
    plain = getattr(function, "function" if isinstance(function, SlowFunction) else "py_func", function)
    if not callable(plain):
        raise ModelError(f"{what}: {shown(plain)} ({type(plain).__name__}) is not a function", about=what)
    _check_count(plain, n_in, what)
    key = (plain, n_in, n_out, runs_in_python, what if runs_in_python else "", _constants_of(plain))
    if key not in _kept:
        made = _slow(plain, n_in, n_out, what) if runs_in_python else _compiled(plain, n_in, n_out, what)
        _kept[key] = made
        _functions[made.address] = (plain, n_in, n_out, what)
    return _kept[key]


def _check_count(function: Any, n_in: int, what: Subject) -> None:
    """Check that a function can be called with n_in arguments."""
    try:
        parameters = inspect.signature(function)
    except (TypeError, ValueError):  # some functions in C have no signature
        return
    try:
        parameters.bind(*[0.0] * n_in)
    except TypeError:
        taken = _positional(function)
        count = f"{taken} arguments" if taken is not None else f"the arguments {parameters}"
        raise ModelError(f"{what}: {shown(function)} takes {count}, expected {n_in}", about=what) from None


def _forwarded(function: Any, n_in: int) -> Any:
    """Function that numba can compile for n_in arguments. Functions in C, and such with default values or *args, are called by
    one that takes a tuple of all arguments."""
    if not isinstance(function, FunctionType):
        called = function
    elif _positional(function) == n_in:
        return function
    else:
        called = numba.njit(error_model="numpy")(function)

    def law(*u: Any) -> Any:
        return called(*u)

    return law


def _constants_of(function: Any) -> Any:
    """Values that a function reads from its module and the place of its definition. They become constants of the machine code:
    a function whose constants have changed is compiled again."""
    try:
        found = inspect.getclosurevars(function)
    except (TypeError, ValueError):
        return ()
    return tuple(
        (name, value.dtype.str + value.tobytes().hex() if isinstance(value, np.ndarray) else _identity(value))
        for name, value in (*found.nonlocals.items(), *found.globals.items())
    )


def _identity(value: Any) -> Any:
    return repr(value) if isinstance(value, (bool, int, float, complex, str, tuple, np.generic)) else id(value)


def _slow(function: Any, n_in: int, n_out: int, what: Subject) -> GradientLaw:
    import ctypes

    callback = callback_of(function, n_in, n_out, what)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    assert address is not None
    return GradientLaw(address, False, "the function runs in Python", (callback, function))


def _compiled(function: Any, n_in: int, n_out: int, what: Subject) -> GradientLaw:
    try:
        c_function = _c_function(function, n_in, n_out, [DualType(n_in)] * n_in)
        return GradientLaw(int(c_function.address), True, "", (c_function, function))
    except _WrongResult as error:
        raise _error(function, error, what) from error
    except Exception as error:  # a part that Duals do not support; numba does not catch some errors of its parts
        reason = numba_line(error)
    try:
        c_function = _c_function(function, n_in, n_out, [F8] * n_in)
    except Exception as error:
        raise _error(function, error, what) from error
    return GradientLaw(int(c_function.address), False, reason, (c_function, function))


def _error(function: Any, error: Exception, what: Subject) -> ModelError:
    name = getattr(function, "__name__", shown(function))
    if isinstance(error, _WrongResult):
        return ModelError(f"{what}: the function {name} {error}", about=what)
    return ModelError(
        f"{what}: the function {name} cannot be compiled: {numba_line(error)}; use numbers, the module math, and "
        f"functions that numba compiled, or run it in Python, which takes longer: pl.slow({name})",
        about=what,
    )


class _WrongResult(Exception):
    """Result of a function that is not the expected number of numbers."""


def _results(kind: Any, n_out: int) -> list[Any]:
    """Types of the numbers that a function returns."""
    kinds = list(kind.types) if isinstance(kind, types.BaseTuple) else [kind]
    expected = "a number" if n_out == 1 else f"a tuple of {n_out} numbers"
    if any(isinstance(k, (types.NoneType, types.Optional)) for k in kinds):
        raise _WrongResult(f"returns no value on some path; return {expected} on every path")
    if len(kinds) != n_out:
        raise _WrongResult(f"returns {len(kinds)} values, expected {expected}")
    for k in kinds:
        if not (isinstance(k, DualType) or is_real(k)):
            raise _WrongResult(f"returns a value of type {k}; return {expected}")
    return kinds


def _c_function(function: Any, n_in: int, n_out: int, kinds: list[Any]) -> Any:
    """Compiled C function. kinds: types of the arguments of the Python function."""
    njit: Any = numba.njit
    forwarded = _forwarded(function, n_in)
    dispatcher = njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(forwarded)
    taken = tuple(kinds) if forwarded is function else (types.StarArgUniTuple(kinds[0], n_in),)
    dispatcher.compile(taken)
    law = dispatcher.overloads[taken]
    results = _results(law.signature.return_type, n_out)
    if isinstance(kinds[0], DualType):
        call = _caller(law, n_in, results, shifted=False)

        def c_function(u: Any, out: Any) -> None:
            call(u, out)

    else:
        c_function = _differences(law, n_in, n_out, results)
    cfunc: Any = numba.cfunc
    return cfunc(types.void(_POINTER, _POINTER), error_model="numpy", _nrt=False)(c_function)


def _caller(law: Any, n_in: int, results: list[Any], *, shifted: bool) -> Any:
    """Function of compiled code that calls a compiled law and writes its values, and derivatives: call(u, out).

    shifted: call(u, i, x, out) with x in place of u[i]. If the law raises an exception, the values are nan.
    """
    n_out = len(results)
    kind = law.signature.args[0]
    packed = isinstance(kind, types.BaseTuple)
    if packed:
        kind = kind.dtype
    dual = kind if isinstance(kind, DualType) else None

    def generate(context: Any, builder: Any, sig: Any, values: Any) -> Any:
        def at(pointer: Any, i: int) -> Any:
            return builder.gep(pointer, [ir.Constant(ir.IntType(64), i)])

        u, out = values[0], values[-1]
        numbers = [builder.load(at(u, i)) for i in range(n_in)]
        if shifted:
            for i in range(n_in):
                here = builder.icmp_signed("==", values[1], ir.Constant(ir.IntType(64), i))
                numbers[i] = builder.select(here, values[2], numbers[i])
        if dual is not None:
            units = [[ir.Constant(_DOUBLE, float(i == k)) for k in range(n_in)] for i in range(n_in)]
            numbers = [joined(context, builder, dual, x, unit) for x, unit in zip(numbers, units, strict=True)]
        context.active_code_library.add_linking_library(law.library)
        target = context.declare_function(builder.module, law.fndesc)
        returned = law.signature.return_type
        if packed:
            numbers = [context.make_tuple(builder, law.signature.args[0], numbers)]
        status, found = context.call_conv.call_function(builder, target, returned, law.signature.args, numbers)
        with builder.if_else(status.is_ok, likely=True) as (ok, failed):
            with ok:
                items = (
                    [builder.extract_value(found, k) for k in range(n_out)]
                    if isinstance(returned, types.BaseTuple)
                    else [found]
                )
                for k, (kind, item) in enumerate(zip(results, items, strict=True)):
                    value = item if isinstance(kind, DualType) else context.cast(builder, item, kind, F8)
                    (number,) = operands(builder, (kind,), (value,))
                    builder.store(number.value, at(out, k))
                    if dual is not None:
                        for i, part in enumerate(number.parts or [ir.Constant(_DOUBLE, 0.0)] * n_in):
                            builder.store(part, at(out, n_out + k * n_in + i))
            with failed:
                for k in range(n_out if dual is None else n_out * (1 + n_in)):
                    builder.store(ir.Constant(_DOUBLE, float("nan")), at(out, k))
        return context.get_dummy_value()

    def plain(typing: Any, u: Any, out: Any) -> Any:
        return signature(types.void, u, out), generate

    def moved(typing: Any, u: Any, i: Any, x: Any, out: Any) -> Any:
        return signature(types.void, u, types.int64, F8, out), generate

    return intrinsic(moved if shifted else plain)


_step = register_jitable(step_of)


def _differences(law: Any, n_in: int, n_out: int, results: list[Any]) -> Any:
    """Values and central differences of a law of numbers."""
    call = _caller(law, n_in, results, shifted=False)
    call_at = _caller(law, n_in, results, shifted=True)

    def _numbers(typing: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, values: Any) -> Any:
            return cgutils.alloca_once(builder, _DOUBLE, size=n_out)

        return signature(_POINTER), generate

    numbers: Any = intrinsic(_numbers)

    def c_function(u: Any, out: Any) -> None:
        above = numbers()
        below = numbers()
        call(u, out)
        for i in range(n_in):
            x = u[i]
            h = _step(x)
            high = x + h
            low = x - h
            call_at(u, i, high, above)
            call_at(u, i, low, below)
            for k in range(n_out):
                if np.isnan(below[k]):  # outside the range of definition: one-sided
                    slope = 0.0 if np.isnan(above[k]) else (above[k] - out[k]) / (high - x)
                elif np.isnan(above[k]):
                    slope = (out[k] - below[k]) / (x - low)
                else:
                    slope = (above[k] - below[k]) / (high - low)
                out[n_out + k * n_in + i] = slope

    return c_function


def _call(typing: Any, address: Any, u: Any, out: Any) -> Any:
    """Call a function of `address_of_map` in compiled code: call_gradient_law(address, u, out), with contiguous arrays of
    float64 numbers (or pointers to them)."""
    for kind in (u, out):
        array = isinstance(kind, types.Array) and kind.dtype == F8 and kind.layout == "C"
        if not (array or kind == _POINTER):
            raise TypingError(f"call_gradient_law: expected a contiguous array of float64 numbers, got {kind}")

    def generate(context: Any, builder: Any, sig: Any, values: Any) -> Any:
        places = [
            context.make_array(kind)(context, builder, value).data if isinstance(kind, types.Array) else value
            for kind, value in zip(sig.args[1:], values[1:], strict=True)
        ]
        double = _DOUBLE.as_pointer()
        pointer = builder.inttoptr(values[0], ir.FunctionType(ir.VoidType(), [double, double]).as_pointer())
        builder.call(pointer, [builder.bitcast(place, double) for place in places])
        return context.get_dummy_value()

    return types.void(types.int64, u, out), generate


call_gradient_law: Any = intrinsic(_call)


def reason_of_nan(address: int, u: Any) -> str:
    """Why a function returned nan at these inputs, as one sentence: the function is called in Python."""
    function, n_in, _, what = _functions[address]
    point = [float(x) for x in np.asarray(u, dtype=float)[:n_in]]
    arguments = ", ".join(f"{x:g}" for x in point)
    try:
        found = function(*point)
    except Exception as error:
        return f"{what}: the function failed at ({arguments}): {type(error).__name__}: {error}"
    return f"{what}: the function returned {shown(found)} at ({arguments}), expected finite numbers"
