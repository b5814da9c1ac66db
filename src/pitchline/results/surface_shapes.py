"""Motion of the surfaces of flexible bodies in modes, computed at first use: thousands of points take time and memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["SurfaceShapes", "SurfaceShare"]

_BLOCK = 1000
"""Points at a time, which bounds the memory in between."""


@dataclass(frozen=True, eq=False)
class SurfaceShare:
    """One surface.

    shapes: (p, 3, n) motion of its points, in axes of the body, for one of each of its coordinates
    motion: (n, m) its coordinates in m modes
    turned: (3, 3) axes of the body, into resting ones
    """

    shapes: NDArray[np.float32]
    motion: NDArray[np.complex128]
    turned: NDArray[np.float64]

    def points(self) -> NDArray[np.complex64]:
        """(m, p, 3) in resting axes."""
        found = np.empty((self.motion.shape[1], len(self.shapes), 3), np.complex64)
        for start in range(0, len(self.shapes), _BLOCK):
            part = slice(start, start + _BLOCK)
            shapes = np.einsum("ij,pjn->pin", self.turned, self.shapes[part].astype(np.float64))
            found.real[:, part] = np.moveaxis(shapes @ self.motion.real, -1, 0)
            found.imag[:, part] = np.moveaxis(shapes @ self.motion.imag, -1, 0)
        return found


class SurfaceShapes(Mapping[str, NDArray[np.complex64]]):
    """name -> (m, p, 3): motion of the points of surfaces; each is computed once."""

    def __init__(self, shares: Mapping[str, SurfaceShare]) -> None:
        self._shares = dict(shares)
        self._found: dict[str, NDArray[np.complex64]] = {}

    def __getitem__(self, name: str) -> NDArray[np.complex64]:
        if name not in self._found:
            self._found[name] = self._shares[name].points()
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._shares)

    def __len__(self) -> int:
        return len(self._shares)

    def __reduce__(self) -> Any:
        return dict, (dict(self),)  # copies hold what there is to see, without the matrices of the bodies

    def __repr__(self) -> str:
        return f"SurfaceShapes({', '.join(self)})"
