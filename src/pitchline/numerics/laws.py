"""Python functions of numbers, compiled and called by address: laws such as torque(t, angle, speed).

A law becomes a C function of float64 numbers. It is compiled again in every process: values that a function reads from its
module, or from the place of its definition, become constants of the machine code, which must not be stored in a file.
"""

import inspect
import linecache
import re
from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from pitchline.errors import ModelError, Subject, shown

__all__ = ["address_of_law", "call_law", "numba_line"]

_kept: dict[tuple[Any, int], Any] = {}
"""Compiled laws; kept, because their addresses are in use."""

_HEADINGS = ("Failed in", "During:", "File", "Overload", "There are", "- Resolution")


def address_of_law(function: Callable[..., float], arguments: int, what: Subject) -> int:
    """Address of a function of this number of arguments. ModelError, with the message of numba, if it cannot be compiled."""
    key = (function, arguments)
    if key not in _kept:
        plain = getattr(function, "py_func", function)  # for a function that is already compiled
        taken = _positional(plain)
        if taken is not None and taken != arguments:
            raise ModelError(f"{what}: {shown(plain)} takes {taken} arguments, expected {arguments}", about=what)
        signature = types.float64(*[types.float64] * arguments)
        try:
            _kept[key] = numba.cfunc(signature, error_model="numpy")(plain)
        except Exception as error:  # numba does not catch some errors of the functions it calls
            name = getattr(plain, "__name__", shown(plain))
            raise ModelError(
                f"{what}: the function {name} cannot be compiled: {numba_line(error)}; use numbers, the "
                "module math, and functions that numba compiled",
                about=what,
            ) from error
    return int(_kept[key].address)


def _positional(function: Any) -> int | None:
    """Number of arguments, if it is fixed."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_POSITIONAL or p.default is not p.empty for p in parameters):
        return None
    return len(parameters)


def numba_line(error: Exception) -> str:
    """Message of numba for a function that it cannot compile, in one line: the reason, and the source line."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(getattr(error, "msg", None) or error))
    text = re.sub(r" of type (\w+)\.[0-9a-f]{16}\b", r" of \1", text)  # a record has a hash in its name
    reasons = [line.strip() for line in text.splitlines() if line.strip()]
    reasons = [line for line in reasons if not line.startswith(_HEADINGS)]
    place = getattr(error, "loc", None)
    reason = reasons[0] if reasons else type(error).__name__
    if reason.endswith("for signature:") and len(reasons) > 1:
        reason = f"{reason} {reasons[1].removeprefix('>>> ')}"
    if place is None or not place.filename:
        return reason
    source = linecache.getline(place.filename, place.line).strip()
    return f'{reason} ("{place.filename}", line {place.line}: {source})' if source else f"{reason} (line {place.line})"


def _call(typing: Any, address: Any, *arguments: Any) -> Any:
    """The value of a law in compiled code: call_law(s.torque, t, angle, speed). A plain C call, without an error status."""
    double = ir.DoubleType()

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kinds = enumerate(signature.args[1])
        numbers = [context.cast(builder, builder.extract_value(values[1], i), kind, types.float64) for i, kind in kinds]
        pointer = builder.inttoptr(values[0], ir.FunctionType(double, [double] * len(numbers)).as_pointer())
        return builder.call(pointer, numbers)

    return types.float64(types.int64, types.StarArgTuple(arguments)), generate


call_law: Any = intrinsic(_call)
