"""Text files with columns of numbers, and MAT files: layout, encoding, values."""

from __future__ import annotations

import codecs
import io
import math
import re
import warnings as python_warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchline.errors import shown
from pitchline.numerics.number_text import POWERS, parse_table

from ..safe_xml import ExchangeError
from .channels import NamedArray, RawChannel, RawRecord, read_hdf5, record_of_arrays

__all__ = ["arrays_of_mat", "read_mat", "TextLayout", "find_layout", "read_text"]


# ---- mat file

# MAT files: versions 4 and 5 by scipy, version 7.3 as HDF5.

MOST_BYTES = 4 * 1024**3
"""Largest size of all arrays. A compressed file can be much smaller."""
MOST_DEPTH = 20
_KINDS = {
    "double": 8,
    "single": 4,
    "int8": 1,
    "uint8": 1,
    "int16": 2,
    "uint16": 2,
    "int32": 4,
    "uint32": 4,
    "int64": 8,
    "uint64": 8,
    "logical": 1,
}


def read_mat(path: Path, name: str, group: str | None) -> RawRecord:
    """Channels of a MAT file: variables, fields of structs, columns of matrices."""
    with path.open("rb") as stream:
        head = stream.read(128)
    if head[:8] == b"\x89HDF\r\n\x1a\n" or b"MATLAB 7.3 MAT-file" in head:
        return read_hdf5(path, name, group, matlab=True)
    from .reading_process import arrays_from_process

    arrays, _ = arrays_from_process(path, name, group, "MAT")
    return record_of_arrays(arrays, group, {}, name)


def arrays_of_mat(path: Path, name: str) -> list[NamedArray]:
    """Arrays of a MAT file of version 4 or 5, read in this process."""
    from scipy.io import loadmat, whosmat

    try:
        with python_warnings.catch_warnings():
            python_warnings.simplefilter("ignore")
            listed = whosmat(path, appendmat=False)
            size = sum(math.prod(shape) * _KINDS.get(kind, 8) for _, shape, kind in listed)
            if size > MOST_BYTES or any(n < 0 for _, shape, _ in listed for n in shape):
                raise ExchangeError(
                    f"{name}: its arrays have {size / 2**30:.1f} GB, the limit is {MOST_BYTES / 2**30:.0f} GB"
                )
            data = loadmat(path, appendmat=False, simplify_cells=True, verify_compressed_data_integrity=True)
    except ExchangeError:
        raise
    except NotImplementedError as error:
        raise ExchangeError(f"{name}: this version of MAT files is not supported: {error}") from error
    except MemoryError as error:
        raise ExchangeError(f"{name}: its arrays do not fit in memory") from error
    except Exception as error:  # a damaged file: scipy raises errors of many kinds
        raise ExchangeError(f"{name}: not a valid MAT file: {type(error).__name__}: {str(error)[:200]}") from error
    arrays: list[NamedArray] = []
    units: dict[str, str] = {}
    for key, value in data.items():
        if not key.startswith("__"):
            _walk(key, value, arrays, units, name, 0)
    return [
        NamedArray(array.path, array.values, units.get(f"units.{array.path}", ""))
        for array in arrays
        if not array.path.startswith(("units.", "descriptions.", "about."))
    ]


def _walk(path: str, value: Any, arrays: list[NamedArray], units: dict[str, str], name: str, depth: int) -> None:
    if depth > MOST_DEPTH:
        raise ExchangeError(f'{name}: "{path[:80]}" is nested more than {MOST_DEPTH} deep')
    if isinstance(value, dict):
        for key, one in value.items():
            _walk(f"{path}.{key}", one, arrays, units, name, depth + 1)
    elif isinstance(value, str):
        units[path] = value
    elif isinstance(value, (int, float, np.number)) or (isinstance(value, np.ndarray) and value.dtype.kind in "fiub"):
        arrays.append(NamedArray(path, np.asarray(value, np.float64)))
    elif isinstance(value, np.ndarray) and value.dtype.kind == "c":
        raise ExchangeError(f'{name}: "{path}" contains complex numbers. Write their magnitude or their real part')


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


# ---- text file

# Columns of numbers in text files (CSV), read in blocks of some megabytes. A wrong cell is named by line and column.

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
