"""The arrays of this package."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["ComplexArray", "FloatArray", "IntArray", "along"]

FloatArray = npt.NDArray[np.float64]
ComplexArray = npt.NDArray[np.complex128]
IntArray = npt.NDArray[np.int64]


def along(u: npt.ArrayLike, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Two coordinates as arrays of one shape."""
    a, b = np.broadcast_arrays(np.asarray(u, dtype=np.float64), np.asarray(z, dtype=np.float64))
    return a, b
