"""Spiral bevel teeth as surfaces: straight bevel teeth, turned about the axis by an angle that grows with the cone distance."""

import math

import numpy as np

import pitchline as pl
from pitchline.parts.gears.surfaces import SurfaceTeeth, surface_teeth
from pitchline.parts.gears.surfaces.fitting import fit_patch
from pitchline.parts.gears.teeth import BevelTeeth


def spiral_teeth(gear: pl.Gear, spiral: float) -> SurfaceTeeth:
    """Teeth on a straight bevel gear turned by τ = a ln(R/R_m), a = tan β / sin δ: their spiral angle is β [rad] everywhere."""
    straight, apex, R_m = surface_teeth(gear), BevelTeeth(gear).apex, gear.mean_cone_distance
    rate = math.tan(spiral) / math.sin(gear.cone_angle)

    def turned(base):
        def surface(u, v):
            p = base.point(u, v)
            R = np.sqrt(p[..., 0] ** 2 + p[..., 1] ** 2 + (p[..., 2] - apex) ** 2)
            P = (p[..., 0] + 1j * p[..., 1]) * np.exp(1j * rate * np.log(R / R_m))
            return np.stack([P.real, P.imag, p[..., 2]], axis=-1)

        return fit_patch(surface, facing=base.facing)

    nominal = gear.with_(helix_angle=spiral, normal_module=gear.normal_module * math.cos(spiral))
    return SurfaceTeeth(nominal, turned(straight.left), turned(straight.right))
