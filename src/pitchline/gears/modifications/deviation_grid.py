"""A measured flank: deviations on a grid, bicubic between its points.

Tensor product of cubic splines with continuous second derivatives and not-a-knot ends (de Boor, A Practical Guide to
Splines, 1978, ch. IV); straight lines where there are two points, a parabola where there are three. Outside the grid
the value at its edge is kept.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ...errors import ModelError, Subject, shown
from ...units import quantity
from ..arrays import FloatArray, along
from .grid_csv import read_grid
from .modification import Breaks, Deviation, FlankRange, Modification

__all__ = ["DeviationGrid"]

_GRID = Subject("deviation grid")
_FEW = 40
"""Lines of a grid at which the third derivative of its spline matters."""


def _moments(x: FloatArray) -> FloatArray:
    """The matrix from values to second derivatives of a not-a-knot cubic spline through the points x; (n, n)."""
    n = len(x)
    h = np.diff(x)
    if n == 2:
        return np.zeros((2, 2))
    A, B = np.zeros((n, n)), np.zeros((n, n))
    for k in range(1, n - 1):
        A[k, k - 1 : k + 2] = h[k - 1] / 6.0, (h[k - 1] + h[k]) / 3.0, h[k] / 6.0
        B[k, k - 1 : k + 2] = 1.0 / h[k - 1], -1.0 / h[k - 1] - 1.0 / h[k], 1.0 / h[k]
    if n == 3:
        A[0, :2] = A[2, 1:] = 1.0, -1.0
    else:
        A[0, :3] = h[1], -h[0] - h[1], h[0]
        A[-1, -3:] = h[-1], -h[-2] - h[-1], h[-2]
    return np.asarray(np.linalg.solve(A, B), dtype=np.float64)


def _weights(x: FloatArray, moments: FloatArray, at: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Rows that give value and slope of the spline at points from the values at x; (..., n) each."""
    inside = np.clip(at, x[0], x[-1])
    k = np.clip(np.searchsorted(x, inside, side="right") - 1, 0, len(x) - 2)
    h = (x[k + 1] - x[k])[..., None]
    b = (inside[..., None] - x[k][..., None]) / h
    a = 1.0 - b
    unit = np.eye(len(x))
    left, right, below, above = unit[k], unit[k + 1], moments[k], moments[k + 1]
    value = a * left + b * right + ((a**3 - a) * below + (b**3 - b) * above) * h**2 / 6.0
    slope = (right - left) / h + ((3.0 * b**2 - 1.0) * above - (3.0 * a**2 - 1.0) * below) * h / 6.0
    return value, np.where((inside == at)[..., None], slope, 0.0)


def _lengths(values: object, what: Subject) -> FloatArray:
    """An array of lengths [m] from numbers and texts with a unit."""
    if isinstance(values, (list, tuple)):
        values = [
            _lengths(x, what) if isinstance(x, (list, tuple)) else quantity(x, "length", what=what) for x in values
        ]
        if len({np.shape(x) for x in values}) > 1:
            raise ModelError(
                f"{what}: the rows have different lengths: {', '.join(str(np.size(x)) for x in values)}", about=what
            )
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ModelError(f"{what}: expected numbers [m], got {shown(values)}", about=what) from None


def _axis(values: object, name: str) -> FloatArray:
    x = _lengths(values, _GRID / name)
    if x.ndim != 1 or len(x) < 2 or not np.isfinite(x).all() or not (np.diff(x) > 0.0).all():
        raise ModelError(
            f"deviation grid: {name} must be at least two increasing numbers [m], got shape {x.shape}",
            about=_GRID.at(name),
        )
    return _fixed(x)


def _fixed(x: FloatArray) -> FloatArray:
    """A copy over bytes, which nobody can make writable again."""
    return np.frombuffer(x.tobytes(), dtype=np.float64).reshape(x.shape)


@names_wrong_arguments
@dataclass(frozen=True, init=False, eq=False)
class DeviationGrid(Modification):
    """Deviations [m], positive outwards, at roll lengths [m] (rows) and face coordinates ζ [m] (columns).

    ζ counts from the middle of the face. Numbers are in m, texts have a unit. Grids are equal where all their numbers are.
    """

    roll_lengths: FloatArray
    faces: FloatArray
    values: FloatArray

    def __init__(self, values: object, *, roll_lengths: object, faces: object) -> None:
        rows, columns = _axis(roll_lengths, "roll_lengths"), _axis(faces, "faces")
        table = _lengths(values, _GRID / "values")
        if table.shape != (len(rows), len(columns)) or not np.isfinite(table).all():
            raise ModelError(
                f"deviation grid: expected finite values of shape ({len(rows)}, {len(columns)}), a row for each roll "
                f"length and a column for each face coordinate, got shape {table.shape}",
                about=_GRID.at("values"),
            )
        object.__setattr__(self, "roll_lengths", rows)
        object.__setattr__(self, "faces", columns)
        object.__setattr__(self, "values", _fixed(table))

    @cached_property
    def _by_length(self) -> FloatArray:
        return _moments(self.roll_lengths)

    @cached_property
    def _by_face(self) -> FloatArray:
        return _moments(self.faces)

    def __repr__(self) -> str:
        low, high = 1e6 * self.values.min(), 1e6 * self.values.max()
        return f"DeviationGrid({len(self.roll_lengths)} roll lengths × {len(self.faces)} faces, {low:.4g} to {high:.4g} µm)"

    @classmethod
    def from_csv(
        cls, path: str | os.PathLike[str], *, length_unit: str = "m", deviation_unit: str = "m"
    ) -> DeviationGrid:
        """A measured flank from a text file of numbers, separated by commas, semicolons, tabs or blanks.

        Its first row has the face coordinates ζ after one cell that is not read, each further row a roll length and its
        deviations. Lines that begin with # are left out. Numbers with a decimal comma are read where the separator is not a
        comma.

        length_unit
            Of roll lengths and face coordinates, such as "mm".
        deviation_unit
            Of the deviations, such as "um".
        """
        rows, faces, values = read_grid(path, length_unit, deviation_unit)
        return cls(values, roll_lengths=rows, faces=faces)

    @property
    def _content(self) -> tuple[tuple[int, ...], bytes, bytes, bytes]:
        # "+ 0.0": −0 is 0
        rows, columns, table = (np.asarray(x + 0.0).tobytes() for x in (self.roll_lengths, self.faces, self.values))
        return self.values.shape, rows, columns, table

    def __eq__(self, other: object) -> bool:
        return self._content == other._content if isinstance(other, DeviationGrid) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._content)

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.values.tolist(), self.roll_lengths.tolist(), self.faces.tolist())

    def deviation(self, flank: FlankRange, length: npt.ArrayLike, face: npt.ArrayLike) -> Deviation:
        """The bicubic interpolant."""
        L, z = along(length, face)
        p, p1 = _weights(self.roll_lengths, self._by_length, L)
        q, q1 = _weights(self.faces, self._by_face, z)

        def combined(a: FloatArray, b: FloatArray) -> FloatArray:
            return np.asarray(((a @ self.values) * b).sum(axis=-1))

        return Deviation(combined(p, q), combined(p1, q), combined(p, q1))

    def breaks(self, flank: FlankRange) -> Breaks:
        """The lines of the grid; only its edges if there are many, because the spline between them is smooth."""
        ends = [x if len(x) <= _FEW else x[[0, -1]] for x in (self.roll_lengths, self.faces)]
        return tuple(ends[0].tolist()), tuple(ends[1].tolist())


def _again(values: list[list[float]], roll_lengths: list[float], faces: list[float]) -> DeviationGrid:
    """From what `pickle` and `copy` keep: arrays that stay read-only."""
    return DeviationGrid(values, roll_lengths=roll_lengths, faces=faces)
