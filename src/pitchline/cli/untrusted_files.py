"""Files that came from somebody else: what they say is not believed, and does not reach the terminal as it is."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from ..errors import PitchlineError

__all__ = ["printable", "read_from"]


@contextlib.contextmanager
def read_from(path: Path) -> Iterator[None]:
    """Words and pictures of what a result file says of its model: data of a wrong form is an error that names the file.

    The numbers of a result are checked when it is loaded. The description of the model is plain data of any form, and a file can
    be made up.
    """
    try:
        yield
    except PitchlineError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise PitchlineError(
            f'"{path}": what it says of its model is not as pitchline writes it ({type(error).__name__}: {error!s:.100})'
        ) from error


def printable(text: str) -> str:
    """The text with control characters written out, so that it cannot steer a terminal."""
    return "".join(
        sign if sign.isprintable() or sign in "\n\t" else sign.encode("unicode_escape").decode() for sign in text
    )
