"""Ranges of frequencies and speeds in options: FROM:TO or FROM:TO:NUMBER."""

from __future__ import annotations

from typing import Any

from ..errors import ModelError
from .options import number_or_text

__all__ = ["read_range"]

MOST_POINTS = 1_000_000
"""Larger numbers are probably a mistake."""


def read_range(
    option: str, text: str, dimension: str, *, example: str, number: int, logarithmic: bool = False, at_least: int = 1
) -> Any:
    """Values of a range in ascending order, in SI units (Hz for frequencies). `number`: default number of values."""
    import numpy as np

    from ..units import quantity

    parts = text.split(":")
    wrong = ModelError(f'{option} {text}: expected FROM:TO or FROM:TO:NUMBER, e.g. "{example}"')
    if len(parts) not in (2, 3):
        raise wrong
    ends = [number_or_text(part) for part in parts[:2]]
    if len({type(end) for end in ends}) == 2 and 0.0 not in ends:
        raise ModelError(f'{option} {text}: only one end has a unit. Specify it for both, e.g. "{example}"')
    low, high = (quantity(end, dimension, what=f"{option} {text}") for end in ends)
    try:
        number = int(parts[2]) if len(parts) == 3 else number
    except ValueError:
        raise wrong from None
    least, above = (0.0, "above 0") if logarithmic else (-np.inf, "finite")
    if not least < low <= high or number < at_least or (number > 1 and low == high):
        raise ModelError(
            f"{option} {text}: the first value must be {above} and less than the second, and the number at least {at_least}"
        )
    if number > MOST_POINTS:
        raise ModelError(f"{option} {text}: {number} values are too many. Specify at most {MOST_POINTS}")
    return np.geomspace(low, high, number) if logarithmic else np.linspace(low, high, number)
