"""Beam: a member with one section along a straight or curved line, between bodies or with free ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from ..arguments import names_wrong_arguments
from ..beams.se3 import log_se3
from ..beams.sections import BeamSection
from ..beams.segment import Segment, SegmentPiece
from ..beams.tuned_mass import MassKind
from ..errors import ModelError, Subject, shown
from ..gears.inputs import in_mm
from ..solids.rotations import Array, direction
from ..units import vector
from .beam_curve import BeamCurve, beam_curve
from .beam_damping import BeamDamping, read_damping
from .beam_line import BeamLine, LineNode
from .body import Body
from .frames import Frame
from .line_inputs import END, START, LineMotion, between_ends, nodes_along, read_cutting, read_mass_kind, read_places
from .names import part_subject
from .station import Station
from .structure import station_body_name

__all__ = ["Beam"]


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Beam(BeamLine):
    """Beam that bends, twists and stretches. `Model.beam` makes it and describes the arguments.

    Attributes
    ----------
    name : str
    a, b : Frame or (3,)
        Ends: a frame on the body to which the end is fixed, or a point in the world [m]. An end at a point has its own
        station, "start" or "end".
    beam_section : BeamSection
    points : tuple of (3,)
        Points between the ends through which the beam passes, in the world [m].
    tangent, end_tangent : (3,) or None
        Directions of the beam at its ends.
    up : (3,) or None
        Direction of the y axis of the section at the start.
    places : mapping
        Position of each station along the beam, from the start [m].
    elements_at_least : int
        Minimum number of elements.
    frequency : float | None
        Highest frequency of interest [Hz].
    damping : BeamDamping
    mass : str
    velocity, angular_velocity : (3,) or None
        Initial velocity of the first point and initial angular velocity, world axes [m/s, rad/s]. None: from the motion of
        the ends.
    stations : mapping
        Nodes by name, in order along the beam. Ends on other bodies are not included.
    """

    kind: ClassVar[str] = "beam"
    section: ClassVar[str] = "beams"

    name: str
    a: Frame | Array
    b: Frame | Array
    beam_section: BeamSection
    points: tuple[Array, ...]
    tangent: Array | None
    end_tangent: Array | None
    up: Array | None
    places: Mapping[str, float]
    elements_at_least: int
    frequency: float | None
    damping: BeamDamping
    mass: MassKind
    velocity: Array | None
    angular_velocity: Array | None

    def __init__(
        self,
        name: str,
        a: Frame | Array,
        b: Frame | Array,
        section: BeamSection,
        *,
        points: Sequence[object] = (),
        tangent: object = None,
        end_tangent: object = None,
        up: object = None,
        stations: Mapping[str, object] | None = None,
        elements: object = 4,
        frequency: object = None,
        damping: object = 0.0,
        mass: str = "tuned",
        velocity: object = None,
        angular_velocity: object = None,
    ) -> None:
        what = part_subject("beam", name)
        if not isinstance(section, BeamSection):
            raise ModelError(
                f'{what}: section must be a BeamSection, such as BeamSection.circle("10 mm"), got {shown(section)}',
                about=what.at("section"),
            )
        count, highest = read_cutting(elements, frequency, what)
        for attribute, value in (
            ("name", name),
            ("a", a),
            ("b", b),
            ("beam_section", section),
            ("points", _read_points(points, what)),
            ("tangent", None if tangent is None else direction(tangent, what=what / "tangent")),
            ("end_tangent", None if end_tangent is None else direction(end_tangent, what=what / "end_tangent")),
            ("up", None if up is None else direction(up, what=what / "up")),
            ("elements_at_least", count),
            ("frequency", highest),
            ("damping", read_damping(damping, what)),
            ("mass", read_mass_kind(mass, what)),
            ("velocity", None if velocity is None else vector(velocity, "velocity", what=what / "velocity")),
            ("angular_velocity", _spin(angular_velocity, what)),
        ):
            object.__setattr__(self, attribute, value)
        curve = beam_curve(
            _world(a), _world(b), points=list(self.points), tangent=self.tangent, end_tangent=self.end_tangent, up=self.up,
            what=what,
        )  # fmt: skip
        object.__setattr__(self, "places", MappingProxyType(read_places(stations or {}, curve.length, what)))
        self._cut(curve)

    def _cut(self, curve: BeamCurve) -> None:
        """Make the nodes and the segments between them."""
        whole = Segment.uniform(curve.length, self.beam_section)
        nodes: list[LineNode] = []
        stations: dict[str, Station] = {}
        for name, place in nodes_along(whole, self.places, self.elements_at_least, self.frequency, self.subject):
            x, R = curve.pose(place)
            body = self._end_at(name, place, curve)
            if body is None:
                body = stations[name] = Station(
                    station_body_name(self.name, name),
                    structure=self.name,
                    station=name,
                    position=x,
                    orientation=R,
                    **self._motion(x, place / curve.length),
                )
            nodes.append(LineNode(place, body, Frame(body.name, body.to_body(x), body.orientation.T @ R, owner=body)))
        segments = []
        for one, other in pairwise(nodes):
            (xa, Ra), (xb, Rb) = one.pose, other.pose
            rest = log_se3(Ra.T @ (xb - xa), Ra.T @ Rb)
            segments.append(Segment((SegmentPiece.uniform(other.place - one.place, self.beam_section),), rest))
        for attribute, value in (
            ("nodes", tuple(nodes)),
            ("stations", MappingProxyType(stations)),
            ("segments", tuple(segments)),
        ):
            object.__setattr__(self, attribute, value)

    def _end_at(self, name: str, place: float, curve: BeamCurve) -> Body | None:
        """Return the body at an end, if the end is fixed to a body."""
        for end, at, usual in ((self.a, 0.0, START), (self.b, curve.length, END)):
            if place == at and isinstance(end, Frame):
                if name != usual:
                    raise ModelError(
                        f'{self.subject}: station "{name}" is at its {usual}, where it is fixed to body "{end.body_name}"; use '
                        "that body",
                        about=self.subject.at("stations", name),
                    )
                return end.owner
        return None

    def _motion(self, x: Array, share: float) -> dict[str, Array]:
        """Initial velocities of a node: as specified, or interpolated between the bodies at the ends."""
        if self.velocity is not None or self.angular_velocity is not None:
            v, w = (np.zeros(3) if given is None else given for given in (self.velocity, self.angular_velocity))
            return LineMotion(_world(self.a), v, w).at(x)
        found = {"velocity": np.zeros(3), "angular_velocity": np.zeros(3)}
        ends = [end.owner if isinstance(end, Frame) else None for end in (self.a, self.b)]
        first, last = ends[0] or ends[1], ends[1] or ends[0]
        for body, part in ((first, 1.0 - share), (last, share)):
            if body is not None:
                for key, value in LineMotion(body.position, body.velocity, body.angular_velocity).at(x).items():
                    found[key] = found[key] + part * value
        return found

    def replaced(self, **changes: Any) -> Beam:
        """Return the same beam with some arguments changed, for `Model.replaced`. The stations are made again.

        Parameters
        ----------
        changes
            Arguments of `Model.beam` with their new values.
        """
        said = {**self.said(), "stations": between_ends(self.places)}
        del said["places"]
        return Beam(**(said | changes))

    def on_bodies(self, bodies: Mapping[str, Body]) -> Beam:
        """Return the same beam, fixed to other bodies.

        Parameters
        ----------
        bodies
            New bodies by name. Each replaces the body of the same name.
        """
        ends = {
            key: Frame(end.body_name, end.position, None, end.name, owner=bodies[end.body_name])
            for key, end in (("a", self.a), ("b", self.b))
            if isinstance(end, Frame) and end.body_name in bodies
        }
        return self.replaced(**ends)

    def said(self) -> dict[str, Any]:
        """Arguments of the beam. The stations are under "places"."""
        names = (
            "name", "a", "b", "points", "tangent", "end_tangent", "up", "places", "frequency", "damping", "mass", "velocity",
            "angular_velocity",
        )  # fmt: skip
        return {
            **{name: getattr(self, name) for name in names},
            "section": self.beam_section,
            "elements": self.elements_at_least,
        }

    def summary_line(self) -> str:
        """ "0.3 kg, 500 mm long, circle, 8 elements, frame - ground" """
        ends = [end.body_name if isinstance(end, Frame) else "free" for end in (self.a, self.b)]
        return (
            f"{self.solid.mass:.6g} kg, {in_mm(self.length)} long, {self.beam_section.shape}, {len(self.segments)} elements, "
            f"{ends[0]} - {ends[1]}"
        )

    def __repr__(self) -> str:
        return f"Beam({self.name!r}: {in_mm(self.length)}, {len(self.segments)} elements)"


def _world(end: Frame | Array) -> Array:
    """Position of an end in the initial pose."""
    if isinstance(end, Frame):
        assert end.owner is not None
        return end.owner.to_world(end.position)
    return end


def _read_points(points: object, what: Subject) -> tuple[Array, ...]:
    if not isinstance(points, Sequence | np.ndarray) or isinstance(points, str):
        raise ModelError(f"{what}: points must be a list of points, got {shown(points)}", about=what.at("points"))
    return tuple(vector(point, "length", what=what / "points" / k) for k, point in enumerate(points))


def _spin(value: object, what: Subject) -> Array | None:
    return None if value is None else vector(value, "angular velocity", what=what / "angular_velocity")
