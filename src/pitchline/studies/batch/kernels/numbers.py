"""LaneNumbers: the numbers that a kernel's text refers to, uniform ones in a vector and varying ones in rows."""

from __future__ import annotations

import numpy as np

from ....errors import ModelError
from ..lane_train import Values

__all__ = ["LaneNumbers", "Number"]

Number = float | np.ndarray
"""The same for all lanes, or (lanes,)."""


class LaneNumbers:
    """Numbers by identifier. A number that is zero in all lanes has no identifier: its terms are left out of the text.

    values : numbers of the train by name.
    lanes : their number; at least that of the longest array.
    """

    def __init__(self, values: Values, lanes: int | None = None) -> None:
        self._values = values
        sizes = {np.size(value) for value in values.values() if np.ndim(value)}
        if any(np.ndim(value) > 1 for value in values.values()) or len(sizes) > 1:
            raise ModelError(
                f"numbers of a batch: expected one number or one for each lane, got arrays of {sorted(sizes)} numbers"
            )
        found = max(sizes, default=1)
        if lanes is not None and sizes and lanes != found:
            raise ModelError(f"numbers of a batch: expected one number for each of {lanes} lanes, got {found}")
        self.lanes = lanes or found
        self.uniform: dict[str, float] = {}
        self.varying: dict[str, np.ndarray] = {}

    def of(self, name: str) -> Number:
        """Number with this name of the train; 0 without a name."""
        if not name:
            return 0.0
        if name not in self._values:
            raise ModelError(f'the train of a batch has no number "{name}"')
        value = self._values[name]
        return np.asarray(value, float) if np.ndim(value) else float(value)

    def present(self, name: str) -> bool:
        """Whether a number of the train may be different from zero."""
        return bool(np.ndim(self.of(name)) or self.of(name) != 0.0)

    def use(self, identifier: str, value: Number) -> str:
        """Identifier of a number in the text; empty if the number is zero."""
        if isinstance(value, np.ndarray) and value.ndim:
            self.varying.setdefault(
                identifier, value
            )  # also if all are equal: the text depends on names, not on coincidence
        elif value == 0.0:
            return ""
        else:
            self.uniform.setdefault(identifier, float(value))
        return identifier

    def named(self, identifier: str, name: str) -> str:
        """The same for a number of the train."""
        return self.use(identifier, self.of(name))

    def vector(self) -> np.ndarray:
        """Uniform numbers in the order of their identifiers."""
        return np.array(list(self.uniform.values()), float)

    def rows(self) -> np.ndarray:
        """Varying numbers: a row for each identifier."""
        return np.array(list(self.varying.values()), float).reshape(len(self.varying), self.lanes)
