"""Flexible body: a reduced finite element body in the model. Its interfaces are its stations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.declare.names import Frame, check_name, part_subject
from pitchline.declare.structure import (
    ElementSpec,
    NodeShare,
    RigidLink,
    Station,
    Structure,
    link_between,
    station_body_name,
)
from pitchline.errors import ModelError, shown
from pitchline.solids.mass_properties import MassProperties
from pitchline.solids.rotations import read_rotation
from pitchline.units.quantity import quantity, vector

from ..gears.geometry.inputs import number
from ..shafts.line_inputs import LineMotion
from .superelement import Superelement

__all__ = ["FlexibleBody", "SuperelementSpec"]


@dataclass(frozen=True, eq=False)
class SuperelementSpec(ElementSpec):
    """Superelement with frames at its interfaces, in order. damping: ratio to the stiffness [s]; modal_damping: damping ratio."""

    superelement: Superelement
    damping: float
    modal_damping: float


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class FlexibleBody(Structure):
    """Elastic body of finite elements, reduced to its interfaces and modes. `Model.flexible_body` makes it.

    Attributes
    ----------
    name : str
    superelement : Superelement
    position : (3,)
        Origin of the axes of the superelement in the world, in the initial pose [m].
    orientation : (3, 3)
        These axes in the world, in the initial pose.
    damping : float
        β [s]: damping matrix = β times stiffness matrix.
    modal_damping : float
        Damping ratio of each mode with fixed interfaces.
    velocity, angular_velocity : (3,)
        Initial velocity of the origin [m/s] and initial angular velocity of the body [rad/s], world axes.
    stations : mapping
        Interfaces by name.
    """

    kind: ClassVar[str] = "flexible body"
    section: ClassVar[str] = "flexible_bodies"

    name: str
    superelement: Superelement
    position: FloatArray
    orientation: FloatArray
    damping: float
    modal_damping: float
    velocity: FloatArray
    angular_velocity: FloatArray

    def __init__(
        self,
        name: str,
        superelement: Superelement,
        *,
        position: object = (0.0, 0.0, 0.0),
        orientation: object = None,
        damping: object = 0.0,
        modal_damping: object = 0.0,
        velocity: object = (0.0, 0.0, 0.0),
        angular_velocity: object = (0.0, 0.0, 0.0),
    ) -> None:
        what = part_subject(self.kind, name)
        if not isinstance(superelement, Superelement):
            raise ModelError(
                f"{what}: superelement must be a Superelement, made with Superelement.from_mesh, from_shape, from_matrices or "
                f"read_superelement, got {shown(superelement)}",
                about=what.at("superelement"),
            )
        origin = vector(position, "length", what=what / "position")
        motion = LineMotion.read(origin, velocity, angular_velocity, what)
        for attribute, value in (
            ("name", name),
            ("superelement", superelement),
            ("position", origin),
            ("orientation", read_rotation(orientation, what=what / "orientation")),
            ("damping", quantity(damping, "time", what=what / "damping")),
            ("modal_damping", number(modal_damping, what / "modal_damping")),
            ("velocity", motion.velocity),
            ("angular_velocity", motion.angular_velocity),
        ):
            object.__setattr__(self, attribute, value)
        if self.damping < 0.0:
            raise ModelError(f"{what}: damping must not be negative, got {self.damping:g} s", about=what.at("damping"))
        if not 0.0 <= self.modal_damping < 1.0:
            raise ModelError(
                f"{what}: modal_damping is a damping ratio, from 0 to less than 1 (0.02 is 2 %), got "
                f"{self.modal_damping:g}",
                about=what.at("modal_damping"),
            )
        stations: dict[str, Station] = {}
        for interface, x, axes in zip(superelement.interfaces, superelement.positions, superelement.axes, strict=True):
            check_name(interface, f"{what}: interface")
            at = self.position + self.orientation @ x
            stations[interface] = Station(
                station_body_name(name, interface), structure=name, station=interface, position=at,
                orientation=self.orientation @ axes, **motion.at(at),
            )  # fmt: skip
        object.__setattr__(self, "stations", MappingProxyType(stations))

    @cached_property
    def elements(self) -> tuple[SuperelementSpec, ...]:
        """One element on all stations."""
        frames = tuple(Frame(station.name, np.zeros(3), None, owner=station) for station in self.stations.values())
        return (SuperelementSpec(frames, self.superelement, self.damping, self.modal_damping),)

    @cached_property
    def links(self) -> tuple[RigidLink, ...]:
        """Rigid links from all stations to the first one."""
        first, *others = self.stations.values()
        return tuple(link_between(first, other) for other in others)

    @cached_property
    def solid(self) -> MassProperties:
        """Total mass, centre of mass and inertia in the initial pose, world axes, from the world origin."""
        body, R = self.superelement, self.orientation
        return MassProperties(
            body.mass, self.position + R @ body.centre_of_mass, R @ body.inertia @ R.T, what=self.subject
        )

    @cached_property
    def shares(self) -> Mapping[str, NodeShare]:
        """Fraction of the inertia that acts on each station: the blocks on the diagonal of the mass matrix."""
        M = self.superelement.mass_matrix
        blocks = [M[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] for i in range(len(self.stations))]
        return MappingProxyType(
            {
                station.name: NodeShare(float(np.trace(block[:3, :3])) / 3.0, block[3:, 3:])
                for station, block in zip(self.stations.values(), blocks, strict=True)
            }
        )

    def replaced(self, **changes: Any) -> FlexibleBody:
        """Return the same body with some arguments changed, for `Model.replaced`. The stations are made again.

        Parameters
        ----------
        changes
            Arguments of `Model.flexible_body` with their new values.
        """
        return FlexibleBody(**(self.arguments() | changes))

    def arguments(self) -> dict[str, Any]:
        """Arguments that make the body again."""
        names = (
            "name",
            "superelement",
            "position",
            "orientation",
            "damping",
            "modal_damping",
            "velocity",
            "angular_velocity",
        )
        return {name: getattr(self, name) for name in names}

    def said(self) -> dict[str, Any]:
        """Its arguments."""
        return self.arguments()

    def summary_line(self) -> str:
        """ "12.3 kg, interfaces seat 1, seat 2, foot; 14 modes to 3.2 kHz" """
        body = self.superelement
        count = len(body.frequencies)
        modes = f"{count} mode{'s' if count > 1 else ''} to {body.frequencies[-1]:.4g} Hz" if count else "no modes"
        return f"{body.mass:.6g} kg, interfaces {', '.join(body.interfaces)}; {modes}"

    def __repr__(self) -> str:
        return f"FlexibleBody({self.name!r}: {', '.join(self.stations)})"
