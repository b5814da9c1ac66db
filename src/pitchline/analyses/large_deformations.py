"""Warnings for flexible bodies whose deformation is too large for their matrices."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..model import Model
from ..results.signal import Signal

__all__ = ["large_deformations", "matrices_of"]

SMALL = 0.05
"""Relative rotation of two interfaces up to which deformations are small [rad]. The error is proportional to its square."""


def large_deformations(model: Model, signals: Mapping[str, Signal]) -> list[str]:
    """Warn for each flexible body whose interfaces rotate relative to each other by more than a small angle."""
    found = []
    for name, body in model.flexible_bodies.items():
        first, *others = body.stations.values()
        worst = 0.0
        for other in others:
            ends = [signals.get(f"{station.name}.orientation") for station in (first, other)]
            if ends[0] is None or ends[1] is None:
                continue
            at_rest = first.orientation.T @ other.orientation
            worst = max(worst, _largest_turn(ends[0].values, ends[1].values, at_rest))
        if worst > SMALL:
            found.append(
                f'flexible body "{name}": its interfaces rotate relative to each other by {worst:.2g} rad. Its stiffness is valid '
                f"for small deformations, up to about {SMALL:g} rad. Check the loads and units"
            )
    return found


def _largest_turn(a: np.ndarray, b: np.ndarray, at_rest: np.ndarray) -> float:
    """Largest angle of the rotation between two orientations (n, 4), against that at rest."""
    Ra, Rb = matrices_of(a), matrices_of(b)
    trace = np.einsum("nij,nik,jk->n", Ra, Rb, at_rest)
    # 1 - cos resolves small angles badly: an angle of 0.05 rad is far above that
    return float(np.arccos(np.clip((trace - 1.0) / 2.0, -1.0, 1.0)).max(initial=0.0))


def matrices_of(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 3, 3) of unit quaternions (w, x, y, z)."""
    w, x, y, z = np.atleast_2d(q).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)
