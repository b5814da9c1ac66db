"""Model methods that add torque converters, belts and chains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pitchline.base.arguments import names_wrong_arguments
from pitchline.declare.names import part_subject
from pitchline.declare.registry import Direction, OnBody, Quantity, Vector, directed_frame
from pitchline.facades import element_of_package
from pitchline.model.structure_methods import ElementMethods
from pitchline.solids.rotations import direction as read_direction
from pitchline.solids.rotations import z_to

if TYPE_CHECKING:
    from pitchline.declare.declared_element import DeclaredElement

__all__ = ["TransmissionMethods"]


@names_wrong_arguments
class TransmissionMethods(ElementMethods):
    """Torque converters, belts and chains."""

    def torque_converter(
        self,
        name: str,
        housing: OnBody,
        pump: OnBody,
        turbine: OnBody,
        *,
        speed_ratios: Sequence[Quantity],
        capacities: Sequence[Quantity],
        torque_ratios: Sequence[Quantity],
        coast_factor: Quantity = 1.0,
        drag: Quantity = 0.0,
        axis: Direction | None = None,
    ) -> DeclaredElement:
        """Add a hydrodynamic torque converter between two shafts.

        Parameters
        ----------
        name
            Name of the converter.
        housing
            Body that takes the torque of the stator, such as the ground, or a frame on it whose z is the axis.
        pump, turbine
            Input shaft and output shaft.
        speed_ratios
            Speeds of the turbine over speeds of the pump, increasing, from 0 to 1.
        capacities
            Torques of the pump over the square of its speed [N*m*s^2/rad^2]: 1/K^2 with the K factor of data sheets. They are 0 at
            the speed ratio 1, which is added if it is missing.
        torque_ratios
            Torques of the turbine over torques of the pump.
        coast_factor
            Capacity while the turbine drives the pump, over capacity while driving. Default 1.
        drag
            Drag of the turbine against the housing over its speed [N*m*s/rad]. Default 0.
        axis
            Direction of the axis, world axes, if the housing is a body. Default: z of the housing.
        """
        what = part_subject("torque converter", name) if isinstance(name, str) else "torque converter"
        if axis is not None:
            rotation = z_to(read_direction(axis, what=f"{what}: axis"))
            housing = directed_frame(self, housing, None, rotation, name, what, "at")
        made: DeclaredElement = element_of_package("torque_converter")(
            name, housing=housing, pump=pump, turbine=turbine, speed_ratios=speed_ratios, capacities=capacities,
            torque_ratios=torque_ratios, coast_factor=coast_factor, drag=drag,
        )  # fmt: skip
        return self.add(made)

    def _both(self, name: str, what: str, axis: Direction | None, ends: dict[str, Any]) -> dict[str, Any]:
        """Frames of both wheels with the same axis, if it is given."""
        if axis is not None:
            rotation = z_to(read_direction(axis, what=f"{what}: axis"))
            for end in ("a", "b"):
                ends[end] = directed_frame(self, ends[end], ends.pop(f"at_{end}"), rotation, name, what, f"at_{end}")
        return {key: value for key, value in ends.items() if value is not None}

    def belt_drive(
        self,
        name: str,
        a: OnBody,
        b: OnBody,
        *,
        radius_a: Quantity,
        radius_b: Quantity,
        tensile_stiffness: Quantity,
        pretension: Quantity,
        damping: Quantity = 0.0,
        crossed: bool = False,
        friction: Quantity | None = None,
        creep_speed: Quantity = 1e-3,
        at_a: Vector | None = None,
        at_b: Vector | None = None,
        axis: Direction | None = None,
    ) -> DeclaredElement:
        """Add a belt drive between two pulleys.

        Parameters
        ----------
        name
            Name of the belt.
        a, b
            Bodies of the pulleys, or frames on them whose z axes are the axes of rotation.
        radius_a, radius_b
            Radii of the pulleys to the middle of the belt [m].
        tensile_stiffness
            Force per strain of the belt, E A [N]. The stiffness of a strand is E A over its free length.
        pretension
            Tension of both strands in the initial pose [N].
        damping
            Damping of a strand [N*s/m]. Default 0.
        crossed
            If True, the belt is crossed, and the pulleys rotate in opposite directions. Default False.
        friction
            Friction coefficient of belt and pulleys. Default: the belt does not slip (toothed belt).
        creep_speed
            Slip speed at 76 % of the friction limit [m/s]. Default 1 mm/s.
        at_a, at_b
            World points of the pulleys [m], if bodies are given. Default: the origins of the bodies.
        axis
            Direction of both axes, world axes, if bodies are given. Default: z of the bodies.
        """
        what = part_subject("belt drive", name) if isinstance(name, str) else "belt drive"
        ends = self._both(name, what, axis, {"a": a, "b": b, "at_a": at_a, "at_b": at_b})
        if friction is not None:
            ends["friction"] = friction
        made: DeclaredElement = element_of_package("belt_drive")(
            name, radius_a=radius_a, radius_b=radius_b, tensile_stiffness=tensile_stiffness, pretension=pretension,
            damping=damping, crossed=crossed, creep_speed=creep_speed, **ends,
        )  # fmt: skip
        return self.add(made)

    def chain_drive(
        self,
        name: str,
        a: OnBody,
        b: OnBody,
        *,
        pitch: Quantity,
        teeth_a: int,
        teeth_b: int,
        tensile_stiffness: Quantity,
        pretension: Quantity = 0.0,
        slack: Quantity = 0.0,
        damping: Quantity = 0.0,
        polygon: bool = False,
        phase_a: Quantity = 0.0,
        phase_b: Quantity = 0.0,
        at_a: Vector | None = None,
        at_b: Vector | None = None,
        axis: Direction | None = None,
    ) -> DeclaredElement:
        """Add a chain drive between two sprockets.

        Parameters
        ----------
        name
            Name of the chain.
        a, b
            Bodies of the sprockets, or frames on them whose z axes are the axes of rotation.
        pitch
            Pitch of the chain [m].
        teeth_a, teeth_b
            Numbers of teeth.
        tensile_stiffness
            Force per strain of the chain [N].
        pretension
            Tension of both strands in the initial pose [N]. Default 0.
        slack
            Length of the chain beyond that of the initial pose without tension [m]. Default 0.
        damping
            Damping of a strand [N*s/m]. Default 0.
        polygon
            If True, lever arms vary with the position of the teeth (polygon effect). Default False.
        phase_a, phase_b
            Position of a tooth at the start of strand 1 in the initial pose, in pitches. Default 0.
        at_a, at_b
            World points of the sprockets [m], if bodies are given. Default: the origins of the bodies.
        axis
            Direction of both axes, world axes, if bodies are given. Default: z of the bodies.
        """
        what = part_subject("chain drive", name) if isinstance(name, str) else "chain drive"
        ends = self._both(name, what, axis, {"a": a, "b": b, "at_a": at_a, "at_b": at_b})
        made: DeclaredElement = element_of_package("chain_drive")(
            name, pitch=pitch, teeth_a=teeth_a, teeth_b=teeth_b, tensile_stiffness=tensile_stiffness, pretension=pretension,
            slack=slack, damping=damping, polygon=polygon, phase_a=phase_a, phase_b=phase_b, **ends,
        )  # fmt: skip
        return self.add(made)
