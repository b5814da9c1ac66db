"""Model methods that add friction that sticks, and the machine parts made of it: brakes, clutches, freewheels, torque limiters."""

from __future__ import annotations

from pitchline.base.arguments import names_wrong_arguments
from pitchline.declare.declared_element import DeclaredElement
from pitchline.declare.names import one_of, part_subject
from pitchline.declare.registry import Quantity, SignalInput
from pitchline.declare.signal_expression import SignalExpression, as_signal
from pitchline.errors import ModelError, Subject, shown
from pitchline.facades import element_of_package
from pitchline.functions.piecewise import Constant, Function
from pitchline.model.structure_methods import ElementMethods
from pitchline.units.quantity import quantity

from ..bodies.part import ANGLE, Joint
from ..springs.methods import LoadMethods

__all__ = ["FrictionMethods"]

UNLIMITED = 1e15
"""Torque of a freewheel without a limit [N*m]."""


@names_wrong_arguments
class FrictionMethods(LoadMethods, ElementMethods):
    """Friction that holds at rest exactly, brakes, clutches, freewheels and torque limiters."""

    def friction(
        self,
        name: str,
        joint: Joint | str,
        *,
        coulomb: SignalInput | None = None,
        static: Quantity | None = None,
        stribeck_speed: Quantity = 0.0,
        viscous: Quantity = 0.0,
        coefficient: float | None = None,
        normal_force: SignalInput | None = None,
        radius: Quantity | None = None,
        coordinate: str | None = None,
    ) -> DeclaredElement:
        """Add friction to the angle or displacement of a joint. It holds at rest without creep, and breaks away.

        Specify `coulomb`, or `coefficient` and `normal_force`, for an angle also `radius`.

        Parameters
        ----------
        name
            Name of the element.
        joint
            Joint, or its name.
        coulomb
            Friction in motion: [N*m] on an angle, [N] on a displacement. May depend on time or on signals.
        static
            Largest friction at rest, in the same unit, at least `coulomb`, which must then be constant. Default: `coulomb`.
        stribeck_speed
            Speed of the transition from `static` to `coulomb`: [rad/s] on an angle, [m/s] on a displacement. Default 0: the
            friction drops when motion starts.
        viscous
            Friction over the speed: [N*m*s/rad] on an angle, [N*s/m] on a displacement. Default 0.
        coefficient
            Coefficient of friction in motion.
        normal_force
            Normal force of the contact [N]. May depend on time or on signals.
        radius
            Distance of the contact from the axis [m].
        coordinate
            "angle" or "displacement". Required for cylindrical and screw joints.
        """
        what = part_subject("friction", name) if isinstance(name, str) else part_subject("friction", "")
        found = self._joint(joint, what.at("joint"))
        turns = self._free_coordinate(found, coordinate, what.at("joint")) == ANGLE
        capacity = _capacity(coulomb, coefficient, normal_force, radius, turns, what)
        made: DeclaredElement = element_of_package("friction" if turns else "sliding_friction")(
            name,
            on=found,
            capacity=capacity,
            static_ratio=_ratio(static, capacity, turns, what),
            stribeck_speed=stribeck_speed,
            viscous=viscous,
        )
        return self.add(made)

    def brake(
        self, name: str, joint: Joint | str, capacity: SignalInput, *, static_ratio: float = 1.0
    ) -> DeclaredElement:
        """Add a brake to the angle of a joint: a friction torque that may depend on time, and holds at rest.

        Parameters
        ----------
        name
            Name of the brake.
        joint
            Joint, or its name.
        capacity
            Brake torque [N*m]. May depend on time or on signals. 0: released.
        static_ratio
            Largest torque at rest divided by the brake torque in motion. Default 1.
        """
        made: DeclaredElement = element_of_package("friction")(
            name, on=joint, capacity=capacity, static_ratio=static_ratio
        )
        return self.add(made)

    def clutch(
        self,
        name: str,
        joint: Joint | str,
        other: Joint | str | None = None,
        *,
        capacity: SignalInput,
        static_ratio: float = 1.0,
        viscous: Quantity = 0.0,
    ) -> DeclaredElement:
        """Add a clutch: between the two bodies of a joint, or between two shafts on joints of their own.

        Parameters
        ----------
        name
            Name of the clutch.
        joint
            Joint between the two shafts; or the joint of the first shaft, if `other` is specified. Joint, or its name.
        other
            Joint of the second shaft. The clutch then acts on the angle of `joint` minus that of `other`.
        capacity
            Torque that it transmits while it slips [N*m]. May depend on time or on signals. 0: open.
        static_ratio
            Largest torque without slip divided by the torque while it slips. Default 1.
        viscous
            Drag torque over the slip speed [N*m*s/rad], also when it is open. Default 0.
        """
        return self._between(name, joint, other, capacity=capacity, static_ratio=static_ratio, viscous=viscous)

    def torque_limiter(
        self,
        name: str,
        joint: Joint | str,
        other: Joint | str | None = None,
        *,
        torque: Quantity,
        slip_torque: Quantity | None = None,
    ) -> DeclaredElement:
        """Add a torque limiter: two shafts rotate together up to a torque, and slip above it.

        Parameters
        ----------
        name
            Name of the torque limiter.
        joint, other
            As for `clutch`.
        torque
            Torque at which it starts to slip [N*m].
        slip_torque
            Torque while it slips [N*m], at most `torque`. Default: `torque`.
        """
        what = part_subject("torque limiter", name) if isinstance(name, str) else part_subject("torque limiter", "")
        most = quantity(torque, "torque", what=what / "torque")
        slips = most if slip_torque is None else quantity(slip_torque, "torque", what=what / "slip_torque")
        if not 0.0 < slips <= most:
            raise ModelError(
                f"{what}: slip_torque must be greater than 0 and at most torque = {most:g} N*m, got {slips:g} N*m",
                about=what.at("slip_torque" if slip_torque is not None else "torque"),
            )
        return self._between(name, joint, other, capacity=slips, static_ratio=most / slips)

    def one_way_clutch(
        self,
        name: str,
        joint: Joint | str,
        other: Joint | str | None = None,
        *,
        free: str = "forward",
        capacity: SignalInput | None = None,
    ) -> DeclaredElement:
        """Add a one-way clutch (freewheel): free in one direction, locked in the other.

        Parameters
        ----------
        name
            Name of the clutch.
        joint, other
            As for `clutch`.
        free
            "forward" (default): the angle of `joint` (minus that of `other`) may increase. "backward": it may decrease.
        capacity
            Torque at which it slips in the locked direction [N*m]. Default: it never slips.
        """
        what = part_subject("one-way clutch", name) if isinstance(name, str) else part_subject("one-way clutch", "")
        if not one_of(free, ("forward", "backward")):
            raise ModelError(f'{what}: free must be "forward" or "backward", got {shown(free)}', about=what.at("free"))
        against = "backward" if free == "forward" else "forward"
        limit = UNLIMITED if capacity is None else capacity
        return self._between(name, joint, other, capacity=limit, against=against)

    def _between(self, name: str, joint: Joint | str, other: Joint | str | None, **values: object) -> DeclaredElement:
        """Friction between the bodies of a joint, or between the shafts of two joints."""
        if other is None:
            made: DeclaredElement = element_of_package("friction")(name, on=joint, **values)
        else:
            made = element_of_package("clutch")(name, a=joint, b=other, **values)
        return self.add(made)


def _capacity(
    coulomb: SignalInput | None,
    coefficient: float | None,
    normal_force: SignalInput | None,
    radius: Quantity | None,
    turns: bool,
    what: Subject,
) -> Function | SignalExpression:
    """Friction in motion: over time, or from signals."""
    by_contact = {"coefficient": coefficient, "normal_force": normal_force, "radius": radius}
    given = [key for key, value in by_contact.items() if value is not None]
    if coulomb is not None:
        if given:
            raise ModelError(f"{what}: specify coulomb or {given[0]}, not both", about=what.at(given[0]))
        return as_signal(coulomb, "torque" if turns else "force", what=what / "coulomb")
    needed = ["coefficient", "normal_force", *(["radius"] if turns else [])]
    for key in needed:
        if key not in given:
            raise ModelError(
                f"{what}: specify coulomb, or {', '.join(needed[:-1])} and {needed[-1]}; {key} is missing", about=what
            )
    if not turns and radius is not None:
        raise ModelError(f"{what}: radius is only for friction on an angle", about=what.at("radius"))
    factor = quantity(coefficient, "", what=what / "coefficient")
    if factor < 0.0:
        raise ModelError(f"{what}: coefficient must not be negative, got {factor:g}", about=what.at("coefficient"))
    if turns:
        arm = quantity(radius, "length", what=what / "radius")
        if arm <= 0.0:
            raise ModelError(f"{what}: radius must be greater than 0, got {arm:g} m", about=what.at("radius"))
        factor *= arm
    force = as_signal(normal_force, "force", what=what / "normal_force")
    if isinstance(force, SignalExpression):
        return force.scaled(factor)
    return Constant(factor * float(force(0.0))) if isinstance(force, Constant) else force.scaled(factor)


def _ratio(static: Quantity | None, capacity: Function | SignalExpression, turns: bool, what: Subject) -> float:
    """Largest friction at rest over that in motion."""
    if static is None:
        return 1.0
    most = quantity(static, "torque" if turns else "force", what=what / "static")
    if not isinstance(capacity, Constant) or not float(capacity(0.0)) > 0.0:
        raise ModelError(
            f"{what}: static needs a constant friction in motion that is greater than 0. For friction over time, use an "
            "element with static_ratio (brake, clutch)",
            about=what.at("static"),
        )
    moving = float(capacity(0.0))
    if most < moving:
        raise ModelError(
            f"{what}: static must not be less than the friction in motion, {moving:g}, got {most:g}",
            about=what.at("static"),
        )
    return most / moving
