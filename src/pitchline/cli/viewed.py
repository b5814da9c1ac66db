"""Contents of ``pitchline view``: models in their initial state, results from files, analyses that are run first."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ModelError, PitchlineError
from ..viewer.things import Thing, last_first, records_of
from .exit_status import FINE
from .job_parameters import parameters_of
from .jobs import FileJob, Job, find_job, job_behind, read_allowed
from .options import number_or_text
from .result_files import open_found

if TYPE_CHECKING:
    from ..results import Result
    from ..results.linear_files import LinearFinding
    from ..viewer import ViewRecord

__all__ = ["Viewed", "changes_text", "names_of_run", "viewed"]


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
    from ..results import Result

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
    from ..results import Result

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
    from .job_run import perform

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
    from ..results import Result

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
