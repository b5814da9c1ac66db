"""One BLAS thread at a time.

Sparse factors and dense interfaces are thousands of small dense products. Threads inside each of them cost more than they
give, and where the cores are busy with other work they wait for each other for most of the time. OpenBLAS, which numpy and
scipy contain, is set to one thread during a computation. Other BLAS libraries are not changed.
"""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy
import scipy

__all__ = ["one_blas_thread"]

_NAMES = (
    "scipy_openblas_{}_num_threads64_",
    "scipy_openblas_{}_num_threads",
    "openblas_{}_num_threads64_",
    "openblas_{}_num_threads",
)


@functools.cache
def _libraries() -> list[tuple[Any, Any]]:
    """(get, set) of the number of threads, of every OpenBLAS that was shipped with numpy and scipy."""
    found = []
    for package in (numpy, scipy):
        home = Path(str(package.__file__)).parent
        for folder in (home.with_name(f"{home.name}.libs"), home / ".dylibs", home / ".libs"):
            for file in sorted(folder.glob("*openblas*")):
                try:
                    library = ctypes.CDLL(str(file))  # loaded already: this only finds it
                except OSError:
                    continue
                for name in _NAMES:
                    if hasattr(library, name.format("get")) and hasattr(library, name.format("set")):
                        found.append((getattr(library, name.format("get")), getattr(library, name.format("set"))))
                        break
    return found


_lock = threading.Lock()
_inside = 0
_before: list[tuple[Any, int]] = []


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """In here, OpenBLAS works with one thread; afterwards with as many as before. Its number of threads is that of the process:
    where several threads of Python are in here, the last one to leave restores it."""
    global _inside, _before
    with _lock:
        if _inside == 0:
            _before = [(put, int(get())) for get, put in _libraries()]
            for put, _ in _before:
                put(1)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                for put, count in _before:
                    put(count)
