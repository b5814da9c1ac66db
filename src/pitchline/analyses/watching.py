"""Whoever watches analyses run, without a hand in the code that calls them.

    with watched(watcher):
        run = model.run()          # any analyses, however deep inside

The command line watches in this way: it shows how far a run is, and keeps each result as soon as there is one.
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

__all__ = ["Moment", "Watcher", "finished", "reached", "watched"]


@dataclass(frozen=True)
class Moment:
    """How far an analysis is.

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


class Watcher(Protocol):
    """What a watcher is told. What it raises ends the analysis: `finished` is told of interrupted results too."""

    def reached(self, moment: Moment) -> None: ...

    def finished(self, result: Result) -> None: ...


_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Analyses in here tell `watcher` what they do."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


_SETTLED = 0.5
"""Time after which a rate means something [s]."""


def in_words(moment: Moment, rate: float) -> str:
    """Simulated time, step, steps, and where it is known the rate: simulated over real time."""
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


def reached(moment: Moment) -> None:
    """Said by an analysis now and then."""
    _show(moment)
    watcher = _watcher.get()
    if watcher is not None:
        watcher.reached(moment)


def finished(result: Result) -> Result:
    """Said by an analysis of its result; passes it on."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher.finished(result)
    return result
