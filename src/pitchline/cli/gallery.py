"""``pitchline gallery``: list the shipped models, or copy one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .exit_status import FINE
from .options import Commands, add_force, add_output, command, completes

__all__ = ["add"]

EXAMPLES = """\
  pitchline gallery                              list the models, one line each
  pitchline gallery --copy helical-pair          write helical-pair.toml to edit and run
  pitchline gallery --copy press -o mine.toml    write the copy under another name
  pitchline gallery --copy press -o -            print the file
"""


def add(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "gallery",
        "list the shipped models, or copy one",
        "List the shipped models, or copy one.",
        EXAMPLES,
        _gallery,
    )
    action = parser.add_argument("--copy", metavar="NAME", help="write the file of this model, to edit and run")
    completes(action, "gallery")
    add_output(
        parser,
        "FILE",
        "the copy (default: NAME.toml, or NAME.py for a program, in the current folder); - prints it",
    )
    add_force(parser)


def _gallery(given: argparse.Namespace) -> int:
    if given.copy is None:
        if given.output is not None:
            from ..errors import ModelError

            raise ModelError("-o specifies the file for a copy. Specify also the model, with --copy NAME")
        from ..gallery.console import list_models

        print(list_models())
        return FINE
    from ..gallery import model
    from .output import chosen_file, write_text

    one = model(given.copy)
    text, suffix = one.copy()
    if given.output == Path("-"):
        print(text, end="")
        return FINE
    path = chosen_file(given.output, one.name, suffix, force=given.force)
    write_text(path, text, force=given.force)
    print(path)
    if suffix == ".py":
        print(f"{one.name} is a Python program. Run it with: python {path}", file=sys.stderr)
    return FINE
