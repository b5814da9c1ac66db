"""Teeth for an analysis of one gear: those of a gear, or of a wheel of a model."""

from __future__ import annotations

from ..errors import ModelError, near_names, shown
from ..gears import Gear, Rack
from ..gears.surfaces import SurfaceTeeth, surface_teeth
from ..gears.teeth import BevelTeeth, Teeth
from ..model import Model

__all__ = ["wheel_teeth"]


def wheel_teeth(
    gear: Gear | Rack | Teeth | BevelTeeth | SurfaceTeeth | Model, wheel: str | None, what: str
) -> tuple[Teeth | SurfaceTeeth, str]:
    """Return the teeth and a name: that of the wheel, or the number of teeth of the gear. Bevel gears and racks become surfaces."""
    found: object = gear
    if isinstance(gear, Model):
        if wheel is None and len(gear.wheels) == 1:
            wheel = next(iter(gear.wheels))
        if wheel not in gear.wheels:
            said = "specify the wheel of the model" if wheel is None else f"the model has no wheel {shown(wheel)}"
            raise ModelError(f"{what}: {said}; {near_names(str(wheel), gear.wheels)}")
        found = gear.wheels[str(wheel)].gear
    elif wheel is not None:
        raise ModelError(f"{what}: a wheel name is only for a model, got {shown(wheel)}")
    if isinstance(found, Gear) and not found.cone_angle and found.flanks is None:
        found = Teeth(found)
    if isinstance(found, (Gear, Rack, BevelTeeth)):
        found = surface_teeth(found)
    if not isinstance(found, (Teeth, SurfaceTeeth)):
        raise ModelError(
            f"{what}: expected a Gear, Teeth, or a model and the name of a wheel with teeth, got {shown(found)}"
        )
    kind = "rack" if isinstance(found.gear, Rack) else "gear"
    return found, wheel or f"a {kind} with {found.gear.teeth} teeth"
