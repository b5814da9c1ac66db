"""Payload: source and request of a sweep as bytes, for other processes."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

from ...errors import PitchlineError, shown
from ..sources import FunctionSource, Source
from .request import SweepRequest

__all__ = ["UnsendableFunction", "main_script", "packed", "unpacked"]

_WAYS_OUT = (
    "Define it at the top level of a module that other processes can import, install cloudpickle (part of pitchline[dask]), or use "
    "workers=1"
)


class UnsendableFunction(PitchlineError):
    """A function cannot be sent to other processes."""


def packed(source: Source, request: SweepRequest) -> bytes:
    """Source and request as bytes. UnsendableFunction if a function cannot be sent."""
    given = [source.function if isinstance(source, FunctionSource) else None, request.run]
    functions = [function for function in given if function is not None]
    local = any(getattr(function, "__module__", None) == "__main__" for function in functions)
    if not (local and _cloudpickle() is not None):
        try:
            return pickle.dumps((source, request))
        except Exception as error:  # lambdas and functions inside functions: each type of error is possible
            reason = error
    else:
        reason = None
    tool = _cloudpickle()
    if tool is None:
        raise UnsendableFunction(
            f"{', '.join(_name(function) for function in functions)} cannot be sent to other processes "
            f"({shown(str(reason))}). {_WAYS_OUT}"
        ) from reason
    try:
        content: bytes = tool.dumps((source, request))
        return content
    except Exception as error:
        raise UnsendableFunction(
            f"{', '.join(_name(function) for function in functions)} cannot be sent to other processes ({shown(str(error))}). "
            "Remove open files, locks and the like from it, or use workers=1"
        ) from error


def unpacked(content: bytes) -> tuple[Source, SweepRequest]:
    """Source and request from `packed`."""
    source, request = pickle.loads(content)
    return source, request


def main_script(source: Source, request: SweepRequest) -> str:
    """Script that other processes must import to find the functions; "" if there is none.

    UnsendableFunction if the functions are in a script that would start the sweep again when it is imported.
    """
    given = [source.function if isinstance(source, FunctionSource) else None, request.run]
    functions = [function for function in given if getattr(function, "__module__", None) == "__main__"]
    if not functions or _cloudpickle() is not None:
        return ""
    path = getattr(sys.modules["__main__"], "__file__", None)
    if path is None or not Path(path).is_file():
        raise UnsendableFunction(f"{_name(functions[0])} is not defined in a file. {_WAYS_OUT}")
    if "__main__" not in Path(path).read_text(encoding="utf-8", errors="replace"):
        raise UnsendableFunction(
            f'{_name(functions[0])} is defined in the script "{path}", which other processes import. Put the code that calls sweep '
            f'below the line: if __name__ == "__main__":. Or do one of these: {_WAYS_OUT[0].lower()}{_WAYS_OUT[1:]}'
        )
    return str(path)


def _cloudpickle() -> Any:
    try:
        import cloudpickle
    except ImportError:
        return None
    return cloudpickle


def _name(function: object) -> str:
    return f"function {getattr(function, '__name__', type(function).__name__)}"
