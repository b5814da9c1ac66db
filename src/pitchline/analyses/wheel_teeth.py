"""Teeth for an analysis of one gear: those of a gear, or of a wheel of a model."""

from __future__ import annotations

from ..errors import ModelError, near_names, shown
from ..gears import Gear
from ..gears.teeth import Teeth
from ..model import Model

__all__ = ["wheel_teeth"]


def wheel_teeth(gear: Gear | Teeth | Model, wheel: str | None, what: str) -> tuple[Teeth, str]:
    """Return the teeth and a name: that of the wheel, or the number of teeth of the gear."""
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
    if isinstance(found, Gear):
        found = Teeth(found)
    if not isinstance(found, Teeth):
        raise ModelError(
            f"{what}: expected a Gear, Teeth, or a model and the name of a wheel with teeth, got {shown(found)}"
        )
    return found, wheel or f"a gear with {found.gear.teeth} teeth"
