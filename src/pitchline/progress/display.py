"""Display of stages: on a terminal one live line, elsewhere one line for each stage that takes longer than two seconds."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from typing import TextIO
from weakref import WeakSet

from ..arguments import names_wrong_arguments
from .stages import Stage, listen
from .words import line_of

__all__ = ["Display", "show_progress", "showing"]

PATIENCE = 2.0
"""Stages that take longer than this are shown [s]."""
PAUSE = 0.2
"""Time between two updates [s]."""

_displays: WeakSet[Display] = WeakSet()


class Display:
    """Shows stages on a stream.

    stream:   default: sys.stderr at the time of output
    everything: all stages; False: only implied stages that the user did not request, in plain lines
    """

    def __init__(self, stream: TextIO | None = None, *, everything: bool = True) -> None:
        self._given = stream
        self.everything = everything
        self._said: set[Stage] = set()
        self._spent: dict[str, float] = {}
        self._repeated_said: set[str] = set()
        self._drawn = False
        self._closed = False
        self.begin_anew()
        _displays.add(self)

    def begin_anew(self) -> None:
        """In the child of a forked process, which has neither the thread nor the lock."""
        self._active: list[Stage] = []
        self._condition = threading.Condition()
        self._thread: threading.Thread | None = None

    @property
    def stream(self) -> TextIO:
        return sys.stderr if self._given is None else self._given

    def began(self, stage: Stage) -> None:
        """A stage begins: observe it from a separate thread, because the computation is in compiled code."""
        if not (self.everything or stage.implied):
            return
        with self._condition:
            self._active.append(stage)
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._watch, name="pitchline progress", daemon=True)
                self._thread.start()
                atexit.register(self.close)
            self._condition.notify()

    def ended(self, stage: Stage) -> None:
        """A stage ends: remove its line."""
        with self._condition:
            if stage not in self._active:
                return
            self._active.remove(stage)
            self._said.discard(stage)
            if stage.repeated:
                self._spent[stage.title] = self._seconds(stage)
            self._clear()

    def note(self, text: str) -> None:
        """Print a permanent line."""
        with self._condition, contextlib.suppress(OSError, ValueError):
            self._clear()
            self.stream.write(f"pitchline: {text}\n")
            self.stream.flush()

    def close(self) -> None:
        """Stop the display."""
        with self._condition:
            self._closed = True
            self._active.clear()
            self._clear()
            self._condition.notify()
        atexit.unregister(self.close)

    def show(self) -> None:
        """Show the current stage if it takes long enough."""
        with self._condition, contextlib.suppress(OSError, ValueError):  # a closed stream must not end a computation
            if self.everything and self.stream.isatty():
                self._draw()
            else:
                self._say()

    def _watch(self) -> None:
        while not self._closed:
            with self._condition:
                if not self._active:
                    self._condition.wait()
            time.sleep(PAUSE)
            self.show()

    def _seconds(self, stage: Stage) -> float:
        return time.perf_counter() - stage.began + (self._spent.get(stage.title, 0.0) if stage.repeated else 0.0)

    def _draw(self) -> None:
        if not self._active:
            return
        stage = self._active[-1]
        seconds = self._seconds(stage)
        if seconds < PATIENCE and not self._drawn:
            # the inner stage has just begun; the outer one may be long known
            outer = [other for other in self._active if self._seconds(other) >= PATIENCE]
            if not outer:
                return
            stage = outer[-1]
            seconds = self._seconds(stage)
        width = shutil.get_terminal_size().columns - 1
        text = line_of(stage.title, stage.fraction, stage.detail, seconds, stage.left)
        self.stream.write(f"\r{text[:width]}\x1b[K")
        self.stream.flush()
        self._drawn = True

    def _say(self) -> None:
        for stage in self._active:
            if (
                stage in self._said
                or (stage.repeated and stage.title in self._repeated_said)
                or self._seconds(stage) < PATIENCE
            ):
                continue
            self._said.add(stage)
            if stage.repeated:
                self._repeated_said.add(stage.title)
            self.stream.write(f"pitchline: {stage.title} ...\n")
            self.stream.flush()

    def _clear(self) -> None:
        if self._drawn:
            with contextlib.suppress(OSError, ValueError):
                self.stream.write("\r\x1b[K")
                self.stream.flush()
            self._drawn = False


def _in_child() -> None:
    for each in list(_displays):
        each.begin_anew()


_quiet = Display(everything=False)
listen(_quiet)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


@names_wrong_arguments
def show_progress(on: bool = True) -> None:
    """Show the progress of analyses, finite elements, tables and compilation on stderr.

    On a terminal this is one live line with the fraction done, the elapsed time and the remaining time. Elsewhere it is
    one line
    for each computation that takes longer than two seconds. With ``show_progress(False)``, the default, a line
    announces only
    computations that were not requested explicitly: compilation, and finite elements of gears.
    """
    before = listen(Display() if on else _quiet)
    if isinstance(before, Display) and before is not _quiet:
        before.close()


@contextlib.contextmanager
def showing(stream: TextIO | None = None) -> Iterator[Display]:
    """Show all stages in this context."""
    display = Display(stream)
    before = listen(display)
    try:
        yield display
    finally:
        listen(before)
        display.close()
