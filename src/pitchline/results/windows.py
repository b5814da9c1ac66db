"""Windows of a transform, and the amplitudes of one block of samples."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pitchline.results.errors import SignalError

FloatArray = NDArray[np.float64]
Window = Literal["none", "hann", "flattop"]

#: Cosine series of the windows, w(x) = Σ (-1)^k c_k cos(2πkx), x = 0 … 1.
_WINDOWS: dict[str, tuple[float, ...]] = {
    "none": (1.0,),
    "hann": (0.5, 0.5),
    "flattop": (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
}


def check_window(window: str, what: str) -> None:
    """Raise an error for an unknown window."""
    if window not in _WINDOWS:
        raise SignalError(f'{what}: unknown window "{window}"; use one of {", ".join(_WINDOWS)}')


def half_width(window: Window) -> int:
    """Lines from the middle of a peak to its end: 1, 2 and 5."""
    return len(_WINDOWS[window])


def weights(window: Window, count: int) -> FloatArray:
    """w_n, n = 0 … count − 1, in the periodic form: w(x) at x = n/count without the repeated end."""
    x = 2.0 * np.pi * np.arange(count) / count
    return sum(((-1.0) ** k * c * np.cos(k * x) for k, c in enumerate(_WINDOWS[window])), np.zeros(count))


def amplitudes(values: FloatArray, window: Window) -> FloatArray:
    """One-sided amplitudes of N equally spaced samples (N,) or (N, k), corrected for the gain of the window.

        A_k = c_k |Σ_n w_n y_n exp(-2πi kn/N)| / Σ_n w_n,   c_k = 2, but 1 at both ends

    Returns (N//2 + 1,) or (N//2 + 1, k).
    """
    count = len(values)
    weight = weights(window, count)
    columns = (slice(None),) + (None,) * (values.ndim - 1)
    found = 2.0 * np.abs(np.fft.rfft(weight[columns] * values, axis=0)) / weight.sum()
    found[0] *= 0.5
    if count % 2 == 0:
        found[-1] *= 0.5
    return found
