"""Entry of a paper page: an equation, figure or table of a paper, its place in pitchline, and numbers of both."""

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["EQUATION", "FIGURE", "NO", "PARTLY", "SECTION", "TABLE", "YES", "Entry", "Number", "Paper", "words"]

EQUATION = "Equations"
FIGURE = "Figures"
TABLE = "Tables"
SECTION = "Statements in the text"
"""Kinds of entries, in the order of the page."""

YES = "yes"
PARTLY = "partly"
NO = "no"
"""Whether pitchline reproduces an entry."""


@dataclass(frozen=True)
class Number:
    """A number of pitchline, and that of the paper if it prints one."""

    quantity: str
    unit: str
    ours: float | str
    paper: float | str = "–"
    """A text for a statement without number, such as "three impacts"."""


@dataclass(frozen=True)
class Entry:
    """One equation, figure, table or statement."""

    place: str
    """In the paper: "eq. 17", "fig. 13", "section 6.1.1"."""
    kind: str
    says: str
    """Content, in own words."""
    here: str
    """Place in pitchline, as Markdown: class, argument, signal, gallery entry, page of the theory."""
    numbers: Callable[[], list[Number]] | None = None
    reproduced: str = YES
    why: str = ""
    """What differs and why; required if the entry is not completely reproduced."""
    slow: bool = False
    """Not run again by the tests."""


@dataclass(frozen=True)
class Paper:
    """Page of a paper."""

    name: str
    """Of the page, without ending."""
    title: str
    cited: str
    """Authors, title, year."""
    about: str
    """What the paper contributes and how pitchline contains it, in a few sentences."""
    entries: tuple[Entry, ...]


def words(count: int, one: str) -> str:
    """A number with its noun."""
    return f"{count} {one}" if count == 1 else f"{count} {one}s"
