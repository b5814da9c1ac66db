"""Budget: the longest computing time of an analysis that is not asked for.

The time is estimated before an analysis from the number of its steps and the least time of a step, and from its first seconds on
from the progress so far. If the estimate of the remaining time is longer than the budget, the user is asked (command line), or
`BudgetError` is raised.
"""

from __future__ import annotations

import functools
import math
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, ParamSpec, TypeVar

from pitchline.errors import BudgetError, ModelError, shown

from .progress.display import Stage, counted, current, span

__all__ = [
    "DEFAULT", "UNLIMITED", "Allowance", "Elapsed", "allowed", "as_far_as_allowed", "budgeted", "foresee", "limit", "longer",
    "present", "read_budget", "unless_given", "with_budget",
]  # fmt: skip

_P = ParamSpec("_P")
_R = TypeVar("_R")
_T = TypeVar("_T")

DEFAULT = 3600.0
"""Budget if none is specified [s]."""
UNLIMITED = "unlimited"
"""Budget without a limit."""
PATIENCE = 30.0
"""Time before an analysis is estimated from its progress [s]; less for a short budget."""
PAUSE = 1.0
"""Time between two estimates [s]."""

Ask = Callable[[str], bool]
"""Ask the user whether to continue."""


@dataclass(frozen=True)
class Allowance:
    """Budget [s], and how to ask for more."""

    seconds: float = DEFAULT
    ask: Ask | None = None
    always: bool = False
    """The user has already agreed to any computing time."""


_allowance: ContextVar[Allowance | None] = ContextVar("budget", default=None)


def present() -> Allowance:
    """The budget that applies here."""
    return _allowance.get() or Allowance()


@contextmanager
def allowed(allowance: Allowance) -> Iterator[None]:
    """Analyses in this context have this budget."""
    token = _allowance.set(allowance)
    try:
        yield
    finally:
        _allowance.reset(token)


@contextmanager
def unless_given() -> Iterator[None]:
    """Analyses in this context have no limit, unless one is given around it: points of a study, which has the budget."""
    with allowed(_allowance.get() or Allowance(math.inf)):
        yield


def read_budget(value: Any, what: str) -> float:
    """Budget [s] of an argument. what: name of the analysis for messages; may be empty."""
    said = f"{what}: budget" if what else "budget"
    if isinstance(value, str) and value.strip().lower() == UNLIMITED:
        return math.inf
    if isinstance(value, float) and value == math.inf:
        return value
    from pitchline.units.quantity import quantity  # late: the command line shows its help without numpy

    seconds = quantity(value, "time", what=said)
    if seconds <= 0.0:
        raise ModelError(
            f'{said} must be a positive time such as "8 h", or "{UNLIMITED}", got {shown(value)}',
            about=said,
        )
    return seconds


class Meter:
    """Estimates the remaining time of a stage from its progress."""

    def __init__(self, title: str, allowance: Allowance) -> None:
        self.title, self.seconds, self.ask = title, allowance.seconds, allowance.ask
        self._first: tuple[float, float] | None = None
        """Time and fraction done of the last call before there was progress."""
        self._began = 0.0
        """Time of the first call."""
        self._next = 0.0
        self._marks: deque[tuple[float, float]] = deque()
        """Times and fractions done, the last half of the elapsed time."""

    def check(self, fraction: float) -> None:
        """Compare the estimate at this fraction done with the budget. The first call starts the clock: before it, code was
        compiled."""
        now = time.perf_counter()
        if math.isinf(self.seconds) or now < self._next or not 0.0 <= fraction < 1.0:
            return
        way = "change the model or the options so that there is less to compute"
        patience = min(PATIENCE, 0.2 * self.seconds)
        self._next = now + min(PAUSE, 0.2 * patience)
        if self._first is None:
            self._began, self._first = now, (now, fraction)
        elif fraction <= self._first[1]:  # a first part of unknown length, such as finite elements, has no rate
            if now - self._began > self.seconds:
                spent = now - self._began
                self.exceeded(f"{self.title} is still at its start after {_long(spent)}", spent, way)
            self._first = (now, fraction)
            self._marks.clear()
        began = self._first[0]
        self._marks.append((now, fraction))
        half = 0.5 * (began + now)
        while len(self._marks) > 2 and self._marks[1][0] <= half:
            self._marks.popleft()
        if now - began < patience:
            return
        left = min(self._left(self._first, now, fraction), self._left(self._marks[0], now, fraction))
        if left > self.seconds:
            self.exceeded(
                f"{self.title} would take about {_long(left)} more; {100 * fraction:.2g} % are done", left, way
            )

    @staticmethod
    def _left(mark: tuple[float, float], now: float, fraction: float) -> float:
        """Remaining time at the rate since a mark [s]."""
        done = fraction - mark[1]
        return math.inf if done <= 0.0 else (1.0 - fraction) * (now - mark[0]) / done

    def exceeded(self, estimate: str, seconds: float, way: str) -> None:
        """Ask, or raise BudgetError."""
        if self.ask is not None and self.ask(f"{estimate}. The budget is {_long(self.seconds)}. Continue?"):
            self.seconds = math.inf
            return
        raise BudgetError(
            f"{estimate}, and the budget is {_long(self.seconds)}. {_advice(seconds, way)}", seconds=seconds
        )


class Elapsed:
    """Elapsed time of a computation whose length is not known before its end."""

    def __init__(self) -> None:
        allowance = present()
        self.seconds, self.ask = allowance.seconds, allowance.ask
        self.began = time.perf_counter()

    def check(self, done: str) -> None:
        """Ask, or raise BudgetError, if the budget is used up."""
        elapsed = time.perf_counter() - self.began
        if elapsed < self.seconds:
            return
        text = f"{done} after {_long(elapsed)}, and the budget is {_long(self.seconds)}"
        if self.ask is not None and self.ask(f"{text}. Continue?"):
            self.seconds = math.inf
            return
        raise BudgetError(f"{text}. {_advice(2.0 * elapsed, 'compute less')}", seconds=elapsed)


def _long(seconds: float) -> str:
    """A time in a message: 0.5 s, 12 s, 1 h, 2 h 5 min."""
    if seconds > 365.0 * 86400.0:
        return "more than a year"
    return f"{seconds:.2g} s" if seconds < 10.0 else span(seconds).removesuffix(" 0 min").removesuffix(" 0 h")


def _advice(seconds: float, way: str) -> str:
    more = f'"{longer(seconds)}"' if seconds < 365.0 * 86400.0 else f'"{UNLIMITED}"'
    return f"Specify budget={more} (command line: --yes) if this is intended, or {way}"


def longer(seconds: float) -> str:
    """A budget with some reserve for an estimate."""
    return f"{math.ceil(1.5 * seconds / 3600.0)} h" if seconds >= 3600.0 else f"{math.ceil(1.5 * seconds)} s"


def limit(stage: Stage) -> None:
    """The budget that applies here limits this stage from its first progress on."""
    stage.meter = Meter(stage.title, present())


def foresee(count: float, each: float, what: str, way: str) -> None:
    """Compare an estimate before the computation with the budget of the current stage.

    count, each: number of steps and the least time of one [s]. what: description of the steps. way: what to change."""
    stage, seconds = current(), count * each
    meter = stage.meter or Meter(stage.title, present())
    if seconds > meter.seconds:
        meter.exceeded(f"{meter.title} would take at least {_long(seconds)} ({what})", seconds, way)


def as_far_as_allowed(several: Collection[_T], compute: Callable[[_T], _R]) -> tuple[list[_R], BudgetError | None]:
    """Values of the items in their order. If the budget ends the computation: those before, at least one, and the error."""
    found: list[_R] = []
    try:
        for one in counted(several):
            found.append(compute(one))
    except BudgetError as error:
        if not found:
            raise
        return found, error
    return found, None


def budgeted(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorator below `staged`: the argument `budget` of an analysis, or the budget around it, limits its stage."""

    @functools.wraps(function)
    def wrapped(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        limit(current())
        return function(*args, **kwargs)

    return with_budget(wrapped)


def with_budget(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorator: the argument `budget`, or the budget around the call, applies to all computations in it."""

    @functools.wraps(function)
    def wrapped(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        given = kwargs.get("budget")
        allowance = present()
        seconds = None if given is None else read_budget(given, function.__name__)
        if seconds is not None and not allowance.always:
            allowance = replace(allowance, seconds=seconds)
        token = _allowance.set(allowance)
        try:
            return function(*args, **kwargs)
        finally:
            _allowance.reset(token)

    return wrapped
