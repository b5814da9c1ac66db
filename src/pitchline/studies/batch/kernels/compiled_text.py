"""Functions of generated source text, compiled once: the machine code is in the folder of compiled code of pitchline.

The key of machine code is the content of its function (`math.content`). Therefore another process that generates the same text
loads the code, and the text needs no file. Tracebacks and messages of the compiler find its lines by `linecache`.
"""

from __future__ import annotations

import hashlib
import linecache
import math
import threading
from typing import Any

import numpy as np

from ....math.compiled import A1, A2, F8, I1, I8, compile_for, vector_block, vector_entry

__all__ = ["compiled", "load"]

_lock = threading.Lock()
_known: dict[str, Any] = {}


def compiled(text: str) -> Any:
    """The function `run` of a text, for calls from Python; other functions in the text are for `run` only."""
    key = hashlib.sha256(text.encode()).hexdigest()[:16]
    with _lock:
        if key not in _known:
            _known[key] = _defined(text, key)
        return _known[key]


def load(function: Any) -> None:
    """Compile a function, or load its code."""
    compile_for(function, function.signature)


def _defined(text: str, key: str) -> Any:
    file = f"<kernel of a batch {key}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {"__name__": f"batch_kernel_{key}", "math": math, "np": np}
    space |= {"A1": A1, "A2": A2, "I1": I1, "I8": I8, "F8": F8, "inner": vector_block}
    exec(compile(text, file, "exec", dont_inherit=True), space)
    return vector_entry(space["run"])
