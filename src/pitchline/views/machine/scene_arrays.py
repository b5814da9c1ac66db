"""Block of a scene that keeps its arrays in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pitchline.viewer.block import Block

__all__ = ["SceneArrays"]


class SceneArrays(Block):
    """Arrays of a scene by name, as they are given: a picture needs no packed bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[str, NDArray[Any]] = {}

    def add(self, name: str, values: ArrayLike, dtype: str) -> str:
        """Keep an array; returns its name."""
        self.kept[name] = np.asarray(values)
        self.arrays[name] = {"dtype": dtype, "shape": list(self.kept[name].shape)}
        return name

    def add_columns(self, name: str, values: ArrayLike) -> str:
        """Keep an array over time; returns its name."""
        return self.add(name, values, "f8")

    def array(self, name: str) -> NDArray[Any]:
        """Return an array by its name."""
        return self.kept[name]
