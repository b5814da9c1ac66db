"""``pitchline view``: models and results in the browser, or as one page to pass on."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .exit_status import FINE, say
from .options import Commands, add_allow, add_force, add_model, add_output, add_set, command, completes
from .untrusted_files import printable

if TYPE_CHECKING:
    from .viewed import Viewed

__all__ = ["add"]

EXAMPLES = """\
  pitchline view planetary                        a model of the gallery as it is built, in the browser
  pitchline view planetary --run                  run it first: it moves
  pitchline view out/planetary.nc                 a result; only what is looked at is read
  pitchline view out/old.nc out/new.nc            several results, their curves overlaid
  pitchline view gearbox.toml --run --set teeth=21
  pitchline view out/planetary.nc -o page.html    one file to pass on: it opens offline
  pitchline view out/planetary.nc --contact       with pressures on the flanks, by finite elements of the gears

Without -o a page opens that only this machine and you can reach; parameters of the model can be changed there and the
model run again. Ctrl-C ends it.
"""


def add(commands: Commands) -> None:
    """Its options."""
    parser = command(
        commands,
        "view",
        "see a model or a result move, in the browser",
        "Show a model or results in the browser: teeth in motion, forces, curves; or write one page to pass on.",
        EXAMPLES,
        _view,
    )
    add_model(parser)
    more = parser.add_argument(
        "more", metavar="MORE", nargs="*", help="further result files (.nc), shown in the same page"
    )
    completes(more, ".nc")
    parser.rest = "more"
    add_output(parser, "FILE", "the page, complete in itself, instead of a local one in the browser")
    parser.add_argument("--run", action="store_true", help="run the analyses of the model first")
    parser.add_argument(
        "--magnify-corrections",
        metavar="FACTOR",
        default="1",
        help="draw tip reliefs, crownings and other modifications of flanks so many times larger than they are (default: 1)",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="print the address of the local page, and open no browser"
    )
    parser.add_argument(
        "--contact", action="store_true", help="compute pressures on the flanks, by finite elements of the gears"
    )
    add_set(parser)
    add_allow(parser)
    add_force(parser)


def _view(given: argparse.Namespace) -> int:
    from ..viewer.view import check_page_name
    from .output import chosen_file
    from .viewed import viewed

    target = None
    if given.output is not None:  # before a run that may take long
        stem = Path(given.model).stem
        target = chosen_file(given.output, stem, ".html", force=given.force)
        check_page_name(target)
    found = viewed(given)
    if target is None:
        from .view_server import serve_view

        return serve_view(found, given)
    return _write(found, target, force=given.force)


def _write(found: Viewed, target: Path, *, force: bool) -> int:
    """One page, and its size."""
    from ..disk.errors import size_text
    from ..viewer.view import View

    view = View(found.records(signals=True), found.title)
    tell(found)
    view.save(target, overwrite=force)
    print(f"{target} ({size_text(target.stat().st_size)})")
    if found.status != FINE:
        say(found.failure)
    return found.status


def tell(found: Viewed) -> None:
    """Its remarks, where they do not disturb what a program reads."""
    for line in found.remarks:
        print(printable(f"pitchline: {line}"), file=sys.stderr)
