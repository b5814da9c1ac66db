"""HDF5 files (also MAT 7.3 and netCDF-4): datasets of numbers, with units and sample rates in their attributes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..limits import ExchangeError
from .channels import RawRecord
from .number_tree import NamedArray, record_of_arrays

__all__ = ["arrays_of", "read_hdf5"]

MOST_BYTES = 8 * 1024**3
MOST_ITEMS = 20_000
MOST_DEPTH = 20
_UNITS = ("units", "unit", "Unit", "Units", "unit_string", "NI_UnitDescription", "UNITS", "yunit")
_TEXTS = ("description", "long_name", "Description", "comment")


def read_hdf5(path: Path, name: str, group: str | None, *, matlab: bool = False) -> RawRecord:
    """Channels of all datasets of numbers, or of those in one group. Links to other files are not followed.

    The library of HDF5 can loop for ever in a damaged file. Therefore another process reads it (`reading_process`).
    """
    from .reading_process import arrays_from_process

    arrays, numbers = arrays_from_process(path, name, group, "MAT 7.3" if matlab else "HDF5")
    return record_of_arrays(arrays, group, numbers, name)


def arrays_of(path: Path, name: str, group: str | None, *, matlab: bool) -> tuple[list[NamedArray], dict[str, float]]:
    """Arrays of a file, and numbers among its attributes, read in this process."""
    import h5py

    walk = _Walk(name, matlab)
    try:
        with h5py.File(path, "r") as file:
            walk.attributes_of(file)
            walk.group(file, "", 0)
            wanted = [one for one in walk.found if group is None or one[0] == group or one[0].startswith(f"{group}.")]
            size = sum(8 * dataset.size for _, dataset in wanted)
            if size > MOST_BYTES:
                raise ExchangeError(
                    f"{name}: its arrays have {size / 2**30:.1f} GB. Specify group, one variable or group"
                )
            small = [one for one in walk.found if one[1].size <= 1 and one not in wanted]
            listed = [walk.array(key, dataset) for key, dataset in (*wanted, *small)]
            if not wanted:  # for the message with near names
                listed = [NamedArray(key, np.zeros(0)) for key, _ in walk.found[:500]]
            return listed, walk.numbers
    except ExchangeError:
        raise
    except MemoryError as error:
        raise ExchangeError(f"{name}: its arrays do not fit in memory") from error
    except (
        Exception
    ) as error:  # the library of HDF5 reports damage as OSError, RuntimeError, KeyError, ValueError and others
        raise ExchangeError(f"{name}: not a valid HDF5 file: {type(error).__name__}: {str(error)[:200]}") from error


class _Walk:
    """Datasets of a file by name."""

    def __init__(self, name: str, matlab: bool) -> None:
        self.name, self.matlab = name, matlab
        self.found: list[tuple[str, Any]] = []
        self.numbers: dict[str, float] = {}
        self._items = 0

    def attributes_of(self, item: Any) -> None:
        """Numbers among the attributes, such as a sample rate."""
        for key in list(item.attrs)[:200]:
            try:
                value = np.asarray(item.attrs[key])
            except (TypeError, ValueError, OSError, RuntimeError):
                continue  # of a type that numpy does not have
            if value.size == 1 and value.dtype.kind in "fiu":
                self.numbers.setdefault(str(key), float(value.flat[0]))

    def group(self, item: Any, path: str, depth: int) -> None:
        import h5py

        if depth > MOST_DEPTH:
            raise ExchangeError(f'{self.name}: "{path[:80]}" is nested more than {MOST_DEPTH} deep')
        for key in item:
            self._items += 1
            if self._items > MOST_ITEMS:
                raise ExchangeError(f"{self.name}: more than {MOST_ITEMS} items")
            if not isinstance(item.get(key, getlink=True), h5py.HardLink) or key in ("#refs#", "#subsystem#"):
                continue
            one, where = item[key], f"{path}.{key}".lstrip(".")
            if isinstance(one, h5py.Group):
                self.attributes_of(one)
                self.group(one, where, depth + 1)
            elif isinstance(one, h5py.Dataset) and _has_numbers(one):
                self.attributes_of(one)
                self.found.append((where, one))

    def array(self, key: str, dataset: Any) -> NamedArray:
        if dataset.size * 8 > MOST_BYTES:
            raise ExchangeError(f'{self.name}: "{key}" has {dataset.size} numbers, more than the limit')
        values = np.asarray(dataset[()], np.float64)
        return NamedArray(key, values.T if self.matlab else values, _text(dataset, _UNITS), _text(dataset, _TEXTS))


def _has_numbers(dataset: Any) -> bool:
    numbers = dataset.dtype.kind in "fiub" and dataset.dtype.names is None and dataset.ndim <= 2
    return numbers and not dataset.attrs.get("MATLAB_empty", 0) and _text(dataset, ("MATLAB_class",)) != "char"


def _text(dataset: Any, keys: tuple[str, ...]) -> str:
    for key in keys:
        if key in dataset.attrs:
            value = dataset.attrs[key]
            if isinstance(value, bytes):
                return value.decode("utf-8", "replace")
            if isinstance(value, str):
                return value
    return ""
