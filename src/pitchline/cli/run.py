"""``pitchline run``: run the analyses of a model, print its figures as a table or as JSON, and write files on request."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .exit_status import FINE, INTERRUPTED, WRONG, say
from .options import Commands, add_allow, add_force, add_json, add_model, add_output, add_set, add_yes, command
from .untrusted_files import printable

if TYPE_CHECKING:
    from .job_run import Outcome
    from .jobs import Job
    from .run_checkpoints import RunCheckpoints

__all__ = ["add", "print_json", "show"]

EXAMPLES = """\
  pitchline run helical-pair                         a gallery model: its figures as a table
  pitchline run gearbox.toml -o out                  a model file; picture and results in out/
  pitchline run gearbox.toml -o out --report         with an HTML report
  pitchline run gearbox.toml --tables                with bearing loads, gear forces, reactions and power
  pitchline run gearbox.toml --set "module=2.5 mm"   with another value of a parameter
  pitchline run gearbox.toml -o out --checkpoint     a long run: save its state every 30 s
  pitchline run gearbox.toml -o out --resume         continue a run that was stopped, with identical results
  pitchline run gearbox.toml --json                  one JSON object for other programs
  pitchline run out/gearbox.nc -o again              run again the model that is stored in a result file

Existing results are not overwritten: new files get a number, unless --force is given. Ctrl-C ends a run. With -o, the results
computed until then are written.
"""


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "run",
        "run a model and print its figures",
        "Run the analyses of a model and print its figures.",
        EXAMPLES,
        _run,
    )
    add_model(parser)
    add_output(parser, "DIR", "the picture and the results; created if it does not exist")
    parser.add_argument("--report", action="store_true", help="also write an HTML report to that folder")
    parser.add_argument(
        "--tables",
        action="store_true",
        help="print bearing loads, gear forces, shafts, reactions and power of every analysis. For models with shafts or "
        "rolling bearings, the tables of the last static analysis and the last power flow are printed by default",
    )
    add_json(parser)
    add_set(parser)
    add_allow(parser)
    add_yes(parser)
    add_force(parser)
    parser.add_argument(
        "--checkpoint",
        action="store_true",
        help="save the state of dynamic analyses to NAME.checkpoint in that folder every 30 s, for --resume",
    )
    parser.add_argument(
        "--checkpoint-every",
        metavar="TIME",
        help='like --checkpoint with another time between saves, e.g. 5s or "10 min"',
    )
    parser.add_argument(
        "--resume", action="store_true", help="continue a stopped run from its checkpoints in that folder"
    )


def _run(given: argparse.Namespace) -> int:
    from ..errors import ModelError
    from .jobs import find_job
    from .preflight import check_output
    from .run_checkpoints import checkpoints

    if given.report and given.output is None:
        raise ModelError("--report writes to a folder. Specify it with -o DIR")
    job = find_job(given.model, given.set, given.allow)
    if given.output is not None:
        check_output(job, given.output, force=given.force, with_report=given.report)
    run = checkpoints(job.name, given)
    with run:
        return _carried_out(job, given, run)


def _carried_out(job: Job, given: argparse.Namespace, run: RunCheckpoints) -> int:
    from .job_run import as_data, perform

    outcome = perform(job, quiet=given.json, plan=run.plan)
    problems: list[str] = []
    try:
        if given.json:
            print_json(as_data(outcome))
        elif outcome.status == FINE:
            show(outcome, tables=given.tables)
    finally:  # also if the output is closed, or the disk is full
        problems = _write(outcome, given)
    for problem in problems:
        say(problem)
    if outcome.status == FINE and not problems:
        run.complete()
        return FINE
    if outcome.status != FINE:
        lost = outcome.status == INTERRUPTED and outcome.run and given.output is None
        say(f"{outcome.failure}. With -o DIR, the results computed until then are saved" if lost else outcome.failure)
    run.tell_how_to_go_on(given)
    return outcome.status if outcome.status != FINE else WRONG


def show(outcome: Outcome, *, tables: bool) -> None:
    """Print tables and figures of a run without errors."""
    from ..gallery.console import run_text
    from ..results import Result

    job = outcome.job
    print(printable(f"{job.name}: {job.line}" if job.line else job.name), end="\n\n")
    _show_tables(outcome, asked=tables)
    if outcome.figures:
        print(run_text(outcome.run, list(outcome.figures)))
        return
    # no figures are declared: print a summary
    for name, found in outcome.run.items():
        print(printable(found.summary() if isinstance(found, Result) else f"{name}: {found}"), end="\n\n")
    print("Add a [figures] table to the model file to print values here.")


def _show_tables(outcome: Outcome, *, asked: bool) -> None:
    """Tables of every analysis with signals, if requested. Otherwise, for a model with shafts or bearings, the tables
    of its last
    static analysis, and the power flow of the analysis after it.
    """
    from ..results import Result
    from ..results.tables.all_tables import is_gearbox
    from .result_tables import tables_text

    records = {name: found for name, found in outcome.run.items() if isinstance(found, Result) and found.samples}
    static: list[str] = []
    if not asked:
        machines = {name: found for name, found in records.items() if is_gearbox(found.model)}
        static = [name for name, found in machines.items() if found.kind == "statics"][-1:]
        records = {name: machines[name] for name in dict.fromkeys([*static, *list(machines)[-1:]])}
    for name, found in records.items():
        text = tables_text(found, ("power_flow",) if static and name not in static else ())
        if text:
            print(
                printable(f"{name} ({found.kind})\n\n{text}" if name != found.kind else f"{name}\n\n{text}"), end="\n\n"
            )


def _write(outcome: Outcome, given: argparse.Namespace) -> list[str]:
    """Write all files and print their names. Return the problems of files that could not be written."""
    folder: Path | None = given.output
    if folder is None or not outcome.run:
        return []
    from .job_run import write_files

    fine = outcome.status == FINE
    files = list(write_files(outcome, folder, force=given.force, with_report=given.report))
    stream = sys.stdout if fine and not given.json else sys.stderr
    if stream is sys.stdout:
        print()
    for file in files:
        if not file.problem:
            print(f"{file.what:<8} {file.path}", file=stream)
    if not fine and any(not file.problem for file in files):
        print(f"the results computed until then are in {folder}", file=stream)
    return [file.problem for file in files if file.problem]


def print_json(data: dict[str, Any]) -> None:
    """Print one object as strict JSON."""
    from ..results.figures import report_text

    print(report_text(data))
