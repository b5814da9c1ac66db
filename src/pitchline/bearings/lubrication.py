"""Friction of a rolling bearing for its element: constants of Palmgren's method for one bearing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..errors import ModelError
from .design import BearingDesign
from .equivalent_load import static_factors
from .friction import LUBRICATIONS, friction_torque

__all__ = ["FRICTIONS", "friction_constants"]

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
