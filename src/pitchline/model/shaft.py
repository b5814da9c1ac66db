"""Shaft: sections in a row on a straight axis, with stations for other parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from ..arguments import names_wrong_arguments
from ..beams.sections import read_material
from ..beams.segment import Segment
from ..beams.shaft_section import ShaftSection
from ..beams.tuned_mass import MassKind
from ..errors import ModelError, Subject, near_names, shown
from ..gears.inputs import angle, in_mm, positive
from ..gears.material import STEEL, Material
from ..solids.rotations import Array, direction, read_rotation, z_to
from ..units import quantity, vector
from .beam_damping import BeamDamping, read_damping
from .beam_line import BeamLine, LineNode
from .effective_outline import HubSeat, effective_line
from .frames import Frame
from .line_inputs import LineMotion, between_ends, nodes_along, read_cutting, read_mass_kind, read_places
from .names import part_subject
from .station import Station
from .structure import station_body_name

__all__ = ["Shaft"]


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Shaft(BeamLine):
    """Shaft that bends, twists and stretches. `Model.shaft` makes it and describes the arguments.

    Attributes
    ----------
    name : str
    sections : tuple of ShaftSection
        From the start to the end.
    material : Material
        Material of sections without their own material.
    position : (3,)
        Start in the world in the initial pose [m].
    orientation : (3, 3)
        Axes in the initial pose: z from the start to the end.
    places : mapping
        Positions of the stations along the shaft, from the start [m].
    elements_at_least : int
        Minimum number of elements.
    frequency : float | None
        Highest frequency of interest [Hz].
    hubs : mapping
        Hubs that stiffen the shaft, by station: outer diameter and width [m].
    step_angle : float | None
        Half angle of the cone along which the effective diameter increases next to steps [rad].
    damping : BeamDamping
    mass : str
    speed : float
        Initial rotation about its axis [rad/s], in addition to `velocity` of its start [m/s] and `angular_velocity` [rad/s], (3,),
        world axes.
    stations : mapping
        Nodes by name, in order: stations, and nodes between them, "node 1", "node 2", ...
    """

    kind: ClassVar[str] = "shaft"
    section: ClassVar[str] = "shafts"

    name: str
    sections: tuple[ShaftSection, ...]
    material: Material
    position: Array
    orientation: Array
    places: Mapping[str, float]
    elements_at_least: int
    frequency: float | None
    hubs: Mapping[str, tuple[float, float]]
    step_angle: float | None
    damping: BeamDamping
    mass: MassKind
    speed: float
    velocity: Array
    angular_velocity: Array

    def __init__(
        self,
        name: str,
        sections: Sequence[ShaftSection],
        *,
        material: Material = STEEL,
        position: object = (0.0, 0.0, 0.0),
        axis: object = None,
        orientation: object = None,
        stations: Mapping[str, object] | None = None,
        elements: object = 4,
        frequency: object = None,
        hubs: Mapping[str, Sequence[object]] | None = None,
        step_angle: object = None,
        damping: object = 0.0,
        mass: str = "tuned",
        speed: object = 0.0,
        velocity: object = (0.0, 0.0, 0.0),
        angular_velocity: object = (0.0, 0.0, 0.0),
    ) -> None:
        what = part_subject("shaft", name)
        if axis is not None and orientation is not None:
            raise ModelError(f"{what}: specify axis or orientation, not both", about=what.at("orientation"))
        if axis is not None:
            orientation = z_to(direction(axis, what=what / "axis"))
        given = _read_sections(sections, what)
        length = sum(section.length for section in given)
        count, highest = read_cutting(elements, frequency, what)
        origin = vector(position, "length", what=what / "position")
        motion = LineMotion.read(origin, velocity, angular_velocity, what)
        for attribute, value in (
            ("name", name),
            ("sections", given),
            ("material", read_material(material, what)),
            ("position", origin),
            ("orientation", read_rotation(orientation, what=what / "orientation")),
            ("places", MappingProxyType(read_places(stations or {}, length, what))),
            ("elements_at_least", count),
            ("frequency", highest),
            ("hubs", MappingProxyType(_read_hubs(hubs or {}, what))),
            (
                "step_angle",
                None if step_angle is None else angle(step_angle, what / "step_angle", lowest=0.0, highest=90.0),
            ),
            ("damping", read_damping(damping, what)),
            ("mass", read_mass_kind(mass, what)),
            ("speed", quantity(speed, "angular velocity", what=what / "speed")),
            ("velocity", motion.velocity),
            ("angular_velocity", motion.angular_velocity),
        ):
            object.__setattr__(self, attribute, value)
        self._cut(motion.spinning(self.orientation[:, 2], self.speed))

    def _cut(self, motion: LineMotion) -> None:
        """Make the nodes and the segments between them."""
        line = self.line
        nodes: list[LineNode] = []
        stations: dict[str, Station] = {}
        for name, place in nodes_along(line, self.places, self.elements_at_least, self.frequency, self.subject):
            at = self.position + place * self.orientation[:, 2]
            station = stations[name] = Station(
                station_body_name(self.name, name),
                structure=self.name,
                station=name,
                position=at,
                orientation=self.orientation,
                **motion.at(at),
            )
            nodes.append(LineNode(place, station, Frame(station.name, np.zeros(3), None, owner=station)))
        length = line.length
        segments = [line.between(a.place / length, b.place / length) for a, b in pairwise(nodes)]
        for attribute, value in (
            ("nodes", tuple(nodes)),
            ("stations", MappingProxyType(stations)),
            ("segments", tuple(segments)),
        ):
            object.__setattr__(self, attribute, value)

    @property
    def axis(self) -> Array:
        """Unit vector from the start to the end, world axes, in the initial pose (3,)."""
        return self.orientation[:, 2]

    @property
    def line(self) -> Segment:
        """All sections as one segment, with the stiffness of hubs and steps."""
        return effective_line(self.sections, self.material, self._seats(), self.step_angle, self.subject)

    def _seats(self) -> dict[str, HubSeat]:
        """Positions of the hubs, limited to the shaft."""
        length = sum(section.length for section in self.sections)
        found = {}
        for station, (outer, width) in self.hubs.items():
            if station not in self.places:
                raise ModelError(
                    f"{self.subject}: hubs: there is no station {shown(station)}; {near_names(station, self.places)}",
                    about=self.subject.at("hubs", station),
                )
            z = self.places[station]
            found[station] = HubSeat(outer, max(z - 0.5 * width, 0.0), min(z + 0.5 * width, length))
        seats = sorted(found.items(), key=lambda item: item[1].begin)
        for (a, one), (b, other) in pairwise(seats):
            if other.begin < one.end - 1e-9 * length:
                raise ModelError(
                    f'{self.subject}: hubs "{a}" and "{b}" overlap: the first ends at {in_mm(one.end)}, the second begins at '
                    f"{in_mm(other.begin)}; specify smaller widths",
                    about=self.subject.at("hubs", b),
                )
        return found

    def place_of(self, frame: Frame, station: Station) -> float:
        """Distance of a frame on one of its stations from the start, along the shaft [m]."""
        node = next(node for node in self.nodes if node.body is station)
        return node.place + float(frame.position[2])

    def outer_at(self, place: float, *, smaller: bool = False) -> float:
        """Outer diameter at a position from the start [m]. At a step the larger one; with smaller=True the smaller one."""
        found = []
        start = 0.0
        for section in self.sections:
            share = (place - start) / section.length
            if -1e-9 <= share <= 1.0 + 1e-9:
                found.append(section.diameters(share)[0])
            start += section.length
        return (min if smaller else max)(found, default=0.0)

    def thickest(self, begin: float, end: float) -> float:
        """Largest outer diameter between two positions from the start [m], both excluded; 0 beyond the ends."""
        largest = start = 0.0
        for section in self.sections:
            low, high = max(begin, start), min(end, start + section.length)
            if high > low:
                both = ((z - start) / section.length for z in (low, high))
                largest = max(largest, *(section.diameters(share)[0] for share in both))
            start += section.length
        return largest

    def replaced(self, **changes: Any) -> Shaft:
        """Return the same shaft with some arguments changed, for `Model.replaced`. The stations are made again.

        Parameters
        ----------
        changes
            Arguments of `Model.shaft` with their new values.
        """
        said = {**self.said(), "stations": between_ends(self.places)}
        del said["places"]
        if "axis" in changes:
            del said["orientation"]
        return Shaft(**(said | changes))

    def said(self) -> dict[str, Any]:
        """Arguments of the shaft. The stations are under "places"."""
        said = {field.name: getattr(self, field.name) for field in fields(self)}
        said["elements"] = said.pop("elements_at_least")
        return said

    def summary_line(self) -> str:
        """ "1.2 kg, 85 mm long, 30 to 40 mm thick, ..." """
        outer = [d for section in self.sections for d in (section.outer, section.outer_end)]
        count = len(self.sections)
        thick = in_mm(max(outer)) if min(outer) == max(outer) else f"{1e3 * min(outer):.6g} to {in_mm(max(outer))}"
        return (
            f"{self.solid.mass:.6g} kg, {in_mm(self.length)} long, {thick} thick, {count} section{'s' if count > 1 else ''}, "
            f"{len(self.segments)} elements; stations {', '.join(f'{n} {1e3 * z:.6g}' for n, z in self.places.items())} mm"
        )

    def __repr__(self) -> str:
        return f"Shaft({self.name!r}: {in_mm(self.length)}, {len(self.segments)} elements)"


def _read_hubs(hubs: object, what: Subject) -> dict[str, tuple[float, float]]:
    if not isinstance(hubs, Mapping):
        raise ModelError(
            f'{what}: hubs: expected outer diameter and width by station, such as {{"pinion": ("60 mm", "40 mm")}}, got '
            f"{shown(hubs)}",
            about=what.at("hubs"),
        )
    found = {}
    for station, given in hubs.items():
        where = what / "hubs" / str(station)
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != 2:
            raise ModelError(f"{where}: expected outer diameter and width, got {shown(given)}", about=where)
        found[str(station)] = (positive(given[0], "length", where), positive(given[1], "length", where))
    return found


def _read_sections(sections: object, what: Any) -> tuple[ShaftSection, ...]:
    if isinstance(sections, ShaftSection):
        sections = (sections,)
    if not isinstance(sections, Sequence) or isinstance(sections, str) or not len(sections):
        raise ModelError(
            f'{what}: sections must be a list such as [ShaftSection("20 mm", outer="30 mm")], got {shown(sections)}',
            about=what.at("sections"),
        )
    for k, section in enumerate(sections):
        if not isinstance(section, ShaftSection):
            raise ModelError(
                f"{what}: sections[{k}] must be a ShaftSection, got {shown(section)}", about=what.at("sections", k)
            )
    return tuple(sections)
