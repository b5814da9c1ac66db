"""Results of a run, stored as soon as they are available, so that a later failure or Ctrl-C does not lose them."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..analyses.observers import Moment
    from ..results import Result

__all__ = ["RunResults", "stop_on_signals"]


class RunResults:
    """Receives the results of the analyses of a run, and ends the run on request."""

    def __init__(self) -> None:
        self.results: list[Result] = []
        self.stop_requested = False

    def reached(self, moment: Moment) -> None:
        if self.stop_requested:
            raise KeyboardInterrupt

    def finished(self, result: Result) -> None:
        """Store a result. An interrupted analysis ends the whole run."""
        self.results.append(result)
        if result.status == "interrupted":
            raise KeyboardInterrupt

    def named(self, planned: Sequence[tuple[str, str]]) -> dict[str, Result]:
        """Results by name: the name of the planned analysis (name, kind) if it is known, otherwise the kind."""
        left = [(name, kind) for name, kind in planned if kind in ("statics", "kinematics", "dynamics")]
        names: dict[str, Result] = {}
        for result in self.results:
            name = result.kind
            if left and left[0][1] == result.kind:
                name = left.pop(0)[0]
            number = 1
            while name in names:
                number += 1
                name = f"{result.kind}-{number}"
            names[name] = result
        return names


@contextlib.contextmanager
def stop_on_signals(kept: RunResults) -> Iterator[None]:
    """End the run on Ctrl-C and SIGTERM (sent by job schedulers), and keep the results.

    An exception that is raised while other libraries load is lost there. `kept` therefore also stores the request, and
    ends the
    run at the next opportunity.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: Any) -> None:
        kept.stop_requested = True
        raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
