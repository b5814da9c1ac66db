"""Process that computes blocks of points for a sweep: it reads requests from its input and writes outcomes to its output."""

from __future__ import annotations

import os
import pickle
import queue
import runpy
import struct
import sys
import threading
import types
from typing import Any, BinaryIO

__all__ = ["main", "receive", "send"]

_LENGTH = struct.Struct("<Q")


def send(stream: BinaryIO, message: Any) -> None:
    """Write one message."""
    content = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(content)))
    stream.write(content)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read one message. EOFError if the other process has ended."""
    return pickle.loads(_exactly(stream, _LENGTH.unpack(_exactly(stream, _LENGTH.size))[0]))


def _exactly(stream: BinaryIO, size: int) -> bytes:
    content = stream.read(size)
    if len(content) < size:
        raise EOFError
    return content


def main() -> None:
    """Compute blocks until the input ends."""
    requests, answers = _streams()
    try:
        script, arguments, content = receive(requests)
        sys.argv[:] = arguments
        if script:
            _import_script(script)
        from .payload import unpacked
        from .process_pool import block_of

        source, request = unpacked(content)
    except BaseException as error:
        send(answers, ("error", f"{type(error).__name__}: {error}"))
        return
    send(answers, ("ready", os.getpid()))
    waiting: queue.Queue[Any] = queue.Queue()
    threading.Thread(target=_read, args=(requests, waiting), daemon=True).start()
    while True:
        first, values = waiting.get()
        send(answers, ("block", block_of(source, request, first, values)))


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Input and output of messages. What the code of the user prints goes to the error stream."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    return requests, answers


def _read(requests: BinaryIO, waiting: queue.Queue[Any]) -> None:
    """Read requests in a thread, so that this process ends at once when the one that started it has ended."""
    while True:
        try:
            waiting.put(receive(requests))
        except Exception:
            os._exit(0)


def _import_script(path: str) -> None:
    """Import the script of the user, so that its functions are found; its part below `if __name__ == "__main__":` is not run."""
    module = types.ModuleType("__mp_main__")
    module.__dict__.update(runpy.run_path(path, run_name="__mp_main__"))
    sys.modules["__main__"] = sys.modules["__mp_main__"] = module
