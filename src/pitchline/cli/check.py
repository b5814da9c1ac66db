"""``pitchline check`` and ``pitchline check-element``: check a model, a file of another program, or a user-defined element."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from pitchline.errors import PitchlineError

from .run import FINE, WRONG, Commands, add_allow, add_set, command, completes, printable, say

__all__ = ["add_check", "add_check_element", "check_exchange_file", "is_exchange_file"]


# ---- check

# ``pitchline check``: list all problems of a model file or a file of another program, with line numbers.

_EXAMPLES = """\
  pitchline check gearbox.toml           all problems with their lines; exit status 1 for errors, 0 for warnings only
  pitchline check *.toml && echo fine    several files
  pitchline check gearbox.rexs           also what an import uses, assumes and keeps
"""


def add_check(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "check",
        "list all errors and warnings of a model file",
        "Read model files and list all errors and warnings, without running an analysis. Files of other programs that "
        "`pitchline import` reads are checked as well.",
        _EXAMPLES,
        _check,
    )
    action = parser.add_argument(
        "files", metavar="FILE", nargs="+", type=Path, help="model files (.toml), or files of other programs"
    )
    completes(action, ".toml", ".rexs", ".rexsj", ".rexsz")
    add_set(parser)
    add_allow(parser)


def _check(given: argparse.Namespace) -> int:
    from pitchline.files.reader import check, read

    pass
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


_EXAMPLES_check_element = """\
  pitchline check-element my.module:CubicSpring     your own class; modules are found from the current folder
  pitchline check-element cubic_spring              an element of the package
  pitchline check-element my.module:Drag --states 200

Values are drawn from the ranges number(..., check=(low, high)) of the declaration. Other values are the defaults.
"""


def add_check_element(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "check-element",
        "check a user-defined element",
        "Evaluate an element at random states. Compare tangents with finite differences, and forces with power and energies.",
        _EXAMPLES_check_element,
        _check_element,
    )
    parser.add_argument(
        "element", metavar="MODULE:CLASS", help="class derived from pitchline.extend.Element; its module is imported"
    )
    parser.add_argument("--states", metavar="N", type=int, default=20, help="number of random states (default: 20)")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the random numbers (default: 0)")


def _check_element(given: argparse.Namespace) -> int:
    from pitchline.engine.elements.contract_checks import check_element
    from pitchline.engine.elements.random_declared import random_declared
    from pitchline.errors import ModelError
    from pitchline.files.element_schema import element_class

    from .jobs import read_allowed

    if given.states < 1:
        raise ModelError(f"--states {given.states}: must be at least 1")
    cls = element_class(given.element, read_allowed([given.element.partition(":")[0]]))
    verdicts, element = check_element(lambda rng: random_declared(cls, rng), states=given.states, seed=given.seed)
    print(f"{cls.__name__}: {cls.what()}")
    print(f"{given.states} random states, {len(element.nodes)} nodes, {element.size()} rows\n")
    width = max(len(verdict.check.name) for verdict in verdicts)
    print(f"{'check':<{width}}  {'worst':>9}  {'allowed':>9}")
    for verdict in verdicts:
        worst = "-" if verdict.worst is None else _number(verdict.worst)
        how = "does not apply" if verdict.worst is None else "pass" if verdict.passed else "FAIL"
        reason = f": {verdict.reason}" if verdict.reason else ""
        print(f"{verdict.check.name:<{width}}  {worst:>9}  {_number(verdict.check.allowed):>9}  {how}{reason}")
    return FINE if all(verdict.passed for verdict in verdicts) else WRONG


def _number(value: float) -> str:
    if value == 0.0:
        return "equal"
    return "differs" if math.isinf(value) else f"{value:.1e}"


# ---- check exchange

# Check a file of another program: the rules of its standard, and what an import uses, assumes and keeps.

MOST_NOTICES = 30


def is_exchange_file(path: Path) -> bool:
    """Whether a file is of another program, by its contents or its name."""
    from pitchline.exchange.formats import is_importable

    return is_importable(path) or _is_rexs(path)


def check_exchange_file(path: Path) -> int:
    """Print all problems and the report of an import. Returns the number of errors."""
    from pitchline.exchange.formats import import_model

    rexs = _is_rexs(path)
    wrong = _check_structure(path) if rexs else 0
    if wrong:
        return wrong
    try:
        report = import_model(path, format="REXS" if rexs else None).report.text()
    except PitchlineError as error:
        print(printable(f"{path}: error: {error}"))
        return 1
    if report:
        print(printable(report))
    print(f"{path}: fine")
    return 0


def _is_rexs(path: Path) -> bool:
    from pitchline.exchange.rexs.reading import is_rexs

    if path.suffix.lower() in (".rexs", ".rexsj", ".rexsz"):
        return True
    try:
        with path.expanduser().open("rb") as stream:
            start = stream.read(65536)
    except (OSError, ValueError):
        return False  # reported by the reader of model files
    return is_rexs(start) and (start[:2] != b"PK" or path.name.lower().endswith(".rexs.zip"))


def _check_structure(path: Path) -> int:
    from pitchline.exchange.rexs.checking import check_rexs_file

    document, problems = check_rexs_file(path)
    notices = [problem for problem in problems if problem.severity == "notice"]
    for problem in [problem for problem in problems if problem.severity != "notice"] + notices[:MOST_NOTICES]:
        print(printable(str(problem)))
    if len(notices) > MOST_NOTICES:
        print(f"{path}: {len(notices) - MOST_NOTICES} more notices")
    if document is not None:
        counts = ", ".join(f"{number} {kind}" for kind, number in document.counts().most_common(6))
        cases = sum(len(spectrum.cases) for spectrum in document.spectra)
        print(
            printable(
                f"{path}: REXS {document.version} by {document.application_id or 'an unknown program'}: "
                f"{len(document.components)} components ({counts}, ...), {len(document.relations)} relations, {cases} load cases"
            )
        )
    return sum(problem.severity == "error" for problem in problems)
