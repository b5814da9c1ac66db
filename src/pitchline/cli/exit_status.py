"""How a command ends, and how it says what went wrong."""

from __future__ import annotations

import sys

__all__ = ["FAILED", "FINE", "INTERRUPTED", "WRONG", "say"]

FINE, WRONG, FAILED, INTERRUPTED = 0, 1, 2, 130


def say(what: object) -> None:
    """One error, on the stream for errors."""
    from .untrusted_files import printable

    print(f"error: {printable(str(what))}", file=sys.stderr)
