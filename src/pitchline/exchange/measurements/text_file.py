"""Columns of numbers in text files (CSV), read in blocks of some megabytes. A wrong cell is named by line and column."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import shown
from ...math.number_text import POWERS, parse_table
from ..limits import ExchangeError
from .channels import RawChannel, RawRecord
from .text_layout import HEAD, TextLayout, _cells, find_layout

__all__ = ["read_text"]

BLOCK = 1 << 24
"""Bytes of a block."""
SMALL = 1 << 14
"""Bytes of a part that is read line by line."""
LONGEST_LINE = 1 << 20
_NEWLINE = 10
_POWERS = np.array([POWERS])


def read_text(path: Path, name: str, **options: Any) -> RawRecord:
    """Channels of a text file."""
    with path.open("rb") as stream:
        layout = find_layout(stream.read(HEAD), name, **options)
        stream.seek(0)
        plain = layout.encoding in ("utf-8", "utf-8-sig", "ascii", "latin-1", "iso-8859-1", "cp1252")
        source: Any = stream if plain else _Recoded(stream, layout.encoding, name)
        parts = list(_tables(source, layout, name))
    table = np.concatenate(parts) if parts else np.zeros((0, layout.columns))
    if not len(table):
        raise ExchangeError(f"{name}: there are no samples")
    channels = [RawChannel(text, np.ascontiguousarray(table[:, k])) for k, text in enumerate(layout.names)]
    return RawRecord(
        channels, first_line=layout.skip + 1, about={"separator": layout.separator, "decimal": layout.decimal}
    )


class _Recoded:
    """Bytes of a file in another encoding as UTF-8."""

    def __init__(self, stream: io.BufferedReader, encoding: str, name: str) -> None:
        self._text = io.TextIOWrapper(stream, encoding=encoding, newline="")
        self._name = name

    def read(self, size: int) -> bytes:
        try:
            return self._text.read(size).encode()
        except UnicodeError as error:
            raise ExchangeError(f"{self._name}: the text is not in the stated encoding: {error}") from None


def _tables(stream: Any, layout: TextLayout, name: str) -> Iterator[NDArray[np.float64]]:
    """Tables of numbers, block by block."""
    left = b""
    line = 0  # lines before `left`
    skip = layout.skip
    while True:
        data = stream.read(BLOCK)
        block = left + data
        if b"\r" in block:
            if data and block.endswith(b"\r"):
                block, left = block[:-1], b"\r"
                cut_end = b"\r"
            else:
                cut_end = b""
            block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        else:
            cut_end = b""
        end = block.rfind(b"\n") + 1 if data else len(block)
        left = block[end:] + cut_end
        if len(left) > LONGEST_LINE:
            raise ExchangeError(
                f"{name}, line {line + block.count(bytes([_NEWLINE])) + 1}: longer than {LONGEST_LINE} characters"
            )
        block = block[:end]
        while skip and block:
            _, _, block = block.partition(b"\n")
            skip, line = skip - 1, line + 1
        if block.strip():
            yield _numbers(block, layout, name, line)
        line += block.count(b"\n")
        if not data:
            return


def _numbers(block: bytes, layout: TextLayout, name: str, line: int) -> NDArray[np.float64]:
    """Table of one block. line: lines before it."""
    fast = _fast(block, layout)
    if fast is not None:
        return fast
    middle = block.find(b"\n", len(block) // 2) + 1
    if len(block) < SMALL or not 0 < middle < len(block):
        return _slow(block, layout, name, line)
    # only the part with an empty cell, or an error, is read line by line
    first = _numbers(block[:middle], layout, name, line)
    return np.concatenate([first, _numbers(block[middle:], layout, name, line + block[:middle].count(b"\n"))])


def _fast(block: bytes, layout: TextLayout) -> NDArray[np.float64] | None:
    """Table by compiled code; None if a cell is empty or a text, or a line has another number of cells."""
    trailing = f"{layout.separator}\n".encode() if layout.trailing else b""
    text = block.replace(trailing, b"\n") if trailing else block
    rows = text.count(b"\n") + (not text.endswith(b"\n"))
    out = np.empty((rows, layout.columns))
    hard = np.zeros(1 + 3 * rows * layout.columns, np.int64)
    code = ord(layout.separator) if layout.separator else 32
    found = parse_table(np.frombuffer(text, np.uint8), code, ord(layout.decimal), out, hard, _POWERS)
    if found != rows:
        return None
    flat = out.reshape(-1)
    for place, start, end in hard[1 : 1 + 3 * hard[0]].reshape(-1, 3).tolist():
        flat[place] = float(text[start:end].replace(b",", b"."))
    return out


def _slow(block: bytes, layout: TextLayout, name: str, line: int) -> NDArray[np.float64]:
    """Line by line: empty cells are nan, other texts are errors."""
    try:
        text = block.decode("utf-8" if layout.encoding.startswith("utf") else layout.encoding)
    except UnicodeDecodeError as error:
        at = line + block[: error.start].count(b"\n") + 1
        raise ExchangeError(f"{name}, line {at}: the text is not {layout.encoding}; specify encoding") from None
    rows: list[list[float]] = []
    columns = layout.columns
    blank = 0
    for number, one in enumerate(text.split("\n"), line + 1):
        if not one.strip():
            blank = blank or number
            continue
        if one.lstrip().startswith("#"):
            continue
        if blank and rows:
            blank = 0
        cells = _cells(one, layout.separator)
        if layout.trailing and len(cells) == columns + 1 and not cells[-1]:
            cells.pop()
        if len(cells) != columns:
            raise ExchangeError(
                f"{name}, line {number}: {len(cells)} columns, expected {columns}: {shown(one.strip())}"
            )
        rows.append([_cell(cell, layout, name, number, k) for k, cell in enumerate(cells)])
    return np.array(rows, np.float64).reshape(len(rows), columns)


def _cell(cell: str, layout: TextLayout, name: str, line: int, column: int) -> float:
    plain = cell.strip().strip('"')
    if not plain or plain.lower() in ("na", "n/a", "null", "none", "-", "nan", "#n/a"):
        return float("nan")
    try:
        if "_" in plain or (layout.decimal == "," and "." in plain):
            raise ValueError
        if layout.decimal == ",":
            plain = plain.replace(",", ".")
        return float(plain)
    except ValueError:
        raise ExchangeError(
            f'{name}, line {line}, column {column + 1} ("{layout.names[column]}"): expected a number, got {shown(cell)}'
        ) from None
