"""Dense Cholesky factors in place, without Python's lock: LAPACK and BLAS as scipy brings them, called by address.

scipy's own wrappers hold the lock while they compute, so that two threads take as long as one, and they copy parts of
matrices. Here matrices are stored by columns, as `numpy` has them with order="F"; only lower triangles are used.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cython_blas, cython_lapack

__all__ = ["invert", "partial_cholesky"]

AnyArray = NDArray[Any]


@functools.cache
def _routine(library: Any, name: str) -> tuple[Any, Any]:
    """A Fortran routine, and the type of its integers."""
    capsule = library.__pyx_capi__[name]
    of_name, of_address = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    of_name.restype, of_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    of_address.restype, of_address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    signature = of_name(capsule)
    integer = ctypes.c_int if b"int *" in signature else ctypes.c_int64
    return ctypes.CFUNCTYPE(None)(of_address(capsule, signature)), integer


def _call(library: Any, name: str, *arguments: Any) -> int:
    """Calls a routine by reference: letters, integers, numbers, addresses. The last integer is returned, for `info`."""
    routine, integer = _routine(library, name)
    passed: list[Any] = []
    last = integer(0)
    for value in arguments:
        if isinstance(value, bytes):
            passed.append(ctypes.c_char_p(value))
        elif isinstance(value, int):
            last = integer(value)
            passed.append(ctypes.byref(last))
        elif isinstance(value, float):
            number = (ctypes.c_double * 2)(value, 0.0)  # of complex routines the real part
            passed.append(ctypes.byref(number))
        else:
            passed.append(value)
    routine(*passed)
    return int(last.value)


def _at(A: AnyArray, i: int, j: int) -> ctypes.c_void_p:
    return ctypes.c_void_p(A.ctypes.data + i * A.strides[0] + j * A.strides[1])


def _letter(A: AnyArray) -> str:
    """Of the routines for a square matrix by columns."""
    if A.dtype not in (np.float64, np.complex128) or not A.flags.f_contiguous or A.shape[0] != A.shape[1]:
        raise TypeError(f"expected a square matrix stored by columns, got {A.shape} of {A.dtype}")
    return "z" if A.dtype == np.complex128 else "d"


def partial_cholesky(F: AnyArray, own: int) -> int:
    """The first `own` unknowns of F eliminated in place: L_11, L_21 = F_21 L_11⁻ᴴ, and F_22 − L_21 L_21ᴴ.

    Returns 0, or the number (from 1) of the unknown at which F_11 is not positive definite.
    """
    letter, size = _letter(F), len(F)
    info = _call(cython_lapack, f"{letter}potrf", b"L", own, _at(F, 0, 0), size, 0)
    rest = size - own
    if info != 0 or rest == 0:
        return info
    below, last = _at(F, own, 0), _at(F, own, own)
    _call(cython_blas, f"{letter}trsm", b"R", b"L", b"C", b"N", rest, own, 1.0, _at(F, 0, 0), size, below, size)
    rank_k = "zherk" if letter == "z" else "dsyrk"
    _call(cython_blas, rank_k, b"L", b"N", rest, own, -1.0, below, size, 1.0, last, size)
    return 0


def invert(A: AnyArray) -> int:
    """The inverse of a positive definite matrix in its place, the lower triangle; returns as `partial_cholesky`."""
    letter, size = _letter(A), len(A)
    info = _call(cython_lapack, f"{letter}potrf", b"L", size, _at(A, 0, 0), size, 0)
    return info or _call(cython_lapack, f"{letter}potri", b"L", size, _at(A, 0, 0), size, 0)
