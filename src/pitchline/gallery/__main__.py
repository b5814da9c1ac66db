"""``python -m pitchline.gallery``: list the models; with a name, run one and write its picture and its result."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pitchline.base.progress.display import showing
from pitchline.errors import PitchlineError, SolveError

from .catalogue import model
from .console import list_models, run_and_show

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """List or run models; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m pitchline.gallery", description="The shipped models.")
    parser.add_argument("name", nargs="?", help="the model to run (default: list all models)")
    parser.add_argument("-o", "--output", type=Path, default=Path("out"), help="folder to write to (default: out)")
    given = parser.parse_args(arguments)
    if given.name is None:
        print(list_models())
        return 0
    try:
        with showing():
            run_and_show(model(given.name), given.output)
    except PitchlineError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2 if isinstance(error, SolveError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
