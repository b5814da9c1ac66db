"""Sections of files of Gmsh (.msh): the same numbers as text or in binary, of either byte order.

Format: Gmsh reference manual, "MSH file format". Names of physical groups are text also in binary files, as are the counts of
version 2.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ...errors import ModelError, shown
from .solid_mesh import FloatArray, IntArray

__all__ = ["MshBytes", "MshSection", "MshText", "sections_of"]

_MOST_WHOLE = 2**62


class MshSection(ABC):
    """Contents of one section, read from its beginning to its end. name: without $."""

    def __init__(self, path: Path, name: str) -> None:
        self.path, self.name = path, name

    @abstractmethod
    def error(self, problem: str) -> ModelError:
        """An error that names the place in the file."""

    @abstractmethod
    def whole(self, count: int, *, width: int) -> list[int]:
        """Whole numbers. width: bytes of each in binary files."""

    @abstractmethod
    def real(self, count: int) -> list[float]:
        """Real numbers."""

    @abstractmethod
    def table(self, rows: int, whole: int, real: int, *, width: int, more: bool = False) -> tuple[IntArray, FloatArray]:
        """Rows of whole numbers followed by real ones: (rows, whole), (rows, real). more: lines of text may be longer."""

    @abstractmethod
    def counted(self, number: int, of: str) -> int:
        """A number of items that follow; an error if the section is too short for them."""

    @abstractmethod
    def finish(self) -> None:
        """An error if something is left."""


class MshText(MshSection):
    """A section of numbers as text. first: number of its first line in the file."""

    def __init__(self, path: Path, name: str, first: int, text: str) -> None:
        super().__init__(path, name)
        kept = [(first + k, line) for k, line in enumerate(text.splitlines()) if line.strip()]
        self.numbers, self.lines = [number for number, _ in kept], [line for _, line in kept]
        self.first, self.at = first, 0
        self.fields: list[str] = []

    def error(self, problem: str) -> ModelError:
        """An error that names the line that was read last."""
        at = min(max(self.at - 1, 0), len(self.numbers) - 1)
        line = self.numbers[at] if self.numbers else self.first
        return ModelError(f'mesh "{self.path}", line {line}: ${self.name}: {problem}')

    def line(self) -> str:
        """The next line as it is."""
        if self.at >= len(self.lines):
            raise self.error("the section ends too early")
        self.at += 1
        return self.lines[self.at - 1]

    def _next(self, count: int) -> list[str]:
        """Fields, from as many lines as necessary."""
        while len(self.fields) < count:
            self.fields += self.line().split()
        found, self.fields = self.fields[:count], self.fields[count:]
        return found

    def whole(self, count: int, *, width: int) -> list[int]:
        fields = self._next(count)
        try:
            found = [int(field) for field in fields]
        except ValueError:
            raise self.error(f"expected whole numbers, got {shown(' '.join(fields[:8]))}") from None
        if any(abs(n) >= _MOST_WHOLE for n in found):
            raise self.error(f"number out of range in {shown(' '.join(fields[:8]))}")
        return found

    def real(self, count: int) -> list[float]:
        fields = self._next(count)
        try:
            return [float(field) for field in fields]
        except ValueError:
            raise self.error(f"expected numbers, got {shown(' '.join(fields[:8]))}") from None

    def new_line(self) -> None:
        """The rest of a line is left out."""
        self.fields = []

    def table(self, rows: int, whole: int, real: int, *, width: int, more: bool = False) -> tuple[IntArray, FloatArray]:
        self.new_line()
        columns, start = whole + real, self.at
        fields: list[str] = []
        for _ in range(rows):
            row = self.line().split()
            if len(row) < columns or (len(row) > columns and not more):
                raise self.error(f"expected {columns} numbers, got {shown(' '.join(row[:24]))}")
            fields += row[:columns] if more else row
        try:
            numbers = np.array([int(f) for k in range(whole) for f in fields[k::columns]], dtype=np.int64)
            places = np.array([float(f) for k in range(whole, columns) for f in fields[k::columns]])
        except (ValueError, OverflowError):
            self.at = start
            raise self._wrong_row(rows, whole, columns) from None
        return numbers.reshape(whole, rows).T, places.reshape(real, rows).T

    def _wrong_row(self, rows: int, whole: int, columns: int) -> ModelError:
        """The first row of a table that cannot be read."""
        for _ in range(rows):
            row = self.line().split()[:columns]
            try:
                np.array([int(field) for field in row[:whole]], dtype=np.int64)
                np.array([float(field) for field in row[whole:]])
            except (ValueError, OverflowError):
                break
        return self.error(f"expected {whole} whole numbers and {columns - whole} numbers, got {shown(' '.join(row))}")

    def counted(self, number: int, of: str) -> int:
        if not 0 <= number <= len(self.lines):
            raise self.error(f"the number of {of} is {number}, but the section has {len(self.lines)} lines")
        return number

    def finish(self) -> None:
        if self.at < len(self.lines):
            self.at += 1
            raise self.error(
                f"the section is longer than its numbers of items: {shown(self.lines[self.at - 1].strip())}"
            )


class MshBytes(MshSection):
    """A section in binary. order: "<" or ">". start: where it begins in the file."""

    def __init__(self, path: Path, name: str, start: int, data: memoryview, order: str) -> None:
        super().__init__(path, name)
        self.data, self.order, self.start, self.at = data, order, start, 0

    def error(self, problem: str) -> ModelError:
        """An error that names the byte."""
        return ModelError(f'mesh "{self.path}", byte {self.start + self.at}: ${self.name}: {problem}')

    def text_line(self) -> str:
        """A line of text at the beginning, as version 2 has it."""
        found = re.match(rb"[^\n]{0,40}\n", bytes(self.data[:41]))
        if found is None:
            raise self.error("expected a line with the number of items")
        self.at = found.end()
        return found[0].decode("latin-1").strip()

    def _values(self, kind: str | list[tuple[str, str, tuple[int]]], count: int) -> npt.NDArray[np.void]:
        form = np.dtype(kind)
        size = count * form.itemsize
        if self.at + size > len(self.data):
            raise self.error("the section ends too early")
        found = np.frombuffer(self.data, form, count, self.at)
        self.at += size
        return found

    def whole(self, count: int, *, width: int) -> list[int]:
        found: list[int] = self._values(f"{self.order}i{width}", count).tolist()
        if any(abs(n) >= _MOST_WHOLE for n in found):
            raise self.error(f"number out of range in {found[:8]}")
        return found

    def real(self, count: int) -> list[float]:
        found: list[float] = self._values(f"{self.order}f8", count).tolist()
        return found

    def table(self, rows: int, whole: int, real: int, *, width: int, more: bool = False) -> tuple[IntArray, FloatArray]:
        if not rows:
            return np.zeros((0, whole), np.int64), np.zeros((0, real))
        kind = [("whole", f"{self.order}i{width}", (whole,)), ("real", f"{self.order}f8", (real,))]
        found = self._values(kind, rows)
        return found["whole"].astype(np.int64), found["real"].astype(np.float64)

    def counted(self, number: int, of: str) -> int:
        left = len(self.data) - self.at
        if not 0 <= number <= left // 4:
            raise self.error(f"the number of {of} is {number}, but {left} bytes follow")
        return number

    def finish(self) -> None:
        left = bytes(self.data[self.at :])
        if left.strip():
            raise self.error(f"the section is longer than its numbers of items, by {len(left)} bytes")


def sections_of(path: Path, data: bytes) -> dict[str, tuple[int, int]]:
    """Names of the sections of a file, and where their contents begin and end. Comments may be between them."""
    found: dict[str, tuple[int, int]] = {}
    begin = re.compile(rb"^[ \t]*\$([A-Za-z]\w*)[ \t]*\r?\n", re.MULTILINE)
    at = 0
    while (head := begin.search(data, at)) is not None:
        name = head[1].decode("ascii", "replace")
        if name.startswith("End"):
            raise ModelError(f'mesh "{path}": ${name} without its beginning')
        stop = data.find(b"$End" + head[1], head.end())
        if stop < 0:
            raise ModelError(f'mesh "{path}": section ${name} has no end: the file is incomplete')
        if name in found and name in ("MeshFormat", "PhysicalNames", "Entities", "Nodes", "Elements"):
            raise ModelError(f'mesh "{path}": there are two sections ${name}. Save the mesh as one file again')
        found[name] = head.end(), stop
        at = stop + len(name) + 4
    return found
