"""Lives of rolling bearings: basic rating life by ISO 281:2007, basic reference rating life by ISO 16281:2025 (ISO/TS 16281:2008).

All lives are in 10⁶ revolutions with a reliability of 90 %. The reference life is computed from the loads of the rolling
elements. It includes clearance, tilt, preload and the load distribution along rollers, which P = X F_r + Y F_a does not include.

Its constants follow from Stribeck's load integrals with half of the raceway loaded: 0.407 = J_r/J_1 and 0.389 = J_r/J_2 for
point contact, 0.378 and 0.364 for line contact; 1.044 and 1.038 are their ratios (Lundberg and Palmgren 1947, 1952). The
rolling element load of the inner ring is Q_ci = C / (0.407 Z cos α i^0.7) (1 + x^(10/3))^(3/10). ISO/TS 16281:2008 has (cos
α)^0.7 here; ISO 16281:2025 has cos α. With cos α, a half loaded angular contact bearing has the life (C/F_r)³.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ModelError
from .ratings import gamma_of

__all__ = [
    "LIFE_EXPONENTS",
    "LoadBin",
    "ball_reference_life",
    "basic_life",
    "edge_stress",
    "equivalent_spectrum_load",
    "hours",
    "mean_speed",
    "roller_reference_life",
    "spectrum_life",
]

LIFE_EXPONENTS = {"ball": 3.0, "roller": 10.0 / 3.0}
"""p in L10 = (C / P)^p."""

_ROLLER_REDUCTION = 0.83  # λν of radial roller bearings


def basic_life(rating: float, load: float, *, rolling: str) -> float:
    """L10 = (C/P)^p [10⁶ revolutions], p = 3 for balls, 10/3 for rollers; infinite without load."""
    if load == 0.0:
        return math.inf
    return float((rating / load) ** LIFE_EXPONENTS[rolling])


def hours(life: float, speed: float) -> float:
    """Convert a life in 10⁶ revolutions to hours at a relative speed of the rings [rad/s]; infinite at rest."""
    turns_an_hour = abs(speed) / (2.0 * math.pi) * 3600.0
    return life * 1e6 / turns_an_hour if turns_an_hour > 0.0 else math.inf


def ball_reference_life(
    loads: ArrayLike,
    rating: float,
    *,
    ball: float,
    pitch: float,
    inner_groove: float,
    outer_groove: float,
    contact_angle: float = 0.0,
    elements: int | None = None,
    turning_against_load: str = "inner",
) -> float:
    """L10r [10⁶ revolutions] of a radial ball bearing from the loads of its balls.

    loads: (Z,) or (rows, Z), N; 0 without contact. rating: C of the whole bearing [N]. ball, pitch, grooves (radii): m.
    contact_angle: nominal, rad. elements: number of balls in a row if the loads are those at more positions, the balls passing;
    default: the number of loads. turning_against_load: "inner" or "outer", the ring that rotates relative to the load; its
    raceway is loaded along its whole circumference.
    """
    rows = _rows(loads, 2)
    g = gamma_of(ball, pitch, contact_angle)
    curvatures = inner_groove / outer_groove * (2.0 * outer_groove - ball) / (2.0 * inner_groove - ball)
    x = 1.044 * ((1.0 - g) / (1.0 + g)) ** 1.72 * curvatures**0.41
    share = rating / ((elements or rows.shape[1]) * math.cos(contact_angle) * len(rows) ** 0.7)
    inner = share / 0.407 * (1.0 + x ** (10.0 / 3.0)) ** 0.3
    outer = share / 0.389 * (1.0 + x ** (-10.0 / 3.0)) ** 0.3
    turning, standing = _means(rows, 3.0, 10.0 / 3.0)
    on_inner, on_outer = _by_ring(turning, standing, turning_against_load)
    damage = float(np.sum((on_inner / inner) ** (10.0 / 3.0) + (on_outer / outer) ** (10.0 / 3.0)))
    return math.inf if damage == 0.0 else float(damage**-0.9)


def roller_reference_life(
    slice_loads: ArrayLike,
    rating: float,
    *,
    roller: float,
    pitch: float,
    contact_angle: float = 0.0,
    elements: int | None = None,
    turning_against_load: str = "inner",
) -> float:
    """L10r [10⁶ revolutions] of a radial roller bearing from the loads of the slices of its rollers.

    slice_loads: (Z, slices) or (rows, Z, slices), N, the force on each slice (not a line load); the standard requires 30
    slices or more. roller: mean diameter, m. Other arguments as in `ball_reference_life`. The stress concentration at the
    roller ends is included as estimated by the standard (`edge_stress`).
    """
    rows = _rows(slice_loads, 3)
    slices = rows.shape[2]
    ratio = (1.0 - gamma_of(roller, pitch, contact_angle)) / (1.0 + gamma_of(roller, pitch, contact_angle))
    x = 1.038 * ratio ** (143.0 / 108.0)
    number = elements or rows.shape[1]
    share = rating / (_ROLLER_REDUCTION * number * math.cos(contact_angle) * len(rows) ** (7.0 / 9.0))
    of_slice = (1.0 / slices) ** (7.0 / 9.0)
    inner = of_slice * share / 0.378 * (1.0 + x**4.5) ** (2.0 / 9.0)
    outer = of_slice * share / 0.364 * (1.0 + x**-4.5) ** (2.0 / 9.0)
    turning, standing = _means(rows * edge_stress(slices), 4.0, 4.5)
    on_inner, on_outer = _by_ring(turning, standing, turning_against_load)
    damage = float(np.sum((on_inner / inner) ** 4.5 + (on_outer / outer) ** 4.5))
    return math.inf if damage == 0.0 else float(damage ** (-8.0 / 9.0))


def edge_stress(slices: int) -> NDArray[np.float64]:
    """Load factor of each slice for the stress towards the ends of a roller: ISO/TS 16281:2008, equation 60."""
    if slices < 3:
        raise ModelError(
            f"roller life: at least 3 slices along the roller are needed, got {slices}; the standard requires 30 or more"
        )
    k = np.arange(1, slices + 1)
    away = np.abs(2.0 * k - slices - 1.0) / (2.0 * slices - 2.0)
    factor = np.ones(slices)
    off_centre = away > 0.0
    factor[off_centre] = 1.0 - 0.01 / np.log(1.985 * away[off_centre])
    return factor


class LoadBin(NamedTuple):
    """One bin of a load spectrum.

    share: fraction of the time, in any unit. speed: relative speed of the rings, rad/s. life: L10 or L10r at the load of this
    bin, 10⁶ revolutions. load: P, N, only for the equivalent load.
    """

    share: float
    speed: float
    life: float = math.nan
    load: float = math.nan


def spectrum_life(bins: Sequence[LoadBin]) -> float:
    """Life [10⁶ revolutions] over a load spectrum: sum of the damages of the bins (Palmgren, Miner), weighted by revolutions."""
    damage = sum(part / one.life for part, one in zip(_revolutions(bins), bins, strict=True))
    return 1.0 / damage if damage else math.inf


def equivalent_spectrum_load(bins: Sequence[LoadBin], *, rolling: str) -> float:
    """Constant load [N] with the same life: (Σ u_i P_i^p)^(1/p). u_i are the fractions of the revolutions."""
    p = LIFE_EXPONENTS[rolling]
    return float(sum(part * one.load**p for part, one in zip(_revolutions(bins), bins, strict=True)) ** (1.0 / p))


def mean_speed(bins: Sequence[LoadBin]) -> float:
    """Mean speed [rad/s] over the time of the spectrum."""
    total = sum(one.share for one in bins)
    return float(sum(one.share * abs(one.speed) for one in bins) / total)


def _revolutions(bins: Sequence[LoadBin]) -> list[float]:
    if not bins:
        raise ModelError("load spectrum: at least one bin is needed")
    if any(one.share < 0.0 for one in bins) or not any(one.share > 0.0 for one in bins):
        raise ModelError(
            "load spectrum: fractions of time must not be negative, and at least one must be greater than zero"
        )
    turns = [one.share * abs(one.speed) for one in bins]
    total = sum(turns)
    if total == 0.0:
        raise ModelError("load spectrum: the speed is zero in all bins; a life in revolutions needs a rotating bearing")
    return [turn / total for turn in turns]


def _rows(loads: ArrayLike, dimensions: int) -> NDArray[np.float64]:
    array = np.asarray(loads, dtype=np.float64)
    if array.ndim == dimensions - 1:
        array = array[None]
    if array.ndim != dimensions or array.size == 0:
        raise ModelError(
            f"bearing life: loads have shape {np.shape(loads)}, expected {dimensions - 1} axes or {dimensions}"
        )
    if not np.all(np.isfinite(array)) or np.any(array < 0.0):
        raise ModelError("bearing life: loads of rolling elements must be finite and not negative")
    return array


def _means(
    loads: NDArray[np.float64], turning: float, standing: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Power means over the rolling elements (axis 1), for the rotating and the stationary ring (relative to the load)."""
    return np.mean(loads**turning, axis=1) ** (1.0 / turning), np.mean(loads**standing, axis=1) ** (1.0 / standing)


def _by_ring(
    turning: NDArray[np.float64], standing: NDArray[np.float64], ring: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if ring not in ("inner", "outer"):
        raise ModelError(f'bearing life: turning_against_load must be "inner" or "outer", got {ring!r}')
    return (turning, standing) if ring == "inner" else (standing, turning)
