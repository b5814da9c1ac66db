"""The exact volume of a toothed body, from the exact outline of its sections."""

from __future__ import annotations

import math

from ..errors import ModelError
from ..gears.inputs import in_mm, positive
from ..gears.teeth import Teeth
from ..gears.teeth.section_moments import gauss_rule, section_moments
from .solid_grid import FloatArray

__all__ = ["gear_volume", "section_area"]


def section_area(teeth: Teeth, zeta: object = 0.0) -> FloatArray:
    """Area [m²] inside the outline of all (unmodified) teeth in the sections ζ [m]; of an internal gear that of its hole."""
    return section_moments(teeth, zeta).area


def gear_volume(teeth: Teeth, *, bore: object = None, rim_diameter: object = None) -> float:
    """Volume [m³] of a gear with its unmodified teeth, between its end faces and its bore (internal: its outside); less the grooves
    next to a web.

    bore, rim_diameter: in place of those of the gear [m].
    """
    gear = teeth.gear
    width = gear.required_face_width("its volume")
    x, w = gauss_rule(16)
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
