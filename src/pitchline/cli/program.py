"""Main function: from the arguments to the exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from .. import startup
from ..budget import allowed
from ..errors import PitchlineError, SolveError
from ..progress import showing
from .exit_status import FAILED, FINE, INTERRUPTED, WRONG, say
from .long_computations import chosen_budget
from .parser import build_parser

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    try:
        startup.started()
        parser = build_parser()
        given = parser.parse_args(arguments)
        if given.version:
            return _version()
        if given.command is None:
            parser.print_help()
            return FINE
        # progress and questions on stderr, so that programs can read stdout
        with showing() as display, allowed(chosen_budget(given, display)):
            status = int(given.command(given))
        sys.stdout.flush()
        return status
    except SolveError as error:
        say(error)
        return FAILED
    except BrokenPipeError:
        # the reader of the output has closed it; the rest of the buffer cannot be written
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except (PitchlineError, OSError) as error:
        say(error)
        return WRONG
    except MemoryError:
        say("out of memory. Reduce the size of the task, or close other programs")
        return FAILED
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED


def _version() -> int:
    from ..version import __version__

    print(f"pitchline {__version__}")
    return FINE
