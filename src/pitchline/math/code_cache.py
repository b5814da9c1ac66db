"""The files of compiled code: one file per function, in one folder, never anywhere else.

A file is named after the content of its function (see `content`), the types of its arguments, the processor, the settings of
numba that change machine code, and the versions of Python, numba, llvmlite and numpy. numba's own cache knows the path and the
time of the function's own file only: it misses code that was moved, and finds code that is older than what it calls.

What cannot be identified is not kept. What cannot be written stays in memory, and one line on stderr says so. Contents have
checksums: a damaged file is compiled anew.

This uses numba's internal interface of caches (how a function is written, see `machine_code`); tests guard it.
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

from ..progress import note
from . import shipped
from .baseline import baseline
from .content import Unidentified, content_of, key_of
from .machine_code import Unusable, pack, unpack

__all__ = ["CodeCache", "named_by_content", "remove_unused", "ship"]

_MAGIC = b"pitchline code 3\n"
_DIGEST = 32
UNUSED_DAYS = 30.0
"""Files that were not used for so long are removed when a new one is made."""

SETTINGS = (
    "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT", "EXTEND_VARIABLE_LIFETIMES", "ENABLE_AVX", "BOUNDSCHECK",
    "LLVM_REFPRUNE_PASS", "LLVM_REFPRUNE_FLAGS", "DEBUG_NRT", "NRT_STATS", "JIT_COVERAGE",
)  # fmt: skip
"""Settings of numba that change machine code (those of the processor are part of the target)."""

_told: set[str] = set()
_cleaned: set[str] = set()
_lock = threading.Lock()


def versions() -> dict[str, str]:
    """Of all that compiles."""
    python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"
    plain = {"Python": python, "numba": numba.__version__, "llvmlite": llvmlite.__version__}
    return plain | {"numpy": ".".join(np.__version__.split(".")[:2])}


def surroundings() -> str:
    """All besides function, types and target that machine code depends on."""
    # what a setting file says may differ from the environment, which numba reads again at any time
    settings = [(name, os.environ.get(f"NUMBA_{name}", ""), str(getattr(numba.config, name, ""))) for name in SETTINGS]
    return f"{versions()} {settings}"


def _target(codegen: Any) -> str:
    """The processor that numba compiles for, and whether it may use Intel's vector functions."""
    config: Any = numba.config
    return f"{codegen.magic_tuple()} {bool(config.USING_SVML)}"


class CodeCache(_Cache):
    """The compiled versions of one function, which `dispatcher` calls, in files of `folder`."""

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
        """Nothing is held back."""

    def key(self, sig: Any, target: str) -> str:
        """Hash of all that the machine code depends on, or nothing where that cannot be told."""
        try:
            parts = (key_of(self._dispatcher), content_of(sig))
        except Unidentified:
            return ""
        return hashlib.sha256(b"".join(parts) + f"{target} {surroundings()}".encode()).hexdigest()[:32]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function, if there is a whole file of it; None otherwise."""
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
        """Whether there is code of it, so that it need not be compiled."""
        return self._shipped(sig) is not None or self.path(sig, target_context).exists()

    def path(self, sig: Any, target_context: Any) -> pathlib.Path:
        """The file of the code for these types."""
        return self._path(self.key(sig, _target(target_context.codegen())))

    def _shipped(self, sig: Any) -> bytes | None:
        """What came with the package."""
        wanted = baseline()
        if wanted is None or not shipped.present():
            return None
        return shipped.find(self.key(sig, f"{wanted.target} False"), versions())

    def _written(self, key: str) -> bytes | None:
        """What this or another process wrote."""
        path = self._path(key)
        try:
            with open(path, "rb") as file:
                content = file.read()
                age = time.time() - os.fstat(file.fileno()).st_mtime
        except OSError:
            return None
        if age > 86400.0:  # its time is that of its last use, to a day
            with contextlib.suppress(OSError):
                os.utime(path)
        return content

    def asked(self, args: Any) -> str:
        """The key under which code for these types was last looked for."""
        return self._asked.get(tuple(args), "")

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write it, whole or not at all; where that fails, it stays in memory."""
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
            return  # something that it reads was bound anew while it was compiled
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
        name = re.sub(r"[^A-Za-z0-9_]", "_", f"{f.__module__.rpartition('.')[2]}_{f.__name__}")
        return self._folder / f"{name[:60]}-{key}.code"


def _checked(content: bytes) -> bytes | None:
    """What a file holds, if it is whole."""
    payload = content[len(_MAGIC) + _DIGEST :]
    whole = (
        content[: len(_MAGIC)] == _MAGIC
        and hashlib.sha256(payload).digest() == content[len(_MAGIC) : len(_MAGIC) + _DIGEST]
    )
    return payload if whole else None


def ship(functions: list[tuple[Any, Any]], file: pathlib.Path) -> None:
    """One file to be part of a wheel, with the code of these functions and signatures, which was compiled before."""
    paths = [function._cache.path(signature, function.targetctx) for function, signature in functions]
    shipped.write(file, {path.stem.rpartition("-")[2]: path.read_bytes() for path in paths}, versions())


def named_by_content(dispatcher: Any) -> Callable[..., Any]:
    """numba's compiler of a function, with its key in the names of its symbols.

    numba numbers functions of one name in the order in which a process compiles them. Code of two processes, loaded by a
    third, could have the same names for different functions.
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
    """Whether this folder comes for the first time."""
    with _lock:
        new = str(folder) not in seen
        seen.add(str(folder))
    return new


def _tell(folder: pathlib.Path, error: OSError) -> None:
    """Say once that compiled code is not kept."""
    if _first(_told, folder):
        note(
            f'compiled code cannot be stored in "{folder}" ({error.strerror or error}): it is compiled in memory, again in every '
            "process; set PITCHLINE_CACHE_DIR to a writable folder"
        )


def remove_unused(folder: pathlib.Path) -> None:
    """Remove files that were not used for a month, also those of interrupted writers, and folders of earlier versions."""
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
