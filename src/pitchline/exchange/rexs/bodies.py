"""Bodies of the model: elastic shafts with stations, and rigid bodies of parts that are rigidly joined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ...model import Body, Model
from ...solids.homogeneous import tube
from ...solids.mass_properties import MassProperties
from ...solids.rotations import Array
from ...solids.shape import Shape
from ..imported import ImportReport
from .component import RexsComponent
from .groups import GROUND, Merged, all_parts, carrier_parts, part_number
from .materials import Materials
from .naming_errors import about
from .part_names import PartNames, cleaned
from .places import RexsPlace, RexsPlaces
from .sections import SectionLine, tube_properties
from .structure import UnitStructure

__all__ = ["Bodies", "PartMotion"]

_SAME_STATION = 2e-6
_LIGHTEST = 1e-3
"""Mass [kg] of a body for which the file states none."""


@dataclass(frozen=True)
class PartMotion:
    """Initial motion of a part: velocity at a point [m/s] and angular velocity [rad/s], world axes."""

    angular_velocity: Array
    velocity_at: Callable[[Array], Array]


@dataclass
class _StationPlace:
    """Position on an elastic shaft, with the names that were requested for it."""

    place: float
    name: str


@dataclass
class Bodies:
    """Bodies of a model. First `attach` all points, then `build`, then ask for bodies with `at`."""

    model: Model
    structure: UnitStructure
    places: RexsPlaces
    lines: dict[int, SectionLine]
    materials: Materials
    names: PartNames
    report: ImportReport
    parts: dict[str, int]
    elastic: bool
    rigid_links: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._stations: dict[int, list[_StationPlace]] = {
            number: [] for number in self.structure.shafts if self.is_elastic(number)
        }
        self._bodies: dict[int, Body] = {}
        rigid = [number for number in all_parts(self.structure) if not self.is_elastic(number)]
        self.merged = Merged(rigid)
        for a, b in (*self.rigid_links, *carrier_parts(self.structure)):
            if a in self.merged and b in self.merged:
                self.merged.join(a, b)

    def is_elastic(self, number: int) -> bool:
        """Whether a part is an elastic shaft."""
        return self.elastic and number in self.lines

    def same_body(self, a: RexsComponent, b: RexsComponent) -> bool:
        """Whether two parts are one rigid body."""
        first, second = part_number(a), part_number(b)
        return first in self.merged and second in self.merged and self.merged.root(first) == self.merged.root(second)

    # ------------------------------------------------------------------------------------------- stations

    def attach(self, part: RexsComponent, point: Array, name: str) -> None:
        """Request a station of an elastic shaft at a point."""
        number = part_number(part)
        if number not in self._stations:
            return
        place = self._along(number, point)
        if place is None:
            return
        stations = self._stations[number]
        if all(abs(one.place - place) > _SAME_STATION for one in stations):
            wanted = cleaned(name) or "station"
            used = {one.name for one in stations} | {"start", "end"}
            wanted = f"at {wanted}" if wanted.startswith("node ") else wanted
            free = next(text for text in (wanted, *(f"{wanted} {n}" for n in range(2, 10_000))) if text not in used)
            stations.append(_StationPlace(place, free))

    def _along(self, number: int, point: Array) -> float | None:
        """Distance from the start of the sections; None beyond the ends."""
        line, place = self.lines[number], self.places.of(self.structure.document.components[number])
        along = float((point - place.origin) @ place.u) - line.start
        if along < -_SAME_STATION or along > line.length + _SAME_STATION:
            return None
        return round(min(max(along, 0.0), line.length), 13)

    def at(self, part: RexsComponent, point: Array) -> Body:
        """Body of a part at a point: the nearest station, the rigid body, or the ground."""
        number = part_number(part)
        if number not in self._stations:
            root = self.merged.root(number)
            return self.model.ground if root == GROUND else self._bodies[root]
        shaft = self.model.shafts[self.names.of(part)]
        along = self._along(number, point)
        if along is None:
            self.report.add("assumed", f"{part.label}: parts beyond its ends are rigidly connected to its ends")
            line, place = self.lines[number], self.places.of(part)
            ahead = float((point - place.origin) @ place.u) - line.start > 0.0
            along = line.length if ahead else 0.0
        name = min(shaft.places, key=lambda one: abs(shaft.places[one] - along))
        return shaft[name]

    # ------------------------------------------------------------------------------------------- bodies

    def build(self, motion: Callable[[int], PartMotion]) -> None:
        """Add all bodies to the model."""
        components = self.structure.document.components
        for number in self._stations:
            self._add_shaft(components[number], motion(number))
        for root, members in self.merged.members().items():
            if root != GROUND:
                self._add_rigid(root, [components[number] for number in members], motion)
            else:
                for number in members:
                    self.report.add("used", f"{components[number].label}: fixed on the casing")

    def _add_shaft(self, shaft: RexsComponent, motion: PartMotion) -> None:
        line, place, name = self.lines[shaft.id], self.places.of(shaft), self.names.of(shaft)
        start = place.along(line.start).origin
        spin = float(motion.angular_velocity @ place.u)
        moving = motion.velocity_at(start)
        speed: dict[str, object] = {"speed": spin} if spin else {}
        if np.linalg.norm(moving) > 1e-12 or np.linalg.norm(motion.angular_velocity - spin * place.u) > 1e-12:
            speed = {"velocity": tuple(moving), "angular_velocity": tuple(motion.angular_velocity)}
        stations = {one.name: one.place for one in sorted(self._stations[shaft.id], key=lambda one: one.place)}
        with about(shaft):
            self.model.shaft(
                name, line.sections, material=line.material, position=tuple(start), orientation=place.turned,
                stations=stations, **speed,  # type: ignore[arg-type]
            )  # fmt: skip
        self.parts[name] = shaft.id
        self.report.add(
            "used", f"{shaft.label}: elastic shaft with {len(line.sections)} sections, {line.mass():.4g} kg"
        )

    def _add_rigid(self, root: int, members: list[RexsComponent], motion: Callable[[int], PartMotion]) -> None:
        physical = [one for one in members if one.new_type != "planet_carrier"]
        if not physical:
            return
        first = next((one for one in physical if one.id in self.structure.shafts), physical[0])
        place = self.places.of(first)
        solid: MassProperties | None = None
        shapes: list[Shape] = []
        for one in physical:
            made, drawn = self._rigid_part(one, place)
            if made is not None:
                solid = made if solid is None else solid + made
            shapes += drawn
        name = self.names.of(first)
        if solid is None and self._has_added_mass(physical):
            solid = MassProperties(0.0, (0.0, 0.0, 0.0), 3 * (0.0,))
        elif solid is None:
            self.report.add("assumed", f"{first.label}: no mass and no sections; mass {_LIGHTEST:g} kg")
            solid = MassProperties(_LIGHTEST, (0.0, 0.0, 0.0), 3 * (1e-6,))
        moves = motion(first.id)
        with about(first):
            self._bodies[root] = self.model.body(
                name, mass=solid.mass, inertia=solid.inertia, centre_of_mass=tuple(solid.centre_of_mass),
                position=tuple(place.origin), orientation=place.turned, shape=shapes or None,
                velocity=tuple(moves.velocity_at(place.origin)), angular_velocity=tuple(moves.angular_velocity),
            )  # fmt: skip
        self.parts[name] = first.id
        joined = ", ".join(one.label for one in physical if one is not first)
        self.report.add(
            "used", f"{first.label}: rigid body, {solid.mass:.4g} kg" + (f", joined with {joined}" if joined else "")
        )

    def _has_added_mass(self, members: list[RexsComponent]) -> bool:
        """Whether an additional mass with moments of inertia is on one of the parts, so that the body needs no other mass."""
        masses = [
            mass for one in members if one.id in self.structure.shafts for mass in self.structure.shafts[one.id].masses
        ]
        keys = "mass_of_component", *(f"moment_of_inertia_{axis}_axis" for axis in "uvw")
        return any(all((mass.number(key) or 0.0) > 0.0 for key in keys) for mass in masses)

    def _rigid_part(self, one: RexsComponent, frame: RexsPlace) -> tuple[MassProperties | None, list[Shape]]:
        """Mass properties and shapes of one part in the axes of the body."""
        place = self.places.of(one)
        turn, shift = frame.turned.T @ place.turned, frame.turned.T @ (place.origin - frame.origin)
        if one.id in self.lines:
            solid, shapes = self.lines[one.id].properties(), self.lines[one.id].shapes()
        elif one.new_type == "side_plate":
            made = self._plate(one)
            if made is None:
                return None, []
            solid, shapes = made
        else:
            mass = one.number("mass_of_component")
            if not mass or mass <= 0.0:
                return None, []
            solid, shapes = MassProperties(mass, (0.0, 0.0, 0.0), 3 * (1e-4 * mass,)), []
            self.report.add("assumed", f"{one.label}: radius of gyration 10 mm, because it has no sections")
        return solid.turned(turn).moved(tuple(shift)), [shape.turned(turn).moved(tuple(shift)) for shape in shapes]

    def _plate(self, plate: RexsComponent) -> tuple[MassProperties, list[Shape]] | None:
        """Side plate of a carrier: a tube from its origin along u."""
        length, outer = plate.number("length"), plate.number("outer_diameter")
        inner = plate.number("inner_diameter") or 0.0
        if not length or not outer:
            self.report.add("ignored", f"{plate.label}: no length or outer diameter, so it has no mass")
            return None
        if inner >= outer or inner < 0.0 or length < 0.0:
            raise plate.error(
                "inner_diameter", "must be smaller than the outer diameter, and the length must be positive"
            )
        with about(plate):
            solid = tube_properties((outer, outer), (inner, inner), length, self.materials.of(plate).density)
            shape = tube(0.5 * outer, 0.5 * inner, length) if inner else None
            from ...solids.homogeneous import cylinder

            drawn = shape if shape is not None else cylinder(0.5 * outer, length)
        middle = (0.0, 0.0, 0.5 * length)
        return solid.moved(middle), [drawn.moved(middle)]
