"""``pitchline report``: write one HTML file about a result or a run."""

from __future__ import annotations

import argparse
from pathlib import Path

from .exit_status import FINE, say
from .options import Commands, add_allow, add_force, add_model, add_output, add_set, command
from .untrusted_files import read_from

__all__ = ["add"]

EXAMPLES = """\
  pitchline report out/press.nc                    of a result, without a new run: press.html in the current folder
  pitchline report helical-pair -o pair.html       run a gallery model and write its report
  pitchline report gearbox.toml --set teeth=21     run a model file and write its report
"""


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "report",
        "write a report as one HTML file",
        "Write one self-contained HTML file with the model, its figures, plots, warnings and solver settings.",
        EXAMPLES,
        _report,
    )
    add_model(parser)
    add_output(parser, "FILE", "the report (default: name of the model or result with .html, in the current folder)")
    add_set(parser)
    add_allow(parser)
    parser.add_argument(
        "--no-scene", action="store_true", help="leave out the 3D view of the machine; the file is smaller"
    )
    add_force(parser)


def _report(given: argparse.Namespace) -> int:
    from .job_run import perform, report_to
    from .jobs import find_job
    from .output import chosen_file

    path = Path(given.model).expanduser()
    if path.suffix.lower() == ".nc" and not given.set:
        target = chosen_file(given.output, path.stem, ".html", force=given.force)
        _of_result(path, target, given.allow, scene=not given.no_scene, force=given.force)
        print(target)
        return FINE
    job = find_job(given.model, given.set, given.allow)
    target = chosen_file(given.output, job.name, ".html", force=given.force)
    outcome = perform(job)
    if outcome.run:
        report_to(target, outcome, scene=not given.no_scene, force=given.force)
        print(target)
    if outcome.status != FINE:
        say(outcome.failure)
    return outcome.status


def _of_result(path: Path, target: Path, allow: list[str], *, scene: bool, force: bool) -> None:
    """Report without a new run, with the figures that need only the result."""
    from ..results import Result
    from ..views.report import write_report
    from .result_files import findings_of

    result = Result.load(path)
    figures, signals = findings_of(result, path.name, allow)
    name = str(result.source.get("analysis", "")) or result.kind
    with read_from(path):
        write_report(
            target, {name: result}, figures=figures, signals=signals, source=path, scene=scene, overwrite=force
        )
