"""Problems of a model file: where they are and what they are; all of them make one FileError."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import ModelError

__all__ = ["Fault", "FileError", "Path", "Problem", "key_text"]

Path = tuple[str | int, ...]
"""Where a value stands in a file: keys, and places in lists from 0."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong in a file.

    file:    name of the file, as it was given or included
    line:    from 1; 0 where the problem is not on a line (a file that cannot be opened, an override)
    key:     such as "gear_pairs.mesh.stiffness" or "analyses[0].duration"; empty for the file as a whole
    message: what is wrong with which value, and the way out
    """

    file: str
    line: int
    key: str
    message: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.key}: {self.message}" if self.key else f"{where}: {self.message}"


class FileError(ModelError):
    """A model file that is wrong.

    Attributes
    ----------
    found : list[Problem]
        Every problem of the file, in the order of its lines; at least one.
    problems : list[str]
        The same as texts.
    """

    found: list[Problem]

    def __init__(self, found: Iterable[Problem]) -> None:
        self.found = sorted(set(found), key=lambda problem: (problem.file, problem.line))
        file = self.found[0].file if self.found else "the file"
        super().__init__([str(problem) for problem in self.found], title=f"{file} has problems")


class Fault(Exception):
    """Something wrong at a place of the file at hand; becomes a Problem where the place is known."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path, self.message = path, message


def key_text(path: Path) -> str:
    """A path as it is read: "analyses[0].duration"; keys that are not plain in quotes."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
            continue
        plain = part and all(sign.isalnum() or sign in "_-" for sign in part) and part.isprintable()
        said = part if plain else '"' + "".join(sign if sign.isprintable() else "?" for sign in part) + '"'
        said = said if len(said) <= 60 else said[:56] + " ..."
        text += f".{said}" if text else said
    return text
