"""What is measured on a gear: span over several teeth, dimension over balls or pins (ISO 21771:2007, 8).

All of the unmodified teeth, the backlash allowance j_s taken into account by the tooth thickness. σ is +1 for external
and −1 for internal gears.
"""

from __future__ import annotations

import math

from ...errors import ModelError
from ..gear import Gear
from ..inputs import in_mm, positive, whole
from ..involute import inverse_involute, involute

__all__ = ["ball_diameter", "over_balls", "span", "span_diameter", "span_teeth"]


def _cylindrical(gear: Gear, what: str) -> None:
    if gear.cone_angle or gear.profile_shift_angle:
        kind = "bevel wheel" if gear.cone_angle else "conical involute gear"
        raise ModelError(
            f"{what}: this measurement is not defined for a {kind}. Specify a cylindrical gear", about=what
        )


def span(gear: Gear, teeth: object = None) -> float:
    """Span measurement W_k [m] over k teeth (k spaces of an internal gear); `span_teeth` without a number.

    W_k = m_n cos α_n ((k − 1/2) π + z inv α_t) + σ (2 x m_n sin α_n − j_s cos α_n) .

    The internal gear has its k spaces in place of teeth, for which the sign of x and j_s turns round.
    """
    _cylindrical(gear, "span")
    k = span_teeth(gear) if teeth is None else whole(teeth, "span: teeth")
    m, a = gear.normal_module, gear.normal_pressure_angle
    base = m * math.cos(a) * ((k - 0.5) * math.pi + gear.teeth * involute(gear.transverse_pressure_angle))
    thicker = 2.0 * gear.profile_shift * m * math.sin(a) - gear.backlash_allowance * math.cos(a)
    return base + gear.sense * thicker


def span_diameter(gear: Gear, teeth: object = None) -> float:
    """The diameter [m] on which the planes of the span over k teeth touch: sqrt(d_b² + (W_k cos β_b)²)."""
    return math.hypot(gear.base_diameter, span(gear, teeth) * math.cos(gear.base_helix_angle))


def span_teeth(gear: Gear) -> int:
    """The k whose planes touch nearest to the circle d + 2 σ x m_n, half way up the tooth."""
    _cylindrical(gear, "span")
    wanted = gear.reference_diameter + 2.0 * gear.sense * gear.profile_shift * gear.normal_module
    guess = max(1, round(gear.teeth * gear.transverse_pressure_angle / math.pi))
    return min(range(max(1, guess - 4), guess + 12), key=lambda k: abs(span_diameter(gear, k) - wanted))


def ball_diameter(gear: Gear) -> float:
    """The ball [m] that touches near the circle d + 2 σ x m_n: D = d_b abs(tan(α_v + σ ψ_v) − tan α_v) cos β_b.

    α_v is the transverse profile angle there and ψ_v half the angle of the space. Exact on spur gears.
    """
    _cylindrical(gear, "ball_diameter")
    diameter = max(
        gear.reference_diameter + 2.0 * gear.sense * gear.profile_shift * gear.normal_module,
        gear.base_diameter * 1.001,
    )
    alpha = gear.pressure_angle_at(diameter)
    half = math.pi / gear.teeth - gear.tooth_thickness_at(diameter) / diameter
    return (
        gear.base_diameter
        * abs(math.tan(alpha + gear.sense * half) - math.tan(alpha))
        * math.cos(gear.base_helix_angle)
    )


def over_balls(gear: Gear, ball: object = None) -> float:
    """Dimension over balls of a diameter D_M [m] (between balls in an internal gear); `ball_diameter` without one.

    The centre of the ball lies on the circle d_K = d_b / cos α_Kt,

        inv α_Kt = inv α_t + σ (D_M / (z m_n cos α_n) − (π − z s_t/d) / z) ,

    and  M_dK = d_K + σ D_M  for even z,  d_K cos(π/(2z)) + σ D_M  for odd z. Over pins it is the same on spur gears and
    on helical gears with an even number of teeth.
    """
    _cylindrical(gear, "over_balls")
    D = ball_diameter(gear) if ball is None else positive(ball, "length", "over_balls: ball")
    space = math.pi / gear.teeth - gear.transverse_tooth_thickness / gear.reference_diameter
    reach = D / (gear.teeth * gear.normal_module * math.cos(gear.normal_pressure_angle))
    value = involute(gear.transverse_pressure_angle) + gear.sense * (reach - space)
    if value <= 0.0:
        raise ModelError(
            f"over_balls: a ball of {in_mm(D)} does not touch the involutes. Use a ball diameter close to "
            f"{in_mm(ball_diameter(gear))}"
        )
    centre = gear.base_diameter / math.cos(inverse_involute(value, what="over_balls"))
    across = 1.0 if gear.teeth % 2 == 0 else math.cos(0.5 * math.pi / gear.teeth)
    return centre * across + gear.sense * D
