"""Warnings for membranes under compression: without bending stiffness they wrinkle."""

from collections.abc import Mapping

import numpy as np

from ..model import Model
from ..results.signal import Signal

__all__ = ["wrinkled_membranes"]

COMPRESSED = 0.01
"""Compression, relative to the largest stress of the membrane, from which it is reported."""


def wrinkled_membranes(model: Model, signals: Mapping[str, Signal]) -> list[str]:
    """One warning for each membrane in space with elements under compression at any sample."""
    found = []
    for name, membrane in model.membranes.items():
        parts = [signals.get(f"{name}.stress_{axes}") for axes in ("xx", "yy", "xy")]
        if model.plane is not None or any(part is None for part in parts):
            continue
        count = len(membrane.mesh.elements)
        xx, yy, xy = (np.asarray(part.values).reshape(-1, count) for part in parts if part is not None)
        least = 0.5 * (xx + yy) - np.hypot(0.5 * (xx - yy), xy)
        largest = float(max(np.abs(xx).max(), np.abs(yy).max(), np.abs(xy).max()))
        pressed = int(np.sum(np.nanmin(least, axis=0) < -COMPRESSED * largest)) if largest > 0.0 else 0
        if pressed:
            found.append(
                f'membrane "{name}": {pressed} of {count} elements are under compression, down to {1e-6 * np.nanmin(least):.3g} '
                "MPa. A sheet without bending stiffness wrinkles there, and the wrinkles depend on the mesh. Specify a prestress, "
                "use a planar model if it cannot move out of its plane, or a flexible body if it resists bending"
            )
    return found
