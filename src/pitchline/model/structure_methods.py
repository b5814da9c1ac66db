"""Model methods that add shafts, beams and flexible bodies, and attached masses."""

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

    def _beam_end(self, end: object, what: Subject, key: str, name: str) -> Frame | Array:
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
