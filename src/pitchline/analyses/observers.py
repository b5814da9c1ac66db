"""Observers of analyses: they receive the progress and the result of a run, without changes in the code that runs it.

    with observed_by(observer):
        run = model.run()          # any analyses, however deep inside

The command line uses this to show the progress of a run and to keep each result as soon as it exists.
"""

from __future__ import annotations

import time as clock
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from ..progress import current
from ..progress.words import engineering
from ..results.result import Result

__all__ = ["Moment", "Observer", "finished", "reached", "observed_by"]


@dataclass(frozen=True)
class Moment:
    """Progress of an analysis.

    time, start, end:  reached, first and last time [s]
    steps:             steps or positions so far
    step:              present step [s]
    """

    kind: str
    model_name: str
    time: float
    start: float
    end: float
    steps: int
    step: float


class Observer(Protocol):
    """Interface of an observer. An exception that it raises ends the analysis. `finished` also receives interrupted results."""

    def reached(self, moment: Moment) -> None: ...

    def finished(self, result: Result) -> None: ...


_observer: ContextVar[Observer | None] = ContextVar("observer", default=None)


@contextmanager
def observed_by(observer: Observer) -> Iterator[None]:
    """Analyses inside this context report to `observer`."""
    token = _observer.set(observer)
    try:
        yield
    finally:
        _observer.reset(token)


_SETTLED = 0.5
"""Time after which a rate is meaningful [s]."""


def in_words(moment: Moment, rate: float) -> str:
    """Progress as text: simulated time, step, number of steps and, if known, the rate of simulated to real time."""
    words = [
        f"t = {engineering(moment.time)} of {engineering(moment.end)}",
        f"step {engineering(moment.step)}",
        f"{moment.steps} {'positions' if moment.kind == 'kinematics' else 'steps'}",
    ]
    return "  ".join([*words, f"{rate:.3g} x real time"] if rate > 0.0 else words)


def _show(moment: Moment) -> None:
    """The stage of the analysis shows how far it is. Its rate counts from the first moment: before it, code was compiled."""
    stage, now = current(), clock.perf_counter()
    if stage.first is None:
        stage.first = (moment.time, now)
    worked = now - stage.first[1]
    rate = (moment.time - stage.first[0]) / worked if worked > _SETTLED else 0.0
    whole = moment.end - moment.start
    stage.fraction = (moment.time - moment.start) / whole if whole > 0.0 else 1.0
    stage.left = (moment.end - moment.time) / rate if rate > 0.0 else None
    stage.detail = in_words(moment, rate)
    stage.moved()


def reached(moment: Moment) -> None:
    """Report the progress of an analysis."""
    _show(moment)
    observer = _observer.get()
    if observer is not None:
        observer.reached(moment)


def finished(result: Result) -> Result:
    """Report the result of an analysis and return it."""
    observer = _observer.get()
    if observer is not None:
        observer.finished(result)
    return result
