"""Position of a new wheel in the world: from its own arguments, or in mesh with another wheel."""

from __future__ import annotations

import numpy as np

from ..errors import ModelError, Subject, shown
from ..gears import Gear, GearPair, Rack
from ..gears.inputs import MOST
from ..solids.rotations import Array, Rotation, direction, read_rotation, z_to
from ..units import quantity, vector
from .body_methods import BodyMethods
from .gear_checks import none_of
from .joints import Placed

__all__ = ["GearPlacement", "WheelPlace"]


class WheelPlace:
    """Position of a wheel: the given point with the name of its argument, and the default origin and axes."""

    def __init__(self, point: object, name: str, origin: Array, axes: Array) -> None:
        self.point, self.name, self.origin, self.axes = point, name, origin, axes


class GearPlacement(BodyMethods):
    """Placement of wheels."""

    def _gear_pose(
        self,
        name: str,
        gear: Gear | Rack,
        what: Subject,
        at: WheelPlace,
        *,
        axis: object,
        orientation: object,
        phase: object,
        mesh_with: object,
        towards: object,
        axial_shift: object,
        tooth: object,
        centre_distance: object,
        shaft_angle: object,
    ) -> Placed:
        """Centre (3,) and axes (3, 3) of a new wheel in the world."""
        turn = quantity(phase, "angle", what=what / "phase")
        shift = quantity(axial_shift, "length", what=what / "axial_shift")
        if isinstance(tooth, bool) or not isinstance(tooth, (int, np.integer)):
            raise ModelError(f"{what}: tooth must be a whole number, got {shown(tooth)}", about=what.at("tooth"))
        if abs(int(tooth)) > MOST:
            raise ModelError(
                f"{what}: tooth must be from {-MOST} to {MOST}, got {shown(tooth)}. It counts the spaces of the rack",
                about=what.at("tooth"),
            )
        if turn and isinstance(gear, Rack):
            raise ModelError(
                f"{what}: phase rotates a wheel about its axis, but a rack has no axis; omit phase, and move the rack",
                about=what.at("phase"),
            )
        by_axes = {at.name: at.point, "axis": axis, "orientation": orientation, "phase": turn or None}
        by_mesh = {
            "towards": towards,
            "axial_shift": shift or None,
            "tooth": tooth or None,
            "centre_distance": centre_distance,
            "shaft_angle": shaft_angle,
        }
        if mesh_with is None:
            none_of(by_mesh, what, "mesh_with is missing; specify the other wheel, or omit")
            if axis is not None and orientation is not None:
                raise ModelError(f"{what}: specify axis or orientation, not both", about=what.at("orientation"))
            R = at.axes
            if axis is not None:
                R = z_to(direction(axis, what=what / "axis"))
            elif orientation is not None:
                R = read_rotation(orientation, what=what / "orientation")
            x = at.origin if at.point is None else vector(at.point, "length", what=what / at.name)
            return x, R @ Rotation("z", turn).matrix if turn else R
        none_of(by_axes, what, "mesh_with already defines position and axes; omit")
        other = self._wheel(mesh_with, what / "mesh_with")
        if not isinstance(other.gear, Gear):
            raise ModelError(
                f'{what}: "{other.name}" is a rack, so that the position of the wheel along it is not defined; make the '
                f"pinion first and the rack with mesh_with=, or place the wheel with {at.name} and orientation",
                about=what.at("mesh_with"),
            )
        pair = GearPair(
            other.gear,
            gear,
            centre_distance=centre_distance,
            shaft_angle=shaft_angle,
            what=what.called(f'{what} ("{other.name}" is A, "{name}" is B)'),
        )
        if tooth and not isinstance(gear, Rack):
            raise ModelError(
                f"{what}: tooth is the space of a rack that is at the pinion; omit it for a gear",
                about=what.at("tooth"),
            )
        origin, axes = self.placed(other.frame)
        side = None if towards is None else direction(towards, what=what / "towards")
        placed = pair.place(position=origin, rotation=axes, towards=side, axial_shift=shift, tooth=int(tooth))
        return placed.position, placed.rotation
