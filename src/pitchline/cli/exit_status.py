"""Exit status of commands, and printing of errors."""

from __future__ import annotations

import sys

__all__ = ["FAILED", "FINE", "INTERRUPTED", "WRONG", "say"]

FINE, WRONG, FAILED, INTERRUPTED = 0, 1, 2, 130


def say(what: object) -> None:
    """Print one error to the error stream."""
    from .untrusted_files import printable

    print(f"error: {printable(str(what))}", file=sys.stderr)
