"""One quantity: a number in SI units, or a text with a unit that is checked and converted."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from pitchline.errors import ModelError, Subject, UnitError, shown

from .parser import BASE_UNITS, DIMENSIONS, ONE, RATE, Exponents, Unit, UnitSyntax, other_case, parse_unit

__all__ = [
    "LARGEST",
    "canonical_unit",
    "compatible",
    "dimension_name",
    "dimension_of",
    "quantity",
    "array",
    "matrix",
    "vector",
]


_NUMBER = re.compile(r"\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*")
_LONGEST_TEXT = 200
LARGEST = 1e100
"""Larger numbers are mistakes, and their squares would overflow."""


@lru_cache(maxsize=256)
def _expected(dimension: str) -> tuple[Unit, str]:
    """Unit of the returned number, and a text about the expected dimension."""
    if dimension in DIMENSIONS:
        unit, examples = DIMENSIONS[dimension]
        return parse_unit(unit), f"{dimension} ({', '.join(examples)})"
    try:
        parsed = parse_unit(dimension)
    except UnitSyntax as error:
        raise ValueError(f'"{dimension}" is neither a dimension nor a unit: {error}') from None
    return parsed, f"{dimension_name(parsed.powers)} ({dimension})"


@lru_cache(maxsize=256)
def dimension_name(powers: Exponents) -> str:
    """Readable name of a dimension, e.g. "length" or "torque or energy"."""
    for ignore_angle in (False, True):
        names = []
        for name, (unit, _) in DIMENSIONS.items():
            known = parse_unit(unit).powers
            if known == powers or (ignore_angle and known[:-1] == powers[:-1]):
                names.append(name)
        if names:
            return " or ".join(names)
    parts = [f"{base}^{power}" if power != 1 else base for base, power in zip(BASE_UNITS, powers, strict=True) if power]
    return "*".join(parts)


def canonical_unit(dimension: str) -> str:
    """Unit of the numbers that `quantity` returns for a dimension, e.g. ``"N*m"`` for ``"torque"``."""
    return DIMENSIONS[dimension][0] if dimension in DIMENSIONS else dimension


def compatible(powers: Exponents, dimension: str) -> bool:
    """Whether the powers of a text match the dimension; angles are ignored."""
    return _expected(dimension)[0].powers[:-1] == powers[:-1]


@lru_cache(maxsize=2048)
def _number_and_unit(text: str) -> tuple[float, Unit] | None:
    """Number and unit of a text; None if it is not a quantity."""
    try:
        return _parsed(text, "", "")
    except UnitError:
        return None


def _read(text: str, what: str, expected: str) -> tuple[float, Unit]:
    """Number and unit of a text. UnitError if it is not a quantity."""
    if type(text) is str and len(text) <= _LONGEST_TEXT:
        found = _number_and_unit(text)
        if found is not None:
            return found
    return _parsed(text, what, expected)


def _parsed(text: str, what: str, expected: str) -> tuple[float, Unit]:
    if len(text) > _LONGEST_TEXT:
        raise UnitError(f"{what}: the text is too long for a quantity: {shown(text)}; expected {expected}", about=what)
    match = _NUMBER.match(text)
    if match is None:
        raise UnitError(
            f'{what}: {shown(text)} does not start with a number; expected {expected}, written as "number unit"',
            about=what,
        )
    rest = text[match.end() :]
    if rest.startswith(","):
        raise UnitError(f"{what}: {shown(text)} has a decimal comma. Use a decimal point", about=what)
    try:
        unit = parse_unit(rest[1:] if rest.startswith("*") and not rest.startswith("**") else rest)
    except UnitSyntax as error:
        raise UnitError(f"{what}: in {shown(text)}: {error}; expected {expected}", about=what) from None
    return float(match.group(1)), unit


def dimension_of(value: object) -> Exponents | None:
    """Powers of a quantity that is given as text; None for a plain number (SI units)."""
    return _read(value, "quantity", "a quantity")[1].powers if isinstance(value, str) else None


def quantity(value: object, dimension: str | None, *, what: str) -> float:
    """Read one quantity: a number in SI units, or a text, e.g. ``"2 mm"``.

    Parameters
    ----------
    value
        A real number (SI units) or a text "number unit".
    dimension
        A name of `DIMENSIONS` ("length", "torque", ...) or a unit ("N*s/m"); None accepts any dimension.
    what
        The item for the error message, e.g. ``'body "link": mass'``.

    Returns
    -------
    float
        The value in SI units (Hz for a frequency). Always finite.
    """
    if isinstance(value, float) and -LARGEST < value < LARGEST:
        return float(value)
    wanted, expected = _expected(dimension) if dimension is not None else (None, "a quantity")
    if isinstance(value, str):
        number, unit = _read(value, what, expected)
        if wanted is not None:
            _check_dimension(value, unit, wanted, what, expected)
        result = _scaled(number, unit.factor)
        if wanted is not None and wanted.powers == RATE and unit.powers[-1] == 1:
            result /= wanted.factor  # only Hz differs from 1: revolutions per second, not radians
    else:
        number_like = value.item() if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0 else value
        if isinstance(number_like, bool) or not isinstance(number_like, numbers.Real):
            example = f" or a text with a unit, expected {expected}" if dimension is not None else " or a text"
            raise UnitError(
                f"{what}: {shown(value)} ({type(value).__name__}) is not a quantity. Specify a number in SI units{example}",
                about=what,
            )
        try:
            result = float(number_like)
        except OverflowError:
            result = math.inf
    if not math.isfinite(result):
        raise UnitError(
            f"{what}: {shown(value)} is not finite. Specify a finite number, expected {expected}", about=what
        )
    if abs(result) > LARGEST:
        raise UnitError(f"{what}: {shown(value)} is too large (more than {LARGEST:g}). Check the unit", about=what)
    return result


def _scaled(number: float, factor: float) -> float:
    """number * factor, rounded so that "50 um" is exactly 5e-5."""
    inverse = round(1.0 / factor) if 1e-15 < factor < 1.0 else 0
    return number / inverse if inverse and abs(inverse * factor - 1.0) < 1e-15 else number * factor


def _case_hint(text: str, wanted: Unit) -> str:
    """Hint for "5 nm" if a torque is expected."""
    meant = other_case(text)
    if not meant or _read(meant, "quantity", "a quantity")[1].powers[:-1] != wanted.powers[:-1]:
        return ""
    return f'; "nm" is a nanometre, "Nm" a newton metre: did you mean {shown(meant)}?'


def _check_dimension(text: str, unit: Unit, wanted: Unit, what: str, expected: str) -> None:
    if unit.powers == wanted.powers:
        return
    got = dimension_name(unit.powers)
    if unit.powers[:-1] != wanted.powers[:-1]:
        if unit == ONE:
            raise UnitError(
                f"{what}: {shown(text)} has no unit: expected {expected}. Add the unit, or specify a plain number in SI units",
                about=what,
            )
        raise UnitError(f"{what}: expected {expected}, got {got}: {shown(text)}{_case_hint(text, wanted)}", about=what)
    if unit.powers[-1] == wanted.powers[-1]:
        return
    if not unit.radians_only:
        raise UnitError(f"{what}: expected {expected}, got {got}: {shown(text)}", about=what)
    if wanted.powers == RATE and wanted.factor == 1.0 and unit.factor != 1.0:
        # revolutions or radians per hour: ambiguous by a factor of 2 pi
        raise UnitError(f'{what}: {shown(text)} does not specify the angle. Write "rpm" or "rad/s"', about=what)


# ---- arrays

# Several quantities at once: vectors, matrices and lists.


def _sequence(value: object, length: int | None, what: str, example: str) -> Sequence[Any]:
    count = "a list" if length is None else f"{length} values"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        raise ModelError(
            f"{what}: expected {count}, {example}, got {shown(value)} ({type(value).__name__})", about=what
        )
    if length is not None and len(value) != length:
        raise ModelError(f"{what}: expected {count}, {example}, got {len(value)}: {shown(value)}", about=what)
    return value


def _read_only(values: Any) -> npt.NDArray[np.float64]:
    result = np.array(values, dtype=np.float64, order="C")
    result.flags.writeable = False
    return result


def _plain_numbers(value: object, shape: tuple[int, ...]) -> bool:
    """Whether a value consists only of valid numbers and needs no conversion."""
    if isinstance(value, np.ndarray):
        if value.dtype != np.float64 or value.shape != shape:
            return False
        items = value.ravel().tolist()
    elif type(value) in (list, tuple) and (len(value),) == shape:  # type: ignore[arg-type]
        items = list(value)  # type: ignore[call-overload]
    else:
        return False
    return all(type(item) in (float, int) and -LARGEST < item < LARGEST for item in items)


def vector(value: object, dimension: str | None, *, what: str, size: int = 3) -> npt.NDArray[np.float64]:
    """Read a vector of `size` quantities, numbers or texts; a read-only array (size,)."""
    if _plain_numbers(value, (size,)):
        return _read_only(value)
    example = "e.g. (0, 0, 1)" if size == 3 else "one for each direction"
    items = _sequence(value, size, what, example)
    subject = Subject(what)
    return _read_only([quantity(item, dimension, what=subject / i) for i, item in enumerate(items)])


def matrix(
    value: object, dimension: str | None, *, what: str, shape: tuple[int, int] = (3, 3)
) -> npt.NDArray[np.float64]:
    """Read a matrix of quantities as a list of rows; a read-only array of the given shape."""
    if _plain_numbers(value, shape):
        return _read_only(value)
    rows, columns = shape
    items = _sequence(value, rows, what, f"the rows of a {rows}x{columns} matrix")
    subject = Subject(what)
    return _read_only([vector(row, dimension, what=subject / i, size=columns) for i, row in enumerate(items)])


def array(value: object, dimension: str | None, *, what: str, at_least: int = 1) -> npt.NDArray[np.float64]:
    """Read a list of any length (at least `at_least`) of quantities; a read-only array (n,)."""
    subject = Subject(what)
    if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "fiu":
        result = _read_only(value)  # long tables: no Python loop
        good = np.abs(result) <= LARGEST
        if not np.all(good):
            where = int(np.argmin(good))
            raise UnitError(
                f"{what}[{where}]: {shown(value[where])} is not finite. Specify a finite number", about=subject / where
            )
    else:
        items = _sequence(value, None, what, "one value after another")
        result = _read_only([quantity(item, dimension, what=subject / i) for i, item in enumerate(items)])
    if len(result) < at_least:
        raise ModelError(f"{what}: expected at least {at_least} values, got {len(result)}", about=what)
    return result
