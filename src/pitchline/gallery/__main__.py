"""``python -m pitchline.gallery``: list the mechanisms; with a name, run one and plot it."""

import argparse
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from ..errors import PitchlineError
from . import MECHANISMS, mechanism
from .findings import findings_table
from .output import free_names

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """List or run; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pitchline.gallery", description="The shipped mechanisms.")
    parser.add_argument("name", nargs="?", help="the mechanism to run; without it they are listed")
    parser.add_argument("-o", "--output", type=Path, default=Path("out"), help="folder to write to (default: out)")
    given = parser.parse_args(arguments)
    if given.name is None:
        width = max(map(len, MECHANISMS)) + 2
        for name, line in MECHANISMS.items():
            print(f"{name:<{width}}{line}")
        return 0
    try:
        return _run(given.name, given.output)
    except PitchlineError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def _run(name: str, folder: Path) -> int:
    one = mechanism(name)
    result = one.run()
    for warning in result.warnings:
        print(textwrap.fill(f"Note: {warning}.", 110, subsequent_indent="      "), end="\n\n")
    print(findings_table(one.findings(result)), end="\n\n")
    picture, file = free_names(folder, name, ".png", ".nc")
    result.plot(*one.PLOT, path=picture)
    result.save(file)
    print(f"picture  {picture}\nresult   {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
