"""Teeth that layers of elements across the axis cannot divide, such as those of worms."""

from __future__ import annotations

import math

from ..errors import ModelError
from ..gears.gear import Gear
from ..gears.inputs import in_deg
from ..gears.rack import Rack

__all__ = ["WAYS_OUT", "is_steep", "is_worm", "too_steep"]

WAYS_OUT = (
    'Specify elements of your own from a file, or a rigid body of which only the flanks deform: grid={"body": "rigid"}'
)
_STEEPEST = math.radians(60.0)
"""Helix angle of cylindrical gears up to which transverse sections are divided into elements."""

_WORM = math.radians(75.0)
"""Helix angle beyond which the default grid has several 100,000 elements, some of them inverted."""


def is_worm(gear: Gear | Rack) -> bool:
    """Whether the default grid fails, after a long time."""
    return is_steep(gear) and abs(gear.helix_angle) > _WORM


def is_steep(gear: Gear | Rack) -> bool:
    """Whether transverse layers of elements are too oblique."""
    return abs(gear.helix_angle) > _STEEPEST and not (isinstance(gear, Gear) and gear.cone_angle)


def too_steep(gear: Gear | Rack) -> ModelError:
    """The error for such teeth."""
    return ModelError(
        f"elastic gear: a helix angle of {in_deg(gear.helix_angle)} is too steep for transverse layers of elements, as that of "
        f"a worm. {WAYS_OUT}"
    )
