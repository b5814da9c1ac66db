"""The methods of a model that make shafts and beams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from ..arguments import names_wrong_arguments
from ..beams.shaft_section import ShaftSection
from ..gears.material import STEEL, Material
from .plane_checks import body_problem, structure_problem
from .registry import Registry
from .shaft import Shaft
from .structure import Structure
from .types import Direction, Orientation, Quantity, Vector

__all__ = ["StructureMethods"]

AnyStructure = TypeVar("AnyStructure", bound=Structure)


@names_wrong_arguments
class StructureMethods(Registry):
    """Shafts and beams: structures that make bodies, their stations, and elastic elements between them."""

    @property
    def shafts(self) -> Mapping[str, Shaft]:
        """Shafts by name; read-only."""
        return self._structures_of(Shaft)

    def shaft(
        self,
        name: str,
        sections: Sequence[ShaftSection],
        *,
        material: Material = STEEL,
        position: Vector = (0.0, 0.0, 0.0),
        axis: Direction | None = None,
        orientation: Orientation = None,
        stations: Mapping[str, Quantity] | None = None,
        elements: int = 4,
        frequency: Quantity | None = None,
        damping: Quantity | Mapping[str, Quantity] = 0.0,
        mass: str = "tuned",
        speed: Quantity = 0.0,
        velocity: Vector = (0.0, 0.0, 0.0),
        angular_velocity: Vector = (0.0, 0.0, 0.0),
    ) -> Shaft:
        """A shaft that bends, shears, twists and stretches (Timoshenko's beam), with its own mass.

        sections: from its start to its end: cylinders and cones, solid or hollow. material: of those that have none.
        position: of its start in the world [m]. axis: direction from start to end, "z" without; orientation instead says all
        three axes.
        stations: where wheels, bearings, joints and loads sit, by name: their places from the start [m]. ``shaft["left"]`` is a body
        like others, called "NAME left", with z along the shaft; "start" and "end" are always there.
        elements: the shaft is cut at its stations, and between them so that no element is longer than its length over this number;
        with `frequency` [Hz], the highest one of interest, also so that none is longer than a seventh of the shortest wave.
        In statics loads at stations need no cuts: the elements are exact, with all steps and tapers.
        damping: β [s], one for all or {"bending": ..., "torsion": ..., "axial": ...}: damping is β times stiffness.
        mass: "tuned" (most accurate frequencies), "consistent" or "lumped".
        speed: turning about its own axis at the start [rad/s]; velocity, angular_velocity: of the whole shaft besides, of its start,
        world axes.
        """
        made = Shaft(
            name, sections, material=material, position=position, axis=axis, orientation=orientation, stations=stations,
            elements=elements, frequency=frequency, damping=damping, mass=mass, speed=speed, velocity=velocity,
            angular_velocity=angular_velocity,
        )  # fmt: skip
        return self._add_structure(made)

    def _structures_of(self, kind: type[AnyStructure]) -> Mapping[str, AnyStructure]:
        found = {name: structure for name, structure in self._structures.items() if isinstance(structure, kind)}
        return MappingProxyType(found)

    def _add_structure(self, made: AnyStructure) -> AnyStructure:
        """Take a structure and its stations, if their names are free and all fits into the plane of the model."""
        self._new_name(made.name, made.kind)
        for station in made.stations.values():
            self._new_name(station.name, f'{made.kind} "{made.name}": the body of station "{station.station}"')
        problem = structure_problem(self, made)
        for station in made.stations.values():
            problem = problem or body_problem(self, station)
        if problem:
            raise problem
        self._structures[made.name] = made
        self._bodies.update((station.name, station) for station in made.stations.values())
        return made
