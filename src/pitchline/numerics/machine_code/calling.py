"""Calling compiled functions by address.

A table of addresses is an array of integers, so that its type never changes: a new kernel needs no recompilation, and there is
no additional time for entering compiled code. A function that is called by address is also not compiled again inside its
caller. This uses numba's internal calling convention. It is limited to this file, and a test checks it. (The public method, a
typed list of first-class functions, takes a third more time for each call.)
"""

import inspect
from typing import Any

from numba.core import cgutils
from numba.extending import intrinsic

from .compiled import compile_for

_addresses: dict[Any, int] = {}
"""Functions in use and their addresses. They are kept, because compiled code that is in use must never be deleted."""


def address_of(dispatcher: Any, signature: Any = None) -> int:
    """Machine address of a compiled function. The function is compiled if necessary."""
    signature = signature or dispatcher.signature
    key = (dispatcher, signature.args)
    if key not in _addresses:
        compile_for(dispatcher, signature)
        result = dispatcher.overloads[signature.args]
        _addresses[key] = int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))
    return _addresses[key]


def caller_of(signature: Any) -> Any:
    """Function call(address, *arguments) for compiled code. An error in the called function propagates."""

    def call(typing: Any, address: Any, *arguments: Any) -> Any:
        def generate(context: Any, builder: Any, with_address: Any, values: Any) -> Any:
            convention = context.call_conv
            kind = convention.get_function_type(signature.return_type, signature.args)
            pointer = builder.inttoptr(values[0], kind.as_pointer())
            status, result = convention.call_function(
                builder, pointer, signature.return_type, signature.args, values[1:]
            )
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return result

        return signature.return_type(address, *signature.args), generate

    # numba would treat *arguments as one tuple: name them separately
    names = ["typing", "address", *(f"a{i}" for i in range(len(signature.args)))]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    call.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])
    return intrinsic(call)
