"""Structure: a part of the model that makes nodes and elastic elements between them.

Shafts, beams and flexible bodies are structures. A new kind must implement the abstract methods of `Structure`. The compile
step reads the specifications of its elements. There is one specification class for each kind of element.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, near_names, shown
from pitchline.parts.bodies.part import Body
from pitchline.solids.mass_properties import MassProperties

from .names import Frame, part_subject

__all__ = ["Station", "BeamSpec", "ElementSpec", "RigidLink", "NodeShare", "Structure", "station_body_name"]


# ---- station

# Station: a node of a shaft, beam or flexible body at which other parts can be placed.


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Station(Body):
    """Node of a structure. It is a body of the model, so that joints, loads, wheels and elements can be connected to it.

    Its inertia is part of the structure, in the elements between stations. Its own mass is 0 unless it is specified.

    Attributes
    ----------
    structure : str
        Name of its structure.
    station : str
        Its name in the structure. The name of the body consists of both, "input left".
    """

    structure: str
    station: str

    def __init__(
        self,
        name: str,
        mass: object = 0.0,
        inertia: object = (0.0, 0.0, 0.0),
        *,
        structure: str,
        station: str,
        centre_of_mass: object = (0.0, 0.0, 0.0),
        position: object = (0.0, 0.0, 0.0),
        orientation: object = None,
        velocity: object = (0.0, 0.0, 0.0),
        angular_velocity: object = (0.0, 0.0, 0.0),
    ) -> None:
        super().__init__(
            name,
            mass,
            inertia,
            centre_of_mass=centre_of_mass,
            position=position,
            orientation=orientation,
            velocity=velocity,
            angular_velocity=angular_velocity,
        )
        for attribute, value in (("structure", structure), ("station", station)):
            if not isinstance(value, str) or not value:
                what = part_subject("body", name)
                raise ModelError(f"{what}: {attribute} must be a name, got {shown(value)}", about=what)
            object.__setattr__(self, attribute, value)

    def __repr__(self) -> str:
        return f"Station({self.station!r} of {self.structure!r})"


@dataclass(frozen=True, eq=False)
class ElementSpec:
    """Data for the compile step for one element of a structure. There is one subclass for each kind of element."""

    frames: tuple[Frame, ...]
    """Nodes: frames on stations, or on other bodies."""


@dataclass(frozen=True, eq=False)
class BeamSpec(ElementSpec):
    """Beam element between two frames whose z axes point along the beam. Translations come before rotations.

    Attributes
    ----------
    stiffness : (6, 6)
        Stiffness for the relative motion d = log(H_A^-1 H_B) [N/m, N, N*m].
    mass : (12, 12)
        Mass matrix for the velocities of both frames in their own axes [kg, kg*m, kg*m^2].
    rest : (6,)
        d without load [m, rad].
    damping : (6, 6)
        Damping for the rate of d [N*s/m, N*s, N*m*s].
    """

    stiffness: FloatArray
    mass: FloatArray
    rest: FloatArray
    damping: FloatArray


@dataclass(frozen=True)
class RigidLink:
    """Two frames of a structure that are rigidly connected if the structure is treated as rigid (kinematics)."""

    a: Frame
    b: Frame
    """Coincides with a in the undeformed state."""


@dataclass(frozen=True)
class NodeShare:
    """Fraction of the inertia of a structure that acts on a node: mass [kg], and moments in body axes (3, 3) [kg*m^2]. It only
    scales numbers; the elements define the motion."""

    mass: float
    inertia: FloatArray


class Structure(ABC):
    """Part that makes nodes (stations) and elements between them. `shaft["left"]` is its station "left".

    Attributes
    ----------
    name : str
    stations : Mapping[str, Station]
        Nodes by their names in the structure, in order; read-only.
    """

    kind: ClassVar[str]
    """Kind of the structure in messages, "shaft"."""
    section: ClassVar[str]
    """Mapping of the model and table of model files that contain it, "shafts"."""

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
        """Name of the structure in messages."""
        return part_subject(self.kind, self.name)

    # ---- to be implemented by every kind of structure

    @property
    @abstractmethod
    def elements(self) -> tuple[ElementSpec, ...]:
        """Its elements."""

    @property
    @abstractmethod
    def links(self) -> tuple[RigidLink, ...]:
        """Rigid links that connect all nodes to one rigid body, without redundant links."""

    @property
    def outside(self) -> tuple[Frame, ...]:
        """Frames of its elements on bodies outside the structure."""
        own = {station.name for station in self.stations.values()}
        return tuple(frame for spec in self.elements for frame in spec.frames if frame.body_name not in own)

    def on_bodies(self, bodies: Mapping[str, Body]) -> Structure:
        """Return the same structure on other bodies, by name. Only for kinds that can be fixed to bodies."""
        raise NotImplementedError(f"{self.subject} is not fixed to a body")

    @property
    @abstractmethod
    def solid(self) -> MassProperties:
        """Total mass, centre of mass and inertia in the initial pose, world axes, from the world origin."""

    @property
    @abstractmethod
    def shares(self) -> Mapping[str, NodeShare]:
        """Fraction of its inertia that acts on each node, by body name."""

    @abstractmethod
    def said(self) -> dict[str, Any]:
        """Arguments that make the structure again, without stations. `describe` adds the poses of the stations."""

    @abstractmethod
    def summary_line(self) -> str:
        """One line for the summary of the model."""

    def inertia_about(self, point: FloatArray, axis: FloatArray) -> float:
        """Inertia about an axis through a point, both in the world in the initial pose [kg*m^2]."""
        arm = self.solid.centre_of_mass - point
        across = arm - (arm @ axis) * axis
        return float(axis @ self.solid.inertia @ axis + self.solid.mass * (across @ across))


def station_body_name(structure: str, station: str) -> str:
    """Name of the body of a station: "input left"."""
    return f"{structure} {station}"


def link_between(a: Station, b: Station) -> RigidLink:
    """Rigid link between two stations in the initial pose, at the origin of b."""
    at, axes = a.to_body(b.position), a.orientation.T @ b.orientation
    return RigidLink(Frame(a.name, at, axes, owner=a), Frame(b.name, np.zeros(3), None, owner=b))
