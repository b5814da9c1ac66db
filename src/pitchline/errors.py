"""The errors of pitchline.

Every error message names the item, says what is wrong with which value, and gives the way out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

__all__ = [
    "ModelError", "PitchlineError", "Place", "SolveError", "Subject", "UnitError", "listed", "near_names", "shown", "unknown_part",
]  # fmt: skip


class PitchlineError(Exception):
    """Base of all errors that pitchline raises on purpose."""


@dataclass(frozen=True)
class Place:
    """What a problem is about.

    part:     section and name of a part of a model, such as ("joints", "hinge"); empty for what is not a part by itself
    argument: path to the argument that is wrong, such as ("axis",) or ("stiffness", 2); empty for the thing as a whole
    """

    part: tuple[str, ...] = ()
    argument: tuple[str | int, ...] = ()

    @property
    def path(self) -> tuple[str | int, ...]:
        """Both in one: ("joints", "hinge", "axis")."""
        return (*self.part, *self.argument)


class Subject(str):
    """The words by which a message names a part or an argument, with the place that they stand for.

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
        """Words with a place; words that are a Subject already keep theirs."""
        if place is None:
            return words if isinstance(words, Subject) else _subject(words, (), ())
        return _subject(words, place.part, place.argument)

    @property
    def place(self) -> Place:
        """The part and the argument."""
        return Place(self.part, self.argument)

    def __truediv__(self, key: str | int) -> Subject:
        """An argument, or an item of a list."""
        words = f"{self}[{key}]" if isinstance(key, int) else f"{self}: {key}"
        return _subject(words, self.part, (*self.argument, key))

    def at(self, *keys: str | int) -> Subject:
        """The same words for an argument, where the message speaks of it in its own way."""
        return _subject(self, self.part, (*self.argument, *keys))

    def called(self, words: str) -> Subject:
        """Other words for the same place."""
        return _subject(words, self.part, self.argument)


def _subject(words: str, part: tuple[str, ...], argument: tuple[str | int, ...]) -> Subject:
    """Quickly: every value that is read makes one, and few of them end in a message."""
    made = str.__new__(Subject, words)
    made.part, made.argument = part, argument
    return made


class ModelError(PitchlineError):
    """The model, as the user said it, is wrong.

    Parameters
    ----------
    problems
        A sentence, or several; errors among them bring their own sentences and places.
    about
        What the sentence is about.

    Attributes
    ----------
    problems : list[str]
        One sentence for each problem found; at least one.
    places : list[Place]
        For each problem the part and the argument that it is about, as far as they are known.
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


def near_names(wanted: str, known: Iterable[str], *, most: int = 12) -> str:
    """The tail of a message about an unknown name: near names, names with a near word, or else all there are (`most` of them)."""
    names = list(known)
    if not names:
        return "there are none"
    near = get_close_matches(wanted, names, n=3, cutoff=0.6)
    near += [
        name for name in names if name not in near and get_close_matches(wanted, re.split(r"[._ ]", name), cutoff=0.8)
    ]
    if near:
        return "did you mean " + " or ".join(f'"{name}"' for name in near[:3]) + "?"
    listing = ", ".join(f'"{name}"' for name in names[:most]) + (", ..." if len(names) > most else "")
    return f"known: {listing}"


def listed(names: Iterable[str], *, most: int = 4) -> str:
    """Names in a sentence, "a", "b" and "c": of many the first ones, and how many others there are."""
    words = [f'"{name}"' for name in names]
    if len(words) > most + 1:
        words = [*words[:most], f"{len(words) - most} others"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
