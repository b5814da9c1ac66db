"""The exact volume of a toothed body, from the exact outline of its sections.

By Gauss's theorem the area inside an outline is  A = ½ ∮ (x dy − y dx) = ½ ∮ Im(P̄ dP) ; radii contribute nothing, so
that the seven curves of one tooth, from the middle of one space to that of the next, make one z-th of it. Each is
analytic, and so is A over the face coordinate: Gauss's rule takes both to rounding.
"""

from __future__ import annotations

import math

import numpy as np

from ..errors import ModelError
from ..gears.inputs import in_mm, positive
from ..gears.teeth import Teeth
from ..gears.teeth.surface import ToothSurface
from .solid_grid import FloatArray

__all__ = ["gear_volume", "section_area"]

_POINTS = 48


def _swept(surface: ToothSurface, low: FloatArray, high: FloatArray, zeta: FloatArray) -> FloatArray:
    """½ ∫ Im(P̄ P_u) du between two limits, at each ζ [m²]."""
    x, w = np.polynomial.legendre.leggauss(_POINTS)
    half = 0.5 * (high - low)
    u = 0.5 * (high + low)[:, None] + half[:, None] * x
    d = surface.derivatives(u, zeta[:, None])
    swept: FloatArray = 0.5 * half * ((np.conj(d.P) * d.u).imag @ w)
    return swept


def section_area(teeth: Teeth, zeta: object = 0.0) -> FloatArray:
    """Area [m²] inside the outline of all (unmodified) teeth in the sections ζ [m]; of an internal gear that of its hole."""
    z = np.atleast_1d(np.asarray(zeta, dtype=np.float64))
    total = _swept(teeth.tip, -np.ones_like(z), np.ones_like(z), z)
    for flank, sign in ((teeth.right, 1.0), (teeth.left, -1.0)):
        form, tip = flank.form_roll_length(z), flank.tip_roll_length(z)
        total = total + sign * _swept(flank.involute, form, tip, z)
        total = total + sign * _swept(flank.root, np.zeros_like(z), np.ones_like(z), z)
        low, high = flank.fillet.limits(z)
        bend = np.clip(1.0, low, high)  # of a rack tip with protuberance the rounding ends at u = 1
        total = total + sign * (_swept(flank.fillet, low, bend, z) + _swept(flank.fillet, bend, high, z))
    area: FloatArray = teeth.gear.teeth * total
    return area


def gear_volume(teeth: Teeth, *, bore: object = None, rim_diameter: object = None) -> float:
    """Volume [m³] of a gear with its unmodified teeth, between its end faces and its bore (internal: its outside); less the grooves
    next to a web.

    bore, rim_diameter: in place of those of the gear [m].
    """
    gear = teeth.gear
    width = gear.required_face_width("its volume")
    x, w = np.polynomial.legendre.leggauss(16)
    toothed = 0.5 * width * float(section_area(teeth, 0.5 * width * x) @ w)
    if gear.internal:
        outside = (
            gear.rim_diameter if rim_diameter is None else positive(rim_diameter, "length", "gear volume: rim_diameter")
        )
        if outside is None:
            raise ModelError("gear volume: an internal gear requires rim_diameter, its outer diameter")
        if outside <= gear.root_diameter:
            raise ModelError(
                f"gear volume: rim_diameter {in_mm(outside)} is not outside the teeth. Specify a larger one"
            )
        return 0.25 * math.pi * outside**2 * width - toothed
    hole = gear.bore if bore is None else positive(bore, "length", "gear volume: bore")
    web, body = gear.body.web_thickness, gear.body
    groove = 0.0
    if web is not None:
        groove = 0.25 * math.pi * (gear.inside_of_rim**2 - max(body.hub_diameter or 0.0, hole) ** 2) * (width - web)
    return toothed - 0.25 * math.pi * hole**2 * width - groove
