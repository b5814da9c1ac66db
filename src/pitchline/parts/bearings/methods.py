"""Model methods that add rolling bearings and axial supports."""

from __future__ import annotations

from typing import Any

from pitchline.base.arguments import names_wrong_arguments
from pitchline.declare.registry import Direction, OnBody, Quantity, Vector
from pitchline.facades import element_of_package
from pitchline.model.structure_methods import ElementMethods

from .design import BearingDesign

__all__ = ["BearingMethods"]


@names_wrong_arguments
class BearingMethods(ElementMethods):
    """Rolling bearings and axial supports."""

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
        """Add a rolling bearing between two bodies. Both rings coincide in the initial pose.

        Parameters
        ----------
        name
            Name of the bearing.
        a, b
            Bodies, stations of shafts, or frames with the outer ring (a) and the inner ring (b). The z axis of a frame is the
            bearing axis.
        design
            ``DeepGrooveBall(...)``, ``AngularContactBall(...)``, ``CylindricalRoller(...)``, ``TaperedRoller(...)``,
            ``SphericalRoller(...)`` or ``NeedleRoller(...)``.
        at, axis
            Centre of the bearing in the world [m] and direction of its axis, in the initial pose. Default: origin and z axis of
            b; of a if b is the ground.
        cage
            Motion of the rolling elements. "rest" (default): they do not move, the first one is on the x axis. "turning": they
            move with the rings, so that the stiffness varies as they pass. "smooth": their stiffness is distributed evenly
            around the bearing.
        offset
            Axial shift of the inner ring into the contact of each row [m], a preload. Default 0.
        preload
            Axial preload force of each row without external load [N]. The corresponding shift is computed once, with rigid
            surroundings, and does not change afterwards. Default 0.
        flipped
            If False (default), an angular contact or tapered bearing supports axial forces on its inner ring along +z. If True,
            along -z.
        damping
            Damping of displacements [N*s/m]. The damping of tilts is this value times half the square of the pitch radius.
            Default 0.
        speed
            Speed of the inner ring [rad/s] for which the centrifugal forces of the balls are computed. Default 0: no centrifugal
            forces.
        lubrication
            "grease", "oil mist", "oil bath" or "oil jet": friction torque by Palmgren's method. "none" (default): no friction.
        viscosity
            Kinematic viscosity of the oil, or of the base oil of the grease, at the operating temperature [m^2/s]. Default 0.
        viscous_factor, load_factor
            Friction factors f_0 and f_1 from a catalogue. Default: typical values of the bearing type.
        friction_speed
            Relative speed of the rings [rad/s] below which the friction torque decreases to zero. Default 0.1.
        """
        given = {
            "cage": cage, "offset": offset, "preload": preload, "flipped": flipped, "damping": damping, "speed": speed,
            "lubrication": lubrication, "viscosity": viscosity, "viscous_factor": viscous_factor, "load_factor": load_factor,
            "friction_speed": friction_speed,
        }  # fmt: skip
        made = element_of_package("bearing")(name, a=a, b=b, at=at, axis=axis, design=design, **given)
        return self.add(made)

    def axial_support(
        self,
        name: str,
        a: OnBody,
        b: OnBody,
        *,
        stiffness: Quantity,
        direction: str,
        clearance: Quantity = 0.0,
        damping: Quantity = 0.0,
        at: Vector | None = None,
        axis: Direction | None = None,
    ) -> Any:
        """Add a support along an axis in one direction: a thrust bearing, the flange of a roller bearing, a shoulder.

        It presses and never pulls. Rotation, tilt and displacement across the axis are free. Two supports with opposite
        directions make a support in both directions, with an axial clearance.

        Parameters
        ----------
        name
            Name of the support.
        a, b
            Supporting and supported body: bodies, stations of shafts, or frames. The z axis of the frame of `a` is the axis.
        stiffness
            Stiffness along the axis [N/m].
        direction
            "positive": carries forces on b along +z. "negative": along -z.
        clearance
            Axial clearance in the initial pose [m]. Default 0.
        damping
            Damping along the axis while it presses [N*s/m]. Default 0.
        at, axis
            Point in the world [m] and direction of the axis, in the initial pose. Default: origin and z axis of b; of a if b is the
            ground.
        """
        made = element_of_package("axial_support")(
            name,
            a=a,
            b=b,
            at=at,
            axis=axis,
            stiffness=stiffness,
            direction=direction,
            clearance=clearance,
            damping=damping,
        )
        return self.add(made)
