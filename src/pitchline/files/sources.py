"""Sources of a model file: the file with its included files, parameters, and the line of each entry.

Sources: a model file with its included files, merged to one set of data with the file and line of each entry.

`include = ["shaft.toml"]` names files relative to the including file. They are read first, in order. Each element
(body, gear,
...) is specified once. Parameters and the entries at the top (name, gravity, plane) of the including file take
precedence over
those of the included files, so an included file can provide defaults. Included files must be in the folder of the first
file or
below. A file that is copied with its folder is therefore complete, and a file from an unknown source cannot read other
folders.
"""

from __future__ import annotations

import copy
import pickle
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import Any

from pitchline.errors import PitchlineError, shown

from .key_lines import DEEPEST, FileError, Path, Problem, TooDeep, key_text, locate
from .written_values import inline

__all__ = [
    "LARGEST_FILE",
    "Document",
    "read_document",
    "read_text",
    "with_parameters",
    "MOST_FILES",
    "Sources",
    "FileOrigin",
]


# ---- document

# Document: a TOML text as data, with the line of every key.

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
    from pitchline.errors import near_names

    try:
        found = sorted(item.name for item in path.parent.glob("*.toml"))[:200]
    except OSError:
        return ""
    return f"; {near_names(path.name, found)}" if found else ""


# ---- changed parameters

# Change parameter values in the text of a model file. The rest of the text, including comments, does not change.

_VALUE = re.compile(r"""("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,}#\]]+)""")
"""TOML value on one line: a text, or a number."""


def with_parameters(text: str, values: Mapping[str, Any], included: Mapping[str, Any] | None = None) -> str:
    """Return the text of a file with other parameter values: numbers, texts with a unit, or plain texts.

    included: parameters of included files, with their declarations. Values in the including file take precedence, so it
    gets its
    own entry. PitchlineError if the value is not found because of the way it is written.
    """
    for name, value in values.items():
        text = _changed(read_text(text, "the model file"), name, value, dict(included or {}))
    return text


def _changed(document: Document, name: str, value: Any, included: Mapping[str, Any]) -> str:
    own = document.data.get("parameters", {})
    wanted = copy.deepcopy(document.data)
    said = own.get(name, included.get(name))
    entry = {**said, "value": value} if isinstance(said, dict) else value
    wanted.setdefault("parameters", {})[name] = entry
    for text in _candidates(document, name, entry, value):
        try:
            if tomllib.loads(text) == wanted:
                return text
        except tomllib.TOMLDecodeError:
            continue
    raise PitchlineError(
        f'the value of the parameter "{name}" was not found in the text of the model file. Change it there by hand'
    )


def _candidates(document: Document, name: str, entry: Any, value: Any) -> Iterator[str]:
    """Texts in which the value may have been replaced. The caller compares their contents."""
    lines = document.text.split("\n")
    path = ("parameters", name)
    if name not in document.data.get("parameters", {}):
        header = document.lines.get(("parameters",))
        if header is None:
            yield document.text.rstrip("\n") + f"\n\n[parameters]\n{name} = {inline(entry)}\n"
        else:
            yield _with_line(lines, header, f"{name} = {inline(entry)}")
        return
    if not isinstance(entry, dict):
        yield from _replaced(lines, document.line(path), name, value)
    elif (*path, "value") in document.lines:
        yield from _replaced(lines, document.line((*path, "value")), "value", value)
    else:  # the first of its choices
        line = document.line(path)
        yield from (
            _with_text(
                lines, line, lines[line - 1][: at.end()] + f" value = {inline(value)}," + lines[line - 1][at.end() :]
            )
            for at in re.finditer(r"\{", lines[line - 1])
        )
        yield _with_line(lines, line, f"value = {inline(value)}")


def _replaced(lines: list[str], line: int, key: str, value: Any) -> Iterator[str]:
    """Values after this key on a line, one after the other."""
    whole = lines[line - 1]
    for at in re.finditer(rf"""["']?{re.escape(key)}["']?\s*=\s*""", whole):
        found = _VALUE.match(whole, at.end())
        if found:
            yield _with_text(lines, line, whole[: found.start()] + inline(value) + whole[found.end() :])


def _with_text(lines: list[str], line: int, text: str) -> str:
    return "\n".join([*lines[: line - 1], text, *lines[line:]])


def _with_line(lines: list[str], after: int, text: str) -> str:
    return "\n".join([*lines[:after], text, *lines[after:]])


MOST_FILES = 100
_WINNING = ("parameters", "model")
"""Tables in which the including file can replace entries of included files."""


class Sources:
    """Merged data of a file and its included files.

    data:       data of all files
    problems:   of includes and of elements that are specified twice
    incomplete: whether a file could not be included, so that elements may be missing
    files:      paths of all files that were read or are named as data
    """

    def __init__(self, main: Document) -> None:
        self.main = main
        self.data: dict[str, Any] = {}
        self.problems: list[Problem] = []
        self.incomplete = False
        self.files: list[FilePath] = []
        self._origins: dict[Path, tuple[Document, Path]] = {}
        self._count = 0
        self._seen: set[FilePath] = set()
        self._root = None if main.path is None else main.path.resolve().parent
        self._add(main, ())

    def where(self, path: Path) -> tuple[str, int]:
        """File and line of a place in the merged data."""
        for n in range(min(2, len(path)), 0, -1):
            if path[:n] in self._origins:
                document, own = self._origins[path[:n]]
                return document.name, document.line((*own, *path[n:]))
        return self.main.name, self.main.line(path)

    def line_text(self, path: Path) -> str:
        """Text line of a place in the merged data, as written in its file."""
        document, own = next((self._origins[path[:n]] for n in (2, 1) if path[:n] in self._origins), (self.main, path))
        return document.text_lines[document.line((*own, *path[2:])) - 1]

    def data_file(self, path: Path, name: str) -> FilePath | str:
        """File that an entry names, in the folder of the file with this entry; or the error text."""
        document = next((self._origins[path[:n]][0] for n in (2, 1) if path[:n] in self._origins), self.main)
        found = self._inside(document, name)
        if isinstance(found, FilePath):
            self.files.append(found)
        return found

    def _inside(self, document: Document, name: str) -> FilePath | str:
        """File in the folder of the first file, or below; or the error text about its name."""
        if document.path is None or self._root is None:
            return f"{shown(name)}: a model text has no folder in which files can be found. Save it as a file first"
        try:
            path = (document.path.parent / name).resolve()
            inside = path.is_relative_to(self._root)
        except (OSError, ValueError, RuntimeError):
            return f"{shown(name)} is not the name of a file"
        if FilePath(name).is_absolute() or not inside:
            return f"{shown(name)} is outside the folder of the model file. Move it there, or to a folder below"
        return path

    def problem(self, path: Path, message: str) -> Problem:
        return Problem(*self.where(path), key_text(path), message)

    # ---- merging

    def _add(self, document: Document, above: tuple[FilePath, ...]) -> None:
        self._count += 1
        if document.path is not None:
            path = document.path.resolve()
            above = (*above, path)
            self._seen.add(path)
            self.files.append(path)
        for n, name in enumerate(self._includes(document)):
            if self._count > MOST_FILES:
                raise FileError([self._said(document, ("include",), f"more than {MOST_FILES} files are included")])
            self._include(document, n, name, above)
        for key, value in document.data.items():
            if key != "include":
                self._merge(document, key, value)

    def _includes(self, document: Document) -> list[str]:
        given = document.data.get("include", [])
        names = [given] if isinstance(given, str) else given
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            message = f'must be a list of file names, e.g. ["shaft.toml"], got {shown(given)}'
            self.problems.append(self._said(document, ("include",), message))
            return []
        return names

    def _include(self, document: Document, n: int, name: str, above: tuple[FilePath, ...]) -> None:
        def wrong(message: str) -> None:
            self.incomplete = True
            self.problems.append(self._said(document, ("include", n), message))

        path = self._inside(document, name)
        if isinstance(path, str) or self._root is None:
            return wrong(str(path))
        if path.suffix != ".toml":
            return wrong(f"{shown(name)}: names of included files must end in .toml")
        if path in above:
            chain = [item.name for item in above[above.index(path) :]] + [path.name]
            return wrong(f"circular include: {' -> '.join(chain)}. Remove one of the includes")
        if path in self._seen:  # two files may include the same one
            return None
        try:
            self._add(read_document(path, _called(path, self._root, self.main)), above)
        except FileError as error:
            if any(problem.line == 0 for problem in error.found):  # cannot be opened: report it at the include
                wrong(f"{shown(name)}: {error.found[0].message}")
            else:
                self.incomplete = True
                self.problems += error.found

    def _merge(self, document: Document, key: str, value: Any) -> None:
        if isinstance(value, dict):
            mine = self.data.setdefault(key, {})
            if not isinstance(mine, dict):
                self.problems.append(
                    self._said(document, (key,), f"is a table here, but not in {self.where((key,))[0]}")
                )
                return
            for name, item in value.items():
                if name in mine and key not in _WINNING:
                    file, line = self.where((key, name))
                    message = f"is already specified in {file}, line {line}. Specify each part only once"
                    self.problems.append(self._said(document, (key, name), message))
                    continue
                mine[name] = item
                self._origins[key, name] = (document, (key, name))
        elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            mine = self.data.setdefault(key, [])
            if not isinstance(mine, list):
                self.problems.append(
                    self._said(document, (key,), f"is a list here, but not in {self.where((key,))[0]}")
                )
                return
            for n, item in enumerate(value):
                self._origins[key, len(mine)] = (document, (key, n))
                mine.append(item)
        else:
            self.data[key] = value
        self._origins.setdefault((key,), (document, (key,)))
        if not isinstance(value, (dict, list)):
            self._origins[key,] = (document, (key,))

    @staticmethod
    def _said(document: Document, path: Path, message: str) -> Problem:
        return Problem(document.name, document.line(path), key_text(path), message)


def _called(path: FilePath, root: FilePath, main: Document) -> str:
    """Name of an included file in messages: relative to the first file."""
    own = path.relative_to(root)
    return str(FilePath(main.name).parent / own)


# ---- file origin

# FileOrigin: what a model file was read from, so that it can be read again elsewhere.


@dataclass(frozen=True, eq=False)
class FileOrigin:
    """What a model file was read from.

    called:     name of the file in messages
    text:       text of the main file
    path:       path of the main file; None for a text
    others:     included files and data files
    overrides:  parameter values set by the user
    allow:      modules with user-defined elements that the file may use
    """

    called: str = ""
    text: str = ""
    path: FilePath | None = None
    others: tuple[FilePath, ...] = ()
    overrides: Mapping[str, Any] = field(default_factory=dict)
    allow: tuple[str, ...] = ()

    @staticmethod
    def of(document: Document, sources: Sources, overrides: Mapping[str, Any], allow: tuple[str, ...]) -> FileOrigin:
        """Origin of a file that was just read."""
        path = None if document.path is None else document.path.resolve()
        others = tuple(other for other in dict.fromkeys(sources.files) if other != path)
        return FileOrigin(document.name, document.text, path, others, dict(overrides), allow)
