"""Problems of a file with their lines: the line of every key, and numbers that are unlikely.

Line of every key in a TOML text, which `tomllib` does not provide.

A scanner for the whole grammar: bare, quoted and dotted keys, tables, lists of tables, strings of all four kinds,
arrays over
many lines and inline tables. It does not check the text: invalid TOML ends the scan, and `tomllib` reports the error.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from pitchline.errors import ModelError, Place

__all__ = [
    "Fault",
    "FileError",
    "Path",
    "Problem",
    "key_text",
    "DEEPEST",
    "TooDeep",
    "locate",
    "argument_place",
    "unlikely_numbers",
]


# ---- problems

# Problems of a model file with their places; all of them form one FileError.

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


# ---- placing

# Find the place in a file for an error of the Python API: the argument with the error.


def argument_place(path: Path, table: Mapping[str, Any], place: Place, renamed: Mapping[str, str]) -> Path:
    """Place in a file of the argument that an error is about, if the table at `path` contains it.

    renamed: keys of the table with another name in Python. An error about another object, which the call created
    internally, belongs
    to the table as a whole.
    """
    if place.part and place.part[-1] not in path:
        return path
    keys = {there: here for here, there in renamed.items()}
    value: Any = table
    for n, key in enumerate(place.argument):
        key = keys.get(key, key) if n == 0 and isinstance(key, str) else key
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            break
        path = (*path, key)
    return path


# ---- unlikely numbers

# Plain numbers that are valid (SI units) but almost certainly meant in another unit: a module of 3 means three
# metres.

_HUGE = {  # lengths of gears [m]; larger plain numbers are probably in millimetres
    "normal_module": 0.2, "module": 0.2, "face_width": 3.0, "bore": 3.0, "tip_diameter": 20.0, "rim_diameter": 20.0,
    "backlash_allowance": 0.01, "root_radius": 0.2,
}  # fmt: skip
_FAST = 1000.0
"""Speed [rad/s]; larger plain numbers are probably in rpm."""
_FAR = 50.0
"""Coordinate [m]; larger plain numbers are probably in millimetres."""
_THICK = 3.0
"""Diameter of a shaft [m]; larger plain numbers are probably in millimetres."""


def unlikely_numbers(data: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """(place, sentence) for each number; `data` is the file with its expressions evaluated."""
    for name, table in _tables(data, "gears"):
        for key, limit in _HUGE.items():
            value = table.get(key)
            if _plain(value) and abs(value) >= limit:
                yield ("gears", name, key), _sentence(value, "m", "metres", "mm")
        yield from _material(("gears", name), table)
    for name, table in _tables(data, "materials"):
        yield from _material(("materials", name), table)
    for name, table in _tables(data, "bodies"):
        position = table.get("position")
        far = (
            [value for value in position if _plain(value) and abs(value) >= _FAR] if isinstance(position, list) else []
        )
        if far:
            yield ("bodies", name, "position"), _sentence(far[0], "m", "metres", "mm")
    for name, table in _tables(data, "shafts"):
        yield from _shaft(("shafts", name), table)
    for name, table in _tables(data, "drives"):
        yield from _fast(("drives", name, "speed"), table.get("speed"))


def _shaft(path: Path, table: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    sections, stations = table.get("sections"), table.get("stations")
    for n, section in enumerate(sections if isinstance(sections, list) else ()):
        for key in ("length", "outer", "inner", "outer_end", "inner_end"):
            value = section.get(key) if isinstance(section, dict) else None
            if _plain(value) and value >= (_FAR if key == "length" else _THICK):
                yield (*path, "sections", n, key), _sentence(value, "m", "metres", "mm")
    for station, value in stations.items() if isinstance(stations, dict) else ():
        if _plain(value) and value >= _FAR:
            yield (*path, "stations", station), _sentence(value, "m", "metres", "mm")
    yield from _fast((*path, "speed"), table.get("speed"))


def _fast(path: Path, speed: Any) -> Iterator[tuple[Path, str]]:
    if _plain(speed) and abs(speed) >= _FAST:
        rpm = speed * 30.0 / math.pi
        yield (
            path,
            f'{speed:g} rad/s is {rpm:.6g} rpm. Plain numbers are in rad/s; write "{speed:g} rpm" if you mean rpm',
        )


def _material(path: Path, table: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    modulus, density = table.get("youngs_modulus"), table.get("density")
    if _plain(modulus) and 0.0 < modulus < 1e7:
        yield (*path, "youngs_modulus"), _sentence(modulus, "Pa", "pascal", "GPa" if modulus < 1e4 else "MPa")
    if _plain(density) and 0.0 < density < 50.0:
        yield (*path, "density"), _sentence(density, "kg/m^3", "kg/m^3", "g/cm^3")


def _tables(data: Mapping[str, Any], section: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    found = data.get(section)
    for name, table in found.items() if isinstance(found, dict) else ():
        if isinstance(table, dict):
            yield name, table


def _plain(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _sentence(value: float, unit: str, words: str, meant: str) -> str:
    return f'{value:g} {unit} is an unusual value. Plain numbers are in {words}; write "{value:g} {meant}" if you mean {meant}'
