"""Modified rating life of ISO 281:2007: a_1 for other reliabilities, a_ISO for lubrication and contamination."""

from __future__ import annotations

import math

import numpy as np

from ..errors import ModelError

__all__ = ["fatigue_load_limit", "life_factor", "reference_viscosity", "reliability_factor"]

#: κ from which a row applies, then c and n: of balls in (2.5671 - c/κ^n)^0.83, of rollers in (1.5859 - c/κ^n)
_BALLS = ((0.1, 2.2649, 0.054381), (0.4, 1.9987, 0.19087), (1.0, 1.9987, 0.071739))
_ROLLERS = ((0.1, 1.3993, 0.054381), (0.4, 1.2348, 0.19087), (1.0, 1.2348, 0.071739))
_HIGHEST = 50.0
_RELIABILITY = np.array([(0.90, 1.0), (0.95, 0.64), (0.96, 0.55), (0.97, 0.47), (0.98, 0.37), (0.99, 0.25)])


def reference_viscosity(speed: float, pitch: float) -> float:
    """ν_1 [m²/s], the kinematic viscosity for an adequate film at `speed` [rad/s] and the pitch diameter [m]."""
    rpm = abs(speed) * 60.0 / (2.0 * math.pi)
    if rpm == 0.0:
        raise ModelError("reference viscosity: the speed must not be zero")
    size = (pitch / 1e-3) ** -0.5
    return 1e-6 * (45000.0 * rpm**-0.83 if rpm < 1000.0 else 4500.0 * rpm**-0.5) * size


def fatigue_load_limit(static_rating: float, pitch: float, *, rolling: str) -> float:
    """C_u [N] by the simplified method of ISO 281, B.3.3: C_0/22 for balls, C_0/8.2 for rollers, less above 100 mm."""
    ball = rolling == "ball"
    above = max(1.0, pitch / 0.1)
    return static_rating / (22.0 if ball else 8.2) * above ** (-0.5 if ball else -0.3)


def life_factor(viscosity_ratio: float, contamination: float, load_limit_ratio: float, *, rolling: str) -> float:
    """a_ISO of radial bearings.

    viscosity_ratio: κ = ν/ν_1, at least 0.1; values above 4 are used as 4. contamination: e_C from 0 (severe) to 1 (extreme
    cleanliness). load_limit_ratio: C_u/P. The maximum result is 50.
    """
    if not viscosity_ratio >= 0.1:
        raise ModelError(
            f"life factor: the viscosity ratio must be at least 0.1 (limit of ISO 281), got {viscosity_ratio:.4g}"
        )
    if not 0.0 <= contamination <= 1.0:
        raise ModelError(f"life factor: contamination e_C must be from 0 to 1, got {contamination:g}")
    kappa = min(viscosity_ratio, 4.0)
    rows = _BALLS if rolling == "ball" else _ROLLERS
    _, constant, exponent = next(row for row in reversed(rows) if kappa >= row[0])
    load = contamination * load_limit_ratio
    if rolling == "ball":
        rest, power = 1.0 - (2.5671 - constant / kappa**exponent) ** 0.83 * load ** (1.0 / 3.0), -9.3
    else:
        rest, power = 1.0 - (1.5859 - constant / kappa**exponent) * load**0.4, -9.185
    return _HIGHEST if rest <= 0.0 else float(min(0.1 * rest**power, _HIGHEST))


def reliability_factor(reliability: float) -> float:
    """a_1 for a reliability from 0.90 to 0.99, interpolated in the table of ISO 281."""
    if not 0.90 <= reliability <= 0.99:
        raise ModelError(f"reliability factor: reliability must be from 0.90 to 0.99, got {reliability:g}")
    return float(np.interp(reliability, _RELIABILITY[:, 0], _RELIABILITY[:, 1]))
