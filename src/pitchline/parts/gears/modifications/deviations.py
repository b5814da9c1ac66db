"""A measured flank: deviations on a grid, bicubic between its points.

Tensor product of cubic splines with continuous second derivatives and not-a-knot ends (de Boor, A Practical Guide to
Splines, 1978, ch. IV); straight lines where there are two points, a parabola where there are three. Outside the grid
the value at its edge is kept.
"""

from __future__ import annotations

import operator
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, near_names, shown
from pitchline.units.quantity import quantity

__all__ = [
    "read_grid",
    "RIDGE",
    "Breaks",
    "Deviation",
    "FlankRange",
    "Modification",
    "PitchDeviation",
    "SumOfModifications",
    "as_modification",
    "Bias",
    "HelixSlope",
    "LeadCrowning",
    "PressureAngleSlope",
    "ProfileCrowning",
    "DeviationGrid",
    "FlankModifications",
    "as_flank_modifications",
]


# ---- grid csv

# Measured deviations in a text file: a table with face coordinates in the first row and roll lengths in the first
# column.

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


# ---- modification

# Microgeometry: deviation of a flank from its involute helicoid, as a function of roll length and face coordinate.
#
# A deviation is measured along the normal of the flank [m]; **positive adds material**. Modifications are added with
# +. The roll length L is that of the transverse section (L = r_b ξ with the roll angle ξ), the face coordinate ζ runs
# along the axis from −b/2 to b/2. (Terms as in ISO 21771:2007, 7, and ISO 1328-1:2013.)

RIDGE = 1e-4
"""Smallest angle [rad] between two parts of a flank that counts as an edge: with twice as many cells, the pressure on an edge of
this angle increases by 2.5 MPa."""

Breaks = tuple[tuple[float, ...], tuple[float, ...]]
"""Roll lengths and face coordinates [m]."""


def _along(length: npt.ArrayLike, face: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Two coordinates as arrays of one shape."""
    from ..geometry.involute import along  # the geometry of gears imports this module

    return along(length, face)


class Deviation(NamedTuple):
    """δ [m] and its derivatives ∂δ/∂L and ∂δ/∂ζ."""

    value: FloatArray
    by_length: FloatArray
    by_face: FloatArray


@dataclass(frozen=True)
class FlankRange:
    """Range of a flank: roll lengths [m] at form and tip (middle of the face), face width b [m].

    base_radius [m] converts diameters to roll lengths. sense is +1 for external teeth, −1 for internal teeth, whose tip
    has the smaller roll length.
    """

    base_radius: float
    form: float
    tip: float
    face_width: float
    sense: float

    @property
    def length(self) -> float:
        """|L_tip − L_form| [m]."""
        return abs(self.tip - self.form)

    @property
    def middle(self) -> float:
        """(L_form + L_tip)/2 [m]."""
        return 0.5 * (self.form + self.tip)

    def roll_length(self, diameter: float, what: str) -> float:
        """L = sqrt(d² − d_b²)/2 [m]; an error inside the base circle."""
        square = 0.25 * diameter**2 - self.base_radius**2
        if square < 0.0:
            raise ModelError(
                f"{what}: the diameter {1e3 * diameter:.8g} mm is inside the base circle "
                f"({2e3 * self.base_radius:.8g} mm). Specify a larger one",
                about=what,
            )
        return float(np.sqrt(square))

    def height(self, length: FloatArray) -> tuple[FloatArray, float]:
        """(L − L_middle)/(half length), +1 at the tip, −1 at the form line; and its derivative by L."""
        slope = 2.0 / (self.tip - self.form)
        return (length - self.middle) * slope, slope


class Modification(ABC):
    """Deviation of a flank from its ideal surface. Modifications can be added."""

    @abstractmethod
    def deviation(self, flank: FlankRange, length: npt.ArrayLike, face: npt.ArrayLike) -> Deviation:
        """δ(L, ζ) [m] with its derivatives, arrays of one shape."""

    def breaks(self, flank: FlankRange) -> Breaks:
        """Roll lengths and face coordinates [m] at which δ or its derivatives jump; none for a smooth modification."""
        return (), ()

    def __add__(self, other: Modification) -> Modification:
        if not isinstance(other, Modification):
            return NotImplemented
        return SumOfModifications((*_parts_modification(self), *_parts_modification(other)))


@dataclass(frozen=True)
class SumOfModifications(Modification):
    """Sum of several modifications of one flank; an empty sum does not change the flank."""

    parts: tuple[Modification, ...] = ()

    def deviation(self, flank: FlankRange, length: npt.ArrayLike, face: npt.ArrayLike) -> Deviation:
        """The sum."""
        L, _ = _along(length, face)
        total = [np.zeros_like(L) for _ in range(3)]
        for part in self.parts:
            for k, term in enumerate(part.deviation(flank, length, face)):
                total[k] = total[k] + term
        return Deviation(*total)

    def breaks(self, flank: FlankRange) -> Breaks:
        """Those of all parts."""
        found = [part.breaks(flank) for part in self.parts]
        return tuple(L for lengths, _ in found for L in lengths), tuple(z for _, faces in found for z in faces)


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class PitchDeviation(Modification):
    """Offset of the whole flank along its normal by an amount [m]: pitch deviation of one tooth."""

    amount: float

    def __init__(self, amount: object) -> None:
        object.__setattr__(self, "amount", quantity(amount, "length", what=Subject("pitch deviation") / "amount"))

    def deviation(self, flank: FlankRange, length: npt.ArrayLike, face: npt.ArrayLike) -> Deviation:
        """δ = amount."""
        L, _ = _along(length, face)
        zero = np.zeros_like(L)
        return Deviation(zero + self.amount, zero, zero)


def _parts_modification(item: Modification) -> tuple[Modification, ...]:
    return item.parts if isinstance(item, SumOfModifications) else (item,)


def as_modification(value: object, what: str) -> Modification:
    """Convert a modification, a list or tuple of them, or None."""
    if value is None:
        return SumOfModifications()
    if isinstance(value, Modification):
        return value
    if isinstance(value, (list, tuple)) and all(isinstance(part, Modification) for part in value):
        return SumOfModifications(tuple(part for item in value for part in _parts_modification(item)))
    raise ModelError(
        f"{what}: expected a modification such as TipRelief, or a list of them, got {shown(value)}", about=what
    )


# ---- crowning

# Crownings, slopes and twist: smooth modifications over the whole flank.
#
# h is +1 at the tip, −1 at the form circle, 0 between; w is +1 at the end of the face towards +z, −1 at the other.


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class _Smooth(Modification):
    amount: float

    _what = Subject("modification")

    def __init__(self, amount: object) -> None:
        object.__setattr__(self, "amount", quantity(amount, "length", what=self._what / "amount"))

    @abstractmethod
    def _terms(self, h: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """δ/amount and its derivatives by h and w."""

    def deviation(self, flank: FlankRange, length: npt.ArrayLike, face: npt.ArrayLike) -> Deviation:
        """δ of the modification."""
        L, z = _along(length, face)
        h, rate = flank.height(L)
        w, across = 2.0 * z / flank.face_width, 2.0 / flank.face_width
        value, by_h, by_w = self._terms(h, w)
        zero = np.zeros_like(L)
        return Deviation(
            self.amount * value + zero, self.amount * rate * by_h + zero, self.amount * across * by_w + zero
        )


@dataclass(frozen=True, init=False)
class ProfileCrowning(_Smooth):
    """C_α = `amount` [m]: δ = −C_α h², a parabola over the profile, zero in its middle."""

    _what = Subject("profile crowning")

    def _terms(self, h: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        return -h * h, -2.0 * h, np.zeros_like(w)


@dataclass(frozen=True, init=False)
class LeadCrowning(_Smooth):
    """C_β = `amount` [m]: δ = −C_β w², a parabola over the face, zero in its middle."""

    _what = Subject("lead crowning")

    def _terms(self, h: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        return -w * w, np.zeros_like(h), -2.0 * w


@dataclass(frozen=True, init=False)
class PressureAngleSlope(_Smooth):
    """f_Hα = `amount` [m] from form circle to tip: δ = f h/2; positive adds material at the tip."""

    _what = Subject("pressure angle slope")

    def _terms(self, h: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        return 0.5 * h, np.full_like(h, 0.5), np.zeros_like(w)


@dataclass(frozen=True, init=False)
class HelixSlope(_Smooth):
    """f_Hβ = `amount` [m] over the face: δ = f w/2; positive adds material at the end towards +z."""

    _what = Subject("helix slope")

    def _terms(self, h: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        return 0.5 * w, np.zeros_like(h), np.full_like(w, 0.5)


@dataclass(frozen=True, init=False)
class Bias(_Smooth):
    """A twisted flank, S = `amount` [m] at its corners: δ = S h w; positive adds material at tip and +z together."""

    _what = Subject("bias")

    def _terms(self, h: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        return h * w, w, h


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
        L, z = _along(length, face)
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


# ---- flank modifications

# All modifications of the teeth of a gear: of both flanks, of one, of single teeth.

_SIDES = ("both", "left", "right")
_KEYS = (*_SIDES, "per_tooth")
Parts = tuple[Modification, ...]


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class FlankModifications:
    """Modifications of the flanks of a gear. They are immutable; objects with the same content are equal.

    Parameters
    ----------
    both, left, right
        Modifications of all teeth, on both flanks or on one: a `Modification` or a list of them. Those of `both` and of
        the side are added.
    per_tooth
        Modifications of single teeth, added to the others: ``{3: PitchDeviation("5 um")}`` for both flanks of tooth 3,
        ``{(3, "left"): ...}`` for one.

    Attributes
    ----------
    both, left, right : tuple of Modification
    per_tooth : tuple of ((tooth, side), tuple of Modification)
        Sorted by tooth; side is "both", "left" or "right".
    """

    both: Parts
    left: Parts
    right: Parts
    per_tooth: tuple[tuple[tuple[int, str], Parts], ...]

    def __init__(
        self,
        both: object = None,
        *,
        left: object = None,
        right: object = None,
        per_tooth: Mapping[object, object] | None = None,
        what: str = "modifications",
    ) -> None:
        what = Subject(what)
        for name, value in (("both", both), ("left", left), ("right", right)):
            object.__setattr__(self, name, _parts(value, what / name))
        object.__setattr__(self, "per_tooth", _read_per_tooth(per_tooth, what))

    def __bool__(self) -> bool:
        return any((self.both, self.left, self.right, self.per_tooth))

    def of_side(self, side: str) -> Modification:
        """Sum of the modifications of all teeth on the "left" or "right" flank."""
        return SumOfModifications((*self.both, *(self.left if side == "left" else self.right)))

    def of_teeth(self, side: str) -> dict[int, Modification]:
        """Modifications of single teeth on the "left" or "right" flank."""
        found: dict[int, Parts] = {}
        for (tooth, where), parts in self.per_tooth:
            if where in ("both", side):
                found[tooth] = (*found.get(tooth, ()), *parts)
        return {tooth: SumOfModifications(parts) for tooth, parts in found.items()}

    @property
    def last_tooth(self) -> int:
        """Largest number of a tooth with its own modifications; −1 if there is none."""
        return max((tooth for (tooth, _), _ in self.per_tooth), default=-1)


def as_flank_modifications(value: object, what: str) -> FlankModifications:
    """Convert None, one modification, a list of them, `FlankModifications` or a mapping of its arguments."""
    if isinstance(value, FlankModifications):
        return value
    if not isinstance(value, Mapping):
        return FlankModifications(value, what=what)
    for key in value:
        if key not in _KEYS:
            raise ModelError(f"{what}: there is no {shown(key)}; {near_names(str(key), _KEYS)}", about=what)
    return FlankModifications(**value, what=what)


def _parts(value: object, what: str) -> Parts:
    found = as_modification(value, what)
    parts = found.parts if isinstance(found, SumOfModifications) else (found,)
    for part in parts:
        try:
            hash(part)
        except TypeError:
            raise ModelError(
                f"{what}: a {type(part).__name__} cannot be hashed, but gears are compared by content. Make it a "
                "frozen dataclass",
                about=what,
            ) from None
    return parts


def _read_per_tooth(given: object, what: Subject) -> tuple[tuple[tuple[int, str], Parts], ...]:
    if given is None:
        return ()
    here = what / "per_tooth"
    if not isinstance(given, Mapping):
        raise ModelError(
            f"{here} must be modifications by tooth number, such as {{3: PitchDeviation('5 um')}}, got {shown(given)}",
            about=here,
        )
    found: dict[tuple[int, str], Parts] = {}
    for key, value in given.items():
        number, side = key if isinstance(key, tuple) and len(key) == 2 else (key, "both")
        try:
            if isinstance(number, bool):
                raise TypeError
            tooth = operator.index(number)
        except TypeError:
            raise ModelError(
                f'{here}: a key must be a tooth number or (number, "left"), got {shown(key)}', about=here
            ) from None
        if side not in _SIDES:
            raise ModelError(f'{here}, tooth {tooth}: a side must be "left" or "right", got {shown(side)}', about=here)
        if tooth < 0:
            raise ModelError(f"{here}, tooth {tooth}: teeth are counted from 0", about=here)
        parts = _parts(value, f"{here}, tooth {tooth}")
        if parts:
            found[tooth, str(side)] = (*found.get((tooth, str(side)), ()), *parts)
    return tuple(sorted(found.items(), key=lambda item: item[0]))
