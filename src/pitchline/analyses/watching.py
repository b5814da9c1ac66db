"""Whoever watches analyses run, without a hand in the code that calls them.

    with watched(watcher):
        run = model.run()          # any analyses, however deep inside

The command line watches in this way: it shows how far a run is, and keeps each result as soon as there is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

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


def reached(moment: Moment) -> None:
    """Said by an analysis now and then."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher.reached(moment)


def finished(result: Result) -> Result:
    """Said by an analysis of its result; passes it on."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher.finished(result)
    return result
