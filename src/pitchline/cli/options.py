"""Options that several commands share, so that they have the same names and help texts."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from .exit_status import WRONG

__all__ = [
    "Commands", "Parser", "add_about", "add_allow", "add_dense", "add_force", "add_highest", "add_json", "add_model", "add_output",
    "add_pair", "add_result", "add_set", "add_signals", "add_span", "add_turning_with", "add_yes", "command", "completes",
    "number_or_text",
]  # fmt: skip

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
            from ..errors import near_names

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
