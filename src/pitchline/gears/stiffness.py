"""Tooth and mesh stiffness of steel wheels by ISO 6336-1, method B."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..errors import ModelError
from .gear import Gear
from .material import STEEL
from .pair import GearPair
from .rack import Rack

__all__ = ["IsoStiffness", "blank_factor_of", "iso_stiffness"]

# q' = C1 + C2/z_n1 + C3/z_n2 + C4 x1 + C5 x1/z_n1 + C6 x2 + C7 x2/z_n2 + C8 x1² + C9 x2²   [mm µm/N]
_C = (0.04723, 0.15551, 0.25791, -0.00635, -0.11654, -0.00193, -0.24188, 0.00529, 0.00182)
_CORRECTION = 0.8
"""C_M: measured over theoretical stiffness."""
_UNIT = 1e9
"""1 N/(mm µm) in N/m²."""


@dataclass(frozen=True)
class IsoStiffness:
    """Stiffness per unit of face width [N/m²] (1e9 N/m² = 1 N/(mm µm)), on the base circle: along the line of action
    in the transverse plane, force F_t/cos α_t and displacement r_b Δψ.

    Attributes
    ----------
    theoretical : float
        c'_th: of one pair of teeth, solid discs, before corrections.
    single : float
        c': the greatest stiffness of one pair of teeth.
    mesh_alpha : float
        c_γα: mean over the mesh cycle of all pairs in contact.
    mesh_beta : float
        c_γβ = 0.85 c_γα, against a tilt of the wheels.
    """

    theoretical: float
    single: float
    mesh_alpha: float
    mesh_beta: float


def blank_factor_of(gear: Gear) -> float:
    """C_R = 1 + ln(b_s/b) / (5 exp(s_R/(5 m_n))): of a web of thickness b_s and a rim of thickness s_R; 1 for solid discs.

    b_s/b counts as 0.2 below that, s_R/m_n as 1.
    """
    body = gear.body
    if body.web_thickness is None or body.rim_thickness is None:
        return 1.0
    web = max(body.web_thickness / gear.required_face_width("the stiffness of a wheel with a web"), 0.2)
    rim = max(body.rim_thickness / gear.normal_module, 1.0)
    return 1.0 + math.log(web) / (5.0 * math.exp(rim / 5.0))


def iso_stiffness(pair: GearPair, *, blank_factor: float | None = None) -> IsoStiffness:
    """c'_th = 1/q', c' = c'_th C_M C_R C_B cos β E/E_steel, c_γα = c' (0.75 ε_α + 0.25).

    `blank_factor` is C_R; without it the mean of both wheels, by their bodies (`blank_factor_of`).
    C_B = (1 + 0.5 (1.2 − h*_fP)) (1 − 0.02 (20° − α_n)), the mean of both wheels. An internal wheel counts with z_n = ∞.
    Valid for spur and helical wheels, −0.5 <= x_A + x_B <= 2 and a line load of at least 100 N/mm.
    """
    a, b = pair.a, pair.b
    if isinstance(b, Rack) or not pair.kind.parallel:
        raise ModelError(
            f"{pair.what}: ISO 6336-1 gives the stiffness of cylindrical gears with parallel axes, not of a "
            f"{pair.kind} pair"
        )
    pinion, wheel = (b, a) if a.internal or (b.teeth < a.teeth and not b.internal) else (a, b)
    z_1 = 1.0 / pinion.virtual_teeth
    z_2 = 0.0 if wheel.internal else 1.0 / wheel.virtual_teeth
    x_1, x_2 = pinion.profile_shift, wheel.profile_shift
    terms = (1.0, z_1, z_2, x_1, x_1 * z_1, x_2, x_2 * z_2, x_1**2, x_2**2)
    theoretical = 1.0 / sum(c * term for c, term in zip(_C, terms, strict=True))
    angle = 1.0 - 0.02 * (20.0 - math.degrees(a.normal_pressure_angle))
    rack = 0.5 * sum((1.0 + 0.5 * (1.2 - gear.dedendum_factor)) * angle for gear in (a, b))
    E_a, E_b = a.material.youngs_modulus, b.material.youngs_modulus
    material = 2.0 * E_a * E_b / (E_a + E_b) / STEEL.youngs_modulus
    blank = 0.5 * (blank_factor_of(a) + blank_factor_of(b)) if blank_factor is None else blank_factor
    single = theoretical * _CORRECTION * blank * rack * math.cos(a.helix_angle) * material
    mesh = single * (0.75 * pair.transverse_contact_ratio + 0.25)
    return IsoStiffness(_UNIT * theoretical, _UNIT * single, _UNIT * mesh, _UNIT * 0.85 * mesh)
