"""Calls of compiled functions with derivatives, by address."""

import ctypes
from typing import Any

import numpy as np

from pitchline.numerics.gradient_laws import GradientLaw


def evaluated(law: GradientLaw, u: Any, n_out: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Values and Jacobian."""
    point = np.array(u, dtype=float)
    out = np.full(n_out * (1 + point.size) + 1, 7.0)
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
    kind(law.address)(point.ctypes.data, out.ctypes.data)
    assert out[-1] == 7.0
    return out[:n_out], out[n_out:-1].reshape(n_out, point.size)
