"""Messages about wrong arguments of public functions: a misspelt name gets suggestions, like a misspelt key of a model
file.

Python's own TypeError only states that an argument is unexpected. A function that is marked with
`names_wrong_arguments` names the
wrong argument and suggests similar ones. A correct call costs one more Python call. Accepted arguments, signature and
types do not
change.

A class can have `said_elsewhere`: arguments that users may look for and that belong to another object, with a hint.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

from pitchline.errors import ModelError, PitchlineError, near_names

__all__ = ["ArgumentError", "names_wrong_arguments"]

Call = TypeVar("Call", bound=Callable[..., Any])
_FAILURES = (TypeError, AttributeError, ValueError, ArithmeticError, LookupError, OSError)
"""Errors of Python, and of numpy, that a value of a wrong type can cause."""
_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class ArgumentError(ModelError, TypeError):
    """Call with an argument that does not exist, is missing, is given twice, or must be given by name."""


def names_wrong_arguments(call: Call) -> Call:
    """Mark a function, or a class with its constructor and its own public methods."""
    if not inspect.isclass(call):
        return _explained(call)
    for name, method in list(vars(call).items()):
        if name != "__init__" and name.startswith("_"):
            continue
        if inspect.isfunction(method):
            setattr(call, name, _explained(method))
        elif isinstance(method, classmethod | staticmethod):
            setattr(call, name, type(method)(_explained(method.__func__)))
    return call


def _explained(function: Call) -> Call:
    @functools.wraps(function)
    def call(*values: Any, **named: Any) -> Any:
        try:
            return function(*values, **named)
        except _FAILURES as error:
            if isinstance(error, PitchlineError):
                raise
            problems = _problems(function, values, named) if isinstance(error, TypeError) else []
            problems = problems or _of_wrong_types(function, values, named, error)
            if not problems:  # the arguments are valid: the error comes from the function itself
                raise
            cause = None if isinstance(error, TypeError) else error
        raise ArgumentError(problems, title="the call has problems") from cause

    return call  # type: ignore[return-value]


def _of_wrong_types(
    function: Callable[..., Any], values: Sequence[Any], named: Mapping[str, Any], error: Exception
) -> list[str]:
    """Arguments that do not fit their annotations, one sentence each; empty for an error in a function of the user."""
    from .types import wrong_types

    own = getattr(inspect.unwrap(function), "__code__", None)
    trace = error.__traceback__.tb_next if error.__traceback__ else None  # the first one is that of the wrapper
    while trace is not None:
        code = trace.tb_frame.f_code
        if code is not own and not code.co_filename.startswith(_library_folders()):
            return []
        trace = trace.tb_next
    signature = inspect.signature(function)
    try:
        bound = signature.bind(*values, **named)
    except TypeError:
        return []
    given = {name: value for name, value in bound.arguments.items() if name not in ("self", "cls")}
    what = _words(function, dict(signature.parameters), values, named)
    return [f"{what}: {problem}" for problem in wrong_types(function, given, error)]


@functools.cache
def _library_folders() -> tuple[str, ...]:
    """Start of the file names of pitchline, of its libraries and of Python."""
    import sysconfig

    folders = [
        os.path.dirname(os.path.dirname(__file__)),
        *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")),
    ]
    return (*folders, *map(os.path.realpath, folders), "<frozen", "<__array_function__", "<string>")


def _problems(function: Callable[..., Any], values: Sequence[Any], named: Mapping[str, Any]) -> list[str]:
    """All errors of the arguments, one sentence each; empty if they are valid."""
    if function.__name__ == "__init__" and values and hasattr(type(values[0]), "__signature__"):
        function, values = type(values[0]), values[1:]  # the class states its arguments, its constructor takes any
    signature = inspect.signature(function)
    try:
        signature.bind(*values, **named)
        return []
    except TypeError:
        pass
    parameters = dict(signature.parameters)
    what = _words(function, parameters, values, named)
    owner = values[0] if values else None
    if next(iter(parameters), "") in ("self", "cls"):
        del parameters[next(iter(parameters))]
        values = values[1:]
    by_position = [name for name, p in parameters.items() if p.kind in _BY_POSITION]
    by_name = [name for name, p in parameters.items() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    first = [name for name, p in parameters.items() if p.kind is p.POSITIONAL_ONLY]
    open_ended = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    elsewhere: Mapping[str, str] = getattr(owner, "said_elsewhere", {})
    problems = [
        f'{what}: there is no argument "{name}"; {elsewhere.get(name) or _near(name, by_name)}'
        for name in named
        if name not in (*by_name, *first) and not open_ended
    ]
    problems += [f'{what}: specify "{name}" by its position, without its name' for name in first if name in named]
    if len(values) > len(by_position) and not any(p.kind is p.VAR_POSITIONAL for p in parameters.values()):
        problems.append(f"{what}: {_too_many(len(values), by_position, by_name)}")
    given = by_position[: len(values)]
    problems += [
        f'{what}: "{name}" is given twice, by its position and by its name'
        for name in given
        if name in named and name in by_name
    ]
    if problems:
        return problems
    missing = [
        name
        for name, p in parameters.items()
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and name not in (*given, *named)
    ]
    return [f'{what}: the argument "{name}" is missing' for name in missing]


def _near(name: str, known: list[str]) -> str:
    """Similar arguments; if none is very similar, also all arguments."""
    text = near_names(name, known, most=30)
    words = [word for one in known for word in (one, *one.split("_"))]
    if text.startswith("did you mean") and not get_close_matches(name, words, cutoff=0.8):
        text += f" Its arguments are {', '.join(known)}"
    return text


def _too_many(count: int, by_position: list[str], by_name: list[str]) -> str:
    rest = [name for name in by_name if name not in by_position]
    way_out = f"; specify the others by name: {', '.join(f'{name}=' for name in rest[:12])}" if rest else ""
    way_out += " ..." if len(rest) > 12 else ""
    if not by_position:
        return f"takes no positional arguments, got {count}{way_out}"
    some = "1 positional argument" if len(by_position) == 1 else f"{len(by_position)} positional arguments"
    return f"takes {some} ({', '.join(by_position)}), got {count}{way_out}"


def _words(
    function: Callable[..., Any],
    parameters: Mapping[str, inspect.Parameter],
    values: Sequence[Any],
    named: Mapping[str, Any],
) -> str:
    """Name of the call in messages: 'Gear', 'dynamics', 'Model.body "rod"'."""
    names = list(parameters)
    words = function.__name__
    if names[:1] in (["self"], ["cls"]) and values:
        owner = values[0] if inspect.isclass(values[0]) else type(values[0])
        words = owner.__name__ if words == "__init__" else f"{owner.__name__}.{words}"
        names, values = names[1:], values[1:]
    called = values[0] if names[:1] == ["name"] and values else named.get("name")
    return f'{words} "{called}"' if isinstance(called, str) else words
