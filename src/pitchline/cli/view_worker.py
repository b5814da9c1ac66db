"""Process that runs a model for the page of ``pitchline view``.

It reads its job as one line of JSON, writes records and results to the folder of the job, and reports events as lines
of JSON.
The line "stop" ends the run and keeps the results. When its standard input is closed, the server has ended, and this
process ends.
"""

from __future__ import annotations

import _thread
import contextlib
import json
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from pitchline.base.progress.display import Stage, listen, stage
from pitchline.errors import PitchlineError

from .jobs import Outcome, find_job, parameters_of, perform
from .run import FAILED, FINE, INTERRUPTED, WRONG
from .view_server import changes_text, names_of_run

__all__ = ["main"]

PAUSE = 0.2
"""Time between two progress events [s]."""


class Reports:
    """Lines of JSON for the server; as a listener of stages, it regularly reports the progress of the innermost one."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._active: list[Stage] = []

    def say(self, event: str, **data: Any) -> None:
        with self._lock, contextlib.suppress(OSError, ValueError):
            self._stream.write(json.dumps({"event": event, **data}) + "\n")
            self._stream.flush()

    def began(self, stage: Stage) -> None:
        self._active.append(stage)

    def ended(self, stage: Stage) -> None:
        with contextlib.suppress(ValueError):
            self._active.remove(stage)

    def note(self, text: str) -> None:
        """Show messages of the computation with the other messages."""
        self.say("progress", title=text, detail="", fraction=None, left=None)

    def watch(self) -> None:
        """Runs in its own thread, because the computation may be in compiled code for a long time."""
        last: dict[str, Any] = {}
        while True:
            time.sleep(PAUSE)
            for now in self._active[-1:]:
                said = {
                    "title": now.title,
                    "detail": now.detail,
                    "fraction": _finite(now.fraction),
                    "left": _finite(now.left),
                }
                if said != last:
                    self.say("progress", **said)
                    last = said


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def main() -> int:
    """Read the job, run it, and report the outcome."""
    reports = Reports(_own_stdout())
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also if the parent process ignores it
    line = sys.stdin.readline()
    if not line:
        return WRONG
    job = json.loads(line)
    threading.Thread(target=_obey, daemon=True).start()
    threading.Thread(target=reports.watch, daemon=True).start()
    listen(reports)
    try:
        ended = _run(job, reports)
    except KeyboardInterrupt:
        ended = {"status": INTERRUPTED, "message": "stopped before anything was computed"}
    except PitchlineError as error:
        ended = {"status": WRONG, "message": str(error)}
    except MemoryError:
        ended = {
            "status": FAILED,
            "message": "out of memory. Store fewer samples (larger output_step), or close other programs",
        }
    reports.say("ended", **ended)
    return FINE


def _own_stdout() -> TextIO:
    """Reserve standard output for events. Output of the model goes to standard error."""
    stream = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return stream


def _obey() -> None:
    """Wait for "stop". A closed input means that the server has ended."""
    for line in sys.stdin:
        if line.strip() == "stop":
            _thread.interrupt_main()
    os._exit(WRONG)


def _run(job: dict[str, Any], reports: Reports) -> dict[str, Any]:
    settings = [f"{name}={value}" for name, value in job["set"].items()]
    with stage("reading the model"):
        found = find_job(job["model"], settings, job["allow"])
    outcome = perform(found, quiet=True)
    names = names_of_run(changes_text(job["set"]), list(outcome.run))
    left_out = list(_written(outcome, names, job, reports))
    remarks = [f"not shown, because there is no view for them: {', '.join(left_out)}"] if left_out else []
    return {"status": outcome.status, "message": outcome.failure, "remarks": remarks}


def _written(outcome: Outcome, names: dict[str, str], job: dict[str, Any], reports: Reports) -> Iterator[str]:
    """Write records and results to the folder of the job, the last analysis first; yield the names of those without a
    view."""
    from pitchline.results.result import Result
    from pitchline.viewer.records import NotViewable, record_of

    folder, taken = Path(job["folder"]), set(job["taken"])
    declared = parameters_of(outcome.job)
    order = [*list(outcome.run)[-1:], *list(outcome.run)[:-1]]
    for number, analysis in enumerate(order):
        thing = outcome.run[analysis]
        name, again = names[analysis], 2
        while name in taken:
            name, again = f"{names[analysis]} ({again})", again + 1
        taken.add(name)
        is_result = isinstance(thing, Result)
        try:
            with stage(f"writing {name}"):
                record = record_of(thing, name, signals=not is_result, parameters=declared, **job["drawn"])
                if isinstance(thing, Result) and not thing.source:
                    thing = replace(thing, source=outcome.job.source(analysis))
                kept = hasattr(thing, "save")  # tooth contacts have no files
                if kept:
                    thing.save(folder / f"{number}.nc")
                (folder / f"{number}.block").write_bytes(record.block)
        except NotViewable:
            yield analysis
            continue
        reports.say("found", number=number, name=name, result=is_result, file=kept)
