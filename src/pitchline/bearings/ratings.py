"""Basic load ratings of radial rolling bearings from their internal geometry: ISO 281:2007 (dynamic) and ISO 76:2006 (static).

The standards use N and mm; lengths here are in m and forces in N.

- Balls, dynamic: C = b_m f_c (i cos α)^0.7 Z^(2/3) D_w^1.8, above 25.4 mm 3.647 b_m f_c (i cos α)^0.7 Z^(2/3) D_w^1.4,
  b_m = 1.3, f_c from table 2 of ISO 281 (grooves of 0.52 D_w on the inner and 0.53 D_w on the outer ring).
- Rollers, dynamic: C = b_m f_c (i L_we cos α)^(7/9) Z^(3/4) D_we^(29/27) with f_c = 208 λν γ^(2/9) (1-γ)^(29/27) /
  (1+γ)^(1/4) [1 + (1.04 ((1-γ)/(1+γ))^(143/108))^(9/2)]^(-2/9), λν = 0.83 (Lundberg and Palmgren 1952; ISO/TR 1281-1).
  It agrees with table 7 of ISO 281 in all digits.
- Static: the load at which the most loaded contact reaches 4200 MPa (balls) or 4000 MPa (rollers) in a bearing without
  clearance, with half of it loaded: balls C_0 = i Z Q(4200 MPa) cos α / 5, rollers C_0 = 44 (1-γ) i Z L_we D_we cos α.
"""

from __future__ import annotations

import math

import numpy as np

from .hertz import point_contact

__all__ = ["BALL_GROOVES", "ball_dynamic_rating", "ball_static_rating", "roller_dynamic_rating", "roller_static_rating"]

BALL_GROOVES = (0.52, 0.53)
"""Radii of the inner and the outer groove divided by the ball diameter for which the ratings of ISO 281 apply."""

#: γ in steps of 0.01 from 0.01 to 0.40, and f_c [N, mm]: ISO 281:2007, table 2, single row radial contact and angular
#: contact.
_BALL_GAMMA = np.arange(1, 41) / 100.0
_BALL_FACTOR = np.fromstring(
    """29.1 35.8 40.3 43.8 46.7 49.1 51.1 52.8 54.3 55.5 56.6 57.5 58.2 58.8 59.3 59.6 59.8 59.9 60.0 59.9
    59.8 59.6 59.3 59.0 58.6 58.2 57.7 57.1 56.6 56.0 55.3 54.6 53.9 53.2 52.4 51.7 50.9 50.0 49.2 48.4""",
    sep=" ",
)
_STATIC_BALL_PRESSURE = 4200e6  # Pa
_MODULUS = 2.07e11 / (1.0 - 0.3**2)  # E / (1-ν²) [Pa] of the steel of ISO 76
_MM = 1e-3


def gamma_of(diameter: float, pitch: float, contact_angle: float) -> float:
    """γ = D_w cos α / D_pw."""
    return diameter * math.cos(contact_angle) / pitch


def ball_dynamic_rating(balls: int, ball: float, pitch: float, *, contact_angle: float = 0.0, rows: int = 1) -> float:
    """C [N] of `rows` rows of `balls` balls of diameter `ball` [m] on the pitch diameter `pitch` [m], by ISO 281."""
    factor = float(np.interp(gamma_of(ball, pitch, contact_angle), _BALL_GAMMA, _BALL_FACTOR))
    size = ball / _MM
    power = size**1.8 if size <= 25.4 else 3.647 * size**1.4
    return 1.3 * factor * (rows * math.cos(contact_angle)) ** 0.7 * balls ** (2.0 / 3.0) * power


def roller_dynamic_rating(
    rollers: int,
    roller: float,
    length: float,
    pitch: float,
    *,
    contact_angle: float = 0.0,
    rows: int = 1,
    design: float = 1.1,
) -> float:
    """C [N] of `rows` rows of rollers of mean diameter `roller` and effective length `length` [m], by ISO 281.

    design: b_m of ISO 281: 1.1 for cylindrical, tapered and machined needle roller bearings, 1.15 for spherical roller
    bearings, 1.0 for drawn cups.
    """
    g = gamma_of(roller, pitch, contact_angle)
    ratio = ((1.0 - g) / (1.0 + g)) ** (143.0 / 108.0)
    rings = (1.0 + (1.04 * ratio) ** 4.5) ** (-2.0 / 9.0)
    factor = 208.0 * 0.83 * g ** (2.0 / 9.0) * (1.0 - g) ** (29.0 / 27.0) / (1.0 + g) ** 0.25 * rings
    along = (rows * length / _MM * math.cos(contact_angle)) ** (7.0 / 9.0)
    return design * factor * along * rollers**0.75 * (roller / _MM) ** (29.0 / 27.0)


def ball_static_rating(
    balls: int,
    ball: float,
    pitch: float,
    *,
    contact_angle: float = 0.0,
    rows: int = 1,
    grooves: tuple[float, float] = BALL_GROOVES,
) -> float:
    """C_0 [N], from the contact that first reaches 4200 MPa. grooves: radii of the grooves divided by the ball diameter."""
    g = gamma_of(ball, pitch, contact_angle)
    inner = _load_at_pressure(ball, g / (1.0 - g), grooves[0])
    outer = _load_at_pressure(ball, -g / (1.0 + g), grooves[1])
    return 0.2 * rows * balls * math.cos(contact_angle) * min(inner, outer)


def roller_static_rating(
    rollers: int, roller: float, length: float, pitch: float, *, contact_angle: float = 0.0, rows: int = 1
) -> float:
    """C_0 [N] of `rows` rows of rollers of mean diameter `roller` and effective length `length` [m], by ISO 76."""
    g = gamma_of(roller, pitch, contact_angle)
    return 44.0 * (1.0 - g) * rows * rollers * (length / _MM) * (roller / _MM) * math.cos(contact_angle)


def _load_at_pressure(ball: float, along: float, groove: float) -> float:
    """Load [N] at which the pressure in the middle of the contact is that of ISO 76. Arguments as in `point_contact`."""
    return float((_STATIC_BALL_PRESSURE / point_contact(ball, along, groove, _MODULUS).pressure) ** 3)
