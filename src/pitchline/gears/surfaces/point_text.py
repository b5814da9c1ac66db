"""Text files of points of a flank: tables of coordinates, as programs and measuring machines write them.

Columns have names in a first line, in any order: row, line, x, y, z, nx, ny, nz, deviation. A unit may follow: "x [mm]".
Without names the number of columns decides: x y z; row line x y z; row line x y z nx ny nz; and the same with the deviation.
Rows and lines are numbers of the grid. Without them an empty line separates two rows; without empty lines the points are in
any order. The measured point is p + deviation · n.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np

from ...errors import ModelError, Subject, shown
from .point_grid import FlankPointSet, unit_of

__all__ = ["read_point_text"]

_MOST = 200_000_000
"""Largest file size [bytes]."""
_NAMES = {
    "row": "row", "i": "row", "line": "line", "column": "line", "col": "line", "j": "line",
    "x": "x", "y": "y", "z": "z", "nx": "nx", "ny": "ny", "nz": "nz",
    "deviation": "deviation", "dev": "deviation", "error": "deviation",
}  # fmt: skip
_BY_COUNT = {
    3: ("x", "y", "z"),
    5: ("row", "line", "x", "y", "z"),
    8: ("row", "line", "x", "y", "z", "nx", "ny", "nz"),
    9: ("row", "line", "x", "y", "z", "nx", "ny", "nz", "deviation"),
}
_UNIT = re.compile(r"\s*([A-Za-z_]+)\s*(?:[\[(]\s*([^\])]+?)\s*[\])])?\s*\Z")
_COMMENT = re.compile(r"#\s*unit\s*[:=]\s*(\S+)", re.IGNORECASE)
_LENGTHS = ("x", "y", "z", "deviation")


class _PointTable:
    """Lines of a file as numbers, with their columns and units."""

    def __init__(self, file: Path, unit: object, what: Subject) -> None:
        self.file, self.what = file, what
        self.names: tuple[str, ...] = ()
        self.units: dict[str, str] = {}
        self.values: list[list[float]] = []
        self.blocks: list[int] = [0]
        self.separator: str | None = None
        self._common: str | None = None
        for number, text in enumerate(self._text().splitlines(), 1):
            self._line(number, text)
        if not self.values:
            raise self.error("it contains no points")
        if unit is not None:
            if self._common is not None or self.units:
                known = self._common or next(iter(self.units.values()))
                if unit_of(unit, what) != unit_of(known, what):
                    raise self.error(f"the file states the unit {known}, but unit is {shown(unit)}. Leave out unit")
            self._common = str(unit) if isinstance(unit, str) else None
            unit_of(unit, what)

    def error(self, text: str, line: int | None = None) -> ModelError:
        where = "" if line is None else f", line {line}"
        return ModelError(f'{self.what}: "{self.file}"{where}: {text}', about=self.what)

    def _text(self) -> str:
        try:
            if self.file.stat().st_size > _MOST:
                raise self.error(f"it is larger than {_MOST} bytes")
            return self.file.read_text(encoding="utf-8-sig")
        except OSError as error:
            raise self.error(f"it cannot be read: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise self.error("it is not UTF-8 text") from None

    def _line(self, number: int, text: str) -> None:
        if text.lstrip().startswith("#"):
            found = _COMMENT.match(text.strip())
            if found:
                self._common = found[1]
            return
        if not text.strip():
            if self.values and self.blocks[-1] != len(self.values):
                self.blocks.append(len(self.values))
            return
        if not self.values and self.separator is None:
            self.separator = next((sign for sign in (";", "\t", ",") if sign in text), None)
        cells = [cell.strip() for cell in text.split(self.separator)]
        if self.separator and cells and not cells[-1]:
            cells.pop()
        if not self.names:
            if any(_UNIT.match(cell) and cell.lower() not in ("nan", "inf") for cell in cells):
                self._header(number, cells)
                return
            if len(cells) not in _BY_COUNT:
                raise self.error(
                    f"{len(cells)} columns without names. Use 3 (x y z), 5 (row line x y z), 8 (and nx ny nz) or 9 columns (and "
                    "deviation), or name the columns in the first line",
                    number,
                )
            self.names = _BY_COUNT[len(cells)]
        if len(cells) != len(self.names):
            raise self.error(f"{len(cells)} cells, but there are {len(self.names)} columns", number)
        self.values.append([self._number(cell, number) for cell in cells])

    def _header(self, number: int, cells: list[str]) -> None:
        names = []
        if self.separator is None and any(cell[:1] in "[(" for cell in cells):  # "x [mm] y [mm]" separated by blanks
            joined = " ".join(cells)
            cells = re.findall(r"[A-Za-z_]+(?:\s*[\[(][^\])]*[\])])?", joined)
        for cell in cells:
            found = _UNIT.match(cell)
            name = _NAMES.get(found[1].lower()) if found else None
            if found is None or name is None:
                raise self.error(
                    f"there is no column {shown(cell)}. Columns are row, line, x, y, z, nx, ny, nz, deviation", number
                )
            if name in names:
                raise self.error(f"the column {name} occurs twice", number)
            names.append(name)
            if found[2] and name in _LENGTHS:
                self.units[name] = found[2]
        for required in ("x", "y", "z"):
            if required not in names:
                raise self.error(f"the column {required} is missing", number)
        if ("row" in names) != ("line" in names):
            raise self.error("a grid requires both columns row and line", number)
        if "deviation" in names and not {"nx", "ny", "nz"} <= set(names):
            raise self.error("deviations require the normals nx, ny, nz", number)
        self.names = tuple(names)

    def _number(self, text: str, line: int) -> float:
        try:
            return float(text if self.separator == "," else text.replace(",", "."))
        except ValueError:
            raise self.error(f"expected a number, got {shown(text)}", line) from None

    def column(self, name: str) -> np.ndarray:
        at = self.names.index(name)
        values = np.array([row[at] for row in self.values])
        if name not in _LENGTHS:
            return values
        unit = self.units.get(name) or (self._common if name != "deviation" else None)
        unit = unit or self.units.get("x") or self._common or "m"
        return np.asarray(values * unit_of(unit, self.what))


def read_point_text(file: Path, unit: object, what: Subject) -> FlankPointSet:
    """Points [m] of a text file: a grid if rows and lines are numbered or separated, otherwise points in any order."""
    table = _PointTable(file, unit, what)
    points = np.stack([table.column(name) for name in ("x", "y", "z")], axis=-1)
    if "deviation" in table.names:
        normals = np.stack([table.column(name) for name in ("nx", "ny", "nz")], axis=-1)
        sizes = np.linalg.norm(normals, axis=-1)
        if not ((sizes > 0.9) & (sizes < 1.1)).all():
            raise table.error(
                f"the normals must have the length 1, but they have {sizes.min():.4g} to {sizes.max():.4g}"
            )
        points = points + table.column("deviation")[:, None] * normals / sizes[:, None]
    if "row" in table.names:
        return FlankPointSet(_by_number(points, table), file.name)
    ends = [*table.blocks, len(points)]
    sizes_of = [b - a for a, b in pairwise(ends) if b > a]
    if len(sizes_of) < 2:
        return FlankPointSet(points, file.name)
    if len(set(sizes_of)) > 1:
        at = next(k for k, size in enumerate(sizes_of) if size != sizes_of[0])
        raise table.error(
            f"row {at} has {sizes_of[at]} points, row 0 has {sizes_of[0]}. All rows of a grid have the same number of points"
        )
    return FlankPointSet(points.reshape(len(sizes_of), sizes_of[0], 3), file.name)


def _by_number(points: np.ndarray, table: _PointTable) -> np.ndarray:
    rows, lines = (table.column(name) for name in ("row", "line"))
    for name, numbers in (("row", rows), ("line", lines)):
        if not (np.isfinite(numbers).all() and (numbers == np.round(numbers)).all()):
            raise table.error(f"the column {name} must contain whole numbers")
    (of_row, i), (of_line, j) = (np.unique(numbers, return_inverse=True) for numbers in (rows, lines))
    shape = len(of_row), len(of_line)
    count = np.zeros(shape, dtype=np.int64)
    np.add.at(count, (i, j), 1)
    for amount, text in ((count == 0, "is missing"), (count > 1, "occurs more than once")):
        if amount.any():
            a, b = np.argwhere(amount)[0]
            raise table.error(
                f"the grid has {shape[0]} rows and {shape[1]} lines, but the point of row {of_row[a]:g}, line {of_line[b]:g} {text}"
            )
    grid = np.empty((*shape, 3))
    grid[i, j] = points
    return grid
