"""Pauses of Python's garbage collector while many long-lived objects are created."""

import contextlib
import gc
import threading
from collections.abc import Iterator

_lock = threading.Lock()
_pauses = 0
_was_on = False


@contextlib.contextmanager
def no_garbage() -> Iterator[None]:
    """Pause the garbage collector. For a large model it would take a quarter of the time.

    Pauses of several threads may overlap. The collector continues when the last pause ends."""
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
