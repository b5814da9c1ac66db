"""Model methods that add loads that depend on the speed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pitchline.base.arguments import names_wrong_arguments
from pitchline.declare.names import part_subject
from pitchline.declare.registry import Direction, OnBody, Quantity, TimeValue, Vector, directed_frame
from pitchline.facades import element_of_package
from pitchline.model.structure_methods import ElementMethods
from pitchline.solids.rotations import direction as read_direction
from pitchline.solids.rotations import z_to

from ..bodies.part import Joint

if TYPE_CHECKING:
    from pitchline.declare.declared_element import DeclaredElement

__all__ = ["SpeedLoadMethods"]


@names_wrong_arguments
class SpeedLoadMethods(ElementMethods):
    """Loads over speed: fan, table, road, propeller."""

    def fan_load(
        self,
        name: str,
        on: Joint | str,
        *,
        rated_torque: Quantity,
        rated_speed: Quantity,
        constant_torque: Quantity = 0.0,
        smoothing_speed: Quantity = 0.1,
    ) -> DeclaredElement:
        """Add a fan or a pump: a torque against the rotation that grows with the square of the speed.

        Parameters
        ----------
        name
            Name of the load.
        on
            Joint, or its name.
        rated_torque, rated_speed
            Torque [N*m] at the rated speed [rad/s].
        constant_torque
            Part of the rated torque that does not depend on the speed [N*m]. Default 0.
        smoothing_speed
            Speed below which the constant part falls to zero [rad/s]. Default 0.1.
        """
        made: DeclaredElement = element_of_package("fan_load")(
            name, on=on, rated_torque=rated_torque, rated_speed=rated_speed, constant_torque=constant_torque,
            smoothing_speed=smoothing_speed,
        )  # fmt: skip
        return self.add(made)

    def speed_load(
        self, name: str, on: Joint | str, *, speeds: Sequence[Quantity], torques: Sequence[Quantity]
    ) -> DeclaredElement:
        """Add a load by a table of torque over speed.

        Parameters
        ----------
        name
            Name of the load.
        on
            Joint, or its name.
        speeds
            Speeds, increasing [rad/s]. A table of positive speeds is used in both directions.
        torques
            Torques against the rotation [N*m]. Beyond the table they continue as a straight line.
        """
        made: DeclaredElement = element_of_package("speed_load")(name, on=on, speeds=speeds, torques=torques)
        return self.add(made)

    def road_load(
        self,
        name: str,
        on: Joint | str,
        *,
        radius: Quantity,
        vehicle_mass: Quantity,
        rolling_coefficient: Quantity = 0.0,
        drag_area: Quantity = 0.0,
        air_density: Quantity = 1.2,
        slope: TimeValue = 0.0,
        wind: TimeValue = 0.0,
        smoothing_speed: Quantity = 0.1,
        gravitational_acceleration: Quantity = 9.81,
    ) -> DeclaredElement:
        """Add the road load of a vehicle to the joint of its wheel: rolling resistance, drag of the air, slope.

        Parameters
        ----------
        name
            Name of the load.
        on
            Joint of the wheel, or its name. The vehicle drives forward if the angle increases.
        radius
            Radius of the wheel [m].
        vehicle_mass
            Mass of the vehicle, for its weight [kg]. Its inertia is not included: add mass times radius squared to the wheel.
        rolling_coefficient
            Rolling resistance over weight. Default 0.
        drag_area
            Drag coefficient times frontal area [m^2]. Default 0.
        air_density
            Density of the air [kg/m^3]. Default 1.2.
        slope
            Angle of the road over time, positive uphill [rad]. Default 0.
        wind
            Speed of the head wind over time [m/s]. Default 0.
        smoothing_speed
            Speed below which the rolling resistance falls to zero [m/s]. Default 0.1.
        gravitational_acceleration
            Gravity of the weight [m/s^2]. Default 9.81.
        """
        made: DeclaredElement = element_of_package("road_load")(
            name, on=on, radius=radius, vehicle_mass=vehicle_mass, rolling_coefficient=rolling_coefficient, drag_area=drag_area,
            air_density=air_density, slope=slope, wind=wind, smoothing_speed=smoothing_speed,
            gravitational_acceleration=gravitational_acceleration,
        )  # fmt: skip
        return self.add(made)

    def road_resistance(
        self,
        name: str,
        on: OnBody,
        *,
        vehicle_mass: Quantity,
        rolling_coefficient: Quantity = 0.0,
        drag_area: Quantity = 0.0,
        air_density: Quantity = 1.2,
        slope: TimeValue = 0.0,
        wind: TimeValue = 0.0,
        smoothing_speed: Quantity = 0.1,
        gravitational_acceleration: Quantity = 9.81,
        at: Vector | None = None,
    ) -> DeclaredElement:
        """Add the road load to the body of a vehicle. Forward is x of the body, or of the frame.

        Parameters
        ----------
        name
            Name of the load.
        on
            Body of the vehicle, or a frame on it whose x axis is the forward direction.
        vehicle_mass
            Mass of the vehicle, for its weight [kg]. Its inertia is that of the bodies.
        rolling_coefficient
            Rolling resistance over weight. Default 0.
        drag_area
            Drag coefficient times frontal area [m^2]. Default 0.
        air_density
            Density of the air [kg/m^3]. Default 1.2.
        slope
            Angle of the road over time, positive uphill [rad], if gravity of the model does not contain it. Default 0.
        wind
            Speed of the head wind over time [m/s]. Default 0.
        smoothing_speed
            Speed below which the rolling resistance falls to zero [m/s]. Default 0.1.
        gravitational_acceleration
            Gravity of the weight [m/s^2]. Default 9.81.
        at
            World point of the force [m], if a body is given. Default: its origin.
        """
        made: DeclaredElement = element_of_package("road_resistance")(
            name, on=on, vehicle_mass=vehicle_mass, rolling_coefficient=rolling_coefficient, drag_area=drag_area,
            air_density=air_density, slope=slope, wind=wind, smoothing_speed=smoothing_speed,
            gravitational_acceleration=gravitational_acceleration, at=at,
        )  # fmt: skip
        return self.add(made)

    def propeller(
        self,
        name: str,
        on: OnBody,
        *,
        diameter: Quantity,
        density: Quantity,
        advance_ratios: Sequence[Quantity],
        thrust_coefficients: Sequence[Quantity],
        torque_coefficients: Sequence[Quantity],
        hand: str = "right",
        at: Vector | None = None,
        axis: Direction | None = None,
    ) -> DeclaredElement:
        """Add a propeller to a body that rotates: thrust along its axis, and torque against its rotation.

        Parameters
        ----------
        name
            Name of the propeller.
        on
            Body of the propeller, or a frame on it. z of the frame is the direction of the thrust.
        diameter
            Diameter [m].
        density
            Density of the fluid [kg/m^3].
        advance_ratios
            Advance ratios J = v / (n D), increasing.
        thrust_coefficients, torque_coefficients
            Coefficients K_T = thrust / (rho n^2 D^4) and K_Q = torque / (rho n^2 D^5) at these advance ratios.
        hand
            "right" (default): positive rotation about z gives thrust along z. "left": negative rotation.
        at
            World point of the propeller [m], if a body is given. Default: its origin.
        axis
            Direction of the thrust, world axes, if a body is given. Default: z of the body.
        """
        what = part_subject("propeller", name) if isinstance(name, str) else "propeller"
        if axis is not None:
            rotation = z_to(read_direction(axis, what=f"{what}: axis"))
            on, at = directed_frame(self, on, at, rotation, name, what, "at"), None
        made: DeclaredElement = element_of_package("propeller")(
            name, on=on, diameter=diameter, density=density, advance_ratios=advance_ratios,
            thrust_coefficients=thrust_coefficients, torque_coefficients=torque_coefficients, hand=hand, at=at,
        )  # fmt: skip
        return self.add(made)
