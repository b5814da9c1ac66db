"""Equivalent loads of radial bearings: P = X F_r + Y F_a for the life (ISO 281:2007), P_0 = X_0 F_r + Y_0 F_a (ISO 76:2006).

For deep groove and angular contact ball bearings up to 15°, Y and e depend on the relative axial load f_0 F_a / C_0 = F_a / (i
Z D_w²) [N/mm²] (ISO 281, table 3; ISO/TR 1281-1). From 20° on they depend only on the contact angle. Rollers: e = 1.5 tan α.
One row: X = 0.4, Y = 0.4 cot α. Two rows: 1 and 0.45 cot α below e, 0.67 and 0.67 cot α above it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError

__all__ = ["LoadFactors", "dynamic_factors", "dynamic_load", "dynamic_loads", "static_factors", "static_load"]

#: f_0 F_a / C_0 = F_a / (i Z D_w²) [N/mm²]; then for each contact angle [deg] X, and Y and e in the same order.
_RELATIVE_LOAD = np.array([0.172, 0.345, 0.689, 1.03, 1.38, 2.07, 3.45, 5.17, 6.89])
_SMALL_ANGLES: dict[float, tuple[float, tuple[float, ...], tuple[float, ...]]] = {
    5.0: (
        0.56,
        (2.30, 1.99, 1.71, 1.55, 1.45, 1.31, 1.15, 1.04, 1.00),
        (0.19, 0.22, 0.26, 0.28, 0.30, 0.34, 0.38, 0.42, 0.44),
    ),
    10.0: (
        0.46,
        (1.88, 1.71, 1.52, 1.41, 1.34, 1.23, 1.10, 1.01, 1.00),
        (0.29, 0.32, 0.36, 0.38, 0.40, 0.44, 0.49, 0.54, 0.54),
    ),
    15.0: (
        0.44,
        (1.47, 1.40, 1.30, 1.23, 1.19, 1.12, 1.02, 1.00, 1.00),
        (0.38, 0.40, 0.43, 0.46, 0.47, 0.50, 0.55, 0.56, 0.56),
    ),
}
#: contact angle [deg], X, Y, e of single row angular contact ball bearings
_BY_ANGLE = np.array(
    [
        (20.0, 0.43, 1.00, 0.57),
        (25.0, 0.41, 0.87, 0.68),
        (30.0, 0.39, 0.76, 0.80),
        (35.0, 0.37, 0.66, 0.95),
        (40.0, 0.35, 0.57, 1.14),
        (45.0, 0.33, 0.50, 1.34),
    ]
)
#: contact angle [deg], Y up to e, X and Y above e of double row and paired angular contact ball bearings; X is 1 up to
#: e
_PAIRS = np.array(
    [
        (20.0, 1.09, 0.70, 1.63),
        (25.0, 0.92, 0.67, 1.41),
        (30.0, 0.78, 0.63, 1.24),
        (35.0, 0.66, 0.60, 1.07),
        (40.0, 0.55, 0.57, 0.93),
        (45.0, 0.47, 0.54, 0.81),
    ]
)
#: contact angle [deg], X_0, Y_0 of single row ball bearings (ISO 76, table 2)
_STATIC = np.array(
    [
        (0.0, 0.6, 0.5),
        (5.0, 0.5, 0.52),
        (10.0, 0.5, 0.50),
        (15.0, 0.5, 0.46),
        (20.0, 0.5, 0.42),
        (25.0, 0.5, 0.38),
        (30.0, 0.5, 0.33),
        (35.0, 0.5, 0.29),
        (40.0, 0.5, 0.26),
        (45.0, 0.5, 0.22),
    ]
)

_KNOTS = 1e6 * np.concatenate([[0.0], _RELATIVE_LOAD, [1e3]])  # Pa: of the table, and beyond it on both sides
Array = NDArray[np.float64]


class LoadFactors(NamedTuple):
    """P = X F_r + Y F_a. e: ratio F_a / F_r above which the axial load has an effect; nan if there is no such limit."""

    X: float
    Y: float
    e: float


def dynamic_factors(
    radial: float,
    axial: float,
    *,
    rolling: str,
    contact_angle: float = 0.0,
    rows: int = 1,
    relative_axial_load: float | None = None,
) -> LoadFactors:
    """X, Y and e by ISO 281 for a radial and an axial load [N], both not negative.

    rolling: "ball" or "roller". contact_angle: nominal, rad; 0 for a deep groove or a cylindrical roller bearing.
    relative_axial_load: F_a / (i Z D_w²) [Pa], required for balls below 20°. An axial load on a cylindrical roller bearing is
    an error: its flanges carry it, and ISO 281 defines no life for them.
    """
    _check(rolling, contact_angle, rows)
    angle = math.degrees(contact_angle)
    if rolling == "ball":
        if rows == 2 and angle < 20.0:
            raise ModelError(
                f"equivalent load: ISO 281 has factors for double rows of balls only from 20 deg on, got {angle:g} "
                "deg; use the reference life"
            )
        x, y, e = _ball_factors(angle, relative_axial_load)
        if rows == 2:
            below, x, y = (float(np.interp(angle, _PAIRS[:, 0], _PAIRS[:, i])) for i in (1, 2, 3))
            return LoadFactors(1.0, below, e) if axial <= e * radial else LoadFactors(x, y, e)
        return LoadFactors(1.0, 0.0, e) if axial <= e * radial else LoadFactors(x, y, e)
    if angle == 0.0:
        if axial > 0.0:
            raise ModelError(
                f"equivalent load: a roller bearing without contact angle carries no axial load, got {axial:.6g} N; "
                "its flanges carry it, but ISO 281 defines no life for flanges"
            )
        return LoadFactors(1.0, 0.0, math.nan)
    e, cot = 1.5 * math.tan(contact_angle), 1.0 / math.tan(contact_angle)
    if axial <= e * radial:
        return LoadFactors(1.0, 0.0 if rows == 1 else 0.45 * cot, e)
    return LoadFactors(0.4, 0.4 * cot, e) if rows == 1 else LoadFactors(0.67, 0.67 * cot, e)


def dynamic_load(
    radial: float,
    axial: float,
    *,
    rolling: str,
    contact_angle: float = 0.0,
    rows: int = 1,
    relative_axial_load: float | None = None,
) -> float:
    """P [N] by ISO 281. Arguments as in `dynamic_factors`; the signs of the loads have no effect."""
    radial, axial = abs(radial), abs(axial)
    factors = dynamic_factors(
        radial, axial, rolling=rolling, contact_angle=contact_angle, rows=rows, relative_axial_load=relative_axial_load
    )
    return factors.X * radial + factors.Y * axial


def dynamic_loads(
    radial: Array,
    axial: Array,
    *,
    rolling: str,
    contact_angle: float = 0.0,
    rows: int = 1,
    relative_axial_load: Array | None = None,
) -> Array:
    """P [N] of many loads (n,), as `dynamic_load` for one."""
    radial, axial = np.abs(radial), np.abs(axial)
    loads = np.zeros_like(axial) if relative_axial_load is None else relative_axial_load
    needs_load = rolling == "ball" and math.degrees(contact_angle) < 20.0
    if not needs_load:
        flat = dynamic_factors(1.0, 0.0, rolling=rolling, contact_angle=contact_angle, rows=rows)
        if not np.any(axial):
            return np.asarray(flat.X * radial)
        steep = dynamic_factors(0.0, 1.0, rolling=rolling, contact_angle=contact_angle, rows=rows)
        above = axial > steep.e * radial
        return np.asarray(np.where(above, steep.X, flat.X) * radial + np.where(above, steep.Y, flat.Y) * axial)
    # Y and e are linear between the loads of the table, so that the values at these loads define all others
    factors = [
        dynamic_factors(0.0, 1.0, rolling=rolling, contact_angle=contact_angle, rows=rows, relative_axial_load=float(k))
        for k in _KNOTS
    ]
    X = factors[0].X
    Y, e = (np.interp(loads, _KNOTS, [getattr(one, key) for one in factors]) for key in ("Y", "e"))
    return np.asarray(np.where(axial > e * radial, X * radial + Y * axial, radial))


def static_factors(*, rolling: str, contact_angle: float = 0.0, rows: int = 1) -> tuple[float, float]:
    """X_0 and Y_0 by ISO 76."""
    _check(rolling, contact_angle, rows)
    if rolling == "ball":
        angle = math.degrees(contact_angle)
        x, y = 0.6 if angle == 0.0 else 0.5, float(np.interp(angle, _STATIC[:, 0], _STATIC[:, 2]))
        return (x, y) if rows == 1 or angle == 0.0 else (1.0, 2.0 * y)  # ISO 76: 1.0 and twice Y_0 of one row
    if contact_angle == 0.0:
        return 1.0, 0.0
    cot = 1.0 / math.tan(contact_angle)
    return (0.5, 0.22 * cot) if rows == 1 else (1.0, 0.44 * cot)


def static_load(radial: float, axial: float, *, rolling: str, contact_angle: float = 0.0, rows: int = 1) -> float:
    """P_0 [N] by ISO 76, not less than the radial load."""
    radial, axial = abs(radial), abs(axial)
    x, y = static_factors(rolling=rolling, contact_angle=contact_angle, rows=rows)
    return max(x * radial + y * axial, radial)


def _ball_factors(angle: float, relative_axial_load: float | None) -> tuple[float, float, float]:
    if angle >= 20.0:
        x, y, e = (float(np.interp(angle, _BY_ANGLE[:, 0], _BY_ANGLE[:, i])) for i in (1, 2, 3))
        return x, y, e
    if relative_axial_load is None:
        raise ModelError(
            f"equivalent load: balls with a contact angle of {angle:g} deg need the relative axial load F_a / (i Z D_w^2)"
        )
    load = relative_axial_load / 1e6
    with_load = {
        a: (x, float(np.interp(load, _RELATIVE_LOAD, y)), float(np.interp(load, _RELATIVE_LOAD, e)))
        for a, (x, y, e) in _SMALL_ANGLES.items()
    }
    with_load[20.0] = (0.43, 1.00, 0.57)
    angles = sorted(with_load)
    x, y, e = (float(np.interp(max(angle, 5.0), angles, [with_load[a][i] for a in angles])) for i in (0, 1, 2))
    return x, y, e


def _check(rolling: str, contact_angle: float, rows: int) -> None:
    if rolling not in ("ball", "roller"):
        raise ModelError(f'equivalent load: rolling must be "ball" or "roller", got {rolling!r}')
    if not 0.0 <= contact_angle <= math.radians(45.0) + 1e-12:
        raise ModelError(
            f"equivalent load: contact_angle must be from 0 to 45 deg (radial bearings), got {math.degrees(contact_angle):.6g} deg"
        )
    if rows not in (1, 2):
        raise ModelError(f"equivalent load: rows must be 1 or 2, got {rows}")
