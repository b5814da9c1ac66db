"""Layout of a text file with columns of numbers: encoding, separator, decimal sign, header lines."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from ...errors import shown
from ..limits import ExchangeError

__all__ = ["TextLayout", "find_layout"]

HEAD = 1 << 16
"""Bytes that are examined."""
MOST_HEADER_LINES = 500
SEPARATORS = (";", "\t", ",", "|")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NUMBER = re.compile(r"[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+-]?\d+)?|[+-]?(?:nan|inf|infinity)|", re.IGNORECASE)


@dataclass(frozen=True)
class TextLayout:
    """How a file is written.

    separator: one character, or "" for blanks
    skip:      number of lines before the first line of numbers
    """

    encoding: str
    separator: str
    decimal: str
    skip: int
    names: tuple[str, ...]
    trailing: bool = False
    """Lines end with a separator."""

    @property
    def columns(self) -> int:
        """Number of columns."""
        return len(self.names)


def find_layout(
    head: bytes,
    name: str,
    *,
    separator: str | None,
    decimal: str | None,
    encoding: str | None,
    header_lines: int | None,
) -> TextLayout:
    """Layout from the first bytes of a file. Given options are used as they are."""
    code = encoding or _encoding(head)
    try:
        codecs.lookup(code)
        text = head.decode(code, errors="replace")
    except (LookupError, UnicodeError) as error:
        raise ExchangeError(f"{name}: the encoding {shown(code)} is not known: {error}") from None
    if "\x00" in text:
        raise ExchangeError(
            f"{name}: not a text file: it contains the character 0. Specify the encoding, or another reader"
        )
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(head) == HEAD and len(lines) > 1:
        lines = lines[:-1]  # cut off
    for option, value, options in (("separator", separator, (*SEPARATORS, "", " ")), ("decimal", decimal, (".", ","))):
        if value is not None and (not isinstance(value, str) or value not in options):
            raise ExchangeError(f"{name}: {option} {shown(value)}: expected one of {', '.join(map(repr, options))}")
    sign = "" if separator == " " else separator
    best: tuple[int, str, str, int] | None = None
    for one in (sign,) if sign is not None else (*SEPARATORS, ""):
        for comma in (decimal,) if decimal is not None else (".", ","):
            if comma == one:
                continue
            start = _first_numbers(lines, one, comma, header_lines)
            if start is None:
                continue
            count = _count(lines, start, one)
            alike = sum(_numeric(line, one, comma, count) for line in lines[start : start + 50])
            score = alike * (10 + min(count, 50) if count > 1 else 6) - (1 if comma == "," else 0)
            if best is None or score > best[0]:
                best = (score, one, comma, start)
    if best is None:
        shown_line = next((line for line in lines if line.strip()), "")
        raise ExchangeError(
            f"{name}: no line of numbers was found in the first {min(len(lines), MOST_HEADER_LINES)} lines (line 1: "
            f"{shown(shown_line)}). Specify separator, decimal and header_lines"
        )
    _, one, comma, start = best
    count = _count(lines, start, one)
    return TextLayout(code, one, comma, start, _names(lines, start, one, count), count < len(_cells(lines[start], one)))


def _encoding(head: bytes) -> str:
    for mark, code in _MARKS:
        if head.startswith(mark):
            return code
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _cells(line: str, separator: str) -> list[str]:
    if not separator:
        return line.split()
    return [cell.strip().strip('"') for cell in line.split(separator)]


def _count(lines: list[str], start: int, separator: str) -> int:
    """Number of columns. If all lines end with a separator, there is no column after it, unless it has a name."""
    count = len(_cells(lines[start], separator))
    alike = [cells for cells in (_cells(line, separator) for line in lines[start : start + 50]) if len(cells) == count]
    named = any(
        len(cells) == count and cells[-1]
        for cells in (_cells(line, separator) for line in lines[max(start - 3, 0) : start])
    )
    return count - 1 if count > 1 and not named and all(not cells[-1] for cells in alike) else count


def _numeric(line: str, separator: str, decimal: str, count: int) -> bool:
    cells = _cells(line, separator)
    return len(cells) in (count, count + 1) and _all_numbers(cells, decimal)


def _all_numbers(cells: list[str], decimal: str) -> bool:
    other = "," if decimal == "." else "."
    for cell in cells:
        if other in cell or not _NUMBER.fullmatch(cell):
            return False
    return any(cells)


def _first_numbers(lines: list[str], separator: str, decimal: str, header_lines: int | None) -> int | None:
    first = 0 if header_lines is None else header_lines
    for number in range(first, min(len(lines), MOST_HEADER_LINES)):
        cells = _cells(lines[number], separator)
        if cells and not lines[number].lstrip().startswith("#") and _all_numbers(cells, decimal):
            # a header may contain a line with one number, for example the number of channels
            following = [line for line in lines[number + 1 : number + 5] if line.strip()]
            alike = sum(len(_cells(line, separator)) == len(cells) for line in following)
            if header_lines is not None or 2 * alike >= len(following):
                return number
        if header_lines is not None and lines[number].strip():
            return None
    return None


def _names(lines: list[str], start: int, separator: str, count: int) -> tuple[str, ...]:
    """Names of the columns: the last line with the right number of cells before the numbers; a line of units after it is joined."""
    rows: list[list[str]] = []
    for number in range(start - 1, max(start - 6, -1), -1):
        text = lines[number].lstrip("#").lstrip("%") if lines[number].lstrip().startswith(("#", "%")) else lines[number]
        cells = _cells(text, separator)
        if len(cells) == count + 1 and not cells[-1]:
            cells.pop()
        if not separator and any(sign in text for sign in ",;\t"):  # blanks between numbers, other signs between names
            cells = [cell.strip().strip('"') for cell in re.split(r"[,;\t]", text)]
        if len(cells) == count and any(re.search(r"[^\W\d]", cell) for cell in cells):
            rows.append(cells)
            if len(rows) == 2:
                break
        elif rows or text.strip():
            break
    if not rows:
        return tuple(f"channel {k + 1}" for k in range(count))
    if len(rows) == 2 and _are_units(rows[0]) and not _are_units(rows[1]):
        return tuple(f"{name} [{unit.strip('[]()')}]" for name, unit in zip(rows[1], rows[0], strict=True))
    return tuple(rows[0])


def _are_units(cells: list[str]) -> bool:
    from .channels import _unit

    found = [cell.strip("[]() ") for cell in cells]
    return any(found) and all(not cell or cell == "-" or _unit(cell) is not None for cell in found)
