"""``pitchline check``: list all problems of a model file or a file of another program, with line numbers."""

from __future__ import annotations

import argparse
from pathlib import Path

from .exit_status import FINE, WRONG, say
from .options import Commands, add_allow, add_set, command, completes

__all__ = ["add"]

EXAMPLES = """\
  pitchline check gearbox.toml           all problems with their lines; exit status 1 for errors, 0 for warnings only
  pitchline check *.toml && echo fine    several files
  pitchline check gearbox.rexs           also what an import uses, assumes and keeps
"""


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "check",
        "list all errors and warnings of a model file",
        "Read model files and list all errors and warnings, without running an analysis. Files of other programs that "
        "`pitchline import` reads are checked as well.",
        EXAMPLES,
        _check,
    )
    action = parser.add_argument(
        "files", metavar="FILE", nargs="+", type=Path, help="model files (.toml), or files of other programs"
    )
    completes(action, ".toml", ".rexs", ".rexsj", ".rexsz")
    add_set(parser)
    add_allow(parser)


def _check(given: argparse.Namespace) -> int:
    from ..files import check, read
    from .check_exchange import check_exchange_file, is_exchange_file
    from .jobs import read_allowed, read_settings

    settings, allow = read_settings(given.set), read_allowed(given.allow)
    wrong = 0
    for path in given.files:
        if is_exchange_file(path):
            wrong += check_exchange_file(path)
            continue
        problems = check(path, overrides=settings, allow=allow)
        for problem in problems:
            print(problem)
        wrong += len(problems)
        if not problems:
            file = read(path, overrides=settings, allow=allow)
            for warning in file.warnings:
                where = f"{warning.file}:{warning.line}" if warning.line else warning.file
                print(f"{where}: warning: {f'{warning.key}: ' if warning.key else ''}{warning.message}")
            doubts = f"; {_count(len(file.warnings), 'warning', 'warnings')}" if file.warnings else ""
            analyses = _count(len(file.steps), "analysis", "analyses")
            print(f"{path}: fine: {file.model.summary().splitlines()[0]}; {analyses}{doubts}")
    if wrong:
        say(f"{wrong} problem{'s' if wrong > 1 else ''}")
    return WRONG if wrong else FINE


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"
