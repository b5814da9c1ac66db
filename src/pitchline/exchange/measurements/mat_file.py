"""MAT files: versions 4 and 5 by scipy, version 7.3 as HDF5."""

from __future__ import annotations

import math
import warnings as python_warnings
from pathlib import Path
from typing import Any

import numpy as np

from ..limits import ExchangeError
from .channels import RawRecord
from .hdf5_file import read_hdf5
from .number_tree import NamedArray, record_of_arrays

__all__ = ["arrays_of_mat", "read_mat"]

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
