"""The runs of a server, one at a time: how far the present one is, and the records that each has added."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...errors import PitchlineError
from ...results import Result
from ..records import ViewRecord
from .answers import Refusal
from .run_process import RunProcess
from .runnable import Runnable
from .served_records import ServedRecords

__all__ = ["PageRun", "Runs"]

MOST_RUNS = 100
"""Of one session: their results are kept, and their files open, until it ends."""
PAUSE = 0.5
"""Time between two events of a run of which nothing new is known [s]."""


@dataclass
class PageRun:
    """One run of the model.

    values:   of parameters that were changed
    state:    "running", "stopping", "completed", "stopped" or "failed"
    message:  why it failed or where it was stopped
    files:    number of a record -> its result file
    """

    number: int
    name: str
    values: dict[str, str]
    state: str = "running"
    message: str = ""
    title: str = "starting"
    detail: str = ""
    fraction: float | None = None
    left: float | None = None
    began: float = field(default_factory=time.monotonic)
    seconds: float = 0.0
    records: list[int] = field(default_factory=list)
    files: dict[int, Path] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    @property
    def under_way(self) -> bool:
        return self.state in ("running", "stopping")

    def said(self) -> dict[str, Any]:
        """For the page."""
        seconds = time.monotonic() - self.began if self.under_way else self.seconds
        return {
            "run": self.number, "name": self.name, "parameters": self.values, "state": self.state, "message": self.message,
            "title": self.title, "detail": self.detail, "fraction": self.fraction, "left": self.left, "seconds": round(seconds, 1),
            "records": self.records, "remarks": self.remarks, "results": list(self.files),
        }  # fmt: skip


class Runs:
    """Starts, follows and ends runs. Their results lie in a folder that only the user can enter, until `close`."""

    def __init__(self, model: Runnable, records: ServedRecords) -> None:
        self.model, self.records = model, records
        self.all: list[PageRun] = []
        self._news = threading.Condition()
        self._process: RunProcess | None = None
        self._folder: Path | None = None
        self._closed = False

    def __getitem__(self, number: int) -> PageRun:
        if not 1 <= number <= len(self.all):
            raise Refusal(404, f"there is no run {number}")
        return self.all[number - 1]

    def start(self, values: Mapping[str, str]) -> PageRun:
        """Start a run with values that the model takes."""
        with self._news:
            if self._closed or (self.all and self.all[-1].under_way):
                raise Refusal(409, "a run is under way already: wait for its end, or stop it")
            if len(self.all) >= MOST_RUNS:
                raise Refusal(409, f"{MOST_RUNS} runs are kept at a time: end pitchline view and start it again")
            number = len(self.all) + 1
            folder = self._folder_of(number)
            taken = [str(said["name"]) for said in self.records.said()]
            job = {**self.model.job(values), "folder": str(folder), "taken": taken}
            try:
                process = RunProcess(self.model.command, job, folder / "words.txt")
            except OSError as error:
                raise PitchlineError(f"the run cannot be started: {error.strerror or error}") from error
            run = PageRun(number, self.model.label(values), dict(values))
            self.all.append(run)
            self._process = process
        threading.Thread(target=self._follow, args=(run, process, folder), daemon=True, name="pitchline run").start()
        return run

    def stop(self) -> PageRun:
        """Ask the present run to end with what was computed; asked twice, it ends at once."""
        with self._news:
            if not self.all or not self.all[-1].under_way or self._process is None:
                raise Refusal(409, "no run is under way")
            run = self.all[-1]
            if run.state == "running":
                run.state = "stopping"
                self._process.stop()
            else:
                self._process.kill()
            self._news.notify_all()
            return run

    def events(self) -> Iterator[dict[str, Any] | None]:
        """How far the present run is, now and then, until it ends."""
        last: dict[str, Any] | None = None
        while self.all and not self._closed:
            with self._news:
                run = self.all[-1]
                if run.said() == last:
                    self._news.wait(PAUSE)
                now, under_way = run.said(), run.under_way  # together: the last event is that of the end
            yield now if now != last else None
            last = now
            if not under_way:
                return

    def close(self) -> None:
        """End what runs, and remove what was not saved."""
        with self._news:
            self._closed = True
            self._news.notify_all()
            process = self._process
        if process is not None:
            process.kill()
        for number in [k for run in self.all for k in run.files]:
            result = self.records[number].result
            if result is not None:
                with contextlib.suppress(OSError, PitchlineError):
                    result.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _folder_of(self, number: int) -> Path:
        try:
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix="pitchline-run-"))  # mode 0700
            folder = self._folder / str(number)
            folder.mkdir()
        except OSError as error:
            raise PitchlineError(
                f'no folder for the run in "{tempfile.gettempdir()}": {error.strerror or error}'
            ) from error
        return folder

    # --- following ---------------------------------------------------------------------------------

    def _follow(self, run: PageRun, process: RunProcess, folder: Path) -> None:
        """In a thread of its own."""
        ended: dict[str, Any] | None = None
        try:
            for event in process.events():
                if event.get("event") == "ended":
                    ended = event
                elif event.get("event") == "found":
                    self._take(run, event, folder)
                else:
                    self._note(run, event)
        except (OSError, ValueError, PitchlineError) as error:
            ended = {"status": 1, "message": f"the results of the run cannot be read: {error}"}
            process.kill()
        with self._news:
            run.seconds = time.monotonic() - run.began
            if ended is None:
                run.state = "stopped" if run.state == "stopping" else "failed"
                run.message = "" if run.state == "stopped" else process.last_words()
            else:
                status = ended.get("status")
                run.state = "completed" if status == 0 else "stopped" if status == 130 else "failed"
                run.message, run.remarks = (
                    str(ended.get("message", "")),
                    [str(text) for text in ended.get("remarks", [])],
                )
            run.fraction = 1.0 if run.state == "completed" else run.fraction
            self._process = None
            self._news.notify_all()

    def _note(self, run: PageRun, event: Mapping[str, Any]) -> None:
        with self._news:
            run.title, run.detail = str(event.get("title", "")), str(event.get("detail", ""))
            run.fraction, run.left = event.get("fraction"), event.get("left")
            self._news.notify_all()

    def _take(self, run: PageRun, event: Mapping[str, Any], folder: Path) -> None:
        """A record that the run has written; a result is opened, and read when it is looked at."""
        number = int(event["number"])
        file = folder / f"{number}.nc"
        result = Result.load(file, lazy=True) if event.get("result") else None
        record = ViewRecord(str(event["name"]), (folder / f"{number}.block").read_bytes(), result)
        with self._news:
            k = self.records.add(record)
            run.records.append(k)
            if event.get("file"):
                run.files[k] = file
            self._news.notify_all()
