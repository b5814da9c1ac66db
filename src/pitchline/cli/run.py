"""``pitchline run`` with its checkpoints and files, and the options that several commands share."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

from pitchline.base.progress.display import note
from pitchline.base.storage.free_names import (
    StorageError,
    atomic_file,
    check_folder,
    check_target,
    free_names,
    made_folder,
    safe_stem,
)
from pitchline.errors import ModelError, PitchlineError

if TYPE_CHECKING:
    from pitchline.analyses.chosen_signals import CheckpointPlan

    from .jobs import Job, Outcome

__all__ = [
    "FAILED",
    "FINE",
    "INTERRUPTED",
    "WRONG",
    "say",
    "Commands",
    "Parser",
    "add_about",
    "add_allow",
    "add_dense",
    "add_force",
    "add_highest",
    "add_json",
    "add_model",
    "add_output",
    "add_pair",
    "add_result",
    "add_set",
    "add_signals",
    "add_span",
    "add_turning_with",
    "add_yes",
    "command",
    "completes",
    "number_or_text",
    "chosen_file",
    "folder_names",
    "ready_folder",
    "write_atomically",
    "write_text",
    "RunCheckpoints",
    "checkpoints",
    "printable",
    "read_from",
    "add_run",
    "print_json",
    "show",
]


# ---- exit status

# Exit status of commands, and printing of errors.

FINE, WRONG, FAILED, INTERRUPTED = 0, 1, 2, 130


def say(what: object) -> None:
    """Print one error to the error stream."""
    pass

    print(f"error: {printable(str(what))}", file=sys.stderr)


Commands = Any
"""Return type of `add_subparsers`; argparse has no public name for it."""


class Parser(argparse.ArgumentParser):
    """Argument parser that exits with status 1 on wrong arguments, because 2 means that a solver failed. No abbreviated
    options."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **options)
        # "-12deg" and "-1e-3" are values, like plain negative numbers
        self._negative_number_matcher = re.compile(r"^-\.?\d")
        self.rest = ""
        """Argument that also takes the values after options. argparse ends an optional list at the first option."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        found, left = super().parse_known_args(args, namespace)
        unknown = next((text for text in left if text.startswith("-") and text != "-"), None)
        if unknown is not None:
            from pitchline.errors import near_names

            name = unknown.partition("=")[0]
            self.error(f"there is no option {name}; {near_names(name, self._option_string_actions)}")
        if self.rest:
            getattr(found, self.rest).extend(left)
            left = []
        return found, left

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(WRONG, f"{self.prog}: error: {message}\n")


def command(
    commands: Commands, name: str, line: str, description: str, examples: str, act: Callable[[argparse.Namespace], int]
) -> Parser:
    """Add a command. `line` is shown in the list of commands, `examples` at the end of its help."""
    parser: Parser = commands.add_parser(name, help=line, description=description, epilog=f"examples:\n{examples}")
    parser.set_defaults(command=act)
    return parser


def completes(action: argparse.Action, *kinds: str) -> None:
    """Specify the shell completion of an argument: "gallery", "analysis", "folder", "file", or a file extension, e.g.
    ".toml"."""
    action.completes = kinds  # type: ignore[attr-defined]


def add_model(parser: Parser, *, optional: bool = False) -> None:
    """NAME|FILE: a model of the gallery, a model file, or a result to run again."""
    text = "gallery model (see pitchline gallery), model file (.toml), or result file (.nc) that contains its model"
    action = parser.add_argument("model", metavar="NAME|FILE", nargs="?" if optional else None, help=text)
    completes(action, "gallery", ".toml", ".nc")


def add_result(parser: Parser) -> None:
    """RESULT: a result file."""
    action = parser.add_argument(
        "result", metavar="RESULT", type=Path, help="result file (.nc), written by run -o; or a measurement"
    )
    completes(action, ".nc")


def add_signals(parser: Parser, *, optional: bool = False) -> None:
    """SIGNAL...: signals of a result."""
    none = " (default: all)" if optional else ""
    text = f'signal names, components or patterns, e.g. "mesh.*"{none}'
    parser.add_argument("signals", metavar="SIGNAL", nargs="*" if optional else "+", help=text)
    parser.rest = "signals"


def add_span(parser: Parser) -> None:
    """--from TIME --to TIME."""
    parser.add_argument(
        "--from", dest="start", metavar="TIME", help="start of the time range, e.g. 5ms (default: the first sample)"
    )
    parser.add_argument("--to", dest="end", metavar="TIME", help="end of the time range (default: the last sample)")


def add_set(parser: Parser) -> None:
    """--set parameter=value, any number of times."""
    parser.add_argument(
        "--set",
        metavar="PARAMETER=VALUE",
        action="append",
        default=[],
        help='set a parameter of the model file, e.g. teeth=21 or module="2.5 mm"; may be repeated',
    )


def add_allow(parser: Parser) -> None:
    """--allow MODULE, any number of times, and --allow-code for all modules."""
    parser.add_argument(
        "--allow",
        metavar="MODULE",
        action="append",
        default=[],
        help="allow the model file to use elements of this Python module (its code is executed); may be repeated",
    )
    parser.add_argument(
        "--allow-code",
        dest="allow",
        action="append_const",
        const="*",
        help="allow the model file to use elements of every Python module that it names (their code is executed)",
    )
    parser.add_argument(
        "--allow-fmu",
        dest="allow",
        action="append_const",
        const="*.fmu",
        help="allow the model file to use the FMUs that it names (their programs are executed)",
    )


def add_json(parser: Parser) -> None:
    """--json."""
    parser.add_argument("--json", action="store_true", help="print only one JSON object")


def add_about(
    parser: Parser,
    *,
    default: str = "the initial state, or the static equilibrium if it determines the loaded tooth flanks",
) -> None:
    """--about ANALYSIS."""
    parser.add_argument(
        "--about",
        metavar="ANALYSIS",
        help='operating point: the end of this analysis of the model, "statics" for the static equilibrium, "initial" for the '
        "initial state, or a result file "
        f"(default: {default})",
    )


def add_pair(parser: Any) -> None:
    """--pair NAME."""
    parser.add_argument("--pair", metavar="NAME", help="use only this gear pair of the model")


def add_turning_with(parser: Parser) -> None:
    """--turning-with BODY."""
    parser.add_argument(
        "--turning-with",
        metavar="BODY",
        help="describe motions relative to a body that rotates at constant speed, e.g. a carrier",
    )


def add_highest(parser: Parser) -> None:
    """--highest FREQUENCY."""
    parser.add_argument("--highest", metavar="FREQUENCY", help="modes up to this frequency, e.g. 2kHz")


def add_dense(parser: Parser) -> None:
    """--dense."""
    parser.add_argument(
        "--dense",
        action="store_true",
        help="compute all modes of a large model with dense matrices; may need much time and memory",
    )


def add_output(parser: Parser, metavar: str, what: str) -> None:
    """-o, the output: a folder (DIR) for several files, or a FILE."""
    kind = "folder" if metavar == "DIR" else "file"
    read = Path if kind == "folder" else _file
    action = parser.add_argument("-o", "--output", metavar=metavar, type=read, help=f"{kind} for {what}")
    completes(action, kind)


def _file(text: str) -> Path:
    """A file, or an existing folder. A name that ends in "/" is not a file name."""
    path = Path(text)
    if text.endswith(("/", os.sep)) and not path.is_dir():
        raise argparse.ArgumentTypeError(f'folder "{text}" does not exist. Create it first, or specify a file name')
    return path


def add_yes(parser: Parser) -> None:
    """--yes: no question about long computations."""
    parser.add_argument("--yes", action="store_true", help="compute without a question, however long it takes")


def add_force(parser: Parser) -> None:
    """--force."""
    parser.add_argument("--force", action="store_true", help="overwrite existing files")


def number_or_text(text: str | None) -> float | str | None:
    """Return a plain number as a number, in SI units, and a text with a unit unchanged."""
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        return text


# ---- output

# Output of commands: files are complete or not written, and existing files are overwritten only on request.

_FORCE = "overwrite it with --force"


def ready_folder(folder: Path) -> Path:
    """Return a folder with write access. It is created if it does not exist."""
    made_folder(folder)
    check_folder(folder)
    return folder


@contextlib.contextmanager
def folder_names(folder: Path, stem: str, suffixes: list[str], *, force: bool) -> Iterator[list[Path]]:
    """One path in the folder for each suffix. Names that exist get a number; with `force` they are used as they are.

    The names are reserved while the context is open.
    """
    if force:
        made_folder(folder)
        yield [folder / f"{safe_stem(stem)}{suffix}" for suffix in suffixes]
        return
    with free_names(folder, stem, suffixes) as paths:
        yield paths


def chosen_file(path: Path | None, stem: str, suffix: str, *, force: bool) -> Path:
    """The file to write: the specified file, or `stem.suffix` in the current folder (numbered if it exists)."""
    if path is None or path.is_dir():
        folder = Path() if path is None else path
        check_folder(folder)
        with folder_names(folder, stem, [suffix], force=force) as (found,):
            return found
    check_target(path, overwrite=force, how_to_overwrite=_FORCE)
    check_folder(path.parent)
    return path


def write_atomically(path: Path, write: Callable[[Path], object], *, force: bool) -> Path:
    """Call `write` with a temporary file in the folder of `path`, and rename it when it is complete."""
    with atomic_file(path, overwrite=force, how_to_overwrite=_FORCE) as (draft, _):
        try:
            write(draft)
        except PitchlineError as error:  # names the temporary file, which the user does not know
            if str(draft) not in str(error):
                raise
            kind = StorageError if isinstance(error, StorageError) else PitchlineError
            raise kind(str(error).replace(str(draft), str(path))) from error
    return path


def write_text(path: Path, text: str, *, force: bool) -> Path:
    """Write a text file in the same manner."""
    return write_atomically(path, lambda draft: draft.write_text(text, encoding="utf-8"), force=force)


# ---- run checkpoints

# Checkpoints of ``pitchline run``: a folder next to its results that exists until the run is complete.

DEFAULT_SECONDS = 30.0


def checkpoints(name: str, given: argparse.Namespace) -> RunCheckpoints:
    """Requested checkpoints. Errors are reported before the run."""
    wanted = given.checkpoint or given.checkpoint_every is not None
    if not wanted and not given.resume:
        return RunCheckpoints(None, None)
    option = "--resume" if given.resume else "--checkpoint"
    if given.output is None:
        raise ModelError(f"{option}: checkpoints are written to the folder of the results. Specify it with -o DIR")
    from pitchline.analyses.chosen_signals import CheckpointPlan
    from pitchline.units.quantity import quantity

    pass

    seconds = DEFAULT_SECONDS
    if given.checkpoint_every is not None:
        seconds = quantity(given.checkpoint_every, "time", what="--checkpoint-every")
        if seconds < 0.0:
            raise ModelError(f"--checkpoint-every must not be negative, got {given.checkpoint_every}")
    folder = ready_folder(given.output) / f"{safe_stem(name)}.checkpoint"
    run = RunCheckpoints(folder, CheckpointPlan(folder, seconds, resume=given.resume))
    run.prepare(force=given.force)
    return run


class RunCheckpoints:
    """The checkpoint folder and its lock; a context that reserves it for this process."""

    def __init__(self, folder: Path | None, plan: CheckpointPlan | None) -> None:
        self.folder, self.plan = folder, plan
        self._lock: Any = None

    def prepare(self, *, force: bool) -> None:
        """Create the folder, or use that of an earlier run."""
        assert self.folder is not None and self.plan is not None
        there = any(self.folder.glob("*.ckpt"))
        if self.plan.resume and not there:
            raise ModelError(
                f'--resume: "{self.folder}" contains no checkpoints. A run with --checkpoint writes them, and removes them when '
                "it is complete"
            )
        try:
            self.folder.mkdir(exist_ok=True)
            self._hold()
            if there and not self.plan.resume:
                if not force:
                    self.release()
                    raise ModelError(
                        f'"{self.folder}" contains checkpoints of a run that was not completed. Continue it with --resume, or '
                        "start again with --force"
                    )
                for file in self.folder.glob("*.ckpt"):
                    file.unlink()
            for file in self.folder.glob(".*"):  # incomplete files of a run that was killed during writing
                file.unlink(missing_ok=True)
        except OSError as error:
            raise PitchlineError(f'cannot write checkpoints to "{self.folder}": {error.strerror or error}') from error

    def _hold(self) -> None:
        """Lock the folder. The operating system releases the lock when the process ends."""
        assert self.folder is not None
        try:
            import fcntl
        except ImportError:  # a system without such locks
            return
        lock = (self.folder / "lock").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise ModelError(
                f'"{self.folder}" is in use by another run. Wait for it, or specify another folder'
            ) from None
        except OSError:  # a disk without locks
            lock.close()
            return
        self._lock = lock

    def release(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def complete(self) -> None:
        """Remove the checkpoints when everything is computed and written."""
        if self.folder is None:
            return
        self._tell_of_resume()
        shutil.rmtree(self.folder, ignore_errors=True)

    def tell_how_to_go_on(self, given: argparse.Namespace) -> None:
        """Print how to continue a run that ended early."""
        if self.folder is None:
            return
        self._tell_of_resume()
        if any(self.folder.glob("*.ckpt")):
            settings = "".join(f" --set {shlex.quote(each)}" for each in given.set)
            note(
                f"continue with: pitchline run {shlex.quote(given.model)} -o {shlex.quote(str(given.output))}{settings} --resume"
            )

    def _tell_of_resume(self) -> None:
        if self.plan is not None and self.plan.resume and self.plan.taken:
            from pitchline.base.progress.display import engineering

            times = ", ".join(f"t = {engineering(t)}" for t in self.plan.taken)
            note(f"continued from {times}")

    def __enter__(self) -> RunCheckpoints:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
        if self.folder is not None and kind is not None and not any(self.folder.glob("*.ckpt")):
            shutil.rmtree(self.folder, ignore_errors=True)  # nothing was computed


# ---- untrusted files

# Files from unknown sources: their contents are checked, and are not printed to the terminal unchanged.


@contextlib.contextmanager
def read_from(path: Path) -> Iterator[None]:
    """Context for texts and pictures of the model description of a result file. Malformed data is an error that names
    the file.

    The numbers of a result are checked when it is loaded. The description of the model is plain data of any form, and a
    file can
    be forged.
    """
    try:
        yield
    except PitchlineError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise PitchlineError(
            f'"{path}": its model description is not in the format of pitchline ({type(error).__name__}: {error!s:.100})'
        ) from error


def printable(text: str) -> str:
    """Text with control characters escaped, so that it cannot control a terminal."""
    return "".join(
        sign if sign.isprintable() or sign in "\n\t" else sign.encode("unicode_escape").decode() for sign in text
    )


# ---- run

# ``pitchline run``: run the analyses of a model, print its figures as a table or as JSON, and write files on request.

_EXAMPLES = """\
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


def add_run(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "run",
        "run a model and print its figures",
        "Run the analyses of a model and print its figures.",
        _EXAMPLES,
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
    from pitchline.errors import ModelError

    from .jobs import check_output, find_job

    pass

    if given.report and given.output is None:
        raise ModelError("--report writes to a folder. Specify it with -o DIR")
    job = find_job(given.model, given.set, given.allow)
    if given.output is not None:
        check_output(job, given.output, force=given.force, with_report=given.report)
    run = checkpoints(job.name, given)
    with run:
        return _carried_out(job, given, run)


def _carried_out(job: Job, given: argparse.Namespace, run: RunCheckpoints) -> int:
    from .jobs import as_data, perform

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
    from pitchline.gallery.console import run_text
    from pitchline.results.result import Result

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
    from pitchline.results.all_tables import is_gearbox
    from pitchline.results.result import Result

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
    from .jobs import write_files

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
    from pitchline.results.figures import report_text

    print(report_text(data))
