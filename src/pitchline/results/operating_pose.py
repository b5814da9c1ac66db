"""Positions of the bodies of a model at the operating point of a linear analysis."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["OperatingPose", "kept_places"]

Array = NDArray[np.float64]
MOST_BYTES = 64_000_000
"""Memory limit of the shapes that a Campbell diagram or a frequency response stores."""


@dataclass(frozen=True, eq=False)
class OperatingPose:
    """The model and its bodies at rest, from which their small motions start.

    Attributes
    ----------
    model : dict
        Description of the model as plain data, as `Result.model`.
    bodies : (b,) str
        Names of the bodies, in the order of the shapes; stations of shafts, beams and flexible bodies among them.
    positions : (b, 3)
        Origins of their axes, in world axes [m].
    orientations : (b, 4)
        Unit quaternions (w, x, y, z) that turn components in body axes into world axes.
    centres : (b, 3)
        From the origins to the centres of mass, in world axes [m].
    surfaces : name -> ((p, 3), (t, 3))
        Of flexible bodies that have one: points in the world [m], and triangles by the numbers of their points.
    """

    model: dict[str, Any]
    bodies: tuple[str, ...]
    positions: Array
    orientations: Array
    centres: Array
    surfaces: dict[str, tuple[Array, NDArray[np.int64]]] = field(default_factory=dict)

    def of_origins(self, shapes: NDArray[Any]) -> NDArray[Any]:
        """(..., b, 6): translation of the origins of the bodies, and rotation; from that of their centres of mass, and rotation."""
        moved = shapes.copy()
        moved[..., :3] -= np.cross(shapes[..., 3:], self.centres)
        return moved


def kept_places(count: int, bytes_of_one: int) -> NDArray[np.int64]:
    """Indices of the stored shapes out of `count`: all, or equal steps if the memory limit requires it."""
    most = MOST_BYTES // max(bytes_of_one, 1)
    if count <= most:
        return np.arange(count)
    return np.unique(np.linspace(0, count - 1, most).round().astype(np.int64)) if most else np.zeros(0, np.int64)
