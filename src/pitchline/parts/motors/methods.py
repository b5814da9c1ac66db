"""Model methods that add motors and engines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pitchline.base.arguments import names_wrong_arguments
from pitchline.declare.registry import Quantity, TimeValue
from pitchline.facades import element_of_package
from pitchline.model.structure_methods import ElementMethods

from ..bodies.part import Joint

if TYPE_CHECKING:
    from pitchline.declare.declared_element import DeclaredElement

__all__ = ["MotorMethods"]


def _made(key: str, name: str, **given: Any) -> DeclaredElement:
    """Element with the arguments that are not None."""
    made: DeclaredElement = element_of_package(key)(name, **{k: v for k, v in given.items() if v is not None})
    return made


@names_wrong_arguments
class MotorMethods(ElementMethods):
    """Electric motors and combustion engines on the angle of a joint."""

    def dc_motor(
        self,
        name: str,
        on: Joint | str,
        *,
        voltage: TimeValue,
        resistance: Quantity,
        constant: Quantity,
        inductance: Quantity = 0.0,
        ratio: Quantity = 1.0,
        inertia: Quantity = 0.0,
        armature_current: Quantity | None = None,
    ) -> DeclaredElement:
        """Add a DC motor, with brushes or brushless with block commutation.

        Parameters
        ----------
        name
            Name of the motor.
        on
            Joint that it turns, or its name. The stator is on the first body of the joint.
        voltage
            Voltage at the terminals over time [V].
        resistance
            Resistance of the winding [ohm].
        constant
            Motor constant: torque per current [N*m/A], equal to the back EMF per speed [V*s/rad].
        inductance
            Inductance of the winding [H]. Default 0: the current follows voltage and speed without delay.
        ratio
            Speed of the rotor over speed of the joint, for a geared motor. Default 1.
        inertia
            Moment of inertia of the rotor about its axis [kg*m^2]. Default 0.
        armature_current
            Initial current [A], if there is an inductance. Default 0.
        """
        return self.add(
            _made(
                "dc_motor", name, on=on, voltage=voltage, resistance=resistance, constant=constant, inductance=inductance,
                ratio=ratio, inertia=inertia, armature_current=armature_current,
            )
        )  # fmt: skip

    def induction_motor(
        self,
        name: str,
        on: Joint | str,
        *,
        voltage: TimeValue,
        angular_frequency: TimeValue,
        pole_pairs: int,
        stator_resistance: Quantity,
        rotor_resistance: Quantity,
        stator_leakage: Quantity,
        rotor_leakage: Quantity,
        magnetizing_inductance: Quantity,
        transients: bool = True,
        ratio: Quantity = 1.0,
        inertia: Quantity = 0.0,
    ) -> DeclaredElement:
        """Add a three-phase induction motor by its equivalent circuit.

        Parameters
        ----------
        name
            Name of the motor.
        on
            Joint that it turns, or its name. The stator is on the first body of the joint.
        voltage
            Phase voltage (rms) over time [V].
        angular_frequency
            Angular frequency of the supply over time [rad/s], such as "50 Hz".
        pole_pairs
            Number of pole pairs.
        stator_resistance, rotor_resistance
            Resistances of a phase, the rotor referred to the stator [ohm].
        stator_leakage, rotor_leakage
            Leakage inductances, the rotor referred to the stator [H].
        magnetizing_inductance
            Magnetizing inductance [H].
        transients
            If True (default), the fluxes are states. If False, the torque is that of a constant speed.
        ratio
            Speed of the rotor over speed of the joint. Default 1.
        inertia
            Moment of inertia of the rotor about its axis [kg*m^2]. Default 0.
        """
        return self.add(
            _made(
                "induction_motor", name, on=on, voltage=voltage, angular_frequency=angular_frequency, pole_pairs=pole_pairs,
                stator_resistance=stator_resistance, rotor_resistance=rotor_resistance, stator_leakage=stator_leakage,
                rotor_leakage=rotor_leakage, magnetizing_inductance=magnetizing_inductance, transients=transients, ratio=ratio,
                inertia=inertia,
            )
        )  # fmt: skip

    def kloss_motor(
        self,
        name: str,
        on: Joint | str,
        *,
        angular_frequency: TimeValue,
        pole_pairs: int,
        breakdown_torque: Quantity,
        breakdown_slip: Quantity,
        rated_angular_frequency: Quantity = 2.0 * math.pi * 50.0,
        ratio: Quantity = 1.0,
        inertia: Quantity = 0.0,
    ) -> DeclaredElement:
        """Add an induction motor by its breakdown torque and breakdown slip (equation of Kloss).

        Parameters
        ----------
        name
            Name of the motor.
        on
            Joint that it turns, or its name. The stator is on the first body of the joint.
        angular_frequency
            Angular frequency of the supply over time [rad/s], such as "50 Hz". The voltage is proportional to it.
        pole_pairs
            Number of pole pairs.
        breakdown_torque
            Largest torque of the rotor [N*m].
        breakdown_slip
            Slip at the breakdown torque, at the rated frequency.
        rated_angular_frequency
            Rated angular frequency [rad/s]. Default: that of 50 Hz.
        ratio
            Speed of the rotor over speed of the joint. Default 1.
        inertia
            Moment of inertia of the rotor about its axis [kg*m^2]. Default 0.
        """
        return self.add(
            _made(
                "kloss_motor", name, on=on, angular_frequency=angular_frequency, pole_pairs=pole_pairs,
                breakdown_torque=breakdown_torque, breakdown_slip=breakdown_slip,
                rated_angular_frequency=rated_angular_frequency, ratio=ratio, inertia=inertia,
            )
        )  # fmt: skip

    def motor_map(
        self,
        name: str,
        on: Joint | str,
        *,
        speeds: Sequence[Quantity],
        torques: Sequence[Quantity],
        throttle: TimeValue = 1.0,
        zero_torques: Sequence[Quantity] | None = None,
        lag: Quantity = 0.0,
    ) -> DeclaredElement:
        """Add a motor by a table of torque over speed.

        Parameters
        ----------
        name
            Name of the motor.
        on
            Joint that it turns, or its name.
        speeds
            Speeds of the joint, increasing [rad/s].
        torques
            Torques on the second body at full throttle [N*m]. Beyond the table the torque continues as a straight line.
        throttle
            Throttle over time, 0 to 1. Default 1.
        zero_torques
            Torques at zero throttle [N*m]. Default: none.
        lag
            Time constant from throttle to torque [s]. Default 0.
        """
        return self.add(
            _made(
                "motor_map", name, on=on, speeds=speeds, torques=torques, throttle=throttle, zero_torques=zero_torques, lag=lag
            )
        )  # fmt: skip

    def combustion_engine(
        self,
        name: str,
        on: Joint | str,
        *,
        speeds: Sequence[Quantity],
        torques: Sequence[Quantity],
        gas_torque: Sequence[Quantity],
        firing_angles: Sequence[Quantity],
        throttle: TimeValue = 1.0,
        zero_torques: Sequence[Quantity] | None = None,
        zero_gas_torque: Sequence[Quantity] | None = None,
        strokes: int = 4,
        crank_angle: Quantity = 0.0,
        lag: Quantity = 0.0,
    ) -> DeclaredElement:
        """Add a combustion engine: mean torque over speed, and gas torque over the crank angle.

        Parameters
        ----------
        name
            Name of the engine.
        on
            Joint of the crankshaft, or its name.
        speeds
            Speeds of the crankshaft, increasing [rad/s].
        torques
            Mean torques at full throttle [N*m].
        gas_torque
            Gas torque of one cylinder at full throttle [N*m], equally spaced over one cycle (720 deg for four strokes). The cycle
            starts at the firing angle of the cylinder. Only the alternating part is used.
        firing_angles
            Crank angle at which the cycle of each cylinder starts, such as ["0 deg", "540 deg", "180 deg", "360 deg"] [rad].
        throttle
            Throttle over time, 0 to 1. Default 1.
        zero_torques
            Mean torques at zero throttle [N*m]. Default: none.
        zero_gas_torque
            Gas torque of one cylinder at zero throttle, by compression [N*m]. Default: none.
        strokes
            Strokes of a cycle: 4 (default) or 2.
        crank_angle
            Crank angle at joint angle zero [rad]. Default 0.
        lag
            Time constant from throttle to torque [s]. Default 0.
        """
        return self.add(
            _made(
                "combustion_engine", name, on=on, speeds=speeds, torques=torques, gas_torque=gas_torque,
                firing_angles=firing_angles, throttle=throttle, zero_torques=zero_torques, zero_gas_torque=zero_gas_torque,
                strokes=strokes, crank_angle=crank_angle, lag=lag,
            )
        )  # fmt: skip
