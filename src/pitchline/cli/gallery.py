"""``pitchline gallery``: the shipped models, listed or copied."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .exit_status import FINE
from .options import Commands, add_force, add_output, command, completes

__all__ = ["add"]

EXAMPLES = """\
  pitchline gallery                              list them, one line each
  pitchline gallery --copy helical-pair          write helical-pair.toml to change and run
  pitchline gallery --copy press -o mine.toml    under another name
  pitchline gallery --copy press -o -            to the terminal
"""


def add(commands: Commands) -> None:
    """Its options."""
    parser = command(
        commands,
        "gallery",
        "list the shipped models, or copy one",
        "List the shipped models, or copy one.",
        EXAMPLES,
        _gallery,
    )
    action = parser.add_argument("--copy", metavar="NAME", help="write the file of this model, to change and run")
    completes(action, "gallery")
    add_output(
        parser,
        "FILE",
        "the copy (default: NAME.toml, or NAME.py of a program, in the present folder); - for the terminal",
    )
    add_force(parser)


def _gallery(given: argparse.Namespace) -> int:
    if given.copy is None:
        if given.output is not None:
            from ..errors import ModelError

            raise ModelError("-o says where a copy goes; say of which model with --copy NAME")
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
        print(f"{one.name} is a program: run it with python {path}", file=sys.stderr)
    return FINE
