"""Structure: a part of the model that makes nodes and the elastic elements between them.

Shafts, beams and flexible bodies are structures. What a new kind has to say is in the abstract part of `Structure`; the compile
step asks it for the specifications of its elements, one class of specification for each kind of element.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..errors import ModelError, Subject, near_names, shown
from ..solids.mass_properties import MassProperties
from ..solids.rotations import Array
from .body import Body
from .frames import Frame
from .names import part_subject
from .station import Station

__all__ = ["BeamSpec", "ElementSpec", "RigidLink", "NodeShare", "Structure", "station_body_name"]


@dataclass(frozen=True, eq=False)
class ElementSpec:
    """What the compile step needs for one element of a structure; one subclass for each kind of element."""

    frames: tuple[Frame, ...]
    """Its nodes: frames on stations, or on other bodies."""


@dataclass(frozen=True, eq=False)
class BeamSpec(ElementSpec):
    """A beam element between two frames whose z axes point along the beam; translations before rotations.

    Attributes
    ----------
    stiffness : (6, 6)
        Of the relative motion d = log(H_A^-1 H_B) [N/m, N, N*m].
    mass : (12, 12)
        Of the velocities of both frames in their own axes [kg, kg*m, kg*m^2].
    rest : (6,)
        d without load [m, rad].
    damping : (6, 6)
        Of the rate of d [N*s/m, N*s, N*m*s].
    """

    stiffness: Array
    mass: Array
    rest: Array
    damping: Array


@dataclass(frozen=True)
class RigidLink:
    """Two frames of a structure that are held together where the structure counts as rigid (kinematics)."""

    a: Frame
    b: Frame
    """At rest it coincides with a."""


@dataclass(frozen=True)
class NodeShare:
    """What a node feels of the inertia of a structure: mass [kg], and moments in body axes (3, 3) [kg*m^2]. It makes numbers
    comparable; the motion follows from the elements."""

    mass: float
    inertia: Array


class Structure(ABC):
    """A part that makes nodes (stations) and elements between them. `shaft["left"]` is its station "left".

    Attributes
    ----------
    name : str
    stations : Mapping[str, Station]
        Its nodes by their names in it, in their order; read-only.
    """

    kind: ClassVar[str]
    """Its word in messages, "shaft"."""
    section: ClassVar[str]
    """The mapping of the model and the table of model files that hold it, "shafts"."""

    name: str
    stations: Mapping[str, Station]

    def __getitem__(self, station: str) -> Station:
        found = self.stations.get(station) if isinstance(station, str) else None
        if found is None:
            raise ModelError(
                f"{self.subject}: has no station {shown(station)}; {near_names(str(station), self.stations)}",
                about=self.subject,
            )
        return found

    @property
    def subject(self) -> Subject:
        """How messages name it."""
        return part_subject(self.kind, self.name)

    # ---- what every kind of structure says

    @property
    @abstractmethod
    def elements(self) -> tuple[ElementSpec, ...]:
        """Its elements."""

    @property
    @abstractmethod
    def links(self) -> tuple[RigidLink, ...]:
        """What makes it a rigid body: enough to hold all its nodes, none twice."""

    @property
    def outside(self) -> tuple[Frame, ...]:
        """Frames of its elements on bodies that are not its own."""
        own = {station.name for station in self.stations.values()}
        return tuple(frame for spec in self.elements for frame in spec.frames if frame.body_name not in own)

    def on_bodies(self, bodies: Mapping[str, Body]) -> Structure:
        """The same on other bodies, by name, in place of those to which it is fixed; only for kinds that can be fixed to bodies."""
        raise NotImplementedError(f"{self.subject} is fixed to no body")

    @property
    @abstractmethod
    def solid(self) -> MassProperties:
        """Its whole mass, centre of mass and inertia in the initial pose, world axes from the origin of the world."""

    @property
    @abstractmethod
    def shares(self) -> Mapping[str, NodeShare]:
        """What its nodes, by the names of their bodies, feel of its inertia."""

    @abstractmethod
    def said(self) -> dict[str, Any]:
        """The arguments that make it again, without its stations, whose poses `describe` adds."""

    @abstractmethod
    def summary_line(self) -> str:
        """One line for the summary."""

    def inertia_about(self, point: Array, axis: Array) -> float:
        """Its inertia about an axis through a point, both in the world in the initial pose [kg*m^2]."""
        arm = self.solid.centre_of_mass - point
        across = arm - (arm @ axis) * axis
        return float(axis @ self.solid.inertia @ axis + self.solid.mass * (across @ across))


def station_body_name(structure: str, station: str) -> str:
    """Name of the body of a station: "input left"."""
    return f"{structure} {station}"


def link_between(a: Station, b: Station) -> RigidLink:
    """Two stations held together as they stand in the initial pose: at the origin of b."""
    at, axes = a.to_body(b.position), a.orientation.T @ b.orientation
    return RigidLink(Frame(a.name, at, axes, owner=a), Frame(b.name, np.zeros(3), None, owner=b))
