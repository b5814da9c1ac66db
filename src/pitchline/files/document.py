"""Document: a TOML text as data, with the line of every key."""

from __future__ import annotations

import pickle
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import Any

from .key_lines import DEEPEST, TooDeep, locate
from .problems import FileError, Path, Problem

__all__ = ["LARGEST_FILE", "Document", "read_document", "read_text"]

LARGEST_FILE = 32 * 1024 * 1024
"""Largest file size in bytes."""
MOST_KEPT, LARGEST_KEPT = 16, 200_000
"""Number of parsed texts that are kept, and their largest size in characters."""
_AT = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)")


@dataclass(frozen=True, eq=False)
class Document:
    """TOML file.

    name:  name in messages
    path:  path of the file; None for a text
    data:  the parsed data
    lines: of keys and list items
    text:  the text with uniform line breaks
    """

    name: str
    path: FilePath | None
    data: dict[str, Any]
    lines: Mapping[Path, int]
    text: str

    @cached_property
    def text_lines(self) -> list[str]:
        """The lines of the text."""
        return self.text.split("\n")

    def line(self, path: Path) -> int:
        """Line of a key, or of the nearest table that contains it; at least 1."""
        for n in range(len(path), 0, -1):
            if path[:n] in self.lines:
                return self.lines[path[:n]]
        return 1


def read_document(path: FilePath, name: str) -> Document:
    """Read a file. FileError if it cannot be opened or is not TOML."""
    try:
        if path.is_dir():
            raise FileError([Problem(name, 0, "", "is a folder. Specify the name of a model file")])
        if not path.is_file():
            raise FileError([Problem(name, 0, "", f"file not found{_nearby(path)}")])
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise FileError([Problem(name, 0, "", f"has {size} bytes. Model files have at most {LARGEST_FILE} bytes")])
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        raise FileError(
            [Problem(name, 0, "", f"cannot be opened: {getattr(error, 'strerror', None) or error}")]
        ) from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileError([Problem(name, line, "", "is not UTF-8 text. Save it with UTF-8 encoding")]) from None
    return read_text(text, name, path)


def read_text(text: str, name: str, path: FilePath | None = None) -> Document:
    """Read a text. FileError if it is not TOML."""
    if len(text) > LARGEST_FILE:
        raise FileError([Problem(name, 0, "", f"has {len(text)} characters. Model files have at most {LARGEST_FILE}")])
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if len(text) > LARGEST_KEPT:
        data, lines = _parsed(text, name)
    else:
        kept, lines = _kept(text, name)
        data = pickle.loads(kept)  # own objects for every document
    return Document(name, path, data, lines, text)


@lru_cache(maxsize=MOST_KEPT)
def _kept(text: str, name: str) -> tuple[bytes, Mapping[Path, int]]:
    """Data of a text, as bytes, and the lines of its keys. Texts are often read again with other values of their parameters."""
    data, lines = _parsed(text, name)
    return pickle.dumps(data), MappingProxyType(lines)


def _parsed(text: str, name: str) -> tuple[dict[str, Any], Mapping[Path, int]]:
    """Data of a text, and the lines of its keys. FileError if it is not TOML."""
    try:
        lines = locate(text)
    except TooDeep as error:
        message = f"has more than {DEEPEST} nested levels. Reduce the nesting"
        raise FileError([Problem(name, error.line, "", message)]) from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FileError([_syntax(str(error), text, name)]) from None
    except (ValueError, RecursionError, OverflowError) as error:
        raise FileError(
            [Problem(name, max(lines.values(), default=1), "", f"is not TOML: {_short(str(error))}")]
        ) from None
    return data, lines


def _syntax(message: str, text: str, name: str) -> Problem:
    """The message of `tomllib` ends with the line."""
    match = _AT.search(message)
    said = _short(_AT.sub("", message))
    if match is None or match.group(1) is None:
        line = text.rstrip("\n").count("\n") + 1
        return Problem(name, line, "", f"is not TOML: {said}, at the end of the file")
    line, column = int(match.group(1)), int(match.group(2))
    return Problem(name, line, "", f"is not TOML: {said}, at column {column}: {_short(_line(text, line).strip())}")


def _line(text: str, line: int) -> str:
    lines = text.split("\n", line)
    return lines[line - 1] if line <= len(lines) else ""


def _short(text: str, width: int = 80) -> str:
    text = "".join(sign if sign.isprintable() else "?" for sign in text)
    return text if len(text) <= width else text[: width - 4] + " ..."


def _nearby(path: FilePath) -> str:
    from ..errors import near_names

    try:
        found = sorted(item.name for item in path.parent.glob("*.toml"))[:200]
    except OSError:
        return ""
    return f"; {near_names(path.name, found)}" if found else ""
