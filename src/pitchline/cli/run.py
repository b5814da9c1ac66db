"""``pitchline run``: the analyses of a model, its figures as a table or as JSON, its files where they were asked for."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .exit_status import FINE, INTERRUPTED, WRONG, say
from .options import Commands, add_allow, add_force, add_json, add_model, add_output, add_set, command
from .untrusted_files import printable

if TYPE_CHECKING:
    from .job_run import Outcome
    from .jobs import Job
    from .run_checkpoints import RunCheckpoints

__all__ = ["add"]

EXAMPLES = """\
  pitchline run helical-pair                         a model of the gallery: its figures as a table
  pitchline run gearbox.toml -o out                  a model file; picture and results in out/
  pitchline run gearbox.toml -o out --report         and a report to pass on
  pitchline run gearbox.toml --tables                loads of bearings, forces of gears, reactions, power too
  pitchline run gearbox.toml --set "module=2.5 mm"   with another value of a parameter
  pitchline run gearbox.toml -o out --checkpoint     a long run: a power cut costs half a minute of it
  pitchline run gearbox.toml -o out --resume         and so it goes on, to the same bits
  pitchline run gearbox.toml --json                  one JSON object, for a program to read
  pitchline run out/gearbox.nc -o again              once more, from what the result file holds

Results are never replaced: names that are taken get a number, unless --force is given. Ctrl-C ends a run; with -o,
what was computed until then is written.
"""


def add(commands: Commands) -> None:
    """Its options."""
    parser = command(
        commands,
        "run",
        "run a model and print its figures",
        "Run the analyses of a model and print its figures.",
        EXAMPLES,
        _run,
    )
    add_model(parser)
    add_output(parser, "DIR", "its picture and its results; made where it does not exist")
    parser.add_argument("--report", action="store_true", help="write a report (HTML) to that folder too")
    parser.add_argument(
        "--tables",
        action="store_true",
        help="print loads of bearings, forces of gears, shafts, reactions and power of every analysis; of models with shafts "
        "or rolling bearings those of the last static one, and the power of the last one, come without asking",
    )
    add_json(parser)
    add_set(parser)
    add_allow(parser)
    add_force(parser)
    parser.add_argument(
        "--checkpoint",
        action="store_true",
        help="write the state of dynamic analyses to NAME.checkpoint in that folder every 30 s, so that --resume can go on",
    )
    parser.add_argument(
        "--checkpoint-every", metavar="TIME", help='the same at other distances, such as 5s or "10 min"'
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on with a run that was ended, from its checkpoints in that folder"
    )


def _run(given: argparse.Namespace) -> int:
    from ..errors import ModelError
    from .jobs import find_job
    from .preflight import check_output
    from .run_checkpoints import checkpoints

    if given.report and given.output is None:
        raise ModelError("--report goes to a folder; say which with -o DIR")
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
            _show(outcome, tables=given.tables)
    finally:  # also where nobody reads the output, or it goes to a full disk
        problems = _write(outcome, given)
    for problem in problems:
        say(problem)
    if outcome.status == FINE and not problems:
        run.complete()
        return FINE
    if outcome.status != FINE:
        lost = outcome.status == INTERRUPTED and outcome.run and given.output is None
        say(f"{outcome.failure}; -o DIR would have kept what was computed" if lost else outcome.failure)
    run.tell_how_to_go_on(given)
    return outcome.status if outcome.status != FINE else WRONG


def _show(outcome: Outcome, *, tables: bool) -> None:
    from ..gallery.console import run_text
    from ..results import Result

    job = outcome.job
    print(printable(f"{job.name}: {job.line}" if job.line else job.name), end="\n\n")
    _show_tables(outcome, asked=tables)
    if outcome.figures:
        print(run_text(outcome.run, list(outcome.figures)))
        return
    # nothing was declared as a finding: say what there is
    for name, found in outcome.run.items():
        print(printable(found.summary() if isinstance(found, Result) else f"{name}: {found}"), end="\n\n")
    print("A [figures] table in the model file says which values to print here.")


def _show_tables(outcome: Outcome, *, asked: bool) -> None:
    """Tables of every analysis with signals where they are asked for; else, of a model with shafts or bearings, of its last static
    one, with the power flow of what comes after it."""
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
    """Write all files and say so; returns what went wrong with some of them."""
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
        print(f"what was computed until then is in {folder}", file=stream)
    return [file.problem for file in files if file.problem]


def print_json(data: dict[str, Any]) -> None:
    """One object, strictly JSON."""
    from ..results.figures import report_text

    print(report_text(data))
