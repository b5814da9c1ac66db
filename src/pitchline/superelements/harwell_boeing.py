"""Reader of Harwell-Boeing files in text: one real assembled matrix, stored by columns in fixed Fortran formats.

Four lines of heading: title; numbers of lines (all, pointers, rows, values, right sides); type, rows, columns, entries; formats.
`scipy.io.hb_read` requires spaces between numbers, which Fortran does not, and does not check row numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from ..errors import ModelError, shown

__all__ = ["read_hb"]

_FORMAT = re.compile(r"\(\s*(?:\d+P\s*,?\s*)?(\d{0,3})\s*([IEDFG])\s*(\d{1,3})(?:\.\d+)?(?:E\d+)?\s*\)", re.ASCII)
_EXPONENT = re.compile(r"(?<=[\d.])([+-]\d+)$")


class _Sections:
    """The lines after the heading, taken in order."""

    def __init__(self, lines: list[str], first: int) -> None:
        self.lines, self.at = lines, first

    def numbers(self, count: int, layout: str, kinds: str, left: int) -> Iterator[tuple[int, str]]:
        """Line number and text of the `left` fields in the next `count` lines.

        Some programs separate numbers with spaces instead of keeping to the columns; a line with the right number of parts is
        read in this way.
        """
        match = _FORMAT.fullmatch(layout.strip().upper())
        if match is None or match.group(2) not in kinds or not int(match.group(3)):
            raise ValueError(f"line 4: the format {shown(layout.strip())} is not supported")
        each, width = int(match.group(1) or 1), int(match.group(3))
        if count < 0 or self.at + count > len(self.lines):
            raise ValueError(f"the file has {len(self.lines)} lines, but the heading requires {self.at + count}")
        for number, line in enumerate(self.lines[self.at : self.at + count], self.at + 1):
            fields = line.split()
            if len(fields) != min(each, left):
                fields = [line[place : place + width].strip() for place in range(0, each * width, width)]
                if line[each * width :].strip():
                    raise ValueError(f"line {number}: is longer than the format {layout.strip()} permits")
            for text in fields:
                if text:
                    left -= 1
                    yield number, text
        self.at += count


def read_hb(path: Path) -> tuple[sp.csc_matrix, bool]:
    """The matrix as the file has it, and whether it is one triangle of a symmetric one."""
    try:
        return _read(path.read_text(encoding="latin-1").splitlines())
    except (ValueError, IndexError, OverflowError) as error:
        raise ModelError(
            f'"{path}" is not a Harwell-Boeing file of a real matrix in text: {error}. Write it with HBMAT and the option ASCII'
        ) from None


def _read(lines: list[str]) -> tuple[sp.csc_matrix, bool]:
    if len(lines) < 5:
        raise ValueError(f"it has {len(lines)} lines, but the heading has 4")
    counts = [_whole(2, word) for word in lines[1].split()]
    kind, sizes = lines[2][:3].upper(), [_whole(3, word) for word in lines[2][3:].split()]
    if kind not in ("RSA", "RUA"):
        raise ValueError(f"line 3: the type is {shown(kind)}, but RSA (real, symmetric) or RUA (real) is required")
    if len(counts) < 4 or len(sizes) < 3:
        raise ValueError("lines 2 and 3: numbers of lines, rows, columns or entries are missing")
    rows, columns, entries = sizes[:3]
    if rows != columns or rows < 1:
        raise ValueError(f"line 3: the matrix has {rows} rows and {columns} columns, but a square one is required")
    body = _Sections(lines, 5 if len(counts) > 4 and counts[4] > 0 else 4)
    pointer = [_whole(*each) for each in body.numbers(counts[1], lines[3][:16], "I", columns + 1)]
    row = [_whole(*each) for each in body.numbers(counts[2], lines[3][16:32], "I", entries)]
    value = [_real(*each) for each in body.numbers(counts[3], lines[3][32:52], "EDFG", entries)]
    for name, found, expected in (
        ("pointers", pointer, columns + 1), ("row numbers", row, entries), ("values", value, entries)
    ):  # fmt: skip
        if len(found) != expected:
            raise ValueError(f"it has {len(found)} {name}, but the heading requires {expected}")
    starts = np.array(pointer, dtype=np.int64)
    steps = starts[1:] - starts[:-1]
    if pointer[0] != 1 or pointer[-1] != entries + 1 or (steps < 0).any():
        raise ValueError("the pointers to the columns do not ascend from 1 to the number of entries plus 1")
    if row and not 1 <= min(row) <= max(row) <= rows:
        raise ValueError(f"an entry is in row {min(row) if min(row) < 1 else max(row)} of {rows}")
    at = np.array(row, dtype=np.int64) - 1, np.repeat(np.arange(columns), steps)
    if len(np.unique(at[0] * columns + at[1])) != entries:
        raise ValueError("a column has two entries in the same row")
    return sp.coo_matrix((value, at), shape=(rows, columns)).tocsc(), kind == "RSA"


def _whole(line: int, text: str) -> int:
    if not re.fullmatch(r"[+-]?\d{1,18}", text, re.ASCII):
        raise ValueError(f"line {line}: expected a whole number, got {shown(text)}")
    return int(text)


def _real(line: int, text: str) -> float:
    try:
        found = float(_EXPONENT.sub(r"E\1", text.upper().replace("D", "E")))
    except ValueError:
        found = np.nan
    if not np.isfinite(found):
        raise ValueError(f"line {line}: expected a finite number, got {shown(text)}")
    return found
