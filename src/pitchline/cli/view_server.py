"""Contents and server of ``pitchline view``: models, results, analyses that are run first, changed values."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitchline.errors import ModelError, PitchlineError
from pitchline.files.parameters import DeclaredParameter, plain_value
from pitchline.files.sources import with_parameters
from pitchline.viewer.server.run_routes import Runnable
from pitchline.viewer.view import Thing, last_first, records_of

from .jobs import FileJob, Job, find_job, job_behind, parameters_of, read_allowed, read_settings
from .result_files import open_found
from .run import FINE, number_or_text, printable, say

if TYPE_CHECKING:
    from pitchline.results.linear_files import LinearFinding
    from pitchline.results.result import Result
    from pitchline.viewer.records import ViewRecord

__all__ = ["changed_text", "Viewed", "changes_text", "names_of_run", "viewed", "JobToRun", "serve_view"]


# ---- changed model

# Text of a model file with the values that a run used.


def changed_text(job: FileJob, values: Mapping[str, str], *, beside: bool) -> str:
    """Return the text of the job's file with these values.

    `beside`: whether it is saved in the folder of its included files.
    """
    if job.texts.included and not beside:
        raise PitchlineError(
            f"{job.texts.name} includes other files that are not available here. Save the result instead"
        )
    included: dict[str, Any] = {}
    for text in job.texts.included.values():
        given = tomllib.loads(text).get("parameters", {})
        included |= given if isinstance(given, dict) else {}
    units = {one.name: one.unit for one in job.file.declared}
    return with_parameters(
        job.texts.text, {name: _said(job, name, text, units) for name, text in values.items()}, included
    )


def _said(job: FileJob, name: str, text: str, units: Mapping[str, str]) -> Any:
    """Value as text of a model file. A plain number is in SI units. If the parameter has a unit, the file must state
    it."""
    value = plain_value(text)
    return job.file.parameters[name] if isinstance(value, (int, float)) and units[name] else value


@dataclass
class Viewed:
    """Contents of the page.

    title:    of the page
    shown:    in the order of the page
    job:      returns the job that can be run, or the reason why none can; called late, because viewing results needs no
    model
    remarks:  messages for the user
    status:   how a requested run ended, and why if it failed
    drawn:    drawing options of `record_of`
    """

    title: str
    shown: list[Thing] = field(default_factory=list)
    job: Callable[[], Job | str] = str
    remarks: list[str] = field(default_factory=list)
    status: int = FINE
    failure: str = ""
    drawn: dict[str, object] = field(default_factory=dict)

    def records(self, *, signals: bool) -> list[ViewRecord]:
        """As records. signals: whether they contain all values, as needed for a page in one file."""
        records, left_out = records_of(self.shown, signals=signals, **self.drawn)
        if left_out:
            self.remarks.append(f"not on the page, because there is no view for them: {', '.join(left_out)}")
        job = None if records else self.job()
        if isinstance(job, Job):
            self.remarks.append(f"{self.title} is shown in its initial state")
            records, _ = records_of([Thing(job.model(), self.title, parameters=parameters_of(job))], **self.drawn)
        return records


def viewed(given: argparse.Namespace) -> Viewed:
    """Read the named models and results, and run the model if requested."""
    from pitchline.results.result import Result

    path = Path(given.model).expanduser()
    found = _first_result(path, given) if path.suffix.lower() == ".nc" else _first_model(given)
    found.drawn = {"magnify_corrections": number_or_text(given.magnify_corrections), "contact": given.contact}
    if given.contact and not any(isinstance(one.item, Result) for one in found.shown) and not given.more:
        found.remarks.append("--contact computes the contact pressure of results, but there is no result. Add --run")
    for other in given.more:
        found.shown.append(_shown_result(open_found(Path(other).expanduser()), Path(other), given))
    return found


def _first_model(given: argparse.Namespace) -> Viewed:
    job = find_job(given.model, given.set, given.allow)
    found = Viewed(job.name, job=lambda: job)
    if given.run:
        _run(found, job)
    else:
        found.shown.append(Thing(job.model(), job.name, parameters=parameters_of(job)))
        found.remarks.append(_how_to_run(given.model, job))
    return found


def _first_result(path: Path, given: argparse.Namespace) -> Viewed:
    from pitchline.results.result import Result

    if given.set and not given.run:
        raise ModelError(
            "--set changes a parameter of a model, but the result is already computed. Add --run to compute a new one"
        )
    result = open_found(path)
    if given.run and not isinstance(result, Result):
        raise ModelError(
            f'"{path}" does not contain its model file. Specify the model to run: pitchline view MODEL.toml --run'
        )
    found = Viewed(
        result.model_name, [_shown_result(result, path, given)], lambda: _job_behind(result, path.name, given.allow)
    )
    if given.run:
        job = find_job(given.model, given.set, given.allow)
        _run(found, job)
        found.job = lambda: job
    return found


def _shown_result(result: Result | LinearFinding, path: Path, given: argparse.Namespace) -> Thing:
    """Result with the parameters of its model for a page in one file. A local page requests them when needed."""
    job = None if given.output is None else _job_behind(result, path.name, given.allow)
    return Thing(result, path.stem, parameters=parameters_of(job) if isinstance(job, Job) else ())


def _run(found: Viewed, job: Job) -> None:
    """Results of all analyses of the job, as far as it ran."""
    from .jobs import perform

    outcome = perform(job)
    found.status, found.failure = outcome.status, outcome.failure
    if not outcome.run:
        raise PitchlineError(f"{job.name}: {outcome.failure or 'nothing was computed'}")
    names = names_of_run(changes_text(getattr(job, "settings", {})), list(outcome.run))
    declared = parameters_of(job)
    found.shown += last_first(
        [Thing(one, names[analysis], True, declared, job.model) for analysis, one in outcome.run.items()]
    )


def _how_to_run(model: str, job: Job) -> str:
    planned = [name for name, _ in job.planned()]
    if isinstance(job, FileJob) and not planned:
        return f"{job.name} is shown in its initial state; it has no analyses to run"
    analyses = f" ({', '.join(planned)})" if planned else ""
    return f"{job.name} is shown in its initial state; pitchline view {model} --run runs its analyses{analyses} first"


def _job_behind(result: Result | LinearFinding, called: str, allow: Sequence[str]) -> Job | str:
    """The model that the result was computed with, or the reason why it is not available."""
    from pitchline.results.result import Result

    job = None
    try:
        if isinstance(result, Result):
            job = job_behind(result, called, {}, read_allowed(allow))
    except PitchlineError as error:  # another version, or a module that was not allowed; the result is still valid
        return f"The model of {called} cannot be run again: {error}"
    return job or f"{called} does not contain its model file. The model cannot be run again from here."


def changes_text(settings: Mapping[str, str]) -> str:
    """Changed parameters as a name: teeth=21, module=2.5 mm."""
    return ", ".join(f"{name}={value}" for name, value in settings.items())


def names_of_run(changes: str, analyses: Sequence[str]) -> dict[str, str]:
    """Names of the analyses of a run on the page, with the changed parameters."""
    if not changes:
        return {name: name for name in analyses}
    return {name: changes if len(analyses) == 1 else f"{changes}: {name}" for name in analyses}


# ---- view server

# Local page of ``pitchline view``: its server, the browser, and the model that the page can run.

_START = "import sys; sys.path[:] = sys.argv.pop().split('\\n'); from pitchline.cli.view_worker import main; sys.exit(main())"
"""The process finds modules in the same folders: pitchline need not be installed, and --allow can name modules of this
folder."""


class JobToRun(Runnable):
    """NAME|FILE with the options of the command. drawn: drawing options of `record_of`."""

    def __init__(self, job: Job, given: argparse.Namespace, drawn: Mapping[str, object]) -> None:
        self._job, self._what, self._allow = job, given.model, list(given.allow)
        self._drawn = dict(drawn)
        self._set = read_settings(given.set)
        self.command = (
            sys.executable,
            "-P",
            "-c",
            _START,
            "\n".join(str(Path(place).absolute()) for place in sys.path),
        )
        path = Path(given.model).expanduser()
        self.name, self.has_file = job.name, isinstance(job, FileJob)
        self._is_file = path.is_file()
        self.source = path.name if self._is_file else given.model
        # for a gallery model: the folder in which the command was given
        self.folder = path.resolve().parent if self._is_file else Path.cwd()

    def declared(self) -> Sequence[DeclaredParameter]:
        return parameters_of(self._job)

    def analyses(self) -> Sequence[str]:
        return [name for name, _ in self._job.planned()]

    def check(self, values: Mapping[str, str]) -> None:
        self._changed(values)

    def label(self, values: Mapping[str, str]) -> str:
        return changes_text(self._whole(values)) or "as in the file"

    def job(self, values: Mapping[str, str]) -> dict[str, Any]:
        what = str(Path(self._what).expanduser().resolve()) if self._is_file else self._what
        return {"model": what, "set": self._whole(values), "allow": self._allow, "drawn": self._drawn}

    def text(self, values: Mapping[str, str]) -> str:
        pass

        job = self._changed(values)
        if not isinstance(job, FileJob):
            raise PitchlineError(
                f"{self.name} is a Python program, not a model file. Copy it with: pitchline gallery --copy {self.name}"
            )
        return changed_text(job, self._whole(values), beside=self._is_file and self._what.lower().endswith(".toml"))

    def _whole(self, values: Mapping[str, str]) -> dict[str, str]:
        return {**self._set, **values}

    def _changed(self, values: Mapping[str, str]) -> Job:
        return find_job(self._what, [f"{name}={value}" for name, value in self._whole(values).items()], self._allow)


def serve_view(found: Viewed, given: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    from pitchline.viewer.server.run_routes import add_run_routes
    from pitchline.viewer.server.server import Server, open_page

    from .view import tell

    def find() -> Runnable | str:
        job = found.job()
        return job if isinstance(job, str) else JobToRun(job, given, found.drawn)

    with Server(found.records(signals=False)) as server, _ended_by_signals() as ended:
        tell(found)
        if found.failure:
            say(found.failure)
        add_run_routes(server, find)
        server.start()
        opened = not given.no_browser and open_page(server)
        shown = "shown in the browser" if opened else "open this address in a browser on this machine"
        print(printable(f"{found.title}: {shown}; press Ctrl-C to end"))
        print(server.address, flush=True)
        _wait(ended)
    print("ended")
    return FINE


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[threading.Event]:
    """Event that is set by Ctrl-C, or by the signal that ends the program or closes its terminal."""
    ended = threading.Event()

    def end(number: int, frame: Any) -> None:
        ended.set()

    ending = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
    before = {number: signal.signal(number, end) for number in ending}
    try:
        yield ended
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _wait(ended: threading.Event) -> None:
    while not ended.wait(0.5):  # on Windows, signals are not processed during an unlimited wait
        pass
