"""Measured deviations in a text file: a table with face coordinates in the first row and roll lengths in the first column."""

from __future__ import annotations

import os
from pathlib import Path

from ...errors import ModelError, Subject, shown
from ...units import quantity

__all__ = ["read_grid"]

_WHAT = Subject("deviation grid")
_LONGEST = 10.0
"""[m] Larger roll lengths and face coordinates have a wrong unit."""
_DEEPEST = 5e-3
"""[m] Larger flank deviations have a wrong unit."""
_MOST = 50_000_000
"""Largest file size [bytes]."""


def read_grid(
    path: str | os.PathLike[str], length_unit: str, deviation_unit: str
) -> tuple[list[float], list[float], list[list[float]]]:
    """Read roll lengths, face coordinates and deviations (one row for each roll length) [m]."""
    file = Path(path)
    what = f'{_WHAT}: "{file}"'
    length, depth = _unit(length_unit, "length_unit"), _unit(deviation_unit, "deviation_unit")
    lines = _lines(file, what)
    if len(lines) < 3:
        raise ModelError(
            f"{what} has {len(lines)} rows of numbers. It requires a row of face coordinates and at least two roll lengths",
            about=_WHAT.at("path"),
        )
    separator = next((sign for sign in (";", "\t", ",") if sign in lines[0][1]), None)
    cells = [(number, _cells(text, separator)) for number, text in lines]
    columns = len(cells[0][1])
    for number, row in cells:
        if len(row) != columns:
            raise ModelError(
                f"{what}, line {number}: {len(row)} cells, the first row has {columns}", about=_WHAT.at("path")
            )

    def read(number: int, row: list[str], column: int, unit: float) -> float:
        text = row[column].strip()
        try:
            return float(text if separator == "," else text.replace(",", ".")) * unit
        except ValueError:
            raise ModelError(
                f"{what}, line {number}, cell {column + 1}: expected a number, got {shown(text)}",
                about=_WHAT.at("path"),
            ) from None

    faces = [read(*cells[0], column, length) for column in range(1, columns)]
    rows = [read(number, row, 0, length) for number, row in cells[1:]]
    values = [[read(number, row, column, depth) for column in range(1, columns)] for number, row in cells[1:]]
    _check_size(max(map(abs, (*faces, *rows)), default=0.0), _LONGEST, "lengths", "length_unit", "mm", what)
    deepest = max((abs(value) for row in values for value in row), default=0.0)
    _check_size(deepest, _DEEPEST, "deviations", "deviation_unit", "um", what)
    return rows, faces, values


def _unit(text: object, name: str) -> float:
    if not isinstance(text, str):
        raise ModelError(f'{_WHAT}: {name} must be a unit such as "mm", got {shown(text)}', about=_WHAT.at(name))
    return quantity(f"1 {text}", "length", what=_WHAT / name)


def _lines(file: Path, what: str) -> list[tuple[int, str]]:
    """Lines with numbers, and their own numbers from 1."""
    try:
        if file.stat().st_size > _MOST:
            raise ModelError(f"{what} is larger than {_MOST} bytes", about=_WHAT.at("path"))
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ModelError(f"{what} cannot be read: {error.strerror or error}", about=_WHAT.at("path")) from None
    except UnicodeDecodeError:
        raise ModelError(f"{what} is not UTF-8 text", about=_WHAT.at("path")) from None
    found = enumerate(text.splitlines(), 1)
    return [(number, line) for number, line in found if line.strip() and not line.lstrip().startswith("#")]


def _cells(text: str, separator: str | None) -> list[str]:
    row = text.split(separator)
    return row[:-1] if separator and not row[-1].strip() and len(row) > 1 else row


def _check_size(found: float, most: float, what: str, name: str, unit: str, file: str) -> None:
    if not found <= most:
        raise ModelError(
            f'{file}: {what} are up to {found:.6g} m. Specify their unit, such as {name}="{unit}"',
            about=_WHAT.at(name),
        )
