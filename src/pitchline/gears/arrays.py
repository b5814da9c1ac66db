"""Two coordinates of a flank as arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["FloatArray", "along"]

FloatArray = npt.NDArray[np.float64]


def along(u: npt.ArrayLike, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Two coordinates as arrays of one shape."""
    a, b = np.broadcast_arrays(np.asarray(u, dtype=np.float64), np.asarray(z, dtype=np.float64))
    return a, b
