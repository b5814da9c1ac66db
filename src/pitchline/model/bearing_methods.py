"""The method of a model that makes rolling bearings."""

from __future__ import annotations

from typing import Any

from ..arguments import names_wrong_arguments
from ..bearings.design import BearingDesign
from ..disk.element_finder import element_of_package
from .element_methods import ElementMethods
from .types import Direction, OnBody, Quantity, Vector

__all__ = ["BearingMethods"]


@names_wrong_arguments
class BearingMethods(ElementMethods):
    """Rolling bearings."""

    def bearing(
        self,
        name: str,
        a: OnBody,
        b: OnBody,
        design: BearingDesign,
        *,
        at: Vector | None = None,
        axis: Direction | None = None,
        cage: str = "rest",
        offset: Quantity = 0.0,
        preload: Quantity = 0.0,
        flipped: bool = False,
        damping: Quantity = 0.0,
        speed: Quantity = 0.0,
        lubrication: str = "none",
        viscosity: Quantity = 0.0,
        viscous_factor: Quantity | None = None,
        load_factor: Quantity | None = None,
        friction_speed: Quantity = 0.1,
    ) -> Any:
        """A rolling bearing: a has the outer ring, b the inner one. Both rings meet in the initial pose.

        Parameters
        ----------
        name
            Of the bearing.
        a, b
            Bodies, stations of shafts or frames with the outer and the inner ring; z of a frame is the axis of the bearing.
        design
            ``DeepGrooveBall(...)``, ``AngularContactBall(...)``, ``CylindricalRoller(...)``, ``TaperedRoller(...)``,
            ``SphericalRoller(...)`` or ``NeedleRoller(...)``.
        at, axis
            World point of its middle and direction of its axis in the initial pose; those of b without, or of a where b is the
            ground.
        cage
            "rest": rolling elements stand still, the first one on x; "turning": they turn with the rings, so that the stiffness
            varies as they pass; "smooth": their stiffness is spread over the circle.
        offset
            Shift of the inner ring into the contact of each row along the axis [m]: a preload.
        preload
            Axial force of each row without load [N], from which the shift is found once, for rigid surroundings, and then kept.
        flipped
            An angular contact or tapered bearing holds its inner ring against axial forces along +z; flipped, along -z.
        damping
            Of displacements [N*s/m]; of tilts times half the square of the pitch radius.
        speed
            Of the inner ring [rad/s], at which centrifugal forces of balls are counted; none by default.
        lubrication
            "grease", "oil mist", "oil bath" or "oil jet" for a friction torque by Palmgren's method; "none" without friction.
        viscosity
            Kinematic viscosity of the oil, or of the base oil of the grease, at the temperature of the bearing [m^2/s].
        viscous_factor, load_factor
            f_0 and f_1 of a catalogue in place of usual values.
        friction_speed
            Relative speed of the rings [rad/s] below which the friction torque falls to zero.
        """
        given = {
            "cage": cage, "offset": offset, "preload": preload, "flipped": flipped, "damping": damping, "speed": speed,
            "lubrication": lubrication, "viscosity": viscosity, "viscous_factor": viscous_factor, "load_factor": load_factor,
            "friction_speed": friction_speed,
        }  # fmt: skip
        made = element_of_package("bearing")(name, a=a, b=b, at=at, axis=axis, design=design, **given)
        return self.add(made)
