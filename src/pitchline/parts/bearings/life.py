"""Equivalent loads, rating lives and friction torque of rolling bearings.

Equivalent loads of radial bearings: P = X F_r + Y F_a for the life (ISO 281:2007), P_0 = X_0 F_r + Y_0 F_a (ISO 76:2006).

For deep groove and angular contact ball bearings up to 15°, Y and e depend on the relative axial load f_0 F_a / C_0 = F_a / (i
Z D_w²) [N/mm²] (ISO 281, table 3; ISO/TR 1281-1). From 20° on they depend only on the contact angle. Rollers: e = 1.5 tan α.
One row: X = 0.4, Y = 0.4 cot α. Two rows: 1 and 0.45 cot α below e, 0.67 and 0.67 cot α above it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, near_names

from .design import BearingDesign, gamma_of

__all__ = [
    "LoadFactors",
    "dynamic_factors",
    "dynamic_load",
    "dynamic_loads",
    "static_factors",
    "static_load",
    "LUBRICATIONS",
    "BearingFriction",
    "friction_torque",
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
    "FRICTIONS",
    "friction_constants",
    "fatigue_load_limit",
    "life_factor",
    "reference_viscosity",
    "reliability_factor",
]


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
    radial: FloatArray,
    axial: FloatArray,
    *,
    rolling: str,
    contact_angle: float = 0.0,
    rows: int = 1,
    relative_axial_load: FloatArray | None = None,
) -> FloatArray:
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


# ---- friction

# Friction torque of rolling bearings by Palmgren's catalogue method: M = M_0 + M_1.
#
# M_0, due to the lubricant: 1e-7 f_0 (ν n)^(2/3) d_m³ [N mm] with ν in mm²/s, n in rpm, d_m in mm, and 160e-7 f_0
# d_m³ if ν n < 2000. M_1, due to the load: f_1 P_1 d_m, f_1 = z (P_0/C_0)^y for balls and a constant for rollers.
#
# Source: A. Palmgren, Ball and Roller Bearing Engineering (1959); factors as in Harris and Kotzalas, Rolling Bearing
# Analysis (5th ed.). Its tables give ranges for each series; the middle of each range is used here. Manufacturers
# publish f_0 and f_1 for each series: specify them if available. The method is valid at medium loads and speeds,
# without seals and without flange load. Its error is about 30 %.

LUBRICATIONS = ("grease", "oil mist", "oil bath", "oil jet")


class _Family(NamedTuple):
    viscous: tuple[float, float, float, float]  # f_0 by lubrication
    load: float  # z of f_1 = z (P_0/C_0)^y, or f_1 itself
    exponent: float  # y


_FAMILIES = {
    "DeepGrooveBall": _Family((1.3, 1.0, 2.0, 4.0), 0.0005, 0.55),
    "AngularContactBall": _Family((2.0, 1.7, 3.3, 6.6), 0.001, 0.33),
    "CylindricalRoller": _Family((0.8, 2.1, 3.1, 3.1), 0.0003, 0.0),
    "NeedleRoller": _Family((12.0, 6.0, 12.0, 24.0), 0.002, 0.0),
    "TaperedRoller": _Family((6.0, 3.0, 6.0, 9.0), 0.0004, 0.0),
    "SphericalRoller": _Family((5.0, 2.5, 5.0, 10.0), 0.0005, 0.0),
}


class BearingFriction(NamedTuple):
    """Friction torque against the relative rotation of the rings [N m]: due to the lubricant, due to the load, and total."""

    viscous: float
    load: float

    @property
    def torque(self) -> float:
        """M_0 + M_1 [N m]."""
        return self.viscous + self.load


def friction_torque(
    kind: str,
    radial: float,
    axial: float,
    speed: float,
    *,
    mean_diameter: float,
    viscosity: float,
    static_rating: float = math.nan,
    static_load: float = math.nan,
    contact_angle: float = 0.0,
    lubrication: str = "oil bath",
    viscous_factor: float | None = None,
    load_factor: float | None = None,
) -> BearingFriction:
    """Compute the friction torque of a rolling bearing.

    kind: name of its type, such as "DeepGrooveBall". radial, axial: loads, N. speed: relative speed of the rings, rad/s.
    mean_diameter: (bore + outer diameter) / 2, m. viscosity: kinematic, at the operating temperature, m²/s. static_rating,
    static_load: C_0 and P_0, N, for balls. contact_angle: rad. lubrication: "grease" (viscosity of its base oil), "oil mist",
    "oil bath", "oil jet". viscous_factor, load_factor: f_0 and f_1 from a catalogue; default: the built-in means.
    """
    if kind not in _FAMILIES:
        raise ModelError(f'friction torque: unknown bearing type "{kind}"; {near_names(kind, list(_FAMILIES))}')
    if lubrication not in LUBRICATIONS:
        raise ModelError(
            f'friction torque: unknown lubrication "{lubrication}"; {near_names(lubrication, list(LUBRICATIONS))}'
        )
    family = _FAMILIES[kind]
    f0 = family.viscous[LUBRICATIONS.index(lubrication)] if viscous_factor is None else viscous_factor
    size = mean_diameter / 1e-3
    flow = viscosity / 1e-6 * abs(speed) * 60.0 / (2.0 * math.pi)
    viscous = 1e-7 * f0 * size**3 * (flow ** (2.0 / 3.0) if flow >= 2000.0 else 160.0) if speed else 0.0
    radial, axial = abs(radial), abs(axial)
    load = _deciding_load(kind, radial, axial, contact_angle)
    f1 = load_factor
    if f1 is None:
        f1 = family.load * ((static_load / static_rating) ** family.exponent if family.exponent else 1.0)
        if math.isnan(f1):
            raise ModelError(
                f"friction torque: {kind} needs static_rating and static_load, or load_factor from a catalogue"
            )
    return BearingFriction(1e-3 * viscous, f1 * load * mean_diameter)


def _deciding_load(kind: str, radial: float, axial: float, contact_angle: float) -> float:
    """P_1 of Palmgren's method [N]."""
    if kind == "DeepGrooveBall":
        return max(3.0 * axial - 0.1 * radial, radial)
    if kind == "AngularContactBall":
        return max(0.9 * axial / math.tan(contact_angle) - 0.1 * radial, radial)
    if contact_angle > 0.0:
        return max(0.8 * axial / math.tan(contact_angle), radial)
    return radial


# ---- life

# Lives of rolling bearings: basic rating life by ISO 281:2007, basic reference rating life by ISO 16281:2025 (ISO/TS
# 16281:2008).
#
# All lives are in 10⁶ revolutions with a reliability of 90 %. The reference life is computed from the loads of the
# rolling elements. It includes clearance, tilt, preload and the load distribution along rollers, which P = X F_r + Y
# F_a does not include.
#
# Its constants follow from Stribeck's load integrals with half of the raceway loaded: 0.407 = J_r/J_1 and 0.389 =
# J_r/J_2 for point contact, 0.378 and 0.364 for line contact; 1.044 and 1.038 are their ratios (Lundberg and Palmgren
# 1947, 1952). The rolling element load of the inner ring is Q_ci = C / (0.407 Z cos α i^0.7) (1 + x^(10/3))^(3/10).
# ISO/TS 16281:2008 has (cos α)^0.7 here; ISO 16281:2025 has cos α. With cos α, a half loaded angular contact bearing
# has the life (C/F_r)³.

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


# ---- lubrication

# Friction of a rolling bearing for its element: constants of Palmgren's method for one bearing.

FRICTIONS = ("none", *LUBRICATIONS)
_SLOW = 160.0**1.5
"""Viscosity [mm²/s] times speed [rpm] below which the torque of the lubricant is constant."""


def friction_constants(values: Mapping[str, Any]) -> dict[str, float]:
    """Values of the friction record, from those of an element. ModelError if a value is missing."""
    design: BearingDesign = values["design"]
    if values["lubrication"] == "none":
        return {}
    viscosity, f0, f1 = values["viscosity"], values["viscous_factor"], values["load_factor"]
    if viscosity == 0.0 and f0 != 0.0:
        raise design.error(
            "viscosity", "is missing: specify the kinematic viscosity of the oil at the operating temperature"
        )
    kind, size = type(design).__name__, mean_diameter(design)
    angle = design.contact_angle
    x0, y0 = static_factors(rolling=design.rolling, contact_angle=angle, rows=design.factor_rows)
    rating = design.whole_static_rating
    if f1 is None and rating is None and design.rolling == "ball":
        raise design.error(
            "load_factor", "the friction of balls needs static_rating of the bearing, or load_factor from a catalogue"
        )
    same: dict[str, Any] = {
        "mean_diameter": size, "viscosity": max(viscosity, 1e-12), "contact_angle": angle, "lubrication": values["lubrication"],
        "viscous_factor": f0, "load_factor": f1,
    }  # fmt: skip
    at_rating: dict[str, Any] = {} if rating is None else {"static_rating": rating, "static_load": rating}
    try:
        slow = friction_torque(kind, 1.0, 0.0, 1e-9, **same, **at_rating)
        loaded = friction_torque(kind, 0.0, 1.0, 1e-9, **same, **at_rating)
    except ModelError as error:
        raise design.error("lubrication", str(error)) from None
    per_newton = slow.load  # P_1 = F_r without axial force
    p = loaded.load / per_newton if per_newton else 0.0
    return {
        "acts": 1,
        "viscous": slow.viscous * (2.0 if design.is_pair else 1.0),
        "viscous_speed": _SLOW / (viscosity * 1e6) * 2.0 * math.pi / 60.0 if viscosity else 0.0,
        "load": per_newton,
        "exponent": _exponent(kind) if f1 is None and design.rolling == "ball" else 0.0,
        "static_rating": rating or 1.0,
        "static_radial": x0,
        "static_axial": y0,
        "axial": p,
        "radial": 0.1 if design.rolling == "ball" else 0.0,
        "smoothing": values["friction_speed"],
    }


def mean_diameter(design: BearingDesign) -> float:
    """(bore + outer diameter) / 2 [m]; the pitch diameter if these are not specified."""
    return design.pitch if design.bore is None or design.outer is None else 0.5 * (design.bore + design.outer)


def _exponent(kind: str) -> float:
    """y of f_1 = z (P_0/C_0)^y, from two loads."""
    given: dict[str, Any] = {"mean_diameter": 1.0, "viscosity": 1.0, "static_rating": 1.0, "contact_angle": 0.5}
    small, large = (friction_torque(kind, 1.0, 0.0, 0.0, static_load=x, **given).load for x in (0.01, 1.0))
    return math.log(large / small) / math.log(100.0)


# ---- modified life

# Modified rating life of ISO 281:2007: a_1 for other reliabilities, a_ISO for lubrication and contamination.

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
