"""Model methods that add elements, looks, shafts, beams, flexible bodies and attached masses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.declare.declared_element import DeclaredElement, FrameField, JointField, point_argument
from pitchline.declare.names import GROUND_NAME, Frame, part_subject
from pitchline.declare.readable_signals import element_problems
from pitchline.declare.registry import Direction, Look, OnBody, Orientation, Quantity, Registry, Vector, read_look
from pitchline.declare.structure import Structure
from pitchline.errors import ModelError, Place, Subject, near_names, shown
from pitchline.facades import element_of_package
from pitchline.parts.bodies.part import Body
from pitchline.parts.bodies.plane_checks import body_problem, coordinate_problem, structure_problem
from pitchline.parts.flexible.part import FlexibleBody
from pitchline.parts.flexible.superelement import Superelement
from pitchline.parts.gears.geometry.inputs import STEEL, Material
from pitchline.parts.gears.part import Wheel
from pitchline.parts.shafts.beam import Beam
from pitchline.parts.shafts.part import Shaft
from pitchline.parts.shafts.sections import BeamSection, ShaftSection
from pitchline.solids.mass_properties import MassProperties, read_solid
from pitchline.solids.rotations import direction, z_to
from pitchline.units.quantity import vector

__all__ = ["ElementMethods", "LookMethods", "described_look", "StructureMethods"]


# ---- element methods

# Model method that adds declared elements.

AnyElement = TypeVar("AnyElement", bound=DeclaredElement)


@names_wrong_arguments
class ElementMethods(Registry):
    """Elements that are declared as classes (`pitchline.extend`)."""

    def add(self, element: AnyElement) -> AnyElement:
        """Add a declared element, such as ``CubicSpring("s", a=..., b=..., stiffness="2 kN/mm")``.

        Its frames are bodies or frames of this model. A body without a point means the origin of the body.

        Parameters
        ----------
        element
            Instance of a declared class (`pitchline.extend.Element`).

        Returns
        -------
        The element of the model, with its frames.
        """
        if not isinstance(element, DeclaredElement):
            raise ModelError(
                f'model "{self.name}": expected an element (pitchline.extend.Element), got {shown(element)}'
            )
        self._new_name(element.name, type(element).__name__)
        placed = placed_on(self, element)
        problems = element_problems(self, placed)
        if problems:
            raise problems[0] if len(problems) == 1 else ModelError(problems, title=f"{element.words} has problems")
        self._declared[element.name] = placed
        return placed


def _met(model: Registry, element: DeclaredElement) -> dict[str, object]:
    """Make two frames that coincide in the initial pose."""
    axis = element.values.get("axis")
    axes = None if axis is None else z_to(direction(axis, what=element.argument("axis")))
    names = list(element.fields_of(FrameField))
    first, second = (element.values[name] for name in names)
    frames = model._meeting_frames(first, second, element.values.get("at"), axes, element.words, element.name)
    return dict(zip(names, frames, strict=True))


def placed_on(model: Registry, element: AnyElement) -> AnyElement:
    """Return the element with its frames and joint in a model. Raise a ModelError if this is not possible."""
    found: dict[str, object] = _met(model, element) if type(element).meeting else {}
    for name in element.fields_of(FrameField).keys() - found.keys():
        point = point_argument(type(element), name)
        what = element.words.called(element.argument(name))
        found[name] = model._end(
            element.values[name], element.values.get(point), what, element.name, on=name, point=point
        )
    for name, field in element.fields_of(JointField).items():
        what = element.argument(name)
        joint = model._joint(element.values[name], what)
        problem = coordinate_problem(model, joint, model._coordinate(joint, field.coordinate, what), what)
        if problem is not None:
            raise problem
        found[name] = joint.name
    placed = element.replaced(**found)
    bodies = {frame.body_name for frame in placed.frames.values()}
    if len(bodies) == 1 and not element.fields_of(JointField):
        (body,) = bodies
        if len(placed.frames) > 1:
            raise ModelError(
                f'{element.words}: all its ends are on "{body}"; connect different bodies', about=element.words
            )
        if body == GROUND_NAME:
            raise ModelError(
                f"{element.words}: acts only on the ground, which cannot move; specify a body", about=element.words
            )
    return placed  # type: ignore[return-value]  # of the same class


# ---- look methods

# Model method that sets the appearance of parts.


@names_wrong_arguments
class LookMethods(Registry):
    """Shapes, colours and visibility of parts, for pictures and the viewer. They have no effect on computations."""

    @property
    def looks(self) -> Mapping[str, Look]:
        """Specified appearance of parts, by name; "ground" for the ground. Read-only."""
        return MappingProxyType(self._looks)

    def look(
        self,
        part: Body | Structure | Wheel | DeclaredElement | str,
        *,
        shape: Any = None,
        colour: str | None = None,
        hidden: bool | None = None,
    ) -> Look:
        """Set the appearance of a part of the model. Arguments that are not given stay unchanged. Computations do not change.

        Parameters
        ----------
        part
            Body, ground, station, shaft, beam, flexible body, wheel or attached mass, or its name.
        shape
            Shape such as ``cylinder("20 mm", "0.1 m")`` or ``stl("arm.stl", scale="1 mm")``, or a list of shapes, in the axes
            of the part. An empty list: the part is not drawn. For bodies, the ground, stations and attached masses.
        colour
            "#RRGGBB", or a name such as "blue" or "brass". "#RRGGBBAA" is transparent, with the opacity AA from 01 to FF.
        hidden
            Whether viewers hide the part at first. Wheels and attached masses are hidden with their bodies.
        """
        name = self._part_name(part)
        what = Subject(f'look of "{name}"', Place(("looks", name)))
        if hidden is not None and name not in self._bodies and name not in self._structures and name != GROUND_NAME:
            raise ModelError(
                f"{what}: it is hidden with its body; specify hidden for the body", about=what.at("hidden")
            )
        if shape is not None and not self._takes_shape(name):
            raise ModelError(
                f"{what}: its shape follows from its type; specify shape for a body, a station, the ground or an attached mass",
                about=what.at("shape"),
            )
        look = self._looks.get(name, Look()).changed(what, shape, colour, hidden)
        self._looks[name] = look
        return look

    def _part_name(self, part: object) -> str:
        name = part if isinstance(part, str) else getattr(part, "name", None)
        if not isinstance(name, str):
            raise ModelError(
                "look: expected a body, the ground, a shaft, a beam, a flexible body, a wheel, an attached mass or a name, got "
                f"{shown(part)}",
                about=Subject("look").at("part"),
            )
        masses = {key: element for key, element in self._declared.items() if element.key == "attached_mass"}
        kinds: tuple[Mapping[str, Any], ...] = (self._bodies, self._structures, self._wheels, masses)
        known = {GROUND_NAME: self._ground, **{key: item for kind in reversed(kinds) for key, item in kind.items()}}
        if name not in known:
            what = Subject("look", Place(("looks", name)))
            raise ModelError(
                f'{what}: there is no body, shaft, beam, flexible body, wheel or attached mass "{name}"; {near_names(name, known)}',
                about=what,
            )
        if not isinstance(part, str) and not any(part is kind.get(name) for kind in kinds) and part is not self._ground:
            own = "use the ground of this model" if name == GROUND_NAME else "use the part of this model, or its name"
            raise self._foreign(part, f'look: "{name}"', own, Subject("look").at("part"))  # type: ignore[arg-type]
        return name

    def _takes_shape(self, name: str) -> bool:
        element = self._declared.get(name)
        return name == GROUND_NAME or name in self._bodies or (element is not None and element.key == "attached_mass")

    def _keep_look(self, name: str, look: Look) -> None:
        """Keep the appearance of a new part, if one was specified."""
        if look.described():
            self._looks[name] = look


def described_look(model: Registry, name: str) -> dict[str, Any]:
    """Appearance of a part as plain data."""
    look = model._looks.get(name)
    if look is None:
        return {}
    wheels = look.for_wheels and any(wheel.body_name == name and wheel.solid is None for wheel in model.wheels.values())
    return look.described(has_wheels=wheels)


AnyStructure = TypeVar("AnyStructure", bound=Structure)


@names_wrong_arguments
class StructureMethods(ElementMethods, LookMethods):
    """Shafts, beams and flexible bodies: structures that consist of stations (bodies) and elastic elements between them."""

    @property
    def shafts(self) -> Mapping[str, Shaft]:
        """Shafts by name; read-only."""
        return self._structures_of(Shaft)

    @property
    def beams(self) -> Mapping[str, Beam]:
        """Beams by name; read-only."""
        return self._structures_of(Beam)

    def shaft(
        self,
        name: str,
        sections: Sequence[ShaftSection],
        *,
        material: Material = STEEL,
        position: Vector = (0.0, 0.0, 0.0),
        axis: Direction | None = None,
        orientation: Orientation = None,
        stations: Mapping[str, Quantity] | None = None,
        elements: int = 4,
        frequency: Quantity | None = None,
        hubs: Mapping[str, Sequence[Quantity]] | None = None,
        step_angle: Quantity | None = None,
        damping: Quantity | Mapping[str, Quantity] = 0.0,
        mass: str = "tuned",
        speed: Quantity = 0.0,
        velocity: Vector = (0.0, 0.0, 0.0),
        angular_velocity: Vector = (0.0, 0.0, 0.0),
        colour: str | None = None,
        hidden: bool = False,
    ) -> Shaft:
        """Add a shaft that bends, shears, twists and stretches (Timoshenko beam), with its own mass.

        Parameters
        ----------
        name
            Name of the shaft.
        sections
            Sections from the start to the end: cylinders and cones, solid or hollow.
        material
            Material of sections without their own material. Default: steel.
        position
            Start of the shaft in the world [m]. Default: the world origin.
        axis
            Direction from the start to the end. Default "z".
        orientation
            All three axes, in place of `axis`. z is the shaft axis.
        stations
            Positions of wheels, bearings, joints and loads: distances from the start [m] by name. ``shaft["left"]`` is a body
            with the name "NAME left" and z along the shaft. The stations "start" and "end" are added if there are no stations
            at the ends.
        elements
            Minimum number of elements. The shaft is divided at its stations, and between them so that no element is longer
            than the length of the shaft divided by this number. Default 4. Statics needs no further division: the elements are
            exact, with all steps and tapers.
        frequency
            Highest frequency of interest [Hz]. Elements are then not longer than a seventh of the shortest wavelength. Optional.
        hubs
            Hubs whose outer diameter increases the stiffness of the shaft, by station: outer diameter and width [m]. Their
            mass is not added, because it belongs to the wheel. Optional.
        step_angle
            Next to a step the effective diameter increases from the smaller one along a cone of this half angle [rad], usually
            "45 deg". Default None: the full section is effective immediately, and steps are slightly too stiff. Mass and
            stresses are not affected.
        damping
            Damping matrix = β times stiffness matrix, β [s]: one value, or a table with bending, torsion and axial. Default 0.
        mass
            "tuned" (default, most accurate frequencies), "consistent" or "lumped".
        speed
            Initial rotation about its own axis [rad/s]. Default 0.
        velocity, angular_velocity
            Additional initial motion of the whole shaft, world axes: velocity of its start [m/s] and angular velocity [rad/s].
            Default 0.
        colour
            Colour for pictures: "#RRGGBB" or a name.
        hidden
            If True, viewers do not show the shaft. Default False.
        """
        made = Shaft(
            name, sections, material=material, position=position, axis=axis, orientation=orientation, stations=stations,
            elements=elements, frequency=frequency, hubs=hubs, step_angle=step_angle, damping=damping, mass=mass, speed=speed,
            velocity=velocity, angular_velocity=angular_velocity,
        )  # fmt: skip
        return self._add_structure(made, colour, hidden)

    def beam(
        self,
        name: str,
        a: OnBody | Vector,
        b: OnBody | Vector,
        section: BeamSection,
        *,
        points: Sequence[Vector] = (),
        tangent: Direction | None = None,
        end_tangent: Direction | None = None,
        up: Direction | None = None,
        stations: Mapping[str, Quantity] | None = None,
        elements: int = 4,
        frequency: Quantity | None = None,
        damping: Quantity | Mapping[str, Quantity] = 0.0,
        mass: str = "tuned",
        velocity: Vector | None = None,
        angular_velocity: Vector | None = None,
        colour: str | None = None,
        hidden: bool = False,
    ) -> Beam:
        """Add a beam with one section, straight or curved, for large rotations and small strains.

        Parameters
        ----------
        name
            Name of the beam.
        a, b
            Ends: a body, station or frame to which the end is fixed, or a point in the world [m]. An end at a point has its
            own station, "start" or "end". Only the origin of a frame is used.
        section
            Section with its material, such as ``BeamSection.circle("10 mm")``.
        points
            Points in the world between the ends [m]. The beam passes through them as a smooth curve (cubic spline). Default: none.
        tangent, end_tangent
            Directions at the ends. With `tangent` only, and no points, the beam is an arc. Without points and tangents it is
            straight.
        up
            Direction of the y axis of the section at the start. Default: the world axes are rotated by the smallest rotation
            so that z is along the beam; x and y follow.
        stations
            Positions of other parts: distances along the beam from its start [m] by name. Optional.
        elements
            Minimum number of elements. The beam is divided at its stations, and between them so that no element is longer than
            the length of the beam divided by this number. Default 4.
        frequency
            Highest frequency of interest [Hz]. Elements are then not longer than a seventh of the shortest wavelength. Optional.
        damping
            Damping matrix = β times stiffness matrix, β [s]: one value, or a table with bending, torsion and axial. Default 0.
        mass
            "tuned" (default), "consistent" or "lumped".
        velocity, angular_velocity
            Initial velocity of its first point [m/s] and angular velocity [rad/s], world axes. Default: from the motion of its
            ends.
        colour
            Colour for pictures: "#RRGGBB" or a name.
        hidden
            If True, viewers do not show the beam. Default False.
        """
        what = part_subject("beam", name)
        start, end = (self._beam_end(x, what.called(f"{what}: {key}"), key, name) for key, x in (("a", a), ("b", b)))
        made = Beam(
            name, start, end, section, points=points, tangent=tangent, end_tangent=end_tangent, up=up, stations=stations,
            elements=elements, frequency=frequency, damping=damping, mass=mass, velocity=velocity,
            angular_velocity=angular_velocity,
        )  # fmt: skip
        if isinstance(start, Frame) and isinstance(end, Frame) and start.body_name == end.body_name:
            raise ModelError(
                f'{what}: both its ends are on "{end.body_name}"; fix it to two bodies, or specify points', about=what
            )
        return self._add_structure(made, colour, hidden)

    def attached_mass(
        self,
        name: str,
        on: OnBody,
        *,
        solid: MassProperties | None = None,
        mass: Quantity | None = None,
        inertia: Any = None,
        centre_of_mass: Vector = (0.0, 0.0, 0.0),
        at: Vector | None = None,
    ) -> DeclaredElement:
        """Fix a rigid part on a body, such as a disc on a station of a shaft. Its mass is added to that of the body.

        Parameters
        ----------
        name
            Name of the part.
        on
            Body, station, or frame. All values are in the axes of the body or frame.
        solid
            Solid with a mass, such as ``cylinder(...)``, in place of mass and inertia.
        mass
            Mass [kg].
        inertia
            (Ixx, Iyy, Izz) or a 3x3 matrix about the centre of mass [kg*m^2]. Default 0.
        centre_of_mass
            Centre of mass from the origin of the frame [m]. Default: the origin.
        at
            World point on the body, in the initial pose [m]. Default: the origin of the body.
        """
        what = Subject(f'attached mass "{name}"')
        if solid is not None:
            read_solid(solid, what)
            if mass is not None or inertia is not None:
                raise ModelError(f"{what}: specify solid, or mass and inertia, not both", about=what)
        elif mass is None:
            raise ModelError(
                f"{what}: mass missing; specify mass and inertia, or a solid such as solid=cylinder(...)", about=what
            )
        else:
            solid = MassProperties(mass, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0) if inertia is None else inertia, what=what)
        solid = solid.moved(vector(centre_of_mass, "length", what=what / "centre_of_mass"))
        J = solid.inertia
        place = {} if at is None else {"at": at}
        made = element_of_package("attached_mass")(
            name, on=on, mass=solid.mass, moments=tuple(J.diagonal()), products=(J[0, 1], J[0, 2], J[1, 2]),
            centre_of_mass=solid.centre_of_mass, **place,
        )  # fmt: skip
        added = self.add(made)
        self._keep_look(name, Look(solid.shape.drawn) if solid.shape.drawn.pieces else Look())
        return added

    def _beam_end(self, end: object, what: Subject, key: str, name: str) -> Frame | FloatArray:
        """Return a frame on a body of this model, or a point in the world."""
        if isinstance(end, (str, Body, Frame, Structure)):
            frame = self._end(end, None, what, name, on=key)
            body = self._body_named(frame.body_name, what)
            return Frame(body.name, frame.position, None, name, owner=body)  # its axes have no effect
        return vector(end, "length", what=what.at(key))

    @property
    def flexible_bodies(self) -> Mapping[str, FlexibleBody]:
        """Flexible bodies by name; read-only."""
        return self._structures_of(FlexibleBody)

    def flexible_body(
        self,
        name: str,
        superelement: Superelement,
        *,
        position: Vector = (0.0, 0.0, 0.0),
        orientation: Orientation = None,
        damping: Quantity = 0.0,
        modal_damping: float = 0.0,
        velocity: Vector = (0.0, 0.0, 0.0),
        angular_velocity: Vector = (0.0, 0.0, 0.0),
        colour: str | None = None,
        hidden: bool = False,
    ) -> FlexibleBody:
        """Add an elastic body of finite elements: a housing, a carrier, a disc. Its displacements and rotations may be large.

        Parameters
        ----------
        name
            Name of the body.
        superelement
            Superelement from `Superelement.from_mesh`, `Superelement.from_shape` or `read_superelement`. Its interfaces are
            stations: ``housing["seat 1"]`` is a body with the name "NAME seat 1".
        position, orientation
            Origin [m] and orientation of the axes of the superelement in the world, in the initial pose. Default: the world axes.
        damping
            β [s]: damping matrix = β times stiffness matrix. Default 0.
        modal_damping
            Additional damping ratio of each mode with fixed interfaces. Default 0.
        velocity, angular_velocity
            Initial velocity of the origin of these axes [m/s] and angular velocity [rad/s], world axes. Default 0.
        colour
            Colour for pictures: "#RRGGBB" or a name.
        hidden
            If True, viewers do not show the body. Default False.
        """
        made = FlexibleBody(
            name, superelement, position=position, orientation=orientation, damping=damping, modal_damping=modal_damping,
            velocity=velocity, angular_velocity=angular_velocity,
        )  # fmt: skip
        return self._add_structure(made, colour, hidden)

    def _structures_of(self, kind: type[AnyStructure]) -> Mapping[str, AnyStructure]:
        found = {name: structure for name, structure in self._structures.items() if isinstance(structure, kind)}
        return MappingProxyType(found)

    def _add_structure(self, made: AnyStructure, colour: str | None, hidden: bool) -> AnyStructure:
        """Add a structure and its stations, if their names are not used and it fits in the plane of the model."""
        self._new_name(made.name, made.kind)
        for station in made.stations.values():
            self._new_name(station.name, f'{made.kind} "{made.name}": the body of station "{station.station}"')
        look = read_look(made.subject, colour=colour, hidden=hidden)
        problem = structure_problem(self, made)
        for station in made.stations.values():
            problem = problem or body_problem(self, station)
        if problem:
            raise problem
        self._structures[made.name] = made
        self._bodies.update((station.name, station) for station in made.stations.values())
        self._keep_look(made.name, look)
        return made
