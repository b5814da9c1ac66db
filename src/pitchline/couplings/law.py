"""The law of a coupling: stiffness and damping of its deflections, progressive torsion, limits, friction against tilting."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..errors import ModelError, Subject
from ..solids.rotations import Array
from ..units import array, quantity

__all__ = ["CouplingLaw", "positive", "read_torsion", "torsion_table"]


@dataclass(frozen=True, eq=False, kw_only=True)
class CouplingLaw:
    """What compiled functions need. Deflections are x, y, z, tilt about x and y, twist about z."""

    stiffness: tuple[float, float, float]
    """Radial, axial [N/m] and tilt [N*m/rad]."""
    damping: tuple[float, float, float, float]
    """Radial, axial [N*s/m], tilt and torsion [N*m*s/rad]."""
    torsion: Array
    """Twists from 0 on [rad] and torques [N*m], (n, 2)."""
    limits: tuple[float, float] = (np.inf, np.inf)
    """Axial [m] and tilt [rad], beyond which stops carry."""
    stops: tuple[float, float] = (0.0, 0.0)
    """Stiffness of these stops [N/m], [N*m/rad]."""
    friction: float = 0.0
    """Moment against tilting over the torque."""
    friction_rate: float = field(default=1.0)
    """Tilt rate around which friction changes its sign [rad/s]."""


def positive(value: object, dimension: str, what: Subject, *, zero: bool = False) -> float:
    """A number above zero, or from zero on."""
    found = quantity(value, dimension, what=what)
    if found < 0.0 or (found == 0.0 and not zero):
        raise ModelError(f"{what}: must {'not be negative' if zero else 'be positive'}, got {value!r}", about=what)
    return found


def read_torsion(value: object, what: Subject) -> Array:
    """Pairs of twist and torque, from (0, 0) on, both growing."""
    if not isinstance(value, (list, tuple, np.ndarray)) or len(value) < 2:
        raise ModelError(
            f'{what}: expected pairs such as [(0, 0), ("2 deg", "100 N*m"), ...], got {value!r}', about=what
        )
    twists = array([row[0] for row in value], "angle", what=what)
    torques = array([row[1] for row in value], "torque", what=what)
    if twists[0] != 0.0 or torques[0] != 0.0:
        raise ModelError(f"{what}: the first pair must be (0, 0); the law holds alike for both directions", about=what)
    if np.any(np.diff(twists) <= 0.0) or np.any(np.diff(torques) < 0.0):
        raise ModelError(f"{what}: twists must increase and torques must not fall", about=what)
    if torques[-1] == torques[-2]:
        raise ModelError(f"{what}: the torque must grow towards the end, where the law goes on straight", about=what)
    return np.column_stack([twists, torques])


def torsion_table(points: Array) -> Array:
    """Pieces of torque over twist, (n, 6): first twist, energy there, coefficients of powers of the twist within the piece.

    Monotone cubic pieces with continuous stiffness; beyond the last point a straight one.
    """
    if len(points) == 2:
        k = points[1, 1] / points[1, 0]
        return np.array([[0.0, 0.0, 0.0, k, 0.0, 0.0]])
    from scipy.interpolate import PchipInterpolator  # late: scipy takes long to import and few models need it

    x, y = points.T
    # both directions, so that the stiffness at zero is that of a law which is odd
    curve = PchipInterpolator(np.concatenate([-x[:0:-1], x]), np.concatenate([-y[:0:-1], y]))
    c = curve.c[::-1, len(x) - 1 :].T
    end = float(curve(x[-1], 1))
    c = np.vstack([c, [y[-1], end, 0.0, 0.0]])
    width = np.diff(x)
    steps = [float(np.polyval([*(c[i, ::-1] / [4, 3, 2, 1]), 0.0], width[i])) for i in range(len(width))]
    energy = np.concatenate([[0.0], np.cumsum(steps)])
    return np.column_stack([x, energy, c])
