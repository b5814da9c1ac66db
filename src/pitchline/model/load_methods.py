"""The methods of a model that make drives, forces, torques, springs, bushings and stops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from ..solids.rotations import Array, direction, frozen, z_to
from ..units import array, quantity
from .drives import Drive
from .frames import Frame
from .functions import Function, as_function
from .functions.piecewise import check_knots
from .joints import ANGLE, DISPLACEMENT, Joint, joint_coordinates
from .loads import Bushing, Force, JointLoad, Load, Spring, Stop, Torque, TorsionSpring
from .names import GROUND_NAME, one_of, part_subject
from .plane_checks import coordinate_problem, load_problem
from .registry import Registry
from .types import Direction, OnBody, Quantity, TimeValue, TimeVector, Vector

__all__ = ["LoadMethods"]

AnyLoad = TypeVar("AnyLoad", bound=Load)


@names_wrong_arguments
class LoadMethods(Registry):
    """Drives and loads. Values that may depend on time: numbers, texts, Functions or callables t -> value."""

    def drive(
        self,
        name: str,
        joint: Joint | str,
        *,
        angle: TimeValue | None = None,
        displacement: TimeValue | None = None,
        speed: TimeValue | None = None,
        coordinate: str | None = None,
    ) -> Drive:
        """Hold a joint coordinate to a function of time; exactly one of angle, displacement and speed.

        speed is in rad/s on an angle, in m/s on a displacement; on a cylindrical or screw joint say which by
        `coordinate`.
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
            raise ModelError(f"{what}: give exactly one of angle, displacement and speed, got {got}", about=what)
        key, value = given[0]
        if key != "speed" and coordinate is not None and not one_of(coordinate, (key,)):
            raise ModelError(
                f"{what}: {key}= contradicts coordinate={shown(coordinate)}; leave out coordinate",
                about=what.at("coordinate"),
            )
        which = self._free_coordinate(found, coordinate if key == "speed" else key, what.at("joint"))
        for other in self._drives.values():
            if other.joint_name == found.name and (other.coordinate == which or found.kind == "screw"):
                raise ModelError(
                    f'{what}: joint "{found.name}" is already driven by "{other.name}"; drive each coordinate once',
                    about=what.at("joint"),
                )
        if key == "speed":
            dimension = "angular velocity" if which == ANGLE else "velocity"
        else:
            dimension = "angle" if which == ANGLE else "length"
        function = as_function(value, dimension, what=what / key)
        drive = Drive(name, found.name, which, function, "speed" if key == "speed" else "position")
        self._drives[name] = drive
        return drive

    def force(
        self,
        name: str,
        on: OnBody | Joint,
        value: TimeVector | TimeValue,
        *,
        at: Vector | None = None,
        axes: str = "world",
        reaction: OnBody | None = None,
    ) -> Force | JointLoad:
        """A force [N]: three components on a body or frame, or one number on a joint's displacement.

        at: the world point, in the initial pose, at which it acts (the body's origin without). axes: "world",
        or "body" for components that turn with the body. reaction: the body on which the opposite force acts,
        at the same point of space, so that both are in balance.
        """
        what = part_subject("force", self._new_name(name, "force"))
        if self._means_joint(on):
            self._only_for_bodies(what, axes, at=at, reaction=reaction)
            return self._joint_load(name, on, value, DISPLACEMENT, "force", what)
        frame = self._end(on, at, what, name)
        self._not_ground(frame.body_name, what.at("on"))
        if isinstance(reaction, Frame):
            raise ModelError(
                f"{what}: the reaction acts at the point of the force itself, not at a frame; give the body that takes it",
                about=what.at("reaction"),
            )
        back = None if reaction is None else self._body(reaction, what / "reaction").name
        return self._add_load(Force(name, frame, _components(value, "force", what), axes, back))

    def torque(
        self,
        name: str,
        on: OnBody | Joint,
        value: TimeVector | TimeValue,
        *,
        axes: str = "world",
        reaction: OnBody | None = None,
        coordinate: str | None = None,
    ) -> Torque | JointLoad:
        """A torque [N*m]: three components on a body, or one number on a joint's angle.

        axes: "world", or "body" for components that turn with the body. reaction: the body on which the
        opposite torque acts; on a joint it always is the joint's first body.
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
        if coordinate is not None:
            raise ModelError(
                f"{what}: coordinate is for a torque on a joint, not on a body; leave it out",
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
        """A spring and damper between two points (world; by default the bodies' origins).

        free_length [m] is by default the initial distance (no force at the start). table = (extensions [m],
        forces [N]) in place of stiffness. tension_only makes it a string.
        """
        what = part_subject("spring", self._new_name(name, "spring"))
        end_a = self._end(a, at_a, what.called(f"{what}: at_a"), name, on="a", point="at_a")
        end_b = self._end(b, at_b, what.called(f"{what}: at_b"), name, on="b", point="at_b")
        initial = float(np.linalg.norm(self.placed(end_b)[0] - self.placed(end_a)[0]))
        if initial < 1e-12 and end_a.body_name != end_b.body_name:
            raise ModelError(
                f"{what}: its ends coincide in the initial pose, so it has no direction; move an end, or use a bushing",
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
        """A string: a spring that only pulls."""
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
        """A spring [N*m/rad] and damper [N*m*s/rad] on a joint's angle; one of them is given, and may be zero.

        free_angle [rad] is by default the initial angle (no torque at the start).
        """
        what = part_subject("torsion spring", self._new_name(name, "torsion spring"))
        if stiffness is None and damping is None:
            raise ModelError(f"{what}: has neither stiffness nor damping, so it does nothing; give one", about=what)
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
        stiffness: Sequence[object] | Array,
        damping: Sequence[object] | Array | None = None,
        at: Vector | None = None,
        axis: Direction | None = None,
    ) -> Bushing:
        """A linear bushing between two frames, placed like a joint.

        stiffness, damping: six values (x, y, z, rx, ry, rz) or a 6x6 matrix, in the axes of a's frame.
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
        stiffness: Quantity,
        damping: Quantity = 0.0,
        lower: Quantity | None = None,
        upper: Quantity | None = None,
        coordinate: str | None = None,
    ) -> Stop:
        """End stops of a joint's angle or displacement; either side may be left open."""
        what = part_subject("stop", self._new_name(name, "stop"))
        found = self._joint(joint, what.at("joint"))
        which = self._free_coordinate(found, coordinate, what.at("joint"))
        length, prefix = ("angle", "torsional ") if which == ANGLE else ("length", "")
        low = None if lower is None else quantity(lower, length, what=what / "lower")
        high = None if upper is None else quantity(upper, length, what=what / "upper")
        k = quantity(stiffness, f"{prefix}stiffness", what=what / "stiffness")
        c = quantity(damping, f"{prefix}damping", what=what / "damping")
        return self._add_load(Stop(name, found.name, which, low, high, k, c))

    def _free_coordinate(self, joint: Joint, coordinate: object, what: str) -> str:
        """The coordinate meant, which in a planar model must change within the plane."""
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
        return self._add_load(
            JointLoad(name, found.name, coordinate, as_function(value, dimension, what=what.at("value")))
        )

    def _means_joint(self, on: object) -> bool:
        return isinstance(on, Joint) or (isinstance(on, str) and on in self._joints)

    @staticmethod
    def _not_ground(body_name: str, what: str) -> None:
        if body_name == GROUND_NAME:
            raise ModelError(
                f"{what}: acts on the ground, which cannot move; give a body, with the ground as reaction", about=what
            )

    @staticmethod
    def _only_for_bodies(what: Subject, axes: object, **options: object) -> None:
        if not one_of(axes, ("world",)):
            options["axes"] = axes
        for option, value in options.items():
            if value is not None:
                raise ModelError(
                    f"{what}: {option} is for loads on a body; a load on a joint acts on its second "
                    f"body and back on its first; leave out {option}",
                    about=what.at(option),
                )


def _components(value: object, dimension: str, what: Subject) -> tuple[Function, Function, Function]:
    """Three functions from three values."""
    items = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(items, (list, tuple)) or len(items) != 3:
        raise ModelError(
            f'{what}: expected three components, such as (0, 0, "-100 N"), got {shown(value)}; '
            "one number is for a load on a joint",
            about=what.at("value"),
        )
    x, y, z = (
        as_function(item, dimension, what=what.at("value", i).called(f"{what}[{i}]")) for i, item in enumerate(items)
    )
    return x, y, z


def _spring_table(table: object, what: Subject) -> tuple[Array, Array]:
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
            f"{what}: table has {len(extensions)} extensions but {len(forces)} forces; give one force per extension",
            about=what.at("table"),
        )
    check_knots(extensions, extended)
    return extensions, forces


def _six_by_six(value: object, dimensions: tuple[str, str, str], what: Subject) -> Array:
    """A (6, 6) matrix from six values or a 6x6 matrix; dimensions of translation, coupling, rotation."""
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
