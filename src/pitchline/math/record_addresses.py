"""Records filled from Python: integers, and arrays by their address."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .fields import Fields

__all__ = ["address", "new_record", "point"]


def address(array: np.ndarray) -> int:
    """Address of the first number of an array. The caller must keep the array as long as the address is in use."""
    return int(array.ctypes.data)


class _AddressedRecord(np.ndarray):
    """Integers of a record, with the arrays whose addresses are among them: they exist as long as the record."""

    arrays: tuple[np.ndarray, ...]


def new_record(record: Fields, values: Mapping[str, Any]) -> np.ndarray:
    """A record as an array of integers: numbers of arrays and other counts by value, arrays by their address; all else is zero.

    The result keeps the arrays.
    """
    words = np.zeros(record.size, np.int64).view(_AddressedRecord)
    point(words, record, values)
    words.arrays = tuple(value for value in values.values() if isinstance(value, np.ndarray))
    return words


def point(words: np.ndarray, record: Fields, values: Mapping[str, Any]) -> None:
    """Set integers and addresses of a record, in the same way."""
    places = record.places
    for name, value in values.items():
        words[places[name][0]] = address(value) if isinstance(value, np.ndarray) else value
