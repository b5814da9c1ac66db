"""Payload: source and request of a sweep as bytes, for other processes."""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import sys
import sysconfig
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pitchline.base.storage.free_names import user_cache
from pitchline.errors import PitchlineError, shown

from ..sources import FunctionSource, Source
from .store import SweepRequest

__all__ = ["UnsendableFunction", "main_script", "packed", "unpacked", "file_digest", "files_read"]


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


# ---- read files

# Files that the points of a sweep read: their content is a part of what the stored points depend on.

_WRITING = os.O_WRONLY | os.O_RDWR
_CODE = {".py", ".pyc", ".pyd", ".so", ".dll"}
"""Code is identified by its content, see `dependencies`."""
_here = threading.local()
_written: set[str] = set()
"""Files that this process opened for writing: results and logs of the user's own functions."""
_installed: list[bool] = []
_digests: dict[tuple[str, int, int], str] = {}


@contextmanager
def files_read() -> Iterator[dict[str, str]]:
    """Collects the files that are opened for reading: path -> checksum. The dictionary is filled at the end."""
    if not _installed:
        sys.addaudithook(_opened)
        _installed.append(True)
    before, paths = getattr(_here, "paths", None), set[str]()
    _here.paths = paths
    found: dict[str, str] = {}
    try:
        yield found
    finally:
        _here.paths = before
        if before is not None:
            before |= paths
        for path in sorted(paths - _written):
            digest = "" if _is_excluded(path) else file_digest(path)
            if digest:
                found[path] = digest


def file_digest(path: str) -> str:
    """Checksum of a file; empty if it cannot be read, or is not a regular file."""
    try:
        about = os.stat(path)
        if not os.path.isfile(path):
            return ""
        key = (path, about.st_mtime_ns, about.st_size)
        if key not in _digests:
            with open(path, "rb") as stream:
                _digests[key] = hashlib.file_digest(stream, "sha256").hexdigest()
        return _digests[key]
    except OSError:
        return ""


def _opened(event: str, arguments: tuple[Any, ...]) -> None:
    """Hook of the interpreter for all events; it must be fast, and must not raise an exception."""
    if event != "open":
        return
    paths = getattr(_here, "paths", None)
    if paths is None:
        return
    path, mode, flags = arguments
    if not isinstance(path, (str, bytes)):
        return
    name = os.path.abspath(os.fsdecode(path))
    writes = flags & _WRITING if isinstance(flags, int) else False
    if writes or (isinstance(mode, str) and not set(mode).isdisjoint("wax+")):
        _written.add(name)
    else:
        paths.add(name)


def _is_excluded(path: str) -> bool:
    """Files of Python, of packages, of the system and of caches, and copies of model files."""
    place = Path(path)
    return (
        place.suffix in _CODE
        or any(part.startswith("pitchline-study-") for part in place.parts)
        or any(place.is_relative_to(folder) for folder in _library_folders())
    )


@functools.cache
def _library_folders() -> tuple[Path, ...]:
    own = Path(__file__).parents[2]
    folders = [Path(text) for text in sysconfig.get_paths().values()]
    folders += [
        Path(sys.prefix),
        Path(sys.base_prefix),
        own,
        user_cache(),
        Path.home() / ".cache",
        Path.home() / ".config",
    ]
    if os.name == "posix":
        folders += [Path(f"/{name}") for name in ("proc", "sys", "dev", "etc", "usr", "lib", "opt")]
    return tuple(folders)
