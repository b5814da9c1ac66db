"""A block whose arrays can be looked at as they were given."""

import numpy as np

from pitchline.viewer.block import Block

__all__ = ["KeptArrays"]


class KeptArrays(Block):
    """values: arrays by name, before they are rounded to Float32 or packed."""

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[str, np.ndarray] = {}

    def add(self, name: str, values: object, dtype: str) -> str:
        self.values[name] = np.asarray(values, np.float64)
        return super().add(name, values, dtype)

    def add_columns(self, name: str, values: object) -> str:
        self.values[name] = np.asarray(values, np.float64)
        return super().add_columns(name, values)
