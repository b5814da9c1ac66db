"""The errors of pitchline.

Every error message names the item, says what is wrong with which value, and gives the way out.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

__all__ = ["ModelError", "PitchlineError", "SolveError", "UnitError", "near_names", "shown", "unknown_part"]


class PitchlineError(Exception):
    """Base of all errors that pitchline raises on purpose."""


class ModelError(PitchlineError):
    """The model, as the user said it, is wrong.

    Attributes
    ----------
    problems : list[str]
        One sentence for each problem found; at least one.
    """

    problems: list[str]

    def __init__(self, problems: str | Iterable[str], *, title: str = "the model has problems") -> None:
        self.problems = [problems] if isinstance(problems, str) else [str(problem) for problem in problems]
        if len(self.problems) == 1:
            super().__init__(self.problems[0])
        else:
            lines = "".join(f"\n  - {problem}" for problem in self.problems)
            super().__init__(f"{title} ({len(self.problems)}):{lines}")


class UnitError(ModelError):
    """A quantity cannot be read, or has another dimension than the one asked for."""


class SolveError(PitchlineError):
    """An analysis could not be carried to its end.

    Attributes
    ----------
    result
        What was computed before the failure, or None.
    time : float | None
        The time reached [s], or None where there is no time.
    """

    def __init__(self, message: str, *, result: Any = None, time: float | None = None) -> None:
        super().__init__(message)
        self.result = result
        self.time = time


def shown(value: object, *, width: int = 60) -> str:
    """A short, one-line picture of any value for an error message."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an object whose own repr fails must not hide the error we are reporting
        text = f"<{type(value).__name__}>"
    return text if len(text) <= width else text[: width - 4] + " ..."


def unknown_part(what: str, part: object, task: str, *, kind: str = "") -> ModelError:
    """The error that ends every choice by the type of a part: what is not known is never taken for something else.

    what: "load", "joint", ...; part: itself, or its name; task: what cannot be done; kind: its type, where it is not that of
    `part`.
    """
    kind = kind or type(part).__name__
    return ModelError(f'{what} "{getattr(part, "name", part)}" is of type {kind}, which {task} does not know')


def near_names(wanted: str, known: Iterable[str]) -> str:
    """The tail of a message about an unknown name: near names, or all there are."""
    names = list(known)
    if not names:
        return "there are none yet"
    near = get_close_matches(wanted, names, n=3, cutoff=0.6)
    if near:
        return "did you mean " + " or ".join(f'"{name}"' for name in near) + "?"
    listing = ", ".join(f'"{name}"' for name in names[:12]) + (", ..." if len(names) > 12 else "")
    return f"known: {listing}"
