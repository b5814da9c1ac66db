"""Law of a coupling: stiffness and damping of its deflections, progressive torsion, limits, friction against tilting."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..errors import ModelError, Subject
from ..solids.rotations import Array
from ..units import array, quantity

__all__ = ["CouplingLaw", "positive", "read_torsion", "torsion_table"]


@dataclass(frozen=True, eq=False, kw_only=True)
class CouplingLaw:
    """Data for compiled functions. Deflections are x, y, z, tilt about x and y, twist about z."""

    stiffness: tuple[float, float, float]
    """Radial, axial [N/m] and tilt [N*m/rad]."""
    damping: tuple[float, float, float, float]
    """Radial, axial [N*s/m], tilt and torsion [N*m*s/rad]."""
    torsion: Array
    """Twists from 0 [rad] and torques [N*m], (n, 2)."""
    limits: tuple[float, float] = (np.inf, np.inf)
    """Axial [m] and tilt [rad] limits, beyond which stops act."""
    stops: tuple[float, float] = (0.0, 0.0)
    """Stiffness of these stops [N/m], [N*m/rad]."""
    friction: float = 0.0
    """Moment against tilting divided by the torque."""
    friction_rate: float = field(default=1.0)
    """Tilt rate over which the sign of friction is regularised [rad/s]."""


def positive(value: object, dimension: str, what: Subject, *, zero: bool = False) -> float:
    """Read a positive number; with zero=True also zero."""
    found = quantity(value, dimension, what=what)
    if found < 0.0 or (found == 0.0 and not zero):
        raise ModelError(f"{what}: must {'not be negative' if zero else 'be positive'}, got {value!r}", about=what)
    return found


def read_torsion(value: object, what: Subject) -> Array:
    """Read pairs of twist and torque, starting with (0, 0), both increasing."""
    if (
        not isinstance(value, (list, tuple, np.ndarray))
        or len(value) < 2
        or not all(isinstance(row, (list, tuple, np.ndarray)) and len(row) == 2 for row in value)
    ):
        raise ModelError(
            f'{what}: expected pairs such as [(0, 0), ("2 deg", "100 N*m"), ...], got {value!r}', about=what
        )
    twists = array([row[0] for row in value], "angle", what=what)
    torques = array([row[1] for row in value], "torque", what=what)
    if twists[0] != 0.0 or torques[0] != 0.0:
        raise ModelError(f"{what}: the first pair must be (0, 0); the law is the same for both directions", about=what)
    if np.any(np.diff(twists) <= 0.0) or np.any(np.diff(torques) < 0.0):
        raise ModelError(f"{what}: twists must increase and torques must not decrease", about=what)
    if torques[-1] == torques[-2]:
        raise ModelError(
            f"{what}: the torque must increase at the end, where the law is extrapolated linearly", about=what
        )
    return np.column_stack([twists, torques])


def torsion_table(points: Array) -> Array:
    """Pieces of torque over twist, (n, 6): first twist, energy there, coefficients of the powers of the twist within the piece.

    Monotone cubic pieces with continuous stiffness; linear beyond the last point.
    """
    if len(points) == 2:
        k = points[1, 1] / points[1, 0]
        return np.array([[0.0, 0.0, 0.0, k, 0.0, 0.0]])
    from scipy.interpolate import PchipInterpolator  # late: scipy takes long to import and few models need it

    x, y = points.T
    # both directions, so that the stiffness at zero is that of an odd law
    curve = PchipInterpolator(np.concatenate([-x[:0:-1], x]), np.concatenate([-y[:0:-1], y]))
    c = curve.c[::-1, len(x) - 1 :].T
    end = float(curve(x[-1], 1))
    c = np.vstack([c, [y[-1], end, 0.0, 0.0]])
    width = np.diff(x)
    steps = [float(np.polyval([*(c[i, ::-1] / [4, 3, 2, 1]), 0.0], width[i])) for i in range(len(width))]
    energy = np.concatenate([[0.0], np.cumsum(steps)])
    return np.column_stack([x, energy, c])
