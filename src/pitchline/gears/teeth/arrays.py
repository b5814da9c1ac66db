"""The arrays of this folder."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["ComplexArray", "FloatArray", "IntArray"]

FloatArray = npt.NDArray[np.float64]
ComplexArray = npt.NDArray[np.complex128]
IntArray = npt.NDArray[np.int64]
