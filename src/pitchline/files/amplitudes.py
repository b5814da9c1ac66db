"""Amplitude of one frequency or order in a record."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .amounts import AmountError

__all__ = ["amplitude"]


def amplitude(values: npt.NDArray[np.float64], x: npt.NDArray[np.float64], period: float, what: str) -> Any:
    """A = (2/X) |∫ y exp(-2πi x/p) dx| over the last whole periods p of the record; x is the time, or an angle with p =
    2π/order.

    values: (n,) or (n, k); what: the frequency or order, for messages. AmountError if the record does not contain it.
    """
    if np.any(np.diff(x) < 0.0):
        raise AmountError(
            f"{what}: the angle changes direction. Orders need an angle that always increases or always decreases"
        )
    count = int(np.floor((x[-1] - x[0]) / period * (1.0 + 1e-9) + 1e-9)) if len(x) else 0
    if count < 1:
        raise AmountError(f"the record is shorter than one period of {what}. Increase the duration")
    start = max(x[-1] - count * period, x[0])
    inner = x > start
    first = [np.interp(start, x, column) for column in np.atleast_2d(values.T)]
    y = np.column_stack(
        [np.concatenate([[f], column[inner]]) for f, column in zip(first, np.atleast_2d(values.T), strict=True)]
    )
    x = np.concatenate([[start], x[inner]])
    if len(x) < 2 * count + 1:
        raise AmountError(f"fewer than two samples per period of {what}. Specify a smaller output_step")
    wave = np.exp(-2j * np.pi * x / period)[:, None]
    found = 2.0 * np.abs(np.trapezoid(y * wave, x, axis=0)) / (x[-1] - x[0])
    return found[0] if values.ndim == 1 else found
