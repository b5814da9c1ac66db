"""Pauses of Python's garbage collector, where many objects are made that all stay."""

import contextlib
import gc
import threading
from collections.abc import Iterator

_lock = threading.Lock()
_pauses = 0
_was_on = False


@contextlib.contextmanager
def no_garbage() -> Iterator[None]:
    """Nothing made inside becomes garbage soon: looking for it would take a quarter of the time of a large model. Threads may
    overlap; the collector goes on when the last pause ends."""
    global _pauses, _was_on
    with _lock:
        if _pauses == 0:
            _was_on = gc.isenabled()
            gc.disable()
        _pauses += 1
    try:
        yield
    finally:
        with _lock:
            _pauses -= 1
            if _pauses == 0 and _was_on:
                gc.enable()
