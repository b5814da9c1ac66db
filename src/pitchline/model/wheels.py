"""Wheel: a gear or a rack fixed on a body."""

from __future__ import annotations

from dataclasses import dataclass

from ..arguments import names_wrong_arguments
from ..errors import ModelError, shown
from ..gears import Gear, Rack
from ..solids.mass_properties import MassProperties
from .frames import Frame
from .names import part_subject

__all__ = ["Wheel"]


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Wheel:
    """Gear or rack on a body. `Model.gear_body` and `Model.wheel` make it.

    Attributes
    ----------
    name : str
    gear : Gear | Rack | None
        None for a body that rolls without teeth.
    frame : Frame
        Frame on the body with the axes of the gear: z is the wheel axis, the origin is in the middle of the face, x passes
        through the middle of a tooth. For a rack x points out of the teeth, y along the rack.
    solid : MassProperties | None
        Mass that it adds to its body, in the axes of its frame. None: it adds no mass.
    """

    name: str
    gear: Gear | Rack | None
    frame: Frame
    solid: MassProperties | None = None

    def __post_init__(self) -> None:
        what = part_subject("wheel", self.name)
        if self.gear is not None and not isinstance(self.gear, (Gear, Rack)):
            raise ModelError(f"{what}: expected a Gear or a Rack, got {shown(self.gear)}", about=what)
        if not isinstance(self.frame, Frame):
            raise ModelError(f"{what}: expected a frame on a body, got {shown(self.frame)}", about=what)

    @property
    def body_name(self) -> str:
        """Name of its body."""
        return self.frame.body_name

    @property
    def is_rack(self) -> bool:
        return isinstance(self.gear, Rack)

    def __repr__(self) -> str:
        if self.gear is None:
            return f"Wheel({self.name!r} without teeth, on {self.body_name!r})"
        kind = "Rack" if self.is_rack else "Gear"
        return f"Wheel({self.name!r}: {kind} of {self.gear.teeth} teeth on {self.body_name!r})"
