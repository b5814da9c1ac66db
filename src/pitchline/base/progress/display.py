"""Stages of long computations, and their display."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, Protocol, TextIO, TypeVar
from weakref import WeakSet

from ..arguments import names_wrong_arguments

__all__ = [
    "Listener",
    "Stage",
    "counted",
    "current",
    "listen",
    "note",
    "stage",
    "staged",
    "engineering",
    "line_of",
    "span",
    "Display",
    "show_progress",
    "showing",
]


# ---- stages

# Stages: named parts of a computation that may take long, and their listeners.

_P = ParamSpec("_P")
_R = TypeVar("_R")
_T = TypeVar("_T")


class Stage:
    """Part of a computation while it runs. The computation writes it, and the display reads it.

    title:       what is being computed
    implied:     not requested explicitly by the user: compilation, finite elements of a model's gears
    repeated:    one of many with this title, shown as one: compilation goes function by function
    fraction:    fraction done, from 0 to 1; None if it is not known
    left:        remaining time, if the computation has a better estimate than the fraction gives [s]
    detail:      current operation
    began:       time.perf_counter() at the beginning [s]
    first:       simulated time, and time.perf_counter(), at which the rate of a simulation starts
    meter:       compares the progress with a limit of the computing time (`base.budget`), and may raise an exception
    """

    def __init__(
        self, title: str, total: float | None = None, *, implied: bool = False, repeated: bool = False
    ) -> None:
        self.title, self.implied, self.repeated = title, implied, repeated
        self.fraction: float | None = None
        self.left: float | None = None
        self.detail = ""
        self.began = time.perf_counter()
        self.first: tuple[float, float] | None = None
        self.meter: Any = None
        self._total = total

    def done(self, amount: float, detail: str = "") -> None:
        """Report the amount done, and the next operation."""
        if self._total:
            self.fraction = min(max(amount / self._total, 0.0), 1.0)
        self.detail = detail
        self.moved()

    def moved(self) -> None:
        """The fraction has changed: compare the remaining time with the limit, if there is one."""
        if self.meter is not None and self.fraction is not None:
            self.meter.check(self.fraction)

    def telling(self, also: Callable[[float, str], None] | None) -> Callable[[float, str], None]:
        """Function of the fraction done, from 0 to 1, and of the current operation, for computations that take such a
        function.
        It also calls `also`.
        """

        def tell(part: float, detail: str) -> None:
            self.fraction, self.detail = min(max(float(part), 0.0), 1.0), detail
            self.moved()
            if also is not None:
                also(part, detail)

        return tell


class Listener(Protocol):
    """Listener that is called when stages begin and end, in any thread."""

    def began(self, stage: Stage) -> None: ...

    def ended(self, stage: Stage) -> None: ...

    def note(self, text: str) -> None: ...


_listeners: list[Listener] = []


class _StageStack(threading.local):
    """Current stages in a thread, the innermost one last."""

    def __init__(self) -> None:
        self.stack: list[Stage] = []


_stages = _StageStack()


def current() -> Stage:
    """The innermost stage of this thread; a stage that is not shown if there is none."""
    return _stages.stack[-1] if _stages.stack else Stage("")


def listen(listener: Listener | None) -> Listener | None:
    """Use this listener, and no other, for all stages from now on; return the previous one."""
    before = _listeners[0] if _listeners else None
    _listeners[:] = [] if listener is None else [listener]
    return before


def note(text: str) -> None:
    """Message about the computation for the user, one line."""
    if _listeners:
        _listeners[0].note(text)


@contextmanager
def stage(title: str, total: float | None = None, *, implied: bool = False, repeated: bool = False) -> Iterator[Stage]:
    """Part of a computation that may take long; see `Stage`. `total`: the amount that `Stage.done` counts up to."""
    now = Stage(title, total, implied=implied, repeated=repeated)
    listener = _listeners[0] if _listeners else None
    _stages.stack.append(now)
    if listener is not None:
        listener.began(now)
    try:
        yield now
    finally:
        _stages.stack.remove(now)
        if listener is not None:
            listener.ended(now)


def counted(several: Collection[_T]) -> Iterator[_T]:
    """Iterate; the current stage shows the number of completed items."""
    now, total = current(), len(several)
    for k, one in enumerate(several):
        now.fraction, now.detail = k / total, f"{k + 1} of {total}"
        now.moved()
        yield one


def staged(title: str) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Decorator: the whole function is a stage. {} in the title is replaced by the name of its first argument."""

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        @functools.wraps(function)
        def wrapped(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            with stage(title.replace("{}", _name(args, kwargs))):
                return function(*args, **kwargs)

        return wrapped

    return decorate


def _name(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The name of the model, in quotes, on one line."""
    first = args[0] if args else kwargs.get("model")
    words = " ".join(str(getattr(first, "name", "model")).split())
    return f'"{words if len(words) <= 60 else words[:57] + "..."}"'


# ---- words

# Times and progress as text.

_PREFIXES = ((1.0, ""), (1e-3, "m"), (1e-6, "u"), (1e-9, "n"))


def engineering(seconds: float) -> str:
    """Time with a prefix: 12.5 ms."""
    size = abs(seconds)
    scale, prefix = next(((s, p) for s, p in _PREFIXES if size >= 0.9995 * s), _PREFIXES[-1] if size else _PREFIXES[0])
    return f"{seconds / scale:.4g} {prefix}s"


def span(seconds: float) -> str:
    """Duration: 8 s, 2 min 5 s, 3 h 12 min, 5 days 4 h."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 48 * 3600:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86400} days {whole % 86400 // 3600} h"


def line_of(title: str, fraction: float | None, detail: str, seconds: float, left: float | None = None) -> str:
    """One line: title, fraction done, current operation, elapsed time, and the remaining time if the fraction is known."""
    words = [title if fraction is None else f"{title} {fraction:4.0%}"]
    if detail:
        words.append(detail)
    words.append(span(seconds))
    if left is None and fraction is not None and 0.02 < fraction < 1.0:
        left = seconds * (1.0 - fraction) / fraction
    if left is not None:
        words.append(f"{span(left)} left")
    return "  ".join(words)


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
