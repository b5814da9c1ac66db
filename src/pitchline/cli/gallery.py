"""``pitchline gallery``: the shipped models, listed or copied."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .exit_status import FINE
from .options import Commands, add_force, add_output, command, completes

if TYPE_CHECKING:
    from ..gallery import GalleryModel

__all__ = ["add"]

PLAIN_DURATION = 0.5
"""Of the run of a copied model that does not say its own [s]."""

EXAMPLES = """\
  pitchline gallery                              list them, one line each
  pitchline gallery --copy helical-pair          write helical-pair.toml to change and run
  pitchline gallery --copy press -o mine.toml    under another name
  pitchline gallery --copy press -o -            to the terminal
"""


def add(commands: Commands) -> None:
    """Its options."""
    parser = command(
        commands, "gallery", "list the shipped models, or copy one", "List the shipped models, or copy one.", EXAMPLES, _gallery
    )
    action = parser.add_argument("--copy", metavar="NAME", help="write this model, with an analysis to begin with, to a file")
    completes(action, "gallery")
    add_output(parser, "FILE", "the copy (default: NAME.toml in the present folder); - for the terminal")
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
    if given.output == Path("-"):
        print(copied(one)[0], end="")
        return FINE
    # the ending is known only when the text is: a name that is taken is an error before the model is built
    if given.output is not None:
        chosen_file(given.output, one.name, ".toml", force=given.force)
    text, suffix, note = copied(one)
    path = chosen_file(given.output, one.name, suffix, force=given.force)
    write_text(path, text, force=given.force)
    print(path)
    if note:
        print(note, file=sys.stderr)
    return FINE


def copied(one: GalleryModel) -> tuple[str, str, str]:
    """(text, ending, what to know about it): the model as a file, or its program where it cannot be said in one."""
    import inspect
    import re

    from ..errors import ModelError

    try:
        note = f"the analyses of {one.name} are programmed: the copy has a plain one"
        return one.build().to_toml() + _analyses(one), ".toml", note
    except ModelError as error:
        program = inspect.getsource(one.module)
        text = re.sub(r"^from \.(\w+) import", r"from pitchline.gallery.\1 import", program, flags=re.MULTILINE)
        return text, ".py", f"copied as a Python program, because {error}"


def _analyses(one: GalleryModel) -> str:
    """One to begin with: modes where the model is about them, else a run."""
    signals = one.plot_signals
    if not signals:
        return '\n[[analyses]]\nkind = "modes"\n'
    duration = getattr(one.module, "DURATION", PLAIN_DURATION)
    listed = ", ".join(f'"{name}"' for name in signals)
    return f'\n[[analyses]]\nkind = "dynamics"\nduration = "{duration:g} s"\n\n[plot]\nsignals = [{listed}]\n'
