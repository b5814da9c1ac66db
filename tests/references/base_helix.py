"""Base helix angle of a pair from its first gear: lengths on the base circle against those along the normal of the flanks."""

import math

import pitchline as pl


def base_helix_cosine(gear: pl.Gear, *, crossed: bool = False) -> float:
    """cos β_b, sin β_b = sin β cos α_n: a length along the normal divided by that on the base circle.

    1 for gears without common base circles, whose signals are along the normal."""
    return 1.0 if crossed else math.sqrt(1.0 - (math.sin(gear.helix_angle) * math.cos(gear.normal_pressure_angle)) ** 2)
