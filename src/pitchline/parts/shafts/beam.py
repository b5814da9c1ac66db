"""Beam: a member with one section along a straight or curved line, with its nodes and damping."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.declare.names import Frame, part_subject
from pitchline.declare.structure import BeamSpec, NodeShare, RigidLink, Station, Structure, station_body_name
from pitchline.errors import ModelError, Subject, near_names, shown
from pitchline.solids.mass_properties import MassProperties
from pitchline.solids.rotations import Rotation, crossed, direction, z_to
from pitchline.units.quantity import vector

from ..bodies.part import Body
from ..gears.geometry.inputs import in_mm, size
from .line_inputs import END, START, LineMotion, between_ends, nodes_along, read_cutting, read_mass_kind, read_places
from .sections import BeamSection, adjoint, exp_se3, log_se3
from .segment import MassKind, Segment, SegmentPiece, segment_mass, segment_stiffness

__all__ = ["BeamCurve", "beam_curve", "BeamDamping", "read_damping", "BeamLine", "LineNode", "Beam"]


# ---- beam curve

# Reference line of a beam: straight line, arc or smooth curve. The section axes follow it without twist.

_SAMPLES = 400
"""Number of samples of a curve between two of its points."""
_STRAIGHT = 1e-9
"""If the angle between tangent and chord is smaller than this [rad], the line is straight."""


class BeamCurve(ABC):
    """Line in the world with arc length and section axes."""

    length: float

    @abstractmethod
    def pose(self, place: float) -> tuple[FloatArray, FloatArray]:
        """Return the point (3,) and the section axes (3, 3), z along the line, at the distance `place` from the start [m]."""


@dataclass(frozen=True, eq=False)
class _StraightLine(BeamCurve):
    origin: FloatArray
    axes: FloatArray
    length: float

    def pose(self, place: float) -> tuple[FloatArray, FloatArray]:
        return self.origin + place * self.axes[:, 2], self.axes


@dataclass(frozen=True, eq=False)
class _ArcLine(BeamCurve):
    origin: FloatArray
    axes: FloatArray
    normal: FloatArray
    """Axis of rotation of the arc."""
    radius: float
    length: float

    def pose(self, place: float) -> tuple[FloatArray, FloatArray]:
        angle = place / self.radius
        t = self.axes[:, 2]
        inwards = crossed(self.normal, t)
        x = self.origin + self.radius * (math.sin(angle) * t + (1.0 - math.cos(angle)) * inwards)
        return x, Rotation(self.normal, angle).matrix @ self.axes


@dataclass(frozen=True, eq=False)
class _SplineLine(BeamCurve):
    places: FloatArray
    points: FloatArray
    tangents: FloatArray
    axes: FloatArray
    """(samples, 3, 3)"""

    @property
    def length(self) -> float:  # type: ignore[override]
        return float(self.places[-1])

    def pose(self, place: float) -> tuple[FloatArray, FloatArray]:
        k = int(np.clip(np.searchsorted(self.places, place, side="right") - 1, 0, len(self.places) - 2))
        h = self.places[k + 1] - self.places[k]
        s = min(max((place - self.places[k]) / h, 0.0), 1.0)
        # cubic in the points and tangents at both ends
        a, b, ta, tb = self.points[k], self.points[k + 1], h * self.tangents[k], h * self.tangents[k + 1]
        x = (1 + 2 * s) * (1 - s) ** 2 * a + s * (1 - s) ** 2 * ta + s * s * (3 - 2 * s) * b + s * s * (s - 1) * tb
        t = 6 * s * (s - 1) * (a - b) + (1 - s) * (1 - 3 * s) * ta + s * (3 * s - 2) * tb
        return x, _carried(self.axes[k], t / np.linalg.norm(t))


def beam_curve(
    start: FloatArray,
    end: FloatArray,
    *,
    points: list[FloatArray],
    tangent: FloatArray | None,
    end_tangent: FloatArray | None,
    up: FloatArray | None,
    what: Subject,
) -> BeamCurve:
    """Make a straight line; with a start tangent an arc; with intermediate points or both tangents a cubic spline."""
    through = [start, *points, end]
    steps = np.linalg.norm(np.diff(through, axis=0), axis=1)
    if np.any(steps <= 1e-12 * max(1e-300, float(np.abs(through).max()))):
        k = int(np.argmin(steps))
        place = ", ".join(f"{x:g}" for x in through[k])
        raise ModelError(
            f"{what}: has zero length: two of its points are at ({place}) m; move one of them, or omit it", about=what
        )
    if points or end_tangent is not None:
        return _spline(np.array(through), tangent, end_tangent, up, what)
    chord = end - start
    length = float(np.linalg.norm(chord))
    if tangent is not None:
        normal = crossed(tangent, chord / length)
        sine, cosine = float(np.linalg.norm(normal)), float(tangent @ chord) / length
        half = math.atan2(sine, cosine)
        if half > math.pi - 1e-6:
            raise ModelError(
                f"{what}: its tangent points away from its end, so that no arc is possible; change the tangent, or specify points",
                about=what.at("tangent"),
            )
        if half > _STRAIGHT:
            radius = length / (2.0 * math.sin(half))
            return _ArcLine(start, _first_axes(tangent, up, what), normal / sine, radius, 2.0 * half * radius)
    return _StraightLine(start, _first_axes(chord / length, up, what), length)


def _spline(
    through: FloatArray,
    tangent: FloatArray | None,
    end_tangent: FloatArray | None,
    up: FloatArray | None,
    what: Subject,
) -> BeamCurve:
    from scipy.interpolate import CubicSpline

    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(through, axis=0), axis=1))])
    free = (2, np.zeros(3))
    ends = (free if tangent is None else (1, tangent), free if end_tangent is None else (1, end_tangent))
    curve = CubicSpline(along, through, bc_type=ends)
    u = np.concatenate([np.linspace(a, b, _SAMPLES, endpoint=False) for a, b in pairwise(along)] + [along[-1:]])
    speed = np.linalg.norm(curve(u, 1), axis=1)
    middle = np.linalg.norm(curve(0.5 * (u[1:] + u[:-1]), 1), axis=1)
    places = np.concatenate([[0.0], np.cumsum(np.diff(u) * (speed[1:] + 4.0 * middle + speed[:-1]) / 6.0)])
    tangents = curve(u, 1) / speed[:, None]
    axes = [_first_axes(tangents[0], up, what)]
    for t in tangents[1:]:
        axes.append(_carried(axes[-1], t))
    return _SplineLine(places, curve(u), tangents, np.array(axes))


def _first_axes(tangent: FloatArray, up: FloatArray | None, what: Subject) -> FloatArray:
    """Section axes at the start: z along the tangent, y in the direction of `up`."""
    if up is None:
        return z_to(tangent)
    across = up - (up @ tangent) * tangent
    size = float(np.linalg.norm(across))
    if size < 1e-6:
        raise ModelError(f"{what}: up is parallel to the beam; specify a direction across it", about=what.at("up"))
    y = across / size
    return np.stack([crossed(y, tangent), y, tangent], axis=1)


def _carried(axes: FloatArray, tangent: FloatArray) -> FloatArray:
    """Rotate axes by the smallest rotation that makes z the tangent."""
    z = axes[:, 2]
    normal = crossed(z, tangent)
    sine = float(np.linalg.norm(normal))
    if sine < 1e-15:
        return axes
    return Rotation(normal / sine, math.atan2(sine, float(z @ tangent))).matrix @ axes


# ---- beam damping

# Material damping of shafts and beams: forces and moments proportional to the rate of deformation.

_KEYS = ("bending", "torsion", "axial")


@dataclass(frozen=True)
class BeamDamping:
    """Stiffness-proportional damping: damping matrix = β times stiffness matrix, β [s].

    There is one β for bending and shear, one for torsion and one for axial deformation. A vibration at the angular
    frequency ω has the loss factor η = β ω and the damping ratio β ω/2.
    """

    bending: float = 0.0
    torsion: float = 0.0
    axial: float = 0.0

    def matrix(self, stiffness: FloatArray) -> FloatArray:
        """Return the damping matrix (6, 6) for a stiffness matrix K: S K S. S is diagonal with the square roots of β."""
        root = np.sqrt([self.bending, self.bending, self.axial, self.bending, self.bending, self.torsion])
        return root[:, None] * stiffness * root


def read_damping(value: object, what: Subject) -> BeamDamping:
    """Read one time constant, or time constants by name."""
    where = what / "damping"
    if isinstance(value, BeamDamping):
        return value
    if not isinstance(value, Mapping):
        time = size(value, "time", where)
        return BeamDamping(time, time, time)
    for key in value:
        if key not in _KEYS:
            raise ModelError(f"{where}: unknown {key!r}; {near_names(str(key), _KEYS)}", about=where)
    return BeamDamping(**{key: size(time, "time", where / key) for key, time in value.items()})


# ---- beam line

# BeamLine: a structure that consists of beam elements in a row, such as a shaft or a beam.


@dataclass(frozen=True, eq=False)
class LineNode:
    """Node of a line of beam elements.

    Attributes
    ----------
    place : float
        Position along the line, from its start [m].
    body : Body
        Station of the line, or another body to which the line is fixed.
    frame : Frame
        Frame on that body at the node. Its z axis points along the line.
    """

    place: float
    body: Body
    frame: Frame

    @property
    def pose(self) -> tuple[FloatArray, FloatArray]:
        """Origin and axes in the world in the initial pose."""
        return self.body.to_world(self.frame.position), self.body.orientation @ self.frame.rotation


class BeamLine(Structure):
    """Nodes along a line, with a beam element between neighbouring nodes.

    Attributes
    ----------
    nodes : tuple of LineNode
        All nodes in order, including ends on other bodies.
    segments : tuple of Segment
        One segment between neighbouring nodes: sections with their steps and tapers.
    mass : str
        "tuned", "consistent" or "lumped": how the mass of a segment is distributed to its nodes.
    damping : BeamDamping
        Material damping.
    """

    nodes: tuple[LineNode, ...]
    segments: tuple[Segment, ...]
    mass: MassKind
    damping: BeamDamping

    @property
    def outside(self) -> tuple[Frame, ...]:
        """Frames of the ends that are on bodies outside the line."""
        return tuple(
            node.frame for node in self.nodes if node.body.name not in {s.name for s in self.stations.values()}
        )

    @property
    def length(self) -> float:
        """Length of the line [m]."""
        return self.nodes[-1].place

    @cached_property
    def elements(self) -> tuple[BeamSpec, ...]:
        """Beam elements, from the start to the end of the line."""
        found = []
        for a, b, segment in zip(self.nodes, self.nodes[1:], self.segments, strict=False):
            K = segment_stiffness(segment)
            M = segment_mass(segment, K, self.mass)
            found.append(BeamSpec((a.frame, b.frame), K, M, segment.rest, self.damping.matrix(K)))
        return tuple(found)

    @cached_property
    def links(self) -> tuple[RigidLink, ...]:
        """Rigid links that connect each node to the next, at the frame of the next node."""
        found = []
        for a, b in pairwise(self.nodes):
            x, R = b.pose
            found.append(
                RigidLink(Frame(a.body.name, a.body.to_body(x), a.body.orientation.T @ R, owner=a.body), b.frame)
            )
        return tuple(found)

    @cached_property
    def solid(self) -> MassProperties:
        """Total mass, centre of mass and inertia in the initial pose, world axes, from the world origin."""
        mass, moment, about_origin = 0.0, np.zeros(3), np.zeros((3, 3))
        for node, spec in zip(self.nodes, self.elements, strict=False):
            m, centre, inertia = _rigid(spec)
            x, R = node.pose
            centre = x + R @ centre
            mass, moment = mass + m, moment + m * centre
            about_origin += R @ inertia @ R.T + m * _around(centre)
        if mass == 0.0:
            return MassProperties(0.0, np.zeros(3), (0.0, 0.0, 0.0))
        centre = moment / mass
        inertia = about_origin - mass * _around(centre)
        return MassProperties(mass, centre, 0.5 * (inertia + inertia.T), what=self.subject)

    @cached_property
    def shares(self) -> Mapping[str, NodeShare]:
        """Fraction of the inertia that acts on the body at each node."""
        found: dict[str, NodeShare] = {}
        for spec in self.elements:
            for frame, block in zip(spec.frames, (spec.mass[:6, :6], spec.mass[6:, 6:]), strict=True):
                known = found.get(frame.body_name, NodeShare(0.0, np.zeros((3, 3))))
                R = frame.rotation
                share = NodeShare(float(np.trace(block[:3, :3])) / 3.0, R @ block[3:, 3:] @ R.T)
                found[frame.body_name] = NodeShare(known.mass + share.mass, known.inertia + share.inertia)
        return MappingProxyType(found)


def _rigid(spec: BeamSpec) -> tuple[float, FloatArray, FloatArray]:
    """Mass, centre of mass and central inertia of a beam element that moves as a rigid body, in the axes of its first frame."""
    moved = np.vstack([np.eye(6), adjoint(*exp_se3(-spec.rest))])
    M = moved.T @ spec.mass @ moved
    mass = float(np.trace(M[:3, :3])) / 3.0
    if mass == 0.0:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    S = M[3:, :3] / mass  # cross-product matrix of the centre of mass
    centre = 0.5 * np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]])
    return mass, centre, M[3:, 3:] - mass * _around(centre)


def _around(d: FloatArray) -> FloatArray:
    """Inertia (3, 3) about the origin of a unit mass at d."""
    return d @ d * np.eye(3) - np.outer(d, d)


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
    a: Frame | FloatArray
    b: Frame | FloatArray
    beam_section: BeamSection
    points: tuple[FloatArray, ...]
    tangent: FloatArray | None
    end_tangent: FloatArray | None
    up: FloatArray | None
    places: Mapping[str, float]
    elements_at_least: int
    frequency: float | None
    damping: BeamDamping
    mass: MassKind
    velocity: FloatArray | None
    angular_velocity: FloatArray | None

    def __init__(
        self,
        name: str,
        a: Frame | FloatArray,
        b: Frame | FloatArray,
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

    def _motion(self, x: FloatArray, share: float) -> dict[str, FloatArray]:
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


def _world(end: Frame | FloatArray) -> FloatArray:
    """Position of an end in the initial pose."""
    if isinstance(end, Frame):
        assert end.owner is not None
        return end.owner.to_world(end.position)
    return end


def _read_points(points: object, what: Subject) -> tuple[FloatArray, ...]:
    if not isinstance(points, Sequence | np.ndarray) or isinstance(points, str):
        raise ModelError(f"{what}: points must be a list of points, got {shown(points)}", about=what.at("points"))
    return tuple(vector(point, "length", what=what / "points" / k) for k, point in enumerate(points))


def _spin(value: object, what: Subject) -> FloatArray | None:
    return None if value is None else vector(value, "angular velocity", what=what / "angular_velocity")
