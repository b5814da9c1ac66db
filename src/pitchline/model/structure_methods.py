"""The methods of a model that make shafts, beams and flexible bodies, and fix masses on bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from ..arguments import names_wrong_arguments
from ..beams.sections import BeamSection
from ..beams.shaft_section import ShaftSection
from ..disk.element_finder import element_of_package
from ..errors import ModelError, Subject
from ..gears.material import STEEL, Material
from ..solids.mass_properties import MassProperties, read_solid
from ..solids.rotations import Array
from ..superelements.superelement import Superelement
from ..units import vector
from .beam import Beam
from .body import Body
from .declared_element import DeclaredElement
from .element_methods import ElementMethods
from .flexible_body import FlexibleBody
from .frames import Frame
from .look import Look, read_look
from .look_methods import LookMethods
from .names import part_subject
from .plane_checks import body_problem, structure_problem
from .shaft import Shaft
from .structure import Structure
from .types import Direction, OnBody, Orientation, Quantity, Vector

__all__ = ["StructureMethods"]

AnyStructure = TypeVar("AnyStructure", bound=Structure)


@names_wrong_arguments
class StructureMethods(ElementMethods, LookMethods):
    """Shafts, beams and flexible bodies: structures that make bodies, their stations, and elastic elements between them."""

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
        """A shaft that bends, shears, twists and stretches (Timoshenko's beam), with its own mass.

        Parameters
        ----------
        sections
            From its start to its end: cylinders and cones, solid or hollow.
        material
            Of sections that have none of their own.
        position
            Of its start in the world [m].
        axis
            Direction from its start to its end; "z" without.
        orientation
            All three axes instead, z along the shaft.
        stations
            Where wheels, bearings, joints and loads sit: places from the start [m] by name. ``shaft["left"]`` is a body like
            others, called "NAME left", with z along the shaft; "start" and "end" are there unless others stand at the ends.
        elements
            The shaft is cut at its stations, and between them so that no element is longer than its length over this number.
            Statics needs no more cuts: the elements are exact, with all steps and tapers.
        frequency
            Highest frequency of interest [Hz]: elements are also no longer than a seventh of the shortest wave there.
        hubs
            Hubs whose outer diameter counts for the stiffness of the shaft, by station: outer diameter and width [m]. Their mass
            does not count here: it is that of the wheel.
        step_angle
            Behind a step the effective diameter grows from the smaller one along a cone of this half angle, usually "45 deg".
            Without, the full section counts at once, and steps are a little stiffer than in steel. Mass and stresses are the real
            ones.
        damping
            β [s], one for all or a table with bending, torsion and axial: the damping is β times the stiffness.
        mass
            "tuned" (most accurate frequencies), "consistent" or "lumped".
        speed
            Turning about its own axis at the start [rad/s].
        velocity, angular_velocity
            Of the whole shaft besides, in world axes; the velocity is that of its start [m/s], [rad/s].
        colour, hidden
            In pictures: "#RRGGBB" or a name, and whether viewers leave it out.
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
        """A member of one section, straight or curved, for large rotations and small strains.

        Parameters
        ----------
        a, b
            Its ends: a body or a frame to which it is fixed there, a station of another structure among them, or a point in the
            world [m], where it has a station of its own, "start" or "end". Of a frame only the origin counts.
        section
            Such as ``BeamSection.circle("10 mm")``, with its material.
        points
            Points in the world between the ends [m], through which it goes as a smooth curve (a cubic spline).
        tangent, end_tangent
            Directions at its ends. With the first alone, and no points, it is an arc; straight without any of these.
        up
            Direction towards which the y axis of the section points at the start. Without: z of the world is turned to the beam by
            the shortest way, and x and y with it.
        stations
            Places along it from its start [m] by name, where other parts sit.
        elements
            It is cut at its stations, and between them so that no element is longer than its length over this number.
        frequency
            Highest frequency of interest [Hz]: elements are also no longer than a seventh of the shortest wave there.
        damping
            β [s], one for all or a table with bending, torsion and axial: the damping is β times the stiffness.
        mass
            "tuned", "consistent" or "lumped".
        velocity, angular_velocity
            At the start, in world axes; the velocity is that of its first point [m/s], [rad/s]. Without, it moves as its ends do.
        colour, hidden
            In pictures: "#RRGGBB" or a name, and whether viewers leave it out.
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
                f'{what}: both its ends are on "{end.body_name}"; fix it to two bodies, or give points', about=what
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
        """A rigid part fixed on a body, such as a disc on a station of a shaft: its mass is added to what the body has.

        on: a body, a station, or a frame, in whose axes all is said; at: where on a body, in the world. solid: such as
        ``cylinder(...)``; or mass [kg], inertia (Ixx, Iyy, Izz) or a 3x3 matrix about the centre of mass [kg*m^2], none without,
        and centre_of_mass from the frame [m].
        """
        what = Subject(f'attached mass "{name}"')
        if solid is not None:
            read_solid(solid, what)
            if mass is not None or inertia is not None:
                raise ModelError(f"{what}: give solid, or mass and inertia, not both", about=what)
        elif mass is None:
            raise ModelError(
                f"{what}: mass missing; give mass and inertia, or solid=cylinder(...) and the like", about=what
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

    def _beam_end(self, end: object, what: Subject, key: str, name: str) -> Frame | Array:
        """A frame on a body of this model, or a point in the world."""
        if isinstance(end, (str, Body, Frame, Structure)):
            frame = self._end(end, None, what, name, on=key)
            body = self._body_named(frame.body_name, what)
            return Frame(body.name, frame.position, None, name, owner=body)  # its axes do not matter
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
        """An elastic body of finite elements: a housing, a carrier, a disc. It may move and turn as far as it likes.

        superelement: from `Superelement.from_mesh`, `Superelement.from_shape` or `read_superelement`. Its interfaces are stations:
        ``housing["seat 1"]`` is a body like others, called "NAME seat 1".
        position, orientation: of the axes of the superelement in the world [m].
        damping: β [s]: damping is β times stiffness. modal_damping: besides, ratio to the critical damping of each mode with
        held interfaces.
        velocity, angular_velocity: of the origin of these axes at the start, world axes.
        colour, hidden: in pictures, "#RRGGBB" or a name, and whether viewers leave it out.
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
        """Take a structure and its stations, if their names are free and all fits into the plane of the model."""
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
