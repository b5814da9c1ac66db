"""The command ``pitchline``: run the models of the gallery.

Exit status: 0 fine, 1 what was asked for is wrong (a name, an option, a model), 2 a solve failed, 130 interrupted.
Everything that takes time to load is imported where it is needed, so that ``pitchline --help`` answers at once.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from .errors import PitchlineError, SolveError

if TYPE_CHECKING:
    from .gallery import GalleryModel

__all__ = ["main"]

FINE, WRONG, FAILED, INTERRUPTED = 0, 1, 2, 130


class _Parser(argparse.ArgumentParser):
    """Ends with status 1 where the command is wrong: 2 says that a solve failed."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(WRONG, f"{self.prog}: error: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out the command; returns the exit status."""
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.version:
        return _version()
    if given.command is None:
        parser.print_help()
        return FINE
    try:
        return int(given.command(given))
    except SolveError as error:
        _say(error)
        return FAILED
    except PitchlineError as error:
        _say(error)
        return WRONG
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED


def _parser() -> _Parser:
    parser = _Parser(prog="pitchline", description="Gears in three-dimensional multibody dynamics.")
    parser.add_argument("--version", action="store_true", help="say the version and end")
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)

    run = commands.add_parser("run", help="run a model and print its figures", description="Run a model of the gallery.")
    run.add_argument("name", metavar="NAME", help="a model of the gallery, such as bevel-pair; see pitchline gallery")
    run.add_argument("-o", "--output", metavar="DIR", type=Path, help="folder for its picture and its result file")
    run.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    run.set_defaults(command=_run)

    shelf = commands.add_parser("gallery", help="list the shipped models", description="List the shipped models.")
    shelf.set_defaults(command=_gallery)
    return parser


def _version() -> int:
    from importlib.metadata import PackageNotFoundError, version

    try:
        print(f"pitchline {version('pitchline')}")
    except PackageNotFoundError:  # run from a source tree that was never installed
        print("pitchline, not installed")
    return FINE


def _gallery(given: argparse.Namespace) -> int:
    from .gallery.shelf import list_models

    print(list_models())
    return FINE


def _run(given: argparse.Namespace) -> int:
    from .gallery import model

    one = model(given.name)
    if given.json:
        return _run_as_json(one, given.output)
    from .gallery.shelf import run_and_show

    run_and_show(one, given.output)
    return FINE


def _run_as_json(one: GalleryModel, folder: Path | None) -> int:
    from .gallery.figures import Run, report
    from .gallery.shelf import write_files

    try:
        # whatever a model may print on its way belongs to the reader, not to the object
        with contextlib.redirect_stdout(sys.stderr):
            run = one.run()
            written = report(one.name, run, one.figures(run))
            for path in [] if folder is None else write_files(one, run, folder):
                print(path)
    except SolveError as error:
        # what was reached is part of the answer
        reached: Run = {} if error.result is None else {error.result.kind: error.result}
        _print_json(report(one.name, reached, []))
        raise
    _print_json(written)
    return FINE


def _print_json(data: dict[str, Any]) -> None:
    print(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))


def _say(what: object) -> None:
    print(f"error: {what}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
