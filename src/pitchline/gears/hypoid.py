"""The pinion that meshes with a given wheel on axes that neither meet nor are parallel."""

from __future__ import annotations

import math

from ..errors import ModelError
from .gear import Gear
from .inputs import angle, in_deg, in_mm, positive, whole

__all__ = ["hypoid_pinion"]

_STEEPEST = math.radians(80.0)
"""Spiral angles beyond this make a worm, not a pinion."""


def hypoid_pinion(
    wheel: Gear, *, teeth: object, offset: object, shaft_angle: object = "90 deg", below: bool = True, **others: object
) -> Gear:
    """A hypoid pinion for a bevel wheel: its cone and spiral angle for a given shaft angle and offset.

    With γ the cone angles, S = −(β_1 + β_2) the sum of the spiral angles (positive left-hand), r_1 = m_n z_1 / (2
    cos β_1):

        cos Σ = cos γ_1 cos γ_2 cos S − sin γ_1 sin γ_2 ,
        E sin Σ = |sin S| (r_1 cos γ_2 + r_2 cos γ_1) .

    The first gives γ_1 for any S, the second is then solved for S.

    Parameters
    ----------
    wheel
        The bevel wheel, with its cone angle and (usually) its spiral angle.
    teeth
        z_1 of the pinion.
    offset
        E, the distance of the axes [m], greater than zero.
    shaft_angle
        Σ [rad]
    below
        Whether the spiral angle of the pinion grows with the offset (the usual, stronger pinion) or shrinks.
    others
        Further arguments of `Gear` for the pinion, such as face_width.
    """
    z = whole(teeth, "hypoid_pinion: teeth")
    E = positive(offset, "length", "hypoid_pinion: offset")
    sigma = angle(shaft_angle, "hypoid_pinion: shaft_angle", lowest=0, highest=180)
    if not wheel.cone_angle:
        raise ModelError("hypoid_pinion: the wheel is a cylindrical gear. Specify a bevel gear with a cone_angle")
    gamma_2, beta_2 = abs(wheel.cone_angle), wheel.helix_angle
    r_2, m = 0.5 * wheel.reference_diameter, wheel.normal_module
    # The pinion has the other hand; with S of the same hand as the pinion its spiral angle grows.
    sense = -math.copysign(1.0, beta_2 or 1.0) * (1.0 if below else -1.0)

    def cone(S: float) -> float:
        p, q = math.cos(gamma_2) * math.cos(S), math.sin(gamma_2)
        size = math.hypot(p, q)
        ratio = math.cos(sigma) / size
        return math.acos(ratio) - math.atan2(q, p) if abs(ratio) <= 1.0 else math.nan

    def excess(S: float) -> float:
        beta_1 = sense * S - beta_2
        if abs(beta_1) > _STEEPEST:
            return math.nan
        gamma_1 = cone(S)
        r_1 = 0.5 * m * z / math.cos(beta_1)
        return math.sin(S) * (r_1 * math.cos(gamma_2) + r_2 * math.cos(gamma_1)) - E * math.sin(sigma)

    # From S = 0, where there is no offset, outwards in small steps to the first change of sign, then halving.
    low, high, step = 0.0, 0.0, math.radians(0.5)
    while True:
        high = low + step
        value = excess(high) if cone(high) > 0.0 else math.nan
        if math.isnan(value):
            raise ModelError(
                f"hypoid_pinion: no pinion of {z} teeth meshes with the wheel at the offset {in_mm(E)} and a shaft "
                f"angle of {in_deg(sigma)}. Reduce the offset (its spiral angle would be "
                f"{in_deg(sense * low - beta_2)} or more)"
            )
        if value >= 0.0:
            break
        low = high
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if excess(middle) < 0.0 else (low, middle)
    S = 0.5 * (low + high)
    return Gear(
        teeth=z,
        normal_module=m,
        normal_pressure_angle=wheel.normal_pressure_angle,
        helix_angle=sense * S - beta_2,
        cone_angle=cone(S),
        profile_shift=-wheel.profile_shift,
        **others,  # type: ignore[arg-type]
    )
