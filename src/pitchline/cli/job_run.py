"""Run a job and keep its outcome, also if it failed or was interrupted."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..disk.errors import StorageError
from ..disk.names import distinct_stems, safe_stem
from ..errors import PitchlineError, SolveError
from ..progress import stage
from .exit_status import FAILED, FINE, INTERRUPTED, WRONG
from .failed_writes import asked_to_try_again, kept_elsewhere
from .jobs import Found, Job
from .output import folder_names, write_atomically, write_text
from .run_results import RunResults, stop_on_signals

if TYPE_CHECKING:
    from ..analyses.checkpoint_plan import CheckpointPlan
    from ..gallery import Figure

__all__ = ["Outcome", "Written", "as_data", "perform", "report_to", "write_files"]

_File = tuple[str, str, Callable[[Path], object]]
"""File extension, description and write function."""


@dataclass
class Outcome:
    """Outcome of a job.

    run:      completed analyses by name
    failure:  reason of an early end, if any
    status:   the exit status
    """

    job: Job
    run: Found = field(default_factory=dict)
    figures: Sequence[Figure] = ()
    failure: str = ""
    status: int = FINE


def perform(job: Job, *, quiet: bool = False, plan: CheckpointPlan | None = None) -> Outcome:
    """Run the job. Failures and interruptions are part of the outcome. `quiet`: print nothing to stdout. `plan`: of its
    checkpoints.

    Errors before the first computation are raised. After a later error, the results computed until then are kept.
    """
    from ..analyses.checkpoint_plan import checkpointed
    from ..analyses.observers import observed_by
    from ..results import Result

    kept = RunResults()
    run: Found = {}
    # output of the model itself must not mix with the JSON output that a program reads
    aside = contextlib.redirect_stdout(sys.stderr) if quiet else contextlib.nullcontext()
    try:
        with stop_on_signals(kept), observed_by(kept), checkpointed(plan), aside:
            run = job.run()
            return Outcome(job, run, job.figures(run))
    except SolveError as error:
        if isinstance(error.result, Result):
            kept.results.append(error.result)
        return Outcome(job, _reached(job, kept), failure=str(error), status=FAILED)
    except MemoryError:
        failure = "out of memory. Store fewer samples (larger output_step), or close other programs"
        return Outcome(job, _reached(job, kept), failure=failure, status=FAILED)
    except KeyboardInterrupt:
        named = kept.named(job.planned())
        message = next((result.message for result in named.values() if result.status == "interrupted"), "")
        return Outcome(job, _reached(job, kept), failure=message or "interrupted", status=INTERRUPTED)
    except PitchlineError as error:
        run = run or _reached(job, kept)
        if not run:
            raise
        return Outcome(job, run, failure=str(error), status=WRONG)


def _reached(job: Job, kept: RunResults) -> Found:
    """Results until a run ended early, in the order of its analyses."""
    found: Found = {**kept.named(job.planned()), **job.reached()}
    order = [name for name, _ in job.planned() if name in found]
    return {name: found[name] for name in [*order, *(name for name in found if name not in order)]}


def as_data(outcome: Outcome) -> dict[str, Any]:
    """The object printed by ``--json``."""
    from ..results.figures import report

    data = report(outcome.job.name, outcome.run, outcome.figures)
    kinds = dict(outcome.job.planned())
    for analysis in data["analyses"]:  # the name in the model file
        analysis["kind"] = kinds.get(analysis["name"], analysis["kind"])
    return data


def report_to(path: Path, outcome: Outcome, *, scene: bool = True, force: bool) -> None:
    """HTML report of an outcome."""
    from ..views.report import write_report

    job = outcome.job
    file = getattr(job, "file", None)
    plots = {} if file is None else file.study_pictures(outcome.run)
    write_report(
        path, outcome.run, model=job.model(), figures=outcome.figures, signals=job.signals, source=getattr(file, "source", None),
        plots=plots, scene=scene, overwrite=force,
    )  # fmt: skip


@dataclass(frozen=True)
class Written:
    """File of a run. problem: why it could not be written, if so; then `path` is the intended path, or where it was
    saved instead."""

    path: Path
    what: str
    problem: str = ""


def write_files(outcome: Outcome, folder: Path, *, force: bool, with_report: bool = False) -> Iterator[Written]:
    """Write all results and the picture, and yield each when it is written. Results come first. A failed file does not
    stop the others.

    The last analysis has the name of the model. The other files have the name of their analysis appended.
    """
    from .. import views  # noqa: F401  (results can then draw themselves)

    job, run = outcome.job, outcome.run
    parts = distinct_stems(list(run)[:-1], _file_part)
    suffixes = {name: f".{part}" for name, part in parts.items()} | dict.fromkeys(list(run)[-1:], "")
    wanted: list[_File] = []
    further = job.drawn(run) if outcome.status == FINE else {}
    drawn = {analysis for analysis, _ in further.values()}
    if outcome.status == FINE:  # the first one is the picture of the run
        drawn |= {plot.analysis for plot in getattr(getattr(job, "file", None), "plots", ())[:1]}
    for name, found in run.items():
        wanted += _files_of(job, name, found, suffixes[name], force, drawn=name in drawn)
    if outcome.status == FINE and job.draws(run):
        wanted.append((".png", "picture", lambda path: _draw(path, lambda draft: job.plot(run, draft), force)))
    taken = {suffix for suffix, _, _ in wanted}
    for part, (_, draw) in zip(distinct_stems(list(further), _file_part).values(), further.values(), strict=True):
        suffix = f".{part}.png" if f".{part}.png" not in taken else f".{part}-plot.png"
        wanted.append((suffix, "picture", lambda path, draw=draw: _draw(path, draw, force)))  # type: ignore[misc]
    if with_report:
        wanted.append((".html", "report", lambda path: report_to(path, outcome, force=force)))
    wanted.sort(key=lambda file: file[1] != "result")
    endings = [suffix for suffix, _, _ in wanted]
    with contextlib.ExitStack() as open_until_written:
        try:
            paths = open_until_written.enter_context(folder_names(folder, job.name, endings, force=force))
        except (
            StorageError
        ):  # the folder changed after the check: each file reports it, and results are saved elsewhere
            paths = [folder / f"{safe_stem(job.name)}{ending}" for ending in endings]
        for path, (_, what, write) in zip(paths, wanted, strict=True):
            with stage(f"writing {path.name}"):
                file = _written(path, what, write)
            yield file


def _written(path: Path, what: str, write: Callable[[Path], object]) -> Written:
    """Write one file. A result that cannot be written to its folder is saved to another one, because it may have taken
    hours."""
    while True:
        try:
            write(path)
            return Written(path, what)
        except StorageError as error:
            problem = str(error)
            if what == "result":
                if asked_to_try_again(problem):
                    continue
                kept = kept_elsewhere(path, write)
                if kept is not None:
                    return Written(kept, what, f"{problem}. The result was saved as {kept} instead. Move it from there")
            return Written(path, what, problem)
        except (PitchlineError, MemoryError) as error:
            return Written(path, what, str(error) or f'cannot write "{path}": out of memory')


def _files_of(job: Job, name: str, found: Any, suffix: str, force: bool, *, drawn: bool = False) -> list[_File]:
    """Files of one analysis. drawn: whether the model describes its picture."""
    from dataclasses import replace

    from ..results import Result
    from ..results.linear_files import LinearFinding
    from .tables import csv_text

    if isinstance(found, Result):
        whole = found if found.source else replace(found, source=job.source(name))
        return [(f"{suffix}.nc", "result", lambda path: whole.save(path, overwrite=force))]
    files: list[_File] = []
    if isinstance(found, LinearFinding) or getattr(found, "kind", "") in ("study", "continuation", "optimum"):
        files.append((f"{suffix}.nc", "result", lambda path: found.save(path, overwrite=force)))
    text = csv_text(found)
    if text is not None:
        files.append((f"{suffix}.csv", "table", lambda path: write_text(path, text, force=force)))
    if suffix and not drawn and hasattr(found, "plot"):  # the last one is the picture of the run
        files.append(
            (f"{suffix}.png", "picture", lambda path: _draw(path, lambda draft: found.plot(path=draft), force))
        )
    return files


def _draw(path: Path, draw: Any, force: bool) -> None:
    write_atomically(path, draw, force=force)


def _file_part(name: str) -> str:
    """Name of an analysis as part of a file name."""
    return "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in safe_stem(name, otherwise="_"))
