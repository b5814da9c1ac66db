"""Friction torque of rolling bearings by Palmgren's catalogue method: M = M_0 + M_1.

M_0, due to the lubricant: 1e-7 f_0 (ν n)^(2/3) d_m³ [N mm] with ν in mm²/s, n in rpm, d_m in mm, and 160e-7 f_0 d_m³ if ν n < 2000.
M_1, due to the load: f_1 P_1 d_m, f_1 = z (P_0/C_0)^y for balls and a constant for rollers.

Source: A. Palmgren, Ball and Roller Bearing Engineering (1959); factors as in Harris and Kotzalas, Rolling Bearing Analysis
(5th ed.). Its tables give ranges for each series; the middle of each range is used here. Manufacturers publish f_0 and f_1 for
each series: specify them if available. The method is valid at medium loads and speeds, without seals and without flange load.
Its error is about 30 %.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ..errors import ModelError, near_names

__all__ = ["LUBRICATIONS", "BearingFriction", "friction_torque"]

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
