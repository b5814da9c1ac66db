"""Files of compiled code: one file per function, in one folder.

The name of a file depends on the content of its function (see `content`), the types of its arguments, the processor, the
settings of numba that change machine code, and the versions of Python, numba, llvmlite and numpy. numba's own cache uses only
the path and the time of the function's own file: it does not find code that was moved, and it finds code that is older than
the functions it calls.

Code that cannot be identified is not stored. Code that cannot be written stays in memory, with one line on stderr. Contents
have checksums: the function of a damaged file is compiled again.

This uses numba's internal interface of caches (for the format of a function, see `machine_code`); tests check it.
"""

import contextlib
import hashlib
import os
import pathlib
import re
import secrets
import shutil
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.caching import _Cache

from pitchline.base.progress.display import note

from . import machine_code as shipped
from .content import Unidentified, content_of, key_of
from .machine_code import Unusable, baseline, pack, unpack

__all__ = ["CodeCache", "named_by_content", "remove_unused", "ship"]

_MAGIC = b"pitchline code 3\n"
_DIGEST = 32
UNUSED_DAYS = 30.0
"""Files that were not used for this time are removed when a new one is written."""

SETTINGS = (
    "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT", "EXTEND_VARIABLE_LIFETIMES", "ENABLE_AVX", "BOUNDSCHECK",
    "LLVM_REFPRUNE_PASS", "LLVM_REFPRUNE_FLAGS", "DEBUG_NRT", "NRT_STATS", "JIT_COVERAGE",
)  # fmt: skip
"""Settings of numba that change machine code (those of the processor are part of the target)."""

_told: set[str] = set()
_cleaned: set[str] = set()
_lock = threading.Lock()


def versions() -> dict[str, str]:
    """Versions of the packages that compile."""
    python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"
    plain = {"Python": python, "numba": numba.__version__, "llvmlite": llvmlite.__version__}
    return plain | {"numpy": ".".join(np.__version__.split(".")[:2])}


def surroundings() -> str:
    """All other data on which machine code depends, in addition to function, types and target."""
    # settings in a file may differ from the environment, which numba reads again at any time
    settings = [(name, os.environ.get(f"NUMBA_{name}", ""), str(getattr(numba.config, name, ""))) for name in SETTINGS]
    return f"{versions()} {settings}"


def _target(codegen: Any) -> str:
    """Target processor of numba, and whether it may use Intel's vector functions."""
    config: Any = numba.config
    return f"{codegen.magic_tuple()} {bool(config.USING_SVML)}"


class CodeCache(_Cache):
    """Compiled versions of one function, which `dispatcher` calls, in files of `folder`."""

    by_content = True

    def __init__(self, dispatcher: Any, folder: pathlib.Path) -> None:
        self._dispatcher, self._folder = dispatcher, folder
        self._enabled = True
        self._asked: dict[Any, str] = {}

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Nothing to do: writes are immediate."""

    def key(self, sig: Any, target: str) -> str:
        """Hash of all data on which the machine code depends; empty if it cannot be determined."""
        try:
            parts = (key_of(self._dispatcher), content_of(sig))
        except Unidentified:
            return ""
        return hashlib.sha256(b"".join(parts) + f"{target} {surroundings()}".encode()).hexdigest()[:32]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function if there is a complete file; otherwise None."""
        key = self.key(sig, _target(target_context.codegen())) if self._enabled else ""
        self._asked[tuple(getattr(sig, "args", sig))] = key
        if not key:
            return None
        for content in (self._shipped(sig), self._written(key)):
            payload = None if content is None else _checked(content)
            if payload is not None:
                with contextlib.suppress(Unusable):
                    return unpack(target_context, payload)
        shipped.tell_misfit(versions())
        return None

    def has(self, sig: Any, target_context: Any) -> bool:
        """Whether there is code for it, so that it need not be compiled."""
        return self._shipped(sig) is not None or self.path(sig, target_context).exists()

    def path(self, sig: Any, target_context: Any) -> pathlib.Path:
        """File of the code for these types."""
        return self._path(self.key(sig, _target(target_context.codegen())))

    def _shipped(self, sig: Any) -> bytes | None:
        """Code that was delivered with the package."""
        wanted = baseline()
        if wanted is None or not shipped.present():
            return None
        return shipped.find(self.key(sig, f"{wanted.target} False"), versions())

    def _written(self, key: str) -> bytes | None:
        """Code that this or another process wrote."""
        path = self._path(key)
        try:
            with open(path, "rb") as file:
                content = file.read()
                age = time.time() - os.fstat(file.fileno()).st_mtime
        except OSError:
            return None
        if age > 86400.0:  # its time is that of its last use, with a resolution of a day
            with contextlib.suppress(OSError):
                os.utime(path)
        return content

    def asked(self, args: Any) -> str:
        """Key of the last search for code of these types."""
        return self._asked.get(tuple(args), "")

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write the complete file or nothing. If this fails, the code stays in memory."""
        key = self.asked(getattr(sig, "args", sig))
        if (
            not key
            or data.library.has_dynamic_globals
            or data.lifted
            or data.objectmode
            or not data.environment.can_cache()
        ):
            return
        if self.key(sig, _target(data.codegen)) != key:
            return  # a value that it reads was assigned again during the compilation
        payload = pack(data)
        path = self._path(key)
        draft = path.with_name(f"{path.name}.{secrets.token_hex(6)}.tmp")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(_MAGIC + hashlib.sha256(payload).digest() + payload)
            os.replace(draft, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)
            _tell(self._folder, error)
        else:
            if _first(_cleaned, self._folder):
                remove_unused(self._folder)

    def _path(self, key: str) -> pathlib.Path:
        f = self._dispatcher.py_func
        name = re.sub(r"[^A-Za-z0-9_]", "_", f.__name__)
        return self._folder / f"{name[:60]}-{key}.code"


def _checked(content: bytes) -> bytes | None:
    """Content of a file, if it is complete."""
    payload = content[len(_MAGIC) + _DIGEST :]
    whole = (
        content[: len(_MAGIC)] == _MAGIC
        and hashlib.sha256(payload).digest() == content[len(_MAGIC) : len(_MAGIC) + _DIGEST]
    )
    return payload if whole else None


def ship(functions: list[tuple[Any, Any]], file: pathlib.Path) -> None:
    """Write one file for a wheel, with the code of these functions and signatures, which was compiled before."""
    paths = [function._cache.path(signature, function.targetctx) for function, signature in functions]
    shipped.write(file, {path.stem.rpartition("-")[2]: path.read_bytes() for path in paths}, versions())


def named_by_content(dispatcher: Any) -> Callable[..., Any]:
    """numba's compiler of a function, with its key in the names of its symbols.

    numba numbers functions of one name in the order in which a process compiles them. Code of two processes, loaded by a third
    one, could have the same names for different functions.
    """
    function, compiler = dispatcher.py_func, dispatcher._compiler.compile

    def compiled(args: Any, return_type: Any) -> Any:
        name, key = function.__qualname__, dispatcher._cache.asked(args)
        if key:
            function.__qualname__ = f"v{key[:16]}.{name}"
        try:
            return compiler(args, return_type)
        finally:
            function.__qualname__ = name

    return compiled


def _first(seen: set[str], folder: pathlib.Path) -> bool:
    """Whether this folder is used for the first time."""
    with _lock:
        new = str(folder) not in seen
        seen.add(str(folder))
    return new


def _tell(folder: pathlib.Path, error: OSError) -> None:
    """Report once that compiled code is not stored."""
    if _first(_told, folder):
        note(
            f'compiled code cannot be stored in "{folder}" ({error.strerror or error}): it is compiled in memory, again in every '
            "process; set PITCHLINE_CACHE_DIR to a writable folder"
        )


def remove_unused(folder: pathlib.Path) -> None:
    """Remove files that were not used for a month, including those of interrupted writers, and folders of earlier versions."""
    limit = time.time() - UNUSED_DAYS * 86400.0
    for file in (*folder.glob("*.code"), *folder.glob("*.tmp")):
        with contextlib.suppress(OSError):
            if file.stat().st_mtime < limit:
                file.unlink()
    for other in folder.parent.iterdir():
        if re.fullmatch("[0-9a-f]{16}", other.name) and other.is_dir():
            with contextlib.suppress(OSError):
                if other.stat().st_mtime < limit:
                    shutil.rmtree(other)
