"""Shaft: sections in a row on a straight axis, with stations for other parts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.declare.names import Frame, part_subject
from pitchline.declare.registry import Registry
from pitchline.declare.structure import Station, station_body_name
from pitchline.errors import ModelError, Subject, near_names, shown
from pitchline.solids.rotations import direction, read_rotation, z_to
from pitchline.units.quantity import quantity, vector

from ..gears.geometry.inputs import STEEL, Material, angle, in_mm, positive
from ..gears.part import HubSeat, effective_line
from .beam import BeamDamping, BeamLine, LineNode, read_damping
from .line_inputs import LineMotion, between_ends, nodes_along, read_cutting, read_mass_kind, read_places
from .sections import ShaftSection, read_material
from .segment import MassKind, Segment

__all__ = ["Shaft", "shaft_warnings"]


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
    position: FloatArray
    orientation: FloatArray
    places: Mapping[str, float]
    elements_at_least: int
    frequency: float | None
    hubs: Mapping[str, tuple[float, float]]
    step_angle: float | None
    damping: BeamDamping
    mass: MassKind
    speed: float
    velocity: FloatArray
    angular_velocity: FloatArray

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
    def axis(self) -> FloatArray:
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


# ---- shaft warnings

# Warnings about shafts: dimensions that are probably in millimetres, a damping that is probably a ratio.

_THICK = 3.0
"""From this diameter [m] on, a plain number is probably in millimetres."""
_LONG = 1e-3
"""Below this damping time [s] the value is probably not a ratio. Heavy discs reduce the frequencies of a light shaft."""
_FREE = 3.56
"""Factor of the first frequency of a free beam, f = 3.56 √(EI/ρA) / L² [Hz]."""


def shaft_warnings(model: Registry) -> list[str]:
    """Warnings about the shafts of a model; one sentence each."""
    found = []
    for shaft in model.structures.values():
        if not isinstance(shaft, Shaft):
            continue
        thickest = max(max(section.outer, section.outer_end) for section in shaft.sections)
        if thickest >= _THICK:
            meant = f'plain numbers are in metres; if you mean millimetres, write "{thickest:g} mm"'
            found.append(f"the diameter of {shaft.subject} is {thickest:g} m: {meant}")
            continue
        ratio = math.pi * _first_frequency(shaft) * shaft.damping.bending
        if ratio >= 1.0 and shaft.damping.bending >= _LONG:
            found.append(
                f"{shaft.subject}: the damping of {shaft.damping.bending:g} s is {ratio:.3g} times the critical "
                "damping of its first bending "
                "mode; it is a time, not a damping ratio: twice the damping ratio divided by the angular frequency"
            )
    return found


def _first_frequency(shaft: Shaft) -> float:
    """First bending frequency [Hz] of the free shaft with its thickest section: an estimate, rather too high."""
    section = max(shaft.sections, key=lambda one: one.outer)
    material = section.material or shaft.material
    radius_of_gyration = 0.25 * math.hypot(section.outer, section.inner)
    return _FREE * radius_of_gyration * math.sqrt(material.youngs_modulus / material.density) / shaft.length**2
