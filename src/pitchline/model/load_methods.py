"""Model methods that add drives, forces and torques."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from .drives import Drive
from .frames import Frame
from .functions import Constant
from .joints import ANGLE, DISPLACEMENT, Joint
from .loads import Bushing, Component, Force, JointLoad, Load, Stop, Torque
from .names import GROUND_NAME, one_of, part_subject
from .plane_checks import coordinate_problem, load_problem
from .registry import Registry
from .signal_expression import SignalExpression
from .signal_values import as_signal, as_signal_on_joint
from .types import OnBody, SignalInput, StateValue, TimeValue, TimeVector, Vector

__all__ = ["LoadMethods"]

AnyLoad = TypeVar("AnyLoad", bound=Load)


@names_wrong_arguments
class LoadMethods(Registry):
    """Drives and loads. Values that may depend on time are numbers, texts with a unit, Functions, callables t -> value, or
    expressions over signals of the model (`expression`)."""

    def drive(
        self,
        name: str,
        joint: Joint | str,
        *,
        angle: SignalInput | None = None,
        displacement: SignalInput | None = None,
        speed: TimeValue | None = None,
        coordinate: str | None = None,
    ) -> Drive:
        """Make a joint coordinate follow a function of time. Specify exactly one of angle, displacement and speed.

        Parameters
        ----------
        name
            Name of the drive.
        joint
            Joint, or its name.
        angle
            Angle over time [rad], or an expression over signals.
        displacement
            Displacement over time [m], or an expression over signals.
        speed
            Rate of the coordinate over time: [rad/s] for an angle, [m/s] for a displacement.
        coordinate
            "angle" or "displacement": the coordinate for `speed`. Required for cylindrical and screw joints.
        """
        what = part_subject("drive", self._new_name(name, "drive"))
        found = self._joint(joint, what.at("joint"))
        given = [
            (key, value)
            for key, value in ((ANGLE, angle), (DISPLACEMENT, displacement), ("speed", speed))
            if value is not None
        ]
        if len(given) != 1:
            got = " and ".join(key for key, _ in given) or "none"
            raise ModelError(f"{what}: specify exactly one of angle, displacement and speed, got {got}", about=what)
        key, value = given[0]
        if key != "speed" and coordinate is not None and not one_of(coordinate, (key,)):
            raise ModelError(
                f"{what}: {key}= contradicts coordinate={shown(coordinate)}; omit coordinate",
                about=what.at("coordinate"),
            )
        which = self._free_coordinate(found, coordinate if key == "speed" else key, what.at("joint"))
        for other in self._drives.values():
            if other.joint_name == found.name and (other.coordinate == which or found.kind == "screw"):
                raise ModelError(
                    f'{what}: joint "{found.name}" is already driven by "{other.name}"; use one drive for each coordinate',
                    about=what.at("joint"),
                )
        for stop in self._loads.values():
            if not isinstance(stop, Stop) or not stop.rigid or stop.joint_name != found.name:
                continue
            if stop.coordinate == which or found.kind == "screw":
                raise ModelError(
                    f'{what}: the rigid stop "{stop.name}" limits the {stop.coordinate} of joint "{found.name}", which then '
                    "cannot be prescribed; specify a stiffness of the stop, or remove one of them",
                    about=what.at("joint"),
                )
        if key == "speed":
            dimension = "angular velocity" if which == ANGLE else "velocity"
        else:
            dimension = "angle" if which == ANGLE else "length"
        function = as_signal(value, dimension, what=what / key)
        if key == "speed" and isinstance(function, SignalExpression):
            raise ModelError(
                f"{what}: a speed from signals is not possible; integrate it with an element (pl.Integral), and specify its "
                "output as angle or displacement",
                about=what.at(key),
            )
        drive = Drive(name, found.name, which, function, "speed" if key == "speed" else "position")
        self._drives[name] = drive
        return drive

    def force(
        self,
        name: str,
        on: OnBody | Joint,
        value: TimeVector | StateValue,
        *,
        at: Vector | None = None,
        axes: str = "world",
        reaction: OnBody | None = None,
    ) -> Force | JointLoad:
        """Add a force [N] with three components on a body or frame, or one value on the displacement of a joint.

        Parameters
        ----------
        name
            Name of the force.
        on
            Body, frame, name of a body, or joint.
        value
            Three components [N], or one value [N] on a joint. May depend on time, or on signals of the model (`expression`); on a
            joint also a Python function of `t`, `displacement` and `speed`.
        at
            World point at which the force acts, in the initial pose [m]. Default: the body origin.
        axes
            "world" (default), or "body" for components that rotate with the body.
        reaction
            Body on which the opposite force acts, at the same point of space. Default: none, the force is external.
        """
        what = part_subject("force", self._new_name(name, "force"))
        if self._means_joint(on):
            self._only_for_bodies(what, axes, at=at, reaction=reaction)
            return self._joint_load(name, on, value, DISPLACEMENT, "force", what)
        frame = self._end(on, at, what, name)
        self._not_ground(frame.body_name, what.at("on"))
        if isinstance(reaction, Frame):
            raise ModelError(
                f"{what}: the reaction acts at the point of the force, not at a frame; give the body on which it acts",
                about=what.at("reaction"),
            )
        back = None if reaction is None else self._body(reaction, what / "reaction").name
        return self._add_load(Force(name, frame, _components(value, "force", what), axes, back))

    def torque(
        self,
        name: str,
        on: OnBody | Joint | Bushing | None,
        value: TimeVector | StateValue,
        *,
        axes: str = "world",
        reaction: OnBody | None = None,
        coordinate: str | None = None,
    ) -> Torque | JointLoad:
        """Add a torque [N*m] with three components on a body, or one value on the angle of a joint.

        Parameters
        ----------
        name
            Name of the torque.
        on
            Body, name of a body, or joint; or a bushing, for a torque about its z axis.
        value
            Three components [N*m], or one value [N*m] on a joint or a bushing. May depend on time, or on signals of the model
            (`expression`); on a joint also a Python function of `t`, `angle` and `speed`.
        axes
            "world" (default), or "body" for components that rotate with the body.
        reaction
            Body on which the opposite torque acts. Default: none, the torque is external. On a joint it is always the first body of
            the joint.
        coordinate
            For a torque on a joint: "angle". Optional.
        """
        what = part_subject("torque", self._new_name(name, "torque"))
        if self._means_joint(on):
            self._only_for_bodies(what, axes, reaction=reaction)
            if coordinate is not None and not one_of(coordinate, (ANGLE,)):
                raise ModelError(
                    f"{what}: a torque acts on the angle of a joint, not on {shown(coordinate)}; use force(...)",
                    about=what.at("coordinate"),
                )
            return self._joint_load(name, on, value, ANGLE, "torque", what)
        if isinstance(on, Bushing):
            self._only_for_bodies(what, axes, reaction=reaction, coordinate=coordinate)
            return self._about_bushing(name, on, value, what)
        if on is None:
            raise ModelError(
                f"{what}: expected a body or a joint, got None. A free member has no bearing: specify its body, such as "
                'stage.carrier, and three components, such as (0, 0, "-500 N*m")',
                about=what.at("on"),
            )
        if coordinate is not None:
            raise ModelError(
                f"{what}: coordinate is for a torque on a joint, not on a body; omit it",
                about=what.at("coordinate"),
            )
        if isinstance(on, Frame):
            raise ModelError(f"{what}: a torque acts on a body, not at a frame; give the body", about=what.at("on"))
        body = self._body(on, what.at("on"))
        self._not_ground(body.name, what.at("on"))
        if isinstance(reaction, Frame):
            raise ModelError(
                f"{what}: the reaction of a torque is on a body, not at a frame; give the body",
                about=what.at("reaction"),
            )
        back = None if reaction is None else self._body(reaction, what / "reaction").name
        return self._add_load(Torque(name, body.name, _components(value, "torque", what), axes, back))

    def _about_bushing(self, name: str, bushing: Bushing, value: object, what: Subject) -> Torque:
        """A torque about the z axis of a bushing, as on the hinge that it replaces: on its second body, reaction on the first."""
        if self._loads.get(bushing.name) is not bushing:
            raise ModelError(
                f'{what}: bushing "{bushing.name}" is not part of model "{self.name}"; use a bushing of this model',
                about=what.at("on"),
            )
        if isinstance(value, (list, tuple, np.ndarray)):
            raise ModelError(
                f"{what}: a torque on a bushing is one value, about its z axis, got {shown(value)}",
                about=what.at("value"),
            )
        read = as_signal(value, "torque", what=what.at("value"))
        frame, body = bushing.frame_b, bushing.frame_b.body_name
        grounded = bushing.frame_a.body_name == GROUND_NAME
        axis = (bushing.frame_a if grounded else frame).rotation[:, 2]
        x, y, z = (read.scaled(float(k)) if k else Constant(0.0) for k in np.where(np.abs(axis) < 1e-15, 0.0, axis))
        self._not_ground(body, what.at("on"))
        if grounded:
            return self._add_load(Torque(name, body, (x, y, z), "world", None))
        return self._add_load(Torque(name, body, (x, y, z), "body", bushing.frame_a.body_name))

    def _free_coordinate(self, joint: Joint, coordinate: object, what: str) -> str:
        """The specified coordinate. In a planar model it must be able to change within the plane."""
        which = self._coordinate(joint, coordinate, what)
        problem = coordinate_problem(self, joint, which, what)
        if problem:
            raise problem
        return which

    def _add_load(self, load: AnyLoad) -> AnyLoad:
        problem = load_problem(self, load)
        if problem:
            raise problem
        self._loads[load.name] = load
        return load

    def _joint_load(
        self, name: str, joint: object, value: object, coordinate: str, dimension: str, what: Subject
    ) -> JointLoad:
        found = self._joint(joint, what.at("on"))
        self._free_coordinate(found, coordinate, what.at("on"))
        read = as_signal_on_joint(value, dimension, found.name, coordinate, what=what.at("value"))
        return self._add_load(JointLoad(name, found.name, coordinate, read))

    def _means_joint(self, on: object) -> bool:
        return isinstance(on, Joint) or (isinstance(on, str) and on in self._joints)

    @staticmethod
    def _not_ground(body_name: str, what: str) -> None:
        if body_name == GROUND_NAME:
            raise ModelError(
                f"{what}: acts on the ground, which cannot move; specify a body, with the ground as reaction",
                about=what,
            )

    @staticmethod
    def _only_for_bodies(what: Subject, axes: object, **options: object) -> None:
        if not one_of(axes, ("world",)):
            options["axes"] = axes
        for option, value in options.items():
            if value is not None:
                raise ModelError(
                    f"{what}: {option} is for loads on a body; a load on a joint acts on its second "
                    f"body, and its reaction on the first; omit {option}",
                    about=what.at(option),
                )


def _components(value: object, dimension: str, what: Subject) -> tuple[Component, Component, Component]:
    """Read three values over time, or expressions."""
    items = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(items, (list, tuple)) or len(items) != 3:
        raise ModelError(
            f'{what}: expected three components, such as (0, 0, "-100 N"), got {shown(value)}; '
            "one number is for a load on a joint",
            about=what.at("value"),
        )
    x, y, z = (
        as_signal(item, dimension, what=what.at("value", i).called(f"{what}[{i}]")) for i, item in enumerate(items)
    )
    return x, y, z
