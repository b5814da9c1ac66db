"""``pitchline view``: show models and results in the browser, or write them to one HTML page."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .run import (
    FINE,
    Commands,
    add_allow,
    add_force,
    add_model,
    add_output,
    add_set,
    command,
    completes,
    printable,
    say,
)

if TYPE_CHECKING:
    from .view_server import Viewed

__all__ = ["add_view"]

_EXAMPLES = """\
  pitchline view planetary                        a gallery model in its initial state, in the browser
  pitchline view planetary --run                  run it first and show the motion
  pitchline view out/planetary.nc                 a result; signals are read on demand
  pitchline view out/old.nc out/new.nc            several results, their curves overlaid
  pitchline view gearbox.toml --run --set teeth=21
  pitchline view out/planetary.nc -o page.html    one HTML file that opens offline
  pitchline view out/planetary.nc --contact       with contact pressure on the flanks, from finite elements

Without -o, a local page opens. Only you can reach it, from this computer. There you can change parameters of the model and run
it again. Ctrl-C ends it.
"""


def add_view(commands: Commands) -> None:
    """Add the arguments of this command to the parser."""
    parser = command(
        commands,
        "view",
        "show a model or a result in the browser",
        "Show a model or results in the browser: moving teeth, forces, curves. Or write one HTML page that opens offline.",
        _EXAMPLES,
        _view,
    )
    add_model(parser)
    more = parser.add_argument(
        "more", metavar="MORE", nargs="*", help="further result files (.nc), shown on the same page"
    )
    completes(more, ".nc")
    parser.rest = "more"
    add_output(parser, "FILE", "the self-contained page, instead of a local page in the browser")
    parser.add_argument("--run", action="store_true", help="run the analyses of the model")
    parser.add_argument(
        "--magnify-corrections",
        metavar="FACTOR",
        default="1",
        help="magnification of tip relief, crowning and other flank modifications in the picture (default: 1)",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="print the address of the local page, but do not open a browser"
    )
    parser.add_argument(
        "--contact",
        action="store_true",
        help="compute the contact pressure on the flanks, with finite elements of the gears",
    )
    add_set(parser)
    add_allow(parser)
    add_force(parser)


def _view(given: argparse.Namespace) -> int:
    from pitchline.viewer.view import check_page_name

    from .run import chosen_file
    from .view_server import viewed

    target = None
    if given.output is not None:  # before a run, which may take long
        stem = Path(given.model).stem
        target = chosen_file(given.output, stem, ".html", force=given.force)
        check_page_name(target)
    found = viewed(given)
    if target is None:
        from .view_server import serve_view

        return serve_view(found, given)
    return _write(found, target, force=given.force)


def _write(found: Viewed, target: Path, *, force: bool) -> int:
    """Write one page and print its size."""
    from pitchline.base.storage.free_names import size_text
    from pitchline.viewer.view import View

    view = View(found.records(signals=True), found.title)
    tell(found)
    view.save(target, overwrite=force)
    print(f"{target} ({size_text(target.stat().st_size)})")
    if found.status != FINE:
        say(found.failure)
    return found.status


def tell(found: Viewed) -> None:
    """Print messages for the user to stderr, because programs may read stdout."""
    for line in found.remarks:
        print(printable(f"pitchline: {line}"), file=sys.stderr)
