"""Arguments of a Python function: whether it is a function of time, or of the state."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ..errors import ModelError, shown

__all__ = ["STATE_OF_ROTATION", "STATE_OF_TRANSLATION", "arguments_of"]

STATE_OF_ROTATION = ("t", "angle", "speed")
STATE_OF_TRANSLATION = ("t", "displacement", "speed")


def arguments_of(
    function: Callable[..., Any], what: str, allowed: tuple[str, ...] = STATE_OF_ROTATION
) -> tuple[str, ...]:
    """Names of the arguments, in their order. ("t",) is a function of time.

    One argument is the time, whatever its name is, except for the names of other quantities of the state. Arguments with default
    values are constants of the function.

    allowed: names of the quantities. ModelError for other names, if there are several arguments.
    """
    plain = getattr(function, "function", getattr(function, "py_func", function))  # of slow(...), or of numba
    try:
        parameters = list(inspect.signature(plain).parameters.values())
    except (TypeError, ValueError):  # some functions in C have no signature
        return ("t",)
    names: list[str] = []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.default is not parameter.empty:
            if parameter.name in allowed and names:
                raise _error(plain, what, allowed, f"the argument {parameter.name} has a default value; remove it")
            continue
        if parameter.kind is parameter.KEYWORD_ONLY:
            raise _error(plain, what, allowed, f"the argument {parameter.name} can only be given by name")
        names.append(parameter.name)
    if len(names) <= 1 and (not names or names[0] not in allowed):
        return ("t",)
    unknown = [name for name in names if name not in allowed]
    if unknown:
        raise _error(plain, what, allowed, f'"{unknown[0]}" is not one of them')
    return tuple(names)


def _error(function: Any, what: str, allowed: tuple[str, ...], problem: str) -> ModelError:
    return ModelError(
        f"{what}: {shown(function)} takes {inspect.signature(function)}. A function of the state has the arguments "
        f"{', '.join(allowed)}, or some of them: {problem}",
        about=what,
    )
