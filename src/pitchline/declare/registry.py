"""The parts of a model by name: types of the collections, frames of parts, looks."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar
from weakref import WeakSet

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, near_names, shown
from pitchline.functions.piecewise import Function
from pitchline.numerics.slow_laws import SlowFunction
from pitchline.parts.bodies.part import Body, Joint, Placed, make_ground
from pitchline.parts.bodies.plane import Plane, read_plane
from pitchline.parts.gears.part import Wheel
from pitchline.parts.meshes.part import GearMesh
from pitchline.parts.springs.part import Drive, Load
from pitchline.solids.mass_properties import Shape, read_shape
from pitchline.solids.rotations import described_colour, read_colour
from pitchline.units.quantity import vector

from .declared_element import DeclaredElement
from .names import GROUND_NAME, Frame, check_name, one_of
from .signal_expression import SignalExpression
from .structure import Station, Structure

__all__ = [
    "Look",
    "read_look",
    "Registry",
    "Direction",
    "OnBody",
    "Orientation",
    "Quantity",
    "SignalInput",
    "StateValue",
    "TimeValue",
    "TimeVector",
    "Vector",
    "directed_frame",
]


# ---- look

# Look: appearance of a part in pictures. It has no effect on computations.


@dataclass(frozen=True, eq=False)
class Look:
    """Appearance of a part as specified.

    Attributes
    ----------
    shape : Shape | None
        Shape in the axes of the part. A shape without pieces: the part is not drawn. None: not specified.
    for_wheels : bool
        Whether the shape is that of a solid that includes the wheels of the body. It is not drawn if the body has wheels.
    colour : str | None
        "#RRGGBB", or "#RRGGBBAA" for a transparent part: opacity AA from 01 to FE.
    hidden : bool
        Whether viewers hide the part at first.
    """

    shape: Shape | None = None
    for_wheels: bool = False
    colour: str | None = None
    hidden: bool = False

    def described(self, *, has_wheels: bool = False) -> dict[str, Any]:
        """Appearance as plain data: shape, colour, opacity, hidden. Keys that are not specified are omitted.

        has_wheels: whether the body has wheels without their own mass.
        """
        shape = None if self.for_wheels and has_wheels else self.shape
        return {
            **({} if shape is None else {"shape": shape.described}),
            **described_colour(self.colour),
            **({"hidden": True} if self.hidden else {}),
        }

    def changed(self, what: Subject, shape: Any, colour: Any, hidden: Any) -> Look:
        """Return the appearance with new values. None: unchanged."""
        look = self
        if shape is not None:
            look = replace(look, shape=read_shape(shape, what / "shape"), for_wheels=False)
        if colour is not None:
            look = replace(look, colour=read_colour(colour, what / "colour"))
        if hidden is not None:
            if not isinstance(hidden, bool):
                raise ModelError(f"{what}: hidden must be true or false, got {shown(hidden)}", about=what.at("hidden"))
            look = replace(look, hidden=hidden)
        return look


def read_look(
    what: Subject, *, shape: Any = None, colour: Any = None, hidden: Any = None, of_solid: Shape | None = None
) -> Look:
    """Read the appearance of a new part. of_solid: shape of the solid of the part."""
    first = Look()
    if of_solid is not None and of_solid.drawn.pieces:
        first = Look(of_solid.drawn, for_wheels=len(of_solid.drawn.pieces) == len(of_solid.pieces))
    return first.changed(what, shape, colour, hidden)


Item = TypeVar("Item", Body, Joint, Drive, Load)

_models: WeakSet[Registry] = WeakSet()
"""Existing models, for messages about parts that belong to another model."""


@names_wrong_arguments
class Registry:
    """Parts of a model by name. All names are unique in the whole model."""

    def __init__(self, name: str, *, gravity: object = (0.0, 0.0, 0.0), plane: object = None) -> None:
        if not isinstance(name, str) or not name.strip():
            raise ModelError(
                f'model: the name must be a text that is not empty, got {shown(name)}; for example Model("pair")',
                about=Subject("model").at("name"),
            )
        self._name = name
        self._plane = read_plane(plane, Subject(f'model "{name}"').at("plane"))
        self.gravity = gravity
        self._ground = make_ground()
        self._bodies: dict[str, Body] = {}
        self._joints: dict[str, Joint] = {}
        self._drives: dict[str, Drive] = {}
        self._loads: dict[str, Load] = {}
        self._structures: dict[str, Structure] = {}
        self._declared: dict[str, DeclaredElement] = {}
        self._wheels: dict[str, Wheel] = {}
        self._gear_pairs: dict[str, GearMesh] = {}
        self._looks: dict[str, Look] = {}
        self._derived: tuple[tuple[object, ...], dict[str, Any]] = (), {}
        _models.add(self)

    @property
    def name(self) -> str:
        return self._name

    @property
    def gravity(self) -> FloatArray:
        """Gravitational acceleration, world axes (3,) [m/s^2]. It can be set."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: object) -> None:
        what = Subject(f'model "{self._name}"') / "gravity"
        gravity = vector(value, "acceleration", what=what)
        if self._plane is not None and gravity @ self._plane.normal != 0.0:
            raise ModelError(
                f"{what}: ({', '.join(f'{x:g}' for x in gravity)}) m/s^2 points out of the {self._plane.name} plane, in which the "
                "model moves; specify a vector in that plane, or another plane",
                about=what,
            )
        self._gravity = gravity

    @property
    def plane(self) -> Plane | None:
        """Plane in which all bodies move. None: motion in space."""
        return self._plane

    @property
    def ground(self) -> Body:
        """The world as a body: mass 0, at the origin, at rest."""
        return self._ground

    @property
    def bodies(self) -> Mapping[str, Body]:
        """Bodies by name in order of creation, including stations of structures, without the ground; read-only."""
        return MappingProxyType(self._bodies)

    @property
    def structures(self) -> Mapping[str, Structure]:
        """Shafts, beams and flexible bodies by name; read-only."""
        return MappingProxyType(self._structures)

    @property
    def joints(self) -> Mapping[str, Joint]:
        """Joints by name; read-only."""
        return MappingProxyType(self._joints)

    @property
    def drives(self) -> Mapping[str, Drive]:
        """Drives by name; read-only."""
        return MappingProxyType(self._drives)

    @property
    def loads(self) -> Mapping[str, Load]:
        """Forces, torques, springs, bushings and stops by name; read-only."""
        return MappingProxyType(self._loads)

    @property
    def elements(self) -> Mapping[str, DeclaredElement]:
        """Elements of declared classes by name (see `add`); read-only."""
        return MappingProxyType(self._declared)

    @property
    def wheels(self) -> Mapping[str, Wheel]:
        """Gears and racks on bodies by name. A wheel that was made with its body has the name of the body. Read-only."""
        return MappingProxyType(self._wheels)

    @property
    def gear_pairs(self) -> Mapping[str, GearMesh]:
        """Gear pairs by name; read-only."""
        return MappingProxyType(self._gear_pairs)

    def _of_parts(self) -> dict[str, Any]:
        """Results that follow from the parts of the model, which are frozen: kept until a part is added, replaced or removed."""
        parts = tuple(
            itertools.chain(
                self._bodies.values(), self._joints.values(), self._drives.values(), self._loads.values(),
                self._structures.values(), self._declared.values(), self._wheels.values(), self._gear_pairs.values(),
            )
        )  # fmt: skip
        before, kept = self._derived
        if len(parts) != len(before) or not all(map(operator.is_, parts, before)):
            kept = {}
            self._derived = parts, kept
        return kept

    def placed(self, frame: Frame) -> Placed:
        """Return a frame in the world in the initial pose: origin x_WF (3,) [m] and axes R_WF (3, 3).

        Parameters
        ----------
        frame
            Frame on a body of this model.
        """
        body = self._owner(frame)
        orientation = body.orientation
        return body.position + orientation @ frame.position, orientation @ frame.rotation

    def _new_name(self, name: object, what: str) -> str:
        """Check that a name is valid and not in use, and return it."""
        checked = check_name(name, what)
        taken: tuple[tuple[str, Container[str]], ...] = (
            ("a body", self._bodies),
            ("a joint", self._joints),
            ("a drive", self._drives),
            ("a load", self._loads),
            *((f"a {structure.kind}", {name}) for name, structure in self._structures.items()),
            ("an element", self._declared),
            ("a wheel", self._wheels),
            ("a gear pair", self._gear_pairs),
        )
        for kind, items in taken:
            if checked in items:
                body = self._bodies.get(checked)
                if isinstance(body, Station):
                    kind = f'station "{body.station}" of {self._structures[body.structure].subject}, which is a body'
                raise ModelError(
                    f'{what} "{checked}": the name is already used by {kind} of model '
                    f'"{self.name}"; names are unique in the whole model, choose another name',
                    about=what,
                )
        return checked

    def _body_named(self, name: str, what: str) -> Body:
        if name == GROUND_NAME:
            return self.ground
        body = self._bodies.get(name)
        if body is None:
            if name in self._structures:
                raise self._no_station(self._structures[name], what)
            raise ModelError(f'{what}: unknown body "{name}"; {near_names(name, self._bodies)}', about=what)
        return body

    @staticmethod
    def _no_station(structure: Structure, what: str) -> ModelError:
        """Error for a structure in place of a body."""
        one = next(iter(structure.stations), "")
        return ModelError(
            f'{what}: "{structure.name}" is a {structure.kind}, not a body; specify one of its stations, such as '
            f'{structure.kind}["{one}"] or "{structure.name} {one}"',
            about=what,
        )

    def _body(self, value: object, what: str) -> Body:
        """Return a body of this model, given as object or name."""
        if isinstance(value, str):
            return self._body_named(value, what)
        if isinstance(value, Structure):
            raise self._no_station(value, what)
        if not isinstance(value, Body):
            raise ModelError(f"{what}: expected a body, a frame or the name of a body, got {shown(value)}", about=what)
        own = self.ground if value.is_ground else self._bodies.get(value.name)
        if own is not value:
            if value.is_ground:
                raise self._foreign(value, f"{what}: the ground", "use the ground of this model", what)
            raise self._foreign(value, f'{what}: body "{value.name}"', "make it with body(...) of this model", what)
        return own

    def _foreign(self, part: Body | Joint | Wheel, called: str, cure: str, about: str) -> ModelError:
        """Error for a part of another model, with the names of both models."""
        home = next((other for other in list(_models) if other._holds(part)), None)
        whose = "" if home is None else f' ("{home.name}")'
        return ModelError(f'{called} belongs to another model{whose}, not to "{self.name}"; {cure}', about=about)

    def _holds(self, part: Body | Joint | Wheel) -> bool:
        """Whether this part is one of this model."""
        items: list[Mapping[str, object]] = [self._bodies, self._joints, self._wheels]
        return part is self._ground or any(each.get(part.name) is part for each in items)

    def _own_frame(self, frame: Frame, what: str) -> Frame:
        """Return the frame if it is on a body of this model."""
        if frame.owner is not None:
            self._body(frame.owner, what)
        else:
            self._body_named(frame.body_name, what)
        return frame

    def _joint(self, value: object, what: str) -> Joint:
        """Return a joint of this model, given as object or name."""
        name = value.name if isinstance(value, Joint) else value
        if not isinstance(name, str):
            raise ModelError(f"{what}: expected a joint or the name of one, got {shown(value)}", about=what)
        joint = self._joints.get(name)
        if isinstance(value, Joint) and joint is not value:
            raise self._foreign(value, f'{what}: joint "{name}"', "make it with the methods of this model", what)
        if joint is None:
            raise ModelError(f'{what}: unknown joint "{name}"; {near_names(name, self._joints)}', about=what)
        return joint

    def _wheel(self, value: object, what: str) -> Wheel:
        """Return a wheel of this model: given as object, by name, or by a body (or its name) with exactly one wheel."""
        if isinstance(value, Wheel):
            own = self._wheels.get(value.name)
            if own is not value:
                cure = "make it with gear_body(...) or wheel(...) of this model"
                raise self._foreign(value, f'{what}: wheel "{value.name}"', cure, what)
            return own
        if isinstance(value, str) and value in self._wheels:
            return self._wheels[value]
        if isinstance(value, str) and value not in self._bodies and value != GROUND_NAME:
            raise ModelError(f'{what}: unknown wheel "{value}"; {near_names(value, self._wheels)}', about=what)
        if not isinstance(value, (str, Body)):
            raise ModelError(
                f"{what}: expected a wheel, a body with a gear or the name of one, got {shown(value)}", about=what
            )
        body = self._body(value, what)
        if body.name in self._wheels:
            return self._wheels[body.name]
        on_body = [wheel for wheel in self._wheels.values() if wheel.body_name == body.name]
        if len(on_body) == 1:
            return on_body[0]
        if not on_body:
            raise ModelError(
                f'{what}: body "{body.name}" has no gear; make it with gear_body(...), or add a gear with wheel(...)',
                about=what,
            )
        names = ", ".join(f'"{wheel.name}"' for wheel in on_body)
        raise ModelError(
            f'{what}: body "{body.name}" has {len(on_body)} wheels; specify one of them: {names}', about=what
        )

    @staticmethod
    def _coordinate(joint: Joint, coordinate: object, what: str) -> str:
        """Return the coordinate: the specified one, or the only one of the joint."""
        known = joint.coordinates
        if not known:
            raise ModelError(
                f'{what}: joint "{joint.name}" ({joint.kind}) has no angle and no displacement; '
                "use a revolute, prismatic, cylindrical or screw joint",
                about=what,
            )
        if coordinate is None:
            if len(known) > 1:
                raise ModelError(
                    f'{what}: joint "{joint.name}" ({joint.kind}) has an angle and a displacement; '
                    'specify coordinate="angle" or coordinate="displacement"',
                    about=what,
                )
            return known[0]
        if not one_of(coordinate, known):
            raise ModelError(
                f'{what}: joint "{joint.name}" ({joint.kind}) has no coordinate {shown(coordinate)}; '
                f"it has {' and '.join(known)}",
                about=what,
            )
        return str(coordinate)

    @staticmethod
    def _frame_at(body: Body, point: FloatArray, axes: FloatArray, name: str) -> Frame:
        """Make a frame on a body at a world point with world axes R_WF, in the initial pose."""
        return Frame(body.name, body.to_body(point), body.orientation.T @ axes, name, owner=body)

    def _end(self, value: object, at: object, what: Subject, name: str, *, on: str = "on", point: str = "at") -> Frame:
        """Return a point on a body: a frame as given, or a body with a world point (default: its origin).

        on, point: names of the arguments for the body and the point.
        """
        if isinstance(value, Frame):
            if at is not None:
                raise ModelError(
                    f"{what}: a frame already defines the position; omit at, or give the body in place of the frame",
                    about=what.at(point),
                )
            return self._own_frame(value, what.at(on))
        body = self._body(value, what.at(on))
        x = body.position if at is None else vector(at, "length", what=what.at(point).called(f"{what}: at"))
        return self._frame_at(body, x, body.orientation, name)

    def _meeting_frames(
        self, a: object, b: object, at: object, axes: FloatArray | None, what: Subject, name: str
    ) -> tuple[Frame, Frame]:
        """Return the frames of a joint on both sides.

        Two frames are used as given. Otherwise both sides coincide in the initial pose: at the given frame, or at the world
        point `at` with the world axes `axes`. Default: those of b, or of a if b is the ground.
        """
        if isinstance(a, Frame) or isinstance(b, Frame):
            if at is not None or axes is not None:
                raise ModelError(
                    f"{what}: a frame already defines position and axes; omit at and axis, "
                    "or give bodies in place of frames",
                    about=what.at("axis" if at is None else "at"),
                )
            if isinstance(a, Frame) and isinstance(b, Frame):
                return self._own_frame(a, what.at("a")), self._own_frame(b, what.at("b"))
            if isinstance(a, Frame):
                point, axes = self.placed(self._own_frame(a, what.at("a")))
                return a, self._frame_at(self._body(b, what.at("b")), point, axes, name)
            assert isinstance(b, Frame)
            point, axes = self.placed(self._own_frame(b, what.at("b")))
            return self._frame_at(self._body(a, what.at("a")), point, axes, name), b
        body_a, body_b = self._body(a, what.at("a")), self._body(b, what.at("b"))
        guide = body_a if body_b.is_ground else body_b
        point = guide.position if at is None else vector(at, "length", what=what / "at")
        axes = guide.orientation if axes is None else axes
        return self._frame_at(body_a, point, axes, name), self._frame_at(body_b, point, axes, name)

    @property
    def size(self) -> float:
        """Largest extension of the model in the initial pose [m]."""
        points = [body.position for body in self._bodies.values()]
        points += [body.position + body.orientation @ body.centre_of_mass for body in self._bodies.values()]
        points += [self._origin(frame) for joint in self._joints.values() for frame in (joint.frame_a, joint.frame_b)]
        points += [self._origin(wheel.frame) for wheel in self._wheels.values()]
        if not points:
            return 0.0
        extent = np.ptp(np.array(points), axis=0)
        return math.sqrt(extent.dot(extent))

    def _origin(self, frame: Frame) -> FloatArray:
        """Origin of a frame in the world in the initial pose (3,) [m]."""
        body = self._owner(frame)
        return body.position + body.orientation @ frame.position

    def _owner(self, frame: Frame) -> Body:
        """Body of a frame, which must be of this model."""
        body = frame.owner
        if (
            body is None or self._bodies.get(body.name) is not body
        ):  # the ground, or a frame that may be of another model
            body = self._body_named(self._own_frame(frame, "frame").body_name, "frame")
        return body


# ---- types

# Types of values that users may write, for annotations.

Quantity: TypeAlias = float | str
"""A number in SI, or a text such as "2 mm"."""

Vector: TypeAlias = Sequence[Quantity] | npt.NDArray[np.float64]
"""Three quantities."""

Direction: TypeAlias = Sequence[float] | npt.NDArray[np.float64] | str
"""Three numbers, not all zero, or a text such as "x" or "-z"."""

Orientation: TypeAlias = Any
"""Quaternion (w, x, y, z), 3x3 matrix, Rotation, {"axis": ..., "angle": ...}, or None."""

TimeValue: TypeAlias = Quantity | Function | Callable[[float], float]
"""A quantity that may depend on time."""

SignalInput: TypeAlias = TimeValue | SignalExpression
"""A quantity that may depend on time, or an expression over signals of the model."""

StateValue: TypeAlias = SignalInput | Callable[..., float] | SlowFunction
"""The same, or a Python function of time, angle and speed."""

TimeVector: TypeAlias = Sequence[SignalInput] | npt.NDArray[np.float64]
"""Three values, each of which may depend on time or on signals."""

OnBody: TypeAlias = Body | Frame | str
"""A body, a frame on a body, or the name of a body."""


# ---- placed frames

# Frame on a body with a given direction of its z axis, for methods that accept a body and an axis.


def directed_frame(
    model: Registry, on: OnBody, at: Vector | None, rotation: FloatArray, name: str, what: str, point: str
) -> Frame:
    """Frame on a body at a world point (default: its origin) with a world rotation. `point`: name of the argument at."""
    if not isinstance(on, (Body, str)):
        raise ModelError(f"{what}: a frame already defines the axis; omit axis, or give the body in place of the frame")
    body = model._body(on, what)
    place = body.position if at is None else vector(at, "length", what=f"{what}: {point}")
    return model._frame_at(body, place, rotation, name)
