"""Files from unknown sources: their contents are checked, and are not printed to the terminal unchanged."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from ..errors import PitchlineError

__all__ = ["printable", "read_from"]


@contextlib.contextmanager
def read_from(path: Path) -> Iterator[None]:
    """Context for texts and pictures of the model description of a result file. Malformed data is an error that names
    the file.

    The numbers of a result are checked when it is loaded. The description of the model is plain data of any form, and a
    file can
    be forged.
    """
    try:
        yield
    except PitchlineError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise PitchlineError(
            f'"{path}": its model description is not in the format of pitchline ({type(error).__name__}: {error!s:.100})'
        ) from error


def printable(text: str) -> str:
    """Text with control characters escaped, so that it cannot control a terminal."""
    return "".join(
        sign if sign.isprintable() or sign in "\n\t" else sign.encode("unicode_escape").decode() for sign in text
    )
