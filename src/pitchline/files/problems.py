"""Problems of a model file with their places; all of them form one FileError."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import ModelError

__all__ = ["Fault", "FileError", "Path", "Problem", "key_text"]

Path = tuple[str | int, ...]
"""Place of a value in a file: keys, and list indices from 0."""


@dataclass(frozen=True)
class Problem:
    """One error in a file.

    file:    name of the file, as it was given or included
    line:    from 1; 0 if the problem has no line (a file that cannot be opened, a value from the command line)
    key:     e.g. "gear_pairs.mesh.stiffness" or "analyses[0].duration"; empty for the file as a whole
    message: what is wrong with which value, and how to correct it
    """

    file: str
    line: int
    key: str
    message: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.key}: {self.message}" if self.key else f"{where}: {self.message}"


class FileError(ModelError):
    """Model file with errors.

    Attributes
    ----------
    found : list[Problem]
        All problems of the file, in the order of its lines; at least one.
    problems : list[str]
        The same as texts.
    """

    found: list[Problem]

    def __init__(self, found: Iterable[Problem]) -> None:
        self.found = sorted(set(found), key=lambda problem: (problem.file, problem.line))
        file = self.found[0].file if self.found else "the file"
        super().__init__([str(problem) for problem in self.found], title=f"{file} has problems")


class Fault(Exception):
    """Error at a place of the current file; converted to a Problem when the place is known."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path, self.message = path, message


def key_text(path: Path) -> str:
    """Path as text: "analyses[0].duration"; keys with special characters are in quotes."""
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
