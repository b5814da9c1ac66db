"""Exceptions of pitchline.

Every error message names the item, states what is wrong with which value, and how to correct it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

__all__ = [
    "BudgetError", "ModelError", "PitchlineError", "Place", "SolveError", "Subject", "UnitError", "listed", "near_names", "shown",
    "unknown_part",
]  # fmt: skip


class PitchlineError(Exception):
    """Base class of all exceptions that pitchline raises on purpose."""


@dataclass(frozen=True)
class Place:
    """Place of a problem.

    part:     section and name of an element of a model, e.g. ("joints", "hinge"); empty for other objects
    argument: path to the wrong argument, e.g. ("axis",) or ("stiffness", 2); empty for the object as a whole
    """

    part: tuple[str, ...] = ()
    argument: tuple[str | int, ...] = ()

    @property
    def path(self) -> tuple[str | int, ...]:
        """Complete path: ("joints", "hinge", "axis")."""
        return (*self.part, *self.argument)


class Subject(str):
    """Name of an element or an argument in a message, with its place.

    >>> hinge = Subject('joint "hinge"', Place(("joints", "hinge")))
    >>> hinge / "axis" / 2
    'joint "hinge": axis[2]'
    >>> (hinge / "axis" / 2).place.path
    ('joints', 'hinge', 'axis', 2)
    """

    __slots__ = ("argument", "part")
    part: tuple[str, ...]
    argument: tuple[str | int, ...]

    def __new__(cls, words: str, place: Place | None = None) -> Subject:
        """Text with a place; a Subject keeps its place."""
        if place is None:
            return words if isinstance(words, Subject) else _subject(words, (), ())
        return _subject(words, place.part, place.argument)

    @property
    def place(self) -> Place:
        """The element and the argument."""
        return Place(self.part, self.argument)

    def __truediv__(self, key: str | int) -> Subject:
        """Argument, or item of a list."""
        words = f"{self}[{key}]" if isinstance(key, int) else f"{self}: {key}"
        return _subject(words, self.part, (*self.argument, key))

    def at(self, *keys: str | int) -> Subject:
        """The same text for an argument, for messages that name it in another way."""
        return _subject(self, self.part, (*self.argument, *keys))

    def called(self, words: str) -> Subject:
        """Another text for the same place."""
        return _subject(words, self.part, self.argument)


def _subject(words: str, part: tuple[str, ...], argument: tuple[str | int, ...]) -> Subject:
    """Fast constructor: every value that is read creates one, and few of them are used in a message."""
    made = str.__new__(Subject, words)
    made.part, made.argument = part, argument
    return made


class ModelError(PitchlineError):
    """Error in the model description.

    Parameters
    ----------
    problems
        A sentence, or several; exceptions among them provide their own sentences and places.
    about
        What the sentence is about.

    Attributes
    ----------
    problems : list[str]
        One sentence for each problem; at least one.
    places : list[Place]
        The element and the argument of each problem, as far as they are known.
    """

    problems: list[str]
    places: list[Place]

    def __init__(
        self,
        problems: str | ModelError | Iterable[str | ModelError],
        *,
        about: str = "",
        title: str = "the model has problems",
    ) -> None:
        self.problems, self.places = [], []
        for problem in [problems] if isinstance(problems, (str, ModelError)) else problems:
            if isinstance(problem, ModelError):
                self.problems += problem.problems
                self.places += problem.places
            else:
                self.problems.append(str(problem))
                self.places.append(Subject(about).place)
        if len(self.problems) == 1:
            super().__init__(self.problems[0])
        else:
            lines = "".join(f"\n  - {problem}" for problem in self.problems)
            super().__init__(f"{title} ({len(self.problems)}):{lines}")


class UnitError(ModelError):
    """A quantity cannot be read, or has the wrong dimension."""


class SolveError(PitchlineError):
    """An analysis could not be completed.

    Attributes
    ----------
    result
        The result until the failure, or None.
    time : float | None
        The last time [s], or None for analyses without time.
    """

    def __init__(self, message: str, *, result: Any = None, time: float | None = None) -> None:
        super().__init__(message)
        self.result = result
        self.time = time


class BudgetError(SolveError):
    """An analysis would take longer than its budget.

    Attributes
    ----------
    seconds : float
        Estimate of the remaining computing time [s].
    """

    def __init__(self, message: str, *, seconds: float, result: Any = None, time: float | None = None) -> None:
        super().__init__(message, result=result, time=time)
        self.seconds = seconds


def shown(value: object, *, width: int = 60) -> str:
    """Short text on one line for any value in an error message."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an object whose own repr fails must not hide the error we are reporting
        text = f"<{type(value).__name__}>"
    return text if len(text) <= width else text[: width - 4] + " ..."


def unknown_part(what: str, part: object, task: str, *, kind: str = "") -> ModelError:
    """Error for an unsupported type of element, so that it is never handled as another type.

    what: "load", "joint", ...; part: the element, or its name; task: what cannot be done; kind: its type, if it is not
    that of
    `part`.
    """
    kind = kind or type(part).__name__
    return ModelError(f'{what} "{getattr(part, "name", part)}" is of type {kind}, which {task} does not support')


def near_names(wanted: str, known: Iterable[str], *, most: int = 12) -> str:
    """End of a message about an unknown name: similar names, names that contain a similar text, or all names (at most
    `most`)."""
    names = list(known)
    if not names:
        return "none are defined"
    near = get_close_matches(wanted, names, n=3, cutoff=0.6)
    near += [
        name for name in names if name not in near and get_close_matches(wanted, re.split(r"[._ ]", name), cutoff=0.8)
    ]
    if near:
        return "did you mean " + " or ".join(f'"{name}"' for name in near[:3]) + "?"
    listing = ", ".join(f'"{name}"' for name in names[:most]) + (", ..." if len(names) > most else "")
    return f"known: {listing}"


def listed(names: Iterable[str], *, most: int = 4) -> str:
    """Names in a sentence, "a", "b" and "c"; for many names the first ones, and the number of others."""
    words = [f'"{name}"' for name in names]
    if len(words) > most + 1:
        words = [*words[:most], f"{len(words) - most} others"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
