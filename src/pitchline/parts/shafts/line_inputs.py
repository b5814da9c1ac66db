"""Reading of the arguments of shafts and beams: stations, discretisation, mass, initial motion."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import cast, get_args

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.declare.names import check_name, one_of
from pitchline.errors import ModelError, Subject, near_names, shown
from pitchline.solids.rotations import crossed
from pitchline.units.quantity import quantity, vector

from ..gears.geometry.inputs import in_mm, positive, whole
from .segment import MassKind, Segment, cuts

__all__ = ["END", "START", "LineMotion", "between_ends", "nodes_along", "read_cutting", "read_mass_kind", "read_places"]

START, END = "start", "end"
"""Default stations at the ends of a line."""
_SAME = 1e-6
"""Stations closer than this fraction of the length are at the same position."""
MOST_ELEMENTS = 2000
"""If a line has more elements than this, a unit is probably wrong."""


def read_mass_kind(value: object, what: Subject) -> MassKind:
    """ "tuned", "consistent" or "lumped"."""
    kinds = get_args(MassKind)
    if not one_of(value, kinds):
        raise ModelError(
            f"{what}: mass: unknown {shown(value)}; {near_names(str(value), kinds)}", about=what.at("mass")
        )
    return cast(MassKind, value)


def read_cutting(elements: object, frequency: object, what: Subject) -> tuple[int, float | None]:
    """Read the minimum number of elements and the highest frequency of interest [Hz]."""
    count = whole(elements, what / "elements", at_most=MOST_ELEMENTS)
    if frequency is None:
        return count, None
    return count, positive(frequency, "frequency", what / "frequency")


def read_places(stations: object, length: float, what: Subject) -> dict[str, float]:
    """Read the positions of stations along a line [m], in order. START and END are added if there is no station at an end."""
    if not isinstance(stations, Mapping):
        raise ModelError(
            f'{what}: stations must give the position of each station, such as {{"left": "10 mm"}}, got {shown(stations)}',
            about=what.at("stations"),
        )
    found: dict[str, float] = {}
    for name, place in stations.items():
        where = what.called(f'{what}: station "{name}"').at("stations", str(name))
        check_name(name, f"{what}: station")
        if str(name).startswith("node "):
            raise ModelError(
                f'{where}: names that begin with "node " are reserved for nodes between stations; choose another name',
                about=where,
            )
        z = quantity(place, "length", what=where)
        if z < -_SAME * length or z > (1.0 + _SAME) * length:
            raise ModelError(
                f"{where}: position {in_mm(z)} is not on {what}, which extends from 0 to {in_mm(length)}; move it, "
                f"or make {what} longer",
                about=where,
            )
        found[str(name)] = 0.0 if z < _SAME * length else length if z > (1.0 - _SAME) * length else z
    for name, place in ((START, 0.0), (END, length)):
        if name in found and found[name] != place:
            raise ModelError(
                f'{what}: station "{name}" is at {in_mm(found[name])}, but this name is reserved for {in_mm(place)}; '
                "choose another name",
                about=what.at("stations", name),
            )
        if place not in found.values():
            found[name] = place
    places = dict(sorted(found.items(), key=lambda item: item[1]))
    names = list(places)
    for a, b in pairwise(names):
        if places[b] - places[a] < _SAME * length:
            raise ModelError(
                f'{what}: stations "{a}" and "{b}" are both at {in_mm(places[a])}; use one station for both',
                about=what.at("stations", b),
            )
    return places


def between_ends(places: Mapping[str, float]) -> dict[str, float]:
    """Stations without the default stations at the ends."""
    return {name: place for name, place in places.items() if name not in (START, END)}


def nodes_along(
    line: Segment, places: Mapping[str, float], elements: int, frequency: float | None, what: Subject
) -> list[tuple[str, float]]:
    """Names and positions of all nodes: the stations, and nodes between them. No element is longer than the length divided by
    `elements`, nor than a seventh of the shortest wavelength at `frequency`."""
    length, found, count = line.length, list[tuple[str, float]](), 0
    stops = list(places.items())
    for (name, a), (_, b) in pairwise(stops):
        found.append((name, a))
        least = max(1, math.ceil(elements * (b - a) / length - 1e-9))
        between = cuts(line.between(a / length, b / length), frequency, least=least)[1:-1]
        if len(found) + len(between) > MOST_ELEMENTS:
            raise ModelError(
                f"{what}: needs more than {MOST_ELEMENTS} elements; check the unit of frequency, and the dimensions",
                about=what.at("frequency"),
            )
        for share in between:
            count += 1
            found.append((f"node {count}", a + share * (b - a)))
    return [*found, stops[-1]]


@dataclass(frozen=True, eq=False)
class LineMotion:
    """Initial motion of a line as a rigid body: velocity of its first point and angular velocity, world axes."""

    origin: FloatArray
    velocity: FloatArray
    angular_velocity: FloatArray

    @staticmethod
    def read(origin: FloatArray, velocity: object, angular_velocity: object, what: Subject) -> LineMotion:
        """As given."""
        return LineMotion(
            origin,
            vector(velocity, "velocity", what=what / "velocity"),
            vector(angular_velocity, "angular velocity", what=what / "angular_velocity"),
        )

    def spinning(self, axis: FloatArray, speed: float) -> LineMotion:
        """Add a rotation about an axis through the first point [rad/s]."""
        return LineMotion(self.origin, self.velocity, self.angular_velocity + speed * axis)

    def at(self, point: FloatArray) -> dict[str, FloatArray]:
        """Velocities of a body with its origin at a point."""
        arm = np.asarray(point) - self.origin
        return {
            "velocity": self.velocity + crossed(self.angular_velocity, arm),
            "angular_velocity": self.angular_velocity,
        }
