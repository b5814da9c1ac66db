"""Line of every key in a TOML text, which `tomllib` does not provide.

A scanner for the whole grammar: bare, quoted and dotted keys, tables, lists of tables, strings of all four kinds,
arrays over
many lines and inline tables. It does not check the text: invalid TOML ends the scan, and `tomllib` reports the error.
"""

from __future__ import annotations

import contextlib
import re

from .problems import Path

__all__ = ["DEEPEST", "TooDeep", "locate"]

DEEPEST = 32
"""Largest nesting depth of tables, lists and dotted keys."""

_BLANK = re.compile(r"[ \t]*")
_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BASIC = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_LITERAL = re.compile(r"'([^'\n]*)'")
_LONG_BASIC = re.compile(r'"""(?:[^"\\]|\\.|"(?!""))*"""(?:"{1,2}(?!"))?', re.DOTALL)
_LONG_LITERAL = re.compile(r"'''(?:[^']|'(?!''))*'''(?:'{1,2}(?!'))?")
_SCALAR = re.compile(r"[^,\]}#\n\r]+")
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_SHORT = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}


class TooDeep(Exception):
    """Nesting is too deep, at `line`."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line


class _End(Exception):
    """The text is not TOML from here on."""


def locate(text: str) -> dict[Path, int]:
    """Line number, from 1, of every key and list item, up to the first invalid TOML."""
    scanner = _Scanner(text)
    with contextlib.suppress(_End):
        scanner.document()
    return scanner.lines


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.lines: dict[Path, int] = {}
        self.lists: dict[Path, int] = {}  # number of tables in each list
        self.counted, self.line = 0, 1  # line at the position `counted`

    def document(self) -> None:
        table: Path = ()
        while True:
            self.skip(_GAP)
            if self.at >= len(self.text):
                return
            if self.text.startswith("[", self.at):
                table = self.header()
            else:
                self.pair(table)

    def header(self) -> Path:
        """[a.b] or [[a.b]]; return the path of the table."""
        line = self.here()
        double = self.text.startswith("[[", self.at)
        self.at += 2 if double else 1
        parts = self.key()
        self.expect("]]" if double else "]")
        path: Path = ()
        for n, part in enumerate(parts):
            path = (*path, part)
            last = n == len(parts) - 1
            self.lines.setdefault(path, line)
            if last and double:
                self.lists[path] = self.lists.get(path, 0) + 1
            if path in self.lists:
                path = (*path, self.lists[path] - 1)
                self.lines.setdefault(path, line)
        self.lines[path] = line
        return path

    def pair(self, table: Path) -> None:
        line = self.here()
        path = table
        for part in self.key():
            path = (*path, part)
            self.lines.setdefault(path, line)
        if len(path) > DEEPEST:
            raise TooDeep(line)
        self.expect("=")
        self.skip(_BLANK)
        self.value(path)

    def key(self) -> list[str]:
        parts = []
        while True:
            self.skip(_BLANK)
            if (match := _BARE.match(self.text, self.at)) is not None:
                parts.append(match.group())
            elif (match := _BASIC.match(self.text, self.at)) is not None:
                parts.append(_ESCAPE.sub(_unescaped, match.group(1)))
            elif (match := _LITERAL.match(self.text, self.at)) is not None:
                parts.append(match.group(1))
            else:
                raise _End
            if len(parts) > DEEPEST:
                raise TooDeep(self.here())
            self.at = match.end()
            self.skip(_BLANK)
            if not self.text.startswith(".", self.at):
                return parts
            self.at += 1

    def value(self, path: Path) -> None:
        if len(path) > DEEPEST:
            raise TooDeep(self.here())
        sign = self.text[self.at : self.at + 1]
        if sign == "[":
            self.array(path)
        elif sign == "{":
            self.inline(path)
        elif sign in ('"', "'"):
            long = self.text.startswith(sign * 3, self.at)
            self.take((_LONG_BASIC if long else _BASIC) if sign == '"' else (_LONG_LITERAL if long else _LITERAL))
        else:
            self.take(_SCALAR)

    def array(self, path: Path) -> None:
        self.at += 1
        n = 0
        while True:
            self.skip(_GAP)
            if self.text.startswith("]", self.at):
                self.at += 1
                return
            self.lines[(*path, n)] = self.here()
            self.value((*path, n))
            n += 1
            self.skip(_GAP)
            if self.text.startswith(",", self.at):
                self.at += 1
            elif not self.text.startswith("]", self.at):
                raise _End

    def inline(self, path: Path) -> None:
        self.at += 1
        self.skip(_GAP)
        if self.text.startswith("}", self.at):
            self.at += 1
            return
        while True:
            self.skip(_GAP)
            self.pair(path)
            self.skip(_GAP)
            if self.text.startswith("}", self.at):
                self.at += 1
                return
            self.expect(",")

    def here(self) -> int:
        self.line += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        return self.line

    def skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        assert match is not None  # the gap may be empty
        self.at = match.end()

    def take(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        if match is None:
            raise _End
        self.at = match.end()

    def expect(self, sign: str) -> None:
        self.skip(_BLANK)
        if not self.text.startswith(sign, self.at):
            raise _End
        self.at += len(sign)


def _unescaped(match: re.Match[str]) -> str:
    code = match.group(1)
    if code[0] in "uU" and len(code) > 1:
        number = int(code[1:], 16)
        return chr(number) if number <= 0x10FFFF else "?"
    return _SHORT.get(code, code)
