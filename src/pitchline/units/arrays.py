"""Several quantities at once: vectors, matrices and lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import ModelError, Subject, UnitError, shown
from .quantity import LARGEST, quantity

__all__ = ["array", "matrix", "vector"]


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
