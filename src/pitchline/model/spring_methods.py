"""Model methods that add springs, bushings and stops."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from ..solids.rotations import Array, direction, frozen, z_to
from ..units import array, quantity
from .functions.piecewise import check_knots
from .joints import ANGLE, Joint, joint_coordinates
from .load_methods import LoadMethods
from .loads import Bushing, Spring, Stop, TorsionSpring
from .names import part_subject
from .types import Direction, OnBody, Quantity, Vector

__all__ = ["SpringMethods"]


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
        stiffness: Sequence[object] | Array,
        damping: Sequence[object] | Array | None = None,
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
            f"{what}: table has {len(extensions)} extensions but {len(forces)} forces; specify one force for each extension",
            about=what.at("table"),
        )
    check_knots(extensions, extended)
    return extensions, forces


def _six_by_six(value: object, dimensions: tuple[str, str, str], what: Subject) -> Array:
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
