"""Base helix angle of a pair from its first gear: lengths on the base circle against those along the normal of the flanks."""

import math

import pitchline as pl


def base_helix_cosine(gear: pl.Gear, *, crossed: bool = False) -> float:
    """cos β_b, sin β_b = sin β cos α_n: a length along the normal divided by that on the base circle.

    1 for gears without common base circles, whose signals are along the normal."""
    return 1.0 if crossed else math.sqrt(1.0 - (math.sin(gear.helix_angle) * math.cos(gear.normal_pressure_angle)) ** 2)


def lever_of(pair: pl.GearPair) -> float:
    """Length in signals over the motion of B [m], over the travel of a rack: r_B cos α_t, or, of gears without common base circles,
    r_B cos β_B cos α_n."""
    pitch = pair.pitch
    along_hoop = math.cos(pitch.beta_b) if pitch.is_rack else 0.5 * pitch.normal_module * pitch.teeth_b
    crossed = abs(pitch.beta_a + pitch.beta_b) > 1e-6 or pair.kind == "beveloid"
    return along_hoop * math.cos(pitch.pressure_angle) / base_helix_cosine(pair.a, crossed=crossed)
