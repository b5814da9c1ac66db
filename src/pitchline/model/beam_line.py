"""BeamLine: a structure that consists of beam elements in a row, such as a shaft or a beam."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from ..beams.flexibility import segment_stiffness
from ..beams.se3 import adjoint, exp_se3
from ..beams.segment import Segment
from ..beams.tuned_mass import MassKind, segment_mass
from ..solids.mass_properties import MassProperties
from ..solids.rotations import Array
from .beam_damping import BeamDamping
from .body import Body
from .frames import Frame
from .structure import BeamSpec, NodeShare, RigidLink, Structure

__all__ = ["BeamLine", "LineNode"]


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
    def pose(self) -> tuple[Array, Array]:
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


def _rigid(spec: BeamSpec) -> tuple[float, Array, Array]:
    """Mass, centre of mass and central inertia of a beam element that moves as a rigid body, in the axes of its first frame."""
    moved = np.vstack([np.eye(6), adjoint(*exp_se3(-spec.rest))])
    M = moved.T @ spec.mass @ moved
    mass = float(np.trace(M[:3, :3])) / 3.0
    if mass == 0.0:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    S = M[3:, :3] / mass  # cross-product matrix of the centre of mass
    centre = 0.5 * np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]])
    return mass, centre, M[3:, 3:] - mass * _around(centre)


def _around(d: Array) -> Array:
    """Inertia (3, 3) about the origin of a unit mass at d."""
    return d @ d * np.eye(3) - np.outer(d, d)
