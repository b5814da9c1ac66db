"""Stages: named parts of a computation that may take long, and their listeners."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, Protocol, TypeVar

__all__ = ["Listener", "Stage", "counted", "current", "listen", "note", "stage", "staged"]

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
    meter:       compares the progress with a limit of the computing time (`pitchline.budget`), and may raise an exception
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
