"""What is allowed but questionable in one wheel."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..errors import ModelError
from .inputs import in_mm
from .modifications import DeviationGrid

if TYPE_CHECKING:
    from .gear import Gear

__all__ = ["wheel_warnings"]

_THIN_TIP = 0.2
"""Least thickness at the tip, in units of m_n, that is usual (0.4 where the case is hardened)."""


def wheel_warnings(gear: Gear) -> tuple[str, ...]:
    """Warnings for undercut, thin tips, tips inside the base circle, modules of a metre, measured flanks outside
    the face, and modifications that do not fit."""
    found = _modifications(gear) if gear.modifications and gear.face_width is not None else []
    if gear.normal_module >= 1.0:
        found.append(
            f"a normal module of {gear.normal_module:g} m: plain numbers are in metres, "
            f'write "{gear.normal_module:g} mm" for millimetres'
        )
    if math.cos(gear.cone_angle) < 1e-9 or (gear.profile_shift_angle and gear.helix_angle):  # those: `Teeth.warnings`
        return tuple(found)
    form = gear.equivalent_cylinder
    if form.internal and form.tip_diameter < form.base_diameter:
        found.append(
            f"the tip circle ({in_mm(form.tip_diameter)}) is inside the base circle ({in_mm(form.base_diameter)}): "
            "the innermost part of the teeth is not an involute. Shorten them with tip_alteration"
        )
    if form.undercut and not gear.worm:
        found.append(
            f"undercut: profile shift {form.profile_shift:g} with {gear.teeth} teeth, "
            f"{form.minimum_profile_shift:.3f} is the least without"
        )
    if form.tip_thickness < _THIN_TIP * form.normal_module:
        found.append(
            f"thin tips: {in_mm(form.tip_thickness)}, less than {_THIN_TIP:g} m_n; shorten the teeth or reduce the "
            "profile shift"
        )
    return tuple(found)


def _modifications(gear: Gear) -> list[str]:
    """Warnings of the flanks about their modifications. The flanks are computed for this, in a few milliseconds."""
    from .teeth import Teeth

    given = gear.modifications
    half = 0.5 * gear.required_face_width("modifications")
    found = []
    parts = [*given.both, *given.left, *given.right, *(part for _, some in given.per_tooth for part in some)]
    for grid in [part for part in parts if isinstance(part, DeviationGrid)]:
        low, high = float(grid.faces[0]), float(grid.faces[-1])
        if min(high, half) - max(low, -half) < half:
            found.append(
                f"a measured flank from ζ = {in_mm(low)} to {in_mm(high)} covers less than half of the face, which goes from "
                f"{in_mm(-half)} to {in_mm(half)}: ζ counts from its middle"
            )
    try:
        Teeth(gear)
    except ModelError as error:
        found.append(f"its teeth cannot be made: {error}")
    return found
