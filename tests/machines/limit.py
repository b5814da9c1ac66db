"""A limit of processor time for a trial: a machine that takes longer does not end."""

from __future__ import annotations

import contextlib
import faulthandler
import signal
import threading
from collections.abc import Iterator
from typing import Any

from machines.cases import Violation

SECONDS = 60.0
"""Limit of one trial [s of processor time], so that other work on the computer does not count."""


@contextlib.contextmanager
def ends(seconds: float = SECONDS) -> Iterator[None]:
    """Raise a violation after this time. Compiled code that never returns ends the process with a traceback."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: Any) -> None:
        raise Violation(f"does not end: more than {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    faulthandler.dump_traceback_later(20.0 * seconds, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
