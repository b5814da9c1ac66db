"""The runs of a server, one at a time: how far the present one is, and the records that each has added."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitchline.base.storage.free_names import atomic_file, safe_stem, write_text
from pitchline.errors import ModelError, PitchlineError
from pitchline.files.key_lines import FileError
from pitchline.files.parameters import DeclaredParameter
from pitchline.results.result import Result

from ..records import ViewRecord
from .question import Answer, EventStream, Question, Refusal, ServedRecords, json_answer

if TYPE_CHECKING:
    from .server import Server

__all__ = ["RunProcess", "Runnable", "PageRun", "Runs", "save", "RunRoutes", "add_run_routes"]


# ---- run process

# A run in a process of its own: its memory and its failures are not those of the server, and it ends with the server.
#
# The process reads its job as one line of JSON and writes its events as such lines. The line "stop" ends it with the
# samples computed so far. It also ends when its standard input is closed, as the server is then gone.

_PATIENCE = 5.0
"""For a process that was killed to be gone [s]."""
_TAIL = 400
"""Characters of the last output of a process that failed."""


class RunProcess:
    """One run. errors_file: for the standard error of the process."""

    def __init__(self, command: Sequence[str], job: Mapping[str, Any], errors_file: Path) -> None:
        self._errors_file = errors_file
        # Ctrl-C in the terminal ends the server, and the server ends the run
        alone: dict[str, Any] = {"start_new_session": True}
        if os.name != "posix":
            alone = {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
        with errors_file.open("wb") as errors:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
                **alone,
            )
        self._send(json.dumps(job))

    def _send(self, line: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # it has ended meanwhile
            assert self._process.stdin is not None
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()

    def events(self) -> Iterator[dict[str, Any]]:
        """Its events until it ends. Other output is ignored."""
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                with contextlib.suppress(ValueError):
                    event = json.loads(line)
                    if isinstance(event, dict):
                        yield event
        self._process.wait()
        self._let_go()

    def stop(self) -> None:
        """Ask it to end with what was computed."""
        self._send("stop")

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        self._let_go()

    def _let_go(self) -> None:
        """Close the way to it; what it has not read is lost with it."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def last_words(self) -> str:
        """Message of a process that ended without a final event."""
        with contextlib.suppress(OSError):
            text = self._errors_file.read_text("utf-8", "replace").strip()
            said = text.splitlines()[-1][-_TAIL:] if text else ""
            return f"the run ended unexpectedly (status {self._process.returncode})" + (f": {said}" if said else "")
        return f"the run ended unexpectedly (status {self._process.returncode})"


# ---- runnable

# Data of a model that can be run again, given to the server at its start.


class Runnable(ABC):
    """The one model that pages of a server may run, with other values of its declared parameters.

    name:      of the model
    source:    its file, as shown to the user
    folder:    into which changed models and results are saved
    has_file:  whether there is a model file, whose text can be saved with other values
    command:   of the process that runs it: it reads the job as one line of JSON, and writes its events as such lines
    """

    name: str
    source: str
    folder: Path
    has_file: bool
    command: Sequence[str]

    @abstractmethod
    def declared(self) -> Sequence[DeclaredParameter]:
        """Its parameters, with the values that it has now."""

    @abstractmethod
    def analyses(self) -> Sequence[str]:
        """Names of its analyses, as far as they are known beforehand."""

    @abstractmethod
    def check(self, values: Mapping[str, str]) -> None:
        """Raise the PitchlineError of values that the model does not take."""

    @abstractmethod
    def label(self, values: Mapping[str, str]) -> str:
        """What a run is called: what was changed."""

    @abstractmethod
    def job(self, values: Mapping[str, str]) -> dict[str, Any]:
        """The job of the process, as plain data; the folder for its output is added."""

    @abstractmethod
    def text(self, values: Mapping[str, str]) -> str:
        """The text of the model file with these values; PitchlineError where there is none."""


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


# ---- run saving

# What a run found, kept: its result, or the model file with its values, under a new name in the folder of the model.

_ENDINGS = {"model": ".toml", "result": ".nc"}
_HOW = "Enter another name"


def save(model: Runnable, run: PageRun, what: str, name: str, record: int | None) -> Path:
    """Write the file; no file is ever replaced. name: of the file, with or without its ending; never a path."""
    target = model.folder / _checked(name, _ENDINGS[what])
    if what == "model":
        text = model.text(run.values)
        if target.exists():
            raise Refusal(409, f'"{target.name}" already exists. {_HOW}')
        return write_text(target, text)
    source = run.files.get(record if record is not None else next(iter(run.files), -1))
    if source is None:
        raise Refusal(404, f"run {run.number} has no such result")
    with atomic_file(target, size=source.stat().st_size, how_to_overwrite=_HOW) as (draft, _):
        shutil.copyfile(source, draft)
    return target


def _checked(name: str, ending: str) -> str:
    """A file name that is valid in one folder on every system."""
    stem = name.strip()
    if stem.lower().endswith(ending):
        stem = stem[: -len(ending)]
    if not stem or safe_stem(stem) != stem:
        allowed = 'letters, digits, blanks, "-", "_" and "."'
        raise Refusal(400, f'"{name:.100}" cannot be the name of a file here; use {allowed}, and no folder')
    return f"{stem}{ending}"


# ---- run routes

# Change and run: the routes by which a page asks for parameters, runs the model with other values, stops and saves.

LONGEST_VALUE = 500
"""Characters."""


def add_run_routes(server: Server, find: Callable[[], Runnable | str]) -> RunRoutes:
    """Allow the pages of a server to run a model.

    find: returns the model, or raises an error with the reason. It is called at the first request, since results are shown
    without a model.
    """
    routes = RunRoutes(find, server.records)
    server.add("GET", "/api/parameters", routes.parameters)
    server.add("POST", "/api/run", routes.run)
    server.add("GET", "/api/progress", routes.progress)
    server.add("POST", "/api/stop", routes.stop)
    server.add("POST", "/api/save", routes.save)
    server.at_close(routes.close)
    return routes


class RunRoutes:
    """Handlers. Nothing that is sent becomes part of a command line or of a path without being checked against a list or a form."""

    def __init__(self, find: Callable[[], Runnable | str], records: ServedRecords) -> None:
        self._find, self._records = find, records
        self._finding = threading.Lock()
        self._found: Runs | str | None = None

    def found(self) -> Runs | str:
        """The runs of the model, or why there is none."""
        with self._finding:
            if self._found is None:
                model = self._find()
                self._found = model if isinstance(model, str) else Runs(model, self._records)
            return self._found

    @property
    def runs(self) -> Runs:
        found = self.found()
        if isinstance(found, str):
            raise Refusal(409, found)
        return found

    def close(self) -> None:
        """End what runs."""
        if isinstance(self._found, Runs):
            self._found.close()

    def parameters(self, question: Question) -> Answer:
        """The form, and the runs so far; or why there are none."""
        question.only()
        found = self.found()
        if isinstance(found, str):
            return json_answer({"why": found})
        model = found.model
        return json_answer(
            {
                "model": model.name, "source": model.source, "folder": str(model.folder), "has_file": model.has_file,
                "analyses": list(model.analyses()), "parameters": [one.as_data() for one in model.declared()],
                "runs": [run.said() for run in found.all],
            }
        )  # fmt: skip

    def run(self, question: Question) -> Answer:
        """{"parameters": {"teeth": "21"}}: what differs from the form."""
        values = self._values(question.data)
        try:
            self.runs.model.check(values)
        except ModelError as error:
            return json_answer(
                {"error": "the model does not take these values", "problems": _problems(error, values)}, 422
            )
        return json_answer(self.runs.start(values).said())

    def progress(self, question: Question) -> EventStream:
        """How far the present run is, as events, until it ends."""
        question.only()
        return EventStream(self.runs.events())

    def stop(self, question: Question) -> Answer:
        """{}"""
        _only(question.data)
        return json_answer(self.runs.stop().said())

    def save(self, question: Question) -> Answer:
        """{"run": 1, "what": "model", "name": "gearbox 21"}; of a result "what" is "result", and "record" is its number."""
        data = question.data
        _only(data, "run", "what", "name", "record")
        run = self.runs[_whole(data, "run")]
        record = _whole(data, "record") if "record" in data else None
        what, name = data.get("what"), data.get("name")
        if not isinstance(name, str) or what not in ("model", "result"):
            raise Refusal(400, 'needed: "what", which is "model" or "result", and "name"')
        return json_answer({"saved": save(self.runs.model, run, what, name, record).name})

    def _values(self, data: Mapping[str, Any]) -> dict[str, str]:
        _only(data, "parameters")
        given = data.get("parameters")
        if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
            raise Refusal(400, 'needed: "parameters", a table of names and texts')
        declared = {one.name for one in self.runs.model.declared()}
        for name, value in given.items():
            if name not in declared:
                raise Refusal(400, f'the model declares no parameter "{name:.100}"')
            if not value.strip() or len(value) > LONGEST_VALUE or not value.isprintable():
                raise Refusal(400, f'the value of "{name}" must be one line of at most {LONGEST_VALUE} characters')
        return {name: value.strip() for name, value in given.items()}


def _only(data: Mapping[str, Any], *allowed: str) -> None:
    if set(data) - set(allowed):
        raise Refusal(400, f"only these can be sent here: {', '.join(allowed) or 'nothing'}")


def _whole(data: Mapping[str, Any], key: str) -> int:
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refusal(400, f"{key}: a whole number is needed")
    return value


def _problems(error: PitchlineError, values: Mapping[str, str]) -> list[dict[str, str]]:
    """What is wrong, each with the parameter that it is about where that is known."""
    if isinstance(error, FileError):
        found = []
        for problem in error.found:
            section, _, rest = problem.key.partition(".")
            name = rest.partition(".")[0] if section == "parameters" else ""
            words = (
                problem.message
                if name in values
                else f"{problem.key}: {problem.message}"
                if problem.key
                else problem.message
            )
            found.append({"parameter": name if name in values else "", "message": words})
        return found
    texts = error.problems if isinstance(error, ModelError) else [str(error)]
    return [
        {"parameter": next((name for name in values if f": {name} " in text), ""), "message": text} for text in texts
    ]
