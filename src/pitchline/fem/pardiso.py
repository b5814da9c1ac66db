"""PARDISO of Intel's MKL, used on request where it is installed (package pypardiso, or only mkl)."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..errors import ModelError, SolveError
from .sparse_solver import Factorised

__all__ = ["Pardiso", "pardiso_installed"]

AnyArray = NDArray[Any]


def pardiso_installed() -> bool:
    """Whether the backend "pardiso" can be used here."""
    try:
        _mkl()
    except ModelError:
        return False
    return True


def _mkl() -> Any:
    """MKL's library, found where its Python package puts it or where the system looks."""
    folders = (Path(sys.prefix) / "lib", Path(sys.prefix) / "Library" / "bin")
    found = [str(path) for folder in folders for path in sorted(folder.glob("*mkl_rt*")) if path.suffix != ".lib"]
    for place in (*found, ctypes.util.find_library("mkl_rt")):
        if place:
            try:
                return ctypes.CDLL(place)
            except OSError:
                continue
    raise ModelError('backend "pardiso" requires MKL. Install pypardiso, or use the backend "multifrontal"')


class Pardiso(Factorised):
    """PARDISO of MKL: real symmetric and complex Hermitian, positive definite or not."""

    backend = "pardiso"

    def __init__(self, A: Any, positive_definite: bool) -> None:
        super().__init__(A.shape, np.iscomplexobj(A))
        self._library = _mkl()
        upper = sp.triu(A, format="csr")
        upper.sort_indices()
        self._dtype = np.complex128 if self._is_complex else np.float64
        # MKL: 2 real positive definite, -2 real indefinite, 4 Hermitian positive definite, -4 Hermitian indefinite
        self._kind = (1 if positive_definite else -1) * (4 if self._is_complex else 2)
        self._values = np.ascontiguousarray(upper.data, self._dtype)
        self._pointers = (upper.indptr + 1).astype(np.int32)
        self._columns = (upper.indices + 1).astype(np.int32)
        self._handle = np.zeros(64, np.int64)
        self._options = np.zeros(64, np.int32)
        self._options[0] = 1  # no defaults
        self._options[1] = 2  # nested dissection
        self._options[9] = 8 if not positive_definite else 13  # a pivot this small, 10^-8, is perturbed
        self._options[20] = 1  # Bunch-Kaufman
        nothing = np.zeros(1, self._dtype)
        self._call(12, nothing, nothing, 1)
        if positive_definite:
            self.negative = 0
        elif not self._is_complex:  # MKL does not count them for Hermitian matrices
            self.negative = int(self._options[22])

    def _call(self, phase: int, b: AnyArray, x: AnyArray, columns: int) -> None:
        def number(value: int) -> Any:
            return ctypes.byref(ctypes.c_int(value))

        def array(values: AnyArray) -> Any:
            return values.ctypes.data_as(ctypes.c_void_p)

        error = ctypes.c_int(0)
        self._library.pardiso(
            array(self._handle), number(1), number(1), number(self._kind), number(phase), number(self.shape[0]),
            array(self._values), array(self._pointers), array(self._columns), number(0), number(columns),
            array(self._options), number(0), array(b), array(x), ctypes.byref(error),
        )  # fmt: skip
        if error.value:
            hint = ": the matrix is singular, or not positive definite, as was stated" if error.value == -4 else ""
            raise SolveError(f"PARDISO stopped in phase {phase} with error {error.value}{hint}")

    def _solve_block(self, b: AnyArray) -> AnyArray:
        right = np.asfortranarray(b, dtype=self._dtype)
        x = np.empty_like(right)
        self._call(33, right, x, b.shape[1])
        return x

    def __del__(self) -> None:
        if hasattr(self, "_options") and not sys.is_finalizing():
            nothing = np.zeros(1, self._dtype)
            self._call(-1, nothing, nothing, 1)
