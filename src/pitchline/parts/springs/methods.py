"""Model methods that add drives, forces, torques, springs, bushings and stops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.declare.names import GROUND_NAME, Frame, one_of, part_subject
from pitchline.declare.registry import (
    Direction,
    OnBody,
    Quantity,
    Registry,
    SignalInput,
    StateValue,
    TimeValue,
    TimeVector,
    Vector,
)
from pitchline.declare.signal_expression import SignalExpression, as_signal, as_signal_on_joint
from pitchline.errors import ModelError, Subject, shown
from pitchline.functions.piecewise import Constant, check_knots
from pitchline.solids.rotations import direction, frozen, z_to
from pitchline.units.quantity import array, quantity

from ..bodies.part import ANGLE, DISPLACEMENT, Joint, joint_coordinates
from ..bodies.plane_checks import coordinate_problem, load_problem
from .part import Bushing, Component, Drive, Force, JointLoad, Load, Spring, Stop, Torque, TorsionSpring

__all__ = ["LoadMethods", "SpringMethods"]


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


# ---- spring methods

# Model methods that add springs, bushings and stops.


@names_wrong_arguments
class SpringMethods(LoadMethods):
    """Springs, bushings and stops."""

    def spring(
        self,
        name: str,
        a: OnBody,
        b: OnBody,
        *,
        at_a: Vector | None = None,
        at_b: Vector | None = None,
        stiffness: Quantity = 0.0,
        damping: Quantity = 0.0,
        free_length: Quantity | None = None,
        tension_only: bool = False,
        table: Sequence[object] | None = None,
    ) -> Spring:
        """Add a spring and damper between two points.

        Parameters
        ----------
        name
            Name of the spring.
        a, b
            Bodies, frames, names of bodies, or the ground.
        at_a, at_b
            World points of the ends, in the initial pose [m]. Default: the origins of the bodies.
        stiffness
            [N/m]. Default 0.
        damping
            [N*s/m]. Default 0.
        free_length
            Length without force [m]. Default: the distance in the initial pose.
        tension_only
            If True, the spring only pulls, like a string. Default False.
        table
            (extensions [m], forces [N]), in place of stiffness. Optional.
        """
        what = part_subject("spring", self._new_name(name, "spring"))
        end_a = self._end(a, at_a, what.called(f"{what}: at_a"), name, on="a", point="at_a")
        end_b = self._end(b, at_b, what.called(f"{what}: at_b"), name, on="b", point="at_b")
        initial = float(np.linalg.norm(self.placed(end_b)[0] - self.placed(end_a)[0]))
        if initial < 1e-12 and end_a.body_name != end_b.body_name:
            raise ModelError(
                f"{what}: its ends coincide in the initial pose, so that its direction is undefined; move an end, or use a bushing",
                about=what,
            )
        return self._add_load(
            Spring(
                name,
                end_a,
                end_b,
                initial if free_length is None else quantity(free_length, "length", what=what / "free_length"),
                quantity(stiffness, "stiffness", what=what / "stiffness"),
                quantity(damping, "damping", what=what / "damping"),
                None if table is None else _spring_table(table, what),
                tension_only,
            )
        )

    def string(
        self,
        name: str,
        a: OnBody,
        b: OnBody,
        *,
        stiffness: Quantity,
        at_a: Vector | None = None,
        at_b: Vector | None = None,
        damping: Quantity = 0.0,
        free_length: Quantity | None = None,
    ) -> Spring:
        """Add a string: a spring that only pulls.

        At exactly its free length it is slack, also in linear analyses, unless its length increases.

        Parameters
        ----------
        name, a, b, at_a, at_b, damping, free_length
            As in `spring`.
        stiffness
            [N/m]
        """
        return self.spring(
            name,
            a,
            b,
            at_a=at_a,
            at_b=at_b,
            stiffness=stiffness,
            damping=damping,
            free_length=free_length,
            tension_only=True,
        )

    def torsion_spring(
        self,
        name: str,
        joint: Joint | str,
        *,
        stiffness: Quantity | None = None,
        damping: Quantity | None = None,
        free_angle: Quantity | None = None,
    ) -> TorsionSpring:
        """Add a spring and damper on the angle of a joint. Specify stiffness, damping or both; a value may be zero.

        Parameters
        ----------
        name
            Name of the spring.
        joint
            Joint with an angle, or its name.
        stiffness
            [N*m/rad]
        damping
            [N*m*s/rad]
        free_angle
            Angle without torque [rad]. Default: the angle in the initial pose.
        """
        what = part_subject("torsion spring", self._new_name(name, "torsion spring"))
        if stiffness is None and damping is None:
            raise ModelError(f"{what}: has no stiffness and no damping, so it has no effect; specify one", about=what)
        found = self._joint(joint, what.at("joint"))
        self._free_coordinate(found, ANGLE, what.at("joint"))
        k = quantity(0.0 if stiffness is None else stiffness, "torsional stiffness", what=what / "stiffness")
        c = quantity(0.0 if damping is None else damping, "torsional damping", what=what / "damping")
        if free_angle is None:
            free = joint_coordinates(self.placed(found.frame_a), self.placed(found.frame_b))[0]
        else:
            free = quantity(free_angle, "angle", what=what / "free_angle")
        return self._add_load(TorsionSpring(name, found.name, k, c, free))

    def bushing(
        self,
        name: str,
        a: OnBody,
        b: OnBody,
        *,
        stiffness: Sequence[object] | FloatArray,
        damping: Sequence[object] | FloatArray | None = None,
        at: Vector | None = None,
        axis: Direction | None = None,
    ) -> Bushing:
        """Add a linear bushing between two frames, placed like a joint.

        Parameters
        ----------
        name
            Name of the bushing.
        a, b
            Bodies, frames, names of bodies, or the ground.
        stiffness
            Six values (x, y, z, rx, ry, rz) or a 6x6 matrix, in the axes of the frame of a [N/m, N/rad, N*m/rad].
        damping
            In the same form [N*s/m, N*s/rad, N*m*s/rad]. Default: none.
        at, axis
            World point [m] and direction of z of both frames, in the initial pose. Default: origin and z of b; of a if b is
            the ground.
        """
        what = part_subject("bushing", self._new_name(name, "bushing"))
        axes = None if axis is None else z_to(direction(axis, what=what / "axis"))
        frames = self._meeting_frames(a, b, at, axes, what, name)
        k = _six_by_six(stiffness, ("stiffness", "force", "torsional stiffness"), what / "stiffness")
        c = _six_by_six(
            [0.0] * 6 if damping is None else damping,
            ("damping", "N*s", "torsional damping"),
            what / "damping",
        )
        return self._add_load(Bushing(name, *frames, k, c))

    def stop(
        self,
        name: str,
        joint: Joint | str,
        *,
        stiffness: Quantity | None = None,
        damping: Quantity = 0.0,
        lower: Quantity | None = None,
        upper: Quantity | None = None,
        coordinate: str | None = None,
        damping_limit: Quantity | None = None,
        restitution: Quantity | None = None,
    ) -> Stop:
        """Add end stops to the angle or displacement of a joint: elastic with a stiffness, otherwise rigid.

        Parameters
        ----------
        name
            Name of the stop.
        joint
            Joint, or its name.
        stiffness
            Contact stiffness of an elastic stop: [N*m/rad] on an angle, [N/m] on a displacement. Default None: a rigid stop.
        damping
            Contact damping of an elastic stop: [N*m*s/rad] or [N*s/m]. Default 0.
        lower, upper
            Limits of the coordinate: [rad] or [m]. Default: no limit on that side.
        coordinate
            "angle" or "displacement". Required for cylindrical and screw joints.
        damping_limit
            Largest damping force of an elastic stop, divided by its spring force. With 1, the force starts from zero at an
            impact. Default None: no limit.
        restitution
            Speed after an impact on a rigid stop divided by the speed before it, from 0 to 1. Default 0: no rebound.
        """
        what = part_subject("stop", self._new_name(name, "stop"))
        found = self._joint(joint, what.at("joint"))
        which = self._free_coordinate(found, coordinate, what.at("joint"))
        length, prefix = ("angle", "torsional ") if which == ANGLE else ("length", "")
        low = None if lower is None else quantity(lower, length, what=what / "lower")
        high = None if upper is None else quantity(upper, length, what=what / "upper")
        k = None if stiffness is None else quantity(stiffness, f"{prefix}stiffness", what=what / "stiffness")
        c = quantity(damping, f"{prefix}damping", what=what / "damping")
        most = None if damping_limit is None else quantity(damping_limit, "number", what=what / "damping_limit")
        e = None if restitution is None else quantity(restitution, "number", what=what / "restitution")
        part = Stop(name, found.name, which, low, high, k, c, most, e)
        if part.rigid:
            self._check_rigid_stop(part, found, what)
        return self._add_load(part)

    def _check_rigid_stop(self, part: Stop, joint: Joint, what: Subject) -> None:
        """Check that the initial pose is between the limits, and that nothing else prescribes the coordinate."""
        at = joint_coordinates(self.placed(joint.frame_a), self.placed(joint.frame_b))[
            0 if part.coordinate == ANGLE else 1
        ]
        unit = "rad" if part.coordinate == ANGLE else "m"
        for name, limit, sign in (("lower", part.lower, 1.0), ("upper", part.upper, -1.0)):
            if limit is not None and sign * (at - limit) < -1e-9 * max(1.0, abs(limit)):
                raise ModelError(
                    f'{what}: the {part.coordinate} of joint "{joint.name}" is {at:.6g} {unit} in the initial pose, beyond the '
                    f"{name} limit {limit:.6g} {unit} of this rigid stop; change the limit or the position of the bodies",
                    about=what.at(name),
                )
        for drive in self._drives.values():
            if drive.joint_name == joint.name and (drive.coordinate == part.coordinate or joint.kind == "screw"):
                raise ModelError(
                    f'{what}: drive "{drive.name}" prescribes the {part.coordinate} of joint "{joint.name}", which a rigid stop '
                    "cannot limit; specify stiffness for an elastic stop, or remove one of them",
                    about=what.at("joint"),
                )
        for other in self._loads.values():
            if not isinstance(other, Stop) or not other.rigid or other.joint_name != joint.name:
                continue
            if other.coordinate == part.coordinate or joint.kind == "screw":
                raise ModelError(
                    f'{what}: joint "{joint.name}" already has the rigid stop "{other.name}"; specify lower and upper in one stop',
                    about=what.at("joint"),
                )


def _spring_table(table: object, what: Subject) -> tuple[FloatArray, FloatArray]:
    if not isinstance(table, (list, tuple)) or len(table) != 2:
        raise ModelError(f"{what}: table must be (extensions, forces), got {shown(table)}", about=what.at("table"))
    extended, pulled = (
        what.at("table", 0).called(f"{what}: table extensions"),
        what.at("table", 1).called(f"{what}: table forces"),
    )
    extensions = array(table[0], "length", what=extended, at_least=2)
    forces = array(table[1], "force", what=pulled, at_least=2)
    if len(extensions) != len(forces):
        raise ModelError(
            f"{what}: table has {len(extensions)} extensions but {len(forces)} forces; specify one force for each extension",
            about=what.at("table"),
        )
    check_knots(extensions, extended)
    return extensions, forces


def _six_by_six(value: object, dimensions: tuple[str, str, str], what: Subject) -> FloatArray:
    """Read a (6, 6) matrix from six values or a 6x6 matrix. dimensions: of translation, coupling and rotation."""
    rows = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(rows, (list, tuple)) or len(rows) != 6:
        raise ModelError(
            f"{what}: expected six values (x, y, z, rx, ry, rz) or a 6x6 matrix, got {shown(value)}", about=what
        )
    full = any(isinstance(row, (list, tuple, np.ndarray)) for row in rows)
    result = np.zeros((6, 6))
    for i, row in enumerate(rows):
        if not full:
            result[i, i] = quantity(row, dimensions[2 * (i // 3)], what=what / i)
            continue
        if not isinstance(row, (list, tuple, np.ndarray)) or len(row) != 6:
            raise ModelError(f"{what}[{i}]: expected a row of six values, got {shown(row)}", about=what.at(i))
        for j, entry in enumerate(row):
            result[i, j] = quantity(entry, dimensions[i // 3 + j // 3], what=what.at(i, j).called(f"{what}[{i}, {j}]"))
    return frozen(result)
