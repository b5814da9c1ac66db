"""Whirl direction of the bodies in a mode of a rotating machine: in the direction of its shafts or opposite."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pitchline.analyses.operating_point import OperatingPoint

__all__ = ["whirl_of"]

ACROSS = 1e-3
"""Fraction of the motion across the axes below which a mode does not whirl: torsion, axial modes."""
TAKES_PART = 1e-3
"""Motion of the rotating bodies, relative to that of all bodies, below which a mode does not whirl: it belongs to other parts."""


def whirl_of(point: OperatingPoint, x: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function of modes (n, m) in fixed axes that gives the whirl (m,): 1 forward on circles, -1 backward, 0 no direction.

    x (n,): velocities while the machine rotates. A body that rotates with the speed w moves by Re u exp(i omega t). Its whirl is
    the area of the orbit of u about the direction of w, divided by that of a circle with the same mean square. The tilt of the body
    is included in the same way, times the length of the machine. At rest the whirl is nan. It is 0 for modes in which the rotating
    bodies do not move.
    """
    spin = point.body_motion(x)[:, 3:]
    speed = np.linalg.norm(spin, axis=1)
    turning = np.flatnonzero(speed > 1e-9 * speed.max(initial=0.0))
    axes = spin[turning] / speed[turning, None]
    length = point.system.length
    scale = np.repeat([1.0, length], 3)

    def whirl(modes: np.ndarray) -> np.ndarray:
        if not turning.size:
            return np.full(modes.shape[1], np.nan)
        every = point.body_motion(modes)  # (bodies, 6, m)
        size = np.linalg.norm(every * scale[:, None], axis=(0, 1))
        motion = every[turning]
        takes_part = np.linalg.norm(motion * scale[:, None], axis=(0, 1)) > TAKES_PART * size
        area, across, whole = (np.zeros(modes.shape[1]) for _ in range(3))
        for part, size in ((motion[:, :3], 1.0), (motion[:, 3:], length)):
            along = np.einsum("bi,bim->bm", axes, part)
            squares = np.sum(np.abs(part) ** 2, axis=1)
            round_trip = np.imag(np.cross(part.conj(), part, axis=1))
            area -= size**2 * np.einsum("bi,bim->m", axes, round_trip)
            across += size**2 * np.sum(squares - np.abs(along) ** 2, axis=0)
            whole += size**2 * np.sum(squares, axis=0)
        return np.where(takes_part & (across > ACROSS * whole), area / np.where(across > 0.0, across, 1.0), 0.0)

    return whirl
