"""Question to the user before a computation that takes longer than its budget."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable

from ..budget import Allowance
from ..progress import Display

__all__ = ["chosen_budget"]


def chosen_budget(given: argparse.Namespace, display: Display) -> Allowance:
    """The budget of a command: none with --yes, otherwise the default, with a question on a terminal."""
    if getattr(given, "yes", False):
        return Allowance(math.inf, always=True)
    return Allowance(ask=_question(display))


def _question(display: Display) -> Callable[[str], bool] | None:
    """Function that asks a question on the terminal; None without a terminal: then the computation ends with the estimate."""
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        return None

    def ask(question: str) -> bool:
        display.note(f"{question} [y/N] ")
        try:
            return sys.stdin.readline().strip().lower() in ("y", "yes")
        except (OSError, ValueError):
            return False

    return ask
