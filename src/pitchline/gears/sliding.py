"""Sliding along the teeth of crossed axes at the pitch point: efficiency and self-locking in closed form."""

from __future__ import annotations

import math

from ..errors import ModelError
from .inputs import size
from .pair import GearPair

__all__ = ["efficiency", "self_locking_friction"]


def _helices(pair: GearPair, driver: str) -> tuple[float, float]:
    """Helix angles of driver and driven wheel, positive in the sense of their sum."""
    if driver not in ("a", "b"):
        raise ModelError(f'{pair.what}: driver must be "a" or "b", got {driver!r}')
    beta_a, beta_b = pair.working_helix_angles
    sign = math.copysign(1.0, beta_a + beta_b)
    first, second = (beta_a, beta_b) if driver == "a" else (beta_b, beta_a)
    return sign * first, sign * second


def efficiency(pair: GearPair, friction: object, *, driver: str = "a") -> float:
    """η = (cos α_n − μ tan β_2) / (cos α_n + μ tan β_1), wheel 1 driving: sliding along the teeth at the pitch point.

    For a worm at right angles, lead angle γ: (cos α_n − μ tan γ)/(cos α_n + μ cot γ) where it drives, and
    (cos α_n − μ cot γ)/(cos α_n + μ tan γ) where the wheel does; zero or less means that the pair locks. Parallel
    axes and bevels do not slide at the pitch point: 1.

    Parameters
    ----------
    friction
        μ, the coefficient of friction between the teeth.
    driver
        "a" or "b".
    """
    mu = size(friction, "number", f"{pair.what}: friction")
    if not pair.pitch.sliding_ratio > 1e-12:
        return 1.0
    beta_1, beta_2 = _helices(pair, driver)
    cosine = math.cos(pair.normal_working_pressure_angle)
    return (cosine - mu * math.tan(beta_2)) / (cosine + mu * math.tan(beta_1))


def self_locking_friction(pair: GearPair, *, driver: str = "b") -> float:
    """μ from which on the pair locks when `driver` drives: cos α_n / tan β_2; infinite where it never does.

    For a worm whose wheel drives: cos α_n tan γ.
    """
    if not pair.pitch.sliding_ratio > 1e-12:
        return math.inf
    _, beta_2 = _helices(pair, driver)
    return math.cos(pair.normal_working_pressure_angle) / math.tan(beta_2) if beta_2 > 0.0 else math.inf
