"""Model methods that add rotors that only spin, and gearboxes given as a ratio."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.declare.declared_element import DeclaredElement
from pitchline.declare.names import Frame, part_subject
from pitchline.declare.registry import Direction, OnBody, Quantity, Registry, Vector
from pitchline.errors import ModelError, Subject, shown
from pitchline.facades import element_of_package
from pitchline.model.structure_methods import ElementMethods
from pitchline.solids.rotations import crossed, direction, misalignment, z_to
from pitchline.units.quantity import quantity

from ..bodies.methods import BodyMethods, JointMethods
from ..bodies.part import ANGLE, Joint
from ..gears.geometry.axes import AXES_TOLERANCE
from ..meshes.laws.elastic import Rolling

__all__ = ["RatioMethods", "check_sign", "on_one_axis", "ratio_on_axis"]


@names_wrong_arguments
class RatioMethods(JointMethods, ElementMethods, BodyMethods):
    """Rotors that only spin, and gearboxes given as a ratio."""

    def ratio(
        self,
        name: str,
        a: Joint | str,
        b: Joint | str,
        *,
        ratio: Quantity | Fraction,
        efficiency: Quantity | tuple[Quantity, Quantity] = 1.0,
        stiffness: Quantity | None = None,
        damping: Quantity = 0.0,
        backlash: Quantity = 0.0,
    ) -> DeclaredElement:
        """Add a gearbox that is given as a ratio between the angles of two joints.

        The joints may be coaxial or distant, with parallel or other axes, and their first bodies may move. Each joint transmits
        the reaction to its first body, the housing. The initial pose is the zero position of the gearbox.

        Parameters
        ----------
        name
            Name of the gearbox.
        a
            Input: a revolute, cylindrical or screw joint, or its name. Its second body is the shaft.
        b
            Output: another such joint.
        ratio
            Speed of joint a divided by the speed of joint b. Negative: they rotate in opposite directions about the z axes of
            their joints. Full revolutions are counted exactly, for ratios of whole numbers up to 10000 as that ratio.
        efficiency
            Efficiency: one number, or two (a drives, b drives), at most 1. The loss holds at rest without creep, between the limits
            of both directions of motion. If the second is zero or negative, the gearbox is self-locking. Not with a stiffness.
            Default 1, no losses.
        stiffness
            Torque on b per twist of b, with a held [N*m/rad]. Default: rigid, one constraint.
        damping
            With a stiffness: torque on b per rate of the twist [N*m*s/rad]. Default 0.
        backlash
            With a stiffness: play of b, with a held [rad]. The initial pose is in its middle. Default 0.
        """
        what = part_subject("ratio", name) if isinstance(name, str) else part_subject("ratio", "")
        given: dict[str, Any] = {"a": a, "b": b, "ratio": float(ratio) if isinstance(ratio, Fraction) else ratio}
        if stiffness is None:
            elastic = {"damping": (damping, "N*m*s/rad"), "backlash": (backlash, "rad")}
            for key, (value, unit) in elastic.items():
                if quantity(value, unit, what=what / key) != 0.0:
                    raise ModelError(
                        f'{what}: {key} needs a stiffness; specify stiffness, e.g. stiffness="1e5 N*m/rad"',
                        about=what.at(key),
                    )
            etas = _efficiencies(efficiency, what / "efficiency")
            if etas == (1.0, 1.0):
                return self.add(element_of_package("gear_ratio")(name, **given))
            return self.add(element_of_package("lossy_gear_ratio")(name, **given, efficiency=etas))
        if _efficiencies(efficiency, what / "efficiency") != (1.0, 1.0):
            raise ModelError(
                f"{what}: efficiency must be 1 with a stiffness; omit stiffness, or put the elasticity on one of the shafts",
                about=what.at("efficiency"),
            )
        given |= {"stiffness": stiffness, "damping": damping, "backlash": backlash}
        return self.add(element_of_package("elastic_gear_ratio")(name, **given))

    def planetary_ratio(
        self, name: str, *, sun: Joint | str, ring: Joint | str, carrier: Joint | str, ratio: Quantity | Fraction
    ) -> DeclaredElement:
        """Add a planetary gear set or a differential that is given as a ratio between the angles of three joints.

        Willis' equation holds exactly: θ_sun + z θ_ring = (1 + z) θ_carrier, counted from the initial pose. The joints may be
        coaxial or distant. Each joint transmits the reaction to its first body.

        Parameters
        ----------
        name
            Name of the gear set.
        sun, ring, carrier
            Three revolute, cylindrical or screw joints, or their names. Their second bodies are the shafts. Of a differential: one
            side gear, the other side gear, the case.
        ratio
            Teeth of the ring divided by teeth of the sun, z. 1 for a differential. Negative for a set with pairs of planets.
        """
        value = float(ratio) if isinstance(ratio, Fraction) else ratio
        made = element_of_package("planetary_ratio")(name, sun=sun, ring=ring, carrier=carrier, ratio=value)
        return self.add(made)

    def rotor(
        self,
        name: str,
        on: OnBody,
        *,
        inertia: Quantity,
        axis: Direction | None = None,
        at: Vector | None = None,
        speed: Quantity = 0.0,
        mass: Quantity = 0.0,
        shape: Any = None,
        colour: str | None = None,
        hidden: bool = False,
    ) -> Joint:
        """Add a rotor that has only an inertia about its axis, and the revolute joint about which it spins on a body.

        The rotor is a body "NAME rotor" on a revolute joint NAME, and an element "NAME inertia". Its angular momentum acts on the
        body that carries it, as a torque about the axis and as a gyroscopic moment, whose error does not depend on the speed of
        the rotor. The mass of the real rotor and its inertia about axes across the shaft belong to the carrying body, its inertia
        about the shaft does not. On the ground, the body itself has the inertia (0, 0, J), and there is no element.

        Parameters
        ----------
        name
            Name of the joint: its signals are the angle and the speed of the rotor relative to the carrying body.
        on
            Body that carries the rotor, the ground, or a frame whose z axis is the axis of the rotor.
        inertia
            Moment of inertia about the axis [kg*m^2].
        axis
            Direction of the axis in the world, in the initial pose. Default: z of the carrying body.
        at
            World point on the axis [m], where the mass is located. Default: the origin of the carrying body.
        speed
            Initial speed relative to the carrying body [rad/s]. Default 0.
        mass
            Mass in addition to that of the carrying body, at the point [kg]. Default 0.
        shape, colour, hidden
            As in `body`; z of the shape is the axis.

        Returns
        -------
        The joint, for torques, drives and ratios.
        """
        what = part_subject("rotor", self._new_name(name, "rotor"))
        moment = quantity(inertia, "inertia", what=what / "inertia")
        if moment <= 0.0:
            raise ModelError(
                f"{what}: inertia must be greater than zero, got {moment:g} kg*m^2", about=what.at("inertia")
            )
        spin = quantity(speed, "angular velocity", what=what / "speed")
        frame = self._end(on, at, what, name)
        carrier = self._body_named(frame.body_name, what.at("on"))
        point, axes = self.placed(frame)
        if axis is not None:
            if isinstance(on, Frame):
                raise ModelError(f"{what}: the frame already defines the axis; omit axis", about=what.at("axis"))
            axes = z_to(direction(axis, what=what / "axis"))
        elif self.plane is not None and not isinstance(on, Frame):
            axes = z_to(self.plane.normal)
        arm = point - carrier.position
        body = self.body(
            f"{name} rotor",
            mass=mass,
            inertia=(0.0, 0.0, moment if carrier.is_ground else 0.0),
            position=point,
            orientation=axes,
            velocity=carrier.velocity + crossed(carrier.angular_velocity, arm),
            angular_velocity=carrier.angular_velocity + spin * axes[:, 2],
            any_inertia=carrier.is_ground,
            shape=shape,
            colour=colour,
            hidden=hidden,
        )
        try:
            joint = self.revolute(name, carrier, body, at=point, axis=axes[:, 2])
            if not carrier.is_ground:
                self.add(element_of_package("spin_inertia")(f"{name} inertia", on=joint, inertia=moment))
        except ModelError:
            self._bodies.pop(body.name)  # an error leaves the model as it was
            self._joints.pop(name, None)
            self._looks.pop(body.name, None)
            raise
        return joint


def _efficiencies(value: Any, what: Subject) -> tuple[float, float]:
    """Efficiency if a drives, and if b drives, from one number or two."""
    items = tuple(value) if isinstance(value, (list, tuple)) else (value, value)
    if len(items) != 2:
        raise ModelError(
            f"{what}: specify one number, or two: (a drives, b drives); got {len(items)}: {shown(value)}", about=what
        )
    first, second = (quantity(item, "number", what=what) for item in items)
    return first, second


# ---- ratio on axis

# Rolling(ratio=...) for two shafts on one axis: a gearbox, as a ratio between the joints of the shafts.

_APART = 1e-9
"""Distance of axes that coincide, as a fraction of the size of the model."""


def on_one_axis(model: Registry, a: Frame, b: Frame) -> bool:
    """Whether the z axes of two frames are one line in the initial pose."""
    (x_a, R_a), (x_b, R_b) = model.placed(a), model.placed(b)
    tilt = misalignment(R_a[:, 2], R_b[:, 2])
    apart = float(np.linalg.norm(crossed(R_a[:, 2], x_b - x_a)))
    return bool(min(tilt, np.pi - tilt) <= AXES_TOLERANCE and apart <= _APART * model.size)


def check_sign(mesh: Rolling, what: Subject) -> None:
    """Raise an error for a negative ratio or losses of wheels that roll on each other."""
    if mesh.efficiency is not None:
        raise ModelError(
            f"{what}: efficiency of Rolling is for two shafts on one axis; for wheels that roll on each other use "
            "Rigid(efficiency=...)",
            about=what.at("mesh"),
        )
    if mesh.ratio is not None and mesh.ratio < 0:
        raise ModelError(
            f"{what}: ratio must be greater than zero, got {float(mesh.ratio):g}: a negative ratio is for two shafts on one axis; "
            "for a ring specify internal=True",
            about=what.at("mesh"),
        )


def ratio_on_axis(model: Registry, mesh: Rolling, a: Frame, b: Frame, what: Subject) -> tuple[Joint, Joint, float]:
    """Joints of two shafts on one axis, and the ratio of their angles. ModelError if the joints are not clear."""
    assert mesh.ratio is not None
    if mesh.internal:
        raise ModelError(
            f"{what}: both shafts are on one axis, where internal has no meaning; omit it, and specify a negative ratio for "
            "opposite directions",
            about=what.at("mesh"),
        )
    found = [
        (joint_a, joint_b, sign_a * sign_b * float(mesh.ratio))
        for joint_a, housing_a, sign_a in _axles(model, a)
        for joint_b, housing_b, sign_b in _axles(model, b)
        if housing_a == housing_b
    ]
    if len(found) != 1:
        several = (
            f"have {len(found)} common housings" if found else "have no common housing with a joint about this axis"
        )
        raise ModelError(
            f'{what}: "{a.body_name}" and "{b.body_name}" are on one axis, and {several}; add a revolute joint from one housing to '
            'each of them, or specify the joints with ratio("...", joint_a, joint_b, ratio=...)',
            about=what,
        )
    return found[0]


def _axles(model: Registry, frame: Frame) -> list[tuple[Joint, str, float]]:
    """Joints about which a shaft rotates on its axis, with the other body and the sign of the angle: that of the shaft, about the
    same direction for all shafts on this axis."""
    z = model.placed(frame)[1][:, 2]
    found = []
    for joint in model.joints.values():
        if frame.body_name not in (joint.body_a, joint.body_b) or ANGLE not in joint.coordinates:
            continue
        second = joint.body_b == frame.body_name
        if on_one_axis(model, frame, joint.frame_b if second else joint.frame_a):
            along = float(model.placed(joint.frame_a)[1][:, 2] @ _one_direction(z))
            sign = 1.0 if second == (along > 0.0) else -1.0
            found.append((joint, joint.body_a if second else joint.body_b, sign))
    return found


def _one_direction(z: np.ndarray) -> np.ndarray:
    """One of both directions of an axis, the same for all parallel directions."""
    largest = int(np.argmax(np.abs(z)))
    return z if z[largest] > 0.0 else -z
